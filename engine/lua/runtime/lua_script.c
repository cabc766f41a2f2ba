/* brio.script: calls and coroutines under the script budget (runtime/script/script.h). */
#include <lauxlib.h>
#include <limits.h>
#include <lua.h>
#include <math.h>

#include "base/clock.h"
#include "lua/lua_args.h"
#include "runtime/script/apart.h"
#include "runtime/script/place.h"
#include "runtime/script/script.h"

/* script.call(budget, function, ...) -> true, results... | false, message
** Call a function with at most `budget` seconds of CPU time; a message carries its traceback. */
static int call(lua_State *L) {
  double budget = brio_lua_number(L, 1, 0, 3600, "budget");
  luaL_checktype(L, 2, LUA_TFUNCTION);
  bool good = brio_script_call(L, lua_gettop(L) - 2, LUA_MULTRET, budget);
  /* true or false takes the place of the budget, below the results or the message. */
  lua_pushboolean(L, good);
  lua_replace(L, 1);
  return lua_gettop(L);
}

/* Return false and the error, which is on the top of the stack. */
static int raised(lua_State *L) {
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

/* script.resume(coroutine, ...) -> true, values... | false, what was raised
** coroutine.resume with the coroutine under the budget. */
static int resume(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argcheck(L, co, 1, "a coroutine was expected");
  int nargs = lua_gettop(L) - 1, nresults;
  /* A coroutine that has ended is LUA_OK with an empty stack; before its start its function is on the
  ** stack. */
  bool dead = lua_status(co) == LUA_OK && lua_gettop(co) == 0;
  if (dead || co == L) {
    lua_pushfstring(L, "cannot resume %s coroutine", co == L ? "non-suspended" : "dead");
    return raised(L);
  }
  if (!lua_checkstack(co, nargs)) return luaL_error(L, "too many arguments to resume");
  /* The watchdog watches the coroutine while it runs, and the caller again afterwards. */
  lua_xmove(L, co, nargs);
  brio_script_turn turn;
  brio_script_enter(&turn, co, L);
  int status = lua_resume(co, L, nargs, &nresults);
  brio_script_leave(&turn);
  /* An error leaves its value on the coroutine's stack. */
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return raised(L);
  }
  if (!lua_checkstack(L, nresults + 1)) return luaL_error(L, "too many values to resume");
  lua_pushboolean(L, 1);
  lua_xmove(co, L, nresults);
  return nresults + 1;
}

/* script.work(coroutine, seconds) -> over, [good, values... | false, what was raised]
** Run a coroutine, made from a function without arguments, for `seconds`: if it has not ended by then it is
** interrupted and continues there at the next call. */
static int work(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argcheck(L, co && co != L, 1, "a coroutine was expected");
  double seconds = luaL_checknumber(L, 2); /* may be infinite */
  int nresults = 0, status;
  /* The end of the slice on the monotonic clock (ns). Above an hour it is never reached, infinity
  ** included. */
  int64_t till = seconds > 3600 ? INT64_MAX : brio_clock_monotonic() + (int64_t)(fmax(seconds, 0) * 1e9);
  if (lua_status(co) == LUA_OK && lua_gettop(co) == 0) return luaL_error(L, "the coroutine has ended");
  /* An interrupted coroutine has yielded nothing that the caller needs. */
  status = brio_script_slice(co, L, till, &nresults);
  lua_pushboolean(L, status != LUA_YIELD);
  if (status == LUA_YIELD) {
    lua_pop(co, nresults);
    return 1;
  }
  /* It has ended: its results, or the error, which is one value. */
  lua_pushboolean(L, status == LUA_OK);
  if (status != LUA_OK) nresults = 1;
  if (!lua_checkstack(L, nresults)) return luaL_error(L, "too many values");
  lua_xmove(co, L, nresults);
  return 2 + nresults;
}

/* script.close(coroutine) -> true | false, what was raised
** coroutine.close with the coroutine under the budget: its __close functions run in it. */
static int close(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argcheck(L, co, 1, "a coroutine was expected");
  /* A coroutine that is running, or that resumed another one, cannot be closed. */
  lua_Debug ar;
  bool normal = co == L || (lua_status(co) == LUA_OK && lua_getstack(co, 0, &ar));
  if (normal) return luaL_error(L, "cannot close a %s coroutine", co == L ? "running" : "normal");
  /* Its __close functions count against the budget of the caller. */
  brio_script_turn turn;
  brio_script_enter(&turn, co, L);
  int status = lua_resetthread(co);
  brio_script_leave(&turn);
  if (status != LUA_OK) {
    lua_xmove(co, L, 1);
    return raised(L);
  }
  lua_pushboolean(L, 1);
  return 1;
}

/* script.traceback(coroutine, raised) -> message
** The error of a coroutine as a text, with the coroutine's traceback. */
static int traceback(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argcheck(L, co, 1, "a coroutine was expected");
  lua_settop(L, 2);
  brio_script_traceback(L, co, 0);
  return 1;
}

/* script.caller(level) -> file, line | nil
** Where a function of the stack is now, by its level as in debug.getinfo, but without a table: a file that
** describes a thousand states calls it as often. */
static int caller(lua_State *L) {
  lua_Integer level = luaL_checkinteger(L, 1);
  /* Only the file and the line are looked up: that is cheap and creates no table. */
  lua_Debug ar;
  if (level < 0 || level > INT_MAX || !lua_getstack(L, (int)level, &ar)) return 0;
  lua_getinfo(L, "Sl", &ar);
  lua_pushstring(L, *ar.source == '@' ? ar.source + 1 : ar.source);
  lua_pushinteger(L, ar.currentline);
  return 2;
}

/* script.remembers(table)
** Sets the table of the scripts' memory: part of the position at which a replay repeats an interruption by
** the budget. */
static int remembers(lua_State *L) {
  lua_settop(L, 1);
  brio_script_remembers(L);
  return 0;
}

/* script.apart(functions)
** A script is never cut in the functions among the values of a table, nor in what they call, but behind them:
** a replay does not execute them as the run does. */
static int apart(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_script_add_apart(L);
  return 0;
}

int luaopen_brio_script(lua_State *L) {
  static const luaL_Reg functions[] = {{"call", call},   {"resume", resume},       {"work", work},
                                       {"close", close}, {"traceback", traceback}, {"remembers", remembers},
                                       {"caller", caller}, {"apart", apart},         {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
