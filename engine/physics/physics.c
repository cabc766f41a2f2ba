/* The robot's joints in a simulation: models are written and opened here, servos get their gains, time passes
** in whole steps.  Nothing allocates after brio_physics_new. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads/lines.h"
#include "physics/physics_internal.h"
#include "world/fixture.h"

#define NO_LOAD 2.0    /* times the limit of speed: there a motor's torque has fallen to 0 */
#define STANDS 0.01    /* m: a foot that is not higher stands on the floor */
#define STANDING 0.25  /* of the natural frequency of servos that carry the robot */
#define MAX_OWED 1.0   /* s that a call makes up at most */

enum { ORDERS = 512, CHANGES = 512 /* one of each order at most */ };

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
  return variable >= 0 && physics->now->servos[variable] >= 0 ? variable : -1;
}

/* Put a joint where its device has it, before the run begins; afterwards the simulation alone moves it. */
static void place(void *context, int joint, double position) {
  brio_physics *physics = context;
  assert(joint >= 0 && joint < physics->robot->nvariable);
  if (physics->ready) return;
  physics->library->place(physics->now->simulation, physics->now->joints[joint], position);
  physics->library->place(physics->now->simulation, physics->now->rotors[joint], position);
  physics->motors[joint].placed = true;
}

/* Put the joints that copy others where those have them. */
static void place_mimics(brio_physics *physics) {
  const brio_robot *robot = physics->robot;
  for (int i = 0; i < robot->njoint; i++) {
    const brio_joint *joint = &robot->joints[i];
    if (joint->mimic < 0) continue;
    brio_physics_joint source;
    /* joint = multiplier source + offset, as the model's equality has it. */
    physics->library->read_joint(physics->now->simulation, physics->now->joints[joint->variable], &source);
    physics->library->place(physics->now->simulation,
                            physics->library->joint(physics->now->simulation, joint->name),
                            joint->multiplier * source.position + joint->offset);
  }
}

/* Put a free base where it begins: with the lowest point of the robot on the floor, or as it was said. */
static void place_base(brio_physics *physics) {
  brio_assembly *now = physics->now;
  brio_physics_body state = {.pose = physics->begins};
  physics->library->put(now->simulation, now->root, &state);
  physics->library->settle(now->simulation);
  double lowest = physics->library->lowest(now->simulation, -1, now->root);
  if (!physics->set_down || !isfinite(lowest)) return;
  state.pose.p.z -= lowest;
  physics->library->put(now->simulation, now->root, &state);
}

/* Complete the first configuration, once. Errors: misuse (a joint that no device moves). */
static bool make_ready(void *context, brio_error *err) {
  brio_physics *physics = context;
  for (int i = 0; i < physics->robot->nvariable; i++)
    if (!physics->motors[i].placed)
      return brio_fail(err, BRIO_MISUSE,
                       "with physics the simulator must move all joints, but '%s' is elsewhere",
                       physics->robot->variables[i].name);
  /* A device that comes back finds the joints where they are. */
  if (physics->ready) return true;
  /* Copies follow their sources, which have their places by now. */
  place_mimics(physics);
  if (physics->about.floats) place_base(physics);
  physics->library->settle(physics->now->simulation);
  brio_physics_show(physics);
  physics->ready = true;
  return true;
}

/* The inertia that a joint's servo moves.  Where what it carries stands on the floor, it moves all the rest,
** which is more than a foot can be pressed with: the frequency `w` is less. */
static double inertia_of(const brio_physics *physics, int number, double *w) {
  int joint = physics->now->joints[number];
  void *simulation = physics->now->simulation;
  bool stands = physics->about.floats && physics->library->lowest(simulation, joint, 0) < STANDS;
  if (stands) *w *= STANDING;
  double inertia = physics->library->inertia(simulation, joint, stands);
  /* A rotor of its own is no part of what its joint moves. */
  int rotor = physics->now->rotors[number];
  return rotor == joint ? inertia : inertia + physics->library->inertia(simulation, rotor, false);
}

/* Gains of a controller with that frequency for the inertia that the joint moves. */
static void set_servo(void *context, int number, const brio_world_servo *servo) {
  brio_physics *physics = context;
  brio_physics_motor *motor = &physics->motors[number];
  int servo_of = physics->now->servos[number];
  const brio_variable *variable = &physics->robot->variables[number];
  assert(number >= 0 && number < physics->robot->nvariable && servo_of >= 0);
  double w = 2 * BRIO_PI * servo->frequency, inertia = inertia_of(physics, number, &w);
  /* What the device states goes before what the robot's file has. */
  motor->torque = servo->torque > 0                                ? servo->torque
                  : brio_model_is_passive(physics->robot, number) ? 0
                                                                  : variable->effort;
  /* I x'' = k (target - x) - d x' with k = I w^2, d = 2 ratio I w: the second-order servo of frequency w
  ** and damping ratio. Source: Franklin, Powell, Emami-Naeini, "Feedback Control of Dynamic Systems". */
  brio_physics_servo settings = {
      .stiffness = isnan(servo->stiffness) ? inertia * w * w : servo->stiffness,
      .damping = isnan(servo->damping) ? 2 * servo->ratio * w * inertia : servo->damping,
      .torque = motor->torque,
      .speed = NO_LOAD * variable->velocity,
      .friction = servo->friction > 0 ? servo->friction : NAN,
      .viscous = servo->viscous > 0 ? servo->viscous : NAN,
  };
  physics->library->set_servo(physics->now->simulation, servo_of, &settings);
}

/* Set the target of a joint's servo; off: it has no torque. */
static void aim(void *context, int joint, double target, bool on) {
  brio_physics *physics = context;
  assert(joint >= 0 && joint < physics->robot->nvariable && physics->now->servos[joint] >= 0);
  physics->library->aim(physics->now->simulation, physics->now->servos[joint], target, on);
}

/* The same for a motor that controls its torque. */
static void drive(void *context, int joint, const brio_world_drive *command, bool on) {
  brio_physics *physics = context;
  assert(joint >= 0 && joint < physics->robot->nvariable && physics->now->servos[joint] >= 0);
  const brio_physics_drive made = {command->target,  command->speed,  command->stiffness,
                                   command->damping, command->torque, command->limit};
  physics->library->drive(physics->now->simulation, physics->now->servos[joint], &made, on);
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
  brio_physics_follow(physics);
  bool good = true;
  /* Latches are minded after each step, so that longer calls make no difference. */
  for (int i = 0; i < steps && good; i++) {
    brio_physics_shove_all(physics);
    good = physics->library->step(physics->now->simulation, 1, &fault);
    brio_assembly_mind_doors(physics->now);
  }
  if (steps > 0) brio_physics_show(physics);
  if (good) return;
  /* The sentence first: other threads read it when they see the flag. */
  brio_physics_tell(&fault, physics->why, sizeof physics->why);
  atomic_store_explicit(&physics->ended, true, memory_order_release);
}

/* Report position, velocity and the share of the greatest torque; NAN: the motor's torque is not known. */
static void read_joint(const void *context, int number, brio_world_joint *out) {
  const brio_physics *physics = context;
  double torque = physics->motors[number].torque;
  assert(number >= 0 && number < physics->robot->nvariable && physics->now->joints[number] >= 0);
  brio_physics_joint now, rotor;
  physics->library->read_joint(physics->now->simulation, physics->now->joints[number], &now);
  /* Behind a transmission the joint is what is measured, and the rotor what its motor turns. */
  physics->library->read_joint(physics->now->simulation, physics->now->rotors[number], &rotor);
  *out = (brio_world_joint){now.position, now.velocity,
                            isfinite(torque) && torque > 0 ? rotor.torque / torque : NAN, rotor.torque};
}

/* What this robot and world need and the simulation has not. */
static bool check(const brio_physics_options *options, brio_error *err) {
  /* Planners of joints must not move a base that forces move. */
  if (options->robot->base != BRIO_BASE_FIXED)
    return brio_fail(
        err, BRIO_MISUSE,
        "physics needs a robot whose base is fixed, or free by its option, and the base of '%s' moves "
        "with its poses",
        options->robot->name);
  if (options->ntouch > BRIO_ASSEMBLY_TOUCHES)
    return brio_fail(err, BRIO_MISUSE, "physics has at most %d sensors of touch, not %d",
                     BRIO_ASSEMBLY_TOUCHES, options->ntouch);
  return !options->world || brio_world_only_bodies(options->world, options->robot, err);
}

/* Take what the options say of the robot. */
static void take_robot(brio_physics *physics, const brio_physics_options *options) {
  brio_assembly_robot *about = &physics->about;
  *about = (brio_assembly_robot){.robot = options->robot,
                                 .massless = options->massless,
                                 .floats = options->floats,
                                 .bare = options->bare};
  if (options->imu) snprintf(about->imu, sizeof about->imu, "%s", options->imu);
  for (int i = 0; i < options->ntouch && i < BRIO_ASSEMBLY_TOUCHES; i++)
    snprintf(about->touches[about->ntouch++], sizeof *about->touches, "%s", options->touches[i]);
  physics->set_down = !options->base || options->down;
  physics->begins = options->base ? *options->base : options->robot->base_center;
}

/* Take a copy of the transmissions, if there are any. */
static bool take_transmissions(brio_physics *physics, const brio_model_transmission *list) {
  size_t size = (size_t)physics->robot->nvariable * sizeof *list;
  if (!list || !size) return true;
  physics->transmissions = malloc(size);
  if (physics->transmissions) memcpy(physics->transmissions, list, size);
  physics->about.transmissions = physics->transmissions;
  return physics->transmissions != NULL;
}

/* Take the memory, and make the first assembly. */
static bool set_up(brio_physics *physics, const brio_physics_options *options, brio_error *err) {
  physics->motors = calloc((size_t)physics->robot->nvariable + 1, sizeof *physics->motors);
  bool memory = physics->motors && take_transmissions(physics, options->transmissions) &&
                brio_triple_start(&physics->views, sizeof(brio_physics_view)) &&
                brio_triple_start(&physics->touching, sizeof(brio_physics_touching)) &&
                brio_ring_start(&physics->orders, sizeof(brio_physics_order), ORDERS) &&
                brio_ring_start(&physics->retired, sizeof(brio_assembly *), CHANGES);
  if (!memory) return brio_fail(err, BRIO_NO_MEMORY, "no memory for physics");
  /* Without a device no torque is known. */
  for (int i = 0; i < physics->robot->nvariable; i++) physics->motors[i].torque = INFINITY;
  physics->now =
      brio_assembly_new(physics->library, &physics->about, physics->world, err);
  if (!physics->now || !brio_assembly_compile(physics->now, err)) return false;
  physics->seen = physics->now;
  brio_physics_forget(physics);
  return true;
}

brio_physics *brio_physics_new(const brio_physics_options *options, brio_error *err) {
  /* Refuse first, so that nothing has to be undone. */
  if (!check(options, err)) return NULL;
  brio_physics *physics = brio_lines_new(sizeof *physics);
  if (!physics) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for physics");
    return NULL;
  }
  physics->library = options->simulator;
  physics->robot = options->robot;
  physics->world = options->world;
  take_robot(physics, options);
  /* The functions by which a device moves this robot. */
  physics->mover = (brio_world_mover){.context = physics,
                                      .take = take,
                                      .leave = leave,
                                      .joint = find_joint,
                                      .place = place,
                                      .ready = make_ready,
                                      .servo = set_servo,
                                      .aim = aim,
                                      .drive = drive,
                                      .pass = pass,
                                      .read = read_joint,
                                      .fault = fault_of};
  brio_physics_fill(&physics->mover);
  if (!set_up(physics, options, err)) {
    brio_physics_free(physics);
    return NULL;
  }
  /* From here on devices of this world move their joints by the simulation. */
  if (physics->world) brio_world_set_mover(physics->world, &physics->mover);
  return physics;
}

/* Free the assemblies: those in orders that nobody followed, those that were left, and the present one. */
static void free_assemblies(brio_physics *physics) {
  brio_physics_order order;
  brio_assembly *old;
  bool ordered = false;
  while (physics->orders.records && brio_ring_get(&physics->orders, &order)) {
    if (order.what != BRIO_ORDER_CHANGE) continue;
    ordered = ordered || order.assembly == physics->seen;
    brio_assembly_free(order.assembly);
  }
  while (physics->retired.records && brio_ring_get(&physics->retired, &old)) brio_assembly_free(old);
  /* One that was never compiled belongs to the world's side alone. */
  if (physics->seen && physics->seen != physics->now && !ordered) brio_assembly_free(physics->seen);
  brio_assembly_free(physics->now);
}

void brio_physics_free(brio_physics *physics) {
  if (!physics) return;
  /* The world outlives the physics: it must not keep the record. */
  if (physics->world && brio_world_mover_of(physics->world) == &physics->mover)
    brio_world_set_mover(physics->world, NULL);
  /* Also called for one that is not complete. */
  free_assemblies(physics);
  brio_triple_end(&physics->views);
  brio_triple_end(&physics->touching);
  brio_ring_end(&physics->orders);
  brio_ring_end(&physics->retired);
  free(physics->motors);
  free(physics->transmissions);
  free(physics);
}

brio_assembly *brio_physics_prepare(const brio_physics *physics, brio_world *contents, brio_error *err) {
  if (!brio_world_only_bodies(contents, physics->robot, err)) return NULL;
  brio_assembly *made =
      brio_assembly_new(physics->library, &physics->about, contents, err);
  if (made) made->number = physics->seen->number + 1;
  return made;
}

bool brio_physics_compile(const brio_physics *physics, brio_assembly *assembly, brio_error *err) {
  /* The models are read: both threads' present one, whose model nobody changes but for gains and ranges. */
  return brio_assembly_compile(assembly, err) && brio_assembly_match(assembly, physics->seen, err);
}

bool brio_physics_change(brio_physics *physics, brio_assembly *assembly, brio_error *err) {
  brio_physics_order order = {.what = BRIO_ORDER_CHANGE, .assembly = assembly};
  assert(assembly->number == physics->seen->number + 1);
  /* One that was not compiled is a replay's: bodies come from its tape. */
  if (assembly->simulation && !brio_ring_put(&physics->orders, &order))
    return brio_fail(err, BRIO_LIMIT, "physics has %d orders that it has not followed", ORDERS);
  if (!physics->seen->simulation) brio_assembly_free(physics->seen);
  physics->seen = assembly;
  brio_physics_forget(physics);
  return true;
}

bool brio_physics_write(const brio_physics *physics, brio_text *out, brio_error *err) {
  brio_model_notes notes = {0};
  brio_assembly *made = brio_assembly_new(physics->library, &physics->about, physics->world, err);
  bool good = made && brio_assembly_write(made, out, &notes, err);
  brio_text_end(&notes.shapes);
  brio_text_end(&notes.masses);
  brio_text_end(&notes.inertias);
  brio_assembly_free(made);
  return good;
}

const brio_world_mover *brio_physics_mover(const brio_physics *physics) {
  return &physics->mover;
}

const char *brio_physics_notes(const brio_physics *physics) {
  return physics->seen->notes.bytes ? physics->seen->notes.bytes : "";
}

const brio_physics_library *brio_physics_library_of(const brio_physics *physics, void **simulation) {
  *simulation = physics->now->simulation;
  return physics->library;
}
