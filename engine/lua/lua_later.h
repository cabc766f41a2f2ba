/* Questions that take longer than a tick may: a function of a module is called in a thread and a Lua state of
** its own, with copies of plain values; what it returns is copied back. */
#ifndef BRIO_LUA_LATER_H
#define BRIO_LUA_LATER_H

#include <lua.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct brio_lua_question {
  const char *module;     /* "brio.cloud", and what opens it; both outlive the state */
  lua_CFunction open;
  const char *function;   /* of the module; of the thing, where there is one */
  void *thing;            /* what it is asked of, by that thread alone; NULL: nothing */
  void (*push)(lua_State *L, void *thing); /* makes a value of it that does not own it; may raise */
  void (*end)(void *thing);                /* gives it back */
  int first, last;        /* places of the arguments on the asker's stack: plain values and tables of them */
} brio_lua_question;

/* Push a job: a value with job:result([wait]) and job:done().  The thing is the job's, also on failure.
** False: misuse (tables too deep in each other), limit (no thread), no_memory; then nothing is pushed. */
bool brio_lua_later(lua_State *L, const brio_lua_question *question, brio_error *err);

#endif
