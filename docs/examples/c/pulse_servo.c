/* Servos on a pulse board: each axis is a whole number of counts over its range, two bytes on
** the wire, low byte first; 65535 means: leave it.  The board knows no speed and reports no
** position: what it was told last is all it says.
**
** Here an emulator stands at the end of the wire.  For a real board, `exchange` writes the
** bytes to a port that `open_board` opened, with a deadline: a silent device must not block. */
#include <math.h>
#include <stdlib.h>

#include "drivers/driver.h"
#include "math/scalar.h"

enum { COUNTS, NSETTING };
enum { LEAVE = 65535, BYTES = 2 };

static const brio_driver_setting settings_table[NSETTING + 1] = {
    [COUNTS] = {"counts", "1", "How many steps the board divides an axis's range into.", 4096, 2, 65535},
};

typedef struct servo {
  double lower, upper; /* rad or m */
  int count;           /* where the board holds it */
} servo;

typedef struct board {
  int count;
  double counts;
  servo *servos;       /* count */
  unsigned char *wire; /* BYTES x count */
} board;

static void close_board(void *device) {
  board *b = device;
  if (!b) return;
  free(b->servos);
  free(b->wire);
  free(b);
}

static int to_counts(const board *b, const servo *s, double value) {
  double share = (brio_clamp(value, s->lower, s->upper) - s->lower) / (s->upper - s->lower);
  return (int)lround(share * (b->counts - 1));
}

static double to_value(const board *b, const servo *s) {
  return s->lower + s->count / (b->counts - 1) * (s->upper - s->lower);
}

/* Check one axis and put its servo where it starts. */
static bool take(board *b, int i, const brio_axis *axis, brio_error *err) {
  if (!brio_axis_check(axis, err)) return false;
  if (!isfinite(axis->lower) || !(axis->upper < INFINITY) || axis->lower == axis->upper)
    return brio_fail(err, BRIO_MISUSE, "axis '%.64s' turns without end or not at all: a servo needs a range",
                     axis->name);
  b->servos[i] = (servo){.lower = axis->lower, .upper = axis->upper};
  b->servos[i].count = to_counts(b, &b->servos[i], axis->start);
  return true;
}

static void *open_board(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                        void *context, brio_error *err) {
  (void)seed, (void)context;
  board *b = calloc(1, sizeof *b);
  if (b) b->servos = calloc((size_t)count + 1, sizeof *b->servos);
  if (b) b->wire = calloc((size_t)count + 1, BYTES);
  if (!b || !b->servos || !b->wire) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a board of %d servos", count);
    close_board(b);
    return NULL;
  }
  b->count = count;
  b->counts = settings[COUNTS];
  for (int i = 0; i < count; i++) {
    if (take(b, i, &axes[i], err)) continue;
    close_board(b);
    return NULL;
  }
  return b;
}

/* The far end of the wire. */
static bool exchange(board *b) {
  for (int i = 0; i < b->count; i++) {
    int count = b->wire[BYTES * i] | b->wire[BYTES * i + 1] << 8;
    if (count != LEAVE) b->servos[i].count = count;
  }
  return true;
}

static bool write_targets(void *device, const double *targets, brio_error *err) {
  board *b = device;
  for (int i = 0; i < b->count; i++) {
    int count = isnan(targets[i]) ? LEAVE : to_counts(b, &b->servos[i], targets[i]);
    b->wire[BYTES * i] = (unsigned char)(count & 255);
    b->wire[BYTES * i + 1] = (unsigned char)(count >> 8);
  }
  return exchange(b) || brio_fail(err, BRIO_DEVICE, "the board of %d servos does not answer", b->count);
}

static bool read_states(void *device, brio_axis_state *states, brio_error *err) {
  const board *b = device;
  (void)err;
  for (int i = 0; i < b->count; i++)
    states[i] = (brio_axis_state){.position = to_value(b, &b->servos[i]), .velocity = 0, .valid = true};
  return true;
}

const brio_driver_kind brio_driver_pulse_servo = {
    .name = "pulse_servo",
    .doc = "Servos on a pulse board, which knows no speed and reports its commands.",
    .simulated = true, /* until there is a port */
    .settings = settings_table,
    .open = open_board,
    .write = write_targets,
    .read = read_states,
    .close = close_board,
};
