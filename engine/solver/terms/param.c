/* The arguments of an objective: from what Lua gave to the numbers of an instance, by the list of
** parameters in the objective's record. */
#include <string.h>

#include "base/name.h"
#include "solver/solver_internal.h"

static const char *param_at(const void *list, int i) { return ((const brio_param *)list)[i].name; }

static const brio_param *find_param(const brio_objective_kind *kind, const char *name, brio_error *err) {
  for (const brio_param *p = kind->params; p->name; p++)
    if (strcmp(p->name, name) == 0) return p;
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "%s has no argument '%.64s'%s", kind->name, name,
            brio_name_hint(name, param_at, kind->params, hint));
  return NULL;
}

/* A way to read one argument; `name` is the objective's, for messages. */
typedef bool reader(const brio_robot *robot, const char *name, const brio_param *p,
                    const brio_argument *argument, void *place, brio_error *err);

static bool plain(const brio_argument *argument) {
  return !argument->text && !argument->truth && !argument->count;
}

/* Say that an argument must be `what` within its range. */
static bool out_of_range(const char *name, const brio_param *p, const char *what, brio_error *err) {
  bool none = strcmp(p->unit, "1") == 0;
  return brio_fail(err, BRIO_MISUSE, "%s: %s must be %s from %g to %g%s%s", name, p->name, what, p->lower,
                   p->upper, none ? "" : " ", none ? "" : p->unit);
}

static bool read_number(const brio_robot *robot, const char *name, const brio_param *p,
                        const brio_argument *argument, void *place, brio_error *err) {
  (void)robot;
  if (!plain(argument) || !(argument->number >= p->lower && argument->number <= p->upper))
    return out_of_range(name, p, "a number", err);
  memcpy(place, &argument->number, sizeof argument->number);
  return true;
}

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

static bool read_flag(const brio_robot *robot, const char *name, const brio_param *p,
                      const brio_argument *argument, void *place, brio_error *err) {
  (void)robot;
  if (!argument->truth) return brio_fail(err, BRIO_MISUSE, "%s: %s must be true or false", name, p->name);
  bool value = argument->number != 0;
  memcpy(place, &value, sizeof value);
  return true;
}

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

/* By brio_param_type. */
static reader *const readers[] = {read_number, read_named, read_named, read_flag, read_vector};

/* Put the default at its place.  Links and joints have none: an optional one is -1. */
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

static const brio_argument *find_argument(const brio_argument *arguments, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(arguments[i].name, name) == 0) return &arguments[i];
  return NULL;
}

bool brio_params_fill(const brio_robot *robot, const brio_objective_kind *kind,
                      const brio_argument *arguments, int count, void *self, brio_error *err) {
  for (int i = 0; i < count; i++)
    if (!find_param(kind, arguments[i].name, err)) return false;
  for (const brio_param *p = kind->params; p->name; p++) {
    const brio_argument *argument = find_argument(arguments, count, p->name);
    void *place = (char *)self + p->offset;
    if (argument ? !readers[p->type](robot, kind->name, p, argument, place, err)
                 : !take_default(kind->name, p, place, err))
      return false;
  }
  return true;
}
