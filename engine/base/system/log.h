/* Messages of the engine to a person while it works.  A log is a place to write to
** and a least level; it is passed to the code that may write, and never global. */
#ifndef BRIO_BASE_SYSTEM_LOG_H
#define BRIO_BASE_SYSTEM_LOG_H

#include <stdbool.h>

typedef enum brio_log_level {
  BRIO_LOG_DEBUG,
  BRIO_LOG_INFO,
  BRIO_LOG_WARNING,
  BRIO_LOG_ERROR,
  BRIO_LOG_SILENT, /* as a least level: no messages */
} brio_log_level;

typedef struct brio_log {
  brio_log_level least;
  void (*write)(void *context, brio_log_level level, const char *sentence);
  void *context;
} brio_log;

/* Write one formatted line if `level` is at least the log's.  `log` may be NULL. */
void brio_log_write(const brio_log *log, brio_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Return "debug", "info", "warning", "error" or "silent". */
const char *brio_log_level_name(brio_log_level level);

/* Find a level by name.  Return false if no level has that name. */
bool brio_log_level_find(const char *name, brio_log_level *level);

/* A `write` for a log: one line "brio: warning: ..." to standard error. */
void brio_log_to_stderr(void *context, brio_log_level level, const char *sentence);

#endif
