/* Requests to a detector: one at a time, with a number, sent repeatedly until it is acknowledged, and again
** to a sender that has reconnected.  A request contains the whole configuration, so only the newest matters.
**
** The script thread sets the request (brio_feed_control_ask) and reads its status (brio_feed_control_look);
** the feed's thread sends and receives. */
#ifndef BRIO_FEED_CONTROL_H
#define BRIO_FEED_CONTROL_H

#include "base/threads/triple.h"
#include "feed/messages/message.h"

enum { BRIO_FEED_REQUEST = 16384 /* most bytes of a request */ };

typedef struct brio_feed_request {
  int64_t number;             /* 0: none yet */
  size_t length;
  char text[BRIO_FEED_REQUEST]; /* a line of JSON with its end; length 0: nothing to send */
  brio_feed_wanted wanted;    /* applied here, in addition to the sender */
} brio_feed_request;

/* Status of the newest request. */
typedef struct brio_feed_talk {
  int64_t number;             /* the newest that was sent; 0: none */
  int64_t acknowledged;       /* the newest that was answered; 0: none */
  int sends;                  /* how often the newest was sent */
  char refused[BRIO_FEED_WORDS]; /* the detector's objection; "": none */
} brio_feed_talk;

typedef struct brio_feed_control {
  brio_triple requests;       /* of brio_feed_request */
  brio_triple talks;          /* of brio_feed_talk */
  brio_feed_talk talk;        /* the thread's own */
  bool waiting;               /* for an answer */
  int64_t next, pause;        /* ns: when it is sent again; the interval after that */
} brio_feed_control;

/* Sends bytes to the sender; false: none, or no room. */
typedef bool (*brio_feed_send)(void *context, const char *bytes, size_t length);

/* Initialize.  Return false without memory. */
bool brio_feed_control_start(brio_feed_control *control);
void brio_feed_control_end(brio_feed_control *control);

/* Script thread: set the request, replacing the one before. */
void brio_feed_control_ask(brio_feed_control *control, const brio_feed_request *request);

/* Script thread: read its status. */
const brio_feed_talk *brio_feed_control_look(brio_feed_control *control);

/* Feed's thread: send the request if it is due at `now` (ns).  Return it when it is a new one, else NULL. */
const brio_feed_request *brio_feed_control_work(brio_feed_control *control, int64_t now, brio_feed_send send,
                                                void *context);

/* Feed's thread: process an answer. */
void brio_feed_control_hear(brio_feed_control *control, const brio_feed_answer *answer);

/* Feed's thread: the sender is another one, or has reconnected: it does not know the request. */
void brio_feed_control_again(brio_feed_control *control);

#endif
