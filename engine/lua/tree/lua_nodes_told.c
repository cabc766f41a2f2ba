/* Reports of a running tree: changes for the record, and its state for a tree in another process. */
#include <lauxlib.h>

#include "lua/lua_args.h"
#include "lua/tree/lua_nodes.h"

/* tree:pack() -> text | nil
** The statuses that changed since the last call, packed: see docs/analysis/store.md; nil: nothing changed. */
static int pack(lua_State *L) {
  const brio_tree_plan *plan;
  brio_tree *tree = brio_lua_nodes_tree(L, &plan);
  if (brio_tree_changes(tree) == 0) return 0;
  /* The size is known: the bytes are written into the text's own memory. */
  size_t room = brio_tree_pack_room(tree);
  luaL_Buffer buffer;
  char *text = luaL_buffinitsize(L, &buffer, room);
  luaL_pushresultsize(&buffer, brio_tree_pack(tree, text, room));
  return 1;
}

/* tree:words() -> list | nil
** The nodes that changed and failed for another reason than at the last call: their ids and reasons
** alternately; nil: there are none. Call it before tree:pack and tree:changes. */
static int words(lua_State *L) {
  const brio_tree_plan *plan;
  brio_tree *tree = brio_lua_nodes_tree(L, &plan);
  int room = brio_tree_changes(tree);
  if (room == 0) return 0;
  /* As many failures as changes, at most. */
  int32_t *nodes = lua_newuserdatauv(L, (size_t)room * sizeof *nodes, 0);
  int count = brio_tree_take_words(tree, nodes);
  if (count == 0) return 0;
  lua_createtable(L, 2 * count, 0);
  for (int i = 0; i < count; i++) {
    const char *why = brio_tree_why(tree, nodes[i]);
    lua_pushinteger(L, plan->nodes[nodes[i]].id);
    lua_rawseti(L, -2, 2 * i + 1);
    lua_pushstring(L, why ? why : "");
    lua_rawseti(L, -2, 2 * i + 2);
  }
  return 1;
}

/* tree:described() -> text
** Its nodes, as JSON: [kind or leaf, name, parent (0: none), id] of each. */
static int described(lua_State *L) {
  const brio_tree_plan *plan;
  brio_lua_nodes_tree(L, &plan);
  brio_lua_nodes_describe(L, plan);
  return 1;
}

/* tree:changes([keep]) -> list | nil
** The numbers of the nodes that changed since the last call, each once; nil: there are none. With `keep`
** the next call returns them again. */
static int changes(lua_State *L) {
  const brio_tree_plan *plan;
  brio_tree *tree = brio_lua_nodes_tree(L, &plan);
  bool keep = lua_toboolean(L, 2);
  int room = brio_tree_changes(tree);
  if (room == 0) return 0;
  int32_t *nodes = lua_newuserdatauv(L, (size_t)room * sizeof *nodes, 0);
  int count = brio_tree_take_changes(tree, nodes, room, keep);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushinteger(L, nodes[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* tree:save() -> list
** Its state, as numbers for tree:restore. */
static int save(lua_State *L) {
  const brio_tree_plan *plan;
  const brio_tree *tree = brio_lua_nodes_tree(L, &plan);
  /* First the count, then the numbers. */
  size_t count = brio_tree_save(tree, NULL, 0);
  double *numbers = lua_newuserdatauv(L, count * sizeof *numbers, 0);
  brio_tree_save(tree, numbers, count);
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* tree:restore(list, now, shift) -> true | nil, sentence, code
** Continues from the state of another tree of the same plan, whose times were earlier by `shift` s: completed
** nodes stay completed, running leaves begin again with the next tick. If the list does not fit this plan, it
** begins from the root. */
static int restore(lua_State *L) {
  const brio_tree_plan *plan;
  brio_tree *tree = brio_lua_nodes_tree(L, &plan);
  luaL_checktype(L, 2, LUA_TTABLE);
  double now = brio_lua_number(L, 3, -1e15, 1e15, "now"), shift = brio_lua_number(L, 4, -1e15, 1e15, "shift");
  size_t count = lua_rawlen(L, 2);
  double *numbers = lua_newuserdatauv(L, count * sizeof *numbers, 0);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    numbers[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  brio_error err;
  if (!brio_tree_restore(tree, numbers, count, now, shift, &err)) return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

const luaL_Reg brio_lua_nodes_told[] = {{"pack", pack},       {"words", words}, {"described", described},
                                        {"changes", changes}, {"save", save},   {"restore", restore},
                                        {NULL, NULL}};
