--- The text of a tree's document: the Lua or JSON that a person writes.
---
--- JSON keeps the layout of unchanged nodes: the order of keys, and numbers digit by digit.  New nodes, and
--- all of Lua, have one layout: the kind, then the name, the fields by name, then the children.  Comments
--- are not kept; notes are.
local data = require "brio.tree.editing.data"
local suggest = require "brio.lib.suggest"

local text = {}

local ranks = { kind = 1, id = 2, name = 3, after = 4, to = 5, notes = 7 }

--- The keys of a node's fields, in the order in which they are written.
local function ordered_keys(fields)
  local keys = suggest.keys(fields)
  table.sort(keys, function(a, b)
    local first, second = ranks[a] or 6, ranks[b] or 6
    if first ~= second then return first < second end
    return a < b
  end)
  return keys
end

local Writer = {}
Writer.__index = Writer

--- Record that a node's field cannot be represented in a format.
function Writer:refuse(id, key, why)
  error(setmetatable({ sentence = ("%s: %s %s"):format(self.document:called(id), key, why) }, Writer), 0)
end

--- Record that a function is represented only by its description.
function Writer:check(id, key, value)
  if data.has_thing(self.document.nodes[id].fields[key]) then
    self.functions[#self.functions + 1] = ("%s: %s"):format(self.document:called(id), key)
    return data.copy(self.document.nodes[id].fields[key])
  end
  return value
end

-- Lua -------------------------------------------------------------------------------------------------------

--- The lists of a node's children as items of its table: named parts as a list each.
function Writer:lua_children(node, layout, indent, items)
  local inner = indent .. "  "
  local function block(list, deeper)
    local lines = {}
    for index, child in ipairs(list) do lines[index] = deeper .. self:lua_node(child, deeper) end
    return table.concat(lines, ",\n")
  end
  local function list_of(part, list)
    return part .. " = {\n" .. block(list, inner .. "  ") .. (#list > 0 and ",\n" or "") .. inner .. "}"
  end
  if layout.named_children then
    items[#items + 1] = list_of("children", node.children)
  end
  for _, part in ipairs { "try", "catch", "finally" } do
    if node[part] or layout.empty and layout.empty[part] then
      items[#items + 1] = list_of(part, node[part] or {})
    end
  end
  local lines = {}
  for _, item in ipairs(items) do lines[#lines + 1] = inner .. item end
  if not layout.named_children and #node.children > 0 then lines[#lines + 1] = block(node.children, inner) end
  return table.concat(lines, ",\n")
end

function Writer:lua_node(id, indent)
  local doc = self.document
  local node, layout, fields = doc.nodes[id], doc.layouts[id] or {}, doc:written(id, self.needed)
  local items = { (layout.named_kind and "kind = " or "") .. data.lua(node.kind) }
  for _, key in ipairs(ordered_keys(fields)) do
    local value = self:check(id, key, fields[key])
    items[#items + 1] = data.lua_key(key) .. " = " .. data.lua(value, indent .. "  ")
  end
  local own = data.block(items, "", "", indent):gsub("^\n%s*", ""):gsub("\n%s*$", "")
  local count = #doc:children(id)
  if count == 0 and not layout.named_children and not layout.empty then return "{ " .. own .. " }" end
  return "{ " .. own .. ",\n" .. self:lua_children(node, layout, indent, {}) .. ",\n" .. indent .. "}"
end

-- JSON ------------------------------------------------------------------------------------------------------

--- The original text of an unchanged value; nil: it has changed.
local function as_read(layout, key, value)
  local item = layout.items and layout.items[key]
  return item and data.equal(data.of_item(item), value) and item or nil
end

local function raw(item, indent)
  if item.kind ~= "list" and item.kind ~= "object" then return item.raw end
  local items, list = {}, item.kind == "list"
  for index, inner in ipairs(item) do
    items[index] = (list and "" or inner.key .. ": ") .. raw(inner, indent .. "  ")
  end
  return data.block(items, list and "[" or "{", list and "]" or "}", indent)
end

function Writer:json_field(id, key, value, indent)
  local item = as_read(self.document.layouts[id] or {}, key, value)
  local words, why
  if item then
    words = raw(item, indent)
  else
    words, why = data.json(self:check(id, key, value), indent)
    if not words then self:refuse(id, key, why) end
  end
  return data.json_quoted(key) .. ": " .. words
end

function Writer:json_list(part, list, indent)
  local lines = {}
  for index, child in ipairs(list) do
    lines[index] = indent .. "  " .. self:json_node(child, indent .. "  ")
  end
  return data.json_quoted(part) .. ": ["
    .. (#list > 0 and "\n" .. table.concat(lines, ",\n") .. "\n" .. indent or "") .. "]"
end

local is_part = { children = true, try = true, catch = true, finally = true }

--- The keys of a node in their original order, without removed ones, then the new ones.
local function json_keys(node, layout, fields)
  local keys, has, parts = {}, {}, layout.empty or {}
  local function add(key)
    local item = layout.items and layout.items[key]
    local is_null = item and item.raw == "null" and fields[key] == nil
    local in_node = is_part[key] and (parts[key] or key == "children" and layout.named_children
      or #(node[key] or {}) > 0)
    if not has[key] and (key == "kind" or fields[key] ~= nil or is_null or in_node) then
      keys[#keys + 1] = key
    end
    has[key] = true
  end
  for _, key in ipairs(layout.keys or {}) do add(key) end
  add "kind"
  for _, key in ipairs(ordered_keys(fields)) do add(key) end
  for _, part in ipairs { "children", "try", "catch", "finally" } do add(part) end
  return keys
end

function Writer:json_node(id, indent)
  local doc = self.document
  local node, layout, fields = doc.nodes[id], doc.layouts[id] or {}, doc:written(id, self.needed)
  local items, inner, lists = {}, indent .. "  ", false
  for index, key in ipairs(json_keys(node, layout, fields)) do
    if fields[key] ~= nil then items[index] = self:json_field(id, key, fields[key], inner)
    elseif key == "kind" then items[index] = '"kind": ' .. data.json_quoted(node.kind)
    elseif is_part[key] then
      items[index] = self:json_list(key, node[key] or {}, inner)
      lists = lists or #(node[key] or {}) > 0
    else items[index] = data.json_quoted(key) .. ": null" end
  end
  local line = data.block(items, "{", "}", indent)
  if not lists then return line end
  return "{\n" .. inner .. table.concat(items, ",\n" .. inner) .. "\n" .. indent .. "}"
end

-- Both formats ----------------------------------------------------------------------------------------------

--- The text of a document in a format, "lua" or "json" (default: that of its file), and a list of the
--- fields that are functions, which it contains only as descriptions.  nil and a sentence: it cannot be
--- written.
function text.of(document, format)
  local self = setmetatable({ document = document, needed = document:needed(), functions = {} }, Writer)
  format = format or document.format or "lua"
  local good, made = pcall(function()
    if format == "json" then return self:json_node(document.root, "") .. "\n" end
    return "return " .. self:lua_node(document.root, "") .. "\n"
  end)
  if good then return made, self.functions end
  if getmetatable(made) ~= Writer then error(made, 0) end
  return nil, made.sentence
end

return text
