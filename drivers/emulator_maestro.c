/* Pololu Maestro, emulated: hobby servos at its channels, which follow the pulses; what it reports is the
** pulse that it sends out, ramped by the speed set for the channel. */
#include <math.h>
#include <string.h>

#include "drivers/joints.h"
#include "drivers/maestro.h"

enum { CENTER = 6000 /* quarter microseconds */ };

static const double QUARTERS = 4 * 636.62; /* for a rad */

extern const brio_protocol brio_protocol_maestro;

static void *open_board(const brio_emulator_options *options, brio_error *err) {
  brio_emulator_options from_zero = *options;
  from_zero.first_id = 0; /* channels, not ids */
  return brio_joints_open(&from_zero, err);
}

static void set_target(brio_joints *joints, int channel, int quarters) {
  int i = brio_joints_find(joints, channel);
  if (i < 0) return;
  if (quarters == 0) joints->shafts[i].torque = false;
  else brio_joints_move(joints, i, (quarters - CENTER) / QUARTERS, 0);
}

static void answer(brio_emulator *line, int value, int count) {
  const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8)};
  brio_emulator_answer_bytes(line, bytes, count, 0.0001, false);
}

static int position_of(const brio_joints *joints, int channel) {
  int i = brio_joints_find(joints, channel);
  if (i < 0 || !joints->shafts[i].torque) return 0;
  return CENTER + (int)lround(joints->shafts[i].position * QUARTERS);
}

static int is_moving(const brio_joints *joints) {
  for (int i = 0; i < joints->count; i++)
    if (fabs(joints->shafts[i].velocity) > 0.01) return 1;
  return 0;
}

static void handle(void *device, const brio_packet *p, int baud, brio_emulator *line) {
  brio_joints *joints = device;
  if (!brio_joints_hear(joints, baud) || (p->id >= 0 && p->id != 12)) return;
  if (p->code == BRIO_MAESTRO_SSC) set_target(joints, p->data[0], CENTER + (p->data[1] - 127) * 4000 / 127);
  else if (p->code == 0x84) set_target(joints, p->data[0], p->data[1] | p->data[2] << 7);
  else if (p->code == 0x90) answer(line, position_of(joints, p->data[0]), 2);
  else if (p->code == 0x93) answer(line, is_moving(joints), 1);
  else if (p->code == 0xA1) answer(line, 0, 2);
  else if (p->code == 0xAE) answer(line, 1, 1); /* no script runs */
  else if (p->code == 0xA2)
    for (int i = 0; i < joints->count; i++) set_target(joints, joints->ids[i], CENTER);
  else if (p->code == 0x9F)
    for (int k = 0; 2 * k + 3 < p->length; k++)
      set_target(joints, p->data[1] + k, p->data[2 * k + 2] | p->data[2 * k + 3] << 7);
}

const brio_emulator_kind brio_emulator_maestro = {
    .name = "maestro",
    .alias = "pololu",
    .doc = "Pololu Maestro with hobby servos, channels from 0.",
    .protocol = &brio_protocol_maestro,
    .baud = 115200,
    .servos = 6,
    .commands = brio_joints_commands,
    .open = open_board,
    .handle = handle,
    .step = brio_joints_step,
    .command = brio_joints_command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
