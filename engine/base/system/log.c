/* A log writes lines whose level is at least its own; where to is up to its owner. */
#include "base/system/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In the order of brio_log_level. */
static const char *const names[] = {"debug", "info", "warning", "error", "silent"};
#define NLEVEL (sizeof names / sizeof *names)

void brio_log_write(const brio_log *log, brio_log_level level, const char *format, ...) {
  /* Nothing is formatted for a line that is not written. */
  if (!log || !log->write || level < log->least) return;
  /* A longer line is cut. */
  char sentence[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  log->write(log->context, level, sentence);
}

const char *brio_log_level_name(brio_log_level level) {
  return (size_t)level < NLEVEL ? names[level] : "unknown";
}

bool brio_log_level_find(const char *name, brio_log_level *level) {
  /* Linear: there are five levels. */
  for (size_t i = 0; i < NLEVEL; i++)
    if (strcmp(names[i], name) == 0) return *level = (brio_log_level)i, true;
  return false;
}

void brio_log_to_stderr(void *context, brio_log_level level, const char *sentence) {
  /* Information has no level in front of it: "brio: ...", else "brio: warning: ...". */
  (void)context;
  fprintf(stderr, "brio: %s%s%s\n", level == BRIO_LOG_INFO ? "" : brio_log_level_name(level),
          level == BRIO_LOG_INFO ? "" : ": ", sentence);
}
