/* Goals: what the kinds share (checks, blending) and finding a kind by name.
**
** Blending: numbers go in a straight line; a quaternion goes on the shortest arc,
**   q(share) = from * exp(share * log(from^-1 * to))
** (Shoemake, "Animating rotation with quaternion curves", 1985), so that a rotation
** turns at an even speed about one axis. */
#include "solver/goal.h"

#include <string.h>

#include "base/name.h"
#include "solver/goal_internal.h"

void brio_goal_blend_linear(const brio_goal *from, const brio_goal *to, double share, brio_goal *out) {
  brio_goal mixed = {.kind = to->kind};
  for (int i = 0; i < to->kind->count; i++) mixed.v[i] = (1 - share) * from->v[i] + share * to->v[i];
  *out = mixed;
}

void brio_goal_blend_arc(const brio_goal *from, const brio_goal *to, double share, int at, brio_goal *out) {
  brio_quat a = {from->v[at], from->v[at + 1], from->v[at + 2], from->v[at + 3]};
  brio_quat b = {to->v[at], to->v[at + 1], to->v[at + 2], to->v[at + 3]};
  brio_vec3 arc = brio_quat_log(brio_quat_mul(brio_quat_conj(a), b));
  brio_quat q = brio_quat_unit(brio_quat_mul(a, brio_quat_exp(brio_vec3_scale(share, arc))));
  brio_goal_blend_linear(from, to, share, out);
  memcpy(out->v + at, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof(double));
}

bool brio_goal_check_any(brio_goal *goal, brio_error *err) {
  (void)goal, (void)err;
  return true;
}

bool brio_goal_check_rotation(brio_goal *goal, int at, brio_error *err) {
  double *v = goal->v + at, length = hypot(hypot(v[0], v[1]), hypot(v[2], v[3]));
  if (!(length > 1e-9 && length < 1e9))
    return brio_fail(err, BRIO_MISUSE,
                     "a %s goal's quaternion x, y, z, w must have a length near 1, not {%g, %g, %g, %g}",
                     goal->kind->name, v[0], v[1], v[2], v[3]);
  brio_quat q = brio_quat_unit((brio_quat){v[0], v[1], v[2], v[3]});
  memcpy(v, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof *v);
  return true;
}

bool brio_goal_check_range(const brio_goal *goal, int at, int count, double lower, double upper,
                           brio_error *err) {
  for (int i = at; i < at + count; i++)
    if (!(goal->v[i] >= lower && goal->v[i] <= upper))
      return brio_fail(err, BRIO_MISUSE, "a %s goal's %s must be from %g to %g, not %g", goal->kind->name,
                       goal->kind->fields[i], lower, upper, goal->v[i]);
  return true;
}

static const char *kind_at(const void *list, int i) {
  (void)list;
  return brio_goal_kinds[i] ? brio_goal_kinds[i]->name : NULL;
}

const brio_goal_kind *brio_goal_kind_find(const char *name, brio_error *err) {
  for (int i = 0; brio_goal_kinds[i]; i++)
    if (strcmp(brio_goal_kinds[i]->name, name) == 0) return brio_goal_kinds[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no goal kind '%.64s'%s", name,
            brio_name_hint(name, kind_at, NULL, hint));
  return NULL;
}
