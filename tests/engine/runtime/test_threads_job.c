/* Work in a thread of its own: done once, released once, whichever side is last. */
#include <pthread.h>
#include <stdatomic.h>

#include "runtime/job.h"
#include "tests/check.h"

typedef struct task {
  pthread_mutex_t gate; /* the work waits until it is open */
  int sum;
} task;

static atomic_int ended, worked;

static void work(void *of) {
  task *t = of;
  pthread_mutex_lock(&t->gate);
  for (int i = 1; i <= 100; i++) t->sum += i;
  pthread_mutex_unlock(&t->gate);
  atomic_fetch_add(&worked, 1);
}

static void end(void *of) {
  task *t = of;
  pthread_mutex_destroy(&t->gate);
  free(t);
  atomic_fetch_add(&ended, 1);
}

static task *new_task(void) {
  task *t = calloc(1, sizeof *t);
  CHECK(t, "no memory");
  pthread_mutex_init(&t->gate, NULL);
  return t;
}

static void what_it_left_is_read(void) {
  brio_error err;
  task *t = new_task();
  pthread_mutex_lock(&t->gate);
  brio_job *job = brio_job_begin(work, end, t, &err);
  CHECK(job, "%s", err.message);
  CHECK(!brio_job_over(job) && t->sum == 0, "it is not over while it waits");
  pthread_mutex_unlock(&t->gate);
  brio_job_wait(job);
  CHECK(brio_job_over(job) && t->sum == 5050, "sum %d", t->sum);
  int before = atomic_load(&ended);
  brio_job_wait(job);
  CHECK(before == 0, "it is kept while somebody has the job");
  brio_job_free(job);
  brio_job_free(NULL);
}

static void abandoned_work_ends_unheard(void) {
  brio_error err;
  for (int k = 0; k < 100; k++) {
    task *t = new_task();
    pthread_mutex_lock(&t->gate);
    brio_job *job = brio_job_begin(work, end, t, &err);
    CHECK(job, "%s", err.message);
    if (k % 2) brio_job_free(job);
    pthread_mutex_unlock(&t->gate);
    if (k % 2 == 0) brio_job_free(job);
  }
  task *last = new_task();
  brio_job *job = brio_job_begin(work, end, last, &err);
  CHECK(job, "%s", err.message);
  brio_job_wait(job);
  brio_job_free(job);
  CHECK_AWAIT(atomic_load(&ended) == 102 && atomic_load(&worked) == 102, (void)0, "%d ended, %d worked",
              atomic_load(&ended), atomic_load(&worked));
}

CHECK_SUITE(CHECK_TEST(what_it_left_is_read), CHECK_TEST(abandoned_work_ends_unheard))
