/* Shared by the files of the front: front.c (the script thread's side), loop.c and those of client.h (the
** front thread's), socket.c (the socket's location) and request.c (parsing of lines). */
#ifndef BRIO_RUNTIME_FRONT_FRONT_INTERNAL_H
#define BRIO_RUNTIME_FRONT_FRONT_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "base/threads/ring.h"
#include "runtime/front/front.h"
#include "runtime/live_poses.h"

enum {
  BRIO_FRONT_INBOX = 32,     /* messages that may wait for the script thread */
  BRIO_FRONT_FOR_STOPS = 4,  /* of them for stops */
  BRIO_FRONT_OUTBOX = 64,    /* lines that may wait for the front thread */
  BRIO_FRONT_FOR_REPLIES = 32, /* of them for replies */
  BRIO_FRONT_PATH = 108,     /* bytes for the path in a socket's address */
};

/* An outgoing line; client 0: to all. */
typedef struct brio_front_parcel {
  uint32_t client;
  int64_t id; /* the request that it answers; 0: none */
  bool push;  /* a client that reads too slowly does not get it */
  size_t length;
  char line[BRIO_FRONT_LINE];
} brio_front_parcel;

/* A socket in the file system. */
typedef struct brio_front_socket {
  int fd;                         /* bound, not listening yet; -1: none */
  dev_t device;
  ino_t inode;
  char path[BRIO_FRONT_PATH];
  char token[33];                 /* "": none is needed */
  char token_path[BRIO_FRONT_PATH + 8];
  char warning[640];              /* why it is not at its usual place; "": it is */
} brio_front_socket;

typedef struct brio_front_loop brio_front_loop;
typedef struct brio_front_gamepad brio_front_gamepad;
typedef struct brio_front_tracker brio_front_tracker;
struct uv_loop_s;

struct brio_front {
  brio_front_message *inbox;        /* BRIO_FRONT_INBOX */
  brio_front_parcel *outbox;        /* BRIO_FRONT_OUTBOX */
  brio_ring inbox_full, inbox_free; /* of int: to the script thread, and back */
  brio_ring outbox_full, outbox_free; /* of int: to the front thread, and back */
  atomic_int stops, clients, sessions;
  atomic_llong dropped;             /* pushed lines that clients did not read in time */
  atomic_uint polls;                /* shows that the script thread responds */
  atomic_bool closing;
  char *about;                      /* JSON, or NULL */
  _Atomic(brio_live_poses *) poses; /* of the motor side; NULL: not known yet */
  brio_front_socket socket;
  brio_front_loop *loop;
  brio_front_gamepad_options gamepad_options;
  bool wants_gamepad;
  char panic[BRIO_FRONT_PANIC_INPUTS][BRIO_FRONT_NAME]; /* npanic */
  int npanic;
  brio_front_operator operators[BRIO_FRONT_OPERATORS]; /* noperators */
  int noperators, patience_ms;
  brio_front_gamepad *gamepad;      /* made by the loop; NULL: none */
  brio_front_tracker_options tracker_options;
  bool wants_tracker;
  brio_front_tracker *tracker;      /* made by the loop; NULL: none */
  pthread_t thread;
  bool runs;                        /* set by the thread */
};

/* A parsed request. */
typedef struct brio_front_request {
  brio_front_kind kind;
  bool asks;          /* false: it only introduces the client */
  int64_t id;
  char *text;         /* inside the line; ends in 0 */
  size_t length;
  const char *token;  /* inside the line, or NULL: these five */
  const char *who, *role, *session, *device;
  int64_t seen;       /* lines of its session that it has */
  bool pings, goes;   /* it requests the time; it says goodbye */
  double feed;        /* Hz of frames of poses; 0: none are requested */
  bool feed_command;  /* of commands; false: of measurements */
  double input, input_error, offset, offset_error; /* s; NaN: not given */
} brio_front_request;

/* Parse a line of `length` bytes and a terminating 0, which is changed in place: the request points into it.
** On failure the id is set if it was read.  Errors: format. */
bool brio_front_read_request(char *line, size_t length, brio_front_request *request, brio_error *err);

/* Bind a socket and create its token.  Errors: see brio_front_open. */
bool brio_front_bind(brio_front_socket *socket, const brio_front_options *options, brio_error *err);

/* Create a folder that only this user may enter, or check an existing one. If it is not safe, `why` has the
** reason, and one beside it is found or created: "<usual>.XXXXXX". `folder` receives the path. Errors:
** no_file. */
bool brio_front_folder(const char *usual, char *folder, size_t size, brio_error *why, brio_error *err);

/* Remove the socket, if it is still this one, and the token's file. */
void brio_front_unbind(brio_front_socket *socket);

/* Create the search for a gamepad in a loop, which closes the handles.  Errors: no_memory. */
brio_front_gamepad *brio_front_gamepad_new(const brio_front_gamepad_options *options, struct uv_loop_s *loop,
                                           brio_error *err);

/* Script thread: get the next event; false: none. */
bool brio_front_gamepad_next(brio_front_gamepad *self, brio_gamepad_event *event);

/* Free it, after the loop.  NULL is allowed. */
void brio_front_gamepad_free(brio_front_gamepad *self);

/* Listen to trackers in a loop, which closes the handles.  Errors: misuse (no address), io (the port),
** no_memory. */
brio_front_tracker *brio_front_tracker_new(const brio_front_tracker_options *options, struct uv_loop_s *loop,
                                           brio_error *err);

/* Script thread: get the next datagram; false: none.  And the number of dropped ones. */
bool brio_front_tracker_next(brio_front_tracker *self, brio_front_datagram *datagram);
int64_t brio_front_tracker_lost(brio_front_tracker *self);

/* Free it, after the loop.  NULL is allowed. */
void brio_front_tracker_free(brio_front_tracker *self);

/* Create the loop that listens on the front's socket.  Errors: limit, io, no_memory. */
brio_front_loop *brio_front_loop_new(brio_front *front, brio_error *err);

/* Front thread: run until the front closes. */
void *brio_front_loop_run(void *loop);

/* Wake the loop: there are lines to send, or the front closes (any thread). */
void brio_front_loop_wake(brio_front_loop *loop);

/* Free the loop, whose thread has ended or was never started. */
void brio_front_loop_free(brio_front_loop *loop);

#endif
