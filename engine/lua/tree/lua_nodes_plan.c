/* Plans of behavior trees, and edits of them, from Lua tables: lua_nodes.h. */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "lua/lua_args.h"
#include "lua/tree/lua_nodes.h"

/* Words of `after`, in the order of brio_tree_after. */
static const char *const afters[] = {"previous", "beginning", "node", "all", "whole", NULL};
const char *const brio_lua_nodes_parts[] = {"", "try", "catch", "finally", NULL};

/* The index in `words` of the text in field `key` of the table on top; absent: the first. Raises on another
** word. */
static int word_of(lua_State *L, const char *key, const char *const *words) {
  const char *text = brio_lua_field_text(L, -1, key, words[0]);
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], text) == 0) return i;
  }
  return luaL_error(L, "%s may not be '%s'", key, text);
}

/* Read a node's description from the table on the top of the stack; `call` is the number of its function. */
static brio_tree_say read_node(lua_State *L, int call) {
  luaL_checktype(L, -1, LUA_TTABLE);
  /* The kind and the parent; Lua counts nodes from 1, the plan from 0. An unknown kind is refused by the
  ** plan. */
  const char *kind = brio_lua_field_text(L, -1, "kind", "");
  int row = brio_tree_kind_find(kind);
  brio_tree_say say = brio_tree_say_of(kind, (int)brio_lua_field_number(L, -1, "parent", 0, 1e9, 0) - 1);
  /* Texts belong to the table, which outlives the description. */
  say.name = brio_lua_field_text(L, -1, "name", NULL);
  say.anchor = brio_lua_field_text(L, -1, "anchor", NULL);
  say.to = brio_lua_field_text(L, -1, "to", NULL);
  say.leaf = brio_lua_field_text(L, -1, "is", NULL);
  /* Ids are optional: -1 stands for a missing one. They take precedence over names. */
  say.anchor_id = (int)brio_lua_field_number(L, -1, "anchor_id", -1, 2147483647, -1);
  say.to_id = (int)brio_lua_field_number(L, -1, "to_id", -1, 2147483647, -1);
  say.id = (int)brio_lua_field_number(L, -1, "id", -1, 2147483647, -1);
  say.after = (brio_tree_after)word_of(L, "after", afters);
  say.part = (brio_tree_part)word_of(L, "part", brio_lua_nodes_parts);
  say.call = call;
  /* Parameters by the names of the kind; those that are absent remain NaN, the kind's default. */
  const brio_tree_param *params = row >= 0 ? brio_tree_kinds[row]->params : NULL;
  for (int i = 0; params && params[i].name; i++) {
    if (lua_getfield(L, -1, params[i].name) != LUA_TNIL) {
      say.params[i] = luaL_checknumber(L, -1);
      if (isnan(say.params[i])) luaL_error(L, "%s is no number", params[i].name);
    }
    lua_pop(L, 1);
  }
  return say;
}

bool brio_lua_nodes_read(lua_State *L, int index, brio_tree_plan *plan, brio_error *err) {
  /* In depth-first order, so that each parent is read before its children. */
  for (int i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
    brio_tree_say say = read_node(L, i - 1);
    if (brio_tree_plan_add(plan, &say, err) < 0) return false;
  }
  return brio_tree_plan_finish(plan, err);
}

/* ---------------------------------------------------------------- edits */

/* Edits in progress: the copy that changes, the plan that it came from, and how many nodes were inserted. */
typedef struct editing { brio_tree_plan *plan; const brio_tree_plan *from; int put_in; } editing;

/* Return the number of the node whose id is in field `key` of the edit on the top of the stack; -1: the field
** is absent, or, with the error set, there is no such node. */
static int node_at(lua_State *L, const editing *self, const char *key, brio_error *err) {
  int id = (int)brio_lua_field_number(L, -1, key, -1, 2147483647, -1);
  *err = (brio_error){0};
  if (id < 0) return -1;
  int node = brio_tree_plan_find(self->plan, id);
  if (node < 0) brio_fail(err, BRIO_MISUSE, "there is no node with the id %d", id);
  return node;
}

/* The function number of an inserted node: one that no node of the old plan has, which identifies it. */
static int call_of(const editing *self) { return self->from->count + self->put_in; }

/* Insert the list of nodes `list` into `parent` before its child `before`. Raises on an invalid list; false:
** the plan refused it. */
static bool put_in(lua_State *L, editing *self, brio_error *err) {
  /* An absent field means the root or the end; an id that no node has sets the error. */
  int parent = node_at(L, self, "parent", err), before = err->code ? -1 : node_at(L, self, "before", err);
  if (err->code) return false;
  luaL_argcheck(L, lua_getfield(L, -1, "list") == LUA_TTABLE, 2, "an insert has a list of nodes");
  lua_Unsigned count = lua_rawlen(L, -1);
  luaL_argcheck(L, count <= BRIO_TREE_MOST_NODES, 2, "too many nodes");
  /* All descriptions first: the plan takes them at once. They are freed with the stack. */
  brio_tree_say *says = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *says, 0);
  for (lua_Unsigned i = 0; i < count; i++, self->put_in++) {
    lua_rawgeti(L, -2, (lua_Integer)i + 1);
    says[i] = read_node(L, call_of(self));
    lua_pop(L, 1);
  }
  bool good = brio_tree_plan_insert(self->plan, says, (int)count, parent, before, err) >= 0;
  lua_pop(L, 2);
  return good;
}

/* Remove the node `node` with its descendants. */
static bool take_out(lua_State *L, editing *self, brio_error *err) {
  int node = node_at(L, self, "node", err);
  return !err->code && brio_tree_plan_remove(self->plan, node, err);
}

/* Move the node `node` into `parent` before its child `before`; stops at the first id that does not
** exist. */
static bool move(lua_State *L, editing *self, brio_error *err) {
  int node = node_at(L, self, "node", err), parent = err->code ? -1 : node_at(L, self, "parent", err);
  int before = err->code ? -1 : node_at(L, self, "before", err);
  return !err->code && brio_tree_plan_move(self->plan, node, parent, before, err) >= 0;
}

/* Replace the description of the node `node` by `record`. Its function stays the same. */
static bool say_anew(lua_State *L, editing *self, brio_error *err) {
  int node = node_at(L, self, "node", err);
  if (err->code) return false;
  luaL_argcheck(L, lua_getfield(L, -1, "record") == LUA_TTABLE, 2, "a set has the record of a node");
  brio_tree_say say = read_node(L, node >= 0 ? self->plan->nodes[node].call : 0);
  bool good = brio_tree_plan_set(self->plan, node, &say, err);
  lua_pop(L, 1);
  return good;
}

static const struct { const char *verb; bool (*edit)(lua_State *, editing *, brio_error *); } verbs[] = {
  {"insert", put_in}, {"remove", take_out}, {"move", move}, {"set", say_anew}};

/* Apply the edit on the top of the stack by its verb; raises on an unknown one. */
static bool edit_one(lua_State *L, editing *self, brio_error *err) {
  luaL_checktype(L, -1, LUA_TTABLE);
  const char *verb = brio_lua_field_text(L, -1, "verb", "");
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(verbs[i].verb, verb) == 0) return verbs[i].edit(L, self, err);
  }
  return luaL_error(L, "an edit's verb is insert, remove, move or set, not '%s'", verb);
}

bool brio_lua_nodes_edit(lua_State *L, int index, const brio_tree_plan *from, brio_tree_plan *plan,
                         brio_error *err) {
  editing self = {plan, from, 0};
  if (!brio_tree_plan_copy(plan, from, err)) return false;
  /* The edits in order: each sees the result of those before. */
  for (int i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
    if (!edit_one(L, &self, err)) return false;
  }
  lua_pop(L, 1);
  if (!brio_tree_plan_finish(plan, err)) return false;
  /* Each node's number of the old plan, counted from 1, or minus its index among the inserted nodes; then
  ** number the functions as the nodes. */
  lua_createtable(L, plan->count, 0);
  for (int i = 0; i < plan->count; i++) {
    int was = plan->nodes[i].call;
    lua_pushinteger(L, was < from->count ? was + 1 : from->count - was - 1);
    lua_rawseti(L, -2, i + 1);
    plan->nodes[i].call = i;
  }
  return true;
}

void brio_lua_nodes_describe(lua_State *L, const brio_tree_plan *plan) {
  brio_text text = {0};
  for (int i = 0; i < plan->count; i++) {
    /* A leaf shows its own kind of leaf, any other node its kind. */
    const brio_tree_node *node = &plan->nodes[i];
    const char *is = *node->leaf ? node->leaf : brio_tree_kind_of(plan, i)->name;
    brio_text_add(&text, i == 0 ? "[[" : ",[", 2);
    brio_text_json(&text, is, strlen(is));
    brio_text_add(&text, ",", 1);
    brio_text_json(&text, node->name, strlen(node->name));
    brio_text_format(&text, ",%d,%d]", (int)node->parent + 1, (int)node->id);
  }
  brio_text_add(&text, "]", 1);
  /* Without memory an empty list: the description is only shown to people. */
  if (text.failed) lua_pushliteral(L, "[]");
  else lua_pushlstring(L, text.bytes, text.length);
  brio_text_end(&text);
}

/* Set the field `params` of the table on top: a list of {name, unit, doc, value, lower, upper}. */
static void push_params(lua_State *L, const brio_tree_param *params) {
  lua_newtable(L);
  for (int i = 0; params && params[i].name; i++) {
    lua_newtable(L);
    brio_lua_set_text(L, "name", params[i].name);
    brio_lua_set_text(L, "unit", params[i].unit);
    brio_lua_set_text(L, "doc", params[i].doc);
    brio_lua_set_number(L, "value", params[i].fallback);
    brio_lua_set_number(L, "lower", params[i].lower);
    brio_lua_set_number(L, "upper", params[i].upper);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "params");
}

void brio_lua_nodes_kinds(lua_State *L) {
  lua_createtable(L, brio_tree_kind_count, 0);
  for (int i = 0; i < brio_tree_kind_count; i++) {
    const brio_tree_kind *kind = brio_tree_kinds[i];
    lua_newtable(L);
    brio_lua_set_text(L, "name", kind->name);
    brio_lua_set_text(L, "doc", kind->doc);
    /* Flags for editors: the children that the kind accepts, and whether it has targets. */
    const struct { const char *name; bool on; } flags[] = {
      {"leaf", kind->shape == BRIO_TREE_LEAF}, {"open", kind->shape == BRIO_TREE_OPEN},
      {"parts", kind->shape == BRIO_TREE_PARTS}, {"branches", kind->shape == BRIO_TREE_BRANCHES},
      {"at_once", kind->at_once}, {"targets", kind->targets}};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
      lua_pushboolean(L, flags[k].on);
      lua_setfield(L, -2, flags[k].name);
    }
    push_params(L, kind->params);
    lua_rawseti(L, -2, i + 1);
  }
}
