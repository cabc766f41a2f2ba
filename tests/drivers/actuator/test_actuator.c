/* Actuators: limits on targets as a property, names, groups, failures of devices. */
#include "base/random.h"
#include "drivers/actuator/actuator.h"
#include "tests/check.h"

/* Random limits, targets and steps: velocity and acceleration stay within the limits, and
** the target is reached. */
static void slewing_never_exceeds_limits(void) {
  brio_random random = brio_random_stream(3, "slew");
  for (int run = 0; run < 300; run++) {
    double vmax = exp(brio_random_uniform(&random, -3, 3)), a = exp(brio_random_uniform(&random, -2, 5));
    double x = 0, v = 0, target = 0, farthest = 0;
    for (int k = 0; k < 300; k++) {
      double dt = brio_random_uniform(&random, 0.0005, 0.02), x0 = x, v0 = v;
      if (brio_random_below(&random, 30) == 0) target = brio_random_uniform(&random, -1, 1);
      brio_slew(&x, &v, target, vmax, a, dt);
      farthest = fmax(farthest, fabs(x));
      CHECK(fabs(v) <= vmax * (1 + 1e-9), "run %d: velocity %g of %g", run, v, vmax);
      CHECK(fabs(v - v0) <= a * dt * (1 + 1e-9), "run %d: acceleration %g of %g", run, (v - v0) / dt, a);
      CHECK(fabs(x - x0) <= vmax * dt * (1 + 1e-9), "run %d: moved %g in %g s at %g", run, x - x0, dt, vmax);
    }
    CHECK(farthest <= 1 + 1e-9, "run %d: left the range of its targets: %g", run, farthest);
    for (int k = 0; k < 60000 && x != target; k++) brio_slew(&x, &v, target, vmax, a, 0.01);
    CHECK(x == target && v == 0, "run %d: ends at %g, %g instead of %g", run, x, v, target);
  }
}

static void slewing_takes_the_shortest_time(void) {
  double x = 0, v = 0, t = 0, highest = 0;
  for (; x != 1 && t < 10; t += 0.005) {
    brio_slew(&x, &v, 1, 2, 5, 0.005);
    highest = fmax(highest, x);
  }
  CHECK_NEAR(t, 2 * sqrt(1 / 5.0), 0.011, "speeds up and brakes: t = 2 sqrt(d / a)");
  CHECK(highest <= 1 + 1e-12, "overshoots to %.17g", highest);
  for (x = v = t = 0; x != 3 && t < 10; t += 0.005) brio_slew(&x, &v, 3, 1, INFINITY, 0.005);
  CHECK_NEAR(t, 3, 0.006, "velocity alone");
  brio_slew(&x, &v, 9, INFINITY, INFINITY, 0.005);
  CHECK(x == 9, "no limits");
  brio_slew(&x, &v, 1, 1, 1, 0);
  CHECK(x == 9 && v == 0, "no time");
}

static const brio_axis axes[] = {
    {"yaw", -2, 2, 3, 20, 0}, {"pitch", -0.5, 0.5, 3, 20, 0.1}, {"lid", 0, 1, INFINITY, INFINITY, 1}};

static brio_actuator *opened(const brio_actuator_options *changes) {
  brio_error err;
  brio_actuator_options options = {.axes = axes, .count = 3, .seed = 4};
  if (changes) options = *changes;
  if (!options.kind) options.kind = brio_driver_find("sim", &err);
  brio_actuator *actuator = brio_actuator_open(&options, &err);
  CHECK(actuator, "%s", err.message);
  return actuator;
}

static void moves_to_targets(void) {
  brio_error err;
  int n;
  brio_actuator *a = opened(NULL);
  const brio_actuator_axis *state = brio_actuator_axes(a, &n);
  CHECK(n == 3 && state[1].target == 0.1 && brio_actuator_find(a, "pitch", &err) == 1, "three axes");
  CHECK(brio_actuator_set_target(a, 0, 1.5, &err) && brio_actuator_set_target(a, 1, -9, &err), "%s",
        err.message);
  CHECK(state[1].target == -0.5, "clamped");
  CHECK(brio_actuator_run(a, 3, &err), "%s", err.message);
  CHECK_NEAR(state[0].measured.position, 1.5, 1e-6, "yaw");
  CHECK_NEAR(state[1].measured.position, -0.5, 1e-6, "pitch");
  CHECK(state[2].measured.valid && state[2].measured.position == 1, "lid stays");
  CHECK(brio_actuator_error(a, &n)->code == BRIO_OK && n == 0, "no failure");
  brio_actuator_close(a);
}

static void misuse_is_told(void) {
  brio_error err;
  brio_actuator *a = opened(NULL);
  CHECK(brio_actuator_find(a, "yav", &err) == -1 && err.code == BRIO_MISUSE, "found");
  CHECK_HAS(err.message, "did you mean 'yaw'?");
  CHECK(!brio_actuator_set_target(a, 0, NAN, &err) && !brio_actuator_set_target(a, 0, INFINITY, &err),
        "not finite");
  CHECK_HAS(err.message, "yaw");
  CHECK(!brio_actuator_set_target(a, 3, 0, &err) && !brio_actuator_set_target(a, -1, 0, &err),
        "no such axis");
  brio_actuator_close(a);
  const brio_axis twins[] = {axes[0], axes[0]};
  const char *members[] = {"yaw", "pitsch"};
  brio_actuator_group group = {"head", members, 2};
  brio_actuator_setting unknown = {"natural_frequenzy", 1, NULL}, wide = {"latency", 7, NULL};
  char path[600] = "";
  memset(path, 'x', sizeof path - 1);
  brio_actuator_setting lengthy = {"trace", 0, path};
  const struct {
    brio_actuator_options options;
    const char *says;
  } wrong[] = {
      {{.axes = twins, .count = 2}, "two axes are named 'yaw'"},
      {{.axes = axes, .count = 2, .groups = &group, .ngroup = 1},
       "group 'head': there is no axis 'pitsch' (did you mean 'pitch'?)"},
      {{.axes = axes, .count = 2, .settings = &unknown, .nsetting = 1}, "did you mean 'natural_frequency'?"},
      {{.axes = axes, .count = 2, .settings = &wide, .nsetting = 1},
       "latency must be a number from 0 to 0.5 (s), not 7"},
      {{.kind = brio_driver_find("json", NULL), .axes = axes, .count = 2, .settings = &lengthy,
        .nsetting = 1},
       "trace may have at most 511 bytes, not 599"},
      {{.axes = axes, .count = -1}, "axes"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    brio_actuator_options options = wrong[i].options;
    if (!options.kind) options.kind = brio_driver_find("sim", &err);
    CHECK(!brio_actuator_open(&options, &err) && err.code == BRIO_MISUSE, "opened with wrong %d", (int)i);
    CHECK_HAS(err.message, wrong[i].says);
  }
}

/* Limits tightened at random moments of motion: the command never jumps, and ends within the new ones. */
static void limits_tighten_without_a_jump(void) {
  brio_error err;
  int n;
  brio_actuator *a = opened(NULL);
  const brio_actuator_axis *yaw = brio_actuator_axes(a, &n);
  brio_random random = brio_random_stream(5, "tighten");
  double most = yaw->opened.acceleration, dt = 0.005;
  for (int round = 0; round < 60; round++) {
    brio_axis now = yaw->opened;
    double middle = brio_random_uniform(&random, now.lower, now.upper);
    now.lower = fmax(now.lower, middle - 0.2), now.upper = fmin(now.upper, middle + 0.2);
    now.velocity *= brio_random_uniform(&random, 0.3, 1);
    now.acceleration *= brio_random_uniform(&random, 0.3, 1);
    if (round % 3 == 0) now = yaw->opened;
    CHECK(brio_actuator_set_limits(a, 0, &now, &err), "%s", err.message);
    for (int tick = 0; tick < 1200; tick++) {
      if (tick % 400 == 0) brio_actuator_set_target(a, 0, brio_random_uniform(&random, -3, 3), NULL);
      if (tick > 1000 && round % 2) break; /* the next limits find it in motion */
      double x = yaw->command, v = yaw->command_velocity;
      brio_actuator_write(a, dt, NULL);
      CHECK(fabs(yaw->command - x) <= yaw->opened.velocity * dt * (1 + 1e-9), "it jumps to %g", yaw->command);
      CHECK(fabs(yaw->command_velocity - v) <= most * dt * (1 + 1e-9), "from %g to %g per s", v,
            yaw->command_velocity);
      if (tick < 900) continue;
      CHECK(yaw->command >= now.lower - 1e-9 && yaw->command <= now.upper + 1e-9, "%g not in [%g, %g]",
            yaw->command, now.lower, now.upper);
    }
  }
  brio_axis loose = yaw->opened;
  loose.upper += 0.1;
  CHECK(!brio_actuator_set_limits(a, 0, &loose, &err) && err.code == BRIO_MISUSE, "looser");
  CHECK_HAS(err.message, "yaw");
  loose = yaw->opened, loose.velocity *= 2;
  CHECK(!brio_actuator_set_limits(a, 0, &loose, &err) && !brio_actuator_set_limits(a, 9, &loose, &err),
        "looser");
  brio_actuator_close(a);
}

static void groups_are_sorted_and_copied(void) {
  char head[] = "head", yaw[] = "yaw";
  const char *both[] = {yaw, "pitch"}, *lid[] = {"lid"};
  brio_actuator_group groups[] = {{head, both, 2}, {"eyes", lid, 1}};
  brio_actuator_options options = {.axes = axes, .count = 3, .groups = groups, .ngroup = 2};
  brio_actuator *a = opened(&options);
  head[0] = yaw[0] = '?';
  int n;
  const brio_actuator_members *list = brio_actuator_groups(a, &n);
  CHECK(n == 2 && strcmp(list[0].name, "eyes") == 0 && strcmp(list[1].name, "head") == 0, "by name");
  CHECK(list[1].count == 2 && list[1].axes[0] == 0 && list[1].axes[1] == 1, "members");
  brio_actuator_close(a);
}

static void disabled_axes_are_left_alone(void) {
  brio_error err;
  int n;
  brio_actuator *a = opened(NULL);
  const brio_actuator_axis *state = brio_actuator_axes(a, &n);
  brio_actuator_enable(a, 0, false);
  brio_actuator_enable(a, 99, false);
  brio_actuator_set_target(a, 0, 2, &err);
  CHECK(brio_actuator_run(a, 1, &err), "%s", err.message);
  CHECK(state[0].measured.position == 0, "moved");
  brio_actuator_enable(a, 0, true);
  CHECK(state[0].target == 0 && state[0].command == 0, "starts from where it is");
  brio_actuator_slew(a, 0, false);
  brio_actuator_set_target(a, 0, 2, &err);
  CHECK(brio_actuator_write(a, 0.005, &err) && state[0].command == 2,
        "not slewed: the command is the target");
  brio_actuator_close(a);
}

/* A device that fails on request. */
typedef struct broken {
  int count;
  double targets[8];
  bool deaf, mute;
} broken;

static broken the_broken;

static void *broken_open(const brio_axis *given, int count, const double *settings, uint64_t seed,
                         void *context, brio_error *err) {
  (void)given, (void)settings, (void)seed;
  if (!context) return (void)brio_fail(err, BRIO_DEVICE, "nothing is plugged in"), NULL;
  ((broken *)context)->count = count;
  return context;
}
static bool broken_write(void *device, const double *targets, brio_error *err) {
  broken *self = device;
  if (self->deaf) return brio_fail(err, BRIO_DEVICE, "the bus is silent");
  memcpy(self->targets, targets, (size_t)self->count * sizeof *targets);
  return true;
}
static bool broken_read(void *device, brio_axis_state *states, brio_error *err) {
  (void)err;
  broken *self = device;
  for (int i = 0; i < self->count; i++)
    states[i] = (brio_axis_state){.position = i == 2 ? NAN : 0.25, .valid = true};
  return !self->mute;
}
static void broken_close(void *device) { ((broken *)device)->count = 0; }

static const brio_driver_kind broken_kind = {.name = "broken",
                                             .doc = "Fails.",
                                             .open = broken_open,
                                             .write = broken_write,
                                             .read = broken_read,
                                             .close = broken_close};

static void failures_are_kept_and_do_not_stop(void) {
  brio_error err;
  int n;
  brio_actuator_options options = {.kind = &broken_kind, .axes = axes, .count = 3};
  CHECK(!brio_actuator_open(&options, &err) && err.code == BRIO_DEVICE, "opened without a device");
  CHECK_HAS(err.message, "plugged");
  options.context = &the_broken;
  brio_actuator *a = opened(&options);
  const brio_actuator_axis *state = brio_actuator_axes(a, &n);
  brio_actuator_enable(a, 1, false);
  CHECK(brio_actuator_write(a, 0, &err) && isnan(the_broken.targets[1]), "a disabled axis is told NaN");
  CHECK(brio_actuator_read(a, &err) && state[0].measured.valid && !state[2].measured.valid,
        "NaN is no report");
  the_broken.deaf = the_broken.mute = true;
  CHECK(!brio_actuator_write(a, 0.01, &err) && strstr(err.message, "silent"), "%s", err.message);
  CHECK(!brio_actuator_read(a, NULL) && !state[0].measured.valid, "a mute device is valid");
  CHECK(state[0].measured.position == 0.25, "the last report stays");
  CHECK(brio_actuator_error(a, &n)->code == BRIO_DEVICE && n == 2, "%d failures", n);
  the_broken.deaf = the_broken.mute = false;
  CHECK(brio_actuator_run(a, 0.02, &err) && state[0].measured.valid, "it works again");
  CHECK(brio_actuator_detect(a, NULL, 0) == 0, "sees nothing");
  brio_actuator_step(a, 0.1);
  brio_actuator_close(a);
  brio_actuator_close(NULL);
  CHECK(the_broken.count == 0, "closed");
}

CHECK_SUITE(CHECK_TEST(slewing_never_exceeds_limits), CHECK_TEST(slewing_takes_the_shortest_time),
            CHECK_TEST(moves_to_targets), CHECK_TEST(misuse_is_told),
            CHECK_TEST(limits_tighten_without_a_jump), CHECK_TEST(groups_are_sorted_and_copied),
            CHECK_TEST(disabled_axes_are_left_alone), CHECK_TEST(failures_are_kept_and_do_not_stop))
