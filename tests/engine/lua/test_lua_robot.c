/* The module brio.robot, as a script uses it: scripts that assert, and misuse that raises an error. */
#include <lauxlib.h>
#include <lualib.h>

#include "lua/robot/lua_robot.h"
#include "tests/check.h"

/* A robot of two turns and a slide that copies the first; links of 1 m along x. */
static const char prelude[] =
    "local robot = ...\n"
    "local text = [[<robot name='arm'>\n"
    "<link name='base'><collision><geometry><box size='1 2 3'/></geometry></collision></link>\n"
    "<link name='upper'><inertial><origin xyz='0.5 0 0'/><mass value='2'/></inertial></link>\n"
    "<link name='lower'><inertial><origin xyz='0.5 0 0'/><mass value='2'/></inertial></link><link "
    "name='tip'/>\n"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 0 1'/>\n"
    "<limit lower='-2' upper='2' velocity='3' effort='4'/></joint>\n"
    "<joint name='elbow' type='continuous'><parent link='upper'/><child link='lower'/><origin xyz='1 0 0'/>\n"
    "<axis xyz='0 0 1'/></joint>\n"
    "<joint name='copy' type='prismatic'><parent link='lower'/><child link='tip'/><origin xyz='1 0 0'/>\n"
    "<mimic joint='shoulder' multiplier='0.5' offset='0.1'/></joint></robot>]]\n"
    "local arm = assert(robot.parse(text, 'arm.urdf', {base = 'free'}))\n"
    "local function near(a, b) assert(math.abs(a - b) < 1e-12, a .. ' is not ' .. b) end\n"
    "local function raises(piece, f, ...) local ok, why = pcall(f, ...)\n"
    "  assert(not ok and why:find(piece, 1, true), tostring(why)) end\n";

static void run(const char *script) {
  lua_State *L = luaL_newstate();
  if (!L) return;
  luaL_openlibs(L);
  lua_pushstring(L, prelude);
  lua_pushstring(L, script);
  lua_concat(L, 2);
  bool good = luaL_loadbuffer(L, lua_tostring(L, -1), lua_rawlen(L, -1), "=script") == LUA_OK;
  if (good) {
    luaopen_brio_robot(L);
    good = lua_pcall(L, 1, 0, 0) == LUA_OK;
  }
  CHECK(good, "%s", lua_tostring(L, -1));
  lua_close(L);
}

static void a_script_sees_what_a_robot_is(void) {
  run("assert(arm:name() == 'arm' and arm:file() == 'arm.urdf' and arm:mass() == 4)\n"
      "assert(tostring(arm) == \"robot 'arm'\" and #arm:hash() == 16 and not arm:hash():find '[^0-9a-f]')\n"
      "assert(table.concat(arm:links(), ' ') == 'base upper lower tip')\n"
      "assert(table.concat(arm:joints(), ' ') == 'shoulder elbow copy')\n"
      "local upper = arm:link 'upper'\n"
      "assert(upper.parent == 'base' and upper.joint == 'shoulder' and upper.com[1] == 0.5 and "
      "#upper.inertia == 6)\n"
      "assert(arm:link 'base'.parent == nil)\n"
      "local copy = arm:joint 'copy'\n"
      "assert(copy.type == 'prismatic' and copy.origin.position[1] == 1 and copy.variables[1] == "
      "'shoulder')\n"
      "assert(copy.mimic.joint == 'shoulder' and copy.mimic.multiplier == 0.5 and copy.mimic.offset == 0.1)\n"
      "local shoulder, elbow = table.unpack(arm:variables())\n"
      "assert(shoulder.name == 'shoulder' and shoulder.lower == -2 and shoulder.velocity == 3 and "
      "shoulder.angular)\n"
      "assert(elbow.circular and elbow.upper == math.huge and elbow.acceleration == math.huge)\n"
      "local box = arm:collisions()[1]\n"
      "assert(box.kind == 'box' and box.link == 'base' and box.size[3] == 3 and box.corners == 0 and "
      "#arm:visuals() == 0)\n"
      "assert(#arm:warnings() == 0)");
}

static void a_script_moves_it(void) {
  run("local there = arm:forward {joints = {shoulder = math.pi / 2, elbow = -math.pi / 2}}\n"
      "local tip = there.links.tip\n"
      "near(tip.position[1], 1 + 0.1 + math.pi / 4) near(tip.position[2], 1) near(tip.orientation[4], 1)\n"
      "near(there.com[1], 0.25) near(there.com[2], 0.75)\n"
      "local moved = {base = {position = {0, 0, 5}}, joints = {}}\n"
      "near(arm:center_of_mass(moved)[3], 5) near(arm:center_of_mass {}[1], 1)\n"
      "local rows = arm:jacobian(moved, 'tip', {0, 1, 0})\n"
      "assert(#rows == 6 and #rows[1] == 8)\n"
      "near(rows[1][1], 1) near(rows[1][7], -1 + 0.5) near(rows[2][7], 2.1) near(rows[2][8], 1.1) "
      "near(rows[6][8], 1)\n"
      "local origin = arm:jacobian(moved, 'tip')\n"
      "near(origin[2][7], 2.1) near(origin[1][7], 0.5) near(arm:jacobian(moved, 'tip', nil)[2][8], 1.1)\n"
      "local rest = arm:neutral()\n"
      "assert(rest.joints.elbow == 0 and rest.base.orientation[4] == 1 and rest.joints.copy == nil)\n"
      "near(arm:forward(rest).links.lower.position[1], 1)");
}

static void limits_are_set_from_a_script(void) {
  run("arm:set_limits('shoulder', {upper = 1, acceleration = 9})\n"
      "local v = arm:variables()[1]\n"
      "assert(v.upper == 1 and v.lower == -2 and v.acceleration == 9)\n"
      "raises('narrower', arm.set_limits, arm, 'shoulder', {upper = 1.5})\n"
      "raises('above 0', arm.set_limits, arm, 'shoulder', {velocity = 0})\n"
      "raises(\"did you mean 'velocity'\", arm.set_limits, arm, 'shoulder', {velocty = 1})\n"
      "arm:note_limits('shoulder', {upper = 0.5, velocity = 0.1}) local v = arm:variables()[1]\n"
      "assert(v.upper == 0.5 and v.velocity == 0.1 and v.acceleration == 9, 'what holds now')\n"
      "arm:note_limits('shoulder', {}) v = arm:variables()[1]\n"
      "assert(v.upper == 1 and v.velocity > 0.1, 'its own again')");
}

static void misuse_raises_and_bad_files_do_not(void) {
  run("raises(\"did you mean 'elbow'\", arm.joint, arm, 'elbwo')\n"
      "raises(\"no link 'nose'\", arm.link, arm, 'nose')\n"
      "raises(\"copies 'shoulder'\", arm.forward, arm, {joints = {copy = 1}})\n"
      "raises('shoulder', arm.forward, arm, {joints = {shoulder = 0 / 0}})\n"
      "raises(\"did you mean 'joints'\", arm.forward, arm, {joint = {}})\n"
      "raises('by name', arm.forward, arm, {joints = {1, 2}})\n"
      "raises('not nil', arm.forward, arm)\n"
      "raises('not a list', arm.forward, arm, {0.5, 0.5})\n"
      "raises('a pose', arm.forward, arm, {base = {0, 0, 1}})\n"
      "raises('3 numbers', arm.jacobian, arm, {}, 'tip', {1, 2})\n"
      "raises(\"'fixed', 'bounded' or 'free'\", robot.parse, text, 'x', {base = 'glued'})\n"
      "raises('list of folders', robot.parse, text, 'x', {packages = {1}})\n"
      "raises('brio.robot expected', arm.name, io.stdout)\n"
      "local got, why, code = robot.parse('<robot name=\"r\"/>', 'r.urdf')\n"
      "assert(got == nil and code == 'format' and why:find('r.urdf:1', 1, true))\n"
      "got, why, code = robot.load '/nowhere/arm.urdf'\n"
      "assert(got == nil and code == 'no_file' and why:find('/nowhere/arm.urdf', 1, true))\n"
      "assert(#assert(robot.parse(text, 'r', {independent_mimic = true, packages = {'/a', "
      "'/b'}})):variables() == 3)\n"
      "local bounded = robot.parse(text, 'r', {base = 'bounded', base_range = {1, 1, 0, 0, 0, 1},\n"
      "  base_center = {position = {1, 2, 3}}})\n"
      "assert(bounded:neutral().base.position[3] == 3)");
}

/* A robot that C owns outlives Lua and keeps its limits. */
static void a_robot_that_runs_is_only_looked_at(void) {
  static const char text[] =
      "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
      "<parent link='a'/><child link='b'/></joint></robot>";
  brio_error err;
  brio_robot *robot = brio_robot_parse(text, sizeof text - 1, "r.urdf", NULL, &err);
  lua_State *L = luaL_newstate();
  CHECK(robot && L, "%s", err.message);
  if (!robot || !L) return;
  luaL_openlibs(L);
  luaopen_brio_robot(L);
  brio_lua_robot_push(L, robot, false);
  CHECK(brio_lua_robot_check(L, -1) == robot, "the pointer");
  lua_setglobal(L, "r");
  CHECK(luaL_dostring(L, "r:forward {} r:set_limits('j', {velocity = 1})") != LUA_OK, "limits were set");
  CHECK_HAS(lua_tostring(L, -1), "cannot be set");
  lua_close(L);
  CHECK(strcmp(robot->links[1].name, "b") == 0, "still there");
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(a_script_sees_what_a_robot_is), CHECK_TEST(a_script_moves_it),
            CHECK_TEST(limits_are_set_from_a_script), CHECK_TEST(misuse_raises_and_bad_files_do_not),
            CHECK_TEST(a_robot_that_runs_is_only_looked_at))
