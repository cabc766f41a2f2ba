/* Scanning for CiA 402 drives: object 1000:00 holds the device type, 402 in the low half for a
** drive. */
#include <math.h>
#include <string.h>

#include "drivers/cia402/axes.h"
#include "drivers/setup/scan.h"

/* The profile number of drives, and the longest name that is printed. */
enum { DRIVE = 402, NAME = 48 };

/* Describe a node: a drive with its state, or another device. */
static void note(brio_scan_found *found, int node, int type, const char *name, int status) {
  if (type == DRIVE)
    brio_scan_note(found, node, 1, node, "%s%sa drive by CiA 402, %s", name, *name ? ": " : "",
                   brio_cia402_state_words(brio_cia402_state_of((uint16_t)status)));
  else brio_scan_note(found, node, 0, node, "a CANopen device by CiA %d, which is no drive", type);
  found->known = type == DRIVE;
}

/* Read the device type, the name and the status word of a node. */
static void ask_more(brio_canopen *bus, int node, brio_scan_found *found) {
  uint8_t bytes[4] = {0}, name[NAME + 1] = {0};
  int length = 0, type = 0;
  if (brio_canopen_read(bus, node, 0x1000, 0, bytes, sizeof bytes, &length, NULL))
    /* The low half is the profile. */
    type = brio_cia402_number(bytes, 2);
  if (!brio_canopen_read(bus, node, 0x1008, 0, name, NAME, &length, NULL)) length = 0;
  /* Replace characters that cannot be printed. */
  for (int i = 0; i < length; i++)
    if (name[i] < ' ' || name[i] > '~') name[i] = name[i] ? '?' : 0;
  /* FFFF is no state: it is reported as unknown. */
  if (!brio_canopen_read(bus, node, 0x6041, 0, bytes, sizeof bytes, &length, NULL))
    memset(bytes, 0xFF, sizeof bytes);
  note(found, node, type, (const char *)name, brio_cia402_number(bytes, 2));
}

int brio_cia402_look_bus(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                         brio_scan_found *found, int most, brio_error *err) {
  uint8_t nodes[BRIO_CANOPEN_NODES];
  brio_canopen bus;
  (void)row;
  /* At least 20 ms: many nodes reply at once. */
  brio_canopen_start(&bus, port, fmax(latency, 0.02));
  if (last > BRIO_CANOPEN_NODES) last = BRIO_CANOPEN_NODES;
  int count = brio_canopen_scan(&bus, first < 1 ? 1 : first, last, nodes, err);
  for (int i = 0; i < count && i < most; i++) ask_more(&bus, nodes[i], &found[i]);
  return count;
}

int brio_cia402_look_line(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                          brio_scan_found *found, int most, brio_error *err) {
  extern const brio_protocol brio_protocol_epos;
  brio_exchange x;
  int count = 0;
  (void)row;
  brio_exchange_start(&x, &brio_protocol_epos, port);
  x.latency = latency;
  /* One request after another: a serial line has one reply at a time. */
  for (int node = first < 1 ? 1 : first; node <= last && count < most; node++) {
    brio_error why = {0};
    int32_t type = 0, status = 0xFFFF;
    bool there = brio_cia402_line_read(&x, node, 0x1000, 0, &type, &why);
    /* A port failure ends the scan; silence does not. */
    if (why.code == BRIO_IO) return brio_scan_gone(err, &why);
    if (!there) continue;
    brio_cia402_line_read(&x, node, 0x6041, 0, &status, NULL);
    note(&found[count++], node, type & 0xFFFF, "", status);
  }
  return count;
}
