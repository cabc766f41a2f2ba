/* The front: a thread of its own that speaks with people's prompts over a Unix socket, so that
** the script thread never waits for one of them.
**
** Complete, bounded messages go to the script thread through a ring, answers and log lines come
** back through another; the slots of both are taken when the front is opened.  A request to stop
** counts at once, whatever the script thread does, and ends a script that spins.
**
** The protocol is one JSON object a line, of at most BRIO_FRONT_LINE bytes: docs/operators/prompt.md.  Who
** may say what, and how a client that was lost comes back: docs/operators/operators.md. */
#ifndef BRIO_RUNTIME_FRONT_FRONT_H
#define BRIO_RUNTIME_FRONT_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/gamepad.h"

enum {
  BRIO_FRONT_LINE = 64 * 1024, /* bytes of a line, without its end, either way */
  BRIO_FRONT_CLIENTS = 32,     /* at most, at once */
  BRIO_FRONT_WHO = 96,         /* bytes of a client's name and the 0 behind it */
  BRIO_FRONT_OPERATORS = 32,   /* people with tokens of their own, at most */
  BRIO_FRONT_PERSON = 48,      /* bytes of such a person's name and the 0 behind it */
  BRIO_FRONT_TOKEN = 65,       /* bytes of a token and the 0 behind it */
};

/* What a client may do, each what the ones before may, too: see; act; edit, reload and run Lua.  A stop is
** for everybody. */
typedef enum brio_front_role { BRIO_FRONT_OBSERVER, BRIO_FRONT_WIZARD, BRIO_FRONT_AUTHOR } brio_front_role;

/* Where its lines come from. */
typedef enum brio_front_device { BRIO_FRONT_PROMPT, BRIO_FRONT_PIPE } brio_front_device;

/* A person who is known by a token. */
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

/* A gamepad that is looked for, and looked for again when it is gone. */
typedef struct brio_front_gamepad_options {
  char path[BRIO_FRONT_GAMEPAD_TEXT];  /* a device or a pipe; "": the first gamepad there is */
  char match[BRIO_FRONT_GAMEPAD_TEXT]; /* a piece of its name; "": any */
  int panic[BRIO_FRONT_PANIC_BUTTONS]; /* npanic codes of buttons that raise the panic stop at once */
  int npanic;
} brio_front_gamepad_options;

/* A UDP port of this machine at which trackers say poses. */
typedef struct brio_front_tracker_options {
  char host[64]; /* the IPv4 address to listen at; "": 127.0.0.1 */
  int port;
} brio_front_tracker_options;

/* What came there. */
enum { BRIO_FRONT_DATAGRAM = 1200 }; /* bytes; longer ones are left out */
typedef struct brio_front_datagram {
  int64_t received; /* ns of the monotonic clock */
  size_t length;
  char text[BRIO_FRONT_DATAGRAM];
} brio_front_datagram;

typedef struct brio_front_options {
  const char *socket; /* its path; NULL: <pid>.sock in the user's own folder */
  const char *group;  /* who may connect besides the user, if they know the token; NULL: nobody */
  const char *about;  /* a JSON value that tells newcomers what runs here; NULL: nothing */
  const brio_front_gamepad_options *gamepad; /* NULL: none is looked for */
  const brio_front_tracker_options *tracker; /* NULL: none is listened to */
  const char *const *panic; /* npanic names of inputs: "input NAME true" raises the panic stop at once */
  int npanic;
  /* noperators; with them a group's members need a token of theirs */
  const brio_front_operator *operators;
  int noperators;
  int patience_ms; /* how long a token, or the end of a line, is waited for; 0: 10 s and 30 s */
} brio_front_options;

/* What a client asks for. */
typedef enum brio_front_kind {
  BRIO_FRONT_SAY, BRIO_FRONT_COMPLETE, BRIO_FRONT_STOP, BRIO_FRONT_PANIC,
  BRIO_FRONT_ATTACHED, /* it is there, or there again: before the first that it asks for */
  BRIO_FRONT_LEFT,     /* it said that it goes */
  BRIO_FRONT_LOST      /* it is gone without a word */
} brio_front_kind;

/* A request.  A stop and a panic were answered when they came in and are told for the record, and nobody
** asked for what says who is there; every other message expects one reply. */
typedef struct brio_front_message {
  brio_front_kind kind;
  uint32_t client;            /* the client's number, never used again; from 1 */
  int64_t id;                 /* what the client calls it */
  int64_t received;           /* ns of the monotonic clock */
  /* s of that clock: when the key was pressed, as the client says; NaN: it does not */
  double input, input_error;
  /* s: of the client's clock to this one, as it measured; NaN: it is on this machine */
  double offset, offset_error;
  brio_front_role role;
  brio_front_device device;
  bool session;               /* it may come back, and has its number then */
  char who[BRIO_FRONT_WHO];
  size_t length;              /* of text */
  char text[BRIO_FRONT_LINE + 1]; /* ends in 0; may hold others */
} brio_front_message;

/* Open the socket, which only its user may use (mode 0600; with a group 0660), and start the
** thread.  `options` may be NULL.  Errors: misuse (a group and the user's own folder), no_file
** (folder, group), limit (a path too long), io (in use by a running engine, ...), no_memory. */
brio_front *brio_front_open(const brio_front_options *options, brio_error *err);

/* Send what is still to be sent, drop all clients, end the thread, remove the socket. */
void brio_front_close(brio_front *front);

/* The socket's path, and the token that clients must know ("": none) with its file. */
const char *brio_front_path(const brio_front *front);
const char *brio_front_token(const brio_front *front);
const char *brio_front_token_file(const brio_front *front);

/* What people should know of where the socket is; "": nothing. */
const char *brio_front_warning(const brio_front *front);

/* How often a stop was asked for so far. */
int brio_front_stops(const brio_front *front);

/* What a role is called. */
const char *brio_front_role_name(brio_front_role role);

/* How many clients are attached now. */
int brio_front_clients(const brio_front *front);

/* What follows is for one thread only, the script thread, and never blocks or allocates. */

/* Return the next message, or NULL while there is none, or no room for its reply.  It is lent:
** give it back before the next is taken. */
brio_front_message *brio_front_poll(brio_front *front);
void brio_front_give_back(brio_front *front, brio_front_message *message);

/* Send a line (a JSON object) to a client, the reply to what it calls `id` (0: to nothing); false: it is too
** long, or there is no room. */
bool brio_front_reply(brio_front *front, uint32_t client, int64_t id, const char *line, size_t length);

/* Send a line (a JSON object) to all clients; false, and it is lost: as above, though replies
** keep room of their own. */
bool brio_front_log(brio_front *front, const char *line, size_t length);

/* Send a line (a JSON object) to a client that subscribed to lines of its kind; false, and it is lost: as for
** a line to all.  What the client does not read in time is dropped and counted: it hears {"dropped":N} before
** the next such line. */
bool brio_front_push(brio_front *front, uint32_t client, const char *line, size_t length);

/* How many pushed lines clients did not read in time, so far. */
int64_t brio_front_dropped(const brio_front *front);

/* The next datagram of a tracker; false: there is none.  And how many were too long, or found no room, so
** far. */
bool brio_front_tracker_poll(brio_front *front, brio_front_datagram *datagram);
int64_t brio_front_tracker_left_out(const brio_front *front);

/* The next event of the gamepad; false: there is none. */
bool brio_front_gamepad_poll(brio_front *front, brio_gamepad_event *event);

#endif
