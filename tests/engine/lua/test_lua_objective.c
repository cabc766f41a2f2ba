/* Objectives in Lua, seen from C: a solve allocates only from Lua, wherever it is called from, and releases
** in an unusual order are harmless. */
#include <lauxlib.h>
#include <lualib.h>

#include "lua/lua_core.h"
#include "lua/solver/lua_solver.h"
#include "runtime/script/script.h"
#include "tests/allocations.h"
#include "tests/check.h"

/* Lua's memory: a block that only grows, so that no allocation of Lua uses malloc. */
typedef struct pool {
  char *next, *end;
} pool;

static void *take(void *context, void *block, size_t before, size_t size) {
  pool *from = context;
  size_t room = (size + 15) / 16 * 16;
  if (size == 0) return NULL;
  if (block && size <= before) return block;
  if (room > (size_t)(from->end - from->next)) return NULL;
  void *made = from->next;
  from->next += room;
  if (block) memcpy(made, block, before);
  return made;
}

static const char script[] =
    "require 'brio.core'\n"
    "local robot, solver, extension = require 'brio.robot', require 'brio.solver', require 'brio.extension'\n"
    "local arm = assert(robot.load 'drivers/robots/panda/model.urdf')\n"
    "local feature = extension.feature { name = 'f', doc = 'x', count = 1, compute = function(state)\n"
    "  return state.frames.panda_hand.position[3] end }\n"
    "local function make(fields)\n"
    "  fields.name, fields.doc, fields.example, fields.category, fields.params = 'o', 'x', '{}', 'own', {}\n"
    "  return extension.objective(fields) end\n"
    "local s = solver.new(arm)\n"
    "s:reset({ joints = { panda_joint2 = -0.78, panda_joint4 = -2.35, panda_joint6 = 1.57 } }, true)\n"
    "s:add('differed', make { goal = 'points', features = { f = feature }, residual = function(self, state, "
    "goal)\n"
    "  local p = state.frames.panda_hand.position\n"
    "  return p[1] - goal[1][1], p[2] - goal[1][2], state.features.f - goal[1][3] end })\n"
    "s:add('cost', make { cost = function(self, state) return state.center_of_mass[1] ^ 2 end,\n"
    "  update = function(self, time, state) self.past = state.past[2].frames.panda_hand.position[1] end })\n"
    "s:add('given', make { residual = function(self, state) return state.joints.panda_joint1 end,\n"
    "  jacobian = function(self, state, goal, rows) rows[1]:joint('panda_joint1', 1) end })\n"
    "s:add('failing', make { residual = function(self, state) local n = nil return n.x end })\n"
    "s:ask({ differed = { { 0.5, 0.2, 0.4 } } }, { differed = 30, cost = 1, given = 1, failing = 1 })\n"
    "return s, arm, make { residual = function(self) return 0 end, jacobian = function() end }\n";

static lua_State *open(lua_Alloc allocate, void *memory) {
  lua_State *L = lua_newstate(allocate, memory);
  CHECK(L != NULL, "no Lua");
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_brio_core);
  lua_setfield(L, -2, "brio.core");
  lua_pop(L, 1);
  bool good = luaL_loadstring(L, script) == LUA_OK && lua_pcall(L, 0, 3, 0) == LUA_OK;
  CHECK(good, "%s", lua_tostring(L, -1));
  return L;
}

enum { POOL = 192 << 20 };

static void a_solve_takes_no_memory_but_of_lua(void) {
  char *block = malloc(POOL);
  pool memory = {block, block + POOL};
  lua_State *L = open(take, &memory);
  brio_solver *solver = brio_lua_solver_check(L, 1);
  brio_solution solution;
  lua_gc(L, LUA_GCSTOP);
  int top = lua_gettop(L);
  brio_solver_solve(solver, 0, 0.005, &solution);
  size_t before = allocations;
  char *pool_before = memory.next;
  for (int tick = 1; tick <= 300; tick++) brio_solver_solve(solver, tick * 0.005, 0.005, &solution);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  CHECK(lua_gettop(L) == top, "the caller's stack is as it was");
  double each = (double)(memory.next - pool_before) / 300;
  CHECK(each < 20000, "Lua's pool: %g bytes a solve", each);
  brio_vec3 hand =
      brio_solver_state(solver)->links[brio_robot_link(brio_solver_robot(solver), "panda_hand", NULL)].p;
  CHECK_NEAR(hand.z, 0.4, 0.02, "it goes where it is asked");
  lua_close(L);
  free(block);
}

/* A solve that is called from a coroutine, whose objectives run in another. */
static int solve(lua_State *L) {
  brio_solution solution;
  brio_solver_solve(lua_touserdata(L, lua_upvalueindex(1)), lua_tonumber(L, 1), 0.005, &solution);
  lua_pushnumber(L, solution.cost);
  return lua_yield(L, 1);
}

static void a_solve_may_be_called_from_a_coroutine(void) {
  char *block = malloc(POOL);
  pool memory = {block, block + POOL};
  lua_State *L = open(take, &memory);
  lua_pushlightuserdata(L, brio_lua_solver_check(L, 1));
  lua_pushcclosure(L, solve, 1);
  lua_setglobal(L, "solve");
  bool good =
      luaL_dostring(
          L, "local run = coroutine.wrap(function() for i = 1, 50 do solve(i / 200) end return 'done' end)\n"
             "local cost for i = 1, 50 do cost = run() end assert(run() == 'done') return cost") == LUA_OK;
  CHECK(good, "%s", lua_tostring(L, -1));
  CHECK(lua_tonumber(L, -1) < 30, "%g", lua_tonumber(L, -1));
  lua_close(L);
  free(block);
}

/* The n-th allocation is refused: a solve goes on, with fewer objectives. */
typedef struct scarce {
  long left;
} scarce;

static void *take_while_there_is(void *context, void *block, size_t before, size_t size) {
  scarce *memory = context;
  if (size == 0) {
    free(block);
    return NULL;
  }
  if ((!block || size > before) && memory->left-- <= 0) return NULL;
  return realloc(block, size);
}

static void without_memory_it_goes_on(void) {
  scarce memory = {1L << 40};
  lua_State *L = open(take_while_there_is, &memory);
  brio_solver *solver = brio_lua_solver_check(L, 1);
  brio_solution solution;
  for (int n = 0; n < 200; n++) {
    memory.left = n;
    brio_solver_solve(solver, n * 0.005, 0.005, &solution);
    CHECK(isfinite(solution.cost), "after %d", n);
  }
  memory.left = 1L << 40;
  brio_solver_solve(solver, 5, 0.005, &solution);
  brio_slot known;
  brio_error err;
  CHECK(brio_solver_look(solver, brio_solver_slot(solver, "differed", &err), &known) && !known.failed,
        "memory is back");
  for (int n = 0; n < 80; n++) { /* and where one is added */
    if (luaL_loadstring(L, "local s, kind = ... s:add('more', kind) s:remove 'more'") != LUA_OK) break;
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 3);
    memory.left = n;
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
    memory.left = 1L << 40;
    int left = brio_solver_slot(solver, "more", &err);
    if (left >= 0) brio_solver_remove(solver, left);
  }
  memory.left = 1L << 40;
  lua_close(L);
}

CHECK_SUITE(CHECK_TEST(a_solve_takes_no_memory_but_of_lua),
            CHECK_TEST(a_solve_may_be_called_from_a_coroutine), CHECK_TEST(without_memory_it_goes_on))
