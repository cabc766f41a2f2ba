/* Axes whose motors control their torque (motor/impedance.h): which stiffness, damping and feed-forward their
** commands have in each period.
**
** The scripts ask for impedances, within those of the robot's file, and for torques, which are added to the
** weight of the arm where the file wants that: by inverse dynamics at the measured positions, at the motor
** rate.  What comes of it is bounded by the device (drivers/actuator/torques.c), whatever it is.
**
** While the scripts are silent their feed-forward fades; stiffness, damping and weight stay. */
#ifndef BRIO_RUNTIME_MOTOR_TORQUES_H
#define BRIO_RUNTIME_MOTOR_TORQUES_H

#include "base/arena.h"
#include "base/threads/triple.h"
#include "dynamics/dynamics.h"
#include "motor/impedance.h"

struct brio_motor;

/* Invariants: `hard`, `gravity` and `weighs` do not change; `asked` belongs to the scripts' thread, `now` and
** the workspace to the motor thread; the triple buffer `wishes` has `count` impedances. */
typedef struct brio_motor_torques {
  int count, tree;
  brio_impedance *hard;  /* count: of the robot's file; a limit of NAN: a position servo */
  brio_impedance *asked; /* count: the newest of the scripts */
  brio_impedance *now;   /* count: of the next commands */
  bool *gravity;         /* count: its feed-forward carries the weight */
  bool weighs;           /* some does */
  brio_triple wishes;
  double share;          /* 0 to 1: of the scripts' feed-forward */
  brio_dynamics dynamics;
  double *q, *tau;       /* nq, nv */
} brio_motor_torques;

/* Set up those of a motor side whose actuator is known, if some axis has an impedance; `gravity` (axes; NULL:
** none) says which ones carry their weight, and then `robot` is theirs.  Else *out is NULL.  Errors:
** no_memory, misuse. */
bool brio_motor_torques_start(struct brio_motor *motor, const brio_robot *robot, const bool *gravity,
                              brio_motor_torques **out, brio_error *err);
void brio_motor_torques_end(brio_motor_torques *torques);

/* The scripts' thread: ask for an impedance, of which the limit counts as that of the file.  It takes effect
** with brio_motor_torques_send.  Errors: misuse (an axis that is a position servo; a number that is not
** finite; a stiffness or damping below 0 or above that of the file).  A torque beyond the limit is taken, and
** bounded later. */
bool brio_motor_torques_ask(brio_motor_torques *torques, int axis, const char *name,
                            const brio_impedance *asked, brio_error *err);
void brio_motor_torques_send(brio_motor_torques *torques);

/* The motor thread: compute the impedances of the next commands, after h s.  O(joints) */
void brio_motor_torques_step(struct brio_motor *motor, double h);

#endif
