/* The `state` argument of objectives and features written in Lua: their view of an evaluation. */
#ifndef BRIO_LUA_VIEW_H
#define BRIO_LUA_VIEW_H

#include <lua.h>

#include "solver/solver.h"

/* A view.  The evaluation may be read only while `at` is set. */
typedef struct brio_lua_view {
  const brio_robot *robot;
  const brio_evaluation *at; /* NULL: none now */
  uint64_t solves;           /* counted by the owner: caches are valid for one value */
  bool *columns;             /* nv flags, set as coordinates are read; NULL: not recorded */
  double *jacobian;          /* rows that may be written now; NULL: none */
  const brio_solver *solver; /* solver that names the shapes; NULL: it has no distances */
  double *room;              /* 3 x nv: scratch; NULL: the instance is gone */
} brio_lua_view;

/* Push a state, and return its view, which lives as long. `features` is the index of a table of feature
** kinds by name (light userdata) in addition to the built-in ones. */
brio_lua_view *brio_lua_view_push(lua_State *L, const brio_robot *robot, int features);

/* Return the evaluation, or raise. */
const brio_evaluation *brio_lua_view_at(lua_State *L, const brio_lua_view *view);

/* Return the index of a link, or raise with the nearest name. */
int brio_lua_view_link(lua_State *L, const brio_lua_view *view, int arg);

#endif
