/* Boards that the emulators are not: one with as many inputs as the line protocol has, an arm of a firmware
** that knows no limits, a wheel that turns while it is asked.  Each is a function that answers packets. */
#include "drivers/families/board.h"
#include "tests/check.h"

extern const brio_driver_kind brio_driver_line, brio_driver_lx16a, brio_driver_maestro, brio_driver_mycobot;

enum { JOINTS = 6, INPUTS = 16, SETTINGS = 32 };

/* What the board was told last, and the time since it was switched on. */
typedef struct odd {
  int angles[JOINTS];
  double time;
} odd;

static void *open_odd(const brio_emulator_options *options, brio_error *err) {
  (void)options, (void)err;
  return calloc(1, sizeof(odd));
}

static void step_odd(void *device, double dt, brio_emulator *line) {
  odd *self = device;
  (void)line;
  self->time += dt;
}

static void answer(brio_emulator *line, int id, int code, const void *data, size_t length) {
  brio_packet packet = {.id = id, .code = code, .error = -1, .length = (int)length};
  memcpy(packet.data, data, length);
  brio_emulator_answer(line, &packet, 0.0002, false);
}

/* ---- the devices ---- */

/* Version 2 with 16 inputs, of which number k reads 60 k; everything else is confirmed. */
static void handle_line(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  char text[200] = "", pair[16];
  (void)device, (void)baud;
  bool known = packet->length == 0 && strchr("VRISL", packet->code);
  for (int k = 0; k < INPUTS && packet->code == 'I'; k++) {
    snprintf(pair, sizeof pair, " %d", 60 * k);
    strcat(text, pair);
  }
  for (int k = 0; k < JOINTS && packet->code == 'L'; k++) strcat(text, " 500 2500");
  for (int k = 0; k < JOINTS && packet->code == 'R'; k++) strcat(text, " 1500");
  if (packet->code == 'V') strcpy(text, " brio-servo 2 6 16");
  if (packet->code == 'S') strcpy(text, " 0 0 0");
  answer(line, -1, known ? packet->code : 'K', text, known ? strlen(text) : 0);
}

/* Angles are answered, targets kept; no other question is known. */
static void handle_arm(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  static const uint8_t zeros[2 * JOINTS] = {0};
  odd *self = device;
  (void)baud;
  if (packet->code == 0x20) answer(line, -1, 0x20, zeros, sizeof zeros);
  for (int i = 0; i < JOINTS && packet->code == 0x22; i++)
    self->angles[i] = (int16_t)(packet->data[2 * i] << 8 | packet->data[2 * i + 1]);
}

/* It turns ten times a second; limits are 0 to 1000, and torque is on. */
static void handle_wheel(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  const odd *self = device;
  int place = (int)(10000 * self->time) % 1000;
  const uint8_t position[] = {(uint8_t)place, (uint8_t)(place >> 8)}, limits[] = {0, 0, 0xE8, 3}, on = 1;
  (void)baud;
  if (packet->code == 28) answer(line, packet->id, 28, position, sizeof position);
  if (packet->code == 21) answer(line, packet->id, 21, limits, sizeof limits);
  if (packet->code == 32) answer(line, packet->id, 32, &on, 1);
}

/* ---- a driver on such a board ---- */

typedef struct rig {
  const brio_driver_kind *driver;
  brio_emulator_kind kind;
  brio_emulator *line;
  brio_port *port;
  void *device;
  brio_axis axes[JOINTS];
  brio_axis_state states[JOINTS];
  brio_error err;
} rig;

/* Open axes with limits of -end to end; `last`: the last text of the driver, or NULL. */
static bool rig_start(rig *r, const brio_driver_kind *driver, const brio_board_kind *board,
                      void (*handle)(void *, const brio_packet *, int, brio_emulator *), double end,
                      const char *last) {
  double settings[SETTINGS];
  const char *texts[BRIO_DRIVER_TEXTS] = {0};
  brio_emulator_options options = {.first_id = 1};
  *r = (rig){.driver = driver, .kind = {.name = "odd", .protocol = board->protocol, .baud = 115200,
                                        .servos = JOINTS, .open = open_odd, .handle = handle,
                                        .step = step_odd, .close = free}};
  int ntext = 0;
  for (int i = 0; driver->settings[i].name; i++) settings[i] = driver->settings[i].fallback;
  for (; driver->texts[ntext].name; ntext++) texts[ntext] = driver->texts[ntext].fallback;
  if (last) texts[ntext - 1] = last;
  for (int i = 0; i < JOINTS; i++)
    r->axes[i] = (brio_axis){.name = "a", .lower = -end, .upper = end, .velocity = 3, .acceleration = 30};
  r->line = brio_emulator_open(&r->kind, &options, &r->err);
  r->port = brio_port_emulated(r->line, 115200, &r->err);
  r->device = brio_board_open_port(board, r->port, r->axes, JOINTS, settings, texts, &r->err);
  CHECK(r->device != NULL, "%s", r->err.message);
  return r->device != NULL;
}

static void rig_end(rig *r) {
  if (r->device) r->driver->close(r->device);
  brio_emulator_close(r->line);
}

/* Send the same target to all axes, and read. */
static void cycle(rig *r, double target) {
  double targets[JOINTS], until = brio_port_now(r->port) + 0.02;
  for (int i = 0; i < JOINTS; i++) targets[i] = target;
  r->err = (brio_error){0};
  CHECK(r->driver->write(r->device, targets, &r->err), "%s", r->err.message);
  CHECK(r->driver->read(r->device, r->states, &r->err), "%s", r->err.message);
  r->port->made_up = fmax(r->port->made_up, until);
}

/* The last input of a board reads as well as the others. */
static void test_all_inputs(void) {
  static rig r;
  char lines[INPUTS][8];
  brio_driver_input inputs[INPUTS];
  brio_input_state states[INPUTS];
  if (rig_start(&r, &brio_driver_line, &brio_board_line, handle_line, 1, NULL)) {
    for (int i = 0; i < INPUTS; i++) {
      snprintf(lines[i], sizeof lines[i], "A%d", i);
      inputs[i] = (brio_driver_input){lines[i], lines[i], 1};
    }
    const brio_driver_config config = {.axes = r.axes, .inputs = inputs, .ninput = INPUTS};
    CHECK(r.driver->configure(r.device, &config, &r.err), "%s", r.err.message);
    CHECK(r.driver->sense(r.device, states, &r.err), "%s", r.err.message);
    for (int i = 0; i < INPUTS; i++) CHECK_NEAR(states[i].values[0], 60 * i / 1023.0, 1e-9, "%s", lines[i]);
  }
  rig_end(&r);
}

/* An input that is no number is an error, not the first input. */
static void test_lines_of_inputs(void) {
  static rig r;
  static const char *const wrong[] = {"D3", "a3", "", "A", "A3x", "A 3", "A-0", "A99999999999", "16"};
  if (rig_start(&r, &brio_driver_line, &brio_board_line, handle_line, 1, NULL))
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      const brio_driver_input input = {"button", wrong[i], 1};
      const brio_driver_config config = {.axes = r.axes, .inputs = &input, .ninput = 1};
      r.err = (brio_error){0};
      CHECK(!r.driver->configure(r.device, &config, &r.err), "'%s' was taken", wrong[i]);
      CHECK_HAS(r.err.message, "16 inputs are A0 to A15");
    }
  rig_end(&r);
}

/* A target beyond the numbers of a packet is clamped to what a joint can do. */
static void test_far_targets(void) {
  static rig r;
  if (rig_start(&r, &brio_driver_mycobot, &brio_board_mycobot, handle_arm, 8, NULL)) {
    const odd *arm = brio_emulator_device(r.line);
    cycle(&r, 6.5);
    cycle(&r, 6.5);
    CHECK(arm->angles[0] > 17900 && arm->angles[0] <= 18000, "told %g degrees", arm->angles[0] / 100.0);
    cycle(&r, -6.5);
    cycle(&r, -6.5);
    CHECK(arm->angles[5] < -17900 && arm->angles[5] >= -18000, "told %g degrees", arm->angles[5] / 100.0);
  }
  rig_end(&r);
}

/* A wheel reports its share of full speed, which changes as it is told, wherever the wheel stands. */
static void test_speed_of_a_wheel(void) {
  static rig r;
  if (rig_start(&r, &brio_driver_lx16a, &brio_board_lx16a, handle_wheel, 1, "1-6"))
    for (int k = 0; k < 50; k++) {
      cycle(&r, 0.5);
      CHECK_NEAR(r.states[0].position, 0.5, 1e-9, "as it was told");
      if (k > 20) CHECK_NEAR(r.states[0].velocity, 0, 0.01, "in cycle %d", k);
    }
  rig_end(&r);
}

/* A shortest pulse that is not below the longest is an error, not one pulse for all targets. */
static void test_crossed_pulses(void) {
  static const struct { const brio_driver_kind *driver; const brio_board_kind *board; } families[] = {
      {&brio_driver_line, &brio_board_line}, {&brio_driver_maestro, &brio_board_maestro}};
  for (int k = 0; k < 2; k++) {
    double settings[SETTINGS];
    const char *texts[BRIO_DRIVER_TEXTS] = {0};
    const brio_driver_kind *driver = families[k].driver;
    const brio_axis axis = {.name = "a", .lower = -1, .upper = 1, .velocity = 3, .acceleration = 30};
    brio_emulator_options options = {.first_id = -1};
    brio_error err = {0};
    for (int i = 0; driver->settings[i].name; i++)
      settings[i] = strcmp(driver->settings[i].name, "least") == 0  ? 1900
                    : strcmp(driver->settings[i].name, "most") == 0 ? 1100
                                                                    : driver->settings[i].fallback;
    for (int i = 0; driver->texts[i].name; i++) texts[i] = driver->texts[i].fallback;
    brio_emulator *line = brio_emulator_open(brio_emulator_find(driver->name, NULL), &options, NULL);
    brio_port *port = brio_port_emulated(line, 115200, NULL);
    void *device = brio_board_open_port(families[k].board, port, &axis, 1, settings, texts, &err);
    CHECK(!device && err.code == BRIO_MISUSE, "%s was opened", driver->name);
    CHECK_HAS(err.message, "from 1900 to 1100 us");
    if (device) driver->close(device);
    brio_emulator_close(line);
  }
}

CHECK_SUITE(CHECK_TEST(test_all_inputs), CHECK_TEST(test_lines_of_inputs), CHECK_TEST(test_far_targets),
            CHECK_TEST(test_speed_of_a_wheel), CHECK_TEST(test_crossed_pulses))
