/* What the files of the front's own thread share: loop.c (connections, lines, the thread), send.c (what goes
** to clients), admit.c (who they are) and session.c (what is kept for one that comes back). */
#ifndef BRIO_RUNTIME_FRONT_CLIENT_H
#define BRIO_RUNTIME_FRONT_CLIENT_H

#include <sys/types.h>
#include <uv.h>

#include "base/text.h"
#include "runtime/front/front_internal.h"

/* Connections that have said no token yet, and those that are being closed, have places of their own besides
** the clients'. */
enum { BRIO_FRONT_DOOR = 16, BRIO_FRONT_PLACES = BRIO_FRONT_CLIENTS + BRIO_FRONT_DOOR + 8 };

enum { BRIO_FRONT_SESSION_ID = 33, BRIO_FRONT_ASKED = 64, BRIO_FRONT_KEPT = 256 * 1024 };

/* A client that may come back: the newest lines that were sent to it, and what it asked for. */
typedef struct brio_front_session {
  char id[BRIO_FRONT_SESSION_ID]; /* "": it is free */
  uint32_t number;                /* the client's */
  brio_front_role granted;
  uid_t uid;
  char who[BRIO_FRONT_WHO];
  int64_t away;                   /* ns, since when nobody is there; 0: somebody is */
  char *kept;                     /* BRIO_FRONT_KEPT bytes, a ring of whole lines */
  size_t head, used;              /* the oldest byte, and how many there are */
  uint64_t first, next;           /* numbers of the oldest line and of the one that comes next, from 1 */
  struct {
    int64_t id;
    uint64_t answer;              /* the number of the line that answered it; 0: none did yet */
  } asked[BRIO_FRONT_ASKED];
  unsigned asked_next;
} brio_front_session;

typedef struct brio_front_client {
  uv_pipe_t pipe;        /* first: a handle is its client */
  brio_front_loop *loop;
  brio_front_session *session; /* NULL: it does not come back */
  uint32_t number;
  bool used, closed;     /* closed: its handle is, and only its farewell is still to be told */
  bool admitted;         /* it may ask; else it has not said its token yet */
  bool settled;          /* it has said a line that counts: its place is its own */
  bool skipping;         /* the line that comes in is too long: until its end */
  bool arrives, known;   /* the script thread is to be told of it; it was */
  bool named;            /* its token says who it is */
  bool returns;          /* it has, or had, a session */
  bool goes;             /* it said goodbye */
  bool held, paused;     /* it says more than is taken; nothing is read meanwhile */
  bool owes;             /* the script thread is to be told that it is gone */
  brio_front_kind farewell;
  brio_front_role granted, role;
  brio_front_device device;
  uid_t uid;
  double allowance;      /* lines that it may say now */
  double offset, offset_error; /* s; NaN: not said */
  int64_t refilled;      /* ns: when that was looked at */
  /* ns: when the line that comes in began, or the connection; 0: nothing is waited for */
  int64_t since;
  int64_t wrong;         /* ns: when it said a wrong token; 0: it did not */
  int64_t wrong_id;
  int64_t dropped;       /* pushed lines that it did not read in time, since that was last said */
  size_t length;         /* bytes in line */
  char user[BRIO_FRONT_PERSON]; /* as the system knows it */
  char who[BRIO_FRONT_WHO];
  char line[BRIO_FRONT_LINE + 1];
} brio_front_client;

struct brio_front_loop {
  uv_loop_t uv;
  uv_pipe_t listener;
  uv_async_t wake;
  uv_timer_t guard;      /* runs from a stop until the script thread shows life */
  uv_timer_t look;       /* looks after who is waited for */
  brio_front *front;
  uint32_t next_number;
  bool waits;            /* a connection waits for a place */
  unsigned polls_at_stop;
  brio_text text;        /* of the line that is made */
  brio_front_session sessions[BRIO_FRONT_CLIENTS];
  brio_front_client clients[BRIO_FRONT_PLACES];
};

/* ---- loop.c ---- */

/* Tell the script thread that a client is gone, where it is to be told; its place is free then.  Later, where
** too much waits. */
void brio_front_client_farewell(brio_front_client *c);

/* ---- send.c ---- */

/* Whether something can be sent to it. */
bool brio_front_client_open(const brio_front_client *c);

/* Send it away. */
void brio_front_client_drop(brio_front_client *c);

/* Send whole lines, which end in newlines; `keep`: they are kept for its session, too. */
void brio_front_client_send(brio_front_client *c, const char *bytes, size_t length, bool keep);

/* Begin the answer to request `id`: the caller adds fields, and ends it. */
brio_text *brio_front_client_begin(brio_front_loop *loop, int64_t id);
void brio_front_client_end(brio_front_client *c, int64_t id, brio_text *text);

/* Answer request `id` with one field, a sentence. */
void brio_front_client_answer(brio_front_client *c, int64_t id, const char *field, const char *sentence);

/* Send what the script thread has for clients, and for sessions whose clients are gone. */
void brio_front_client_send_outbox(brio_front_loop *loop);

/* ---- admit.c ---- */

/* Who is at the other end, as the system knows it; whoever needs no token is let in.  Where too many are
** there, one that has said no token is sent away, or this one. */
void brio_front_client_meet(brio_front_client *c);

/* Take what a request says of its client: token, role, name, device.  False: it was refused, and told so. */
bool brio_front_client_admit(brio_front_client *c, const brio_front_request *request);

/* Answer who introduces itself, and give it its session, or a new one, where it asks for one. */
void brio_front_client_welcome(brio_front_client *c, const brio_front_request *request);

/* Tell who said a wrong token that it was wrong, and send it away, when its time is over. */
void brio_front_client_refuse_late(brio_front_client *c, int64_t now);

/* ---- session.c ---- */

/* Take a free session, or the one that is away for the longest; NULL: there is none, or no memory. */
brio_front_session *brio_front_session_new(brio_front_loop *loop);

/* The session of that id; NULL: there is none any more.  How long it takes does not tell how much of the id
** was right. */
brio_front_session *brio_front_session_find(brio_front_loop *loop, const char *id);

/* Keep a whole line, which ends in a newline. */
void brio_front_session_keep(brio_front_session *s, const char *line, size_t length);

/* Whether request `id` was asked before; else it is noted.  `lost`: its answer came, and is not kept any
** more. */
bool brio_front_session_repeats(brio_front_session *s, int64_t id, bool *lost);

/* Request `id` is answered by the line that is kept next. */
void brio_front_session_answered(brio_front_session *s, int64_t id);

/* Add the lines after the first `seen` to a text; return how many of those are lost. */
uint64_t brio_front_session_rest(const brio_front_session *s, uint64_t seen, brio_text *text);

/* Forget sessions that were away for too long; at the end, all. */
void brio_front_session_forget(brio_front_loop *loop, int64_t now, bool all);

/* Compare two texts in a time that tells nothing but the length of `given`. */
bool brio_front_same(const char *secret, const char *given);

#endif
