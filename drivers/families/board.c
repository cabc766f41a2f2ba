/* What drivers of boards and of servos that are asked one by one share.  See board.h.
**
** Such devices report places and no speeds: speeds are differences of places, smoothed over a few reports,
** and so late by about as long. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/families/board.h"
#include "drivers/targets.h"
#include "math/scalar.h"

enum { BAUD, FIRST_ID, LATENCY, TRIES, HEALTH };
enum { PORT, IDS, TRACE };
enum { SILENT_CYCLES = 10, INSIST = 4 };

static const double SMOOTH = 0.04; /* s */

const brio_driver_text brio_board_texts[] = {BRIO_BOARD_TEXTS, {0}};

/* ---- opening and closing ---- */

static bool take_ids(brio_board *board, const char *text, int first, brio_error *err) {
  int highest = board->kind->highest, count = brio_exchange_ids(text, board->ids, BRIO_BOARD_AXES, highest);
  if (count < 0 || (count > 0 && count != board->count) || (count == 0 && first + board->count - 1 > highest))
    return brio_fail(err, BRIO_MISUSE, "%d axes need as many ids from 0 to %d, as in \"1,2,11-14\", not '%s'",
                     board->count, highest, text);
  for (int i = 0; i < board->count && count == 0; i++) board->ids[i] = (uint8_t)(first + i);
  for (int i = 0; i < board->count; i++)
    for (int k = 0; k < i; k++)
      if (board->ids[i] == board->ids[k]) return brio_fail(err, BRIO_MISUSE, "id %d is given twice", board->ids[i]);
  return true;
}

/* Who is not answered at opening is told how to find out what is there. */
static bool greet(brio_board *board, brio_error *err) {
  brio_error why = {0};
  if (board->kind->greet(board, &why)) return true;
  if (why.code == BRIO_DEVICE && strstr(why.message, "did not answer"))
    return brio_fail(err, why.code, "%s; `brio scan` tells what is there", why.message);
  if (err) *err = why;
  return false;
}

static bool start(brio_board *board, brio_port *port, brio_error *err) {
  const brio_board_kind *kind = board->kind;
  brio_exchange_start(&board->x, kind->protocol, port);
  if (!take_ids(board, board->texts[IDS], (int)board->settings[FIRST_ID], err)) return false;
  if (kind->begin && !kind->begin(board, err)) return false;
  board->x.latency = board->settings[LATENCY];
  board->x.tries = (int)board->settings[TRIES];
  if (board->texts[TRACE][0]) {
    port->trace = brio_trace_open(board->texts[TRACE], board->x.protocol->name, port->name, port->baud, err);
    if (!port->trace) return false;
  }
  return greet(board, err);
}

static void take_axes(brio_board *board, const brio_axis *axes) {
  for (int i = 0; i < board->count; i++) {
    board->lower[i] = axes[i].lower;
    board->upper[i] = axes[i].upper;
    board->states[i].position = axes[i].start;
    board->told[i] = NAN;
    board->heard[i] = -INFINITY;
  }
}

void *brio_board_open_port(const brio_board_kind *kind, brio_port *port, const brio_axis *axes, int count,
                           const double *settings, const char *const *texts, brio_error *err) {
  brio_board *board = count <= kind->most ? calloc(1, sizeof *board) : NULL;
  if (!board) {
    if (count > kind->most) brio_fail(err, BRIO_MISUSE, "%s takes at most %d axes, not %d", kind->name, kind->most, count);
    else brio_fail(err, BRIO_NO_MEMORY, "no memory for a board");
    brio_port_close(port);
    return NULL;
  }
  board->kind = kind;
  board->count = count;
  board->texts = texts;
  for (int i = 0; i < BRIO_BOARD_ROWS && kind->settings[i].name; i++) board->settings[i] = settings[i];
  take_axes(board, axes);
  bool good = start(board, port, err);
  board->texts = NULL;
  if (good) return board;
  brio_board_close(board);
  return NULL;
}

void *brio_board_open(const brio_board_kind *kind, const brio_axis *axes, int count, const double *settings,
                      void *context, brio_error *err) {
  const char *const *texts = context;
  if (!texts) {
    brio_fail(err, BRIO_MISUSE, "%s needs a port", kind->name);
    return NULL;
  }
  brio_port *port = brio_port_open(texts[PORT], (int)settings[BAUD], err);
  return port ? brio_board_open_port(kind, port, axes, count, settings, texts, err) : NULL;
}

void brio_board_close(void *device) {
  brio_board *board = device;
  if (board->x.port && board->kind->end) board->kind->end(board);
  if (board->x.port) brio_trace_close(board->x.port->trace, NULL);
  brio_port_close(board->x.port);
  free(board);
}

/* ---- for kinds ---- */

void brio_board_place(brio_board *board, int i, double position) {
  brio_axis_state *state = &board->states[i];
  double now = brio_port_now(board->x.port), dt = now - board->heard[i];
  double rate = dt > 0 ? (position - state->position) / dt : 0;
  if (isfinite(dt) && dt > 0) state->velocity += (rate - state->velocity) * dt / (dt + SMOOTH);
  state->position = position;
  board->heard[i] = now;
  board->fresh[i] = true;
}

bool brio_board_narrow(brio_board *board, int i, double lower, double upper, brio_error *err) {
  if (!(lower < upper)) return true; /* none are set */
  board->lower[i] = fmax(board->lower[i], lower);
  board->upper[i] = fmin(board->upper[i], upper);
  if (board->lower[i] <= board->upper[i]) return true;
  return brio_fail(err, BRIO_DEVICE, "%s %d moves from %.3f to %.3f rad, which the axis' limits exclude", board->kind->name,
                   board->ids[i], lower, upper);
}

bool brio_board_insist(brio_board *board, int least, int most, brio_error *err) {
  brio_error why = {0};
  for (int i = 0; i < INSIST && why.code != BRIO_IO; i++)
    if (brio_exchange_ask(&board->x, least, most, &why)) return true;
  if (err) *err = why;
  return false;
}

/* ---- a cycle ---- */

bool brio_board_write_timed(void *device, const double *targets, const double *speeds, brio_error *err) {
  brio_board *board = device;
  double clamped[BRIO_BOARD_AXES];
  for (int i = 0; i < board->count; i++) clamped[i] = brio_clamp(targets[i], board->lower[i], board->upper[i]);
  if (brio_targets_late(err) || !board->kind->tell(board, clamped, speeds, err)) return false;
  for (int i = 0; i < board->count; i++)
    if (!isnan(clamped[i])) board->told[i] = clamped[i];
  return true;
}

bool brio_board_write(void *device, const double *targets, brio_error *err) {
  return brio_board_write_timed(device, targets, NULL, err);
}

bool brio_board_power(void *device, const bool *on, brio_error *err) {
  brio_board *board = device;
  for (int i = 0; i < board->count; i++) {
    board->on[i] = on[i];
    if (!on[i]) board->told[i] = NAN;
  }
  return board->kind->power(board, on, err);
}

/* Say what began to be wrong with an axis.  Return false when something did. */
static bool complain(brio_board *board, int i, unsigned bits, brio_error *err) {
  unsigned fresh = bits & ~board->alerts[i];
  char words[200] = "";
  board->alerts[i] = bits;
  if (!fresh) return true;
  for (int k = 0; board->kind->alerts && board->kind->alerts[k]; k++) {
    size_t used = strlen(words);
    if (fresh >> k & 1) snprintf(words + used, sizeof words - used, "%s%s", used ? ", " : "", board->kind->alerts[k]);
  }
  return brio_fail(err, BRIO_DEVICE, "%s %d reports: %s", board->kind->name, board->ids[i], words[0] ? words : "an error");
}

/* Now and then one axis is asked how it is. */
static bool ask_health(brio_board *board, brio_error *err) {
  double every = board->settings[HEALTH], now = brio_port_now(board->x.port);
  if (!board->kind->health || every == 0 || board->count == 0 || now - board->asked < every / board->count) return true;
  board->asked = now;
  int i = board->next = (board->next + 1) % board->count;
  return complain(board, i, board->kind->health(board, i), err);
}

bool brio_board_read(void *device, brio_axis_state *states, brio_error *err) {
  brio_board *board = device;
  int answered = 0;
  memset(board->fresh, 0, sizeof board->fresh);
  for (int i = 0; i < (board->kind->at_once ? 1 : board->count); i++) {
    brio_error why = {0};
    bool asked = board->kind->ask(board, i, &why);
    if (!asked && why.code == BRIO_IO) {
      if (err) *err = why;
      return false;
    }
    answered += asked && board->count == 0; /* it has inputs alone */
  }
  bool good = ask_health(board, err);
  for (int i = 0; i < board->count; i++) {
    states[i] = board->states[i];
    states[i].valid = board->fresh[i];
    answered += board->fresh[i];
  }
  board->silent = answered > 0 ? 0 : board->silent + 1;
  if (board->silent < SILENT_CYCLES) return good;
  return brio_fail(err, BRIO_DEVICE, "nothing on %s answers any more", board->x.port->name);
}

void brio_board_describe(void *device, char *out, size_t size) {
  const brio_board *board = device;
  int used = snprintf(out, size, "%s on %s at %d baud: %s", board->x.protocol->name, board->x.port->name, board->x.port->baud,
                      board->kind->name);
  for (int i = 0; i < board->count && used > 0 && (size_t)used < size; i++)
    used += snprintf(out + used, size - (size_t)used, "%s%d", i ? ", " : " ", board->ids[i]);
}

void brio_board_count(void *device, brio_driver_counts *counts) {
  const brio_board *board = device;
  const brio_exchange *x = &board->x;
  *counts = board->refusals;
  counts->retries += (int64_t)x->retries;
  counts->timeouts += (int64_t)x->timeouts;
  counts->strays += (int64_t)x->strays;
  for (int i = 0; i < BRIO_NWIRE_FAULT; i++) counts->refused += (int64_t)x->stream.faults[i];
}
