---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/store/lua_forms.c by scripts/docs.lua.

---@class brio.forms
local forms = {}

---Close; may be called again.
function forms:close() end

---Put a row, or a list of rows, all or none; missing columns are null. It is on the disk when
---this returns. The id is that of the last row.
---@param table any
---@param fields table
---@return any? # id | nil, sentence, code
---@return string? sentence
---@return string? code
function forms:put(table, fields) end

---Open or create a run store for such rows. Runs may be recorded in it meanwhile.
---@param path string
---@return brio.forms? # forms | nil, sentence, code
---@return string? sentence
---@return string? code
function forms.open(path) end

return forms
