/* The class of a persistent detection, where a detector confuses some classes.
**
** Each member of the group has a likelihood.  A detection of class o with confidence c says of
** member k: P(o | k) = c' + (1 - c') / m for k = o, else (1 - c') / m, with m members and c' =
** 0.9 c, since detectors overestimate their confidence (Bayes' rule, in logarithms, the maximum at 0).
** Evidence fades a little with each detection and is bounded by FLOOR, so that a thing that was
** replaced by another is recognized in time.  The class changes when another one is clearly
** likelier. */
#include <assert.h>
#include <string.h>

#include "math/scalar.h"
#include "scene/persistent/persistent.h"

#define TRUST 0.9 /* of a detector's confidence */
#define FADE 0.98 /* of the log-likelihoods, per detection */
#define FLOOR -12.0f /* log: no class is less likely */
#define CLEARLY 0.7f /* log: by so much another class must lead to be the name: it is twice as likely */
#define IMPOSSIBLE 2.0 /* cost of a class outside the group */

void brio_persistent_class_begin(const brio_scene_classes *classes, brio_persistent *one) {
  const brio_scene_class *row = brio_scene_class_of(classes, one->object.kind, one->hash);
  one->group = row ? row->group : -1;
  memset(one->likelihood, 0, sizeof one->likelihood);
}

/* Adopt the class of a member. */
static void name(const brio_scene_classes *classes, brio_persistent *one, int member) {
  const brio_scene_class *row = brio_scene_class_member(classes, one->group, member);
  if (!row) return;
  memcpy(one->object.kind, row->kind, sizeof one->object.kind);
  one->hash = row->hash;
}

/* The likeliest existing member, -1: none; and how many members exist. */
static int likeliest(const brio_scene_classes *classes, const brio_persistent *one, int *members) {
  int best = -1;
  *members = 0;
  for (int i = 0; i < BRIO_SCENE_CONFUSED; i++) {
    if (!brio_scene_class_member(classes, one->group, i)) continue;
    ++*members;
    if (best < 0 || one->likelihood[i] > one->likelihood[best]) best = i;
  }
  return best;
}

void brio_persistent_class_learn(const brio_scene_classes *classes, brio_persistent *one,
                                 const brio_detection *d) {
  const brio_scene_class *seen = brio_scene_class_of(classes, d->kind, brio_scene_kind_hash(d->kind));
  const brio_scene_class *own = brio_scene_class_of(classes, one->object.kind, one->hash);
  /* A detection is evidence only for classes of the same group. */
  if (one->group < 0 || !seen || !own || seen->group != one->group) return;
  int members;
  likeliest(classes, one, &members);
  assert(members > 0);
  double trust = TRUST * d->confidence, other = (1 - trust) / members;
  for (int i = 0; i < BRIO_SCENE_CONFUSED; i++)
    one->likelihood[i] =
        (float)(FADE * (double)one->likelihood[i] + log(i == seen->member ? trust + other : other));
  int best = likeliest(classes, one, &members);
  /* Normalize to a maximum of 0, so that sums stay bounded. */
  float most = one->likelihood[best];
  for (int i = 0; i < BRIO_SCENE_CONFUSED; i++) one->likelihood[i] = fmaxf(one->likelihood[i] - most, FLOOR);
  if (one->likelihood[own->member] < -CLEARLY) name(classes, one, best);
}

double brio_persistent_class_cost(const brio_persistent *one, const brio_scene_class *seen) {
  if (one->group < 0 || !seen || seen->group != one->group) return IMPOSSIBLE;
  return 1 - exp((double)one->likelihood[seen->member]);
}
