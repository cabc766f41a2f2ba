--- The hands of a robot and their grips: grips.lua beside its robot.lua; without it, an open and a closed
--- grip of each DOF with `grip` in robot.lua.
---
---     return { left_hand = { side = "left", dofs = { "LHand" }, velocity = 2.5, movement = 0.3,
---       grips = { open = { LHand = 0.98 }, close = { LHand = 0.02 } } } }
---
--- velocity: default speed of its fingers, in the DOF's unit/s; movement: the total motion of all fingers
--- that counts as a motion of the hand, for nodes with that criterion.
local robots = require "brio.robots.catalog"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local grips = {}

--- A hand.
grips.fields = {
  side = { "string", doc = "left or right" }, dofs = { "list", of = "string", doc = "its fingers" },
  velocity = { "number", doc = "how fast its fingers go unless a node says so, in the DOF's unit/s" },
  movement = { "number", doc = "how far all of them have to go, together, where that is what counts" },
  grips = { "map", of = { "map", of = "number" }, doc = "grips by name: a value for each finger" },
}

local function value_fault(what, dof, value, has, known)
  if not has[dof] then
    return ("%s: '%s' is none of its fingers%s"):format(what, dof, suggest.hint(dof, suggest.keys(has)))
  end
  if type(value) ~= "number" then return ("%s: %s must be a number"):format(what, dof) end
  if not (value >= known[dof].lower - 1e-9 and value <= known[dof].upper + 1e-9) then
    return ("%s: %s must be within its range, %g to %g"):format(what, dof, known[dof].lower, known[dof].upper)
  end
end

local function hand_fault(what, row, known)
  local fault = schema.fault(row, grips.fields, what)
  if fault then return fault end
  if not (row.dofs and row.dofs[1] and row.grips) then return what .. " needs dofs and grips" end
  if (row.velocity or 1) <= 0 or (row.movement or 1) <= 0 then
    return what .. ": velocity and movement must be above 0"
  end
  local has = {}
  for _, dof in ipairs(row.dofs) do
    if not known[dof] then
      return ("%s: the robot has no DOF '%s'%s"):format(what, tostring(dof),
        suggest.hint(tostring(dof), suggest.keys(known)))
    end
    has[dof] = true
  end
  for _, name in ipairs(suggest.keys(row.grips)) do
    for _, dof in ipairs(suggest.keys(row.grips[name])) do
      local why = value_fault(("%s.grips.%s"):format(what, name), dof, row.grips[name][dof], has, known)
      if why then return why end
    end
  end
end

local function dofs_of(description)
  local known = {}
  for _, dof in ipairs(description.dofs) do known[dof.name] = dof end
  return known
end

--- The error in a table of hands on a robot: a sentence, or nil.
function grips.fault(data, description)
  if type(data) ~= "table" then return "grips.lua must return a table of hands" end
  local known = dofs_of(description)
  for _, name in ipairs(suggest.keys(data)) do
    local why = hand_fault(name, data[name], known)
    if why then return why end
  end
end

--- The side in a name, if any.
local function side_of(name)
  if name:match "^L%u" or name:lower():find "left" or name:match "^l_" then return "left" end
  if name:match "^R%u" or name:lower():find "right" or name:match "^r_" then return "right" end
end

--- Hands of a robot without grips.lua: each DOF that is a grip.
local function guessed(description)
  local hands = {}
  for _, dof in ipairs(description.dofs) do
    if dof.grip then
      hands[dof.name] = { side = side_of(dof.name), dofs = { dof.name },
        grips = { open = { [dof.name] = dof.upper }, close = { [dof.name] = dof.lower } } }
    end
  end
  return hands
end

--- The hands of a robot, by name; nil and a sentence if its file is invalid.
function grips.hands(description)
  local data, why = robots.data(description, "grips")
  why = why or data and grips.fault(data, description)
  if why then return nil, ("grips.lua of the robot %s: %s"):format(description.name, why) end
  return data or guessed(description)
end

--- The hand of a form, by `hand` or `side`: {name, dofs, grips, ...}; nil and a sentence.
function grips.find(description, form)
  local hands, why = grips.hands(description)
  if not hands then return nil, why end
  local names = suggest.keys(hands)
  if #names == 0 then return nil, ("the robot %s has no hand that can be moved"):format(description.name) end
  local fits = {}
  for _, name in ipairs(names) do
    local right = not form.side or hands[name].side == form.side or not hands[name].side and #names == 1
    if right and (not form.hand or form.hand == name) then fits[#fits + 1] = name end
  end
  if #fits == 1 then return hands[fits[1]], fits[1] end
  if #fits > 1 then
    return nil, ("which hand? The robot %s has %s: say side"):format(description.name,
      table.concat(fits, ", "))
  end
  return nil, ("the robot %s has no %s hand: it has %s"):format(description.name, form.hand or form.side,
    table.concat(names, ", "))
end

--- Targets of a form for the fingers of a hand, {DOF = value}; nil and a sentence.
function grips.goals(description, hand, form)
  if form.fingers then
    local known, has, goals = dofs_of(description), {}, {}
    for _, dof in ipairs(hand.dofs) do has[dof] = true end
    for key, value in pairs(form.fingers) do
      local dof = math.type(key) == "integer" and hand.dofs[key] or tostring(key)
      local why = value_fault("fingers", dof, value, has, known)
      if why then return nil, why end
      goals[dof] = value
    end
    return goals
  end
  if not form.grip then return nil, "it has no goal for the fingers: give grip or fingers" end
  local found = hand.grips[form.grip]
  if found then return found end
  local names = suggest.keys(hand.grips)
  return nil, ("there is no grip '%s'%s: there are %s"):format(form.grip, suggest.hint(form.grip, names),
    table.concat(names, ", "))
end

return grips
