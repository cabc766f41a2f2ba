--- The operations on a Lua text: each returns the edits (layout.lua) that change as little as they can.
---
---     operations.apply(text, { op = "set", path = "idle.blend", value = "0.8" })
local chart = require "brio.behavior.text.chart"
local document = require "brio.behavior.text.document"
local layout = require "brio.behavior.text.layout"
local parser = require "brio.behavior.text.parser"
local rename = require "brio.behavior.text.rename"

local operations = {}

--- Maximum size of a text, bytes.
operations.most_bytes = 1 << 20

--- The operations by name: fields that each needs, and its meaning.
operations.list = {
  { "set", needs = { "path", "value" }, doc = "replace a value, or add the field; `over`: code too" },
  { "add", needs = { "path", "value" }, doc = "add an item to a list, at place `at`; a state; a field" },
  { "remove", needs = { "path" }, doc = "remove a part; `leads`: also the transitions to a state" },
  { "move", needs = { "path", "to" }, doc = "move an item of a list to place `to`" },
  { "rename", needs = { "path", "to" }, doc = "give a part another name, with all that names it" },
  { "wrap", needs = { "path" }, doc = "make a value what a function returns, or the argument of `with`" },
  { "lead", needs = { "path", "kind", "trigger", "to" },
    doc = "add a transition to a state: kind on, after or when, its event, seconds or condition" },
}

local work = {}

--- A Lua expression from people: its text and its tree; nil, sentence.
local function expression(text)
  text = type(text) == "string" and text:match "^%s*(.-)%s*$" or ""
  local chunk, why = parser.parse("return " .. text)
  local one = chunk and #chunk.statements == 1 and chunk.statements[1]
  if not one or one.kind ~= "return" or #one.values ~= 1 or text:sub(-1) == ";" then
    return nil, ("'%s' is not a Lua value%s"):format(text:sub(1, 60), why and ": " .. why or "")
  end
  if #chunk.comments > 0 then return nil, "a value that is written has no comments" end
  local good, fault = load("return " .. text, "=value", "t")
  if not good then return nil, "the value: " .. fault:gsub("^value:%d+: ", "") end
  return text, one.values[1]
end

--- Whether comments stand in a range of bytes.
local function has_comments(doc, from, to)
  for _, comment in ipairs(doc.chunk.comments) do
    if comment.from >= from and comment.to <= to then return true end
  end
  return false
end

--- What else an edit changes, as sentences.
local function notes_of(part)
  local list = {}
  for _, binding in ipairs(part.via) do
    local lines = {}
    for index, token in ipairs(binding.refs) do lines[index] = token.line end
    if #lines > 1 then
      list[#list + 1] = ("'%s' is used in lines %s"):format(binding.name, table.concat(lines, ", "))
    end
  end
  return list
end

local function computed(doc, part)
  local source = part.expr and doc:source(part.expr):match "^[^\n]*" or "a function"
  return nil, ("'%s' is computed in line %d, by `%s`: edit the code, or replace it whole")
    :format(part.path, (part.value or part.expr or part.item).line or part.item.line, source:sub(1, 60))
end

--- A new field of the table at a path.
local function new_field(doc, above, key, value)
  if type(key) ~= "string" then return nil, ("there is no item %d"):format(key) end
  if not above.inside or not above.inside.table then return computed(doc, above) end
  local name = rename.is_name(key) and key or ("[%q]"):format(key)
  return layout.insert(doc.chunk, above.inside.table, #above.inside.items + 1, name .. " = " .. value),
    notes_of(above)
end

--- A new state of the behavior, after the last one.
local function new_state(doc, name, value)
  local text, last = doc.text, doc.behavior.statement
  for _, one in ipairs(doc.state_names) do
    if doc.states[one].to > last.to then last = doc.states[one].statement end
  end
  local extent = layout.extent(doc.chunk, last)
  local place = (extent.alone and extent.to or last.to) + 1
  local object = doc.behavior.binding.name
  local target = rename.is_name(name) and object .. "." .. name or ("%s[%q]"):format(object, name)
  local made = ("\n%s = %s\n"):format(target, value)
  if text:sub(place - 1, place - 1) ~= "\n" then made = "\n" .. made end
  return { { from = place, to = place - 1, text = made } }, {}
end

function work.set(doc, op)
  local value, why = expression(op.value)
  if not value then return nil, why end
  local part, fault, above, is_last = doc:find(op.path)
  if not part and is_last then
    local steps = document.steps(op.path)
    return new_field(doc, above, steps[#steps], value)
  end
  if not part then return nil, fault end
  if not part.value then return computed(doc, part) end
  local old = part.value
  if not document.is_literal(old) then
    if not op.over or part.kind == "behavior" then return computed(doc, part) end
    old = part.expr
  end
  if has_comments(doc, old.from, old.to) then
    return nil, ("'%s' has comments inside: edit its parts, or the code in line %d"):format(op.path, old.line)
  end
  return { { from = old.from, to = old.to, text = value } }, old == part.expr and {} or notes_of(part)
end

--- The place of an item among all items of its owner.
local function place_of(part)
  for index, item in ipairs(part.owner and part.owner.items or {}) do
    if item == part.item then return index end
  end
end

--- The place among all items at which the n-th item without a name stands; after the last one: behind it.
local function place_at(items, number)
  local count = 0
  for index, item in ipairs(items) do
    if item.key == nil then
      count = count + 1
      if count == number then return index end
    end
  end
  return count + 1 == number and #items + 1 or nil
end

function work.add(doc, op)
  local value, why = expression(op.value)
  if not value then return nil, why end
  local steps, wrong = document.steps(op.path)
  if not steps then return nil, wrong end
  local part, fault, above, is_last = doc:find(op.path)
  if not part and doc.behavior and #steps == 1 and type(steps[1]) == "string" then
    if steps[1] == "local" or steps[1] == "behavior" then
      return nil, ("'%s' cannot be the name of a state here"):format(steps[1])
    end
    return new_state(doc, steps[1], value)
  end
  if not part and is_last then return new_field(doc, above, steps[#steps], "{ " .. value .. " }") end
  if not part then return nil, fault end
  if not part.inside or not part.inside.table then return computed(doc, part) end
  local items = part.inside.items
  local place = op.at == nil and #items + 1 or place_at(items, op.at)
  if not place then return nil, ("'%s' has no place %s"):format(op.path, tostring(op.at)) end
  return layout.insert(doc.chunk, part.inside.table, place, value), notes_of(part)
end

--- Fields of a state that go with their last transition.
local transitions = { on = true, after = true, when = true, go = true }

--- Remove a state's statement.
local function remove_statement(doc, statement)
  local extent = layout.extent(doc.chunk, statement)
  local text, from, to = doc.text, extent.from, extent.to
  local _, blank = text:find("^\r?\n", to + 1)
  if extent.alone and blank and text:sub(math.max(1, from - 3), from - 1):find "\n\r?\n$" then to = blank end
  return { { from = from, to = to, text = "" } }, {}
end

--- Remove the transitions to a state, one after the other: the text without them.
local function without_leads(doc, name)
  local again = true
  while again do
    again = false
    for _, state in ipairs(chart.of(doc).states) do
      for _, lead in ipairs(state.transitions) do
        if lead.to == name and not lead.computed and state.name ~= name and not again then
          local edits, why = work.remove(doc, { path = lead.path })
          if not edits then return nil, why end
          doc, again = document.open(layout.apply(doc.text, edits)), true
        end
      end
    end
  end
  return doc
end

local function remove_local(doc, part)
  local lines = {}
  for index, token in ipairs(part.item.binding.refs) do lines[index] = token.line end
  if #lines > 0 then
    return nil, ("'%s' is used in lines %s"):format(part.path, table.concat(lines, ", "))
  end
  if not part.item.alone then
    return nil, ("'%s' is one of several names of a statement"):format(part.path)
  end
  return remove_statement(doc, part.item)
end

function work.remove(doc, op)
  local part, why = doc:find(op.path)
  if not part then return nil, why end
  if part.kind == "state" then
    local bare, fault = doc, nil
    if op.leads then bare, fault = without_leads(doc, part.key) end
    if not bare then return nil, fault end
    local edits = remove_statement(bare, bare.states[part.key].statement)
    if bare == doc then return edits, {} end
    -- Several edits of the text after one another: the whole text is the result.
    return { { from = 1, to = #doc.text, text = layout.apply(bare.text, edits) } }, {}
  end
  if part.kind == "local" then return remove_local(doc, part) end
  if part.kind == "behavior" then return nil, "the fields of the behavior cannot be removed as a whole" end
  if part.item.argument then return nil, ("'%s' is an argument: set it instead"):format(op.path) end
  local above = part.above
  if above and above.above and transitions[above.key] and #part.owner.items == 1
    and not has_comments(doc, above.item.from, above.item.to) then
    return work.remove(doc, { path = above.path })
  end
  if has_comments(doc, part.item.from, part.item.to) and not op.over then
    return nil, ("'%s' has comments inside: remove it in the code, line %d, or with `over`")
      :format(op.path, part.item.line)
  end
  return layout.remove(doc.chunk, part.owner.items, place_of(part)), notes_of(above or part)
end

function work.move(doc, op)
  local part, why = doc:find(op.path)
  if not part then return nil, why end
  if type(part.key) ~= "number" or not part.owner or part.item.argument then
    return nil, ("'%s' is no item of a list"):format(op.path)
  end
  local to = math.tointeger(tonumber(op.to))
  local place = to and place_at(part.owner.items, to)
  if not place or place > #part.owner.items then
    return nil, ("the list of '%s' has no place %s"):format(op.path, tostring(op.to))
  end
  local from = place_of(part)
  if from == place then return nil, ("'%s' is there already"):format(op.path) end
  return layout.move(doc.chunk, part.owner.items, from, place), notes_of(part.above or part)
end

function work.rename(doc, op) return rename.edits(doc, op.path, tostring(op.to)) end

function work.wrap(doc, op)
  local part, why = doc:find(op.path)
  if not part then return nil, why end
  if not part.expr or part.kind == "behavior" then return computed(doc, part) end
  local source = doc:source(part.expr)
  if not op.with then
    if part.expr.kind == "function" then return nil, ("'%s' is a function already"):format(op.path) end
    return { { from = part.expr.from, to = part.expr.from - 1, text = "function(self) return " },
      { from = part.expr.to + 1, to = part.expr.to, text = " end" } }, {}
  end
  local with, tree = expression(op.with)
  if not with then return nil, tree end
  if tree.kind ~= "name" and tree.kind ~= "index" and tree.kind ~= "call" then
    return nil, ("'%s' is no function"):format(with)
  end
  local is_table = source:sub(1, 1) == "{" and part.expr.kind == "table"
  return { { from = part.expr.from, to = part.expr.from - 1, text = with .. (is_table and " " or "(") },
    { from = part.expr.to + 1, to = part.expr.to, text = is_table and "" or ")" } }, {}
end

--- A transition as Lua: what stands in the braces of `after` and `when`.
local function lead_text(op)
  local trigger, why = expression(op.kind == "on" and '""' or tostring(op.trigger))
  if not trigger then return nil, why end
  if op.kind == "after" and not (tonumber(trigger) and tonumber(trigger) >= 0) then
    return nil, ("after expects seconds, not '%s'"):format(trigger)
  end
  return ("{ %s, %q }"):format(trigger, op.to)
end

--- A new row of `on`.
local function lead_by_event(doc, op, state, path)
  local event = tostring(op.trigger)
  if not event:match "^[%w_%-%.:]+$" then return nil, ("'%s' is no name of an event"):format(event) end
  local part = doc:find(path)
  if part and part.inside and document.item(part.inside, event) then
    return nil, ("%s: there is a transition for the event '%s' already"):format(op.path, event)
  end
  local made = ("%s = %q"):format(rename.is_name(event) and event or ("[%q]"):format(event), op.to)
  if not part then return new_field(doc, state, "on", "{ " .. made .. " }") end
  if not part.inside or not part.inside.table then return computed(doc, part) end
  return layout.insert(doc.chunk, part.inside.table, #part.inside.items + 1, made), notes_of(part)
end

function work.lead(doc, op)
  if not ({ on = true, after = true, when = true })[op.kind] then
    return nil, "a transition is of kind on, after or when"
  end
  local state, why = doc:find(op.path)
  if not state then return nil, why end
  if not state.inside or not state.inside.table then return computed(doc, state) end
  local text, fault = lead_text(op)
  if not text then return nil, fault end
  local path = document.join(op.path, op.kind)
  if op.kind == "on" then return lead_by_event(doc, op, state, path) end
  local part = doc:find(path)
  if not part then return new_field(doc, state, op.kind, text) end
  if not part.inside or not part.inside.table then return computed(doc, part) end
  local first = document.item(part.inside, 1)
  local inner = first and doc:inside((document.follow(first.value)))
  if inner and inner.table then
    return layout.insert(doc.chunk, part.inside.table, #part.inside.items + 1, text), notes_of(part)
  end
  local expr = part.inside.table
  return { { from = expr.from, to = expr.from - 1, text = "{ " },
    { from = expr.to + 1, to = expr.to, text = ", " .. text .. " }" } }, notes_of(part)
end

-- All -----------------------------------------------------------------------------------------------------

local by_name = {}
for _, row in ipairs(operations.list) do by_name[row[1]] = row end

local function fault_of(op)
  local row = type(op) == "table" and by_name[op.op]
  if not row then
    local names = {}
    for index, one in ipairs(operations.list) do names[index] = one[1] end
    return "an operation is one of " .. table.concat(names, ", ")
  end
  for _, field in ipairs(row.needs) do
    local kind = type(op[field])
    if kind ~= "string" and kind ~= "number" then return ("%s needs '%s'"):format(op.op, field) end
  end
  if type(op.path) ~= "string" then return "a path is a text" end
  if op.op == "lead" then op.to = tostring(op.to) end
end

--- Apply an operation {op, path, ...} to a text: {text, edits, notes, left}: `notes` says what else changes,
--- `left` are the lines that still have a renamed text.  nil, sentence, line.
---@param text string
---@param op table see operations.list
---@return table? made, string? why, integer? line
function operations.apply(text, op)
  local fault = fault_of(op)
  if fault then return nil, fault end
  if #text > operations.most_bytes then return nil, "the text is too long to be edited" end
  local doc, why, line = document.open(text)
  if not doc then return nil, ("line %d: %s"):format(line, why), line end
  local edits, notes = work[op.op](doc, op)
  if not edits then return nil, notes end
  -- A text whose lines all end in CR LF keeps to that.
  if text:find "\r\n" and not text:find "[^\r]\n" then
    for _, edit in ipairs(edits) do edit.text = edit.text:gsub("\r?\n", "\r\n") end
  end
  local made = layout.apply(text, edits)
  local good, wrong, at = document.open(made)
  if not good then return nil, ("the result would be no Lua: line %d: %s"):format(at, wrong) end
  local result = { text = made, edits = edits, notes = notes }
  if op.op == "rename" then result.left, result.notes = notes, {} end
  return result
end

return operations
