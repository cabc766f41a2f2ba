/* The few words that C unit tests are written in.  A test program is a list of
** functions run by CHECK_MAIN; it prints a line "ok name" or "not ok name" for each, and
** below a failed one what was wrong.  "skip name: why" stands for one that cannot run here. */
#ifndef BRIO_TESTS_CHECK_H
#define BRIO_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_failures;      /* of the test that runs */
static const char *check_skip;  /* why the test that runs cannot be run */
static char check_own[32];      /* a name that no other process has: tests run side by side, and a machine has one lock a device */

/* Fail the test, saying where and what, unless `condition` holds. */
#define CHECK(condition, ...)                                                            \
  do {                                                                                   \
    if (!(condition) && check_failures++ < 5) {                                          \
      printf("#   %s:%d: %s: ", __FILE__, __LINE__, #condition);                         \
      printf(__VA_ARGS__);                                                               \
      printf("\n");                                                                      \
    }                                                                                    \
  } while (0)

/* Fail unless |a - b| <= tolerance (NaN fails). */
#define CHECK_NEAR(a, b, tolerance, ...)                                                 \
  do {                                                                                   \
    double check_a = (a), check_b = (b), check_t = (tolerance);                          \
    if (!(fabs(check_a - check_b) <= check_t) && check_failures++ < 5) {                 \
      printf("#   %s:%d: %s = %.17g, expected %.17g +- %g: ", __FILE__, __LINE__, #a,    \
             check_a, check_b, check_t);                                                 \
      printf(__VA_ARGS__);                                                               \
      printf("\n");                                                                      \
    }                                                                                    \
  } while (0)

/* Fail unless `text` contains `piece`. */
#define CHECK_HAS(text, piece) CHECK(strstr((text), (piece)) != NULL, "'%s' in '%s'", (piece), (text))

/* Leave the test, which cannot run here. */
#define SKIP(why) do { check_skip = (why); return; } while (0)

typedef struct check_test { const char *name; void (*run)(void); } check_test;

static inline int check_run(const check_test *tests, int count, const char *only) {
  int bad = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  snprintf(check_own, sizeof check_own, "check-%ld", (long)getpid());
  for (int i = 0; i < count; i++) {
    if (only && !strstr(tests[i].name, only)) continue;
    check_failures = 0;
    check_skip = NULL;
    tests[i].run();
    if (check_skip) printf("skip %s: %s\n", tests[i].name, check_skip);
    else printf("%s %s\n", check_failures ? "not ok" : "ok", tests[i].name);
    bad += check_failures > 0;
  }
  return bad ? 1 : 0;
}

/* The folder of shared reference data, or NULL when this machine has none. */
static inline const char *check_shared(void) {
  const char *folder = getenv("BRIO_SHARED");
  if (folder) return folder;
  FILE *probe = fopen("../shared/data/README.md", "r");
  if (!probe) return NULL;
  fclose(probe);
  return "../shared";
}

/* How much of a long suite runs: 1 under `make test`, more under `make soak`. */
static inline double check_scale(void) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  return scale ? atof(scale) : 1;
}

#define CHECK_TEST(function) {#function, function}
#define CHECK_MAIN(...)                                                                  \
  int main(int argc, char **argv) {                                                      \
    static const check_test tests[] = {__VA_ARGS__};                                     \
    return check_run(tests, (int)(sizeof tests / sizeof *tests), argc > 1 ? argv[1] : NULL); \
  }

#endif
