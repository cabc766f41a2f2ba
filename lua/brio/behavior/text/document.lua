--- A Lua text as people edit it: a tree of what it writes (states, wants, fields, tunes, keys, steps), each
--- with its path, position and source.
---
--- A path names a part: `idle.blend`, `greet.wants[2].goal`, `behavior.tune.near[1]`, `local.sway.frequency`,
--- `tracks.HeadYaw[3][2]`.  Its first name is a state, or a field of the table that the file returns;
--- `behavior` is the fields of the behavior, `local` the names of the file.  `[n]` is the n-th item without a
--- name, from 1.  A name that is written elsewhere in the file is followed: an edit changes what it stands
--- for.
local parser = require "brio.behavior.text.parser"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local document = {}
local Document = {}
Document.__index = Document

--- Maximum number of names that are followed one after the other.
document.most_names = 8

-- Values ------------------------------------------------------------------------------------------------

--- The source of an expression.
function Document:source(expr) return self.text:sub(expr.from, expr.to) end

--- Follow names to what they stand for: the expression, and the list of names.  A name that is assigned again
--- stands for nothing certain.
function document.follow(expr)
  local names = {}
  while expr and #names < document.most_names do
    if expr.kind == "paren" then expr = expr.inner
    elseif expr.kind == "name" and expr.binding and expr.binding.assigned == 0 and expr.binding.value then
      names[#names + 1] = expr.binding
      expr = expr.binding.value
    else break end
  end
  return expr, names
end

--- The items that an expression writes: {items, table or call, callee}; nil: none.  A call with one table is
--- that table; another call is the list of its arguments.
function Document:inside(expr)
  if not expr then return nil end
  if expr.kind == "table" then return { items = expr.items, table = expr } end
  if expr.kind ~= "call" or #expr.args == 0 then return nil end
  local only = #expr.args == 1 and expr.args[1]
  if only and only.kind == "table" then
    return { items = only.items, table = only, callee = self:source(expr.callee) }
  end
  local items = {}
  for index, arg in ipairs(expr.args) do
    items[index] = { value = arg, from = arg.from, to = arg.to, line = arg.line, argument = true }
  end
  return { items = items, call = expr, callee = self:source(expr.callee) }
end

--- Whether an expression is plain data: numbers, texts, true, false, nil, and tables of these.
function document.is_literal(expr)
  if expr.kind == "number" or expr.kind == "string" or expr.kind == "constant" then return true end
  if expr.kind == "unary" then return expr.operator == "-" and expr.operand.kind == "number" end
  if expr.kind ~= "table" then return false end
  for _, item in ipairs(expr.items) do
    if item.key == false or not document.is_literal(item.value) then return false end
  end
  return true
end

--- The n-th item without a name, or the item of a name.
function document.item(inside, key)
  local count, found = 0, nil
  for _, item in ipairs(inside.items) do
    if item.key == nil then
      count = count + 1
      if count == key then return item end
    elseif item.key == key then
      found = item -- a name that is written twice has its last value
    end
  end
  return found
end

-- Roots -------------------------------------------------------------------------------------------------

--- The name of a behavior that an expression defines, `brio.behavior "name" { ... }`, and its fields.
local function behavior_of(expr)
  local call = expr and expr.kind == "call" and expr.callee
  local callee = call and call.kind == "call" and call.callee
  if callee and callee.kind == "index" and callee.key == "behavior" and #call.args == 1
    and call.args[1].kind == "string" then
    return call.args[1].value, expr
  end
end

--- Read what the main block says: the behavior, its states, local names, the returned table.
local function read_roots(self)
  self.states, self.state_names, self.locals, self.local_names = {}, {}, {}, {}
  for _, statement in ipairs(self.chunk.statements) do
    for index, binding in ipairs(statement.names or {}) do
      local name, fields = behavior_of(statement.values and statement.values[index])
      if name and not self.behavior then
        self.behavior = { name = name, fields = fields, binding = binding, statement = statement }
      end
      if not self.locals[binding.name] then self.local_names[#self.local_names + 1] = binding.name end
      self.locals[binding.name] = { value = binding.value, binding = binding, line = statement.line,
        from = statement.from, to = statement.to, alone = #statement.names == 1 }
    end
    local target = statement.kind == "assign" and #statement.targets == 1 and statement.targets[1]
    if target and target.kind == "index" and target.key and self.behavior
      and target.object.binding == self.behavior.binding then
      local name = target.key
      if not self.states[name] then self.state_names[#self.state_names + 1] = name end
      self.states[name] = { value = statement.values[1], statement = statement, target = target,
        line = statement.line, from = statement.from, to = statement.to }
    end
    if statement.kind == "return" and statement.values[1] then self.returned = statement end
  end
end

--- The items of the table that the file returns; nil: it returns none.
function Document:inside_returned()
  local expr = self.returned and document.follow(self.returned.values[1])
  return expr and self:inside(expr)
end

--- Read a text: nil, sentence, line: it is no Lua.
---@param text string
---@return table? document, string? why, integer? line
function document.open(text)
  if text:sub(1, 1) == "\27" then return nil, "a compiled chunk, not a text", 1 end
  local chunk, why, line = parser.parse(text)
  if not chunk then return nil, why, line end
  local good, fault = load(text, "=text", "t")
  if not good then
    local at, message = fault:match "^text:(%d+): (.*)$"
    return nil, message or fault, math.tointeger(tonumber(at)) or 1
  end
  local self = setmetatable({ text = text, hash = store.hash(text), chunk = chunk }, Document)
  read_roots(self)
  return self
end

-- Paths -------------------------------------------------------------------------------------------------

--- The steps of a path: a list of names and positions; nil, sentence.
function document.steps(path)
  local list, at = {}, 1
  while at <= #path do
    local text, stop = path:match("^%.?([%a_][%w_%-]*)()", at)
    if not text or at > 1 and path:sub(at, at) ~= "." or at == 1 and path:sub(1, 1) == "." then
      text, stop = path:match("^%[(%d+)%]()", at)
      if text then text = math.tointeger(tonumber(text)) end
    end
    if not text then text, stop = path:match('^%["([^"]*)"%]()', at) end
    if not text then return nil, ("'%s' is no path: NAME, NAME.NAME, NAME[2], NAME[\"x\"]"):format(path) end
    list[#list + 1], at = text, stop
  end
  if #list == 0 then return nil, "a path was expected" end
  return list
end

--- The path that adds a step to another.
function document.join(path, key)
  if type(key) ~= "string" then return ("%s[%d]"):format(path or "", key) end
  if not key:match "^[%a_][%w_%-]*$" then return ('%s["%s"]'):format(path or "", key) end
  return path and path ~= "" and path .. "." .. key or key
end

--- What a first name means: {value, ...}, and the kind "state", "behavior", "local" or "field"; nil.
local function root(self, steps)
  local first = steps[1]
  if first == "local" and type(steps[2]) == "string" then return self.locals[steps[2]], "local", 2 end
  if self.behavior then
    if first == "behavior" then
      return { value = self.behavior.fields, line = self.behavior.statement.line }, "behavior", 1
    end
    return self.states[first], "state", 1
  end
  local inside = self:inside_returned()
  if not inside then return nil end
  local item = document.item(inside, first)
  return item and setmetatable({ inside = inside, item = item }, { __index = item }), "field", 1
end

--- The names that can follow a path, for hints.
local function names_after(self, inside)
  local names = {}
  if inside then
    for _, item in ipairs(inside.items) do if item.key then names[#names + 1] = item.key end end
    return names
  end
  for _, name in ipairs(self.state_names) do names[#names + 1] = name end
  names[#names + 1] = self.behavior and "behavior" or nil
  names[#names + 1] = "local"
  local returned = not self.behavior and self:inside_returned()
  for _, item in ipairs(returned and returned.items or {}) do
    if item.key then names[#names + 1] = item.key end
  end
  return names
end

local function missing(path, steps, index, names)
  if index == 1 and steps[1] == "local" then
    return nil, ("there is no local name '%s' in the main block"):format(tostring(steps[2] or ""))
  end
  local key = tostring(steps[index])
  local hint = type(steps[index]) == "string" and suggest.hint(key, names) or ""
  return nil, ("there is no '%s'%s"):format(path == "" and key or document.join(path, steps[index]), hint)
end

--- The part at a path: {path, key, kind, item, expr, value, inside, owner, via}: `item` is the item of a
--- table or the statement of a state, `expr` what it says, `value` what that stands for, `inside` its own
--- items, `owner` the items that it is one of.  nil, sentence.
---@param path string
---@return table? part, string? why
function Document:find(path)
  local steps, why = document.steps(path)
  if not steps then return nil, why end
  local item, kind, used = root(self, steps)
  if not item then return missing("", steps, 1, names_after(self)) end
  local seen = steps[1]
  if used == 2 then seen = document.join(seen, steps[2]) end
  local part = { path = seen, key = steps[used], kind = kind, item = item.item or item, owner = item.inside,
    via = {} }
  local function enter()
    part.expr = part.item.value
    local value, names = document.follow(part.expr)
    part.value, part.inside = value, self:inside(value)
    part.via = table.move(part.via, 1, #part.via, 1, {})
    table.move(names, 1, #names, #part.via + 1, part.via)
  end
  enter()
  for index = used + 1, #steps do
    if not part.inside then
      return nil, ("'%s' is computed in line %d: it has no parts that can be edited"):format(part.path,
        part.item.line)
    end
    local found = document.item(part.inside, steps[index])
    if not found then
      local _, sentence = missing(part.path, steps, index, names_after(self, part.inside))
      return nil, sentence, part, index == #steps
    end
    part = { path = document.join(part.path, steps[index]), key = steps[index], kind = "item", item = found,
      owner = part.inside, above = part, via = part.via }
    enter()
  end
  return part
end

return document
