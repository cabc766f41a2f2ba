/* The coroutine of Lua functions that the solver calls, with one budget of time for each solve, and the list
** of their errors. */
#ifndef BRIO_LUA_HOUSE_H
#define BRIO_LUA_HOUSE_H

#include <lua.h>
#include <stdbool.h>

#include "solver/solver.h"

typedef struct brio_lua_house {
  lua_State *co;             /* functions run here, never in the caller's coroutine */
  int depth;                 /* objectives in the current solve */
  bool watched;              /* this module has begun the budget */
  const brio_solver *solver; /* the solver of the next objective, and its key: see brio_lua_house_adding */
  const char *key;
} brio_lua_house;

/* Return the house of this Lua state. */
brio_lua_house *brio_lua_house_of(lua_State *L);

/* Call fn(L, lightuserdata context) protected. On failure return false and leave the message with its
** traceback on the top of house->co: the caller pops it. */
bool brio_lua_house_call(brio_lua_house *house, lua_CFunction fn, void *context);

/* An objective joins a solve, or leaves it. In between, all calls share one budget of CPU time. */
void brio_lua_house_enter(brio_lua_house *house);
void brio_lua_house_leave(brio_lua_house *house);

/* Set the solver and key of the objective that is added next (NULL: done). */
void brio_lua_house_adding(brio_lua_house *house, const brio_solver *solver, const char *key);

/* Note that an objective failed with the message on the top of house->co, which is popped. */
void brio_lua_house_fault(brio_lua_house *house, const brio_solver *solver, const char *key,
                          const char *kind);

/* Push the list of objectives of this solver that failed since the last call, {key, kind, message} each; nil
** if there are none. */
void brio_lua_house_push_faults(lua_State *L, const brio_solver *solver);

/* Remove the faults of a solver that is about to be freed. */
void brio_lua_house_forget(lua_State *L, const brio_solver *solver);

/* Register the record in the userdata on the top of the stack by its address, for the userdata's life; push a
** registered record. */
void brio_lua_house_remember(lua_State *L, const void *record);
void brio_lua_house_push(lua_State *L, const void *record);

#endif
