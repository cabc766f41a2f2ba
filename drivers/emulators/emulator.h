/* Emulated devices: state machines that receive the bytes of a host and answer with the bytes, at the
** times, of a real device, over a line with a baud rate, latency and faults.  There is no thread and no
** clock: the caller supplies the time, so that an hour of traffic with faults is a test of a second, and
** repeatable.
**
** To add one: write drivers/emulators/<name>.c and add X(<name>) to emulators.def. */
#ifndef BRIO_DRIVERS_EMULATORS_EMULATOR_H
#define BRIO_DRIVERS_EMULATORS_EMULATOR_H

#include "base/random.h"
#include "drivers/protocols/wire.h"

typedef struct brio_emulator brio_emulator;

enum { BRIO_EMULATOR_SERVOS = 253 /* at most */ };

typedef struct brio_emulator_options {
  int servos;    /* count; 0: the default of the kind */
  int first_id;  /* id of the first; negative: the default of the kind */
  int baud;      /* bits per second; 0: factory setting */
  uint64_t seed; /* of everything random */
} brio_emulator_options;

/* A fault or delay of the line, or of the devices, as a setting. */
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
  int baud;   /* factory setting of the devices */
  int servos; /* default count */
  bool udp;   /* it uses a UDP port */
  const char *commands; /* commands in addition to the line's settings, one per line */
  /* Create the devices; NULL and a sentence on failure. */
  void *(*open)(const brio_emulator_options *options, brio_error *err);
  /* Process a packet that arrived at `baud`; answer with brio_emulator_answer. */
  void (*handle)(void *device, const brio_packet *packet, int baud, brio_emulator *line);
  /* Let `dt` seconds pass. */
  void (*step)(void *device, double dt, brio_emulator *line);
  /* Run a command: return 1: done; 0: not a command of this kind; -1: wrong use, with a sentence. */
  int (*command)(void *device, const char *const *words, int count, brio_text *out, brio_error *err);
  /* Describe the state of the devices, one line each. */
  void (*tell)(const void *device, brio_text *out);
  void (*close)(void *device);
} brio_emulator_kind;

/* All kinds, ended by NULL. */
extern const brio_emulator_kind *const brio_emulator_kinds[];

/* Return the kind of that name or alias, or NULL and an error with the nearest name. */
const brio_emulator_kind *brio_emulator_find(const char *name, brio_error *err);

/* Create an emulator, or return NULL and a sentence (misuse, no_memory). */
brio_emulator *brio_emulator_open(const brio_emulator_kind *kind, const brio_emulator_options *options,
                                  brio_error *err);

/* Create a line for existing devices, which belong to the line from then on, also if this fails
** (no_memory). */
brio_emulator *brio_emulator_around(const brio_emulator_kind *kind, void *device,
                                    const brio_emulator_options *options, brio_error *err);

/* Free the emulator.  NULL is allowed. */
void brio_emulator_close(brio_emulator *line);

/* The host sends `count` bytes from time `now` (s) on, at `baud`. */
void brio_emulator_feed(brio_emulator *line, const uint8_t *bytes, int count, double now, int baud);

/* Read what has arrived at the host by time `now`: at most `room` bytes; return their number. */
int brio_emulator_take(brio_emulator *line, double now, uint8_t *out, int room);

/* Return when the next bytes arrive at the host; INFINITY: none are under way. */
double brio_emulator_due(const brio_emulator *line);

/* For devices: send an answer `delay` seconds after the bytes on the wire.  `over`: at the same time as
** the previous answer, so that both are corrupted. */
void brio_emulator_answer(brio_emulator *line, const brio_packet *packet, double delay, bool over);

/* For devices: the same with given bytes. */
void brio_emulator_answer_bytes(brio_emulator *line, const uint8_t *bytes, int count, double delay,
                                bool over);

/* Run a command: "loss 2%", "unplug", "status", ... `out` receives its output.  Return false and a
** sentence if it fails (misuse). */
bool brio_emulator_command(brio_emulator *line, const char *text, brio_text *out, brio_error *err);

/* Set one of the line's faults. */
void brio_emulator_set(brio_emulator *line, brio_emulator_fault fault, double value);

/* Return whether it is plugged in ("unplug", "plug"); while it is not, nothing arrives either way. */
bool brio_emulator_plugged(const brio_emulator *line);

/* Return whether the line is held ("busy 1"): nothing arrives either way, and writing blocks. */
bool brio_emulator_busy(const brio_emulator *line);

/* Return its kind, its devices, the statistics of its incoming packets, and its clock. */
const brio_emulator_kind *brio_emulator_kind_of(const brio_emulator *line);
void *brio_emulator_device(brio_emulator *line);
const brio_wire_stream *brio_emulator_stream(const brio_emulator *line);
double brio_emulator_now(const brio_emulator *line);

/* The line's stream of random numbers, for devices' noise. */
brio_random *brio_emulator_random(brio_emulator *line);

#endif
