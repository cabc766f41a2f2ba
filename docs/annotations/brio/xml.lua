---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/robot/lua_xml.c by scripts/docs.lua.

---@class brio.xml
local xml = {}

---Read a whole document. An element is {name, line, column, attributes = {name = text}, child, ...}; with
---`texts` one without children also has its `text`. Text between elements is not kept. `file` stands for
---the text in sentences. Codes: format (not well-formed, cut off, entities declared), limit (deeper than 64,
---over a million elements).
---@param text string
---@param file? string
---@param texts? any
---@return any? # element, or nil, sentence, code
---@return string? sentence
---@return string? code
function xml.parse(text, file, texts) end

return xml
