/* Whole messages out of a stream of bytes: lines of JSON, and binary messages, which contain their length.  A
** message that is longer than the buffer is skipped, to its end. */
#ifndef BRIO_FEED_MESSAGES_LINES_H
#define BRIO_FEED_MESSAGES_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Header of binary messages, and their length. */
typedef struct brio_feed_binary {
  size_t head;          /* bytes that contain the length */
  size_t (*length)(const char *head); /* 0: invalid */
} brio_feed_binary;

typedef struct brio_feed_lines {
  char *bytes;          /* room: received bytes that are not consumed yet */
  size_t room, count, taken;
  bool passing;         /* skipping the rest of a line that is too long */
  size_t skip;          /* bytes left of a binary message that is too long */
  brio_feed_binary binary;
} brio_feed_lines;

typedef enum brio_feed_piece { BRIO_FEED_NOTHING, BRIO_FEED_WHOLE, BRIO_FEED_TOO_LONG } brio_feed_piece;

/* Initialize with room for messages of `room` bytes.  Return false without memory. */
bool brio_feed_lines_start(brio_feed_lines *lines, size_t room, brio_feed_binary binary);
void brio_feed_lines_end(brio_feed_lines *lines);

/* Drop the received bytes. */
void brio_feed_lines_clear(brio_feed_lines *lines);

/* Where to write the next bytes, and how many; afterwards report how many came. */
char *brio_feed_lines_back(brio_feed_lines *lines, size_t *room);
void brio_feed_lines_add(brio_feed_lines *lines, size_t count);

/* The next whole message, without the end of its line; empty lines are skipped.  `bytes` are valid until more
** are added. TOO_LONG is returned once for each such message. */
brio_feed_piece brio_feed_lines_next(brio_feed_lines *lines, const char **bytes, size_t *length);

/* At the end of a file or a connection, whose last line may lack its newline: the JSON object that is left,
** if it has its end.  Return whether there is one; it is then consumed. */
bool brio_feed_lines_last(brio_feed_lines *lines, const char **bytes, size_t *length);

/* Whether a message has begun and not ended. */
bool brio_feed_lines_cut(const brio_feed_lines *lines);

#endif
