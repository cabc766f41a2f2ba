/* The Lua module `brio.timing`: how fast a path of joints can be run through within limits (plan/timing).
**
** A path is a cubic spline through points, lists of one number for each joint (rad or m), by a parameter s.
** Its timing is the fastest motion along it within the joints' limits of velocity and acceleration
** (time-optimal path parametrization by reachability analysis; Pham and Pham 2018, TOPP-RA), or one of a
** requested duration.
**
** A transfer leads from any state to any other within limits of velocity, acceleration and jerk. Times are in
** s. */
#include "lua/plan/lua_timing.h"

#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "plan/timing/timing.h"

#define CLASS "brio.timing"

/* User value 1: what keeps the joints' names alive. */
static brio_timing *check(lua_State *L) {
  brio_timing *timing = luaL_checkudata(L, 1, CLASS);
  luaL_argcheck(L, timing->solved, 1, "a path that was timed expected");
  return timing;
}

/* __gc: free the memory. */
static int collect(lua_State *L) {
  brio_timing_end(luaL_checkudata(L, 1, CLASS));
  return 0;
}

/* Return `count` numbers that are valid until the call ends. */
static double *scratch(lua_State *L, size_t count) {
  return lua_newuserdatauv(L, (count + 1) * sizeof(double), 0);
}

/* Read the points of the options at 1; they have as many joints as the first one. */
static double *read_points(lua_State *L, int *count, int *joints) {
  if (lua_getfield(L, 1, "points") != LUA_TTABLE)
    luaL_error(L, "points must be a list of points, lists of numbers");
  int list = lua_gettop(L);
  *count = (int)lua_rawlen(L, list);
  if (*count < 1 || *count > BRIO_TIMING_POINTS)
    luaL_error(L, "a path must have 1 to %d points, not %d", BRIO_TIMING_POINTS, *count);
  lua_rawgeti(L, list, 1);
  *joints = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
  if (*joints < 1 || *joints > BRIO_TIMING_JOINTS)
    luaL_error(L, "point 1 must be a list of 1 to %d numbers", BRIO_TIMING_JOINTS);
  double *points = scratch(L, (size_t)*count * (size_t)*joints);
  for (int k = 0; k < *count; k++) {
    lua_rawgeti(L, list, k + 1);
    brio_lua_numbers(L, -2, *joints, points + (size_t)k * (size_t)*joints,
                     lua_pushfstring(L, "point %d", k + 1));
    lua_pop(L, 2);
  }
  return points;
}

double *brio_lua_timing_limits(lua_State *L, const char *key, int joints) {
  double *limits = scratch(L, (size_t)joints);
  int type = lua_getfield(L, 1, key);
  if (type != LUA_TNUMBER && (type != LUA_TTABLE || lua_rawlen(L, -1) != (size_t)joints))
    luaL_error(L, "%s must be a number or a list of %d numbers", key, joints);
  for (int j = 0; j < joints; j++) {
    if (type == LUA_TTABLE)
      lua_rawgeti(L, -1, j + 1);
    else
      lua_pushvalue(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER) luaL_error(L, "%s[%d] must be a number", key, j + 1);
    limits[j] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return limits;
}

/* Read the names of the joints, if there are any; `timing` keeps them alive. */
static const char *const *read_names(lua_State *L, int timing, int joints) {
  if (lua_getfield(L, 1, "names") == LUA_TNIL) return NULL;
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)joints)
    luaL_error(L, "names must be a list of %d texts", joints);
  int list = lua_gettop(L);
  lua_createtable(L, joints + 1, 0);
  const char **names = lua_newuserdatauv(L, (size_t)joints * sizeof *names, 0);
  lua_rawseti(L, -2, joints + 1);
  for (int j = 0; j < joints; j++) {
    if (lua_rawgeti(L, list, j + 1) != LUA_TSTRING) luaL_error(L, "names[%d] must be a text", j + 1);
    names[j] = lua_tostring(L, -1);
    lua_rawseti(L, -2, j + 1);
  }
  lua_setiuservalue(L, timing, 1);
  return names;
}

/* Return the index of the text in field `key` among `names`; absent: 0. */
static int read_choice(lua_State *L, const char *key, const char *const *names, int count) {
  const char *text = brio_lua_field_text(L, 1, key, names[0]);
  for (int k = 0; k < count; k++)
    if (strcmp(text, names[k]) == 0) return k;
  lua_pushliteral(L, "");
  for (int k = 0; k < count; k++) {
    lua_pushfstring(L, "%s%s", k ? ", " : "", names[k]);
    lua_concat(L, 2);
  }
  return luaL_error(L, "%s must be one of %s, not '%s'", key, lua_tostring(L, -1), text);
}

/* Who asks for further constraints: the function is at this index. */
typedef struct caller {
  lua_State *L;
  int function, joints, rows;
} caller;

/* Call the function for one gridpoint. */
static bool fill(void *context, double s, const double *q, const double *slope, const double *curve,
                 brio_timing_row *rows, brio_error *err) {
  const caller *c = context;
  lua_State *L = c->L;
  (void)err;
  luaL_checkstack(L, 8, "constraints");
  lua_pushvalue(L, c->function);
  lua_pushnumber(L, s);
  brio_lua_push_numbers(L, q, c->joints);
  brio_lua_push_numbers(L, slope, c->joints);
  brio_lua_push_numbers(L, curve, c->joints);
  lua_call(L, 4, 1);
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)c->rows)
    luaL_error(L, "constraints must return a list of %d constraints {a, b, c}", c->rows);
  for (int k = 0; k < c->rows; k++) {
    double row[3];
    lua_rawgeti(L, -1, k + 1);
    brio_lua_numbers(L, -1, 3, row, "a constraint");
    rows[k] = (brio_timing_row){row[0], row[1], row[2]};
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return true;
}

/* The rate at an end: by default 0, and of clamped paths the highest, as the joints rest at any. */
static double read_rate(lua_State *L, const char *key, brio_spline_ends ends) {
  double rate = ends == BRIO_SPLINE_CLAMPED ? INFINITY : 0;
  if (lua_getfield(L, 1, key) == LUA_TNUMBER)
    rate = lua_tonumber(L, -1);
  else if (!lua_isnil(L, -1))
    luaL_error(L, "%s must be a number", key);
  lua_pop(L, 1);
  return rate;
}

/* Read the options at 1 that concern the solution. */
static brio_timing_options read_options(lua_State *L, caller *c, brio_spline_ends ends) {
  brio_timing_options options = {
      .scheme = (brio_timing_scheme)read_choice(L, "scheme", brio_timing_scheme_names, BRIO_TIMING_NSCHEME),
      .start_rate = read_rate(L, "start_rate", ends),
      .end_rate = read_rate(L, "end_rate", ends),
      .duration = brio_lua_field_number(L, 1, "duration", 0, 1e9, 0),
      .fill = c->rows ? fill : NULL,
      .context = c};
  return options;
}

/* timing.path{points, velocity, acceleration, [names, at, ends, intervals, scheme, start_rate, end_rate,
**   duration, rows, constraints]} -> path | nil, sentence, code
** Times a path. `points`: a list of points, each one number for each joint; `velocity` and `acceleration`:
** limits (per s and s^2; 1e-9 to 1e9), a list or one number for all joints, math.huge: none; `names` of the
** joints, for errors. `at`: the parameter of each point, rising (the length of the straight lines up to it);
** `ends`: "natural" (no curvature at the ends) or "clamped" (no slope). `intervals` (100): more come closer
** to the shortest duration, which falls in proportion. `scheme`: "everywhere" (limits hold at any time),
** "interpolation" or "collocation" (at gridpoints, as in the paper: to compare). `start_rate` and `end_rate`:
** ds/dt at the ends (0; of clamped paths math.huge, the highest, as their joints rest at the ends anyway).
** `duration`: the requested one (the shortest). `constraints`: a function (s, q, slope, curve) that returns
** `rows` further constraints {a, b, c} at a gridpoint, a u + b x <= c with x = (ds/dt)^2 and u = d2s/dt2; q,
** slope and curve are the position and its derivatives by s. A torque limit, for example: with inverse
** dynamics tau(q, qd, qdd) and gravity g, a = tau(q, 0, slope) - g, b = tau(q, slope, curve) - g, c = limit -
** g. They hold at gridpoints.
** Points that are all the same take 0 s, or the requested duration. Raises on bad limits and points; nil: no
** motion is within the constraints, or not with this duration ("unreachable"); the path is too large
** ("limit"). */
static int path(lua_State *L) {
  static const char *const keys[] = {"points",   "velocity",  "acceleration", "names",      "at",
                                     "ends",     "intervals", "scheme",       "start_rate", "end_rate",
                                     "duration", "rows",      "constraints",  NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_only_keys(L, 1, keys, "timing.path");
  brio_timing_size size = {0};
  const double *points = read_points(L, &size.points, &size.joints), *at = NULL;
  const double *velocity = brio_lua_timing_limits(L, "velocity", size.joints);
  const double *acceleration = brio_lua_timing_limits(L, "acceleration", size.joints);
  brio_timing *timing = lua_newuserdatauv(L, sizeof *timing, 1);
  memset(timing, 0, sizeof *timing);
  luaL_setmetatable(L, CLASS);
  int self = lua_gettop(L);
  size.names = read_names(L, self, size.joints);
  size.intervals = (int)brio_lua_field_number(L, 1, "intervals", 2, BRIO_TIMING_INTERVALS, 100);
  size.rows = (int)brio_lua_field_number(L, 1, "rows", 0, BRIO_TIMING_ROWS, 0);
  if (lua_getfield(L, 1, "at") != LUA_TNIL) {
    double *numbers = scratch(L, (size_t)size.points);
    brio_lua_numbers(L, -2, size.points, numbers, "at");
    at = numbers;
  }
  caller c = {L, 0, size.joints, size.rows};
  if ((lua_getfield(L, 1, "constraints") == LUA_TFUNCTION) != (size.rows > 0))
    return luaL_error(L, "constraints must be a function, with rows as the number of constraints it returns");
  c.function = lua_gettop(L);
  brio_spline_ends ends = (brio_spline_ends)read_choice(L, "ends", brio_spline_ends_names, BRIO_SPLINE_NENDS);
  brio_timing_options options = read_options(L, &c, ends);
  brio_error err;
  if (!brio_timing_start(timing, &size, &err) ||
      !brio_timing_set_limits(timing, velocity, acceleration, &err) ||
      !brio_timing_set_path(timing, points, at, size.points, ends, &err) ||
      !brio_timing_solve(timing, &options, &err))
    return brio_lua_failed(L, &err);
  lua_pushvalue(L, self);
  return 1;
}

/* path:duration() -> seconds, shortest
** The duration, and the shortest one within the constraints, s. */
static int duration(lua_State *L) {
  const brio_timing *timing = check(L);
  lua_pushnumber(L, timing->duration);
  lua_pushnumber(L, timing->shortest);
  return 2;
}

/* path:set_duration(seconds) -> true | nil, sentence, code
** Makes the motion last so long (0: the shortest), on the same path and within the same constraints: it is
** slowed down by one factor where the path may stand still. nil: shorter than the shortest duration, or
** longer than constraints such as gravity permit; then nothing changes. */
static int set_duration(lua_State *L) {
  brio_timing *timing = check(L);
  brio_error err;
  if (!brio_timing_set_duration(timing, brio_lua_number(L, 2, 0, 1e9, "duration"), &err))
    return brio_lua_failed(L, &err);
  lua_pushboolean(L, true);
  return 1;
}

/* path:at(time) -> q, qd, qdd
** Positions, velocities and accelerations of the joints at a time, s: lists. Before 0 and after the duration
** they rest at the ends. */
static int at_time(lua_State *L) {
  const brio_timing *timing = check(L);
  double q[BRIO_TIMING_JOINTS], qd[BRIO_TIMING_JOINTS], qdd[BRIO_TIMING_JOINTS];
  int n = timing->size.joints;
  brio_timing_at(timing, brio_lua_number(L, 2, -1e9, 1e9, "time"), q, qd, qdd);
  brio_lua_push_numbers(L, q, n);
  brio_lua_push_numbers(L, qd, n);
  brio_lua_push_numbers(L, qdd, n);
  return 3;
}

/* path:parameter(time) -> s, rate, acceleration
** The parameter of the path at a time, s, and its first and second derivative by time. */
static int parameter(lua_State *L) {
  const brio_timing *timing = check(L);
  double rate, acceleration;
  lua_pushnumber(
      L, brio_timing_parameter(timing, brio_lua_number(L, 2, -1e9, 1e9, "time"), &rate, &acceleration));
  lua_pushnumber(L, rate);
  lua_pushnumber(L, acceleration);
  return 3;
}

static const luaL_Reg methods[] = {{"duration", duration},
                                   {"set_duration", set_duration},
                                   {"at", at_time},
                                   {"parameter", parameter},
                                   {NULL, NULL}};

static const luaL_Reg functions[] = {{"path", path}, {"transfer", brio_lua_timing_transfer}, {NULL, NULL}};

int luaopen_brio_timing(lua_State *L) {
  brio_lua_class(L, CLASS, methods, collect);
  brio_lua_timing_class(L);
  luaL_newlib(L, functions);
  return 1;
}
