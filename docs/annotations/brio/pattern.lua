---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_pattern.c by scripts/docs.lua.

---@class brio.pattern
local pattern = {}

---The positions of the first match, as from string.find.
---@param text string
---@param pattern any
---@param init? any
---@param plain? any
---@return any # first, last, captures... | nil
function pattern.find(text, pattern, init, plain) end

---The captures of the first match, or the whole match, as from string.match.
---@param text string
---@param pattern any
---@param init? any
---@return any # captures... | nil
function pattern.match(text, pattern, init) end

---An iterator over the captures of each match, as from string.gmatch; a ^ is not an anchor.
---@param text string
---@param pattern any
---@param init? any
---@return any # iterator
function pattern.gmatch(text, pattern, init) end

---Replace matches, at most `most`, by a text, from a table or by a function, as string.gsub does.
---@param text string
---@param pattern any
---@param replacement any
---@param most? any
---@return string # text, count
function pattern.gsub(text, pattern, replacement, most) end

---string.format, except that tables, functions, threads and objects are shown by their __tostring, __name or
---type, and that %p is refused: an address differs from run to run.
---@param format any
---@param ... any
---@return string # text
function pattern.format(format, ...) end

return pattern
