/* MuJoCo (https://mujoco.org, Apache-2.0, 2.2.2 in Debian 12) as a physics library.  This folder is a shared
** object of its own, the only one that is linked to libmujoco.  Here is how a model is opened and stepped;
** bodies.c has the rest.
**
** Traps of the library: its default handler of errors ends the process, that of warnings writes a file, and a
** number that is none resets the state without a word.  So errors come back here by a jump, warnings are
** counted, and the state before each step is kept. */
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physics/mujoco/simulation.h"

#define DEPTH_SHARE 0.4   /* of half a body's thickness, that others may be in it */
#define MIN_DEPTH 15e-3   /* m: what a fall from 2 m takes is less */
#define NO_MEMORY "no memory for a simulation"
#define USUAL_TIME 4e-3   /* s: of contacts (model.c) */
#define FAST 10.0         /* m/s: of a fall from 5 m */
#define ENDLESS 1e9       /* N m or N: of a motor without a limit */

/* Where an error of the library goes on: of the thread that is in one of its functions. */
static _Thread_local jmp_buf back;
static _Thread_local bool inside;
static _Thread_local char error_words[160];

/* The library's handlers; it must not return from an error. */
static void take_error(const char *message) {
  /* Its own words for that are many: "Could not allocate memory", "could not allocate mjModel". */
  bool memory = strstr(message, "llocat") != NULL;
  assert(inside);
  snprintf(error_words, sizeof error_words, "%s", memory ? NO_MEMORY : message);
  longjmp(back, 1);
}

static void take_warning(const char *message) {
  (void)message;
}

/* The library's C++ would end the process when memory is refused: an exception cannot pass through C.  This
** is what `operator new` calls before it throws.  In a function of the library it goes on as an error does;
** elsewhere it takes itself out, and `new` throws.  What the library held is lost then, its lock among it
** (`spoiled`). */
typedef void new_handler(void);
extern new_handler *std_set_new_handler(new_handler *handler) __asm__("_ZSt15set_new_handlerPFvvE")
    __attribute__((weak));

static void refuse_memory(void) {
  if (inside) take_error(NO_MEMORY);
  std_set_new_handler(NULL);
}

/* Between setjmp and longjmp `work` alone runs, and changes only what `context` points to: no local that a
** jump could spoil. */
bool brio_mujoco_guarded(void (*work)(void *context), void *context) {
  if (setjmp(back) != 0) return inside = false;
  if (std_set_new_handler) std_set_new_handler(refuse_memory);
  inside = true;
  work(context);
  inside = false;
  return true;
}

const char *brio_mujoco_words(void) {
  return error_words;
}

/* Free a simulation, complete or not. */
static void close_simulation(void *simulation_) {
  brio_mujoco *sim = simulation_;
  if (!sim) return;
  /* calloc has set to NULL what was not reached. */
  if (sim->data) mj_deleteData(sim->data);
  if (sim->model) mj_deleteModel(sim->model);
  free(sim->servos);
  free(sim->limits);
  free(sim->dampings);
  free(sim->names);
  free(sim->depths);
  free(sim->away);
  free(sim->touch);
  free(sim->joints);
  free(sim->servos_of);
  free(sim->qpos);
  free(sim);
}

/* A model that is to be compiled. */
typedef struct compilation {
  mjVFS *files;
  const char *text;
  size_t length;
  mjModel *model;
  bool compiles; /* the compiler has begun */
  char *why;
  size_t room;
} compilation;

/* The library reads from files: this one is in memory. */
static void compile(void *context) {
  const char *name = "model.xml";
  compilation *c = context;
  if (mj_makeEmptyFileVFS(c->files, name, (int)c->length) != 0) {
    snprintf(c->why, c->room, "the model is too large");
    return;
  }
  memcpy(c->files->filedata[mj_findFileVFS(c->files, name)], c->text, c->length);
  c->compiles = true;
  c->model = mj_loadXML(name, c->files, c->why, (int)c->room);
}

/* A jump out of the library's compiler leaves its lock taken: the next one would wait for ever. */
static _Atomic bool spoiled;

/* Compile a model's text.  NULL: the reason is in `why`. */
static mjModel *load(const char *text, size_t length, char *why, size_t room) {
  compilation c = {malloc(sizeof *c.files), text, length, NULL, false, why, room};
  if (!c.files || spoiled) {
    snprintf(why, room,
             spoiled ? NO_MEMORY ": the library has run out of it before" : "no memory for a model");
    free(c.files);
    return NULL;
  }
  mj_defaultVFS(c.files);
  if (!brio_mujoco_guarded(compile, &c)) {
    spoiled = spoiled || c.compiles;
    snprintf(why, room, "%s", error_words);
  }
  mj_deleteVFS(c.files);
  free(c.files);
  /* A sentence has one line. */
  for (char *at = why; *at; at++)
    if (*at == '\n') *at = ' ';
  return c.model;
}

/* Name each geom by its body; a geom of the world by its own name; both without what follows a '#'. */
static void name_geoms(brio_mujoco *sim) {
  /* A body's geoms share its name: reports are of bodies. The world's own body has fixtures for geoms. */
  const mjModel *m = sim->model;
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    const char *name = mj_id2name(m, body > 0 ? mjOBJ_BODY : mjOBJ_GEOM, body > 0 ? body : i);
    if (!name) name = "world";
    snprintf(sim->names[i], sizeof sim->names[i], "%.*s", (int)strcspn(name, "#"), name);
  }
}

/* How deep others may be in each geom.  The library's depths end at about half its thickness, where the
** nearest way out is through the other side. */
static void bound_depths(brio_mujoco *sim) {
  const mjModel *m = sim->model;
  for (int i = 0; i < m->ngeom; i++) {
    const mjtNum *size = m->geom_size + 3 * (size_t)i;
    int type = m->geom_type[i];
    /* A ball and a capsule have their radius, others the least of their sizes; a plane has no end. */
    double thick = size[0];
    if (type != mjGEOM_SPHERE && type != mjGEOM_CAPSULE) thick = fmin(thick, size[1]);
    if (type == mjGEOM_BOX || type == mjGEOM_MESH) thick = fmin(thick, size[2]);
    if (type == mjGEOM_PLANE) thick = INFINITY;
    sim->depths[i] = fmin(sim->bounds.depth, fmax(MIN_DEPTH, DEPTH_SHARE * thick));
  }
}

/* Make the state, and compute what follows from it, so that queries before the first step have answers. */
static void make_data(void *context) {
  brio_mujoco *sim = context;
  sim->data = mj_makeData(sim->model);
  mj_forward(sim->model, sim->data);
}

/* Take all memory: data, servos, names, and the state before a step in one block.  False: the reason is in
** `why`, if the library gave one. */
static bool take_memory(brio_mujoco *sim, char *why, size_t room) {
  const mjModel *m = sim->model;
  sim->servos = calloc((size_t)m->nu + 1, sizeof *sim->servos);
  sim->limits = calloc((size_t)m->nu + 1, sizeof *sim->limits);
  sim->dampings = calloc((size_t)m->ntendon + 1, sizeof *sim->dampings);
  sim->names = calloc((size_t)m->ngeom + 1, sizeof *sim->names);
  sim->depths = calloc((size_t)m->ngeom + 1, sizeof *sim->depths);
  sim->away = calloc((size_t)m->nbody, sizeof *sim->away);
  sim->touch = calloc(2 * (size_t)m->ngeom + 1, sizeof *sim->touch);
  sim->qpos = calloc((size_t)(m->nq + 5 * m->nv + m->nu) + 1, sizeof *sim->qpos);
  bool some = sim->servos && sim->limits && sim->names && sim->depths && sim->away;
  if (!some || !sim->dampings || !sim->touch || !sim->qpos) return false;
  for (int i = 0; i < m->ntendon; i++) sim->dampings[i] = m->tendon_damping[i];
  for (int i = 0; i < m->nu; i++) sim->limits[i] = INFINITY;
  for (int i = 0; i < m->ngeom; i++) {
    sim->touch[2 * i] = m->geom_contype[i];
    sim->touch[2 * i + 1] = m->geom_conaffinity[i];
  }
  if (!brio_mujoco_guarded(make_data, sim)) return snprintf(why, room, "%s", error_words), false;
  /* Five parts of one block: qpos (nq), qvel (nv), warm start (nv), controls (nu), slopes (3 nv). */
  sim->qvel = sim->qpos + m->nq;
  sim->warm = sim->qvel + m->nv;
  sim->ctrl = sim->warm + m->nv;
  sim->slopes = sim->ctrl + m->nu;
  return true;
}

static void *open_simulation(const char *text, size_t length, const brio_physics_bounds *bounds, char *why,
                             size_t room) {
  /* The handlers are the library's, for all simulations; they are the same each time. */
  mju_user_error = take_error;
  mju_user_warning = take_warning;
  why[0] = 0;
  brio_mujoco *sim = calloc(1, sizeof *sim);
  if (sim) sim->model = load(text, length, why, room);
  if (sim && sim->model && take_memory(sim, why, room)) {
    sim->bounds = *bounds;
    name_geoms(sim);
    bound_depths(sim);
    return sim;
  }
  /* The library's own reason is there already if it refused the model. */
  if (!why[0]) snprintf(why, room, NO_MEMORY);
  close_simulation(sim);
  return NULL;
}

/* Numbers by name; -1: there is none. */
static int body_of(const void *sim, const char *name) {
  return mj_name2id(((const brio_mujoco *)sim)->model, mjOBJ_BODY, name);
}

static int joint_of(const void *sim, const char *name) {
  return mj_name2id(((const brio_mujoco *)sim)->model, mjOBJ_JOINT, name);
}

static int servo_of(const void *sim, const char *name) {
  return mj_name2id(((const brio_mujoco *)sim)->model, mjOBJ_ACTUATOR, name);
}

static int sensor_of(const void *sim, const char *name) {
  return mj_name2id(((const brio_mujoco *)sim)->model, mjOBJ_SENSOR, name);
}

/* Put a joint of one number, at rest. */
static void place(void *simulation_, int joint, double position) {
  brio_mujoco *sim = simulation_;
  assert(joint >= 0 && joint < sim->model->njnt && sim->model->jnt_type[joint] >= mjJNT_SLIDE);
  sim->data->qpos[sim->model->jnt_qposadr[joint]] = position;
  sim->data->qvel[sim->model->jnt_dofadr[joint]] = 0;
}

static void spin(void *simulation_, int joint, double velocity) {
  brio_mujoco *sim = simulation_;
  sim->data->qvel[sim->model->jnt_dofadr[joint]] = velocity;
}

/* Put a body that has a free joint; one without stays. */
static void put(void *simulation_, int body, const brio_physics_body *state) {
  brio_mujoco *sim = simulation_;
  const mjModel *m = sim->model;
  int joint = brio_mujoco_free_joint(m, body);
  if (joint < 0) return;
  /* The format has w first, and angular velocities in the body's axes. */
  mjtNum *q = sim->data->qpos + m->jnt_qposadr[joint], *v = sim->data->qvel + m->jnt_dofadr[joint];
  brio_pose at = state->pose;
  brio_vec3 turn = brio_quat_rotate(brio_quat_conj(at.q), state->angular);
  const mjtNum numbers[] = {at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z};
  const mjtNum rates[] = {state->linear.x, state->linear.y, state->linear.z, turn.x, turn.y, turn.z};
  memcpy(q, numbers, sizeof numbers);
  memcpy(v, rates, sizeof rates);
}

static void forward(void *context) {
  brio_mujoco *sim = context;
  mj_forward(sim->model, sim->data);
}

/* Compute all that follows from positions and speeds. */
static void settle(void *simulation_) {
  brio_mujoco_guarded(forward, simulation_);
}

/* Put a servo's gains into force, or none: force = gain ctrl + bias0 + bias1 x + bias2 v = k (target - x)
** - d v. */
static void set_gains(brio_mujoco *sim, int servo, bool on) {
  mjtNum *gain = sim->model->actuator_gainprm + (size_t)servo * mjNGAIN,
         *bias = sim->model->actuator_biasprm + (size_t)servo * mjNBIAS;
  /* Off: no gain, no bias, so no force, whatever the target is. */
  gain[0] = on ? sim->servos[servo].stiffness : 0;
  bias[1] = -gain[0];
  bias[2] = on ? -sim->servos[servo].damping : 0;
}

static void set_servo(void *simulation_, int servo, const brio_physics_servo *settings) {
  brio_mujoco *sim = simulation_;
  assert(servo >= 0 && servo < sim->model->nu);
  int dof = sim->model->jnt_dofadr[sim->model->actuator_trnid[2 * servo]];
  /* Torque and speed are used before each step, as the limit depends on the velocity. */
  sim->servos[servo] = *settings;
  set_gains(sim, servo, true);
  /* Friction of the gear is the joint's. */
  if (!isnan(settings->friction)) sim->model->dof_frictionloss[dof] = settings->friction;
  if (!isnan(settings->viscous)) sim->model->dof_damping[dof] = settings->viscous;
}

static void aim(void *simulation_, int servo, double target, bool on) {
  brio_mujoco *sim = simulation_;
  set_gains(sim, servo, on);
  sim->data->ctrl[servo] = target;
}

/* force = gain ctrl + bias0 + bias1 x + bias2 v = k (target - x) + d (speed - v) + torque. */
static void drive(void *simulation_, int servo, const brio_physics_drive *command, bool on) {
  brio_mujoco *sim = simulation_;
  mjtNum *gain = sim->model->actuator_gainprm + (size_t)servo * mjNGAIN,
         *bias = sim->model->actuator_biasprm + (size_t)servo * mjNBIAS;
  gain[0] = on ? command->stiffness : 0;
  bias[0] = on ? command->torque + command->damping * command->speed : 0;
  bias[1] = -gain[0];
  bias[2] = on ? -command->damping : 0;
  sim->data->ctrl[servo] = command->target;
  sim->limits[servo] = command->limit;
}

/* Limit each servo to the torque that its motor has at its present speed: driving, it falls to 0. */
static void limit_torques(brio_mujoco *sim) {
  const mjModel *m = sim->model;
  for (int i = 0; i < m->nu; i++) {
    const brio_physics_servo *servo = &sim->servos[i];
    /* torque (1 - |v| / speed) in the direction of motion, all of it against: the straight line of a DC
    ** motor. */
    double torque = fmin(isfinite(servo->torque) ? servo->torque : ENDLESS, sim->limits[i]);
    double v = sim->data->qvel[m->jnt_dofadr[m->actuator_trnid[2 * i]]], share = fabs(v) / servo->speed;
    double drives = isfinite(servo->speed) ? torque * fmax(0, 1 - share) : torque;
    /* The range is not symmetric: what drives has less than what brakes. */
    m->actuator_forcerange[2 * i] = v < 0 ? -drives : -torque;
    m->actuator_forcerange[2 * i + 1] = v > 0 ? drives : torque;
  }
}

/* Copy the state before a step, and back. */
static void keep(brio_mujoco *sim) {
  const mjModel *m = sim->model;
  const mjData *d = sim->data;
  memcpy(sim->qpos, d->qpos, (size_t)m->nq * sizeof *sim->qpos);
  memcpy(sim->qvel, d->qvel, (size_t)m->nv * sizeof *sim->qvel);
  memcpy(sim->warm, d->qacc_warmstart, (size_t)m->nv * sizeof *sim->warm);
  memcpy(sim->ctrl, d->ctrl, (size_t)m->nu * sizeof *sim->ctrl);
  sim->before = d->time;
}

/* Warm start and time belong to the state: the solver's result depends on both. */
static void restore(brio_mujoco *sim) {
  const mjModel *m = sim->model;
  mjData *d = sim->data;
  memcpy(d->qpos, sim->qpos, (size_t)m->nq * sizeof *sim->qpos);
  memcpy(d->qvel, sim->qvel, (size_t)m->nv * sizeof *sim->qvel);
  memcpy(d->qacc_warmstart, sim->warm, (size_t)m->nv * sizeof *sim->warm);
  memcpy(d->ctrl, sim->ctrl, (size_t)m->nu * sizeof *sim->ctrl);
  d->time = sim->before;
}

/* Name a body in the fault. */
static void blame(brio_mujoco *sim, brio_physics_end end, int body, double value, double limit) {
  const char *name = body > 0 ? mj_id2name(sim->model, mjOBJ_BODY, body) : NULL;
  /* The time is that of the state which stays: before the step. */
  sim->fault = (brio_physics_fault){.end = end, .time = sim->before, .value = value, .limit = limit};
  if (!name) name = "world";
  snprintf(sim->fault.body, sizeof sim->fault.body, "%.*s", (int)strcspn(name, "#"), name);
}

/* The body of a number of qpos. */
static int body_of_position(const mjModel *m, int index) {
  /* Joints have their numbers in qpos in order: the last one that begins at or before the index. O(joints) */
  int joint = m->njnt - 1;
  while (joint > 0 && m->jnt_qposadr[joint] > index) joint--;
  return m->jnt_bodyid[joint];
}

/* Whether the library warned of a number that is none, or of full memory. */
static bool has_warned(brio_mujoco *sim) {
  /* Positions first: their index is one of qpos, not of a dof. */
  static const int bad[] = {mjWARN_BADQVEL, mjWARN_BADQACC}, full[] = {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL};
  const mjWarningStat *warnings = sim->data->warning, *place = &warnings[mjWARN_BADQPOS];
  if (place->number)
    return blame(sim, BRIO_PHYSICS_NO_NUMBER, body_of_position(sim->model, place->lastinfo), 0, 0), true;
  /* The index of a velocity or an acceleration is that of its dof. */
  for (int i = 0; i < 2; i++)
    if (warnings[bad[i]].number)
      return blame(sim, BRIO_PHYSICS_NO_NUMBER, sim->model->dof_bodyid[warnings[bad[i]].lastinfo], 0, 0),
             true;
  for (int i = 0; i < 2; i++)
    if (warnings[full[i]].number) {
      /* The newest contact stands for the others. */
      int geom = sim->data->ncon ? sim->data->contact[sim->data->ncon - 1].geom2 : -1;
      return blame(sim, BRIO_PHYSICS_TOO_MANY, geom >= 0 ? sim->model->geom_bodyid[geom] : 0, 0, 0), true;
    }
  return false;
}

/* Whether a dof counts m/s, as the first three of a free joint do. */
static bool is_linear(const mjModel *m, int dof) {
  /* A free joint's first three dofs are its translation. */
  int joint = m->dof_jntid[dof], type = m->jnt_type[joint];
  return type == mjJNT_SLIDE || (type == mjJNT_FREE && dof - m->jnt_dofadr[joint] < 3);
}

/* Whether something is too fast.  O(dofs). */
static bool is_too_fast(brio_mujoco *sim) {
  const mjModel *m = sim->model;
  for (int i = 0; i < m->nv; i++) {
    double most = is_linear(m, i) ? sim->bounds.speed : sim->bounds.turn, v = fabs(sim->data->qvel[i]);
    if (v <= most) continue;
    blame(sim, BRIO_PHYSICS_TOO_FAST, m->dof_bodyid[i], v, most);
    return true;
  }
  return false;
}

/* How much deeper a contact may be that is softer than usual, m: what falls into it with FAST m/s, and is
** slowed by 2 / (d t) of its speed (model.c). */
static double give(const mjContact *contact) {
  double t = contact->solref[0] - USUAL_TIME;
  return t > 0 ? FAST * contact->solimp[1] * t / 2 : 0;
}

/* Whether two bodies are too deep in each other.  O(contacts). */
static bool is_too_deep(brio_mujoco *sim) {
  for (int i = 0; i < sim->data->ncon; i++) {
    const mjContact *contact = &sim->data->contact[i];
    int first = contact->geom2, second = contact->geom1;
    double most = fmin(sim->depths[first], sim->depths[second]) + give(contact);
    /* The thinner of both decides. */
    if (-contact->dist <= most) continue;
    /* The body that moves is named first. */
    if (sim->model->geom_bodyid[first] == 0) first = contact->geom1, second = contact->geom2;
    blame(sim, BRIO_PHYSICS_TOO_DEEP, sim->model->geom_bodyid[first], -contact->dist, most);
    snprintf(sim->fault.other, sizeof sim->fault.other, "%s", sim->names[second]);
    return true;
  }
  return false;
}

/* One step, for `guarded`. */
static void make_step(void *context) {
  brio_mujoco *sim = context;
  if (sim->model->opt.integrator == mjINT_RK4)
    brio_mujoco_exact_step(sim);
  else
    mj_step(sim->model, sim->data);
}

/* One step under watch.  False: it failed, and sim->fault says why. */
static bool step_once(brio_mujoco *sim) {
  brio_mujoco_keep_away(sim);
  keep(sim);
  /* Everything that a step changes is kept first. */
  limit_torques(sim);
  brio_mujoco_transmit(sim);
  if (!brio_mujoco_guarded(make_step, sim)) {
    blame(sim, BRIO_PHYSICS_BROKEN, 0, 0, 0);
    snprintf(sim->fault.words, sizeof sim->fault.words, "%s", error_words);
    return false;
  }
  return !has_warned(sim) && !is_too_fast(sim) && !is_too_deep(sim);
}

static bool step(void *simulation_, int steps, brio_physics_fault *fault) {
  brio_mujoco *sim = simulation_;
  assert(steps >= 0);
  /* A fault is for good: later calls make no step. */
  for (int i = 0; i < steps && !sim->fault.end; i++)
    if (!step_once(sim)) restore(sim);
  if (!sim->fault.end) return true;
  if (fault) *fault = sim->fault;
  return false;
}

static double time_of(const void *sim) {
  return ((const brio_mujoco *)sim)->data->time;
}

extern const brio_physics_library brio_physics;

const brio_physics_library brio_physics = {
    .version = BRIO_PHYSICS_LIBRARY_VERSION,
    .size = sizeof(brio_physics_library),
    .name = "mujoco",
    .release = mj_version,
    .open = open_simulation,
    .close = close_simulation,
    .body = body_of,
    .joint = joint_of,
    .servo = servo_of,
    .sensor = sensor_of,
    .place = place,
    .put = put,
    .spin = spin,
    .settle = settle,
    .inertia = brio_mujoco_inertia,
    .lowest = brio_mujoco_lowest,
    .set_servo = set_servo,
    .aim = aim,
    .drive = drive,
    .step = step,
    .time = time_of,
    .read_joint = brio_mujoco_read_joint,
    .read_body = brio_mujoco_read_body,
    .sense = brio_mujoco_sense,
    .contacts = brio_mujoco_contacts,
    .pairs = brio_mujoco_pairs,
    .lay_off = brio_mujoco_lay_off,
    .limit = brio_mujoco_limit,
    .push = brio_mujoco_push,
    .match = brio_mujoco_match,
    .take_over = brio_mujoco_take_over,
    .totals = brio_mujoco_totals,
};
