--- Whether a robot can do an animation, standing, and why not; and the motion nearest to it that the robot
--- can do.
---
---     local found = feasible.reasons(rig, animation)         -- what it breaks, when, by how much
---     local result = feasible.optimize(rig, animation, {})   -- brio.standing with the rig's options
local geometry = require "brio.lib.geometry"
local records = require "brio.motion.rig.records"
local standing = require "brio.motion.standing"

local feasible = {}

--- What counts as broken: feet that miss the ground (m), what must hold exactly and judged constraints, a
--- share of a limit.
local most_gap, most_error, most_share = 2e-3, 1e-4, 1.001

--- Weight of velocities at the end, where the robot is to stand still.
local settle = 1e3

--- Words for the constraints that are judged: what is wrong, and the violation in a unit.
local words = {
  dynamics = { "no torques and forces of the ground move it so",
    "%.2g in scaled rows (rad, m, or their rates)" },
  friction = { "a foot would slip, pull at the ground or tip", "%.0f %% of the weight", 100 },
  support = { "the centre of mass is not over the feet", "%.0f mm outside", 1000 },
  rest = { "it does not begin or end at rest", "%.2g m/s or rad/s" },
  pose = { "it does not begin where it is to begin", "%.2g m or rad" },
  closed = { "the feet are not where they stand", "%.2g m or rad" },
}

--- The options of brio.standing for a rig and an animation; `more` are added.
function feasible.options(rig, animation, more)
  local made = { contacts = rig:contacts(animation.frames[1]), start = "whole",
    settle = settle }
  for _, name in ipairs(records.optimizing) do made[name] = rig.data[name] end
  made.scale = rig:scale()
  for name, value in next, more or {} do made[name] = value end
  return made
end

--- The worst of a kind of fault: kept by `note(key, amount, frame, text)`.
local function new_worst()
  local list, by = {}, {}
  return list, function(key, amount, frame, text)
    local one = by[key]
    if not one then
      one = { what = key, amount = -math.huge, frames = 0 }
      list[#list + 1], by[key] = one, one
    end
    one.frames = one.frames + 1
    if amount > one.amount then one.amount, one.frame, one.text = amount, frame, text end
  end
end

--- Feet that miss the ground, equations and loops that do not hold.
local function note_reach(animation, note)
  for frame, gap in ipairs(animation.feet) do
    if gap > most_gap then
      note("reach", gap, frame,
        ("a foot misses its place by %.0f mm: legs are too short, or a joint is at the \z
        end of its range"):format(1000 * gap))
    end
    if animation.hard[frame] > most_error then
      note("rig", animation.hard[frame], frame,
        ("the pelvis target, an equation or a closed loop is off by %.2g m or rad")
          :format(animation.hard[frame]))
    end
  end
end

--- Joints too fast, or whose torques are too weak, in a motion.
local function note_joints(rig, motion, note)
  local motors
  for _, name in ipairs(rig.data.motors or {}) do
    motors = motors or {}
    motors[name] = true
  end
  for frame, node in ipairs(motion) do
    for _, variable in ipairs(rig.variables) do
      local name = variable.name
      local speed, torque = math.abs(node.velocity.joints[name] or 0), math.abs(node.torque[name] or 0)
      if speed > most_share * variable.velocity then
        note("speed", speed / variable.velocity, frame,
          ("'%s' would move at %.1f rad/s (or m/s), %.1f is its \z
          limit"):format(name, speed, variable.velocity))
      end
      if (not motors or motors[name]) and torque > most_share * variable.effort then
        note("torque", torque / variable.effort, frame, ("'%s' would need %.0f N m (or N), %.0f is its limit")
          :format(name, torque, variable.effort))
      end
    end
  end
end

--- The sentences of judged faults.
local function note_judged(faults, tolerance, note)
  for _, fault in ipairs(faults) do
    local said = words[fault.what]
    if said and fault.violation > tolerance then
      note(fault.what, fault.violation, fault.node,
        ("%s: %s"):format(said[1], said[2]:format(fault.violation * (said[3] or 1))))
    end
  end
end

--- Why an animation cannot be done, as it is.
---@param rig table of brio.motion.rig
---@param animation table of brio.motion.rig.animation
---@param options? table of brio.standing, added to those of the rig
---@return table? list of { what, amount, frame, time (s), frames = how many, text }: the worst of each kind;
---  empty:
---  nothing is broken
---@return table|string motion the animation with torques; or why it could not be judged
function feasible.reasons(rig, animation, options)
  local full = feasible.options(rig, animation, options)
  local source = { rate = animation.rate, frames = animation.frames, keys = animation.keys }
  local motion, faults = standing.judge(rig.robot, source, full)
  if not motion then return nil, faults end
  local list, note = new_worst()
  note_reach(animation, note)
  note_joints(rig, motion, note)
  note_judged(faults, most_error, note)
  for _, one in ipairs(list) do one.time = (one.frame - 1) / animation.rate end
  return list, motion
end

--- Whether a result of optimize may be played: all windows keep the constraints.
function feasible.may_play(result, animation)
  local good = result.finish == "solved" or result.finish == "feasible"
  return good and #result.motion == #animation.frames
end

--- What an optimized motion still breaks: sentences.
function feasible.broken(result, animation)
  local list = {}
  for _, window in ipairs(result.windows) do
    for _, fault in ipairs(window.faults or {}) do
      local said = words[fault.what] or { fault.what, "%.2g" }
      list[#list + 1] = ("at %.2f s of the animation: %s, by %s"):format((fault.frame - 1) / animation.rate,
        said[1],
        said[2]:format(fault.violation * (said[3] or 1)))
    end
  end
  return list
end

--- Make it feasible: brio.standing.optimize with the rig's options and `more`.
function feasible.optimize(rig, animation, more)
  local source = { rate = animation.rate, frames = animation.frames, keys = animation.keys }
  return standing.optimize(rig.robot, source, feasible.options(rig, animation, more))
end

--- How near a motion is to its animation: greatest and mean difference of joints (rad or m) and of the base
--- (m, rad), and the share of the animation's own movement that is left.
function feasible.difference(rig, animation, motion)
  local made = { joint = 0, base = 0, turn = 0, mean = 0 }
  local count = 0
  for index, node in ipairs(motion) do
    local a, b = animation.frames[index], node.configuration
    for _, variable in ipairs(rig.variables) do
      local off = math.abs(a.joints[variable.name] - b.joints[variable.name])
      made.mean, count = made.mean + off, count + 1
      if off > made.joint then made.joint, made.joint_name, made.joint_frame = off, variable.name, index end
    end
    made.base = math.max(made.base, geometry.distance(a.base.position, b.base.position))
    made.turn = math.max(made.turn, geometry.angle(a.base.orientation, b.base.orientation))
  end
  made.mean = made.mean / math.max(count, 1)
  return made
end

return feasible
