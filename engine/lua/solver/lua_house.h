/* Where Lua functions run that the solver calls: a coroutine of their own, under one budget of time for each
** solve, and the list of what went wrong. */
#ifndef BRIO_LUA_HOUSE_H
#define BRIO_LUA_HOUSE_H

#include <lua.h>
#include <stdbool.h>

#include "solver/solver.h"

typedef struct brio_lua_house {
  lua_State *co;             /* functions run here, never in the caller's coroutine */
  int depth;                 /* objectives in the solve that is under way */
  bool watched;              /* the watch over it is ours */
  const brio_solver *solver; /* that the next objective is for, and its key: see brio_lua_house_adding */
  const char *key;
} brio_lua_house;

/* Return the one of this Lua state. */
brio_lua_house *brio_lua_house_of(lua_State *L);

/* Call fn(L, lightuserdata context) protected. On failure return false and leave the message with its
** traceback on the top of house->co: the caller pops it. */
bool brio_lua_house_call(brio_lua_house *house, lua_CFunction fn, void *context);

/* An objective takes part in a solve; it does no more.  Between, all calls share one budget of CPU time. */
void brio_lua_house_enter(brio_lua_house *house);
void brio_lua_house_leave(brio_lua_house *house);

/* Say which solver and key the objective that is added next is for (NULL: it is done). */
void brio_lua_house_adding(brio_lua_house *house, const brio_solver *solver, const char *key);

/* Note that an objective failed with the message on the top of house->co, which is popped. */
void brio_lua_house_fault(brio_lua_house *house, const brio_solver *solver, const char *key,
                          const char *kind);

/* Push the list of what objectives of this solver failed with since the last time, {key, kind, message} each;
** nil when there is nothing. */
void brio_lua_house_push_faults(lua_State *L, const brio_solver *solver);

/* Forget those of a solver that is to be no more. */
void brio_lua_house_forget(lua_State *L, const brio_solver *solver);

/* Remember the record in the userdata on the top of the stack by its address, as long as that lives; push
** what was remembered. */
void brio_lua_house_remember(lua_State *L, const void *record);
void brio_lua_house_push(lua_State *L, const void *record);

#endif
