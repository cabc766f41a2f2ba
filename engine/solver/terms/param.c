/* The arguments of an objective: from what Lua gave to the numbers of an instance, by the list of
** parameters in the objective's record. */
#include <string.h>

#include "base/name.h"
#include "solver/solver_internal.h"

/* The name of the i-th parameter, for brio_name_hint; the list ends at a NULL name. */
static const char *param_at(const void *list, int i) { return ((const brio_param *)list)[i].name; }

/* Return the parameter of a name, or NULL and a sentence with the nearest name. */
static const brio_param *find_param(const brio_objective_kind *kind, const char *name, brio_error *err) {
  for (const brio_param *p = kind->params; p->name; p++)
    if (strcmp(p->name, name) == 0) return p;
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "%s has no argument '%.64s'%s", kind->name, name,
            brio_name_hint(name, param_at, kind->params, hint));
  return NULL;
}

/* How one argument is read; `name` is that of the objective, for messages. */
typedef bool reader(const brio_robot *robot, const char *name, const brio_param *p,
                    const brio_argument *argument, void *place, brio_error *err);

/* Whether an argument is a number, not a name, flag or vector. */
static bool plain(const brio_argument *argument) {
  return !argument->text && !argument->truth && !argument->count;
}

/* Fail: an argument must be `what` within its range, in its unit. */
static bool out_of_range(const char *name, const brio_param *p, const char *what, brio_error *err) {
  bool none = strcmp(p->unit, "1") == 0;
  return brio_fail(err, BRIO_MISUSE, "%s: %s must be %s from %g to %g%s%s", name, p->name, what, p->lower,
                   p->upper, none ? "" : " ", none ? "" : p->unit);
}

/* A number within its range; comparisons are false for NaN, which is rejected. */
static bool read_number(const brio_robot *robot, const char *name, const brio_param *p,
                        const brio_argument *argument, void *place, brio_error *err) {
  (void)robot;
  if (!plain(argument) || !(argument->number >= p->lower && argument->number <= p->upper))
    return out_of_range(name, p, "a number", err);
  memcpy(place, &argument->number, sizeof argument->number);
  return true;
}

/* The name of a link or of a joint with one variable; its index is stored. */
static bool read_named(const brio_robot *robot, const char *name, const brio_param *p,
                       const brio_argument *argument, void *place, brio_error *err) {
  bool link = p->type == BRIO_PARAM_LINK;
  if (!argument->text)
    return brio_fail(err, BRIO_MISUSE, "%s: %s must be the name of a %s", name, p->name,
                     link ? "link" : "joint");
  int index = link ? brio_robot_link(robot, argument->text, err)
                   : brio_robot_variable(robot, argument->text, err);
  if (index < 0) return brio_fail_in(err, "%s", name);
  memcpy(place, &index, sizeof index);
  return true;
}

/* true or false. */
static bool read_flag(const brio_robot *robot, const char *name, const brio_param *p,
                      const brio_argument *argument, void *place, brio_error *err) {
  (void)robot;
  if (!argument->truth) return brio_fail(err, BRIO_MISUSE, "%s: %s must be true or false", name, p->name);
  bool value = argument->number != 0;
  memcpy(place, &value, sizeof value);
  return true;
}

/* Three numbers, each within the range. */
static bool read_vector(const brio_robot *robot, const char *name, const brio_param *p,
                        const brio_argument *argument, void *place, brio_error *err) {
  (void)robot;
  bool good = argument->count == 3;
  for (int i = 0; good && i < 3; i++)
    good = argument->vector[i] >= p->lower && argument->vector[i] <= p->upper;
  if (!good) return out_of_range(name, p, "a list of three numbers", err);
  memcpy(place, argument->vector, 3 * sizeof(double));
  return true;
}

/* The reader of each brio_param_type. */
static reader *const readers[] = {read_number, read_named, read_named, read_flag, read_vector};

/* Store the default of a parameter that was not given. Links and joints have none: an optional one is
** -1. */
static bool take_default(const char *name, const brio_param *p, void *place, brio_error *err) {
  bool named = p->type == BRIO_PARAM_LINK || p->type == BRIO_PARAM_JOINT, flag = p->fallback != 0;
  if (named && !p->optional)
    return brio_fail(err, BRIO_MISUSE, "%s needs the argument '%s': %s", name, p->name, p->doc);
  if (named) memcpy(place, &(int){-1}, sizeof(int));
  else if (p->type == BRIO_PARAM_VECTOR) memcpy(place, p->vector, sizeof p->vector);
  else if (p->type == BRIO_PARAM_FLAG) memcpy(place, &flag, sizeof flag);
  else memcpy(place, &p->fallback, sizeof p->fallback);
  return true;
}

/* Return the argument of a name, or NULL. */
static const brio_argument *find_argument(const brio_argument *arguments, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(arguments[i].name, name) == 0) return &arguments[i];
  return NULL;
}

bool brio_params_fill(const brio_robot *robot, const brio_objective_kind *kind,
                      const brio_argument *arguments, int count, void *self, brio_error *err) {
  /* Unknown names first, so that a misspelled argument is not reported as a missing one. */
  for (int i = 0; i < count; i++)
    if (!find_param(kind, arguments[i].name, err)) return false;
  for (const brio_param *p = kind->params; p->name; p++) {
    /* memcpy writes each value, as `self` has no type here. */
    const brio_argument *argument = find_argument(arguments, count, p->name);
    void *place = (char *)self + p->offset;
    if (argument ? !readers[p->type](robot, kind->name, p, argument, place, err)
                 : !take_default(kind->name, p, place, err))
      return false;
  }
  return true;
}
