/* The line between a host and emulated devices: transmission times and line faults.  A byte takes
** ten bits (8N1).  The host's bytes are on the wire one after another; a packet is handled when its
** last byte has arrived.  A reply follows after the device's delay and the line's latency, and is
** handed over with its last byte, as USB adapters do.  Replies queue: the wire carries one at a
** time.  Faults are drawn from a named stream of the seed. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "drivers/emulators/emulator.h"
#include "math/scalar.h"

/* QUEUE, PIECES: capacity in bytes and pieces on the way to the host.  BITS: bits per byte.  WORDS,
** TYPED: words and characters of a command. */
enum { QUEUE = 1 << 15, PIECES = 1024, BITS = 10, WORDS = 8, TYPED = 256 };

static const double SILENCE = 0.02; /* s without a byte after which a packet has ended */

/* Bytes on the way to the host that arrive together. */
typedef struct piece {
  double due;
  int count;
} piece;

/* `pieces` and `bytes` are rings: the first index and the count of each. */
struct brio_emulator {
  const brio_emulator_kind *kind;
  void *device;
  int baud;             /* of the host, when it last sent */
  double now;           /* time of the devices, s */
  double sent, busy;    /* when the host's last byte arrived; when the wire is free */
  double settings[BRIO_NLINE];
  bool unplugged;
  brio_random random;
  brio_wire_stream stream;
  int first_piece, npiece, first_byte, nbyte;
  piece pieces[PIECES];
  uint8_t bytes[QUEUE];
};

/* The kinds: declared, then listed, from emulators.def. */
#define X(name) extern const brio_emulator_kind brio_emulator_##name;
#include "drivers/emulators.def"
#undef X

const brio_emulator_kind *const brio_emulator_kinds[] = {
#define X(name) &brio_emulator_##name,
#include "drivers/emulators.def"
#undef X
    NULL};

/* Line faults: name, unit, meaning, default, range. */
const brio_emulator_setting brio_emulator_settings[BRIO_NLINE + 1] = {
    [BRIO_LINE_LATENCY] = {"latency", "s", "Delay of an answer besides its bytes.", 0, 0, 10},
    [BRIO_LINE_JITTER] = {"jitter", "s", "Random additional delay, up to this.", 0, 0, 10},
    [BRIO_LINE_LOSS] = {"loss", "1", "Share of packets that are lost, either way.", 0, 0, 1},
    [BRIO_LINE_ERRORS] = {"errors", "1", "Share of bytes in which a bit is turned, either way.", 0, 0, 1},
    [BRIO_LINE_BURST] = {"burst", "1", "Share of answers in which up to 16 neighboring bits are turned.", 0,
                         0, 1},
    [BRIO_LINE_LATE] = {"late", "1", "Share of answers that come 50 ms late.", 0, 0, 1},
    [BRIO_LINE_TWICE] = {"twice", "1", "Share of answers that come twice.", 0, 0, 1},
    [BRIO_LINE_CUT] = {"cut", "1", "Share of answers of which only a part comes.", 0, 0, 1},
    [BRIO_LINE_ECHO] = {"echo", "1", "1: the host hears its own bytes, as on a bare half-duplex line.", 0, 0,
                        1},
    [BRIO_LINE_PACED] = {"paced", "1", "1: bytes take the time of the baud rate; 0: none.", 1, 0, 1},
    [BRIO_LINE_BUSY] = {"busy", "1", "1: something holds the line, and nothing gets through.", 0, 0, 1},
    {0}};

/* Both rings are within their sizes, and are empty together. */
static bool is_consistent(const brio_emulator *line) {
  return line->npiece >= 0 && line->npiece <= PIECES && line->nbyte >= 0 && line->nbyte <= QUEUE &&
         line->first_piece >= 0 && line->first_piece < PIECES && line->first_byte >= 0 &&
         line->first_byte < QUEUE && (line->npiece == 0) == (line->nbyte == 0);
}

/* List the kinds for a hint on misspelt names. */
static const char *kind_name_at(const void *kinds, int i) {
  const brio_emulator_kind *const *kind = kinds;
  return kind[i] ? kind[i]->name : NULL;
}

const brio_emulator_kind *brio_emulator_find(const char *name, brio_error *err) {
  for (int i = 0; brio_emulator_kinds[i]; i++) {
    const brio_emulator_kind *kind = brio_emulator_kinds[i];
    if (strcmp(kind->name, name) == 0 || (kind->alias && strcmp(kind->alias, name) == 0)) return kind;
  }
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no emulator '%.64s'%s", name,
            brio_name_hint(name, kind_name_at, brio_emulator_kinds, hint));
  return NULL;
}

/* Ids from first_id on must fit the table of servos. */
static bool check_options(const brio_emulator_options *o, brio_error *err) {
  if (o->servos < 1 || o->servos > BRIO_EMULATOR_SERVOS)
    return brio_fail(err, BRIO_MISUSE, "an emulator has 1 to %d servos, not %d", BRIO_EMULATOR_SERVOS,
                     o->servos);
  if (o->first_id + o->servos > BRIO_EMULATOR_SERVOS)
    return brio_fail(err, BRIO_MISUSE, "%d servos from id %d on need ids beyond %d", o->servos, o->first_id,
                     BRIO_EMULATOR_SERVOS - 1);
  if (o->baud < 1200 || o->baud > 10000000)
    return brio_fail(err, BRIO_MISUSE, "a baud rate is from 1200 to 10000000, not %d", o->baud);
  return true;
}

brio_emulator *brio_emulator_open(const brio_emulator_kind *kind, const brio_emulator_options *options,
                                  brio_error *err) {
  /* 0 (for the first id a negative number) selects the kind's default. */
  brio_emulator_options o = *options;
  if (o.servos == 0) o.servos = kind->servos;
  if (o.baud == 0) o.baud = kind->baud;
  if (o.first_id < 0) o.first_id = 1;
  if (!check_options(&o, err)) return NULL;
  void *device = kind->open(&o, err);
  return device ? brio_emulator_around(kind, device, &o, err) : NULL;
}

/* The line owns the device: it closes it, on failure, too. */
brio_emulator *brio_emulator_around(const brio_emulator_kind *kind, void *device,
                                    const brio_emulator_options *options, brio_error *err) {
  brio_emulator *line = calloc(1, sizeof *line);
  if (!line) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for an emulator");
    kind->close(device);
    return NULL;
  }
  /* Lines start without faults. */
  line->kind = kind;
  line->device = device;
  line->baud = options->baud;
  line->random = brio_random_stream(options->seed, "emulator.line");
  for (int i = 0; i < BRIO_NLINE; i++) line->settings[i] = brio_emulator_settings[i].fallback;
  brio_wire_start(&line->stream, kind->protocol, BRIO_TO_DEVICE);
  return line;
}

/* NULL is allowed. */
void brio_emulator_close(brio_emulator *line) {
  if (!line) return;
  line->kind->close(line->device);
  free(line);
}

/* ---- time and chance ---- */

/* Draw whether a fault occurs.  A fault that is off draws no number, so that others keep their
** sequence. */
static bool happens(brio_emulator *line, brio_emulator_fault fault) {
  double share = line->settings[fault];
  return share > 0 && brio_random_uniform(&line->random, 0, 1) < share;
}

/* Return the time of one byte on the wire, s.  The length of a CAN frame depends on its data (stuff
** bits): the frame's time is divided among its bytes. */
static double byte_time(const brio_emulator *line, const uint8_t *bytes, int count) {
  const brio_protocol *p = line->kind->protocol;
  if (!(line->settings[BRIO_LINE_PACED] > 0)) return 0;
  if (!p->bits) return (double)BITS / line->baud;
  return (double)p->bits(bytes, count < p->longest ? count : p->longest) / p->longest / line->baud;
}

/* Let the devices' time pass until `now`.  Time never goes back. */
static void advance(brio_emulator *line, double now) {
  if (!(now > line->now)) return;
  if (line->kind->step) line->kind->step(line->device, now - line->now, line);
  line->now = now;
}

/* Flip single bits of some bytes, and sometimes a burst of up to 16 adjacent bits. */
static void spoil(brio_emulator *line, uint8_t *bytes, int count) {
  for (int i = 0; i < count; i++)
    if (happens(line, BRIO_LINE_ERRORS)) bytes[i] ^= (uint8_t)(1u << brio_random_below(&line->random, 8));
  if (count < 3 || !happens(line, BRIO_LINE_BURST)) return;
  /* The first bit of a burst is always flipped, the others at random. */
  int at = (int)brio_random_below(&line->random, (uint64_t)(8 * count - 16));
  unsigned burst = 1u | (unsigned)brio_random_below(&line->random, 1 << 15) << 1;
  for (int i = 0; i < 16; i++)
    if (burst >> i & 1) bytes[(at + i) / 8] ^= (uint8_t)(0x80 >> (at + i) % 8);
}

/* Return true if the line checks and repeats frames itself, as CAN does: faults then cost time, not
** data. */
static bool repeats(const brio_emulator *line) { return line->kind->protocol->bits != NULL; }

/* Return true if a copy of the bytes would have been damaged. */
static bool was_spoiled(brio_emulator *line, const uint8_t *bytes, int count) {
  uint8_t copy[BRIO_FRAME_MOST];
  assert(count >= 0 && count <= BRIO_FRAME_MOST);
  memcpy(copy, bytes, (size_t)count);
  spoil(line, copy, count);
  return memcmp(copy, bytes, (size_t)count) != 0;
}

/* ---- to the host ---- */

/* Queue bytes to arrive at `due`, but not before the last piece.  Bytes that do not fit are lost. */
static void push(brio_emulator *line, const uint8_t *bytes, int count, double due) {
  if (count < 1 || line->npiece == PIECES || line->nbyte + count > QUEUE) return;
  /* Replies arrive in order. */
  int last = (line->first_piece + line->npiece - 1 + PIECES) % PIECES;
  if (line->npiece > 0 && line->pieces[last].due > due) due = line->pieces[last].due;
  for (int i = 0; i < count; i++) line->bytes[(line->first_byte + line->nbyte + i) % QUEUE] = bytes[i];
  line->pieces[(line->first_piece + line->npiece) % PIECES] = (piece){due, count};
  line->nbyte += count;
  line->npiece++;
  assert(is_consistent(line));
}

/* Superimpose bytes on the last reply: two devices send at once, and on the wire a 0 wins. */
static void collide(brio_emulator *line, const uint8_t *bytes, int count) {
  if (line->npiece == 0) return;
  /* Only the bytes that both have in common are damaged. */
  int last = line->pieces[(line->first_piece + line->npiece - 1) % PIECES].count;
  int from = line->first_byte + line->nbyte - last;
  for (int i = 0; i < last && i < count; i++) line->bytes[(from + i) % QUEUE] &= bytes[i];
}

/* Send a reply through the line faults.  Nothing passes an unplugged or busy line. */
void brio_emulator_answer_bytes(brio_emulator *line, const uint8_t *bytes, int count, double delay,
                                bool over) {
  uint8_t copy[BRIO_FRAME_MOST];
  if (line->unplugged || brio_emulator_busy(line) || count < 1 || count > BRIO_FRAME_MOST ||
      happens(line, BRIO_LINE_LOSS))
    return;
  memcpy(copy, bytes, (size_t)count);
  /* A reply waits until the wire is free. */
  double start = fmax(line->now + delay, line->busy);
  /* A CAN bus repeats a damaged frame; any other line delivers it. */
  if (repeats(line)) {
    if (was_spoiled(line, bytes, count) || happens(line, BRIO_LINE_CUT))
      start += count * byte_time(line, bytes, count);
  } else {
    spoil(line, copy, count);
    if (happens(line, BRIO_LINE_CUT)) count = (int)brio_random_below(&line->random, (uint64_t)count);
  }
  /* A collision with the last reply takes no time of its own. */
  if (over) {
    collide(line, copy, count);
    return;
  }
  /* Time on the wire, then latency, jitter and lateness. */
  double took = count * byte_time(line, copy, count);
  double end = start + took;
  line->busy = end;
  double due = end + line->settings[BRIO_LINE_LATENCY];
  if (line->settings[BRIO_LINE_JITTER] > 0)
    due += brio_random_uniform(&line->random, 0, line->settings[BRIO_LINE_JITTER]);
  if (happens(line, BRIO_LINE_LATE)) due += 0.05;
  push(line, copy, count, due);
  /* A repeated reply keeps the wire busy for both. */
  if (!happens(line, BRIO_LINE_TWICE)) return;
  line->busy += took;
  push(line, copy, count, due + took);
}

/* As a packet: encode it first. */
void brio_emulator_answer(brio_emulator *line, const brio_packet *packet, double delay, bool over) {
  uint8_t bytes[BRIO_FRAME_MOST];
  int count = line->kind->protocol->write(packet, bytes, sizeof bytes);
  brio_emulator_answer_bytes(line, bytes, count, delay, over);
}

int brio_emulator_take(brio_emulator *line, double now, uint8_t *out, int room) {
  assert(is_consistent(line) && room >= 0);
  int taken = 0;
  advance(line, now);
  /* Take pieces in order; split one that does not fit. */
  while (line->npiece > 0 && taken < room) {
    piece *first = &line->pieces[line->first_piece];
    if (first->due > now) break;
    int count = first->count < room - taken ? first->count : room - taken;
    for (int i = 0; i < count; i++) out[taken + i] = line->bytes[(line->first_byte + i) % QUEUE];
    /* Advance the ring; a piece with bytes left stays at the front. */
    taken += count;
    line->first_byte = (line->first_byte + count) % QUEUE;
    line->nbyte -= count;
    first->count -= count;
    if (first->count > 0) break;
    line->first_piece = (line->first_piece + 1) % PIECES;
    line->npiece--;
  }
  return taken;
}

/* INFINITY: nothing is on its way. */
double brio_emulator_due(const brio_emulator *line) {
  return line->npiece > 0 ? line->pieces[line->first_piece].due : INFINITY;
}

/* ---- from the host ---- */

/* Handle all complete packets, except those that a fault loses. */
static void handle_all(brio_emulator *line) {
  brio_packet packet;
  while (brio_wire_next(&line->stream, &packet) > 0) {
    if (!happens(line, BRIO_LINE_LOSS)) line->kind->handle(line->device, &packet, line->baud, line);
  }
}

void brio_emulator_feed(brio_emulator *line, const uint8_t *bytes, int count, double now, int baud) {
  assert(count >= 0);
  /* Bytes arrive at the host's present rate. */
  if (baud > 0) line->baud = baud;
  if (line->unplugged || brio_emulator_busy(line)) return;
  /* A packet that was not continued in time is dropped; packets hidden in it are handled. */
  if (now > line->sent + SILENCE && !line->kind->protocol->waits) {
    while (brio_wire_idle(&line->stream)) handle_all(line);
  }
  /* Bytes start when the wire is free; with an echo the host hears them itself. */
  double at = fmax(now, line->sent), took = byte_time(line, bytes, count);
  if (line->settings[BRIO_LINE_ECHO] > 0) push(line, bytes, count, at + count * took);
  /* Byte by byte, so that a device replies at the time of its packet's last byte. */
  int longest = line->kind->protocol->longest;
  for (int i = 0; i < count; i++) {
    uint8_t byte = bytes[i];
    if (!repeats(line)) spoil(line, &byte, 1);
    else if (i % longest == 0) {
      /* A damaged CAN frame is repeated, which takes its time again. */
      int part = count - i < longest ? count - i : longest;
      took = byte_time(line, bytes + i, part);
      if (was_spoiled(line, bytes + i, part)) at += part * took;
    }
    at += took;
    /* Feed the byte, let time pass, reply. */
    brio_wire_feed(&line->stream, &byte, 1);
    advance(line, at);
    if (line->busy < at) line->busy = at;
    handle_all(line);
  }
  line->sent = at;
}

/* ---- commands ---- */

/* Clamped to the fault's range; NaN: the default. */
void brio_emulator_set(brio_emulator *line, brio_emulator_fault fault, double value) {
  assert(fault < BRIO_NLINE);
  const brio_emulator_setting *row = &brio_emulator_settings[fault];
  line->settings[fault] = isnan(value) ? row->fallback : brio_clamp(value, row->lower, row->upper);
}

/* Read an amount as people type it: "2%", "5ms", "0.5", "on", "off". */
static bool read_amount(const char *text, double *out) {
  char *end;
  if (strcmp(text, "on") == 0 || strcmp(text, "off") == 0) {
    *out = strcmp(text, "on") == 0;
    return true;
  }
  *out = strtod(text, &end);
  if (end == text || !isfinite(*out)) return false;
  /* A share or seconds. */
  if (strcmp(end, "%") == 0) *out /= 100;
  else if (strcmp(end, "ms") == 0) *out /= 1000;
  else if (strcmp(end, "us") == 0) *out /= 1e6;
  else return *end == 0 || strcmp(end, "s") == 0;
  return true;
}

/* List the settings for a hint on misspelt names. */
static const char *setting_name_at(const void *settings, int i) {
  return ((const brio_emulator_setting *)settings)[i].name;
}

/* Set a line fault by name. */
static bool set_by_name(brio_emulator *line, const char *const *words, int count, brio_text *out,
                        brio_error *err) {
  double value = 0;
  char hint[96];
  int i = 0;
  while (i < BRIO_NLINE && strcmp(brio_emulator_settings[i].name, words[0]) != 0) i++;
  if (i == BRIO_NLINE)
    return brio_fail(err, BRIO_MISUSE, "'%.40s' is nothing this emulator knows%s; type 'help'", words[0],
                     brio_name_hint(words[0], setting_name_at, brio_emulator_settings, hint));
  const brio_emulator_setting *row = &brio_emulator_settings[i];
  if (count != 2 || !read_amount(words[1], &value) || value < row->lower || value > row->upper)
    return brio_fail(err, BRIO_MISUSE, "%s expects an amount from %g to %g, such as '%s %s'", row->name,
                     row->lower, row->upper, row->name, strcmp(row->unit, "s") == 0 ? "5ms" : "2%");
  line->settings[i] = value;
  brio_text_format(out, "%s is %g%s\n", row->name, value, strcmp(row->unit, "s") == 0 ? " s" : "");
  return true;
}

/* The commands of all emulators, the faults, then the kind's own commands. */
static void tell_help(const brio_emulator *line, brio_text *out) {
  brio_text_format(
      out, "status          how the devices are\nunplug          pull the cable\n"
           "plug            put it in again, on another port\nfine            no faults of the line\n");
  for (int i = 0; i < BRIO_NLINE; i++)
    brio_text_format(out, "%-8s AMOUNT %s Now %g.\n", brio_emulator_settings[i].name,
                     brio_emulator_settings[i].doc, line->settings[i]);
  if (line->kind->commands) brio_text_format(out, "%s", line->kind->commands);
}

/* The line, its bad packets by reason, then the devices. */
static void tell_status(const brio_emulator *line, brio_text *out) {
  brio_text_format(out, "%s, %d baud, %llu packets came", line->unplugged ? "unplugged" : "plugged in",
                   line->baud, (unsigned long long)line->stream.packets);
  for (int i = 0; i < BRIO_NWIRE_FAULT; i++)
    if (line->stream.faults[i])
      brio_text_format(out, ", %llu refused (%s)", (unsigned long long)line->stream.faults[i],
                       brio_wire_fault_name((brio_wire_fault)i));
  brio_text_format(out, "\n");
  if (line->kind->tell) line->kind->tell(line->device, out);
}

/* Plug or unplug the cable.  Bytes on their way are lost. */
static void set_plug(brio_emulator *line, bool plugged) {
  line->unplugged = !plugged;
  line->npiece = line->nbyte = 0;
  brio_wire_clear(&line->stream);
}

/* Run a command that all emulators have.  Return false if it is none of them. */
static bool do_common(brio_emulator *line, const char *word, brio_text *out) {
  if (strcmp(word, "help") == 0) tell_help(line, out);
  else if (strcmp(word, "status") == 0) tell_status(line, out);
  else if (strcmp(word, "unplug") == 0) set_plug(line, false);
  else if (strcmp(word, "plug") == 0) set_plug(line, true);
  /* Set all faults to their defaults. */
  else if (strcmp(word, "fine") == 0)
    for (int i = 0; i < BRIO_NLINE; i++) line->settings[i] = brio_emulator_settings[i].fallback;
  else return false;
  return true;
}

bool brio_emulator_command(brio_emulator *line, const char *text, brio_text *out, brio_error *err) {
  char typed[TYPED];
  const char *words[WORDS];
  int count = 0;
  size_t length = strlen(text);
  /* Split a copy: words are cut in place. */
  if (length >= sizeof typed)
    return brio_fail(err, BRIO_MISUSE, "a command has at most %d characters", TYPED - 1);
  memcpy(typed, text, length + 1);
  /* Split at spaces.  Words beyond the eighth are ignored. */
  for (char *at = typed; *at && count < WORDS;) {
    while (isspace((unsigned char)*at)) *at++ = 0;
    if (*at) words[count++] = at;
    while (*at && !isspace((unsigned char)*at)) at++;
  }
  /* A common command, a command of the device, or a line fault. */
  if (count == 0 || do_common(line, words[0], out)) return true;
  int done = line->kind->command ? line->kind->command(line->device, words, count, out, err) : 0;
  return done != 0 ? done > 0 : set_by_name(line, words, count, out, err);
}

/* A line that something else holds lets nothing through. */
bool brio_emulator_busy(const brio_emulator *line) { return line->settings[BRIO_LINE_BUSY] > 0; }

bool brio_emulator_plugged(const brio_emulator *line) { return !line->unplugged; }
const brio_emulator_kind *brio_emulator_kind_of(const brio_emulator *line) { return line->kind; }
void *brio_emulator_device(brio_emulator *line) { return line->device; }
const brio_wire_stream *brio_emulator_stream(const brio_emulator *line) { return &line->stream; }
double brio_emulator_now(const brio_emulator *line) { return line->now; }
brio_random *brio_emulator_random(brio_emulator *line) { return &line->random; }
