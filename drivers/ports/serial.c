/* Real serial ports through libserialport: opening, setting and listing them.  Bytes go through the
** file descriptor (port.c), because libserialport waits by a clock that may step, and does not tell
** a hang-up from silence. */
#include <libserialport.h>
#include <stdio.h>
#include <string.h>

#include "drivers/ports/port_internal.h"

/* Report the last failure of libserialport.  Return false. */
static bool failed(const char *name, const char *what, enum sp_return result, brio_error *err) {
  /* Only SP_ERR_FAIL has a message of the system. */
  char *words = result == SP_ERR_FAIL ? sp_last_error_message() : NULL;
  /* Other codes have fixed words. */
  const char *fixed = result == SP_ERR_ARG    ? "it is no serial port"
                      : result == SP_ERR_SUPP ? "it does not support that"
                                              : "no memory";
  brio_fail(err, BRIO_DEVICE, "%s %s: %s", name, what, words ? words : fixed);
  if (words) sp_free_error_message(words);
  return false;
}

/* Set the rate; the reason of a refusal is libserialport's. */
static bool set_baud(brio_port *port, int baud, brio_error *err) {
  enum sp_return result = sp_set_baudrate(port->own, baud);
  return result == SP_OK || failed(port->name, "refuses its baud rate", result, err);
}

/* The first setting that fails ends the list; -1: leave that line as it is. */
static bool set_line(brio_port *port, const brio_port_line *line, brio_error *err) {
  /* In the order of our own constants. */
  static const enum sp_parity parities[] = {SP_PARITY_NONE, SP_PARITY_EVEN, SP_PARITY_ODD};
  static const enum sp_flowcontrol flows[] = {SP_FLOWCONTROL_NONE, SP_FLOWCONTROL_RTSCTS,
                                              SP_FLOWCONTROL_XONXOFF};
  struct sp_port *own = port->own;
  /* Data format first; then flow control, which may switch RTS and DTR; then these two lines. */
  enum sp_return result = sp_set_bits(own, line->bits);
  if (result == SP_OK) result = sp_set_parity(own, parities[line->parity]);
  if (result == SP_OK) result = sp_set_stopbits(own, line->stop);
  if (result == SP_OK) result = sp_set_flowcontrol(own, flows[line->flow]);
  if (result == SP_OK && line->rts >= 0) result = sp_set_rts(own, line->rts ? SP_RTS_ON : SP_RTS_OFF);
  if (result == SP_OK && line->dtr >= 0) result = sp_set_dtr(own, line->dtr ? SP_DTR_ON : SP_DTR_OFF);
  return result == SP_OK || failed(port->name, "refuses these settings", result, err);
}

/* Close the descriptor and free libserialport's record. */
static void close_serial(brio_port *port) {
  sp_close(port->own);
  sp_free_port(port->own);
}

/* Set 8 bits, no parity, 1 stop bit, no flow control, and the port's baud rate. */
static bool configure(brio_port *port, brio_error *err) {
  /* Parity and stop bits may be left over from another program. */
  struct sp_port *own = port->own;
  enum sp_return result = sp_set_bits(own, 8);
  if (result == SP_OK) result = sp_set_parity(own, SP_PARITY_NONE);
  if (result == SP_OK) result = sp_set_stopbits(own, 1);
  if (result == SP_OK) result = sp_set_flowcontrol(own, SP_FLOWCONTROL_NONE);
  if (result != SP_OK) return failed(port->name, "refuses 8 bits without parity", result, err);
  return set_baud(port, port->baud, err);
}

bool brio_port_open_serial(brio_port *port, const char *path, brio_error *err) {
  static const brio_port_kind kind = {NULL, NULL, set_baud, close_serial, set_line};
  struct sp_port *own = NULL;
  /* The record of the port exists before it is opened, and must be freed on failure. */
  enum sp_return result = sp_get_port_by_name(path, &own);
  if (result != SP_OK) return failed(port->name, "cannot be opened", result, err);
  result = sp_open(own, SP_MODE_READ_WRITE);
  if (result != SP_OK) {
    sp_free_port(own);
    return failed(port->name, "cannot be opened", result, err);
  }
  port->kind = &kind;
  port->own = own;
  /* Bytes from before the opening are dropped. */
  if (sp_get_port_handle(own, &port->fd) == SP_OK && configure(port, err)) {
    sp_flush(own, SP_BUF_BOTH);
    return true;
  }
  close_serial(port);
  return false;
}

/* Return `text`, or `other` where it is NULL or empty. */
static const char *text_or(const char *text, const char *other) { return text && *text ? text : other; }

/* Return the number of ports, which may be more than `most`. */
int brio_port_list(brio_port_found *out, int most) {
  struct sp_port **ports = NULL;
  int count = 0;
  /* Without a list there are no ports. */
  if (sp_list_ports(&ports) != SP_OK) return 0;
  for (; ports[count]; count++) {
    if (count >= most) continue;
    const struct sp_port *one = ports[count];
    /* The serial number distinguishes equal adapters. */
    const char *serial = text_or(sp_get_port_usb_serial(one), "");
    snprintf(out[count].name, sizeof out[count].name, "%s", sp_get_port_name(one));
    snprintf(out[count].words, sizeof out[count].words, "%s%s%s",
             text_or(sp_get_port_description(one), "serial port"), *serial ? ", serial number " : "", serial);
  }
  sp_free_port_list(ports);
  return count;
}
