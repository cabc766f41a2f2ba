/* Plans of behavior trees, built from Lua tables and edited by lists of edits. */
#ifndef BRIO_LUA_NODES_H
#define BRIO_LUA_NODES_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "tree/tree.h"

/* Read the list of nodes at `index` into a plan that was started, and finish it.  The host's function of a
** node has the node's number.  Raises on an invalid list; false: the plan refused it. */
bool brio_lua_nodes_read(lua_State *L, int index, brio_tree_plan *plan, brio_error *err);

/* Apply the list of edits at `index` to a copy of `from`, in `plan`, and finish it.  The host's function of
** a node has its new number.  Push a list of the origins of nodes: the old number, or minus the index among
** all inserted nodes.  Raises on an invalid list; false, with nothing pushed: an edit is not possible. */
bool brio_lua_nodes_edit(lua_State *L, int index, const brio_tree_plan *from, brio_tree_plan *plan,
                         brio_error *err);

/* Push a plan's nodes as JSON: [kind or leaf, name, number of the parent (0: none), id] of each. */
void brio_lua_nodes_describe(lua_State *L, const brio_tree_plan *plan);

/* Push the list of all kinds: see nodes.kinds. */
void brio_lua_nodes_kinds(lua_State *L);

/* Return the tree at argument 1, created at the first call, and its plan; raise during one of its ticks. */
brio_tree *brio_lua_nodes_tree(lua_State *L, const brio_tree_plan **plan);

/* Return the plan of the tree at argument 1, also during its ticks. */
const brio_tree_plan *brio_lua_nodes_plan(lua_State *L);

/* Methods that report the state of a tree: lua_nodes_told.c. */
extern const luaL_Reg brio_lua_nodes_told[];

/* Names of the fallback's parts, by brio_tree_part. */
extern const char *const brio_lua_nodes_parts[];

#endif
