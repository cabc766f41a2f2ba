/* Output to the clients; front thread only. It never waits for a client: what a client does not read is
** buffered up to a limit, then the client is dropped. Lines to a client with a session are also kept until
** it comes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "runtime/front/client.h"

enum {
  MAX_UNREAD = 1 << 20,   /* bytes that may wait for a client */
  MAX_PUSHED = 128 * 1024, /* waiting bytes up to which a pushed line is still queued */
};

/* The handle is closed; the slot is free once the farewell was reported. */
static void on_closed(uv_handle_t *handle) {
  brio_front_client *c = (brio_front_client *)handle;
  c->closed = true;
  brio_front_client_farewell(c);
}

void brio_front_client_drop(brio_front_client *c) {
  /* Dropping twice is harmless. */
  if (c->closed || uv_is_closing((uv_handle_t *)&c->pipe)) return;
  if (c->admitted) atomic_fetch_sub(&c->loop->front->clients, 1);
  /* Goodbye ends the session; otherwise it waits for the client to come back. */
  if (c->session && c->goes) c->session->id[0] = 0;
  else if (c->session) c->session->away = brio_clock_monotonic();
  c->session = NULL;
  /* Only clients that the script thread knows of are reported as gone. */
  c->owes = c->known;
  c->farewell = c->goes ? BRIO_FRONT_LEFT : BRIO_FRONT_LOST;
  c->admitted = c->known = c->arrives = false;
  uv_close((uv_handle_t *)&c->pipe, on_closed);
}

bool brio_front_client_open(const brio_front_client *c) {
  return c->used && !c->closed && !uv_is_closing((const uv_handle_t *)&c->pipe);
}

/* A write in progress, with a copy of its bytes. */
typedef struct delayed {
  uv_write_t request; /* first */
  char bytes[];
} delayed;

/* Whether the client closed its end. What it sent last, perhaps a goodbye, is still to be read, and then
** the end of file. */
static bool is_deaf(int status) { return status == UV_EPIPE || status == UV_ECONNRESET; }

/* A delayed write ended; a failure other than a closed end drops the client. */
static void on_written(uv_write_t *request, int status) {
  brio_front_client *c = (brio_front_client *)request->handle;
  free(request);
  if (status < 0 && !is_deaf(status) && brio_front_client_open(c)) brio_front_client_drop(c);
}

/* Queue `length` bytes until the client reads them; drop it if more than MAX_UNREAD would wait. */
static void send_later(brio_front_client *c, const char *bytes, size_t length) {
  /* A copy, as the caller's bytes change before they are sent. */
  delayed *d = NULL;
  if (uv_stream_get_write_queue_size((uv_stream_t *)&c->pipe) + length <= MAX_UNREAD)
    d = malloc(sizeof *d + length);
  if (!d) {
    brio_front_client_drop(c);
    return;
  }
  memcpy(d->bytes, bytes, length);
  uv_buf_t buffer = uv_buf_init(d->bytes, (unsigned)length);
  if (uv_write(&d->request, (uv_stream_t *)&c->pipe, &buffer, 1, on_written) == 0) return;
  free(d);
  brio_front_client_drop(c);
}

void brio_front_client_send(brio_front_client *c, const char *bytes, size_t length, bool keep) {
  if (!brio_front_client_open(c)) return;
  if (keep && c->session) brio_front_session_keep(c->session, bytes, length);
  /* Write what the socket takes at once: most lines need no copy. */
  uv_buf_t buffer = uv_buf_init((char *)bytes, (unsigned)length);
  int sent = uv_try_write((uv_stream_t *)&c->pipe, &buffer, 1);
  /* Dropped when its end of file is read. */
  if (is_deaf(sent)) return;
  if (sent == UV_EAGAIN) sent = 0;
  if (sent < 0) brio_front_client_drop(c);
  else if ((size_t)sent < length) send_later(c, bytes + sent, length - (size_t)sent);
}

brio_text *brio_front_client_begin(brio_front_loop *loop, int64_t id) {
  /* One text for all answers of the loop: it is sent before the next one begins. */
  brio_text_clear(&loop->text);
  brio_text_format(&loop->text, "{\"id\":%lld,", (long long)id);
  return &loop->text;
}

void brio_front_client_end(brio_front_client *c, int64_t id, brio_text *text) {
  brio_text_add(text, "}\n", 2);
  if (text->failed) {
    brio_front_client_drop(c);
    return;
  }
  /* Note the answer for the session, so that a repeated request finds it. */
  if (c->session) brio_front_session_answered(c->session, id);
  brio_front_client_send(c, text->bytes, text->length, true);
}

void brio_front_client_answer(brio_front_client *c, int64_t id, const char *field, const char *sentence) {
  brio_text *text = brio_front_client_begin(c->loop, id);
  /* The sentence is escaped, as it may contain any text. */
  brio_text_format(text, "\"%s\":", field);
  brio_text_json(text, sentence, strlen(sentence));
  brio_front_client_end(c, id, text);
}

/* Whether a line is for that client; the parcel's client 0: for all. */
static bool is_meant(const brio_front_parcel *parcel, uint32_t number) {
  return parcel->client == 0 || parcel->client == number;
}

/* Report to a client how many pushed lines it missed, and count from 0 again. */
static void confess(brio_front_client *c) {
  char line[48];
  if (c->dropped == 0) return;
  int length = snprintf(line, sizeof line, "{\"dropped\":%lld}\n", (long long)c->dropped);
  c->dropped = 0;
  brio_front_client_send(c, line, (size_t)length, true);
}

/* Send a pushed line to its client. Without such a client it is dropped; with too much unread there,
** dropped and counted. */
static void push(brio_front_loop *loop, const brio_front_parcel *parcel) {
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) {
    brio_front_client *c = &loop->clients[i];
    if (!brio_front_client_open(c) || !c->admitted || c->number != parcel->client) continue;
    /* Too much waits: the newest pushed line is left out, so old ones still arrive. */
    if (uv_stream_get_write_queue_size((uv_stream_t *)&c->pipe) > MAX_PUSHED) {
      c->dropped++;
      atomic_fetch_add_explicit(&loop->front->dropped, 1, memory_order_relaxed);
      continue;
    }
    /* First the number of lines that it missed, then this one. */
    confess(c);
    brio_front_client_send(c, loop->text.bytes, loop->text.length, true);
  }
}

/* Send a line from the script thread to the sessions and clients that it is for. */
static void send_parcel(brio_front_loop *loop, const brio_front_parcel *parcel) {
  /* The line with its newline, once for all receivers. */
  brio_text_clear(&loop->text);
  brio_text_add(&loop->text, parcel->line, parcel->length);
  brio_text_add(&loop->text, "\n", 1);
  if (loop->text.failed) return;
  /* Pushed lines are not kept for clients that are away. */
  if (parcel->push) {
    push(loop, parcel);
    return;
  }
  /* Every session keeps the line, also while its client is away. */
  for (int i = 0; i < BRIO_FRONT_CLIENTS; i++) {
    brio_front_session *s = &loop->sessions[i];
    if (!s->id[0] || !is_meant(parcel, s->number)) continue;
    if (parcel->id) brio_front_session_answered(s, parcel->id);
    brio_front_session_keep(s, loop->text.bytes, loop->text.length);
  }
  /* The sessions have kept it already, so it is sent without keeping. */
  for (int i = 0; i < BRIO_FRONT_PLACES; i++) {
    brio_front_client *c = &loop->clients[i];
    if (brio_front_client_open(c) && c->admitted && !c->feed_period && is_meant(parcel, c->number))
      brio_front_client_send(c, loop->text.bytes, loop->text.length, false);
  }
}

/* Front thread, at a wake-up. Slots go back at once, so that the script thread does not run out of them. */
void brio_front_client_send_outbox(brio_front_loop *loop) {
  brio_front *front = loop->front;
  int slot;
  while (brio_ring_get(&front->outbox_full, &slot)) {
    send_parcel(loop, &front->outbox[slot]);
    brio_ring_put(&front->outbox_free, &slot);
  }
}
