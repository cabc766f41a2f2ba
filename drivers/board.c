/* What drivers of boards and of servos that are asked one by one share.  See board.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/board.h"
#include "math/scalar.h"

enum { BAUD, FIRST_ID, LATENCY, OWN };
enum { PORT, IDS, TRACE, NTEXT };
enum { SILENT_CYCLES = 10 };

const brio_driver_text brio_board_texts[NTEXT + 1] = {
    [PORT] = {"port", "The serial port, or a link to it such as /dev/serial/by-id/...", "/dev/ttyUSB0"},
    [IDS] = {"ids", "Ids or channels of the axes in their order, as in \"1,2,11-14\"; empty: from first_id on.", ""},
    [TRACE] = {"trace", "A file that every byte is recorded in, behind what it holds; empty: none.", ""},
};

static bool take_ids(brio_board *board, const char *text, int first, brio_error *err) {
  int highest = board->kind->highest, count = brio_exchange_ids(text, board->ids, BRIO_BOARD_AXES, highest);
  if (count < 0 || (count > 0 && count != board->count) || first + board->count - 1 > highest)
    return brio_fail(err, BRIO_MISUSE, "%d axes need as many ids from 0 to %d, as in \"1,2,11-14\", not '%s'",
                     board->count, highest, text);
  for (int i = 0; i < board->count && count == 0; i++) board->ids[i] = (uint8_t)(first + i);
  return true;
}

static bool start(brio_board *board, const double *settings, const char *const *texts, brio_error *err) {
  if (!take_ids(board, texts[IDS], (int)settings[FIRST_ID], err)) return false;
  brio_port *port = brio_port_open(texts[PORT], (int)settings[BAUD], err);
  brio_exchange_start(&board->x, board->kind->protocol, port);
  if (!port) return false;
  board->x.latency = settings[LATENCY];
  board->setting = settings[OWN];
  if (texts[TRACE][0]) {
    port->trace = brio_trace_open(texts[TRACE], board->kind->protocol->name, texts[PORT], port->baud, err);
    if (!port->trace) return false;
  }
  return board->kind->greet(board, err);
}

void *brio_board_open(const brio_board_kind *kind, const brio_axis *axes, int count, const double *settings,
                      void *context, brio_error *err) {
  if (!context || count > kind->most) {
    brio_fail(err, BRIO_MISUSE, "%s needs a port and takes at most %d axes", kind->protocol->name, kind->most);
    return NULL;
  }
  brio_board *board = calloc(1, sizeof *board);
  if (!board) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a board");
    return NULL;
  }
  board->kind = kind;
  board->count = count;
  for (int i = 0; i < count; i++) {
    board->lower[i] = axes[i].lower;
    board->upper[i] = axes[i].upper;
    board->places[i] = axes[i].start;
  }
  if (start(board, settings, context, err)) return board;
  brio_board_close(board);
  return NULL;
}

void brio_board_close(void *device) {
  brio_board *board = device;
  if (board->x.port) brio_trace_close(board->x.port->trace, NULL);
  brio_port_close(board->x.port);
  free(board);
}

bool brio_board_write(void *device, const double *targets, brio_error *err) {
  brio_board *board = device;
  double clamped[BRIO_BOARD_AXES];
  for (int i = 0; i < board->count; i++) clamped[i] = brio_clamp(targets[i], board->lower[i], board->upper[i]);
  return board->kind->tell(board, clamped, err);
}

bool brio_board_power(void *device, const bool *on, brio_error *err) {
  brio_board *board = device;
  bool good = true;
  for (int i = 0; i < board->count; i++)
    if (!board->kind->power(board, i, on[i], good ? err : NULL)) good = false;
  return good;
}

bool brio_board_read(void *device, brio_axis_state *states, brio_error *err) {
  brio_board *board = device;
  int answered = 0;
  bool all = false;
  for (int i = 0; i < board->count; i++) {
    brio_error why = {0};
    bool valid = board->kind->at_once && i > 0 ? all : board->kind->ask(board, i, &why);
    if (i == 0) all = valid;
    if (why.code == BRIO_IO) {
      if (err) *err = why;
      return false;
    }
    answered += valid;
    states[i] = (brio_axis_state){.position = board->places[i], .valid = valid};
  }
  board->silent = answered > 0 ? 0 : board->silent + 1;
  if (board->silent < SILENT_CYCLES) return true;
  return brio_fail(err, BRIO_DEVICE, "nothing on %s answers any more", board->x.port->name);
}
