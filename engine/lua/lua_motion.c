/* The Lua module `brio.motion`: kinds of keyframes and curves (motion/keyframe.h, motion/curve.h). */
#include <lauxlib.h>

#include "lua/lua_args.h"
#include "motion/curve.h"
#include "motion/keyframe.h"

/* motion.kinds() -> list of {name, doc, value}
** The kinds of keyframes; value says what a key of it has: "number", "none" or "range". */
static int kinds(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_keyframe_kinds[i]; i++) {
    lua_createtable(L, 0, 3);
    brio_lua_set_text(L, "name", brio_keyframe_kinds[i]->name);
    brio_lua_set_text(L, "doc", brio_keyframe_kinds[i]->doc);
    brio_lua_set_text(L, "value", brio_keyframe_kinds[i]->value);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* motion.curves() -> list of {name, doc, handles}
** The curves that lead from key to key; handles: it is pulled by the keys' handles `out` and `into`. */
static int curves(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; brio_curves[i]; i++) {
    lua_createtable(L, 0, 3);
    brio_lua_set_text(L, "name", brio_curves[i]->name);
    brio_lua_set_text(L, "doc", brio_curves[i]->doc);
    lua_pushboolean(L, brio_curves[i]->handles);
    lua_setfield(L, -2, "handles");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int luaopen_brio_motion(lua_State *L) {
  static const luaL_Reg functions[] = {{"kinds", kinds}, {"curves", curves}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
