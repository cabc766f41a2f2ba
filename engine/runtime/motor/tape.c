/* The state of the motor side on the tape, as differences from the state before: see tape.h.
**
** A read that finds something new is a record. The first of a run begins with the byte CODED; what follows,
** and all later records, goes through a range coder (tape_code.h), in this order: in the first record,
** which axes are on one device; flags, causes and the path's number; if poses continue from the path's end,
** its time and the ends that changed; how many periods of the motor side passed, and the position on its
** path; failures; which axes changed; the time between the last two measurements of each device; of each
** axis that changed, which of its seldom numbers did, and its numbers; and the inputs that changed.
**
** A joint's command and its speed follow from the poses that were handed over and from the position on the
** path (trail.h). A measured position is predicted from the one before, the speeds of both, and the time
** between them, which is the same for all axes of a device; or from the path as it was some time before, a
** delay that is learned for each device. The prediction with the smallest recent error counts. */
#include "runtime/motor/tape.h"

#include <math.h>
#include <string.h>

#include "runtime/motor/motor_internal.h"
#include "runtime/motor/panic.h"

enum { ARMED = 1, SETTLED = 2, SILENT = 4, BEHIND = 8, ENDS = 16, FAILURES = 32, FLAG_BITS = 6 };
enum { CODED = 0xc0 /* no record of an earlier format begins with it */, STILL = 16 /* records */ };

/* The numbers of an axis in the order of coding, with the grids that they are rounded to; that of the
** position may be the device's own. */
static const struct {
  size_t at;
  brio_grid grid;
  bool seldom;
} fields[] = {
    {offsetof(brio_motor_axis_state, v), {1e-5, 1e5}, false},
    {offsetof(brio_motor_axis_state, x), {1e-6, 1e6}, false},
    {offsetof(brio_motor_axis_state, state.velocity), {1e-4, 1e4}, false},
    {offsetof(brio_motor_axis_state, state.position), {1e-6, 1e6}, false},
    {offsetof(brio_motor_axis_state, state.load), {1e-3, 1e3}, true},
    {offsetof(brio_motor_axis_state, state.current), {1e-3, 1e3}, true},
    {offsetof(brio_motor_axis_state, state.temperature), {1e-1, 10}, true},
    {offsetof(brio_motor_axis_state, state.voltage), {1e-2, 100}, true},
};
static const brio_grid input_grid = {1e-6, 1e6}, since_grid = {2.5e-7, 4e6}, along_grid = {1e-9, 1e9}; /* s */
enum { V, X, VELOCITY, POSITION, FIELDS = sizeof fields / sizeof *fields, MASK_BITS = FIELDS + 1 };
_Static_assert((int)FIELDS == (int)BRIO_MOTOR_FIELDS, "the numbers of an axis");

#define MOST_OFF 0.5       /* rad or m: larger errors do not come from a delay */
#define MOST_DELAY 0.1     /* s */
#define LONGEST_SINCE 1.0  /* s */
#define MOST_SPEED 1e4     /* per s: faster, and it is not predicted from */
#define LEAST_SQUARES 1e-6 /* per s^2: of speeds, from which a time is estimated */
#define FORGETTING 0.02    /* share of the sums for delays that is forgotten, a record */
#define GAIN 0.02          /* share of a delay's error that is corrected, a record */
#define FADING 0.02        /* share of an unusual delay that fades, a record */
#define SMOOTHING 0.1      /* weight of the newest measured position, a record */

/* A look that is written or read. */
typedef struct look {
  brio_motor *motor;
  brio_motor_seen *seen;
  brio_coder coder;
  bool writes;
  brio_motor_state *state;
  int64_t periods; /* since the record before */
  double ratio;    /* over those before that */
  bool known;            /* where the path is */
  brio_view here, back;  /* of where it is, and of where it was a period ago */
} look;

/* A number of an axis, by its row in `fields`. */
static double *field_of(brio_motor_axis_state *axis, int field) {
  return (double *)(void *)((char *)axis + fields[field].at);
}

/* The grid of a number: that of its device for a position, else that of the table. */
static brio_grid grid_of(const brio_motor *motor, int axis, int field) {
  return field == POSITION ? motor->seen.grids[axis] : fields[field].grid;
}

/* Whether two numbers have the same bits; NaN equals NaN. */
static bool is_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* The steps of a value, rounded; 0 if it is NaN or too large. */
static int64_t steps_of(double value, brio_grid grid) {
  int64_t steps;
  return brio_grid_count(grid, value, &steps) ? steps : 0;
}

/* ---- what all axes share ---- */

/* Flags, causes and the path's number: one bit while they stay as they were. */
static void code_head(look *l, unsigned flags) {
  brio_motor_seen *seen = l->seen;
  brio_motor_report *report = &l->state->report;
  bool same = flags == seen->flags && report->causes == seen->causes && report->anew == seen->anew;
  /* Only if any of the three changed: all of them. */
  if (!brio_code_bit(&l->coder, &seen->head, same)) {
    seen->flags = (unsigned)brio_code_bits(&l->coder, flags, FLAG_BITS);
    seen->causes = (unsigned)brio_code_bits(&l->coder, report->causes, 32);
    seen->anew = (uint32_t)brio_code_bits(&l->coder, report->anew, 32);
  }
  /* The report that is read gets them, changed or not. */
  if (l->writes) return;
  report->armed = seen->flags & ARMED, report->settled = seen->flags & SETTLED;
  report->silent = seen->flags & SILENT, report->behind = seen->flags & BEHIND;
  report->causes = seen->causes;
  report->anew = seen->anew;
}

/* The path's end: its tick, and position and speed of each axis there; one bit for each that did not
** change. */
static void code_ends(look *l) {
  brio_coder *coder = &l->coder;
  brio_chance *same = &l->seen->same_end;
  /* First the tick, by which poses are spaced. */
  l->state->report.tick = l->seen->tick = brio_code_double(coder, same, l->state->report.tick, l->seen->tick);
  for (int i = 0; i < l->motor->count; i++) {
    brio_motor_axis_state *now = &l->state->axes[i], *before = &l->seen->axes[i];
    now->end = before->end = brio_code_double(coder, same, now->end, before->end);
    now->end_speed = before->end_speed = brio_code_double(coder, same, now->end_speed, before->end_speed);
  }
}

/* The position on the path, as a difference from where the periods since the last record lead. Sets the
** views of the path, from which commands are predicted. */
static void code_place(look *l) {
  brio_motor_seen *seen = l->seen;
  const brio_trail *trail = &seen->trail;
  double period = l->motor->period, way = (double)l->periods * period;
  brio_path_spot before = seen->spot, next = brio_trail_move(trail, before, way);
  const brio_motor_report *report = &l->state->report;
  int64_t along = steps_of(report->along, along_grid), foreseen = steps_of(next.at, along_grid);
  /* Corner and distance, as differences from the prediction. */
  seen->spot.corner = brio_code_whole(&l->coder, &seen->shapes[BRIO_SHAPE_CORNER], &seen->corner_code,
                                      report->corner, next.corner);
  along = brio_code_whole(&l->coder, &seen->shapes[BRIO_SHAPE_ALONG], &seen->along_code, along, foreseen);
  seen->spot.at = brio_grid_value(along_grid, along);
  double scale = 1; /* how fast it goes along it */
  if (seen->spot.corner == next.corner && along != foreseen && way > 0)
    scale = fmin(1, fmax(0, 1 + brio_grid_value(along_grid, along - foreseen) / way));
  /* The path one period ago, for the speeds of commands. */
  brio_path_spot back = brio_trail_move(trail, seen->spot, -period * scale);
  l->known = brio_trail_knows(trail, seen->spot) && brio_trail_knows(trail, back);
  if (l->known) l->here = brio_trail_view(trail, seen->spot), l->back = brio_trail_view(trail, back);
}

/* The periods since the last record, and their ratio to those before that. */
static void code_time(look *l) {
  brio_motor_seen *seen = l->seen;
  int64_t periods = l->state->report.periods - seen->periods;
  /* Periods never decrease; the first record has no record before it. */
  if (periods < 0 || !seen->any) periods = 0;
  seen->periods = l->state->report.periods;
  l->periods = brio_code_whole(&l->coder, &seen->shapes[BRIO_SHAPE_PERIODS], &seen->count_code, periods, 0);
  l->ratio = seen->passed > 0 ? (double)l->periods / (double)seen->passed : 1;
  seen->passed = l->periods;
}

/* The newest failure of the devices: its code, the number of failures, its sentence. */
static void code_failures(look *l, const brio_error *newest, int count) {
  brio_error error = {0};
  size_t length = newest ? strlen(newest->message) : 0;
  error.code = (brio_code)brio_code_bits(&l->coder, newest ? (uint64_t)newest->code : 0, 16);
  count = (int)brio_code_bits(&l->coder, (uint64_t)count, 31);
  length = (size_t)brio_code_bits(&l->coder, length, 16);
  /* The sentence byte by byte, without a model: failures are rare. */
  for (size_t i = 0; i < length && i < sizeof error.message - 1; i++)
    error.message[i] = (char)brio_code_bits(&l->coder, newest ? (unsigned char)newest->message[i] : 0, 8);
  if (!l->writes) brio_actuator_note_failures(l->motor->actuator, &error, count);
}

/* ---- axes ---- */

/* The numbers of an axis that changed, as bits; bit FIELDS: whether it reports, or what it knows. */
static unsigned changes_of(brio_motor_axis_state *now, brio_motor_axis_state *before) {
  unsigned mask = now->state.valid != before->state.valid || now->state.knows != before->state.knows
                      ? 1u << FIELDS
                      : 0;
  for (int k = 0; k < FIELDS; k++)
    if (!is_same(*field_of(now, k), *field_of(before, k))) mask |= 1u << k;
  return mask;
}

/* Writing: whether an axis goes into the record. It does for STILL records after its last change, even
** without a new one: it mostly changes again. */
static bool is_active(look *l, int i) {
  int *still = &l->seen->codes[i].still;
  bool same = changes_of(&l->state->axes[i], &l->seen->axes[i]) == 0;
  *still = same ? *still + (*still < STILL) : 0;
  return *still < STILL;
}

/* A bit for each axis: whether it is in this record; predicted from whether it was in the last one. */
static void code_changed(look *l) {
  for (int i = 0; i < l->motor->count; i++) {
    bool *changed = &l->seen->changed[i];
    *changed = brio_code_bit(&l->coder, &l->seen->axis[*changed], l->writes && is_active(l, i));
  }
}

/* The first axis of each axis's device, in the first record: a replay opens no devices. */
static void code_leads(look *l) {
  int *leads = l->seen->leads;
  for (int i = 0; i < l->motor->count; i++) {
    int lead = (int)brio_code_bits(&l->coder, (uint64_t)leads[i], 16);
    leads[i] = lead < l->motor->count ? lead : i;
  }
}

/* The measurement times of an axis's device, which its first axis has. */
static brio_motor_lag *lag_of(const look *l, int axis) { return &l->seen->lags[l->seen->leads[axis]]; }

/* Find the devices in the record, and the sums for least squares over their axes: way = speed * time. */
static void sum_up(look *l) {
  for (int i = 0; i < l->motor->count; i++) l->seen->lags[i].active = false;
  for (int i = 0; i < l->motor->count; i++) {
    brio_motor_lag *lag = lag_of(l, i);
    if (!l->seen->changed[i]) continue;
    /* The first axis of a device in this record starts its sums. */
    if (!lag->active) lag->moved = lag->speeds = 0;
    lag->active = true;
    /* Means of both measurements; implausible ones do not count. */
    const brio_axis_state *now = &l->state->axes[i].state, *before = &l->seen->axes[i].state;
    double way = now->position - before->position, speed = 0.5 * (now->velocity + before->velocity);
    if (!(fabs(way) < MOST_OFF && fabs(speed) < MOST_SPEED)) continue;
    lag->moved += way * speed;
    lag->speeds += speed * speed;
  }
}

/* The time between a device's last two measurements, s: sum(way * speed) / sum(speed^2). The last one where
** its axes barely move, or the result is out of range. */
static double since_of(const brio_motor_lag *lag) {
  double since = lag->speeds > LEAST_SQUARES ? lag->moved / lag->speeds : lag->since;
  return since >= 0 && since < LONGEST_SINCE ? since : lag->since;
}

/* That time of one device; then its lag behind the path, and the view of the path at its measurement. */
static void code_lag(look *l, brio_motor_lag *lag) {
  double passed = (double)l->periods * l->motor->period;
  int64_t since = l->writes ? steps_of(since_of(lag), since_grid) : 0;
  /* The time, predicted as the periods that passed. */
  since = brio_code_whole(&l->coder, &l->seen->shapes[BRIO_SHAPE_SINCE], &lag->code, since,
                          steps_of(passed, since_grid));
  lag->before[1] = lag->before[0], lag->before[0] = lag->since;
  lag->since = brio_grid_value(since_grid, since);
  /* It fades, as `delay` learns the constant part. */
  lag->more += passed - lag->since - FADING * lag->more;
  brio_path_spot spot = brio_trail_move(&l->seen->trail, l->seen->spot, -(lag->delay + lag->more));
  lag->known = l->known && fabs(lag->more) < MOST_DELAY && brio_trail_knows(&l->seen->trail, spot);
  if (lag->known) lag->view = brio_trail_view(&l->seen->trail, spot);
  else lag->more = 0;
}

/* Learn the delay of each device behind the path, by steps of GAIN of the least-squares solution (off =
** -speed * delay), with sums that forget. */
static void learn_lags(look *l) {
  /* Sums over the axes of this record; joints only, as others have no path. */
  for (int i = 0; i < l->motor->count; i++) {
    brio_motor_lag *lag = lag_of(l, i);
    if (i >= l->motor->tree || !l->seen->changed[i] || !lag->known) continue;
    double speed = brio_view_speed(&lag->view, i);
    double off = l->seen->axes[i].state.position - brio_view_place(&lag->view, i);
    if (!(fabs(off) < MOST_OFF)) continue;
    lag->ways -= off * speed;
    lag->squares += speed * speed;
  }
  /* A step towards the solution, once per device. */
  for (int i = 0; i < l->motor->count; i++) {
    brio_motor_lag *lag = &l->seen->lags[i];
    if (!lag->active || !lag->known) continue;
    if (lag->squares > LEAST_SQUARES)
      lag->delay = fmin(MOST_DELAY, fmax(0, lag->delay + GAIN * lag->ways / lag->squares));
    lag->ways -= FORGETTING * lag->ways;
    lag->squares -= FORGETTING * lag->squares;
  }
}

/* The prediction of a command, in steps: from the path, or if that is unknown, x from its mean speed and v
** as 0. `now` has the numbers that were coded before. */
static int64_t base_of_command(const look *l, int i, int field, const brio_motor_axis_state *now,
                               const brio_motor_axis_state *before, brio_grid grid) {
  double n = (double)l->periods, period = l->motor->period;
  /* The path gives both numbers. */
  if (l->known && i < l->motor->tree) {
    double here = brio_view_place(&l->here, i);
    return steps_of(field == X ? here : (here - brio_view_place(&l->back, i)) / period, grid);
  }
  /* Without it: x = before + period * (n (v0 + v1) + v1 - v0) / 2. */
  bool known = fabs(before->v) < MOST_SPEED && fabs(now->v) < MOST_SPEED;
  double way = period * 0.5 * (n * (before->v + now->v) + now->v - before->v);
  return field == X && known ? steps_of(before->x + way, grid) : 0;
}

/* The prediction of a measured speed by the parabola through the last three, in steps: Newton's divided
** differences, since measurements are not evenly spaced. */
static int64_t bent(const brio_motor_lag *lag, const double speeds[3], brio_grid grid) {
  double a = lag->since, b = lag->before[0], c = lag->before[1];
  if (!(b > 0 && c > 0)) return steps_of(speeds[0], grid);
  double slope = (speeds[0] - speeds[1]) / b, bend = (slope - (speeds[1] - speeds[2]) / c) / (b + c);
  return steps_of(speeds[0] + slope * a + bend * a * (a + b), grid);
}

enum { MOST_FORECASTS = 3 };

/* Write the forecasts of a measured speed; return their number, MOST_FORECASTS at most. */
static int forecast_speed(look *l, int i, double before, const brio_motor_lag *lag, brio_grid grid,
                          brio_forecast *out) {
  brio_motor_codes *codes = &l->seen->codes[i];
  const double speeds[] = {before, codes->speeds[0], codes->speeds[1]};
  double ratio = lag->before[0] > 0 ? lag->since / lag->before[0] : l->ratio;
  int count = 0;
  /* Up to three predictors; each learns from every number. */
  out[count++] = (brio_forecast){&codes->fields[VELOCITY], 0, ratio};
  out[count++] = (brio_forecast){&codes->bent_speed, bent(lag, speeds, grid), ratio};
  if (lag->known && i < l->motor->tree) {
    double speed = brio_view_speed(&lag->view, i);
    out[count++] = (brio_forecast){&codes->late_speed, steps_of(speed, grid), ratio};
  }
  return count;
}

/* The same for a measured position: from the last one, from the smoothed one, from the path. `now` has its
** speed. */
static int forecast_position(look *l, int i, const brio_axis_state *now, const brio_axis_state *before,
                             const brio_motor_lag *lag, brio_grid grid, brio_forecast *out) {
  brio_motor_codes *codes = &l->seen->codes[i];
  double way = lag->since * 0.5 * (before->velocity + now->velocity);
  int count = 0;
  /* The same way from the last measurement and from the smoothed one. */
  out[count++] = (brio_forecast){&codes->fields[POSITION], steps_of(before->position + way, grid), l->ratio};
  out[count++] = (brio_forecast){&codes->smooth, steps_of(codes->level + way, grid), l->ratio};
  codes->level += way;
  if (lag->known && i < l->motor->tree) {
    double there = brio_view_place(&lag->view, i);
    out[count++] = (brio_forecast){&codes->late, steps_of(there, grid), l->ratio};
  }
  return count;
}

/* The command of an axis. On the path it mostly equals the prediction, to the last step: one bit for both
** numbers. */
static void code_command(look *l, int i, brio_motor_axis_state *now, const brio_motor_axis_state *before) {
  brio_motor_codes *codes = &l->seen->codes[i];
  brio_grid speeds = fields[V].grid, places = fields[X].grid;
  int64_t v = base_of_command(l, i, V, now, before, speeds);
  if (l->known && i < l->motor->tree) {
    int64_t x = base_of_command(l, i, X, now, before, places);
    double speed = brio_grid_value(speeds, v), place = brio_grid_value(places, x);
    bool same = is_same(now->v, speed) && is_same(now->x, place);
    if (brio_code_bit(&l->coder, &l->seen->on_path, same)) {
      now->v = speed, now->x = place;
      return;
    }
  }
  /* Off the path: speed first, as the position is predicted with it. */
  brio_forecast as = {&codes->fields[V], v, l->ratio};
  now->v = brio_code_number(&l->coder, &l->seen->shapes[V], &as, 1, now->v, before->v, speeds);
  as = (brio_forecast){&codes->fields[X], base_of_command(l, i, X, now, before, places), l->ratio};
  now->x = brio_code_number(&l->coder, &l->seen->shapes[X], &as, 1, now->x, before->x, places);
}

/* The measured speed and position of an axis, and its smoothed position. */
static void code_measured(look *l, int i, brio_axis_state *now, const brio_axis_state *before) {
  brio_motor_codes *codes = &l->seen->codes[i];
  const brio_motor_lag *lag = lag_of(l, i);
  brio_grid grid = grid_of(l->motor, i, VELOCITY);
  brio_forecast out[MOST_FORECASTS];
  brio_code_shape *shapes = l->seen->shapes;
  int count = forecast_speed(l, i, before->velocity, lag, grid, out);
  /* Speed first, as the position is predicted with it. */
  now->velocity =
      brio_code_number(&l->coder, &shapes[VELOCITY], out, count, now->velocity, before->velocity, grid);
  codes->speeds[1] = codes->speeds[0], codes->speeds[0] = before->velocity;
  grid = grid_of(l->motor, i, POSITION);
  count = forecast_position(l, i, now, before, lag, grid, out);
  now->position =
      brio_code_number(&l->coder, &shapes[POSITION], out, count, now->position, before->position, grid);
  /* A jump restarts the smoothing. */
  double off = now->position - codes->level;
  codes->level = fabs(off) < MOST_OFF ? codes->level + SMOOTHING * off : now->position;
}

/* The numbers in the mask; only numbers that change seldom are in it. */
static void code_seldom(look *l, int i, unsigned mask) {
  brio_motor_axis_state *now = &l->state->axes[i], *before = &l->seen->axes[i];
  for (int k = 0; k < FIELDS; k++) {
    if (!fields[k].seldom || !(mask >> k & 1)) continue;
    brio_forecast as = {&l->seen->codes[i].fields[k], 0, l->ratio};
    double *number = field_of(now, k), was = *field_of(before, k);
    *number = brio_code_number(&l->coder, &l->seen->shapes[k], &as, 1, *number, was, fields[k].grid);
  }
}

/* One axis of the record: mask, command, measurements, seldom numbers, flags. Becomes the state before. */
static void code_axis(look *l, int i) {
  brio_motor_axis_state *now = &l->state->axes[i], *before = &l->seen->axes[i];
  brio_motor_codes *codes = &l->seen->codes[i];
  unsigned mask = l->writes ? changes_of(now, before) : 0;
  /* Numbers that change often are coded always, so the mask is mostly the same. */
  for (int k = 0; k < FIELDS; k++)
    if (!fields[k].seldom) mask &= ~(1u << k);
  if (!brio_code_bit(&l->coder, &l->seen->same_mask, mask == codes->mask))
    codes->mask = (unsigned)brio_code_bits(&l->coder, mask, MASK_BITS);
  code_command(l, i, now, before);
  code_measured(l, i, &now->state, &before->state);
  code_seldom(l, i, codes->mask);
  /* Whether the axis reports, and which values it knows. */
  if (codes->mask >> FIELDS & 1) {
    uint64_t knows = brio_code_bits(&l->coder, (uint64_t)now->state.knows << 1 | now->state.valid, 32);
    now->state.valid = knows & 1;
    now->state.knows = (unsigned)(knows >> 1);
  }
  before->x = now->x, before->v = now->v;
  before->state = now->state;
}

/* All axes: which are in the record, the times of their devices, then the axes themselves. */
static void code_axes(look *l) {
  code_changed(l);
  sum_up(l);
  /* Devices first: the times of their measurements predict the axes. */
  for (int i = 0; i < l->motor->count; i++)
    if (l->seen->lags[i].active) code_lag(l, &l->seen->lags[i]);
  for (int i = 0; i < l->motor->count; i++)
    if (l->seen->changed[i] && brio_coder_good(&l->coder)) code_axis(l, i);
  learn_lags(l);
}

/* ---- inputs ---- */

/* One input: whether any of its numbers changed, which, and these. */
static void code_input(look *l, int i, double *now) {
  brio_motor_seen *seen = l->seen;
  double *before = seen->inputs[i].values;
  unsigned mask = 0;
  /* Writing: which numbers changed. */
  for (int k = 0; k < BRIO_INPUT_NUMBERS && l->writes; k++)
    if (!is_same(now[k], before[k])) mask |= 1u << k;
  if (!brio_code_bit(&l->coder, &seen->input, mask != 0)) return;
  mask = (unsigned)brio_code_bits(&l->coder, mask, BRIO_INPUT_NUMBERS);
  for (int k = 0; k < BRIO_INPUT_NUMBERS; k++)
    if (mask >> k & 1) {
      brio_code_shape *shape = &seen->shapes[BRIO_SHAPE_INPUT];
      brio_forecast as = {&seen->input_codes[i * BRIO_INPUT_NUMBERS + k], 0, l->ratio};
      now[k] = brio_code_number(&l->coder, shape, &as, 1, now[k], before[k], input_grid);
      before[k] = now[k];
    }
}

/* ---- a look ---- */

/* Round the state to the grids, so that a run uses the values that its replay will read. */
static void round_off(brio_motor *motor, brio_motor_state *state) {
  brio_input_state *inputs = brio_motor_input_states(motor, state);
  /* Axes, then inputs, each on its own grid. */
  for (int i = 0; i < motor->count; i++)
    for (int k = 0; k < FIELDS; k++) {
      double *number = field_of(&state->axes[i], k);
      *number = brio_grid_round(grid_of(motor, i, k), *number);
    }
  for (int i = 0; i < motor->ninput; i++)
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++)
      inputs[i].values[k] = brio_grid_round(input_grid, inputs[i].values[k]);
}

/* One record, in the order of the head of this file; writer and reader run the same code. */
static void code_look(look *l, unsigned flags, const brio_error *failure, int failures) {
  if (!l->seen->any) code_leads(l);
  code_head(l, flags);
  if (l->seen->flags & ENDS) code_ends(l);
  code_time(l);
  code_place(l);
  if (l->seen->flags & FAILURES) code_failures(l, failure, failures);
  code_axes(l);
  brio_input_state *inputs = brio_motor_input_states(l->motor, l->state);
  for (int i = 0; i < l->motor->ninput; i++) code_input(l, i, inputs[i].values);
  l->seen->any = true;
}

/* Write a record of the newest state. The first one begins with CODED and is complete. */
static void note(brio_motor *motor, brio_tape *tape, brio_motor_state *state) {
  const brio_motor_report *r = &state->report;
  brio_motor_seen *seen = &motor->seen;
  const brio_error *error;
  int failures = brio_motor_failures(motor, state, &error);
  /* Ends are written in the first record, and whenever poses continue from them. */
  bool anew = !seen->any || r->settled || (r->anew != 0 && r->anew != motor->seen_anew);
  bool fails = failures != seen->failures;
  unsigned char *out = seen->bytes;
  unsigned flags = (r->armed ? ARMED : 0) | (r->settled ? SETTLED : 0) | (r->silent ? SILENT : 0) |
                   (r->behind ? BEHIND : 0) | (anew ? ENDS : 0) | (fails ? FAILURES : 0);
  if (!seen->any) *out++ = CODED;
  if (motor->threaded) round_off(motor, state);
  look l = {.motor = motor, .seen = seen, .coder = brio_coder_write(out), .writes = true, .state = state};
  code_look(&l, flags, error, failures);
  out = brio_coder_end(&l.coder);
  seen->failures = failures;
  brio_tape_note(tape, BRIO_CHANNEL_motion, seen->bytes, (size_t)(out - seen->bytes));
}

/* Read a record into `state`, from the state before. False: it has too few bytes, or too many. */
static bool read_coded(brio_motor *motor, brio_motor_state *state, const unsigned char *bytes,
                       size_t length) {
  look l = {.motor = motor, .seen = &motor->seen, .state = state};
  l.coder = brio_coder_read(bytes, bytes + length);
  memcpy(state->axes, motor->seen.axes, (size_t)motor->count * sizeof *state->axes);
  if (motor->ninput)
    memcpy(brio_motor_input_states(motor, state), motor->seen.inputs,
           (size_t)motor->ninput * sizeof *motor->seen.inputs);
  code_look(&l, 0, NULL, 0);
  return brio_coder_is_over(&l.coder);
}

/* Make a record the newest state, and publish it. False: it is invalid, in either format. */
static bool read_back(brio_motor *motor, const unsigned char *bytes, size_t length) {
  brio_motor_seen *seen = &motor->seen;
  brio_motor_state *state = brio_triple_back(&motor->state);
  const brio_motor_state *before = brio_triple_front(&motor->state);
  bool first = !seen->any, good;
  state->report = before->report;
  if (first) seen->before = length == 0 || bytes[0] != CODED;
  bool skips = first && !seen->before;
  if (seen->before)
    good = brio_motor_read_before(motor, bytes, length, &state->report);
  else
    good = read_coded(motor, state, bytes + skips, length - skips);
  seen->any = true;
  memcpy(state->axes, seen->axes, (size_t)motor->count * sizeof *state->axes);
  memcpy(brio_motor_bus_states(motor, state), brio_motor_bus_states(motor, before),
         (size_t)motor->nbus * sizeof(brio_motor_bus_state));
  if (motor->ninput)
    memcpy(brio_motor_input_states(motor, state), seen->inputs, (size_t)motor->ninput * sizeof *seen->inputs);
  brio_triple_publish(&motor->state);
  return good;
}

bool brio_motor_look_taped(brio_motor *motor, brio_tape *tape) {
  const void *bytes;
  size_t length;
  bool fresh;
  /* Replaying: the reports of the tape replace those of devices. */
  if (brio_tape_replays(tape)) {
    fresh = brio_tape_ask(tape, BRIO_CHANNEL_motion, &bytes, &length);
    if (fresh && !read_back(motor, bytes, length)) brio_tape_deny(tape, BRIO_CHANNEL_motion);
    if (fresh) brio_triple_fetch(&motor->state);
  } else {
    fresh = brio_triple_fetch(&motor->state) || !motor->seen.any; /* the first look is whole */
    /* the reader's own */
    if (fresh) note(motor, tape, (brio_motor_state *)(uintptr_t)brio_triple_front(&motor->state));
    else brio_tape_pass(tape, BRIO_CHANNEL_motion);
  }
  return brio_motor_take_over(motor, fresh, !brio_tape_replays(tape));
}

void brio_motor_targets_taped(brio_motor *motor, brio_tape *tape) {
  const void *bytes;
  size_t length, wanted = (size_t)motor->count * sizeof(double);
  const brio_actuator_axis *axes = brio_actuator_axes(motor->actuator, &(int){0});
  if (!brio_tape_replays(tape)) {
    for (int i = 0; i < motor->count; i++) motor->values[i] = axes[i].target;
    brio_tape_note(tape, BRIO_CHANNEL_motion, motor->values, wanted);
    return;
  }
  if (!brio_tape_must(tape, BRIO_CHANNEL_motion, &bytes, &length)) return;
  if (length != wanted) {
    brio_tape_deny(tape, BRIO_CHANNEL_motion);
    return;
  }
  memcpy(motor->values, bytes, length);
  for (int i = 0; i < motor->count; i++) brio_actuator_set_target(motor->actuator, i, motor->values[i], NULL);
}

void brio_motor_panics_taped(brio_motor *motor, brio_tape *tape) {
  const void *bytes;
  size_t length;
  unsigned now = brio_panic_count();
  motor->counted = true;
  if (brio_tape_replays(tape)) {
    if (brio_tape_ask(tape, BRIO_CHANNEL_panic, &bytes, &length)) motor->panics_told++;
  } else if (now != motor->panics_known) {
    motor->panics_told++;
    brio_tape_note(tape, BRIO_CHANNEL_panic, NULL, 0);
  } else {
    brio_tape_pass(tape, BRIO_CHANNEL_panic);
  }
  motor->panics_known = now;
}
