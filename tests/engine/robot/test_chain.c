/* A chain gives the same results for its links as the whole robot's state, without computing the rest. */
#include "robot/chain.h"

#include "base/random.h"
#include "robot/kinematics.h"
#include "tests/check.h"

#define JOINT(name, type, parent, child, inside)                                                             \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"              \
  "<origin xyz='0.1 0.2 0.3' rpy='0.4 -0.5 0.6'/>" inside "</joint>"
#define RANGE "<limit lower='-2' upper='2' velocity='1' effort='1'/>"
#define LINK(name) "<link name='" name "'/>"

/* One joint of each kind, two branches and a spare one, mimics across branches, fixed links. */
static const char everything[] = "<robot name='everything'>" LINK("root") LINK("a") LINK("b") LINK("c")
    LINK("d") LINK("e") LINK("f") LINK("g") LINK("spare") LINK("tip")
        JOINT("turn", "revolute", "root", "a", "<axis xyz='0 0 1'/>" RANGE)
            JOINT("other", "revolute", "a", "spare", "<axis xyz='1 0 0'/>" RANGE)
                JOINT("slide", "prismatic", "a", "b", "<axis xyz='1 2 3'/>" RANGE)
                    JOINT("drift", "planar", "b", "c", "<axis xyz='0.3 -0.4 0.5'/>")
                        JOINT("wheel", "continuous", "c", "d", "<axis xyz='0 -1 0'/>")
                            JOINT("fly", "floating", "a", "e", "")
                                JOINT("copy", "revolute", "e", "f",
                                      "<axis xyz='0.2 0.9 -0.1'/>" RANGE
                                      "<mimic joint='turn' multiplier='-1.5' offset='0.2'/>")
                                    JOINT("end", "fixed", "f", "g", "")
                                        JOINT("last", "fixed", "d", "tip", "") "</robot>";

enum { MOST = 64 };

static void draw(const brio_robot *robot, brio_random *stream, double *q) {
  brio_robot_neutral(robot, q);
  brio_quat turn = brio_quat_exp((brio_vec3){brio_random_normal(stream), brio_random_normal(stream), 0.5});
  for (int i = 0; i < 3; i++) q[i] = brio_random_normal(stream);
  q[3] = turn.x, q[4] = turn.y, q[5] = turn.z, q[6] = turn.w;
  for (int i = 0; i < robot->nvariable; i++) q[BRIO_BASE_NQ + i] = brio_random_uniform(stream, -2, 2);
}

/* Compare poses and columns of every link of the chain with those of a state at `q`. */
static void compare(brio_chain *chain, brio_state *state, const double *q, brio_vec3 away) {
  double x[MOST], columns[MOST * 8], jacobian[6 * MOST];
  int nv = chain->robot->nv, stride = 8;
  brio_state_update(state, q);
  for (int i = 0; i < chain->nvariable; i++) x[i] = q[BRIO_BASE_NQ + chain->variables[i]];
  brio_chain_update(chain, &state->links[0], x);
  for (int k = 0; k < chain->nlink; k++) {
    const brio_transform *end = &chain->ends[k], *link = &state->links[chain->links[k]];
    for (int i = 0; i < 9; i++)
      CHECK_NEAR(end->r[i], link->r[i], 1e-13, "rotation of link %d", chain->links[k]);
    brio_vec3 gap = brio_vec3_sub(end->p, link->p), point = brio_vec3_add(end->p, away);
    CHECK_NEAR(brio_vec3_norm(gap), 0, 1e-13, "position of link %d", chain->links[k]);
    brio_state_jacobian(state, chain->links[k], point, jacobian);
    brio_chain_columns(chain, k, point, columns, stride);
    for (int j = 0; j < chain->nvariable; j++)
      for (int i = 0; i < 6; i++) {
        int at = i * nv + BRIO_BASE_NV + chain->variables[j];
        CHECK_NEAR(columns[j * stride + i], jacobian[at], 1e-12, "row %d, variable %d", i,
                   chain->variables[j]);
        jacobian[at] = 0;
      }
    for (int i = 0; i < 6; i++)
      for (int j = BRIO_BASE_NV; j < nv; j++)
        CHECK(jacobian[i * nv + j] == 0, "variable %d moves the link and is missing", j - BRIO_BASE_NV);
  }
}

static void says_what_the_whole_robot_says(void) {
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(everything, strlen(everything), "test.urdf", NULL, &err);
  CHECK(robot, "%s", err.message);
  if (!robot) return;
  brio_state state;
  CHECK(brio_state_start(&state, robot, &err), "%s", err.message);
  brio_random stream = brio_random_stream(5, "chain");
  double q[MOST];
  for (int trial = 0; trial < 200; trial++) {
    int links[3], nlink = 1 + trial % 3;
    for (int k = 0; k < nlink; k++) links[k] = (int)brio_random_below(&stream, (uint64_t)robot->nlink);
    brio_chain chain;
    CHECK(brio_chain_start(&chain, robot, links, nlink, &err), "%s", err.message);
    draw(robot, &stream, q);
    if (trial % 10 == 0) q[BRIO_BASE_NQ] = 1e6; /* beyond the fast sine */
    compare(&chain, &state, q, (brio_vec3){0.1 * trial, -0.2, 0.3});
    brio_chain_end(&chain);
  }
  brio_state_end(&state);
  brio_robot_free(robot);
}

static void only_what_moves_its_links(void) {
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(everything, strlen(everything), "test.urdf", NULL, &err);
  CHECK(robot, "%s", err.message);
  if (!robot) return;
  struct {
    const char *link;
    int count;
  } cases[] = {{"root", 0}, {"a", 1}, {"spare", 2}, {"tip", 6}, {"g", 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int link = brio_robot_link(robot, cases[i].link, &err);
    brio_chain chain;
    CHECK(brio_chain_start(&chain, robot, &link, 1, &err), "%s", err.message);
    CHECK(chain.nvariable == cases[i].count, "%s: %d variables, not %d", cases[i].link, chain.nvariable,
          cases[i].count);
    brio_chain_end(&chain);
  }
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(says_what_the_whole_robot_says), CHECK_TEST(only_what_moves_its_links))
