/* Authentication of a client: the user that the system reports, the name and token that the client sends,
** its role, and whether it was here before. Front thread only.
**
** If the operators of a run have tokens of their own, a token identifies a person and the person's rights.
** The user who started the run needs none and is an author. A wrong token is answered late, so that
** guessing is slow, and compared in constant time, so that the time does not reveal how much of it was
** right. */
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/front/client.h"

enum {
  AT_THE_DOOR = 8, /* connections of one user without a token yet */
  OF_A_USER = 16,  /* prompts of one user other than the run's */
  KEPT = 4,        /* places reserved for clients that were lost, at most */
};

static const int64_t late = 1000000000; /* ns after which a wrong token is answered */

/* ---- places ---- */

/* Counts of the other clients. */
typedef struct crowd {
  int in, in_of_user;     /* settled: all, and those of the client's user */
  int door, door_of_user; /* without a token yet: likewise */
  int away;               /* sessions whose clients are away */
} crowd;

/* Count the others around a client; O(places). */
static crowd crowd_around(const brio_front_client *c) {
  crowd n = {0};
  /* Admitted ones and those at the door, in all and of this user. */
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) {
    const brio_front_client *other = &c->loop->clients[i];
    if (other == c || !brio_front_client_open(other)) continue;
    bool same = other->uid == c->uid;
    /* Those that are admitted but never sent a line have no place of their own: they make way. */
    if (other->settled) n.in++, n.in_of_user += same;
    else if (!other->admitted) n.door++, n.door_of_user += same;
  }
  /* Sessions whose clients may come back at any time. */
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++) {
    const brio_front_session *s = &c->loop->sessions[i];
    n.away += s->id[0] && s->away;
  }
  return n;
}

/* Whether a client has sent bytes that were not read yet: one system call. */
static bool speaks(const brio_front_client *c) {
  uv_os_fd_t fd;
  int waiting = 0;
  if (uv_fileno((const uv_handle_t *)&c->pipe, &fd) != 0) return false;
  return ioctl(fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

/* Whether a connection may be given up for another one: it never sent a valid line, and is not doing so. At
** the door a line must come whole. */
static bool is_silent(const brio_front_client *c, bool admitted) {
  if (!brio_front_client_open(c) || c->admitted != admitted || c->settled || c->wrong) return false;
  /* An incomplete line of one that is admitted has a deadline of its own. */
  if (admitted && (c->length > 0 || c->skipping)) return false;
  return !speaks(c);
}

/* Whether two connections come from the same source: at the door a user, else a process. */
static bool same_source(const brio_front_client *a, const brio_front_client *b) {
  return a->uid == b->uid && (!a->admitted || a->pid == b->pid);
}

/* How many connections of the source of `c` count as `c` does: admitted and never heard, or at the door. */
static int rivals(const brio_front_client *c) {
  int count = 0;
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) {
    const brio_front_client *other = &c->loop->clients[i];
    if (!brio_front_client_open(other) || other->admitted != c->admitted || other->settled) continue;
    count += same_source(c, other);
  }
  return count;
}

/* The connection to give up for another one: the oldest silent one of the source with most of them, so that
** a source with many competes with itself first. `uid`: of this user only; -1: of any. NULL: none is silent.
** O(places^2). */
static brio_front_client *silent_for_longest(brio_front_loop *loop, const brio_front_client *except,
                                             bool admitted, int64_t uid) {
  brio_front_client *found = NULL;
  int most = 0;
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) {
    brio_front_client *other = &loop->clients[i];
    if (other == except || (uid >= 0 && other->uid != (uid_t)uid) || !is_silent(other, admitted)) continue;
    int count = rivals(other);
    /* Numbers rise with time, so the smallest is the oldest. */
    if (found && (count < most || (count == most && other->number > found->number))) continue;
    found = other;
    most = count;
  }
  return found;
}

/* Drop a client that may try again soon: the field `again` informs its program. */
static void send_away(brio_front_client *c, const char *why) {
  brio_text *text = brio_front_client_begin(c->loop, 0);
  brio_text_format(text, "\"again\":true,\"error\":\"%s\"", why);
  brio_front_client_end(c, 0, text);
  brio_front_client_drop(c);
}

/* Tell a client that all places are taken, and drop it. */
static void refuse(brio_front_client *c, int64_t id, int limit) {
  char sentence[160];
  snprintf(sentence, sizeof sentence, "as many prompts as %s are attached already: %d",
           limit < BRIO_FRONT_CLIENTS ? "one user may have" : "there can be", limit);
  brio_front_client_answer(c, id, "error", sentence);
  brio_front_client_drop(c);
}

/* Admit a client. It is counted once, and has no deadline from here on. If all places are taken, a client
** that never sent a line makes way. False: there is none; it is refused, in answer to request `id`. */
static bool let_in(brio_front_client *c, int64_t id) {
  if (!c->admitted && atomic_load(&c->loop->front->clients) >= BRIO_FRONT_CLIENTS) {
    brio_front_client *other = silent_for_longest(c->loop, c, true, -1);
    if (!other) {
      refuse(c, id, BRIO_FRONT_CLIENTS);
      return false;
    }
    send_away(other, "all places are taken, and this connection never sent a line: it made way");
  }
  if (!c->admitted) atomic_fetch_add(&c->loop->front->clients, 1);
  c->admitted = true;
  c->since = 0;
  return true;
}

bool brio_front_client_may_come(brio_front_loop *loop) {
  return atomic_load(&loop->front->clients) < BRIO_FRONT_CLIENTS || silent_for_longest(loop, NULL, true, -1);
}

/* Make room for a connection without a token: a silent one goes, or the new one itself. */
static void find_place(brio_front_client *c) {
  /* Nothing to do while there is room for this user, and for all. */
  crowd n = crowd_around(c);
  bool too_many_of_user = n.door_of_user >= AT_THE_DOOR;
  if (!too_many_of_user && n.door < BRIO_FRONT_DOOR) return;
  /* The oldest silent connection makes room; without one the new one goes. */
  brio_front_client *other = silent_for_longest(c->loop, c, false, too_many_of_user ? (int64_t)c->uid : -1);
  if (other)
    send_away(other, "too many connections without a token; this one was silent for the longest");
  else send_away(c, "too many are at the door without a token: try again in a while");
}

/* At a client's first valid line: reserve a place for it, or refuse and drop it. Some places are kept for
** clients that were lost and come back. */
static bool settle(brio_front_client *c, const brio_front_request *request) {
  if (c->settled) return true;
  crowd n = crowd_around(c);
  const char *session = request->session;
  /* A client that returns to its session always has a place. */
  bool returns = session && session[0] && brio_front_session_find(c->loop, session);
  /* The run's own user has no limit of its own. */
  bool too_many = c->uid != geteuid() && n.in_of_user >= OF_A_USER;
  c->settled = returns || (!too_many && n.in < BRIO_FRONT_CLIENTS - (n.away < KEPT ? n.away : KEPT));
  if (!c->settled) refuse(c, request->id, too_many ? OF_A_USER : BRIO_FRONT_CLIENTS);
  return c->settled;
}

/* ---- who it is ---- */

void brio_front_client_meet(brio_front_client *c) {
  const brio_front *front = c->loop->front;
  /* SO_PEERCRED is set by the kernel: it cannot be forged.  -1: no user has it. */
  struct ucred peer = {.uid = (uid_t)-1};
  socklen_t size = sizeof peer;
  struct passwd entry, *found = NULL;
  char room[1024];
  uv_os_fd_t fd;
  /* A user without a name in the system gets its number as name. */
  if (uv_fileno((uv_handle_t *)&c->pipe, &fd) == 0) getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  if (getpwuid_r(peer.uid, &entry, room, sizeof room, &found) == 0 && found)
    snprintf(c->user, sizeof c->user, "%.40s", entry.pw_name);
  else snprintf(c->user, sizeof c->user, "user %ld", (long)peer.uid);
  snprintf(c->who, sizeof c->who, "%s", c->user);
  c->uid = peer.uid;
  c->pid = peer.pid;
  /* Without operators every connection is an author; take_token() narrows that. */
  c->granted = c->role = BRIO_FRONT_AUTHOR;
  /* The socket's mode keeps others out, where no token is needed. */
  if (!front->socket.token[0] && (front->noperators == 0 || peer.uid == geteuid())) let_in(c, 0);
  else find_place(c);
}

/* Length in bytes of the UTF-8 character at `text`; 0: none that may stand in a name. */
static size_t character(const char *text) {
  const unsigned char *b = (const unsigned char *)text;
  /* No control characters. */
  if (b[0] < 0x80) return b[0] >= ' ' && b[0] != 127;
  /* The length from the first byte; a continuation byte has none. */
  size_t bytes = b[0] >= 0xC2 && b[0] < 0xE0   ? 2
                 : b[0] >= 0xE0 && b[0] < 0xF0 ? 3
                 : b[0] >= 0xF0 && b[0] < 0xF5 ? 4
                                               : 0;
  for (size_t i = 1; i < bytes; i++)
    if ((b[i] & 0xC0) != 0x80) return 0;
  /* Overlong forms, surrogates, C1 controls, and code points above U+10FFFF. */
  bool wrong = (b[0] == 0xC2 && b[1] < 0xA0) || (b[0] == 0xE0 && b[1] < 0xA0) ||
               (b[0] == 0xED && b[1] >= 0xA0) || (b[0] == 0xF0 && b[1] < 0x90) ||
               (b[0] == 0xF4 && b[1] >= 0x90);
  return bytes > 0 && !wrong ? bytes : 0;
}

/* Set the name that a client sends, as "ann (root)". Bytes that are not UTF-8, or control characters, are
** removed. */
static void take_name(brio_front_client *c, const char *name) {
  char clean[BRIO_FRONT_PERSON];
  size_t n = 0;
  /* A character has up to 4 bytes. */
  while (*name && n + 4 < sizeof clean) {
    /* A byte that is no character is skipped. */
    size_t bytes = character(name);
    memcpy(clean + n, name, bytes);
    n += bytes;
    name += bytes ? bytes : 1;
  }
  /* A name without any valid character leaves the system's name. */
  clean[n] = 0;
  if (n > 0) snprintf(c->who, sizeof c->who, "%s (%.40s)", clean, c->user);
}

/* The operator with this token; NULL: none. All are compared, so that the time does not reveal which one it
** is. */
static const brio_front_operator *owner_of(const brio_front *front, const char *token) {
  const brio_front_operator *found = NULL;
  for (int i = 0; i < front->noperators; i++)
    if (brio_front_same(front->operators[i].token, token)) found = &front->operators[i];
  return found;
}

/* Whether a token is right. An operator's token sets name and role; the group's token only admits, if there
** is a place. */
static bool take_token(brio_front_client *c, const char *token, int64_t id) {
  const brio_front *front = c->loop->front;
  const brio_front_operator *person = owner_of(front, token);
  bool groups = front->socket.token[0] && brio_front_same(front->socket.token, token);
  /* A person's token decides name and rights. */
  if (person) {
    c->granted = c->role = person->role;
    c->named = true;
    take_name(c, person->name);
  }
  if (person || groups) let_in(c, id);
  /* Where no token is needed any token is accepted. */
  return person || groups || (!front->socket.token[0] && front->noperators == 0);
}

/* Set the requested role: any up to the granted one. False: refused, and answered. */
static bool take_role(brio_front_client *c, const brio_front_request *request) {
  char sentence[160];
  /* Roles are ordered by rights. */
  for (brio_front_role role = BRIO_FRONT_OBSERVER; role <= BRIO_FRONT_AUTHOR; role++) {
    if (strcmp(request->role, brio_front_role_name(role)) != 0) continue;
    if (role <= c->granted) {
      c->role = role;
      return true;
    }
    snprintf(sentence, sizeof sentence, "you are here as %s, and cannot be %s",
             brio_front_role_name(c->granted), brio_front_role_name(role));
    brio_front_client_answer(c, request->id, "error", sentence);
    return false;
  }
  brio_front_client_answer(c, request->id, "error",
                           "there is no such role: there are observer, wizard and author");
  return false;
}

bool brio_front_client_admit(brio_front_client *c, const brio_front_request *request) {
  const brio_front *front = c->loop->front;
  if (request->token && !take_token(c, request->token, request->id)) {
    /* The answer to a wrong token waits (refuse_late); nothing is read until then. */
    c->wrong = brio_clock_monotonic();
    c->wrong_id = request->id;
    uv_read_stop((uv_stream_t *)&c->pipe);
    return false;
  }
  /* There was no place for it. */
  if (!brio_front_client_open(c)) return false;
  /* No valid token yet, and none in this line. */
  if (!c->admitted) {
    brio_front_client_answer(c, request->id, "error",
                             front->noperators > 0
                                 ? "this prompt requires a token: begin with "
                                   "{\"token\":\"...\"}; the run's user can give it to you"
                                 : "this prompt is shared by a group: begin with {\"token\":\"...\"}; its "
                                   "user can read it beside the socket");
    brio_front_client_drop(c);
    return false;
  }
  /* From here on the client is known: a place, a role, a name, a device, the offset of its clock. */
  if (!settle(c, request)) return false;
  if (request->role && !take_role(c, request)) return false;
  /* A name that a token gave cannot be changed. */
  if (request->who && !c->named) take_name(c, request->who);
  if (request->device) c->device = strcmp(request->device, "pipe") == 0 ? BRIO_FRONT_PIPE : BRIO_FRONT_PROMPT;
  /* Both stay NaN unless the client gives them. */
  if (isfinite(request->offset)) {
    c->offset = request->offset;
    c->offset_error = request->offset_error;
  }
  return true;
}

void brio_front_client_refuse_late(brio_front_client *c, int64_t now) {
  if (!c->wrong || now - c->wrong < late) return;
  c->wrong = 0;
  brio_front_client_answer(c, c->wrong_id, "error", "that is no token of this run");
  brio_front_client_drop(c);
}

/* ---- sessions ---- */

/* Another connection has this session: an old one of the same client. It is dropped without a farewell. */
static void replace(brio_front_client *c, const brio_front_session *s) {
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) {
    brio_front_client *other = &c->loop->clients[i];
    if (other == c || !other->used || other->number != s->number) continue;
    other->session = NULL;
    other->known = other->owes = false;
    /* Its slot may already be waiting for the farewell only. */
    if (other->closed) other->used = false;
    else brio_front_client_drop(other);
  }
}

/* Resume a session, if it is this client's: same user, same rights, and no session or request of its own
** yet. NULL: it is not. */
static brio_front_session *resume(brio_front_client *c, const char *id) {
  brio_front_session *s = brio_front_session_find(c->loop, id);
  if (!s || s->uid != c->uid || s->granted != c->granted || c->session || c->known) return NULL;
  /* The old connection of this client ends; number and name come back. */
  replace(c, s);
  c->number = s->number;
  memcpy(c->who, s->who, sizeof c->who);
  s->away = 0;
  return s;
}

/* Give the client a new session, if one is free. */
static void begin(brio_front_client *c) {
  brio_front_session *s = brio_front_session_new(c->loop);
  c->session = s;
  if (!s) return;
  /* The session belongs to this user with these rights. */
  s->number = c->number;
  s->granted = c->granted;
  s->uid = c->uid;
  memcpy(s->who, c->who, sizeof s->who);
  brio_front_session_forget(c->loop, 0, false); /* counts them */
}

/* Send the greeting with the lines that the client missed, and how many of them are lost. */
static void send_welcome(brio_front_client *c, const brio_front_request *request, bool resumed) {
  /* Lines after those that it has; without a resumed session none. */
  brio_text rest = {0};
  uint64_t seen = request->seen > 0 ? (uint64_t)request->seen : 0;
  uint64_t lost = resumed ? brio_front_session_rest(c->session, seen, &rest) : 0;
  const char *about = c->loop->front->about;
  brio_text *text = brio_front_client_begin(c->loop, request->id);
  brio_text_format(text, "\"client\":%u,\"about\":%s,\"role\":\"%s\"", c->number, about ? about : "null",
                   brio_front_role_name(c->role));
  /* The client learns its session's id, so that it can resume it. */
  if (request->session && c->session) {
    brio_text_format(text, ",\"session\":\"%s\",\"resumed\":%s,\"missed\":%llu", c->session->id,
                     resumed ? "true" : "false", (unsigned long long)lost);
  }
  brio_text_add(text, "}\n", 2);
  if (text->failed || rest.failed) brio_front_client_drop(c);
  else {
    brio_front_client_send(c, text->bytes, text->length, false);
    /* Lines that were kept already are not kept again. */
    if (rest.length > 0) brio_front_client_send(c, rest.bytes, rest.length, false);
  }
  brio_text_end(&rest);
}

void brio_front_client_welcome(brio_front_client *c, const brio_front_request *request) {
  /* The id "" requests a new session, another one resumes its session. */
  brio_front_session *back = request->session && request->session[0] ? resume(c, request->session) : NULL;
  if (back) c->session = back;
  else if (request->session && !c->session) begin(c);
  c->returns = c->session != NULL;
  send_welcome(c, request, back != NULL);
}
