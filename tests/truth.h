/* Reading the JSON files of other programs' reference values (data/truth of the shared folder): which robots
** there are, and just enough JSON: find a key, read the text or the numbers behind it. */
#ifndef BRIO_TESTS_TRUTH_H
#define BRIO_TESTS_TRUTH_H

#include "base/text.h"
#include "robot/robot.h"
#include "tests/check.h"

static const char *const truth_names[] = {"baxter",     "cassie",     "cassie_umich", "h1",
                                          "iiwa14",     "lively_nao", "lively_panda", "lively_pepper",
                                          "mycobot280", "nao",        "panda",        "panda_erd",
                                          "pepper",     "ur3e",       "ur5e"};
enum { TRUTH_NNAME = sizeof truth_names / sizeof *truth_names, TRUTH_MOST = 128 };

/* Return what follows the first `"key":` at or after `text`, or NULL. */
static inline const char *truth_after(const char *text, const char *key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char *found = strstr(text, quoted);
  if (!found) return NULL;
  found += strlen(quoted);
  return found + strspn(found, " \n");
}

/* Read a text in quotes; return what follows it. */
static inline const char *truth_text(const char *at, char *out, size_t size) {
  size_t length = strcspn(at + 1, "\"");
  snprintf(out, size, "%.*s", (int)length, at + 1);
  return at + length + 2;
}

/* Read the numbers of a list, nested or flat; return their count, and move past its end. */
static inline int truth_numbers(const char **at, double *out, int most) {
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

/* Read the file of reference values `name` into `text`, and return its robot, or NULL after a failed check;
** both are then the caller's to free. */
static inline brio_robot *truth_robot(const char *name, bool independent_mimic, brio_text *text) {
  char path[512], source[128], base[32];
  brio_error err;
  snprintf(path, sizeof path, "%s/data/truth/%s.json", check_shared(), name);
  bool good = brio_text_read_file(text, path, 64u << 20, &err);
  CHECK(good, "%s", err.message);
  if (!good) return NULL;
  truth_text(truth_after(text->bytes, "source"), source, sizeof source);
  truth_text(truth_after(text->bytes, "base"), base, sizeof base);
  brio_robot_options options = {.independent_mimic = independent_mimic};
  options.base = strcmp(base, "floating") == 0 ? BRIO_BASE_FREE : BRIO_BASE_FIXED;
  snprintf(path, sizeof path, "%s/data/%s", check_shared(), source);
  brio_robot *robot = brio_robot_load(path, &options, &err);
  CHECK(robot, "%s: %s", name, err.message);
  return robot;
}

#endif
