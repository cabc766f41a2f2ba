/* The program: a Lua state with brio's modules in it, handed to lua/brio/commands.lua.
**
** The order: find the library, open Lua and its libraries, put the C modules where `require`
** finds them, watch over runaway scripts, then let the command line have its way.  Robot,
** devices, store and engine are put together by the command that needs them
** (lua/brio/run/runner.lua), through the same modules that scripts use. */
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <lua.h>
#include <lualib.h>
#include <luv/luv.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lua/lua_core.h"
#include "runtime/script/compiled.h"
#include "runtime/script/script.h"

enum { EXIT_WORLD = 1, LEAST_FILES = 64, LARGE = 64 << 10 /* bytes */ };

/* Write the folder that holds brio/init.lua, seen from the program: in the source tree, or
** where it was installed. */
static bool find_library(char out[PATH_MAX]) {
  static const char *const places[] = {"../lua", "../share/lua/5.4", "../../lua", NULL};
  /* The folder of the program's own file; its name may come through a link. */
  char program[PATH_MAX - 64], probe[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return false;
  program[length] = 0;
  *strrchr(program, '/') = 0;
  for (int i = 0; places[i]; i++) {
    snprintf(probe, sizeof probe, "%s/%s/brio/init.lua", program, places[i]);
    if (access(probe, R_OK) != 0) continue;
    snprintf(probe, sizeof probe, "%s/%s", program, places[i]);
    return realpath(probe, out) != NULL;
  }
  return false;
}

/* Write the folder of the compiled modules, seen from the program: in the build folder, or where it was
** installed. */
static bool find_compiled_folder(char out[PATH_MAX]) {
  static const char *const places[] = {"compiled", "../lib/brio/compiled", NULL};
  char program[PATH_MAX - 64];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return false;
  program[length] = 0;
  *strrchr(program, '/') = 0;
  for (int i = 0; places[i]; i++) {
    snprintf(out, PATH_MAX, "%s/%s", program, places[i]);
    if (access(out, R_OK) == 0) return true;
  }
  return false;
}

/* Print the error on top of the stack, without characters that would control a terminal. */
static void say_error(lua_State *L) {
  static const char filter[] = "return require('brio.lib.pretty').visible(...)";
  bool loaded = luaL_loadstring(L, filter) == LUA_OK;
  lua_pushvalue(L, -2);
  if (loaded && lua_pcall(L, 1, 1, 0) == LUA_OK) fprintf(stderr, "brio: %s\n", lua_tostring(L, -1));
  else fprintf(stderr, "brio: an error that cannot be shown\n");
}

/* luv calls Lua through this function. An error in a script's callback is printed and makes `brio lua` fail;
** luv's own function would end the process at once. */
static int luv_call(lua_State *L, int nargs, int nresults, int flags) {
  (void)flags;
  /* The height of the stack without the function and its arguments. */
  int below = lua_gettop(L) - nargs - 1;
  if (brio_script_call(L, nargs, nresults, 0)) return lua_gettop(L) - below;
  say_error(L);
  /* The registry field turns into the exit code of the command (lua/brio). */
  lua_settop(L, below);
  lua_pushboolean(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, "brio.callback_failed");
  return -LUA_ERRRUN;
}

/* Put the library first in package.path, and brio.core into package.preload. */
static void set_paths(lua_State *L, const char *library) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "path");
  lua_pushfstring(L, "%s/?.lua;%s/?/init.lua;%s", library, library, lua_tostring(L, -1));
  lua_setfield(L, -3, "path");
  lua_pop(L, 2);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_brio_core);
  lua_setfield(L, -2, "brio.core");
  lua_pop(L, 1);
}

/* Push the command line without the program's name, as a list of strings. */
static void push_words(lua_State *L, int argc, char **argv) {
  lua_createtable(L, argc - 1, 0);
  for (int i = 1; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i);
  }
}

/* Close what a command has left open with luv, before Lua is closed: a request under way would otherwise call
** into a closed state. */
static void close_handles(lua_State *L) {
  static const char entry[] = "if package.loaded.luv then require('brio.terminal.cli').close_handles() end";
  if (luaL_loadstring(L, entry) != LUA_OK || !brio_script_call(L, 0, 0, 0)) lua_settop(L, 0);
}

/* Run the command line: commands.main(words) -> exit code. */
static int command_line(lua_State *L, int argc, char **argv) {
  static const char entry[] = "require 'brio.core' return require('brio.commands').main(...)";
  if (luaL_loadstring(L, entry) != LUA_OK) return EXIT_WORLD;
  push_words(L, argc, argv);
  if (!brio_script_call(L, 1, 1, 0)) {
    say_error(L);
    return EXIT_WORLD;
  }
  return (int)lua_tointeger(L, -1);
}

/* Whether all output arrived.  A reader that went away, as in `brio sql ... | head`, is no failure. */
static bool output_arrived(void) {
  bool good = fflush(stdout) == 0;
  const char *why = strerror(errno);
  if (good && !ferror(stdout)) return true;
  /* A reader that hung up sets POLLERR on the pipe. */
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR)) return true;
  fprintf(stderr, "brio: not all of the output could be written%s%s\n", good ? "" : ": ", good ? "" : why);
  return false;
}

/* Open standard input, output and error on /dev/null where they are closed. Otherwise a file or socket that
** is opened later would get their number, and messages would be written into it. */
static void open_standard(void) {
  /* open() returns the lowest free number, so closed ones are filled first. */
  int fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd > STDERR_FILENO) close(fd);
}

/* A library that cannot open a file may end the process: make sure that enough can be open at once. */
static bool have_room_for_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= LEAST_FILES) return true;
  unsigned long given = (unsigned long)limit.rlim_cur;
  /* Raise the soft limit as far as the hard one permits it. */
  if (limit.rlim_max >= LEAST_FILES) limit.rlim_cur = LEAST_FILES;
  if (limit.rlim_cur == LEAST_FILES && setrlimit(RLIMIT_NOFILE, &limit) == 0) return true;
  fprintf(stderr, "brio: it may open %lu files, and needs %d: raise the limit (ulimit -n)\n", given,
          LEAST_FILES);
  return false;
}

/* The program's end: whether its command is over, and the code that it ends with. */
typedef struct program_end {
  bool over;
  int code;
} program_end;

/* End the program: the finalizer of its end. A script that closes Lua itself, with os.exit, has a code of its
** own. */
static int leave(lua_State *L) {
  const program_end *end = lua_touserdata(L, 1);
  if (!end->over) return 0;
  brio_script_watch_stop();
  exit(end->code);
}

/* Make the program's end, whose finalizer ends it. Lua finalizes last what was made first, so everything
** else is closed by then. Only blocks of memory are left, which the system takes back faster than Lua frees
** them. */
static program_end *end_last(lua_State *L) {
  program_end *end = lua_newuserdatauv(L, sizeof *end, 0);
  *end = (program_end){0};
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, leave);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, end);
  return end;
}

int main(int argc, char **argv) {
  char library[PATH_MAX], folder[PATH_MAX];
  brio_error err;
  open_standard();
  signal(SIGPIPE, SIG_IGN); /* a reader that goes away, and a file that may not grow, are errors of a write */
  signal(SIGXFSZ, SIG_IGN);
  if (!have_room_for_files()) return EXIT_WORLD;
  if (!find_library(library)) {
    fprintf(stderr, "brio: its Lua library is missing: expected ../lua/brio beside the program's folder\n");
    return EXIT_WORLD;
  }
  /* What the collector has freed is joined at once: else the next large text joins all of it, in one tick. */
  mallopt(M_MXFAST, 0);
  /* Large arrays are the system's own pages: those that a run never touches take no memory, and freed ones
  ** go back at once. */
  mallopt(M_MMAP_THRESHOLD, LARGE);
  lua_State *L = brio_script_open();
  if (!L) {
    fprintf(stderr, "brio: no memory for Lua\n");
    return EXIT_WORLD;
  }
  brio_script_spare(L);
  program_end *end = end_last(L);
  luaL_openlibs(L);
  set_paths(L, library);
  if (find_compiled_folder(folder)) brio_compiled_at(library, folder);
  brio_compiled_first(L);
  luv_set_callback(L, luv_call);
  if (!brio_script_watch_start(&err)) fprintf(stderr, "brio: warning: %s\n", err.message);
  int code = command_line(L, argc, argv);
  close_handles(L);
  if (!output_arrived() && code == 0) code = EXIT_WORLD;
  *end = (program_end){.over = true, .code = code};
  lua_close(L);
  return code;
}
