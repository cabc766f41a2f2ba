/* How C code in brio fails: a function returns false (or NULL) and leaves in a
** brio_error one sentence a user can act on: what was wrong, where (file, line,
** name) and what was expected.  Nothing exits or prints.
** An assert states an invariant of the code itself, never of its input. */
#ifndef BRIO_BASE_ERROR_H
#define BRIO_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/* The closed set of causes.  BRIO_MISUSE raises in Lua; every other cause
** returns nil, sentence, code. */
typedef enum brio_code {
  BRIO_OK = 0,
  BRIO_MISUSE,      /* the caller's fault: a bad argument, an unknown name */
  BRIO_NO_FILE,     /* a file or folder is absent or may not be read */
  BRIO_IO,          /* reading or writing failed: full disk, hang-up */
  BRIO_FORMAT,      /* a file or message has invalid content */
  BRIO_LIMIT,       /* too large, too deep, too many, too late */
  BRIO_NO_MEMORY,
  BRIO_DEVICE,      /* a device refuses, fails or is silent */
  BRIO_UNREACHABLE, /* no pose or path meets the request */
  BRIO_NCODE
} brio_code;

typedef struct brio_error {
  brio_code code;
  char message[1024]; /* one sentence, no newline at its end */
} brio_error;

/* Fill `err` (may be NULL) with a cause and a formatted sentence; return false,
** so that a failing function can end with `return brio_fail(...)`. */
bool brio_fail(brio_error *err, brio_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put a formatted text and ": " before the sentence already in `err`; return false. */
bool brio_fail_in(brio_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return the short name Lua sees for a cause: "misuse", "no_file", ... */
const char *brio_code_name(brio_code code);

#endif
