/* Shared by the two halves of the writing store: store.c, which the robot's thread calls, and
** recording/writer.c, which commits records from the ring. */
#ifndef BRIO_STORE_STORE_INTERNAL_H
#define BRIO_STORE_STORE_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "store/db.h"
#include "store/packing/samples.h"
#include "store/packing/solves.h"
#include "store/recording/byte_ring.h"
#include "store/recording/limit.h"
#include "store/store.h"

/* Kinds of records other than rows of tables.def (whose kind is the row's number). */
enum { BRIO_RECORD_SAMPLE = 1000, BRIO_RECORD_VERSION };

/* After the header of a row: `count` values, then the bytes of its texts, one after the other.
** After that of a sample: this, then goal, command, measured, each ndof numbers. */
typedef struct brio_sample_head {
  int64_t tick;
  double t;
  int64_t ndof;
} brio_sample_head;

/* After the header of a version: a pointer to this, owned by the ring until it is committed. */
typedef struct brio_version {
  struct brio_version *next; /* of those in the open transaction */
  char *name, *source, *parent;
  size_t length;
  double t;
  char hash[65];
} brio_version;

enum { BRIO_TABLES_MAX = 96, BRIO_COLUMNS_MAX = 24, BRIO_WHY_SIZE = 512 };

struct brio_store {
  /* The robot's thread. */
  int64_t run; /* 0: none has begun */
  int64_t lost_before; /* rows that earlier runs lost */
  int ndof;
  bool wait;
  size_t spare[BRIO_TABLES_MAX]; /* bytes of the ring that rows of a table leave free for more important
                                 ** ones */
  char told[BRIO_WHY_SIZE];      /* the text of `why` that was read last */
  brio_byte_ring ring; /* it writes, the owner of `lock` reads */

  /* Both. */
  atomic_int_fast64_t lost, dropped; /* rows; ticks of samples */
  atomic_bool oversized; /* a row was larger than one may be */
  atomic_bool beyond;  /* the file is too large, and nothing is left to drop */
  atomic_bool failing; /* the last transaction failed */
  atomic_bool nudged;  /* the writer was notified that the ring fills */
  atomic_bool stop;
  atomic_bool has_why; /* `why` was written */
  pthread_mutex_t why_lock;
  char why[BRIO_WHY_SIZE]; /* under why_lock, which the robot's thread only tries to lock */
  sem_t wake;
  pthread_t thread;

  /* For the holder of `lock`: the connection and its writers. */
  pthread_mutex_t lock;
  brio_db *db;
  uint64_t file[2]; /* device and number of its file when it was opened; 0: it has none */
  brio_query *rows[BRIO_TABLES_MAX];
  int files_table; /* the row of tables.def whose text is bytes */
  brio_query *version_row, *run_version_row, *alive_row;
  brio_samples samples;
  brio_solves solves;
  brio_limit limit;
  brio_version *versions;      /* written by the open transaction */
  int64_t alive_run;           /* the run to mark as alive; 0: none */
  int64_t alive_at;            /* when it was last marked, ns of the monotonic clock */
};

/* Note a failure, for brio_store_lost. */
void brio_writer_note(brio_store *store, const brio_error *err);

/* Prepare the statements. */
bool brio_writer_prepare(brio_store *store, brio_error *err);

/* Remember the store's file, to notice when another one replaces it. */
void brio_writer_know_file(brio_store *store);

/* Start the thread. */
bool brio_writer_start(brio_store *store, brio_error *err);

/* Holding `lock`: write and commit everything in the ring; with `whole`, also close incomplete blocks. */
bool brio_writer_drain(brio_store *store, bool whole, brio_error *err);

/* After the thread has ended: count what is left in the ring as lost and free all. */
void brio_writer_end(brio_store *store);

/* Free a version; may be NULL. */
void brio_version_free(brio_version *version);

#endif
