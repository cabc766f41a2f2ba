/* The Lua module `brio.solver`: poses from goals by weight. */
#include "lua/lua_solver.h"

#include <string.h>

#include "lua/lua_args.h"
#include "lua/lua_box.h"
#include "lua/lua_goal.h"
#include "lua/lua_robot.h"

#define CLASS "brio.solver"

enum { MOST_ARGUMENTS = 16 };

brio_solver *brio_lua_solver_check(lua_State *L, int arg) { return brio_lua_box_check(L, arg, CLASS); }

void brio_lua_solver_lend(lua_State *L, brio_solver *solver, int owner) {
  owner = lua_absindex(L, owner);
  luaL_requiref(L, CLASS, luaopen_brio_solver, 0); /* its class is there */
  lua_pop(L, 1);
  brio_lua_box_push(L, CLASS, solver, false);
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, -2, 1);
}

static int collect(lua_State *L) {
  brio_solver_free(brio_lua_box_empty(L, CLASS));
  return 0;
}

static void set_text(lua_State *L, const char *key, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

static void set_number(lua_State *L, const char *key, double number) {
  lua_pushnumber(L, number);
  lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, int number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}

static void set_vec3(lua_State *L, const char *key, brio_vec3 v) {
  brio_lua_push_vec3(L, v);
  lua_setfield(L, -2, key);
}

/* --- making one --- */

/* Read a whole number that may be left out. */
static double read_whole(lua_State *L, int arg, const char *key, double lower, double upper) {
  double value = brio_lua_field_number(L, arg, key, lower, upper, 0);
  if (value != floor(value)) luaL_error(L, "%s must be a whole number, not %f", key, value);
  return value;
}

static brio_solver_options read_options(lua_State *L, int arg) {
  static const char *const keys[] = {"backend",        "lively_losses", "seed",           "max_iterations",
                                     "max_objectives", "max_shapes",    "collision_range", NULL};
  brio_solver_options options = {0};
  if (lua_isnoneornil(L, arg)) return options;
  luaL_checktype(L, arg, LUA_TTABLE);
  brio_lua_only_keys(L, arg, keys, "solver options");
  options.backend = brio_lua_field_text(L, arg, "backend", NULL);
  options.lively_losses = brio_lua_field_flag(L, arg, "lively_losses", false);
  options.seed = (uint64_t)read_whole(L, arg, "seed", 0, 0x1p53);
  options.max_iterations = (int)read_whole(L, arg, "max_iterations", 1, 1e6);
  options.max_objectives = (int)read_whole(L, arg, "max_objectives", 1, 1e5);
  options.max_shapes = (int)read_whole(L, arg, "max_shapes", 1, 1e5);
  options.collision_range = brio_lua_field_number(L, arg, "collision_range", 1e-3, 1e5, 0);
  return options;
}

/* solver.new(robot [, options]) -> solver
** Makes a solver; the robot starts in its neutral pose, and its limits are those it has now.
** Options: `backend` ("gauss_newton" or "nlopt"), `lively_losses` (costs exactly as Lively's), `seed`
** (of the noise), `max_iterations`, `max_objectives`, `max_shapes`, `collision_range` (m). For a robot with
** more than 1,000 numbers that move, or too many pairs of its own shapes (250,000): nil, why, "limit". */
static int new(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  brio_solver_options options = read_options(L, 2);
  brio_lua_box *box = brio_lua_box_new(L, CLASS);
  brio_error err;
  box->thing = brio_solver_new(robot, &options, &err);
  if (!box->thing) return brio_lua_failed(L, &err);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1); /* the robot lives as long */
  return 1;
}

/* --- objectives --- */

/* Read the argument `name`, the value at the top of the stack. */
static brio_argument read_argument(lua_State *L, const char *name) {
  brio_argument argument = {.name = name};
  switch (lua_type(L, -1)) {
    case LUA_TNUMBER: argument.number = lua_tonumber(L, -1); break;
    case LUA_TSTRING: argument.text = lua_tostring(L, -1); break;
    case LUA_TBOOLEAN: argument.number = lua_toboolean(L, -1), argument.truth = true; break;
    case LUA_TTABLE: brio_lua_numbers(L, -1, argument.count = 3, argument.vector, name); break;
    default:
      luaL_error(L, "argument '%s' must be a number, a name, true or false, or a list of three numbers, not a %s",
                 name, luaL_typename(L, -1));
  }
  return argument;
}

/* Read the table of arguments at `index`; return how many. Texts live while the table does. */
static int read_arguments(lua_State *L, int index, brio_argument *arguments) {
  int count = 0;
  if (lua_isnoneornil(L, index)) return 0;
  luaL_checktype(L, index, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) return luaL_error(L, "an objective's arguments are given by name");
    if (count == MOST_ARGUMENTS)
      return luaL_error(L, "an objective has at most %d arguments", MOST_ARGUMENTS);
    arguments[count++] = read_argument(L, lua_tostring(L, -2));
  }
  return count;
}

/* solver:add(key, kind [, arguments]) -> handle
** Adds an objective under a key of its own, with weight 0. The handle, a whole number, may stand for
** the key in `goal`, `weight` and `remove`, and is faster. */
static int add(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const char *key = luaL_checkstring(L, 2), *kind = luaL_checkstring(L, 3);
  brio_argument arguments[MOST_ARGUMENTS];
  int count = read_arguments(L, 4, arguments);
  brio_error err;
  int slot = brio_solver_add(solver, key, kind, arguments, count, &err);
  if (slot < 0) return brio_lua_failed(L, &err);
  lua_pushinteger(L, slot);
  return 1;
}

/* Return the slot that a key or handle at argument 2 means. */
static int check_slot(lua_State *L, const brio_solver *solver) {
  if (lua_isinteger(L, 2)) return (int)lua_tointeger(L, 2);
  brio_error err;
  int slot = brio_solver_slot(solver, luaL_checkstring(L, 2), &err);
  if (slot < 0) luaL_error(L, "%s", err.message);
  return slot;
}

/* solver:remove(key)
** Removes an objective. */
static int remove_objective(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  brio_solver_remove(solver, check_slot(L, solver));
  return 0;
}

static double check_tau(lua_State *L) {
  return lua_isnoneornil(L, 4) ? 0 : brio_lua_number(L, 4, 0, 1e6, "tau");
}

/* solver:goal(key, value [, tau])
** Asks for a goal, approached with the time constant `tau` (s; without: at once). A translation or size
** is {x, y, z}, a rotation {x, y, z, w}, a scalar a number; `solver.goals()` shows all. */
static int goal(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  int slot = check_slot(L, solver);
  double v[BRIO_GOAL_NUMBERS];
  brio_slot known;
  brio_error err;
  int count = 0;
  if (brio_solver_look(solver, slot, &known) && known.kind->goal) {
    count = brio_lua_goal_read(L, 3, known.kind->goal, v);
  }
  if (!brio_solver_set_goal(solver, slot, v, count, check_tau(L), &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* solver:weight(key, weight [, tau])
** Asks for a weight of at least 0, approached with the time constant `tau` (s; without: at once);
** after five time constants it is there. 0 switches the objective off. */
static int weight(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  int slot = check_slot(L, solver);
  double value = brio_lua_number(L, 3, 0, HUGE_VAL, "a weight");
  brio_error err;
  if (!brio_solver_set_weight(solver, slot, value, check_tau(L), &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* solver:objectives() -> list of {key, kind, handle, weight, target, cost, goal}
** What the solver is asked for: weight now and where it goes, unweighted cost at the last solution, and
** the goal now. */
static int objectives(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  brio_slot known;
  lua_newtable(L);
  int n = 0;
  for (int slot = brio_solver_next(solver, -1); slot >= 0; slot = brio_solver_next(solver, slot)) {
    brio_solver_look(solver, slot, &known);
    lua_createtable(L, 0, 7);
    set_text(L, "key", known.key);
    set_text(L, "kind", known.kind->name);
    set_integer(L, "handle", slot);
    set_number(L, "weight", known.weight);
    set_number(L, "target", known.weight_target);
    set_number(L, "cost", known.cost);
    brio_lua_goal_push(L, known.goal);
    lua_setfield(L, -2, "goal");
    lua_rawseti(L, -2, ++n);
  }
  return 1;
}

/* --- solving --- */

static void push_base(lua_State *L, const double *q) {
  brio_lua_push_pose(L, (brio_pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}});
}

/* solver:solve(time, dt) -> {joints, base, cost, status, iterations, evaluations, distance}
** Finds the pose for `time` (s), `dt` (s) after the last, and takes it into history. `joints` is a table of
** values by name; `status` is "converged", "cut" (iterations used up) or "held" (nothing better was
** found); `distance` (m) is the smallest of all watched pairs, absent where there are none. */
static int solve(lua_State *L) {
  static const char *const statuses[] = {"converged", "cut", "held"};
  brio_solver *solver = brio_lua_solver_check(L, 1);
  double time = brio_lua_number(L, 2, -HUGE_VAL, HUGE_VAL, "time");
  double dt = brio_lua_number(L, 3, 1e-6, 1e3, "dt");
  brio_solution solution;
  brio_solver_solve(solver, time, dt, &solution);
  const brio_robot *robot = brio_solver_robot(solver);
  lua_createtable(L, 0, 7);
  lua_createtable(L, 0, robot->nvariable);
  for (int i = 0; i < robot->nvariable; i++)
    set_number(L, robot->variables[i].name, solution.q[BRIO_BASE_NQ + i]);
  lua_setfield(L, -2, "joints");
  push_base(L, solution.q);
  lua_setfield(L, -2, "base");
  set_number(L, "cost", solution.cost);
  set_text(L, "status", statuses[solution.status]);
  set_integer(L, "iterations", solution.iterations);
  set_integer(L, "evaluations", solution.evaluations);
  if (isfinite(solution.distance)) set_number(L, "distance", solution.distance);
  return 1;
}

/* solver:frames() -> {[link] = pose}
** Where all links are in the world, at the last solution. */
static int frames(lua_State *L) {
  const brio_solver *solver = brio_lua_solver_check(L, 1);
  const brio_robot *robot = brio_solver_robot(solver);
  const brio_state *state = brio_solver_state(solver);
  lua_createtable(L, 0, robot->nlink);
  for (int i = 0; i < robot->nlink; i++) {
    brio_lua_push_pose(L, brio_pose_of(&state->links[i]));
    lua_setfield(L, -2, robot->links[i].name);
  }
  return 1;
}

/* solver:center_of_mass() -> {x, y, z}
** The robot's centre of mass in the world (m), at the last solution. */
static int center_of_mass(lua_State *L) {
  brio_lua_push_vec3(L, brio_solver_state(brio_lua_solver_check(L, 1))->com);
  return 1;
}

/* solver:reset([configuration [, zero_weights]])
** Forgets history: the robot stands still as {base = pose, joints = {name = value}} says (without:
** neutral), noise starts anew, and with `zero_weights` every weight is 0. */
static int reset(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  bool zero_weights = lua_toboolean(L, 3);
  const double *q = NULL;
  if (!lua_isnoneornil(L, 2)) q = brio_lua_robot_configuration(L, brio_solver_robot(solver), 2);
  brio_solver_reset(solver, q, zero_weights);
  return 0;
}

/* solver:set_limits(variable, limits)
** Tightens `lower` and `upper` (rad or m), `velocity` and `acceleration` of a variable from the next solve
** on, within what they were when the solver was made; what is left out is as it was then. Where the
** variable is beyond them it is brought in within its acceleration. Raises when they are looser. */
static int set_limits(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  brio_error err;
  int variable = brio_robot_variable(brio_solver_robot(solver), luaL_checkstring(L, 2), &err);
  if (variable < 0) return brio_lua_failed(L, &err);
  brio_limits limits = brio_lua_robot_limits(L, 3);
  return brio_solver_set_limits(solver, variable, &limits, &err) ? 0 : brio_lua_failed(L, &err);
}

/* --- what is in the way --- */

/* Read the corners of a hull, which live in a userdata that is pushed. */
static void read_points(lua_State *L, int index, brio_shape *shape) {
  if (!lua_istable(L, index)) luaL_error(L, "a hull needs `points`: a list of {x, y, z}");
  lua_Unsigned count = lua_rawlen(L, index);
  if (count < 1 || count > 4096) luaL_error(L, "a hull has 1 to 4096 points");
  brio_vec3 *points = lua_newuserdatauv(L, (size_t)count * sizeof *points, 0);
  for (lua_Unsigned i = 0; i < count; i++) {
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    points[i] = brio_lua_vec3(L, -1, "a point");
    lua_pop(L, 1);
  }
  shape->points = points;
  shape->npoint = (int)count;
}

/* Read the size of a solid that has one. */
static void read_size(lua_State *L, int index, brio_shape *shape) {
  static const char *const sizes[BRIO_NSHAPE] = {[BRIO_SHAPE_SPHERE] = "{radius, 0, 0}",
                                                 [BRIO_SHAPE_CAPSULE] = "{radius, 0, length}",
                                                 [BRIO_SHAPE_BOX] = "{x, y, z}, its full lengths",
                                                 [BRIO_SHAPE_CYLINDER] = "{radius, 0, length}"};
  if (!lua_isnil(L, index)) shape->size = brio_lua_vec3(L, index, "size");
  else if (sizes[shape->kind])
    luaL_error(L, "a %s needs `size`: %s (m)", brio_shape_kind_name(shape->kind), sizes[shape->kind]);
}

static brio_shape_kind read_kind(lua_State *L, int index) {
  const char *name = brio_lua_field_text(L, index, "kind", "");
  for (int k = 0; k < BRIO_NSHAPE; k++)
    if (strcmp(name, brio_shape_kind_name((brio_shape_kind)k)) == 0) return (brio_shape_kind)k;
  luaL_error(L, "a shape's kind must be 'sphere', 'capsule', 'box', 'cylinder' or 'hull', not '%s'", name);
  return BRIO_SHAPE_SPHERE;
}

static int read_link(lua_State *L, int index, const brio_robot *robot) {
  const char *name = brio_lua_field_text(L, index, "link", NULL);
  if (!name) return -1;
  brio_error err;
  int link = brio_robot_link(robot, name, &err);
  if (link < 0) luaL_error(L, "%s", err.message);
  return link;
}

/* solver:shape(key, {kind, size, [points, link, pose, physical]})
** Puts a shape in the way, in the world or fixed to `link`; a key in use is replaced. `size` is
** {x, y, z} in m (box: full lengths; sphere: {radius, 0, 0}; capsule and cylinder: {radius, 0,
** length}); a hull has `points`. With `physical = false` it is watched, never avoided. */
static int shape(lua_State *L) {
  static const char *const keys[] = {"kind", "size", "points", "link", "pose", "physical", NULL};
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const char *key = luaL_checkstring(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  brio_lua_only_keys(L, 3, keys, "a shape");
  brio_shape solid = {.kind = read_kind(L, 3)};
  int link = read_link(L, 3, brio_solver_robot(solver));
  bool physical = brio_lua_field_flag(L, 3, "physical", true);
  brio_pose pose = BRIO_POSE_IDENTITY;
  if (lua_getfield(L, 3, "pose") != LUA_TNIL) pose = brio_lua_pose(L, -1, "pose");
  lua_getfield(L, 3, "size");
  read_size(L, -1, &solid);
  if (lua_getfield(L, 3, "points") != LUA_TNIL || solid.kind == BRIO_SHAPE_HULL) read_points(L, 6, &solid);
  brio_error err;
  bool good = brio_solver_set_shape(solver, key, link, pose, &solid, physical, &err);
  return good ? 0 : brio_lua_failed(L, &err);
}

/* solver:move_shape(key, pose)
** Moves a shape, in the world or in the link it is fixed to. */
static int move_shape(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const char *key = luaL_checkstring(L, 2);
  brio_pose pose = brio_lua_pose(L, 3, "pose");
  brio_error err;
  if (!brio_solver_move_shape(solver, key, pose, &err)) return brio_lua_failed(L, &err);
  return 0;
}

/* solver:remove_shape(key)
** Takes a shape out of the way. */
static int remove_shape(lua_State *L) {
  brio_error err;
  if (!brio_solver_remove_shape(brio_lua_solver_check(L, 1), luaL_checkstring(L, 2), &err))
    return brio_lua_failed(L, &err);
  return 0;
}

/* solver:proximity() -> list of {a, b, distance, physical [, point_a, point_b, normal]}
** The watched pairs at the last solution: names of link or shape, distance (m, negative: depth) and where
** they are nearest (world). Pairs beyond the range have only a distance, which is a lower bound. */
static int proximity(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  const brio_proximity_pair *pairs;
  int count = brio_solver_pairs(solver, &pairs);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    const char *a, *b;
    brio_solver_pair_names(solver, &pairs[i], &a, &b);
    lua_createtable(L, 0, 7);
    set_text(L, "a", a);
    set_text(L, "b", b);
    set_number(L, "distance", pairs[i].near.distance);
    lua_pushboolean(L, brio_solver_pair_physical(solver, &pairs[i]));
    lua_setfield(L, -2, "physical");
    if (pairs[i].within) {
      set_vec3(L, "point_a", pairs[i].near.point_a);
      set_vec3(L, "point_b", pairs[i].near.point_b);
      set_vec3(L, "normal", pairs[i].near.normal);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* solver:self_pairs() -> list of {link, link}
** The pairs of the robot's own links that are watched against each other. */
static int self_pairs(lua_State *L) {
  const brio_solver *solver = brio_lua_solver_check(L, 1);
  const brio_robot *robot = brio_solver_robot(solver);
  const int(*pairs)[2];
  int count = brio_solver_self_pairs(solver, &pairs);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 2, 0);
    for (int k = 0; k < 2; k++) {
      lua_pushstring(L, robot->links[pairs[i][k]].name);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* --- what there is --- */

static void push_param(lua_State *L, const brio_param *param) {
  static const char *const types[] = {"number", "link", "joint", "flag", "vector"};
  lua_createtable(L, 0, 8);
  set_text(L, "name", param->name);
  set_text(L, "unit", param->unit);
  set_text(L, "doc", param->doc);
  set_text(L, "type", types[param->type]);
  lua_pushboolean(L, param->optional || (param->type != BRIO_PARAM_LINK && param->type != BRIO_PARAM_JOINT));
  lua_setfield(L, -2, "optional");
  if (param->type == BRIO_PARAM_NUMBER) set_number(L, "default", param->fallback);
  if (param->type == BRIO_PARAM_FLAG) lua_pushboolean(L, param->fallback != 0), lua_setfield(L, -2, "default");
  if (param->type == BRIO_PARAM_VECTOR) brio_lua_push_numbers(L, param->vector, 3), lua_setfield(L, -2, "default");
  if (param->type != BRIO_PARAM_NUMBER && param->type != BRIO_PARAM_VECTOR) return;
  set_number(L, "lower", param->lower);
  set_number(L, "upper", param->upper);
}

static void push_kind(lua_State *L, const brio_objective_kind *kind) {
  lua_createtable(L, 0, 8);
  set_text(L, "name", kind->name);
  set_text(L, "doc", kind->doc);
  set_text(L, "category", kind->category);
  set_text(L, "example", kind->example);
  set_text(L, "loss", kind->loss->name);
  set_text(L, "lively_loss", kind->lively->name);
  if (kind->goal) set_text(L, "goal", kind->goal->name);
  if (kind->kinks) set_text(L, "kinks", kind->kinks);
  if (kind->differs) set_text(L, "differs", kind->differs);
  lua_newtable(L);
  for (int i = 0; kind->params[i].name; i++) {
    push_param(L, &kind->params[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "params");
}

/* solver.kinds() -> list of {name, doc, category, example, params, loss, lively_loss [, goal, kinks,
** differs]}
** All objectives there are. `params` lists {name, unit, doc, type ("number", "link", "joint", "flag" or
** "vector"), optional, [default, lower, upper]}; `goal` names the kind of goal it takes; `kinks` says where the
** slope of its cost jumps, `differs` how it differs from Lively's beside the loss. */
static int kinds(lua_State *L) {
  lua_newtable(L);
  for (int k = 0; brio_objective_kinds[k]; k++) {
    push_kind(L, brio_objective_kinds[k]);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* solver.goals() -> list of {name, doc, example}
** All kinds of goals there are, with how one is written. */
static int goals(lua_State *L) {
  lua_newtable(L);
  for (int k = 0; brio_goal_kinds[k]; k++) {
    lua_createtable(L, 0, 3);
    set_text(L, "name", brio_goal_kinds[k]->name);
    set_text(L, "doc", brio_goal_kinds[k]->doc);
    set_text(L, "example", brio_goal_kinds[k]->example);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* solver.losses() -> list of {name, doc}
** All losses there are: how the squared length of an objective's residual becomes cost. */
static int losses(lua_State *L) {
  lua_newtable(L);
  for (int k = 0; brio_loss_kinds[k]; k++) {
    lua_createtable(L, 0, 2);
    set_text(L, "name", brio_loss_kinds[k]->name);
    set_text(L, "doc", brio_loss_kinds[k]->doc);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

int luaopen_brio_solver(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"add", add},               {"remove", remove_objective}, {"goal", goal},
      {"weight", weight},         {"objectives", objectives},   {"solve", solve},
      {"frames", frames},         {"reset", reset},             {"center_of_mass", center_of_mass},
      {"shape", shape},           {"move_shape", move_shape},   {"remove_shape", remove_shape},
      {"proximity", proximity},   {"self_pairs", self_pairs},   {"set_limits", set_limits},
      {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"new", new}, {"kinds", kinds}, {"goals", goals}, {"losses", losses}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, collect);
  luaL_newlib(L, functions);
  return 1;
}
