/* Ports of this machine: the time limit of writing under signals. */
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

CHECK_SUITE(CHECK_TEST(test_signals))
