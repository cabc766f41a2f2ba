/* Forward kinematics, Jacobian, center of mass and gravity torques compared with the values of Pinocchio,
** which agree with DART, RBDL, Orocos KDL and MuJoCo: the JSON files of the shared reference data, up to 200
** configurations for each of 15 robots.  Their conventions are in each file. */
#include "robot/derivative.h"

#include "tests/truth.h"

/* --- one robot --- */

typedef struct truth {
  brio_text text;
  brio_robot *robot;
  brio_state state;
  int first;         /* first column that is compared: 6 of a fixed base, else 0 */
  int nlink, ee;
  int links[TRUTH_MOST];   /* by place in the file's list */
  /* pose, centre of mass, Jacobian, gravity (of the greatest torque): greatest difference met */
  double worst[4];
} truth;

static bool load(truth *t, const char *name) {
  char link[128];
  brio_error err;
  t->robot = truth_robot(name, true, &t->text);
  if (!t->robot || !brio_state_start(&t->state, t->robot, &err)) return false;
  t->first = t->robot->base == BRIO_BASE_FREE ? 0 : BRIO_BASE_NV;
  truth_text(truth_after(t->text.bytes, "ee"), link, sizeof link);
  t->ee = brio_robot_link(t->robot, link, &err);
  const char *at = truth_after(t->text.bytes, "links") + 1;
  for (at += strspn(at, " \n"); *at == '"' && t->nlink < TRUTH_MOST; at += strspn(at, ", \n")) {
    at = truth_text(at, link, sizeof link);
    t->links[t->nlink] = brio_robot_link(t->robot, link, &err);
    CHECK(t->links[t->nlink++] >= 0, "%s", err.message);
  }
  CHECK(t->nlink == t->robot->nlink, "%s: %d links, expected %d", name, t->robot->nlink, t->nlink);
  return t->ee >= 0;
}

static double worse(double so_far, double a, double b) { return fmax(so_far, fabs(a - b)); }

/* The greatest difference of two poses, as numbers; q and -q are one rotation. */
static double pose_difference(brio_pose a, const double *b) {
  double dot = a.q.x * b[3] + a.q.y * b[4] + a.q.z * b[5] + a.q.w * b[6], sign = dot < 0 ? -1 : 1;
  double mine[7] = {a.p.x, a.p.y, a.p.z, sign * a.q.x, sign * a.q.y, sign * a.q.z, sign * a.q.w}, most = 0;
  for (int i = 0; i < 7; i++) most = worse(most, mine[i], b[i]);
  return most;
}

/* Compare one configuration; return where the next one begins, or NULL. */
static const char *compare(truth *t, const char *at) {
  static double q[TRUTH_MOST + 8], poses[7 * TRUTH_MOST], com[3], expected[6 * TRUTH_MOST],
      got[6 * TRUTH_MOST], gravity[TRUTH_MOST];
  const brio_robot *robot = t->robot;
  int columns = robot->nv - t->first, skipped = t->first ? BRIO_BASE_NQ : 0;
  const struct { const char *key; double *out; int count; } lists[] = {
      {"q", q + skipped, robot->nq - skipped}, {"poses", poses, 7 * t->nlink}, {"com", com, 3},
      {"J", expected, 6 * columns}, {"g", gravity, columns}};
  brio_robot_neutral(robot, q);
  for (int i = 0; i < 5; i++) {
    at = truth_after(at, lists[i].key);
    if (!at && i == 0) return NULL; /* that was the last one */
    int got_numbers = at ? truth_numbers(&at, lists[i].out, lists[i].count) : -1;
    CHECK(got_numbers == lists[i].count, "%d numbers of %s", got_numbers, lists[i].key);
    if (check_failures) return NULL;
  }
  brio_state_update(&t->state, q);
  brio_vec3 mine = brio_state_update_com(&t->state);
  for (int i = 0; i < t->nlink; i++)
    t->worst[0] =
        fmax(t->worst[0], pose_difference(brio_pose_of(&t->state.links[t->links[i]]), poses + 7 * i));
  t->worst[1] = worse(worse(worse(t->worst[1], mine.x, com[0]), mine.y, com[1]), mine.z, com[2]);
  brio_state_jacobian(&t->state, t->ee, t->state.links[t->ee].p, got);
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < columns; c++)
      t->worst[2] = worse(t->worst[2], got[r * robot->nv + t->first + c], expected[r * columns + c]);
  brio_state_gravity(&t->state, got, NULL);
  double most = 1, *asked = gravity + columns - robot->nvariable;
  for (int k = 0; k < robot->nvariable; k++) most = fmax(most, fabs(asked[k]));
  for (int k = 0; k < robot->nvariable; k++) t->worst[3] = worse(t->worst[3], got[k] / most, asked[k] / most);
  return at;
}

static void agrees_with_reference_values(void) {
  if (!check_shared()) SKIP("no shared reference data");
  for (int i = 0; i < TRUTH_NNAME; i++) {
    truth t = {.nlink = 0};
    int count = 0;
    if (load(&t, truth_names[i]))
      for (const char *at = truth_after(t.text.bytes, "configs"); at && (at = compare(&t, at)); count++)
        continue;
    CHECK(count >= 40, "%s: only %d configurations were compared", truth_names[i], count);
    printf("#   %-14s %3d configurations: poses %.1e, centre of mass %.1e, Jacobian %.1e, gravity %.1e\n",
           truth_names[i], count, t.worst[0], t.worst[1], t.worst[2], t.worst[3]);
    for (int k = 0; k < 4; k++) CHECK(t.worst[k] < 1e-11, "%s: %g", truth_names[i], t.worst[k]);
    brio_state_end(&t.state);
    brio_robot_free(t.robot);
    brio_text_end(&t.text);
  }
}

CHECK_SUITE(CHECK_TEST(agrees_with_reference_values))
