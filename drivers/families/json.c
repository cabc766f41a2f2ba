/* Joint streaming as a driver.  Each cycle sends a message with the targets of all axes by name;
** the newest report received has the positions. docs/devices/joint-stream.md has the fields.
** Datagrams may be lost, late, repeated or out of order.  Each message has a sequence number.  A
** report is accepted only if its number is above the last one; its "ack" names the last message
** that the sender knew, which tells old reports from new.  A session number, drawn at the start,
** tells a restarted program from its predecessor; a device accepts one session at a time. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/families/board.h"
#include "drivers/protocols/joint_stream.h"
#include "drivers/targets.h"

/* SILENT: cycles without a new report until the device fails.  SENT: messages whose times are kept
** for acknowledgements.  AT_ONCE: reports, or reads, of a cycle. */
enum {
  SILENT = 200 /* cycles */,
  AT_ONCE = 64,
  NAME = 64,
  SENT = 256 /* messages whose times are kept */,
  INPUTS = BRIO_DRIVER_INPUTS
};
/* Settings by index. */
enum { LATENCY, GREATEST, STALE, SPEEDS };
/* Bits of what may be wrong with a joint. */
enum { NOT_WELL = 1, LIMP = 2, UNKNOWING = 4 };

static const double TORQUE_SAID = 0.5; /* s for which messages repeat a switching of torque */

extern const brio_protocol brio_protocol_json;

/* The header of a report. */
typedef struct report {
  double sequence, session, ack; /* NAN: missing */
  bool refused;                  /* the device accepts another session */
} report;

/* A connection: what was sent, what was received, and the newest states. */
typedef struct stream {
  brio_exchange x;
  int count, silent;
  double sequence, session;       /* of the messages sent */
  double heard, heard_session;    /* number and session of the newest report; NAN: none yet */
  double past_session, heard_at;  /* the session before that one; s */
  double greatest, stale, watchdog;
  bool speeds;
  /* s: times of the newest messages, by number modulo SENT */
  double sent[SENT];
  char names[BRIO_BOARD_AXES][NAME];
  const char *list[BRIO_BOARD_AXES];
  double lower[BRIO_BOARD_AXES], upper[BRIO_BOARD_AXES];
  double torque[BRIO_BOARD_AXES]; /* as set: 1, 0; NAN: not set */
  double torque_until;            /* s: until when messages contain it */
  brio_axis_state states[BRIO_BOARD_AXES];
  bool fresh[BRIO_BOARD_AXES], known[BRIO_BOARD_AXES]; /* known: reported at least once */
  unsigned wrong[BRIO_BOARD_AXES], told_wrong[BRIO_BOARD_AXES];
  char words[80];                 /* the newest fault of a joint */
  /* checked: a report had a check code, so those without are rejected */
  bool told_refused, is_refused, checked;
  /* count: the greatest; a limit of NAN: a position servo.  NULL: all are */
  const brio_impedance *impedances;
  double driven;                  /* s: when the first one was sent; INFINITY: not yet */
  const brio_driver_input *inputs;
  int ninput;
  brio_input_state input_states[INPUTS];
  brio_driver_counts counts;
} stream;

static const brio_driver_setting settings_table[] = {
    [LATENCY] = {"latency", "s", "Maximum time to wait for a report in each cycle.", 0.005, 0, 1},
    [GREATEST] = {"greatest", "1", "A reported position beyond this, in either direction, is ignored.", 100,
                  0, 1e6},
    [STALE] = {"stale", "s", "A report that answers a message older than this is ignored.", 0.2, 0.01, 60},
    [SPEEDS] = {"speeds", "1", "1: messages also contain the target velocity of each joint.", 1, 0, 1},
    {0},
};

static const brio_driver_text texts_table[] = {
    {"port", "The device's address: udp:HOST:PORT, or a serial port.", "udp:127.0.0.1:9870"},
    {"trace", "A file to which every byte is appended, with times; empty: none.", ""},
    {0},
};

/* End the trace before its port is closed, then free the stream. */
static void close_stream(void *device) {
  stream *self = device;
  if (self->x.port) brio_trace_close(self->x.port->trace, NULL);
  brio_port_close(self->x.port);
  free(self);
}

/* ---- opening ---- */

/* Take the name of an axis, which is put into JSON unescaped. */
static bool take_name(stream *self, int i, const char *name, brio_error *err) {
  if (strlen(name) >= NAME || strpbrk(name, "\"\\\n"))
    return brio_fail(err, BRIO_MISUSE, "axis '%.64s' has a name that cannot be streamed", name);
  memcpy(self->names[i], name, strlen(name) + 1);
  self->list[i] = self->names[i];
  return true;
}

/* Set the stream's initial state, its session number and its trace. */
static bool start(stream *self, brio_port *port, const brio_axis *axes, const double *settings,
                  const char *const *texts, brio_error *err) {
  brio_exchange_start(&self->x, &brio_protocol_json, port);
  /* Nothing is switched and nothing known at the start. */
  for (int i = 0; i < self->count; i++) {
    if (!take_name(self, i, axes[i].name, err)) return false;
    self->lower[i] = axes[i].lower;
    self->upper[i] = axes[i].upper;
    self->states[i].position = axes[i].start;
    self->torque[i] = NAN;
  }
  self->x.latency = settings[LATENCY];
  self->greatest = settings[GREATEST];
  self->stale = settings[STALE];
  self->speeds = settings[SPEEDS] > 0;
  /* Session number: the time in microseconds, modulo 2^31 - 1, a number that every JSON reader can
  ** hold. */
  self->session = fmod(floor(brio_port_now(port) * 1e6), 2147483647) + 1;
  self->heard = self->heard_session = self->past_session = NAN;
  self->heard_at = -INFINITY;
  self->driven = INFINITY;
  /* Record from here on, if a trace is wanted. */
  if (texts[1][0]) port->trace = brio_trace_open(texts[1], "json", texts[0], port->baud, err);
  return !texts[1][0] || port->trace;
}

/* The port belongs to the driver from here on, on failure, too. */
void *brio_json_open_port(brio_port *port, const brio_axis *axes, int count, const double *settings,
                          const char *const *texts, brio_error *err) {
  stream *self = count <= BRIO_BOARD_AXES ? calloc(1, sizeof *self) : NULL;
  if (!self) {
    brio_fail(err, BRIO_MISUSE, "joint streaming takes at most %d axes, not %d", BRIO_BOARD_AXES, count);
    brio_port_close(port);
    return NULL;
  }
  self->count = count;
  if (start(self, port, axes, settings, texts, err)) return self;
  close_stream(self);
  return NULL;
}

/* Open the port that the first text names, and a stream on it. */
static void *open_stream(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                         void *context, brio_error *err) {
  /* 115200 is the rate of a serial port; UDP ignores it. */
  const char *const *texts = context;
  (void)seed;
  if (!texts) {
    brio_fail(err, BRIO_MISUSE, "joint streaming needs a port");
    return NULL;
  }
  brio_port *port = brio_port_open(texts[0], 115200, err);
  return port ? brio_json_open_port(port, axes, count, settings, texts, err) : NULL;
}

static bool send(stream *self, const double *targets, const double *speeds,
                 const brio_impedance_command *commands, bool now, brio_error *err);

/* Whether an axis controls its torque. */
static bool is_driven(const stream *self, int i) {
  return self->impedances && brio_impedance_is(&self->impedances[i]);
}

/* Refuse impedances whose messages could become too long: before anything moves, not when it does. */
static bool take_impedances(stream *self, const brio_impedance *impedances, brio_error *err) {
  double targets[BRIO_BOARD_AXES];
  brio_impedance_command commands[BRIO_BOARD_AXES];
  self->impedances = impedances;
  for (int i = 0; i < self->count && impedances; i++) {
    const brio_impedance *most = &impedances[i];
    targets[i] = -10;
    commands[i] = (brio_impedance_command){
        {most->stiffness, most->damping, -most->limit, most->limit}, targets[i], -100};
  }
  return !impedances || send(self, targets, NULL, commands, false, err);
}

/* Keep watchdog, impedances and inputs; gains and limits have no field. */
static bool configure(void *device, const brio_driver_config *config, brio_error *err) {
  stream *self = device;
  /* Reject what messages have no field for. */
  if (config->gains) return brio_fail(err, BRIO_MISUSE, "joint streaming has no gains");
  if (config->limits) return brio_fail(err, BRIO_MISUSE, "joint streaming sets no limits in the device");
  self->watchdog = config->watchdog;
  self->inputs = config->inputs;
  self->ninput = config->ninput;
  /* All inputs are unknown until they are reported. */
  for (int i = 0; i < INPUTS; i++)
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) self->input_states[i].values[k] = NAN;
  return take_impedances(self, config->impedances, err);
}

/* ---- sending ---- */

/* Add torque to every message for TORQUE_SAID, so that a lost message does not matter; and no
** longer, so that a restarted device stays limp.  A single number serves if all axes are alike. */
static bool add_torque(stream *self) {
  bool alike = true, any = false;
  if (brio_port_now(self->x.port) > self->torque_until) return true;
  for (int i = 0; i < self->count; i++) {
    alike = alike && self->torque[i] == self->torque[0];
    any = any || !isnan(self->torque[i]);
  }
  /* Nothing was switched yet. */
  if (!any) return true;
  if (alike) return brio_joint_stream_number(&self->x.out, "torque", self->torque[0]);
  return brio_joint_stream_object(&self->x.out, "torque", self->list, self->torque, self->count, 0);
}

/* Ask for axes that were never reported: the device may not know which joints are meant. */
static void ask_for_unknown(stream *self) {
  bool all = true;
  for (int i = 0; i < self->count; i++) all = all && self->known[i];
  if (!all) brio_joint_stream_list(&self->x.out, "ask", self->list, self->count);
}

/* Add what axes that control their torque need beside their targets. */
static bool add_impedances(stream *self, const double *targets, const brio_impedance_command *commands) {
  static const char *const fields[] = {"velocities", "torques", "limits", "stiffness", "damping"};
  double values[5][BRIO_BOARD_AXES];
  bool good = true;
  for (int i = 0; i < self->count; i++) {
    const brio_impedance *one = &commands[i].impedance;
    const double numbers[] = {commands[i].speed, one->torque, one->limit, one->stiffness, one->damping};
    /* An axis without a target is left as it is. */
    for (int k = 0; k < 5; k++) values[k][i] = is_driven(self, i) && !isnan(targets[i]) ? numbers[k] : NAN;
  }
  for (int k = 0; k < 5 && good; k++)
    /* Gains are small where a motor counts in steps. */
    good = brio_joint_stream_object(&self->x.out, fields[k], self->list, values[k], self->count,
                                    k < 3 ? 4 : 8);
  return good;
}

/* Send a message: header, torque, positions, impedances (NULL: none), then optional fields while there is
** room. Not `now`: only see whether it has room. */
static bool send(stream *self, const double *targets, const double *speeds,
                 const brio_impedance_command *commands, bool now, brio_error *err) {
  brio_packet *out = &self->x.out;
  /* The time of each message is kept for its acknowledgement. */
  brio_joint_stream_begin(out);
  self->sequence++;
  assert(self->sequence > 0);
  self->sent[(int)fmod(self->sequence, SENT)] = brio_port_now(self->x.port);
  bool good = brio_joint_stream_number(out, "seq", self->sequence) &&
              brio_joint_stream_number(out, "session", self->session);
  if (self->watchdog > 0) good = good && brio_joint_stream_number(out, "watchdog", self->watchdog);
  good = good && add_torque(self) &&
         brio_joint_stream_object(out, "positions", self->list, targets, self->count, 6) &&
         (!commands || add_impedances(self, targets, commands));
  /* These fields are required, the following ones are not. */
  if (!good)
    return brio_fail(err, BRIO_LIMIT, "the names of %d axes%s are too long for a message", self->count,
                     commands ? " with impedances" : "");
  if (!now) return true;
  ask_for_unknown(self);
  if (speeds && self->speeds) brio_joint_stream_object(out, "speeds", self->list, speeds, self->count, 4);
  brio_joint_stream_end(out);
  return brio_exchange_send_targets(&self->x, err);
}

/* A target within the axis's limits; NaN stays NaN, and is left out. */
static double clamp_target(const stream *self, int i, double target) {
  return target < self->lower[i] ? self->lower[i] : target > self->upper[i] ? self->upper[i] : target;
}

/* The speed for a target; distances count only from positions that were reported. */
static double told_speed(const stream *self, int i, double target, double speed) {
  double place = self->fresh[i] ? self->states[i].position : NAN;
  return brio_targets_speed(speed, target, place);
}

/* Send targets with the impedances of axes that control their torque. */
static bool write_impedances(void *device, const brio_impedance_command *commands, brio_error *err) {
  stream *self = device;
  double targets[BRIO_BOARD_AXES] = {0}, told[BRIO_BOARD_AXES] = {0};
  for (int i = 0; i < self->count; i++) {
    targets[i] = clamp_target(self, i, commands[i].target);
    /* The others follow positions, with the speeds that write_timed would give them. */
    bool follows = !isnan(targets[i]) && !is_driven(self, i);
    told[i] = follows ? told_speed(self, i, targets[i], fabs(commands[i].speed)) : NAN;
    if (is_driven(self, i) && !isnan(targets[i]))
      self->driven = fmin(self->driven, brio_port_now(self->x.port));
  }
  return send(self, targets, told, commands, true, err);
}

/* Send targets, clamped to the axes' limits, and the speeds of axes that have a target. */
static bool write_timed(void *device, const double *targets, const double *speeds, brio_error *err) {
  stream *self = device;
  double clamped[BRIO_BOARD_AXES], told[BRIO_BOARD_AXES];
  for (int i = 0; i < self->count; i++) {
    clamped[i] = clamp_target(self, i, targets[i]);
    /* A speed counts only with a target. */
    told[i] = isnan(targets[i]) || !speeds ? NAN : told_speed(self, i, clamped[i], speeds[i]);
  }
  return send(self, clamped, speeds ? told : NULL, NULL, true, err);
}

/* Send targets without speeds. */
static bool write_targets(void *device, const double *targets, brio_error *err) {
  return write_timed(device, targets, NULL, err);
}

/* The device does not confirm: torque is repeated in the messages that follow. */
static bool power(void *device, const bool *on, brio_error *err) {
  stream *self = device;
  double none[BRIO_BOARD_AXES];
  self->torque_until = brio_port_now(self->x.port) + TORQUE_SAID;
  /* No targets: switching does not move anything. */
  for (int i = 0; i < self->count; i++) {
    self->torque[i] = on[i];
    none[i] = NAN;
    if (!on[i]) self->wrong[i] &= ~(unsigned)LIMP;
  }
  for (int i = 0; i < 3; i++) /* unconfirmed: three are rarely all lost */
    if (!send(self, none, NULL, NULL, true, err)) return false;
  return true;
}

/* ---- reports ---- */

/* Read the header fields of a report. */
static void take_head(void *context, const brio_joint_stream_item *item) {
  report *head = context;
  if (item->name) return;
  if (brio_joint_stream_is(item->field, item->nfield, "refused")) head->refused = true;
  /* The others are numbers outside of arrays. */
  if (item->text || item->index) return;
  if (brio_joint_stream_is(item->field, item->nfield, "seq")) head->sequence = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "session")) head->session = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "ack")) head->ack = item->value;
}

/* Return true if a report is new: of the current session, newer than the last, and not based on an
** old message. */
static bool is_news(stream *self, const report *head) {
  double now = brio_port_now(self->x.port);
  if (head->session == self->past_session) return false;
  if (head->session != self->heard_session && !isnan(head->session)) {
    self->past_session = self->heard_session; /* the device has restarted */
    self->heard_session = head->session;
    self->heard = NAN;
  }
  /* Repeated, or overtaken by a newer one. */
  if (head->sequence <= self->heard) return false;
  /* It cannot acknowledge a message that was not sent yet. */
  if (head->ack > self->sequence) return false;
  /* An old acknowledgement: its sender received nothing of ours for `stale` seconds. */
  if (!isnan(head->ack) && (self->sequence - head->ack >= SENT ||
                            now - self->sent[(int)fmod(fmax(0, head->ack), SENT)] > self->stale))
    return false;
  self->heard = head->sequence;
  self->heard_at = now;
  return true;
}

/* O(axes). */
static int find_axis(const stream *self, const brio_joint_stream_item *item) {
  for (int i = 0; i < self->count; i++)
    if (brio_joint_stream_is(item->name, item->nname, self->names[i])) return i;
  return -1;
}

/* An input may be one number or an array. */
static void take_input(stream *self, const brio_joint_stream_item *item) {
  for (int i = 0; i < self->ninput; i++)
    if (brio_joint_stream_is(item->name, item->nname, self->inputs[i].line) &&
        item->index < self->inputs[i].width && !item->text)
      self->input_states[i].values[item->index] = item->value;
}

/* Take a position.  Implausible ones are counted as refused. */
static void take_position(stream *self, int i, double value) {
  if (fabs(value) > self->greatest) self->counts.refused++;
  if (fabs(value) > self->greatest) return;
  self->states[i].position = value;
  self->fresh[i] = self->known[i] = true;
}

/* Note a fault; the words of the newest one are kept. */
static void take_fault(stream *self, int i, const brio_joint_stream_item *item) {
  self->wrong[i] |= NOT_WELL;
  if (item->text)
    snprintf(self->words, sizeof self->words, "%.*s", item->ntext < 79 ? item->ntext : 79, item->text);
  else snprintf(self->words, sizeof self->words, "error %g", item->value);
}

/* Take a field of an axis by name.  Unknown names and fields are ignored. */
static void take_item(void *context, const brio_joint_stream_item *item) {
  static const struct {
    const char *field;
    size_t at;
    unsigned knows;
  } fields[] = {{"velocities", offsetof(brio_axis_state, velocity), 0},
                {"loads", offsetof(brio_axis_state, load), BRIO_KNOWS_LOAD},
                {"currents", offsetof(brio_axis_state, current), BRIO_KNOWS_CURRENT},
                {"temperatures", offsetof(brio_axis_state, temperature), BRIO_KNOWS_TEMPERATURE},
                {"voltages", offsetof(brio_axis_state, voltage), BRIO_KNOWS_VOLTAGE},
                {"torques", offsetof(brio_axis_state, torque), BRIO_KNOWS_TORQUE}};
  stream *self = context;
  if (!item->name) return;
  /* Inputs have names of their own. */
  if (brio_joint_stream_is(item->field, item->nfield, "inputs")) take_input(self, item);
  int i = find_axis(self, item);
  /* Axes have single numbers. */
  if (i < 0 || item->index > 0) return;
  if (brio_joint_stream_is(item->field, item->nfield, "faults")) take_fault(self, i, item);
  if (item->text) return;
  if (brio_joint_stream_is(item->field, item->nfield, "positions")) take_position(self, i, item->value);
  /* Torque that is off, although it was switched on a while ago, is a fault. */
  if (brio_joint_stream_is(item->field, item->nfield, "torque") && item->value == 0 && self->torque[i] == 1 &&
      brio_port_now(self->x.port) > self->torque_until)
    self->wrong[i] |= LIMP;
  /* Fields that are simply stored in the state. */
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
    if (!brio_joint_stream_is(item->field, item->nfield, fields[k].field)) continue;
    *(double *)(void *)((char *)&self->states[i] + fields[k].at) = item->value;
    self->states[i].knows |= fields[k].knows;
  }
}

/* Take a report.  Return true if it was new. */
static bool take_report(stream *self) {
  report head = {NAN, NAN, NAN, false};
  bool has_check = brio_joint_stream_has_check(&self->x.in);
  /* Once a report had a check code, reports without one are rejected. */
  self->checked = self->checked || has_check;
  self->counts.refused += self->checked && !has_check;
  if (self->checked && !has_check) return false;
  /* The header decides; only then are the items read. */
  brio_joint_stream_visit(&self->x.in, take_head, &head);
  if (head.refused) {
    self->is_refused = true;
    return false;
  }
  if (!is_news(self, &head)) {
    self->counts.strays++;
    return false;
  }
  self->is_refused = false;
  /* Faults last as long as reports name them. */
  memset(self->wrong, 0, sizeof self->wrong);
  brio_joint_stream_visit(&self->x.in, take_item, self);
  return true;
}

/* Report new faults.  Return false if there is one. */
static bool complain(stream *self, brio_error *err) {
  /* A refusal is reported once until a report is accepted. */
  bool refused = self->is_refused && !self->told_refused;
  self->told_refused = self->is_refused;
  if (refused)
    return brio_fail(err, BRIO_DEVICE, "%s takes its targets from another program", self->x.port->name);
  /* The first new fault of any joint. */
  for (int i = 0; i < self->count; i++) {
    unsigned fresh = self->wrong[i] & ~self->told_wrong[i];
    self->told_wrong[i] = self->wrong[i];
    if (fresh & NOT_WELL)
      return brio_fail(err, BRIO_DEVICE, "joint '%s' reports: %s", self->names[i], self->words);
    if (fresh & LIMP) return brio_fail(err, BRIO_DEVICE, "joint '%s' has no torque", self->names[i]);
    if (fresh & UNKNOWING)
      return brio_fail(
          err, BRIO_DEVICE,
          "joint '%s' has a `control` in the robot's file, but is reported without `torques`: the device "
          "does not control its torque",
          self->names[i]);
  }
  return true;
}

/* Read what has arrived, and wait up to the latency for the first new report, whatever else arrives
** in that time.  Return the number of new reports; -1: the port is gone. */
static int read_news(stream *self, brio_error *err) {
  uint8_t bytes[BRIO_FRAME_MOST];
  double wait = self->x.latency, until = brio_port_now(self->x.port) + wait;
  int got = 0, reports = 0, late = 0, news = 0;
  /* After a new report, and after the latency, only what is there already is read: AT_ONCE at most,
  ** so that a line that is never quiet ends, too. */
  while (reports < AT_ONCE && late < AT_ONCE &&
         (got = brio_port_read(self->x.port, bytes, sizeof bytes, wait, err)) > 0) {
    brio_wire_feed(&self->x.stream, bytes, got);
    for (; brio_wire_next(&self->x.stream, &self->x.in) > 0; reports++) news += take_report(self);
    wait = news > 0 ? 0 : fmax(0, until - brio_port_now(self->x.port));
    late += !(wait > 0);
  }
  return got < 0 ? -1 : news;
}

/* Report the newest positions, and what is wrong with the joints. */
static bool read_places(void *device, brio_axis_state *states, brio_error *err) {
  stream *self = device;
  memset(self->fresh, 0, sizeof self->fresh);
  int news = read_news(self, err);
  if (news < 0) return false;
  /* A device that ignores impedances would hold with all its strength. */
  bool late = brio_port_now(self->x.port) > self->driven + TORQUE_SAID;
  for (int i = 0; late && i < self->count; i++)
    if (is_driven(self, i) && self->fresh[i] && !(self->states[i].knows & BRIO_KNOWS_TORQUE))
      self->wrong[i] |= UNKNOWING;
  bool good = complain(self, err);
  /* Copy the states; axes that were not reported are not valid. */
  for (int i = 0; i < self->count; i++) {
    states[i] = self->states[i];
    states[i].valid = self->fresh[i];
    states[i].failed = self->wrong[i] != 0;
  }
  /* A device without a new report for too long is lost. */
  self->silent = news > 0 ? 0 : self->silent + 1;
  if (self->silent < SILENT) return good;
  return brio_fail(err, BRIO_DEVICE, "nothing new was reported from %s for %d cycles", self->x.port->name,
                   SILENT);
}

/* Inputs came with the reports. */
static bool sense(void *device, brio_input_state *inputs, brio_error *err) {
  stream *self = device;
  (void)err;
  memcpy(inputs, self->input_states, (size_t)self->ninput * sizeof *inputs);
  return true;
}

/* Write port, session and count of joints. */
static void describe(void *device, char *out, size_t size) {
  const stream *self = device;
  snprintf(out, size, "a joint stream to %s, session %.0f, %d joints", self->x.port->name, self->session,
           self->count);
}

/* Bad packets count as refused. */
static void count(void *device, brio_driver_counts *counts) {
  const stream *self = device;
  *counts = self->counts;
  for (int i = 0; i < BRIO_NWIRE_FAULT; i++) counts->refused += (int64_t)self->x.stream.faults[i];
}

const brio_driver_kind brio_driver_json = {
    .name = "json",
    .alias = "udp",
    .doc = "Joint streaming: JSON in UDP datagrams.",
    .watchdog = true,
    .when_silent = "Each message contains the watchdog's time; the reaction is up to the device.",
    .settings = settings_table,
    .texts = texts_table,
    .open = open_stream,
    .configure = configure,
    .write = write_targets,
    .write_timed = write_timed,
    .write_impedances = write_impedances,
    .power = power,
    .read = read_places,
    .sense = sense,
    .describe = describe,
    .count = count,
    .close = close_stream,
    .scan = &brio_joint_stream_scan,
};
