/* A robot that takes joint streams, emulated: every name that comes is a joint of its own, as long as there
** is room; each message is answered with a report of all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/joint_stream.h"
#include "drivers/joints.h"

enum { MOST = 64, NAME = 64 };

extern const brio_protocol brio_protocol_json;

typedef struct robot {
  brio_joints joints; /* first, so that a robot is joints */
  uint64_t sequence;
  int named;
  char names[MOST][NAME];
} robot;

static void *open_robot(const brio_emulator_options *options, brio_error *err) {
  if (options->servos > MOST) {
    brio_fail(err, BRIO_MISUSE, "a robot has at most %d joints here, not %d", MOST, options->servos);
    return NULL;
  }
  brio_joints *joints = brio_joints_open(options, err);
  robot *self = joints ? calloc(1, sizeof *self) : NULL;
  if (self) self->joints = *joints;
  else if (joints) brio_fail(err, BRIO_NO_MEMORY, "no memory for a robot");
  if (joints) brio_joints_close(joints);
  return self;
}

static void move(void *context, const char *name, int length, double value) {
  robot *self = context;
  int i = 0;
  if (length >= NAME || memchr(name, '\\', (size_t)length)) return;
  while (i < self->named && (strncmp(self->names[i], name, (size_t)length) != 0 || self->names[i][length])) i++;
  if (i == self->joints.count) return;
  if (i == self->named) {
    memcpy(self->names[i], name, (size_t)length);
    self->named++;
  }
  brio_joints_move(&self->joints, i, fmax(-10, fmin(10, value)), 0);
}

static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  robot *self = device;
  const char *names[MOST];
  double places[MOST];
  brio_packet out;
  (void)baud;
  brio_joint_stream_positions(packet, move, self);
  for (int i = 0; i < self->named; i++) {
    names[i] = self->names[i];
    places[i] = self->joints.silent[i] ? NAN : self->joints.shafts[i].position;
  }
  if (brio_joint_stream_make(&out, ++self->sequence, names, places, self->named))
    brio_emulator_answer(line, &out, 0, false);
}

const brio_emulator_kind brio_emulator_json = {
    .name = "json",
    .alias = "udp",
    .doc = "A robot that takes joint streams by UDP.",
    .protocol = &brio_protocol_json,
    .baud = 10000000,
    .servos = 24,
    .commands = brio_joints_commands,
    .udp = true,
    .open = open_robot,
    .handle = handle,
    .step = brio_joints_step,
    .command = brio_joints_command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
