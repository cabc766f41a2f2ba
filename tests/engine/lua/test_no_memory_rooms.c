/* Out of memory in parts of brio that are written in Lua: edits of a behavior's text, the studio's network
** and its server with a connection, the fleet's packets. The modules stay loaded: whichever allocation of a
** job fails, alone or with all after it, the job ends with an error about memory or with its usual result,
** and the next one has its usual result. Of a job with connections only Lua's allocations are refused, for
** luv itself does not survive others. `make test` refuses a sample of them, `make soak` all. */
#include <lauxlib.h>
#include <luv/luv.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/allocations.h"
#include "tests/check.h"

int luaopen_brio_core(lua_State *L);

enum { SAMPLE = 60 }; /* allocations that are refused, of each job, at scale 1 */

/* Each text returns a function that returns a text. */
static const struct {
  bool connects; /* it uses luv */
  const char *name, *text;
} jobs[] = {
    {false, "an edit",
     "local operations = require 'brio.behavior.text.operations'\n"
     "local text = [[local brio = require 'brio'\nlocal want = brio.want\n"
     "local made = brio.behavior 'made' { start = 'idle' }\n"
     "made.idle = { blend = 0.6, -- s\n  wants = { want.joint_limits {} }, after = { 2, 'idle' } }\n"
     "return made\n]]\n"
     "return function()\n"
     "  local made = assert(operations.apply(text, { op = 'set', path = 'idle.blend', value = '0.8' }))\n"
     "  return assert(operations.apply(made.text, { op = 'add', path = 'idle.wants',\n"
     "    value = 'want.keep_upright {}' })).text\n"
     "end"},
    {false, "the studio's network",
     "local request, websocket = require 'brio.studio.request', require 'brio.studio.websocket'\n"
     "local head = 'POST /a%20b?c=d HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 4\\r\\n\\r\\nbody'\n"
     "local mask, data, bytes = 'maskm', 'hello', {}\n"
     "for i = 1, 5 do bytes[i] = string.char(mask:byte(i) ~ data:byte(i)) end\n"
     "local frame = '\\x81\\x85mask' .. table.concat(bytes)\n"
     "return function()\n"
     "  local reader, socket = request.reader(), websocket.reader(1000)\n"
     "  reader:add(head)\n  socket:add(frame)\n"
     "  local one, _, why = reader:next()\n  assert(one, why)\n"
     "  local kind, heard = socket:next()\n"
     "  return table.concat({ one.method, one.path, one.query.c, one.body, kind, heard,\n"
     "    websocket.accept 'dGhlIHNhbXBsZSBub25jZQ==', websocket.frame('text', 'answer') }, ' ')\n"
     "end"},
    {true, "the studio's server",
     "local server, uv = require 'brio.studio.server', require 'luv'\n"
     "local function yes() return true end\n"
     "local access = { knows_host = yes, own_origin = yes, session = yes }\n"
     "server.patience = 0.5\n"
     "local made = assert(server.new { address = '127.0.0.1', port = 0,\n"
     "  access = function() return access end, fault = function() end,\n"
     "  answer = function(one, reply) reply(200, 'text/plain', 'at ' .. one.path) end })\n"
     "local late, client = false, nil\n"
     "local timer = uv.new_timer()\n"
     "local function until_(done)\n"
     "  late = false\n"
     "  timer:start(20000, 0, function() late = true end)\n"
     "  while not done() and not late do uv.run 'once' end\n"
     "  timer:stop()\n"
     "end\n"
     "local function empty() return made.count == 0 end\n"
     "return function()\n"
     "  if client and not client:is_closing() then client:close() end\n"
     "  if made.count > 0 then until_(empty) end\n"
     "  if late then return 'a connection is left' end\n"
     "  local heard, over = '', false\n"
     "  client = uv.new_tcp()\n"
     "  client:connect('127.0.0.1', made.port, function(fault)\n"
     "    if fault then over = true return end\n"
     "    client:read_start(function(_, bytes)\n"
     "      if bytes then heard = heard .. bytes else over = true end\n"
     "    end)\n"
     "    client:write 'GET /a HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n'\n"
     "  end)\n"
     "  until_(function() return over or callback_failed() end)\n"
     "  if late then return 'no answer' end\n"
     "  return heard:match 'at /a$' or error('a callback had no memory', 0)\n"
     "end"},
    {false, "the fleet's packets",
     "local packets = require 'brio.runs.fleet.packets'\n"
     "local said = packets.publish('brio/v1/a/b/state', ('x'):rep(300), { qos = 1, id = 7 })\n"
     "  .. '\\x20\\2\\0\\0' .. '\\x90\\3\\0\\1\\1'\n"
     "return function()\n"
     "  local will = { topic = 't', payload = 'p', qos = 1 }\n"
     "  local parts = { packets.connect { client = 'c', keep = 30, will = will },\n"
     "    packets.subscribe(1, { 'a/#', 'b/+' }) }\n"
     "  assert(packets.read(said, function(one)\n"
     "    table.move({ one.kind, one.topic, one.payload, one.id }, 1, 4, #parts + 1, parts)\n  end))\n"
     "  return table.concat(parts)\n"
     "end"},
};

/* Allocations of Lua alone: counted, and `refused` of them refused from this number on; 0: none. */
static size_t asked, refused_from, refused;

/* Lua's allocator; what gets smaller is never refused. */
static void *allocate(void *context, void *block, size_t before, size_t size) {
  (void)context;
  bool grows = size > (block ? before : 0);
  if (size == 0) {
    free(block);
    return NULL;
  }
  asked += grows;
  if (grows && refused_from && asked >= refused_from && asked - refused_from < refused) return NULL;
  return realloc(block, size);
}

static bool failed; /* a callback of luv raised an error */

/* Call a callback of luv, as the program does: it may fail, and the loop goes on. */
static int call_back(lua_State *L, int arguments, int results, int flags) {
  (void)flags;
  int below = lua_gettop(L) - arguments - 1;
  if (lua_pcall(L, arguments, results, 0) == LUA_OK) return lua_gettop(L) - below;
  failed = true;
  lua_settop(L, below);
  return -LUA_ERRRUN;
}

/* callback_failed() -> whether one did since it was asked. */
static int callback_failed(lua_State *L) {
  lua_pushboolean(L, failed);
  failed = false;
  return 1;
}

/* Open Lua with brio's modules, those in Lua from its sources, and load a job, whose function is left. */
static int open_job(lua_State *L) {
  const char *text = lua_touserdata(L, 1);
  luaL_openlibs(L);
  luaL_requiref(L, "brio.core", luaopen_brio_core, 0);
  luv_set_callback(L, call_back);
  luaL_requiref(L, "luv", luaopen_luv, 0);
  lua_register(L, "callback_failed", callback_failed);
  luaL_dostring(L, "package.path = 'lua/?.lua;lua/?/init.lua'");
  if (luaL_loadstring(L, text) != LUA_OK) return lua_error(L);
  lua_call(L, 0, 1);
  return 1;
}

/* How many allocations there were, of Lua alone or of all. */
static size_t count_of(bool lua) { return lua ? asked : allocations; }

/* Call the function at the top, with allocations from `nth` on refused. Its result, or its error, is left. */
static bool call_job(lua_State *L, bool lua, size_t nth, size_t span) {
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_pushvalue(L, 1);
  failed = false;
  *(lua ? &refused_from : &allocations_refused_from) = nth ? count_of(lua) + nth : 0;
  *(lua ? &refused : &allocations_refused) = span;
  int status = lua_pcall(L, 0, 1, 0);
  allocations_refused_from = refused_from = 0;
  return status == LUA_OK;
}

/* Refuse an allocation of a job, then let it work again. */
static void refuse_one(lua_State *L, size_t job, const char *usual, size_t nth, size_t span) {
  const char *name = jobs[job].name;
  bool good = call_job(L, jobs[job].connects, nth, span);
  const char *said = lua_tostring(L, -1);
  CHECK(good ? said && strcmp(said, usual) == 0 : said && strstr(said, "memory"), "%s, allocation %zu%s: %s",
        name, nth, span > 1 ? " and all later ones" : "", said ? said : "no text");
  lua_pop(L, 1);
  bool again = call_job(L, jobs[job].connects, 0, 0);
  said = lua_tostring(L, -1);
  CHECK(again && said && strcmp(said, usual) == 0, "%s, after allocation %zu had failed: %s", name, nth,
        said ? said : "no text");
  lua_pop(L, 1);
}

/* A sample of the allocations of a job, evenly spread. */
static void refuse_of(lua_State *L, size_t job) {
  const char *name = jobs[job].name;
  bool lua = jobs[job].connects;
  CHECK(call_job(L, lua, 0, 0), "%s: %s", name, lua_tostring(L, -1)); /* what is allocated once exists now */
  lua_settop(L, 1);
  size_t before = count_of(lua);
  CHECK(call_job(L, lua, 0, 0), "%s again: %s", name, lua_tostring(L, -1));
  size_t all = count_of(lua) - before, most = (size_t)(SAMPLE * check_scale()), step = all / most + 1;
  char *usual = strdup(lua_tostring(L, -1));
  lua_settop(L, 1);
  for (size_t n = 1; n <= all; n += step) {
    refuse_one(L, job, usual, n, 1);
    refuse_one(L, job, usual, n, SIZE_MAX);
  }
  printf("#   %s: every %zu. of %zu allocations\n", name, step, all);
  free(usual);
}

static void any_allocation_may_fail(void) {
#ifdef SANITIZED
  check_skip = "a sanitizer has its own malloc, which refuses nothing";
#endif
  printf("#   parts of brio in Lua\n"); /* takes its buffer now, not within a job */
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    long before = allocations_held;
    lua_State *L = lua_newstate(allocate, NULL);
    lua_pushcfunction(L, open_job);
    lua_pushlightuserdata(L, (void *)jobs[i].text);
    bool good = lua_pcall(L, 1, 1, 0) == LUA_OK;
    CHECK(good, "%s: %s", jobs[i].name, lua_tostring(L, -1));
    if (good) refuse_of(L, i);
    luaL_dostring(L, "local uv = require 'luv'\n"
                     "uv.walk(function(one) if not one:is_closing() then one:close() end end)\n"
                     "uv.run()");
    lua_close(L);
    /* luv loses what it took itself when Lua refuses it the rest. */
    CHECK(jobs[i].connects || allocations_held == before, "%s: %ld blocks leaked", jobs[i].name,
          allocations_held - before);
  }
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
