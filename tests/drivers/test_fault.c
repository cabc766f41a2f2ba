/* Injected faults: their sentences, and the effect of each kind on a device. */
#include "drivers/actuator/actuator.h"
#include "tests/check.h"

static const brio_axis axes[] = {
    {"pan", -2, 2, 50, 1e5, 0}, {"tilt", -2, 2, 50, 1e5, 0}, {"ear", 0, 1, 50, 1e5, 0.5}};

static brio_actuator *opened(void) {
  brio_error err = {0};
  const char *head[] = {"pan", "tilt"}, *ears[] = {"ear"};
  brio_actuator_group groups[] = {{"neck", head, 2}};
  brio_actuator_device devices[] = {
      {.name = "head", .kind = brio_driver_find("sim", NULL), .axes = head, .count = 2},
      {.name = "ears", .kind = brio_driver_find("sim", NULL), .axes = ears, .count = 1}};
  brio_actuator_options options = {.kind = devices[0].kind,
                                   .axes = axes,
                                   .count = 3,
                                   .groups = groups,
                                   .ngroup = 1,
                                   .devices = devices,
                                   .ndevice = 2,
                                   .seed = 3};
  brio_actuator *a = brio_actuator_open(&options, &err);
  CHECK(a != NULL, "%s", err.message);
  return a;
}

static const brio_actuator_axis *run(brio_actuator *a, double seconds) {
  int count;
  for (int i = 0; i < (int)lround(seconds / 0.005); i++) brio_actuator_run(a, 0.005, NULL);
  return brio_actuator_axes(a, &count);
}

static void sentences(void) {
  const struct { const char *sentence, *piece;
  } wrong[] = {{"", "as in"},
               {"dropp 2% of neck", "did you mean 'drop'?"},
               {"drop of neck", "amount"},
               {"drop 200% of neck", "0 to 100"},
               {"drop 2%", "name its device"},
               {"drop 2% of nekc", "no device, group or axis 'nekc'"},
               {"unplug head now", "at SECONDS"},
               {"unplug head at", "at SECONDS"},
               {"unplug head at -1", "at SECONDS"},
               {"delay 3 of neck", "0 to 0.25"},
               {"a b c d e f g h i j k l m n", "fewer words"},
               {"lie nan of pan", "amount"}};
  brio_error err = {0};
  brio_fault fault;
  brio_actuator *a = opened();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK(!brio_actuator_fault(a, wrong[i].sentence, &err) && err.code == BRIO_MISUSE, "'%s'",
          wrong[i].sentence);
    CHECK_HAS(err.message, wrong[i].piece);
  }
  CHECK(brio_fault_parse("block 300ms of arm at 2 for 1s", &fault, &err), "%s", err.message);
  CHECK(fault.amount == 0.3 && fault.from == 2 && fault.until == 3 && strcmp(fault.whom, "arm") == 0,
        "%g %g %g", fault.amount, fault.from, fault.until);
  for (const brio_fault_kind *kind = brio_fault_kinds; kind->name; kind++)
    CHECK(brio_fault_parse(kind->example, &fault, &err) && fault.kind == kind && kind->doc, "%s: %s",
          kind->name, err.message);
  brio_actuator_close(a);
}

/* Commands of all axes and their reports after `seconds`, with one fault. */
static brio_actuator *under(const char *sentence, double seconds) {
  brio_error err = {0};
  brio_actuator *a = opened();
  CHECK(brio_actuator_fault(a, sentence, &err), "%s: %s", sentence, err.message);
  for (int i = 0; i < 3; i++) brio_actuator_set_target(a, i, 1, NULL);
  run(a, seconds);
  return a;
}

static void each_kind(void) {
  const struct { const char *sentence; double pan, ear; bool valid;
  } cases[] = {{"drop 50% of pan", 1, 1, true},
               {"drop 100% of pan", 0, 1, true},
               {"stall neck", 0, 1, true},
               {"delay 0.1 of head", 1, 1, true},
               {"lie 0.3 of pan", 1.3, 1, true},
               {"nan of pan", 0, 1, false},
               {"mute head", 0, 1, false},
               {"unplug head", 0, 1, false},
               {"block 10 of head", 0, 1, false},
               {"freeze pan", 0, 1, true},
               {"noise 0.001 of ears", 1, 1, true},
               {"stall pan at 2", 1, 1, true},
               {"unplug head at 0.2 for 0.3", 1, 1, true},
               {"refuse pan", 0, 1, true},
               {"refuse pan at 0.2 for 0.3", 1, 1, true},
               {"blackout head", 0, 1, false},
               {"blackout head at 0.2 for 0.3", 1, 1, true},
               {"jitter 0.01 of head", 1, 1, true},
               {"drift 0.2 of pan at 0.5", 1.2, 1, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int count;
    brio_actuator *a = under(cases[i].sentence, 1.5);
    const brio_actuator_axis *state = brio_actuator_axes(a, &count);
    CHECK(state[0].measured.valid == cases[i].valid, "%s: valid %d", cases[i].sentence,
          state[0].measured.valid);
    CHECK(!cases[i].valid || fabs(state[0].measured.position - cases[i].pan) < 0.01, "%s: pan %g",
          cases[i].sentence, state[0].measured.position);
    CHECK_NEAR(state[2].measured.position, cases[i].ear, 0.02, "%s: the other device is well",
               cases[i].sentence);
    brio_actuator_close(a);
  }
}

static void told_values(void) {
  int count;
  const struct { const char *sentence; unsigned knows; double value;
  } cases[] = {{"heat 95 of pan", BRIO_KNOWS_TEMPERATURE, 95},
               {"overload 9 of pan", BRIO_KNOWS_CURRENT, 9},
               {"sag 5.5 of all", BRIO_KNOWS_VOLTAGE, 5.5},
               {"strain 0.9 of pan", BRIO_KNOWS_LOAD, 0.9}};
  for (int i = 0; i < 4; i++) {
    brio_actuator *a = under(cases[i].sentence, 0.1);
    const brio_axis_state *s = &brio_actuator_axes(a, &count)[0].measured;
    double value = i == 0 ? s->temperature : i == 1 ? s->current : i == 2 ? s->voltage : s->load;
    CHECK((s->knows & cases[i].knows) && value == cases[i].value, "%s: %g", cases[i].sentence, value);
    brio_actuator_close(a);
  }
}

static void the_same_with_the_same_seed(void) {
  int count;
  brio_actuator *a = under("noise 0.1 of all", 0.3), *b = under("noise 0.1 of all", 0.3);
  const brio_actuator_axis *x = brio_actuator_axes(a, &count), *y = brio_actuator_axes(b, &count);
  for (int i = 0; i < 3; i++)
    CHECK(x[i].measured.position == y[i].measured.position && x[i].measured.position != 1, "axis %d", i);
  brio_actuator_close(a);
  brio_actuator_close(b);
}

/* A loss of power releases motors: moving ones coast, and get their targets again when it is back. */
static void power_is_lost(void) {
  brio_error err = {0};
  brio_actuator_setting settings[] = {{"torque", 5, NULL}, {"natural_frequency", 2, NULL}};
  brio_actuator_options options = {
      .kind = brio_driver_find("sim", NULL), .axes = axes, .count = 1, .settings = settings, .nsetting = 2};
  const char *sentences[] = {"refuse pan at 0.1 for 0.5", "blackout all at 0.1 for 0.5"};
  for (int i = 0; i < 2; i++) {
    int count;
    brio_actuator *a = brio_actuator_open(&options, &err);
    CHECK(a && brio_actuator_fault(a, sentences[i], &err), "%s", err.message);
    brio_actuator_set_target(a, 0, 0.5, NULL);
    run(a, 0.1);
    double speed = brio_actuator_axes(a, &count)[0].measured.velocity;
    run(a, 0.4);
    const brio_device *device = brio_actuator_devices(a, &count);
    CHECK(device->limp && speed > 0.05, "%s: limp at %g", sentences[i], speed);
    if (i == 0)
      CHECK_NEAR(brio_actuator_axes(a, &count)[0].measured.velocity, speed, 0.3 * speed, "it coasts");
    run(a, 2.5);
    CHECK(!device->limp, "%s: is over", sentences[i]);
    CHECK_NEAR(brio_actuator_axes(a, &count)[0].measured.position, 0.5, 0.01, "%s: and moved on",
               sentences[i]);
    brio_actuator_close(a);
  }
}

static void spikes_are_rare(void) {
  brio_actuator *a = under("spike 0.5 of pan", 1);
  int count, off = 0;
  for (int i = 0; i < 2000; i++) off += fabs(run(a, 0.005)[0].measured.position - 1) > 0.4;
  CHECK(off > 5 && off < 50, "%d of 2000", off);
  brio_actuator_axes(a, &count);
  brio_actuator_close(a);
}

static double input_of(const brio_actuator *a, int which) {
  int count;
  return brio_actuator_inputs(a, &count)[which].state.values[0];
}

static void inputs_are_struck(void) {
  brio_error err = {0};
  brio_actuator_input inputs[] = {{.input = {"button", "0=0", 1}}, {.input = {"sonar", "0=2", 1}}};
  brio_actuator_options options = {
      .kind = brio_driver_find("sim", NULL), .axes = axes, .count = 1, .inputs = inputs, .ninput = 2};
  brio_actuator *a = brio_actuator_open(&options, &err);
  CHECK(a && brio_actuator_fault(a, "sense 1 of button at 0.2 for 0.2", &err) &&
            brio_actuator_fault(a, "deaf all at 0.5", &err),
        "%s", err.message);
  run(a, 0.1);
  CHECK(input_of(a, 0) == 0 && input_of(a, 1) == 2, "%g %g", input_of(a, 0), input_of(a, 1));
  run(a, 0.2);
  CHECK(input_of(a, 0) == 1 && input_of(a, 1) == 2, "%g %g", input_of(a, 0), input_of(a, 1));
  run(a, 0.15);
  CHECK(input_of(a, 0) == 0, "%g", input_of(a, 0));
  run(a, 0.2);
  CHECK(isnan(input_of(a, 0)) && isnan(input_of(a, 1)), "%g %g", input_of(a, 0), input_of(a, 1));
  CHECK(!brio_actuator_fault(a, "sense 1 of pan", &err), "an axis is no input");
  CHECK_HAS(err.message, "no input is 'pan'");
  brio_actuator_close(a);
}

static void lost_devices_return(void) {
  brio_error err = {0};
  int count;
  brio_actuator *a = opened();
  brio_device *device = &brio_actuator_devices(a, &count)[0];
  CHECK(count == 2 && strcmp(device->name, "head") == 0 && device->count == 2, "devices");
  CHECK(brio_actuator_fault(a, "unplug head at 0.1 for 1", &err), "%s", err.message);
  run(a, 0.2);
  CHECK(device->stats.failures > 0 && strstr(device->error.message, "unplugged"), "%s",
        device->error.message);
  brio_device_lose(device);
  double gone = device->time, tries[8];
  int n = 0;
  for (double last = device->retry_at; !brio_device_return(device) && device->time < 20;) {
    if (device->retry_at != last && n < 8) tries[n++] = last = device->retry_at;
    brio_device_pass(device, 0.005);
  }
  CHECK(!device->lost && device->stats.losses == 1, "it is back after %g s", device->time - gone);
  CHECK(n >= 2 && tries[1] - tries[0] > 0.4, "later and later: %d tries", n);
  CHECK(brio_device_read(device, &err) && device->states[0].valid, "and reports");
  brio_actuator_close(a);
}

static void mapped_and_coupled(void) {
  brio_error err = {0};
  int count;
  const char *both[] = {"pan", "tilt"};
  const double differential[] = {1, 1, 1, -1};
  brio_mapping mappings[3] = {brio_mapping_identity(), brio_mapping_identity(), brio_mapping_identity()};
  mappings[0].scale = 651.9, mappings[0].offset = 2048, mappings[0].polarity = -1;
  brio_actuator_coupling coupling = {both, 2, differential};
  brio_actuator_options options = {.kind = brio_driver_find("sim", NULL),
                                   .axes = axes,
                                   .count = 3,
                                   .mappings = mappings,
                                   .couplings = &coupling,
                                   .ncoupling = 1};
  brio_actuator *a = brio_actuator_open(&options, &err);
  CHECK(a != NULL, "%s", err.message);
  if (!a) return;
  brio_actuator_set_target(a, 0, 0.7, NULL);
  brio_actuator_set_target(a, 1, -0.4, NULL);
  run(a, 2);
  const brio_device *device = brio_actuator_devices(a, &count);
  CHECK_NEAR(device->targets[0], 2048 - 651.9 * 0.3, 1e-6, "the first motor takes the sum");
  CHECK_NEAR(device->targets[1], 1.1, 1e-9, "the second the difference");
  CHECK_NEAR(brio_actuator_axes(a, &count)[0].measured.position, 0.7, 1e-3, "and back");
  CHECK_NEAR(brio_actuator_axes(a, &count)[1].measured.position, -0.4, 1e-3, "and back");
  brio_actuator_close(a);
  coupling.axes = (const char *[]){"pan", "nobody"};
  CHECK(!brio_actuator_open(&options, &err) && err.code == BRIO_MISUSE, "nobody");
}

/* The second coupling uses the first one's second motor: a tendon that passes two axes on
** its way to a third. */
static void couplings_chain(void) {
  brio_error err = {0};
  int count;
  const char *first[] = {axes[0].name, axes[1].name}, *second[] = {axes[1].name, axes[2].name};
  const double sums[] = {1, 0, 1, 1}, twice[] = {2, 1, 1, -1};
  const brio_actuator_coupling couplings[] = {{first, 2, sums}, {second, 2, twice}};
  brio_actuator_options options = {.kind = brio_driver_find("sim", NULL), .axes = axes, .count = 3,
                                   .couplings = couplings, .ncoupling = 2};
  brio_actuator *a = brio_actuator_open(&options, &err);
  CHECK(a != NULL, "%s", err.message);
  if (!a) return;
  static const double goals[] = {0.2, -0.3, 0.25};
  for (int i = 0; i < 3; i++) brio_actuator_set_target(a, i, goals[i], NULL);
  run(a, 3);
  const brio_device *device = brio_actuator_devices(a, &count);
  CHECK_NEAR(device->targets[0], 0.2, 1e-9, "the first motor");
  CHECK_NEAR(device->targets[1], 2 * (0.2 - 0.3) + 0.25, 1e-9, "the second");
  CHECK_NEAR(device->targets[2], (0.2 - 0.3) - 0.25, 1e-9, "the third");
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(brio_actuator_axes(a, &count)[i].measured.position, goals[i], 1e-3, "and back: axis %d", i);
  brio_actuator_close(a);
  first[1] = first[0];
  CHECK(!brio_actuator_open(&options, &err) && err.code == BRIO_MISUSE, "one axis twice");
  CHECK_HAS(err.message, "twice");
}

CHECK_SUITE(CHECK_TEST(sentences), CHECK_TEST(each_kind), CHECK_TEST(told_values),
            CHECK_TEST(the_same_with_the_same_seed), CHECK_TEST(power_is_lost), CHECK_TEST(spikes_are_rare),
            CHECK_TEST(inputs_are_struck), CHECK_TEST(lost_devices_return), CHECK_TEST(mapped_and_coupled),
            CHECK_TEST(couplings_chain))
