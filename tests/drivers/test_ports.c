/* Ports of this machine and simulated ones: the time limit of writing under signals, and baud rates. */
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>

#include "base/clock.h"
#include "drivers/ports/port.h"
#include "tests/check.h"

/* ---- a line that takes nothing ---- */

static void ignore(int signal) { (void)signal; }

/* Interrupt the process every 5 ms, or no more. */
static void interrupt(bool on) {
  const struct itimerval often = {{0, 5000}, {0, 5000}}, never = {0};
  const struct sigaction action = {.sa_handler = ignore};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, on ? &often : &never, NULL);
}

/* A signal during the wait for room is not the end of the wait. */
static void test_signals(void) {
  static uint8_t bytes[1 << 20];
  brio_error err = {0};
  int other = posix_openpt(O_RDWR | O_NOCTTY);
  if (other < 0 || grantpt(other) || unlockpt(other)) SKIP("no pseudo-terminals");
  brio_port *port = brio_port_open(ptsname(other), 115200, &err);
  CHECK(port != NULL, "%s", err.message);
  if (port) {
    interrupt(true);
    double begin = (double)brio_clock_monotonic() * 1e-9;
    CHECK(!brio_port_write(port, bytes, sizeof bytes, &err), "nobody reads a megabyte");
    double took = (double)brio_clock_monotonic() * 1e-9 - begin;
    interrupt(false);
    CHECK_HAS(err.message, "took no bytes for 0.1 s");
    CHECK(took > 0.099, "given up after %g s", took);
  }
  brio_port_close(port);
  close(other);
}

/* ---- rates ---- */

/* A rate that no line has is refused by every kind of port, and the one before stays. */
static void test_rates(void) {
  static const int wrong[] = {0, -1, 49, 20000001};
  const brio_emulator_kind *kind = brio_emulator_find("lx16a", NULL);
  brio_emulator_options options = {.servos = 1, .first_id = 1};
  brio_emulator *line = brio_emulator_open(kind, &options, NULL);
  brio_port *ports[] = {brio_port_emulated(line, 115200, NULL),
                        brio_port_open("udp:127.0.0.1:9", 115200, NULL)};
  for (size_t k = 0; k < 2; k++) {
    brio_error err = {0};
    CHECK(ports[k] != NULL, "port %d", (int)k);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong && ports[k]; i++) {
      CHECK(!brio_port_set_baud(ports[k], wrong[i], &err) && err.code == BRIO_MISUSE, "%d", wrong[i]);
      CHECK(ports[k]->baud == 115200, "it is %d now", ports[k]->baud);
    }
    CHECK(ports[k] && brio_port_set_baud(ports[k], 50, &err) && ports[k]->baud == 50, "%s", err.message);
    brio_port_close(ports[k]);
  }
  brio_emulator_close(line);
}

CHECK_SUITE(CHECK_TEST(test_signals), CHECK_TEST(test_rates))
