/* Shared by the scans of all families: see scan.h. */
#include "drivers/setup/scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A list of rates, a function, or none at all (0). */
int brio_scan_baud(const brio_driver_scan *scan, int i) {
  return scan->bauds ? scan->bauds[i] : scan->baud_at ? scan->baud_at(scan, i) : 0;
}

/* The kind of a port, by its name. */
unsigned brio_scan_port(const char *name) {
  if (strncmp(name, "can:", 4) == 0 || strncmp(name, "unix:", 5) == 0) return BRIO_SCAN_CAN;
  return strncmp(name, "udp:", 4) == 0 ? BRIO_SCAN_UDP : BRIO_SCAN_SERIAL;
}

/* Limits are unknown until a scan reads them. */
void brio_scan_note(brio_scan_found *found, int id, int axes, int first, const char *format, ...) {
  va_list list;
  *found = (brio_scan_found){
      .id = id, .axes = axes, .first = first, .known = true, .lower = NAN, .upper = NAN};
  va_start(list, format);
  vsnprintf(found->words, sizeof found->words, format, list);
  va_end(list);
}

/* The port failed: the scan ends with its error. */
int brio_scan_gone(brio_error *err, const brio_error *why) {
  if (err) *err = *why;
  return -1;
}
