/* Plans of behavior trees, read from what scripts say and edited as they say. */
#ifndef BRIO_LUA_NODES_H
#define BRIO_LUA_NODES_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "tree/tree.h"

/* Read the list of nodes at `index` into a plan that was started, and finish it.  What a node calls is its
** number.  Raises where the list is none; false: the plan refused it. */
bool brio_lua_nodes_read(lua_State *L, int index, brio_tree_plan *plan, brio_error *err);

/* Make `plan` what `from` becomes by the list of edits at `index`, finished; what a node calls is its new
** number.  Push a list of where each node was: its number, or minus its place among all that were put in.
** Raises where the list is none; false, with nothing pushed: an edit cannot be. */
bool brio_lua_nodes_edit(lua_State *L, int index, const brio_tree_plan *from, brio_tree_plan *plan,
                         brio_error *err);

/* Push what a plan's nodes are, as JSON: [kind or leaf, name, number of the parent (0: none), id] of each. */
void brio_lua_nodes_describe(lua_State *L, const brio_tree_plan *plan);

/* Push the list of all kinds: see nodes.kinds. */
void brio_lua_nodes_kinds(lua_State *L);

/* Return the tree that argument 1 is, made when it is first asked for, and its plan; raise when a tick of it
** is under way. */
brio_tree *brio_lua_nodes_tree(lua_State *L, const brio_tree_plan **plan);

/* Methods of a tree that tell of it: lua_nodes_told.c. */
extern const luaL_Reg brio_lua_nodes_told[];

/* The words of `part`, by brio_tree_part. */
extern const char *const brio_lua_nodes_parts[];

#endif
