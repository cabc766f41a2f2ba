--- Faults of states' properties, each reported once, with the name of the state if the position does not
--- show it.
---
--- Several states may get properties from one function or table of the file, or from a module: such a fault
--- is at that line.
local fault_lists = require "brio.behavior.sandbox.faults"

local wants = {}
local Wants = {}
Wants.__index = Wants

--- Collect the faults of a loaded behavior.
function wants.new(loaded)
  return setmetatable({ loaded = loaded, list = {}, known = {},
    places = fault_lists.new(loaded.file, loaded.sources[loaded.file]) }, Wants)
end

--- Whether a position is in the text of a state, or of the state around it.
local function is_in(self, at, state)
  local name = state.path:match "^[%w_%-]*"
  local last = self.loaded.definition.states[name].line
  return at.file == self.loaded.file and at.line <= last and at.line >= self.places:line_of_state(name, last)
end

--- Add a fault at a position, {file, line}; nil: unknown.
function Wants:add(at, ...)
  local own = at and self.loaded.sources[at.file] and at.file or self.loaded.file
  local message = string.format(...)
  local key = ("%s\0%s\0%s"):format(own, at and at.line or 0, message)
  local fault = self.known[key]
  if not fault then
    fault = { file = own, line = at and at.line or 0, message = message, at = at, states = {} }
    self.known[key], self.list[#self.list + 1] = fault, fault
  end
  if self.state then fault.states[#fault.states + 1] = self.state end
end

--- Note that another state also uses the property at this position.
function Wants:also(at)
  for _, fault in ipairs(self.list) do
    if fault.at == at then fault.states[#fault.states + 1] = self.state end
  end
end

--- The states that a fault concerns, if its position does not show them, as words.
local function states_of(self, fault)
  local names, elsewhere = {}, false
  for _, state in ipairs(fault.states) do
    elsewhere = elsewhere or not is_in(self, fault.at, state)
    if names[#names] ~= state.path then names[#names + 1] = state.path end
  end
  if not elsewhere then return "" end
  return (" (in %s '%s')"):format(names[2] and "states" or "state", table.concat(names, "', '"))
end

--- The list of faults {file, line, message}.
function Wants:faults()
  local list = {}
  for index, fault in ipairs(self.list) do
    local states = fault.at and states_of(self, fault) or ""
    list[index] = { file = fault.file, line = fault.line, message = fault.message .. states }
  end
  return list
end

return wants
