---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_regex.c by scripts/docs.lua.

---@class brio.regex
local regex = {}

---Compiles a pattern, UTF-8, of at most 10,000 bytes: the syntax of Perl, `man pcre2syntax`; `(?i)` at its
---beginning ignores case. Code: format (not a valid pattern).
---@param pattern any
---@return brio.regex? # regex | nil, sentence, code
---@return string? sentence
---@return string? code
function regex.new(pattern) end

---Searches a text. Returns the first and last byte of the first match, and a list of its captures, false for
---a group that did not participate. nil alone: no match. Code: limit (the search was interrupted).
---@param text string
---@return any # first, last, captures | nil [, sentence, code]
function regex:find(text) end

return regex
