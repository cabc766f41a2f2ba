/* myCobot 280 as a driver: all six angles are told and asked in one packet each.  An axis that is left
** alone is told where it was reported last.  The arm answers nothing to being told. */
#include <math.h>

#include "drivers/board.h"
#include "drivers/scan.h"

enum { POWER_ON = 0x10, RELEASE = 0x13, GET_ANGLES = 0x20, SEND_ANGLES = 0x22, JOINTS = 6 };

static const double CENTIDEGREE = 3.141592653589793 / 18000;

extern const brio_protocol brio_protocol_mycobot;

static const brio_driver_setting settings_table[] = BRIO_BOARD_SETTINGS(
    115200, 1, 6, "speed", "1", "The arm's own speed of moves, 1 to 100.", 80, 1, 100);

static bool ask(brio_board *board, int i, brio_error *err) {
  (void)i;
  brio_exchange_make(&board->x, -1, GET_ANGLES, NULL, 0);
  if (!brio_exchange_ask(&board->x, 2 * JOINTS, 2 * JOINTS, err)) return false;
  for (int k = 0; k < board->count; k++) {
    const uint8_t *at = board->x.in.data + 2 * (board->ids[k] - 1);
    int angle = (int16_t)(at[0] << 8 | at[1]);
    if (angle < -18000 || angle > 18000) /* no check code: what cannot be is refused */
      return brio_fail(err, BRIO_FORMAT, "joint %d reports %.2f degrees", board->ids[k], angle / 100.0);
    board->places[k] = angle * CENTIDEGREE;
  }
  return true;
}

/* All joints are told in one packet, so that all must be axes. */
static bool greet(brio_board *board, brio_error *err) {
  if (board->count != JOINTS) return brio_fail(err, BRIO_MISUSE, "the arm has %d axes, not %d", JOINTS, board->count);
  for (int i = 0; i < board->count; i++)
    if (board->ids[i] < 1) return brio_fail(err, BRIO_MISUSE, "joints of the arm are 1 to %d, not 0", JOINTS);
  return ask(board, 0, err);
}

static bool tell(brio_board *board, const double *targets, brio_error *err) {
  uint8_t data[2 * JOINTS + 1] = {0};
  bool any = false;
  for (int i = 0; i < board->count; i++) {
    any |= !isnan(targets[i]);
    int angle = (int)lround((isnan(targets[i]) ? board->places[i] : targets[i]) / CENTIDEGREE);
    data[2 * (board->ids[i] - 1)] = (uint8_t)(angle >> 8);
    data[2 * (board->ids[i] - 1) + 1] = (uint8_t)angle;
  }
  data[2 * JOINTS] = (uint8_t)board->setting;
  brio_exchange_make(&board->x, -1, SEND_ANGLES, data, sizeof data);
  return !any || brio_exchange_send(&board->x, err);
}

/* The arm has one switch: it goes limp when its last axis is let go. */
static bool power(brio_board *board, int i, bool on, brio_error *err) {
  if (i != board->count - 1) return true;
  brio_exchange_make(&board->x, -1, on ? POWER_ON : RELEASE, NULL, 0);
  return brio_exchange_send(&board->x, err);
}

/* ---- looking for one ---- */

static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  brio_exchange x;
  brio_error why = {0};
  (void)row, (void)first, (void)last;
  brio_exchange_start(&x, &brio_protocol_mycobot, port);
  x.latency = fmax(latency, 0.05);
  x.tries = 1;
  brio_exchange_make(&x, -1, GET_ANGLES, NULL, 0);
  bool there = most > 0 && brio_exchange_ask(&x, 2 * JOINTS, 2 * JOINTS, &why);
  if (why.code == BRIO_IO) return brio_scan_gone(err, &why);
  if (there) brio_scan_note(found, -1, JOINTS, 1, "a myCobot with %d joints", JOINTS);
  return there;
}

static const brio_driver_scan scan = {
    .sends = "which angles have you: FE FE 02 20 FA",
    .ports = BRIO_SCAN_SERIAL, .bauds = (const int[]){115200, 1000000, 0}, .last = -1, .turn = 2, .alone = true, .look = look};

static const brio_board_kind board_kind = {&brio_protocol_mycobot, JOINTS, JOINTS, greet, tell, ask, power, true};

static void *open_board(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                        brio_error *err) {
  (void)seed;
  return brio_board_open(&board_kind, axes, count, settings, context, err);
}

const brio_driver_kind brio_driver_mycobot = {
    .name = "mycobot",
    .alias = NULL,
    .doc = "Elephant Robotics myCobot 280, M5 and Pi.",
    .settings = settings_table,
    .texts = brio_board_texts,
    .open = open_board,
    .write = brio_board_write,
    .power = brio_board_power,
    .read = brio_board_read,
    .close = brio_board_close,
    .scan = &scan,
};
