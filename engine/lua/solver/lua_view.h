/* What an objective or feature written in Lua sees of an evaluation: its `state`. */
#ifndef BRIO_LUA_VIEW_H
#define BRIO_LUA_VIEW_H

#include <lua.h>

#include "solver/solver.h"

/* Where a state looks.  The evaluation may be read only while `at` is set. */
typedef struct brio_lua_view {
  const brio_robot *robot;
  const brio_evaluation *at; /* NULL: none now */
  uint64_t solves;           /* counted by the owner: what is past holds for one */
  bool *columns;             /* nv flags, set as coordinates are read; NULL: nobody asks */
  double *jacobian;          /* rows that may be written now; NULL: none */
  const brio_solver *solver; /* that names the shapes; NULL: it does not look at distances */
  double *room;              /* 3 x nv: scratch; NULL: there is no instance any more */
} brio_lua_view;

/* Push the state that looks through a view of its own, which lives as long; return that.  `features` is the
** index of a table of feature kinds by name (light userdata) besides the built-in ones. */
brio_lua_view *brio_lua_view_push(lua_State *L, const brio_robot *robot, int features);

/* Return what may be read now, or raise. */
const brio_evaluation *brio_lua_view_at(lua_State *L, const brio_lua_view *view);

/* Return the index of a link, or raise with the nearest name. */
int brio_lua_view_link(lua_State *L, const brio_lua_view *view, int arg);

#endif
