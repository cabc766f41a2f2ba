--- A character: the autonomous behavior of a robot, in addition to the states of its behavior: emotion, gaze,
--- speech, and idle motion.  People can take control of any part of it at any time.
---
---     local probo = brio.behavior "probo" { robot = "probo", character = { emotion = true, gaze = { zone =
---       1.2 } } }
---
--- Each of these is a faculty: a file and a row in faculties.lua. Here they are checked, created, and run in
--- order.
local dispatch = require "brio.io.dispatch"
local faculties = require "brio.character.faculties"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local character = {}
local Character = {}
Character.__index = Character

local by_name = {}
for _, row in ipairs(faculties) do by_name[row.name] = row end

--- The settings of a faculty: true stands for all defaults.
local function spec_of(said) return said == true and {} or said end

--- The error in the fields of one faculty.
local function fault_of_fields(row, spec)
  if type(spec) == "table" then return schema.fault(spec, row.fields, "character." .. row.name) end
  return ("character.%s must be true, or a table of its settings, not a %s"):format(row.name, type(spec))
end

--- The errors in a behavior's character on a robot: a list of sentences.  `sequences`: its own, by name.
function character.faults(said, description, sequences)
  local faults = {}
  if said == nil then return faults end
  if type(said) ~= "table" then return { "character must be a table of faculties" } end
  for _, name in ipairs(suggest.keys(said)) do
    local row, spec = by_name[name], spec_of(said[name])
    if not row then
      faults[#faults + 1] = ("a character has no '%s'%s"):format(name,
        suggest.hint(name, suggest.keys(by_name)))
    elseif spec then
      faults[#faults + 1] = fault_of_fields(row, spec)
        or row.fault and row.fault(spec, description, sequences) or nil
    end
  end
  return faults
end

--- The same of a loaded behavior, as faults with a file: {file, line, message}.
function character.faults_of(loaded, description)
  local list = {}
  for _, message in ipairs(character.faults(loaded.definition.fields.character, description,
      loaded.sequences)) do
    list[#list + 1] = { file = loaded.file, line = loaded.definition.line or 0, message = message }
  end
  return list
end

--- The prompt's words of all faculties.
function character.words()
  local list = {}
  for _, row in ipairs(faculties) do
    for _, word in ipairs(row.words or {}) do list[#list + 1] = word end
  end
  return list
end

--- Make the character of a host; it has no faculties until `use`.
function character.new(host)
  return setmetatable({ host = host, list = {}, names = {}, has = {} }, Character)
end

--- How a faculty's code is called: what it starts is the robot's own.
local function record_of(row) return { owner = "autonomy", faculty = row.name } end

local function add(self, row, spec)
  local host = self.host
  local made = dispatch.call(host, record_of(row), row.new, host, spec)
  self.has[row.name], host[row.name], host.self[row.name] = made, made, made.face
end

local function remove(self, row)
  local host = self.host
  self.has[row.name]:stop()
  self.has[row.name], host[row.name], host.self[row.name] = nil, nil, nil
end

--- Use the settings of a behavior from now on, nil: none. Faculties that it had before keep their state.
function Character:use(said)
  self.list, self.names = {}, {}
  for _, row in ipairs(faculties) do
    local spec = spec_of((said or {})[row.name]) or row.always and {}
    local before = self.has[row.name]
    if spec and before then dispatch.call(self.host, record_of(row), before.use, before, spec)
    elseif spec then add(self, row, spec)
    elseif before then remove(self, row) end
    if self.has[row.name] then
      self.list[#self.list + 1], self.names[#self.names + 1] = self.has[row.name], row.name
    end
  end
end

--- The names of all possible faculties, in their order.
function Character:faculties()
  local names = {}
  for _, row in ipairs(faculties) do names[#names + 1] = row.name end
  return names, self.names
end

--- Work of a tick: all faculties.  Within a call as the robot's own owner, only the faculty is set for each.
function Character:work(now, dt)
  local list, names, actor = self.list, self.names, self.host.solver.actor
  for index = 1, #list do
    actor.faculty = names[index]
    list[index]:work(now, dt)
  end
  actor.faculty = false
end

--- Process an event of the scene, an input, the behavior or a person.
function Character:hear(event)
  for _, faculty in ipairs(self.list) do
    if faculty.hear then faculty:hear(event) end
  end
end

function Character:pause(on)
  for _, faculty in ipairs(self.list) do faculty:pause(on) end
end

--- The behavior failed, or the run ends: release everything autonomous. `work` starts again.
function Character:stop()
  for _, faculty in ipairs(self.list) do faculty:stop() end
end

--- The run has ended: remove the faculties' effects outside of it.
function Character:close()
  for _, faculty in ipairs(self.list) do
    if faculty.close then faculty:close() end
  end
end

return character
