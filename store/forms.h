/* Rows written by people, outside of runs: answers to questionnaires.  Each is on the disk when the call
** returns, because answers cannot be collected a second time; so this is not for the robot's thread (see
** store/store.h).  Runs may be recorded in the same file meanwhile.  One thread at a time calls. */
#ifndef BRIO_STORE_FORMS_H
#define BRIO_STORE_FORMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/store.h"

typedef struct brio_forms brio_forms;

/* Its tables: see store/forms.def; the first parameter of a statement is the first column.  Ends at name ==
** NULL. */
extern const brio_store_table brio_forms_tables[];

/* Return the index of the table of that name, or -1. */
int brio_forms_table_find(const char *name);

/* Open or make the store at `path` and bring its schema up to date.  Errors: no_file, io (also: not a store,
** in use for too long, disk full), limit (made by a newer brio), no_memory. */
brio_forms *brio_forms_open(const char *path, brio_error *err);

/* Begin a group of rows that is written completely or not at all, until brio_forms_commit. */
bool brio_forms_begin(brio_forms *forms, brio_error *err);

/* Put a row of `count` values, the table's columns in order.  `id` (may be NULL) gets the row id of the last
** INSERT.  After a failure nothing of what was begun together is kept.  Errors: misuse (the number of
** values), format (a constraint does not hold), io (the disk is full, the file is in use for too long). */
bool brio_forms_put(brio_forms *forms, int table, const brio_value *values, int count, int64_t *id,
                    brio_error *err);

/* Commit the rows since brio_forms_begin. */
bool brio_forms_commit(brio_forms *forms, brio_error *err);

/* Close; `forms` may be NULL.  An uncommitted group is discarded. */
void brio_forms_close(brio_forms *forms);

#endif
