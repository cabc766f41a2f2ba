--- An animation becomes a motion that a standing robot can do: Algorithm 1 of Li, Cummings, Sreenath,
--- "Animated Cassie: A Dynamic Relatable Robotic Character", 2020, for any robot that stands on contacts.
---
--- In windows that overlap, the torques squared and the weighted difference to the animation are least, while
--- dynamics, limits, friction and support hold; time may stretch. A window begins in the state that the one
--- before reached there; the first begins with the base of the first frame, feet where they are held, at
--- rest; the last ends with the base at rest.
local geometry = require "brio.lib.geometry"
local records = require "brio.motion.standing.records"
local schema = require "brio.lib.schema"
local trajectory = require "brio.trajectory"
local windows = require "brio.motion.standing.windows"

local standing = {}

--- Where a contact's point is in a configuration: a position, or with a sole a pose.
local function place_of(robot, configuration, contact, ground)
  local pose = robot:forward(configuration).links[contact.link]
  if not pose then return nil end
  local point = contact.point or { 0, 0, 0 }
  local turned = geometry.turn(pose.orientation, point.position or point)
  return { pose.position[1] + turned[1], pose.position[2] + turned[2], ground }
end

--- The contacts as a problem has them: all with a place.
local function contacts_of(robot, animation, options)
  local list = {}
  for index, contact in ipairs(options.contacts) do
    local made = { friction = options.friction }
    for key, value in next, contact do made[key] = value end
    made.at = made.at or place_of(robot, animation.frames[1], contact, options.ground)
    if not made.at then error(("contact %d: the robot has no link '%s'"):format(index, contact.link), 4) end
    list[index] = made
  end
  return list
end

--- Weights of the frames of a window.
local function weights_of(window, keys, weights)
  local list = {}
  for frame = window.first, window.last do
    list[#list + 1] = keys[frame] and weights.key or weights.frame
  end
  list[#list] = weights.ending
  return list
end

--- The conditions of a window's begin: the first frame's base with the contacts closed (or the whole first
--- frame), at rest, or the state that the window before reached there.
local function begin_terms(terms, animation, window, reached, start)
  local function add(term) terms[#terms + 1] = term end
  if not reached then
    local whole = start == "whole"
    add { "pose", node = 1, at = animation.frames[1], joints = not whole and 0 or nil }
    if not whole then add { "closed", node = 1 } end
    return add { "rest", node = 1 }
  end
  local node = reached[window.first]
  add { "pose", node = 1, at = node.configuration }
  local velocity = node.velocity
  return add { "rest", node = 1, velocity = velocity.joints, base_linear = velocity.linear,
    base_angular = velocity.angular }
end

--- The problem of a window.
local function problem_of(task, window, reached)
  local options, animation = task.options, task.animation
  local reference = table.move(animation.frames, window.first, window.last, 1, {})
  local nodes = #reference
  local terms = {
    -- the cost of a term is half the square of its rows
    { "effort", weight = 2, scale = options.scale },
    { "follow", weight = 2, reference = reference, weights = weights_of(window, task.keys, task.weights),
      phase = 1 },
    -- what neither torque nor animation determine: velocities at a free end, and the time
    { "velocity", weight = 2 * options.calm },
    { "duration", weight = 2 * options.tempo, node = 1 },
    { "friction" },
    { "support", margin = options.margin },
  }
  begin_terms(terms, animation, window, reached, options.start)
  if window.last == #animation.frames then
    terms[#terms + 1] = { "rest", node = "last", angular = 0, joints = 0 }
    -- the rest of it only as far as the feet let it: they hold by acceleration, and drift a little
    if options.settle > 0 then
      terms[#terms + 1] = { "velocity", weight = 2 * options.settle, node = "last" }
    end
  end
  return {
    scheme = options.scheme, motors = options.motors, limits = options.limits, terms = terms,
    phases = { { nodes = nodes, duration = (nodes - 1) / animation.rate, stretch = { 1, options.stretch },
      contacts = task.contacts } },
  }, reference
end

--- The first motion of a window: of an earlier result, or by its reference.
local function first_motion(task, made, window, reference)
  local from = task.options.from
  if not from then return made:guess(reference) end
  local motion = table.move(from.motion, window.first, window.last, 1, {})
  for index, node in ipairs(motion) do
    local stretch = math.max(1, math.min(node.stretch, task.options.stretch))
    motion[index] = { configuration = node.configuration, velocity = node.velocity, torque = node.torque,
      stretch = stretch }
  end
  return motion
end

--- What a motion may break when its iterations are used up, by the tolerance: 1e-6 as it is set.
local slack = 10

--- Solve a window. nil, why, code: its dynamics fail, or the method is not here.
local function solve_window(task, index, reached)
  local options, window = task.options, task.windows[index]
  local problem, reference = problem_of(task, window, reached)
  local made = trajectory.new(task.robot, problem)
  local motion, why, code = first_motion(task, made, window, reference)
  if not motion then return nil, why, code end
  local report = options.report
  local outcome
  motion, outcome, code = made:solve(motion, {
    backend = options.backend, iterations = options.iterations, tolerance = options.tolerance,
    seconds = math.max(0, options.seconds - task.spent), barrier = options.from and 1e-4 or nil,
    report = report and function(progress) return report(index, #task.windows, progress) end,
  })
  if not motion then return nil, outcome, code end
  -- out of iterations: it was still getting cheaper, or hovers just above the tolerance
  local enough = slack * options.tolerance
  if outcome.finish == "time" and outcome.violation <= enough then outcome.finish = "feasible" end
  if outcome.violation > enough then
    outcome.faults = select(2, made:judge(motion))
    for _, fault in ipairs(outcome.faults) do fault.frame = window.first + fault.node - 1 end
  end
  return motion, outcome, code
end

--- Put a window's nodes in their places, with the time that passes between them.
local function join(task, window, motion, result)
  for index, node in ipairs(motion) do
    node.stretch = motion[1].stretch
    result.motion[window.first + index - 1] = node
  end
  local time = 0
  for index, node in ipairs(result.motion) do
    -- an interval belongs to the window that it begins in; the next one overwrites from its begin
    if index > 1 then time = time + result.motion[index - 1].stretch / task.animation.rate end
    node.time = time
  end
end

--- The task of a call, checked.
local function task_of(robot, animation, options)
  schema.check(animation, records.animation, "standing.optimize: animation", 3)
  schema.check(options, records.options, "standing.optimize: options", 3)
  local full = schema.defaults(records.options)
  for key, value in next, options do full[key] = value end
  local weights = schema.defaults(records.weights)
  for key, value in next, options.weights or {} do weights[key] = value end
  local count = #animation.frames
  if count < 2 then error("standing.optimize: an animation needs at least 2 frames", 3) end
  local span, overlap = math.tointeger(full.window // 1), math.tointeger(full.overlap // 1)
  if span > 0 and overlap >= span then error("standing.optimize: overlap must be less than window", 3) end
  local marks = windows.marks(count, animation.keys, math.tointeger(full.every // 1))
  local keys = {}
  for _, frame in ipairs(animation.keys or marks) do keys[frame] = true end
  return {
    robot = robot, animation = animation, options = full, weights = weights, keys = keys, spent = 0,
    contacts = contacts_of(robot, animation, full),
    windows = span > 0 and windows.divide(marks, span, overlap) or { { first = 1, last = count } },
  }
end

--- Judge an animation as it is: the motion that follows its frames in its own time, by differences and the
--- torques that come nearest, and the constraints that it breaks.
---@param robot userdata of brio.robot, with a free base
---@param animation table as of optimize
---@param options table as of optimize
---@return table? motion
---@return table|string faults { what, violation, node, row }, worst first, the node is the frame; or why not
---@return string? code
function standing.judge(robot, animation, options)
  local task = task_of(robot, animation, options)
  local problem, reference = problem_of(task, { first = 1, last = #animation.frames })
  local made = trajectory.new(robot, problem)
  local motion, why, code = made:guess(reference)
  if not motion then return nil, why, code end
  return motion, (select(2, made:judge(motion)))
end

--- Go on after the windows that an earlier call has finished.
local function begin_result(task)
  local before = task.options.resume
  if not before then
    return { motion = {}, finish = "solved", cost = 0, violation = 0, seconds = 0, windows = {} }
  end
  for index, window in ipairs(before.windows) do
    local here = task.windows[index]
    -- windows that had to be solved together are one
    while here and here.first == window.first and here.last < window.last and task.windows[index + 1] do
      windows.unite(task.windows, index)
      here = task.windows[index]
    end
    if not (here and here.first == window.first and here.last == window.last) then
      error("standing.optimize: resume: its windows are those of another animation", 3)
    end
  end
  return before
end

--- Whether a window that does not keep the constraints is to be solved together with the one before it, whose
--- end may be a state that nothing good follows.
local function may_unite(task, index, outcome)
  return index > 1 and outcome.finish ~= "cancelled" and task.spent < task.options.seconds
end

--- Take a window that is solved into the result.
local function add_window(task, index, motion, outcome, result)
  local window = task.windows[index]
  join(task, window, motion, result)
  outcome.first, outcome.last, outcome.stretch = window.first, window.last, motion[1].stretch
  result.windows[index] = outcome
  result.finish, result.cost, result.violation = "solved", 0, 0
  for _, one in ipairs(result.windows) do
    if one.finish ~= "solved" then result.finish = one.finish end
    result.cost, result.violation = result.cost + one.cost, math.max(result.violation, one.violation)
  end
end

--- Make a motion of an animation that keeps its character and that the robot can do, standing.
---@param robot userdata of brio.robot, with a free base
---@param animation table { rate =, frames = configurations, keys = numbers of the keyframes }
---@param options table contacts, stretch, window, weights, ...: records.options
---@return table? result { motion = nodes with times, finish, cost, violation, seconds, windows }; `finish` is
--- "solved", "feasible", or how the first window ended that is neither: then the motion, which ends with that
--- window, must not reach a robot, and its entry of `windows` has `faults`: which constraints, at which
--- frame, by how much
---@return string? why
---@return string? code
function standing.optimize(robot, animation, options)
  local task = task_of(robot, animation, options)
  local result, finished = begin_result(task), task.options.finished
  local index = #result.windows + 1
  while index <= #task.windows do
    local motion, outcome, code = solve_window(task, index, index > 1 and result.motion)
    if not motion then return nil, outcome, code end
    task.spent, result.seconds = task.spent + outcome.seconds, result.seconds + outcome.seconds
    local good = outcome.finish == "solved" or outcome.finish == "feasible"
    if not good and may_unite(task, index, outcome) then
      index = index - 1
      windows.unite(task.windows, index)
      result.windows[index] = nil
    else
      add_window(task, index, motion, outcome, result)
      if not good then break end
      if finished then finished(result, #task.windows) end
      index = index + 1
    end
  end
  return result
end

return standing
