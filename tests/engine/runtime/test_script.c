/* Protected calls with a time budget: results, tracebacks, and endless loops that are
** stopped wherever they are. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "runtime/script/memory.h"
#include "runtime/script/script.h"
#include "tests/check.h"

static lua_State *fresh(void) {
  brio_error err = {0};
  lua_State *L = brio_script_open();
  luaL_openlibs(L);
  CHECK(brio_script_watch_start(&err), "%s", err.message);
  return L;
}

/* Call the Lua text with a budget; leave its result or message on the stack. */
static bool run(lua_State *L, const char *text, double budget) {
  lua_settop(L, 0);
  CHECK(luaL_loadstring(L, text) == LUA_OK, "%s", text);
  return brio_script_call(L, 0, 1, budget);
}

static void results_come_back(void) {
  lua_State *L = fresh();
  CHECK(run(L, "return 6 * 7", 1) && lua_tointeger(L, -1) == 42, "42");
  CHECK(lua_gettop(L) == 1, "the stack holds %d", lua_gettop(L));
  lua_close(L);
}

static void errors_carry_their_traceback(void) {
  lua_State *L = fresh();
  CHECK(!run(L, "local function inner() error('oops') end inner()", 1), "it failed");
  CHECK_HAS(lua_tostring(L, -1), "oops");
  CHECK_HAS(lua_tostring(L, -1), "stack traceback");
  CHECK(!run(L, "error({})", 1) && lua_isstring(L, -1), "an error that is no text has a message");
  CHECK(!run(L, "error()", 1) && lua_isstring(L, -1), "nor has nil");
  lua_close(L);
}

static void endless_loops_are_stopped(void) {
  static const char *const loops[] = {
      "while true do end",
      "while true do pcall(function() while true do end end) end",
      ("local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do "
       "pcall(function() return t[1] end) end"),
      "repeat local s = string.rep('x', 100) until false",
  };
  lua_State *L = fresh();
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    CHECK(!run(L, loops[i], 0.05), "%s", loops[i]);
    CHECK_HAS(lua_tostring(L, -1), "time budget");
    CHECK(run(L, "local n = 0 for i = 1, 100000 do n = n + 1 end return n", 1),
          "the next call is free again");
  }
  lua_close(L);
}

/* A loop that fills the memory is usually ended by its time budget, and its memory use is reported. */
static void what_a_loop_took_of_memory_is_said(void) {
  lua_State *L = fresh();
  CHECK(!run(L, "local s = ('x'):rep(40 << 20) while true do end", 0.05), "it is stopped");
  CHECK_HAS(lua_tostring(L, -1), "took more than 32 MB of memory");
  CHECK(!run(L, "while true do end", 0.05) && !strstr(lua_tostring(L, -1), "memory"), "%s",
        lua_tostring(L, -1));
  lua_close(L);
}

static void what_stays_within_its_budget_is_left_alone(void) {
  lua_State *L = fresh();
  for (int i = 0; i < 2000; i++)
    CHECK(run(L, "local n = 0 for i = 1, 100 do n = n + i end return n", 0.02), "stopped");
  CHECK(lua_gethook(L) == NULL, "a hook stands");
  lua_close(L);
}

static atomic_bool over;

/* Interrupt until it is over: an interrupt while nothing runs does nothing. */
static void *keep_interrupting(void *context) {
  (void)context;
  while (!atomic_load(&over)) {
    brio_script_interrupt();
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  return NULL;
}

static void another_thread_may_interrupt(void) {
  lua_State *L = fresh();
  pthread_t other;
  brio_script_interrupt();
  CHECK(run(L, "return 1", 1), "an interrupt between calls harms none: %s", lua_tostring(L, -1));
  CHECK(pthread_create(&other, NULL, keep_interrupting, NULL) == 0, "thread");
  CHECK(!run(L, "while true do pcall(function() while true do end end) end", CHECK_PATIENCE),
        "it was not interrupted");
  CHECK_HAS(lua_tostring(L, -1), "interrupted");
  atomic_store(&over, true);
  pthread_join(other, NULL);
  CHECK(run(L, "return 1", 1), "the next call is free again");
  lua_close(L);
}

static void garbage_is_collected_in_steps(void) {
  lua_State *L = fresh();
  lua_gc(L, LUA_GCSTOP);
  CHECK(run(L, "for i = 1, 100000 do local t = { i } end", 5), "%s", lua_tostring(L, -1));
  int before = lua_gc(L, LUA_GCCOUNT);
  for (int i = 0; i < 1000; i++) brio_script_collect(L, 100000);
  CHECK(lua_gc(L, LUA_GCCOUNT) < before / 2, "%d kB of %d left", lua_gc(L, LUA_GCCOUNT), before);
  lua_close(L);
}

enum { BLOCKS = 300, MOVES = 20000, MOST = 1200 /* bytes: small and large ones */ };

typedef struct block { unsigned char *at; size_t size; unsigned char filled; } block;

/* How many bytes of a block differ from what was put there. */
static int wrong_in(const block *b, size_t size) {
  int wrong = 0;
  for (size_t i = 0; i < size; i++) wrong += b->at[i] != b->filled;
  return wrong;
}

static void blocks_keep_what_is_in_them(void) {
  static block blocks[BLOCKS];
  size_t used = 0, sum = 0;
  int wrong = 0, bad = 0;
  brio_random stream = brio_random_stream(1, "memory");
  brio_script_memory *memory = brio_script_memory_new(&used);
  CHECK(memory, "memory");
  for (int k = 0; k < MOVES; k++) {
    block *b = &blocks[(int)brio_random_uniform(&stream, 0, BLOCKS)];
    /* One in four is given back; the others are mostly small. */
    double wanted = brio_random_uniform(&stream, -0.35, 1);
    size_t size = wanted < 0 ? 0 : 1 + (size_t)(wanted * wanted * wanted * MOST), kept = b->size;
    if (kept > size) kept = size;
    b->at = brio_script_memory_move(memory, b->at, b->size, size);
    bad += (size > 0) != (b->at != NULL) || (uintptr_t)b->at % BRIO_SCRIPT_GRAIN != 0;
    wrong += wrong_in(b, kept);
    sum += size - b->size;
    b->size = size;
    b->filled = (unsigned char)k;
    if (size > 0) memset(b->at, b->filled, size);
  }
  CHECK(bad == 0 && wrong == 0, "%d blocks, %d bytes", bad, wrong);
  CHECK(used == sum, "%zu bytes are counted, %zu in use", used, sum);
  /* With the last block goes the memory itself, as leak checkers see. */
  memory->kept = false;
  for (int i = 0; i < BLOCKS; i++)
    if (blocks[i].size > 0) brio_script_memory_move(memory, blocks[i].at, blocks[i].size, 0);
  CHECK(used == 0, "%zu bytes are left", used);
}

static void what_is_given_back_is_taken_again(void) {
  size_t used = 0;
  brio_script_memory *memory = brio_script_memory_new(&used);
  void *first = brio_script_memory_move(memory, NULL, 0, 40);
  brio_script_memory_move(memory, first, 40, 0);
  void *second = brio_script_memory_move(memory, NULL, 0, 48);
  CHECK(first == second, "a block of the same class");
  CHECK(brio_script_memory_move(memory, second, 48, 33) == second, "it stays where it fits");
  brio_script_memory_free(memory);
}

CHECK_SUITE(CHECK_TEST(results_come_back), CHECK_TEST(errors_carry_their_traceback),
            CHECK_TEST(endless_loops_are_stopped), CHECK_TEST(what_a_loop_took_of_memory_is_said),
            CHECK_TEST(what_stays_within_its_budget_is_left_alone), CHECK_TEST(another_thread_may_interrupt),
            CHECK_TEST(garbage_is_collected_in_steps), CHECK_TEST(blocks_keep_what_is_in_them),
            CHECK_TEST(what_is_given_back_is_taken_again))
