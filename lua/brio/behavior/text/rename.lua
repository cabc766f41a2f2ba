--- New names for states, tuned numbers, remembered values, local names, steps of sessions, and for any other
--- key, with everything in the text that names them.
local chart = require "brio.behavior.text.chart"
local document = require "brio.behavior.text.document"
local tokens = require "brio.behavior.text.tokens"

local rename = {}

--- Whether a text can stand as a name in Lua.
function rename.is_name(text) return text:match "^[%a_][%w_]*$" ~= nil and not tokens.keywords[text] end

--- The edit that gives a key another name: `name` or `["na-me"]`, `B.name` or `B["na-me"]`.
local function key_edit(item, made)
  if item.bracket then
    return { from = item.bracket.from, to = item.bracket.to, text = ("%q"):format(made) }
  end
  local token = item.key_token
  if rename.is_name(made) then return { from = token.from, to = token.to, text = made } end
  -- `B.name` loses its dot.
  local from = item.kind == "index" and token.from - 1 or token.from
  return { from = from, to = token.to, text = ("[%q]"):format(made) }
end

--- A literal text with another content, in its own quotes.
local function string_edit(node, made)
  local quote = node.token.text:sub(1, 1)
  local text = quote == "'" and "'" .. made .. "'" or '"' .. made .. '"'
  return { from = node.from, to = node.to, text = text }
end

--- Collects edits; a place is edited once.
local function collector()
  local list, known = {}, {}
  return list, function(edit)
    if not known[edit.from] then list[#list + 1] = edit end
    known[edit.from] = true
  end
end

--- A path of states with one of its parts renamed: "tour.greet", "show/arms.up".
local function in_path(text, old, made)
  local changed = false
  local result = text:gsub("[%w_%-]+", function(part)
    changed = changed or part == old
    return part == old and made or nil
  end)
  return changed and result or nil
end

--- Whether a text stands in what a `return` returns.
local function is_returned(doc, node)
  for _, one in ipairs(doc.chunk.returns) do
    for _, value in ipairs(one.values) do
      if node.from >= value.from and node.to <= value.to then return true end
    end
  end
  return false
end

--- Texts that name a state: targets, `start`, `safe`, what functions return, `self:forget "state"`.
local function texts_of_state(doc, old, made, add)
  local named = {}
  for _, state in ipairs(chart.of(doc).states) do
    for _, lead in ipairs(state.transitions) do named[lead.node or false] = true end
    local start = doc:find(document.join(state.path, "start"))
    if start and start.value then named[start.value] = true end
  end
  for _, path in ipairs { "behavior.start", "behavior.safe" } do
    local part = doc:find(path)
    if part and part.value then named[part.value] = true end
  end
  local left = {}
  for _, node in ipairs(doc.chunk.strings) do
    local other = in_path(node.value, old, made)
    local before = other and doc.text:sub(math.max(1, node.from - 12), node.from - 1)
    if other and (named[node] or is_returned(doc, node) or before:find "forget%s*%(?%s*$") then
      add(string_edit(node, other))
    elseif node.value == old then
      left[#left + 1] = node.line
    end
  end
  return left
end

--- `NAME.old` for all uses of a local name.
local function indexes_of(doc, is_object, old, made, add)
  for _, index in ipairs(doc.chunk.indexes) do
    if index.key == old and is_object(index.object) then add(key_edit(index, made)) end
  end
end

local kinds = {}

function kinds.state(doc, part, made, add)
  if doc.states[made] then return nil, ("there is a state '%s' already"):format(made) end
  indexes_of(doc, function(object) return object.binding == doc.behavior.binding end, part.key, made, add)
  return texts_of_state(doc, part.key, made, add)
end

function kinds.inner_state(doc, part, made, add)
  add(key_edit(part.item, made))
  return texts_of_state(doc, part.key, made, add)
end

--- A row of a table of the behavior that functions read as self.tune.NAME, self.memory.NAME.
local function kind_of_field(field)
  return function(doc, part, made, add)
    add(key_edit(part.item, made))
    local function is_object(object) return object.kind == "index" and object.key == field end
    indexes_of(doc, is_object, part.key, made, add)
    return {}
  end
end

kinds.tune, kinds.memory = kind_of_field "tune", kind_of_field "memory"

kinds["local"] = function(doc, part, made, add)
  local binding = part.item.binding
  for _, token in ipairs(doc.chunk.tokens) do
    if token.kind == "name" and token.text == made then
      return nil, ("'%s' is a name in line %d already"):format(made, token.line)
    end
  end
  if not rename.is_name(made) then return nil, ("'%s' cannot be a local name"):format(made) end
  for _, token in ipairs { binding.token, table.unpack(binding.refs) } do
    add { from = token.from, to = token.to, text = made }
  end
  return {}
end

--- Fields of steps that lead to other steps.
local leads = { next = true, go = true, on = true, states = true, after = true, start = true }

function kinds.step(doc, part, made, add)
  local old = part.inside.items[1].value
  local function visit(inside, leading)
    for _, item in ipairs(inside and inside.items or {}) do
      local is_lead = leading or leads[item.key]
      if is_lead and item.value.kind == "string" and item.value.value == old.value then
        add(string_edit(item.value, made))
      end
      visit(doc:inside(item.value), is_lead)
    end
  end
  add(string_edit(old, made))
  visit(doc:inside_returned(), false)
  return {}
end

function kinds.key(_, part, made, add)
  add(key_edit(part.item, made))
  return {}
end

--- What a part is, for its new name; nil: it has no name.
local function kind_of(part)
  if part.kind ~= "item" then
    return part.kind == "field" and "key" or part.kind ~= "behavior" and part.kind or nil
  end
  local above = part.above
  if type(part.key) == "number" then
    local first = above.path == "steps" and part.inside and part.inside.items[1]
    return first and first.value.kind == "string" and "step" or nil
  end
  if above.path == "behavior.tune" then return "tune" end
  if above.path == "behavior.memory" then return "memory" end
  if above.key == "states" then return "inner_state" end
  return "key"
end

--- Rename the part at a path: the edits, and the lines where the same text stands that may mean something
--- else; nil, sentence.
---@return table? edits, string|integer[] left
function rename.edits(doc, path, made)
  local part, why = doc:find(path)
  if not part then return nil, why end
  local kind = kind_of(part)
  if not kind then return nil, ("'%s' has no name of its own"):format(path) end
  if not made:match "^[%a_][%w_%-]*$" then
    return nil, ("a name is made of letters, digits, '_' and '-', not '%s'"):format(made)
  end
  if made == part.key then return nil, ("'%s' has that name"):format(path) end
  if part.owner and document.item(part.owner, made) then
    return nil, ("there is a '%s' beside it already"):format(made)
  end
  local list, add = collector()
  local left, fault = kinds[kind](doc, part, made, add)
  if not left then return nil, fault end
  return list, left
end

return rename
