/* Broken traffic, for every protocol: packets that were cut, spliced, repeated and changed, and noise.
** The invariants: the stream consumes any bytes in any pieces, each packet that it finds can be printed
** and written again to bytes that read the same, and emulators answer within their bounds.  Run it
** under sanitizers.
**
** With libFuzzer: clang -fsanitize=fuzzer,address -DBRIO_LIBFUZZER.  By itself: a generator of its
** own; arguments: seed, number of inputs for each protocol, a protocol (all). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "drivers/emulators/emulator.h"

enum { LONGEST = 4096, MOST_PROTOCOLS = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static brio_emulator *emulators[MOST_PROTOCOLS]; /* one that speaks each protocol, made once */

static brio_emulator *emulator_of(int which) {
  if (emulators[which]) return emulators[which];
  for (int i = 0; brio_emulator_kinds[i]; i++) {
    brio_emulator_options options = {.servos = 3, .first_id = 1};
    if (brio_emulator_kinds[i]->protocol == brio_protocols[which])
      emulators[which] = brio_emulator_open(brio_emulator_kinds[i], &options, NULL);
  }
  return emulators[which];
}

/* What was read must be written to bytes that read the same. */
static void check_again(const brio_protocol *p, brio_direction way, const brio_packet *packet) {
  static brio_packet again;
  uint8_t bytes[BRIO_FRAME_MOST];
  int count = p->write(packet, bytes, sizeof bytes);
  if (packet->length < 0 || packet->length > BRIO_PACKET_MOST) abort();
  if (count == 0 || p->parse(bytes, count, way, &again) != count) return;
  if (again.id != packet->id || again.code != packet->code || again.length != packet->length) abort();
}

static void use_stream(int which, brio_direction way, const uint8_t *data, int size, int piece) {
  static brio_wire_stream stream;
  static brio_packet packet;
  const brio_protocol *p = brio_protocols[which];
  brio_dialog dialog = {-1, -1, 0, 0};
  brio_text words = {0};
  uint64_t passed = 0;
  brio_wire_start(&stream, p, way);
  for (int at = 0; at < size;) {
    int count = brio_wire_feed(&stream, data + at, piece < size - at ? piece : size - at);
    if (count <= 0) abort(); /* stuck */
    at += count;
    for (int length; (length = brio_wire_next(&stream, &packet)) > 0;) {
      passed += (uint64_t)length;
      if (length > p->longest || !stream.frame) abort();
      brio_text_clear(&words);
      p->describe(&packet, way, &dialog, &words);
      if (words.length == 0) abort();
      check_again(p, way, &packet);
    }
  }
  while (brio_wire_idle(&stream))
    for (int length; (length = brio_wire_next(&stream, &packet)) > 0;) passed += (uint64_t)length;
  if (passed + stream.dropped != (uint64_t)size) abort(); /* bytes vanished */
  brio_text_end(&words);
}

static void use_emulator(int which, const uint8_t *data, int size) {
  uint8_t out[LONGEST];
  brio_emulator *line = emulator_of(which);
  if (!line) return;
  double now = brio_emulator_now(line);
  brio_emulator_feed(line, data, size, now, 0);
  for (int i = 0; i < 64; i++)
    if (brio_emulator_take(line, now + 1, out, sizeof out) == 0) break;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int count = 0;
  while (brio_protocols[count]) count++;
  if (size < 3 || size > LONGEST || count == 0) return 0;
  int which = data[0] % count, piece = data[2] % 64 + 1;
  brio_direction way = (brio_direction)(data[1] % 3);
  use_stream(which, way, data + 3, (int)size - 3, piece);
  use_emulator(which, data + 3, (int)size - 3);
  return 0;
}

#ifndef BRIO_LIBFUZZER
/* Add a packet that the protocol can write, or noise. */
static int add_piece(const brio_protocol *p, brio_random *random, uint8_t *out, int room) {
  static brio_packet packet;
  static const int codes[] = {1, 2, 3, 4, 5, 6, 8, 0x55, 0x82, 0x83, 0x8A, 0x92, 0x93, 0x9A};
  packet.id = brio_random_below(random, 4) ? (int)brio_random_below(random, 5) : 0xFE;
  packet.code = brio_random_below(random, 3) ? codes[brio_random_below(random, sizeof codes / sizeof *codes)]
                                             : (int)brio_random_below(random, 256);
  packet.error = packet.code == 0x55 ? (int)brio_random_below(random, 256) : -1;
  packet.length = (int)brio_random_below(random, 24);
  for (int i = 0; i < packet.length; i++)
    packet.data[i] = (uint8_t)(brio_random_below(random, 2) ? brio_random_below(random, 8)
                                                            : brio_random_bits(random));
  int count = room > 64 ? p->write(&packet, out, room) : 0;
  if (count == 0 && room > 64) {
    packet.id = -1;
    count = p->write(&packet, out, room);
  }
  if (count > 0) return count;
  count = (int)brio_random_below(random, 16);
  if (count > room) count = room;
  for (int i = 0; i < count; i++) out[i] = (uint8_t)brio_random_bits(random);
  return count;
}

/* Change some bytes: turn bits, cut, repeat. */
static int change(brio_random *random, uint8_t *bytes, int count) {
  int at = (int)brio_random_below(random, (uint64_t)count), n = (int)brio_random_below(random, 12);
  switch (brio_random_below(random, 4)) {
    case 0: bytes[at] ^= (uint8_t)(1u << brio_random_below(random, 8)); break;
    case 1: bytes[at] = (uint8_t)brio_random_bits(random); break;
    case 2:
      if (n > count - at) n = count - at;
      memmove(bytes + at, bytes + at + n, (size_t)(count - at - n));
      return count - n;
    default:
      if (count + n > LONGEST - 64 || at + n > count) return count;
      memmove(bytes + at + n, bytes + at, (size_t)(count - at));
      return count + n;
  }
  return count;
}

int main(int argc, char **argv) {
  const char *scale = getenv("BRIO_TEST_SCALE");
  unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  double times = scale ? atof(scale) : 1;
  /* Under make test a sample, under make soak all. */
  long count = argc > 2 ? atol(argv[2]) : (long)(times > 1 ? 100000 * times : 6000 * times);
  static uint8_t input[LONGEST];
  printf("# wire fuzz: seed %llu, %ld inputs for each protocol\n", seed, count);
  fflush(stdout);
  for (int which = 0; brio_protocols[which]; which++) {
    const brio_protocol *p = brio_protocols[which];
    if (argc > 3 && strcmp(argv[3], p->name) != 0) continue;
    brio_random random = brio_random_stream(seed, p->name);
    for (long i = 0; i < count; i++) {
      int length = 3;
      input[0] = (uint8_t)which;
      input[1] = (uint8_t)brio_random_below(&random, 3);
      input[2] = (uint8_t)brio_random_bits(&random);
      for (uint64_t n = 1 + brio_random_below(&random, 4); n > 0; n--)
        length += add_piece(p, &random, input + length, 256);
      for (uint64_t n = brio_random_below(&random, 4); n > 0 && length > 3; n--)
        length = 3 + change(&random, input + 3, length - 3);
      if (length > 3) LLVMFuzzerTestOneInput(input, (size_t)length);
    }
    printf("ok wire fuzz %s: %ld inputs, seed %llu\n", p->name, count, seed);
    fflush(stdout);
  }
  for (int i = 0; i < MOST_PROTOCOLS; i++) brio_emulator_close(emulators[i]);
  return 0;
}
#endif
