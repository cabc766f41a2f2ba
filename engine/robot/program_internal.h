/* A robot's tree as kinematics runs it.  Not for other rooms.
**
** Every joint is split into elementary motions, "movers": one turn about an axis or one
** slide along it.  Frame 0 is the root link's; frame m is what mover m carries, and parents
** come first.  Seen from the parent's frame, frame m stands at
**     constant[m][0] + cos(value) constant[m][1] + sin(value) constant[m][2]
** (Rodrigues: a a^T + cos (1 - a a^T) + sin [a]x, with everything fixed before it multiplied in);
** for a slide, sin(value) stands for the value itself and the middle term is zero.  So there is
** one loop without cases, whatever the axes, and fixed joints cost nothing but one product for
** each link behind them. */
#ifndef BRIO_ROBOT_PROGRAM_INTERNAL_H
#define BRIO_ROBOT_PROGRAM_INTERNAL_H

#include "robot/robot.h"

enum { BRIO_FRAME = 12 }; /* numbers of a frame: three rows of rotation and position */

typedef struct brio_rigid_body {
  double mass;       /* kg, of all links that hang still in a frame */
  double carried;    /* kg, with all frames below */
  brio_vec3 moment;  /* mass times centre of mass, in the frame, kg m */
} brio_rigid_body;

/* A link that hangs still in a frame but is not the frame. */
typedef struct brio_held {
  int link, frame;
  double place[BRIO_FRAME]; /* frame_from_link */
} brio_held;

struct brio_robot_program {
  int nmover, nslide, nheld;
  brio_mover *movers;                   /* nmover + 1, by frame; 0 is not used */
  double (*constants)[3][BRIO_FRAME];   /* beside movers */
  int *slides;                          /* nslide frames */
  int *link_of;                         /* nmover + 1: link that is the frame; nlink: none */
  int *frame_of;                        /* nlink: frame a link hangs in */
  brio_held *held;                      /* nheld */
  int *held_of;                         /* nlink: its place in `held`, -1: it is a frame */
  brio_rigid_body *bodies;                    /* nmover + 1 */
};

/* kinematics.c: of a state, (nmover + 1) x BRIO_FRAME, world_from_frame; and, after brio_state_update_com,
** nmover + 1 mass moments in the world of what each frame carries, kg m. */
struct brio_state;
const double *brio_state_frames(const struct brio_state *state);
const brio_vec3 *brio_state_moments(const struct brio_state *state);

/* Make robot->program from its links and joints.  Errors: no_memory. */
bool brio_robot_compile(brio_robot *robot, brio_error *err);

#endif
