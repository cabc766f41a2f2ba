/* Hobby servo boards by the line protocol, as a driver: docs/devices.md has its words, and the sketch for
** an Arduino.  One line tells all pulses; a report has all that the board sends out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/board.h"
#include "drivers/scan.h"

enum { CENTER = 1500, LEAST = 500, MOST = 2500, CHANNELS = 16 };

extern const brio_protocol brio_protocol_line;

static const brio_driver_setting settings_table[] = BRIO_BOARD_SETTINGS(
    115200, 0, 15, "us_per_rad", "us", "Microseconds of pulse for each rad.", 636.62, 1, 10000);

static bool ask(brio_board *board, int i, brio_error *err) {
  int pulses[CHANNELS] = {0}, count = 0, used;
  (void)i;
  brio_exchange_make(&board->x, -1, 'R', NULL, 0);
  if (!brio_exchange_ask(&board->x, 2, 190, err)) return false;
  board->x.in.data[board->x.in.length] = 0;
  for (const char *at = (const char *)board->x.in.data;
       count < CHANNELS && sscanf(at, " %d%n", &pulses[count], &used) == 1; at += used)
    count++;
  for (int k = 0; k < board->count; k++)
    if (board->ids[k] < count && pulses[board->ids[k]] > 0)
      board->places[k] = (pulses[board->ids[k]] - CENTER) / board->setting;
  return true;
}

static bool greet(brio_board *board, brio_error *err) {
  brio_exchange_make(&board->x, -1, 'V', NULL, 0);
  return brio_exchange_ask(&board->x, 2, 190, err);
}

static bool tell(brio_board *board, const double *targets, brio_error *err) {
  char text[200] = "";
  int length = 0;
  for (int i = 0; i < board->count; i++) {
    if (isnan(targets[i])) continue;
    double pulse = fmax(LEAST, fmin(MOST, CENTER + targets[i] * board->setting));
    length += snprintf(text + length, sizeof text - (size_t)length, " %d %d", board->ids[i], (int)lround(pulse));
  }
  brio_exchange_make(&board->x, -1, 'P', (const uint8_t *)text, length);
  return length == 0 || brio_exchange_send(&board->x, err);
}

static bool power(brio_board *board, int i, bool on, brio_error *err) {
  char text[16];
  int length = snprintf(text, sizeof text, " %d %d", board->ids[i], on);
  brio_exchange_make(&board->x, -1, 'O', (const uint8_t *)text, length);
  return brio_exchange_send(&board->x, err);
}

/* ---- looking for one ---- */

static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  brio_error why = {0};
  int channels = 0, version = 0;
  (void)row, (void)first, (void)last;
  brio_exchange_start(&x, &brio_protocol_line, port);
  x.latency = fmax(latency, 0.7); /* an Arduino begins anew when its port is opened */
  x.tries = 3;
  brio_exchange_make(&x, -1, 'V', NULL, 0);
  bool there = most > 0 && brio_exchange_ask(&x, 2, 190, &why);
  if (why.code == BRIO_IO) return brio_scan_gone(err, &why);
  x.in.data[there ? x.in.length : 0] = 0;
  if (!there || sscanf((const char *)x.in.data, " brio-servo %d %d", &version, &channels) != 2 || channels < 1) return 0;
  if (channels > CHANNELS) channels = CHANNELS;
  brio_scan_note(found, -1, channels, 0, "a servo board, version %d, with %d channels", version, channels);
  return 1;
}

static const brio_driver_scan scan = {
    .sends = "who are you: $V*56 and a line feed, three times",
    .ports = BRIO_SCAN_SERIAL, .bauds = (const int[]){115200, 0}, .last = -1, .turn = 3, .alone = true, .look = look};

static const brio_board_kind board_kind = {&brio_protocol_line, CHANNELS, CHANNELS - 1, greet, tell, ask, power, true};

static void *open_board(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                        brio_error *err) {
  (void)seed;
  return brio_board_open(&board_kind, axes, count, settings, context, err);
}

const brio_driver_kind brio_driver_line = {
    .name = "line",
    .alias = NULL,
    .doc = "Hobby servo boards by lines of text.",
    .settings = settings_table,
    .texts = brio_board_texts,
    .open = open_board,
    .write = brio_board_write,
    .power = brio_board_power,
    .read = brio_board_read,
    .close = brio_board_close,
    .scan = &scan,
};
