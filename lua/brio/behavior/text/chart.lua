--- The statechart of a behavior's text: its states with their transitions, each with its path.
local document = require "brio.behavior.text.document"

local chart = {}

--- What a transition leads to, or waits for, as people read it.
local function words(doc, expr)
  if expr.kind == "string" then return expr.value end
  local text = doc:source(expr)
  return text:match "^[^\n]*"
end

local function add(list, doc, kind, trigger, target, path, item)
  if not target then return end
  list[#list + 1] = { kind = kind, trigger = trigger, path = path, line = item.line,
    to = words(doc, target), computed = target.kind ~= "string" or nil, target = target,
    node = target.kind == "string" and target or nil }
end

--- `on = { event = "state" }`
local function read_on(list, doc, part)
  for _, item in ipairs(part.inside.items) do
    if item.key then add(list, doc, "on", item.key, item.value, document.join(part.path, item.key), item) end
  end
end

--- `after = { seconds, "state" }`, `when = { function, "state" }`, or lists of these.
local function read_pairs(list, doc, part, kind)
  local first = document.item(part.inside, 1)
  if not first then return end
  local several = doc:inside((document.follow(first.value)))
  if not several or several.call then
    local target = document.item(part.inside, 2)
    return add(list, doc, kind, words(doc, first.value), target and target.value, part.path, part.item)
  end
  local count = 0
  for _, item in ipairs(part.inside.items) do
    local inside = item.key == nil and doc:inside((document.follow(item.value)))
    count = count + (item.key == nil and 1 or 0)
    local trigger, target = inside and document.item(inside, 1), inside and document.item(inside, 2)
    if trigger and target then
      add(list, doc, kind, words(doc, trigger.value), target.value, document.join(part.path, count), item)
    end
  end
end

--- `go = { { on = "event", to = "state" }, ... }`
local function read_go(list, doc, part)
  local count = 0
  for _, item in ipairs(part.inside.items) do
    count = count + 1
    local inside = doc:inside((document.follow(item.value)))
    for _, kind in ipairs { "on", "after", "when" } do
      local trigger, target = inside and document.item(inside, kind), inside and document.item(inside, "to")
      if trigger and target then
        add(list, doc, kind, words(doc, trigger.value), target.value, document.join(part.path, count), item)
      end
    end
  end
end

local readers = { on = read_on, after = read_pairs, when = read_pairs, go = read_go }

--- The transitions of a state: list of {kind ("on", "after", "when"), trigger, to, path, line, computed}.
---@param doc table
---@param path string of the state
function chart.transitions(doc, path)
  local list, state = {}, doc:find(path)
  for _, item in ipairs(state and state.inside and state.inside.items or {}) do
    local read = item.key and readers[item.key]
    local part = read and doc:find(document.join(path, item.key))
    if part and part.inside then read(list, doc, part, item.key) end
  end
  return list
end

local function text_of(doc, path)
  local part = doc:find(path)
  return part and part.value and part.value.kind == "string" and part.value.value or nil
end

--- Add a state, and those inside it.
local function add_state(list, doc, path, name, parent)
  local part = doc:find(path)
  if not part then return end
  list[#list + 1] = { path = path, name = name, parent = parent, line = part.item.line,
    about = text_of(doc, document.join(path, "about")),
    computed = not part.inside and doc:source(part.expr):match "^[^\n]*" or nil,
    transitions = chart.transitions(doc, path), start = text_of(doc, document.join(path, "start")) }
  local function add_all(where)
    local states = doc:find(where)
    for _, item in ipairs(states and states.inside and states.inside.items or {}) do
      if item.key then add_state(list, doc, document.join(where, item.key), item.key, path) end
    end
  end
  add_all(document.join(path, "states"))
  local regions = doc:find(document.join(path, "regions"))
  for _, item in ipairs(regions and regions.inside and regions.inside.items or {}) do
    if item.key then add_all(document.join(document.join(regions.path, item.key), "states")) end
  end
end

--- The states of a behavior's text: {name, start, safe, states = list of {path, name, parent, line, about,
--- computed, transitions}}; nil: it is no behavior.
function chart.of(doc)
  if not doc.behavior then return nil end
  local list = {}
  for _, name in ipairs(doc.state_names) do add_state(list, doc, document.join("", name), name) end
  return { name = doc.behavior.name, states = list, start = text_of(doc, "behavior.start"),
    safe = text_of(doc, "behavior.safe") }
end

return chart
