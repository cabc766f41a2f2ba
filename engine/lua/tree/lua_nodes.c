/* The Lua module `brio.nodes`: the executor of behavior trees (tree/tree.h). Scripts write trees for
** brio.tree, which converts them to the lists of this module. */
#include <lauxlib.h>
#include <stdlib.h>

#include "lua/lua_args.h"
#include "lua/tree/lua_nodes.h"
#include "tree/tree.h"

static const char class[] = "brio.nodes.tree";

/* User values of the userdata. */
enum { WORK = 1, STOP, PAUSE, WORDS, ASKS, USER_VALUES = ASKS };

/* The stack of tree:work while a tick is under way. */
enum { NOW = 2, FACE, TRACEBACK, QUESTIONS };

enum { MOST_CHILDREN = 1000000 }; /* of which it chooses one */

/* A plan, and the number of trees that run or show it. */
typedef struct shared { brio_tree_plan plan; int users; } shared;

typedef struct tree_box {
  shared *of;
  brio_tree *tree; /* NULL: not created yet */
  lua_State *L;    /* the current caller; NULL: none, so leaves are not called */
  int self;        /* index of the userdata on that stack */
  bool failed;     /* a function of the script raised an error, which is kept as the word of no id, -1 */
  bool working;    /* a tick, or a call of the script, is under way */
  bool asks;       /* leaves with a function in place of `work`: see tree:asks */
} tree_box;

/* The tree at argument `arg`. Raise on one that was collected: another object's __gc may have it. */
static tree_box *box_at(lua_State *L, int arg) {
  tree_box *box = luaL_checkudata(L, arg, class);
  luaL_argcheck(L, box->of, arg, "it is closed");
  return box;
}

/* ---------------------------------------------------------------- calls of the script */

/* The text of the argument, by its __tostring if it has one; may raise. */
static int to_text(lua_State *L) { return luaL_tolstring(L, 1, NULL), 1; }

/* Keep the value on the top of the stack as the word of the node with that id, pop it, and return its text.
** It does not raise: that would leave the tick half done. */
static const char *keep_word(tree_box *box, int id) {
  lua_State *L = box->L;
  bool plain = lua_type(L, -1) == LUA_TSTRING;
  if (!plain) lua_pushcfunction(L, to_text);
  lua_pushvalue(L, plain ? -1 : -2);
  if (!plain && lua_pcall(L, 1, 1, 0) != LUA_OK) {
    lua_pop(L, 1);
    lua_pushliteral(L, "a reason that has no text");
  }
  const char *text = lua_tostring(L, -1);
  lua_getiuservalue(L, box->self, WORDS);
  lua_insert(L, -2);
  lua_rawseti(L, -2, id);
  lua_pop(L, 2);
  return text;
}

/* Push the script's function `which` (WORK, STOP, PAUSE); false: it has none, or no call is possible now. */
static bool push_function(tree_box *box, int which) {
  if (!box->L || !lua_checkstack(box->L, 8)) return false;
  if (lua_getiuservalue(box->L, box->self, which) == LUA_TFUNCTION) return true;
  lua_pop(box->L, 1);
  return false;
}

/* The message handler: a message that is text gets a traceback. */
static int add_traceback(lua_State *L) {
  const char *message = lua_tostring(L, 1);
  if (message) luaL_traceback(L, L, message, 1);
  return 1;
}

/* Call the function on the stack; false: it raised an error, which ends the tick's call with that error. */
static bool call_script(tree_box *box, int arguments, int results) {
  int base = lua_gettop(box->L) - arguments;
  lua_pushcfunction(box->L, add_traceback);
  lua_insert(box->L, base);
  /* Not only in a tick: an edit or a halt is half done while it stops leaves. */
  bool working = box->working;
  box->working = true;
  bool good = lua_pcall(box->L, arguments, results, base) == LUA_OK;
  box->working = working;
  lua_remove(box->L, base);
  if (good) return true;
  if (box->failed) {
    lua_pop(box->L, 1);
  } else {
    box->failed = true;
    keep_word(box, -1);
  }
  return false;
}

/* Read the function's first result, below the top: nil, a child's number, or success. */
static brio_tree_status read_result(lua_State *L) {
  if (lua_isnil(L, -2)) return BRIO_TREE_RUNNING;
  if (!lua_isinteger(L, -2)) return lua_toboolean(L, -2) ? BRIO_TREE_SUCCESS : BRIO_TREE_FAILURE;
  lua_Integer child = lua_tointeger(L, -2);
  return (brio_tree_status)(BRIO_TREE_CHOICE +
                            (child >= 1 && child <= MOST_CHILDREN ? child - 1 : MOST_CHILDREN));
}

/* Call a leaf's function of tree:asks, if it has one; false: it has none. */
static bool ask(tree_box *box, int call, brio_tree_status *status, const char **why) {
  lua_State *L = box->L;
  if (lua_rawgeti(L, QUESTIONS, call + 1) == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  /* The stack of tree:work holds the argument and the handler at fixed places, so that a condition costs one
  ** call. */
  lua_pushvalue(L, FACE);
  bool good = lua_pcall(L, 1, 1, TRACEBACK) == LUA_OK;
  *status = good && lua_toboolean(L, -1) ? BRIO_TREE_SUCCESS : BRIO_TREE_FAILURE;
  *why = good ? "it does not hold" : "an error";
  if (good) {
    lua_pop(L, 1);
  } else {
    box->failed = true;
    keep_word(box, -1);
  }
  return true;
}

/* The host's `work`: call a leaf's condition or the script's `work` with the numbers of the node and unit.
** After an error nothing is called in this tick. */
static brio_tree_status host_work(void *data, int call, int unit, bool fresh, double elapsed,
                                  const char **why) {
  tree_box *box = data;
  brio_tree_status asked;
  if (box->asks && !box->failed && ask(box, call, &asked, why)) return asked;
  if (box->failed) return BRIO_TREE_IDLE;
  if (!push_function(box, WORK)) return BRIO_TREE_RUNNING;
  lua_State *L = box->L;
  lua_pushinteger(L, call + 1);
  lua_pushinteger(L, unit + 1);
  lua_pushboolean(L, fresh);
  lua_pushnumber(L, elapsed);
  if (!call_script(box, 4, 2)) {
    *why = "an error";
    return BRIO_TREE_FAILURE;
  }
  brio_tree_status status = read_result(L);
  if (status == BRIO_TREE_FAILURE && !lua_isnil(L, -1)) {
    *why = keep_word(box, box->of->plan.nodes[call].id);
    lua_pop(L, 1);
  } else {
    lua_pop(L, 2);
  }
  return status;
}

/* The host's `stop`: report to the script that a leaf was stopped. */
static void host_stop(void *data, int call, int unit) {
  tree_box *box = data;
  if (box->failed || !push_function(box, STOP)) return;
  lua_pushinteger(box->L, call + 1);
  lua_pushinteger(box->L, unit + 1);
  call_script(box, 2, 0);
}

/* The host's `pause`: report to the script that a leaf is held, or released. */
static void host_pause(void *data, int call, int unit, bool on) {
  tree_box *box = data;
  if (box->failed || !push_function(box, PAUSE)) return;
  lua_pushinteger(box->L, call + 1);
  lua_pushinteger(box->L, unit + 1);
  lua_pushboolean(box->L, on);
  call_script(box, 3, 0);
}

/* ---------------------------------------------------------------- creation */

/* One tree fewer uses the plan; the last one frees it. */
static void drop(shared *plan) {
  if (!plan || --plan->users > 0) return;
  brio_tree_plan_end(&plan->plan);
  free(plan);
}

/* Push a tree without a plan. */
static tree_box *push_box(lua_State *L) {
  tree_box *box = lua_newuserdatauv(L, sizeof *box, USER_VALUES);
  *box = (tree_box){0};
  luaL_setmetatable(L, class);
  lua_newtable(L);
  lua_setiuservalue(L, -2, WORDS);
  return box;
}

/* Give a tree an empty plan of its own. */
static brio_tree_plan *own_plan(lua_State *L, tree_box *box) {
  box->of = calloc(1, sizeof *box->of);
  if (!box->of) luaL_error(L, "no memory for a tree");
  box->of->users = 1;
  brio_tree_plan_start(&box->of->plan);
  return &box->of->plan;
}

/* Return nil, a sentence and a code. */
static int refuse(lua_State *L, const brio_error *err) {
  lua_pushnil(L);
  lua_pushstring(L, err->message);
  lua_pushstring(L, brio_code_name(err->code));
  return 3;
}

/* nodes.new(list | tree [, work, stop, pause]) -> tree | nil, sentence, code
** Creates a tree from a list of nodes in depth-first order, {kind=, name=, is= name of the leaf, for kinds
** that call, parent= index in the list, 0: the root, id=, after= "previous", "beginning", "node", "all" or
** "whole", anchor= name, to= name, part=, and the kind's parameters}, with `anchor_id` and `to_id`, ids of
** nodes, instead of names; or one that runs the same plan as another tree. work(node, unit, fresh, elapsed)
** executes a leaf: it returns nil to continue, true, or false and the reason. For a `choose` it is called in
** each tick, and may return the child to run from now on, from 1. stop(node, unit) and pause(node, unit, on)
** are called when the leaf is stopped or held from outside. */
static int new_tree(lua_State *L) {
  lua_settop(L, 4);
  const tree_box *other = luaL_testudata(L, 1, class) ? box_at(L, 1) : NULL;
  if (!other) luaL_checktype(L, 1, LUA_TTABLE);
  tree_box *box = push_box(L);
  for (int i = WORK; i <= PAUSE; i++) {
    if (!lua_isnil(L, 1 + i)) luaL_checktype(L, 1 + i, LUA_TFUNCTION);
    lua_pushvalue(L, 1 + i);
    lua_setiuservalue(L, -2, i);
  }
  brio_error err;
  if (other) {
    box->of = other->of;
    box->of->users++;
  } else if (!brio_lua_nodes_read(L, 1, own_plan(L, box), &err)) {
    return refuse(L, &err);
  }
  lua_settop(L, 5);
  return 1;
}

/* tree:edited(edits) -> tree, list | nil, sentence, code
** Returns a tree, at rest, whose plan is this one's after a list of edits, in which nodes are given by their
** ids: {verb= "insert", parent=, before= its child, nil: at its end, list= a node and its descendants, as in
** nodes.new}, {verb= "remove", node=}, {verb= "move", node=, parent=, before=}, {verb= "set", node=,
** record=}. The list has the old number of each node; for inserted ones, minus the index among all inserted.
** This tree does not change: see tree:migrate. */
static int edited(lua_State *L) {
  const tree_box *box = box_at(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  tree_box *made = push_box(L);
  brio_error err;
  if (!brio_lua_nodes_edit(L, 2, &box->of->plan, own_plan(L, made), &err)) return refuse(L, &err);
  return 2;
}

/* __gc: the script's functions are not called any more when nodes are stopped. */
static int collect(lua_State *L) {
  tree_box *box = luaL_checkudata(L, 1, class);
  box->L = NULL;
  brio_tree_free(box->tree);
  drop(box->of);
  *box = (tree_box){0};
  return 0;
}

/* Return the execution of a tree, created at the first call. */
static brio_tree *tree_of(lua_State *L, tree_box *box) {
  if (box->tree) return box->tree;
  /* The box is the host: it does not move, and outlives the execution. */
  brio_tree_host host = {box, host_work, host_stop, host_pause};
  brio_error err;
  box->tree = brio_tree_new(&box->of->plan, &host, &err);
  if (!box->tree) luaL_error(L, "%s", err.message);
  return box->tree;
}

/* Return the tree at argument 1, ready to call the script; raise during one of its ticks. */
static tree_box *check_tree(lua_State *L) {
  tree_box *box = box_at(L, 1);
  tree_of(L, box);
  if (box->working) luaL_error(L, "a tick of this tree is under way: its own functions cannot drive it");
  box->L = L;
  box->self = 1;
  return box;
}

brio_tree *brio_lua_nodes_tree(lua_State *L, const brio_tree_plan **plan) {
  tree_box *box = check_tree(L);
  box->L = NULL;
  *plan = &box->of->plan;
  return box->tree;
}

const brio_tree_plan *brio_lua_nodes_plan(lua_State *L) {
  return &box_at(L, 1)->of->plan;
}

/* End a call that may have called the script: raise the script's error. */
static int finish_call(lua_State *L, tree_box *box, int results) {
  box->L = NULL;
  if (!box->failed) return results;
  box->failed = false;
  lua_getiuservalue(L, 1, WORDS);
  lua_rawgeti(L, -1, -1);
  return lua_error(L);
}

/* The index of the node at argument `arg`, which counts from 1 in Lua; raises when there is none. */
static int check_node(lua_State *L, const tree_box *box, int arg) {
  lua_Integer node = luaL_checkinteger(L, arg);
  luaL_argcheck(L, node >= 1 && node <= box->of->plan.count, arg, "no node of that number");
  return (int)node - 1;
}

/* ---------------------------------------------------------------- running */

/* tree:work(now [, self]) -> status
** Does one tick, at time `now` (s). Returns "running", "idle" (it waits for a person), "success" or
** "failure". `self` is the argument of functions of tree:asks. */
static int work(lua_State *L) {
  tree_box *box = check_tree(L);
  double now = brio_lua_number(L, NOW, -1e15, 1e15, "now");
  lua_settop(L, FACE);
  lua_pushcfunction(L, add_traceback);
  luaL_checkstack(L, 16, NULL);
  box->asks = lua_getiuservalue(L, 1, ASKS) == LUA_TTABLE;
  box->working = true;
  brio_tree_status status = brio_tree_work(box->tree, now);
  box->working = box->asks = false;
  lua_pushstring(L, brio_tree_status_name(status));
  return finish_call(L, box, 1);
}

/* tree:asks(list)
** Sets functions for conditions: list[node] is called in place of `work`, with the `self` of tree:work
** only; the leaf succeeds if it returns true, else it fails. nil removes them. Numbers are those of the
** current plan. */
static int asks(lua_State *L) {
  box_at(L, 1);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  lua_setiuservalue(L, 1, ASKS);
  return 0;
}

/* tree:begin()
** Begins again from the root, automatically. */
static int begin(lua_State *L) {
  tree_box *box = check_tree(L);
  brio_tree_begin(box->tree);
  return finish_call(L, box, 0);
}

/* tree:halt()
** Stops everything that runs. */
static int halt(lua_State *L) {
  tree_box *box = check_tree(L);
  brio_tree_halt(box->tree);
  return finish_call(L, box, 0);
}

/* tree:reset()
** Stops running nodes and clears failures; the next node stays next. */
static int reset(lua_State *L) {
  tree_box *box = check_tree(L);
  brio_tree_reset(box->tree);
  return finish_call(L, box, 0);
}

/* tree:automatic([on]) -> on
** Whether leaves begin automatically; sets it. */
static int automatic(lua_State *L) {
  tree_box *box = check_tree(L);
  if (!lua_isnoneornil(L, 2)) brio_tree_set_automatic(box->tree, lua_toboolean(L, 2));
  lua_pushboolean(L, brio_tree_automatic(box->tree));
  return 1;
}

/* tree:step()
** Lets the next concurrent set begin with the next tick. */
static int step(lua_State *L) { return brio_tree_step(check_tree(L)->tree), 0; }

/* tree:concurrency(on)
** Off: one unit at a time. */
static int concurrency(lua_State *L) {
  brio_tree_set_concurrency(check_tree(L)->tree, lua_toboolean(L, 2));
  return 0;
}

/* tree:next([node]) -> node | nil
** The number of the next node in the root's line, nil at its end; sets it. */
static int next(lua_State *L) {
  tree_box *box = check_tree(L);
  brio_error err;
  if (!lua_isnoneornil(L, 2) && !brio_tree_set_next(box->tree, check_node(L, box, 2), &err))
    return brio_lua_failed(L, &err);
  int node = brio_tree_next(box->tree);
  if (node < 0) lua_pushnil(L);
  else lua_pushinteger(L, node + 1);
  return 1;
}

/* tree:pause(node, on)
** Holds a running node, or releases it. */
static int hold(lua_State *L) {
  tree_box *box = check_tree(L);
  brio_error err;
  if (!brio_tree_pause(box->tree, check_node(L, box, 2), lua_toboolean(L, 3), &err))
    return brio_lua_failed(L, &err);
  return finish_call(L, box, 0);
}

/* tree:stop(node [, delay])
** Ends a running node, as failed, after `delay` (0) s. */
static int stop(lua_State *L) {
  tree_box *box = check_tree(L);
  double delay = lua_isnoneornil(L, 3) ? 0 : brio_lua_number(L, 3, 0, 1e9, "delay");
  brio_error err;
  if (!brio_tree_stop(box->tree, check_node(L, box, 2), delay, &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* tree:breakpoint(node, on)
** The tree stops automatically before this node. */
static int breakpoint(lua_State *L) {
  tree_box *box = check_tree(L);
  brio_error err;
  if (!brio_tree_set_breakpoint(box->tree, check_node(L, box, 2), lua_toboolean(L, 3), &err))
    return brio_lua_failed(L, &err);
  return 0;
}

/* tree:again(node)
** Stops a running node and begins it again in its place with the next tick. */
static int again(lua_State *L) {
  tree_box *box = check_tree(L);
  brio_error err;
  if (!brio_tree_again(box->tree, check_node(L, box, 2), &err)) return brio_lua_failed(L, &err);
  return finish_call(L, box, 0);
}

/* tree:prepare(other)
** Stops the nodes that tree:migrate would stop, so that they can be recorded by their old numbers. */
static int prepare(lua_State *L) {
  tree_box *box = check_tree(L);
  const tree_box *other = box_at(L, 2);
  brio_error err;
  if (!brio_tree_prepare(box->tree, &other->of->plan, &err)) return brio_lua_failed(L, &err);
  return finish_call(L, box, 0);
}

/* tree:migrate(other)
** Migrates to another tree's plan, as returned by tree:edited: a running node continues if the new plan has
** it, by its id, with the same kind and in the same line; other running nodes are stopped, by their old
** numbers. See docs/trees/trees.md. */
static int migrate(lua_State *L) {
  tree_box *box = check_tree(L);
  const tree_box *other = box_at(L, 2);
  brio_error err;
  if (!brio_tree_migrate(box->tree, &other->of->plan, &err)) return brio_lua_failed(L, &err);
  other->of->users++;
  drop(box->of);
  box->of = other->of;
  return finish_call(L, box, 0);
}

/* tree:turn(node) -> count
** The number of completed turns of a running loop, or of failures of a retry, so far. */
static int turn(lua_State *L) {
  tree_box *box = box_at(L, 1);
  const brio_tree *tree = tree_of(L, box);
  lua_pushinteger(L, brio_tree_turn(tree, check_node(L, box, 2)));
  return 1;
}

/* tree:status(node) -> status, seconds, why
** The status of a node, the seconds of its current or last run, and the reason of its failure (nil:
** unknown). */
static int status(lua_State *L) {
  tree_box *box = box_at(L, 1);
  const brio_tree *tree = tree_of(L, box);
  int node = check_node(L, box, 2);
  lua_pushstring(L, brio_tree_status_name(brio_tree_status_of(tree, node)));
  lua_pushnumber(L, brio_tree_elapsed(tree, node));
  lua_pushstring(L, brio_tree_why(tree, node));
  return 3;
}

/* Push a list of numbers of nodes, as a `list` function of tree.h writes them. */
static int push_nodes(lua_State *L, int (*list)(const brio_tree *, int32_t *, int)) {
  const brio_tree *tree = tree_of(L, box_at(L, 1));
  int count = list(tree, NULL, 0);
  int32_t *nodes = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *nodes, 0);
  list(tree, nodes, count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushinteger(L, nodes[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* tree:running() -> list
** The numbers of the leaves and closed nodes that run, outer ones first. */
static int running(lua_State *L) { return push_nodes(L, brio_tree_running); }

/* tree:coming() -> list
** The numbers of the nodes that a step would begin: of each line that waits for one, the next concurrent
** set. */
static int coming(lua_State *L) { return push_nodes(L, brio_tree_coming); }

/* ---------------------------------------------------------------- kinds */

/* nodes.kinds() -> list
** Every kind of node: {name=, doc=, leaf=, open=, parts=, branches= (each child is a line), at_once= (and
** they run at once), targets=, params= list of {name=, unit=, doc=, value=, lower=, upper=}}. */
static int kinds(lua_State *L) { return brio_lua_nodes_kinds(L), 1; }

int luaopen_brio_nodes(lua_State *L) {
  static const luaL_Reg methods[] = {{"work", work},
                                     {"begin", begin},
                                     {"halt", halt},
                                     {"reset", reset},
                                     {"automatic", automatic},
                                     {"step", step},
                                     {"concurrency", concurrency},
                                     {"next", next},
                                     {"pause", hold},
                                     {"stop", stop},
                                     {"breakpoint", breakpoint},
                                     {"status", status},
                                     {"turn", turn},
                                     {"running", running},
                                     {"coming", coming},
                                     {"again", again},
                                     {"edited", edited},
                                     {"migrate", migrate},
                                     {"asks", asks},
                                     {"prepare", prepare},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {{"new", new_tree}, {"kinds", kinds}, {NULL, NULL}};
  brio_lua_class(L, class, methods, collect);
  luaL_getmetatable(L, class);
  lua_getfield(L, -1, "__index");
  luaL_setfuncs(L, brio_lua_nodes_told, 0);
  lua_pop(L, 2);
  luaL_newlib(L, functions);
  return 1;
}
