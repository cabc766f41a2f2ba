/* Shared by the files of the MuJoCo library: a simulation, and calls in which the library may fail. */
#ifndef BRIO_PHYSICS_MUJOCO_SIMULATION_H
#define BRIO_PHYSICS_MUJOCO_SIMULATION_H

#include <mujoco/mujoco.h>

#include "physics/library.h"

/* Invariants: `model` and `data` belong to each other and keep their sizes; once `fault` has an end it does
** not change, and the state is the one before the step that failed. */
typedef struct brio_mujoco {
  mjModel *model;
  mjData *data;
  brio_physics_bounds bounds;
  brio_physics_servo *servos;        /* nu */
  double *dampings;                  /* ntendon: N m s/rad or N s/m, of springs that are beyond their play */
  double *limits;                    /* nu: N m or N, of commands of impedance; INFINITY: none */
  double *depths;                    /* ngeom: m that others may be in it */
  char (*names)[BRIO_PHYSICS_NAME];  /* ngeom: of the body, or the fixture, that each belongs to */
  int *away, naway;                  /* nbody: bodies that are laid aside */
  int *touch;                        /* 2 ngeom: what each may touch while it is there: type and mask */
  int *joints, *servos_of;           /* njnt, nu: the same ones of another simulation (match); -1: none */
  mjtNum *qpos, *qvel, *ctrl, *warm; /* before the newest step */
  mjtNum *slopes;                    /* 3 nv: of an exact step */
  double before;                     /* s: its time */
  brio_physics_fault fault;          /* why it has stopped */
} brio_mujoco;

/* Do work in which the library may fail.  False: it did, and brio_mujoco_words says why. */
bool brio_mujoco_guarded(void (*work)(void *context), void *context);
const char *brio_mujoco_words(void);

/* The number of a body's free joint; -1: it has none. */
int brio_mujoco_free_joint(const mjModel *model, int body);

/* Keep the bodies that are laid aside where they are: before each step. */
void brio_mujoco_keep_away(brio_mujoco *sim);

/* Let springs behind a backlash act beyond it alone: before each step. */
void brio_mujoco_transmit(brio_mujoco *sim);

/* One step of a model whose integrator is RK4, from the state that was copied before it. */
void brio_mujoco_exact_step(brio_mujoco *sim);

/* Functions of the library's record, see physics/library.h. */
double brio_mujoco_inertia(void *simulation, int joint, bool stands);
double brio_mujoco_lowest(const void *simulation, int joint, int body);
void brio_mujoco_lay_off(void *simulation, int body, bool off);
void brio_mujoco_limit(void *simulation, int joint, double lower, double upper);
void brio_mujoco_push(void *simulation, int body, brio_vec3 force, brio_vec3 torque);
bool brio_mujoco_match(void *simulation, const void *other);
void brio_mujoco_take_over(void *simulation, const void *other);
int brio_mujoco_pairs(const void *simulation, brio_physics_pair *out, int most);
void brio_mujoco_read_joint(const void *simulation, int joint, brio_physics_joint *out);
void brio_mujoco_read_body(const void *simulation, int body, brio_physics_body *out);
int brio_mujoco_sense(const void *simulation, int sensor, double *out, int most);
int brio_mujoco_contacts(const void *simulation, brio_physics_contact *out, int most);
void brio_mujoco_totals(void *simulation, brio_physics_totals *out);

#endif
