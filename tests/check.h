/* The macros that C unit tests are written with.  A test file is a suite: a list of functions named
** by CHECK_SUITE.  The suites of a room are linked into one program (see check.c), which prints
** "ok NAME" or "not ok NAME" for each test; lines below a failed one say what was wrong.
** "skip NAME: WHY" stands for a test that cannot run on this machine. */
#ifndef BRIO_TESTS_CHECK_H
#define BRIO_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct check_test { const char *name; void (*run)(void); } check_test;

typedef struct check_suite {
  const char *file; /* as the compiler was given it */
  const check_test *tests;
  int count;
  struct check_suite *next;
} check_suite;

extern int check_failures;     /* of the running test */
extern const char *check_skip; /* why the running test cannot run, or NULL */
extern char check_own[32];     /* a name that no other process has, for locks that are shared by a machine */

/* Add a suite to this program's list; CHECK_SUITE calls it before main. */
void check_add(check_suite *suite);

/* Fail the test, with the place and the condition, unless `condition` holds. */
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

enum { CHECK_PATIENCE = 240 }; /* s: a machine that is busy, or stops for a while, is waited for */

/* Wait until `condition` holds, with `step` before each check but the first; fail when it never does.  The
** failure prints the condition, and then the arguments, which describe the state.  Pauses are counted, not
** the clock: a machine that stalls uses up none of the patience. */
#define CHECK_AWAIT(condition, step, ...)                                                 \
  do {                                                                                   \
    int check_met = 0;                                                                   \
    for (int check_n = 0; !(check_met = !!(condition)) && check_n < CHECK_PATIENCE * 500; check_n++) { \
      step;                                                                              \
      usleep(2000);                                                                      \
    }                                                                                    \
    if (!check_met && check_failures++ < 5) {                                            \
      printf("#   %s:%d: waited %d s for %s: ", __FILE__, __LINE__, (int)CHECK_PATIENCE, #condition); \
      printf(__VA_ARGS__);                                                               \
      printf("\n");                                                                      \
    }                                                                                    \
  } while (0)

/* Fail unless `text` contains `piece`. */
#define CHECK_HAS(text, piece) CHECK(strstr((text), (piece)) != NULL, "'%s' in '%s'", (piece), (text))

/* Leave the test, which cannot run here. */
#define SKIP(why) do { check_skip = (why); return; } while (0)

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
#define CHECK_SUITE(...)                                                                 \
  static const check_test check_tests[] = {__VA_ARGS__};                                 \
  static check_suite check_this = {__FILE__, check_tests, sizeof check_tests / sizeof *check_tests, NULL}; \
  __attribute__((constructor)) static void check_register(void) { check_add(&check_this); }

#endif
