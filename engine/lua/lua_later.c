/* Jobs: a call in a thread and a Lua state of its own.  Plain values are copied from one state to the other;
** each step in the other state is protected, since it has no caller that could catch an error. */
#include "lua/lua_later.h"

#include <stdlib.h>

#include "lua/lua_args.h"
#include "runtime/job.h"

#define CLASS "brio.job"

enum { DEEPEST = 12 };

/* The data of a job: its own state, with the function and its arguments on the stack, and later the
** results. */
typedef struct work {
  lua_State *L;
  brio_lua_question question;
  lua_State *asker; /* during its construction */
  bool good;        /* the results are on the stack, from 1 on; else a message is */
} work;

typedef struct job_box {
  brio_job *job;
  work *work; /* the job's */
} job_box;

/* Copy the plain value at `index` of one state to the top of another; other values become nil. */
static void copy_value(lua_State *from, int index, lua_State *to, int depth) {
  size_t length;
  /* Scalars and texts are copied as they are; values that cannot be copied (functions, userdata) become
  ** nil. */
  luaL_checkstack(to, 4, NULL);
  switch (lua_type(from, index)) {
    case LUA_TBOOLEAN: lua_pushboolean(to, lua_toboolean(from, index)); return;
    case LUA_TNUMBER:
      if (lua_isinteger(from, index)) lua_pushinteger(to, lua_tointeger(from, index));
      else lua_pushnumber(to, lua_tonumber(from, index));
      return;
    case LUA_TSTRING: {
      const char *text = lua_tolstring(from, index, &length);
      lua_pushlstring(to, text, length);
      return;
    }
    case LUA_TTABLE: break;
    default: lua_pushnil(to); return;
  }
  /* The depth limit also ends cycles. The error is raised in `to`, where it is caught. */
  if (depth == 0 || !lua_checkstack(from, 4))
    luaL_error(to, "tables are more than %d deep in each other", DEEPEST);
  index = lua_absindex(from, index);
  /* Copy the fields whose keys are numbers or texts. Keys have depth 0: they cannot be tables. */
  lua_newtable(to);
  for (lua_pushnil(from); lua_next(from, index); lua_pop(from, 1)) {
    int key = lua_type(from, -2);
    if (key != LUA_TNUMBER && key != LUA_TSTRING) continue;
    copy_value(from, -2, to, 0);
    copy_value(from, -1, to, depth - 1);
    lua_rawset(to, -3);
  }
}

/* In the job's own state: push the function, the object and the arguments. */
static int put_together(lua_State *L) {
  work *w = lua_touserdata(L, 1);
  const brio_lua_question *q = &w->question;
  /* Load only this module into the new state, and push the object if the function is a method. */
  luaL_requiref(L, q->module, q->open, 0);
  if (q->thing) q->push(L, q->thing);
  int of = lua_gettop(L);
  /* The function is a field of the module, or of the object's metatable. */
  if (lua_getfield(L, of, q->function) != LUA_TFUNCTION)
    return luaL_error(L, "%s has no '%s'", q->module, q->function);
  /* The arguments: the object itself first, then copies of the caller's values. */
  if (q->thing) lua_pushvalue(L, of);
  for (int i = q->first; i <= q->last; i++) copy_value(w->asker, i, L, DEEPEST);
  return lua_gettop(L) - of;
}

/* The work of the job, in its thread: call the function; its results, or the message, stay in the state. */
static void answer(void *of) {
  work *w = of;
  w->good = lua_pcall(w->L, lua_gettop(w->L) - 1, LUA_MULTRET, 0) == LUA_OK;
}

/* Free the job's data: its state, then its object. The job calls it when the work is done and its box was
** freed. */
static void end(void *of) {
  work *w = of;
  if (w->L) lua_close(w->L);
  if (w->question.thing) w->question.end(w->question.thing);
  free(w);
}

/* Create the state with the call in it; NULL: the object was freed. */
static work *new_work(lua_State *L, const brio_lua_question *question, brio_error *err) {
  work *w = calloc(1, sizeof *w);
  /* On every failure the object is ended too: it belongs to the job. */
  if (!w) {
    if (question->thing) question->end(question->thing);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a question");
    return NULL;
  }
  /* The state is built in the caller's thread, while the caller's stack still holds the arguments. */
  *w = (work){.L = luaL_newstate(), .question = *question, .asker = L};
  int top = lua_gettop(L);
  bool good = w->L || brio_fail(err, BRIO_NO_MEMORY, "no memory for a question");
  if (good) {
    lua_pushcfunction(w->L, put_together);
    lua_pushlightuserdata(w->L, w);
    good = lua_pcall(w->L, 1, LUA_MULTRET, 0) == LUA_OK;
    if (!good) brio_fail(err, BRIO_MISUSE, "%s", lua_tostring(w->L, -1));
  }
  /* The new state only read the caller's stack; restore it in case an error left values on it. */
  lua_settop(L, top);
  w->asker = NULL;
  if (good) return w;
  end(w);
  return NULL;
}

/* job:result([wait]) -> what the function returned, or nothing while it is not done
** With `wait` it blocks until then. Errors in the arguments are raised. */
static int result(lua_State *L) {
  job_box *box = luaL_checkudata(L, 1, CLASS);
  if (!box->job) return luaL_error(L, "the job is closed");
  /* Only after the work is done may this thread touch the job's state. */
  if (lua_toboolean(L, 2)) brio_job_wait(box->job);
  if (!brio_job_over(box->job)) return 0;
  const work *w = box->work;
  int count = lua_gettop(w->L);
  if (!w->good) return luaL_error(L, "%s", lua_tostring(w->L, -1));
  /* The results stay in the job's state: they can be read again. */
  luaL_checkstack(L, count, NULL);
  for (int i = 1; i <= count; i++) copy_value(w->L, i, L, DEEPEST);
  return count;
}

/* job:done() -> true or false
** Whether the function has returned. */
static int is_done(lua_State *L) {
  job_box *box = luaL_checkudata(L, 1, CLASS);
  lua_pushboolean(L, box->job && brio_job_over(box->job));
  return 1;
}

/* __gc: free the job. During the work its thread continues, drops the result and frees the data. */
static int collect(lua_State *L) {
  job_box *box = luaL_checkudata(L, 1, CLASS);
  brio_job_free(box->job);
  *box = (job_box){NULL, NULL};
  return 0;
}

bool brio_lua_later(lua_State *L, const brio_lua_question *question, brio_error *err) {
  static const luaL_Reg methods[] = {{"result", result}, {"done", is_done}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  /* The box is pushed first, so that a memory error here leaks no job. */
  job_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = (job_box){NULL, NULL};
  luaL_setmetatable(L, CLASS);
  work *w = new_work(L, question, err);
  if (!w) {
    lua_pop(L, 1);
    return false;
  }
  /* From here the data belong to the job; it frees them in its own thread, if it could be started. */
  box->work = w;
  box->job = brio_job_begin(answer, end, w, err);
  if (box->job) return true;
  end(w);
  lua_pop(L, 1);
  return false;
}
