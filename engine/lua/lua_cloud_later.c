/* Questions of a cloud that take longer than a tick may, in a thread and a Lua state of their own. */
#include <stdlib.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_cloud.h"
#include "runtime/job.h"

#define CLASS "brio.cloud_job"

enum { DEEPEST = 12 };

/* What a job stands on: its own state, in which the cloud, the method's name and its options wait on the stack. */
typedef struct question {
  lua_State *L;
  brio_cloud *cloud; /* a copy */
  const char *method;
  lua_State *asker;  /* only while it is put together: its options are at 3 there */
  bool good;         /* the answers are on the stack, from 1 on; else a message is */
} question;

typedef struct job_box {
  brio_job *job;
  question *question; /* the job's */
} job_box;

/* Copy the plain value at `index` of one state to the top of another; what is not plain becomes nil. */
static void copy_value(lua_State *from, int index, lua_State *to, int depth) {
  size_t length;
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
  if (depth == 0 || !lua_checkstack(from, 4)) luaL_error(to, "tables are more than %d deep in each other", DEEPEST);
  index = lua_absindex(from, index);
  lua_newtable(to);
  for (lua_pushnil(from); lua_next(from, index); lua_pop(from, 1)) {
    int key = lua_type(from, -2);
    if (key != LUA_TNUMBER && key != LUA_TSTRING) continue;
    copy_value(from, -2, to, 0);
    copy_value(from, -1, to, depth - 1);
    lua_rawset(to, -3);
  }
}

/* In the job's own state, protected: make the library, and put the cloud's method, the cloud and the options on the stack. */
static int put_together(lua_State *L) {
  question *q = lua_touserdata(L, 1);
  luaL_requiref(L, "brio.cloud", luaopen_brio_cloud, 0);
  lua_settop(L, 0);
  brio_lua_cloud_lend(L, q->cloud);
  if (lua_getfield(L, 1, q->method) != LUA_TFUNCTION) return luaL_error(L, "a cloud has no '%s'", q->method);
  lua_insert(L, 1);
  int top = lua_gettop(q->asker);
  if (lua_istable(q->asker, 3)) copy_value(q->asker, 3, L, DEEPEST);
  lua_settop(q->asker, top);
  return lua_gettop(L);
}

static void answer(void *of) {
  question *q = of;
  q->good = lua_pcall(q->L, lua_gettop(q->L) - 1, LUA_MULTRET, 0) == LUA_OK;
}

static void end(void *of) {
  question *q = of;
  if (q->L) lua_close(q->L);
  brio_cloud_free(q->cloud);
  free(q);
}

/* A question about a copy of a cloud, or NULL. */
static question *new_question(lua_State *L, const brio_cloud *cloud, const char *method, brio_error *err) {
  question *q = calloc(1, sizeof *q);
  if (!q) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to ask a cloud");
    return NULL;
  }
  *q = (question){.method = method, .asker = L, .cloud = brio_cloud_new(err), .L = luaL_newstate()};
  if (!q->L) brio_fail(err, BRIO_NO_MEMORY, "no memory to ask a cloud");
  if (!q->L || !q->cloud || !brio_cloud_copy(q->cloud, cloud, err)) {
    end(q);
    return NULL;
  }
  lua_pushcfunction(q->L, put_together);
  lua_pushlightuserdata(q->L, q);
  if (lua_pcall(q->L, 1, LUA_MULTRET, 0) == LUA_OK) return q;
  brio_fail(err, BRIO_MISUSE, "%s", lua_tostring(q->L, -1));
  end(q);
  return NULL;
}

/* cloud:later(method [, options]) -> job | nil, sentence, code
** Asks a cloud what takes longer than a tick may, in a thread of its own, of the cloud as it is now: method is
** "table_edge", "door_panel", "door_frame", "planes", "edges" or "clusters", options are that method's.
** job:result([wait]) tells what it came to. Codes: limit, no_memory. */
static int later(lua_State *L) {
  static const char *const methods[] = {"table_edge", "door_panel", "door_frame", "planes", "edges", "clusters", NULL};
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  const char *method = methods[luaL_checkoption(L, 2, NULL, methods)];
  brio_error err;
  lua_settop(L, 3);
  job_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = (job_box){NULL, NULL};
  luaL_setmetatable(L, CLASS);
  question *q = new_question(L, cloud, method, &err);
  if (!q) return brio_lua_failed(L, &err);
  box->job = brio_job_begin(answer, end, q, &err);
  if (box->job) {
    box->question = q;
    return 1;
  }
  end(q);
  return brio_lua_failed(L, &err);
}

/* job:result([wait]) -> what the method returned, or nothing while it is not done
** With `wait` it is waited for. What is wrong with the options is raised. */
static int result(lua_State *L) {
  job_box *box = luaL_checkudata(L, 1, CLASS);
  if (!box->job) return luaL_error(L, "this job is over: its result was taken");
  if (lua_toboolean(L, 2)) brio_job_wait(box->job);
  if (!brio_job_over(box->job)) return 0;
  const question *q = box->question;
  int count = lua_gettop(q->L);
  if (!q->good) return luaL_error(L, "%s", lua_tostring(q->L, -1));
  luaL_checkstack(L, count, NULL);
  for (int i = 1; i <= count; i++) copy_value(q->L, i, L, DEEPEST);
  return count;
}

/* job:done() -> true or false
** Whether its result is there. */
static int is_done(lua_State *L) {
  job_box *box = luaL_checkudata(L, 1, CLASS);
  lua_pushboolean(L, box->job && brio_job_over(box->job));
  return 1;
}

static int collect(lua_State *L) {
  job_box *box = luaL_checkudata(L, 1, CLASS);
  brio_job_free(box->job);
  *box = (job_box){NULL, NULL};
  return 0;
}

void brio_lua_cloud_later(lua_State *L) {
  static const luaL_Reg methods[] = {{"result", result}, {"done", is_done}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
}

const luaL_Reg brio_lua_cloud_later_methods[] = {{"later", later}, {NULL, NULL}};
