/* Traces on file: they read back as written; lines that were cut off or changed are refused or read as
** far as they are intact; many buses write one file; tracing never delays the bus.  And traces that
** replace the device. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "drivers/emulators/replay.h"
#include "drivers/ports/trace.h"
#include "tests/check.h"

enum { PIECES = 2000, BUSES = 4 };

static char path[64];

static void new_file(void) {
  snprintf(path, sizeof path, "/tmp/brio-trace-XXXXXX");
  int file = mkstemp(path);
  CHECK(file >= 0, "wrong");
  close(file);
}

typedef struct speaker {
  char port[32];
  int number;
} speaker;

/* Write pieces of random lengths whose bytes encode their number. */
static void *speak(void *context) {
  const speaker *self = context;
  uint8_t bytes[BRIO_FRAME_MOST];
  brio_random random = brio_random_stream((uint64_t)self->number, "trace");
  brio_trace *trace = brio_trace_open(path, "sts", self->port, 1000000, NULL);
  CHECK(trace != NULL, "wrong");
  for (int i = 0; i < PIECES && trace; i++) {
    int count = 1 + (int)brio_random_below(&random, i % 100 == 0 ? BRIO_FRAME_MOST : 20);
    memset(bytes, i & 0xFF, (size_t)count);
    brio_trace_write(trace, i * 0.001, i % 2 ? BRIO_FROM_DEVICE : BRIO_TO_DEVICE, bytes, count);
    if (i % 50 == 0) nanosleep(&(struct timespec){0, 1000000}, NULL); /* all write meanwhile */
  }
  CHECK(brio_trace_close(trace, NULL), "wrong");
  return NULL;
}

static void test_buses_write_one_file(void) {
  static char line[4 * BRIO_FRAME_MOST + 256];
  static brio_trace_piece piece;
  pthread_t threads[BUSES];
  speaker buses[BUSES];
  int next[BUSES] = {0}, heads = 0, lost = 0;
  new_file();
  for (int i = 0; i < BUSES; i++) {
    buses[i].number = i;
    snprintf(buses[i].port, sizeof buses[i].port, "/dev/ttyUSB%d", i);
    pthread_create(&threads[i], NULL, speak, &buses[i]);
  }
  for (int i = 0; i < BUSES; i++) pthread_join(threads[i], NULL);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    char name[BRIO_TRACE_BUS], protocol[BRIO_TRACE_BUS];
    int baud, got = brio_trace_line(line, &piece);
    if (got == 0) {
      heads += brio_trace_remark(line, name, protocol, &baud) && strcmp(protocol, "sts") == 0 &&
               baud == 1000000;
      lost += strstr(line, "lost") && strstr(line, "here");
    }
    if (got <= 0) continue;
    int which = piece.bus[6] - '0';
    CHECK(strncmp(piece.bus, "ttyUSB", 6) == 0 && which >= 0 && which < BUSES, "%s", piece.bus);
    CHECK(piece.bytes[0] == (next[which] & 0xFF) && piece.bytes[piece.count - 1] == piece.bytes[0],
          "bus %d, piece %d", which, next[which]);
    CHECK(fabs(piece.seconds - next[which] * 0.001) < 1e-9, "wrong");
    next[which]++;
  }
  if (file) fclose(file);
  CHECK(heads == BUSES && lost == 0, "wrong");
  for (int i = 0; i < BUSES; i++) CHECK(next[i] == PIECES, "%d", next[i]);
  unlink(path);
}

/* More than any disk takes: every piece is written or counted as lost. */
static void test_more_than_a_disk_takes(void) {
  uint8_t bytes[BRIO_FRAME_MOST] = {0};
  new_file();
  brio_trace *trace = brio_trace_open(path, "sts", "can:can0", 1000000, NULL);
  CHECK(trace != NULL, "wrong");
  for (int i = 0; i < 100000 && trace; i++) brio_trace_write(trace, i, BRIO_TO_DEVICE, bytes, 200);
  CHECK(brio_trace_close(trace, NULL), "wrong");
  FILE *file = fopen(path, "r");
  char line[1024], last[1024] = "";
  while (file && fgets(line, sizeof line, file)) snprintf(last, sizeof last, "%s", line);
  if (file) fclose(file);
  unsigned long long pieces = 0, lost = 0;
  CHECK(sscanf(last, "# can0 closed: %llu pieces, %llu lost", &pieces, &lost) == 2, "%s", last);
  CHECK(pieces + lost == 100000 && pieces > 0, "%llu + %llu", pieces, lost);
  unlink(path);
  brio_error err = {0};
  CHECK(!brio_trace_open("/nowhere/x", "sts", "a", 1, &err) && err.code == BRIO_IO, "wrong");
  trace = brio_trace_open("/dev/null", "sts", "a b,<c>", 1, NULL);
  CHECK(trace != NULL, "wrong");
  brio_trace_baud(trace, 1, 57600);
  CHECK(brio_trace_close(trace, NULL) && brio_trace_close(NULL, NULL), "wrong");
}

/* Lines cut off at every place and with any byte changed are read or refused, and nothing else. */
static void test_broken_lines(void) {
  static const char whole[] = "93842.000213 ttyUSB0 > FF FF FD 00 01 03 00 01 19 4E";
  brio_random random = brio_random_stream(7, "lines");
  brio_trace_piece piece;
  char line[sizeof whole];
  CHECK(brio_trace_line(whole, &piece) == 1 && piece.count == 10 && strcmp(piece.bus, "ttyUSB0") == 0,
        "wrong");
  CHECK(brio_trace_line("0.5 < 01", &piece) == 1 && piece.bus[0] == 0 && piece.direction == BRIO_FROM_DEVICE,
        "wrong");
  CHECK(brio_trace_line("nan a > 01", &piece) == -1 && brio_trace_line("0.5 a > 0", &piece) == -1 &&
            brio_trace_line("0.5 a >", &piece) == -1,
        "wrong");
  for (size_t n = 0; n < sizeof whole; n++) {
    snprintf(line, n + 1, "%s", whole);
    int got = brio_trace_line(line, &piece);
    CHECK(got != 1 || piece.count <= 10, "wrong");
  }
  for (int i = 0; i < 200000; i++) {
    memcpy(line, whole, sizeof whole);
    line[brio_random_below(&random, sizeof whole - 1)] = (char)(1 + brio_random_below(&random, 255));
    int got = brio_trace_line(line, &piece), baud;
    char bus[BRIO_TRACE_BUS], protocol[BRIO_TRACE_BUS];
    CHECK(got >= -1 && got <= 1 && piece.count <= BRIO_FRAME_MOST, "wrong");
    brio_trace_remark(line, bus, protocol, &baud);
  }
}

/* Any recording plays for any query: it gives only recorded answers. */
static void test_replays_of_anything(void) {
  brio_random random = brio_random_stream(9, "replay");
  for (int round = 0; round < 300; round++) {
    const brio_protocol *protocol = brio_protocol_find(
        (const char *[]){"sts", "dynamixel2", "line", "canopen"}[round % 4], NULL);
    brio_replay *replay = brio_replay_new(protocol, NULL);
    uint8_t bytes[64];
    for (int i = 0; i < 60; i++) {
      brio_packet packet = {.id = (int)brio_random_below(&random, 3), .code = 1, .error = -1};
      if (protocol->datagrams) packet.code = -1, packet.id += 0x600;
      if (strcmp(protocol->name, "line") == 0) packet.id = -1, packet.code = 'R';
      int count = i % 3 ? (int)brio_random_below(&random, sizeof bytes)
                        : protocol->write(&packet, bytes, sizeof bytes);
      if (i % 3) for (int k = 0; k < count; k++) bytes[k] = (uint8_t)brio_random_below(&random, 256);
      CHECK(
          brio_replay_add(replay, i * 0.01, i % 3 ? BRIO_FROM_DEVICE : BRIO_TO_DEVICE, bytes, count, i, NULL),
          "wrong");
    }
    brio_emulator *line = brio_replay_emulator(replay, 115200, NULL);
    CHECK(line != NULL, "%s", protocol->name);
    for (int i = 0; i < 60 && line; i++) {
      int count = (int)brio_random_below(&random, sizeof bytes);
      for (int k = 0; k < count; k++) bytes[k] = (uint8_t)brio_random_below(&random, 256);
      brio_emulator_feed(line, bytes, count, i, 115200);
      while (brio_emulator_take(line, i + 1, bytes, sizeof bytes) > 0) continue;
    }
    brio_replay_report report;
    CHECK(line && brio_replay_look(line, &report) && report.asked + report.left_out <= report.recorded,
          "wrong");
    brio_emulator_close(line);
  }
  brio_error err = {0};
  CHECK(!brio_replay_emulator(brio_replay_new(brio_protocol_find("sts", NULL), NULL), 9600, &err) &&
            err.code == BRIO_FORMAT,
        "wrong");
}

CHECK_SUITE(CHECK_TEST(test_buses_write_one_file), CHECK_TEST(test_more_than_a_disk_takes),
            CHECK_TEST(test_broken_lines), CHECK_TEST(test_replays_of_anything))
