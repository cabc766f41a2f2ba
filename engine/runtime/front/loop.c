/* The front thread: a libuv loop of its own with the listening socket, the clients, a wake-up from the
** script thread, a timer that supervises stops, and one that looks after clients with a deadline.
**
** It never waits for a client: what a client does not read is buffered up to a limit, then the client is
** dropped. A client that sends more than a person or a program has reason to is read more slowly. Only this
** thread accesses clients. */
#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "runtime/front/client.h"
#include "runtime/motor/panic.h"
#include "runtime/script/script.h"

enum {
  STOP_PATIENCE_MS = 50,  /* after a stop, before a script that still runs is interrupted */
  FAREWELL_MS = 200,      /* at the end, for clients to read the rest */
  LOOK_MS = 50,           /* between two checks of clients with a deadline */
  TOKEN_PATIENCE_MS = 10000, /* for a token */
  LINE_PATIENCE_MS = 30000,  /* for the end of a line */
  BACKLOG = 128,          /* connections that may wait to be accepted, or refused in words */
  LINES_AT_ONCE = 200,    /* burst that a client may send */
  LINES_A_SECOND = 400,   /* rate after the burst */
};

typedef brio_front_client client;

/* ---- requests ---- */

/* After a stop: once the script thread polls again it is alive; until then interrupt its script. */
static void on_guard(uv_timer_t *timer) {
  /* Polls since the stop: the script thread is alive, and the run ends by itself. */
  brio_front_loop *loop = timer->data;
  if (atomic_load_explicit(&loop->front->polls, memory_order_relaxed) != loop->polls_at_stop)
    uv_timer_stop(timer);
  else brio_script_interrupt();
}

/* Pass a request to the script thread. False: it would leave fewer than `kept` free slots, which are
** reserved. */
static bool post(client *c, const brio_front_request *request, int kept) {
  assert(kept >= 0 && kept < BRIO_FRONT_INBOX);
  brio_front *front = c->loop->front;
  int slot;
  if ((int)brio_ring_waiting(&front->inbox_free) <= kept || !brio_ring_get(&front->inbox_free, &slot))
    return false;
  brio_front_message *message = &front->inbox[slot];
  /* The request, and when it came in; times of the client's clock with their error. */
  message->kind = request->kind;
  message->client = c->number;
  message->id = request->id;
  message->received = brio_clock_monotonic();
  message->input = request->input;
  message->input_error = request->input_error;
  message->offset = c->offset;
  message->offset_error = c->offset_error;
  /* The client's rights and its name, as they are now: it may change them later. */
  message->role = c->role;
  message->device = c->device;
  message->session = c->returns;
  message->length = request->length;
  /* Copied: the client's buffer is reused for its next line. */
  memcpy(message->who, c->who, sizeof message->who);
  if (request->length > 0) memcpy(message->text, request->text, request->length);
  assert(request->length <= BRIO_FRONT_LINE);
  message->text[request->length] = 0;
  return brio_ring_put(&front->inbox_full, &slot);
}

/* Report to the script thread that a client came or went.  False: try again later. */
static bool tell_of(client *c, brio_front_kind kind) {
  /* Half of the slots for stops, so that a stop has room even while clients come and go. */
  brio_front_request news = {.kind = kind, .input = NAN, .input_error = NAN};
  return post(c, &news, BRIO_FRONT_FOR_STOPS / 2);
}

void brio_front_client_farewell(client *c) {
  /* The slot stays in use until its departure is reported. */
  if (c->owes && !tell_of(c, c->farewell)) return;
  c->owes = false;
  c->used = !c->closed;
}

/* Report that this client came, if that is due; else on_look tries again. */
static void arrive(client *c) {
  if (!c->arrives || !tell_of(c, BRIO_FRONT_ATTACHED)) return;
  c->arrives = false;
  c->known = true;
}

/* Pass on a request of a client, after its arrival. Stops and panics need not wait for that. */
static bool pass_on(client *c, const brio_front_request *request) {
  bool urgent = request->kind == BRIO_FRONT_STOP || request->kind == BRIO_FRONT_PANIC;
  if (!c->known) c->arrives = true;
  arrive(c);
  return (c->known || urgent) && post(c, request, urgent ? 0 : BRIO_FRONT_FOR_STOPS);
}

/* Count the stop and answer it here: it must work while scripts hang. The second one ends the run at once. */
static void request_stop(client *c, const brio_front_request *request) {
  brio_front_loop *loop = c->loop;
  bool again = atomic_fetch_add(&loop->front->stops, 1) > 0;
  pass_on(c, request);
  /* Supervise the script thread: without a further poll its script is interrupted (on_guard). */
  loop->polls_at_stop = atomic_load_explicit(&loop->front->polls, memory_order_relaxed);
  uv_timer_start(&loop->guard, on_guard, STOP_PATIENCE_MS, STOP_PATIENCE_MS);
  brio_front_client_answer(c, request->id, "text",
                           again ? "the run ends at once"
                                 : "the run ends: power-off (stop once more to end it at once)");
}

/* Panic: straight to the motor side, whatever the script thread does. */
static void request_panic(client *c, const brio_front_request *request) {
  brio_panic();
  pass_on(c, request);
  brio_front_client_answer(c, request->id, "text", "panic stop: the motors brake and hold until `release`");
}

/* Whether a line sets an input that means the panic stop: "input NAME true". O(npanic). */
static bool means_panic(const brio_front *front, const char *text) {
  char name[BRIO_FRONT_NAME], value[8], rest[2];
  /* Exactly a name and `true`; anything behind them is a line for the script. */
  if (sscanf(text, " input %63s %7s %1s", name, value, rest) != 2 || strcmp(value, "true") != 0) return false;
  for (int i = 0; i < front->npanic; i++)
    if (strcmp(front->panic[i], name) == 0) return true;
  return false;
}

/* Answer a ping with this machine's time, s, from which a client on another one computes its offset. */
static void tell_time(client *c, int64_t id) {
  brio_text *text = brio_front_client_begin(c->loop, id);
  brio_text_format(text, "\"now\":%.9f", (double)brio_clock_monotonic() * 1e-9);
  brio_front_client_end(c, id, text);
}

/* Whether a client that came back repeats a request, which must not be executed twice. */
static bool is_repeated(client *c, int64_t id) {
  bool lost = false;
  /* Requests without a session or an id are never repetitions. */
  if (!c->session || !id || !brio_front_session_repeats(c->session, id, &lost)) return false;
  if (lost)
    brio_front_client_answer(c, id, "error", "this was done before; what was answered is not kept any more");
  return true;
}

/* A client introduces itself: welcome it, and report it if it is a person's or known. */
static void introduce(client *c, const brio_front_request *request) {
  /* Programs that only send lines are reported with the first of them. */
  bool person = request->who || request->session || request->device;
  brio_front_client_welcome(c, request);
  if (!brio_front_client_open(c) || !(person || c->known)) return;
  c->arrives = true;
  arrive(c);
}

/* Execute a request here, or pass it on. */
static void ask(client *c, const brio_front_request *request) {
  if (is_repeated(c, request->id)) return;
  /* The panic stop first, before anything that may fail. */
  if (request->kind == BRIO_FRONT_SAY && means_panic(c->loop->front, request->text)) brio_panic();
  if (request->kind == BRIO_FRONT_STOP) request_stop(c, request);
  else if (request->kind == BRIO_FRONT_PANIC) request_panic(c, request);
  else if (!pass_on(c, request))
    brio_front_client_answer(c, request->id, "error",
                             "the engine is busy: too many lines are queued, send it again");
}

/* Handle one line, without its newline.  It is changed in place. */
static void handle_line(client *c, char *line, size_t length) {
  brio_front_request request;
  brio_error err = {0};
  /* Telnet and the like end lines in CR LF. */
  if (length > 0 && line[length - 1] == '\r') length--;
  line[length] = 0;
  if (length == 0) return;
  /* A malformed line is answered, with its id if that was read. */
  if (!brio_front_read_request(line, length, &request, &err)) {
    brio_front_client_answer(c, request.id, "error", err.message);
    return;
  }
  /* Token, place, role and name; a client without the right to be here gets no further. */
  if (!brio_front_client_admit(c, &request)) return;
  /* The kinds of lines, in order of precedence: goodbye, ping, request, introduction. */
  if (request.goes) c->goes = true;
  else if (c->feed_period) return; /* its connection carries frames now */
  else if (request.feed > 0) brio_front_client_feed(c, &request);
  else if (request.pings) tell_time(c, request.id);
  else if (request.asks) ask(c, &request);
  else introduce(c, &request);
}

/* ---- receiving ---- */

/* A token bucket: whether a client may send one more line now. */
static bool may_say(client *c) {
  /* The bucket refills at LINES_A_SECOND, up to LINES_AT_ONCE. */
  int64_t now = brio_clock_monotonic();
  double allowance = c->allowance + (double)(now - c->refilled) * 1e-9 * LINES_A_SECOND;
  c->allowance = allowance > LINES_AT_ONCE ? LINES_AT_ONCE : allowance;
  c->refilled = now;
  /* Each line costs 1. */
  if (c->allowance < 1) return false;
  c->allowance -= 1;
  return true;
}

/* A line has grown too long: drop what there is, report it once, and skip to its end. */
static void pass_over(client *c) {
  char sentence[80];
  /* Only the first time: the rest of the line comes in pieces. */
  c->length = 0;
  if (c->skipping) return;
  c->skipping = true;
  snprintf(sentence, sizeof sentence, "a line may have %d bytes at most", BRIO_FRONT_LINE);
  brio_front_client_answer(c, 0, "error", sentence);
}

/* Handle every complete line in the buffer, and keep the rest. */
static void handle_lines(client *c) {
  assert(c->length <= sizeof c->line);
  char *from = c->line, *end = c->line + c->length, *newline;
  c->held = false;
  /* Until the client is dropped, exceeds its rate, or a line is incomplete. */
  while (brio_front_client_open(c) && !c->wrong && (newline = memchr(from, '\n', (size_t)(end - from)))) {
    c->held = !may_say(c);
    if (c->held) break;
    /* The rest of a line that was too long ends here. */
    if (c->skipping) c->skipping = false;
    else handle_line(c, from, (size_t)(newline - from));
    from = newline + 1;
  }
  /* A complete line ends its deadline; the next one starts with the first byte of a line. */
  if (from > c->line && c->admitted) c->since = 0;
  c->length = (size_t)(end - from);
  memmove(c->line, from, c->length);
  /* Over its rate: read nothing until on_look finds its allowance restored. */
  if (c->held) {
    c->paused = uv_read_stop((uv_stream_t *)&c->pipe) == 0;
    return;
  }
  /* An incomplete line is waited for from now on. */
  if (c->length > 0 && !c->since) c->since = brio_clock_monotonic();
  if (c->skipping || c->length == BRIO_FRONT_LINE + 1) pass_over(c);
}

/* libuv reads straight behind the bytes that the buffer holds; there is always room, as pass_over empties a
** full one. */
static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  client *c = (client *)handle;
  assert(c->length < sizeof c->line);
  (void)suggested;
  *buffer = uv_buf_init(c->line + c->length, (unsigned)(sizeof c->line - c->length));
}

/* Bytes came in, or the connection ended. */
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  client *c = (client *)stream;
  (void)buffer;
  /* End of file, or an error of the connection. */
  if (count < 0) {
    brio_front_client_drop(c);
    return;
  }
  c->length += (size_t)count;
  handle_lines(c);
}

/* A free slot for a client; NULL: none. */
static client *free_client(brio_front_loop *loop) {
  for (int i = 0; i < BRIO_FRONT_PLACES; i++)
    if (!loop->clients[i].used) return &loop->clients[i];
  return NULL;
}

/* libuv is done with the pipe of a refused connection. */
static void on_refused_closed(uv_handle_t *handle) { free(handle); }

/* Refuse a connection beyond the limit, in words, through a pipe that is closed at once. */
static void refuse(brio_front_loop *loop) {
  char sentence[160];
  snprintf(sentence, sizeof sentence,
           "{\"error\":\"as many prompts as there can be are attached already: %d\"}\n", BRIO_FRONT_CLIENTS);
  /* A pipe of its own, as all clients' slots may be in use. */
  uv_pipe_t *pipe = malloc(sizeof *pipe);
  if (!pipe) return;
  /* Written at once or not at all: the pipe is closed in either case. */
  uv_pipe_init(&loop->uv, pipe, 0);
  uv_buf_t buffer = uv_buf_init(sentence, (unsigned)strlen(sentence));
  if (uv_accept((uv_stream_t *)&loop->listener, (uv_stream_t *)pipe) == 0)
    uv_try_write((uv_stream_t *)pipe, &buffer, 1);
  uv_close((uv_handle_t *)pipe, on_refused_closed);
}

/* Initialize a client's slot; its line buffer, which is large, need not be cleared. */
static void begin(client *c, brio_front_loop *loop) {
  /* The pipe is left out: uv_pipe_init sets it below. */
  memset((char *)c + sizeof c->pipe, 0, offsetof(client, line) - sizeof c->pipe);
  c->loop = loop;
  c->used = true;
  c->number = ++loop->next_number;
  c->offset = c->offset_error = NAN;
  /* A full allowance at first; the deadline for a token starts now. */
  c->allowance = LINES_AT_ONCE;
  c->since = c->refilled = brio_clock_monotonic();
  uv_pipe_init(&loop->uv, &c->pipe, 0);
}

/* Accept a connection, refuse it, or leave it in the kernel's queue until a slot is free. */
static void on_connection(uv_stream_t *listener, int status) {
  brio_front_loop *loop = listener->data;
  client *c = free_client(loop);
  loop->waits = false;
  if (status < 0) return;
  /* All places are taken by clients that have spoken: refuse in words. */
  if (!brio_front_client_may_come(loop)) {
    refuse(loop);
    return;
  }
  loop->waits = !c; /* slots of clients being closed become free soon */
  if (!c) return;
  /* Read from now on; a failure drops the client. */
  begin(c, loop);
  if (uv_accept(listener, (uv_stream_t *)&c->pipe) != 0 ||
      uv_read_start((uv_stream_t *)&c->pipe, give_room, on_read) != 0)
    brio_front_client_drop(c);
  else brio_front_client_meet(c);
}

/* ---- deadlines ---- */

/* Drop a client whose token, or end of line, did not come in time. */
static void lose_patience(client *c, int64_t now) {
  /* The options' patience, or the usual one for what is missing: the end of a line, or a token. */
  int said = c->loop->front->patience_ms;
  int patience = said > 0 ? said : c->admitted ? LINE_PATIENCE_MS : TOKEN_PATIENCE_MS;
  /* No deadline, or not over yet. */
  if (!c->since || now - c->since < (int64_t)patience * 1000000) return;
  brio_front_client_answer(c, 0, "error",
                           c->admitted ? "the end of a line was waited for, in vain"
                                       : "a token was waited for, in vain");
  brio_front_client_drop(c);
}

/* Look after one client: report what is due, resume reading, enforce deadlines. */
static void look_at(client *c, int64_t now) {
  if (c->used) brio_front_client_farewell(c);
  if (!brio_front_client_open(c)) return;
  /* A wrong token: nothing is read, and the answer is delayed. */
  if (c->wrong) {
    brio_front_client_refuse_late(c, now);
    return;
  }
  arrive(c);
  if (c->held) handle_lines(c);
  /* Handling lines may have dropped the client. */
  if (!brio_front_client_open(c) || c->held || c->wrong) return;
  if (c->paused) c->paused = uv_read_start((uv_stream_t *)&c->pipe, give_room, on_read) != 0;
  lose_patience(c, now);
}

/* Every LOOK_MS: all clients, sessions, and connections that wait for a slot. */
static void on_look(uv_timer_t *timer) {
  brio_front_loop *loop = timer->data;
  int64_t now = brio_clock_monotonic();
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) look_at(&loop->clients[i], now);
  brio_front_session_forget(loop, now, false);
  if (loop->waits) on_connection((uv_stream_t *)&loop->listener, 0);
}

/* ---- the thread ---- */

/* Close one handle; a client is dropped instead, which settles its session and the count. */
static void close_handle(uv_handle_t *handle, void *context) {
  brio_front_loop *loop = context;
  bool is_client = (char *)handle >= (char *)loop->clients &&
                   (char *)handle < (char *)(loop->clients + BRIO_FRONT_PLACES);
  if (uv_is_closing(handle)) return;
  if (is_client) brio_front_client_drop((client *)handle);
  else uv_close(handle, NULL);
}

/* Close every handle: the loop ends when all are closed. */
static void close_all(uv_timer_t *timer) {
  brio_front_loop *loop = timer->data;
  uv_walk(&loop->uv, close_handle, loop);
}

/* Whether no client has unsent bytes. */
static bool all_sent(const brio_front_loop *loop) {
  for (int i = 0; i < BRIO_FRONT_PLACES; i++)
    if (brio_front_client_open(&loop->clients[i]) &&
        uv_stream_get_write_queue_size((const uv_stream_t *)&loop->clients[i].pipe) > 0)
      return false;
  return true;
}

/* Notify all clients that the run has ended, so that none tries to reconnect. */
static void say_goodbye(brio_front_loop *loop) {
  static const char line[] = "{\"ended\":true}\n";
  for (int i = 0; i < BRIO_FRONT_PLACES; i++)
    if (loop->clients[i].admitted && !loop->clients[i].feed_period)
      brio_front_client_send(&loop->clients[i], line, sizeof line - 1, false);
}

/* The script thread has lines to send, or closes the front. */
static void on_wake(uv_async_t *wake) {
  brio_front_loop *loop = wake->data;
  /* Read before the outbox is emptied: lines posted before the end are sent. */
  bool closing = atomic_load(&loop->front->closing);
  brio_front_client_send_outbox(loop);
  if (!closing) return;
  /* Only at the first wake-up of the end. */
  if (uv_is_active((uv_handle_t *)&loop->look)) say_goodbye(loop);
  uv_timer_stop(&loop->look);
  uv_timer_stop(&loop->feed);
  uv_timer_stop(&loop->guard);
  /* `guard` now limits the time for clients to read the rest. */
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
  /* Handles of the loop; each finds it in `data`. */
  loop->front = front;
  uv_pipe_init(&loop->uv, &loop->listener, 0);
  uv_async_init(&loop->uv, &loop->wake, on_wake);
  uv_timer_init(&loop->uv, &loop->guard);
  uv_timer_init(&loop->uv, &loop->look);
  uv_timer_init(&loop->uv, &loop->feed);
  loop->listener.data = loop->wake.data = loop->guard.data = loop->look.data = loop->feed.data = loop;
  uv_timer_start(&loop->look, on_look, LOOK_MS, LOOK_MS);
  /* Listen on the socket that was bound before: a path in use was an error there. */
  int status = uv_pipe_open(&loop->listener, front->socket.fd);
  if (status == 0) {
    front->socket.fd = -1; /* the loop owns it now */
    status = uv_listen((uv_stream_t *)&loop->listener, BACKLOG, on_connection);
  }
  /* Both are optional; their handles live in this loop. */
  if (status == 0 && front->wants_gamepad &&
      !(front->gamepad = brio_front_gamepad_new(&front->gamepad_options, &loop->uv, err))) {
    brio_front_loop_free(loop);
    return NULL;
  }
  if (status == 0 && front->wants_tracker &&
      !(front->tracker = brio_front_tracker_new(&front->tracker_options, &loop->uv, err))) {
    brio_front_loop_free(loop);
    return NULL;
  }
  if (status == 0) return loop;
  /* Only a failure to listen comes here. */
  brio_fail(err, BRIO_IO, "the prompt's socket cannot listen at %s: %s", front->socket.path,
            uv_strerror(status));
  brio_front_loop_free(loop);
  return NULL;
}

void *brio_front_loop_run(void *context) {
  brio_front_loop *loop = context;
  sigset_t all;
  sigfillset(&all); /* signals are for the script thread; a client that left must raise none (SIGPIPE) */
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  uv_run(&loop->uv, UV_RUN_DEFAULT);
  return NULL;
}

void brio_front_loop_wake(brio_front_loop *loop) { uv_async_send(&loop->wake); }

void brio_front_loop_free(brio_front_loop *loop) {
  if (!loop) return;
  uv_walk(&loop->uv, close_handle, loop); /* handles are left only if the thread never ran */
  uv_run(&loop->uv, UV_RUN_DEFAULT);
  uv_loop_close(&loop->uv);
  brio_front_session_forget(loop, 0, true);
  brio_text_end(&loop->text);
  free(loop);
}
