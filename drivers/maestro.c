/* Pololu Maestro as a driver: hobby servos at its channels, compact protocol.  A radian is `us_per_rad`
** microseconds of pulse, 0 rad 1500; what it reports is what it sends out, for hobby servos tell nothing.
** Letting go ends the pulses. */
#include <math.h>

#include "drivers/board.h"

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
};
