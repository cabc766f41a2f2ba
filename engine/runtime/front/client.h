/* Shared by the files of the front's thread: loop.c (connections, lines, the thread), send.c (output to
** clients), admit.c (authentication) and session.c (data kept for clients that come back). */
#ifndef BRIO_RUNTIME_FRONT_CLIENT_H
#define BRIO_RUNTIME_FRONT_CLIENT_H

#include <sys/types.h>
#include <uv.h>

#include "base/text.h"
#include "runtime/front/front_internal.h"
#include "runtime/live_poses.h"

/* Connections without a token yet, and those that are being closed, have slots of their own, apart from the
** clients'. */
enum { BRIO_FRONT_DOOR = 16, BRIO_FRONT_PLACES = BRIO_FRONT_CLIENTS + BRIO_FRONT_DOOR + 8 };

enum { BRIO_FRONT_SESSION_ID = 33, BRIO_FRONT_ASKED = 64, BRIO_FRONT_KEPT = 256 * 1024 };

/* A session of a client that may reconnect: the newest lines sent to it, and its requests. */
typedef struct brio_front_session {
  char id[BRIO_FRONT_SESSION_ID]; /* "": it is free */
  uint32_t number;                /* the client's */
  brio_front_role granted;
  uid_t uid;
  char who[BRIO_FRONT_WHO];
  int64_t away;                   /* ns, since when no client is connected; 0: one is */
  char *kept;                     /* BRIO_FRONT_KEPT bytes, a ring of whole lines */
  size_t head, used;              /* the oldest byte, and the number of bytes */
  uint64_t first, next;           /* numbers of the oldest line and of the next one, from 1 */
  struct {
    int64_t id;
    uint64_t answer;              /* the number of the line that answered it; 0: none yet */
  } asked[BRIO_FRONT_ASKED];
  unsigned asked_next;
} brio_front_session;

typedef struct brio_front_client {
  uv_pipe_t pipe;        /* first: a handle is cast to its client */
  brio_front_loop *loop;
  brio_front_session *session; /* NULL: no session */
  uint32_t number;
  bool used, closed;     /* its handle is closed; only its farewell is still to be reported */
  bool admitted;         /* it may send requests; else its token is still missing */
  bool settled;          /* it has sent a valid line, so it keeps its slot */
  bool skipping;         /* the current line is too long: skip to its end */
  bool arrives, known;   /* the script thread is to be informed of it; was informed */
  bool named;            /* its token identifies a person */
  bool returns;          /* it has, or had, a session */
  bool goes;             /* it said goodbye */
  bool held, paused;     /* it sends more than is accepted; reading is paused */
  bool owes;             /* the script thread is to be informed that it is gone */
  brio_front_kind farewell;
  brio_front_role granted, role;
  brio_front_device device;
  uid_t uid;
  pid_t pid;             /* that connected */
  double allowance;      /* lines that it may send now */
  double offset, offset_error; /* s; NaN: not given */
  int64_t feed_period, feed_due; /* ns: it gets frames of poses instead of lines; 0: lines */
  brio_live_source feed_source;
  int64_t refilled;      /* ns: when that was updated */
  /* ns: when the current line began, or the connection; 0: no timeout */
  int64_t since;
  int64_t wrong;         /* ns: when it sent a wrong token; 0: it did not */
  int64_t wrong_id;
  int64_t dropped;       /* pushed lines that it did not read in time, since the last report of them */
  size_t length;         /* bytes in line */
  char user[BRIO_FRONT_PERSON]; /* as the system knows it */
  char who[BRIO_FRONT_WHO];
  char line[BRIO_FRONT_LINE + 1];
} brio_front_client;

struct brio_front_loop {
  uv_loop_t uv;
  uv_pipe_t listener;
  uv_async_t wake;
  uv_timer_t guard;      /* runs from a stop until the script thread responds */
  uv_timer_t look;       /* checks timeouts of clients */
  uv_timer_t feed;       /* runs while a client gets frames of poses */
  brio_front *front;
  uint32_t next_number;
  bool waits;            /* a connection waits for a slot */
  unsigned polls_at_stop;
  brio_text text;        /* of the line being built */
  brio_front_session sessions[BRIO_FRONT_CLIENTS];
  brio_front_client clients[BRIO_FRONT_PLACES];
};

/* ---- loop.c ---- */

/* Report to the script thread that a client is gone, if it has to know; the slot is free then.  Deferred
** while the ring is full. */
void brio_front_client_farewell(brio_front_client *c);

/* ---- send.c ---- */

/* Whether a client can be sent lines. */
bool brio_front_client_open(const brio_front_client *c);

/* Send it away. */
void brio_front_client_drop(brio_front_client *c);

/* Send whole lines, which end in newlines; `keep`: also keep them for its session. */
void brio_front_client_send(brio_front_client *c, const char *bytes, size_t length, bool keep);

/* Begin the answer to request `id`: the caller adds fields, then ends it. */
brio_text *brio_front_client_begin(brio_front_loop *loop, int64_t id);
void brio_front_client_end(brio_front_client *c, int64_t id, brio_text *text);

/* Answer request `id` with one field, a sentence. */
void brio_front_client_answer(brio_front_client *c, int64_t id, const char *field, const char *sentence);

/* Send the script thread's lines to clients, and to sessions whose clients are gone. */
void brio_front_client_send_outbox(brio_front_loop *loop);

/* ---- feed.c ---- */

/* Give a client frames of poses from now on, instead of lines. */
void brio_front_client_feed(brio_front_client *c, const brio_front_request *request);

/* ---- admit.c ---- */

/* Identify the peer by the system's credentials; admit it if it needs no token.  If all slots are taken, drop
** a connection that never sent a line, or this one. */
void brio_front_client_meet(brio_front_client *c);

/* Whether there is a place for one more client, or one that never sent a line and would make way. */
bool brio_front_client_may_come(brio_front_loop *loop);

/* Apply what a request has about its client: token, role, name, device.  False: refused, and notified. */
bool brio_front_client_admit(brio_front_client *c, const brio_front_request *request);

/* Answer a client's introduction, and give it its session, or a new one if it requests one. */
void brio_front_client_welcome(brio_front_client *c, const brio_front_request *request);

/* Notify clients of a wrong token, and drop them once their time is over. */
void brio_front_client_refuse_late(brio_front_client *c, int64_t now);

/* ---- session.c ---- */

/* Return a free session, or the one that is away for the longest; NULL: none, or no memory. */
brio_front_session *brio_front_session_new(brio_front_loop *loop);

/* Return the session of that id, or NULL.  Its time does not depend on how much of the id is right. */
brio_front_session *brio_front_session_find(brio_front_loop *loop, const char *id);

/* Keep a whole line, which ends in a newline. */
void brio_front_session_keep(brio_front_session *s, const char *line, size_t length);

/* Whether request `id` was received before; else note it.  `lost`: its answer was sent and is not kept any
** more. */
bool brio_front_session_repeats(brio_front_session *s, int64_t id, bool *lost);

/* The line that is kept next answers request `id`. */
void brio_front_session_answered(brio_front_session *s, int64_t id);

/* Append the lines after the first `seen` to a text; return how many of them are lost. */
uint64_t brio_front_session_rest(const brio_front_session *s, uint64_t seen, brio_text *text);

/* Free sessions that were away for too long; at the end, all. */
void brio_front_session_forget(brio_front_loop *loop, int64_t now, bool all);

/* Compare two texts in a time that depends on the length of `given` only. */
bool brio_front_same(const char *secret, const char *given);

#endif
