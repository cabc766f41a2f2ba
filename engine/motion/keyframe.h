/* Kinds of keyframes (Saldien et al., IJARS 2014): the terms of a key's value.
**
** With u the current value below on that DOF, every kind's value is  a + b u:
**   normal         v                  a = v, b = 0
**   input          u                  a = 0, b = 1
**   superposition  v + u              a = v, b = 1
**   random         drawn in [v, most] a = what was drawn, b = 0
** which lets tracks be sampled before u is known, and combined at a product and a sum each.  To add a kind:
** write keyframes/<name>.c and add X(<name>) to keyframes.def. */
#ifndef BRIO_MOTION_KEYFRAME_H
#define BRIO_MOTION_KEYFRAME_H

#include <stdbool.h>
#include <stdint.h>

typedef struct brio_keyframe {
  double time;             /* s */
  double value, most;      /* rad, m or 1: if its kind has one */
  double into[2], out[2];  /* handles (curve.h): s and value; NaN: none */
  uint8_t kind, curve;     /* rows of brio_keyframe_kinds and brio_curves: the curve leads to the next key */
} brio_keyframe;

typedef struct brio_keyframe_kind {
  const char *name;        /* as sequences spell it: "superposition" */
  const char *doc;         /* one sentence for docs/ */
  const char *value;       /* the Lua value: "number", "none", "range" */

  /* Write a and b; `chance` is from 0 to below 1, drawn again for each pass over the key. */
  void (*ends)(const brio_keyframe *key, double chance, double *a, double *b);
  bool draws;              /* it uses `chance` */
} brio_keyframe_kind;

/* All kinds, ended by NULL; their count. */
extern const brio_keyframe_kind *const brio_keyframe_kinds[];
extern const int brio_keyframe_kind_count;

/* Return the number of the kind of that name in brio_keyframe_kinds, or -1. */
int brio_keyframe_kind_find(const char *name);

#endif
