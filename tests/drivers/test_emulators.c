/* Exchanges of several lines or segments between drivers and emulators: limits of all channels of a board,
** and interrupted transfers of a drive's object. */
#include "drivers/emulators/joints.h"
#include "drivers/families/board.h"
#include "tests/check.h"
#include "tests/refusals.h"

enum { CHANNELS = 16, SHEET = 200, PIECE = 63 };
enum { READ_FIRST = 0x81, READ_NEXT = 0x62, WRITE_FIRST = 0x69, WRITE_NEXT = 0x6A };

static const double WITHIN = 0.7; /* rad: its pulses have four digits */

extern const brio_driver_kind brio_driver_line;

/* The limits of sixteen channels do not fit in one line. */
static void test_all_limits(void) {
  static char names[CHANNELS][8];
  brio_axis axes[CHANNELS];
  double settings[64];
  const char *texts[BRIO_DRIVER_TEXTS] = {0};
  brio_error err = {0};
  for (int i = 0; i < CHANNELS; i++) {
    snprintf(names[i], sizeof names[i], "c%d", i);
    axes[i] = (brio_axis){
        .name = names[i], .lower = -WITHIN, .upper = WITHIN, .velocity = 3, .acceleration = 30};
  }
  for (int i = 0; brio_driver_line.settings[i].name; i++) settings[i] = brio_driver_line.settings[i].fallback;
  for (int i = 0; brio_driver_line.texts[i].name; i++) texts[i] = brio_driver_line.texts[i].fallback;
  /* The driver against the emulator, and the board's limits afterwards. */
  const brio_emulator_options options = {.servos = CHANNELS, .first_id = -1, .seed = 1};
  brio_emulator *line = brio_emulator_open(brio_emulator_find("line", NULL), &options, &err);
  CHECK(line != NULL, "%s", err.message);
  if (!line) return;
  brio_port *port = brio_port_emulated(line, 115200, &err);
  brio_board *board = brio_board_open_port(&brio_board_line, port, axes, CHANNELS, settings, texts, &err);
  CHECK(board != NULL, "%s", err.message);
  const brio_driver_config config = {.limits = true, .axes = axes};
  if (board) {
    CHECK(brio_driver_line.configure(board, &config, &err), "%s", err.message);
    for (int i = 0; i < CHANNELS; i++)
      CHECK(fabs(board->lower[i] + WITHIN) < 0.002 && fabs(board->upper[i] - WITHIN) < 0.002,
            "channel %d is from %g to %g", i, board->lower[i], board->upper[i]);
    brio_driver_line.close(board);
  }
  brio_emulator_close(line);
}

/* Send a command to an emulated drive.  Return the error code of its answer. */
static uint32_t ask(brio_emulator *line, int code, const uint8_t *data, int count) {
  const brio_protocol *protocol = brio_protocol_find("epos", NULL);
  brio_packet packet = {.id = -1, .code = code, .error = -1, .length = count};
  uint8_t bytes[BRIO_FRAME_MOST];
  memcpy(packet.data, data, (size_t)count);
  int sent = protocol->write(&packet, bytes, sizeof bytes);
  double now = brio_emulator_now(line) + 1;
  brio_emulator_feed(line, bytes, sent, now, 115200);
  int came = brio_emulator_take(line, now + 1, bytes, sizeof bytes);
  bool good = sent > 0 && came > 0 && protocol->parse(bytes, came, BRIO_FROM_DEVICE, &packet) == came;
  CHECK(good && packet.length >= 4, "an answer to %02X", (unsigned)code);
  return good ? packet.data[0] | packet.data[1] << 8 | packet.data[2] << 16 | (uint32_t)packet.data[3] << 24
              : 0;
}

static void expect(uint32_t error, uint32_t expected, const char *what) {
  CHECK(error == expected, "%s: %08X, not %08X", what, (unsigned)error, (unsigned)expected);
}

/* A refused transfer ends the one before it: later segments belong to neither. */
static void test_interrupted_transfers(void) {
  static const uint8_t sheet[4] = {1, 0x21, 0x10, 0}, none[4] = {1, 0x00, 0x30, 0}, next[2] = {0, 0};
  uint8_t begin[8] = {1, 0x21, 0x10, 0, SHEET}, segment[2 + PIECE + 1] = {0};
  brio_error err = {0};
  const brio_emulator_options options = {.servos = 1, .first_id = 1, .baud = 115200};
  brio_emulator *line = brio_emulator_open(brio_emulator_find("epos_serial", NULL), &options, &err);
  CHECK(line != NULL, "%s", err.message);
  if (!line) return;
  /* An object of four segments is written, then read. */
  expect(ask(line, WRITE_FIRST, begin, 8), 0, "a write begins");
  for (int at = 0, toggle = 0; at < SHEET; at += PIECE, toggle ^= 1) {
    int count = SHEET - at < PIECE ? SHEET - at : PIECE;
    segment[0] = (uint8_t)count;
    segment[1] = (uint8_t)(toggle | (at + count == SHEET) << 1);
    expect(ask(line, WRITE_NEXT, segment, 2 + count + count % 2), 0, "a segment is written");
  }
  expect(ask(line, READ_FIRST, sheet, 4), 0, "a read begins");
  expect(ask(line, READ_FIRST, none, 4), 0x06020000, "there is no such object");
  expect(ask(line, READ_NEXT, next, 2), 0x05040001, "nothing is read any more");
  /* A transfer with an invalid length does not leave an earlier write open. */
  expect(ask(line, WRITE_FIRST, begin, 8), 0, "a write begins");
  begin[5] = 0x7F;
  expect(ask(line, WRITE_FIRST, begin, 8), 0x06070012, "too long");
  expect(ask(line, WRITE_NEXT, segment, 14), 0x05040001, "nothing is written any more");
  brio_emulator_close(line);
}

/* Out of memory where emulators are made and hear requests. */
static const brio_emulator_kind *kind;

/* Make one with several devices, let it hear bytes, take what it answers. */
static bool emulate(brio_error *err) {
  brio_emulator_options options = {.first_id = -1, .seed = 1};
  brio_emulator *line = brio_emulator_open(kind, &options, err);
  uint8_t bytes[64];
  for (int i = 0; i < 64; i++) bytes[i] = (uint8_t)(i * 37);
  if (line) {
    brio_emulator_feed(line, bytes, sizeof bytes, 0, kind->baud);
    brio_emulator_take(line, 1, bytes, sizeof bytes);
  }
  brio_emulator_close(line);
  return line;
}

static void test_any_allocation_may_fail(void) {
  for (int i = 0; brio_emulator_kinds[i]; i++) {
    kind = brio_emulator_kinds[i];
    refusals_job job = {kind->name, emulate};
    refusals_of(&job, 1);
  }
}

CHECK_SUITE(CHECK_TEST(test_all_limits), CHECK_TEST(test_interrupted_transfers),
            CHECK_TEST(test_any_allocation_may_fail))
