/* The front: a thread that serves people's prompts over a Unix socket, so that the script thread never waits
** for a client.
**
** Complete, bounded messages go to the script thread through a ring; answers and log lines come back through
** another.  The slots of both are allocated when the front is opened.  A request to stop takes effect at
** once, even while a script runs, and ends a script that spins.
**
** The protocol is one JSON object a line, of at most BRIO_FRONT_LINE bytes: docs/operators/prompt.md.  Roles
** and reconnection: docs/operators/operators.md. */
#ifndef BRIO_RUNTIME_FRONT_FRONT_H
#define BRIO_RUNTIME_FRONT_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/gamepad.h"
#include "runtime/live_poses.h"

enum {
  BRIO_FRONT_LINE = 64 * 1024, /* bytes of a line, without its end, either way */
  BRIO_FRONT_CLIENTS = 32,     /* at most, at once */
  BRIO_FRONT_WHO = 96,         /* bytes of a client's name with its terminating 0 */
  BRIO_FRONT_OPERATORS = 32,   /* people with tokens of their own, at most */
  BRIO_FRONT_PERSON = 48,      /* bytes of such a person's name with its terminating 0 */
  BRIO_FRONT_TOKEN = 65,       /* bytes of a token with its terminating 0 */
};

/* Roles, each with the rights of those before: read; act; edit, reload and run Lua.  Everybody may stop. */
typedef enum brio_front_role { BRIO_FRONT_OBSERVER, BRIO_FRONT_WIZARD, BRIO_FRONT_AUTHOR } brio_front_role;

/* Where its lines come from. */
typedef enum brio_front_device { BRIO_FRONT_PROMPT, BRIO_FRONT_PIPE } brio_front_device;

/* A person who is identified by a token. */
typedef struct brio_front_operator {
  char name[BRIO_FRONT_PERSON];
  char token[BRIO_FRONT_TOKEN];
  brio_front_role role;
} brio_front_operator;

typedef struct brio_front brio_front;

enum {
  BRIO_FRONT_PANIC_INPUTS = 16,
  BRIO_FRONT_NAME = 64,
  BRIO_FRONT_PANIC_BUTTONS = 24,
  BRIO_FRONT_GAMEPAD_TEXT = 256
};

/* A gamepad to search for, and to search for again when it is unplugged. */
typedef struct brio_front_gamepad_options {
  char path[BRIO_FRONT_GAMEPAD_TEXT];  /* a device or a pipe; "": the first gamepad there is */
  char match[BRIO_FRONT_GAMEPAD_TEXT]; /* a piece of its name; "": any */
  int panic[BRIO_FRONT_PANIC_BUTTONS]; /* npanic codes of buttons that raise the panic stop at once */
  int npanic;
} brio_front_gamepad_options;

/* A UDP port of this machine to which trackers send poses. */
typedef struct brio_front_tracker_options {
  char host[64]; /* the IPv4 address to listen at; "": 127.0.0.1 */
  int port;
} brio_front_tracker_options;

/* A datagram. */
enum { BRIO_FRONT_DATAGRAM = 1200 }; /* bytes; longer ones are dropped */
typedef struct brio_front_datagram {
  int64_t received; /* ns of the monotonic clock */
  size_t length;
  char text[BRIO_FRONT_DATAGRAM];
} brio_front_datagram;

typedef struct brio_front_options {
  const char *socket; /* its path; NULL: <pid>.sock in the user's own folder */
  const char *group;  /* group that may connect as well with the token; NULL: nobody */
  const char *about;  /* a JSON value that describes the run to new clients; NULL: none */
  const brio_front_gamepad_options *gamepad; /* NULL: no gamepad */
  const brio_front_tracker_options *tracker; /* NULL: no trackers */
  const char *const *panic; /* npanic names of inputs: "input NAME true" raises the panic stop at once */
  int npanic;
  /* noperators; with them a group's members need a token of theirs */
  const brio_front_operator *operators;
  int noperators;
  int patience_ms; /* timeout for a token, or the end of a line; 0: 10 s and 30 s */
} brio_front_options;

/* Kinds of messages of a client. */
typedef enum brio_front_kind {
  BRIO_FRONT_SAY, BRIO_FRONT_COMPLETE, BRIO_FRONT_STOP, BRIO_FRONT_PANIC,
  BRIO_FRONT_ATTACHED, /* it connected, or reconnected: before its first request */
  BRIO_FRONT_LEFT,     /* it said goodbye */
  BRIO_FRONT_LOST      /* it disconnected without a goodbye */
} brio_front_kind;

/* A request.  A stop and a panic were already answered and are reported for the record; a message that
** reports who is connected has no reply.  Every other message expects one reply. */
typedef struct brio_front_message {
  brio_front_kind kind;
  uint32_t client;            /* the client's number, never used again; from 1 */
  int64_t id;                 /* the client's name for the request */
  int64_t received;           /* ns of the monotonic clock */
  /* s of that clock: when the key was pressed, as the client reports; NaN: not reported */
  double input, input_error;
  /* s: from the client's clock to this one, as it measured; NaN: same machine */
  double offset, offset_error;
  brio_front_role role;
  brio_front_device device;
  bool session;               /* it may reconnect, and keeps its number then */
  char who[BRIO_FRONT_WHO];
  size_t length;              /* of text */
  char text[BRIO_FRONT_LINE + 1]; /* ends in 0; may hold others */
} brio_front_message;

/* Open the socket, which only its user may use (mode 0600; with a group 0660), and start the
** thread.  `options` may be NULL.  Errors: misuse (a group and the user's own folder), no_file
** (folder, group), limit (a path too long), io (in use by a running engine, ...), no_memory. */
brio_front *brio_front_open(const brio_front_options *options, brio_error *err);

/* Send the pending lines, drop all clients, end the thread, remove the socket. */
void brio_front_close(brio_front *front);

/* The socket's path, and the token that clients must give ("": none) with its file. */
const char *brio_front_path(const brio_front *front);
const char *brio_front_token(const brio_front *front);
const char *brio_front_token_file(const brio_front *front);

/* A warning about the socket's location; "": none. */
const char *brio_front_warning(const brio_front *front);

/* Let clients request frames of these poses.  The front keeps a reference. */
void brio_front_show(brio_front *front, brio_live_poses *poses);

/* How often a stop was requested so far. */
int brio_front_stops(const brio_front *front);

/* The name of a role. */
const char *brio_front_role_name(brio_front_role role);

/* How many clients are connected now. */
int brio_front_clients(const brio_front *front);

/* The functions below are for the script thread only.  They never block or allocate. */

/* Return the next message, or NULL if there is none, or no room for its reply.  It is lent: return it before
** getting the next. */
brio_front_message *brio_front_poll(brio_front *front);
void brio_front_give_back(brio_front *front, brio_front_message *message);

/* Send a line (a JSON object) to a client, the reply to its request `id` (0: to none); false: too long, or no
** room. */
bool brio_front_reply(brio_front *front, uint32_t client, int64_t id, const char *line, size_t length);

/* Send a line (a JSON object) to all clients; false, and it is lost: as above.  Room is reserved for
** replies. */
bool brio_front_log(brio_front *front, const char *line, size_t length);

/* Send a line (a JSON object) to a client that subscribed to lines of its kind; false, and it is lost: as for
** a line to all.  Lines that the client does not read in time are dropped and counted: it gets {"dropped":N}
** before the next such line. */
bool brio_front_push(brio_front *front, uint32_t client, const char *line, size_t length);

/* How many pushed lines clients did not read in time, so far. */
int64_t brio_front_dropped(const brio_front *front);

/* Get the next datagram of a tracker; false: none.  And the number of those so far that were too long, or
** found no room. */
bool brio_front_tracker_poll(brio_front *front, brio_front_datagram *datagram);
int64_t brio_front_tracker_left_out(const brio_front *front);

/* Get the next event of the gamepad; false: none. */
bool brio_front_gamepad_poll(brio_front *front, brio_gamepad_event *event);

#endif
