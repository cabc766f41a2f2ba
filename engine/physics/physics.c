/* The robot's joints in a simulation: models are written and opened here, servos get their gains, time passes
** in whole steps.  Nothing allocates after brio_physics_new. */
#include "physics/physics.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/fixture.h"

#define MAX_SPEED 50.0 /* m/s */
#define MAX_TURN 300.0 /* rad/s */
#define MAX_DEPTH 0.05 /* m */
#define NO_LOAD 2.0    /* times the limit of speed: there a motor's torque has fallen to 0 */
#define MAX_OWED 1.0   /* s that a call makes up at most */

enum { SENTENCE = 512 };

/* A joint of one variable. */
typedef struct physics_joint {
  int joint, servo; /* of the simulation */
  double torque;    /* N m or N: of its servo now; INFINITY: none given */
  bool placed;
} physics_joint;

/* Invariants: `owed` is less than a step, but for rounding, after each call; `ready` never falls back, and
** neither does `ended`, after which no step is made; the world's mover, if it is this one's, is taken back
** before this ends. */
struct brio_physics {
  const brio_physics_library *library;
  const brio_robot *robot;
  brio_world *world;
  void *simulation;
  physics_joint *joints; /* nvariable */
  const void *device;    /* that has the joints; NULL: none yet, or it has closed */
  bool ready;            /* the robot stands where the run begins */
  double owed;           /* s, less than a step */
  brio_text notes;
  brio_world_mover mover;
  char why[SENTENCE]; /* written before `ended` */
  atomic_bool ended;
};

const char *brio_physics_fault_of(const brio_physics *physics) {
  return atomic_load_explicit(&physics->ended, memory_order_acquire) ? physics->why : NULL;
}

/* The mover's record has functions of a context: that is the physics in all of them. */
static const char *fault_of(const void *context) {
  return brio_physics_fault_of(context);
}

/* A device takes the joints: the first that asks, or the same one again. */
static bool take(void *context, const void *device, brio_error *err) {
  brio_physics *physics = context;
  assert(physics);
  /* A simulation that has stopped does not start again. */
  const char *why = brio_physics_fault_of(physics);
  if (why) return brio_fail(err, BRIO_DEVICE, "%s", why);
  if (physics->device && physics->device != device)
    return brio_fail(err, BRIO_MISUSE,
                     "with physics all joints must be on one simulated device, not on several");
  physics->device = device;
  return true;
}

/* A device gives the joints back; another one may take them then. */
static void leave(void *context, const void *device) {
  brio_physics *physics = context;
  if (physics->device == device) physics->device = NULL;
}

/* The variable of that name, if it has a servo; -1: it has none, or there is no such variable. */
static int find_joint(const void *context, const char *axis) {
  const brio_physics *physics = context;
  brio_error none;
  int variable = brio_robot_variable(physics->robot, axis, &none);
  return variable >= 0 && physics->joints[variable].servo >= 0 ? variable : -1;
}

/* Put a joint where its device has it, before the run begins; afterwards the simulation alone moves it. */
static void place(void *context, int joint, double position) {
  brio_physics *physics = context;
  assert(joint >= 0 && joint < physics->robot->nvariable);
  if (physics->ready) return;
  physics->library->place(physics->simulation, physics->joints[joint].joint, position);
  physics->joints[joint].placed = true;
}

/* Put the joints that copy others where those have them. */
static void place_mimics(brio_physics *physics) {
  const brio_robot *robot = physics->robot;
  for (int i = 0; i < robot->njoint; i++) {
    const brio_joint *joint = &robot->joints[i];
    if (joint->mimic < 0) continue;
    brio_physics_joint source;
    /* joint = multiplier source + offset, as the model's equality has it. */
    physics->library->read_joint(physics->simulation, physics->joints[joint->variable].joint, &source);
    physics->library->place(physics->simulation, physics->library->joint(physics->simulation, joint->name),
                            joint->multiplier * source.position + joint->offset);
  }
}

/* Complete the first configuration, once. Errors: misuse (a joint that no device moves). */
static bool make_ready(void *context, brio_error *err) {
  brio_physics *physics = context;
  for (int i = 0; i < physics->robot->nvariable; i++)
    if (!physics->joints[i].placed)
      return brio_fail(err, BRIO_MISUSE,
                       "with physics the simulator must move all joints, but '%s' is elsewhere",
                       physics->robot->variables[i].name);
  /* A device that comes back finds the joints where they are. */
  if (physics->ready) return true;
  /* Copies follow their sources, which have their places by now. */
  place_mimics(physics);
  physics->library->settle(physics->simulation);
  physics->ready = true;
  return true;
}

/* Gains of a controller with that frequency for the inertia that the joint moves. */
static void set_servo(void *context, int number, const brio_world_servo *servo) {
  brio_physics *physics = context;
  physics_joint *joint = &physics->joints[number];
  const brio_variable *variable = &physics->robot->variables[number];
  assert(number >= 0 && number < physics->robot->nvariable && joint->servo >= 0);
  double inertia = physics->library->inertia(physics->simulation, joint->joint),
         w = 2 * BRIO_PI * servo->frequency;
  /* What the device states goes before what the robot's file has. */
  joint->torque = servo->torque > 0 ? servo->torque : variable->effort;
  /* I x'' = k (target - x) - d x' with k = I w^2, d = 2 ratio I w: the second-order servo of frequency w
  ** and damping ratio. Source: Franklin, Powell, Emami-Naeini, "Feedback Control of Dynamic Systems". */
  brio_physics_servo settings = {
      .stiffness = isnan(servo->stiffness) ? inertia * w * w : servo->stiffness,
      .damping = isnan(servo->damping) ? 2 * servo->ratio * w * inertia : servo->damping,
      .torque = joint->torque,
      .speed = NO_LOAD * variable->velocity,
      .friction = servo->friction > 0 ? servo->friction : NAN,
      .viscous = servo->viscous > 0 ? servo->viscous : NAN,
  };
  physics->library->set_servo(physics->simulation, joint->servo, &settings);
}

/* Set the target of a joint's servo; off: it has no torque. */
static void aim(void *context, int joint, double target, bool on) {
  brio_physics *physics = context;
  assert(joint >= 0 && joint < physics->robot->nvariable && physics->joints[joint].servo >= 0);
  physics->library->aim(physics->simulation, physics->joints[joint].servo, target, on);
}

/* Let time pass, on the thread of the device; what a step leaves is owed to the next call. */
static void pass(void *context, double dt) {
  brio_physics *physics = context;
  assert(physics);
  /* NaN and steps back are no time. */
  if (brio_physics_fault_of(physics) || !(dt > 0)) return;
  /* Whole steps; 1e-9: so that ten times 0.1 of a step make one. */
  physics->owed = fmin(physics->owed + dt, MAX_OWED);
  int steps = (int)floor(physics->owed / BRIO_MODEL_STEP + 1e-9);
  physics->owed -= steps * BRIO_MODEL_STEP;
  assert(physics->ready && fabs(physics->owed) < 1.001 * BRIO_MODEL_STEP);
  brio_physics_fault fault;
  if (physics->library->step(physics->simulation, steps, &fault)) return;
  /* The sentence first: other threads read it when they see the flag. */
  brio_physics_tell(&fault, physics->why, sizeof physics->why);
  atomic_store_explicit(&physics->ended, true, memory_order_release);
}

/* Report position, velocity and the share of the greatest torque; NAN: the motor's torque is not known. */
static void read_joint(const void *context, int number, brio_world_joint *out) {
  const brio_physics *physics = context;
  const physics_joint *joint = &physics->joints[number];
  assert(number >= 0 && number < physics->robot->nvariable && joint->joint >= 0);
  brio_physics_joint now;
  physics->library->read_joint(physics->simulation, joint->joint, &now);
  *out = (brio_world_joint){now.position, now.velocity,
                            isfinite(joint->torque) ? now.torque / joint->torque : NAN};
}

/* The world's boards as shapes.  NULL: no memory. */
static brio_model_fixture *fixtures_of(brio_world *world, int *count) {
  /* Count, take memory, list. */
  *count = world ? brio_world_fixtures(world, NULL, 0) : 0;
  brio_world_fixture *list = calloc((size_t)*count + 1, sizeof *list);
  brio_model_fixture *made = calloc((size_t)*count + 1, sizeof *made);
  /* Boards are boxes; a solid has half lengths, a shape whole ones. */
  if (world && list) brio_world_fixtures(world, list, *count);
  for (int i = 0; list && made && i < *count; i++) {
    const brio_solid *solid = &list[i].solid;
    made[i] = (brio_model_fixture){.name = list[i].id, .pose = brio_pose_of(&solid->at)};
    made[i].shape = (brio_shape){.kind = BRIO_SHAPE_BOX, .size = brio_vec3_scale(2, solid->half)};
  }
  /* Without the list the shapes would be boxes without name or size. */
  if (!list) free(made), made = NULL;
  free(list);
  return made;
}

/* Say what was made up for the model. */
static void take_notes(brio_physics *physics, const brio_model_notes *notes, double massless) {
  /* One line for each kind, with the links that it is about. */
  if (notes->nshape)
    brio_text_format(&physics->notes,
                     "physics: %d links without a shape have a box of their mass's extent: %s\n",
                     notes->nshape, notes->shapes.bytes);
  if (notes->ninertia)
    brio_text_format(&physics->notes,
                     "physics: %d links have the inertia of a ball, as theirs is that of no body: %s\n",
                     notes->ninertia, notes->inertias.bytes);
  if (notes->nmass)
    brio_text_format(&physics->notes, "physics: %d links that move without a mass have %g kg: %s\n",
                     notes->nmass, massless, notes->masses.bytes);
}

/* Write the model and open it. */
static bool open_model(brio_physics *physics, const brio_physics_options *options, brio_error *err) {
  /* Faster or deeper than anything that a robot of this kind does on purpose. */
  static const brio_physics_bounds bounds = {MAX_SPEED, MAX_TURN, MAX_DEPTH};
  brio_text text = {0};
  brio_model_notes notes = {0};
  char why[SENTENCE];
  brio_model_options model = {
      .robot = options->robot, .massless = options->massless, .gravity = {0, 0, -BRIO_MODEL_GRAVITY}};
  brio_model_fixture *fixtures = fixtures_of(options->world, &model.nfixture);
  model.fixtures = fixtures;
  /* The text is needed only until the library has compiled it. */
  bool good = fixtures ? brio_model_write(&text, &model, &notes, err)
                       : brio_fail(err, BRIO_NO_MEMORY, "no memory for a model");
  if (good) {
    physics->simulation = options->simulator->open(text.bytes, text.length, &bounds, why, sizeof why);
    good = physics->simulation || brio_fail(err, BRIO_FORMAT, "robot '%s': physics refuses its model: %s",
                                            options->robot->name, why);
  }
  if (good) take_notes(physics, &notes, options->massless);
  free(fixtures);
  brio_text_end(&text);
  brio_text_end(&notes.shapes);
  brio_text_end(&notes.masses);
  brio_text_end(&notes.inertias);
  return good;
}

/* Look up the joints and servos of the robot's variables. */
static void find_joints(brio_physics *physics) {
  for (int i = 0; i < physics->robot->nvariable; i++) {
    /* A joint of one variable has the variable's name, and so has its servo. */
    const char *name = physics->robot->variables[i].name;
    physics->joints[i].joint = physics->library->joint(physics->simulation, name);
    physics->joints[i].servo = physics->library->servo(physics->simulation, name);
    /* Without a device no torque is known. */
    physics->joints[i].torque = INFINITY;
  }
}

/* What this robot and world need and the simulation has not. */
static bool check(const brio_physics_options *options, brio_error *err) {
  /* A base that moves with its poses has no forces that move it. */
  if (options->robot->base != BRIO_BASE_FIXED)
    return brio_fail(err, BRIO_MISUSE,
                     "physics needs a robot whose base is fixed, and the base of '%s' moves with its poses",
                     options->robot->name);
  return !options->world || brio_world_only_fixtures(options->world, err);
}

brio_physics *brio_physics_new(const brio_physics_options *options, brio_error *err) {
  /* Refuse first, so that nothing has to be undone. */
  if (!check(options, err)) return NULL;
  brio_physics *physics = calloc(1, sizeof *physics);
  if (physics) physics->joints = calloc((size_t)options->robot->nvariable + 1, sizeof *physics->joints);
  if (!physics || !physics->joints) {
    free(physics);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for physics");
    return NULL;
  }
  physics->library = options->simulator;
  physics->robot = options->robot;
  physics->world = options->world;
  /* The functions by which a device moves this robot. */
  physics->mover = (brio_world_mover){.context = physics,
                                      .take = take,
                                      .leave = leave,
                                      .joint = find_joint,
                                      .place = place,
                                      .ready = make_ready,
                                      .servo = set_servo,
                                      .aim = aim,
                                      .pass = pass,
                                      .read = read_joint,
                                      .fault = fault_of};
  if (!open_model(physics, options, err)) {
    brio_physics_free(physics);
    return NULL;
  }
  find_joints(physics);
  /* From here on devices of this world move their joints by the simulation. */
  if (physics->world) brio_world_set_mover(physics->world, &physics->mover);
  return physics;
}

void brio_physics_free(brio_physics *physics) {
  if (!physics) return;
  /* The world outlives the physics: it must not keep the record. */
  if (physics->world && brio_world_mover_of(physics->world) == &physics->mover)
    brio_world_set_mover(physics->world, NULL);
  /* Also called for one that is not complete. */
  if (physics->simulation) physics->library->close(physics->simulation);
  brio_text_end(&physics->notes);
  free(physics->joints);
  free(physics);
}

const brio_world_mover *brio_physics_mover(const brio_physics *physics) {
  return &physics->mover;
}

const char *brio_physics_notes(const brio_physics *physics) {
  return physics->notes.bytes ? physics->notes.bytes : "";
}

const brio_physics_library *brio_physics_library_of(const brio_physics *physics, void **simulation) {
  *simulation = physics->simulation;
  return physics->library;
}
