/* Lua's patterns, matched so that they can be interrupted: a pattern that backtracks for hours calls a
** function at intervals that decides whether to continue.  Independent of Lua. */
#ifndef BRIO_LUA_BASE_PATTERN_H
#define BRIO_LUA_BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum {
  BRIO_PATTERN_CAPTURES = 32,  /* in one pattern */
  BRIO_PATTERN_DEPTH = 200,    /* of items that may be backtracked */
  BRIO_PATTERN_STEPS = 1024,   /* steps between two calls of the function */
  BRIO_PATTERN_OPEN = -1,      /* length of a capture that is not closed */
  BRIO_PATTERN_POSITION = -2,  /* length of a capture that is a position: () */
};

typedef struct brio_pattern_capture {
  const char *start;
  ptrdiff_t length; /* bytes, or one of the two above */
} brio_pattern_capture;

/* A text and a pattern; neither is copied, neither need end with a zero. */
typedef struct brio_pattern {
  const char *text, *text_end;
  const char *pattern, *pattern_end; /* without the anchor ^, which the caller handles */
  char first;                        /* first character of every match; 0: not fixed */
  bool (*stop)(void *context);       /* called while it matches; NULL: never interrupted */
  void *context;
  size_t steps;   /* since its last call */
  int depth;      /* current depth of recursion */
  int count;      /* captures of the last match */
  brio_pattern_capture capture[BRIO_PATTERN_CAPTURES];
  bool stopped;   /* `stop` returned true */
  bool failed;    /* interrupted, or the pattern is wrong: `err` has the error */
  brio_error err;
} brio_pattern;

/* Match the whole pattern at `at`, inside the text; return the end of the match, or NULL: no match, or
** `failed`.  `failed` is permanent.  Errors: misuse (the pattern), limit (stopped). */
const char *brio_pattern_match(brio_pattern *self, const char *at);

/* Return the character with which every match begins; 0: it may begin with several. */
char brio_pattern_first(const brio_pattern *self);

/* Return the first place from `from` on, inside the text, where a match may begin; NULL: none. */
const char *brio_pattern_seek(brio_pattern *self, const char *from);

/* Match at `from` or, unless `anchored`, at the first place after it that matches; return where, and
** set *end; NULL: as above. */
const char *brio_pattern_find(brio_pattern *self, const char *from, bool anchored, const char **end);

/* Whether a pattern is plain text, without special characters. */
bool brio_pattern_plain(const char *pattern, size_t length);

#endif
