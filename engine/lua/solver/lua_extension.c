/* brio.extension: extensions of the solver at run time, written in Lua (see
** lua/brio/behavior/wants/objective.lua) or loaded from a shared object (runtime/extension.h).  Not for
** behaviors, which get the loaded ones. */
#include "lua/solver/lua_extension.h"

#include <lauxlib.h>
#include <string.h>

#include "base/name.h"
#include "lua/lua_args.h"
#include "lua/solver/lua_objective.h"
#include "runtime/extension.h"

/* The key, in the registry, of the list of loaded records: light userdata. */
static const char loaded_key;

/* Push the list of loaded records, created at the first use. */
static void push_loaded(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &loaded_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &loaded_key);
}

/* Return the loaded record number `i`; NULL past the last. */
static const brio_extension *loaded_at(lua_State *L, int i) {
  push_loaded(L);
  lua_rawgeti(L, -1, i + 1);
  const brio_extension *record = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return record;
}

const brio_objective_kind *brio_lua_loaded_objective(lua_State *L, int i) {
  const brio_extension *record;
  /* Count through the extensions in the order in which they were loaded. */
  for (int k = 0; (record = loaded_at(L, k)); k++)
    for (int j = 0; record->objectives && record->objectives[j]; j++)
      if (i-- == 0) return record->objectives[j];
  return NULL;
}

const brio_goal_kind *brio_lua_loaded_goal_kind(lua_State *L, int i) {
  const brio_extension *record;
  for (int k = 0; (record = loaded_at(L, k)); k++)
    for (int j = 0; record->goals && record->goals[j]; j++)
      if (i-- == 0) return record->goals[j];
  return NULL;
}

/* The name of objective number `i`, built-in ones first, for brio_name_hint; `list` is the Lua state. */
static const char *name_at(const void *list, int i) {
  lua_State *L = (lua_State *)(uintptr_t)list;
  int built_in = 0;
  while (brio_objective_kinds[built_in]) built_in++;
  if (i < built_in) return brio_objective_kinds[i]->name;
  const brio_objective_kind *kind = brio_lua_loaded_objective(L, i - built_in);
  return kind ? kind->name : NULL;
}

const brio_objective_kind *brio_lua_check_objective(lua_State *L, int index) {
  /* A value of brio.objective, or a name. */
  const brio_objective_kind *kind = brio_lua_objective_kind(L, index);
  if (kind) return kind;
  if (lua_type(L, index) != LUA_TSTRING)
    luaL_error(L, "an objective is given by its name, or as brio.objective made it, not as a %s",
               luaL_typename(L, index));
  const char *name = lua_tostring(L, index);
  /* Built-in names come before loaded ones; no two are equal. */
  for (int i = 0; brio_objective_kinds[i]; i++)
    if (strcmp(brio_objective_kinds[i]->name, name) == 0) return brio_objective_kinds[i];
  for (int i = 0; (kind = brio_lua_loaded_objective(L, i)); i++)
    if (strcmp(kind->name, name) == 0) return kind;
  char hint[96];
  luaL_error(L, "there is no objective '%s'%s", name, brio_name_hint(name, name_at, L, hint));
  return NULL;
}

/* --- loading --- */

/* Fail when an objective or goal kind has the name of another. */
static bool check_names(lua_State *L, const char *file, const brio_extension *record, brio_error *err) {
  /* The name of an objective must differ from all others; so must that of a goal kind. */
  for (int i = 0; record->objectives && record->objectives[i]; i++) {
    const char *name = record->objectives[i]->name, *other;
    for (int k = 0; (other = name_at(L, k)); k++)
      if (strcmp(name, other) == 0)
        return brio_fail(err, BRIO_FORMAT, "%s: there is an objective '%.64s' already", file, name);
  }
  for (int i = 0; record->goals && record->goals[i]; i++) {
    const char *name = record->goals[i]->name;
    const brio_goal_kind *kind;
    bool taken = brio_goal_kind_find(name, NULL) != NULL;
    for (int k = 0; (kind = brio_lua_loaded_goal_kind(L, k)); k++)
      taken = taken || strcmp(kind->name, name) == 0;
    if (taken) return brio_fail(err, BRIO_FORMAT, "%s: there is a goal kind '%.64s' already", file, name);
  }
  return true;
}

/* extension.load(file) -> name | nil, sentence, code
** Loads a shared object: its objectives are then in want and solver.kinds(), in this
** Lua state. It stays loaded until the program ends; loading it again has no effect. */
static int load(lua_State *L) {
  const char *file = luaL_checkstring(L, 1);
  brio_error err;
  const brio_extension *record = brio_extension_open(file, &err), *other;
  if (!record) return brio_lua_failed(L, &err);
  /* The same shared object is one record: it is listed once. */
  int count = 0;
  for (; (other = loaded_at(L, count)) && other != record; count++) continue;
  if (!other) {
    if (!check_names(L, file, record, &err)) return brio_lua_failed(L, &err);
    push_loaded(L);
    lua_pushlightuserdata(L, (void *)(uintptr_t)record);
    lua_rawseti(L, -2, count + 1);
  }
  lua_pushstring(L, record->name);
  return 1;
}


int luaopen_brio_extension(lua_State *L) {
  static const luaL_Reg functions[] = {{"objective", brio_lua_new_objective},
                                       {"goal_kind", brio_lua_new_goal_kind},
                                       {"feature", brio_lua_new_feature},
                                       {"load", load},
                                       {NULL, NULL}};
  brio_lua_objective_classes(L);
  luaL_newlib(L, functions);
  return 1;
}
