/* Errors as sentences: what was wrong, with its cause, in a structure of the caller. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

bool brio_fail(brio_error *err, brio_code code, const char *format, ...) {
  if (!err) return false;
  err->code = code;
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return false;
}

bool brio_fail_in(brio_error *err, const char *format, ...) {
  /* The sentence is copied first, as the message is written in place, behind the new text. */
  if (!err) return false;
  char sentence[sizeof err->message];
  memcpy(sentence, err->message, sizeof sentence);
  va_list args;
  va_start(args, format);
  int used = vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  /* A prefix that fills the message leaves no room for the sentence. */
  if (used >= 0 && (size_t)used < sizeof err->message)
    snprintf(err->message + used, sizeof err->message - (size_t)used, ": %s", sentence);
  return false;
}

/* Indexed by the cause: a new one must have its row here, or it would be NULL. */
const char *brio_code_name(brio_code code) {
  static const char *const names[BRIO_NCODE] = {
      [BRIO_OK] = "ok",           [BRIO_MISUSE] = "misuse",
      [BRIO_NO_FILE] = "no_file", [BRIO_IO] = "io",
      [BRIO_FORMAT] = "format",   [BRIO_LIMIT] = "limit",
      [BRIO_DEVICE] = "device",   [BRIO_NO_MEMORY] = "no_memory",
      [BRIO_UNREACHABLE] = "unreachable"};
  return (unsigned)code < BRIO_NCODE ? names[code] : "unknown";
}
