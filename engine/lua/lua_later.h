/* Calls that are too long for a tick: a function of a module runs in a thread with a Lua state of its own,
** on copies of plain values; its results are copied back. */
#ifndef BRIO_LUA_LATER_H
#define BRIO_LUA_LATER_H

#include <lua.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct brio_lua_question {
  const char *module;     /* "brio.cloud", and its opener; both outlive the state */
  lua_CFunction open;
  const char *function;   /* function of the module, or method of `thing` unless that is NULL */
  void *thing;            /* object of the method, used by that thread alone; NULL: none */
  void (*push)(lua_State *L, void *thing); /* pushes a value for it that does not own it; may raise */
  void (*end)(void *thing);                /* frees or releases it */
  int first, last;        /* stack indices of the arguments: plain values and tables of them */
} brio_lua_question;

/* Push a job: a value with job:result([wait]) and job:done().  `thing` belongs to the job, also on failure.
** False: misuse (tables too deep), limit (no thread), no_memory; then nothing is pushed. */
bool brio_lua_later(lua_State *L, const brio_lua_question *question, brio_error *err);

#endif
