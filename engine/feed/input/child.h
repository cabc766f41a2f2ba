/* A program that is started for a feed: it writes messages to its standard output and reads requests from its
** standard input, whose end tells it to end.  Its errors go nowhere: what it has to say are messages. */
#ifndef BRIO_FEED_INPUT_CHILD_H
#define BRIO_FEED_INPUT_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

typedef struct brio_feed_child {
  pid_t pid;   /* 0: none */
  int in, out; /* to its standard input, from its standard output; -1: closed */
} brio_feed_child;

/* Start "PROGRAM WORD ...": words are separated by spaces; "%20" and so on stand for bytes of a word.  The
** program is looked for in PATH unless its name has a slash.  Errors: no_file (it is not there), misuse
** (no name, too long), io. */
bool brio_feed_child_start(brio_feed_child *child, const char *command, brio_error *err);

/* End it: its input is closed, and after `patience` ms it is killed, with what it has started.  Writes
** how it ended, a phrase; `why` may be NULL.  Return its exit code, or -1: it ended by a signal. */
int brio_feed_child_end(brio_feed_child *child, int patience, char *why, size_t room);

#endif
