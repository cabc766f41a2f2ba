/* A robot with a free base that nobody has tuned, simulated by brio's physics and, from the model that brio
** writes, by MuJoCo alone: it falls without power, and its servos hold or lose it, to the same bits.  The
** file of the robot is in the environment, as ROBOT. */
#include <math.h>
#include <mujoco/mujoco.h>

#include "drivers/driver.h"
#include "physics/mujoco/simulation.h"
#include "physics/physics.h"
#include "tests/check.h"
#include "world/world.h"

enum { MOST = 128 };

/* A robot in a world with physics on a simulated device, and the model of it in MuJoCo's hands. */
typedef struct twin {
  brio_robot *robot;
  brio_world *world;
  brio_physics *physics;
  void *device;
  mjModel *model;
  mjData *data;
} twin;

static const brio_driver_kind *sim(void) {
  brio_error err;
  return brio_driver_find("sim", &err);
}

/* MuJoCo opens the text that brio writes. */
static bool open_model(twin *t) {
  brio_text text = {0};
  brio_error err = {0};
  char why[500] = "", path[] = "/tmp/brio_twin_XXXXXX";
  int fd = mkstemp(path);
  bool good = brio_physics_write(t->physics, &text, &err) && write(fd, text.bytes, text.length) > 0;
  close(fd);
  if (good) t->model = mj_loadXML(path, NULL, why, sizeof why);
  unlink(path);
  brio_text_end(&text);
  if (t->model) t->data = mj_makeData(t->model);
  CHECK(t->model, "%s%s", err.message, why);
  return t->model != NULL;
}

static void end(twin *t) {
  if (t->device) sim()->close(t->device);
  brio_physics_free(t->physics);
  brio_world_free(t->world);
  brio_robot_free(t->robot);
  if (t->data) mj_deleteData(t->data);
  if (t->model) mj_deleteModel(t->model);
}

/* Open the device on all joints, at 0 or the end of their range that is nearest. */
static bool plug(twin *t, brio_error *err) {
  brio_axis axes[MOST];
  double settings[16];
  for (int i = 0; sim()->settings[i].name; i++) settings[i] = sim()->settings[i].fallback;
  for (int i = 0; i < t->robot->nvariable; i++) {
    const brio_variable *v = &t->robot->variables[i];
    double lower = v->lower <= v->upper ? fmax(v->lower, -10) : -10,
           upper = v->lower <= v->upper ? fmin(v->upper, 10) : 10;
    axes[i] = (brio_axis){v->name, lower, upper, fmin(v->velocity, 100), 100, fmin(upper, fmax(lower, 0))};
  }
  t->device = sim()->open(axes, t->robot->nvariable, settings, 1, t->world, err);
  return t->device != NULL;
}

static bool begin(twin *t, const char *file) {
  brio_error err = {0};
  *t = (twin){0};
  const brio_physics_library *library = brio_physics_find("mujoco", &err);
  t->robot = library ? brio_robot_load(file, NULL, &err) : NULL;
  t->world = brio_world_new(1, &err);
  const brio_physics_options options = {
      .simulator = library, .robot = t->robot, .world = t->world, .massless = 0.05, .floats = true};
  if (t->robot && t->robot->nvariable <= MOST) t->physics = brio_physics_new(&options, &err);
  bool good = t->physics && plug(t, &err) && open_model(t);
  CHECK(good, "%s: %s", file, err.message);
  if (!good) end(t);
  return good;
}

/* Brio's own model and state. */
static const brio_mujoco *of_brio(const twin *t) {
  void *simulation;
  brio_physics_library_of(t->physics, &simulation);
  return simulation;
}

/* Begin with brio's state, and the gains of its servos; the solver's warm start is a part of the state. */
static void copy_state(twin *t) {
  const brio_mujoco *brio = of_brio(t);
  const mjModel *m = t->model;
  CHECK(m->nq == brio->model->nq && m->nu == brio->model->nu && m->ngeom == brio->model->ngeom,
        "another model");
  memcpy(t->data->qpos, brio->data->qpos, (size_t)m->nq * sizeof(mjtNum));
  memcpy(t->data->qacc_warmstart, brio->data->qacc_warmstart, (size_t)m->nv * sizeof(mjtNum));
  memcpy(t->data->ctrl, brio->data->ctrl, (size_t)m->nu * sizeof(mjtNum));
  memcpy(m->actuator_gainprm, brio->model->actuator_gainprm, (size_t)(m->nu * mjNGAIN) * sizeof(mjtNum));
  memcpy(m->actuator_biasprm, brio->model->actuator_biasprm, (size_t)(m->nu * mjNBIAS) * sizeof(mjtNum));
}

/* The greatest difference of a number of qpos now. */
static double difference(const twin *t) {
  double worst = 0;
  for (int i = 0; i < t->model->nq; i++)
    worst = fmax(worst, fabs(t->data->qpos[i] - of_brio(t)->data->qpos[i]));
  return worst;
}

/* Torque (1 - |v| / speed) of a motor that drives, where speed is twice the limit; all of it against
** motion. */
static void limit_torques(twin *t) {
  mjModel *m = t->model;
  for (int k = 0; k < m->nu; k++) {
    brio_error err;
    int number = brio_robot_variable(t->robot, mj_id2name(m, mjOBJ_ACTUATOR, k), &err);
    const brio_variable *v = &t->robot->variables[number];
    double torque = isfinite(v->effort) ? v->effort : 1e9,
           speed = t->data->qvel[m->jnt_dofadr[m->actuator_trnid[2 * k]]],
           drives = isfinite(v->velocity) ? torque * fmax(0, 1 - fabs(speed) / (2 * v->velocity)) : torque;
    m->actuator_forcerange[2 * k] = speed < 0 ? -drives : -torque;
    m->actuator_forcerange[2 * k + 1] = speed > 0 ? drives : torque;
  }
}

/* Step both simulations for `seconds`, and compare their states. */
static void compare(bool power, double seconds) {
  twin t;
  bool on[MOST];
  brio_error err;
  if (!begin(&t, getenv("ROBOT"))) return;
  for (int i = 0; i < MOST; i++) on[i] = power;
  sim()->power(t.device, on, &err);
  sim()->step(t.device, 1e-9); /* the servos get their targets, and no step is made */
  copy_state(&t);
  double first = t.data->qpos[2], worst = 0;
  for (int i = 0; i < (int)lround(2000 * seconds); i++) {
    limit_torques(&t);
    mj_step(t.model, t.data);
    sim()->step(t.device, 5e-4);
    worst = fmax(worst, difference(&t));
  }
  printf("# %s: %s power its base goes from %.3f to %.3f m in %.1f s, off by %g at most\n", t.robot->name,
         power ? "with" : "without", first, t.data->qpos[2], seconds, worst);
  CHECK(!brio_physics_fault_of(t.physics), "%s", brio_physics_fault_of(t.physics));
  CHECK(worst == 0, "off by %g", worst);
  CHECK(power || fabs(t.data->qpos[2] - first) > 1e-3, "it stays without power");
  end(&t);
}

static void a_robot_without_power_falls_as_in_mujoco_alone(void) {
  compare(false, check_scale() > 1 ? 5 : 1);
}

static void its_servos_hold_it_as_in_mujoco_alone(void) {
  compare(true, check_scale() > 1 ? 5 : 0.5);
}

CHECK_SUITE(CHECK_TEST(a_robot_without_power_falls_as_in_mujoco_alone),
            CHECK_TEST(its_servos_hold_it_as_in_mujoco_alone))
