/* Calls with a time limit: see patience.h. A driver's own library may block for ever in an open or a close,
** but a run must begin and end all the same. The call gets a thread, which is abandoned if it is late. */
#include "base/threads/patience.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"

/* A call, shared by both threads. If the caller leaves, its memory is never freed, as the thread may still
** use it. */
typedef struct call {
  void (*work)(void *context);
  void *context;
  sem_t done;
} call;

/* The body of the thread: signals stay with the others. */
static void *run(void *context) {
  call *self = context;
  sigset_t all;
  /* A signal is handled by another thread, never within a driver's library. */
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  self->work(self->context);
  sem_post(&self->done);
  return NULL;
}

/* Wait for at most `seconds`, by the monotonic clock; false if time runs out. */
static bool wait_for(sem_t *done, double seconds) {
  int64_t until = brio_clock_monotonic() + (int64_t)(seconds * 1e9);
  struct timespec t = {until / 1000000000, until % 1000000000};
  int failed;
  /* A signal interrupts the wait; the deadline is absolute, so waiting again does not extend it. */
  do failed = sem_clockwait(done, CLOCK_MONOTONIC, &t);
  while (failed != 0 && errno == EINTR);
  return failed == 0;
}

bool brio_patience_call(void (*work)(void *context), void *context, double seconds) {
  pthread_t thread;
  call *self = malloc(sizeof *self);
  /* The context is the caller's: it must outlive a call that is late. */
  if (self) *self = (call){.work = work, .context = context};
  /* Without a thread the call is made here, and may block. */
  bool made = self && sem_init(&self->done, 0, 0) == 0;
  if (!made || pthread_create(&thread, NULL, run, self) != 0) {
    if (made) sem_destroy(&self->done);
    free(self);
    work(context);
    return true;
  }
  /* Late: the thread ends on its own, or never. */
  if (!wait_for(&self->done, seconds)) {
    pthread_detach(thread);
    return false;
  }
  pthread_join(thread, NULL);
  sem_destroy(&self->done);
  free(self);
  return true;
}
