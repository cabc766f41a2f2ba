--- The rows of idle life: the fields of a robot's idle.lua and a behavior's `character.idle`, and their
--- checks.
---
--- A motion is permanent and small, and added to the values below: { wave = Hz } breathes, { noise = Hz }
--- drifts. A gesture is a sequence at random intervals, different from the last one.
local life = require "brio.motion.random_sequences"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local rows = {}

local function number(lower, upper, unit, doc)
  return { "number", lower = lower, upper = upper, unit = unit, doc = doc }
end

local from = number(0, 0.99, "", "level at which the row starts")

--- A motion: one of wave and noise, and dofs.
rows.motion_fields = {
  about = "string", source = "string or table",
  wave = number(0.01, 2, "Hz", "breathes, with random depth and length"),
    noise = number(0.01, 2, "Hz", "drifts"),
  octaves = { "number", lower = 1, upper = 12, value = 8, doc = "of noise, each with twice the frequency" },
  beta = { "number", lower = 1, upper = 2, value = 1.2, doc = "of noise: its power falls as 1/f^beta" },
  dofs = { "table", doc = "by DOF: amplitude at level 1, or { amplitude, delay in seconds }" },
  from = from, follow = number(0, 1e6, "", "weight with which joints follow"),
}

local function fault_of_events(on)
  for event, chance in next, type(on) == "table" and on or { on } do
    if type(event) ~= "string" or not (type(chance) == "number" and chance >= 0 and chance <= 1) then
      return "must be { EVENT = how likely, from 0 to 1 }"
    end
  end
end

--- A gesture: at least two sequences, at random intervals.
rows.gesture_fields = {
  about = "string", source = "string or table", play = { "list", of = "string", doc = "names of sequences" },
  odds = { "list", of = number(1e-3, 1e3), doc = "their relative probability" },
  every = life.interval("from start to start; at level 0 twice as long, at 1 half as long", true),
  talking = life.interval "the same while the robot speaks",
  priority = number(-1000, 1000, "", "the higher is on top"), from = from,
  fixed = { "boolean", doc = "intervals and size do not depend on the level: for blinks" },
  on = { "table", fault = fault_of_events, doc = "events at which it also plays, each with its probability" },
  unless = { "list", doc = "while an emotion is stronger than `above`, it does not use these DOFs or groups",
    of = { "record", fields = { emotion = { "string", needed = true }, above = number(0, 1),
      dofs = { "list", of = "string", needed = true } } } },
}
for name, field in next, life.how_fields do rows.gesture_fields[name] = field end

local function is_within(value, least, most)
  return type(value) == "number" and value >= least and value <= most
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

--- An amplitude, or {amplitude, delay behind the others in s}.
local function fault_of_amplitude(value, what)
  local pair = type(value) == "table" and is_within(value[1], -10, 10) and is_within(value[2], 0, 60)
  if is_within(value, -10, 10) or pair then return nil end
  return what .. " must be how far it goes, or { how far, seconds by which it is behind }"
end

local function fault_of_motion(row, what, description)
  local fault = schema.fault(row, rows.motion_fields, what)
  if fault then return fault end
  if (row.wave == nil) == (row.noise == nil) then return what .. " must have either wave or noise, Hz" end
  if next(row.dofs or {}) == nil then
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
    elseif row.odds and not row.odds[index] then
      return ("%s: odds must have a number above 0 for each sequence"):format(what)
    end
    seen[name] = true
  end
end

local function fault_of_unless(list, what, description)
  local _, known = names_of(description)
  for index, rule in ipairs(list or {}) do
    for _, name in ipairs(rule.dofs) do
      local fault = fault_of_name(name, ("%s: unless[%d]"):format(what, index), known, description.name)
      if fault then return fault end
    end
  end
end

local function fault_of_gesture(row, what, description, sequences)
  return schema.fault(row, rows.gesture_fields, what) or fault_of_play(row, what, sequences)
    or fault_of_unless(row.unless, what, description)
end

-- Both ----------------------------------------------------------------------------------------------------

--- The robot's rows with a behavior's in place of them: false removes one.
local function merged(own, said)
  local made = {}
  for name, row in next, own or {} do made[name] = row end
  for name, row in next, said or {} do made[name] = row or nil end
  return made
end

--- All rows: those of the robot's idle.lua, with the behavior's in place of them.
function rows.of(spec, data)
  data = data or {}
  return { motions = merged(data.motions, spec.motions), gestures = merged(data.gestures, spec.gestures) }
end

--- The error in rows on a robot whose sequences, by name, are known; nil: none.
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

local by_name = { "table", doc = "rows by name" }
--- The fields of a robot's idle.lua.
rows.file_fields = { about = "string", source = "string or table", robot = "string", motions = by_name,
  gestures = by_name }

--- The error in a robot's idle.lua.
function rows.fault_of_file(data, description, sequences)
  return schema.fault(data, rows.file_fields, "idle life")
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
