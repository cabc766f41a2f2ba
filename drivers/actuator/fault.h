/* Fault injection: failures of real devices, imposed on any device, to test what is built on it.  "drop 2%
** of neck", "block 0.3 of arm at 2 for 1": a kind, an amount, a device, group, axis or input, the start
** and the duration, in seconds of the device's time.  Each kind is a row of a table. */
#ifndef BRIO_DRIVERS_ACTUATOR_FAULT_H
#define BRIO_DRIVERS_ACTUATOR_FAULT_H

#include "base/random.h"
#include "drivers/driver.h"

enum { BRIO_FAULT_DELAY = 512 }; /* frames that may be delayed at once */

typedef struct brio_fault_kind brio_fault_kind;

typedef struct brio_fault {
  const brio_fault_kind *kind;
  double amount;               /* in the kind's unit */
  double from, until;          /* s of the device's time */
  char whom[64];               /* a device, a group or an axis */
  bool *strikes;               /* count: channels that it affects */
  uint32_t feels;              /* bits: inputs that it affects */
  int count;
  brio_random random;
  double *kept;                /* state of the kind: count, or BRIO_FAULT_DELAY x count frames */
  double *due;                 /* BRIO_FAULT_DELAY: s, when a frame arrives */
  int first, waiting;
  bool begun;
} brio_fault;

struct brio_fault_kind {
  const char *name, *unit, *doc, *example;
  double least, most, fallback; /* of the amount; fallback NaN: required */
  int frames;                   /* frames of `count` numbers in its state */
  /* Its effect on targets before they are sent, and on reports (NULL: none).  Return false, with a
  ** sentence, if the exchange fails. */
  bool (*write)(brio_fault *fault, double *targets, double time, brio_error *err);
  bool (*read)(brio_fault *fault, brio_axis_state *states, double time, brio_error *err);
  /* Return the time for which the device is busy, s; NULL: not at all. */
  double (*block)(brio_fault *fault);
  bool limp;                   /* affected motors have no power */
  /* Its effect on an affected input. */
  void (*sense)(const brio_fault *fault, brio_input_state *input);
};

/* All kinds, ended by a name that is NULL. */
extern const brio_fault_kind brio_fault_kinds[];

/* Parse a sentence.  Errors: misuse, with the expected form. */
bool brio_fault_parse(const char *sentence, brio_fault *fault, brio_error *err);

/* Prepare a parsed fault for a device of `count` channels, of which it affects those marked, and the
** inputs whose bits fault->feels has.  Errors: no_memory. */
bool brio_fault_start(brio_fault *fault, const bool *strikes, int count, uint64_t seed, brio_error *err);
void brio_fault_end(brio_fault *fault);

/* Return whether it is active at that time. */
bool brio_fault_acts(const brio_fault *fault, double time);

#endif
