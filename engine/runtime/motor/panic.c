/* See panic.h. Atomics only: brio_panic runs in signal handlers and on any thread. A panic is a count, so
** each motor side finds those that are new to it. */
#include "runtime/motor/panic.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint panics;
static atomic_uint fronts;     /* through which people can raise it */
static atomic_uint before_all; /* panics before the first of these */

void brio_panic(void) { atomic_fetch_add_explicit(&panics, 1, memory_order_release); }

unsigned brio_panic_count(void) { return atomic_load_explicit(&panics, memory_order_acquire); }

/* The first front fixes the count from which panics are new to motors that begin later. */
void brio_panic_expect(void) {
  if (atomic_fetch_add(&fronts, 1) == 0) atomic_store(&before_all, brio_panic_count());
}

void brio_panic_expect_no_more(void) { atomic_fetch_sub(&fronts, 1); }

/* With a front open, panics since then count. Without one, no person can have meant a motor side that did
** not exist yet. */
unsigned brio_panic_known(void) {
  return atomic_load(&fronts) > 0 ? atomic_load(&before_all) : brio_panic_count();
}

/* Async-signal-safe: one lock-free addition. */
static void on_signal(int number) {
  (void)number;
  brio_panic();
}

bool brio_panic_on_signal(brio_error *err) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  return sigaction(SIGUSR1, &action, NULL) == 0 ||
         brio_fail(err, BRIO_LIMIT, "SIGUSR1 cannot raise the panic stop: %s", strerror(errno));
}
