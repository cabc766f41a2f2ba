/* Statistics of each DOF's motion in a run, updated while it is recorded: the rows of `dof_summary`. */
#ifndef BRIO_STORE_PACKING_SUMMARY_H
#define BRIO_STORE_PACKING_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "store/value.h"

/* Of one DOF.  The position is the measured one, or the command without measurements. */
typedef struct brio_summary {
  /* with a number; of them measured; with a measured value and a command */
  int64_t samples, measured, errors;
  double least, greatest, sum, path; /* of positions; length of the path */
  double top_speed;                  /* per s */
  double squares, greatest_error;    /* of measured - command */
  double last, last_t;               /* last position; NaN: none */
} brio_summary;

/* Empty it. */
void brio_summary_start(brio_summary *summary);

/* Add `count` samples. */
void brio_summary_add(brio_summary *summary, const double *t, const double *command, const double *measured,
                      int count);

/* The columns of dof_summary behind run and dof: samples, measured, least, greatest, mean, path, top_speed,
** rms_error, greatest_error. */
enum { BRIO_SUMMARY_COLUMNS = 9 };
void brio_summary_row(const brio_summary *summary, brio_value row[BRIO_SUMMARY_COLUMNS]);

#endif
