/* A thread for one piece of work.  It is detached: who gave the order may go away without waiting, and the last of the
** two, the thread and the owner of the job, clears up. */
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
  atomic_int owners; /* the thread, and who holds the job */
  pthread_mutex_t lock;
  pthread_cond_t done;
};

static void drop(brio_job *job) {
  if (atomic_fetch_sub(&job->owners, 1) > 1) return;
  job->end(job->of);
  pthread_cond_destroy(&job->done);
  pthread_mutex_destroy(&job->lock);
  free(job);
}

static void *run(void *argument) {
  brio_job *job = argument;
  job->work(job->of);
  pthread_mutex_lock(&job->lock);
  atomic_store(&job->over, true);
  pthread_cond_broadcast(&job->done);
  pthread_mutex_unlock(&job->lock);
  drop(job);
  return NULL;
}

/* Start the thread, detached and deaf to signals: those are for other threads. */
static bool start(brio_job *job) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
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
  job->work = work;
  job->end = end;
  job->of = of;
  atomic_init(&job->over, false);
  atomic_init(&job->owners, 2);
  pthread_mutex_init(&job->lock, NULL);
  pthread_cond_init(&job->done, NULL);
  if (start(job)) return job;
  pthread_cond_destroy(&job->done);
  pthread_mutex_destroy(&job->lock);
  free(job);
  brio_fail(err, BRIO_LIMIT, "the system gives no thread for work apart from the tick");
  return NULL;
}

bool brio_job_over(const brio_job *job) { return atomic_load(&((brio_job *)job)->over); }

void brio_job_wait(brio_job *job) {
  pthread_mutex_lock(&job->lock);
  while (!atomic_load(&job->over)) pthread_cond_wait(&job->done, &job->lock);
  pthread_mutex_unlock(&job->lock);
}

void brio_job_free(brio_job *job) {
  if (job) drop(job);
}
