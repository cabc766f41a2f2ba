/* Lua functions that the solver calls.  They run in a coroutine of their own, so that a solve may be started
** from any coroutine, or from C; each call is protected, so that no error passes through the solver. */
#include "lua/solver/lua_house.h"

#include <lauxlib.h>

#include "runtime/script/script.h"

/* s of CPU time for all Lua functions of one solve: against endless loops. */
static const double BUDGET = 0.05;

enum { ROOM = 40 }; /* stack that a call may use besides its arguments */

/* Keys of the registry. */
static const char house_key, faults_key, records_key;

/* Push the table at this key of the registry, created if it is absent; `mode` as in a metatable, or NULL. */
static void push_table(lua_State *L, const void *key, const char *mode) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  if (mode) {
    lua_createtable(L, 0, 1);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
  }
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

brio_lua_house *brio_lua_house_of(lua_State *L) {
  /* The house is created at the first use; its coroutine is the userdata's user value, which keeps it
  ** alive. */
  brio_lua_house *house;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &house_key) != LUA_TUSERDATA) {
    lua_pop(L, 1);
    house = lua_newuserdatauv(L, sizeof *house, 1);
    *house = (brio_lua_house){0};
    house->co = lua_newthread(L);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &house_key);
  }
  house = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return house;
}

bool brio_lua_house_call(brio_lua_house *house, lua_CFunction fn, void *context) {
  /* The caller expects a message on the stack, as after a failed call. */
  lua_State *co = house->co;
  if (!lua_checkstack(co, ROOM)) {
    lua_pushliteral(co, "not enough memory");
    return false;
  }
  /* The watchdog must know which coroutine runs, so that it interrupts this one. */
  lua_pushcfunction(co, fn);
  lua_pushlightuserdata(co, context);
  brio_script_turn turn;
  brio_script_enter(&turn, co, NULL);
  bool good = brio_script_call(co, 1, 0, 0);
  brio_script_leave(&turn);
  return good;
}

/* Only the outermost call begins the budget: nested objectives share it. */
void brio_lua_house_enter(brio_lua_house *house) {
  if (house->depth++ == 0) house->watched = brio_script_begin(house->co, BUDGET);
}

void brio_lua_house_leave(brio_lua_house *house) {
  if (--house->depth == 0 && house->watched) brio_script_end(house->co);
}

void brio_lua_house_adding(brio_lua_house *house, const brio_solver *solver, const char *key) {
  house->solver = solver;
  house->key = key;
}

typedef struct fault {
  const brio_solver *solver;
  const char *key, *kind, *message;
} fault;

/* Protected: append the fault to the list of its solver, created if it is absent. Stack: 1 the fault, 2
** faults by solver, 3 the list. */
static int note_fault(lua_State *L) {
  const fault *f = lua_touserdata(L, 1);
  push_table(L, &faults_key, NULL);
  if (lua_rawgetp(L, -1, f->solver) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, f->solver);
  }
  /* An entry is {key, kind, message}; texts are copied into Lua. */
  lua_createtable(L, 0, 3);
  lua_pushstring(L, f->key);
  lua_setfield(L, -2, "key");
  lua_pushstring(L, f->kind);
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, f->message);
  lua_setfield(L, -2, "message");
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  return 0;
}

void brio_lua_house_fault(brio_lua_house *house, const brio_solver *solver, const char *key,
                          const char *kind) {
  /* The message is on the coroutine's stack: it stays there until the fault has been noted. */
  fault f = {solver, key, kind, lua_tostring(house->co, -1)};
  if (!brio_lua_house_call(house, note_fault, &f)) lua_pop(house->co, 1); /* no memory: then it is not
                                                                          ** reported */
  lua_pop(house->co, 1);
}

void brio_lua_house_push_faults(lua_State *L, const brio_solver *solver) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &faults_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_pushnil(L);
    return;
  }
  /* The list is handed over: it is removed from the registry. */
  lua_rawgetp(L, -1, solver);
  lua_remove(L, -2);
  brio_lua_house_forget(L, solver);
}

void brio_lua_house_forget(lua_State *L, const brio_solver *solver) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &faults_key) == LUA_TTABLE) {
    lua_pushnil(L);
    lua_rawsetp(L, -2, solver);
  }
  lua_pop(L, 1);
}

void brio_lua_house_remember(lua_State *L, const void *record) {
  /* Weak values: the registry does not keep a record alive, only its userdata's owner does. */
  push_table(L, &records_key, "v");
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, record);
  lua_pop(L, 1);
}

void brio_lua_house_push(lua_State *L, const void *record) {
  push_table(L, &records_key, "v");
  lua_rawgetp(L, -1, record);
  lua_remove(L, -2);
}
