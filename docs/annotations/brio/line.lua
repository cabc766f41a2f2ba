---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/lua_line.c by scripts/docs.lua.

---@class brio.line
local line = {}

---@class brio.line.editor
local editor = {}

---Begin to edit at the terminal that is standard input and output: only one editor at a time.
---@return brio.line.editor? # editor | nil, sentence, code
---@return string? sentence
---@return string? code
function line.open() end

---Say what stands before the line, at most 63 bytes, and draw the line anew.
---@param text string
function editor:prompt(text) end

---Take the keys that wait, until one asks for something: "line" (with its text; the prompt is gone
---then), "complete" (with the text before the cursor), "cancel", or "end"; nil when none is left.
---@return any # what, text or nil
function editor:read() end

---Put a text where the cursor is.
---@param text string
function editor:insert(text) end

---Print lines above the one that is edited, which stays as it is.
---@param text string
function editor:print(text) end

---Add a line to the history; the last 1000 are kept.
---@param text string
function editor:remember(text) end

---The terminal has another size now.
function editor:resize() end

---Give the terminal back as it was; may be called again.
function editor:close() end

return line
