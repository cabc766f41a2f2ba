--- The mouth of a speaking robot: visemes, or the loudness of a sound, as values of its DOFs.
---
--- The data of a robot's mouth are beside its robot.lua, in mouth.lua:
---
---     open = { MouthOpen = { -0.1, 0.7 } },               values of a DOF for a closed and an open mouth
---     wide = { MouthCornerLeft = 0.3 },                    added to the face's value, for a spread mouth
---     shapes = { pbm = { MouthOpen = -0.3 } },             exceptions for single shapes
local shapes = require "brio.character.speech.shapes"
local suggest = require "brio.lib.suggest"

local mouth = {}
local Mouth = {}
Mouth.__index = Mouth

--- Time of fading in and out, s; time constants for increasing and for decreasing loudness, s.
mouth.fade, mouth.attack, mouth.release = 0.12, 0.02, 0.10

--- Loudness in dB below full scale at which a mouth begins to open, and is wide open.
mouth.quiet, mouth.loud = -45, -12

--- The error in the data of a mouth on a robot: a sentence, or nil.
function mouth.fault(data, description)
  if type(data) ~= "table" then return "a mouth must be a table: { open = { DOF = { shut, open } }, ... }" end
  local known = {}
  for _, dof in ipairs(description.dofs) do known[dof.name] = dof end
  local function fault_of(values, what, good, expected)
    if values ~= nil and type(values) ~= "table" then
      return ("mouth.%s must be a table by DOF"):format(what)
    end
    for _, dof in ipairs(suggest.keys(values or {})) do
      if not known[dof] then
        return ("mouth.%s: the robot has no DOF '%s'%s"):format(what, dof,
          suggest.hint(dof, suggest.keys(known)))
      end
      if not good(values[dof], known[dof]) then
        return ("mouth.%s.%s must be " .. expected):format(what, dof, known[dof].lower or -math.huge,
          known[dof].upper or math.huge)
      end
    end
  end
  local function number(value) return type(value) == "number" and value - value == 0 end
  local function place(value, dof)
    return number(value) and value >= (dof.lower or -math.huge) and value <= (dof.upper or math.huge)
  end
  -- else it is added
  local function look(value, dof) return ((data.open or {})[dof.name] and place or number)(value, dof) end
  local function pair(value, dof)
    return type(value) == "table" and place(value[1], dof) and place(value[2], dof)
  end
  local fault = fault_of(data.open, "open", pair, "{ shut, wide open }, both from %g to %g")
    or fault_of(data.wide, "wide", number, "a number")
  if not fault and data.shapes ~= nil and type(data.shapes) ~= "table" then
    return "mouth.shapes must be a table by shape"
  end
  for _, shape in ipairs(suggest.keys(data.shapes or {})) do
    if fault then return fault end
    if not shapes.list[shape] then
      return ("mouth.shapes: there is no shape '%s'%s"):format(shape,
        suggest.hint(shape, suggest.keys(shapes.list)))
    end
    fault = fault_of(data.shapes[shape], "shapes." .. shape, look, "a number from %g to %g")
  end
  return fault
end

--- The DOFs of a mouth: rows {dof, over, at = value by shape, list = the same in the order of shapes.names}.
local function rows_of(data)
  local rows = {}
  for _, dof in ipairs(suggest.keys(data.open or {})) do
    local ends, row = data.open[dof], { dof = dof, over = false, at = {} }
    for shape, look in next, shapes.list do row.at[shape] = ends[1] + look[1] * (ends[2] - ends[1]) end
    rows[#rows + 1] = row
  end
  for _, dof in ipairs(suggest.keys(data.wide or {})) do
    local row = { dof = dof, over = true, at = {} }
    for shape, look in next, shapes.list do row.at[shape] = look[2] * data.wide[dof] end
    if not (data.open or {})[dof] then rows[#rows + 1] = row end
  end
  for _, row in ipairs(rows) do
    for shape, values in next, data.shapes or {} do row.at[shape] = values[row.dof] or row.at[shape] end
    row.list = {}
    for number, shape in ipairs(shapes.names) do row.list[number] = row.at[shape] end
  end
  return rows
end

--- The mouth of a host's robot with its data; nil: it has none, and nothing moves.
function mouth.new(host, data)
  return setmetatable({ host = host, rows = data and rows_of(data) or {}, data = data or {}, mixed = {},
    level = 0 }, Mouth)
end

--- The mouth's source, created on first use; nil: there is nothing to move, or no room.
local function source_of(self)
  local tracks = self.host.tracks
  if self.source and tracks.playing[self.source.source] ~= self.source then self.source = nil end
  if not self.source and #self.rows > 0 then
    self.source = tracks:live("speech", { priority = 20, fade = mouth.fade, tau = 0.01 })
  end
  return self.source
end

--- Set the value of each DOF: of(row).
local function say(self, of)
  local source = source_of(self)
  if not source then return end
  self.on = true
  for _, row in ipairs(self.rows) do self.host.tracks:say_value(source, row.dof, of(row), row.over) end
end

--- Show a plan at `t`, at its sound number `index`.
function Mouth:show(plan, t, index)
  local mixed = shapes.mix(plan, t, index, self.mixed)
  say(self, function(row)
    local value = 0
    for number = 1, #mixed do value = value + mixed[number] * row.list[number] end
    return value
  end)
end

--- Open by the loudness of a sound, dB below full scale, for a tick of `dt` seconds.
function Mouth:sing(decibels, dt)
  local aim = math.max(0, math.min(1, (decibels - mouth.quiet) / (mouth.loud - mouth.quiet)))
  self.level = self.level + (aim - self.level) *
    (1 - math.exp(-dt / (aim > self.level and mouth.attack or mouth.release)))
  local level = self.level
  say(self, function(row) return row.at.rest + level * (row.at.a - row.at.rest) end)
end

--- Speech has ended: release all DOFs, smoothly. The source stays, with its settings in the mixer.
function Mouth:rest()
  self.level = 0
  if not self.on then return end
  self.on = false
  for _, row in ipairs(self.rows) do self.host.tracks:say_value(self.source, row.dof, nil) end
end

--- Release permanently.
function Mouth:stop()
  if self.source then self.host.tracks:stop_source(self.source, mouth.fade, "over") end
  self.source, self.on = nil, false
end

return mouth
