/* The front: a thread of its own that speaks with people's prompts over a Unix socket, so that
** the script thread never waits for one of them.
**
** Complete, bounded messages go to the script thread through a ring, answers and log lines come
** back through another; the slots of both are taken when the front is opened.  A request to stop
** counts at once, whatever the script thread does, and ends a script that spins.
**
** The protocol is one JSON object a line, of at most BRIO_FRONT_LINE bytes: docs/prompt.md. */
#ifndef BRIO_RUNTIME_FRONT_H
#define BRIO_RUNTIME_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/gamepad.h"

enum {
  BRIO_FRONT_LINE = 64 * 1024, /* bytes of a line, without its end, either way */
  BRIO_FRONT_CLIENTS = 16,     /* at most, at once */
  BRIO_FRONT_WHO = 96,         /* bytes of a client's name and the 0 behind it */
};

typedef struct brio_front brio_front;

enum { BRIO_FRONT_PANIC_INPUTS = 16, BRIO_FRONT_NAME = 64, BRIO_FRONT_PANIC_BUTTONS = 24, BRIO_FRONT_GAMEPAD_TEXT = 256 };

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
  const char *const *panic;                  /* npanic names of inputs: "input NAME true" raises the panic stop at once */
  int npanic;
} brio_front_options;

/* What a client asks for. */
typedef enum brio_front_kind { BRIO_FRONT_SAY, BRIO_FRONT_COMPLETE, BRIO_FRONT_STOP, BRIO_FRONT_PANIC } brio_front_kind;

/* A request.  A stop and a panic were answered when they came in and are told for the record; every other
** message expects one reply. */
typedef struct brio_front_message {
  brio_front_kind kind;
  uint32_t client;            /* the client's number, never used again; from 1 */
  int64_t id;                 /* what the client calls it */
  int64_t received;           /* ns of the monotonic clock */
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

/* How often a stop was asked for so far. */
int brio_front_stops(const brio_front *front);

/* How many clients are attached now. */
int brio_front_clients(const brio_front *front);

/* What follows is for one thread only, the script thread, and never blocks or allocates. */

/* Return the next message, or NULL while there is none, or no room for its reply.  It is lent:
** give it back before the next is taken. */
brio_front_message *brio_front_poll(brio_front *front);
void brio_front_give_back(brio_front *front, brio_front_message *message);

/* Send a line (a JSON object) to a client; false: it is too long, or there is no room. */
bool brio_front_reply(brio_front *front, uint32_t client, const char *line, size_t length);

/* Send a line (a JSON object) to all clients; false, and it is lost: as above, though replies
** keep room of their own. */
bool brio_front_log(brio_front *front, const char *line, size_t length);

/* The next datagram of a tracker; false: there is none.  And how many were too long, or found no room, so far. */
bool brio_front_tracker_poll(brio_front *front, brio_front_datagram *datagram);
int64_t brio_front_tracker_left_out(const brio_front *front);

/* The next event of the gamepad; false: there is none. */
bool brio_front_gamepad_poll(brio_front *front, brio_gamepad_event *event);

#endif
