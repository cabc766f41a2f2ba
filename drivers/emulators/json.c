/* A robot that takes joint streams, emulated.  Every name that arrives becomes a joint, while there
** is room; each message is answered with a report of all joints.  It follows
** docs/devices/joint-stream.md: it accepts one session until that has been silent for a second,
** rejects messages that are not newer than the last one, and holds when the watchdog of the
** messages expires.  A joint that gets a `limits` controls its torque from then on. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "drivers/emulators/joints.h"
#include "drivers/protocols/joint_stream.h"

/* Greatest number of joints and length of a name; greatest target. */
enum { MOST = 64, NAME = 64, GREATEST = 10 /* rad */ };

static const double LOCK = 1; /* s for which a silent session still locks others out */

extern const brio_protocol brio_protocol_json;

typedef struct robot {
  brio_joints joints; /* must be first: a robot is also a brio_joints */
  double sequence, own_session;
  double heard, session, silence, watchdog; /* number and session of the newest message; s since it; s */
  bool held, checked;                       /* held by the watchdog; messages carry a check code */
  bool strange;                             /* the present message is of another session */
  int named;
  char names[MOST][NAME];
  double speeds[MOST];                      /* of the present message; NAN: none */
  brio_impedance_command drives[MOST];      /* the same; a limit of NAN: none */
} robot;

/* Make a robot: it has at most as many joints as names can be kept. */
static void *open_robot(const brio_emulator_options *options, brio_error *err) {
  if (options->servos > MOST) {
    brio_fail(err, BRIO_MISUSE, "a robot has at most %d joints here, not %d", MOST, options->servos);
    return NULL;
  }
  robot *self = brio_joints_open(options, sizeof *self, err);
  if (!self) return NULL;
  /* NAN: no message yet.  Its own session differs from run to run by the seed. */
  self->heard = self->session = NAN;
  self->own_session = (double)(options->seed % 1000000 + 1);
  return self;
}

/* Return the joint of that name, or give the name to a free joint; -1: none is left.  O(joints). */
static int joint_of(robot *self, const char *name, int length) {
  int i = 0;
  /* Escaped or overlong names are not accepted. */
  if (length >= NAME || memchr(name, '\\', (size_t)length)) return -1;
  while (i < self->named && !brio_joint_stream_is(name, length, self->names[i])) i++;
  if (i == self->joints.count) return -1;
  if (i < self->named) return i;
  memcpy(self->names[i], name, (size_t)length);
  self->speeds[i] = NAN;
  return self->named++;
}

/* ---- messages ---- */

/* The header fields of a message; NAN: missing. */
typedef struct head {
  double sequence, session, watchdog;
} head;

/* Collect the header: fields outside of objects and arrays. */
static void take_head(void *context, const brio_joint_stream_item *item) {
  head *h = context;
  if (item->name || item->text || item->index) return;
  if (brio_joint_stream_is(item->field, item->nfield, "seq")) h->sequence = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "session")) h->session = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "watchdog")) h->watchdog = fmax(0, item->value);
}

/* Return whether a message is accepted, and note it.  Messages without a session form one of their
** own. */
static bool is_news(robot *self, const head *h) {
  bool other = h->session != self->session && !(isnan(h->session) && isnan(self->session));
  /* Another session must wait until the present one has been silent. */
  self->strange = other && !isnan(self->session) && self->silence < LOCK;
  if (self->strange || (!other && h->sequence <= self->heard)) return false;
  /* Accepted: this message releases the watchdog, too. */
  self->session = h->session;
  self->heard = h->sequence;
  self->watchdog = h->watchdog;
  self->silence = 0;
  self->held = false;
  return true;
}

/* Switch only on a change: holding sets the target to the present position. */
static void set_torque(robot *self, int i, bool on) {
  if (self->joints.at[i].shaft.torque != on) brio_joints_hold(&self->joints, i, on);
}

/* First pass: speeds and impedances, because targets need them. */
static void take_speed(void *context, const brio_joint_stream_item *item) {
  static const struct {
    const char *field;
    size_t at;
  } fields[] = {{"velocities", offsetof(brio_impedance_command, speed)},
                {"stiffness", offsetof(brio_impedance_command, impedance.stiffness)},
                {"damping", offsetof(brio_impedance_command, impedance.damping)},
                {"torques", offsetof(brio_impedance_command, impedance.torque)},
                {"limits", offsetof(brio_impedance_command, impedance.limit)}};
  robot *self = context;
  if (!item->name || item->text) return;
  int i = joint_of(self, item->name, item->nname);
  if (i < 0) return;
  if (brio_joint_stream_is(item->field, item->nfield, "speeds")) self->speeds[i] = item->value;
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
    if (brio_joint_stream_is(item->field, item->nfield, fields[k].field))
      *(double *)(void *)((char *)&self->drives[i] + fields[k].at) = item->value;
}

/* A target with a limit of torque: the joint is a spring and a damper about it.  What is no impedance (a
** negative stiffness) is not obeyed: the joint keeps its torque control with none. */
static void drive(robot *self, int i, double target) {
  brio_shaft *shaft = &self->joints.at[i].shaft;
  brio_impedance_command *command = &self->drives[i];
  if (brio_impedance_fault(&command->impedance))
    command->impedance = (brio_impedance){.limit = fmax(0, command->impedance.limit)};
  shaft->drives = true;
  shaft->impedance = command->impedance;
  shaft->aim = command->speed;
  shaft->target = target;
}

/* Second pass: names asked for, torque and targets. */
static void take_item(void *context, const brio_joint_stream_item *item) {
  robot *self = context;
  bool torque = brio_joint_stream_is(item->field, item->nfield, "torque");
  /* `ask` names a joint without moving it. */
  if (item->text && brio_joint_stream_is(item->field, item->nfield, "ask"))
    joint_of(self, item->text, item->ntext);
  if (item->text || item->index) return;
  /* Without a name, torque is for all joints. */
  for (int i = 0; i < self->named && torque && !item->name; i++) set_torque(self, i, item->value != 0);
  int i = item->name ? joint_of(self, item->name, item->nname) : -1;
  if (i < 0) return;
  if (torque) set_torque(self, i, item->value != 0);
  if (!brio_joint_stream_is(item->field, item->nfield, "positions")) return;
  /* Time of the move = distance / speed; without a speed, as fast as the joint can. */
  double target = fmax(-GREATEST, fmin(GREATEST, item->value));
  if (brio_impedance_is(&self->drives[i].impedance)) {
    drive(self, i, target);
    return;
  }
  self->joints.at[i].shaft.drives = false;
  double away = fabs(target - self->joints.at[i].shaft.position);
  brio_joints_move(&self->joints, i, target, self->speeds[i] > 0 ? away / self->speeds[i] : 0);
}

/* ---- reports ---- */

/* Error bits of joints that have any; without any the field is left out. */
static void add_faults(const robot *self, const char *const *names, brio_packet *out) {
  double errors[MOST];
  bool any = false;
  for (int i = 0; i < self->named; i++) {
    errors[i] = self->joints.at[i].error ? self->joints.at[i].error : NAN;
    any = any || self->joints.at[i].error;
  }
  if (any) brio_joint_stream_object(out, "faults", names, errors, self->named, 0);
}

/* Before any joint is named, reports offer names; a scan sees these. */
static int offer_names(robot *self, const char **names, char offered[MOST][NAME]) {
  for (int i = 0; i < self->joints.count; i++) {
    snprintf(offered[i], NAME, "joint_%d", i + 1);
    names[i] = offered[i];
  }
  return self->joints.count;
}

/* Report session, acknowledgement, positions, torque and faults. */
static void report(robot *self, brio_emulator *line) {
  const char *names[MOST];
  char offered[MOST][NAME];
  double places[MOST], torque[MOST], efforts[MOST];
  brio_packet out;
  bool any = false; /* controls its torque */
  int count = self->named > 0 ? self->named : offer_names(self, names, offered);
  /* A silent joint is left out. */
  for (int i = 0; i < count; i++) {
    const brio_emulated_joint *joint = &self->joints.at[i];
    if (self->named > 0) names[i] = self->names[i];
    places[i] = joint->silent ? NAN : joint->shaft.position;
    torque[i] = joint->silent ? NAN : joint->shaft.torque;
    efforts[i] = joint->silent || !joint->shaft.drives ? NAN : joint->shaft.effort;
    any = any || !isnan(efforts[i]);
  }
  brio_joint_stream_begin(&out);
  brio_joint_stream_number(&out, "seq", ++self->sequence);
  brio_joint_stream_number(&out, "session", self->own_session);
  if (!isnan(self->heard)) brio_joint_stream_number(&out, "ack", self->heard);
  brio_joint_stream_object(&out, "positions", names, places, count, 6);
  brio_joint_stream_object(&out, "torque", names, torque, count, 0);
  if (any) brio_joint_stream_object(&out, "torques", names, efforts, count, 4);
  add_faults(self, names, &out);
  brio_joint_stream_end(&out);
  brio_emulator_answer(line, &out, 0, false);
}

/* Tell the sender that another session holds the robot. */
static void refuse(brio_emulator *line) {
  brio_packet out;
  brio_joint_stream_begin(&out);
  brio_joint_stream_text(&out, "refused", "another session");
  brio_joint_stream_end(&out);
  brio_emulator_answer(line, &out, 0, false);
}

/* A session that uses check codes is not taken over by messages without one. */
static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  robot *self = device;
  head h = {NAN, NAN, 0};
  (void)baud;
  assert(self->named >= 0 && self->named <= self->joints.count && self->joints.count <= MOST);
  bool has_check = brio_joint_stream_has_check(packet);
  if (self->checked && self->silence < LOCK && !has_check) return;
  brio_joint_stream_visit(packet, take_head, &h);
  self->checked = has_check;
  /* Only a message of another session gets a refusal; an old one gets no answer. */
  if (!is_news(self, &h)) {
    if (self->strange) refuse(line);
    return;
  }
  /* Speeds count for this message only. */
  for (int i = 0; i < MOST; i++) {
    self->speeds[i] = NAN;
    self->drives[i] = (brio_impedance_command){.impedance = brio_impedance_none};
  }
  brio_joint_stream_visit(packet, take_speed, self);
  brio_joint_stream_visit(packet, take_item, self);
  report(self, line);
}

/* A watchdog that expires stops all joints where they are. */
static void step(void *device, double dt, brio_emulator *line) {
  robot *self = device;
  self->silence += dt;
  if (self->watchdog > 0 && self->silence > self->watchdog && !self->held) {
    for (int i = 0; i < self->joints.count; i++) {
      self->joints.at[i].shaft.target = self->joints.at[i].shaft.position;
      self->joints.at[i].shaft.aim = 0;
    }
    self->held = true;
  }
  brio_joints_step(device, dt, line);
}

/* A power loss starts a new session. */
static int command(void *device, const char *const *words, int count, brio_text *out, brio_error *err) {
  robot *self = device;
  if (strcmp(words[0], "power") == 0) {
    self->own_session++;
    self->sequence = 0;
    self->heard = self->session = NAN;
  }
  return brio_joints_command(device, words, count, out, err);
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
    .step = step,
    .command = command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
