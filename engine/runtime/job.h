/* Work that takes longer than a tick may: in a thread of its own, without blocking the caller. */
#ifndef BRIO_RUNTIME_JOB_H
#define BRIO_RUNTIME_JOB_H

#include <stdbool.h>

#include "base/error.h"

typedef struct brio_job brio_job;

/* Start work(of) in a thread.  `end(of)` frees its data once the work is done and the job was freed,
** whichever comes last, in that thread.  Errors: limit (no thread), no_memory; then `end` is not called. */
brio_job *brio_job_begin(void (*work)(void *of), void (*end)(void *of), void *of, brio_error *err);

/* Whether the work is done: then its result may be read. */
bool brio_job_over(const brio_job *job);

/* Wait until the work is done. */
void brio_job_wait(brio_job *job);

/* Free the job, also during the work, whose result is dropped then.  NULL is allowed. */
void brio_job_free(brio_job *job);

#endif
