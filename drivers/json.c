/* Joint streaming as a driver: each cycle a message with the targets of all axes by name goes out, and the
** newest report that came says where they are.  docs/devices.md has the fields. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/board.h"
#include "drivers/joint_stream.h"
#include "drivers/scan.h"

enum { SILENT = 200 /* cycles */, NAME = 64 };

extern const brio_protocol brio_protocol_json;

typedef struct stream {
  brio_exchange x;
  int count, silent;
  uint64_t sequence;
  double greatest; /* rad: what is beyond is no position */
  char names[BRIO_BOARD_AXES][NAME];
  const char *list[BRIO_BOARD_AXES];
  double lower[BRIO_BOARD_AXES], upper[BRIO_BOARD_AXES], places[BRIO_BOARD_AXES];
  bool fresh[BRIO_BOARD_AXES];
} stream;

static const brio_driver_setting settings_table[] = {
    {"latency", "s", "How long a report is waited for in each cycle.", 0.005, 0, 1},
    {"greatest", "1", "A reported position beyond this, either way, is not believed.", 100, 0, 1e6},
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

/* A name goes into JSON as it is. */
static bool take_name(stream *self, int i, const char *name, brio_error *err) {
  if (strlen(name) >= NAME || strpbrk(name, "\"\\\n"))
    return brio_fail(err, BRIO_MISUSE, "axis '%.64s' has a name that cannot be streamed", name);
  memcpy(self->names[i], name, strlen(name) + 1);
  self->list[i] = self->names[i];
  return true;
}

static bool start(stream *self, const brio_axis *axes, const double *settings, const char *const *texts,
                  brio_error *err) {
  for (int i = 0; i < self->count; i++) {
    if (!take_name(self, i, axes[i].name, err)) return false;
    self->lower[i] = axes[i].lower;
    self->upper[i] = axes[i].upper;
    self->places[i] = axes[i].start;
  }
  brio_port *port = brio_port_open(texts[0], 115200, err);
  brio_exchange_start(&self->x, &brio_protocol_json, port);
  if (!port) return false;
  self->x.latency = settings[0];
  self->greatest = settings[1];
  if (texts[1][0]) port->trace = brio_trace_open(texts[1], "json", texts[0], port->baud, err);
  return !texts[1][0] || port->trace;
}

static void *open_stream(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                         brio_error *err) {
  (void)seed;
  stream *self = context && count <= BRIO_BOARD_AXES ? calloc(1, sizeof *self) : NULL;
  if (!self) {
    brio_fail(err, BRIO_MISUSE, "joint streaming needs a port, and takes at most %d axes", BRIO_BOARD_AXES);
    return NULL;
  }
  self->count = count;
  if (start(self, axes, settings, context, err)) return self;
  close_stream(self);
  return NULL;
}

static bool write_targets(void *device, const double *targets, brio_error *err) {
  stream *self = device;
  double clamped[BRIO_BOARD_AXES];
  for (int i = 0; i < self->count; i++) /* NaN stays NaN, which is left out */
    clamped[i] = targets[i] < self->lower[i] ? self->lower[i] : targets[i] > self->upper[i] ? self->upper[i] : targets[i];
  if (!brio_joint_stream_make(&self->x.out, ++self->sequence, self->list, clamped, self->count))
    return brio_fail(err, BRIO_LIMIT, "the names of %d axes are too long for a message", self->count);
  return brio_exchange_send(&self->x, err);
}

static void take_place(void *context, const char *name, int length, double value) {
  stream *self = context;
  for (int i = 0; i < self->count; i++) {
    if (strncmp(self->names[i], name, (size_t)length) != 0 || self->names[i][length] != 0) continue;
    if (fabs(value) > self->greatest) return;
    self->places[i] = value;
    self->fresh[i] = true;
  }
}

static bool read_places(void *device, brio_axis_state *states, brio_error *err) {
  stream *self = device;
  uint8_t bytes[BRIO_FRAME_MOST];
  double wait = self->x.latency;
  int got, reports = 0;
  memset(self->fresh, 0, sizeof self->fresh);
  while ((got = brio_port_read(self->x.port, bytes, sizeof bytes, wait, err)) > 0 && reports < 64) {
    brio_wire_feed(&self->x.stream, bytes, got);
    for (wait = 0; brio_wire_next(&self->x.stream, &self->x.in) > 0; reports++)
      brio_joint_stream_positions(&self->x.in, take_place, self);
  }
  if (got < 0) return false;
  for (int i = 0; i < self->count; i++)
    states[i] = (brio_axis_state){.position = self->places[i], .valid = self->fresh[i]};
  self->silent = reports > 0 ? 0 : self->silent + 1;
  return self->silent < SILENT ||
         brio_fail(err, BRIO_DEVICE, "nothing was reported from %s for %d cycles", self->x.port->name, SILENT);
}

/* ---- looking for one ---- */

typedef struct heard {
  brio_scan_found *found;
  int count, most;
} heard;

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

/* Listen; over UDP a message without positions comes first, for a device must know whom to tell. */
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

static const brio_driver_scan scan = {
    .sends = "nothing: it listens; by UDP {\"seq\": 0, \"positions\": {}}",
    .ports = BRIO_SCAN_SERIAL | BRIO_SCAN_UDP, .bauds = (const int[]){115200, 0}, .last = -1, .alone = true, .look = look};


const brio_driver_kind brio_driver_json = {
    .name = "json",
    .alias = "udp",
    .doc = "Joint streaming: JSON in UDP datagrams.",
    .settings = settings_table,
    .texts = texts_table,
    .open = open_stream,
    .write = write_targets,
    .read = read_places,
    .close = close_stream,
    .scan = &scan,
};
