/* See panic.h. */
#include "runtime/panic.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint panics;

void brio_panic(void) { atomic_fetch_add_explicit(&panics, 1, memory_order_release); }

unsigned brio_panic_count(void) { return atomic_load_explicit(&panics, memory_order_acquire); }

static void on_signal(int number) {
  (void)number;
  brio_panic();
}

bool brio_panic_on_signal(brio_error *err) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  return sigaction(SIGUSR1, &action, NULL) == 0 ||
         brio_fail(err, BRIO_LIMIT, "SIGUSR1 cannot raise the panic stop: %s", strerror(errno));
}
