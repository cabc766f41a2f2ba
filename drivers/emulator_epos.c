/* maxon EPOS4 drives on a CAN bus, emulated: the state machine of CiA 402, cyclic and profile position,
** service data (expedited), the first process data each way, network management, heartbeat and
** emergencies.
**
** Process data are as brio's driver maps them: received 1 is control word and target position, sent 1 is
** status word and position, after each SYNC.  Settings of the mapping are kept and not followed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cia402.h"
#include "drivers/emulator.h"
#include "drivers/shaft.h"

enum { MOST = 32, KEPT = 48, NMT_STOPPED = 4, NMT_OPERATIONAL = 5, NMT_PRE = 0x7F, PROFILE = 1, CYCLIC = 8 };

static const double COUNTS = 4096 / 6.283185307179586; /* for a rad */

extern const brio_protocol brio_protocol_canopen;

/* An object that was written and does nothing else. */
typedef struct kept_object {
  int index, sub;
  int32_t value;
} kept_object;

typedef struct drive {
  int node, nmt, mode, heartbeat; /* heartbeat: ms, 0: none */
  uint16_t control, status;
  brio_cia402_state state;
  double silence;                 /* s since the last heartbeat */
  int error;                      /* emergency code, 0: none */
  bool refuses;                   /* cannot be enabled */
  bool warns;                     /* an emergency is to be sent */
  int32_t target;
  brio_shaft shaft;
  int nkept;
  kept_object kept[KEPT];
} drive;

typedef struct drives {
  int count;
  bool off; /* the bus is off */
  drive all[MOST];
} drives;

static void *open_drives(const brio_emulator_options *options, brio_error *err) {
  if (options->servos > MOST) {
    brio_fail(err, BRIO_MISUSE, "a bus has at most %d drives here, not %d", MOST, options->servos);
    return NULL;
  }
  drives *self = calloc(1, sizeof *self);
  if (!self) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d drives", options->servos);
    return NULL;
  }
  self->count = options->servos;
  for (int i = 0; i < self->count; i++)
    self->all[i] = (drive){.node = options->first_id + i, .nmt = NMT_PRE, .mode = PROFILE, .state = BRIO_CIA402_DISABLED,
                           .shaft = {.speed = 20, .constant = 0.005}};
  return self;
}

static void close_drives(void *device) { free(device); }

/* ---- frames ---- */

static void send(brio_emulator *line, int id, const uint8_t *data, int length) {
  brio_packet out = {.id = id, .code = -1, .error = -1, .length = length};
  memcpy(out.data, data, (size_t)length);
  brio_emulator_answer(line, &out, 0, false);
}

static int32_t number(const uint8_t *bytes, int size) {
  uint32_t raw = 0;
  for (int i = 0; i < size; i++) raw |= (uint32_t)bytes[i] << (8 * i);
  return (int32_t)raw;
}

static void put(uint8_t *out, int32_t value, int size) {
  for (int i = 0; i < size; i++) out[i] = (uint8_t)((uint32_t)value >> (8 * i));
}

static void send_state(const drive *d, brio_emulator *line) {
  send(line, 0x700 + d->node, (const uint8_t[]){(uint8_t)d->nmt}, 1);
}

static void send_emergency(const drive *d, brio_emulator *line) {
  uint8_t data[8] = {(uint8_t)d->error, (uint8_t)(d->error >> 8), d->error ? 1 : 0};
  send(line, 0x080 + d->node, data, 8);
}

/* ---- the drive ---- */

static uint16_t status_of(const drive *d) {
  static const uint16_t words[] = {[BRIO_CIA402_NOT_READY] = 0x00,   [BRIO_CIA402_DISABLED] = 0x40,
                                   [BRIO_CIA402_READY] = 0x21,       [BRIO_CIA402_SWITCHED_ON] = 0x23,
                                   [BRIO_CIA402_ENABLED] = 0x37,     [BRIO_CIA402_QUICK_STOP] = 0x17,
                                   [BRIO_CIA402_FAULT_REACTION] = 0x0F, [BRIO_CIA402_FAULT] = 0x08};
  bool there = fabs(d->shaft.target - d->shaft.position) < 1 / COUNTS;
  return (uint16_t)(words[d->state] | 0x0200 | (there ? 0x0400 : 0) | (d->control & 0x10 ? 0x1000 : 0));
}

/* What a control word makes of a state (CiA 402's transitions 2 to 16). */
static brio_cia402_state next_state(const drive *d, uint16_t control) {
  bool reset = (control & 0x80) && !(d->control & 0x80);
  if (d->state == BRIO_CIA402_FAULT) return reset && !d->error ? BRIO_CIA402_DISABLED : BRIO_CIA402_FAULT;
  if (!(control & 0x02)) return BRIO_CIA402_DISABLED;
  if (!(control & 0x04)) return d->state == BRIO_CIA402_ENABLED ? BRIO_CIA402_QUICK_STOP : BRIO_CIA402_DISABLED;
  if (!(control & 0x01)) return BRIO_CIA402_READY;
  if (d->state == BRIO_CIA402_DISABLED) return BRIO_CIA402_DISABLED;
  if (d->state == BRIO_CIA402_READY) return BRIO_CIA402_SWITCHED_ON;
  if (!(control & 0x08)) return BRIO_CIA402_SWITCHED_ON;
  return d->refuses ? BRIO_CIA402_SWITCHED_ON : BRIO_CIA402_ENABLED;
}

static void take_control(drive *d, uint16_t control) {
  bool rising = (control & 0x10) && !(d->control & 0x10);
  if (d->state == BRIO_CIA402_FAULT && (control & 0x80) && !(d->control & 0x80)) d->error = 0;
  brio_cia402_state before = d->state;
  d->state = next_state(d, control);
  d->control = control;
  d->shaft.torque = d->state == BRIO_CIA402_ENABLED;
  if (before != d->state && d->shaft.torque) d->shaft.target = d->shaft.position;
  if (d->mode == PROFILE && rising && d->shaft.torque)
    d->shaft.target = d->target / COUNTS + (control & 0x40 ? d->shaft.position : 0);
}

static void take_target(drive *d, int32_t target) {
  d->target = target;
  if (d->mode == CYCLIC && d->shaft.torque) d->shaft.target = target / COUNTS;
}

static void fail(drive *d, int error) {
  d->error = error;
  d->state = BRIO_CIA402_FAULT;
  d->shaft.torque = false;
  d->warns = true;
}

/* ---- service data ---- */

static kept_object *find_kept(drive *d, int index, int sub, bool add) {
  for (int i = 0; i < d->nkept; i++)
    if (d->kept[i].index == index && d->kept[i].sub == sub) return &d->kept[i];
  if (!add || d->nkept == KEPT) return NULL;
  d->kept[d->nkept] = (kept_object){index, sub, 0};
  return &d->kept[d->nkept++];
}

/* Read an object.  Return its bytes; 0: there is none. */
static int read_object(drive *d, int index, int sub, int32_t *value) {
  const kept_object *kept = find_kept(d, index, sub, false);
  int32_t place = (int32_t)lround(d->shaft.position * COUNTS);
  switch (index) {
    case 0x1000: *value = 0x00020192; return 4;
    case 0x1001: *value = d->error ? 1 : 0; return 1;
    case 0x1017: *value = d->heartbeat; return 2;
    case 0x603F: *value = d->error; return 2;
    case 0x6040: *value = d->control; return 2;
    case 0x6041: *value = status_of(d); return 2;
    case 0x6060: case 0x6061: *value = d->mode; return 1;
    case 0x6064: *value = place; return 4;
    case 0x606C: *value = (int32_t)lround(d->shaft.velocity * COUNTS); return 4;
    case 0x607A: *value = d->target; return 4;
    default: break;
  }
  if (!kept) return 0;
  *value = kept->value;
  return 4;
}

/* Write an object.  Return 0, or an abort code. */
static uint32_t write_object(drive *d, int index, int sub, int32_t value) {
  if (index == 0x6041 || index == 0x6064 || index == 0x606C || index == 0x6061) return 0x06010002;
  if (index == 0x6040) take_control(d, (uint16_t)value);
  else if (index == 0x607A) take_target(d, value);
  else if (index == 0x1017) d->heartbeat = value & 0xFFFF;
  else if (index == 0x6060) {
    int mode = value & 0xFF;
    if (mode != PROFILE && mode != CYCLIC) return 0x06090030;
    d->mode = mode;
  } else if (index < 0x1400 || (index > 0x1BFF && !brio_cia402_object(index))) return 0x06020000;
  else {
    kept_object *kept = find_kept(d, index, sub, true);
    if (!kept) return 0x08000020;
    kept->value = value;
  }
  return 0;
}

static void serve_object(drive *d, const brio_packet *p, brio_emulator *line) {
  uint8_t out[8] = {0};
  int32_t value = 0;
  int index = number(p->data + 1, 2), sub = p->data[3], command = p->data[0] >> 5;
  uint32_t abort_code = command == 1 || command == 2 ? 0 : 0x05040001;
  if (p->length != 8) return;
  memcpy(out + 1, p->data + 1, 3);
  if (command == 1) {
    int size = p->data[0] & 1 ? 4 - (p->data[0] >> 2 & 3) : 4;
    abort_code = write_object(d, index, sub, number(p->data + 4, size));
    out[0] = 0x60;
  } else if (command == 2) {
    int size = read_object(d, index, sub, &value);
    if (size == 0) abort_code = brio_cia402_object(index) ? 0x06090011 : 0x06020000;
    out[0] = (uint8_t)(0x43 | (4 - size) << 2);
    put(out + 4, value, 4);
  }
  if (abort_code) {
    out[0] = 0x80;
    put(out + 4, (int32_t)abort_code, 4);
  }
  send(line, 0x580 + d->node, out, 8);
}

/* ---- the bus ---- */

static void manage(drives *self, int command, int node, brio_emulator *line) {
  for (int i = 0; i < self->count; i++) {
    drive *d = &self->all[i];
    if (node != 0 && node != d->node) continue;
    if (command == 1) d->nmt = NMT_OPERATIONAL;
    else if (command == 2) d->nmt = NMT_STOPPED;
    else if (command == 0x80) d->nmt = NMT_PRE;
    else if (command == 0x81 || command == 0x82) {
      d->nmt = 0;
      send_state(d, line);
      d->nmt = NMT_PRE;
      if (command == 0x81) d->state = BRIO_CIA402_DISABLED;
      d->shaft.torque = d->state == BRIO_CIA402_ENABLED;
    }
  }
}

static void send_places(drives *self, brio_emulator *line) {
  for (int i = 0; i < self->count; i++) {
    const drive *d = &self->all[i];
    uint8_t out[6];
    if (d->nmt != NMT_OPERATIONAL) continue;
    put(out, status_of(d), 2);
    put(out + 2, (int32_t)lround(d->shaft.position * COUNTS), 4);
    send(line, 0x180 + d->node, out, 6);
  }
}

static void handle(void *device, const brio_packet *p, int baud, brio_emulator *line) {
  drives *self = device;
  (void)baud;
  if (self->off || p->error > 0) return;
  if (p->id == 0 && p->length == 2) manage(self, p->data[0], p->data[1], line);
  if (p->id == 0x80) send_places(self, line);
  for (int i = 0; i < self->count; i++) {
    drive *d = &self->all[i];
    if (p->id == 0x600 + d->node && d->nmt != NMT_STOPPED) serve_object(d, p, line);
    if (p->id != 0x200 + d->node || d->nmt != NMT_OPERATIONAL || p->length < 2) continue;
    take_control(d, (uint16_t)number(p->data, 2));
    if (p->length >= 6) take_target(d, number(p->data + 2, 4));
  }
}

static void step(void *device, double dt, brio_emulator *line) {
  drives *self = device;
  for (int i = 0; i < self->count; i++) {
    drive *d = &self->all[i];
    brio_shaft_step(&d->shaft, dt);
    d->silence += dt;
    if (d->warns && !self->off) send_emergency(d, line);
    d->warns = d->warns && self->off;
    if (d->heartbeat == 0 || self->off || d->silence < d->heartbeat / 1000.0) continue;
    d->silence = 0;
    send_state(d, line);
  }
}

static int command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  drives *self = device;
  bool fault = strcmp(words[0], "fault") == 0, refuse = strcmp(words[0], "refuse") == 0;
  if (strcmp(words[0], "busoff") == 0) {
    self->off = !self->off;
    brio_text_format(out, "the bus is %s\n", self->off ? "off" : "on");
    return 1;
  }
  if (!fault && !refuse && strcmp(words[0], "block") != 0) return 0;
  int node = count > 1 ? atoi(words[1]) : -1, i = 0;
  while (i < self->count && self->all[i].node != node) i++;
  if (i == self->count) {
    brio_fail(err, BRIO_MISUSE, "%s expects the number of a node: %d is none", words[0], node);
    return -1;
  }
  if (fault) fail(&self->all[i], count > 2 ? (int)strtol(words[2], NULL, 0) : 0x8611);
  else if (refuse) self->all[i].refuses = !self->all[i].refuses;
  else self->all[i].shaft.blocked = !self->all[i].shaft.blocked;
  brio_text_format(out, "node %d: %s\n", node, words[0]);
  return 1;
}

static void tell(const void *device, brio_text *out) {
  const drives *self = device;
  for (int i = 0; i < self->count; i++)
    brio_text_format(out, "node %d: at %.1f degrees, %s\n", self->all[i].node,
                     self->all[i].shaft.position * 57.29577951308232, brio_cia402_state_words(self->all[i].state));
}

const brio_emulator_kind brio_emulator_epos = {
    .name = "epos",
    .alias = "cia402",
    .doc = "maxon EPOS4 drives, CiA 402 on a CAN bus.",
    .protocol = &brio_protocol_canopen,
    .baud = 1000000,
    .servos = 6,
    .commands = "fault NODE [CODE] it has an error (0x8611) until it is reset\n"
                "refuse NODE     it cannot be enabled (again: it can)\n"
                "block NODE      hold its shaft (again: let go)\n"
                "busoff          nothing passes on the bus (again: it does)\n",
    .open = open_drives,
    .handle = handle,
    .step = step,
    .command = command,
    .tell = tell,
    .close = close_drives,
};
