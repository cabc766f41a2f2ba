/* Protocols and the stream that finds packets: packets of others are read and written alike; any splitting of
** bytes gives the same; changed packets are refused; garbage is skipped. */
#include <ctype.h>

#include "base/random.h"
#include "drivers/protocols/wire.h"
#include "tests/check.h"

enum { LONGEST_HEX = 512, LONG_FILE = 1 << 16 };

/* Read hex pairs with spaces.  Return the number of bytes. */
static int from_hex(const char *text, uint8_t *out) {
  int count = 0;
  unsigned byte;
  for (int used; count < LONGEST_HEX && sscanf(text, " %2x%n", &byte, &used) == 1; text += used)
    out[count++] = (uint8_t)byte;
  return count;
}

static const brio_protocol *protocol(const char *name) {
  const brio_protocol *found = brio_protocol_find(name, NULL);
  CHECK(found != NULL, "%s", name);
  return found;
}

/* Feed all bytes and count the packets; the last one is in `out`. */
static int decode(const brio_protocol *p, brio_direction way, const uint8_t *bytes, int count, int piece,
                  brio_packet *out) {
  static brio_wire_stream stream;
  int packets = 0;
  brio_packet one;
  brio_wire_start(&stream, p, way);
  for (int at = 0; at < count; at += piece) {
    brio_wire_feed(&stream, bytes + at, piece < count - at ? piece : count - at);
    while (brio_wire_next(&stream, &one) > 0) {
      packets++;
      if (out) *out = one;
    }
  }
  return packets;
}

/* ---- vectors ---- */

static const struct {
  const char *protocol;
  brio_direction way;
  const char *hex; /* one packet */
  int id, code, error, length, first; /* expected; first: first byte of data, -1: none */
} vectors[] = {
    /* Dynamixel 2.0, from its vendor's manual */
    {"dynamixel2", BRIO_TO_DEVICE, "FF FF FD 00 01 03 00 01 19 4E", 1, 1, -1, 0, -1},
    {"dynamixel2", BRIO_FROM_DEVICE, "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D", 1, 0x55, 0, 3, 6},
    {"dynamixel2", BRIO_TO_DEVICE, "FF FF FD 00 FE 0D 00 92 01 90 00 02 00 02 92 00 01 00 1A 05", 254, 0x92,
     -1, 10, 1},
    {"dynamixel2", BRIO_TO_DEVICE, "FF FF FD 00 FE 10 00 93 01 20 00 02 00 A0 00 02 1F 00 01 00 50 B7 68",
     254, 0x93, -1, 13, 1},
    {"dynamixel2", BRIO_FROM_DEVICE, "FF FF FD 00 01 09 00 55 00 FF FF FD FD 00 D8 9C", 1, 0x55, 0, 4, 0xFF},
    {"dynamixel1", BRIO_TO_DEVICE, "FF FF 01 04 02 2B 01 CC", 1, 2, -1, 2, 0x2B},
    {"dynamixel1", BRIO_FROM_DEVICE, "FF FF 01 03 00 20 DB", 1, 0, -1, 1, 0x20},
    {"sts", BRIO_TO_DEVICE, "FF FF FE 02 05 FA", 254, 5, -1, 0, -1},
    {"lx16a", BRIO_TO_DEVICE, "55 55 01 03 1B E0", 1, 27, -1, 0, -1},
    {"mycobot", BRIO_TO_DEVICE, "FE FE 02 10 FA", -1, 0x10, -1, 0, -1},
    {"maestro", BRIO_TO_DEVICE, "84 00 70 2E", -1, 0x84, -1, 3, 0},
    {"maestro", BRIO_TO_DEVICE, "AA 0C 04 00 70 2E", 12, 0x84, -1, 3, 0},
    {"maestro", BRIO_TO_DEVICE, "FF 00 7F", -1, 0xFF, -1, 2, 0},
    {"maestro", BRIO_FROM_DEVICE, "70", -1, -1, -1, 1, 0x70},
    {"maestro_crc", BRIO_TO_DEVICE, "90 01 24", -1, 0x90, -1, 1, 1},
    {"epos", BRIO_TO_DEVICE, "90 02 60 02 01 B0 30 00 2E 62", -1, 0x60, -1, 4, 1},
    {"epos", BRIO_FROM_DEVICE, "90 02 00 04 00 00 00 00 01 90 90 00 00 9A 5C", -1, 0, -1, 8, 0},
    {"canopen", BRIO_TO_DEVICE, "02 06 00 00 08 00 00 00 40 41 60 00 00 00 00 00", 0x602, -1, -1, 8, 0x40},
    {"line", BRIO_TO_DEVICE, "24 56 2A 35 36 0A", -1, 'V', -1, 0, -1},
    {"json", BRIO_TO_DEVICE, "7B 22 73 22 3A 31 7D 0A", -1, -1, -1, 7, '{'},
};

static void test_vectors(void) {
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    const brio_protocol *p = protocol(vectors[i].protocol);
    uint8_t bytes[LONGEST_HEX], again[BRIO_FRAME_MOST];
    brio_packet packet = {0};
    int count = from_hex(vectors[i].hex, bytes);
    if (!p) return;
    CHECK(p->parse(bytes, count, vectors[i].way, &packet) == count, "%s", vectors[i].hex);
    CHECK(packet.id == vectors[i].id && packet.code == vectors[i].code && packet.error == vectors[i].error,
          "%s: %d %d %d", vectors[i].hex, packet.id, packet.code, packet.error);
    CHECK(packet.length == vectors[i].length, "%s: %d bytes of data", vectors[i].hex, packet.length);
    CHECK(vectors[i].first < 0 || packet.data[0] == vectors[i].first, "%s", vectors[i].hex);
    CHECK(p->write(&packet, again, sizeof again) == count && memcmp(bytes, again, (size_t)count) == 0, "%s",
          vectors[i].hex);
  }
}

/* ---- the shared collections ---- */

/* Whether a piece of text is bytes in hex: at least 4 pairs of upper-case digits with spaces. */
static int hex_run(const char *text, uint8_t *out, const char **end) {
  int count = 0;
  while (isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1]) &&
         !islower((unsigned char)text[0]) && !islower((unsigned char)text[1]) &&
         !isxdigit((unsigned char)text[2]) && count < LONGEST_HEX) {
    unsigned byte = 0;
    sscanf(text, "%2x", &byte);
    out[count++] = (uint8_t)byte;
    text += 2;
    if (*text != ' ') break;
    text++;
  }
  *end = text;
  return count;
}

static const struct {
  const char *file, *protocol, *start; /* packets begin so; empty: only in tables */
  int least;                           /* packets there are at least */
} collections[] = {
    {"dynamixel_protocol2.md", "dynamixel2", "FF FF FD 00", 14},
    {"feetech_sts_scs.md", "sts", "FF FF", 16},
    {"lx16a.md", "lx16a", "55 55", 6},
    {"mycobot280.md", "mycobot", "FE FE", 8},
    {"epos4_cia402.md", "epos", "90 02", 2},
    {"pololu_maestro.md", "maestro", "84", 2},
    {"pololu_maestro.md", "maestro", "AA", 1},
    {"pololu_maestro.md", "maestro", "FF", 1},
    {"pololu_maestro.md", "maestro", "87", 1},
};

/* Read every line's packets; lines marked as wrong must be refused. */
static void read_collection(const brio_protocol *p, const char *text, const char *start, int least) {
  uint8_t mark[8], bytes[LONGEST_HEX], again[BRIO_FRAME_MOST];
  int nmark = from_hex(start, mark), found = 0, refused = 0;
  brio_packet packet;
  for (const char *at = text, *end; *at; at = end > at ? end : at + 1) {
    int count = hex_run(at, bytes, &end);
    if (count < 3 || count < nmark || memcmp(bytes, mark, (size_t)nmark) != 0) continue;
    int got = p->parse(bytes, count, BRIO_EITHER_WAY, &packet);
    if (got != count) {
      refused++;
      continue;
    }
    found++;
    CHECK(p->write(&packet, again, sizeof again) == count && memcmp(bytes, again, (size_t)count) == 0,
          "%s %.40s", p->name, at);
  }
  CHECK(found >= least, "%s: %d packets read, %d refused", p->name, found, refused);
  printf("#   %s: %d packets read and written alike, %d refused\n", p->name, found, refused);
}

static void test_collections(void) {
  const char *shared = check_shared();
  static char text[LONG_FILE];
  if (!shared) SKIP("the shared collections are not here");
  for (size_t i = 0; i < sizeof collections / sizeof *collections; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/data/protocols/%s", shared, collections[i].file);
    FILE *file = fopen(path, "r");
    if (!file) SKIP("the shared collections are not whole");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const brio_protocol *p = protocol(collections[i].protocol);
    if (p) read_collection(p, text, collections[i].start, collections[i].least);
  }
}

/* CAN frames in the texts: "602: 40 41 60 00" and candump's "0.014403 703 [1] 00".  Return the bytes of data;
** -1: none. */
static int can_frame_at(const char *at, int *id, uint8_t data[8]) {
  unsigned number, byte;
  int used = 0, said = -1, count = 0;
  if (sscanf(at, "%3x: %n", &number, &used) < 1 || used == 0)
    if (sscanf(at, "%3x [%d] %n", &number, &said, &used) < 2 || used == 0) return -1;
  for (at += used;
       count < 8 && count != said && isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1]);
       count++) {
    sscanf(at, "%2x", &byte);
    data[count] = (uint8_t)byte;
    at += at[2] == ' ' ? 3 : 2;
  }
  *id = (int)number;
  return count > 0 && (said < 0 || said == count) ? count : -1;
}

/* Each becomes 16 bytes that read as the same frame, and words that name its node. */
static void test_can_collection(void) {
  const char *shared = check_shared();
  const brio_protocol *p = protocol("canopen");
  static char text[LONG_FILE];
  static brio_packet packet;
  brio_text words = {0};
  int found = 0;
  if (!shared || !p) SKIP("the shared collections are not here");
  char path[512];
  snprintf(path, sizeof path, "%s/data/protocols/epos4_cia402.md", shared);
  FILE *file = fopen(path, "r");
  if (!file) SKIP("the shared collections are not whole");
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  for (const char *at = text; *at; at++) {
    uint8_t data[8], bytes[BRIO_FRAME_MOST];
    brio_dialog dialog = {-1, -1, 0, 0};
    int id = 0, count = at > text && !isspace((unsigned char)at[-1]) && at[-1] != '`'
                            ? -1
                            : can_frame_at(at, &id, data);
    if (count < 0) continue;
    packet = (brio_packet){.id = id, .code = -1, .error = -1, .length = count};
    memcpy(packet.data, data, (size_t)count);
    CHECK(p->write(&packet, bytes, sizeof bytes) == 16 && p->parse(bytes, 16, BRIO_EITHER_WAY, &packet) == 16,
          "%.30s", at);
    CHECK(packet.id == id && packet.length == count && memcmp(packet.data, data, (size_t)count) == 0, "%.30s",
          at);
    brio_text_clear(&words);
    p->describe(&packet, BRIO_EITHER_WAY, &dialog, &words);
    CHECK_HAS(words.bytes, "node ");
    found++;
  }
  brio_text_end(&words);
  CHECK(found >= 23, "%d frames", found);
  printf("#   canopen: %d frames written and read alike\n", found);
}

/* ---- properties, for every protocol ---- */

/* Try the tame packets that text and small protocols can write. */
static int write_tame(const brio_protocol *p, brio_random *random, brio_packet *packet, uint8_t *out) {
  packet->length = (int)brio_random_below(random, 9);
  for (int i = 0; i < packet->length; i++) packet->data[i] = (uint8_t)('0' + brio_random_below(random, 10));
  int count = p->write(packet, out, BRIO_FRAME_MOST);
  if (count) return count;
  packet->code = -1;
  packet->id = (int)brio_random_below(random, 0x800);
  if (packet->length <= 8) count = p->write(packet, out, BRIO_FRAME_MOST);
  if (count) return count;
  packet->id = -1;
  packet->length = snprintf((char *)packet->data, 64, "{\"seq\": %d, \"x\": [-1.5e3, null]}",
                            (int)brio_random_below(random, 999));
  return p->write(packet, out, BRIO_FRAME_MOST);
}

/* Make a packet that `p` can write.  Return its bytes. */
static int random_frame(const brio_protocol *p, brio_random *random, brio_packet *packet, uint8_t *out) {
  for (int i = 0; i < 1000; i++) {
    int most = brio_random_below(random, 10) ? 12 : 200;
    packet->id = (int)brio_random_below(random, 253);
    packet->code = (int)brio_random_below(random, 256);
    packet->error = brio_random_below(random, 2) ? -1 : (int)brio_random_below(random, 256);
    if (packet->error >= 0) packet->code = 0x55;
    packet->length = (int)brio_random_below(random, (uint64_t)most);
    for (int k = 0; k < packet->length; k++) /* many of those that headers are made of */
      packet->data[k] = brio_random_below(random, 3) ? (uint8_t)(0xFA + brio_random_below(random, 6))
                                                     : (uint8_t)brio_random_below(random, 256);
    int count = p->write(packet, out, BRIO_FRAME_MOST);
    if (count > 0) return count;
    packet->id = packet->error = -1;
    count = p->write(packet, out, BRIO_FRAME_MOST);
    if (count == 0) count = write_tame(p, random, packet, out);
    if (count > 0) return count;
  }
  return 0;
}

static void test_round_trips(void) {
  for (int i = 0; brio_protocols[i]; i++) {
    const brio_protocol *p = brio_protocols[i];
    brio_random random = brio_random_stream(1, p->name);
    for (int n = 0; n < 2000; n++) {
      static brio_packet sent, got;
      uint8_t bytes[BRIO_FRAME_MOST];
      int count = random_frame(p, &random, &sent, bytes);
      if (count == 0) break; /* packets of this kind are made by its own test */
      CHECK(p->parse(bytes, count, BRIO_TO_DEVICE, &got) == count, "%s packet %d", p->name, n);
      CHECK(got.id == sent.id && got.code == sent.code && got.error == sent.error &&
                got.length == sent.length && memcmp(got.data, sent.data, (size_t)sent.length) == 0,
            "%s packet %d", p->name, n);
      for (int k = 1; k < count; k++)
        CHECK(p->parse(bytes, k, BRIO_TO_DEVICE, &got) == 0, "%s: %d of %d bytes are not enough", p->name, k,
              count);
    }
  }
}

/* The packets found do not depend on how the bytes are split, with garbage between them or not. */
static void test_any_split(void) {
  static uint8_t bytes[8 * BRIO_FRAME_MOST];
  for (int i = 0; brio_protocols[i]; i++) {
    const brio_protocol *p = brio_protocols[i];
    brio_random random = brio_random_stream(2, p->name);
    for (int n = 0; n < 100; n++) {
      static brio_packet packet;
      int count = 0, sent = 0;
      for (int k = 0; k < 5; k++) {
        for (uint64_t g = brio_random_below(&random, 6); g > 0; g--)
          bytes[count++] = (uint8_t)brio_random_bits(&random);
        int one = random_frame(p, &random, &packet, bytes + count);
        count += one;
        sent += one > 0;
      }
      int whole = decode(p, BRIO_TO_DEVICE, bytes, count, count, NULL);
      for (int piece = 1; piece < 40; piece += 1 + piece / 3)
        CHECK(decode(p, BRIO_TO_DEVICE, bytes, count, piece, NULL) == whole, "%s in pieces of %d", p->name,
              piece);
      (void)sent;
    }
  }
}

/* Adjacent packets are all found. */
static void test_back_to_back(void) {
  static uint8_t bytes[8 * BRIO_FRAME_MOST];
  for (int i = 0; brio_protocols[i]; i++) {
    const brio_protocol *p = brio_protocols[i];
    brio_random random = brio_random_stream(3, p->name);
    for (int n = 0; n < 200; n++) {
      static brio_packet packet;
      int count = 0, sent = 0;
      for (int k = 0; k < 6; k++) {
        int one = random_frame(p, &random, &packet, bytes + count);
        count += one;
        sent += one > 0;
      }
      CHECK(decode(p, BRIO_TO_DEVICE, bytes, count, 7, NULL) == sent, "%s", p->name);
    }
  }
}

/* Where there is a CRC-16: every single-byte error and every burst of at most 16 bits is refused. */
static void test_corruption(void) {
  for (int i = 0; brio_protocols[i]; i++) {
    const brio_protocol *p = brio_protocols[i];
    brio_random random = brio_random_stream(4, p->name);
    if (!strstr(p->check, "CRC-16")) continue;
    for (int n = 0; n < (int)(40 * check_scale()); n++) {
      static brio_packet sent, got;
      uint8_t bytes[BRIO_FRAME_MOST];
      int count = random_frame(p, &random, &sent, bytes);
      for (int k = 0; k < count && count < 60; k++)
        for (int flip = 1; flip < 256; flip++) {
          bytes[k] ^= (uint8_t)flip;
          CHECK(p->parse(bytes, count, BRIO_TO_DEVICE, &got) <= 0, "%s: byte %d changed by %02X passes",
                p->name, k, flip);
          bytes[k] ^= (uint8_t)flip;
        }
      for (int k = 0; k < 2000; k++) {
        uint8_t copy[BRIO_FRAME_MOST];
        memcpy(copy, bytes, (size_t)count);
        int at = (int)brio_random_below(&random, (uint64_t)(8 * count - 15));
        unsigned burst = 1u | (unsigned)brio_random_below(&random, 1 << 16);
        for (int b = 0; b < 16; b++)
          if (burst >> b & 1) copy[(at + b) / 8] ^= (uint8_t)(0x80 >> (at + b) % 8);
        CHECK(p->parse(copy, count, BRIO_TO_DEVICE, &got) <= 0, "%s: burst %04X at bit %d passes", p->name,
              burst, at);
      }
    }
  }
}

/* ---- the check code of maxon's serial frames ---- */

/* Flip bits from `at` on in a copy; return whether it passes: as a packet at least as long,
** with other content. */
static bool passes(const brio_protocol *p, const uint8_t *bytes, int count, int at, unsigned bits) {
  static brio_packet in;
  uint8_t copy[64];
  memcpy(copy, bytes, (size_t)count);
  for (int b = 0; b < 16; b++)
    if (bits >> b & 1) copy[(at + b) / 8] ^= (uint8_t)(0x80 >> (at + b) % 8);
  return p->parse(copy, count, BRIO_EITHER_WAY, &in) > 0;
}

/* Every error of one byte, and every burst of up to 16 bits at every position, in a query and an answer as
** printed by maxon: words enter the code with their high byte first, so a burst over two words is two bursts
** to it. */
static void test_epos_check(void) {
  const brio_protocol *p = protocol("epos");
  static const uint8_t frames[2][15] = {
      {0x90, 0x02, 0x60, 0x02, 0x01, 0xB0, 0x30, 0x00, 0x2E, 0x62},
      {0x90, 0x02, 0x00, 0x04, 0, 0, 0, 0, 0x01, 0x90, 0x90, 0, 0, 0x9A, 0x5C}};
  static const int counts[2] = {10, 15};
  if (!p) return;
  unsigned step = check_scale() >= 1 ? 1 : 7;
  long tried = 0, passed = 0, within = 0;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < counts[k]; i++)
      for (unsigned flip = 1; flip < 256; flip++)
        CHECK(!passes(p, frames[k], counts[k], i > 0 ? 8 * i - 8 : 0, i > 0 ? flip << 8 : flip),
              "byte %d of frame %d, %02X", i, k, flip);
    for (int at = 0; at + 16 <= 8 * counts[k]; at++)
      for (unsigned bits = 1; bits < 1u << 16; bits += 2 * step) {
        bool passed_here = passes(p, frames[k], counts[k], at, bits);
        int last = 15;
        while (!(bits >> last & 1)) last--;
        tried++;
        passed += passed_here;
        within += passed_here && k == 0 && at / 16 == (at + last) / 16; /* no byte is doubled there */
      }
  }
  printf("#   %ld of %ld bursts pass: 1 in %.0f; %ld within a word\n", passed, tried,
         passed ? (double)tried / (double)passed : 0, within);
  CHECK(within == 0, "%ld bursts within a word pass", within);
  CHECK((double)passed <= 2.0 * (double)tried / 65536, "%ld of %ld pass", passed, tried);
}

static void test_counts_and_recovery(void) {
  const brio_protocol *p = protocol("dynamixel2");
  static brio_wire_stream stream;
  static brio_packet packet;
  uint8_t ping[LONGEST_HEX], bad[LONGEST_HEX], garbage[] = {1, 2, 3};
  int count = from_hex("FF FF FD 00 01 03 00 01 19 4E", ping),
      nbad = from_hex("FF FF FD 00 01 03 00 01 2D 01", bad);
  brio_wire_start(&stream, p, BRIO_TO_DEVICE);
  brio_wire_feed(&stream, garbage, 3);
  brio_wire_feed(&stream, bad, nbad);
  brio_wire_feed(&stream, ping, count);
  CHECK(brio_wire_next(&stream, &packet) == count, "the packet behind garbage is found");
  CHECK(brio_wire_next(&stream, &packet) == 0, "there is one");
  CHECK(stream.faults[BRIO_WIRE_CHECK] == 1, "%d", (int)stream.faults[BRIO_WIRE_CHECK]);
  CHECK(stream.faults[BRIO_WIRE_GARBAGE] == 1, "%d", (int)stream.faults[BRIO_WIRE_GARBAGE]);
  CHECK(stream.dropped == 13, "%d", (int)stream.dropped);
  /* a packet that claims 2000 bytes and stops hides none behind it for longer than a silence */
  uint8_t claim[] = {0xFF, 0xFF, 0xFD, 0x00, 0x01, 0xD0, 0x07, 0x03};
  brio_wire_feed(&stream, claim, sizeof claim);
  brio_wire_feed(&stream, ping, count);
  CHECK(brio_wire_next(&stream, &packet) == 0, "it waits");
  CHECK(brio_wire_idle(&stream), "something was cut");
  CHECK(brio_wire_next(&stream, &packet) == count, "what it hid is found");
  CHECK(stream.faults[BRIO_WIRE_CUT] == 1 && !brio_wire_idle(&stream), "once");
}

static void test_names(void) {
  brio_error err = {0};
  CHECK(brio_protocol_find("dynamixl", &err) == NULL, "found");
  CHECK_HAS(err.message, "dynamixel");
  for (int i = 0; brio_protocols[i]; i++) {
    const brio_protocol *p = brio_protocols[i];
    CHECK(p->name && p->doc && p->check && p->parse && p->write && p->describe, "%s is whole", p->name);
    CHECK(p->longest > 0 && p->longest <= BRIO_FRAME_MOST, "%s", p->name);
  }
}

CHECK_SUITE(CHECK_TEST(test_vectors), CHECK_TEST(test_collections), CHECK_TEST(test_can_collection),
            CHECK_TEST(test_round_trips), CHECK_TEST(test_any_split), CHECK_TEST(test_back_to_back),
            CHECK_TEST(test_corruption), CHECK_TEST(test_epos_check), CHECK_TEST(test_counts_and_recovery),
            CHECK_TEST(test_names))
