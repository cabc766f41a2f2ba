/* Joint streaming as a driver.  Each cycle a message with the targets of all axes by name is
** sent, and the newest report that came says where they are. docs/joint-stream.md has the
** fields.
**
** Datagrams are lost, late, doubled and overtaken.  Each message has a number; a report is taken
** only when its number is higher than the last, and states the last message that its sender knew
** ("ack"), which tells old reports from new.  The number of a session, drawn when it begins,
** tells a program that was started again from its past; a device takes messages of one session
** at a time. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/families/board.h"
#include "drivers/protocols/joint_stream.h"
#include "drivers/setup/scan.h"

/* SILENT: cycles without news until the device fails.  SENT: messages whose times are kept for
** acknowledgements. */
enum {
  SILENT = 200 /* cycles */,
  NAME = 64,
  SENT = 256 /* messages whose times are known */,
  INPUTS = BRIO_DRIVER_INPUTS
};
enum { LATENCY, GREATEST, STALE, SPEEDS };
/* What may be wrong with a joint. */
enum { NOT_WELL = 1, LIMP = 2 };

static const double TORQUE_SAID = 0.5; /* s: how long messages repeat what was said of torque */

extern const brio_protocol brio_protocol_json;

/* A report's head. */
typedef struct report {
  double sequence, session, ack; /* NAN: it has none */
  bool refused;                  /* the device takes messages of another */
} report;

typedef struct stream {
  brio_exchange x;
  int count, silent;
  double sequence, session;       /* of messages */
  double heard, heard_session;    /* newest report's number and session; NAN: none yet */
  double past_session, heard_at;  /* one that is over; s */
  double greatest, stale, watchdog;
  bool speeds;
  /* s: when each of the newest messages was sent, by its number modulo SENT */
  double sent[SENT];
  char names[BRIO_BOARD_AXES][NAME];
  const char *list[BRIO_BOARD_AXES];
  double lower[BRIO_BOARD_AXES], upper[BRIO_BOARD_AXES];
  double torque[BRIO_BOARD_AXES]; /* as told: 1, 0; NAN: nothing was told */
  double torque_until;            /* s: how long messages say so */
  brio_axis_state states[BRIO_BOARD_AXES];
  bool fresh[BRIO_BOARD_AXES], known[BRIO_BOARD_AXES]; /* known: it has been reported */
  unsigned wrong[BRIO_BOARD_AXES], told_wrong[BRIO_BOARD_AXES];
  char words[80];                 /* the newest complaint of a joint */
  /* checked: reports have had a check code, and none without is taken */
  bool told_refused, is_refused, checked;
  const brio_driver_input *inputs;
  int ninput;
  brio_input_state input_states[INPUTS];
  brio_driver_counts counts;
} stream;

static const brio_driver_setting settings_table[] = {
    [LATENCY] = {"latency", "s", "How long a report is waited for in each cycle.", 0.005, 0, 1},
    [GREATEST] = {"greatest", "1", "A reported position beyond this, either way, is not believed.", 100, 0,
                  1e6},
    [STALE] = {"stale", "s", "A report that knew no newer message than this long ago is passed over.", 0.2,
               0.01, 60},
    [SPEEDS] = {"speeds", "1", "1: messages say how fast each joint is to be, too.", 1, 0, 1},
    {0},
};

static const brio_driver_text texts_table[] = {
    {"port", "Where the device listens: udp:HOST:PORT, or a serial port.", "udp:127.0.0.1:9870"},
    {"trace", "A file that every byte is recorded in, behind what it holds; empty: none.", ""},
    {0},
};

static void close_stream(void *device) {
  stream *self = device;
  if (self->x.port) brio_trace_close(self->x.port->trace, NULL);
  brio_port_close(self->x.port);
  free(self);
}

/* ---- opening ---- */

/* Take an axis' name, which goes into JSON as it is. */
static bool take_name(stream *self, int i, const char *name, brio_error *err) {
  if (strlen(name) >= NAME || strpbrk(name, "\"\\\n"))
    return brio_fail(err, BRIO_MISUSE, "axis '%.64s' has a name that cannot be streamed", name);
  memcpy(self->names[i], name, strlen(name) + 1);
  self->list[i] = self->names[i];
  return true;
}

static bool start(stream *self, brio_port *port, const brio_axis *axes, const double *settings,
                  const char *const *texts, brio_error *err) {
  brio_exchange_start(&self->x, &brio_protocol_json, port);
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
  /* A number that no earlier session had: the time in microseconds, within what all JSON readers
  ** can hold. */
  self->session = fmod(floor(brio_port_now(port) * 1e6), 2147483647) + 1;
  self->heard = self->heard_session = self->past_session = NAN;
  self->heard_at = -INFINITY;
  if (texts[1][0]) port->trace = brio_trace_open(texts[1], "json", texts[0], port->baud, err);
  return !texts[1][0] || port->trace;
}

/* The port is the driver's from here on, also on failure. */
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

static void *open_stream(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                         void *context, brio_error *err) {
  const char *const *texts = context;
  (void)seed;
  if (!texts) {
    brio_fail(err, BRIO_MISUSE, "joint streaming needs a port");
    return NULL;
  }
  brio_port *port = brio_port_open(texts[0], 115200, err);
  return port ? brio_json_open_port(port, axes, count, settings, texts, err) : NULL;
}

static bool configure(void *device, const brio_driver_config *config, brio_error *err) {
  stream *self = device;
  /* What a message has no field for is rejected. */
  if (config->gains) return brio_fail(err, BRIO_MISUSE, "joint streaming tells no gains");
  if (config->limits) return brio_fail(err, BRIO_MISUSE, "joint streaming sets no limits in the device");
  self->watchdog = config->watchdog;
  self->inputs = config->inputs;
  self->ninput = config->ninput;
  for (int i = 0; i < INPUTS; i++)
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) self->input_states[i].values[k] = NAN;
  return true;
}

/* ---- telling ---- */

/* Add torque, for a while to every message, so that a lost one changes nothing; and no longer, so
** that a device that was started again stays limp.  One number where all axes are alike. */
static bool add_torque(stream *self) {
  bool alike = true, any = false;
  if (brio_port_now(self->x.port) > self->torque_until) return true;
  for (int i = 0; i < self->count; i++) {
    alike = alike && self->torque[i] == self->torque[0];
    any = any || !isnan(self->torque[i]);
  }
  if (!any) return true;
  if (alike) return brio_joint_stream_number(&self->x.out, "torque", self->torque[0]);
  return brio_joint_stream_object(&self->x.out, "torque", self->list, self->torque, self->count, 0);
}

/* Ask for the axes that were never reported: a device may not know which joints are meant. */
static void ask_for_unknown(stream *self) {
  bool all = true;
  for (int i = 0; i < self->count; i++) all = all && self->known[i];
  if (!all) brio_joint_stream_list(&self->x.out, "ask", self->list, self->count);
}

/* Head, torque, positions; then what there is room for. */
static bool send(stream *self, const double *targets, const double *speeds, brio_error *err) {
  brio_packet *out = &self->x.out;
  brio_joint_stream_begin(out);
  self->sequence++;
  assert(self->sequence > 0);
  self->sent[(int)fmod(self->sequence, SENT)] = brio_port_now(self->x.port);
  bool good = brio_joint_stream_number(out, "seq", self->sequence) &&
              brio_joint_stream_number(out, "session", self->session);
  if (self->watchdog > 0) good = good && brio_joint_stream_number(out, "watchdog", self->watchdog);
  good = good && add_torque(self) &&
         brio_joint_stream_object(out, "positions", self->list, targets, self->count, 6);
  if (!good)
    return brio_fail(err, BRIO_LIMIT, "the names of %d axes are too long for a message", self->count);
  ask_for_unknown(self);
  if (speeds && self->speeds) brio_joint_stream_object(out, "speeds", self->list, speeds, self->count, 4);
  brio_joint_stream_end(out);
  return brio_exchange_send_targets(&self->x, err);
}

static bool write_timed(void *device, const double *targets, const double *speeds, brio_error *err) {
  stream *self = device;
  double clamped[BRIO_BOARD_AXES], told[BRIO_BOARD_AXES];
  for (int i = 0; i < self->count; i++) { /* NaN stays NaN, which is left out */
    clamped[i] = targets[i] < self->lower[i]   ? self->lower[i]
                 : targets[i] > self->upper[i] ? self->upper[i]
                                               : targets[i];
    told[i] = isnan(targets[i]) || !speeds ? NAN : speeds[i];
  }
  return send(self, clamped, speeds ? told : NULL, err);
}

static bool write_targets(void *device, const double *targets, brio_error *err) {
  return write_timed(device, targets, NULL, err);
}

static bool power(void *device, const bool *on, brio_error *err) {
  stream *self = device;
  double none[BRIO_BOARD_AXES];
  self->torque_until = brio_port_now(self->x.port) + TORQUE_SAID;
  /* Targets are left out: switching moves nothing. */
  for (int i = 0; i < self->count; i++) {
    self->torque[i] = on[i];
    none[i] = NAN;
    if (!on[i]) self->wrong[i] &= ~(unsigned)LIMP;
  }
  for (int i = 0; i < 3; i++) /* there is no answer: three are not all lost */
    if (!send(self, none, NULL, err)) return false;
  return true;
}

/* ---- reports ---- */

/* Fields of a report about itself. */
static void take_head(void *context, const brio_joint_stream_item *item) {
  report *head = context;
  if (item->name) return;
  if (brio_joint_stream_is(item->field, item->nfield, "refused")) head->refused = true;
  if (item->text || item->index) return;
  if (brio_joint_stream_is(item->field, item->nfield, "seq")) head->sequence = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "session")) head->session = item->value;
  if (brio_joint_stream_is(item->field, item->nfield, "ack")) head->ack = item->value;
}

/* Return true when a report is news: of the current session, newer than the last, and not based on
** a message of long ago. */
static bool is_news(stream *self, const report *head) {
  double now = brio_port_now(self->x.port);
  if (head->session == self->past_session) return false;
  if (head->session != self->heard_session && !isnan(head->session)) {
    self->past_session = self->heard_session; /* the device was started anew */
    self->heard_session = head->session;
    self->heard = NAN;
  }
  if (head->sequence <= self->heard) return false;
  /* It cannot know a message that was not sent yet. */
  if (head->ack > self->sequence) return false;
  if (!isnan(head->ack) && (self->sequence - head->ack >= SENT ||
                            now - self->sent[(int)fmod(fmax(0, head->ack), SENT)] > self->stale))
    return false;
  self->heard = head->sequence;
  self->heard_at = now;
  return true;
}

static int find_axis(const stream *self, const brio_joint_stream_item *item) {
  for (int i = 0; i < self->count; i++)
    if (brio_joint_stream_is(item->name, item->nname, self->names[i])) return i;
  return -1;
}

static void take_input(stream *self, const brio_joint_stream_item *item) {
  for (int i = 0; i < self->ninput; i++)
    if (brio_joint_stream_is(item->name, item->nname, self->inputs[i].line) &&
        item->index < self->inputs[i].width && !item->text)
      self->input_states[i].values[item->index] = item->value;
}

/* A position beyond belief is counted as refused. */
static void take_position(stream *self, int i, double value) {
  if (fabs(value) > self->greatest) self->counts.refused++;
  if (fabs(value) > self->greatest) return;
  self->states[i].position = value;
  self->fresh[i] = self->known[i] = true;
}

/* Keep the words of the newest fault. */
static void take_fault(stream *self, int i, const brio_joint_stream_item *item) {
  self->wrong[i] |= NOT_WELL;
  if (item->text)
    snprintf(self->words, sizeof self->words, "%.*s", item->ntext < 79 ? item->ntext : 79, item->text);
  else snprintf(self->words, sizeof self->words, "error %g", item->value);
}

/* Fields of an axis, by name; unknown names and fields are passed over. */
static void take_item(void *context, const brio_joint_stream_item *item) {
  static const struct {
    const char *field;
    size_t at;
    unsigned knows;
  } fields[] = {{"velocities", offsetof(brio_axis_state, velocity), 0},
                {"loads", offsetof(brio_axis_state, load), BRIO_KNOWS_LOAD},
                {"currents", offsetof(brio_axis_state, current), BRIO_KNOWS_CURRENT},
                {"temperatures", offsetof(brio_axis_state, temperature), BRIO_KNOWS_TEMPERATURE},
                {"voltages", offsetof(brio_axis_state, voltage), BRIO_KNOWS_VOLTAGE}};
  stream *self = context;
  if (!item->name) return;
  if (brio_joint_stream_is(item->field, item->nfield, "inputs")) take_input(self, item);
  int i = find_axis(self, item);
  if (i < 0 || item->index > 0) return;
  if (brio_joint_stream_is(item->field, item->nfield, "faults")) take_fault(self, i, item);
  if (item->text) return;
  if (brio_joint_stream_is(item->field, item->nfield, "positions")) take_position(self, i, item->value);
  /* Torque that is off, although it was switched on for long enough, is a fault. */
  if (brio_joint_stream_is(item->field, item->nfield, "torque") && item->value == 0 && self->torque[i] == 1 &&
      brio_port_now(self->x.port) > self->torque_until)
    self->wrong[i] |= LIMP;
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
    if (!brio_joint_stream_is(item->field, item->nfield, fields[k].field)) continue;
    *(double *)(void *)((char *)&self->states[i] + fields[k].at) = item->value;
    self->states[i].knows |= fields[k].knows;
  }
}

/* Take a report.  Return true when it was news. */
static bool take_report(stream *self) {
  report head = {NAN, NAN, NAN, false};
  bool has_check = brio_joint_stream_has_check(&self->x.in);
  /* Once reports have a check code, those without one are not taken. */
  self->checked = self->checked || has_check;
  self->counts.refused += self->checked && !has_check;
  if (self->checked && !has_check) return false;
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
  memset(self->wrong, 0, sizeof self->wrong);
  brio_joint_stream_visit(&self->x.in, take_item, self);
  return true;
}

/* Report what began to be wrong.  Return false when something did. */
static bool complain(stream *self, brio_error *err) {
  bool refused = self->is_refused && !self->told_refused;
  self->told_refused = self->is_refused;
  if (refused)
    return brio_fail(err, BRIO_DEVICE, "%s takes its targets from another program", self->x.port->name);
  for (int i = 0; i < self->count; i++) {
    unsigned fresh = self->wrong[i] & ~self->told_wrong[i];
    self->told_wrong[i] = self->wrong[i];
    if (fresh & NOT_WELL)
      return brio_fail(err, BRIO_DEVICE, "joint '%s' reports: %s", self->names[i], self->words);
    if (fresh & LIMP) return brio_fail(err, BRIO_DEVICE, "joint '%s' has no torque", self->names[i]);
  }
  return true;
}

static bool read_places(void *device, brio_axis_state *states, brio_error *err) {
  stream *self = device;
  uint8_t bytes[BRIO_FRAME_MOST];
  double wait = self->x.latency;
  int got = 0, reports = 0, news = 0;
  memset(self->fresh, 0, sizeof self->fresh);
  /* The first read waits; after news only what has come already is read. */
  while (reports < 64 && (got = brio_port_read(self->x.port, bytes, sizeof bytes, wait, err)) > 0) {
    brio_wire_feed(&self->x.stream, bytes, got);
    for (; brio_wire_next(&self->x.stream, &self->x.in) > 0; reports++) news += take_report(self);
    if (news > 0) wait = 0;
  }
  if (got < 0) return false;
  bool good = complain(self, err);
  for (int i = 0; i < self->count; i++) {
    states[i] = self->states[i];
    states[i].valid = self->fresh[i];
    states[i].failed = self->wrong[i] != 0;
  }
  /* A device that reports nothing new for too long is lost. */
  self->silent = news > 0 ? 0 : self->silent + 1;
  if (self->silent < SILENT) return good;
  return brio_fail(err, BRIO_DEVICE, "nothing new was reported from %s for %d cycles", self->x.port->name,
                   SILENT);
}

static bool sense(void *device, brio_input_state *inputs, brio_error *err) {
  stream *self = device;
  (void)err;
  memcpy(inputs, self->input_states, (size_t)self->ninput * sizeof *inputs);
  return true;
}

static void describe(void *device, char *out, size_t size) {
  const stream *self = device;
  snprintf(out, size, "a joint stream to %s, session %.0f, %d joints", self->x.port->name, self->session,
           self->count);
}

static void count(void *device, brio_driver_counts *counts) {
  const stream *self = device;
  *counts = self->counts;
  for (int i = 0; i < BRIO_NWIRE_FAULT; i++) counts->refused += (int64_t)self->x.stream.faults[i];
}

/* ---- looking for one ---- */

typedef struct heard {
  brio_scan_found *found;
  int count, most;
} heard;

/* Each name once. */
static void hear(void *context, const char *name, int length, double value) {
  heard *self = context;
  (void)value;
  if (self->count == self->most || length < 1 || length >= NAME) return;
  for (int i = 0; i < self->count; i++)
    if (strncmp(self->found[i].name, name, (size_t)length) == 0 && self->found[i].name[length] == 0) return;
  brio_scan_found *one = &self->found[self->count];
  brio_scan_note(one, -1, 1, self->count++, "a joint that is streamed");
  memcpy(one->name, name, (size_t)length);
  one->name[length] = 0;
}

/* Listen for reports.  Over UDP a message without positions is sent first, as a device must know
** whom to answer. */
static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  uint8_t bytes[BRIO_FRAME_MOST];
  brio_exchange x;
  heard all = {found, 0, most};
  int got = 0;
  (void)row, (void)first, (void)last;
  brio_exchange_start(&x, &brio_protocol_json, port);
  if (brio_scan_port(port->name) == BRIO_SCAN_UDP)
    got = brio_joint_stream_make(&x.out, 0, NULL, NULL, 0) && brio_exchange_send(&x, err) ? 0 : -1;
  double until = brio_port_now(port) + fmax(latency, 0.3);
  while (got >= 0 && brio_port_now(port) < until) {
    got = brio_port_read(port, bytes, sizeof bytes, until - brio_port_now(port), err);
    if (got > 0) brio_wire_feed(&x.stream, bytes, got);
    while (got > 0 && brio_wire_next(&x.stream, &x.in) > 0) brio_joint_stream_positions(&x.in, hear, &all);
  }
  return got < 0 ? -1 : all.count;
}

static const brio_driver_scan scan = {.sends = "nothing: it listens; by UDP {\"seq\": 0, \"positions\": {}}",
                                      .ports = BRIO_SCAN_SERIAL | BRIO_SCAN_UDP,
                                      .bauds = (const int[]){115200, 0},
                                      .last = -1,
                                      .alone = true,
                                      .look = look};

const brio_driver_kind brio_driver_json = {
    .name = "json",
    .alias = "udp",
    .doc = "Joint streaming: JSON in UDP datagrams.",
    .watchdog = true,
    .when_silent = "The watchdog is told in every message; what the device does then is its own affair.",
    .settings = settings_table,
    .texts = texts_table,
    .open = open_stream,
    .configure = configure,
    .write = write_targets,
    .write_timed = write_timed,
    .power = power,
    .read = read_places,
    .sense = sense,
    .describe = describe,
    .count = count,
    .close = close_stream,
    .scan = &scan,
};
