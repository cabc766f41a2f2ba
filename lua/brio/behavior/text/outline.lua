--- The parts of a Lua text that can be edited, as a list for people and as data for graphical editors.
local chart = require "brio.behavior.text.chart"
local document = require "brio.behavior.text.document"

local outline = {}

--- Maximum depth of parts, and their number.
outline.deepest, outline.most_parts = 12, 20000

--- What an expression is: "number", "text", "constant", "table", "function", "call", "computed".
local function kind_of(part)
  local value = part.value
  if not value then return "function" end
  if value.kind == "string" then return "text" end
  if document.is_literal(value) then
    return value.kind == "unary" and "number" or value.kind
  end
  if value.kind == "function" then return "function" end
  if part.inside then return part.inside.table and not part.inside.callee and "table" or "call" end
  return "computed"
end

--- The value of plain data that is no table.
local function plain(value)
  if value.kind == "string" or value.kind == "number" then return value.value end
  if value.kind == "unary" then return -value.operand.value end
  local words = { ["true"] = true, ["false"] = false }
  return words[value.text]
end

local add_items

--- The data of a part, with its own parts.
local function node_of(self, part, key)
  local doc, kind = self.doc, kind_of(part)
  self.count = self.count + 1
  local node = { path = part.path, key = key, kind = kind, line = part.item.line,
    callee = part.inside and part.inside.callee and part.inside.callee:match "^[^\n]*" or nil }
  if part.value and part.value.line ~= part.item.line then node.value_line = part.value.line end
  for index, binding in ipairs(part.via) do
    if index > self.via then node.via = node.via or {} table.insert(node.via, binding.name) end
  end
  if kind == "number" or kind == "text" or kind == "constant" then
    part.value.text = doc:source(part.value)
    node.value, node.text = plain(part.value), part.value.text
  elseif kind == "function" or kind == "computed" then
    node.computed = true
    node.text = part.expr and doc:source(part.expr) or "function"
    if #node.text > 200 then node.text = node.text:match "^[^\n]*" end
  else
    node.parts = {}
    local via = self.via
    self.via, self.depth = #part.via, self.depth + 1
    if self.depth <= outline.deepest and self.count < outline.most_parts then
      add_items(self, node.parts, part)
    end
    self.via, self.depth = via, self.depth - 1
  end
  return node
end

function add_items(self, list, above)
  local count = 0
  for _, item in ipairs(above.inside.items) do
    local key = item.key
    if key == nil then
      count = count + 1
      key = count
    end
    local part = key and self.doc:find(document.join(above.path, key))
    if part and part.item.from == item.from then list[#list + 1] = node_of(self, part, key) end
  end
end

--- How a text writes the properties of states: "want", "brio.want"; nil: it has none.
local function name_of_wants(doc)
  local library
  for _, name in ipairs(doc.local_names) do
    local value = doc.locals[name].value
    if value and value.kind == "index" and value.key == "want" then return name end
    local required = value and value.kind == "call" and value.callee.name == "require" and value.args[1]
      and value.args[1].value
    if required == "brio.want" then return name end
    if required == "brio" then library = name .. ".want" end
  end
  return library
end

--- The parts of a text: {kind ("behavior" or "table"), name, states (see chart.lua), parts}: each part is
--- {path, key, kind, line, value, text, callee, via, computed, parts}.
---@param doc table|string a document, or a text
---@return table? parts, string? why, integer? line
function outline.of(doc)
  if type(doc) == "string" then
    local opened, why, line = document.open(doc)
    if not opened then return nil, why, line end
    doc = opened
  end
  local self = { doc = doc, count = 0, via = 0, depth = 0 }
  local made = { kind = doc.behavior and "behavior" or "table", hash = doc.hash, parts = {}, locals = {} }
  local function add(list, path, key)
    local part = doc:find(path)
    if part then list[#list + 1] = node_of(self, part, key) end
  end
  if doc.behavior then
    made.name, made.want = doc.behavior.name, name_of_wants(doc)
    made.chart = chart.of(doc)
    add(made.parts, "behavior", "behavior")
    for _, name in ipairs(doc.state_names) do add(made.parts, document.join("", name), name) end
  elseif doc.returned then
    local inside = doc:inside_returned()
    made.callee = inside and inside.callee
    if inside then add_items(self, made.parts, { inside = inside, path = "" }) end
  end
  for _, name in ipairs(doc.local_names) do
    local row = doc.locals[name]
    if row.binding ~= (doc.behavior and doc.behavior.binding) then
      made.locals[#made.locals + 1] = { name = name, line = row.line, uses = #row.binding.refs,
        is_function = row.binding.is_function or row.value and row.value.kind == "function" or nil }
    end
  end
  return made
end

--- The lines of a tree of parts for people.
---@param made table of outline.of
---@return string[]
function outline.lines(made)
  local lines = {}
  local function add(node, indent)
    local what = node.text and node.text:match "^[^\n]*" or node.callee or ""
    local via = node.via and " (" .. table.concat(node.via, ", ") .. ")" or ""
    lines[#lines + 1] = ("%5d  %s%s%s%s%s"):format(node.line, indent, type(node.key) == "number"
      and ("[%d]"):format(node.key) or node.key, what ~= "" and "  " .. what or "", via,
      node.computed and "  computed" or "")
    for _, part in ipairs(node.parts or {}) do add(part, indent .. "  ") end
  end
  for _, node in ipairs(made.parts) do add(node, "") end
  for _, row in ipairs(made.locals) do
    lines[#lines + 1] = ("%5d  local.%s  used %d times"):format(row.line, row.name, row.uses)
  end
  return lines
end

return outline
