/* maxon EPOS4 drives on a CAN bus, emulated: SDO (expedited and segmented), four PDOs each way as
** mapped, SYNC, network management, heartbeats both ways, emergencies, and bus-off.  The drives
** themselves are in cia402/drive.c. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cia402/canopen.h"
#include "drivers/cia402/drive.h"

/* Data bytes of a segment; highest synchronous PDO type; unused COB-ID; error frames as SocketCAN
** has them. */
enum {
  SEGMENT = 7,
  SYNCED = 240,
  UNUSED = (int)0x80000000u,
  ERROR_FRAME = 1,
  BUS_OFF = 0x40,
  RESTARTED = 0x100
};

/* A segmented transfer in progress. */
typedef struct transfer {
  bool up, down;
  int index, sub, toggle, at, length;
  uint8_t bytes[BRIO_DRIVE_SHEET];
} transfer;

/* A transfer goes one way, and is within its bytes; the toggle is bit 4. */
static bool is_consistent(const transfer *t) {
  return !(t->up && t->down) && (t->toggle & ~0x10) == 0 && t->at >= 0 &&
         (!t->up || (t->at < t->length && t->length <= BRIO_DRIVE_SHEET)) &&
         (!t->down || t->at <= BRIO_DRIVE_SHEET);
}

typedef struct bus {
  brio_drives drives; /* first: the functions of cia402/drives.c see only them */
  bool told_off;
  transfer transfers[BRIO_DRIVES];
  uint16_t status[BRIO_DRIVES]; /* as last sent, where it is sent on change */
} bus;

extern const brio_protocol brio_protocol_canopen;

/* Copy the drives into a bus: a bus is a longer record that starts with them. */
static void *open_bus(const brio_emulator_options *options, brio_error *err) {
  brio_drives *drives = brio_drives_open(options, err);
  bus *self = drives ? calloc(1, sizeof *self) : NULL;
  if (drives && !self) brio_fail(err, BRIO_NO_MEMORY, "no memory for a bus");
  if (self) self->drives = *drives;
  brio_drives_close(drives);
  return self;
}

/* ---- frames ---- */

/* A data frame without delay: drives reply within the frame time. */
static void send(brio_emulator *line, int id, const uint8_t *data, int length) {
  brio_packet out = {.id = id, .code = -1, .error = -1, .length = length};
  memcpy(out.data, data, (size_t)length);
  brio_emulator_answer(line, &out, 0, false);
}

/* Send what a drive and its twins send, each by itself. */
static void send_all(const brio_drive *d, brio_emulator *line, int id, const uint8_t *data, int length) {
  for (int i = 0; i <= d->twins; i++) send(line, id, data, length);
}

/* An error frame, as the host's controller reports it. */
static void send_error(brio_emulator *line, int what) {
  brio_packet out = {.id = what, .code = -1, .error = ERROR_FRAME, .length = 8};
  brio_emulator_answer(line, &out, 0, false);
}

/* Heartbeat, 700 + node: the state, or 0 at boot. */
static void send_state(brio_drive *d, brio_emulator *line) {
  d->silence = 0;
  send_all(d, line, 0x700 + d->node, (const uint8_t[]){(uint8_t)(d->boots ? 0 : d->nmt)}, 1);
  d->boots = false;
}

/* EMCY, 080 + node: error code, then the error register: bit 0 generic, bit 4 communication. */
static void send_emergency(brio_drive *d, brio_emulator *line) {
  uint8_t data[8] = {(uint8_t)d->warning, (uint8_t)(d->warning >> 8),
                     (uint8_t)(d->warning == 0 ? 0 : d->warning >> 8 == 0x81 ? 0x11 : 1)};
  send_all(d, line, 0x080 + d->node, data, 8);
  d->warning = -1;
}

/* ---- service data ---- */

/* Download request: an expedited one holds the data; otherwise note the size and await segments.
** Return an abort code or 0, as the next three do. */
static uint32_t begin_write(brio_drive *d, transfer *t, const brio_packet *p) {
  int command = p->data[0], size = command & 1 ? 4 - (command >> 2 & 3) : 4;
  if (command & 2) return brio_drive_write(d, t->index, t->sub, p->data + 4, size);
  t->length = command & 1 ? brio_cia402_number(p->data + 4, 4) : 0;
  /* Too long for the buffer. */
  if (t->length > BRIO_DRIVE_SHEET || t->length < 0) return 0x06070012;
  t->down = true;
  t->at = t->toggle = 0;
  return 0;
}

/* Upload request: up to 4 bytes in the reply; otherwise the size, then segments. */
static uint32_t begin_read(brio_drive *d, transfer *t, uint8_t out[8]) {
  uint32_t refused = 0;
  int length = brio_drive_read(d, t->index, t->sub, t->bytes, (int)sizeof t->bytes, &refused);
  if (refused) return refused;
  if (length <= 4) {
    out[0] = (uint8_t)(0x43 | (4 - length) << 2);
    memcpy(out + 4, t->bytes, (size_t)length);
    return 0;
  }
  /* Segmented: the size first. */
  out[0] = 0x41;
  brio_cia402_put(out + 4, length, 4);
  t->up = true;
  t->length = length;
  t->at = t->toggle = 0;
  return 0;
}

/* Upload segment: the toggle bit must alternate. */
static uint32_t next_read(transfer *t, int command, uint8_t out[8]) {
  if (!t->up) return 0x05040001;
  if ((command & 0x10) != t->toggle) return 0x05030000;
  int count = t->length - t->at < SEGMENT ? t->length - t->at : SEGMENT;
  memset(out, 0, 8);
  memcpy(out + 1, t->bytes + t->at, (size_t)count);
  t->at += count;
  /* Bit 0 of the command marks the last segment, which ends the transfer. */
  t->up = t->at < t->length;
  out[0] = (uint8_t)(t->toggle | (SEGMENT - count) << 1 | !t->up);
  t->toggle ^= 0x10;
  return 0;
}

/* Download segment: bits 1 to 3 count unused bytes, bit 0 marks the last one. */
static uint32_t next_write(brio_drive *d, transfer *t, const uint8_t *data, uint8_t out[8]) {
  int count = SEGMENT - (data[0] >> 1 & 7);
  if (!t->down) return 0x05040001;
  if ((data[0] & 0x10) != t->toggle) return 0x05030000;
  if (t->at + count > BRIO_DRIVE_SHEET) return 0x06070012;
  /* Collect the bytes and acknowledge with the toggle bit. */
  memcpy(t->bytes + t->at, data + 1, (size_t)count);
  t->at += count;
  memset(out, 0, 8);
  out[0] = (uint8_t)(0x20 | t->toggle);
  t->toggle ^= 0x10;
  if (!(data[0] & 1)) return 0;
  t->down = false;
  /* The sizes must agree if one was given. */
  if (t->length > 0 && t->at != t->length) return 0x06070010;
  return brio_drive_write(d, t->index, t->sub, t->bytes, t->at);
}

/* Serve an SDO request, 600 + node.  The top 3 bits are the command: 0 and 1: download segment and
** request; 2 and 3: upload request and segment; 4: abort. */
static void serve_object(brio_drive *d, transfer *t, const brio_packet *p, brio_emulator *line) {
  uint8_t out[8] = {0};
  int kind = p->data[0] >> 5;
  uint32_t refused = 0x05040001;
  assert(is_consistent(t));
  if (p->length != 8) return;
  /* A new request replaces a transfer in progress and names its object. */
  if (kind == 1 || kind == 2) {
    t->up = t->down = false;
    t->index = brio_cia402_number(p->data + 1, 2);
    t->sub = p->data[3];
    memcpy(out + 1, p->data + 1, 3);
    out[0] = 0x60;
  }
  /* An abort has no reply. */
  if (kind == 4) {
    t->up = t->down = false;
    return;
  }
  if (kind == 1) refused = begin_write(d, t, p);
  else if (kind == 2) refused = begin_read(d, t, out);
  else if (kind == 3) refused = next_read(t, p->data[0], out);
  else if (kind == 0) refused = next_write(d, t, p->data, out);
  /* A refusal ends the transfer: command 80, object, abort code. */
  if (refused) {
    t->up = t->down = false;
    out[0] = 0x80;
    brio_cia402_put(out + 1, t->index, 2);
    out[3] = (uint8_t)t->sub;
    brio_cia402_put(out + 4, (int32_t)refused, 4);
  }
  assert(is_consistent(t));
  send_all(d, line, 0x580 + d->node, out, 8);
}

/* ---- process data ---- */

/* Write the objects of a received PDO, in the order of its mapping. */
static void follow(brio_drive *d, const brio_drive_pdo *pdo, const uint8_t *data, int length) {
  for (int i = 0, at = 0; i < pdo->count; i++) {
    int size = (pdo->mapped[i] & 0xFF) / 8;
    /* A frame that is too short writes only the objects that it holds. */
    if (at + size > length) return;
    brio_drive_write(d, pdo->mapped[i] >> 16 & 0xFFFF, pdo->mapped[i] >> 8 & 0xFF, data + at, size);
    at += size;
  }
}

/* Take a PDO at once, or keep it for SYNC. */
static void take_process_data(brio_drive *d, const brio_packet *p) {
  for (int i = 0; i < BRIO_DRIVE_PDOS; i++) {
    brio_drive_pdo *pdo = &d->received[i];
    if ((pdo->identifier & UNUSED) || (pdo->identifier & 0x7FF) != p->id) continue;
    if (pdo->kind > SYNCED) follow(d, pdo, p->data, p->length);
    else memcpy(pdo->waiting, p->data, sizeof pdo->waiting), pdo->nwaiting = p->length;
  }
}

/* Read the mapped objects into a frame of at most 8 bytes. */
static void send_process_data(brio_drive *d, const brio_drive_pdo *pdo, brio_emulator *line) {
  uint8_t out[8] = {0}, value[4];
  uint32_t refused;
  int at = 0;
  for (int i = 0; i < pdo->count; i++) {
    int size = brio_drive_read(d, pdo->mapped[i] >> 16 & 0xFFFF, pdo->mapped[i] >> 8 & 0xFF, value,
                               sizeof value, &refused);
    if (at + size > 8) break;
    memcpy(out + at, value, (size_t)size);
    at += size;
  }
  send_all(d, line, pdo->identifier & 0x7FF, out, at);
}

/* SYNC: received PDOs that waited take effect first, then the synchronous ones are sent. */
static void synchronize(brio_drive *d, brio_emulator *line) {
  for (int i = 0; i < BRIO_DRIVE_PDOS; i++) {
    brio_drive_pdo *in = &d->received[i], *out = &d->sent[i];
    if (in->nwaiting > 0) follow(d, in, in->waiting, in->nwaiting);
    in->nwaiting = 0;
    if (!(out->identifier & UNUSED) && out->kind >= 1 && out->kind <= SYNCED) send_process_data(d, out, line);
  }
}

/* Send the asynchronous PDOs when the status word has changed. */
static void send_changes(brio_drive *d, uint16_t *last, brio_emulator *line) {
  uint8_t bytes[4];
  uint32_t refused;
  brio_drive_read(d, 0x6041, 0, bytes, sizeof bytes, &refused);
  uint16_t status = (uint16_t)brio_cia402_number(bytes, 2);
  if (status == *last) return;
  *last = status;
  for (int i = 0; i < BRIO_DRIVE_PDOS; i++)
    if (!(d->sent[i].identifier & UNUSED) && d->sent[i].kind > SYNCED)
      send_process_data(d, &d->sent[i], line);
}

/* ---- the bus ---- */

/* A frame at one drive: network management (0), SYNC (080), heartbeats (700 + node), SDO, PDOs. */
static void handle_one(bus *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  bool runs = d->nmt == BRIO_NMT_OPERATIONAL;
  if (d->silent || d->booting > 0) return;
  /* Node 0 addresses all. */
  if (p->id == 0 && p->length == 2 && (p->data[1] == 0 || p->data[1] == d->node))
    brio_drive_manage(d, p->data[0]);
  if (d->boots) send_state(d, line);
  if (p->id == 0x080 && runs) synchronize(d, line);
  if (p->id > 0x700 && p->length == 1) brio_drive_hear(d, p->id - 0x700);
  if (p->id == 0x600 + d->node && d->nmt != BRIO_NMT_STOPPED)
    serve_object(d, &self->transfers[d - self->drives.all], p, line);
  if (p->id > 0x080 && runs) take_process_data(d, p);
}

/* While the bus is off nothing arrives. */
static void handle(void *device, const brio_packet *p, int baud, brio_emulator *line) {
  bus *self = device;
  (void)baud;
  if (self->drives.off || p->error > 0) return;
  for (int i = 0; i < self->drives.count; i++) handle_one(self, &self->drives.all[i], p, line);
}

/* Let dt seconds pass for all drives, and send what they send on their own. */
static void step(void *device, double dt, brio_emulator *line) {
  bus *self = device;
  /* The host's controller reports that it went off the bus, or is back. */
  if (self->told_off != self->drives.off) send_error(line, self->drives.off ? BUS_OFF : RESTARTED);
  self->told_off = self->drives.off;
  for (int i = 0; i < self->drives.count; i++) {
    brio_drive *d = &self->drives.all[i];
    int beat = brio_drive_heartbeat(d);
    brio_drive_step(d, dt);
    /* Silent, booting or disconnected drives send nothing. */
    if (d->silent || d->booting > 0 || self->drives.off) continue;
    /* Emergencies, then heartbeats, then PDOs. */
    if (d->warning >= 0) send_emergency(d, line);
    if (d->boots || (beat > 0 && d->silence * 1000 >= beat)) send_state(d, line);
    if (d->nmt == BRIO_NMT_OPERATIONAL) send_changes(d, &self->status[i], line);
  }
}

/* `busoff` concerns the bus, all other commands a drive. */
static int command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  bus *self = device;
  if (strcmp(words[0], "busoff") != 0) return brio_drives_command(device, words, count, out, err);
  self->drives.off = !self->drives.off;
  brio_text_format(out, "the bus is %s\n", self->drives.off ? "off" : "on");
  return 1;
}

const brio_emulator_kind brio_emulator_epos = {
    .name = "epos",
    .alias = "cia402",
    .doc = "maxon EPOS4 drives, CiA 402 on a CAN bus.",
    .protocol = &brio_protocol_canopen,
    .baud = 1000000,
    .servos = 6,
    .commands = brio_drives_commands,
    .open = open_bus,
    .handle = handle,
    .step = step,
    .command = command,
    .tell = brio_drives_tell,
    .close = brio_drives_close,
};
