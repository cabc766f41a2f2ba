/* Whole messages out of a stream of bytes: lines of JSON, and binary messages, which say their length.  A
** message that is longer than there is room for is passed over, to its end, whatever its length. */
#ifndef BRIO_FEED_MESSAGES_LINES_H
#define BRIO_FEED_MESSAGES_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* What binary messages begin with, and how long they are. */
typedef struct brio_feed_binary {
  size_t head;          /* bytes that tell it */
  size_t (*length)(const char *head); /* 0: it is no such message */
} brio_feed_binary;

typedef struct brio_feed_lines {
  char *bytes;          /* room: what has come and is not taken yet */
  size_t room, count, taken;
  bool passing;         /* over the rest of a line that is too long */
  size_t skip;          /* bytes that are left of a binary message that is too long */
  brio_feed_binary binary;
} brio_feed_lines;

typedef enum brio_feed_piece { BRIO_FEED_NOTHING, BRIO_FEED_WHOLE, BRIO_FEED_TOO_LONG } brio_feed_piece;

/* Begin with room for messages of `room` bytes.  Return false without memory. */
bool brio_feed_lines_start(brio_feed_lines *lines, size_t room, brio_feed_binary binary);
void brio_feed_lines_end(brio_feed_lines *lines);

/* Forget what has come. */
void brio_feed_lines_clear(brio_feed_lines *lines);

/* Where the next bytes go, and how many may; afterwards say how many came. */
char *brio_feed_lines_back(brio_feed_lines *lines, size_t *room);
void brio_feed_lines_add(brio_feed_lines *lines, size_t count);

/* The next whole message, without the end of its line; empty lines are passed over.  `bytes` stand until more
** is added. TOO_LONG is told once for each such message. */
brio_feed_piece brio_feed_lines_next(brio_feed_lines *lines, const char **bytes, size_t *length);

/* Whether a message has begun and not ended. */
bool brio_feed_lines_cut(const brio_feed_lines *lines);

#endif
