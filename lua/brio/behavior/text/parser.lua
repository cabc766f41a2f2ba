--- A parser of Lua 5.4 (reference manual, section 9) that keeps positions: expressions as a tree, local names
--- with all their references, for edits that leave all other bytes as they are.
---
--- An expression is {kind, from, to, line} with its parts: "table" (items), "call" (callee, args, method),
--- "index" (object, key), "name" (name, binding), "function", "string" (value), "number", "constant",
--- "paren", "unary" and "binary".  Chunks: {text, statements, comments, indexes, strings, bindings};
--- statements of the main block are {kind, from, to, line, names, targets, values}.
local tokens = require "brio.behavior.text.tokens"

local parser = {}
local Parser = {}
Parser.__index = Parser

--- Maximum depth of nested expressions and blocks: Lua's own limit of C levels.
parser.deepest = 190

local eof = { kind = "eof", text = "the end of the text" }

local function fail(self, what)
  local token = self.token
  error({ line = token.line or self.last_line,
    message = ("%s expected, not '%s'"):format(what, token.text) }, 0)
end

local function advance(self)
  local token = self.token
  self.at = self.at + 1
  self.token = self.list[self.at] or eof
  return token
end

--- Whether the next token is this sign or keyword.
local function is(self, text)
  local token = self.token
  return token.text == text and (token.kind == "sign" or token.kind == "keyword")
end

local function accept(self, text)
  if is(self, text) then return advance(self) end
end

local function expect(self, text)
  return accept(self, text) or fail(self, "'" .. text .. "'")
end

local function name(self)
  if self.token.kind ~= "name" then fail(self, "a name") end
  return advance(self)
end

local function deeper(self, work)
  self.depth = self.depth + 1
  if self.depth > parser.deepest then error({ line = self.token.line, message = "nested too deep" }, 0) end
  local result = work(self)
  self.depth = self.depth - 1
  return result
end

--- A node that began with token `first` and ends with the token before the current one.
local function node(self, kind, first, made)
  made = made or {}
  made.kind, made.from, made.to, made.line = kind, first.from, self.list[self.at - 1].to, first.line
  return made
end

-- Names -------------------------------------------------------------------------------------------------

--- A local name, seen from the end of its statement on.
local function declare(self, token)
  local binding = { name = token.text, token = token, refs = {}, assigned = 0 }
  self.bindings[#self.bindings + 1] = binding
  self.scope[#self.scope + 1] = binding
  return binding
end

local function find(self, text)
  for index = #self.scope, 1, -1 do
    if self.scope[index].name == text then return self.scope[index] end
  end
end

--- A use of a name.
local function use(self, token)
  local binding = find(self, token.text)
  if binding then binding.refs[#binding.refs + 1] = token end
  return binding
end

-- Expressions -------------------------------------------------------------------------------------------

local expression, block, body

local function expressions(self)
  local list = { expression(self) }
  while accept(self, ",") do list[#list + 1] = expression(self) end
  return list
end

--- The value of a literal text.
local function value_of(token) return (load("return " .. token.text, "=text", "t", {}))() end

local function string_node(self)
  local token = advance(self)
  local made = node(self, "string", token, { value = value_of(token), token = token })
  self.strings[#self.strings + 1] = made
  return made
end

--- An item of a table: {value, from, to, key, key_token}; `key`: the text of its name, or false: computed.
local function table_item(self)
  local first, item = self.token, {}
  local after = self.list[self.at + 1] or eof
  if first.kind == "name" and after.kind == "sign" and after.text == "=" then
    item.key, item.key_token = advance(self).text, first
    advance(self)
  elseif accept(self, "[") then
    local key = expression(self)
    expect(self, "]")
    expect(self, "=")
    item.key, item.key_token, item.bracket = key.kind == "string" and key.value, key.token, key
  end
  item.value = expression(self)
  return node(self, "item", first, item)
end

local function table_node(self)
  local first, items = expect(self, "{"), {}
  while not is(self, "}") do
    local item = table_item(self)
    items[#items + 1] = item
    item.separator = accept(self, ",") or accept(self, ";")
    if not item.separator then break end
  end
  local close = expect(self, "}")
  return node(self, "table", first, { items = items, open = first, close = close })
end

local function arguments(self)
  local token = self.token
  if token.kind == "string" then return { string_node(self) } end
  if is(self, "{") then return { table_node(self) } end
  local open, list = expect(self, "("), {}
  if not is(self, ")") then list = expressions(self) end
  list.open, list.close = open, expect(self, ")")
  return list
end

local function primary(self)
  local first = self.token
  if accept(self, "(") then
    local inner = expression(self)
    expect(self, ")")
    return node(self, "paren", first, { inner = inner })
  end
  local token = name(self)
  return node(self, "name", first, { name = token.text, token = token, binding = use(self, token) })
end

--- A name or parenthesis with its indexes and calls.
local function suffixed(self)
  local first = self.token
  local made = primary(self)
  while true do
    if accept(self, ".") then
      local token = name(self)
      made = node(self, "index", first, { object = made, key = token.text, key_token = token })
      self.indexes[#self.indexes + 1] = made
    elseif accept(self, "[") then
      local key = expression(self)
      expect(self, "]")
      made = node(self, "index", first, { object = made, key = key.kind == "string" and key.value or nil,
        key_token = key.token, bracket = key })
      self.indexes[#self.indexes + 1] = made
    elseif is(self, ":") then
      advance(self)
      local method = name(self)
      made = node(self, "call", first, { callee = made, method = method.text, args = arguments(self) })
      made.to = self.list[self.at - 1].to
    elseif is(self, "(") or is(self, "{") or self.token.kind == "string" then
      made = node(self, "call", first, { callee = made, args = arguments(self) })
      made.to = self.list[self.at - 1].to
    else
      return made
    end
  end
end

local function simple(self)
  local first = self.token
  if first.kind == "number" then
    advance(self)
    if not tonumber(first.text) then error({ line = first.line, message = "malformed number" }, 0) end
    return node(self, "number", first, { value = tonumber(first.text) })
  elseif first.kind == "string" then
    return string_node(self)
  elseif is(self, "nil") or is(self, "true") or is(self, "false") or is(self, "...") then
    advance(self)
    return node(self, first.text == "..." and "vararg" or "constant", first)
  elseif is(self, "{") then
    return table_node(self)
  elseif accept(self, "function") then
    body(self, false)
    return node(self, "function", first)
  end
  return suffixed(self)
end

local unary = { ["not"] = true, ["#"] = true, ["-"] = true, ["~"] = true }
local binary = {}
for sign in ("+ - * / // ^ % & ~ | >> << .. < <= > >= == ~= and or"):gmatch "%S+" do binary[sign] = true end

--- An expression. Edits need the extent of operators, not their order, so they form one list.
local function operators(self)
  local first = self.token
  if self.token.kind ~= "string" and unary[self.token.text] then
    advance(self)
    return node(self, "unary", first, { operator = first.text, operand = deeper(self, operators) })
  end
  local operand = simple(self)
  local token = self.token
  if (token.kind == "sign" or token.kind == "keyword") and binary[token.text] then
    advance(self)
    local right = deeper(self, operators)
    return node(self, "binary", first, { left = operand, operator = token.text, right = right })
  end
  return operand
end

function expression(self) return deeper(self, operators) end

--- Parameters and block of a function.
function body(self, method)
  local depth = #self.scope
  if method then declare(self, { text = "self" }) end
  expect(self, "(")
  while not is(self, ")") do
    if not accept(self, "...") then declare(self, name(self)) end
    if not accept(self, ",") then break end
  end
  expect(self, ")")
  block(self)
  expect(self, "end")
  for index = #self.scope, depth + 1, -1 do self.scope[index] = nil end
end

-- Statements ----------------------------------------------------------------------------------------------

local statements = {}

statements["if"] = function(self)
  repeat
    expression(self)
    expect(self, "then")
    block(self)
  until not accept(self, "elseif")
  if accept(self, "else") then block(self) end
  expect(self, "end")
end

statements["while"] = function(self)
  expression(self)
  expect(self, "do")
  block(self)
  expect(self, "end")
end

statements["do"] = function(self)
  block(self)
  expect(self, "end")
end

statements["for"] = function(self)
  local names, depth = { name(self) }, #self.scope
  while accept(self, ",") do names[#names + 1] = name(self) end
  if #names > 1 or not accept(self, "=") then expect(self, "in") end
  expressions(self)
  expect(self, "do")
  for _, token in ipairs(names) do declare(self, token) end
  block(self)
  expect(self, "end")
  for index = #self.scope, depth + 1, -1 do self.scope[index] = nil end
end

statements["repeat"] = function(self)
  local depth = #self.scope
  block(self, true)
  expect(self, "until")
  expression(self)
  for index = #self.scope, depth + 1, -1 do self.scope[index] = nil end
end

statements["function"] = function(self)
  local token, method = name(self), false
  local binding = use(self, token)
  if not is(self, ".") and not is(self, ":") and binding then binding.assigned = binding.assigned + 1 end
  local made = { kind = "name", name = token.text, token = token, binding = binding }
  while is(self, ".") or is(self, ":") do
    method = advance(self).text == ":"
    local key = name(self)
    made = { kind = "index", object = made, key = key.text, key_token = key, line = key.line }
    self.indexes[#self.indexes + 1] = made
  end
  body(self, method)
end

statements["local"] = function(self)
  if accept(self, "function") then
    local token = name(self)
    local binding = declare(self, token)
    binding.is_function = true
    body(self, false)
    return { kind = "function", names = { binding } }
  end
  local names = {}
  repeat
    names[#names + 1] = name(self)
    if accept(self, "<") then
      name(self)
      expect(self, ">")
    end
  until not accept(self, ",")
  local values = accept(self, "=") and expressions(self) or {}
  local made = {}
  for index, token in ipairs(names) do
    made[index] = declare(self, token)
    made[index].value = values[index]
  end
  return { kind = "local", names = made, values = values }
end

statements["return"] = function(self)
  local values = {}
  if not (is(self, "end") or is(self, "else") or is(self, "elseif") or is(self, "until") or is(self, ";")
      or self.token == eof) then values = expressions(self) end
  accept(self, ";")
  local made = { kind = "return", values = values }
  self.returns[#self.returns + 1] = made
  return made
end

statements["goto"] = function(self) name(self) end
statements["break"] = function() end
statements[";"] = function() end

statements["::"] = function(self)
  name(self)
  expect(self, "::")
end

--- A call, or an assignment.
local function other(self)
  local target = suffixed(self)
  if not is(self, "=") and not is(self, ",") then
    if target.kind ~= "call" then fail(self, "'='") end
    return { kind = "call", values = { target } }
  end
  local targets = { target }
  while accept(self, ",") do targets[#targets + 1] = suffixed(self) end
  expect(self, "=")
  for _, one in ipairs(targets) do
    if one.binding then one.binding.assigned = one.binding.assigned + 1 end
  end
  return { kind = "assign", targets = targets, values = expressions(self) }
end

local ends = { ["end"] = true, ["else"] = true, ["elseif"] = true, ["until"] = true }

--- A block; `open`: its names stay for the condition of `repeat`.
function block(self, open)
  local depth, list = #self.scope, {}
  deeper(self, function()
    while self.token ~= eof and not (self.token.kind == "keyword" and ends[self.token.text]) do
      local first = self.token
      local work = first.kind ~= "string" and first.kind ~= "name" and statements[first.text]
      if work then advance(self) end
      local made = (work or other)(self) or { kind = "other" }
      accept(self, ";")
      list[#list + 1] = node(self, made.kind, first, made)
      if made.kind == "return" then break end
    end
  end)
  if not open then
    for index = #self.scope, depth + 1, -1 do self.scope[index] = nil end
  end
  return list
end

--- Parse a text.  nil, sentence, line: it is no Lua.
---@param text string
---@return table? chunk, string? why, integer? line
function parser.parse(text)
  local list, comments, line = tokens.of(text)
  if not list then return nil, comments, line end
  local self = setmetatable({ list = list, at = 1, depth = 0, scope = {}, bindings = {}, indexes = {},
    strings = {}, returns = {}, last_line = list[1] and list[#list].line or 1 }, Parser)
  self.token = list[1] or eof
  local good, made = pcall(block, self)
  if not good and type(made) ~= "table" then error(made, 0) end
  if not good then return nil, made.message, made.line end
  if self.token ~= eof then return nil, ("'%s' is no Lua here"):format(self.token.text), self.token.line end
  return { text = text, tokens = list, comments = comments, statements = made, bindings = self.bindings,
    indexes = self.indexes, strings = self.strings, returns = self.returns }
end

return parser
