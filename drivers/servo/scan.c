/* Scanning for bus servos of any family: a ping to each id, and a read of the limits of those that
** answer. */
#include "drivers/servo/bus.h"
#include "drivers/setup/scan.h"

/* Ids 0 to 252. */
enum { FOUND = 253 };

int brio_servo_scan_baud(const brio_driver_scan *scan, int i) {
  const brio_servo_family *family = scan->own;
  return family->bauds[i].baud;
}

/* Read the limits stored in a servo.  Without any it is multi-turn, and they stay unknown. */
static void ask_limits(brio_servo_bus *bus, brio_scan_found *found) {
  /* Unknown models have the registers of the family. */
  const brio_servo_family *layout = brio_servo_bus_layout(bus, found->id);
  int32_t lower, upper;
  if (!brio_servo_bus_get(bus, found->id, BRIO_ROLE_LOWER, &lower, NULL) ||
      !brio_servo_bus_get(bus, found->id, BRIO_ROLE_UPPER, &upper, NULL) || lower >= upper)
    return;
  found->lower = brio_servo_angle(layout, lower);
  found->upper = brio_servo_angle(layout, upper);
}

/* Unknown models are reported, too, with a hint if two servos share an id. */
int brio_servo_scan_look(const brio_driver_scan *scan, brio_port *port, int first, int last, double latency,
                         brio_scan_found *found, int most, brio_error *err) {
  brio_servo_found answered[FOUND];
  brio_servo_bus bus;
  /* The port is at the rate to be tried; the bus starts empty each time. */
  brio_servo_bus_start(&bus, scan->own, port);
  bus.x.latency = latency;
  int count = brio_servo_bus_scan(&bus, first, last, answered, FOUND, err);
  for (int i = 0; i < count && i < FOUND && i < most; i++) {
    /* A known model is named; garbled reports are a second servo with the same id, or noise. */
    const brio_servo_found *one = &answered[i];
    const char *model = brio_servo_model_name(bus.family, one->model);
    const char *doubt = one->garbled ? ", whose reports are garbled: two servos with this id?" : "";
    if (model) brio_scan_note(&found[i], one->id, 1, one->id, "%s%s", model, doubt);
    else
      brio_scan_note(&found[i], one->id, 1, one->id, "a model %d that brio does not know%s", one->model,
                     doubt);
    found[i].known = model != NULL;
    ask_limits(&bus, &found[i]);
  }
  return count;
}
