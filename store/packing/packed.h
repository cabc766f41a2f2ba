/* The packed rows of a run store as tables for SQL: virtual tables that unpack only the rows and columns of a
** query.
**
**   samples(run, dof, t0, t1)      run, tick, t, dof, name, goal, command, measured
**   solver_ticks(run, t0, t1)      run, tick, t, status, cost, ... (store/packing/solve_columns.def)
**   command_hashes(run, t0, t1)    run, tick, t, hash: a digest of each tick's exact commands
**
** Arguments may be left out from the end, and may be null: not bounded; `dof` is a name or a number.  Each is
** also a table without arguments, whose columns may be conditions of WHERE.  Rows of older versions
** (JSON chunks, a row a tick) are in the same tables.  Damage is reported as the query's error.
**
** These files are built twice: into brio, and into a loadable extension for the stock sqlite3. */
#ifndef BRIO_STORE_PACKING_PACKED_H
#define BRIO_STORE_PACKING_PACKED_H

struct sqlite3;

/* Register the tables in a connection; return SQLite's result. */
int brio_packed_register(struct sqlite3 *db);

/* In a store of an older version views have these names: let the tables take precedence, for this connection
** only. */
int brio_packed_shadow(struct sqlite3 *db);

#endif
