/* The gamepad on the front thread: searched for until there is one, read as it sends, searched for again
** when it is gone. Its events go to the script thread through a ring of their own; buttons that mean the
** panic stop raise it here, whatever the script thread does. */
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/clock.h"
#include "runtime/front/front_internal.h"
#include "runtime/motor/panic.h"

enum {
  WAITING = 1024,       /* events that may wait for the script thread */
  AT_ONCE = 256,
  LOOK_EVERY_MS = 500,
};

struct brio_front_gamepad {
  uv_poll_t poll;
  uv_timer_t timer;
  uv_loop_t *loop;
  brio_gamepad *pad;    /* NULL: none at present */
  bool polls;           /* the handle `poll` is open, or closing */
  bool told;            /* its presence was reported */
  bool missed;          /* the ring was full: the receiver's state is out of date */
  bool heard;           /* the receiver knows of a gamepad */
  brio_front_gamepad_options options;
  brio_ring ring;       /* of brio_gamepad_event */
};

/* Front thread: put an event into the ring. Return whether there was room. */
static bool put(brio_front_gamepad *self, const brio_gamepad_event *event) {
  bool room = brio_ring_put(&self->ring, event);
  if (room && event->kind == BRIO_GAMEPAD_FOUND) self->heard = true;
  if (room && event->kind == BRIO_GAMEPAD_LOST) self->heard = false;
  self->missed = !room;
  return room;
}

/* After a loss, bring the receiver up to date: whether there is a gamepad, and the state of its inputs.
** False: there is no room for that yet. */
static bool catch_up(brio_front_gamepad *self) {
  brio_gamepad_event state[AT_ONCE];
  int64_t now = self->missed ? brio_clock_monotonic() : 0;
  if (!self->missed) return true;
  const brio_gamepad_event presence = {.kind = self->told ? BRIO_GAMEPAD_FOUND : BRIO_GAMEPAD_LOST,
                                       .received = now};
  if (self->told != self->heard && !put(self, &presence)) return false;
  /* Without a gamepad all inputs count as let go. */
  int count = self->told ? brio_gamepad_state(self->pad, state, AT_ONCE) : 0;
  for (int i = 0; i < count; i++) {
    state[i].received = now;
    if (!put(self, &state[i])) return false;
  }
  self->missed = false;
  return true;
}

/* Hand an event to the script thread, behind what it missed. */
static void pass_on(brio_front_gamepad *self, const brio_gamepad_event *event) {
  if (catch_up(self)) put(self, event);
}

/* Report that a gamepad was found or lost. */
static void tell(brio_front_gamepad *self, brio_gamepad_kind kind) {
  brio_gamepad_event event = {.kind = kind};
  pass_on(self, &event);
}

/* Whether an event is the press of a panic button. */
static bool means_panic(const brio_front_gamepad *self, const brio_gamepad_event *event) {
  if (event->kind != BRIO_GAMEPAD_BUTTON || event->value != 1) return false;
  for (int i = 0; i < self->options.npanic; i++)
    if (self->options.panic[i] == event->code) return true;
  return false;
}

/* The poll handle is closed: now the device may be closed, too. */
static void on_poll_closed(uv_handle_t *handle) {
  brio_front_gamepad *self = handle->data;
  self->polls = false;
  brio_gamepad_close(self->pad);
  self->pad = NULL;
}

/* The gamepad is gone: report it, and stop polling; on_look searches again. */
static void lose(brio_front_gamepad *self) {
  if (self->told) tell(self, BRIO_GAMEPAD_LOST);
  self->told = false;
  if (!uv_is_closing((uv_handle_t *)&self->poll)) uv_close((uv_handle_t *)&self->poll, on_poll_closed);
}

/* Events are waiting, or the device failed. */
static void on_readable(uv_poll_t *poll, int status, int what) {
  brio_front_gamepad *self = poll->data;
  brio_gamepad_event events[AT_ONCE];
  (void)what;
  /* All that waits, AT_ONCE events at most. */
  int count = status < 0 ? -1 : brio_gamepad_read(self->pad, events, AT_ONCE);
  if (count < 0) {
    lose(self);
    return;
  }
  /* One time for all events that were read together. */
  int64_t now = brio_clock_monotonic();
  for (int i = 0; i < count; i++) events[i].received = now;
  /* Panic first, whatever the ring has room for. */
  for (int i = 0; i < count; i++)
    if (means_panic(self, &events[i])) brio_panic();
  /* A pipe counts as found when something comes from it. */
  if (count > 0 && !self->told) {
    self->told = true;
    tell(self, BRIO_GAMEPAD_FOUND);
  }
  for (int i = 0; i < count; i++) pass_on(self, &events[i]);
}

/* Every LOOK_EVERY_MS: without a gamepad, search for one, by path or by name. What the receiver missed is
** made up for here, too, since a gamepad may send nothing more. */
static void on_look(uv_timer_t *timer) {
  brio_front_gamepad *self = timer->data;
  catch_up(self);
  if (self->pad || self->polls) return;
  /* By its path, or the first one that matches. */
  const brio_front_gamepad_options *o = &self->options;
  self->pad = o->path[0] ? brio_gamepad_open(o->path, NULL)
                         : brio_gamepad_search("/dev/input", o->match, NULL);
  if (!self->pad) return;
  /* From here on libuv reports events, and the end of the device. */
  if (uv_poll_init(self->loop, &self->poll, brio_gamepad_fd(self->pad)) != 0) {
    brio_gamepad_close(self->pad);
    self->pad = NULL;
    return;
  }
  self->polls = true;
  self->poll.data = self;
  /* A device is there as soon as it is open; a pipe may have no writer yet. */
  self->told = brio_gamepad_is_device(self->pad);
  if (self->told) tell(self, BRIO_GAMEPAD_FOUND);
  uv_poll_start(&self->poll, UV_READABLE, on_readable);
}

brio_front_gamepad *brio_front_gamepad_new(const brio_front_gamepad_options *options, struct uv_loop_s *loop,
                                           brio_error *err) {
  /* Aligned for the ring's counters, which stand on cache lines of their own. */
  brio_front_gamepad *self = aligned_alloc(64, (sizeof *self + 63) / 64 * 64);
  if (self) memset(self, 0, sizeof *self);
  /* The ring separates the front thread from the script thread. */
  if (!self || !brio_ring_start(&self->ring, sizeof(brio_gamepad_event), WAITING)) {
    free(self);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a gamepad");
    return NULL;
  }
  self->loop = loop;
  self->options = *options;
  /* The first search is at once. */
  uv_timer_init(loop, &self->timer);
  self->timer.data = self;
  uv_timer_start(&self->timer, on_look, 0, LOOK_EVERY_MS);
  return self;
}

bool brio_front_gamepad_next(brio_front_gamepad *self, brio_gamepad_event *event) {
  return brio_ring_get(&self->ring, event);
}

void brio_front_gamepad_free(brio_front_gamepad *self) {
  if (!self) return;
  brio_gamepad_close(self->pad);
  brio_ring_end(&self->ring);
  free(self);
}
