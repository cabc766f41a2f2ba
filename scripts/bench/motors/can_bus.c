/* Whether six drives by CiA 402 keep up with 1 kHz over the socket that stands for a CAN bus: each period
** tells all their targets and asks where they are, by the driver that robots use; the emulator is a
** process of its own.  A period is kept when it began within half of it and all drives answered before it
** ended.  Empty periods after it say what the machine allows.
**   build/bench/motors/can_bus [DRIVES] [HZ] [SECONDS]
** Prints a line of JSON; cpu is the share of a core that each of the two processes took. */
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/driver.h"
#include "drivers/emulators/port.h"

enum { MOST = 32, NAME = 128 };

/* How the periods went. */
typedef struct tally {
  long kept, late, unanswered;
  double cycle, slowest; /* s: on the mean; the longest */
} tally;

static void hurry(int priority) {
  sched_setscheduler(0, SCHED_FIFO,
                     &(struct sched_param){.sched_priority = priority}); /* as the motor side asks for */
  prctl(PR_SET_TIMERSLACK, 1);
}

/* The child: serve until killed. */
static void serve(int drives, int tell) {
  brio_error err = {0};
  char typed[BRIO_EMULATOR_LINE];
  brio_emulator_options options = {.servos = drives, .first_id = 1};
  brio_emulator *line = brio_emulator_open(brio_emulator_find("epos", NULL), &options, &err);
  brio_emulator_port *port = line ? brio_emulator_port_open(line, NULL, &err) : NULL;
  const char *name = port ? brio_emulator_port_name(port) : "";
  if (line) brio_emulator_set(line, BRIO_LINE_PACED, 0); /* more than a bus of 1 Mbit/s carries */
  if (write(tell, name, strlen(name) + 1) < 0) _exit(1);
  while (port && brio_emulator_port_step(port, 1, false, typed, &err) >= 0) continue;
  _exit(1);
}

static double cpu_of(int who) {
  struct rusage use;
  getrusage(who, &use);
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

static void *open_drives(int drives, const char *port, brio_error *err) {
  static brio_axis axes[MOST];
  const brio_driver_kind *kind = brio_driver_find("epos", err);
  double settings[32];
  const char *texts[BRIO_DRIVER_TEXTS] = {0};
  for (int i = 0; kind->settings[i].name; i++) settings[i] = kind->settings[i].fallback;
  for (int i = 0; kind->texts[i].name; i++) texts[i] = kind->texts[i].fallback;
  for (int i = 0; i < drives; i++) axes[i] = (brio_axis){"axis", -3, 3, 10, 100, 0};
  texts[0] = port;
  return kind->open(axes, drives, settings, 0, texts, err);
}

/* One period: targets out, places in. */
static bool cycle(const brio_driver_kind *kind, void *device, int drives, double time) {
  double targets[MOST];
  brio_axis_state states[MOST];
  bool all = true;
  for (int i = 0; i < drives; i++) targets[i] = 0.5 * sin(time + i);
  if (!kind->write(device, targets, NULL) || !kind->read(device, states, NULL)) return false;
  for (int i = 0; i < drives; i++) all = all && states[i].valid;
  return all;
}

/* Periods with all drives, or, without a device, empty ones: what the machine allows. */
static void run(const brio_driver_kind *kind, void *device, int drives, double hz, long periods, tally *out) {
  int64_t period = (int64_t)(1e9 / hz), next = brio_clock_monotonic() + period;
  for (long k = 0; k < periods; k++, next += period) {
    struct timespec at = {next / 1000000000, next % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    int64_t began = brio_clock_monotonic();
    bool all = !device || cycle(kind, device, drives, (double)k / hz);
    int64_t ended = brio_clock_monotonic();
    double took = (double)(ended - began) * 1e-9;
    bool late = began - next > period / 2 || ended - next > period;
    out->kept += all && !late;
    out->late += late;
    out->unanswered += !all;
    out->cycle += took / (double)periods;
    out->slowest = fmax(out->slowest, took);
  }
}

int main(int argc, char **argv) {
  int drives = argc > 1 ? atoi(argv[1]) : 6, tell[2];
  double hz = argc > 2 ? atof(argv[2]) : 1000, seconds = argc > 3 ? atof(argv[3]) : 10;
  char name[NAME] = "";
  bool on[MOST];
  brio_error err = {0};
  const brio_driver_kind *kind = brio_driver_find("epos", &err);
  if (drives < 1 || drives > MOST || pipe(tell) != 0) return 2;
  pid_t child = fork();
  if (child == 0) serve(drives, tell[1]);
  if (read(tell[0], name, sizeof name - 1) < 1) return 1;
  hurry(75);
  void *device = open_drives(drives, name, &err);
  for (int i = 0; i < drives; i++) on[i] = true;
  if (!device || !kind->power(device, on, &err)) {
    fprintf(stderr, "%s\n", err.message);
    kill(child, SIGKILL);
    return 1;
  }
  tally told = {0}, empty = {0};
  long periods = (long)(hz * seconds);
  double before = cpu_of(RUSAGE_SELF);
  run(kind, device, drives, hz, periods, &told);
  double own = (cpu_of(RUSAGE_SELF) - before) / seconds;
  kind->close(device);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  const long idle = periods / 2;
  run(kind, NULL, drives, hz, idle, &empty);
  printf("{\"drives\": %d, \"hz\": %g, \"periods\": %ld, \"kept\": %ld, \"late\": %ld, \"unanswered\": %ld, "
         "\"lost_percent\": %.3f, "
         "\"empty_lost_percent\": %.3f, \"cycle_us\": %.1f, \"slowest_us\": %.1f, \"cpu_host\": %.3f, "
         "\"cpu_emulator\": %.3f}\n",
         drives, hz, periods, told.kept, told.late, told.unanswered,
         100.0 * (double)(periods - told.kept) / (double)periods,
         100.0 * (double)empty.late / (double)idle, told.cycle * 1e6, told.slowest * 1e6, own,
         cpu_of(RUSAGE_CHILDREN) / seconds);
  return 0;
}
