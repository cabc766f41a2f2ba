/* Reading the JSON files of the shared reference values. */
#ifndef BRIO_TESTS_ROBOT_TRUTH_H
#define BRIO_TESTS_ROBOT_TRUTH_H

#include "math/pose.h"
#include "tests/check.h"

/* Return what follows the first `"key":` at or after `text`, or NULL. */
static inline const char *after_key(const char *text, const char *key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char *found = strstr(text, quoted);
  if (!found) return NULL;
  found += strlen(quoted);
  return found + strspn(found, " \n");
}

/* Copy the text in quotes that `at` points to; return what follows it. */
static inline const char *read_text(const char *at, char *out, size_t size) {
  size_t length = strcspn(at + 1, "\"");
  snprintf(out, size, "%.*s", (int)length, at + 1);
  return at + length + 2;
}

/* Read the numbers of a list, nested or flat; return their count, and move past its end. */
static inline int read_numbers(const char **at, double *out, int most) {
  int n = 0, depth = 0;
  const char *c = *at;
  do {
    if (*c == '[')
      depth++, c++;
    else if (*c == ']')
      depth--, c++;
    else if (*c == ',' || *c == ' ' || *c == '\n')
      c++;
    else {
      char *end;
      double value = strtod(c, &end);
      if (end == c) return -1;
      if (n < most) out[n++] = value;
      c = end;
    }
  } while (depth > 0);
  *at = c;
  return n;
}

/* The greater of a difference so far and that of two numbers. */
static inline double worse(double so_far, double a, double b) {
  return fmax(so_far, fabs(a - b));
}

/* The greatest difference of two poses, as numbers; q and -q are one rotation. */
static inline double pose_difference(brio_pose a, const double *b) {
  double dot = a.q.x * b[3] + a.q.y * b[4] + a.q.z * b[5] + a.q.w * b[6], sign = dot < 0 ? -1 : 1;
  double mine[7] = {a.p.x, a.p.y, a.p.z, sign * a.q.x, sign * a.q.y, sign * a.q.z, sign * a.q.w}, most = 0;
  for (int i = 0; i < 7; i++) most = worse(most, mine[i], b[i]);
  return most;
}

#endif
