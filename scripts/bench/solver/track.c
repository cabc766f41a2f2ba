/* The pose solver on goals that move and can be reached exactly, among boxes that leave the way clear: how
** long a solve takes, how far off it is, how roughly it moves, what it touches.
**   track FOLDER MODEL.urdf ROBOT BOXES COLLISION LIVELINESS [BACKEND [lively]]
** FOLDER holds goals_ROBOT.csv (step, t, link, position in m, quaternion w x y z; 60 Hz), init_ROBOT.csv and
** boxes_ROBOT_N.csv (full sizes, pose) for N up to 50; more boxes are drawn here.  Weights are Lively's for
** this task: position 50, orientation 25, joint limits 10, smoothness macro 10, collision and position
** liveliness as told.  Prints one line of JSON. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "geometry/distance.h"
#include "scripts/bench/bench.h"
#include "solver/solver.h"

enum { STEPS = 4000, LINKS = 4, NAME = 64, MOST_NQ = 256, BOXES = 1000 };

static const double DT = 1.0 / 60, CLEAR = 0.03; /* s; m: drawn boxes stay this far from the way */

typedef struct goal {
  double position[3], turn[4];
} goal;

typedef struct track {
  const char *folder, *name;
  brio_robot *robot;
  char links[LINKS][NAME];
  int nlinks, index[LINKS], nstep;
  goal goals[STEPS][LINKS];
  double start[MOST_NQ], path[STEPS][MOST_NQ], times[STEPS];
  double place, turn, jerk, jerks, distance; /* jerks: sum over steps of the greatest of all joints */
  int granted;
} track;

static FILE *open_table(const track *t, const char *pattern, int number) {
  char path[1024], file[128], title[256];
  snprintf(file, sizeof file, pattern, t->name, number);
  snprintf(path, sizeof path, "%s/%s", t->folder, file);
  FILE *in = fopen(path, "r");
  if (in && !fgets(title, sizeof title, in)) fprintf(stderr, "track: %s is empty\n", path);
  return in;
}

static int link_of(track *t, const char *link) {
  for (int i = 0; i < t->nlinks; i++)
    if (strcmp(t->links[i], link) == 0) return i;
  if (t->nlinks == LINKS) return -1;
  snprintf(t->links[t->nlinks], NAME, "%s", link);
  return t->nlinks++;
}

static bool read_goals(track *t) {
  FILE *in = open_table(t, "goals_%s.csv", 0);
  char line[512], link[NAME];
  int step;
  if (!in) return false;
  while (fgets(line, sizeof line, in)) {
    goal g;
    double time, *p = g.position, *r = g.turn;
    if (sscanf(line, "%d,%lf,%63[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf", &step, &time, link, &p[0], &p[1], &p[2],
               &r[3], &r[0], &r[1], &r[2]) != 10)
      continue;
    int k = link_of(t, link);
    if (k < 0 || step < 0 || step >= STEPS) continue;
    t->goals[step][k] = g;
    if (step >= t->nstep) t->nstep = step + 1;
  }
  fclose(in);
  for (int i = 0; i < t->nlinks; i++) t->index[i] = brio_robot_link(t->robot, t->links[i], NULL);
  return t->nstep > 0;
}

static bool read_start(track *t) {
  FILE *in = open_table(t, "init_%s.csv", 0);
  char line[512], joint[NAME];
  double value;
  if (!in) return false;
  brio_robot_neutral(t->robot, t->start);
  while (fgets(line, sizeof line, in)) {
    if (sscanf(line, "%63[^,],%lf", joint, &value) != 2) continue;
    int k = brio_robot_variable(t->robot, joint, NULL);
    if (k >= 0) t->start[BRIO_BASE_NQ + k] = value;
  }
  fclose(in);
  return true;
}

static void add(brio_solver *solver, const char *key, const char *kind, const char *link, double weight) {
  brio_argument arguments[] = {{.name = "link", .text = link}};
  brio_error err = {0};
  int slot = brio_solver_add(solver, key, kind, arguments, link ? 1 : 0, &err);
  if (slot < 0) fprintf(stderr, "track: %s\n", err.message);
  brio_solver_set_weight(solver, slot, weight, 0, NULL);
}

static brio_solver *new_solver(const track *t, double collision, double liveliness, const char *backend,
                               bool lively) {
  brio_solver_options options = {.seed = 1, .backend = backend, .lively_losses = lively};
  brio_error err = {0};
  brio_solver *solver = brio_solver_new(t->robot, &options, &err);
  if (!solver) return NULL;
  for (int i = 0; i < t->nlinks; i++) {
    char key[3][NAME + 8];
    snprintf(key[0], sizeof key[0], "place %s", t->links[i]);
    snprintf(key[1], sizeof key[1], "turn %s", t->links[i]);
    snprintf(key[2], sizeof key[2], "alive %s", t->links[i]);
    add(solver, key[0], "position_match", t->links[i], 50);
    add(solver, key[1], "orientation_match", t->links[i], 25);
    if (liveliness == 0) continue;
    add(solver, key[2], "position_liveliness", t->links[i], liveliness);
    brio_solver_set_goal(solver, brio_solver_slot(solver, key[2], NULL), (double[]){0.02, 0.02, 0.02}, 3, 0,
                         NULL);
  }
  add(solver, "limits", "joint_limits", NULL, 10);
  add(solver, "smooth", "smoothness_macro", NULL, 10);
  if (collision > 0) add(solver, "clear", "collision_avoidance", NULL, collision);
  brio_solver_reset(solver, t->start, false);
  return solver;
}

static void set_goals(const track *t, brio_solver *solver, int step) {
  for (int i = 0; i < t->nlinks; i++) {
    char key[NAME + 8];
    snprintf(key, sizeof key, "place %s", t->links[i]);
    brio_solver_set_goal(solver, brio_solver_slot(solver, key, NULL), t->goals[step][i].position, 3, 0, NULL);
    snprintf(key, sizeof key, "turn %s", t->links[i]);
    brio_solver_set_goal(solver, brio_solver_slot(solver, key, NULL), t->goals[step][i].turn, 4, 0, NULL);
  }
}

static void add_errors(track *t, const brio_solver *solver, int step) {
  for (int i = 0; i < t->nlinks; i++) {
    const brio_transform *link = &brio_solver_state(solver)->links[t->index[i]];
    const goal *g = &t->goals[step][i];
    const double *p = &link->p.x;
    brio_quat turn = brio_quat_from_matrix(link->r);
    double dot = turn.x * g->turn[0] + turn.y * g->turn[1] + turn.z * g->turn[2] + turn.w * g->turn[3];
    t->place += hypot(hypot(p[0] - g->position[0], p[1] - g->position[1]), p[2] - g->position[2]);
    t->turn += 2 * acos(fmin(1, fabs(dot)));
  }
}

static double jerk_at(const track *t, int step) {
  double most = 0;
  for (int i = BRIO_BASE_NQ; step >= 3 && i < t->robot->nq; i++) {
    double third = t->path[step][i] - 3 * t->path[step - 1][i] + 3 * t->path[step - 2][i] -
                   t->path[step - 3][i];
    most = fmax(most, fabs(third) / (DT * DT * DT));
  }
  return most;
}

/* Follow all goals, and note what is to be known. */
static void follow(track *t, brio_solver *solver) {
  t->place = t->turn = t->jerk = t->jerks = 0;
  t->granted = 0;
  t->distance = INFINITY;
  for (int step = 0; step < t->nstep; step++) {
    brio_solution solution;
    set_goals(t, solver, step);
    double began = bench_clock();
    brio_solver_solve(solver, (step + 1) * DT, DT, &solution);
    t->times[step] = (bench_clock() - began) * 1e-3;
    memcpy(t->path[step], solution.q, (size_t)t->robot->nq * sizeof *solution.q);
    add_errors(t, solver, step);
    t->jerks += jerk_at(t, step);
    t->jerk = fmax(t->jerk, jerk_at(t, step));
    t->distance = fmin(t->distance, solution.distance);
    t->granted += solution.granted == 1;
  }
}

/* Whether a box stays clear of the robot on its whole way. */
static bool is_clear(const track *t, brio_state *state, const brio_shape *shape, brio_pose pose) {
  brio_transform at = brio_transform_of(pose);
  double radius = brio_shape_radius(shape);
  for (int step = 0; step < t->nstep; step += 10) {
    brio_state_update(state, t->path[step]);
    for (int i = 0; i < t->robot->ncollision; i++) {
      const brio_link_shape *own = &t->robot->collisions[i];
      brio_transform frame = brio_transform_of(own->pose), body;
      body = brio_transform_mul(&state->links[own->link], &frame);
      double bound = brio_shape_distance_bound(brio_shape_radius(&own->shape), &body, radius, &at);
      if (bound > CLEAR) continue;
      if (brio_shape_distance(&own->shape, &body, shape, &at, NULL).distance < CLEAR) return false;
    }
  }
  return true;
}

static void put_box(brio_solver *solver, int i, const brio_shape *shape, brio_pose pose) {
  char key[32];
  snprintf(key, sizeof key, "box %d", i);
  brio_solver_set_shape(solver, key, -1, pose, shape, true, NULL);
}

/* Draw boxes about the root that leave the way of a solver without boxes clear; seed 500. */
static void draw_boxes(track *t, brio_solver *solver, int count) {
  brio_random stream = brio_random_stream(500, "track.boxes");
  brio_solver *alone = new_solver(t, 0, 0, NULL, false);
  brio_state state;
  brio_state_start(&state, t->robot, NULL);
  follow(t, alone);
  for (int i = 0; i < count;) {
    double v[9];
    for (int k = 0; k < 9; k++) v[k] = brio_random_uniform(&stream, -1, 1);
    brio_shape shape = {.kind = BRIO_SHAPE_BOX,
                        .size = {0.125 + 0.075 * v[0], 0.125 + 0.075 * v[1], 0.125 + 0.075 * v[2]}};
    brio_pose pose = {{1.2 * v[3], 1.2 * v[4], 0.6 + 0.8 * v[5]},
                      brio_quat_exp((brio_vec3){v[6], v[7], v[8]})};
    if (is_clear(t, &state, &shape, pose)) put_box(solver, i++, &shape, pose);
  }
  brio_state_end(&state);
  brio_solver_free(alone);
}

static void read_boxes(const track *t, brio_solver *solver, int count) {
  FILE *in = open_table(t, "boxes_%s_%d.csv", count);
  char line[512];
  double v[10];
  for (int i = 0; in && fgets(line, sizeof line, in); i++) {
    if (sscanf(line, "%*[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3], &v[4],
               &v[5], &v[6], &v[7], &v[8], &v[9]) != 10)
      continue;
    brio_shape shape = {.kind = BRIO_SHAPE_BOX, .size = {v[0], v[1], v[2]}};
    put_box(solver, i, &shape, (brio_pose){{v[3], v[4], v[5]}, {v[7], v[8], v[9], v[6]}});
  }
  if (in) fclose(in);
}

static void print(track *t) {
  int n = t->nstep;
  double count = (double)n * t->nlinks;
  qsort(t->times, (size_t)n, sizeof *t->times, bench_compare);
  printf("{\"p50\":%.2f,\"p95\":%.2f,\"p99\":%.2f,\"most\":%.1f,\"millimeters\":%.4f,\"degrees\":%.4f,"
         "\"jerk\":%.2f,\"mean_jerk\":%.2f,\"distance\":%.5f,\"granted\":%.4f}\n",
         t->times[n / 2], t->times[n * 95 / 100], t->times[n * 99 / 100], t->times[n - 1],
         t->place / count * 1e3, t->turn / count * 57.29577951308232, t->jerk, t->jerks / n,
         isfinite(t->distance) ? t->distance : 1e9, (double)t->granted / n);
}

int main(int count, char **arguments) {
  static track t;
  brio_error err = {0};
  if (count < 7) {
    fprintf(stderr, "usage: track FOLDER MODEL.urdf ROBOT BOXES COLLISION LIVELINESS [BACKEND [lively]]\n");
    return 2;
  }
  t.folder = arguments[1];
  t.name = arguments[3];
  t.robot = brio_robot_load(arguments[2], NULL, &err);
  if (!t.robot || t.robot->nq > MOST_NQ || !read_goals(&t) || !read_start(&t)) {
    fprintf(stderr, "track: %s\n", t.robot ? "no goals, or too many joints" : err.message);
    return 1;
  }
  int boxes = atoi(arguments[4]);
  brio_solver *solver = new_solver(&t, atof(arguments[5]), atof(arguments[6]),
                                   count > 7 ? arguments[7] : NULL, count > 8);
  if (boxes > 50) draw_boxes(&t, solver, boxes < BOXES ? boxes : BOXES);
  else if (boxes > 0) read_boxes(&t, solver, boxes);
  follow(&t, solver);
  print(&t);
  brio_solver_free(solver);
  brio_robot_free(t.robot);
  return 0;
}
