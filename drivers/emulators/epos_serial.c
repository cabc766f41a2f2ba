/* A maxon EPOS4 on a serial line or USB, emulated, with the drives on the CAN bus behind it:
** objects in one frame or in segments, network management, and errors as in chapter 2 of the
** Communication Guide.  The drives themselves are in cia402/drive.c. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cia402/canopen.h"
#include "drivers/cia402/drive.h"

enum { ANSWER = 0, HEAD = 4, PIECE = 63 /* most data bytes of a segment */ };

extern const brio_protocol brio_protocol_epos;

/* One segmented transfer at a time. */
typedef struct line_drives {
  brio_drives drives; /* first: the functions of cia402/drives.c see only them */
  int baud;
  brio_drive *up, *down; /* the drive whose object is read or written in segments */
  int index, sub, at, length, toggle;
  uint8_t bytes[BRIO_DRIVE_SHEET];
} line_drives;

/* Copy the drives into a line: a line is a longer record that starts with them. */
static void *open_line(const brio_emulator_options *options, brio_error *err) {
  brio_drives *drives = brio_drives_open(options, err);
  line_drives *self = drives ? calloc(1, sizeof *self) : NULL;
  if (drives && !self) brio_fail(err, BRIO_NO_MEMORY, "no memory for a line");
  if (self) self->drives = *drives;
  if (self) self->baud = options->baud;
  brio_drives_close(drives);
  return self;
}

/* Reply with an error code (0: none) and data.  Replies have whole words of 2 bytes. */
static void answer(brio_emulator *line, uint32_t error, const uint8_t *data, int count) {
  brio_packet out = {.id = -1, .code = ANSWER, .error = -1};
  brio_cia402_put(out.data, (int32_t)error, 4);
  if (count > 0) memcpy(out.data + HEAD, data, (size_t)count);
  out.length = HEAD + count + count % 2;
  brio_emulator_answer(line, &out, 0.0003, false);
}

/* Read an object of up to 4 bytes.  The functions below return an error code or 0, and reply on
** success. */
static uint32_t read_object(line_drives *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  uint8_t value[8] = {0};
  uint32_t refused;
  int size = brio_drive_read(d, p->data[1] | p->data[2] << 8, p->data[3], value, (int)sizeof value, &refused);
  (void)self;
  /* Longer objects need segments. */
  if (!refused && size > 4) refused = 0x06070012;
  if (!refused) answer(line, 0, value, 4);
  return refused;
}

/* Write an object of up to 4 bytes: a read yields its size. */
static uint32_t write_object(line_drives *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  uint8_t there[BRIO_DRIVE_SHEET];
  uint32_t refused;
  int index = p->data[1] | p->data[2] << 8;
  int size = brio_drive_read(d, index, p->data[3], there, (int)sizeof there, &refused);
  (void)self;
  if (!refused) refused = size > 4 ? 0x06070010 : brio_drive_write(d, index, p->data[3], p->data + 4, size);
  if (!refused) answer(line, 0, NULL, 0);
  return refused;
}

/* ---- segmented transfers ---- */

/* Start a read: the reply has the size, then the first segment. */
static uint32_t begin_read(line_drives *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  uint32_t refused;
  uint8_t out[5 + PIECE];
  /* A new transfer ends any other, also where it is refused. */
  self->up = self->down = NULL;
  self->length = brio_drive_read(d, p->data[1] | p->data[2] << 8, p->data[3], self->bytes,
                                 (int)sizeof self->bytes, &refused);
  if (refused) return refused;
  /* A short object needs no further segment. */
  self->at = self->length < PIECE ? self->length : PIECE;
  self->up = self->at < self->length ? d : NULL;
  self->toggle = 0;
  /* The reply: size, bytes of this segment, then the bytes. */
  brio_cia402_put(out, self->length, 4);
  out[4] = (uint8_t)self->at;
  memcpy(out + 5, self->bytes, (size_t)self->at);
  answer(line, 0, out, 5 + self->at);
  return 0;
}

/* The next segment: its length, then the toggle bit and the bit of the last segment. */
static uint32_t next_read(line_drives *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  uint8_t out[2 + PIECE];
  int count = self->length - self->at < PIECE ? self->length - self->at : PIECE;
  (void)d;
  if (!self->up) return 0x05040001;
  /* The toggle bit must alternate. */
  if ((p->data[0] & 1) != self->toggle) return 0x05030000;
  assert(self->at >= 0 && self->at < self->length && self->length <= (int)sizeof self->bytes);
  memcpy(out + 2, self->bytes + self->at, (size_t)count);
  self->at += count;
  if (self->at == self->length) self->up = NULL;
  out[0] = (uint8_t)count;
  out[1] = (uint8_t)(self->toggle | !self->up << 1);
  self->toggle ^= 1;
  answer(line, 0, out, 2 + count);
  return 0;
}

/* Start a write of a given size. */
static uint32_t begin_write(line_drives *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  /* Nothing is written before the last segment. */
  self->up = self->down = NULL;
  self->length = brio_cia402_number(p->data + 4, 4);
  if (self->length < 0 || self->length > (int)sizeof self->bytes) return 0x06070012;
  self->index = p->data[1] | p->data[2] << 8;
  self->sub = p->data[3];
  self->at = self->toggle = 0;
  self->down = d;
  answer(line, 0, NULL, 0);
  return 0;
}

/* The next segment of a write; the last one writes the object. */
static uint32_t next_write(line_drives *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  int count = p->data[0];
  uint32_t refused = 0;
  (void)d;
  if (!self->down) return 0x05040001;
  if ((p->data[1] & 1) != self->toggle) return 0x05030000;
  /* No more bytes than the frame holds and the object takes. */
  if (count > p->length - 2 || self->at + count > self->length) return 0x06070010;
  assert(self->at >= 0 && self->length <= (int)sizeof self->bytes);
  memcpy(self->bytes + self->at, p->data + 2, (size_t)count);
  self->at += count;
  self->toggle ^= 1;
  if (p->data[1] & 2) {
    /* The sizes must agree. */
    if (self->at == self->length)
      refused = brio_drive_write(self->down, self->index, self->sub, self->bytes, self->at);
    else refused = 0x06070010;
    self->down = NULL;
  }
  if (!refused) answer(line, 0, (const uint8_t[]){(uint8_t)count, p->data[1] & 1}, 2);
  return refused;
}

/* Network management: node 0 addresses all. */
static uint32_t manage(line_drives *self, brio_drive *d, const brio_packet *p, brio_emulator *line) {
  int node = p->data[0] | p->data[1] << 8, command = p->data[2] | p->data[3] << 8;
  (void)d;
  for (int i = 0; i < self->drives.count; i++)
    if (node == 0 || self->drives.all[i].node == node) brio_drive_manage(&self->drives.all[i], command);
  answer(line, 0, NULL, 0);
  return 0;
}

/* ---- the line ---- */

/* Commands: code, least data, and whether the data start with a node. */
static const struct {
  int code, least; /* bytes of data */
  bool node;       /* the first of them is a node, which must exist */
  uint32_t (*serve)(line_drives *self, brio_drive *drive, const brio_packet *packet, brio_emulator *line);
} commands[] = {
    {0x60, 4, true, read_object}, {0x68, 8, true, write_object}, {0x81, 4, true, begin_read},
    {0x62, 2, false, next_read},  {0x69, 8, true, begin_write},  {0x6A, 4, false, next_write},
    {0x70, 4, false, manage},
};

/* Carry out a frame: find the drive, run the opcode, and answer an error if it returns one. */
static void handle(void *device, const brio_packet *p, int baud, brio_emulator *line) {
  line_drives *self = device;
  const size_t most = sizeof commands / sizeof *commands;
  size_t which = 0;
  /* Like a UART, it understands rates within about 4 %. */
  if (baud > 0 && (baud < self->baud * 0.96 || baud > self->baud * 1.04)) return;
  /* Find the command; O(commands). */
  while (which < most && commands[which].code != p->code) which++;
  brio_drive *d = which < most && commands[which].node && p->length >= 1
                      ? brio_drives_find(&self->drives, p->data[0])
                      : NULL;
  /* Unknown command, too little data, no such node: each has its error code. */
  if (which == most) answer(line, 0x0F00FFBF, NULL, 0);
  else if (p->length < commands[which].least) answer(line, 0x06070010, NULL, 0);
  else if (commands[which].node && !d) {
    if (p->data[0] != self->drives.all[0].node)
      answer(line, 0x05040000, NULL, 0); /* no node answers on the bus behind it */
  } else {
    uint32_t refused = commands[which].serve(self, d, p, line);
    if (refused) answer(line, refused, NULL, 0);
  }
}

/* Nothing is sent on its own over a serial line: boot messages and emergencies are dropped. */
static void step(void *device, double dt, brio_emulator *line) {
  line_drives *self = device;
  (void)line;
  for (int i = 0; i < self->drives.count; i++) {
    brio_drive_step(&self->drives.all[i], dt);
    self->drives.all[i].boots = false;
    self->drives.all[i].warning = -1;
  }
}

const brio_emulator_kind brio_emulator_epos_serial = {
    .name = "epos_serial",
    .alias = "epos_usb",
    .doc = "a maxon EPOS4 over USB or RS-232, and the drives on the CAN bus behind it.",
    .protocol = &brio_protocol_epos,
    .baud = 115200,
    .servos = 1,
    .commands = brio_drives_commands,
    .open = open_line,
    .handle = handle,
    .step = step,
    .command = brio_drives_command,
    .tell = brio_drives_tell,
    .close = brio_drives_close,
};
