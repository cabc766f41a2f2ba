/* The common part of the drivers of boards, and of servos that are read one by one.  See board.h.
** Such devices report positions only: speeds are differences of positions, smoothed with a time
** constant of SMOOTH, and late by about as much. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/families/board.h"
#include "drivers/targets.h"
#include "math/scalar.h"

/* Settings and texts that all kinds start with, by their indices. */
enum { BAUD, FIRST_ID, LATENCY, TRIES, HEALTH };
enum { PORT, IDS, TRACE };
/* Cycles without any answer until the device fails; tries of a question that must be answered; least cycles
** in which the health of all axes is checked. */
enum { SILENT_CYCLES = 10, INSIST = 4, ROUND = 8 };

static const double SMOOTH = 0.04; /* s: time constant of the speed filter */

const brio_driver_text brio_board_texts[] = {BRIO_BOARD_TEXTS, {0}};

/* ---- opening and closing ---- */

/* Take the ids from the text, or count up from `first`.  No two may be equal. */
static bool take_ids(brio_board *board, const char *text, int first, brio_error *err) {
  int highest = board->kind->highest, count = brio_exchange_ids(text, board->ids, BRIO_BOARD_AXES, highest);
  /* A list must have as many ids as there are axes; counting up must not pass the highest. */
  if (count < 0 || (count > 0 && count != board->count) || (count == 0 && first + board->count - 1 > highest))
    return brio_fail(err, BRIO_MISUSE, "%d axes need as many ids from 0 to %d, as in \"1,2,11-14\", not '%s'",
                     board->count, highest, text);
  for (int i = 0; i < board->count && count == 0; i++) board->ids[i] = (uint8_t)(first + i);
  /* All pairs, once at opening. */
  for (int i = 0; i < board->count; i++)
    for (int k = 0; k < i; k++)
      if (board->ids[i] == board->ids[k])
        return brio_fail(err, BRIO_MISUSE, "id %d is given twice", board->ids[i]);
  return true;
}

/* Check that the devices are there.  If they do not answer, suggest a scan. */
static bool greet(brio_board *board, brio_error *err) {
  brio_error why = {0};
  if (board->kind->greet(board, &why)) return true;
  if (why.code == BRIO_DEVICE && strstr(why.message, "did not answer"))
    return brio_fail(err, why.code, "%s; `brio scan` lists what is connected", why.message);
  if (err) *err = why;
  return false;
}

/* Start the exchange, then ids, the kind's own part and the trace; then the first questions. */
static bool start(brio_board *board, brio_port *port, brio_error *err) {
  const brio_board_kind *kind = board->kind;
  brio_exchange_start(&board->x, kind->protocol, port);
  /* The kind's settings may depend on the ids. */
  if (!take_ids(board, board->texts[IDS], (int)board->settings[FIRST_ID], err)) return false;
  if (kind->begin && !kind->begin(board, err)) return false;
  board->x.latency = board->settings[LATENCY];
  board->x.tries = (int)board->settings[TRIES];
  /* Record from the first byte on, if a trace is wanted. */
  if (board->texts[TRACE][0]) {
    port->trace = brio_trace_open(board->texts[TRACE], board->x.protocol->name, port->name, port->baud, err);
    if (!port->trace) return false;
  }
  return greet(board, err);
}

/* Set the initial state: no target, no report. */
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
  /* The port belongs to the board from here on, on failure, too. */
  brio_board *board = count <= kind->most ? calloc(1, sizeof *board) : NULL;
  if (!board) {
    if (count > kind->most)
      brio_fail(err, BRIO_MISUSE, "%s takes at most %d axes, not %d", kind->name, kind->most, count);
    else brio_fail(err, BRIO_NO_MEMORY, "no memory for a board");
    brio_port_close(port);
    return NULL;
  }
  /* Settings are copied; the texts are valid during opening only. */
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
  /* The context of families with texts is their values. */
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
  /* The kind's last commands, then the trace, then the port. */
  if (board->x.port && board->kind->end) board->kind->end(board);
  if (board->x.port) brio_trace_close(board->x.port->trace, NULL);
  brio_port_close(board->x.port);
  free(board);
}

/* ---- for kinds ---- */

void brio_board_place(brio_board *board, int i, double position) {
  assert(i >= 0 && i < board->count);
  brio_axis_state *state = &board->states[i];
  /* Speed from two positions of different times; the first position gives none. */
  double now = brio_port_now(board->x.port), dt = now - board->heard[i];
  /* First-order low-pass filter: v += (rate - v) dt / (dt + SMOOTH). */
  double rate = dt > 0 ? (position - state->position) / dt : 0;
  if (isfinite(dt) && dt > 0) state->velocity += (rate - state->velocity) * dt / (dt + SMOOTH);
  state->position = position;
  board->heard[i] = now;
  board->fresh[i] = true;
}

bool brio_board_narrow(brio_board *board, int i, double lower, double upper, brio_error *err) {
  assert(i >= 0 && i < board->count);
  if (!(lower < upper)) return true; /* the device has no limits */
  /* The intersection of both ranges must not be empty. */
  board->lower[i] = fmax(board->lower[i], lower);
  board->upper[i] = fmin(board->upper[i], upper);
  if (board->lower[i] <= board->upper[i]) return true;
  return brio_fail(err, BRIO_DEVICE, "%s %d moves from %.3f to %.3f rad, which the axis' limits exclude",
                   board->kind->name, board->ids[i], lower, upper);
}

/* Crossed, each target would be clamped to the same pulse. */
bool brio_board_check_pulses(double least, double most, brio_error *err) {
  return least < most ||
         brio_fail(err, BRIO_MISUSE, "least must be below most: pulses from %g to %g us cannot be", least,
                   most);
}

void brio_board_range(const void *device, int axis, double *lower, double *upper) {
  const brio_board *board = device;
  assert(axis >= 0 && axis < board->count);
  *lower = board->lower[axis];
  *upper = board->upper[axis];
}

bool brio_board_insist(brio_board *board, int least, int most, brio_error *err) {
  assert(least >= 0 && least <= most);
  brio_error why = {0};
  /* The exchange has tries of its own; a port failure ends them all. */
  for (int i = 0; i < INSIST && why.code != BRIO_IO; i++)
    if (brio_exchange_ask(&board->x, least, most, &why)) return true;
  if (err) *err = why;
  return false;
}

/* ---- a cycle ---- */

bool brio_board_write_timed(void *device, const double *targets, const double *speeds, brio_error *err) {
  brio_board *board = device;
  double clamped[BRIO_BOARD_AXES];
  /* Clamp to the limits; NaN stays NaN.  Targets that were sent are kept. */
  for (int i = 0; i < board->count; i++)
    clamped[i] = brio_clamp(targets[i], board->lower[i], board->upper[i]);
  if (brio_targets_late(err) || !board->kind->tell(board, clamped, speeds, err)) return false;
  for (int i = 0; i < board->count; i++)
    if (!isnan(clamped[i])) board->told[i] = clamped[i];
  return true;
}

bool brio_board_write(void *device, const double *targets, brio_error *err) {
  return brio_board_write_timed(device, targets, NULL, err);
}

/* Switch the motors.  A motor that goes limp has no target. */
bool brio_board_power(void *device, const bool *on, brio_error *err) {
  brio_board *board = device;
  for (int i = 0; i < board->count; i++) {
    board->on[i] = on[i];
    if (!on[i]) board->told[i] = NAN;
  }
  return board->kind->power(board, on, err);
}

/* Report new alerts.  Return false if there is one. */
static bool complain(brio_board *board, int i, unsigned bits, brio_error *err) {
  /* Bits that are set now and were not before. */
  unsigned fresh = bits & ~board->alerts[i];
  char words[200] = "";
  board->alerts[i] = bits;
  if (!fresh) return true;
  /* One phrase per bit, where the kind has words. */
  for (int k = 0; board->kind->alerts && board->kind->alerts[k]; k++) {
    size_t used = strlen(words);
    /* Append the phrase of bit k. */
    if (fresh >> k & 1)
      snprintf(words + used, sizeof words - used, "%s%s", used ? ", " : "", board->kind->alerts[k]);
  }
  return brio_fail(err, BRIO_DEVICE, "%s %d reports: %s", board->kind->name, board->ids[i],
                   words[0] ? words : "an error");
}

/* Check the health of the axes that are due, in turn, so that all are checked within the setting's time.
** What a cycle is late by is made up, but no cycle asks more than an eighth of them: on a slow line all are
** checked within ROUND cycles.  The first new alert is the error. */
static bool ask_health(brio_board *board, brio_error *err) {
  if (!board->kind->health || board->settings[HEALTH] == 0 || board->count == 0) return true;
  double every = board->settings[HEALTH] / board->count, now = brio_port_now(board->x.port);
  int most = board->kind->shared_health ? 1 : (board->count + ROUND - 1) / ROUND;
  int due = (int)fmin(most, floor((now - board->asked) / every));
  if (due < 1) return true;
  board->asked = fmax(board->asked + due * every, now - every);
  bool good = true;
  for (; due > 0; due--) {
    int i = board->next = (board->next + 1) % board->count;
    good = complain(board, i, board->kind->health(board, i), good ? err : NULL) && good;
  }
  return good;
}

/* Return false after a failure of the port, a new alert, or a long silence. */
bool brio_board_read(void *device, brio_axis_state *states, brio_error *err) {
  brio_board *board = device;
  int answered = 0;
  memset(board->fresh, 0, sizeof board->fresh);
  /* One question for all axes, or one for each.  Only a port failure ends the cycle. */
  for (int i = 0; i < (board->kind->at_once ? 1 : board->count); i++) {
    brio_error why = {0};
    bool asked = board->kind->ask(board, i, &why);
    if (!asked && why.code == BRIO_IO) {
      if (err) *err = why;
      return false;
    }
    answered += asked && board->count == 0; /* it has inputs only */
  }
  bool good = ask_health(board, err);
  /* Axes that answered are fresh. */
  for (int i = 0; i < board->count; i++) {
    /* Values of axes that did not answer are the last ones, marked as not valid. */
    states[i] = board->states[i];
    states[i].valid = board->fresh[i];
    answered += board->fresh[i];
  }
  /* A board that is silent for too long is lost. */
  board->silent = answered > 0 ? 0 : board->silent + 1;
  if (board->silent < SILENT_CYCLES) return good;
  return brio_fail(err, BRIO_DEVICE, "nothing on %s answers any more", board->x.port->name);
}

/* The protocol, the port, and the ids, as far as they fit. */
void brio_board_describe(void *device, char *out, size_t size) {
  const brio_board *board = device;
  int used = snprintf(out, size, "%s on %s at %d baud: %s", board->x.protocol->name, board->x.port->name,
                      board->x.port->baud, board->kind->name);
  for (int i = 0; i < board->count && used > 0 && (size_t)used < size; i++)
    used += snprintf(out + used, size - (size_t)used, "%s%d", i ? ", " : " ", board->ids[i]);
}

/* The exchange's counts, and those of the kind (refusals). */
void brio_board_count(void *device, brio_driver_counts *counts) {
  const brio_board *board = device;
  const brio_exchange *x = &board->x;
  *counts = board->refusals;
  counts->retries += (int64_t)x->retries;
  counts->timeouts += (int64_t)x->timeouts;
  counts->strays += (int64_t)x->strays;
  for (int i = 0; i < BRIO_NWIRE_FAULT; i++) counts->refused += (int64_t)x->stream.faults[i];
}
