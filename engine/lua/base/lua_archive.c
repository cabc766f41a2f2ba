/* The Lua module brio.archive: check codes, digests and compression for writers of record files such as MCAP
** and for protocols.  The check code is base/crc32.h's; zstd compresses, and this is the only file that
** includes it. */
#include <lauxlib.h>
#include <zstd.h>

#include "base/crc32.h"
#include "base/hash.h"
#include "lua/lua_args.h"

/* archive.crc32(text [, before]) -> integer
** The CRC-32 (IEEE 802.3) of a text; with `before`, the CRC of earlier pieces, that of all pieces
** together. */
static int crc32(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  uint32_t before = lua_isnoneornil(L, 2) ? 0 : (uint32_t)brio_lua_number(L, 2, 0, UINT32_MAX, "before");
  lua_pushinteger(L, brio_crc32_more(before, bytes, length));
  return 1;
}

/* archive.sha1(text) -> digest
** The SHA-1 of a text, 20 bytes, for protocols that demand it, such as the handshake of WebSocket (RFC
** 6455). */
static int sha1(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  unsigned char digest[20];
  brio_hash_sha1(bytes, length, digest);
  lua_pushlstring(L, (const char *)digest, sizeof digest);
  return 1;
}

/* archive.zstd(text [, level]) -> text | nil, sentence, code
** The text compressed as one frame of Zstandard (RFC 8878), level 1 (default: fast) to 19. Codes:
** no_memory. */
static int zstd(lua_State *L) {
  size_t length;
  const char *bytes = luaL_checklstring(L, 1, &length);
  int level = lua_isnoneornil(L, 2) ? 1 : (int)brio_lua_number(L, 2, 1, 19, "level");
  size_t room = ZSTD_compressBound(length);
  void *frame = lua_newuserdatauv(L, room + 1, 0);
  size_t size = ZSTD_compress(frame, room, bytes, length, level);
  if (ZSTD_isError(size)) {
    brio_error err;
    brio_fail(&err, BRIO_NO_MEMORY, "%zu bytes cannot be compressed: %s", length, ZSTD_getErrorName(size));
    return brio_lua_failed(L, &err);
  }
  lua_pushlstring(L, frame, size);
  return 1;
}

int luaopen_brio_archive(lua_State *L) {
  static const luaL_Reg functions[] = {{"crc32", crc32}, {"sha1", sha1}, {"zstd", zstd}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
