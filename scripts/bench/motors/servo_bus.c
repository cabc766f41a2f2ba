/* How near a bus of emulated Dynamixels comes to what its wire allows: cycles of a sync write of goals
** and a fast sync read of places, over a pseudo-terminal, with the emulator in a process of its own that
** takes the time of the baud rate for each byte.  The limit is the bytes' time alone.
**   build/bench/motors/servo_bus [SERVOS] [BAUD] [SECONDS] [fifo]
** fifo: both with real-time priority, as `brio run` asks for it.
** Prints a line of JSON: cpu is the share of a core that each of the two processes took; emulator_late_us, by
** how much the emulator handed an answer out after it was due, on average: it is in the cycles' time all the
** same. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/emulators/port.h"
#include "drivers/servo/bus.h"

enum { MOST = 64, PLACE = 4 };

extern const brio_servo_family brio_servo_dynamixel2;

/* What the child leaves for the parent. */
typedef struct shared {
  int64_t handed;
  double late; /* s */
} shared;

/* The child: serve until killed. */
static void serve(int servos, int baud, int tell, shared *out) {
  brio_error err = {0};
  char typed[BRIO_EMULATOR_LINE];
  brio_emulator_options options = {.servos = servos, .first_id = 1, .baud = baud};
  brio_emulator *line = brio_emulator_open(brio_emulator_find("dynamixel", NULL), &options, &err);
  brio_emulator_port *port = line ? brio_emulator_port_open(line, NULL, &err) : NULL;
  const char *name = port ? brio_emulator_port_name(port) : "";
  if (write(tell, name, strlen(name) + 1) < 0) _exit(1);
  while (port && brio_emulator_port_step(port, 0.1, false, typed, &err) >= 0)
    out->handed = brio_emulator_port_late(port, &out->late);
  _exit(1);
}

static double cpu_of(int who) {
  struct rusage use;
  getrusage(who, &use);
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

/* Run cycles for some seconds.  Return how many were whole. */
static long run(brio_servo_bus *bus, int servos, double seconds, double *took) {
  uint8_t ids[MOST], goals[MOST * PLACE] = {0}, places[MOST * PLACE];
  bool valid[MOST];
  long whole = 0;
  for (int i = 0; i < servos; i++) ids[i] = (uint8_t)(i + 1);
  for (int i = 0; i < servos; i++) goals[i * PLACE + 1] = 8;
  int64_t began = brio_clock_monotonic();
  while ((*took = (double)(brio_clock_monotonic() - began) * 1e-9) < seconds) {
    if (!brio_servo_bus_sync_write(bus, ids, servos, 116, PLACE, goals, NULL)) break;
    whole += brio_servo_bus_sync_read(bus, ids, servos, 132, PLACE, places, valid, NULL, NULL) == servos;
  }
  return whole;
}

int main(int argc, char **argv) {
  int servos = argc > 1 ? atoi(argv[1]) : 20, baud = argc > 2 ? atoi(argv[2]) : 1000000, tell[2];
  double seconds = argc > 3 ? atof(argv[3]) : 5, took = 0;
  char name[128] = "";
  static brio_servo_bus bus;
  brio_error err = {0};
  shared *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (argc > 4 && sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 75}) != 0) {
    fprintf(stderr, "no real-time priority here\n");
    return 1;
  }
  if (servos < 1 || servos > MOST || seen == MAP_FAILED || pipe(tell) != 0) return 2;
  pid_t child = fork();
  if (child == 0) serve(servos, baud, tell[1], seen);
  if (read(tell[0], name, sizeof name - 1) < 1) return 1;
  brio_port *port = brio_port_open(name, baud, &err);
  if (!port) {
    fprintf(stderr, "%s\n", err.message);
    kill(child, SIGKILL);
    return 1;
  }
  brio_servo_bus_start(&bus, &brio_servo_dynamixel2, port);
  for (int i = 1; i <= servos; i++) brio_servo_bus_set(&bus, i, BRIO_ROLE_RETURN_DELAY, 0, &err);
  double before = cpu_of(RUSAGE_SELF);
  long whole = run(&bus, servos, seconds, &took);
  double own = (cpu_of(RUSAGE_SELF) - before) / took;
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  int bytes = (14 + 5 * servos) + (14 + servos) + (8 + 8 * servos);
  double limit = baud / 10.0 / bytes, late = seen->handed > 0 ? 1e6 * seen->late / (double)seen->handed : 0;
  printf("{\"servos\": %d, \"baud\": %d, \"cycles_per_s\": %.1f, \"limit\": %.1f, \"share\": %.3f, "
         "\"cpu_host\": %.3f, "
         "\"cpu_emulator\": %.3f, \"emulator_late_us\": %.1f, \"timeouts\": %llu}\n",
         servos, baud, (double)whole / took, limit, (double)whole / took / limit, own,
         cpu_of(RUSAGE_CHILDREN) / took, late, (unsigned long long)bus.x.timeouts);
  brio_port_close(port);
  return 0;
}
