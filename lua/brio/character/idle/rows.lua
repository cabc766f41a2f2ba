--- The rows of idle life: the fields of a robot's idle.lua and a behavior's `character.idle`, and their
--- checks.
---
--- A motion goes on all the time, a small one added to what is below: { wave = Hz } breathes, { noise = Hz }
--- drifts. A gesture is a sequence now and then, another one than the last time.
local life = require "brio.motion.random_sequences"
local suggest = require "brio.lib.suggest"

local rows = {}

local motion_fields = { about = true, source = true, wave = true, noise = true, octaves = true, beta = true,
  dofs = true, from = true, follow = true }
local gesture_fields = { about = true, source = true, play = true, odds = true, every = true,
  amplitude = true, speed = true,
  mirror = true, fade = true, priority = true, from = true, fixed = true, on = true, unless = true,
    talking = true }
local unless_fields = { emotion = true, above = true, dofs = true }

local function is_number(value, least, most)
  return type(value) == "number" and value >= least and value <= (most or math.huge) and value - value == 0
end

--- The error in numbers by name, each {field, least, most}, of a row that may leave them out.
local function fault_of_numbers(row, what, list)
  for _, field in ipairs(list) do
    local value = row[field[1]]
    if value ~= nil and not is_number(value, field[2], field[3]) then
      return ("%s: %s must be a number from %g to %g"):format(what, field[1], field[2], field[3])
    end
  end
end

local function fault_of_keys(row, what, known)
  for _, key in ipairs(suggest.keys(row)) do
    if not known[key] then
      return ("%s has no field '%s'%s"):format(what, key, suggest.hint(key, suggest.keys(known)))
    end
  end
end

--- Names of the DOFs, and of the groups, that a robot has.
local function names_of(description)
  local dofs, both = {}, {}
  for _, dof in ipairs(description.dofs) do
    dofs[dof.name], both[dof.name], both[dof.group or dof.name] = true, true, true
  end
  return dofs, both
end

local function fault_of_name(name, what, known, robot)
  if known[name] then return nil end
  return ("%s: robot '%s' has no DOF '%s'%s"):format(what, robot, tostring(name),
    suggest.hint(tostring(name), suggest.keys(known)))
end

-- Motions -------------------------------------------------------------------------------------------------

--- An amplitude, or {amplitude, seconds by which it follows the others}.
local function fault_of_amplitude(value, what)
  local pair = type(value) == "table" and is_number(value[1], -10, 10) and is_number(value[2], 0, 60)
  if is_number(value, -10, 10) or pair then return nil end
  return what .. " must be how far it goes, or { how far, seconds by which it is behind }"
end

local function fault_of_motion(row, what, description)
  if type(row) ~= "table" then return what .. " must be a table" end
  local fault = fault_of_keys(row, what, motion_fields) or fault_of_numbers(row, what, { { "wave", 0.01, 2 },
    { "noise", 0.01, 2 }, { "octaves", 1, 12 }, { "beta", 1, 2 }, { "from", 0, 0.99 }, { "follow", 0, 1e6 } })
  if fault then return fault end
  if (row.wave == nil) == (row.noise == nil) then return what .. " must have either wave or noise, Hz" end
  if type(row.dofs) ~= "table" or next(row.dofs) == nil then
    return what .. ": dofs must be { DOF = how far, ... }"
  end
  local known = names_of(description)
  for _, name in ipairs(suggest.keys(row.dofs)) do
    fault = fault_of_name(name, what, known, description.name)
      or fault_of_amplitude(row.dofs[name], what .. ": dofs." .. name)
    if fault then return fault end
  end
end

-- Gestures ------------------------------------------------------------------------------------------------

local function fault_of_play(row, what, sequences)
  if type(row.play) ~= "table" or #row.play < 2 then
    return what .. ": play must be a list of at least two sequences, so that none comes twice in a row"
  end
  local seen = {}
  for index, name in ipairs(row.play) do
    if not sequences[name] then
      local known = suggest.keys(sequences)
      return ("%s: there is no sequence '%s'%s"):format(what, tostring(name),
        suggest.hint(tostring(name), known))
    elseif seen[name] then return ("%s: '%s' is there twice"):format(what, name)
    elseif row.odds and not is_number(row.odds[index], 1e-3, 1e3) then
      return ("%s: odds must have a number above 0 for each sequence"):format(what)
    end
    seen[name] = true
  end
end

local function fault_of_events(on, what)
  for event, chance in next, on or {} do
    if type(event) ~= "string" or not is_number(chance, 0, 1) then
      return what .. ": on must be { EVENT = how likely, from 0 to 1 }"
    end
  end
end

local function fault_of_unless(list, what, description)
  local _, known = names_of(description)
  for index, rule in ipairs(list or {}) do
    local place = ("%s: unless[%d]"):format(what, index)
    local fault = fault_of_keys(rule, place, unless_fields)
      or fault_of_numbers(rule, place, { { "above", 0, 1 } })
    if fault then return fault end
    if type(rule.emotion) ~= "string" or type(rule.dofs) ~= "table" then
      return place .. " must be { emotion = NAME, above = from 0 to 1, dofs = { DOF or group, ... } }"
    end
    for _, name in ipairs(rule.dofs) do
      fault = fault_of_name(name, place, known, description.name)
      if fault then return fault end
    end
  end
end

local function fault_of_gesture(row, what, description, sequences)
  if type(row) ~= "table" then return what .. " must be a table" end
  for _, key in ipairs { "on", "unless", "odds" } do
    if row[key] ~= nil and type(row[key]) ~= "table" then
      return ("%s: %s must be a table"):format(what, key)
    end
  end
  return fault_of_keys(row, what, gesture_fields) or fault_of_play(row, what, sequences)
    or life.fault_of_interval(row.every, what) or row.talking and life.fault_of_interval(row.talking, what)
    or life.fault_of_draw(row.amplitude, what .. ": amplitude")
      or life.fault_of_draw(row.speed, what .. ": speed")
    or fault_of_numbers(row, what, { { "from", 0, 0.99 }, { "priority", -1000, 1000 } })
    or fault_of_events(row.on, what) or fault_of_unless(row.unless, what, description)
end

-- Both ----------------------------------------------------------------------------------------------------

--- The robot's rows with a behavior's over them: false takes one away.
local function merged(own, said)
  local made = {}
  for name, row in next, own or {} do made[name] = row end
  for name, row in next, said or {} do made[name] = row or nil end
  return made
end

--- All rows: those of the robot's idle.lua, with what the behavior says over them.
function rows.of(spec, data)
  data = data or {}
  return { motions = merged(data.motions, spec.motions), gestures = merged(data.gestures, spec.gestures) }
end

--- The error in rows on a robot whose sequences, by name, are known; nil: nothing.
function rows.fault(all, description, sequences)
  for _, name in ipairs(suggest.keys(all.motions)) do
    local fault = fault_of_motion(all.motions[name], ("idle motion '%s'"):format(name), description)
    if fault then return fault end
  end
  for _, name in ipairs(suggest.keys(all.gestures)) do
    local fault = fault_of_gesture(all.gestures[name], ("idle gesture '%s'"):format(name), description,
      sequences)
    if fault then return fault end
  end
end

local file_fields = { about = true, source = true, robot = true, motions = true, gestures = true }

--- The same of what a robot's idle.lua says.
function rows.fault_of_file(data, description, sequences)
  for _, key in ipairs { "motions", "gestures" } do
    if data[key] ~= nil and type(data[key]) ~= "table" then
      return key .. " must be a table: { NAME = { ... }, ... }"
    end
  end
  return fault_of_keys(data, "idle life", file_fields)
    or rows.fault(rows.of({}, data), description, sequences)
end

--- The numbers of the DOFs that a list of DOFs and groups names.
function rows.numbers(list, description)
  local wanted, made = {}, {}
  for _, name in ipairs(list) do wanted[name] = true end
  for index, dof in ipairs(description.dofs) do
    if wanted[dof.name] or wanted[dof.group or false] then made[#made + 1] = index end
  end
  return made
end

return rows
