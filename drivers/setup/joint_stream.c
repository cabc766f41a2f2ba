/* Who streams joints: the scan of the driver `json`. */
#include <string.h>

#include "drivers/ports/exchange.h"
#include "drivers/protocols/joint_stream.h"
#include "drivers/setup/scan.h"

enum { NAME = 64 };

extern const brio_protocol brio_protocol_json;

/* The joints found so far. */
typedef struct heard {
  brio_scan_found *found;
  int count, most;
} heard;

/* Note each name once.  O(names). */
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

/* Listen for reports.  Over UDP an empty message is sent first, so that the device knows whom to
** answer. */
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
  /* At least 0.3 s: reports may be slow. */
  double until = brio_port_now(port) + fmax(latency, 0.3);
  while (got >= 0 && brio_port_now(port) < until) {
    got = brio_port_read(port, bytes, sizeof bytes, until - brio_port_now(port), err);
    if (got > 0) brio_wire_feed(&x.stream, bytes, got);
    while (got > 0 && brio_wire_next(&x.stream, &x.in) > 0) brio_joint_stream_positions(&x.in, hear, &all);
  }
  return got < 0 ? -1 : all.count;
}

const brio_driver_scan brio_joint_stream_scan = {
    .sends = "nothing: it listens; by UDP {\"seq\": 0, \"positions\": {}}",
    .ports = BRIO_SCAN_SERIAL | BRIO_SCAN_UDP,
    .bauds = (const int[]){115200, 0},
    .last = -1,
    .alone = true,
    .look = look,
};
