/* Drivers of servos that are asked one by one, or a board of them: LX-16A, myCobot, Maestro, the line
** protocol.  What they share is a port, ids, limits, reports, and telling once what begins to be wrong; a
** record says the rest. */
#ifndef BRIO_DRIVERS_FAMILIES_BOARD_H
#define BRIO_DRIVERS_FAMILIES_BOARD_H

#include "drivers/driver.h"
#include "drivers/ports/exchange.h"

enum {
  BRIO_BOARD_AXES = 64,
  BRIO_BOARD_ROWS = 16, /* a kind has at most */
  BRIO_BOARD_OWN = 5,       /* the first setting that is a kind's own */
  BRIO_BOARD_OWN_TEXT = 3,  /* the first text that is */
  BRIO_BOARD_NOTES = 64,    /* numbers that a kind may keep */
};

typedef struct brio_board_kind brio_board_kind;

typedef struct brio_board {
  const brio_board_kind *kind;
  brio_exchange x;
  int count, silent;                    /* axes; cycles without any answer */
  int next;                             /* who is asked next how it is */
  double asked;                         /* s: when one was asked that */
  double settings[BRIO_BOARD_ROWS];
  const char *const *texts;             /* while it opens */
  uint8_t ids[BRIO_BOARD_AXES];
  double lower[BRIO_BOARD_AXES], upper[BRIO_BOARD_AXES];
  double heard[BRIO_BOARD_AXES];        /* s: when it reported last */
  double told[BRIO_BOARD_AXES];         /* its last target; NAN: none since it was let go */
  bool fresh[BRIO_BOARD_AXES];          /* it has reported in this cycle */
  bool on[BRIO_BOARD_AXES];             /* it was told to hold */
  brio_axis_state states[BRIO_BOARD_AXES];
  unsigned alerts[BRIO_BOARD_AXES];     /* what is wrong with each, as the kind's words have it */
  int notes[BRIO_BOARD_NOTES];          /* the kind's */
  brio_driver_counts refusals;          /* what is counted besides the exchange */
} brio_board;

struct brio_board_kind {
  const char *name;
  const brio_protocol *protocol;
  const brio_driver_setting *settings;  /* as in its brio_driver_kind */
  int most, highest;                    /* axes; greatest id */
  bool at_once;                         /* one question asks for all places */
  const char *const *alerts;            /* words for the bits of alerts, ended by NULL; NULL: none */
  /* Begin: choose another protocol, say what must be said first (NULL: nothing). */
  bool (*begin)(brio_board *board, brio_error *err);
  /* Find out whether everything answers, and narrow limits to the devices' own. */
  bool (*greet)(brio_board *board, brio_error *err);
  /* Tell the targets that are not NaN, which are within the limits; speeds (1/s, above 0) or NULL. */
  bool (*tell)(brio_board *board, const double *targets, const double *speeds, brio_error *err);
  /* Ask where axis `i` is (or all, where `at_once`), for brio_board_place. */
  bool (*ask)(brio_board *board, int i, brio_error *err);
  /* Hold or let go, one flag an axis. */
  bool (*power)(brio_board *board, const bool *on, brio_error *err);
  /* Ask how axis `i` is: put it into its state, and return the bits of what is wrong (NULL: nothing to
  ** ask). */
  unsigned (*health)(brio_board *board, int i);
  /* Do what nobody may be left without when it is closed (NULL: nothing). */
  void (*end)(brio_board *board);
};

extern const brio_board_kind brio_board_lx16a, brio_board_maestro, brio_board_mycobot, brio_board_line;

/* The settings and texts that boards share; the rows of the kind's own follow. */
#define BRIO_BOARD_SHARED(baud, first, highest)                                                              \
  {"baud", "1/s", "Bits per second.", baud, 1200, 1e7},                                                      \
      {"first_id", "1", "Id or channel of the first axis, unless `ids` lists them.", first, 0, highest},     \
      {"latency", "s", "How long an answer may take besides its bytes.", 0.02, 0.0005, 1},                   \
      {"tries", "1", "How often a question is asked before it counts as not answered.", 2, 1, 10}, {         \
    "health", "s", "In so long each axis is asked once how it is; 0: never.", 0.8, 0, 3600                   \
  }
#define BRIO_BOARD_TEXTS                                                                                     \
  {"port", "The serial port, or a link to it such as /dev/serial/by-id/...", "/dev/ttyUSB0"},                \
      {"ids", "Ids or channels of the axes in their order, as in \"1,2,11-14\"; empty: from first_id on.",   \
       ""},                                                                                                  \
  {                                                                                                          \
    "trace", "A file that every byte is recorded in, behind what it holds; empty: none.", ""                 \
  }
/* For families whose third setting is all they have of their own. */
#define BRIO_BOARD_SETTINGS(baud, first, highest, own_name, own_unit, own_doc, own, own_lower, own_upper)    \
  {                                                                                                          \
    {"baud", "1/s", "Bits per second.", baud, 1200, 1e7},                                                    \
        {"first_id", "1", "Id or channel of the first axis, unless `ids` lists them.", first, 0, highest},   \
        {"latency", "s", "How long an answer may take besides its bytes.", 0.02, 0.0005, 1},                 \
        {own_name, own_unit, own_doc, own, own_lower, own_upper}, {                                          \
      0                                                                                                      \
    }                                                                                                        \
  }
extern const brio_driver_text brio_board_texts[];

/* Open a board of a kind: see brio_driver_kind. */
void *brio_board_open(const brio_board_kind *kind, const brio_axis *axes, int count, const double *settings,
                      void *context, brio_error *err);

/* The same on an open port, which becomes the board's: closed with it, and when it cannot be opened. */
void *brio_board_open_port(const brio_board_kind *kind, brio_port *port, const brio_axis *axes, int count,
                           const double *settings, const char *const *texts, brio_error *err);

/* The functions of brio_driver_kind. */
bool brio_board_write(void *device, const double *targets, brio_error *err);
bool brio_board_write_timed(void *device, const double *targets, const double *speeds, brio_error *err);
bool brio_board_power(void *device, const bool *on, brio_error *err);
bool brio_board_read(void *device, brio_axis_state *states, brio_error *err);
void brio_board_range(const void *device, int axis, double *lower, double *upper);
void brio_board_describe(void *device, char *out, size_t size);
void brio_board_count(void *device, brio_driver_counts *counts);
void brio_board_close(void *device);

/* A kind's `open` of brio_driver_kind, and the functions that all kinds share. */
#define BRIO_BOARD_OPEN(board_kind)                                                                          \
  static void *open_board(const brio_axis *axes, int count, const double *settings, uint64_t seed,           \
                          void *context, brio_error *err) {                                                  \
    (void)seed;                                                                                              \
    return brio_board_open(&(board_kind), axes, count, settings, context, err);                              \
  }
#define BRIO_BOARD_FUNCTIONS                                                                                 \
  .open = open_board, .write = brio_board_write, .write_timed = brio_board_write_timed,                      \
  .power = brio_board_power, .read = brio_board_read, .range = brio_board_range,                             \
  .describe = brio_board_describe, .count = brio_board_count, .close = brio_board_close

/* For kinds: axis `i` reports where it is. */
void brio_board_place(brio_board *board, int i, double position);

/* For kinds: narrow axis `i` to the limits set in the device.  Return false, with a sentence, when none is
** left. */
bool brio_board_narrow(brio_board *board, int i, double lower, double upper, brio_error *err);

/* For kinds: ask for what is in x.out until it is answered, as often as opening is worth it. */
bool brio_board_insist(brio_board *board, int least, int most, brio_error *err);

#endif
