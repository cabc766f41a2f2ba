/* Searches that work in slices, as Lua sees them. */
#ifndef BRIO_LUA_PLAN_LUA_SEARCH_H
#define BRIO_LUA_PLAN_LUA_SEARCH_H

#include "lua/lua_args.h"
#include "plan/body_path.h"

/* Push what search:work returns and return how many values: none while it goes on, true when it has found
** something, else false, sentence, code. */
static inline int brio_lua_push_search(lua_State *L, brio_search_status status, const brio_error *err) {
  if (status == BRIO_SEARCH_GOES_ON) return 0;
  lua_pushboolean(L, status == BRIO_SEARCH_FOUND);
  if (status == BRIO_SEARCH_FOUND) return 1;
  lua_pushstring(L, err->message);
  lua_pushstring(L, brio_code_name(err->code));
  return 3;
}

/* Push the list in field `key` of the table at `index`, nil if it is absent; return its length.  Raise when
** it is longer than `most`. */
int brio_lua_list_in(lua_State *L, int index, const char *key, int most);

/* Read the optional list `obstacles` of the table at `index`: {kind, size, [points, pose, name]} of each.
** Return the array, and its length in `count`.  It and what it refers to stay on the stack. */
brio_obstacle *brio_lua_obstacles(lua_State *L, int index, int *count);

#endif
