/* See patience.h: a driver of somebody else may block in an open or a close for good, and a run is to begin and end all
** the same. */
#include "base/threads/patience.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"

typedef struct call {
  void (*work)(void *context);
  void *context;
  sem_t done;
} call;

static void *run(void *context) {
  call *self = context;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  self->work(self->context);
  sem_post(&self->done);
  return NULL;
}

static bool wait_for(sem_t *done, double seconds) {
  int64_t until = brio_clock_monotonic() + (int64_t)(seconds * 1e9);
  struct timespec t = {until / 1000000000, until % 1000000000};
  int failed;
  do failed = sem_clockwait(done, CLOCK_MONOTONIC, &t);
  while (failed != 0 && errno == EINTR);
  return failed == 0;
}

bool brio_patience_call(void (*work)(void *context), void *context, double seconds) {
  pthread_t thread;
  call *self = malloc(sizeof *self);
  if (self) *self = (call){.work = work, .context = context};
  bool made = self && sem_init(&self->done, 0, 0) == 0;
  if (!made || pthread_create(&thread, NULL, run, self) != 0) {
    if (made) sem_destroy(&self->done);
    free(self);
    work(context);
    return true;
  }
  if (!wait_for(&self->done, seconds)) {
    pthread_detach(thread);
    return false;
  }
  pthread_join(thread, NULL);
  sem_destroy(&self->done);
  free(self);
  return true;
}
