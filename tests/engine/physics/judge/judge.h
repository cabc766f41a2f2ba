/* The same scene in two simulators: brio's physics, which is MuJoCo, and ODE (Open Dynamics Engine), a second
** one that shares no code with it.  Both get one description, brio_model_options, and are driven and queried
** through one record of functions; what they answer is compared, and with mechanics where that has an answer.
**
** Lengths are in m, times in s, forces in N, angles in rad; axes are those of the world. */
#ifndef BRIO_TESTS_ENGINE_PHYSICS_JUDGE_JUDGE_H
#define BRIO_TESTS_ENGINE_PHYSICS_JUDGE_JUDGE_H

#include <stdbool.h>

#include "physics/model.h"

#define JUDGE_G 9.81

/* A position servo of a joint: its motor is as strong as it takes, and stays below `torque`. */
typedef struct judge_servo {
  double stiffness, damping, torque; /* N m/rad, N m s/rad, N m; of a slide N/m, N s/m, N */
} judge_servo;

typedef struct judge_scene {
  brio_model_options options; /* of doors at most one, without a handle that turns */
  const double *start;        /* nvariable: where the joints begin, at rest; NULL: 0 */
  const judge_servo *servos;  /* nvariable; NULL: joints move freely */
} judge_scene;

typedef struct judge_side {
  const char *name;
  /* Make a world of a scene, which outlives it.  NULL: it cannot, and a test has failed. */
  void *(*open)(const judge_scene *scene);
  void (*close)(void *world);
  /* Let `count` steps of BRIO_MODEL_STEP pass. */
  void (*step)(void *world, int count);
  /* Give the servo of a joint, by its number among the variables, a target. */
  void (*aim)(void *world, int variable, double target);
  double (*joint)(void *world, int variable);
  double (*door)(void *world); /* the door's angle */
  /* Push the centre of mass of a thing or link with a force from now on. */
  void (*push)(void *world, const char *body, brio_vec3 force);
  /* Give a thing a speed. */
  void (*start)(void *world, const char *thing, brio_vec3 linear);
  brio_pose (*pose)(void *world, const char *body);
} judge_side;

/* brio's physics, or NULL with the test marked as skipped: the library is not installed. */
const judge_side *judge_brio(void);
/* ODE, or NULL in the same way. */
const judge_side *judge_ode(void);

/* One number of a scene. */
typedef struct judge_row {
  const char *what, *unit;
  double exact; /* what mechanics says; NAN: it does not say */
  double bound; /* how far each may be from that, and both from each other */
} judge_row;

/* Run a scene, which writes `count` numbers, in both simulators; print and compare them. */
void judge_compare(const char *name, void (*run)(const judge_side *side, double *out), const judge_row *rows,
                   int count);

/* Let seconds pass. */
static inline void judge_go(const judge_side *side, void *world, double seconds) {
  side->step(world, (int)lround(seconds / BRIO_MODEL_STEP));
}

#endif
