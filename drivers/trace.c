/* Traffic on file, in text that people read and brio reads back. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/trace.h"

struct brio_trace {
  FILE *file;
  double began; /* NAN: nothing was written yet */
  char path[256];
};

brio_trace *brio_trace_open(const char *path, const char *protocol, const char *port, int baud, brio_error *err) {
  brio_trace *trace = calloc(1, sizeof *trace);
  if (!trace) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a trace");
    return NULL;
  }
  trace->file = fopen(path, "a");
  trace->began = NAN;
  snprintf(trace->path, sizeof trace->path, "%s", path);
  if (!trace->file) {
    brio_fail(err, BRIO_IO, "the trace '%.200s' cannot be written: %s", path, strerror(errno));
    free(trace);
    return NULL;
  }
  fprintf(trace->file, "# brio trace 1: %s, %s, %d baud\n", protocol, port, baud);
  return trace;
}

void brio_trace_write(brio_trace *trace, double now, brio_direction direction, const uint8_t *bytes, int count) {
  if (isnan(trace->began)) trace->began = now;
  fprintf(trace->file, "%.6f %c", now - trace->began, direction == BRIO_FROM_DEVICE ? '<' : '>');
  for (int i = 0; i < count; i++) fprintf(trace->file, " %02X", bytes[i]);
  fputc('\n', trace->file);
}

bool brio_trace_close(brio_trace *trace, brio_error *err) {
  if (!trace) return true;
  bool good = !ferror(trace->file);
  if (fclose(trace->file) != 0) good = false;
  if (!good) brio_fail(err, BRIO_IO, "the trace '%.200s' could not be written to its end", trace->path);
  free(trace);
  return good;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int brio_trace_line(const char *line, double *seconds, brio_direction *direction, uint8_t *out, int room) {
  char *at;
  while (isspace((unsigned char)*line)) line++;
  if (*line == '#' || *line == 0) return 0;
  *seconds = strtod(line, &at);
  while (*at == ' ' || *at == '\t') at++;
  if (at == line || !isfinite(*seconds) || (*at != '<' && *at != '>')) return -1;
  *direction = *at++ == '<' ? BRIO_FROM_DEVICE : BRIO_TO_DEVICE;
  int count = 0;
  for (;;) {
    while (isspace((unsigned char)*at)) at++;
    if (!*at) return count;
    int high = hex_digit(at[0]), low = high < 0 ? -1 : hex_digit(at[1]);
    if (low < 0 || count == room) return -1;
    out[count++] = (uint8_t)(high << 4 | low);
    at += 2;
  }
}
