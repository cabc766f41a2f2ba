/* Between the files of this room. */
#ifndef BRIO_PLAN_TIMING_TIMING_INTERNAL_H
#define BRIO_PLAN_TIMING_TIMING_INTERNAL_H

#include "plan/timing/timing.h"

/* The largest rate: the whole path in this time, s. */
#define BRIO_TIMING_SOONEST 1e-6

/* Fill floor, ceiling and the constraints of all intervals from limits, path and further rows (rows.c). */
bool brio_timing_make_rows(brio_timing *timing, const brio_timing_options *options, brio_error *err);

/* Narrow floor and ceiling to what reaches the end, then write the fastest and the slowest profile
** (passes.c). */
bool brio_timing_pass(brio_timing *timing, const brio_timing_options *options, brio_error *err);

#endif
