/* Out of memory in scripts and in objects of brio's modules: see tests/refusals.h. */
#include <lauxlib.h>
#include <lualib.h>

#include "tests/refusals.h"

int luaopen_brio_core(lua_State *L);

static const char script[] =
    "local robot, solver, scene, world = require 'brio.robot', require 'brio.solver', require 'brio.scene', "
    "require 'brio.world'\n"
    "local ik, xml, cloud = require 'brio.ik', require 'brio.xml', require 'brio.cloud'\n"
    "local text = [[<robot name='arm'><link name='base'/><link name='hand'><collision><geometry>\n"
    "<sphere radius='0.1'/></geometry></collision></link><joint name='j' type='revolute'>\n"
    "<parent link='base'/><child link='hand'/><axis xyz='0 0 1'/>\n"
    "<limit lower='-2' upper='2' velocity='3' effort='4'/></joint></robot>]]\n"
    "local arm = assert(robot.parse(text, 'arm.urdf'))\n"
    "assert(xml.parse(text, 'arm.urdf'))\n"
    "local s = assert(solver.new(arm))\n"
    "assert(s:add('one', 'joint_match', { joint = 'j' }))\n"
    "local links = arm:forward({ joints = { j = 0.5 } }).links\n"
    "assert(links.hand and cloud)\n"
    "assert(assert(scene.new()):declare_frame 'a')\n"
    "assert(world.new {})\n"
    "for i = 1, 50 do links[i] = ('a'):rep(i) end\n"
    "collectgarbage()\n";

/* All that may fail, in one protected call. */
static int work(lua_State *L) {
  luaL_openlibs(L);
  luaL_requiref(L, "brio.core", luaopen_brio_core, 0);
  if (luaL_loadbuffer(L, script, sizeof script - 1, "=script") != LUA_OK) return lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

static bool run_a_script(brio_error *err) {
  lua_State *L = luaL_newstate();
  if (!L) return brio_fail(err, BRIO_NO_MEMORY, "no Lua");
  lua_pushcfunction(L, work);
  int status = lua_pcall(L, 0, 0, 0);
  const char *why = status != LUA_OK && lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  bool memory = status == LUA_ERRMEM || strstr(why, "memory");
  if (status != LUA_OK) brio_fail(err, memory ? BRIO_NO_MEMORY : BRIO_FORMAT, "%.400s", why);
  lua_close(L);
  return status == LUA_OK;
}

static void any_allocation_may_fail(void) {
  static const refusals_job job = {"a script", run_a_script};
  refusals_of(&job, 1);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
