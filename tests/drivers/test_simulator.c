/* The simulated device compared with the closed solution of its equation, and its limits. */
#include "base/random.h"
#include "drivers/driver.h"
#include "tests/check.h"
#include "world/world.h"

enum {
  FREQUENCY,
  DAMPING,
  NOISE,
  VELOCITY_NOISE,
  LATENCY,
  INERTIA,
  TORQUE,
  FRICTION,
  VISCOUS,
  BACKLASH,
  NSETTING
};

static const brio_axis free_axis = {"a", -100, 100, INFINITY, INFINITY, 0};

static const brio_driver_kind *simulator(void) {
  brio_error err;
  const brio_driver_kind *kind = brio_driver_find("simulator", &err);
  CHECK(kind && kind == brio_driver_find("sim", &err), "found by name and alias");
  return kind;
}

static void *open_one(const brio_axis *axis, const double *changes, uint64_t seed, void *world) {
  double settings[NSETTING];
  brio_error err;
  for (int i = 0; i < NSETTING; i++) {
    settings[i] = changes && !isnan(changes[i]) ? changes[i] : simulator()->settings[i].fallback;
  }
  void *device = simulator()->open(axis, 1, settings, seed, world, &err);
  CHECK(device, "%s", err.message);
  return device;
}

static brio_axis_state after(void *device, double dt) {
  brio_axis_state state;
  simulator()->step(device, dt);
  CHECK(simulator()->read(device, &state, NULL) && state.valid, "no report");
  return state;
}

static void go(void *device, double target) { CHECK(simulator()->write(device, &target, NULL), "refused"); }

/* Step response of x'' = w^2 (1 - x) - 2 z w x' from rest (any textbook of control). */
static double response(double z, double w, double t) {
  double d = w * sqrt(fabs(1 - z * z));
  if (z == 1) return 1 - (1 + w * t) * exp(-w * t);
  if (z < 1) return 1 - exp(-z * w * t) * (cos(d * t) + z * w / d * sin(d * t));
  return 1 - exp(-z * w * t) * (cosh(d * t) + z * w / d * sinh(d * t));
}

static void follows_the_second_order_response(void) {
  const double dampings[] = {0.2, 0.7, 1, 2.5}, steps[] = {0.001, 0.005, 0.0137, 0.1};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double changes[NSETTING] = {3, dampings[i], NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
      void *device = open_one(&free_axis, changes, 0, NULL);
      go(device, 1);
      for (int k = 1; k * steps[j] < 0.6; k++)
        CHECK_NEAR(after(device, steps[j]).position, response(dampings[i], 2 * BRIO_PI * 3, k * steps[j]),
                   1e-9, "damping %g, %g s in steps of %g", dampings[i], k * steps[j], steps[j]);
      simulator()->close(device);
    }
}

/* Random targets, limits and steps: velocity, acceleration and position stay within. */
static void limits_hold(void) {
  brio_random random = brio_random_stream(11, "limits");
  for (int run = 0; run < 40; run++) {
    brio_axis axis = {"a", -1, 2, brio_random_uniform(&random, 0.1, 5), brio_random_uniform(&random, 0.5, 50),
                      0.3};
    double changes[NSETTING] = {brio_random_uniform(&random, 0.5, 40), brio_random_uniform(&random, 1, 3),
                                NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    void *device = open_one(&axis, changes, 0, NULL);
    double velocity = 0;
    for (int k = 0; k < 400; k++) {
      double dt = brio_random_uniform(&random, 0.0005, 0.1);
      if (brio_random_below(&random, 20) == 0) go(device, brio_random_uniform(&random, -3, 4));
      brio_axis_state now = after(device, dt);
      bool stopped = now.position <= -1 || now.position >= 2;
      CHECK(fabs(now.velocity) <= axis.velocity * (1 + 1e-9), "velocity %g of %g", now.velocity,
            axis.velocity);
      CHECK(now.position >= -1 && now.position <= 2, "position %g", now.position);
      CHECK(stopped || fabs(now.velocity - velocity) <= axis.acceleration * dt * (1 + 1e-9),
            "run %d step %d: %g to %g in %g s", run, k, velocity, now.velocity, dt);
      velocity = now.velocity;
    }
    simulator()->close(device);
  }
}

static void weak_servos_brake_in_time(void) {
  const double accelerations[] = {0.5, 2, 10, 100};
  for (int i = 0; i < 4; i++) {
    brio_axis axis = {"a", -10, 10, 2, accelerations[i], 0};
    void *device = open_one(&axis, NULL, 0, NULL);
    double highest = 0;
    go(device, 1);
    for (int k = 0; k < 1000; k++) highest = fmax(highest, after(device, 0.005).position);
    CHECK(highest < 1.005, "acceleration %g: overshoots to %g", accelerations[i], highest);
    CHECK_NEAR(after(device, 0.005).position, 1, 1e-6, "acceleration %g: arrives", accelerations[i]);
    simulator()->close(device);
  }
}

static void step_size_hardly_matters(void) {
  brio_axis axis = {"a", -10, 10, 1.5, 6, 0};
  void *fine = open_one(&axis, NULL, 0, NULL), *coarse = open_one(&axis, NULL, 0, NULL);
  go(fine, 1);
  go(coarse, 1);
  for (int k = 0; k < 12; k++) {
    for (int i = 0; i < 99; i++) after(fine, 0.001);
    CHECK_NEAR(after(fine, 0.001).position, after(coarse, 0.1).position, 2e-4, "at %g s", (k + 1) * 0.1);
  }
  simulator()->close(fine);
  simulator()->close(coarse);
}

static void targets_are_clamped_and_nan_left_alone(void) {
  brio_axis axis = {"a", -1, 1, 10, 100, 5};
  void *device = open_one(&axis, NULL, 0, NULL);
  brio_error err;
  double endless = INFINITY;
  CHECK(after(device, 0.01).position == 1, "starts within its limits");
  go(device, -7);
  after(device, 0.2);
  go(device, NAN);
  CHECK_NEAR(after(device, 3).position, -1, 1e-6, "goes to the limit and a NaN changes nothing");
  CHECK(!simulator()->write(device, &endless, &err), "an infinite target");
  double before = after(device, 0.01).position;
  simulator()->step(device, NAN);
  simulator()->step(device, -1);
  CHECK(after(device, 1e-9).position == before, "steps that are none");
  simulator()->close(device);
}

static void latency_delays(void) {
  double changes[NSETTING] = {NAN, NAN, NAN, NAN, 0.1, NAN, NAN, NAN, NAN, NAN};
  void *late = open_one(&free_axis, changes, 0, NULL), *prompt = open_one(&free_axis, NULL, 0, NULL);
  double positions[60];
  for (int k = 0; k < 60; k++) {
    go(prompt, sin(k * 0.1));
    go(late, sin(k * 0.1));
    positions[k] = after(prompt, 0.005).position;
    double delayed = after(late, 0.005).position;
    CHECK_NEAR(delayed, k < 20 ? 0 : positions[k - 20], 1e-9, "tick %d", k);
  }
  for (int k = 0; k < 100000; k++) go(late, 0.5); /* more than the queue holds */
  CHECK_NEAR(after(late, 3).position, 0.5, 1e-6, "the last target counts");
  simulator()->close(late);
  simulator()->close(prompt);
}

static void noise_repeats_with_its_seed(void) {
  double changes[NSETTING] = {NAN, NAN, 0.01, 0.1, NAN, NAN, NAN, NAN, NAN, NAN}, sum = 0, squares = 0;
  void *a = open_one(&free_axis, changes, 5, NULL), *b = open_one(&free_axis, changes, 5, NULL);
  void *c = open_one(&free_axis, changes, 6, NULL);
  int same = 0, n = 20000;
  for (int k = 0; k < n; k++) {
    brio_axis_state x = after(a, 0.005), y = after(b, 0.005), z = after(c, 0.005);
    CHECK(memcmp(&x.position, &y.position, sizeof x.position) == 0 && x.velocity == y.velocity,
          "tick %d differs", k);
    same += x.position == z.position;
    sum += x.position;
    squares += x.position * x.position;
  }
  CHECK(same < 10, "another seed gives the same noise %d times", same);
  CHECK_NEAR(sum / n, 0, 5e-4, "mean");
  CHECK_NEAR(sqrt(squares / n), 0.01, 5e-4, "deviation");
  simulator()->close(a);
  simulator()->close(b);
  simulator()->close(c);
}

/* One motor with these settings over the defaults: 3 Hz, damping 1, 0.02 kg m^2. */
static void *motor(double torque, double friction, double viscous, double backlash) {
  double changes[NSETTING] = {3, 1, NAN, NAN, NAN, 0.02, torque, friction, viscous, backlash};
  return open_one(&free_axis, changes, 0, NULL);
}

static void motors_without_end_are_the_servo(void) {
  void *device = motor(0, 0, 0, 1e-9);
  go(device, 1);
  for (int k = 1; k < 200; k++)
    CHECK_NEAR(after(device, 0.005).position, response(1, 2 * BRIO_PI * 3, k * 0.005), 5e-3, "at %g s",
               k * 0.005);
  simulator()->close(device);
}

/* Gains p and d are J w^2 and 2 z w J: the same motor with other parameters; there are no other gains. */
static void gains_are_the_servo_in_other_words(void) {
  double w = 2 * BRIO_PI * 5, inertia = 0.02;
  brio_gains gains = {inertia * w * w, NAN, 2 * 0.4 * w * inertia, NAN, NAN};
  brio_driver_config config = {.gains = &gains, .axes = &free_axis};
  brio_error err = {0};
  void *device = motor(0, 0, 0, 0);
  CHECK(simulator()->configure(device, &config, &err), "%s", err.message);
  go(device, 1);
  for (int k = 1; k < 200; k++)
    CHECK_NEAR(after(device, 0.005).position, response(0.4, w, k * 0.005), 2e-2, "at %g s", k * 0.005);
  gains = (brio_gains){NAN, 3, NAN, NAN, NAN};
  CHECK(!simulator()->configure(device, &config, &err) && err.code == BRIO_MISUSE, "i");
  gains = (brio_gains){-1, NAN, NAN, NAN, NAN};
  CHECK(!simulator()->configure(device, &config, &err) && err.code == BRIO_MISUSE, "below 0");
  simulator()->close(device);
}

/* With a watchdog it holds its position after a time without writes, and goes on at the next one. */
static void a_watchdog_holds(void) {
  brio_driver_config config = {.watchdog = 0.1, .axes = &free_axis};
  double changes[NSETTING] = {0.5, 1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  void *device = open_one(&free_axis, changes, 0, NULL), *other = open_one(&free_axis, changes, 0, NULL);
  CHECK(simulator()->configure(device, &config, NULL), "a watchdog");
  go(device, 1);
  go(other, 1);
  for (int k = 0; k < 19; k++) after(device, 0.005);
  CHECK_NEAR(after(device, 0).position, after(other, 0.095).position, 1e-9,
             "until then nothing is different");
  double there = after(device, 0.005).position;
  for (int k = 0; k < 400; k++) after(device, 0.005);
  CHECK(after(device, 0).position < there + 0.2, "it holds: %g after %g", after(device, 0).position, there);
  CHECK(after(other, 2).position > 0.9, "without one it goes on");
  go(device, 1);
  for (int k = 0; k < 400; k++) {
    after(device, 0.005);
    go(device, NAN); /* a word is a word */
  }
  CHECK(after(device, 0).position > 0.9, "it goes on: %g", after(device, 0).position);
  simulator()->close(device);
  simulator()->close(other);
}

static void inputs_go_by_their_lines(void) {
  const brio_driver_input inputs[] = {{"a", "0=0 0.5=1 0.7=0", 1},
                                      {"b", "", 1},
                                      {"c", "0.2=-3.5", 1},
                                      {"d", "rubbish", 1},
                                      {"e", "0=1 x", 1}};
  brio_driver_config config = {.inputs = inputs, .ninput = 5, .axes = &free_axis};
  void *device = open_one(&free_axis, NULL, 0, NULL);
  brio_input_state states[5];
  CHECK(simulator()->configure(device, &config, NULL), "inputs");
  const double times[] = {0, 0.4, 0.6, 0.8}, a[] = {0, 0, 1, 0};
  for (int i = 0; i < 4; i++) {
    if (i > 0) simulator()->step(device, times[i] - times[i - 1]);
    CHECK(simulator()->sense(device, states, NULL), "sense");
    CHECK(states[0].values[0] == a[i] && isnan(states[1].values[0]) && isnan(states[3].values[0]),
          "at %g: %g", times[i], states[0].values[0]);
    CHECK(i == 0 ? isnan(states[2].values[0]) : states[2].values[0] == -3.5, "at %g: %g", times[i],
          states[2].values[0]);
    CHECK(states[4].values[0] == 1, "what is read is kept: %g", states[4].values[0]);
  }
  simulator()->close(device);
}

static void torque_is_limited(void) {
  void *device = motor(0.1, 0, 0, 0); /* 0.1 N m on 0.02 kg m^2: 5 rad/s^2 */
  brio_axis_state state = {0};
  go(device, 50);
  for (int k = 1; k <= 100; k++) state = after(device, 0.001);
  CHECK_NEAR(state.velocity, 0.5, 1e-3, "0.1 s at 5 rad/s^2");
  CHECK_NEAR(state.position, 0.025, 1e-3, "a t^2 / 2");
  CHECK((state.knows & BRIO_KNOWS_LOAD) && fabs(state.load - 1) < 1e-9, "works as hard as it can: %g",
        state.load);
  simulator()->close(device);
}

static void friction_holds_and_brakes(void) {
  /* where the controller asks for less than friction */
  double w = 2 * BRIO_PI * 3, dead = 0.05 / (0.02 * w * w);
  void *device = motor(0, 0.05, 0, 0);
  go(device, 0.9 * dead);
  CHECK(after(device, 1).position == 0, "too little to move it");
  go(device, 1);
  double rests = after(device, 3).position;
  CHECK(fabs(rests - 1) <= 1.05 * dead && rests < 1, "rests %g short of its target, at most %g", 1 - rests,
        dead);
  simulator()->close(device);
  device = motor(0, 0, 0.1, 0);
  bool off = false;
  go(device, 50);
  double before = after(device, 0.3).velocity;
  CHECK(simulator()->power(device, &off, NULL), "power");
  CHECK_NEAR(after(device, 0.2).velocity, before * exp(-0.1 / 0.02 * 0.2), 0.02 * before,
             "without power it slows down by friction alone");
  simulator()->close(device);
}

static void backlash_is_a_dead_band(void) {
  void *device = motor(0, 0, 0, 0.1);
  go(device, 1);
  CHECK_NEAR(after(device, 3).position, 0.95, 1e-3, "half of it short");
  go(device, 0.95);
  CHECK_NEAR(after(device, 3).position, 0.95, 1e-3, "nothing moves");
  go(device, 0.8);
  CHECK_NEAR(after(device, 3).position, 0.85, 1e-3, "then it follows, half of it late");
  simulator()->close(device);
}

static void stiff_motors_are_stable(void) {
  double changes[NSETTING] = {100, 10, NAN, NAN, NAN, 1e-6, 0, 0, 0, 1e-9};
  void *device = open_one(&free_axis, changes, 0, NULL);
  go(device, 1);
  double last = 0;
  for (int k = 0; k < 2000; k++) {
    double now = after(device, 0.001).position;
    CHECK(now >= last - 1e-12 && now <= 1 + 1e-9, "step %d: %g after %g", k, now, last);
    last = now;
  }
  CHECK_NEAR(last, 1, 0.01, "arrives");
  simulator()->close(device);
}

static void without_power_it_stays(void) {
  void *device = open_one(&free_axis, NULL, 0, NULL);
  bool on = false;
  go(device, 1);
  after(device, 0.05);
  simulator()->power(device, &on, NULL);
  double at = after(device, 0.001).position;
  CHECK(after(device, 1).position == at, "stays");
  on = true;
  simulator()->power(device, &on, NULL);
  CHECK(fabs(after(device, 1).position - at) < 1e-9, "takes hold where it is");
  go(device, 1);
  CHECK_NEAR(after(device, 3).position, 1, 1e-6, "and moves again");
  simulator()->close(device);
}

static void watches_its_world(void) {
  brio_error err;
  brio_world *world = brio_world_new(1, &err);
  brio_waypoint path[] = {{0, BRIO_POSE_IDENTITY}, {1, {{2, 0, 0}, {0, 0, 0, 1}}}};
  CHECK(brio_world_add(world, "person", "ann", (brio_vec3){0, 0, 0}, path, 2, false, &err), "%s",
        err.message);
  void *device = open_one(&free_axis, NULL, 1, world), *blind = open_one(&free_axis, NULL, 1, NULL);
  brio_detection d;
  for (int k = 0; k < 100; k++) simulator()->step(device, 0.005);
  CHECK(simulator()->detect(device, &d, 1) == 1, "sees nobody");
  CHECK_NEAR(d.pose.p.x, 1, 1e-9, "the world's time is the device's");
  CHECK(simulator()->detect(blind, &d, 1) == 0, "sees without a world");
  simulator()->close(device);
  simulator()->close(blind);
  brio_world_free(world);
}

static void names_are_suggested_and_axes_checked(void) {
  brio_error err;
  CHECK(!brio_driver_find("simulater", &err), "found");
  CHECK_HAS(err.message, "did you mean 'simulator'?");
  brio_axis wrong[] = {{"a", 1, 0, 1, 1, 0},   {"a", 0, 1, 0, 1, 0},
                       {"a", 0, 1, 1, -1, 0},  {"a", 0, 1, 1, 1, NAN},
                       {"a", NAN, 1, 1, 1, 0}, {"", 0, 1, 1, 1, 0},
                       {NULL, 0, 1, 1, 1, 0},  {"a", INFINITY, INFINITY, 1, 1, 0}};
  for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++)
    CHECK(!brio_axis_check(&wrong[i], &err) && err.code == BRIO_MISUSE, "axis %d", i);
  CHECK(brio_axis_check(&free_axis, &err), "%s", err.message);
  for (int k = 0; brio_driver_kinds[k]; k++) {
    const brio_driver_kind *kind = brio_driver_kinds[k];
    CHECK(kind->name && kind->doc && kind->open && kind->write && kind->read && kind->close, "row %d", k);
    for (const brio_driver_setting *s = kind->settings; s && s->name; s++)
      CHECK(s->unit && s->doc && s->lower <= s->fallback && s->fallback <= s->upper, "%s.%s", kind->name,
            s->name);
  }
}

CHECK_SUITE(CHECK_TEST(follows_the_second_order_response), CHECK_TEST(limits_hold),
            CHECK_TEST(weak_servos_brake_in_time), CHECK_TEST(step_size_hardly_matters),
            CHECK_TEST(targets_are_clamped_and_nan_left_alone), CHECK_TEST(latency_delays),
            CHECK_TEST(motors_without_end_are_the_servo), CHECK_TEST(torque_is_limited),
            CHECK_TEST(friction_holds_and_brakes), CHECK_TEST(backlash_is_a_dead_band),
            CHECK_TEST(stiff_motors_are_stable), CHECK_TEST(without_power_it_stays),
            CHECK_TEST(gains_are_the_servo_in_other_words), CHECK_TEST(a_watchdog_holds),
            CHECK_TEST(inputs_go_by_their_lines), CHECK_TEST(noise_repeats_with_its_seed),
            CHECK_TEST(watches_its_world), CHECK_TEST(names_are_suggested_and_axes_checked))
