/* The kinds of objectives, goals, features and losses of the solver, in Lua. */
#include "lua/lua_args.h"
#include "lua/solver/lua_extension.h"
#include "lua/solver/lua_solver.h"
#include "solver/terms/loss.h"

/* Push the description of an argument of an objective: see solver.kinds. */
static void push_param(lua_State *L, const brio_param *param) {
  static const char *const types[] = {"number", "link", "joint", "flag", "vector"};
  lua_createtable(L, 0, 8);
  brio_lua_set_text(L, "name", param->name);
  brio_lua_set_text(L, "unit", param->unit);
  brio_lua_set_text(L, "doc", param->doc);
  brio_lua_set_text(L, "type", types[param->type]);
  /* Links and joints are required unless the record says otherwise; other types have a default. */
  lua_pushboolean(L, param->optional || (param->type != BRIO_PARAM_LINK && param->type != BRIO_PARAM_JOINT));
  lua_setfield(L, -2, "optional");
  if (param->type == BRIO_PARAM_NUMBER) brio_lua_set_number(L, "default", param->fallback);
  if (param->type == BRIO_PARAM_FLAG)
    lua_pushboolean(L, param->fallback != 0), lua_setfield(L, -2, "default");
  if (param->type == BRIO_PARAM_VECTOR)
    brio_lua_push_numbers(L, param->vector, 3), lua_setfield(L, -2, "default");
  /* Only numbers and vectors have a range. */
  if (param->type != BRIO_PARAM_NUMBER && param->type != BRIO_PARAM_VECTOR) return;
  brio_lua_set_number(L, "lower", param->lower);
  brio_lua_set_number(L, "upper", param->upper);
}

/* Push the description of a kind of objective; fields that it does not have are absent. */
static void push_kind(lua_State *L, const brio_objective_kind *kind) {
  lua_createtable(L, 0, 8);
  brio_lua_set_text(L, "name", kind->name);
  brio_lua_set_text(L, "doc", kind->doc);
  brio_lua_set_text(L, "category", kind->category);
  brio_lua_set_text(L, "example", kind->example);
  if (kind->loss) brio_lua_set_text(L, "loss", kind->loss->name);
  if (kind->loss) brio_lua_set_text(L, "lively_loss", kind->lively->name);
  if (kind->goal) brio_lua_set_text(L, "goal", kind->goal->name);
  if (kind->kinks) brio_lua_set_text(L, "kinks", kind->kinks);
  if (kind->differs) brio_lua_set_text(L, "differs", kind->differs);
  /* Its arguments, in the order of the record. */
  lua_newtable(L);
  for (int i = 0; kind->params[i].name; i++) {
    push_param(L, &kind->params[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "params");
}

/* solver.kinds() -> list of {name, doc, category, example, params, loss, lively_loss [, goal, kinks,
** differs]}
** All kinds of objectives, including loaded ones. `params` lists {name, unit, doc, type ("number",
** "link", "joint", "flag" or "vector"), optional, [default, lower, upper]}; `goal` names its kind of goal;
** `kinks` describes where the gradient of its cost is discontinuous, `differs` its differences from Lively's
** except the loss. */
static int kinds(lua_State *L) {
  const brio_objective_kind *loaded;
  int n = 0;
  lua_newtable(L);
  for (int k = 0; brio_objective_kinds[k]; k++) {
    push_kind(L, brio_objective_kinds[k]);
    lua_rawseti(L, -2, ++n);
  }
  for (int k = 0; (loaded = brio_lua_loaded_objective(L, k)); k++) {
    push_kind(L, loaded);
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* Push the description of a kind of goal. */
static void push_goal_kind(lua_State *L, const brio_goal_kind *kind) {
  lua_createtable(L, 0, 3);
  brio_lua_set_text(L, "name", kind->name);
  brio_lua_set_text(L, "doc", kind->doc);
  brio_lua_set_text(L, "example", kind->example);
}

/* solver.goals() -> list of {name, doc, example}
** All kinds of goals, including loaded ones, each with an example. */
static int goals(lua_State *L) {
  const brio_goal_kind *loaded;
  int n = 0;
  lua_newtable(L);
  for (int k = 0; brio_goal_kinds[k]; k++) {
    push_goal_kind(L, brio_goal_kinds[k]);
    lua_rawseti(L, -2, ++n);
  }
  for (int k = 0; (loaded = brio_lua_loaded_goal_kind(L, k)); k++) {
    push_goal_kind(L, loaded);
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* solver.features() -> list of {name, doc, unit, count}
** The built-in features: values that an objective written in Lua may read in addition to the state. */
static int features(lua_State *L) {
  lua_newtable(L);
  for (int k = 0; brio_feature_kinds[k]; k++) {
    lua_createtable(L, 0, 4);
    brio_lua_set_text(L, "name", brio_feature_kinds[k]->name);
    brio_lua_set_text(L, "doc", brio_feature_kinds[k]->doc);
    brio_lua_set_text(L, "unit", brio_feature_kinds[k]->unit);
    brio_lua_set_integer(L, "count", brio_feature_kinds[k]->count);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* solver.losses() -> list of {name, doc}
** All losses: the cost as a function of the squared length of an objective's residual. */
static int losses(lua_State *L) {
  lua_newtable(L);
  for (int k = 0; brio_loss_kinds[k]; k++) {
    lua_createtable(L, 0, 2);
    brio_lua_set_text(L, "name", brio_loss_kinds[k]->name);
    brio_lua_set_text(L, "doc", brio_loss_kinds[k]->doc);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

const luaL_Reg brio_lua_solver_kind_functions[] = {
  {"kinds", kinds}, {"goals", goals}, {"features", features}, {"losses", losses}, {NULL, NULL}};
