/* The value of a track at a time. A stretch is known by the key it begins at; its slopes are computed where
** its curve needs them, from the keys around it, so that random keys, drawn again for each pass, need no
** table.
**
** Draws: splitmix64 (Steele, Lea and Flood, OOPSLA 2014) of the pass and the key's index, so that any time
** may be queried, in any order. */
#include <assert.h>
#include <math.h>

#include "motion/track.h"

/* O(1) near the cursor, which is the usual case; else a binary search. */
int brio_track_seek(const brio_keyframe *keys, int count, int cursor, double time) {
  assert(count >= 1);
  if (cursor < 0 || cursor >= count) cursor = 0;
  for (int near = cursor; near <= cursor + 1 && near < count; near++)
    if (keys[near].time <= time && (near + 1 == count || time < keys[near + 1].time)) return near;
  int low = 0, high = count; /* keys before low are not after the time, keys from high on are */
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (keys[middle].time <= time) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? low - 1 : 0;
}

/* A number from 0 to below 1 that depends on the pass and the key only. */
static double chance(uint64_t pass, int place) {
  uint64_t x = pass + 0x9e3779b97f4a7c15u * ((uint64_t)place + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  /* The highest 53 bits as a fraction. */
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* The numbers a and b of key `i`, drawn if it is a random one. */
static void ends(const brio_keyframe *keys, int i, uint64_t pass, double *a, double *b) {
  const brio_keyframe_kind *kind = brio_keyframe_kinds[keys[i].kind];
  kind->ends(&keys[i], kind->draws ? chance(pass, i) : 0, a, b);
}

/* The slope of a at key `i`, as `curve` defines it; 0 at the ends of the track. */
static double slope_at(const brio_curve *curve, const brio_keyframe *keys, int count, int i, uint64_t pass) {
  if (i == 0 || i == count - 1) return 0;
  double a[3], b[3], width[2], slope[2];
  for (int k = 0; k < 3; k++) ends(keys, i - 1 + k, pass, &a[k], &b[k]);
  /* Where keys that follow what is below meet keys that do not, slopes of a alone mean nothing. */
  if (b[0] != b[1] || b[1] != b[2]) return 0;
  /* Widths and slopes of the straight lines on either side. */
  for (int k = 0; k < 2; k++) {
    width[k] = keys[i + k].time - keys[i + k - 1].time;
    slope[k] = (a[k + 1] - a[k]) / width[k];
  }
  return curve->tangent(width, slope);
}

/* Sample the track between key `i` and the next. */
static void between(const brio_keyframe *keys, int count, int i, double time, uint64_t pass,
                    brio_sample *out) {
  assert(i >= 0 && i + 1 < count && keys[i].time < keys[i + 1].time);
  const brio_keyframe *from = &keys[i], *to = &keys[i + 1];
  const brio_curve *curve = brio_curves[from->curve];
  brio_stretch stretch = {.width = to->time - from->time,
                          .out = {from->out[0], from->out[1]}, .into = {to->into[0], to->into[1]}};
  double x = (time - from->time) / stretch.width, b0, b1, share, slope;
  ends(keys, i, pass, &stretch.from, &b0);
  ends(keys, i + 1, pass, &stretch.to, &b1);
  /* Between kinds both a and b change by one share; else the curve may shape a alone. */
  bool blends = b0 != b1;
  if (!curve->value || blends) {
    curve->share(&stretch, x, &share, &slope);
    slope /= stretch.width;
    *out = (brio_sample){stretch.from + share * (stretch.to - stretch.from), b0 + share * (b1 - b0),
                         slope * (stretch.to - stretch.from), slope * (b1 - b0)};
    if (!blends) out->b = b0, out->vb = 0;
    return;
  }
  /* Only curves with tangents need the neighboring keys. */
  if (curve->tangent) {
    stretch.slope_from = slope_at(curve, keys, count, i, pass);
    stretch.slope_to = slope_at(curve, keys, count, i + 1, pass);
  }
  *out = (brio_sample){.b = b0};
  curve->value(&stretch, x, &out->a, &out->va);
}

void brio_track_sample(const brio_keyframe *keys, int count, int *cursor, double time, uint64_t pass,
                       brio_sample *out) {
  int i = *cursor = brio_track_seek(keys, count, *cursor, time);
  /* Before the first and from the last key on, the track stands still. */
  if (i == count - 1 || time <= keys[0].time) {
    *out = (brio_sample){0};
    ends(keys, i, pass, &out->a, &out->b);
    if (i == count - 1 || time < keys[0].time) return;
  }
  between(keys, count, i, time, pass, out);
}
