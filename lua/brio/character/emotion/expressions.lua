--- Tables of expressions: the value of each DOF of a robot for each emotion, over the angle in the plane of
--- valence and arousal.
---
---     return {
---       robot = "probo",
---       angles = { "happy", "surprised", 144, "sad", "tired" },   -- names of emotions, or degrees
---       dofs = {
---         EarLeft = { 0.6, 1, -0.5, -0.9, -0.8 },                 -- a value for each
---         MouthOpen = { { 18, 0.2 }, { 90, 0.9 }, { 198, -0.2 } }, -- or with angles of its own
---         NeckTilt = { -0.1, -0.2, 0.15, 0.3, 0.4, over = true }, -- added to what is below
---       },
---     }
---
--- With the intensity i, the value of a DOF is  neutral + i * (table(angle) - neutral)  (Saldien et al.,
--- "Expressing emotions with the social robot Probo", Int. J. of Social Robotics 2, 2010).  For a DOF with
--- `over`, the default of joints, i * table(angle) is added to the value below. Curves are periodic and
--- smooth: see curves.lua.
local curves = require "brio.character.emotion.curves"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"
local tracks = require "brio.motion.tracks"

local expressions = {}

local most_knots = 90

local is_number = require("brio.lib.fields").is_number

local kinds = table.move(curves.kinds, 1, #curves.kinds, 1, {})
table.sort(kinds)
local curve = { "choice", of = kinds, doc = "between the knots" }
local unit = { "choice", of = { "deg", "normalized", "rad" }, doc = "of the values" }

--- The fields of a table of expressions.
expressions.fields = { robot = "string", about = "any", source = "any", curve = curve, unit = unit,
  follow = "any", angles = { "table", doc = "names of emotions, or degrees" },
  dofs = { "any", doc = "by DOF: a value for each angle, or { angle, value } for each knot" } }

--- The named fields of a DOF's row.
local row_fields = { over = "any", neutral = "any", curve = curve, unit = unit }

--- The named fields of a list.
local function named(row)
  local made = {}
  for _, key in ipairs(suggest.keys(row)) do made[key] = row[key] end
  return made
end

--- An angle, a name or degrees, in degrees; nil and a sentence if it is invalid.
local function angle_of(said, known, what)
  if type(said) == "string" then
    local row = known.by[said]
    if row then return row.angle end
    return nil, ("%s: there is no emotion '%s'%s"):format(what, said, suggest.hint(said, known.order))
  elseif not (is_number(said) and said >= 0 and said < 360) then
    return nil, ("%s must be an emotion's name, or degrees from 0 to below 360, not %s"):format(what,
      tostring(said))
  end
  return said
end

--- A list of angles in degrees; nil and a sentence if they are not ascending.
local function angles_of(list, known, what)
  if type(list) ~= "table" or #list == 0 then
    return nil, what .. " must be a list of emotions' names or degrees"
  end
  if #list > most_knots then
    return nil, ("%s: there are %d: up to %d are allowed"):format(what, #list, most_knots)
  end
  local made = {}
  for index, said in ipairs(list) do
    local angle, why = angle_of(said, known, ("%s[%d]"):format(what, index))
    if not angle then return nil, why end
    if made[index - 1] and angle <= made[index - 1] then
      return nil, ("%s[%d]: angles must rise around the circle: %g does not follow %g"):format(what, index,
        angle, made[index - 1])
    end
    made[index] = angle
  end
  return made
end

--- The knots of a DOF's row: angles and values as given; nil and a sentence.
local function knots_of(row, common, known, what)
  local values, angles = {}, common
  if type(row[1]) == "table" then
    local said = {}
    for index, pair in ipairs(row) do
      if type(pair) ~= "table" or #pair ~= 2 then
        return nil, ("%s[%d] must be { angle, value }"):format(what, index)
      end
      said[index], values[index] = pair[1], pair[2]
    end
    local why
    angles, why = angles_of(said, known, what)
    if not angles then return nil, why end
  else
    if not common then
      return nil, what .. ": the table has no angles: give them, or { angle, value } for each knot"
    end
    for index, value in ipairs(row) do values[index] = value end
  end
  if #values ~= #angles then
    return nil, ("%s has %d values for %d angles"):format(what, #values, #angles)
  end
  for index, value in ipairs(values) do
    if not is_number(value) then
      return nil, ("%s[%d] must be a finite number, not %s"):format(what, index, tostring(value))
    end
  end
  return angles, values
end

--- A compiled row of a DOF: {name, over, neutral, lower, upper, angles, values, at(angle)}; nil and a
--- sentence.
local function compiled_row(name, row, dof, table_, known, common)
  local what = ("expressions: dofs.%s"):format(name)
  if type(row) ~= "table" then return nil, what .. " must be a list of values" end
  local fault = schema.fault(named(row), row_fields, what)
  if fault then return nil, fault end
  local angles, values = knots_of(row, common, known, what)
  if not angles then return nil, values end
  local over = row.over
  if over == nil then over = not dof.outside end
  local to, neutral = tracks.converter(row.unit or table_.unit, dof), row.neutral or dof.rest
  local lower, upper = over and dof.lower - dof.upper or dof.lower,
    over and dof.upper - dof.lower or dof.upper
  for index, value in ipairs(values) do
    local own = type(to) == "number" and value * to or type(to) == "function" and to(value, over)
    if own < lower - 1e-9 or own > upper + 1e-9 then
      return nil, ("%s[%d]: %g is out of range: %s goes from %.4g to %.4g%s%s"):format(what, index, value,
        name, lower,
        upper, dof.unit == "1" and "" or " " .. dof.unit, over and " at most, as an offset" or "")
    end
    values[index] = own
  end
  if not is_number(neutral) or neutral < dof.lower or neutral > dof.upper then
    return nil, ("%s: neutral must be from %.4g to %.4g %s"):format(what, dof.lower, dof.upper, dof.unit)
  end
  return { name = name, over = over, neutral = over and 0 or neutral, lower = lower, upper = upper,
    angles = angles, values = values, outside = dof.outside, unit = dof.unit, group = dof.group,
    at = curves.new(row.curve or table_.curve or "monotone", angles, values) }
end

--- Names in the table that the robot does not have.
local function fault_of_names(data, description, by_name)
  local names, strange = suggest.keys(data.dofs), {}
  for _, name in ipairs(names) do
    if not by_name[name] then strange[#strange + 1] = name end
  end
  if #names == 0 then return "expressions: dofs names no DOF" end
  if #strange == 0 then return nil end
  local whose = data.robot and data.robot ~= description.name
    and (" (they are of %s)"):format(tostring(data.robot)) or ""
  if #strange == #names then
    return ("expressions: robot '%s' has none of their DOFs, %s%s%s"):format(description.name, strange[1],
      #strange > 1 and (" and %d more"):format(#strange - 1) or "", whose)
  end
  return ("expressions: robot '%s' has no DOF '%s'%s%s"):format(description.name, strange[1],
    suggest.hint(strange[1], suggest.keys(by_name)), whose)
end

local function fault_of_whole(data, description, by_name)
  local fault = schema.fault(data, expressions.fields, "expressions")
  if fault then return fault end
  if type(data.dofs) ~= "table" then return "expressions: dofs must be a table of DOF = values" end
  if data.follow ~= nil and not (is_number(data.follow) and data.follow > 0 and data.follow <= 1e4) then
    return "expressions: follow must be a weight above 0, up to 10000"
  end
  return fault_of_names(data, description, by_name)
end

--- Weight of expressions for joints: lower than a state's own goals for a link, higher than a posture.
expressions.follow = 5

--- Compile a table of expressions for a robot: {rows = list of {name, over, neutral, at(angle), ...}, follow,
--- face}, in the order of the robot's DOFs; nil and a sentence on errors. `known`: emotions, see names.lua.
function expressions.compile(data, description, known)
  local by_name = {}
  for _, dof in ipairs(description.dofs) do by_name[dof.name] = dof end
  local fault = fault_of_whole(data, description, by_name)
  if fault then return nil, fault end
  local common, why
  if data.angles ~= nil then
    common, why = angles_of(data.angles, known, "expressions: angles")
    if not common then return nil, why end
  end
  local rows = {}
  for _, dof in ipairs(description.dofs) do
    local row = data.dofs[dof.name]
    if row ~= nil then
      local made
      made, why = compiled_row(dof.name, row, dof, data, known, common)
      if not made then return nil, why end
      rows[#rows + 1] = made
    end
  end
  return { rows = rows, follow = data.follow or expressions.follow, robot = data.robot, source = data.source }
end

--- The value of a row at an angle (degrees) and an intensity, or its offset if it is `over`.
function expressions.value(row, angle, intensity)
  local value = row.neutral + intensity * (row.at(angle) - row.neutral)
  return math.max(row.lower, math.min(row.upper, value))
end

return expressions
