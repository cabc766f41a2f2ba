/* Reading traces back, line by line: see trace.h. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/ports/trace.h"

/* The value of a hexadecimal digit; -1: the character is none. */
static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                : -1;
}

/* Return the first character that is not white space, or the terminating 0. */
static const char *skip_spaces(const char *at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

/* Read the name of the bus, which older traces lack.  Return what follows, or NULL. */
static const char *read_bus(const char *at, char bus[BRIO_TRACE_BUS]) {
  /* Without a name the direction comes first. */
  size_t length = 0;
  bus[0] = 0;
  if (*at == '<' || *at == '>') return at;
  while (at[length] && !isspace((unsigned char)at[length])) length++;
  if (length == 0 || length >= BRIO_TRACE_BUS) return NULL;
  memcpy(bus, at, length);
  bus[length] = 0;
  at = skip_spaces(at + length);
  return *at == '<' || *at == '>' ? at : NULL;
}

/* Return 1: a piece; 0: an empty line or a remark; -1: not a trace. */
int brio_trace_line(const char *line, brio_trace_piece *out) {
  char *end;
  const char *at = skip_spaces(line);
  out->count = 0;
  /* Remarks start with #. */
  if (*at == '#' || *at == 0) return 0;
  out->seconds = strtod(at, &end);
  if (end == at || !isfinite(out->seconds)) return -1;
  /* SECONDS [BUS] < or > HEX HEX ... */
  at = read_bus(skip_spaces(end), out->bus);
  if (!at) return -1;
  out->direction = *at++ == '<' ? BRIO_FROM_DEVICE : BRIO_TO_DEVICE;
  /* Pairs of digits, to the end of the line. */
  for (at = skip_spaces(at); *at; at = skip_spaces(at + 2)) {
    int high = hex_digit(at[0]), low = high < 0 ? -1 : hex_digit(at[1]);
    if (low < 0 || out->count == BRIO_FRAME_MOST) return -1;
    out->bytes[out->count++] = (uint8_t)(high << 4 | low);
  }
  return out->count > 0 ? 1 : -1;
}

bool brio_trace_remark(const char *line, char bus[BRIO_TRACE_BUS], char protocol[BRIO_TRACE_BUS], int *baud) {
  bus[0] = 0;
  /* Version 2 has the bus, version 1 does not. */
  if (sscanf(line, "# brio trace 2: %63s is %*[^,], %63[^,], %d baud", bus, protocol, baud) == 3) return true;
  /* Version 1 had one bus per file. */
  bus[0] = 0;
  return sscanf(line, "# brio trace 1: %63[^,], %*[^,], %d baud", protocol, baud) == 2;
}
