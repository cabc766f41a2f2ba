/* The program that runs the suites linked into it.
**   PROGRAM --list             prints the names of its suites
**   PROGRAM [SUITE [PART]]     runs all suites, one, or those of its tests whose names contain PART
** Exit code: 0 when no test failed, 1 otherwise, 2 when there is no such suite. */
#include "tests/check.h"

int check_failures;
const char *check_skip;
char check_own[32];

static check_suite *suites, **suites_end = &suites;

void check_add(check_suite *suite) {
  *suites_end = suite;
  suites_end = &suite->next;
}

/* The name of a suite: its file without folder and ".c". */
static const char *name_of(const check_suite *suite, char *name, size_t size) {
  const char *slash = strrchr(suite->file, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : suite->file);
  char *dot = strrchr(name, '.');
  if (dot) *dot = '\0';
  return name;
}

static int run_suite(const check_suite *suite, const char *part) {
  int bad = 0;
  for (int i = 0; i < suite->count; i++) {
    const check_test *test = &suite->tests[i];
    if (part && !strstr(test->name, part)) continue;
    check_failures = 0;
    check_skip = NULL;
    test->run();
    if (check_skip) printf("skip %s: %s\n", test->name, check_skip);
    else printf("%s %s\n", check_failures ? "not ok" : "ok", test->name);
    bad += check_failures > 0;
  }
  return bad;
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : NULL, *part = argc > 2 ? argv[2] : NULL;
  int list = wanted && strcmp(wanted, "--list") == 0, found = 0, bad = 0;
  char name[128];
  setvbuf(stdout, NULL, _IOLBF, 0);
  snprintf(check_own, sizeof check_own, "check-%ld", (long)getpid());
  for (const check_suite *suite = suites; suite; suite = suite->next) {
    name_of(suite, name, sizeof name);
    if (list) printf("%s\n", name);
    else if (wanted && strcmp(wanted, name) != 0) continue;
    else bad += run_suite(suite, part);
    found = 1;
  }
  if (!found) fprintf(stderr, "%s: there is no suite %s; --list names them\n", argv[0], wanted ? wanted : "");
  return !found ? 2 : bad > 0;
}
