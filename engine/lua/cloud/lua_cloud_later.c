/* Methods of a cloud that are too long for a tick, in a thread (lua_later.h). */
#include "lua/cloud/lua_cloud.h"
#include "lua/lua_args.h"
#include "lua/lua_later.h"

static void push(lua_State *L, void *cloud) { brio_lua_cloud_lend(L, cloud); }

static void end(void *cloud) { brio_cloud_free(cloud); }

/* cloud:later(method [, options]) -> job | nil, sentence, code
** Calls a method in a thread, because it takes longer than a tick allows, on a copy of the cloud: method
** is "table_edge", "door_panel", "door_frame", "planes", "edges" or "clusters", options are that method's.
** job:done() returns whether it is done, job:result([wait]) its results, or nothing while it is not done
** (with `wait` it blocks until then). Codes: limit, no_memory. */
static int later(lua_State *L) {
  static const char *const methods[] = {"table_edge", "door_panel", "door_frame", "planes",
                                        "edges",      "clusters",   NULL};
  const brio_cloud *cloud = brio_lua_cloud_check(L, 1);
  const char *method = methods[luaL_checkoption(L, 2, NULL, methods)];
  brio_error err;
  lua_settop(L, 3);
  brio_cloud *copy = brio_cloud_new(&err);
  if (!copy || !brio_cloud_copy(copy, cloud, &err)) {
    brio_cloud_free(copy);
    return brio_lua_failed(L, &err);
  }
  brio_lua_question question = {.module = "brio.cloud",
                                .open = luaopen_brio_cloud,
                                .function = method,
                                .thing = copy,
                                .push = push,
                                .end = end,
                                .first = 3,
                                .last = lua_isnil(L, 3) ? 2 : 3};
  return brio_lua_later(L, &question, &err) ? 1 : brio_lua_failed(L, &err);
}

const luaL_Reg brio_lua_cloud_later_methods[] = {{"later", later}, {NULL, NULL}};
