/* A device in a process of its own, which records every frame that reaches it: the commands that a robot
** received, as seen from outside, also after the engine has died.
**
**   witness FRAMES SPEED SAG NAME=START...
**
** It listens at a UDP port of this machine (the one that WITNESS_PORT names, or a free one), prints the port
** on standard output, and understands the messages of joint streaming (docs/devices/devices.md).
** Each goes into the file FRAMES as a line: when it was sent (s, by the kernel's stamp on arrival, which on
** one machine is the same), how much later it was read (s), its number, the watchdog it asks for (s), a goal
** for each NAME, or "-" for one that is left alone, and then where each is.  Its shafts move towards their
** goals at SPEED at most, and it answers with where they are.  When it was told nothing for 0.15 s they
** sag by SAG, once, as those of a device whose watchdog let go.  A datagram "probe N" is answered on
** standard output with "probe N: read": all that was sent before is in FRAMES.  A robot's own computer
** does not stall with the engine's: the witness runs at a real-time priority where it may.  It shares no
** code with brio. */
#include <arpa/inet.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 32, NAME = 48, PRIORITY = 85, ROOM = 4 << 20 /* bytes that wait to be read */ };

#define PATIENCE 0.15 /* s */

typedef struct shaft {
  char name[NAME];
  double goal, position;
} shaft;

static shaft shafts[MOST];
static int nshaft;

static double seconds(const struct timespec *t) { return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return seconds(&t);
}

/* Time at which the kernel received the datagram. */
static double stamp_of(struct msghdr *message) {
  struct timespec t = {0};
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPNS) memcpy(&t, CMSG_DATA(c), sizeof t);
  return seconds(&t);
}

static int open_port(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  const char *wanted = getenv("WITNESS_PORT");
  if (wanted) address.sin_port = htons((uint16_t)strtol(wanted, NULL, 10));
  int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1, room = ROOM;
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) ||
      getsockname(fd, (struct sockaddr *)&address, &size))
    return -1;
  printf("port: udp:127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return fd;
}

static double number_of(const char *text, const char *name) {
  const char *where = strstr(text, name);
  return where ? strtod(strchr(where, ':') + 1, NULL) : -1;
}

/* Record the frame and adopt its goals. */
static void take(char *text, double at, double late, FILE *frames) {
  fprintf(frames, "%.6f %.6f %.0f %g", at, late, number_of(text, "\"seq\""), number_of(text, "\"watchdog\""));
  char *positions = strstr(text, "\"positions\""), *end = positions ? strchr(positions, '}') : NULL;
  if (end) *end = 0;
  for (int i = 0; i < nshaft; i++) {
    char quoted[NAME + 8];
    snprintf(quoted, sizeof quoted, "\"%s\"", shafts[i].name);
    const char *where = positions ? strstr(positions, quoted) : NULL;
    if (where) shafts[i].goal = strtod(strchr(where, ':') + 1, NULL);
    if (where) fprintf(frames, " %.9f", shafts[i].goal);
    else fprintf(frames, " -");
  }
  for (int i = 0; i < nshaft; i++) fprintf(frames, " %.9f", shafts[i].position);
  fprintf(frames, "\n");
  fflush(frames);
}

/* Move the shafts for dt s: towards their goals, until the watchdog lets go. */
static void move(double dt, double speed, double sag) {
  double way = speed * fmin(dt, PATIENCE);
  for (int i = 0; i < nshaft; i++) {
    double d = shafts[i].goal - shafts[i].position;
    shafts[i].position += fmax(-way, fmin(way, d));
    if (dt > PATIENCE) shafts[i].goal = shafts[i].position += sag;
  }
}

static void answer(int fd, const struct sockaddr_in *to) {
  char text[4096];
  int n = snprintf(text, sizeof text, "{\"positions\":{");
  for (int i = 0; i < nshaft; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s\"%s\":%.9f", i ? "," : "", shafts[i].name,
                  shafts[i].position);
  n += snprintf(text + n, sizeof text - (size_t)n, "}}");
  sendto(fd, text, (size_t)n, 0, (const struct sockaddr *)to, sizeof *to);
}

static void serve(int fd, double speed, double sag, FILE *frames) {
  double last = now();
  for (;;) {
    char text[8192], room[256];
    struct sockaddr_in from;
    struct iovec piece = {text, sizeof text - 1};
    struct msghdr message = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &piece,
                             .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    ssize_t n = recvmsg(fd, &message, 0);
    if (n < 0) continue;
    text[n] = 0;
    if (strncmp(text, "probe ", 6) == 0) {
      printf("%s: read\n", text);
      fflush(stdout);
      continue;
    }
    double at = stamp_of(&message); /* not the time of reading, which may be late */
    move(at - last, speed, sag);
    last = at;
    take(text, at, now() - at, frames);
    answer(fd, &from);
  }
}

int main(int argc, char **argv) {
  FILE *frames = argc > 4 && argc - 4 <= MOST ? fopen(argv[1], "w") : NULL;
  if (!frames) return fprintf(stderr, "witness FRAMES SPEED SAG NAME=START...\n"), 2;
  for (int i = 4; i < argc; i++) {
    const char *equals = strchr(argv[i], '=');
    if (!equals) return 2;
    snprintf(shafts[nshaft].name, NAME, "%.*s", (int)(equals - argv[i]), argv[i]);
    shafts[nshaft].goal = shafts[nshaft].position = strtod(equals + 1, NULL);
    nshaft++;
  }
  int fd = open_port();
  if (fd < 0) return perror("witness"), 1;
  struct sched_param priority = {.sched_priority = PRIORITY};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  serve(fd, strtod(argv[2], NULL), strtod(argv[3], NULL), frames);
}
