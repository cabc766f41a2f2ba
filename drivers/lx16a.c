/* LewanSoul and Hiwonder bus servos as a driver: a move packet and a question for each servo in every
** cycle, for there is no packet to many that moves.  Positions are 0 to 1000 over 240 degrees, and may be
** read a little beyond.  A servo that is told to move takes `move_time` for it. */
#include <math.h>

#include "drivers/board.h"
#include "drivers/scan.h"

enum { MOVE = 1, POSITION = 28, LIMITS = 21, LOAD = 31, CENTER = 500, STEPS = 1000 };

static const double TURN = 240 * 3.141592653589793 / 180;

extern const brio_protocol brio_protocol_lx16a;

static const brio_driver_setting settings_table[] = BRIO_BOARD_SETTINGS(
    115200, 1, 253, "move_time", "s", "How long a servo takes for each move it is told.", 0.02, 0, 30);

static bool ask(brio_board *board, int i, brio_error *err) {
  brio_exchange_make(&board->x, board->ids[i], POSITION, NULL, 0);
  if (!brio_exchange_ask(&board->x, 2, 2, err)) return false;
  int position = (int16_t)(board->x.in.data[0] | board->x.in.data[1] << 8);
  if (position < -STEPS || position > 2 * STEPS)
    return brio_fail(err, BRIO_FORMAT, "servo %d reports a position of %d", board->ids[i], position);
  board->places[i] = (position - CENTER) * TURN / STEPS;
  return true;
}

static bool greet(brio_board *board, brio_error *err) {
  for (int i = 0; i < board->count; i++)
    if (!ask(board, i, err)) return false;
  return true;
}

static bool tell(brio_board *board, const double *targets, brio_error *err) {
  int ms = (int)lround(board->setting * 1000);
  for (int i = 0; i < board->count; i++) {
    if (isnan(targets[i])) continue;
    double goal = fmax(0, fmin(STEPS, round(CENTER + targets[i] * STEPS / TURN)));
    int position = (int)goal;
    const uint8_t data[] = {(uint8_t)position, (uint8_t)(position >> 8), (uint8_t)ms, (uint8_t)(ms >> 8)};
    brio_exchange_make(&board->x, board->ids[i], MOVE, data, 4);
    if (!brio_exchange_send(&board->x, err)) return false;
  }
  return true;
}

static bool power(brio_board *board, int i, bool on, brio_error *err) {
  const uint8_t flag = on;
  brio_exchange_make(&board->x, board->ids[i], LOAD, &flag, 1);
  return brio_exchange_send(&board->x, err);
}

/* ---- looking for them ---- */

static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  int count = 0;
  (void)row;
  brio_exchange_start(&x, &brio_protocol_lx16a, port);
  x.latency = latency;
  x.tries = 1;
  for (int id = first; id <= last && count < most; id++) {
    brio_error why = {0};
    brio_exchange_make(&x, id, POSITION, NULL, 0);
    bool there = brio_exchange_ask(&x, 2, 2, &why);
    if (!there && why.code == BRIO_IO) return brio_scan_gone(err, &why);
    if (!there) continue;
    brio_scan_note(&found[count], id, 1, id, "an LX-16A or one of its kin");
    brio_exchange_make(&x, id, LIMITS, NULL, 0);
    if (brio_exchange_ask(&x, 4, 4, NULL)) {
      found[count].lower = ((x.in.data[0] | x.in.data[1] << 8) - CENTER) * TURN / STEPS;
      found[count].upper = ((x.in.data[2] | x.in.data[3] << 8) - CENTER) * TURN / STEPS;
    }
    count++;
  }
  return count;
}

static const brio_driver_scan scan = {
    .sends = "where is it, to each id: 55 55 ID 03 1C SUM; then its limits are read",
    .ports = BRIO_SCAN_SERIAL, .bauds = (const int[]){115200, 0}, .last = 253, .turn = 4, .look = look};

static const brio_board_kind board_kind = {&brio_protocol_lx16a, BRIO_BOARD_AXES, 253, greet, tell, ask, power, false};

static void *open_board(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                        brio_error *err) {
  (void)seed;
  return brio_board_open(&board_kind, axes, count, settings, context, err);
}

const brio_driver_kind brio_driver_lx16a = {
    .name = "lx16a",
    .alias = "lewansoul",
    .doc = "LewanSoul and Hiwonder bus servos, LX-16A and its kin.",
    .settings = settings_table,
    .texts = brio_board_texts,
    .open = open_board,
    .write = brio_board_write,
    .power = brio_board_power,
    .read = brio_board_read,
    .close = brio_board_close,
    .scan = &scan,
};
