/* Transfers of `brio.timing`: motions from any state to any state (plan/timing/transfer.h). */
#include <math.h>
#include <string.h>

#include "lua/lua_args.h"
#include "lua/plan/lua_timing.h"
#include "plan/timing/transfer.h"

#define CLASS "brio.timing.transfer"

enum { MOST_JOINTS = 256 };

typedef struct motion {
  int joints;
  double duration;
  brio_transfer transfers[]; /* joints */
} motion;

/* Read field `key` of the state at the top of the stack, by default 0, into one number of each state. */
static void read_numbers(lua_State *L, const char *state, const char *key, int joints, double *out) {
  if (lua_getfield(L, -1, key) != LUA_TNIL)
    brio_lua_numbers(L, -2, joints, out, lua_pushfstring(L, "%s.%s", state, key)), lua_pop(L, 1);
  else
    memset(out, 0, (size_t)joints * sizeof *out);
  lua_pop(L, 1);
}

/* Read the states in a field of the table at 1; their number of joints is that of its positions, which must
** be `joints` unless that is 0. */
static int read_states(lua_State *L, const char *key, int joints, brio_transfer_state *out) {
  static const char *const keys[] = {"position", "velocity", "acceleration", NULL};
  double numbers[3][MOST_JOINTS];
  if (lua_getfield(L, 1, key) != LUA_TTABLE)
    luaL_error(L, "%s must be a table {position, [velocity, acceleration]} of lists", key);
  brio_lua_only_keys(L, -1, keys, key);
  if (lua_getfield(L, -1, "position") != LUA_TTABLE)
    luaL_error(L, "%s.position must be a list of numbers", key);
  if (joints == 0) joints = (int)lua_rawlen(L, -1);
  if (joints < 1 || joints > MOST_JOINTS)
    luaL_error(L, "%s.position must have 1 to %d numbers, not %d", key, MOST_JOINTS, joints);
  lua_pop(L, 1);
  for (int k = 0; k < 3; k++) read_numbers(L, key, keys[k], joints, numbers[k]);
  lua_pop(L, 1);
  for (int j = 0; j < joints; j++)
    out[j] = (brio_transfer_state){numbers[0][j], numbers[1][j], numbers[2][j]};
  return joints;
}

/* Read the limits of all joints. */
static void read_limits(lua_State *L, int joints, brio_transfer_limits *out) {
  const double *velocity = brio_lua_timing_limits(L, "velocity", joints);
  const double *acceleration = brio_lua_timing_limits(L, "acceleration", joints);
  const double *jerk = brio_lua_timing_limits(L, "jerk", joints);
  for (int j = 0; j < joints; j++) out[j] = (brio_transfer_limits){velocity[j], acceleration[j], jerk[j]};
}

/* Read the joints' names; they are alive while the table at 1 is. NULL: none. */
static const char *const *read_names(lua_State *L, int joints, const char **out) {
  if (lua_getfield(L, 1, "names") == LUA_TNIL) return NULL;
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)joints)
    luaL_error(L, "names must be a list of %d texts", joints);
  for (int j = 0; j < joints; j++) {
    if (lua_rawgeti(L, -1, j + 1) != LUA_TSTRING) luaL_error(L, "names[%d] must be a text", j + 1);
    out[j] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  return out;
}

/* timing.transfer{from, to, velocity, acceleration, jerk, [names]} -> transfer | nil, sentence, code
** The fastest motion of joints from one state to another with limits of velocity, acceleration and jerk (per
** s, s^2, s^3; a list or one number for all joints), such that all arrive together. `from` and `to`:
** {position, [velocity, acceleration]}, lists of a number for each joint (0). The joint that takes longest
** determines the duration; the others get one velocity of cruise that fits (some have to take longer: those
** that move fast at an end). For targets that change while the joints move: take the state of the transfer
** under way as `from`. About 5 us a joint. Raises where a limit is not from 1e-9 to 1e9, a state is
** beyond limits, `from` leads beyond them or `to` comes from there. nil: no motion was found ("unreachable").
** Source: Haschke, Weitnauer and Ritter 2008. */
int brio_lua_timing_transfer(lua_State *L) {
  static const char *const keys[] = {"from", "to", "velocity", "acceleration", "jerk", "names", NULL};
  brio_transfer_state from[MOST_JOINTS], to[MOST_JOINTS];
  brio_transfer_limits limits[MOST_JOINTS];
  const char *names[MOST_JOINTS];
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  brio_lua_only_keys(L, 1, keys, "timing.transfer");
  int joints = read_states(L, "from", 0, from);
  read_states(L, "to", joints, to);
  read_limits(L, joints, limits);
  motion *made = lua_newuserdatauv(L, sizeof *made + (size_t)joints * sizeof *made->transfers, 0);
  int self = lua_gettop(L);
  made->joints = joints, made->duration = 0;
  luaL_setmetatable(L, CLASS);
  brio_error err;
  if (!brio_transfer_find_all(made->transfers, from, to, limits, joints, read_names(L, joints, names), &err))
    return brio_lua_failed(L, &err);
  for (int j = 0; j < joints; j++)
    if (made->transfers[j].duration > made->duration) made->duration = made->transfers[j].duration;
  lua_pushvalue(L, self);
  return 1;
}

static const motion *check(lua_State *L) {
  return luaL_checkudata(L, 1, CLASS);
}

/* transfer:duration() -> seconds
** The duration, s. */
static int duration(lua_State *L) {
  lua_pushnumber(L, check(L)->duration);
  return 1;
}

/* transfer:at(time) -> q, qd, qdd
** Positions, velocities and accelerations of the joints at a time, s: lists. Before 0 it is the start; after
** the duration the end, carried on with its velocity and acceleration. */
static int at_time(lua_State *L) {
  const motion *m = check(L);
  double t = brio_lua_number(L, 2, -1e9, 1e9, "time"), q[3][MOST_JOINTS];
  for (int j = 0; j < m->joints; j++) {
    brio_transfer_state at = brio_transfer_at(&m->transfers[j], t);
    q[0][j] = at.position, q[1][j] = at.velocity, q[2][j] = at.acceleration;
  }
  for (int k = 0; k < 3; k++) brio_lua_push_numbers(L, q[k], m->joints);
  return 3;
}

void brio_lua_timing_class(lua_State *L) {
  static const luaL_Reg methods[] = {{"duration", duration}, {"at", at_time}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, NULL);
}
