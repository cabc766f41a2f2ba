--- The modes of an automaton, {standing, walking} x {animation, radio}, the elemental transitions between
--- them, and what has to be true before one begins.
---
--- Source: Li, Cummings, Sreenath, "Animated Cassie", 2020, section IV-B.
local modes = {}

--- Greatest speed of a joint at which a step may begin, as a share of its limit, and of a walk that stops,
--- m/s or rad/s.
modes.still, modes.slow = 0.25, 0.01

local function unless_lying(feedback)
  if feedback.fallen then return nil, "the robot has fallen" end
  return true
end

local function walks(feedback)
  if feedback.fallen or not feedback.can_walk then
    return nil, feedback.fallen and "the robot has fallen"
      or "this robot does not walk: " .. (feedback.why or "it has no legs")
  end
  return true
end

local function lifted(feedback)
  return feedback.lifted and ("the %s foot is in the air"):format(feedback.lifted)
end

--- At the height of the walk, on both feet, at rest: a foot may be lifted.
local function ready_to_step(feedback)
  local why = lifted(feedback)
  if why then return nil, why end
  if not feedback.arrived then return nil, "it comes to the height of the walk" end
  if (feedback.speed or 0) > modes.still then
    local share = 100 * feedback.speed
    return nil, ("%s moves at %.0f %% of its speed"):format(feedback.fastest or "a joint", share)
  end
  return true
end

local pace_units = { vx = "m/s", vy = "m/s", turn = "rad/s" }

--- At rest, and a step is complete.
local function stands(feedback)
  if (feedback.pace or 0) > modes.slow then
    local unit = pace_units[feedback.pacing or "vx"]
    local what = feedback.pacing and feedback.pacing .. " is" or "it walks at"
    return nil, ("%s %.2f %s"):format(what, feedback.pace, unit)
  end
  local why = lifted(feedback)
  if why then return nil, why end
  if (feedback.steps or 0) > 0 then return nil, ("%d steps are left"):format(feedback.steps) end
  return true
end

local function arrived(feedback)
  if feedback.arrived then return true end
  return nil, "it comes to the first frame"
end

local function always() return true end

--- The elemental transitions.  may(feedback): whether one may begin; done(feedback): whether what follows
--- it may begin.  Both return true, or nil and what it waits for, a sentence.
modes.transitions = {
  stand_to_walk = { may = walks, done = ready_to_step,
    doc = "the height of the walk, then the weight over the left foot, and the right one steps" },
  walk_to_stand = { may = unless_lying, done = stands,
    doc = "slows down to rest, and stands when a step is complete" },
  radio_to_animation = { may = unless_lying, done = arrived, doc = "to the first frame of the motion" },
  animation_to_animation = { may = unless_lying, done = arrived,
    doc = "to the first frame of the next motion" },
  animation_to_radio = { may = always, done = always, doc = "to what the operator commands, at any time" },
}

--- Posture and source of a mode's name, "walking/radio".
function modes.parts(mode)
  local posture, source = mode:match "^(%a+)/(%a+)$"
  local known = (posture == "standing" or posture == "walking")
    and (source == "animation" or source == "radio")
  if not known then
    error(("there is no mode '%s': there are standing/animation, standing/radio, walking/animation and \z
      walking/radio"):format(mode), 3)
  end
  return posture, source
end

--- The elemental transitions from a mode to another, in their order: first who commands, then the posture.
--- `other`: from one motion to another one.
---@param from string such as "standing/radio"
---@param to string
---@param other? boolean
---@return string[] names in modes.transitions
function modes.route(from, to, other)
  local posture, source = modes.parts(from)
  local next_posture, next_source = modes.parts(to)
  local list = {}
  if source ~= next_source then
    list[1] = source .. "_to_" .. next_source
  elseif source == "animation" and other then
    list[1] = "animation_to_animation"
  end
  if posture ~= next_posture then
    list[#list + 1] = posture == "standing" and "stand_to_walk" or "walk_to_stand"
  end
  return list
end

return modes
