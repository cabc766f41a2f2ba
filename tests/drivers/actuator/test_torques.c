/* Axes whose motors control their torque: what a driver gets, in its own units, whatever it is that the motor
** side wants; and which devices and axes are refused. */
#include "base/random.h"
#include "drivers/actuator/actuator.h"
#include "tests/check.h"

enum { AXES = 3 };

/* A device that remembers its commands, and reports where its motors are, in its own units. */
typedef struct drive {
  brio_impedance_command got[AXES];
  brio_axis_state reports[AXES];
  int count, writes;
} drive;

static drive the_drive;

static void *drive_open(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                        void *context, brio_error *err) {
  (void)axes, (void)settings, (void)seed, (void)context, (void)err;
  the_drive = (drive){.count = count};
  return &the_drive;
}
static bool drive_write(void *device, const double *targets, brio_error *err) {
  (void)device, (void)targets;
  return brio_fail(err, BRIO_DEVICE, "a position alone");
}
static bool drive_impedances(void *device, const brio_impedance_command *commands, brio_error *err) {
  drive *d = device;
  (void)err;
  memcpy(d->got, commands, (size_t)d->count * sizeof *commands);
  d->writes++;
  return true;
}
static bool drive_configure(void *device, const brio_driver_config *config, brio_error *err) {
  (void)device;
  return config->impedances || brio_fail(err, BRIO_MISUSE, "no impedances");
}
static bool drive_read(void *device, brio_axis_state *states, brio_error *err) {
  drive *d = device;
  (void)err;
  memcpy(states, d->reports, (size_t)d->count * sizeof *states);
  return true;
}
static void drive_close(void *device) { (void)device; }

static const brio_driver_kind drive_kind = {.name = "drive", .doc = "Controls torques.", .open = drive_open,
                                            .configure = drive_configure, .write = drive_write,
                                            .write_impedances = drive_impedances, .read = drive_read,
                                            .close = drive_close};

static const brio_axis axes[AXES] = {
    {"yaw", -2, 2, 3, 20, 0}, {"pitch", -2, 2, 3, 20, 0}, {"lid", 0, 1, INFINITY, INFINITY, 0}};

/* A lid has no torque. */
static const brio_impedance hard[AXES] = {{100, 5, 0, 20}, {80, 4, 0, 10}, {0, 0, 0, NAN}};

static brio_actuator *opened(const brio_mapping *mappings) {
  brio_error err;
  const brio_actuator_options options = {.kind = &drive_kind, .axes = axes, .count = AXES, .impedances = hard,
                                         .mappings = mappings};
  brio_actuator *actuator = brio_actuator_open(&options, &err);
  CHECK(actuator, "%s", err.message);
  return actuator;
}

static brio_device *device_of(brio_actuator *actuator) {
  int count;
  return brio_actuator_devices(actuator, &count);
}

/* The motor of `pitch` turns the other way, and 50 times as far: its torque is a fiftieth. */
static void a_driver_gets_its_own_units(void) {
  brio_error err;
  brio_mapping mappings[AXES];
  for (int i = 0; i < AXES; i++) mappings[i] = brio_mapping_identity();
  mappings[1].scale = 50, mappings[1].polarity = -1, mappings[1].offset = 7;
  brio_actuator *actuator = opened(mappings);
  brio_device *device = device_of(actuator);
  const brio_impedance wanted[AXES] = {{100, 5, 2, 20}, {40, 2, 3, 10}, {0, 0, 0, NAN}};
  const double values[AXES] = {0.1, 0.2, 0.5}, speeds[AXES] = {0.3, -0.4, 0};
  brio_device_impede(device, wanted);
  CHECK(brio_device_write(device, values, speeds, &err), "%s", err.message);
  const brio_impedance_command *yaw = &the_drive.got[0], *pitch = &the_drive.got[1], *lid = &the_drive.got[2];
  CHECK(yaw->impedance.torque == 2 && yaw->impedance.stiffness == 100 && yaw->speed == 0.3, "as they are");
  CHECK_NEAR(pitch->target, 7 - 50 * 0.2, 1e-12, "target");
  CHECK_NEAR(pitch->speed, 50 * 0.4, 1e-12, "speed");
  CHECK_NEAR(pitch->impedance.torque, -3.0 / 50, 1e-12, "torque");
  CHECK_NEAR(pitch->impedance.stiffness, 40.0 / 2500, 1e-12, "stiffness");
  CHECK_NEAR(pitch->impedance.damping, 2.0 / 2500, 1e-12, "damping");
  CHECK_NEAR(pitch->impedance.limit, 10.0 / 50, 1e-12, "limit");
  CHECK(isnan(lid->impedance.limit) && lid->target == 0.5, "a position servo among them");
  /* And back: the power is the same on both sides. */
  the_drive.reports[1] = (brio_axis_state){
      .position = 7, .velocity = -5, .torque = -0.1, .knows = BRIO_KNOWS_TORQUE, .valid = true};
  CHECK(brio_device_read(device, &err), "%s", err.message);
  CHECK_NEAR(device->states[1].torque, 5, 1e-12, "torque");
  CHECK_NEAR(device->states[1].torque * device->states[1].velocity, -0.1 * -5, 1e-9, "power");
  brio_actuator_close(actuator);
}

static double law(const brio_impedance_command *c, const brio_axis_state *at) {
  return c->impedance.stiffness * (c->target - at->position) +
         c->impedance.damping * (c->speed - at->velocity) + c->impedance.torque;
}

static void whatever_is_wanted_the_torque_stays_within_its_limit(void) {
  brio_error err;
  brio_random random = brio_random_stream(5, "torques");
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e9, 1e9, 0};
  brio_actuator *actuator = opened(NULL);
  brio_device *device = device_of(actuator);
  for (int k = 0; k < 20000; k++) {
    brio_impedance wanted[AXES];
    double values[AXES], speeds[AXES];
    for (int i = 0; i < AXES; i++) {
      double n[6];
      for (int j = 0; j < 6; j++)
        n[j] = brio_random_below(&random, 2) ? odd[brio_random_below(&random, 7)]
                                             : brio_random_uniform(&random, -300, 300);
      wanted[i] = (brio_impedance){n[0], n[1], n[2], n[3]};
      values[i] = n[4], speeds[i] = n[5];
      the_drive.reports[i] = (brio_axis_state){.position = brio_random_uniform(&random, -2, 2),
                                               .velocity = brio_random_uniform(&random, -3, 3),
                                               .valid = true};
    }
    brio_device_read(device, &err);
    brio_device_impede(device, wanted);
    CHECK(brio_device_write(device, values, speeds, &err), "%s", err.message);
    for (int i = 0; i < AXES - 1; i++) {
      const brio_impedance_command *c = &the_drive.got[i];
      double torque = isnan(c->target) ? c->impedance.torque : law(c, &device->states[i]);
      CHECK(fabs(torque) <= hard[i].limit * (1 + 1e-6), "%d: %g of %g N m", k, torque, hard[i].limit);
      CHECK(c->impedance.limit <= hard[i].limit && c->impedance.stiffness <= hard[i].stiffness, "%d", k);
    }
  }
  CHECK(brio_device_guarded(device) > 10000, "%d were changed", (int)brio_device_guarded(device));
  brio_actuator_close(actuator);
}

/* Open a robot's actuator that cannot be; the sentence must say why. */
static void refuse(brio_actuator_options options, const char *says) {
  brio_error err = {0};
  options.axes = axes, options.count = AXES;
  if (!options.kind) options.kind = &drive_kind;
  CHECK(!brio_actuator_open(&options, &err) && err.code == BRIO_MISUSE, "opened: %s", says);
  CHECK_HAS(err.message, says);
}

static void what_cannot_control_its_torque_is_refused(void) {
  brio_error err;
  brio_impedance list[AXES] = {hard[0], hard[1], hard[2]};
  refuse((brio_actuator_options){.kind = brio_driver_find("line", &err), .impedances = hard},
         "takes positions alone");
  list[1].stiffness = NAN;
  refuse((brio_actuator_options){.impedances = list}, "control of 'pitch': its stiffness must be a number");
  brio_mapping mappings[AXES];
  for (int i = 0; i < AXES; i++) mappings[i] = brio_mapping_identity();
  mappings[0].kind = brio_mapping_find("asymmetric", &err);
  mappings[0].below = mappings[0].above = 1;
  refuse((brio_actuator_options){.impedances = hard, .mappings = mappings}, "linear mapping");
  const char *const both[] = {"yaw", "pitch"};
  const double matrix[] = {1, 1, 1, -1};
  const brio_actuator_coupling coupling = {both, 2, matrix};
  refuse((brio_actuator_options){.impedances = hard, .couplings = &coupling, .ncoupling = 1},
         "several motors move it");
}

CHECK_SUITE(CHECK_TEST(a_driver_gets_its_own_units),
            CHECK_TEST(whatever_is_wanted_the_torque_stays_within_its_limit),
            CHECK_TEST(what_cannot_control_its_torque_is_refused))
