/* The script thread's side of the front: slots that circulate between two threads. A slot is always in one
** of two rings, or held by one of the two threads, so no lock is needed: the front thread gets a free
** message, fills it and passes on its number; the script thread gives it back. Lines go the other way
** round. */
#include "runtime/front/front.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/front/front_internal.h"
#include "runtime/motor/panic.h"

/* Put the numbers of all slots into a ring. False: it has no room. */
static bool fill(brio_ring *ring, int count) {
  for (int i = 0; i < count; i++)
    if (!brio_ring_put(ring, &i)) return false;
  return true;
}

/* Reserve the slots and their rings. The system provides their pages only when they are first used. False:
** no memory. */
static bool take_slots(brio_front *front) {
  /* Messages to the script thread, and lines to the front thread. */
  front->inbox = calloc(BRIO_FRONT_INBOX, sizeof *front->inbox);
  front->outbox = calloc(BRIO_FRONT_OUTBOX, sizeof *front->outbox);
  return front->inbox && front->outbox &&
         brio_ring_start(&front->inbox_full, sizeof(int), BRIO_FRONT_INBOX) &&
         brio_ring_start(&front->inbox_free, sizeof(int), BRIO_FRONT_INBOX) &&
         brio_ring_start(&front->outbox_full, sizeof(int), BRIO_FRONT_OUTBOX) &&
         brio_ring_start(&front->outbox_free, sizeof(int), BRIO_FRONT_OUTBOX) &&
         fill(&front->inbox_free, BRIO_FRONT_INBOX) && fill(&front->outbox_free, BRIO_FRONT_OUTBOX);
}

/* Copy the names of inputs that mean the panic stop. */
static bool take_panic_inputs(brio_front *front, const brio_front_options *options, brio_error *err) {
  /* A fixed table: the front thread reads it without a lock. */
  if (options->npanic > BRIO_FRONT_PANIC_INPUTS)
    return brio_fail(err, BRIO_LIMIT, "at most %d inputs may mean the panic stop, not %d",
                     BRIO_FRONT_PANIC_INPUTS, options->npanic);
  /* Copied, as the caller's texts do not outlive this call. */
  for (front->npanic = 0; front->npanic < options->npanic; front->npanic++) {
    const char *name = options->panic[front->npanic];
    if (strlen(name) >= BRIO_FRONT_NAME)
      return brio_fail(err, BRIO_LIMIT, "the name of input '%.80s' is too long", name);
    strcpy(front->panic[front->npanic], name);
  }
  return true;
}

/* Copy the operators with their tokens. */
static bool take_operators(brio_front *front, const brio_front_options *options, brio_error *err) {
  if (options->noperators > BRIO_FRONT_OPERATORS)
    return brio_fail(err, BRIO_LIMIT, "at most %d people may have tokens, not %d", BRIO_FRONT_OPERATORS,
                     options->noperators);
  /* A copy with the tokens: the caller may clear its own. */
  front->noperators = options->noperators;
  if (options->noperators > 0)
    memcpy(front->operators, options->operators, (size_t)options->noperators * sizeof *options->operators);
  front->patience_ms = options->patience_ms;
  return true;
}

/* Set everything up; brio_front_close undoes whatever was done before a failure. */
static bool start(brio_front *front, const brio_front_options *options, brio_error *err) {
  if (!take_slots(front)) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the prompt's messages");
  if (options->about && !(front->about = strdup(options->about)))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the prompt");
  /* brio_front_loop_new opens gamepad and tracker in its loop. */
  front->wants_gamepad = options->gamepad != NULL;
  if (options->gamepad) front->gamepad_options = *options->gamepad;
  front->wants_tracker = options->tracker != NULL;
  if (options->tracker) front->tracker_options = *options->tracker;
  if (!take_panic_inputs(front, options, err) || !take_operators(front, options, err)) return false;
  /* Bind before the loop listens: a socket in use must be an error here. */
  if (!brio_front_bind(&front->socket, options, err)) return false;
  front->loop = brio_front_loop_new(front, err);
  if (!front->loop) return false;
  /* The thread last: it uses everything above. */
  if (pthread_create(&front->thread, NULL, brio_front_loop_run, front->loop) != 0)
    return brio_fail(err, BRIO_LIMIT, "the system gives no thread for the prompt");
  return front->runs = true;
}

brio_front *brio_front_open(const brio_front_options *options, brio_error *err) {
  static const brio_front_options nothing_said = {0};
  /* Aligned for the rings' counters, which have cache lines of their own. */
  brio_front *front = aligned_alloc(64, (sizeof *front + 63) / 64 * 64);
  if (!front) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the prompt");
    return NULL;
  }
  memset(front, 0, sizeof *front);
  front->socket.fd = -1;
  /* People can raise the panic stop through this front from now on. */
  brio_panic_expect();
  if (start(front, options ? options : &nothing_said, err)) return front;
  brio_front_close(front);
  return NULL;
}

void brio_front_close(brio_front *front) {
  if (!front) return;
  /* The thread ends first, as it uses all that is freed below. */
  if (front->runs) {
    atomic_store(&front->closing, true);
    brio_front_loop_wake(front->loop);
    pthread_join(front->thread, NULL);
  }
  /* The loop first: it closes the handles of gamepad and tracker. */
  brio_panic_expect_no_more();
  brio_front_loop_free(front->loop);
  brio_front_gamepad_free(front->gamepad);
  brio_front_tracker_free(front->tracker);
  brio_front_unbind(&front->socket);
  brio_ring_end(&front->inbox_full);
  brio_ring_end(&front->inbox_free);
  brio_ring_end(&front->outbox_full);
  brio_ring_end(&front->outbox_free);
  free(front->inbox);
  free(front->outbox);
  brio_live_poses_drop(atomic_load(&front->poses));
  free(front->about);
  free(front);
}

const char *brio_front_path(const brio_front *front) { return front->socket.path; }
const char *brio_front_warning(const brio_front *front) { return front->socket.warning; }
const char *brio_front_token(const brio_front *front) { return front->socket.token; }
const char *brio_front_token_file(const brio_front *front) { return front->socket.token_path; }
const char *brio_front_role_name(brio_front_role role) {
  assert(role <= BRIO_FRONT_AUTHOR);
  static const char *const names[] = {"observer", "wizard", "author"};
  return names[role];
}

void brio_front_show(brio_front *front, brio_live_poses *poses) {
  /* Feeds of clients are those of the first board: a front belongs to one run. */
  brio_live_poses *none = NULL;
  brio_live_poses *kept = brio_live_poses_keep(poses);
  if (!atomic_compare_exchange_strong(&front->poses, &none, kept)) brio_live_poses_drop(kept);
}

int brio_front_stops(const brio_front *front) { return atomic_load(&front->stops); }
int brio_front_clients(const brio_front *front) { return atomic_load(&front->clients); }

brio_front_message *brio_front_poll(brio_front *front) {
  /* Counting polls shows the front that the script thread is alive. */
  int slot;
  atomic_fetch_add_explicit(&front->polls, 1, memory_order_relaxed);
  /* A message is handed out only if its reply has a slot. */
  if (brio_ring_waiting(&front->outbox_free) == 0 || !brio_ring_get(&front->inbox_full, &slot)) return NULL;
  return &front->inbox[slot];
}

void brio_front_give_back(brio_front *front, brio_front_message *message) {
  int slot = (int)(message - front->inbox);
  assert(slot >= 0 && slot < BRIO_FRONT_INBOX);
  brio_ring_put(&front->inbox_free, &slot);
}

bool brio_front_gamepad_poll(brio_front *front, brio_gamepad_event *event) {
  return front->gamepad && brio_front_gamepad_next(front->gamepad, event);
}

bool brio_front_tracker_poll(brio_front *front, brio_front_datagram *datagram) {
  return front->tracker && brio_front_tracker_next(front->tracker, datagram);
}

int64_t brio_front_tracker_left_out(const brio_front *front) {
  return front->tracker ? brio_front_tracker_lost(front->tracker) : 0;
}

/* Put a line into the outbox and wake the front thread.  False: too long, or no slot is free. */
static bool post(brio_front *front, uint32_t client, int64_t id, bool push, const char *line, size_t length) {
  int slot;
  /* Without a free slot the line is not sent; the script thread does not wait. */
  if (length > BRIO_FRONT_LINE || !brio_ring_get(&front->outbox_free, &slot)) return false;
  /* The slot belongs to this thread until it is in the ring. */
  brio_front_parcel *parcel = &front->outbox[slot];
  parcel->client = client;
  parcel->id = id;
  parcel->push = push;
  parcel->length = length;
  memcpy(parcel->line, line, length);
  /* Publish the slot, then wake its reader. */
  brio_ring_put(&front->outbox_full, &slot);
  brio_front_loop_wake(front->loop);
  return true;
}

bool brio_front_reply(brio_front *front, uint32_t client, int64_t id, const char *line, size_t length) {
  return post(front, client, id, false, line, length);
}

bool brio_front_log(brio_front *front, const char *line, size_t length) {
  /* Without a reader, now or later, there is nothing to send. */
  if (brio_front_clients(front) == 0 && atomic_load(&front->sessions) == 0) return true;
  /* Log lines and pushed lines leave BRIO_FRONT_FOR_REPLIES slots to replies. */
  return brio_ring_waiting(&front->outbox_free) > BRIO_FRONT_FOR_REPLIES &&
         post(front, 0, 0, false, line, length);
}

bool brio_front_push(brio_front *front, uint32_t client, const char *line, size_t length) {
  bool room = brio_ring_waiting(&front->outbox_free) > BRIO_FRONT_FOR_REPLIES;
  return room && post(front, client, 0, true, line, length);
}

int64_t brio_front_dropped(const brio_front *front) {
  return atomic_load_explicit(&front->dropped, memory_order_relaxed);
}
