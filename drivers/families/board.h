/* The common part of the drivers of single servos and servo boards: LX-16A, myCobot, Maestro, the line
** protocol.  It has the port, ids, limits, reports, and alerts that are reported once; the record of a
** kind has the rest. */
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
  BRIO_BOARD_STORED = 4,    /* the same of each axis */
};

typedef struct brio_board_kind brio_board_kind;

typedef struct brio_board {
  const brio_board_kind *kind;
  brio_exchange x;
  int count, silent;                    /* axes; cycles without any answer */
  int next;                             /* whose health was read last */
  double asked;                         /* s: time of the last such request */
  double settings[BRIO_BOARD_ROWS];
  const char *const *texts;             /* while it opens */
  uint8_t ids[BRIO_BOARD_AXES];
  double lower[BRIO_BOARD_AXES], upper[BRIO_BOARD_AXES];
  double heard[BRIO_BOARD_AXES];        /* s: time of its last report */
  double told[BRIO_BOARD_AXES];         /* its last target; NaN: none since it was released */
  bool fresh[BRIO_BOARD_AXES];          /* it has reported in this cycle */
  bool on[BRIO_BOARD_AXES];             /* its torque was switched on */
  brio_axis_state states[BRIO_BOARD_AXES];
  unsigned alerts[BRIO_BOARD_AXES];     /* active alerts of each, as bits of the kind's list */
  int notes[BRIO_BOARD_NOTES];          /* the kind's */
  int stored[BRIO_BOARD_AXES][BRIO_BOARD_STORED]; /* the kind's; 0: not known yet */
  brio_driver_counts refusals;          /* counts in addition to those of the exchange */
} brio_board;

struct brio_board_kind {
  const char *name;
  const brio_protocol *protocol;
  const brio_driver_setting *settings;  /* as in its brio_driver_kind */
  int most, highest;                    /* axes; greatest id */
  bool at_once;                         /* one request reads all positions */
  bool shared_health;                   /* health is that of the board, or read of all axes at once */
  const char *const *alerts;            /* words for the bits of alerts, ended by NULL; NULL: none */
  /* Start: choose another protocol, or send what must come first (NULL: nothing). */
  bool (*begin)(brio_board *board, brio_error *err);
  /* Check that all devices answer, and narrow limits to those stored in the devices. */
  bool (*greet)(brio_board *board, brio_error *err);
  /* Send the targets that are not NaN, which are within the limits; speeds (1/s, above 0) or NULL. */
  bool (*tell)(brio_board *board, const double *targets, const double *speeds, brio_error *err);
  /* Read the position of axis `i` (or of all, where `at_once`), and pass it to brio_board_place. */
  bool (*ask)(brio_board *board, int i, brio_error *err);
  /* Switch torque, one flag per axis. */
  bool (*power)(brio_board *board, const bool *on, brio_error *err);
  /* Read the health of axis `i` into its state, with `shared_health` that of others, too; return the bits of
  ** the alerts of axis `i` (NULL: nothing to read). */
  unsigned (*health)(brio_board *board, int i);
  /* Make the device safe before it is closed (NULL: nothing to do). */
  void (*end)(brio_board *board);
};

extern const brio_board_kind brio_board_lx16a, brio_board_maestro, brio_board_mycobot, brio_board_line;

/* The settings and texts that boards share; the rows of the kind's own follow. */
#define BRIO_BOARD_SHARED(baud, first, highest)                                                              \
  {"baud", "1/s", "Bits per second.", baud, 1200, 1e7},                                                      \
      {"first_id", "1", "Id or channel of the first axis, unless `ids` lists them.", first, 0, highest},     \
      {"latency", "s", "Maximum delay of an answer besides its bytes.", 0.02, 0.0005, 1},                    \
      {"tries", "1", "Number of requests before a question counts as unanswered.", 2, 1, 10}, {              \
    "health", "s", "Period in which each axis reports its state once; 0: never.", 0.8, 0, 3600               \
  }
#define BRIO_BOARD_TEXTS                                                                                     \
  {"port", "The serial port, or a link to it such as /dev/serial/by-id/...", "/dev/ttyUSB0"},                \
      {"ids", "Ids or channels of the axes in their order, as in \"1,2,11-14\"; empty: from first_id on.",   \
       ""},                                                                                                  \
  {                                                                                                          \
    "trace", "A file to which every byte is appended, with times; empty: none.", ""                          \
  }
/* For families with one setting of their own. */
#define BRIO_BOARD_SETTINGS(baud, first, highest, own_name, own_unit, own_doc, own, own_lower, own_upper)    \
  {                                                                                                          \
    {"baud", "1/s", "Bits per second.", baud, 1200, 1e7},                                                    \
        {"first_id", "1", "Id or channel of the first axis, unless `ids` lists them.", first, 0, highest},   \
        {"latency", "s", "Maximum delay of an answer besides its bytes.", 0.02, 0.0005, 1},                  \
        {own_name, own_unit, own_doc, own, own_lower, own_upper}, {                                          \
      0                                                                                                      \
    }                                                                                                        \
  }
extern const brio_driver_text brio_board_texts[];

/* Open a board of a kind: see brio_driver_kind. */
void *brio_board_open(const brio_board_kind *kind, const brio_axis *axes, int count, const double *settings,
                      void *context, brio_error *err);

/* The same on an open port, which the board owns from then on, also if this fails. */
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

/* For kinds: set the position that axis `i` reports. */
void brio_board_place(brio_board *board, int i, double position);

/* For kinds: narrow axis `i` to the limits stored in the device.  Return false, with a sentence, if the
** ranges do not meet. */
bool brio_board_narrow(brio_board *board, int i, double lower, double upper, brio_error *err);

/* For kinds of hobby servos: check the shortest and the longest pulse, us (misuse). */
bool brio_board_check_pulses(double least, double most, brio_error *err);

/* For kinds: send the request in x.out until it is answered, with the tries that opening deserves. */
bool brio_board_insist(brio_board *board, int least, int most, brio_error *err);

#endif
