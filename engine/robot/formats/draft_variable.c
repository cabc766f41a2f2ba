/* Variables: which ones each joint has, their names and ranges, and which joints copy others. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "robot/formats/draft_internal.h"

/* One of the numbers of a joint. */
typedef struct variable_part {
  const char *suffix;
  bool angular, circular;
} variable_part;

static const variable_part one_angle[] = {{"", true, false}}, one_turn[] = {{"", true, true}};
static const variable_part one_length[] = {{"", false, false}};
static const variable_part plane[] = {{".x", false, false}, {".y", false, false}, {".angle", true, true}};
static const variable_part space[] = {{".x", false, false},  {".y", false, false},   {".z", false, false},
                                      {".roll", true, true}, {".pitch", true, true}, {".yaw", true, true}};

/* The variables of each type of joint. */
static const struct {
  int count;
  const variable_part *parts;
  double half_range; /* taken when no range is given */
} joint_parts[BRIO_NJOINT_TYPE] = {
    [BRIO_JOINT_FIXED] = {0, NULL, 0},          [BRIO_JOINT_REVOLUTE] = {1, one_angle, BRIO_PI},
    [BRIO_JOINT_CONTINUOUS] = {1, one_turn, 0}, [BRIO_JOINT_PRISMATIC] = {1, one_length, 1},
    [BRIO_JOINT_PLANAR] = {3, plane, 0},        [BRIO_JOINT_FLOATING] = {6, space, 0}};

static const double MAX_COPIED = 1e9; /* greatest multiplier or offset of a copy */

/* The name of a joint by its index, for brio_name_hint. */
static const char *joint_name_at(const void *list, int i) {
  const brio_draft *draft = list;
  return i < draft->robot->njoint ? draft->joints[i].name : NULL;
}

/* The element for messages about what a joint copies. */
static const brio_xml *copy_element(const brio_draft_joint *raw) {
  return raw->copy ? raw->copy : raw->element;
}

/* Resolve the joint that a joint copies. Errors: there is no such joint, or one of both has not exactly one
** variable. */
static bool find_source(brio_draft *draft, int j) {
  const brio_draft_joint *raw = &draft->raw[j];
  brio_joint *joint = &draft->joints[j];
  char hint[96];
  /* A joint without <mimic>, or with the option independent_mimic, has its own variable. */
  if (!raw->mimic || draft->options->independent_mimic) {
    joint->multiplier = 1;
    joint->offset = 0;
    return true;
  }
  const brio_xml *element = copy_element(raw);
  int source = brio_name_index_find(&draft->robot->joint_index, raw->mimic);
  if (source < 0)
    return brio_draft_wrong(draft, element, "no joint is called '%.80s'%s", raw->mimic,
                            brio_name_hint(raw->mimic, joint_name_at, draft, hint));
  if (joint_parts[joint->type].count != 1 || joint_parts[draft->joints[source].type].count != 1)
    return brio_draft_wrong(draft, element,
                            "a %s joint cannot copy '%.80s', a %s joint: expected two joints with one "
                            "value each",
                            brio_joint_type_name(joint->type), raw->mimic,
                            brio_joint_type_name(draft->joints[source].type));
  joint->mimic = source;
  return true;
}

/* Replace chains of copies by their first joint: m1 (m2 v + o2) + o1 = (m1 m2) v + (m1 o2 + o1). `path` has
** room for every joint; `settled` marks those that are done. O(joints) for all chains together. */
static bool settle_chain(brio_draft *draft, int j, int *path, char *settled) {
  enum { UNSEEN, ON_PATH, SETTLED };
  brio_joint *joints = draft->joints;
  int n = 0;
  /* Follow the chain to a joint that is settled or copies nobody. */
  while (joints[j].mimic >= 0 && settled[j] == UNSEEN) {
    settled[j] = ON_PATH;
    path[n++] = j;
    j = joints[j].mimic;
  }
  /* A joint of this path again: the chain is circular. */
  if (settled[j] == ON_PATH)
    return brio_draft_wrong(draft, copy_element(&draft->raw[j]),
                            "joint '%.80s' mimics itself by a chain of joints: expected one that moves by "
                            "itself",
                            joints[j].name);
  /* Back along the path: the source of a joint is settled before the joint is. */
  while (n-- > 0) {
    brio_joint *joint = &joints[path[n]];
    const brio_joint *source = &joints[joint->mimic];
    settled[path[n]] = SETTLED;
    /* The source is the first of its chain: nothing to replace. */
    if (source->mimic < 0) continue;
    joint->offset += joint->multiplier * source->offset;
    joint->multiplier *= source->multiplier;
    joint->mimic = source->mimic;
    /* Products along a chain may exceed the range of numbers that the solver relies on. */
    if (!(fabs(joint->offset) <= MAX_COPIED && fabs(joint->multiplier) <= MAX_COPIED))
      return brio_draft_wrong(draft, copy_element(&draft->raw[path[n]]),
                              "along the chain of copies to '%.80s' it becomes %g times its value and %g: "
                              "expected numbers up to %g",
                              joints[joint->mimic].name, joint->multiplier, joint->offset, MAX_COPIED);
  }
  return true;
}

/* Resolve all sources before any chain, as a chain may go through joints declared later. */
static bool settle_mimics(brio_draft *draft) {
  int njoint = draft->robot->njoint;
  int *path = BRIO_TAKE(&draft->scratch, int, njoint);
  char *settled = BRIO_TAKE(&draft->scratch, char, njoint);
  if (!path || !settled) return brio_draft_no_memory(draft);
  for (int j = 0; j < njoint; j++)
    if (!find_source(draft, j)) return false;
  for (int j = 0; j < njoint; j++)
    if (!settle_chain(draft, j, path, settled)) return false;
  return true;
}

/* Set range, velocity and effort of a variable. In URDF only joints with one variable have them. */
static void set_range(brio_draft *draft, int j, const variable_part *part, brio_variable *variable) {
  const brio_draft_joint *raw = &draft->raw[j];
  double half = joint_parts[draft->joints[j].type].half_range;
  /* Without limits until they are known. */
  variable->lower = -INFINITY;
  variable->upper = INFINITY;
  variable->velocity = variable->effort = variable->acceleration = INFINITY;
  /* URDF does not say which variable of a planar or floating joint a limit is for. */
  if (joint_parts[draft->joints[j].type].count != 1) return;
  variable->velocity = raw->velocity;
  variable->effort = raw->effort;
  /* A circular variable has no ends. */
  if (part->circular) return;
  /* Without a range: +-pi rad, or +-1 m. */
  variable->lower = raw->bounded ? raw->lower : -half;
  variable->upper = raw->bounded ? raw->upper : half;
  /* Valid, but more likely a mistake. */
  if (raw->bounded && raw->lower == raw->upper)
    brio_draft_warn(draft, raw->limit ? raw->limit : raw->element,
                    "its range is from %g to %g: this joint cannot move", raw->lower, raw->upper);
  if (!raw->bounded)
    brio_draft_warn(draft, raw->element, "this %s joint has no range: %s is taken",
                    brio_joint_type_name(draft->joints[j].type), part->angular ? "+-pi rad" : "+-1 m");
}

/* Add a variable, named after its joint and part. Errors: the name is in use. */
static bool add_variable(brio_draft *draft, int j, const variable_part *part, brio_variable *variable) {
  const brio_joint *joint = &draft->joints[j];
  size_t size = strlen(joint->name) + strlen(part->suffix) + 1;
  char *name = brio_arena_take(&draft->robot->arena, size);
  if (!name) return brio_draft_no_memory(draft);
  snprintf(name, size, "%s%s", joint->name, part->suffix);
  *variable = (brio_variable){.name = name, .joint = j, .circular = part->circular, .angular = part->angular};
  set_range(draft, j, part, variable);
  return brio_name_index_add(&draft->robot->variable_index, name, draft->robot->nvariable++) ||
         brio_draft_wrong(draft, draft->raw[j].element, "its variable '%.80s' is called like another joint",
                          name);
}

/* Narrow the range of the copied joint, so that the copy keeps to its own range. A difference of half a
** millionth is rounding. */
static void narrow_range(brio_draft *draft, const brio_joint *copy, const brio_draft_joint *raw,
                         brio_variable *variable) {
  /* The range of the copy, in values of the variable; a negative multiplier swaps its ends. */
  double a = (raw->lower - copy->offset) / copy->multiplier;
  double b = (raw->upper - copy->offset) / copy->multiplier;
  double lower = fmax(fmin(a, b), variable->lower), upper = fmin(fmax(a, b), variable->upper);
  double slack = 5e-7 * fmax(1, fabs(raw->upper - raw->lower) / fabs(copy->multiplier));
  const brio_xml *mimic = copy_element(raw);
  /* Without a common value the copy's range cannot be kept. */
  if (lower > upper) {
    brio_draft_warn(draft, mimic,
                    "it leaves its own range, %g to %g, wherever '%.80s' is: that range is passed over",
                    raw->lower, raw->upper, variable->name);
  } else if (lower > variable->lower + slack || upper < variable->upper - slack) {
    brio_draft_warn(draft, mimic, "so that it keeps to its own range, %g to %g, '%.80s' keeps to %g to %g",
                    raw->lower, raw->upper, variable->name, lower, upper);
    variable->lower = lower;
    variable->upper = upper;
    variable->circular = false;
  }
}

/* Limit the copied joint to the range and the velocity of the copy. */
static void limit_source(brio_draft *draft, int j, brio_variable *variable) {
  const brio_joint *copy = &draft->joints[j];
  const brio_draft_joint *raw = &draft->raw[j];
  /* A range without width is how exporters write that they do not know it. */
  bool ranged = copy->type != BRIO_JOINT_CONTINUOUS && raw->bounded && raw->lower < raw->upper;
  double share = fabs(copy->multiplier);
  /* A copy with multiplier 0 does not move. */
  if (share == 0) return;
  if (ranged) narrow_range(draft, copy, raw, variable);
  if (share * variable->velocity > raw->velocity * (1 + 5e-7)) {
    brio_draft_warn(draft, copy_element(raw), "so that it keeps to its own velocity, %g, '%.80s' keeps to %g",
                    raw->velocity, variable->name, raw->velocity / share);
    variable->velocity = raw->velocity / share;
  }
}

bool brio_draft_variables(brio_draft *draft) {
  brio_robot *robot = draft->robot;
  int count = 0;
  if (!settle_mimics(draft)) return false;
  /* Number the variables: copies have none of their own. */
  for (int j = 0; j < robot->njoint; j++) {
    brio_joint *joint = &draft->joints[j];
    /* A copy has the count of its own type, which is its source's: both have one variable. */
    joint->nvariable = joint_parts[joint->type].count;
    joint->variable = joint->nvariable && joint->mimic < 0 ? count : -1;
    if (joint->mimic < 0) count += joint->nvariable;
  }
  brio_variable *variables = BRIO_TAKE(&robot->arena, brio_variable, count);
  if (!variables || !brio_name_index_start(&robot->variable_index, count)) return brio_draft_no_memory(draft);
  /* Second pass: now all numbers are known, those of copied joints included. */
  for (int j = 0; j < robot->njoint; j++) {
    brio_joint *joint = &draft->joints[j];
    if (joint->mimic >= 0)
      joint->variable = draft->joints[joint->mimic].variable;
    else
      for (int k = 0; k < joint->nvariable; k++)
        if (!add_variable(draft, j, &joint_parts[joint->type].parts[k], &variables[joint->variable + k]))
          return false;
  }
  /* Limits of copies last, when every variable has its own range. */
  for (int j = 0; j < robot->njoint; j++)
    if (draft->joints[j].mimic >= 0) limit_source(draft, j, &variables[draft->joints[j].variable]);
  robot->variables = variables;
  assert(robot->nvariable == count);
  robot->nq = BRIO_BASE_NQ + count;
  robot->nv = BRIO_BASE_NV + count;
  return true;
}
