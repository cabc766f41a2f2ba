/* Settings of a servo board with the line protocol; ids are channels, or inputs.  The board answers
** for itself: it must be alone on its line, or the only one that hears lines without an id. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/setup/setup.h"

/* Numbers of an answer, characters of a line; DIRECT: cannot be read. */
enum { NUMBERS = 40, LINE = 190, DIRECT = -1 };

extern const brio_protocol brio_protocol_line;

/* `at`: index in the answer; `length`: numbers per id, 0: one for the whole board. */
static const brio_setup_row rows[] = {
    {"id", "1", "The board's id.", 'V', 'N', 2, 3, 0, 1, 0, 0, 127},
    {"baud", "1/s", "The board's baud rate, from the answer on.", DIRECT, 'B', 2, 0, 0, 1, 0, 9600, 1000000},
    {"least", "us", "The shortest pulse of a channel; kept.", 'L', 'L', 2, 0, 2, 1, 0, 500, 2500},
    {"most", "us", "The longest pulse of a channel; kept.", 'L', 'L', 2, 1, 2, 1, 0, 500, 2500},
    {"pulse", "us", "What a channel sends; 0: nothing.", 'R', 'P', 2, 0, 1, 1, 0, 500, 2500},
    {"on", "1", "Write 0: a channel stops sending.", DIRECT, 'O', 1, 0, 0, 1, 0, 0, 1},
    {"watchdog", "s", "Time without a line after which all channels are off; 0: never.", DIRECT, 'T', 2, 0, 0,
     0.001, 0, 0, 60},
    {"input", "1", "What an input reads, 0 to 1.", 'I', -1, 2, 0, 1, 1.0 / 1023, 0, 0, 0},
    {"flags", "1", "Bits, cleared by reading: 1 started, 2 the watchdog expired.", 'S', -1, 2, 0, 0, 1, 0, 0,
     0},
    {"spoiled", "1", "Lines with a wrong check code since the flags were read.", 'S', -1, 2, 1, 0, 1, 0, 0,
     0},
    {0}};

/* Ask, and read the numbers of the answer; words in it are skipped.  Return how many, or -1. */
static int ask(brio_exchange *x, int code, int *numbers, brio_error *err) {
  int count = 0, used = 0;
  brio_exchange_make(x, -1, code, NULL, 0);
  if (!brio_exchange_ask(x, 1, LINE, err)) return -1;
  /* End the text, so that sscanf stops there. */
  x->in.data[x->in.length] = 0;
  const char *at = (const char *)x->in.data;
  if (code == 'V') sscanf(at, " %*s%n", &used), at += used; /* skip its name */
  for (; count < NUMBERS && sscanf(at, " %d%n", &numbers[count], &used) == 1; at += used) count++;
  return count;
}

/* Number `at` of the id's own numbers, in the row's unit. */
static bool get(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double *value, brio_error *err) {
  /* Each id has `length` numbers, one after another. */
  int numbers[NUMBERS] = {0}, which = id * row->length + row->at;
  int count = ask(x, row->read, numbers, err);
  (void)setup;
  if (count < 0) return false;
  if (which >= count) return brio_fail(err, BRIO_MISUSE, "the board has no %s %d", row->name, id);
  *value = numbers[which] * row->scale;
  return true;
}

/* A line has both limits of a channel: read them, then replace one. */
static int write_limits(brio_exchange *x, int id, const brio_setup_row *row, int value, char *text,
                        brio_error *err) {
  int numbers[NUMBERS] = {0}, count = ask(x, 'L', numbers, err);
  if (count >= 0 && 2 * id + 1 >= count) brio_fail(err, BRIO_MISUSE, "the board has no channel %d", id);
  if (2 * id + 1 >= count) return -1;
  /* Lower limit at 2 id, upper limit at 2 id + 1: both are sent. */
  numbers[2 * id + row->at] = value;
  return snprintf(text, LINE, " %d %d %d", id, numbers[2 * id], numbers[2 * id + 1]);
}

/* The board confirms with K; a new rate is followed by the port. */
static bool set(const brio_driver_setup *setup, brio_exchange *x, int id, const brio_setup_row *row,
                double value, brio_error *err) {
  /* Limits go in pairs, other numbers follow their channel, or stand alone. */
  char text[LINE];
  int number = (int)lround(value / row->scale), length;
  bool of_channel = row->write == 'P' || row->write == 'O';
  (void)setup;
  if (row->write == 'L') length = write_limits(x, id, row, number, text, err);
  else if (of_channel) length = snprintf(text, sizeof text, " %d %d", id, number);
  else length = snprintf(text, sizeof text, " %d", number);
  /* Without a channel's limits there is nothing to send. */
  if (length < 0) return false;
  /* K confirms a change; a new baud rate is the board's from its answer on. */
  brio_exchange_make(x, -1, row->write, (const uint8_t *)text, length);
  x->reply = 'K';
  if (!brio_exchange_ask(x, 0, 0, NULL))
    return brio_fail(err, BRIO_DEVICE, "the board on %s does not take %s %g", x->port->name, row->name,
                     value);
  return row->write != 'B' || brio_port_set_baud(x->port, number, err);
}

const brio_driver_setup brio_setup_line = {&brio_protocol_line, rows, 127, false, get, set};
