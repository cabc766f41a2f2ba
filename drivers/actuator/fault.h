/* Faults on purpose: what real devices do, done to any device, so that what is built against it is
** tried.  "drop 2% of neck", "block 0.3 of arm at 2 for 1": a kind, an amount, whom it strikes, from
** when on and for how long, in seconds of the device's time.  Each kind is a row of a table. */
#ifndef BRIO_DRIVERS_ACTUATOR_FAULT_H
#define BRIO_DRIVERS_ACTUATOR_FAULT_H

#include "base/random.h"
#include "drivers/driver.h"

enum { BRIO_FAULT_DELAY = 512 }; /* frames that may be on their way */

typedef struct brio_fault_kind brio_fault_kind;

typedef struct brio_fault {
  const brio_fault_kind *kind;
  double amount;               /* in the kind's unit */
  double from, until;          /* s of the device's time */
  char whom[64];               /* a device, a group or an axis */
  bool *strikes;               /* count: which of the device's channels */
  uint32_t feels;              /* bits: which of its inputs */
  int count;
  brio_random random;
  double *kept;                /* what a kind keeps: count, or BRIO_FAULT_DELAY x count frames */
  double *due;                 /* BRIO_FAULT_DELAY: s, when a frame arrives */
  int first, waiting;
  bool begun;
} brio_fault;

struct brio_fault_kind {
  const char *name, *unit, *doc, *example;
  double least, most, fallback; /* of the amount; fallback NaN: it must be given */
  int frames;                   /* of `count` numbers that it keeps */
  /* What it does to targets on their way out, and to reports on their way in (either may be NULL).
  ** False: the exchange does not take place, as the sentence says. */
  bool (*write)(brio_fault *fault, double *targets, double time, brio_error *err);
  bool (*read)(brio_fault *fault, brio_axis_state *states, double time, brio_error *err);
  /* How long the device blocks now, s; NULL: not at all. */
  double (*block)(brio_fault *fault);
  bool limp;                   /* motors it strikes have no power */
  /* What it does to an input that it strikes. */
  void (*sense)(const brio_fault *fault, brio_input_state *input);
};

/* All kinds, ended by a name that is NULL. */
extern const brio_fault_kind brio_fault_kinds[];

/* Read a sentence.  Errors: misuse, with what was expected. */
bool brio_fault_parse(const char *sentence, brio_fault *fault, brio_error *err);

/* Make a parsed fault ready for a device of `count` channels, of which it strikes those marked, and the
** inputs whose bits fault->feels has.  Errors: no_memory. */
bool brio_fault_start(brio_fault *fault, const bool *strikes, int count, uint64_t seed, brio_error *err);
void brio_fault_end(brio_fault *fault);

/* Whether it is at work at that time. */
bool brio_fault_acts(const brio_fault *fault, double time);

#endif
