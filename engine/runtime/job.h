/* Work that takes longer than a tick may: a thread of its own, which nobody waits for unless they ask to. */
#ifndef BRIO_RUNTIME_JOB_H
#define BRIO_RUNTIME_JOB_H

#include <stdbool.h>

#include "base/error.h"

typedef struct brio_job brio_job;

/* Begin to do work(of) in a thread of its own.  `end(of)` gives back what the work stands on: once the work
** is done and the job was given back, whichever comes last, from that thread.  Errors: limit (no thread to be
** had), no_memory; then `end` is not called. */
brio_job *brio_job_begin(void (*work)(void *of), void (*end)(void *of), void *of, brio_error *err);

/* Whether the work is done: then what it left may be read. */
bool brio_job_over(const brio_job *job);

/* Wait until it is. */
void brio_job_wait(brio_job *job);

/* Give the job back, also while the work goes on: it comes to its end unheard.  NULL is allowed. */
void brio_job_free(brio_job *job);

#endif
