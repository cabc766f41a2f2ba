/* The whole motor side under wild streams of commands, from a pose that is handed over to the command of a
** driver: path, axes outside the tree with filters and interlocks, mappings and couplings, limits that are
** tightened in the run, and everything that people, faults and devices do, all at random.  The commands of
** drivers always keep every limit of position, speed and acceleration, as seen by an observer who knows only
** the limits. */
#include <stdint.h>

#include "base/random.h"
#include "drivers/actuator/actuator.h"
#include "runtime/motor/motor.h"
#include "runtime/motor/panic.h"
#include "tests/check.h"

enum { MOST = 6, TICKS = 20, STREAMS_EACH = 12, RULES = 3 };

#define TICK 0.005

/* An observer's knowledge of an axis, and its expectation of the next command. */
typedef struct seen {
  brio_axis opened, tight;   /* limits: at opening, and now */
  brio_axis wanted;          /* the limits from the next pose on */
  bool on;                   /* it got the last command */
  double x, v;               /* the last command, and the speed at which it was reached */
  /* where it may be now: its range, and where it was found or must brake outside that */
  double lower, upper;
  /* least acceleration limit while it may still have to come back into its limits */
  double braking;
} seen;

typedef struct rig {
  brio_random *random;
  brio_actuator *actuator;
  brio_motor *motor;
  char names[MOST][4];
  int count, tree, ndevice;
  int first[2];                        /* the first axis of each device */
  seen axes[MOST];
  double at[MOST], reported[MOST];     /* positions of the axes, real and reported, in their units */
  brio_mapping mappings[MOST];
  brio_coupling coupling;              /* of the last two axes, if `coupled` */
  bool coupled;
  bool fails[2], told[2];              /* a device: refuses, got commands in this period */
  double values[MOST], period;
} rig;

/* What the streams came to, so that they can be seen to be wild. */
static struct {
  int64_t commands, moving, fast, hard, tightened, panics, holds, begun, lost, coupled;
  double worst[3];
} total;

/* ---- the outsider ---- */

static double share(double value, double limit) { return isfinite(limit) ? fabs(value) / limit : 0; }

static void note_worst(int which, double value) { total.worst[which] = fmax(total.worst[which], value); }

/* The limits of the opening hold always. */
static void check_opened(const seen *s, double next, double v, double a, double h) {
  const brio_axis *o = &s->opened;
  double beyond = fmax(s->lower - next, next - s->upper);
  double rounding = 1e-12 * (1 + fabs(next)) / (h * h);
  note_worst(0, beyond);
  CHECK(beyond <= 1e-8, "%s: %.12g is outside %g to %g", o->name, next, s->lower, s->upper);
  note_worst(1, share(v, o->velocity));
  CHECK(fabs(v) <= o->velocity * (1 + 2e-6) + rounding * h, "%s: speed %.9g of %g", o->name, v, o->velocity);
  note_worst(2, isfinite(o->acceleration) ? fmax(0, fabs(a) - rounding) / o->acceleration : 0);
  CHECK(fabs(a) <= o->acceleration * (1 + 2e-6) + rounding, "%s: acceleration %.9g of %g", o->name, a,
        o->acceleration);
}

static bool could_stop(const brio_axis *limits, double x, double v) {
  double room = v > 0 ? limits->upper - x : x - limits->lower;
  return x >= limits->lower - 1e-9 && x <= limits->upper + 1e-9 &&
         v * v <= 2 * limits->acceleration * room * (1 - 1e-5);
}

/* Limits that were tightened: speed comes down at once, the acceleration counts once it suffices to stay
** within the others. */
static void check_tightened(const seen *s, double v, double a, double h) {
  const brio_axis *t = &s->tight;
  double rounding = 1e-12 * (1 + fabs(s->x)) / (h * h);
  double fastest = fmax(t->velocity, fabs(s->v) - t->acceleration * h);
  CHECK(fabs(v) <= fastest * (1 + 2e-6) + rounding * h, "%s: speed %.9g, after %.9g, of %g", t->name, v, s->v,
        t->velocity);
  if (could_stop(t, s->x, s->v))
    CHECK(fabs(a) <= t->acceleration * (1 + 2e-6) + rounding, "%s: acceleration %.9g of the tightened %g",
          t->name, a, t->acceleration);
}

/* Where it may be from now on: the range, or on its shortest way back into it. */
static void narrow_reach(seen *s, double h) {
  double stop = isfinite(s->braking) ? s->v * s->v / (2 * s->braking) + fabs(s->v) * h : fabs(s->v) * h;
  s->upper = fmin(s->upper, fmax(s->tight.upper, s->x + (s->v > 0 ? stop : 0)));
  s->lower = fmax(s->lower, fmin(s->tight.lower, s->x - (s->v < 0 ? stop : 0)));
  if (could_stop(&s->tight, s->x, s->v)) s->braking = s->tight.acceleration;
}

static void see(rig *r, int i, double next) {
  seen *s = &r->axes[i];
  double h = r->period;
  if (!s->on) { /* it begins where it is, at rest */
    *s = (seen){.opened = s->opened,
                .tight = s->tight,
                .wanted = s->wanted,
                .on = true,
                .x = r->reported[i],
                .braking = s->tight.acceleration};
    s->lower = fmin(s->tight.lower, s->x);
    s->upper = fmax(s->tight.upper, s->x);
    total.begun++;
  }
  double v = (next - s->x) / h, a = (v - s->v) / h;
  check_opened(s, next, v, a, h);
  check_tightened(s, v, a, h);
  total.commands++;
  total.moving += v != 0;
  total.fast += share(v, s->opened.velocity) > 0.999;
  total.hard += share(a, s->opened.acceleration) > 0.999;
  s->x = r->at[i] = next;
  s->v = v;
  narrow_reach(s, h);
}

/* ---- the devices: they say that they are hardware, follow at once, and keep nothing ---- */

typedef struct part {
  rig *rig;
  int device, first, count;
} part;

/* Motors' units to the axes' own. */
static void to_axes(const rig *r, const part *p, const double *motors, double *axes) {
  for (int i = 0; i < p->count; i++) axes[i] = brio_mapping_inverse(&r->mappings[p->first + i], motors[i]);
  if (r->coupled && p->device == r->ndevice - 1) {
    double out[2];
    brio_coupling_inverse(&r->coupling, axes + p->count - 2, out);
    memcpy(axes + p->count - 2, out, sizeof out);
  }
}

static void to_motors(const rig *r, const part *p, const double *axes, double *motors) {
  double in[MOST];
  memcpy(in, axes, (size_t)p->count * sizeof *in);
  if (r->coupled && p->device == r->ndevice - 1)
    brio_coupling_forward(&r->coupling, axes + p->count - 2, in + p->count - 2);
  for (int i = 0; i < p->count; i++) motors[i] = brio_mapping_forward(&r->mappings[p->first + i], in[i]);
}

static void *part_open(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                       brio_error *err) {
  rig *r = context;
  (void)settings, (void)seed;
  int first = axes[0].name[1] - '0', device = first == r->first[0] ? 0 : 1;
  part *p = calloc(1, sizeof *p);
  if (!p || r->fails[device]) {
    free(p);
    return (void)brio_fail(err, BRIO_DEVICE, "nothing is plugged in"), NULL;
  }
  *p = (part){r, device, first, count};
  return p;
}

static bool part_write(void *device, const double *targets, brio_error *err) {
  part *p = device;
  rig *r = p->rig;
  double axes[MOST];
  to_axes(r, p, targets, axes);
  r->told[p->device] = true;
  bool pair = r->coupled && p->device == r->ndevice - 1;
  for (int i = 0; i < p->count; i++) {
    int axis = p->first + i;
    if (isnan(axes[i])) r->axes[axis].on = false;
    else see(r, axis, axes[i]);
    total.coupled += pair && i >= p->count - 2 && !isnan(axes[i]);
  }
  return !r->fails[p->device] || brio_fail(err, BRIO_DEVICE, "the wire is cut");
}

static bool part_read(void *device, brio_axis_state *states, brio_error *err) {
  part *p = device;
  double motors[MOST];
  if (p->rig->fails[p->device]) return brio_fail(err, BRIO_DEVICE, "the wire is cut");
  memcpy(p->rig->reported + p->first, p->rig->at + p->first, (size_t)p->count * sizeof *p->rig->at);
  to_motors(p->rig, p, p->rig->at + p->first, motors);
  for (int i = 0; i < p->count; i++)
    states[i] = (brio_axis_state){.position = motors[i], .valid = true, .knows = BRIO_KNOWS_LOAD,
                                  .load = brio_random_below(p->rig->random, 4) ? 0.1 : 1};
  return true;
}

static void part_close(void *device) { free(device); }

static const brio_driver_kind part_kind = {.name = check_own,
                                           .doc = "Holds what it is told against the limits.",
                                           .open = part_open,
                                           .write = part_write,
                                           .read = part_read,
                                           .close = part_close};

/* ---- a robot at random ---- */

static double between(rig *r, double lower, double upper) {
  return brio_random_uniform(r->random, lower, upper);
}
static int below(rig *r, int n) { return (int)brio_random_below(r->random, (uint64_t)n); }

static void choose_axis(rig *r, int i, brio_axis *axis) {
  double lower = between(r, -3, 0.5), upper = lower + between(r, 0.05, 4);
  snprintf(r->names[i], sizeof r->names[i], "j%d", i);
  *axis = (brio_axis){r->names[i], lower, upper, between(r, 0.1, 8), between(r, 0.5, 200), 0};
  if (i >= r->tree && below(r, 12) == 0) axis->velocity = axis->acceleration = INFINITY;
  axis->start = r->at[i] = between(r, lower, upper);
  r->axes[i] = (seen){.opened = *axis, .tight = *axis, .wanted = *axis};
}

static void choose_mapping(rig *r, brio_mapping *m) {
  brio_error err;
  static const char *const kinds[] = {"linear", "asymmetric", "table"};
  *m = brio_mapping_identity();
  m->kind = brio_mapping_find(kinds[below(r, 3)], &err);
  m->polarity = below(r, 2) ? 1 : -1;
  m->scale = between(r, 0.5, 700);
  m->offset = between(r, -2000, 2000);
  m->below = between(r, 50, 900);
  m->above = between(r, 50, 900);
  m->points = 2 + below(r, 5);
  m->x[0] = -4;
  for (int k = 1; k < m->points; k++) {
    m->x[k] = m->x[k - 1] + between(r, 0.3, 3);
    m->y[k] = m->y[k - 1] + between(r, 20, 300);
  }
}

static void choose_rule(rig *r, brio_interlock *rule) {
  brio_error err;
  static const char *const kinds[] = {"prevent", "timing", "load"};
  int limited = r->tree + below(r, r->count - r->tree), watched = below(r, r->count);
  const brio_axis *of = &r->axes[watched].opened, *to = &r->axes[limited].opened;
  double middle = between(r, to->lower, to->upper), side = between(r, 0, 0.5);
  *rule = (brio_interlock){.kind = brio_interlock_find(kinds[below(r, 3)], &err),
                           .watched = watched,
                           .limited = limited,
                           .below = of->lower + 0.2 * (of->upper - of->lower),
                           .above = of->upper - 0.3 * (of->upper - of->lower),
                           .lower = middle - side,
                           .upper = middle + side,
                           .load = 0.8,
                           .rest = middle,
                           .after = between(r, 0, 0.01),
                           .ramp = between(r, 0, 0.05),
                           .keep = between(r, 0, 0.05),
                           .release = between(r, 0, 0.05)};
}

static void open_actuator(rig *r, const brio_axis *axes) {
  brio_error err = {0};
  const char *first[MOST], *second[MOST], *pair[2] = {r->names[r->count - 2], r->names[r->count - 1]};
  int split = r->ndevice == 2 ? 1 + below(r, r->count - 2) : r->count;
  for (int i = 0; i < r->count; i++) *(i < split ? &first[i] : &second[i - split]) = r->names[i];
  r->coupled = r->count - (r->ndevice == 2 ? split : 0) >= 2 && below(r, 2);
  r->first[0] = 0, r->first[1] = split;
  for (int i = 0; i < r->count; i++) choose_mapping(r, &r->mappings[i]);
  const double matrix[4] = {between(r, 0.5, 1), between(r, -1, 1), between(r, 0.5, 1), between(r, -3, -2)};
  if (r->coupled) CHECK(brio_coupling_start(&r->coupling, matrix, 2, &err), "%s", err.message);
  const brio_actuator_coupling coupling = {pair, 2, matrix};
  const brio_actuator_device devices[2] = {
      {.name = "a", .kind = &part_kind, .axes = first, .count = split},
      {.name = "b", .kind = &part_kind, .axes = second, .count = r->count - split}};
  brio_actuator_options options = {.kind = &part_kind,
                                   .axes = axes,
                                   .count = r->count,
                                   .devices = devices,
                                   .ndevice = r->ndevice,
                                   .mappings = r->mappings,
                                   .couplings = &coupling,
                                   .ncoupling = r->coupled,
                                   .context = r};
  r->actuator = brio_actuator_open(&options, &err);
  CHECK(r->actuator != NULL, "%s", err.message);
}

static void set_up(rig *r, brio_random *random) {
  static const double rates[] = {1000, 1000, 1000, 2000, 400, 200, 50};
  brio_error err = {0};
  brio_axis axes[MOST];
  brio_interlock rules[RULES];
  int stages[MOST];
  double tau[MOST], rate;
  *r = (rig){.random = random};
  r->tree = below(r, 4);
  r->count = r->tree + 1 + below(r, MOST - r->tree);
  if (r->count < 2) r->count = 2;
  r->ndevice = r->count > 2 ? 1 + below(r, 2) : 1;
  for (int i = 0; i < r->count; i++) choose_axis(r, i, &axes[i]);
  for (int i = 0; i < r->count; i++) stages[i] = below(r, 5), tau[i] = stages[i] ? between(r, 0.002, 0.1) : 0;
  for (int i = 0; i < RULES; i++) choose_rule(r, &rules[i]);
  open_actuator(r, axes);
  rate = rates[below(r, 7)];
  r->period = 1 / rate;
  r->motor = brio_motor_new(&(brio_motor_options){.actuator = r->actuator,
                                                  .tree = r->tree,
                                                  .rate = rate,
                                                  .armed = true,
                                                  .goes_on = below(r, 2),
                                                  .silence = 0.03,
                                                  .stages = stages,
                                                  .tau = tau,
                                                  .rules = rules,
                                                  .nrule = below(r, RULES + 1)},
                            &err);
  CHECK(r->motor != NULL, "%s", err.message);
  for (int i = 0; i < r->count; i++) r->values[i] = r->at[i];
}

static void tear_down(rig *r) {
  brio_motor_free(r->motor);
  brio_actuator_close(r->actuator);
}

/* ---- a stream ---- */

/* Limits tighter than at the opening, or those of the opening. */
static void tighten(rig *r, int i) {
  brio_error err;
  seen *s = &r->axes[i];
  brio_axis limits = s->opened;
  if (i < r->tree || !isfinite(s->opened.velocity)) return;
  if (below(r, 4)) {
    double range = limits.upper - limits.lower;
    limits.lower += range * between(r, 0, 0.4);
    limits.upper -= range * between(r, 0, 0.4);
    limits.velocity *= between(r, 0.1, 1);
    limits.acceleration *= between(r, 0.2, 1);
    total.tightened++;
  }
  CHECK(brio_actuator_set_limits(r->actuator, i, &limits, &err), "%s", err.message);
  s->wanted = limits;
}

/* Limits go along with a pose. */
static void hand_over(rig *r, double dt) {
  brio_motor_hand_over(r->motor, r->values, dt);
  for (int i = 0; i < r->count; i++) {
    seen *s = &r->axes[i];
    const brio_axis *limits = &s->wanted;
    s->braking = fmin(s->braking, limits->acceleration);
    s->tight = *limits;
    double stop = s->v != 0 ? s->v * s->v / (2 * s->braking) + fabs(s->v) * r->period : 0;
    s->upper = fmin(fmax(s->opened.upper, s->x), fmax(limits->upper, s->x + (s->v > 0 ? stop : 0)));
    s->lower = fmax(fmin(s->opened.lower, s->x), fmin(limits->lower, s->x - (s->v < 0 ? stop : 0)));
  }
}

/* Other actions of people, devices and chance. */
static void meddle(rig *r) {
  int what = below(r, 60), axis = below(r, r->count), device = below(r, r->ndevice);
  unsigned cause = (unsigned[]){BRIO_MOTION_PERSON, BRIO_MOTION_FAULT,
                                BRIO_MOTION_PERSON | BRIO_MOTION_RELAX}[below(r, 3)];
  if (what < 2) brio_motor_hold(r->motor, cause), total.holds++;
  if (what == 2) brio_panic(), total.panics++;
  if (what > 2 && what < 12) brio_motor_release(r->motor, ~0u);
  if (what == 12) brio_motor_release(r->motor, cause);
  if (what == 13) brio_motor_arm(r->motor, false);
  if (what > 12 && what < 20) brio_motor_arm(r->motor, true);
  if (what == 20) brio_actuator_enable(r->actuator, axis, false);
  if (what > 19 && what < 25) brio_actuator_enable(r->actuator, axis, true);
  if (what > 24 && what < 28) tighten(r, axis);
  if (what == 28) r->fails[device] = true;
  if (what > 27 && what < 35) r->fails[below(r, 2)] = false;
}

/* A wild sender's targets: a jump, noise, NaN, something huge, the same direction, a repetition. */
static void choose_values(rig *r, int kind) {
  for (int i = 0; i < r->count; i++) {
    if (kind == 0) r->values[i] = between(r, -6, 6);
    if (kind == 1) r->values[i] += 0.02 * brio_random_normal(r->random);
    if (kind == 2 && below(r, 2)) r->values[i] = below(r, 2) ? NAN : -INFINITY;
    if (kind == 3) r->values[i] = between(r, -1e12, 1e12);
    if (kind >= 6) r->values[i] += 0.004 * (1 + i);
    if (kind != 2 && !isfinite(r->values[i])) r->values[i] = r->at[i];
  }
}

/* People turn joints that are limp. */
static void move_by_hand(rig *r) {
  for (int i = 0; i < r->count; i++)
    if (!r->axes[i].on) r->at[i] += 0.01 * brio_random_normal(r->random);
}

static void advance(rig *r, double seconds) {
  for (double t = 0; t < seconds - 1e-9; t += r->period) {
    r->told[0] = r->told[1] = false;
    brio_motor_advance(r->motor, r->period);
    for (int i = 0; i < r->count; i++) {
      int device = r->ndevice == 2 && i >= r->first[1];
      if (r->told[device]) continue;
      r->axes[i].on = false; /* a lost device gets no commands */
      total.lost++;
    }
  }
}

static void stream(rig *r) {
  for (int tick = 0; tick < TICKS; tick++) {
    int kind = below(r, 8), again = kind == 4 ? 12 : 1, n;
    if (brio_motor_look(r->motor) && below(r, 2))
      for (int i = 0; i < r->count; i++) r->values[i] = brio_actuator_axes(r->actuator, &n)[i].command;
    choose_values(r, kind);
    meddle(r);
    for (int i = 0; i < again && kind != 5; i++) hand_over(r, kind == 3 ? TICK : TICK * (1 + below(r, 3)));
    advance(r, fmax(TICK, r->period));
    if (below(r, 100) == 0) { /* all is quiet for long, and hands are on it */
      advance(r, 0.3);
      move_by_hand(r);
      advance(r, 0.3);
    }
  }
  brio_motor_event event;
  while (brio_motor_event_next(r->motor, &event)) {}
}

static void whatever_comes_limits_hold(void) {
  brio_random random = brio_random_stream(8, "pipeline");
  /* a sample of make soak's */
  int streams = (int)(check_scale() > 1 ? 10000 * check_scale() : 6000), done = 0;
  while (done < streams && check_failures == 0) {
    rig r;
    set_up(&r, &random);
    for (int s = 0; s < STREAMS_EACH && done < streams; s++, done++) stream(&r);
    tear_down(&r);
  }
  double n = (double)total.commands;
  printf("# %d streams, %.3g commands: beyond a range by %.1e at most, speed %.9f and acceleration %.9f of "
         "their limits\n",
         done, n, total.worst[0], total.worst[1], total.worst[2]);
  printf("# moving %.0f %%, at the greatest speed %.1f %%, acceleration %.1f %%; %.3g times tightened, %.3g "
         "panics, %.3g holds, "
         "begun anew %.3g, nobody spoke %.3g, coupled %.3g\n",
         100 * (double)total.moving / n, 100 * (double)total.fast / n, 100 * (double)total.hard / n,
         (double)total.tightened, (double)total.panics, (double)total.holds, (double)total.begun,
         (double)total.lost, (double)total.coupled);
  CHECK(total.moving > n / 10 && total.fast > n / 1000 && total.hard > n / 100 &&
            total.tightened > streams / 4 && total.panics > streams / 10 && total.begun > streams / 4 &&
            total.lost > streams / 10,
        "wild enough");
}

CHECK_SUITE(CHECK_TEST(whatever_comes_limits_hold))
