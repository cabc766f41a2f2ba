/* The solver in Lua, for other bindings. */
#ifndef BRIO_LUA_SOLVER_H
#define BRIO_LUA_SOLVER_H

#include <lauxlib.h>
#include <lua.h>

#include "solver/solver.h"

#define BRIO_LUA_SOLVER_CLASS "brio.solver"

/* Return the solver at argument `arg`, or raise.  It lives as long as its Lua value: a holder of the pointer
** must also keep a reference to that. */
brio_solver *brio_lua_solver_check(lua_State *L, int arg);

/* The same; raise while a solve is under way. */
brio_solver *brio_lua_solver_idle(lua_State *L, int arg);

/* Push a solver that belongs to the value at index `owner`, which is kept alive with it. */
void brio_lua_solver_lend(lua_State *L, brio_solver *solver, int owner);

/* Return the slot that a key or handle at `index` means, or raise. */
int brio_lua_solver_slot(lua_State *L, const brio_solver *solver, int index);

/* Set the goals and weights, by key, from the tables at these indices (nil: none), with a time constant: all
** of them or, raising an error, none. */
void brio_lua_solver_ask(lua_State *L, brio_solver *solver, int goals, int weights, double tau);

/* Set, move (without a kind) and remove (false) the shapes, by name, in the table at `index` (nil: none) of
** the solver at argument 1. */
void brio_lua_solver_change_shapes(lua_State *L, int index);

/* Read a shape, {kind, size, [points]}, from the table at `index`; raise on errors. Pushes the value of
** `points` and, if there are any, a userdata to which the shape's points belong. */
void brio_lua_shape(lua_State *L, int index, brio_shape *shape);

/* Parts of the module: lua_solver_<part>.c. */
extern const luaL_Reg brio_lua_solver_ask_methods[], brio_lua_solver_state_methods[],
    brio_lua_solver_shape_methods[], brio_lua_solver_kind_functions[];

/* Open the module `brio.solver`. */
int luaopen_brio_solver(lua_State *L);

#endif
