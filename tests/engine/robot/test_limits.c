/* Limits in files: missing, far too large, of zero width, of joints that have none, and of
** joints that mimic others. */
#include "robot/robot.h"
#include "tests/check.h"

#define HEAD "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
#define FIRST(type, inside)                                                                                  \
  "<joint name='j' type='" type "'><parent link='a'/><child link='b'/>" inside "</joint>\n"
#define SECOND(type, inside)                                                                                 \
  "<joint name='k' type='" type "'><parent link='b'/><child link='c'/>" inside "</joint></robot>"
#define RANGE(lower, upper, velocity)                                                                        \
  "<limit lower='" #lower "' upper='" #upper "' velocity='" #velocity "' effort='1'/>"

static brio_robot *parse(const char *text) {
  brio_error err;
  brio_robot *robot = brio_robot_parse(text, strlen(text), "r.urdf", NULL, &err);
  CHECK(robot, "%s", err.message);
  return robot;
}

static int warnings_with(const brio_robot *robot, const char *piece) {
  int n = 0;
  for (int i = 0; i < robot->nwarning; i++) n += strstr(robot->warnings[i], piece) != NULL;
  return n;
}

/* The resulting limits of the first joint's variable. */
static const struct {
  const char *what, *text, *warning;
  double lower, upper, velocity;
} cases[] = {
    {"largest numbers mean no limit",
     HEAD FIRST("revolute", RANGE(-1.79769e+308, 1.79769e+308, 1e16)) SECOND("fixed", ""), NULL, -INFINITY,
     INFINITY, INFINITY},
    {"one end alone", HEAD FIRST("prismatic", RANGE(0, 1e16, 1)) SECOND("fixed", ""), NULL, 0, INFINITY, 1},
    {"no width", HEAD FIRST("revolute", RANGE(0, 0, 1)) SECOND("fixed", ""), "cannot move", 0, 0, 1},
    {"continuous with a range", HEAD FIRST("continuous", RANGE(-1, 2, 1)) SECOND("fixed", ""),
     "<limit> of joint 'j': a continuous joint has no range: -1 to 2 is passed over", -INFINITY, INFINITY, 1},
    {"continuous without one", HEAD FIRST("continuous", RANGE(0, 0, 1)) SECOND("fixed", ""), NULL, -INFINITY,
     INFINITY, 1},
    {"planar", HEAD FIRST("planar", RANGE(-1, 1, 1)) SECOND("fixed", ""), "a planar joint's values",
     -INFINITY, INFINITY, INFINITY},
    {"a fixed joint has none",
     HEAD FIRST("revolute", RANGE(-1, 1, 1)) SECOND("fixed", "<limit velocity='0' effort='0'/>"), NULL, -1, 1,
     1},
    {"a copy within its range",
     HEAD FIRST("revolute", RANGE(-1, 1, 1)) SECOND("revolute", RANGE(-1, 1, 1) "<mimic joint='j'/>"), NULL,
     -1, 1, 1},
    {"a copy within its range but for rounding",
     HEAD FIRST("revolute", RANGE(0, 1, 1))
         SECOND("prismatic", RANGE(-0.6981317, 0.0000001, 7) "<mimic joint='j' multiplier='-0.69813178'/>"),
     NULL, 0, 1, 1},
    {"a copy that would leave its range",
     HEAD FIRST("revolute", RANGE(-1, 1, 2))
         SECOND("revolute", RANGE(-0.5, 1, 4) "<mimic joint='j' multiplier='-2' offset='0.5'/>"),
     "'j' keeps to -0.25 to 0.5", -0.25, 0.5, 2},
    {"a copy that would be too fast",
     HEAD FIRST("revolute", RANGE(-1, 1, 2))
         SECOND("revolute", RANGE(-9, 9, 3) "<mimic joint='j' multiplier='3'/>"),
     "'j' keeps to 1", -1, 1, 1},
    {"a copy of a continuous joint",
     HEAD FIRST("continuous", "") SECOND("revolute", RANGE(-1, 1, 0) "<mimic joint='j' multiplier='0.5'/>"),
     "'j' keeps to -2 to 2", -2, 2, INFINITY},
    {"a copy nowhere in its range",
     HEAD FIRST("revolute", RANGE(-1, 1, 2))
         SECOND("revolute", RANGE(-1, 1, 2) "<mimic joint='j' offset='5'/>"),
     "that range is passed over", -1, 1, 2},
    {"a copy whose range is not known",
     HEAD FIRST("revolute", RANGE(-1, 1, 2)) SECOND("revolute", RANGE(0, 0, 2) "<mimic joint='j'/>"), NULL,
     -1, 1, 2},
    {"a copy that stands still",
     HEAD FIRST("revolute", RANGE(-1, 1, 2))
         SECOND("revolute", RANGE(-1, 1, 2) "<mimic joint='j' multiplier='0' offset='0.3'/>"),
     NULL, -1, 1, 2}};

static void limits_are_what_the_robot_can_keep(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    brio_robot *r = parse(cases[i].text);
    if (!r) continue;
    const brio_variable *v = &r->variables[0];
    CHECK(v->lower == cases[i].lower && v->upper == cases[i].upper, "%s: %.17g to %.17g", cases[i].what,
          v->lower, v->upper);
    CHECK(v->velocity == cases[i].velocity, "%s: velocity %g", cases[i].what, v->velocity);
    CHECK(!cases[i].warning || warnings_with(r, cases[i].warning) == 1, "%s: warned %d times: %s",
          cases[i].what, warnings_with(r, cases[i].warning), r->nwarning ? r->warnings[0] : "");
    CHECK(cases[i].warning || r->nwarning == 0, "%s: %s", cases[i].what, r->nwarning ? r->warnings[0] : "");
    CHECK(!v->circular || isinf(v->upper), "%s: it turns without end, within a range", cases[i].what);
    brio_robot_free(r);
  }
}

/* A chain of `count` mimic joints, each `multiplier` times the one before. */
static brio_robot *chain(int count, double multiplier, brio_error *err) {
  char text[8192];
  int n = snprintf(text, sizeof text, "<robot name='r'><link name='l0'/>");
  for (int i = 0; i < count; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<link name='l%d'/><joint name='j%d' type='continuous'><parent link='l%d'/>"
                  "<child link='l%d'/>",
                  i + 1, i, i, i + 1);
    if (i > 0)
      n += snprintf(text + n, sizeof text - (size_t)n, "<mimic joint='j%d' multiplier='%g' offset='1'/>",
                    i - 1, multiplier);
    n += snprintf(text + n, sizeof text - (size_t)n, "</joint>");
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "</robot>");
  return brio_robot_parse(text, (size_t)n, "r.urdf", NULL, err);
}

static void chains_of_copies_do_not_overflow(void) {
  brio_error err;
  brio_robot *r = chain(40, 1e8, &err);
  CHECK(!r && err.code == BRIO_FORMAT, "numbers that nothing can move by");
  if (!r) CHECK_HAS(err.message, "<mimic> of joint 'j2': along the chain of copies to 'j0'");
  brio_robot_free(r);
  r = chain(40, 1.5, &err);
  CHECK(r && r->nvariable == 1, "%s", err.message);
  brio_robot_free(r);
}

/* Each of these is finite by itself, but the robot's numbers would not be. */
static void numbers_of_no_robot_are_refused(void) {
  static const char *const texts[] = {
      HEAD FIRST("revolute", "<origin xyz='1e300 1e300 0'/>" RANGE(-1, 1, 1)) SECOND("fixed", ""),
      HEAD FIRST("revolute", "<origin rpy='0 0 1e22'/>" RANGE(-1, 1, 1)) SECOND("fixed", ""),
      HEAD FIRST("revolute", RANGE(-1, 1, 1)) SECOND("revolute", "<mimic joint='j' multiplier='1e308'/>"),
      "<robot name='r'><link name='a'><inertial><mass value='1e308'/></inertial></link></robot>",
      HEAD FIRST("revolute", RANGE(-1, 1, 1)) SECOND("fixed", "<origin xyz='1e200 0 0'/>")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    brio_error err;
    brio_robot *r = brio_robot_parse(texts[i], strlen(texts[i]), "r.urdf", NULL, &err);
    CHECK(!r && err.code == BRIO_FORMAT, "%s was taken", texts[i]);
    if (!r) CHECK_HAS(err.message, "up to 1e+09");
    brio_robot_free(r);
  }
}

CHECK_SUITE(CHECK_TEST(limits_are_what_the_robot_can_keep), CHECK_TEST(chains_of_copies_do_not_overflow),
            CHECK_TEST(numbers_of_no_robot_are_refused))
