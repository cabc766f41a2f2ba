/* The front thread: a libuv loop of its own with the listening socket, the clients, a wake from
** the script thread, and a timer that looks after stops.
**
** A client is never waited for: what it does not read is kept up to a limit, then it is dropped.
** Only this thread touches clients. */
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

#include "base/clock.h"
#include "base/text.h"
#include "runtime/front_internal.h"
#include "runtime/panic.h"
#include "runtime/script.h"

enum {
  MOST_UNREAD = 1 << 20, /* bytes that may wait for a client */
  STOP_PATIENCE_MS = 50, /* after a stop, until a script that still runs is interrupted */
  FAREWELL_MS = 200,     /* at the end, for clients to take what is left */
};

typedef struct client {
  uv_pipe_t pipe;        /* first: a handle is its client */
  brio_front_loop *loop;
  uint32_t number;
  bool used, admitted;   /* admitted: knows the token, if there is one */
  bool skipping;         /* the line that comes in is too long: until its end */
  size_t length;         /* bytes in line */
  char who[BRIO_FRONT_WHO];
  char line[BRIO_FRONT_LINE + 1];
} client;

struct brio_front_loop {
  uv_loop_t uv;
  uv_pipe_t listener;
  uv_async_t wake;
  uv_timer_t guard;      /* runs from a stop until the script thread shows life */
  brio_front *front;
  uint32_t next_number;
  unsigned polls_at_stop;
  brio_text text;        /* of the line that is made */
  client clients[BRIO_FRONT_CLIENTS];
};

/* ---- sending ---- */

static void on_closed(uv_handle_t *handle) { ((client *)handle)->used = false; }

static void drop(client *c) {
  if (uv_is_closing((uv_handle_t *)&c->pipe)) return;
  if (c->admitted) atomic_fetch_sub(&c->loop->front->clients, 1);
  c->admitted = false;
  uv_close((uv_handle_t *)&c->pipe, on_closed);
}

static bool is_open(const client *c) { return c->used && !uv_is_closing((const uv_handle_t *)&c->pipe); }

typedef struct delayed {
  uv_write_t request; /* first */
  char bytes[];
} delayed;

static void on_written(uv_write_t *request, int status) {
  client *c = (client *)request->handle;
  free(request);
  if (status < 0 && is_open(c)) drop(c);
}

/* Keep `length` bytes until the client takes them. */
static void send_later(client *c, const char *bytes, size_t length) {
  delayed *d = NULL;
  if (uv_stream_get_write_queue_size((uv_stream_t *)&c->pipe) + length <= MOST_UNREAD) d = malloc(sizeof *d + length);
  if (!d) {
    drop(c);
    return;
  }
  memcpy(d->bytes, bytes, length);
  uv_buf_t buffer = uv_buf_init(d->bytes, (unsigned)length);
  if (uv_write(&d->request, (uv_stream_t *)&c->pipe, &buffer, 1, on_written) == 0) return;
  free(d);
  drop(c);
}

/* Send a whole line, which ends in a newline. */
static void send_line(client *c, const char *bytes, size_t length) {
  if (!is_open(c)) return;
  uv_buf_t buffer = uv_buf_init((char *)bytes, (unsigned)length);
  int sent = uv_try_write((uv_stream_t *)&c->pipe, &buffer, 1);
  if (sent == UV_EAGAIN) sent = 0;
  if (sent < 0) drop(c);
  else if ((size_t)sent < length) send_later(c, bytes + sent, length - (size_t)sent);
}

/* Begin the answer to request `id`: the caller adds a field and ends it. */
static brio_text *begin_answer(brio_front_loop *loop, int64_t id) {
  brio_text_clear(&loop->text);
  brio_text_format(&loop->text, "{\"id\":%lld,", (long long)id);
  return &loop->text;
}

static void end_answer(client *c, brio_text *text) {
  brio_text_add(text, "}\n", 2);
  if (text->failed) drop(c);
  else send_line(c, text->bytes, text->length);
}

static void answer(client *c, int64_t id, const char *field, const char *sentence) {
  brio_text *text = begin_answer(c->loop, id);
  brio_text_format(text, "\"%s\":", field);
  brio_text_json(text, sentence, strlen(sentence));
  end_answer(c, text);
}

static void send_parcel(brio_front_loop *loop, const brio_front_parcel *parcel) {
  brio_text_clear(&loop->text);
  brio_text_add(&loop->text, parcel->line, parcel->length);
  brio_text_add(&loop->text, "\n", 1);
  for (int i = 0; i < BRIO_FRONT_CLIENTS && !loop->text.failed; i++) {
    client *c = &loop->clients[i];
    bool meant = c->used && c->admitted && (parcel->client == 0 || parcel->client == c->number);
    if (meant) send_line(c, loop->text.bytes, loop->text.length);
  }
}

static void send_outbox(brio_front_loop *loop) {
  brio_front *front = loop->front;
  int slot;
  while (brio_ring_get(&front->outbox_full, &slot)) {
    send_parcel(loop, &front->outbox[slot]);
    brio_ring_put(&front->outbox_free, &slot);
  }
}

/* ---- requests ---- */

static void on_guard(uv_timer_t *timer) {
  brio_front_loop *loop = timer->data;
  if (atomic_load_explicit(&loop->front->polls, memory_order_relaxed) != loop->polls_at_stop) uv_timer_stop(timer);
  else brio_script_interrupt();
}

/* Pass a request on to the script thread; false: too many wait there. */
static bool pass_on(client *c, const brio_front_request *request) {
  brio_front *front = c->loop->front;
  bool urgent = request->kind == BRIO_FRONT_STOP || request->kind == BRIO_FRONT_PANIC;
  int slot, kept = urgent ? 0 : BRIO_FRONT_FOR_STOPS;
  if ((int)brio_ring_waiting(&front->inbox_free) <= kept || !brio_ring_get(&front->inbox_free, &slot)) return false;
  brio_front_message *message = &front->inbox[slot];
  message->kind = request->kind;
  message->client = c->number;
  message->id = request->id;
  message->received = brio_clock_monotonic();
  message->length = request->length;
  memcpy(message->who, c->who, sizeof message->who);
  memcpy(message->text, request->text, request->length);
  message->text[request->length] = 0;
  return brio_ring_put(&front->inbox_full, &slot);
}

static void request_stop(client *c, const brio_front_request *request) {
  brio_front_loop *loop = c->loop;
  bool again = atomic_fetch_add(&loop->front->stops, 1) > 0;
  pass_on(c, request);
  loop->polls_at_stop = atomic_load_explicit(&loop->front->polls, memory_order_relaxed);
  uv_timer_start(&loop->guard, on_guard, STOP_PATIENCE_MS, STOP_PATIENCE_MS);
  answer(c, request->id, "text", again ? "the run ends at once" : "the run ends: power-off (stop once more to end it at once)");
}

/* Straight to the motor side, whatever the script thread does. */
static void request_panic(client *c, const brio_front_request *request) {
  brio_panic();
  pass_on(c, request);
  answer(c, request->id, "text", "panic stop: the motors brake and hold until `release`");
}

/* Whether a line sets an input that means the panic stop: "input NAME true". */
static bool means_panic(const brio_front *front, const char *text) {
  char name[BRIO_FRONT_NAME], value[8], rest[2];
  if (sscanf(text, " input %63s %7s %1s", name, value, rest) != 2 || strcmp(value, "true") != 0) return false;
  for (int i = 0; i < front->npanic; i++)
    if (strcmp(front->panic[i], name) == 0) return true;
  return false;
}

/* Answer `who` with all who are attached. */
static void tell_who(client *asker, int64_t id) {
  brio_front_loop *loop = asker->loop;
  brio_text list = {0};
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++) {
    const client *c = &loop->clients[i];
    if (is_open(c) && c->admitted)
      brio_text_format(&list, "%s%3u  %s%s", list.length ? "\n" : "", c->number, c->who, c == asker ? " (you)" : "");
  }
  if (list.failed || !list.bytes) drop(asker);
  else answer(asker, id, "text", list.bytes);
  brio_text_end(&list);
}

/* A client says its name: "ann (root)". Control characters are left out. */
static void take_name(client *c, const char *name) {
  char clean[BRIO_FRONT_WHO / 2], user[BRIO_FRONT_WHO / 2 - 4];
  size_t n = 0;
  for (; *name && n + 1 < sizeof clean; name++)
    if ((unsigned char)*name >= ' ' && *name != 127) clean[n++] = *name;
  clean[n] = 0;
  const char *real = strrchr(c->who, '(');
  snprintf(user, sizeof user, "%.*s", (int)strcspn(real ? real + 1 : c->who, ")"), real ? real + 1 : c->who);
  if (n > 0) snprintf(c->who, sizeof c->who, "%s (%s)", clean, user);
}

/* Compare in a time that does not tell how much was right. */
static bool same_token(const char *token, const char *given) {
  unsigned char differ = strlen(token) != strlen(given);
  for (size_t i = 0; token[i]; i++) differ |= (unsigned char)(token[i] ^ given[differ ? 0 : i]);
  return !differ;
}

/* Let a client in who knows the token; false: it was sent away. */
static bool admit(client *c, const brio_front_request *request) {
  const char *token = c->loop->front->socket.token;
  if (c->admitted) return true;
  if (token[0] && !(request->token && same_token(token, request->token))) {
    answer(c, request->id, "error", "this prompt is shared by a group: begin with {\"token\":\"...\"}; its user can read it beside the socket");
    drop(c);
    return false;
  }
  c->admitted = true;
  atomic_fetch_add(&c->loop->front->clients, 1);
  return true;
}

static void welcome(client *c, int64_t id) {
  brio_text *text = begin_answer(c->loop, id);
  const char *about = c->loop->front->about;
  brio_text_format(text, "\"client\":%u,\"about\":%s", c->number, about ? about : "null");
  end_answer(c, text);
}

static void handle_line(client *c, char *line, size_t length) {
  brio_front_request request;
  brio_error err = {0};
  if (length > 0 && line[length - 1] == '\r') length--;
  line[length] = 0;
  if (length == 0) return;
  if (!brio_front_read_request(line, length, &request, &err)) {
    answer(c, request.id, "error", err.message);
    return;
  }
  if (!admit(c, &request)) return;
  if (request.who) take_name(c, request.who);
  if (request.asks && request.kind == BRIO_FRONT_SAY && means_panic(c->loop->front, request.text)) brio_panic();
  if (!request.asks) welcome(c, request.id);
  else if (request.kind == BRIO_FRONT_STOP) request_stop(c, &request);
  else if (request.kind == BRIO_FRONT_PANIC) request_panic(c, &request);
  else if (request.kind == BRIO_FRONT_SAY && strcmp(request.text, "who") == 0) tell_who(c, request.id);
  else if (!pass_on(c, &request)) answer(c, request.id, "error", "the engine is busy: too many lines wait, say it again");
}

/* ---- receiving ---- */

/* Handle every whole line that came in; keep the rest. */
static void handle_lines(client *c) {
  char *from = c->line, *end = c->line + c->length, *newline;
  while (is_open(c) && (newline = memchr(from, '\n', (size_t)(end - from)))) {
    if (c->skipping) c->skipping = false;
    else handle_line(c, from, (size_t)(newline - from));
    from = newline + 1;
  }
  c->length = (size_t)(end - from);
  memmove(c->line, from, c->length);
  if (c->skipping) c->length = 0;
  if (c->length < BRIO_FRONT_LINE + 1) return;
  c->length = 0;
  c->skipping = true;
  char sentence[80];
  snprintf(sentence, sizeof sentence, "a line may have %d bytes at most", BRIO_FRONT_LINE);
  answer(c, 0, "error", sentence);
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  client *c = (client *)handle;
  (void)suggested;
  *buffer = uv_buf_init(c->line + c->length, (unsigned)(sizeof c->line - c->length));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  client *c = (client *)stream;
  (void)buffer;
  if (count < 0) {
    drop(c);
    return;
  }
  c->length += (size_t)count;
  handle_lines(c);
}

/* The user at the other end, as the system knows it. */
static void name_peer(client *c) {
  struct ucred peer = {.uid = (uid_t)-1};
  socklen_t size = sizeof peer;
  struct passwd entry, *found = NULL;
  char room[1024];
  uv_os_fd_t fd;
  if (uv_fileno((uv_handle_t *)&c->pipe, &fd) == 0) getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  if (getpwuid_r(peer.uid, &entry, room, sizeof room, &found) == 0 && found)
    snprintf(c->who, sizeof c->who, "%.40s", entry.pw_name);
  else snprintf(c->who, sizeof c->who, "user %ld", (long)peer.uid);
}

static client *free_client(brio_front_loop *loop) {
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++)
    if (!loop->clients[i].used) return &loop->clients[i];
  return NULL;
}

static void on_refused_closed(uv_handle_t *handle) { free(handle); }

/* One too many: tell it so. */
static void refuse(brio_front_loop *loop) {
  static const char sentence[] = "{\"error\":\"as many prompts as there can be are attached already: 16\"}\n";
  uv_pipe_t *pipe = malloc(sizeof *pipe);
  if (!pipe) return;
  uv_pipe_init(&loop->uv, pipe, 0);
  uv_buf_t buffer = uv_buf_init((char *)sentence, sizeof sentence - 1);
  if (uv_accept((uv_stream_t *)&loop->listener, (uv_stream_t *)pipe) == 0) uv_try_write((uv_stream_t *)pipe, &buffer, 1);
  uv_close((uv_handle_t *)pipe, on_refused_closed);
}

static void on_connection(uv_stream_t *listener, int status) {
  brio_front_loop *loop = listener->data;
  client *c = free_client(loop);
  if (status < 0) return;
  if (!c) {
    refuse(loop);
    return;
  }
  c->used = true;
  c->admitted = c->skipping = false;
  c->length = 0;
  c->loop = loop;
  c->number = ++loop->next_number;
  uv_pipe_init(&loop->uv, &c->pipe, 0);
  if (uv_accept(listener, (uv_stream_t *)&c->pipe) != 0 || uv_read_start((uv_stream_t *)&c->pipe, give_room, on_read) != 0) {
    drop(c);
    return;
  }
  name_peer(c);
  if (!loop->front->socket.token[0]) {
    c->admitted = true;
    atomic_fetch_add(&loop->front->clients, 1);
  }
}

/* ---- the thread ---- */

static void close_handle(uv_handle_t *handle, void *context) {
  brio_front_loop *loop = context;
  bool is_client = (char *)handle >= (char *)loop->clients && (char *)handle < (char *)(loop->clients + BRIO_FRONT_CLIENTS);
  if (uv_is_closing(handle)) return;
  if (is_client) drop((client *)handle);
  else uv_close(handle, NULL);
}

static void close_all(uv_timer_t *timer) {
  brio_front_loop *loop = timer->data;
  uv_walk(&loop->uv, close_handle, loop);
}

static bool all_sent(const brio_front_loop *loop) {
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++)
    if (is_open(&loop->clients[i]) && uv_stream_get_write_queue_size((const uv_stream_t *)&loop->clients[i].pipe) > 0) return false;
  return true;
}

static void on_wake(uv_async_t *wake) {
  brio_front_loop *loop = wake->data;
  bool closing = atomic_load(&loop->front->closing);
  send_outbox(loop);
  if (!closing) return;
  uv_timer_stop(&loop->guard);
  if (all_sent(loop)) close_all(&loop->guard);
  else uv_timer_start(&loop->guard, close_all, FAREWELL_MS, 0);
}

brio_front_loop *brio_front_loop_new(brio_front *front, brio_error *err) {
  brio_front_loop *loop = calloc(1, sizeof *loop);
  if (!loop || uv_loop_init(&loop->uv) != 0) {
    free(loop);
    brio_fail(err, BRIO_LIMIT, "no event loop to be had for the prompt");
    return NULL;
  }
  loop->front = front;
  uv_pipe_init(&loop->uv, &loop->listener, 0);
  uv_async_init(&loop->uv, &loop->wake, on_wake);
  uv_timer_init(&loop->uv, &loop->guard);
  loop->listener.data = loop->wake.data = loop->guard.data = loop;
  int status = uv_pipe_open(&loop->listener, front->socket.fd);
  if (status == 0) {
    front->socket.fd = -1; /* the loop's now */
    status = uv_listen((uv_stream_t *)&loop->listener, BRIO_FRONT_CLIENTS, on_connection);
  }
  if (status == 0 && front->wants_gamepad && !(front->gamepad = brio_front_gamepad_new(&front->gamepad_options, &loop->uv, err))) {
    brio_front_loop_free(loop);
    return NULL;
  }
  if (status == 0 && front->wants_tracker && !(front->tracker = brio_front_tracker_new(&front->tracker_options, &loop->uv, err))) {
    brio_front_loop_free(loop);
    return NULL;
  }
  if (status == 0) return loop;
  brio_fail(err, BRIO_IO, "the prompt's socket cannot listen at %s: %s", front->socket.path, uv_strerror(status));
  brio_front_loop_free(loop);
  return NULL;
}

void *brio_front_loop_run(void *context) {
  brio_front_loop *loop = context;
  sigset_t all;
  sigfillset(&all); /* signals are for the script thread; a client that left must raise none */
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  uv_run(&loop->uv, UV_RUN_DEFAULT);
  return NULL;
}

void brio_front_loop_wake(brio_front_loop *loop) { uv_async_send(&loop->wake); }

void brio_front_loop_free(brio_front_loop *loop) {
  if (!loop) return;
  uv_walk(&loop->uv, close_handle, loop); /* there is something only when the thread never began */
  uv_run(&loop->uv, UV_RUN_DEFAULT);
  uv_loop_close(&loop->uv);
  brio_text_end(&loop->text);
  free(loop);
}
