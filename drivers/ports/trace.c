/* Traffic in a file, as text for people: see trace.h.  The thread that talks to the device puts
** records into a ring, O(bytes), and never waits; another thread writes them to the file.
** trace_read.c reads traces back. */
#include "drivers/ports/trace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/threads/lines.h"
#include "base/threads/ring.h"

/* PART: bytes of traffic per record.  RECORDS: capacity of the ring.  OUT: buffer of the writing
** thread.  LINE: a line without its bytes.  LONGEST: a line with them. */
enum { PART = 112 /* bytes of a record */, RECORDS = 4096, OUT = 1 << 16, LINE = 256,
       LONGEST = LINE + 3 * BRIO_FRAME_MOST /* of a line */ };
enum { BAUD = BRIO_EITHER_WAY /* the direction of a record with a baud rate */ };

/* A piece of traffic, or a part that others follow. */
typedef struct record {
  double now;
  uint8_t direction, goes_on;
  uint16_t count;
  uint8_t bytes[PART];
} record;

struct brio_trace {
  int fd;
  int failure;               /* of the writing thread: errno of a failed write; 0: none */
  bool inside;               /* its line is not finished */
  pthread_t thread;
  atomic_bool ends;
  atomic_uint_fast64_t lost; /* pieces dropped because the ring was full */
  uint64_t told, pieces;     /* lost pieces that were reported; pieces written */
  int nout;
  brio_ring ring;
  char bus[BRIO_TRACE_BUS], path[256], out[OUT];
};

/* ---- the writing thread ---- */

/* Write the buffer.  After a failure everything else is dropped. */
static void flush_out(brio_trace *trace) {
  for (int at = 0; at < trace->nout && !trace->failure;) {
    /* A write may be partial; 0 bytes without an error counts as a full disk. */
    ssize_t put = write(trace->fd, trace->out + at, (size_t)(trace->nout - at));
    if (put > 0) at += (int)put;
    else if (errno != EINTR) trace->failure = put < 0 ? errno : ENOSPC;
  }
  trace->nout = 0;
}

/* Report missing pieces, between lines. */
static void tell_lost(brio_trace *trace) {
  uint64_t lost = atomic_load(&trace->lost);
  if (lost == trace->told || trace->inside) return;
  /* Lines of a lost piece would be incomplete. */
  trace->nout += snprintf(trace->out + trace->nout, LINE,
                          "# %s lost %llu pieces here: the disk was too slow\n", trace->bus,
                          (unsigned long long)(lost - trace->told));
  trace->told = lost;
}

/* Add a record to the buffer, in hexadecimal.  A piece of several records is one line. */
static void tell_record(brio_trace *trace, const record *one) {
  static const char digits[] = "0123456789ABCDEF";
  /* Room for the longest line, so that a line is never split. */
  if (trace->nout > OUT - LONGEST && !trace->inside) flush_out(trace);
  assert(trace->nout >= 0 && trace->nout <= OUT - LINE);
  char *out = trace->out + trace->nout;
  /* A change of the rate is a remark on a line of its own. */
  if (one->direction == BAUD) {
    int baud;
    memcpy(&baud, one->bytes, sizeof baud);
    trace->nout += snprintf(out, LINE, "# %s at %d baud from %.6f on\n", trace->bus, baud, one->now);
    return;
  }
  /* The head of a line: time, bus, direction. */
  if (!trace->inside)
    out += snprintf(out, LINE, "%.6f %s %c", one->now, trace->bus,
                    one->direction == BRIO_FROM_DEVICE ? '<' : '>');
  /* Each byte is a space and two digits. */
  for (int i = 0; i < one->count; i++) {
    *out++ = ' ';
    *out++ = digits[one->bytes[i] >> 4];
    *out++ = digits[one->bytes[i] & 15];
  }
  if (!one->goes_on) *out++ = '\n';
  /* The last record of a piece ends its line. */
  trace->pieces += !one->goes_on;
  trace->inside = one->goes_on;
  trace->nout = (int)(out - trace->out);
}

/* Write what is waiting, whole lines at a time: other buses append to the same file. */
static void drain(brio_trace *trace) {
  record one;
  /* After a failure the ring is emptied all the same. */
  while (brio_ring_get(&trace->ring, &one)) {
    if (!trace->failure) tell_record(trace, &one);
  }
  if (trace->failure) return;
  tell_lost(trace);
  if (!trace->inside) flush_out(trace);
}

/* Write 50 times a second until the trace ends, then once more. */
static void *work(void *context) {
  brio_trace *trace = context;
  const struct timespec nap = {0, 20000000};
  /* A round every 20 ms; meanwhile the ring takes up to 4096 records. */
  while (!atomic_load(&trace->ends)) {
    drain(trace);
    nanosleep(&nap, NULL);
  }
  drain(trace);
  return NULL;
}

/* ---- opening and closing ---- */

/* Make a short name of a port: "ttyUSB0" from /dev/ttyUSB0, "can0" from can:can0. */
static void name_bus(const char *port, char bus[BRIO_TRACE_BUS]) {
  const char *last = strrchr(port, '/'), *scheme = strchr(port, ':');
  const char *from = last ? last + 1 : scheme ? scheme + 1 : port;
  /* The end of a long name is more specific than its start. */
  size_t length = strlen(from), skip = length >= BRIO_TRACE_BUS ? length - BRIO_TRACE_BUS + 1 : 0;
  snprintf(bus, BRIO_TRACE_BUS, "%s", from + skip);
  for (char *c = bus; *c; c++)
    /* Replace characters that separate the parts of a line. */
    if (*c <= ' ' || *c == '<' || *c == '>' || *c == '#' || *c == ',') *c = '_';
  if (!bus[0]) snprintf(bus, BRIO_TRACE_BUS, "port");
}

/* Start the thread with all signals blocked: the engine handles them elsewhere. */
static bool start_thread(brio_trace *trace) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int failed = pthread_create(&trace->thread, NULL, work, trace);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed == 0;
}

/* Free the trace.  Its thread has ended, or was never started. */
static void give_back(brio_trace *trace) {
  if (trace->fd >= 0) close(trace->fd);
  brio_ring_end(&trace->ring);
  free(trace);
}

brio_trace *brio_trace_open(const char *path, const char *protocol, const char *port, int baud,
                            brio_error *err) {
  brio_trace *trace = brio_lines_new(sizeof *trace);
  /* All memory is taken here; the ring belongs to the trace. */
  if (!trace || !brio_ring_start(&trace->ring, sizeof(record), RECORDS)) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a trace");
    free(trace);
    return NULL;
  }
  name_bus(port, trace->bus);
  snprintf(trace->path, sizeof trace->path, "%s", path);
  /* O_APPEND: several buses may share a file. */
  trace->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  char head[512];
  /* The first line describes what follows. */
  int length = snprintf(head, sizeof head, "# brio trace 2: %s is %.200s, %s, %d baud\n", trace->bus, port,
                        protocol, baud);
  if (trace->fd >= 0 && write(trace->fd, head, (size_t)length) == length && start_thread(trace)) return trace;
  brio_fail(err, BRIO_IO, "the trace '%.200s' cannot be written: %s", path, strerror(errno));
  give_back(trace);
  return NULL;
}

bool brio_trace_close(brio_trace *trace, brio_error *err) {
  if (!trace) return true;
  /* The thread writes what is left before it ends. */
  atomic_store(&trace->ends, true);
  pthread_join(trace->thread, NULL);
  trace->nout = snprintf(trace->out, LINE, "# %s closed: %llu pieces, %llu lost\n", trace->bus,
                         /* The last line reports the totals: without it the trace was cut short. */
                         (unsigned long long)trace->pieces, (unsigned long long)trace->told);
  flush_out(trace);
  /* The first failed write is the one to report. */
  int failure = trace->failure;
  if (failure)
    brio_fail(err, BRIO_IO, "the trace '%.200s' could not be written to its end: %s", trace->path,
              strerror(failure));
  give_back(trace);
  return failure == 0;
}

/* ---- the thread that talks to the device ---- */

/* Put a piece into the ring, whole or not at all. */
static void note_piece(brio_trace *trace, double now, brio_direction direction, const uint8_t *bytes,
                       int count) {
  assert(count >= 0);
  record one = {.now = now, .direction = (uint8_t)direction};
  size_t parts = (size_t)(count > 0 ? (count + PART - 1) / PART : 0);
  /* Drop the piece if the ring has no room for all its parts. */
  if (brio_ring_waiting(&trace->ring) + parts > trace->ring.mask + 1) {
    atomic_fetch_add(&trace->lost, 1);
    return;
  }
  /* The parts of a piece are adjacent in the ring: there is one writer. */
  for (int at = 0; at < count; at += PART) {
    int part = count - at < PART ? count - at : PART;
    one.count = (uint16_t)part;
    one.goes_on = at + part < count;
    memcpy(one.bytes, bytes + at, (size_t)part);
    brio_ring_put(&trace->ring, &one);
  }
}

void brio_trace_write(brio_trace *trace, double now, brio_direction direction, const uint8_t *bytes,
                      int count) {
  for (int at = 0; at < count; at += BRIO_FRAME_MOST) /* a line has one frame at most */
    note_piece(trace, now, direction, bytes + at,
               count - at < BRIO_FRAME_MOST ? count - at : BRIO_FRAME_MOST);
}

/* A full ring drops it: the rate is also in the first line. */
void brio_trace_baud(brio_trace *trace, double now, int baud) {
  record one = {.now = now, .direction = BAUD};
  memcpy(one.bytes, &baud, sizeof baud);
  brio_ring_put(&trace->ring, &one);
}
