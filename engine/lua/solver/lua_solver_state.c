/* Solving in Lua, and the state that a solve returns: a table whose larger fields are created when they are
** read, so that a tick that does not read them pays nothing. */
#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"
#include "lua/solver/lua_house.h"
#include "lua/solver/lua_solver.h"

/* The key, in the registry, of the metatables of states by solver. */
static const char classes_key;

/* The time between a reset and the first solve, unless it is given, s. */
static const double FIRST = 0.005;

/* --- the solution --- */

/* Push {link = pose in the world}. */
static int push_frames(lua_State *L, brio_solver *solver) {
  const brio_robot *robot = brio_solver_robot(solver);
  const brio_state *state = brio_solver_state(solver);
  lua_createtable(L, 0, robot->nlink);
  for (int i = 0; i < robot->nlink; i++) {
    brio_lua_push_pose(L, brio_pose_of(&state->links[i]));
    lua_setfield(L, -2, robot->links[i].name);
  }
  return 1;
}

/* Push {link = pose in its parent}; the root's is in the world. */
static int push_local_frames(lua_State *L, brio_solver *solver) {
  const brio_robot *robot = brio_solver_robot(solver);
  const brio_state *state = brio_solver_state(solver);
  lua_createtable(L, 0, robot->nlink);
  for (int i = 0; i < robot->nlink; i++) {
    int parent = robot->links[i].parent;
    brio_pose pose = brio_pose_of(&state->links[i]);
    if (parent >= 0) pose = brio_pose_mul(brio_pose_inverse(brio_pose_of(&state->links[parent])), pose);
    brio_lua_push_pose(L, pose);
    lua_setfield(L, -2, robot->links[i].name);
  }
  return 1;
}

/* Push {joint = value}: the variables, and the joints that copy one. */
static int push_joints(lua_State *L, brio_solver *solver) {
  const brio_robot *robot = brio_solver_robot(solver);
  const double *values = brio_solver_configuration_of(solver) + BRIO_BASE_NQ;
  lua_createtable(L, 0, robot->njoint);
  for (int i = 0; i < robot->nvariable; i++) brio_lua_set_number(L, robot->variables[i].name, values[i]);
  for (int i = 0; i < robot->njoint; i++) {
    const brio_joint *joint = &robot->joints[i];
    if (joint->mimic < 0 || joint->variable < 0) continue;
    brio_lua_set_number(L, joint->name, joint->multiplier * values[joint->variable] + joint->offset);
  }
  return 1;
}

/* Push the pose of the robot's base in the world. */
static int push_origin(lua_State *L, brio_solver *solver) {
  const double *q = brio_solver_configuration_of(solver);
  brio_lua_push_pose(L, (brio_pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}});
  return 1;
}

/* Push the center of mass in the world (m). */
static int push_center_of_mass(lua_State *L, brio_solver *solver) {
  brio_lua_push_vec3(L, brio_solver_state(solver)->com);
  return 1;
}

/* {key = contribution to the cost}, of the active objectives. */
static int push_costs(lua_State *L, brio_solver *solver) {
  brio_slot known;
  lua_newtable(L);
  for (int slot = brio_solver_next(solver, -1); slot >= 0; slot = brio_solver_next(solver, slot))
    if (brio_solver_look(solver, slot, &known) && known.active && !known.failed)
      brio_lua_set_number(L, known.key, known.force * known.cost);
  return 1;
}

/* Push the list of pairs, as solver:proximity() does without arguments. */
static int push_proximity(lua_State *L, brio_solver *solver) {
  (void)solver;
  lua_getfield(L, 1, "proximity"); /* the solver's own method */
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

/* --- a state --- */

static const struct {
  const char *name;
  int (*push)(lua_State *L, brio_solver *solver); /* argument 1 is the solver */
} fields[] = {{"frames", push_frames},         {"local_frames", push_local_frames},
              {"joints", push_joints},         {"origin", push_origin},
              {"base", push_origin},           {"center_of_mass", push_center_of_mass},
              {"proximity", push_proximity},   {"costs", push_costs}};

enum { NFIELD = sizeof fields / sizeof *fields };

/* state.<name>, if it does not exist yet; upvalue 1 is the solver. */
static int make_field(lua_State *L) {
  const char *name = lua_tostring(L, 2);
  /* Any other key is nil, as in a table. */
  int i = 0;
  while (name && i < NFIELD && strcmp(fields[i].name, name) != 0) i++;
  if (!name || i == NFIELD) return 0;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1); /* solver, state, name */
  brio_solver *solver = brio_lua_solver_check(L, 1);
  /* The state has the number of its solve: it can be read until the next one. */
  lua_getfield(L, 2, "solve");
  if (lua_tointeger(L, -1) != (lua_Integer)brio_solver_solves(solver))
    return luaL_error(L, "this state is of an earlier solve: ask for its '%s' before the next", name);
  fields[i].push(L, solver);
  /* The field is kept: reading it again does not come here. */
  lua_pushvalue(L, 3);
  lua_pushvalue(L, -2);
  lua_rawset(L, 2);
  return 1;
}

/* Push the metatable of the states of the solver at argument 1. */
static void push_class(lua_State *L) {
  /* Weak keys: the table does not keep a solver alive. */
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &classes_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    brio_lua_set_text(L, "__mode", "k");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &classes_key);
  }
  /* One metatable for each solver, whose __index knows the solver. */
  lua_pushvalue(L, 1);
  if (lua_rawget(L, -2) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 2);
    brio_lua_set_text(L, "__name", "state");
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, make_field, 1);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, -2);
}

/* Push the names of the two bodies that come too near, or nil. */
static int push_fault(lua_State *L, const brio_solver *solver) {
  const char *names[2];
  if (!brio_solver_fault(solver, names)) {
    lua_pushnil(L);
    return 1;
  }
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; i++) {
    lua_pushstring(L, names[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* Push the state of a solve: the small fields now, all others when they are read. */
static void push_state(lua_State *L, brio_solver *solver, const brio_solution *solution) {
  static const char *const statuses[] = {"converged", "cut", "held"};
  lua_createtable(L, 0, 8);
  brio_lua_set_number(L, "time", brio_solver_time(solver));
  brio_lua_set_text(L, "status", statuses[solution->status]);
  brio_lua_set_number(L, "cost", solution->cost);
  brio_lua_set_integer(L, "iterations", solution->iterations);
  brio_lua_set_integer(L, "evaluations", solution->evaluations);
  /* Absent without a pair that is watched. */
  if (isfinite(solution->distance)) brio_lua_set_number(L, "distance", solution->distance);
  brio_lua_set_number(L, "granted", solution->granted);
  push_fault(L, solver);
  lua_setfield(L, -2, "fault");
  brio_lua_set_integer(L, "solve", (lua_Integer)brio_solver_solves(solver));
  /* Objectives that failed since the last state. */
  brio_lua_house_push_faults(L, solver);
  lua_setfield(L, -2, "faults");
  push_class(L);
  lua_setmetatable(L, -2);
}

/* Return the time at `arg` and the interval since the last solve. */
static double check_time(lua_State *L, const brio_solver *solver, int arg, double *dt) {
  double time = brio_lua_number(L, arg, -HUGE_VAL, HUGE_VAL, "time"), last = brio_solver_time(solver);
  *dt = isnan(last) ? FIRST : time - last;
  if (!(*dt >= 1e-6 && *dt <= 1e3))
    luaL_error(L, "time must be 1e-6 to 1000 s after that of the last solve, %f, not %f", last, time);
  return time;
}

/* solver:solve([goals, weights,] time [, dt | shapes, blend]) -> state
** Finds the pose for `time` (s) and accepts it into the history. Either solve(time, dt), dt seconds after the
** last; or solve(goals, weights, time [, shapes [, blend]]), which first sets the named goals and weights by
** key and changes the named shapes: a shape as in `shape`, a pose to move one to, false to remove it; `blend`
** is the time constant of goals and weights.
**
** The state has time, status ("converged", "cut": iterations used up, "held": no better pose was found),
** cost, iterations, evaluations, distance (m, the smallest of all watched pairs, absent without pairs),
** granted (1, unless the step was drawn back towards braking to avoid a contact; 0: greatest braking), fault
** (two bodies, {a, b}, that braking cannot keep apart or that were brought too near, if any) and faults
** (objectives that failed, if any: {key, kind, message} each). Created when they are read, before the next
** solve: frames and local_frames (poses by link: in the world, in the parent link), joints (mimic joints
** too), origin (the root's pose), center_of_mass, proximity (as solver:proximity()) and costs (by key:
** contribution to the cost). */
static int solve(lua_State *L) {
  brio_solver *solver = brio_lua_solver_idle(L, 1);
  double dt, time;
  lua_settop(L, 6);
  /* A call from an objective would enter the solver again. */
  if (brio_lua_house_of(L)->depth > 0)
    return luaL_error(L, "an objective cannot solve: the solver is running");
  /* solve(time, dt): goals and weights stay as they are. */
  if (lua_type(L, 2) == LUA_TNUMBER) {
    time = brio_lua_number(L, 2, -HUGE_VAL, HUGE_VAL, "time");
    dt = brio_lua_number(L, 3, 1e-6, 1e3, "dt");
  } else {
    /* solve(goals, weights, time, ...): check the time first, so that nothing changes when it is invalid. */
    double blend = lua_isnil(L, 6) ? 0 : brio_lua_number(L, 6, 0, 1e6, "blend");
    time = check_time(L, solver, 4, &dt);
    brio_lua_solver_ask(L, solver, 2, 3, blend);
    brio_lua_solver_change_shapes(L, 5);
  }
  brio_solution solution;
  brio_solver_solve(solver, time, dt, &solution);
  push_state(L, solver, &solution);
  return 1;
}

/* solver:frames() -> {[link] = pose}
** The poses of all links in the world, at the last solution. */
static int frames(lua_State *L) { return push_frames(L, brio_lua_solver_check(L, 1)); }

/* solver:center_of_mass() -> {x, y, z}
** The robot's centre of mass in the world (m), at the last solution. */
static int center_of_mass(lua_State *L) { return push_center_of_mass(L, brio_lua_solver_check(L, 1)); }

/* solver:faults() -> list of {key, kind, message} | nil
** Objectives that failed since the last call, each reported once, with its traceback; nil: none. */
static int faults(lua_State *L) {
  brio_lua_house_push_faults(L, brio_lua_solver_check(L, 1));
  return 1;
}

/* solver:too_near() -> {a, b} | nil
** The two bodies (link or shape) that came too near in the last solve: greatest braking cannot keep them
** apart, or a moving shape has brought them together; nil: none. */
static int too_near(lua_State *L) { return push_fault(L, brio_lua_solver_check(L, 1)); }

/* The robot's variable with the name at `arg`, or -1. */
static int find_variable(lua_State *L, const brio_robot *robot, int arg) {
  const char *name = luaL_checkstring(L, arg);
  for (int i = 0; i < robot->nvariable; i++)
    if (strcmp(robot->variables[i].name, name) == 0) return i;
  return -1;
}

/* solver:explain()
** Lets the next solve record the pull of each objective at each joint. The solution is the same, bit by bit.
** A running engine does this ten times a second. */
static int explain(lua_State *L) {
  brio_solver_explain(brio_lua_solver_check(L, 1));
  return 0;
}

/* solver:pulls(joint) -> list of {objective, share, weight}
** The strongest pulls at a joint in the solve that was explained last, strongest first, six at most. `share`,
** from -1 to 1, is the derivative of the objective's weighted cost along the joint, at the pose before the
** step, over the sum of those of all objectives: above 0 it pulls in the direction of the joint's motion
** (upwards while it rests), below 0 against it. `objective` is its key, or "near bodies" for the clearance
** between bodies, which has no `weight`. Empty without pulls, and for a joint that is not a variable. */
static int pulls(lua_State *L) {
  brio_solver *solver = brio_lua_solver_check(L, 1);
  int variable = find_variable(L, brio_solver_robot(solver), 2), made = 0;
  brio_pull found[BRIO_PULLS];
  int count = brio_solver_pulls(solver, variable, found);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    /* The pull of the clearance belongs to no objective. */
    brio_slot known = {.key = "near bodies", .weight = NAN};
    if (found[i].slot != BRIO_PULL_CLEARANCE && !brio_solver_look(solver, found[i].slot, &known)) continue;
    lua_createtable(L, 0, 3);
    brio_lua_set_text(L, "objective", known.key);
    brio_lua_set_number(L, "share", found[i].share);
    if (!isnan(known.weight)) brio_lua_set_number(L, "weight", known.weight);
    lua_rawseti(L, -2, ++made);
  }
  return 1;
}

const luaL_Reg brio_lua_solver_state_methods[] = {{"explain", explain},
                                                  {"pulls", pulls},
                                                  {"solve", solve},
                                                  {"frames", frames},
                                                  {"center_of_mass", center_of_mass},
                                                  {"faults", faults},
                                                  {"too_near", too_near},
                                                  {NULL, NULL}};
