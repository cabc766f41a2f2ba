/* One thread for one piece of work. It is detached: the owner may leave without waiting, and the last of
** the two, thread and owner, frees the job. The lock guards only the wait; `over` is atomic. */
#include "runtime/job.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

struct brio_job {
  void (*work)(void *of);
  void (*end)(void *of);
  void *of;
  atomic_bool over;
  atomic_int owners; /* references: the thread's and the owner's */
  pthread_mutex_t lock;
  pthread_cond_t done;
};

/* Release one reference. The last release frees the job and the data of its work. */
static void drop(brio_job *job) {
  if (atomic_fetch_sub(&job->owners, 1) > 1) return;
  /* The work is done, and its owner has released the job. */
  job->end(job->of);
  pthread_cond_destroy(&job->done);
  pthread_mutex_destroy(&job->lock);
  free(job);
}

/* The thread: work, announce the end, release. */
static void *run(void *argument) {
  brio_job *job = argument;
  job->work(job->of);
  pthread_mutex_lock(&job->lock);
  /* Under the lock, so that a waiter cannot miss it between its check and its wait. */
  atomic_store(&job->over, true);
  pthread_cond_broadcast(&job->done);
  pthread_mutex_unlock(&job->lock);
  drop(job);
  return NULL;
}

/* Start the thread, detached and with all signals blocked, since they are meant for other threads. */
static bool start(brio_job *job) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  /* A thread inherits the mask that is set when it is created. */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool good = pthread_create(&thread, NULL, run, job) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (good) pthread_detach(thread);
  return good;
}

brio_job *brio_job_begin(void (*work)(void *of), void (*end)(void *of), void *of, brio_error *err) {
  brio_job *job = calloc(1, sizeof *job);
  if (!job) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for work in a thread of its own");
    return NULL;
  }
  /* The lock is initialized before any thread can see the job. */
  job->work = work;
  job->end = end;
  job->of = of;
  /* Two references from the start: the thread may end before this function returns. */
  atomic_init(&job->over, false);
  atomic_init(&job->owners, 2);
  pthread_mutex_init(&job->lock, NULL);
  pthread_cond_init(&job->done, NULL);
  if (start(job)) return job;
  /* No thread: neither reference was used, so nothing else knows the job. */
  pthread_cond_destroy(&job->done);
  pthread_mutex_destroy(&job->lock);
  free(job);
  brio_fail(err, BRIO_LIMIT, "the system gives no thread for work apart from the tick");
  return NULL;
}

bool brio_job_over(const brio_job *job) { return atomic_load(&((brio_job *)job)->over); }

void brio_job_wait(brio_job *job) {
  pthread_mutex_lock(&job->lock);
  /* A loop, because a wait may return without a reason. */
  while (!atomic_load(&job->over)) pthread_cond_wait(&job->done, &job->lock);
  pthread_mutex_unlock(&job->lock);
}

void brio_job_free(brio_job *job) {
  if (job) drop(job);
}
