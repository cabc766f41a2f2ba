/* The solver in Lua: what other bindings need of it. */
#ifndef BRIO_LUA_SOLVER_H
#define BRIO_LUA_SOLVER_H

#include <lua.h>

#include "solver/solver.h"

/* Return the solver that argument `arg` is, or raise.  It lives as long as its Lua value:
** who keeps the pointer keeps a reference to that too. */
brio_solver *brio_lua_solver_check(lua_State *L, int arg);

/* Push a solver that belongs to the value at index `owner`, which is kept alive with it. */
void brio_lua_solver_lend(lua_State *L, brio_solver *solver, int owner);

/* Open the module `brio.solver`. */
int luaopen_brio_solver(lua_State *L);

#endif
