/* brio's side: the model that brio writes, simulated by the library that brio loads. */
#include "tests/engine/physics/judge/judge.h"
#include "tests/engine/physics/rig.h"

enum { MOST = 32 };

typedef struct world {
  const brio_physics_library *library;
  void *simulation;
  int joints[MOST], servos[MOST], door;
} world;

static void close_world(void *context) {
  world *w = context;
  w->library->close(w->simulation);
  free(w);
}

/* Joints begin where the scene says, and get their servos. */
static void set_joints(world *w, const judge_scene *scene) {
  const brio_robot *robot = scene->options.robot;
  for (int i = 0; robot && i < robot->nvariable; i++) {
    const char *name = robot->variables[i].name;
    w->joints[i] = w->library->joint(w->simulation, name);
    w->servos[i] = w->library->servo(w->simulation, name);
    double at = scene->start ? scene->start[i] : 0;
    w->library->place(w->simulation, w->joints[i], at);
    const judge_servo *s = scene->servos ? &scene->servos[i] : &(judge_servo){0, 0, 0};
    const brio_physics_servo settings = {s->stiffness, s->damping, s->torque, INFINITY, NAN, NAN};
    w->library->set_servo(w->simulation, w->servos[i], &settings);
    w->library->aim(w->simulation, w->servos[i], at, scene->servos != NULL);
  }
  w->library->settle(w->simulation);
}

static void *open_world(const judge_scene *scene) {
  const brio_physics_library *library = the_library();
  void *simulation = library ? simulate(library, &scene->options, &wide) : NULL;
  world *w = simulation ? calloc(1, sizeof *w) : NULL;
  if (!w) return NULL;
  *w = (world){.simulation = simulation, .door = -1};
  w->library = library;
  set_joints(w, scene);
  char name[BRIO_MODEL_NAME];
  if (scene->options.ndoor) {
    snprintf(name, sizeof name, "%.80s" BRIO_MODEL_PANEL, scene->options.doors[0].name);
    w->door = library->joint(simulation, name);
  }
  return w;
}

static void step(void *context, int count) {
  world *w = context;
  brio_physics_fault fault;
  char sentence[512];
  if (w->library->step(w->simulation, count, &fault)) return;
  brio_physics_tell(&fault, sentence, sizeof sentence);
  CHECK(false, "%s", sentence);
}

static void aim(void *context, int variable, double target) {
  world *w = context;
  w->library->aim(w->simulation, w->servos[variable], target, true);
}

static double position(world *w, int joint) {
  brio_physics_joint state;
  w->library->read_joint(w->simulation, joint, &state);
  return state.position;
}

static double joint(void *context, int variable) {
  return position(context, ((world *)context)->joints[variable]);
}

static double door(void *context) {
  return position(context, ((world *)context)->door);
}

static void push(void *context, const char *body, brio_vec3 force) {
  world *w = context;
  w->library->push(w->simulation, w->library->body(w->simulation, body), force, (brio_vec3){0, 0, 0});
}

static brio_pose pose(void *context, const char *body) {
  world *w = context;
  brio_physics_body state;
  w->library->read_body(w->simulation, w->library->body(w->simulation, body), &state);
  return state.pose;
}

static void start(void *context, const char *thing, brio_vec3 linear) {
  world *w = context;
  const brio_physics_body state = {.pose = pose(w, thing), .linear = linear};
  w->library->put(w->simulation, w->library->body(w->simulation, thing), &state);
  w->library->settle(w->simulation);
}

static const judge_side brio = {"brio", open_world, close_world, step, aim, joint, door, push, start, pose};

const judge_side *judge_brio(void) {
  return the_library() ? &brio : NULL;
}

/* The difference that a row permits; NaN never is. */
static bool near(double a, double b, double bound) {
  return fabs(a - b) <= bound;
}

void judge_compare(const char *name, void (*run)(const judge_side *side, double *out), const judge_row *rows,
                   int count) {
  const judge_side *one = judge_brio(), *other = one ? judge_ode() : NULL;
  double a[16], b[16];
  if (!other) return;
  for (int i = 0; i < count; i++) a[i] = b[i] = NAN;
  run(one, a);
  run(other, b);
  for (int i = 0; i < count; i++) {
    const judge_row *row = &rows[i];
    char exact[32] = "-";
    if (!isnan(row->exact)) snprintf(exact, sizeof exact, "%.5g", row->exact);
    printf("# %-14s %-40s brio %9.5g  ODE %9.5g  exact %9s  bound %.2g %s\n", name, row->what, a[i], b[i],
           exact, row->bound, row->unit);
    CHECK(near(a[i], b[i], row->bound), "%s, %s: brio %g, ODE %g %s", name, row->what, a[i], b[i], row->unit);
    bool both =
        isnan(row->exact) || (near(a[i], row->exact, row->bound) && near(b[i], row->exact, row->bound));
    CHECK(both, "%s, %s: brio %g, ODE %g, but mechanics %g %s", name, row->what, a[i], b[i], row->exact,
          row->unit);
  }
}
