/* Joints of emulated boards and single servos, see joints.h.  The thermal model is warmth' = WARMS
** load - warmth / COOLS, so at full load a joint ends WARMS COOLS = 30 degrees above its
** surroundings: realistic enough to test alarms. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/emulators/joints.h"

static const double SPEED = 5, CONSTANT = 0.02; /* rad/s; s */
/* degrees/s at full load; s; degrees Celsius of the surroundings; V */
static const double WARMS = 0.5, COOLS = 60, ROOM = 30, VOLTAGE = 7.4;

const char brio_joints_commands[] = "block ID        block its shaft (again: release it)\n"
                                    "push ID N_M     push its shaft, if its motor controls its torque\n"
                                    "silence ID      it does not answer (again: it does)\n"
                                    "refuse ID       it takes no torque (again: it does)\n"
                                    "twin ID         a second one with the same id (again: removes it)\n"
                                    "error ID BITS   the device's error bits, such as 0x20\n"
                                    "heat ID DEGREES its temperature without its own heat\n"
                                    "volts V         its supply voltage\n"
                                    "power           lose power for a moment: everything goes limp\n";

/* `size` is that of the emulator's own record, which starts with the joints. */
void *brio_joints_open(const brio_emulator_options *options, size_t size, brio_error *err) {
  assert(size >= sizeof(brio_joints) && options->servos >= 0 && options->servos <= BRIO_EMULATOR_SERVOS);
  brio_joints *joints = calloc(1, size);
  if (!joints) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d joints", options->servos);
    return NULL;
  }
  /* calloc has set everything else to 0. */
  joints->count = options->servos;
  joints->baud = options->baud;
  joints->voltage = VOLTAGE;
  joints->limit = SPEED;
  for (int i = 0; i < joints->count; i++)
    /* At rest at 0 rad, with ascending ids. */
    joints->at[i] = (brio_emulated_joint){
        .id = options->first_id + i, .shaft = {.speed = SPEED, .constant = CONSTANT}, .temperature = ROOM};
  return joints;
}

void brio_joints_close(void *device) { free(device); }

/* The shaft, then the temperature. */
void brio_joints_step(void *device, double dt, brio_emulator *line) {
  brio_joints *joints = device;
  (void)line;
  for (int i = 0; i < joints->count; i++) {
    brio_emulated_joint *joint = &joints->at[i];
    brio_shaft_step(&joint->shaft, dt);
    double load = fabs(brio_shaft_load(&joint->shaft));
    /* Exact solution of the first-order lag for a constant load: stable for any dt. */
    joint->warmth += (WARMS * COOLS * load - joint->warmth) * (1 - exp(-dt / COOLS));
  }
}

/* A UART tolerates a rate error of about 4 %. */
bool brio_joints_hear(const brio_joints *joints, int baud) {
  return baud > joints->baud * 0.96 && baud < joints->baud * 1.04;
}

/* Silent joints are not found.  O(joints). */
int brio_joints_find(const brio_joints *joints, int id) {
  for (int i = 0; i < joints->count; i++)
    if (joints->at[i].id == id && !joints->at[i].silent) return i;
  return -1;
}

void brio_joints_move(brio_joints *joints, int i, double target, double seconds) {
  assert(i >= 0 && i < joints->count);
  /* A timed move gets the speed that covers the distance in that time. */
  brio_shaft *shaft = &joints->at[i].shaft;
  double away = fabs(target - shaft->position);
  shaft->target = target;
  shaft->torque = !joints->at[i].refuses;
  shaft->speed = seconds > 0 ? fmax(1e-3, fmin(joints->limit, away / seconds)) : joints->limit;
}

void brio_joints_hold(brio_joints *joints, int i, bool on) {
  assert(i >= 0 && i < joints->count);
  brio_shaft *shaft = &joints->at[i].shaft;
  shaft->torque = on && !joints->at[i].refuses;
  /* A joint that is released or held keeps its position. */
  shaft->target = shaft->position;
}

/* In whole degrees, as one byte. */
int brio_joints_temperature(const brio_joints *joints, int i) {
  assert(i >= 0 && i < joints->count);
  return (int)fmax(0, fmin(255, joints->at[i].temperature + joints->at[i].warmth));
}

/* A joint moves if it is faster than 0.01 rad/s. */
bool brio_joints_moving(const brio_joints *joints) {
  for (int i = 0; i < joints->count; i++)
    if (fabs(joints->at[i].shaft.velocity) > 0.01) return true;
  return false;
}

void brio_joints_answer(const brio_joints *joints, int i, brio_emulator *line, int id, int code,
                        const uint8_t *data, int length) {
  brio_packet out = {.id = id, .code = code, .error = -1, .length = length};
  assert(length >= 0 && length <= BRIO_PACKET_MOST);
  if (length > 0) memcpy(out.data, data, (size_t)length);
  /* A reply leaves after 0.2 ms. */
  brio_emulator_answer(line, &out, 0.0002, false);
  /* A twin replies at the same moment with other data, so that the host hears a damaged frame. */
  if (i < 0 || !joints->at[i].twin) return;
  if (length > 0) out.data[0] ^= 0x15; /* the twin's position differs */
  brio_emulator_answer(line, &out, 0.0002, true);
}

/* ---- commands ---- */

/* Return the flag that a command toggles; NULL: no such command. */
static bool *flag_of(brio_emulated_joint *joint, const char *word) {
  if (strcmp(word, "block") == 0) return &joint->shaft.blocked;
  if (strcmp(word, "silence") == 0) return &joint->silent;
  if (strcmp(word, "refuse") == 0) return &joint->refuses;
  return strcmp(word, "twin") == 0 ? &joint->twin : NULL;
}

/* After a power loss every joint is limp, and the device reports a restart. */
static void lose_power(brio_joints *joints, brio_text *out) {
  for (int i = 0; i < joints->count; i++) brio_joints_hold(joints, i, false);
  joints->restarted = true;
  brio_text_format(out, "power was lost: everything is limp\n");
}

/* Set a number of a joint.  Return false if the command sets none. */
static bool set_number(brio_emulated_joint *joint, const char *word, const char *value, brio_text *out) {
  bool error = strcmp(word, "error") == 0;
  if (strcmp(word, "push") == 0) {
    joint->shaft.push = fmax(-1e3, fmin(1e3, strtod(value, NULL)));
    brio_text_format(out, "joint %d: pushed with %g N m\n", joint->id, joint->shaft.push);
    return true;
  }
  if (error) joint->error = (int)strtol(value, NULL, 0);
  else if (strcmp(word, "heat") == 0) joint->temperature = strtod(value, NULL);
  else return false;
  brio_text_format(out, "joint %d: %s %s\n", joint->id, error ? "error bits" : "degrees", value);
  return true;
}

/* Return 1: done; 0: not a command of joints; -1: failed. */
int brio_joints_command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  brio_joints *joints = device;
  brio_emulated_joint probe = {0}, *joint = NULL;
  /* The command decides which arguments follow it. */
  bool turns = flag_of(&probe, words[0]) != NULL;
  bool number =
      strcmp(words[0], "error") == 0 || strcmp(words[0], "heat") == 0 || strcmp(words[0], "push") == 0;
  if (strcmp(words[0], "power") == 0) return lose_power(joints, out), 1;
  if (strcmp(words[0], "volts") == 0 && count == 2) {
    joints->voltage = fmax(0, fmin(60, strtod(words[1], NULL)));
    brio_text_format(out, "powered with %g V\n", joints->voltage);
    return 1;
  }
  if (!turns && !number) return 0;
  /* The id, then the number.  Silent joints may be commanded, too. */
  int id = count > 1 ? atoi(words[1]) : -1;
  for (int i = 0; i < joints->count; i++)
    if (joints->at[i].id == id) joint = &joints->at[i];
  if (!joint || (number && count < 3)) {
    brio_fail(err, BRIO_MISUSE, "%s expects the id of a joint%s: %d is none", words[0],
              number ? " and a number" : "", id);
    return -1;
  }
  if (number) return set_number(joint, words[0], words[2], out);
  bool *flag = flag_of(joint, words[0]);
  *flag = !*flag;
  /* A joint that refuses torque loses it at once. */
  if (joint->refuses) joint->shaft.torque = false;
  brio_text_format(out, "joint %d: %s%s\n", id, *flag ? "" : "no longer ", words[0]);
  return 1;
}

/* Positions in degrees, for people. */
void brio_joints_tell(const void *device, brio_text *out) {
  const brio_joints *joints = device;
  for (int i = 0; i < joints->count; i++) {
    const brio_emulated_joint *joint = &joints->at[i];
    brio_text_format(out, "joint %d: at %.1f degrees, %s, %d degrees warm%s\n", joint->id,
                     joint->shaft.position * 57.29577951308232, joint->shaft.torque ? "held" : "limp",
                     brio_joints_temperature(joints, i), joint->error ? ", an error" : "");
  }
}
