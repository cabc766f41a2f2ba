---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_regex.c by scripts/docs.lua.

---@class brio.regex
local regex = {}

---Compiles a pattern, UTF-8, of at most 10,000 bytes: the syntax of Perl, `man pcre2syntax`; `(?i)` at its
---beginning: whatever the case. Code: format (it is no pattern).
---@param pattern any
---@return brio.regex? # regex | nil, sentence, code
---@return string? sentence
---@return string? code
function regex.new(pattern) end

---Searches a text: from which byte to which one it matches first, and a list of what its groups caught, false
---for one that took no part. nil alone: nowhere. Code: limit (the search was given up).
---@param text string
---@return any # first, last, captures | nil [, sentence, code]
function regex:find(text) end

return regex
