/* A door of the simulated world: a panel on a hinge, with a latch, a handle, a closer and friction, moved by
** contacts.  A pure stepper: poses in, an angle out.  Nothing here allocates, and equal inputs give equal
** bits.
**
** Contact is kinematic.  Hands and bodies have the poses of the robot's kinematics, for any force: a free
** panel yields to them, a latched or held one does not, and then their depth in it is reported
** (brio_door_contact).  The caller decides what that means for the robot.
**
** The frame of a door: the middle of its doorway on the floor, x through it, y to the left, z up.  Who looks
** along x sees the hinge on the left or the right, and a panel that opens away or towards them.
**
** A drawer is a door that slides: an open box whose front is the panel, with a bar across it that is
** grasped like a pull.  Its angle is how far it is out, in m; so are speed, `most` and the speeds of
** friction and damping, its inertia is a mass (kg), and moments are forces (N).  Its frame: the middle of
** its front's lower edge, outside, when it is shut; x the way that it opens, z up. */
#ifndef BRIO_WORLD_DOORS_DOOR_H
#define BRIO_WORLD_DOORS_DOOR_H

#include <stdbool.h>

#include "base/error.h"
#include "base/random.h"
#include "math/detection.h"

#define BRIO_DOOR_CATCH 0.01 /* rad: nearer to shut a latch catches */

enum { BRIO_DOOR_TOUCHES = 16, BRIO_DOOR_SEEN = 2, BRIO_DOOR_ID = 24, BRIO_DOOR_BOARDS = 5 };

typedef enum brio_door_handle {
  BRIO_DOOR_LEVER,    /* turned downwards: pressed from above, or grasped */
  BRIO_DOOR_KNOB,     /* turned either way by a hand that is shut about it */
  BRIO_DOOR_PUSH_BAR, /* pressed towards the panel, on the side that the panel opens from */
  BRIO_DOOR_PULL,     /* an upright bar that nothing turns: grasped and pulled */
  BRIO_DOOR_NHANDLE
} brio_door_handle;

typedef struct brio_door_settings {
  brio_pose pose;                  /* world_from_door; its z axis must be up */
  double width, height, thickness; /* m, of the panel */
  bool left;                       /* the hinge is on the left, seen along x */
  bool toward;                     /* it opens towards a viewer who looks along x; else away */
  double most, angle;              /* rad: how far it opens, and where it begins */
  brio_door_handle handle;
  double handle_height, inset;     /* m: above the floor; of its axis from the panel's free edge */
  /* m: of a lever, bar or pull; from the panel's face to the handle's middle */
  double length, off;
  double free, handle_most;        /* rad (a push bar: m): where the latch lets go; its end */
  bool latch, locked;              /* it latches when shut; no handle releases it */
  double inertia;                  /* kg m^2 about the hinge */
  double friction;                 /* N m, of the hinge, whenever it moves */
  double damping;                  /* N m s/rad */
  /* N m of the closer, and its increase for each rad of the angle; 0: no closer */
  double closer, closer_rise;
  double grip;                     /* 0 to 1: the probability that a good grasp holds until it is released */
  bool slides;                     /* it is a drawer, `depth` m long; its handle is a pull */
  double depth;
} brio_door_settings;

/* A board of what moves: of a door the panel, of a drawer front, bottom, sides and back. */
typedef struct brio_door_board {
  brio_pose pose; /* in the panel's frame (brio_door_panel) */
  brio_vec3 size; /* m: full lengths */
} brio_door_board;

/* What may touch a door: a ball (above 0), or an upright cylinder from pose.p.z up to `above` m over it.  A
** hand, which is a ball, may also grasp. */
typedef struct brio_door_touch {
  brio_pose pose;  /* world: its middle */
  double radius;   /* m */
  double above;    /* m */
  bool hand;
  brio_vec3 grasp; /* world: of a hand, the point of grasp, which reaches `reach` m */
  double reach;
  double shut;     /* of a hand: 0 open to 1 shut; it grasps from 0.6 on, and lets go below 0.4 */
} brio_door_touch;

typedef struct brio_door_contact {
  bool touches, holds; /* the panel or its handle; a hand has grasped the handle */
  double depth;        /* m that it is inside the panel, which did not yield; 0: not */
} brio_door_contact;

/* Memory of a touch: by index in the list of touches. */
typedef struct brio_door_memory {
  int side;              /* of the panel: 1 where it opens to, -1 the other, 0 not known */
  bool holds, spent;     /* has grasped; has slipped, and must open before it grasps again */
  /* as it grasped: m that the hand was before the panel; rad about the handle less its own */
  double across, turned;
  double from;           /* rad: the panel's angle as it grasped */
  brio_quat q;           /* of the hand in the panel, as it grasped */
  double slips_at;       /* how far it gets until it slips (see door_step.c); INFINITY: it never does */
} brio_door_memory;

typedef struct brio_door {
  char id[BRIO_DOOR_ID];
  brio_door_settings settings;
  double angle, speed;   /* rad, rad/s: of the panel, 0 shut, rising as it opens */
  double handle;         /* rad or m, 0 to handle_most */
  bool latched;
  double held;           /* s for which a person still holds it from opening */
  /* times it went beyond 1 rad; hands that slipped; what went through it, latched or not */
  int opened, slips, passed;
  bool wide;             /* it is beyond 1 rad, counted */
  brio_random stream;
  brio_door_memory memory[BRIO_DOOR_TOUCHES];
  brio_door_contact contacts[BRIO_DOOR_TOUCHES];
} brio_door;

/* Return the default settings of a handle: a panel 0.9 x 2.0 x 0.04 m, hinge on the right, opening away,
** without closer. */
brio_door_settings brio_door_defaults(brio_door_handle handle);

/* Return the default settings of a drawer of that size (m): 3 kg, out to 0.9 of its depth, its bar in the
** middle. */
brio_door_settings brio_drawer_defaults(double width, double height, double depth);

/* Write the boards, BRIO_DOOR_BOARDS at most; return how many. */
int brio_door_boards(const brio_door_settings *settings, brio_door_board *out);

/* Whether a point of the world is in a drawer, or less than `above` m over it. */
bool brio_drawer_has(const brio_door *door, brio_vec3 point, double above);

/* Return the name of a handle as world files spell it ("lever", "knob", "push_bar", "pull"), or NULL. */
const char *brio_door_handle_name(brio_door_handle handle);

/* Return the kind that a detector knows a door's panel (0) or its handle (1) by: see brio_door_see. */
const char *brio_door_kind(const brio_door *door, int which);

/* Initialize a door at its angle, latched if that is shut.  `seed` and `id` name its random stream.
** Errors: misuse (a setting out of its range, a pose that is not upright, no id or one too long). */
bool brio_door_init(brio_door *door, const char *id, const brio_door_settings *settings, uint64_t seed,
                    brio_error *err);

/* Advance by `dt` s (at most 0.1 at a time; less than 0 or NaN: no effect) with `count` touches, the same
** ones at the same indices as before (those beyond BRIO_DOOR_TOUCHES are ignored; those that are not finite
** touch nothing).  The panel: inertia a = -(closer + closer_rise angle) - damping w - friction sign(w),
** between shut and most; contacts set its angle; between contradicting contacts it stops.  Shut, with its
** handle turned less than `free`, it latches.  door->contacts has the result of each touch. */
void brio_door_step(brio_door *door, double dt, const brio_door_touch *touches, int count);

/* Hold it from opening any further, for `seconds` from now. */
void brio_door_hold(brio_door *door, double seconds);

/* Return the panel's pose in the world: its middle (of a drawer that of its front), y along it, z up,
** x as the door's when it is shut. */
brio_pose brio_door_panel(const brio_door *door);

/* Return the middle of the handle in the world: on the face towards `eye`; a push bar is on one face only. */
brio_vec3 brio_door_handle_at(const brio_door *door, brio_vec3 eye);

/* Return the place of the hinge on the floor, in the world. */
brio_vec3 brio_door_hinge(const brio_door *door);

/* Write the detections of a sensor at `eye`, BRIO_DOOR_SEEN at most: kinds "door_panel" and "door_lever",
** "door_knob", "door_push_bar" or "door_pull", of a drawer "drawer_front" and "drawer_handle"; ids
** "<id>.panel" and "<id>.handle", with their true poses.  A handle is not visible from the face without it.
** Return how many. */
int brio_door_see(const brio_door *door, brio_vec3 eye, brio_detection *out);

#endif
