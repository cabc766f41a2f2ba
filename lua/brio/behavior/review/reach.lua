--- Unreachable states.
local behavior = require "brio.behavior.define"

local reach = {}

--- The number of occurrences of each quoted text in the sources, and in transitions of states.
local function mentions(texts, machine)
  local count = {}
  for _, text in ipairs(texts) do
    for _, word in ipairs(text.words) do
      if word.kind == "string" then count[word.text] = (count[word.text] or 0) + 1 end
    end
  end
  behavior.each_state(machine, function(state)
    for _, transition in ipairs(state.transitions) do
      local to = transition.to
      if type(to) == "string" then count[to] = (count[to] or 0) - 1 end
    end
    for _, region in ipairs(state.regions) do
      if region.start then count[region.start] = (count[region.start] or 0) - 1 end
    end
  end)
  return count
end

--- Whether a state's functions may return a target.
local function decides(state)
  if state.run or state.tick then return true end
  for _, transition in ipairs(state.transitions) do
    if type(transition.to) == "function" then return true end
  end
  return false
end

--- Mark a state as entered, with its outer states and its initial inner ones.
local function enter(state, reached, open)
  if not state or reached[state] then return end
  reached[state], open[#open + 1] = true, state
  enter(state.machine.owner, reached, open)
  for _, region in ipairs(state.regions) do enter(region.states[region.start], reached, open) end
end

--- All reachable states.  A function may return any name that occurs elsewhere.
local function reached_in(machine, fields, texts)
  local reached, open, any = {}, {}, false
  local function go(from, name) enter(behavior.resolve(from, name), reached, open) end
  for _, name in ipairs { "power_on", "power_off", fields.start or "power_on", fields.safe or "power_on" } do
    go(machine, name)
  end
  local count = mentions(texts, machine)
  repeat
    local state = table.remove(open)
    for _, transition in ipairs(state and state.transitions or {}) do
      if type(transition.to) == "string" then go(state.machine, transition.to) end
    end
    if state and not any and (decides(state) or #state.inside > 0) then
      any = true
      behavior.each_state(machine, function(one)
        if (count[one.name] or 0) > 0 or (count[one.path] or 0) > 0 then enter(one, reached, open) end
      end)
    end
  until #open == 0
  return reached
end

--- Warnings about unreachable states, outermost ones: a list of {file, line, message}.
function reach.warnings(loaded, texts)
  local list = {}
  local reached = reached_in(loaded.machine, loaded.definition.fields, texts)
  local function visit(machine)
    for _, name in ipairs(require("brio.lib.suggest").keys(machine.states)) do
      local state = machine.states[name]
      if reached[state] then
        for _, region in ipairs(state.regions) do visit(region) end
      else
        local owner = machine.owner
        list[#list + 1] = { file = loaded.file, state = not owner and name or nil, word = name,
          from = owner and owner.line, message = ("nothing leads to state '%s'"):format(state.path) }
      end
    end
  end
  visit(loaded.machine)
  return list
end

return reach
