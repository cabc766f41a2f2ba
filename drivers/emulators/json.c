/* A robot that takes joint streams, emulated: every name that comes is a joint of its own, as long as there
** is room; each message is answered with a report of all of them.
**
** It does what docs/devices/joint-stream.md asks of devices: it takes messages of one session, until that has
** been silent for a second; none that is older than the last; and holds when the watchdog in the messages
** says so. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drivers/emulators/joints.h"
#include "drivers/protocols/joint_stream.h"

enum { MOST = 64, NAME = 64, GREATEST = 10 /* rad */ };

static const double LOCK = 1; /* s: how long a session that is silent keeps others out */

extern const brio_protocol brio_protocol_json;

typedef struct robot {
  brio_joints joints; /* first, so that a robot is joints */
  double sequence, own_session;
  double heard, session, silence, watchdog; /* newest message's number and session; s since; s */
  bool held, checked;                       /* by the watchdog; its messages have a check code */
  bool strange;                             /* the message at hand is another session's */
  int named;
  char names[MOST][NAME];
  double speeds[MOST];                      /* of the message at hand; NAN: none */
} robot;

static void *open_robot(const brio_emulator_options *options, brio_error *err) {
  if (options->servos > MOST) {
    brio_fail(err, BRIO_MISUSE, "a robot has at most %d joints here, not %d", MOST, options->servos);
    return NULL;
  }
  robot *self = brio_joints_open(options, sizeof *self, err);
  if (!self) return NULL;
  self->heard = self->session = NAN;
  self->own_session = (double)(options->seed % 1000000 + 1);
  return self;
}

/* Find a joint by its name, or give one that name.  Return -1 when there is none left. */
static int joint_of(robot *self, const char *name, int length) {
  int i = 0;
  if (length >= NAME || memchr(name, '\\', (size_t)length)) return -1;
  while (i < self->named && !brio_joint_stream_is(name, length, self->names[i])) i++;
  if (i == self->joints.count) return -1;
  if (i < self->named) return i;
  memcpy(self->names[i], name, (size_t)length);
  self->speeds[i] = NAN;
  return self->named++;
}

/* ---- messages ---- */

typedef struct head {
  double sequence, session, watchdog;
} head;

static void take_head(void *context, const brio_joint_stream_item *item) {
  head *h = context;
  if (item->name || item->text || item->index) return;
  if (brio_joint_stream_is(item->field, item->nfield, "seq")) h->sequence = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "session")) h->session = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "watchdog")) h->watchdog = fmax(0, item->value);
}

/* Whether a message counts. */
static bool is_news(robot *self, const head *h) {
  bool other = h->session != self->session && !(isnan(h->session) && isnan(self->session));
  self->strange = other && !isnan(self->session) && self->silence < LOCK;
  if (self->strange || (!other && h->sequence <= self->heard)) return false;
  self->session = h->session;
  self->heard = h->sequence;
  self->watchdog = h->watchdog;
  self->silence = 0;
  self->held = false;
  return true;
}

static void set_torque(robot *self, int i, bool on) {
  if (self->joints.at[i].shaft.torque != on) brio_joints_hold(&self->joints, i, on);
}

static void take_speed(void *context, const brio_joint_stream_item *item) {
  robot *self = context;
  if (!item->name || item->text || !brio_joint_stream_is(item->field, item->nfield, "speeds")) return;
  int i = joint_of(self, item->name, item->nname);
  if (i >= 0) self->speeds[i] = item->value;
}

static void take_item(void *context, const brio_joint_stream_item *item) {
  robot *self = context;
  bool torque = brio_joint_stream_is(item->field, item->nfield, "torque");
  if (item->text && brio_joint_stream_is(item->field, item->nfield, "ask"))
    joint_of(self, item->text, item->ntext);
  if (item->text || item->index) return;
  for (int i = 0; i < self->named && torque && !item->name; i++) set_torque(self, i, item->value != 0);
  int i = item->name ? joint_of(self, item->name, item->nname) : -1;
  if (i < 0) return;
  if (torque) set_torque(self, i, item->value != 0);
  if (!brio_joint_stream_is(item->field, item->nfield, "positions")) return;
  double target = fmax(-GREATEST, fmin(GREATEST, item->value));
  double away = fabs(target - self->joints.at[i].shaft.position);
  brio_joints_move(&self->joints, i, target, self->speeds[i] > 0 ? away / self->speeds[i] : 0);
}

/* ---- reports ---- */

static void add_faults(const robot *self, const char *const *names, brio_packet *out) {
  double errors[MOST];
  bool any = false;
  for (int i = 0; i < self->named; i++) {
    errors[i] = self->joints.at[i].error ? self->joints.at[i].error : NAN;
    any = any || self->joints.at[i].error;
  }
  if (any) brio_joint_stream_object(out, "faults", names, errors, self->named, 0);
}

/* Whoever asks before anybody has named joints, as a scan does, hears of names that it might give them. */
static int offer_names(robot *self, const char **names, char offered[MOST][NAME]) {
  for (int i = 0; i < self->joints.count; i++) {
    snprintf(offered[i], NAME, "joint_%d", i + 1);
    names[i] = offered[i];
  }
  return self->joints.count;
}

static void report(robot *self, brio_emulator *line) {
  const char *names[MOST];
  char offered[MOST][NAME];
  double places[MOST], torque[MOST];
  brio_packet out;
  int count = self->named > 0 ? self->named : offer_names(self, names, offered);
  for (int i = 0; i < count; i++) {
    const brio_emulated_joint *joint = &self->joints.at[i];
    if (self->named > 0) names[i] = self->names[i];
    places[i] = joint->silent ? NAN : joint->shaft.position;
    torque[i] = joint->silent ? NAN : joint->shaft.torque;
  }
  brio_joint_stream_begin(&out);
  brio_joint_stream_number(&out, "seq", ++self->sequence);
  brio_joint_stream_number(&out, "session", self->own_session);
  if (!isnan(self->heard)) brio_joint_stream_number(&out, "ack", self->heard);
  brio_joint_stream_object(&out, "positions", names, places, count, 6);
  brio_joint_stream_object(&out, "torque", names, torque, count, 0);
  add_faults(self, names, &out);
  brio_joint_stream_end(&out);
  brio_emulator_answer(line, &out, 0, false);
}

static void refuse(brio_emulator *line) {
  brio_packet out;
  brio_joint_stream_begin(&out);
  brio_joint_stream_text(&out, "refused", "another session");
  brio_joint_stream_end(&out);
  brio_emulator_answer(line, &out, 0, false);
}

static void handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  robot *self = device;
  head h = {NAN, NAN, 0};
  (void)baud;
  bool has_check = brio_joint_stream_has_check(packet);
  if (self->checked && self->silence < LOCK && !has_check) return;
  brio_joint_stream_visit(packet, take_head, &h);
  self->checked = has_check;
  if (!is_news(self, &h)) {
    if (self->strange) refuse(line);
    return;
  }
  for (int i = 0; i < self->named; i++) self->speeds[i] = NAN;
  brio_joint_stream_visit(packet, take_speed, self);
  brio_joint_stream_visit(packet, take_item, self);
  report(self, line);
}

static void step(void *device, double dt, brio_emulator *line) {
  robot *self = device;
  self->silence += dt;
  if (self->watchdog > 0 && self->silence > self->watchdog && !self->held) {
    for (int i = 0; i < self->joints.count; i++)
      self->joints.at[i].shaft.target = self->joints.at[i].shaft.position;
    self->held = true;
  }
  brio_joints_step(device, dt, line);
}

/* Power that was lost begins another session. */
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
