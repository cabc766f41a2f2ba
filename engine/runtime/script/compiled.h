/* The compiled library (scripts/make/compile.lua), as every Lua state of the program finds it. */
#ifndef BRIO_RUNTIME_SCRIPT_COMPILED_H
#define BRIO_RUNTIME_SCRIPT_COMPILED_H

#include <lua.h>

/* Say where the library is, and where its compiled modules are; both shorter than PATH_MAX.  Once, before any
** other thread is started: without this, states know only the sources. */
void brio_compiled_at(const char *library, const char *folder);

/* Let `require` of a state with open libraries search the compiled modules before the sources.  May raise an
** error of Lua. */
void brio_compiled_first(lua_State *L);

#endif
