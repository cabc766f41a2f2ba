/* Internals of a feed, shared by the files of the room. */
#ifndef BRIO_FEED_FEED_INTERNAL_H
#define BRIO_FEED_FEED_INTERNAL_H

#include <pthread.h>

#include "feed/clouds.h"
#include "feed/feed.h"
#include "feed/look.h"
#include "feed/messages/cloud_message.h"
#include "feed/messages/lines.h"
#include "feed/offset.h"

enum {
  BRIO_FEED_WAIT_MS = 20,   /* the longest that a place waits for input */
  BRIO_FEED_WAITING = 16,   /* frames that may wait for the tick */
  BRIO_FEED_SENDER = 128,   /* bytes of a sender's name */
};

/* A kind of place from which messages come. */
typedef struct brio_feed_place {
  const char *name;         /* the part before the colon */
  bool live;                /* live: not for the fast clock */
  bool two_way;
  bool datagrams;           /* clouds come in pieces */
  bool contents[2];         /* supports detections, clouds */
  /* Open the part after the colon; the state is the feed's `link`. */
  bool (*open)(brio_feed *feed, const char *rest, brio_error *err);
  /* Wait briefly, and receive pending messages. */
  void (*work)(brio_feed *feed);
  /* The sender of the current message becomes the feed's sender: call brio_feed_greet; NULL: there is only
  ** one. */
  void (*greet)(brio_feed *feed);
  /* Send to the sender; NULL: not possible. */
  bool (*send)(brio_feed *feed, const char *bytes, size_t length);
  void (*close)(brio_feed *feed);
} brio_feed_place;

extern const brio_feed_place *const brio_feed_places[]; /* ends at NULL */

struct brio_feed {
  brio_feed_options options; /* every 0 replaced by its default; `where` is the place's below */
  const brio_feed_place *place;
  void *link;               /* the place's */
  pthread_t thread;
  bool started;
  atomic_bool ends, over;
  brio_feed_meter meter;
  brio_feed_offset offset;
  brio_feed_control control;
  brio_feed_reading reading;
  brio_feed_message message; /* that is read */
  brio_ring frames;         /* of brio_feed_frame */
  brio_feed_looker *looker; /* NULL: no depth */
  brio_feed_clouds clouds;
  brio_feed_keep keep;      /* of clouds */
  brio_feed_puzzle puzzle;  /* of clouds in datagrams */
  int64_t piece_at;         /* ns: when its last piece came */
  char axes[64], frame[BRIO_CLOUD_FRAME]; /* of the options */
  double tokens;            /* of the rate: messages that may be read now */
  int64_t filled;           /* ns: when tokens were added last */
  int64_t last_number;      /* of the sender's messages; -1: none */
  int behind;               /* consecutive messages whose numbers are not above it */
  int64_t last_at;          /* ns: when it was last received from; 0: never */
  int senders;              /* heard so far */
  atomic_int jumps;
  brio_triple names;        /* of the sender: char[BRIO_FEED_SENDER] */
  char where[128];
  brio_feed_frame next;     /* the tick's: fetched, perhaps not due */
  bool fetched;
  brio_feed_wanted wanted;  /* the tick's: the newest request */
  brio_feed_meter own;      /* the tick's: messages that it rejects in lockstep, without sentences */
  struct {
    brio_feed_counts counts; /* of the frame that was accepted last */
    /* accepted; rejected here: too old, unknown frame, no position */
    int64_t frames, detections, old, lost, placeless;
    double at;              /* s of the run: the newest; NAN: none yet */
    bool over;              /* end of the file */
    char hash[BRIO_FEED_HASH]; /* of the newest cloud */
    int64_t length;
  } taken;                  /* the tick's */
};

/* Thread: process a message received at `received` (ns).  `known`: it is from the current sender; another one
** is accepted when that is silent, and replaces it by a valid message.  Return whether the message is
** valid. */
bool brio_feed_hear(brio_feed *feed, const char *bytes, size_t length, int64_t received, bool known);

/* Thread: process the whole messages of a buffer, and refuse those that are too long.  *known, as above, is
** read before each: the first valid message may set it. */
void brio_feed_hear_lines(brio_feed *feed, brio_feed_lines *lines, const bool *known);

/* Thread: whether the current sender has been silent so long that another is accepted. */
bool brio_feed_is_free(const brio_feed *feed, int64_t now);

/* Thread: the current sender changes. */
void brio_feed_greet(brio_feed *feed, const char *name);

/* Thread: hand over a frame that is complete, waiting for room where `patient` (a file).  Return false when
** there is none. */
bool brio_feed_hand_over(brio_feed *feed, brio_feed_frame *frame, bool patient);

/* Thread: hand over the cloud that brio_feed_clouds_back gave: seen at `sensed`, counting from `due` on (see
** brio_feed_frame). */
void brio_feed_hand_over_cloud(brio_feed *feed, double sensed, double due);

/* The longest message, and what binary ones begin with. */
size_t brio_feed_longest(const brio_feed *feed);
brio_feed_binary brio_feed_binary_of(const brio_feed *feed);

/* Thread: sleep. */
void brio_feed_rest(int milliseconds);

#endif
