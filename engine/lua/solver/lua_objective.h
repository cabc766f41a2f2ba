/* Objectives, goal kinds and features written in Lua, as records of the solver. */
#ifndef BRIO_LUA_OBJECTIVE_H
#define BRIO_LUA_OBJECTIVE_H

#include <lua.h>

#include "lua/solver/lua_house.h"

enum {
  BRIO_LUA_PARAMS = 16,   /* most arguments of an objective */
  BRIO_LUA_OWN_FEATURES = 8, /* most features of its own that it reads */
};

/* The record of an objective, in a userdata whose user value 1 is its Lua table. */
typedef struct brio_lua_kind {
  brio_objective_kind record;
  brio_lua_house *house;
  int rows;
  brio_param params[BRIO_LUA_PARAMS + 1];
  const brio_feature_kind *features[BRIO_LUA_OWN_FEATURES + 1]; /* ended by NULL */
  const char *feature_names[BRIO_LUA_OWN_FEATURES];
} brio_lua_kind;

/* Bytes of an instance without its parameters, which follow it. */
extern const size_t brio_lua_objective_size;

/* Fill in the functions of a record (lua_extension_objective.c), which call those of the objective's table.
** `jacobian`: it has one of its own; `cost`: it returns a cost and no residuals. */
void brio_lua_objective_functions(brio_objective_kind *record, bool cost, bool jacobian);

/* Create the metatable of the rows that a Jacobian is written to. */
void brio_lua_objective_classes(lua_State *L);

/* The same for features and goal kinds. */
bool brio_lua_feature_compute(const brio_feature_kind *kind, const brio_evaluation *at, double *out);
bool brio_lua_goal_check(brio_goal *goal, brio_error *err);

/* Return the record at `index`, or NULL. */
const brio_objective_kind *brio_lua_objective_kind(lua_State *L, int index);
const brio_goal_kind *brio_lua_goal_kind(lua_State *L, int index);
const brio_feature_kind *brio_lua_feature_kind(lua_State *L, int index);

/* The functions of `brio.extension` that convert tables to records. */
int brio_lua_new_objective(lua_State *L);
int brio_lua_new_goal_kind(lua_State *L);
int brio_lua_new_feature(lua_State *L);

#endif
