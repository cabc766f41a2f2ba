/* The loader's thread beside the script thread: results arrive once and in order, requests are answered,
** files are noticed however they are saved, and ending it at any moment is clean. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "lua/lua_core.h"
#include "runtime/script/file_watch.h"
#include "runtime/script/loader.h"
#include "tests/check.h"

/* A checker that reports which of its files it could read, and answers every request. */
static const char module[] =
    "local M, n = {}, 0\n"
    "function M.new(settings)\n"
    "  local self = { file = settings[1], last = false }\n"
    "  function self:step(saved_at, request)\n"
    "    if request then return { 'answer', table.unpack(request) }, { self.file } end\n"
    "    local handle = io.open(self.file, 'r')\n"
    "    local text = handle and handle:read 'a' or 'none'\n"
    "    if handle then handle:close() end\n"
    "    if text == self.last then return nil, { self.file } end\n"
    "    self.last = text\n"
    "    return { 'text', text, saved_at }, { self.file }\n"
    "  end\n"
    "  return self\n"
    "end\n"
    "return M\n";

/* A checker that reads its file while a change settles, and then reports whether it had read the same. */
static const char glancing[] =
    "local M = {}\n"
    "local function read(name)\n"
    "  local handle = io.open(name, 'r')\n"
    "  local text = handle and handle:read 'a' or 'none'\n"
    "  if handle then handle:close() end\n"
    "  return text\n"
    "end\n"
    "function M.new(settings)\n"
    "  local self = { file = settings[1] }\n"
    "  function self:glance() self.seen = read(self.file) end\n"
    "  function self:step()\n"
    "    local text = read(self.file)\n"
    "    if text == self.last then return nil, { self.file } end\n"
    "    self.last = text\n"
    "    return { text == self.seen and 'ahead' or 'late', text }, { self.file }\n"
    "  end\n"
    "  return self\n"
    "end\n"
    "return M\n";

/* A checker that announces what it read while a change settles, and reports it after that. */
static const char announcing[] =
    "local M = {}\n"
    "local function read(name)\n"
    "  local handle = io.open(name, 'r')\n"
    "  local text = handle and handle:read 'a' or 'none'\n"
    "  if handle then handle:close() end\n"
    "  return text\n"
    "end\n"
    "function M.new(settings, announce)\n"
    "  local self = { file = settings[1] }\n"
    "  function self:glance() announce { 'begins', read(self.file) } end\n"
    "  function self:step()\n"
    "    local text = read(self.file)\n"
    "    if text == self.last then return nil, { self.file } end\n"
    "    self.last = text\n"
    "    return { 'passed', text }, { self.file }\n"
    "  end\n"
    "  return self\n"
    "end\n"
    "return M\n";

static char folder[64], file[128], path[128];

static void put(const char *name, const char *text) {
  FILE *out = fopen(name, "w");
  CHECK(out, "%s", name);
  if (!out) return;
  fputs(text, out);
  fclose(out);
}

static void open_folder(void) {
  char name[128];
  snprintf(folder, sizeof folder, "/tmp/brio-loader-XXXXXX");
  CHECK(mkdtemp(folder), "%s", folder);
  snprintf(file, sizeof file, "%s/watched", folder);
  snprintf(path, sizeof path, "%s/?.lua", folder);
  snprintf(name, sizeof name, "%s/echo.lua", folder);
  put(name, module);
  snprintf(name, sizeof name, "%s/glance.lua", folder);
  put(name, glancing);
  snprintf(name, sizeof name, "%s/announce.lua", folder);
  put(name, announcing);
}

static void close_folder(void) {
  char name[128];
  snprintf(name, sizeof name, "%s/echo.lua", folder);
  unlink(name);
  snprintf(name, sizeof name, "%s/glance.lua", folder);
  unlink(name);
  snprintf(name, sizeof name, "%s/announce.lua", folder);
  unlink(name);
  unlink(file);
  rmdir(folder);
}

/* A list of texts of the Lua expression. */
static brio_texts *texts(lua_State *L, const char *expression) {
  char chunk[256];
  snprintf(chunk, sizeof chunk, "return %s", expression);
  CHECK(luaL_dostring(L, chunk) == LUA_OK, "%s", chunk);
  brio_texts *made = brio_texts_of(L, -1);
  lua_settop(L, 0);
  return made;
}

static brio_loader *start(lua_State *L, const char *name) {
  char settings[192];
  brio_error err = {0};
  snprintf(settings, sizeof settings, "{ '%s' }", file);
  brio_texts *list = texts(L, settings);
  brio_loader_options options = {luaopen_brio_core, path, "", name, list, false};
  brio_loader *loader = brio_loader_start(&options, &err);
  free(list);
  CHECK(loader, "%s", err.message);
  return loader;
}

/* Wait for a result; its first two texts are copied.  False: none came. */
static bool next(brio_loader *loader, char kind[64], char text[256]) {
  const struct timespec moment = {0, 1000000};
  for (int i = 0; i < 1000 * CHECK_PATIENCE; i++) {
    const brio_texts *found = brio_loader_take(loader);
    if (!found) {
      nanosleep(&moment, NULL);
      continue;
    }
    snprintf(kind, 64, "%.*s", (int)found->items[0].length, found->items[0].bytes);
    snprintf(text, 256, "%.*s", (int)found->items[1].length, found->items[1].bytes);
    brio_loader_return(loader, found);
    return true;
  }
  return false;
}

static void saves_are_noticed(void) {
  char kind[64], text[256], content[32], beside[160];
  lua_State *L = luaL_newstate();
  open_folder();
  brio_loader *loader = start(L, "echo");
  CHECK(next(loader, kind, text) && strcmp(text, "none") == 0, "%s", text);
  snprintf(beside, sizeof beside, "%s.new", file);
  for (int i = 0; i < 30; i++) {
    snprintf(content, sizeof content, "save %d", i);
    if (i % 3 == 0) put(file, content);
    else {
      if (i % 3 == 2) unlink(file);
      put(beside, content);
      rename(beside, file);
    }
    do CHECK(next(loader, kind, text), "save %d was not noticed", i);
    while (strcmp(text, "none") == 0 || !text[0]);
    CHECK(strcmp(text, content) == 0, "%s instead of %s", text, content);
  }
  brio_loader_stop(loader);
  close_folder();
  lua_close(L);
}

/* Each save is reported once, when it has settled; before that, glance() gets the beginning of the change.
** After a stall of the machine a change may have settled when it is first seen: then there is no glance. */
static void a_change_is_glanced_at_while_it_settles(void) {
  enum { MAX_SAVES = 100 };
  char kind[64], text[256], content[32], beside[160];
  lua_State *L = luaL_newstate();
  open_folder();
  brio_loader *loader = start(L, "glance");
  CHECK(next(loader, kind, text) && strcmp(text, "none") == 0, "%s", text);
  CHECK(strcmp(kind, "late") == 0, "%s", kind);
  snprintf(beside, sizeof beside, "%s.new", file);
  int saves = 0;
  do {
    snprintf(content, sizeof content, "save %d", saves);
    put(beside, content);
    rename(beside, file);
    CHECK(next(loader, kind, text), "save %d was not noticed", saves);
    CHECK(strcmp(text, content) == 0, "%s instead of %s", text, content);
  } while (strcmp(kind, "ahead") != 0 && ++saves < MAX_SAVES);
  CHECK(saves < MAX_SAVES, "no save was glanced at");
  brio_loader_stop(loader);
  close_folder();
  lua_close(L);
}

/* What is announced while a change settles arrives, and arrives before the report that follows. */
static void what_is_announced_comes_first(void) {
  enum { MAX_SAVES = 100 };
  char kind[64], text[256], content[32], beside[160];
  lua_State *L = luaL_newstate();
  open_folder();
  brio_loader *loader = start(L, "announce");
  CHECK(next(loader, kind, text) && strcmp(kind, "passed") == 0, "%s", kind);
  snprintf(beside, sizeof beside, "%s.new", file);
  bool announced = false;
  for (int saves = 0; saves < MAX_SAVES && !announced; saves++) {
    snprintf(content, sizeof content, "save %d", saves);
    put(beside, content);
    rename(beside, file);
    do {
      CHECK(next(loader, kind, text), "save %d was not reported", saves);
      announced |= strcmp(kind, "begins") == 0 && strcmp(text, content) == 0;
    } while (strcmp(kind, "passed") != 0);
    CHECK(strcmp(text, content) == 0, "%s instead of %s", text, content);
  }
  CHECK(announced, "nothing was announced");
  brio_loader_stop(loader);
  close_folder();
  lua_close(L);
}

static void requests_are_answered_in_order(void) {
  char kind[64], text[256], expected[32];
  lua_State *L = luaL_newstate();
  open_folder();
  brio_loader *loader = start(L, "echo");
  CHECK(next(loader, kind, text), "nothing came");
  int asked = 0;
  for (int i = 0; i < 500; i++) {
    snprintf(expected, sizeof expected, "{ 'number %d' }", i);
    while (!brio_loader_ask(loader, texts(L, expected))) {
      CHECK(next(loader, kind, text), "no answer");
      asked++;
    }
  }
  for (; asked < 500; asked++) CHECK(next(loader, kind, text), "answer %d is missing", asked);
  CHECK(strcmp(kind, "answer") == 0 && strcmp(text, "number 499") == 0, "%s %s", kind, text);
  brio_loader_stop(loader);
  close_folder();
  lua_close(L);
}

static void it_ends_at_any_moment(void) {
  lua_State *L = luaL_newstate();
  open_folder();
  for (int i = 0; i < 20; i++) {
    const struct timespec moment = {0, i * 500000};
    brio_loader *loader = start(L, "echo");
    put(file, i % 2 ? "a" : "b");
    brio_loader_ask(loader, texts(L, "{ 'x' }"));
    nanosleep(&moment, NULL);
    brio_loader_stop(loader);
  }
  brio_loader_stop(NULL);
  close_folder();
  lua_close(L);
}

static void a_module_that_fails_is_told(void) {
  char kind[64], text[256];
  lua_State *L = luaL_newstate();
  open_folder();
  brio_loader *loader = start(L, "nothing_of_that_name");
  CHECK(next(loader, kind, text), "nothing came");
  CHECK(strcmp(kind, "broken") == 0, "%s", kind);
  CHECK_HAS(text, "nothing_of_that_name");
  brio_loader_stop(loader);
  close_folder();
  lua_close(L);
}

static void what_does_not_change_wakes_nobody(void) {
  brio_error err = {0};
  open_folder();
  put(file, "x");
  brio_file_watch *watch = brio_file_watch_new(false, &err);
  CHECK(watch, "%s", err.message);
  const char *files[] = {file};
  CHECK(brio_file_watch_set(watch, files, 1, &err), "%s", err.message);
  CHECK_AWAIT(brio_file_watch_saved(watch) > 0, brio_file_watch_wait(watch, 2),
              "the file is new, and nothing says so");
  char other[160];
  snprintf(other, sizeof other, "%s/other", folder);
  put(other, "y");
  int64_t began = brio_clock_monotonic();
  brio_file_watch_wait(watch, 0.6);
  CHECK(brio_clock_monotonic() - began > 500000000, "another file woke it"); /* a stall makes it longer */
  unlink(other);
  brio_file_watch_wake(watch);
  brio_file_watch_wait(watch, -1);
  brio_file_watch_free(watch);
  close_folder();
}

CHECK_SUITE(CHECK_TEST(saves_are_noticed), CHECK_TEST(a_change_is_glanced_at_while_it_settles),
            CHECK_TEST(what_is_announced_comes_first), CHECK_TEST(requests_are_answered_in_order),
            CHECK_TEST(it_ends_at_any_moment), CHECK_TEST(a_module_that_fails_is_told),
            CHECK_TEST(what_does_not_change_wakes_nobody))
