/* Joints of emulated boards and single servos.  See joints.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/joints.h"

static const double SPEED = 5, CONSTANT = 0.02; /* rad/s; s */

const char brio_joints_commands[] = "block ID        hold its shaft (again: let go)\n"
                                    "silence ID      it takes part in nothing (again: it does)\n"
                                    "power           lose power for a moment: everything goes limp\n";

void *brio_joints_open(const brio_emulator_options *options, brio_error *err) {
  brio_joints *joints = calloc(1, sizeof *joints);
  if (!joints) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d joints", options->servos);
    return NULL;
  }
  joints->count = options->servos;
  joints->baud = options->baud;
  for (int i = 0; i < joints->count; i++) {
    joints->ids[i] = options->first_id + i;
    joints->shafts[i] = (brio_shaft){.speed = SPEED, .constant = CONSTANT};
  }
  return joints;
}

void brio_joints_close(void *device) { free(device); }

void brio_joints_step(void *device, double dt, brio_emulator *line) {
  brio_joints *joints = device;
  (void)line;
  for (int i = 0; i < joints->count; i++) brio_shaft_step(&joints->shafts[i], dt);
}

bool brio_joints_hear(const brio_joints *joints, int baud) {
  return baud > joints->baud * 0.96 && baud < joints->baud * 1.04;
}

int brio_joints_find(const brio_joints *joints, int id) {
  for (int i = 0; i < joints->count; i++)
    if (joints->ids[i] == id && !joints->silent[i]) return i;
  return -1;
}

void brio_joints_move(brio_joints *joints, int i, double target, double seconds) {
  brio_shaft *shaft = &joints->shafts[i];
  double away = fabs(target - shaft->position);
  shaft->target = target;
  shaft->torque = true;
  shaft->speed = seconds > 0 ? fmax(1e-3, fmin(SPEED, away / seconds)) : SPEED;
}

void brio_joints_answer(brio_emulator *line, int id, int code, const uint8_t *data, int length) {
  brio_packet out = {.id = id, .code = code, .error = -1, .length = length};
  if (length > 0) memcpy(out.data, data, (size_t)length);
  brio_emulator_answer(line, &out, 0.0002, false);
}

int brio_joints_command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  brio_joints *joints = device;
  bool block = strcmp(words[0], "block") == 0;
  if (strcmp(words[0], "power") == 0) {
    for (int i = 0; i < joints->count; i++) joints->shafts[i].torque = false;
    brio_text_format(out, "power was lost: everything is limp\n");
    return 1;
  }
  if (!block && strcmp(words[0], "silence") != 0) return 0;
  int id = count > 1 ? atoi(words[1]) : -1, i = 0;
  while (i < joints->count && joints->ids[i] != id) i++;
  if (i == joints->count) {
    brio_fail(err, BRIO_MISUSE, "%s expects the id of a joint: %d is none", words[0], id);
    return -1;
  }
  bool *flag = block ? &joints->shafts[i].blocked : &joints->silent[i];
  *flag = !*flag;
  brio_text_format(out, "joint %d: %s%s\n", id, *flag ? "" : "no longer ", words[0]);
  return 1;
}

void brio_joints_tell(const void *device, brio_text *out) {
  const brio_joints *joints = device;
  for (int i = 0; i < joints->count; i++)
    brio_text_format(out, "joint %d: at %.1f degrees, %s\n", joints->ids[i],
                     joints->shafts[i].position * 57.29577951308232, joints->shafts[i].torque ? "held" : "limp");
}
