/* Shared by the virtual tables over packed rows: packed.c walks through runs, DOFs and pieces;
** packed_samples.c and packed_solves.c define pieces and unpack them. */
#ifndef BRIO_STORE_PACKING_PACKED_INTERNAL_H
#define BRIO_STORE_PACKING_PACKED_INTERNAL_H

#include <sqlite3ext.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/packing/block.h"
#include "store/packing/solves.h"

/* The role of a table's column in the walk. */
typedef enum brio_packed_role {
  BRIO_PACKED_OTHER, BRIO_PACKED_RUN, BRIO_PACKED_DOF, BRIO_PACKED_NAME, BRIO_PACKED_TICK, BRIO_PACKED_T,
  BRIO_PACKED_ARG_RUN, BRIO_PACKED_ARG_DOF, BRIO_PACKED_ARG_T0, BRIO_PACKED_ARG_T1
} brio_packed_role;

enum { BRIO_PACKED_SOURCES = 3, BRIO_PACKED_COLUMNS = 16, BRIO_PACKED_NAME_SIZE = 256 };

/* The range of rows of a query; missing bounds are unbounded. */
typedef struct brio_packed_bounds {
  bool has_run, has_dof, has_name;
  int64_t run, dof, tick_low, tick_high;
  double t_low, t_high;
  char name[BRIO_PACKED_NAME_SIZE];
} brio_packed_bounds;

typedef struct brio_packed_cursor brio_packed_cursor;

/* Source of pieces.  Parameters of its SQL: run, dof, least and greatest tick, least and greatest t. */
typedef struct brio_packed_source {
  const char *table; /* absent from an older or newer store: there are none */
  const char *sql;
  /* unpack the row that was stepped to */
  bool (*take)(brio_packed_cursor *c, sqlite3_stmt *piece, const char **why);
} brio_packed_source;

typedef struct brio_packed_kind {
  const char *name, *schema;
  const brio_packed_role *roles; /* of each column */
  int columns;
  bool by_dof;              /* a piece is of one DOF */
  brio_packed_source sources[BRIO_PACKED_SOURCES];
  /* of the row c->at; run, tick, t are given */
  void (*give)(brio_packed_cursor *c, sqlite3_context *context, int column);
} brio_packed_kind;

struct brio_packed_cursor {
  sqlite3_vtab_cursor base;
  const brio_packed_kind *kind;
  sqlite3 *db;
  sqlite3_stmt *outer, *span, *pieces[BRIO_PACKED_SOURCES];
  int outer_form;   /* which of the bounds its SQL has; -1: none is prepared */
  int source;       /* that is being read; -1: before the first */
  brio_packed_bounds bounds;
  uint64_t used;    /* requested columns */
  int64_t run, dof; /* of the piece */
  bool narrowed;    /* tick_low and tick_high are those of this run, within the bounds on time */
  int64_t tick_low, tick_high;
  char name[BRIO_PACKED_NAME_SIZE];
  int count, at;    /* rows of the piece, and which is on */
  const double *columns[BRIO_PACKED_COLUMNS]; /* of the piece: plain numbers; NULL: `give` provides it */
  bool unbounded;   /* every row is wanted */
  bool over;
  sqlite3_int64 rowid;
  brio_pack_room room;
  double ticks[BRIO_PACK_MOST], times[BRIO_PACK_MOST];
  double *values;   /* column x BRIO_PACK_MOST, allocated at the first use */
  int64_t hashes[BRIO_PACK_MOST];
  char texts[BRIO_SOLVE_STATUSES][BRIO_SOLVE_STATUS_SIZE];
  int ntext;
};

/* The values of one of the kind's own columns; NULL without memory. */
double *brio_packed_column(brio_packed_cursor *c, int column);

/* Whether the query reads the ticks of rows. */
bool brio_packed_wants_ticks(const brio_packed_cursor *c);

extern const brio_packed_kind brio_packed_samples, brio_packed_hashes, brio_packed_solves;

#endif
