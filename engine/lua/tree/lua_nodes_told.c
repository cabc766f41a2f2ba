/* Reports of a running tree: changes for the record, its state for a tree in another process, and facts of
** its plan. */
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

/* ---------------------------------------------------------------- facts of the plan */

/* The index of the node at argument 2, which counts from 1 in Lua; raises when there is none. */
static int node_at(lua_State *L, const brio_tree_plan *plan) {
  lua_Integer node = luaL_checkinteger(L, 2);
  luaL_argcheck(L, node >= 1 && node <= plan->count, 2, "no node of that number");
  return (int)node - 1;
}

/* tree:find(id) -> node | nil
** The number of the node with that id. */
static int find(lua_State *L) {
  const brio_tree_plan *plan = brio_lua_nodes_plan(L);
  int node = brio_tree_plan_find(plan, (int)brio_lua_number(L, 2, -1, 2147483647, "id"));
  if (node < 0) lua_pushnil(L);
  else lua_pushinteger(L, node + 1);
  return 1;
}

/* tree:id(node) -> id
** The id of a node, which edits do not change. */
static int id(lua_State *L) {
  const brio_tree_plan *plan = brio_lua_nodes_plan(L);
  lua_pushinteger(L, plan->nodes[node_at(L, plan)].id);
  return 1;
}

/* tree:parent(node) -> node, last
** The number of its parent, 0 for the root, and of its last descendant. */
static int parent(lua_State *L) {
  const brio_tree_plan *plan = brio_lua_nodes_plan(L);
  const brio_tree_node *node = &plan->nodes[node_at(L, plan)];
  lua_pushinteger(L, node->parent + 1);
  lua_pushinteger(L, node->end);
  return 2;
}

/* tree:waits(node) -> first, last
** The units of its line that it waits for before it begins, by their numbers; no results: it waits for
** none. */
static int waits(lua_State *L) {
  const brio_tree_plan *plan = brio_lua_nodes_plan(L);
  const brio_tree_node *node = &plan->nodes[node_at(L, plan)];
  const brio_tree_line *line = &plan->lines[node->line];
  if (node->position >= line->count) return 0;
  const brio_tree_entry *entry = &plan->entries[line->first + node->position];
  if (entry->high < entry->low || entry->high < 0) return 0;
  const brio_tree_entry *entries = &plan->entries[plan->lines[entry->wait].first];
  lua_pushinteger(L, entries[entry->low < 0 ? 0 : entry->low].node + 1);
  lua_pushinteger(L, entries[entry->high].node + 1);
  return 2;
}

/* tree:target(node) -> node | nil
** The target of a goto or gosub; nil: the next node, or another kind. */
static int target(lua_State *L) {
  const brio_tree_plan *plan = brio_lua_nodes_plan(L);
  int to = plan->nodes[node_at(L, plan)].to_node;
  if (to < 0) lua_pushnil(L);
  else lua_pushinteger(L, to + 1);
  return 1;
}

/* tree:part(node) -> "try" | "catch" | "finally" | nil
** The part of the fallback that a node is in; nil: its parent is not a fallback. */
static int part(lua_State *L) {
  const brio_tree_plan *plan = brio_lua_nodes_plan(L);
  const brio_tree_node *node = &plan->nodes[node_at(L, plan)];
  bool inside = node->parent >= 0 &&
                brio_tree_kind_of(plan, node->parent)->shape == BRIO_TREE_PARTS;
  if (inside)
    lua_pushstring(L, brio_lua_nodes_parts[node->stands == BRIO_TREE_ANY ? BRIO_TREE_TRY : node->stands]);
  else lua_pushnil(L);
  return 1;
}

const luaL_Reg brio_lua_nodes_told[] = {
    {"pack", pack},       {"words", words}, {"described", described}, {"changes", changes}, {"save", save},
    {"restore", restore}, {"find", find},   {"id", id},               {"parent", parent},   {"waits", waits},
    {"target", target},   {"part", part},   {NULL, NULL}};
