/* The Lua module brio.canvas: shapes, lines and text, drawn into an SVG or PNG file. */
#ifndef BRIO_LUA_CANVAS_H
#define BRIO_LUA_CANVAS_H

#include <lua.h>

/* Open the module: leave its table on the stack. */
int luaopen_brio_canvas(lua_State *L);

#endif
