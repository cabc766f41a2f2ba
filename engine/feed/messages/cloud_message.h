/* Clouds as messages: raw frames (cloud/files/file.h), pieces of them where a datagram is too small for one,
** and lines of JSON for small ones.  docs/perception/detectors.md has them. */
#ifndef BRIO_FEED_MESSAGES_CLOUD_MESSAGE_H
#define BRIO_FEED_MESSAGES_CLOUD_MESSAGE_H

#include "cloud/files/file.h"
#include "feed/meter.h"

enum {
  BRIO_FEED_PIECE_HEAD = 24,  /* bytes before those of a piece */
  BRIO_FEED_PIECES = 16384,   /* of one frame, at most */
};

/* A raw frame that comes in pieces. */
typedef struct brio_feed_puzzle {
  unsigned char *bytes;       /* room */
  size_t room;
  uint32_t number;            /* of the frame */
  uint32_t length, size;      /* of the whole, and of each piece but the last */
  int pieces, missing;        /* missing 0: nothing has begun, or it is whole */
  uint8_t here[BRIO_FEED_PIECES / 8];
} brio_feed_puzzle;

/* Begin with room for frames of `room` bytes.  Return false without memory. */
bool brio_feed_puzzle_start(brio_feed_puzzle *puzzle, size_t room);
void brio_feed_puzzle_end(brio_feed_puzzle *puzzle);

/* Whether bytes are a piece. */
bool brio_feed_is_piece(const char *bytes, size_t length);

/* Forget the frame that is assembled, whole or not: its sender is gone, and the next one may count alike. */
void brio_feed_puzzle_forget(brio_feed_puzzle *puzzle, brio_feed_meter *meter);

/* Add a piece.  Return whether the frame is whole now: puzzle->length bytes at puzzle->bytes.  Invalid pieces
** are counted, and so are frames that another one overtakes. */
bool brio_feed_puzzle_take(brio_feed_puzzle *puzzle, const char *bytes, size_t length,
                           brio_feed_meter *meter);

/* Read a cloud: a raw frame, a file's bytes, or a line of JSON {"t", "frame", "width", "points", "colors"}.
** Refusals are counted. */
bool brio_feed_read_cloud(const char *bytes, size_t length, const brio_cloud_settings *settings,
                          brio_cloud *cloud, brio_feed_meter *meter);

#endif
