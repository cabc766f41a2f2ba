/* Devices that are not there: state machines that are fed with the bytes a host sends and answer
** with bytes at the times a device would, over a line with a baud rate, latency and faults.  No
** thread, no clock: whoever runs one says what time it is, so that an hour of traffic with faults
** is a test of a second, and repeats.
**
** To add one: write drivers/emulators/<name>.c and add X(<name>) to emulators.def. */
#ifndef BRIO_DRIVERS_EMULATORS_EMULATOR_H
#define BRIO_DRIVERS_EMULATORS_EMULATOR_H

#include "base/random.h"
#include "drivers/protocols/wire.h"

typedef struct brio_emulator brio_emulator;

enum { BRIO_EMULATOR_SERVOS = 253 /* at most */ };

typedef struct brio_emulator_options {
  int servos;    /* how many; 0: as many as the kind has */
  int first_id;  /* of the first; negative: 1, or as the kind has it */
  int baud;      /* bits per second; 0: as the devices leave the factory */
  uint64_t seed; /* of everything random */
} brio_emulator_options;

/* A fault or delay of the line, or of the devices, that a person may set. */
typedef struct brio_emulator_setting {
  const char *name, *unit, *doc;
  double fallback, lower, upper;
} brio_emulator_setting;

typedef enum brio_emulator_fault {
  BRIO_LINE_LATENCY,
  BRIO_LINE_JITTER,
  BRIO_LINE_LOSS,
  BRIO_LINE_ERRORS,
  BRIO_LINE_BURST,
  BRIO_LINE_LATE,
  BRIO_LINE_TWICE,
  BRIO_LINE_CUT,
  BRIO_LINE_ECHO,
  BRIO_LINE_PACED,
  BRIO_LINE_BUSY,
  BRIO_NLINE
} brio_emulator_fault;

/* The settings of every line, in that order. */
extern const brio_emulator_setting brio_emulator_settings[BRIO_NLINE + 1];

typedef struct brio_emulator_kind {
  const char *name, *doc;
  const char *alias; /* a second name; NULL: none */
  const brio_protocol *protocol;
  int baud;   /* as the devices leave the factory */
  int servos; /* as many as there are unless one says */
  bool udp;   /* it is behind a UDP port */
  const char *commands; /* what may be typed besides the line's settings, a line each */
  /* Make the devices: NULL and a sentence when they cannot be. */
  void *(*open)(const brio_emulator_options *options, brio_error *err);
  /* A packet came at `baud`: answer with brio_emulator_answer. */
  void (*handle)(void *device, const brio_packet *packet, int baud, brio_emulator *line);
  /* Let `dt` seconds pass. */
  void (*step)(void *device, double dt, brio_emulator *line);
  /* Do what a person typed: return 1 done, 0 not a command of this kind, -1 wrong use and a sentence. */
  int (*command)(void *device, const char *const *words, int count, brio_text *out, brio_error *err);
  /* Say how the devices are, a line each. */
  void (*tell)(const void *device, brio_text *out);
  void (*close)(void *device);
} brio_emulator_kind;

/* All kinds, ended by NULL. */
extern const brio_emulator_kind *const brio_emulator_kinds[];

/* Return the kind of that name or alias, or NULL and an error with the nearest name. */
const brio_emulator_kind *brio_emulator_find(const char *name, brio_error *err);

/* Make an emulator, or return NULL and a sentence (misuse, no_memory). */
brio_emulator *brio_emulator_open(const brio_emulator_kind *kind, const brio_emulator_options *options,
                                  brio_error *err);

/* Put a line before devices that were made already, and which are the line's from then on, also when this
** fails (no_memory). */
brio_emulator *brio_emulator_around(const brio_emulator_kind *kind, void *device,
                                    const brio_emulator_options *options, brio_error *err);

/* Give it back (NULL: nothing). */
void brio_emulator_close(brio_emulator *line);

/* The host sends `count` bytes from time `now` (s) on, at `baud`. */
void brio_emulator_feed(brio_emulator *line, const uint8_t *bytes, int count, double now, int baud);

/* Take what has arrived at the host by time `now`: at most `room` bytes; return how many. */
int brio_emulator_take(brio_emulator *line, double now, uint8_t *out, int room);

/* Return when the next bytes arrive at the host; INFINITY: none are under way. */
double brio_emulator_due(const brio_emulator *line);

/* Devices: send an answer `delay` seconds after what is on the wire.  `over`: at the same time as
** the answer before, so that both are spoiled. */
void brio_emulator_answer(brio_emulator *line, const brio_packet *packet, double delay, bool over);

/* Devices: the same with bytes of one's own. */
void brio_emulator_answer_bytes(brio_emulator *line, const uint8_t *bytes, int count, double delay,
                                bool over);

/* Do what a person typed: "loss 2%", "unplug", "status", ...  `out` gets what there is to say.
** Return false and a sentence when it cannot be done (misuse). */
bool brio_emulator_command(brio_emulator *line, const char *text, brio_text *out, brio_error *err);

/* Set one of the line's faults. */
void brio_emulator_set(brio_emulator *line, brio_emulator_fault fault, double value);

/* Whether it is plugged in ("unplug", "plug"); unplugged, nothing arrives either way. */
bool brio_emulator_plugged(const brio_emulator *line);

/* Whether something holds the line ("busy 1"): nothing arrives either way, and hosts' writing blocks. */
bool brio_emulator_busy(const brio_emulator *line);

/* What kind it is, its devices, its protocol's counts of what came in, and its clock. */
const brio_emulator_kind *brio_emulator_kind_of(const brio_emulator *line);
void *brio_emulator_device(brio_emulator *line);
const brio_wire_stream *brio_emulator_stream(const brio_emulator *line);
double brio_emulator_now(const brio_emulator *line);

/* The line's stream of random numbers, for devices' noise. */
brio_random *brio_emulator_random(brio_emulator *line);

#endif
