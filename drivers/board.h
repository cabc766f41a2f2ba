/* Drivers of servos that are asked one by one, or a board of them: LX-16A, myCobot, Maestro, the line
** protocol.  What they share is a port, ids and limits; a record says the rest. */
#ifndef BRIO_DRIVERS_BOARD_H
#define BRIO_DRIVERS_BOARD_H

#include "drivers/driver.h"
#include "drivers/exchange.h"

enum { BRIO_BOARD_AXES = 64 };

typedef struct brio_board_kind brio_board_kind;

typedef struct brio_board {
  const brio_board_kind *kind;
  brio_exchange x;
  int count, silent;
  double setting;                       /* the kind's own setting */
  uint8_t ids[BRIO_BOARD_AXES];
  double lower[BRIO_BOARD_AXES], upper[BRIO_BOARD_AXES];
  double places[BRIO_BOARD_AXES];       /* as reported last, or told */
} brio_board;

struct brio_board_kind {
  const brio_protocol *protocol;
  int most, highest;                    /* axes; greatest id */
  /* Find out whether everything answers. */
  bool (*greet)(brio_board *board, brio_error *err);
  /* Tell the targets that are not NaN, which are within the limits. */
  bool (*tell)(brio_board *board, const double *targets, brio_error *err);
  /* Ask where axis `i` is (or all, when `i` is 0 and `at_once`). */
  bool (*ask)(brio_board *board, int i, brio_error *err);
  bool (*power)(brio_board *board, int i, bool on, brio_error *err);
  bool at_once;
};

/* The settings and texts that boards share; the third setting is the kind's own. */
#define BRIO_BOARD_SETTINGS(baud, first, highest, own_name, own_unit, own_doc, own, own_lower, own_upper)         \
  {                                                                                                               \
    {"baud", "1/s", "Bits per second.", baud, 1200, 1e7},                                                         \
        {"first_id", "1", "Id or channel of the first axis, unless `ids` lists them.", first, 0, highest},        \
        {"latency", "s", "How long an answer may take besides its bytes.", 0.02, 0.0005, 1},                      \
        {own_name, own_unit, own_doc, own, own_lower, own_upper}, {                                               \
      0                                                                                                           \
    }                                                                                                             \
  }
extern const brio_driver_text brio_board_texts[];

/* Open a board of a kind: see brio_driver_kind. */
void *brio_board_open(const brio_board_kind *kind, const brio_axis *axes, int count, const double *settings,
                      void *context, brio_error *err);

/* The functions of brio_driver_kind. */
bool brio_board_write(void *device, const double *targets, brio_error *err);
bool brio_board_power(void *device, const bool *on, brio_error *err);
bool brio_board_read(void *device, brio_axis_state *states, brio_error *err);
void brio_board_close(void *device);

#endif
