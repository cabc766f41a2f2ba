/* Arms in closed form, of the module `brio.ik`. */
#include "lua/solver/lua_ik.h"

#include "lua/lua_args.h"
#include "lua/robot/lua_robot.h"
#include "solver/inverse/arm.h"

#define CLASS "brio.ik.arm"

enum { FRAMES = 1000000 }; /* of a clip, at most */

/* ik.arm(robot, link) -> arm | nil, sentence, code
** The arm of six joints that ends in a link, in closed form: the first three place its wrist, a point that
** the others do not move away (where their axes meet, or else the origin of the fourth joint), the others
** turn the link. Joints 2 and 3 must have parallel axes; if not, or if there are more joints or fewer: nil
** and what there is instead ("unreachable"). */
int brio_lua_ik_arm(lua_State *L) {
  const brio_robot *robot = brio_lua_robot_check(L, 1);
  int link = brio_lua_robot_find(L, robot, 2, brio_robot_link);
  brio_error err;
  brio_arm *arm = lua_newuserdatauv(L, sizeof *arm, 1);
  luaL_setmetatable(L, CLASS);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1); /* keeps the robot alive */
  if (!brio_arm_find(arm, robot, link, &err)) return brio_lua_failed(L, &err);
  return 1;
}

static const brio_arm *check(lua_State *L) {
  return luaL_checkudata(L, 1, CLASS);
}

/* arm:measures() -> {variables, axes, base, elbow, wrist, reach, meets, orientation}
** What the arm is like with all six joints at 0, in the frame of the robot's root: the names of its
** `variables`, and their `axes` (unit vectors); the points `base` (of the first axis, nearest to the
** second), `elbow` (of the third) and `wrist`; how far the wrist can be from the base, whatever the limits
** (`reach`, m); whether the last three axes meet; the `orientation` of the link. */
static int measures(lua_State *L) {
  const brio_arm *arm = check(L);
  lua_createtable(L, 0, 8);
  lua_createtable(L, BRIO_ARM_JOINTS, 0);
  for (int k = 0; k < BRIO_ARM_JOINTS; k++) {
    lua_pushstring(L, arm->robot->variables[arm->variables[k]].name);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "variables");
  lua_createtable(L, BRIO_ARM_JOINTS, 0);
  for (int k = 0; k < BRIO_ARM_JOINTS; k++) {
    brio_lua_push_vec3(L, arm->axes[k]);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "axes");
  brio_lua_set_vec3(L, "base", arm->base);
  brio_lua_set_vec3(L, "elbow", arm->elbow);
  brio_lua_set_vec3(L, "wrist", arm->wrist);
  brio_lua_set_number(L, "reach", arm->reach);
  lua_pushboolean(L, arm->meets);
  lua_setfield(L, -2, "meets");
  brio_quat q = brio_quat_from_matrix(arm->tool.r);
  double numbers[4] = {q.x, q.y, q.z, q.w};
  brio_lua_push_numbers(L, numbers, 4);
  lua_setfield(L, -2, "orientation");
  return 1;
}

/* arm:place(position) -> list of {values, miss}
** The four answers of the first three joints that bring the wrist to a position (in the frame of the root),
** whatever the limits: three `values`, and how far each is from it (`miss`, m; above 0 out of reach). */
static int place(lua_State *L) {
  const brio_arm *arm = check(L);
  double answers[BRIO_ARM_PLACES][3], miss[BRIO_ARM_PLACES];
  int n = brio_arm_place(arm, brio_lua_vec3(L, 2, "position"), answers, miss);
  lua_createtable(L, n, 0);
  for (int k = 0; k < n; k++) {
    lua_createtable(L, 0, 2);
    brio_lua_push_numbers(L, answers[k], 3);
    lua_setfield(L, -2, "values");
    brio_lua_set_number(L, "miss", miss[k]);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* arm:points(values) -> elbow, wrist
** Where elbow and wrist are at values of the first three joints (of a list of three or more). */
static int points(lua_State *L) {
  double x[3];
  brio_vec3 elbow, wrist;
  luaL_checktype(L, 2, LUA_TTABLE);
  for (int k = 0; k < 3; k++) {
    lua_rawgeti(L, 2, k + 1);
    x[k] = brio_lua_number(L, -1, -1e6, 1e6, "a value");
    lua_pop(L, 1);
  }
  brio_arm_points(check(L), x, &elbow, &wrist);
  brio_lua_push_vec3(L, elbow);
  brio_lua_push_vec3(L, wrist);
  return 2;
}

/* Read the flat list of a field of the table at 2: `size` numbers a frame; NULL: there is none. */
static const double *flat(lua_State *L, const char *key, int size, int count) {
  if (lua_getfield(L, 2, key) == LUA_TNIL) return NULL;
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)size * (size_t)count)
    luaL_error(L, "%s must be a flat list of %d numbers, %d for each frame", key, size * count, size);
  int list = lua_gettop(L);
  double *out = lua_newuserdatauv(L, (size_t)size * (size_t)count * sizeof *out, 0);
  brio_lua_numbers(L, list, size * count, out, key);
  return out;
}

/* arm:follow{wrist, [elbow, orientation, start]} -> values, misses | nil, sentence, code
** The values of all six joints over a clip, one flat list (six a frame), within their limits, and how far the
** wrist is from its place at each frame, m. `wrist` and `elbow`: flat lists of three numbers a frame, in the
** frame of the root; of all answers those are taken whose elbow is nearest over the whole clip, and which do
** not jump from one to another where they need not. `orientation`: a flat list of four numbers a frame
** (x y z w), where the link turns; without it the last three joints keep those of `start`, six values to
** begin near to (0). About 3 us a frame. */
static int follow(lua_State *L) {
  static const char *const keys[] = {"wrist", "elbow", "orientation", "start", NULL};
  const brio_arm *arm = check(L);
  double start[BRIO_ARM_JOINTS] = {0};
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  brio_lua_only_keys(L, 2, keys, "a clip");
  if (lua_getfield(L, 2, "wrist") != LUA_TTABLE) return luaL_error(L, "wrist must be a flat list of numbers");
  size_t numbers = lua_rawlen(L, -1);
  if (numbers < 3 || numbers > 3 * (size_t)FRAMES)
    return luaL_error(L, "wrist must have 1 to %d frames of three numbers", FRAMES);
  brio_arm_clip clip = {.count = (int)(numbers / 3), .start = start};
  clip.wrist = flat(L, "wrist", 3, clip.count);
  clip.elbow = flat(L, "elbow", 3, clip.count);
  clip.tool = flat(L, "orientation", 4, clip.count);
  if (lua_getfield(L, 2, "start") != LUA_TNIL) {
    luaL_checktype(L, -1, LUA_TTABLE);
    brio_lua_numbers(L, lua_gettop(L), BRIO_ARM_JOINTS, start, "start");
  }
  double *out = lua_newuserdatauv(L, numbers / 3 * (BRIO_ARM_JOINTS + 1) * sizeof *out, 0);
  double *misses = out + (size_t)clip.count * BRIO_ARM_JOINTS;
  brio_error err;
  if (!brio_arm_follow(arm, &clip, out, misses, &err)) return brio_lua_failed(L, &err);
  brio_lua_push_numbers(L, out, clip.count * BRIO_ARM_JOINTS);
  brio_lua_push_numbers(L, misses, clip.count);
  return 2;
}

void brio_lua_ik_arm_class(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"measures", measures}, {"place", place}, {"points", points}, {"follow", follow}, {NULL, NULL}};
  brio_lua_class(L, CLASS, methods, NULL);
}
