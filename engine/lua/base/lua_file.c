/* brio.file: whole files, read without blocking (base/text.h), and written as a whole or not at all. */
#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "lua/lua_args.h"

/* file.read(path [, limit]) -> text | nil, sentence, code
** All bytes of a file, at most `limit` (16 MB). A folder or a pipe is refused, since a pipe might block
** forever. Codes: no_file, io, limit, no_memory. */
static int read(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  double limit = lua_isnoneornil(L, 2) ? 1 << 24 : brio_lua_number(L, 2, 0, 1e12, "limit");
  brio_text text = {0};
  brio_error err;
  if (!brio_text_read_file(&text, path, (size_t)limit, &err)) {
    brio_text_end(&text);
    return brio_lua_failed(L, &err);
  }
  lua_pushlstring(L, text.bytes, text.length);
  brio_text_end(&text);
  return 1;
}

/* Write all bytes to a new file. */
static bool write_all(const char *path, const char *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  /* Keep the error of writing: closing may set another one. */
  bool good = fwrite(bytes, 1, length, file) == length;
  int fault = errno;
  bool closed = fclose(file) == 0;
  if (!good) errno = fault;
  return good && closed;
}

/* Give a new file the permissions of the one that it replaces, if there is one. */
static bool keep_mode(const char *made, const char *path) {
  struct stat before;
  return stat(path, &before) != 0 || chmod(made, before.st_mode & 07777) == 0;
}

/* file.replace(path, text) -> true | nil, sentence, code
** Replaces a file atomically: a reader gets the whole old text or the whole new one. Writes to a file beside
** it first, with ".new" appended to the name. The permissions stay, and so does a symbolic link: the file
** that it names is replaced. Codes: io. */
static int replace(lua_State *L) {
  size_t length;
  const char *path = luaL_checkstring(L, 1), *bytes = luaL_checklstring(L, 2, &length);
  /* Where the file is: a file that does not exist yet has its name only. */
  char real[PATH_MAX];
  const char *target = realpath(path, real) ? real : path;
  /* Beside the file, so that rename stays within one file system. */
  const char *beside = lua_pushfstring(L, "%s.new", target);
  if (write_all(beside, bytes, length) && keep_mode(beside, target) && rename(beside, target) == 0) {
    lua_pushboolean(L, true);
    return 1;
  }
  brio_error err;
  /* The cause is in errno until the file beside it is removed. */
  brio_fail(&err, BRIO_IO, "%s cannot be written: %s", path, strerror(errno));
  remove(beside);
  return brio_lua_failed(L, &err);
}

/* file.ready(number) -> boolean
** Whether up to 4096 bytes can be written to the standard output (1) or error (2) at once: false while a pipe
** is full, or a terminal is stopped. */
static int ready(lua_State *L) {
  struct pollfd out = {.fd = (int)brio_lua_number(L, 1, 1, 2, "number"), .events = POLLOUT};
  lua_pushboolean(L, poll(&out, 1, 0) == 1);
  return 1;
}

/* file.list(path) -> list of texts | nil, sentence, code
** The names in a folder, without those that begin with a dot, sorted. Codes: no_file, io, no_memory. */
static int list(lua_State *L) {
  brio_text text = {0};
  brio_error err;
  if (!brio_text_list_folder(&text, luaL_checkstring(L, 1), &err)) {
    brio_text_end(&text);
    return brio_lua_failed(L, &err);
  }
  lua_newtable(L);
  lua_Integer count = 0;
  /* Names lie one after the other, each with a zero at its end. */
  for (size_t at = 0; at < text.length; at += strlen(text.bytes + at) + 1) {
    lua_pushstring(L, text.bytes + at);
    lua_rawseti(L, -2, ++count);
  }
  brio_text_end(&text);
  /* Folders list their names in no order; scripts need the same one everywhere. */
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "sort");
  lua_pushvalue(L, -3);
  lua_call(L, 1, 0);
  lua_pop(L, 1);
  return 1;
}

int luaopen_brio_file(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"read", read}, {"list", list}, {"ready", ready}, {"replace", replace}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
  return 1;
}
