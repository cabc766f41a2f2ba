/* Joint streaming, message by message: a driver gets reports that are late, duplicated, out of order, of
** another session, damaged or not numbers; and a device gets messages of several programs. */
#include "drivers/emulators/joints.h"
#include "drivers/protocols/joint_stream.h"
#include "tests/check.h"

extern const brio_driver_kind brio_driver_json;
extern const brio_protocol brio_protocol_json;

/* ---- a port whose other end is the test ---- */

typedef struct script {
  char in[8192], out[8192]; /* what the driver will read, and has written */
  int nin, nout;
  const char *storm;        /* arrives again and again, with GAP in between; NULL: nothing does */
  int gusts;
} script;

static const double GAP = 0.001; /* s */

static int read_script(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  script *s = port->own;
  (void)err;
  if (s->storm && s->nin == 0 && s->gusts++ < 10000) {
    port->made_up += timeout > 0 ? GAP : 0;
    s->nin = snprintf(s->in, sizeof s->in, "%s", s->storm);
  }
  int count = s->nin < room ? s->nin : room;
  if (count == 0) port->made_up += timeout > 0 ? timeout : 0;
  memcpy(out, s->in, (size_t)count);
  memmove(s->in, s->in + count, (size_t)(s->nin - count));
  s->nin -= count;
  return count;
}

static bool write_script(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  script *s = port->own;
  (void)err;
  memcpy(s->out, bytes, (size_t)count);
  s->out[s->nout = count] = 0;
  return true;
}

static bool set_baud(brio_port *port, int baud, brio_error *err) {
  return (void)port, (void)baud, (void)err, true;
}
static void close_script(brio_port *port) { (void)port; }

typedef struct rig {
  script script;
  brio_port *port;
  void *device;
  brio_axis_state states[2];
  brio_error err;
} rig;

static bool rig_start(rig *r) {
  static const brio_port_kind kind = {
      .read = read_script, .write = write_script, .set_baud = set_baud, .close = close_script};
  const brio_axis axes[] = {{.name = "neck", .lower = -1, .upper = 1, .velocity = 1, .acceleration = 1},
                            {.name = "jaw", .lower = -1, .upper = 1, .velocity = 1, .acceleration = 1}};
  const double settings[] = {0.005, 100, 0.2, 1};
  static const char *const texts[] = {"", ""};
  *r = (rig){0};
  r->port = calloc(1, sizeof *r->port);
  r->port->kind = &kind;
  r->port->fd = -1;
  r->port->baud = 115200;
  r->port->own = &r->script;
  r->port->made_up = 100;
  r->device = brio_json_open_port(r->port, axes, 2, settings, texts, &r->err);
  CHECK(r->device != NULL, "%s", r->err.message);
  return r->device != NULL;
}

static void report(rig *r, const char *text) {
  int length = (int)strlen(text);
  memcpy(r->script.in + r->script.nin, text, (size_t)length);
  r->script.nin += length;
  r->script.in[r->script.nin++] = '\n';
}

/* Send both joints to `place` and read.  Return the number of new reports of the neck. */
static bool cycle(rig *r, double place) {
  const double targets[] = {place, place};
  r->err = (brio_error){0};
  bool told = brio_driver_json.write(r->device, targets, &r->err);
  return brio_driver_json.read(r->device, r->states, &r->err) && told;
}

static void test_order(void) {
  rig r;
  if (!rig_start(&r)) return;
  report(&r, "{\"seq\": 5, \"positions\": {\"neck\": 0.5, \"jaw\": 0.1}}");
  CHECK(cycle(&r, 0) && r.states[0].valid && r.states[0].position == 0.5, "%g", r.states[0].position);
  report(&r, "{\"seq\": 4, \"positions\": {\"neck\": 0.4}}"); /* overtaken */
  report(&r, "{\"seq\": 5, \"positions\": {\"neck\": 0.6}}"); /* doubled */
  CHECK(cycle(&r, 0) && !r.states[0].valid, "old news are none");
  report(&r, "{\"seq\": 7, \"positions\": {\"neck\": 0.7}}");
  report(&r, "{\"seq\": 6, \"positions\": {\"neck\": 0.8}}");
  CHECK(cycle(&r, 0) && r.states[0].position == 0.7 && r.states[0].valid && !r.states[1].valid, "%g",
        r.states[0].position);
  brio_driver_counts counts = {0};
  brio_driver_json.count(r.device, &counts);
  CHECK(counts.strays == 3, "%d", (int)counts.strays);
  brio_driver_json.close(r.device);
}

/* An old report of the device is not a current one. */
static void test_stale(void) {
  rig r;
  if (!rig_start(&r)) return;
  cycle(&r, 0);
  report(&r, "{\"seq\": 1, \"ack\": 1, \"positions\": {\"neck\": 0.1}}");
  CHECK(cycle(&r, 0) && r.states[0].valid, "fresh");
  r.port->made_up += 1;
  report(&r, "{\"seq\": 2, \"ack\": 2, \"positions\": {\"neck\": 0.2}}");
  CHECK(cycle(&r, 0) && !r.states[0].valid, "message 2 is a second old");
  report(&r, "{\"seq\": 3, \"ack\": 999, \"positions\": {\"neck\": 0.3}}");
  CHECK(cycle(&r, 0) && !r.states[0].valid, "there was no message 999");
  report(&r, "{\"seq\": 4, \"ack\": 4, \"positions\": {\"neck\": 0.4}}");
  CHECK(cycle(&r, 0) && r.states[0].valid, "fresh again");
  brio_driver_json.close(r.device);
}

static void test_sessions(void) {
  rig r;
  if (!rig_start(&r)) return;
  report(&r, "{\"session\": 7, \"seq\": 900, \"positions\": {\"neck\": 0.1}}");
  CHECK(cycle(&r, 0) && r.states[0].valid, "one");
  report(&r, "{\"session\": 8, \"seq\": 1, \"positions\": {\"neck\": 0.2}}");
  CHECK(cycle(&r, 0) && r.states[0].valid && r.states[0].position == 0.2,
        "a device that was started anew counts anew");
  report(&r, "{\"session\": 7, \"seq\": 901, \"positions\": {\"neck\": 0.3}}");
  CHECK(cycle(&r, 0) && !r.states[0].valid, "its past is over");
  report(&r, "{\"refused\": \"another session\"}");
  CHECK(!cycle(&r, 0), "somebody else moves it");
  CHECK_HAS(r.err.message, "takes its targets from another program");
  report(&r, "{\"refused\": \"another session\"}");
  CHECK(cycle(&r, 0), "said once");
  brio_driver_json.close(r.device);
}

static void test_numbers(void) {
  static const char *const wrong[] = {"{\"positions\": {\"neck\": NaN}}",
                                      "{\"positions\": {\"neck\": Infinity}}",
                                      "{\"positions\": {\"neck\": 1e999}}",
                                      "{\"positions\": {\"neck\": -1e999}}",
                                      "{\"positions\": {\"neck\": null}}",
                                      "{\"positions\": {\"neck\": \"0.1\"}}",
                                      "{\"positions\": {\"neck\": 101}}",
                                      "{\"positions\": {\"neck\": 0x10}}",
                                      "{\"positions\": {\"neck\": .5}}",
                                      "{\"positions\": {\"necks\": 0.1}}",
                                      "{\"positions\": [0.1]}",
                                      "{\"positions\": 0.1}",
                                      "{\"positions\": {\"neck\": [[0.1]]}}",
                                      "{\"positions\": {\"neck\": 0.1}",
                                      "\"positions\"",
                                      "{\"positions\": {\"neck\": 1}} {}"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    rig r;
    if (!rig_start(&r)) return;
    report(&r, wrong[i]);
    cycle(&r, 0);
    CHECK(!r.states[0].valid && r.states[0].position == 0, "%s: %g", wrong[i], r.states[0].position);
    report(&r, "{\"positions\": {\"jaw\": null, \"neck\": 0.25}, \"more\": {\"a\": [1, {\"b\": true}]}}");
    CHECK(cycle(&r, 0) && r.states[0].valid && r.states[0].position == 0.25, "%s hides nothing", wrong[i]);
    brio_driver_json.close(r.device);
  }
}

static void test_check_code(void) {
  rig r;
  char text[BRIO_PACKET_MOST + 1];
  brio_packet packet;
  const char *const names[] = {"neck"};
  const double places[] = {0.5};
  int passed = 0;
  if (!rig_start(&r)) return;
  brio_joint_stream_make(&packet, 1, names, places, 1);
  for (int i = 0; i < 8 * packet.length; i++) { /* each bit turned once */
    memcpy(text, packet.data, (size_t)packet.length);
    text[packet.length] = 0;
    text[i / 8] ^= (char)(1 << i % 8);
    if (memchr(text, 0, (size_t)packet.length) || strchr(text, '\n')) continue;
    report(&r, text);
    cycle(&r, 0);
    passed += r.states[0].valid && r.states[0].position != 0.5;
  }
  CHECK(passed == 0, "%d damaged reports were believed", passed);
  memcpy(text, packet.data, (size_t)packet.length);
  text[packet.length] = 0;
  brio_driver_json.close(r.device);
  if (!rig_start(&r)) return;
  report(&r, text);
  CHECK(cycle(&r, 0) && r.states[0].position == 0.5, "whole, it is taken");
  report(&r, "{\"seq\": 2, \"positions\": {\"neck\": 0.1}}");
  CHECK(cycle(&r, 0) && !r.states[0].valid, "after one with a code, none without");
  brio_driver_json.close(r.device);
}

/* Torque commands are repeated for a while only; joints are queried until they were reported. */
static void test_telling(void) {
  rig r;
  const bool on[] = {true, false};
  if (!rig_start(&r)) return;
  cycle(&r, 2);
  CHECK_HAS(r.script.out, "\"neck\": 1.000000");
  CHECK_HAS(r.script.out, "\"ask\": [\"neck\", \"jaw\"]");
  CHECK(!strstr(r.script.out, "torque"), "%s", r.script.out);
  brio_driver_json.power(r.device, on, &r.err);
  CHECK_HAS(r.script.out, "\"torque\": {\"neck\": 1, \"jaw\": 0}");
  report(&r, "{\"positions\": {\"neck\": 0, \"jaw\": 0}}");
  cycle(&r, 0);
  cycle(&r, 0);
  CHECK(!strstr(r.script.out, "ask") && strstr(r.script.out, "torque"), "%s", r.script.out);
  r.port->made_up += 1;
  cycle(&r, 0);
  CHECK(!strstr(r.script.out, "torque"), "%s", r.script.out);
  report(&r, "{\"positions\": {\"neck\": 0}, \"torque\": {\"neck\": 0}}");
  CHECK(!cycle(&r, 0), "it was armed, and is limp");
  CHECK_HAS(r.err.message, "joint 'neck' has no torque");
  report(&r,
         "{\"positions\": {\"jaw\": 0}, \"faults\": {\"jaw\": \"stuck\"}, \"temperatures\": {\"jaw\": 41}}");
  CHECK(!cycle(&r, 0), "a fault");
  CHECK_HAS(r.err.message, "joint 'jaw' reports: stuck");
  CHECK(r.states[1].temperature == 41 && r.states[1].knows == BRIO_KNOWS_TEMPERATURE, "%g",
        r.states[1].temperature);
  brio_driver_json.close(r.device);
}

static void test_inputs(void) {
  rig r;
  static const brio_driver_input inputs[] = {{"button", "b1", 1}, {"imu", "imu", BRIO_INPUT_NUMBERS}};
  const brio_driver_config config = {.inputs = inputs, .ninput = 2};
  brio_input_state states[2];
  if (!rig_start(&r)) return;
  CHECK(brio_driver_json.configure(r.device, &config, &r.err), "%s", r.err.message);
  brio_driver_json.sense(r.device, states, &r.err);
  CHECK(isnan(states[0].values[0]), "nothing is known yet");
  report(&r, "{\"positions\": {}, \"inputs\": {\"b1\": true, \"imu\": [1, 2, 3, 4, 5, 6, 0, 0, 0, 1, 77]}}");
  cycle(&r, 0);
  brio_driver_json.sense(r.device, states, &r.err);
  CHECK(states[0].values[0] == 1 && states[1].values[2] == 3 && states[1].values[9] == 1, "%g %g",
        states[0].values[0], states[1].values[9]);
  brio_driver_json.close(r.device);
}

/* A device that serves another program, and one at another baud rate, send all the time: a cycle waits no
** longer for them than for a device that is silent. */
static void test_storms(void) {
  static const char *const storms[] = {"{\"seq\": 1, \"refused\": true}\n", "{\"seq\": 1}\n", "xxxxxxxx"};
  for (size_t i = 0; i < sizeof storms / sizeof *storms; i++) {
    static rig r;
    if (!rig_start(&r)) return;
    r.script.storm = storms[i];
    double begin = r.port->made_up;
    cycle(&r, 0);
    CHECK(r.port->made_up - begin < 0.005 + 2 * GAP, "'%s': %g s", storms[i], r.port->made_up - begin);
    CHECK(r.script.gusts < 200, "'%s': read %d times", storms[i], r.script.gusts);
    brio_driver_json.close(r.device);
  }
}

/* ---- axes that control their torque ---- */

/* Impedances go with the targets of axes that have them; a device that does not report torques is refused. */
static void test_impedances(void) {
  rig r;
  const brio_impedance hard[] = {{50, 2, 0, 10}, {0, 0, 0, NAN}};
  const brio_driver_config config = {.impedances = hard};
  const brio_impedance_command commands[] = {{{40, 1.5, -3, 10}, 2, 0.25}, {hard[1], 0.5, 0}};
  if (!rig_start(&r)) return;
  CHECK(brio_driver_json.configure(r.device, &config, &r.err), "%s", r.err.message);
  CHECK(brio_driver_json.write_impedances(r.device, commands, &r.err), "%s", r.err.message);
  CHECK_HAS(r.script.out, "\"positions\": {\"neck\": 1.000000, \"jaw\": 0.500000}");
  CHECK_HAS(r.script.out, "\"velocities\": {\"neck\": 0.2500}");
  CHECK_HAS(r.script.out, "\"stiffness\": {\"neck\": 40.00000000}, \"damping\": {\"neck\": 1.50000000}");
  CHECK_HAS(r.script.out, "\"torques\": {\"neck\": -3.0000}, \"limits\": {\"neck\": 10.0000}");
  report(&r, "{\"positions\": {\"neck\": 0.1, \"jaw\": 0}, \"torques\": {\"neck\": 2.5}}");
  CHECK(brio_driver_json.read(r.device, r.states, &r.err), "%s", r.err.message);
  CHECK(r.states[0].torque == 2.5 && r.states[0].knows & BRIO_KNOWS_TORQUE, "%g", r.states[0].torque);
  CHECK(!(r.states[1].knows & BRIO_KNOWS_TORQUE), "of a position servo");
  brio_driver_json.close(r.device);
  /* One that ignores them would push with all it has. */
  if (!rig_start(&r)) return;
  brio_driver_json.configure(r.device, &config, &r.err);
  brio_driver_json.write_impedances(r.device, commands, &r.err);
  r.port->made_up += 1;
  report(&r, "{\"positions\": {\"neck\": 0.1, \"jaw\": 0}}");
  CHECK(!brio_driver_json.read(r.device, r.states, &r.err) && r.states[0].failed && !r.states[1].failed,
        "taken");
  CHECK_HAS(r.err.message,
            "joint 'neck' has a `control` in the robot's file, but is reported without `torques`");
  brio_driver_json.close(r.device);
}

/* A message that would be too long is refused before anything moves. */
static void test_impedances_of_many(void) {
  static brio_axis axes[64];
  static char names[64][40];
  static brio_impedance hard[64];
  const double settings[] = {0.005, 100, 0.2, 1};
  static const char *const texts[] = {"udp:127.0.0.1:9", ""};
  brio_error err = {0};
  for (int i = 0; i < 64; i++) {
    snprintf(names[i], sizeof names[i], "a_joint_with_a_long_name_%d", i);
    axes[i] = (brio_axis){.name = names[i], .lower = -1, .upper = 1, .velocity = 1, .acceleration = 1};
    hard[i] = (brio_impedance){50, 2, 0, 10};
  }
  const brio_driver_config config = {.impedances = hard, .axes = axes};
  void *device = brio_driver_json.open(axes, 64, settings, 1, (void *)(uintptr_t)texts, &err);
  CHECK(device, "%s", err.message);
  if (!device) return;
  CHECK(!brio_driver_json.configure(device, &config, &err), "taken");
  CHECK_HAS(err.message, "the names of 64 axes with impedances are too long for a message");
  brio_driver_json.close(device);
}

/* An emulated robot is a spring about its target, within its limit. */
static void say(brio_emulator *line, double now, const char *text, char *answer);
static void test_springs(void) {
  brio_emulator_options options = {.servos = 4, .first_id = 1};
  brio_emulator *line = brio_emulator_open(brio_emulator_find("json", NULL), &options, NULL);
  const brio_joints *joints = brio_emulator_device(line);
  static const char spring[] =
      "{\"session\": 1, \"seq\": %d, \"torque\": 1, \"positions\": {\"a\": 0.5}, "
      "\"stiffness\": {\"a\": 10}, \"damping\": {\"a\": 0.6}, \"limits\": {\"a\": 3}}";
  char answer[512], text[512];
  brio_text out = {0};
  int n = 0;
  for (double now = 1; now < 3; now += 0.02) {
    snprintf(text, sizeof text, spring, ++n);
    say(line, now, text, answer);
  }
  CHECK_NEAR(joints->at[0].shaft.position, 0.5, 1e-3, "its target");
  CHECK_HAS(answer, "\"torques\": {\"a\": ");
  brio_emulator_command(line, "push 1 2", &out, NULL);
  for (double now = 3; now < 5; now += 0.02) {
    snprintf(text, sizeof text, spring, ++n);
    say(line, now, text, answer);
  }
  CHECK_NEAR(joints->at[0].shaft.position, 0.7, 2e-3, "it yields by torque / stiffness");
  CHECK_NEAR(joints->at[0].shaft.effort, -2, 0.02, "effort");
  brio_emulator_command(line, "push 1 5", &out, NULL);
  snprintf(text, sizeof text, spring, ++n);
  say(line, 5.5, text, answer);
  CHECK_NEAR(joints->at[0].shaft.effort, -3, 1e-9, "no more than its limit");
  /* Without a limit it is a position servo again. */
  say(line, 5.6, "{\"session\": 1, \"seq\": 900, \"positions\": {\"a\": 0.5}}", answer);
  CHECK(!joints->at[0].shaft.drives && !strstr(answer, "torques"), "%s", answer);
  brio_text_end(&out);
  brio_emulator_close(line);
}

/* ---- a device that hears several programs ---- */

static void say(brio_emulator *line, double now, const char *text, char *answer) {
  char bytes[512];
  int length = snprintf(bytes, sizeof bytes, "%s\n", text);
  brio_emulator_feed(line, (const uint8_t *)bytes, length, now, 0);
  int got = brio_emulator_take(line, now + 0.02, (uint8_t *)answer, 500);
  answer[got] = 0;
}

static void test_several_programs(void) {
  brio_emulator_options options = {.servos = 4, .first_id = 1};
  brio_emulator *line = brio_emulator_open(brio_emulator_find("json", NULL), &options, NULL);
  const brio_joints *joints = brio_emulator_device(line);
  char answer[512];
  say(line, 1.0, "{\"session\": 1, \"seq\": 5, \"positions\": {\"a\": 0.5}}", answer);
  CHECK_HAS(answer, "\"ack\": 5");
  say(line, 1.1, "{\"session\": 2, \"seq\": 9, \"positions\": {\"a\": -0.5}}", answer);
  CHECK_HAS(answer, "refused");
  CHECK(joints->at[0].shaft.target == 0.5, "the first keeps it");
  say(line, 1.2, "{\"session\": 1, \"seq\": 5, \"positions\": {\"a\": 0.1}}", answer);
  say(line, 1.3, "{\"session\": 1, \"seq\": 3, \"positions\": {\"a\": 0.1}}", answer);
  CHECK(joints->at[0].shaft.target == 0.5 && answer[0] == 0, "doubled and late");
  say(line, 1.4, "{\"seq\": 99, \"positions\": {\"a\": 0.2}}", answer);
  CHECK(joints->at[0].shaft.target == 0.5, "one without a session is another");
  say(line, 3.0, "{\"session\": 2, \"seq\": 10, \"positions\": {\"a\": -0.5}}", answer);
  CHECK(joints->at[0].shaft.target == -0.5, "after a second of silence it is free");
  brio_emulator_close(line);
}

CHECK_SUITE(CHECK_TEST(test_order), CHECK_TEST(test_stale), CHECK_TEST(test_sessions),
            CHECK_TEST(test_numbers), CHECK_TEST(test_check_code), CHECK_TEST(test_telling),
            CHECK_TEST(test_inputs), CHECK_TEST(test_storms), CHECK_TEST(test_impedances),
            CHECK_TEST(test_impedances_of_many), CHECK_TEST(test_springs), CHECK_TEST(test_several_programs))
