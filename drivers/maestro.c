/* Pololu Maestro as a driver: hobby servos at its channels, compact protocol.  A radian is `us_per_rad`
** microseconds of pulse, 0 rad 1500; what it reports is what it sends out, for hobby servos tell nothing.
** Letting go ends the pulses. */
#include <math.h>

#include "drivers/board.h"
#include "drivers/scan.h"

enum { TARGET = 0x84, GET = 0x90, ERRORS = 0xA1, CENTER = 1500, LEAST = 500, MOST = 2500 };

extern const brio_protocol brio_protocol_maestro;

static const brio_driver_setting settings_table[] = BRIO_BOARD_SETTINGS(
    115200, 0, 23, "us_per_rad", "us", "Microseconds of pulse for each rad.", 636.62, 1, 10000);

static bool ask(brio_board *board, int i, brio_error *err) {
  uint8_t bytes[2];
  brio_exchange_make(&board->x, -1, GET, &board->ids[i], 1);
  if (!brio_exchange_bytes(&board->x, bytes, 2, err)) return false;
  double pulse = (bytes[0] | bytes[1] << 8) / 4.0;
  if (pulse > 0) board->places[i] = (pulse - CENTER) / board->setting;
  return true;
}

static bool greet(brio_board *board, brio_error *err) {
  uint8_t bytes[2];
  brio_exchange_make(&board->x, -1, ERRORS, NULL, 0);
  return brio_exchange_bytes(&board->x, bytes, 2, err);
}

static bool set_target(brio_board *board, int i, int quarters, brio_error *err) {
  const uint8_t data[] = {board->ids[i], (uint8_t)(quarters & 0x7F), (uint8_t)(quarters >> 7 & 0x7F)};
  brio_exchange_make(&board->x, -1, TARGET, data, 3);
  return brio_exchange_send(&board->x, err);
}

static bool tell(brio_board *board, const double *targets, brio_error *err) {
  for (int i = 0; i < board->count; i++) {
    if (isnan(targets[i])) continue;
    double pulse = fmax(LEAST, fmin(MOST, CENTER + targets[i] * board->setting));
    if (!set_target(board, i, (int)lround(4 * pulse), err)) return false;
  }
  return true;
}

static bool power(brio_board *board, int i, bool on, brio_error *err) {
  return on || set_target(board, i, 0, err);
}

/* ---- looking for one ---- */

/* Ask for channel 0's pulse: the one question that every Maestro answers, and that can raise no error, for an
** error may send servos home.  Return it in quarters of a microsecond, or -1: exactly two bytes were to come. */
static int ask_pulse(brio_exchange *x, brio_error *err) {
  uint8_t bytes[2], more;
  const uint8_t channel = 0;
  brio_exchange_make(x, -1, GET, &channel, 1);
  if (!brio_exchange_bytes(x, bytes, 2, err) || brio_port_read(x->port, &more, 1, x->latency, err) > 0) return -1;
  int pulse = bytes[0] | bytes[1] << 8;
  return pulse == 0 || (pulse >= 4 * 64 && pulse <= 4 * 4080) ? pulse : -1;
}

static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  brio_error why = {0};
  (void)row, (void)first, (void)last;
  brio_exchange_start(&x, &brio_protocol_maestro, port);
  x.latency = latency;
  x.tries = 1;
  bool there = most > 0 && ask_pulse(&x, &why) >= 0 && ask_pulse(&x, &why) >= 0;
  if (why.code == BRIO_IO) return brio_scan_gone(err, &why);
  if (there) brio_scan_note(found, -1, 6, 0, "a Maestro: 6 channels are taken, it may have 12, 18 or 24");
  return there;
}

static const brio_driver_scan scan = {
    .sends = "which pulse has channel 0: 90 00, twice",
    .ports = BRIO_SCAN_SERIAL, .bauds = (const int[]){115200, 9600, 0}, .last = -1, .turn = 1, .alone = true, .look = look};

static const brio_board_kind board_kind = {&brio_protocol_maestro, 24, 23, greet, tell, ask, power, false};

static void *open_board(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                        brio_error *err) {
  (void)seed;
  return brio_board_open(&board_kind, axes, count, settings, context, err);
}

const brio_driver_kind brio_driver_maestro = {
    .name = "maestro",
    .alias = "pololu",
    .doc = "Pololu Maestro: hobby servos.",
    .settings = settings_table,
    .texts = brio_board_texts,
    .open = open_board,
    .write = brio_board_write,
    .power = brio_board_power,
    .read = brio_board_read,
    .close = brio_board_close,
    .scan = &scan,
};
