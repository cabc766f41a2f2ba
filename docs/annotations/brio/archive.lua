---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_archive.c by scripts/docs.lua.

---@class brio.archive
local archive = {}

---The CRC-32 (IEEE 802.3) of a text; with `before`, the CRC of earlier pieces, that of all pieces
---together.
---@param text string
---@param before? any
---@return any # integer
function archive.crc32(text, before) end

---The SHA-1 of a text, 20 bytes, for protocols that demand it, such as the handshake of WebSocket (RFC
---6455).
---@param text string
---@return any # digest
function archive.sha1(text) end

---The text compressed as one frame of Zstandard (RFC 8878), level 1 (default: fast) to 19. Codes:
---no_memory.
---@param text string
---@param level? any
---@return string? # text | nil, sentence, code
---@return string? sentence
---@return string? code
function archive.zstd(text, level) end

return archive
