--- The leaf `drive`: drives a robot on wheels to a pose, by the planar joint of its model.
local frames = require "brio.perception.frames"
local geometry = require "brio.lib.geometry"
local motion = require "brio.tree.execution.motion"
local suggest = require "brio.lib.suggest"
local way = require "brio.tree.execution.way"

--- The planar joint of a robot, {joint, link, dofs = three names, rows = its DOFs}; nil and a sentence.
local function base_of(description, form)
  local found, known = {}, {}
  for _, dof in ipairs(description.dofs) do known[dof.name] = dof end
  for _, name in ipairs(description.robot:joints()) do
    if known[name .. ".x"] and known[name .. ".y"] and known[name .. ".angle"] then
      found[#found + 1] = name
    end
  end
  if #found == 0 then
    return nil, ("the robot %s has no base that drives: its model has no planar joint"):format(
      description.name)
  end
  local joint = form.joint or found[1]
  if not suggest.contains(found, joint) then
    return nil, ("the robot %s has no planar joint '%s'%s"):format(description.name, joint,
      suggest.hint(joint, found))
  elseif #found > 1 and not form.joint then
    return nil, ("which base? The robot %s has %s: say joint"):format(description.name,
      table.concat(found, ", "))
  end
  local base = { joint = joint, link = description.robot:joint(joint).child, dofs = {}, rows = {} }
  for d, part in ipairs { ".x", ".y", ".angle" } do
    base.dofs[d], base.rows[d] = joint .. part, known[joint .. part]
  end
  return base
end

--- The angle nearest to `near` that equals `angle` modulo 2 pi.
local function nearest_turn(angle, near)
  return near + math.atan(math.sin(angle - near), math.cos(angle - near))
end

--- Goal of the base, {x, y, angle} in its joint; nil and a sentence. `at`: its command.
local function goal_of(site, form, base, motions, at)
  if not form.frame then
    local c, s = math.cos(at[3]), math.sin(at[3])
    return { at[1] + c * form.x - s * form.y, at[2] + s * form.x + c * form.y, at[3] + form.yaw }
  end
  local frame, why = frames.pose(site, form.frame)
  if not frame then return nil, why end
  local joints = motions:told()
  for _, dof in ipairs(base.dofs) do joints[dof] = 0 end
  local plane = site.description.robot:forward(motions:configuration(joints)).links[base.link]
  local turned = geometry.turn(frame.orientation, { form.x, form.y, 0 })
  local p = frame.position
  local point = frames.into(plane, { p[1] + turned[1], p[2] + turned[2], p[3] + turned[3] })
  local ahead = geometry.turn(frame.orientation, { math.cos(form.yaw), math.sin(form.yaw), 0 })
  local q = plane.orientation
  ahead = geometry.turn({ -q[1], -q[2], -q[3], q[4] }, ahead)
  return { point[1], point[2], nearest_turn(math.atan(ahead[2], ahead[1]), at[3]) }
end

--- The poses on the way: the goal at once, or first turned towards it.
local function legs_of(form, from, goal)
  local dx, dy = goal[1] - from[1], goal[2] - from[2]
  if form.via == "direct" or math.sqrt(dx * dx + dy * dy) < form.tolerance then return { goal } end
  local heading = nearest_turn(math.atan(dy, dx), from[3])
  if form.backwards then heading = nearest_turn(heading + math.pi, from[3]) end
  return { { from[1], from[2], heading }, { goal[1], goal[2], heading },
    { goal[1], goal[2], nearest_turn(goal[3], heading) } }
end

--- A path from one pose to the next at the given speeds; for x and y they are split by direction.
local function way_of(form, base, from, to, speeds)
  local dx, dy = math.abs(to[1] - from[1]), math.abs(to[2] - from[2])
  local length = math.max(1e-9, math.sqrt(dx * dx + dy * dy))
  local most = { form.speed * math.max(dx / length, 1e-3), form.speed * math.max(dy / length, 1e-3),
    form.turn_speed }
  local rows = {}
  for d, dof in ipairs(base.rows) do
    rows[d] = { name = dof.name, lower = dof.lower, upper = dof.upper,
      velocity = math.min(dof.velocity, most[d]),
      acceleration = math.min(dof.acceleration, 1e5) }
  end
  return way.through { dofs = rows, points = { from, to }, speeds = speeds, speed = 1 }
end

--- Begin the next leg.
local function go_on(site, form, memory)
  memory.leg = memory.leg + 1
  local motions, from, speeds = motion.of(site.host), {}, {}
  for d, name in ipairs(memory.base.dofs) do from[d], speeds[d] = motions:at(name) end
  if memory.leg > 1 then speeds = nil end
  local why
  memory.motion, why = motions:begin { name = memory.leg == 1 and memory.key
    or ("%s, leg %d"):format(memory.key, memory.leg),
    dofs = memory.base.dofs, way = way_of(form, memory.base, from, memory.legs[memory.leg], speeds),
      state = site.name,
    hold = "always" } -- otherwise it would drive back when the state is left
  return memory.motion and true, why
end

local function begin(site, form, memory)
  local why
  memory.base, why = base_of(site.description, form)
  if not memory.base then return false, why end
  local motions, at = motion.of(site.host), {}
  for d, name in ipairs(memory.base.dofs) do at[d] = (motions:at(name)) end
  memory.goal, why = goal_of(site, form, memory.base, motions, at)
  if not memory.goal then return false, why end
  for d, row in ipairs(memory.base.rows) do
    if memory.goal[d] < row.lower or memory.goal[d] > row.upper then
      return false, ("%s goes from %.4g to %.4g %s, not to %.4g"):format(row.name, row.lower, row.upper,
        row.unit, memory.goal[d])
    end
  end
  memory.legs, memory.leg = legs_of(form, at, memory.goal), 0
  local good
  good, why = go_on(site, form, memory)
  if not good then return false, why end
  return nil
end

--- Error of the base: m and rad.
local function off(site, memory)
  local measured, at = motion.of(site.host):measured(), {}
  for d, name in ipairs(memory.base.dofs) do at[d] = measured[name] end
  local goal = memory.goal
  return math.sqrt((goal[1] - at[1]) ^ 2 + (goal[2] - at[2]) ^ 2),
    math.abs(nearest_turn(goal[3], at[3]) - at[3])
end

local function judge(site, form, memory, elapsed)
  local distance, turn = off(site, memory)
  if distance <= form.tolerance and turn <= form.turn_tolerance then
    memory.motion:settle()
    return true
  end
  if form.timeout and elapsed < form.timeout then return nil end
  memory.motion:stay()
  memory.motion:settle()
  return false, ("after %.2f s it is %.3f m and %.3f rad off, where %g m and %g rad would do"):format(elapsed,
    distance, turn, form.tolerance, form.turn_tolerance)
end

local function work(site, form, memory, fresh, elapsed)
  if fresh then return begin(site, form, memory) end
  local moving = memory.motion
  if moving.lost then return false, ("%s was taken by %s"):format(moving.lost.joint, moving.lost.to) end
  if not moving:on() then return false, "its motion was stopped by somebody" end
  if form.timeout and elapsed >= form.timeout and not moving:over() then
    moving:stop()
    return false, ("it takes longer than its timeout, %g s: it is %.3f m off"):format(form.timeout,
      (off(site, memory)))
  end
  if not moving:over() then return nil end
  if memory.legs[memory.leg + 1] then
    local good, why = go_on(site, form, memory)
    if not good then return false, why end
    return nil
  end
  return judge(site, form, memory, elapsed)
end

--- Approximate duration, for a robot at home, if the path is known from there.
local function seconds(form, site)
  local base = base_of(site.description, form)
  if not base or form.frame then return nil end
  local at, sum = { 0, 0, 0 }, 0
  for _, to in ipairs(legs_of(form, at, { form.x, form.y, form.yaw })) do
    sum, at = sum + way_of(form, base, at, to).seconds, to
  end
  return sum
end

return {
  name = "drive",
  doc = "Drives a robot on wheels to a place and a heading.",
  fields = {
    x = { "number", unit = "m", lower = -1e5, upper = 1e5, value = 0, doc = "where to: ahead, in frame" },
    y = { "number", unit = "m", lower = -1e5, upper = 1e5, value = 0, doc = "and to the left" },
    yaw = { "number", unit = "rad", lower = -1e3, upper = 1e3, value = 0,
      doc = "its heading there, in frame" },
    frame = { "string", doc = "frame of x, y and yaw; default: the base at the start" },
    via = { "choice", of = { "direct", "turn_drive_turn" }, value = "direct",
      doc = "direct: also sideways; turn_drive_turn: turn, drive straight, turn again, for wheels that \z
        only roll" },
    backwards = { "boolean", value = false, doc = "of turn_drive_turn: it drives in reverse" },
    speed = { "number", unit = "m/s", lower = 0.001, upper = 100, value = 0.3, doc = "at the most" },
    turn_speed = { "number", unit = "rad/s", lower = 0.001, upper = 100, value = 0.6, doc = "at the most" },
    tolerance = { "number", unit = "m", lower = 0.0001, upper = 100, value = 0.05,
      doc = "how far off it may be" },
    turn_tolerance = { "number", unit = "rad", lower = 0.0001, upper = 10, value = 0.05,
      doc = "how far turned" },
    timeout = { "number", unit = "s", lower = 0, upper = 86400,
      doc = "time after which it fails; default: its nominal time" },
    joint = { "string", doc = "the planar joint, where there are several" },
    owns = "table",
  },
  fault = function(form, site)
    local base, why = base_of(site.description, form)
    return not base and why or nil
  end,
  owns = function(form, site)
    local base = base_of(site.description, form)
    return base and base.dofs or {}, true
  end,
  seconds = seconds,
  work = work,
  stop = function(_, _, memory) if memory.motion then memory.motion:stop() end end,
  pause = function(_, _, memory, on) if memory.motion then memory.motion:rest(on) end end,
  progress = function(site, form, memory)
    if not memory.motion then return {} end
    local distance, turn = off(site, memory)
    local turns = turn / form.turn_tolerance > distance / form.tolerance
    return { value = turns and turn or distance, error = turns and turn or distance,
      unit = turns and "rad" or "m", tolerance = turns and form.turn_tolerance or form.tolerance,
      text = #memory.legs > 1 and ("leg %d of %d"):format(memory.leg, #memory.legs) or nil }
  end,
  capture = function(form, site)
    local base, why = base_of(site.description, form)
    if not base then return nil, why end
    local name = form.frame or "world" -- a fixed frame: a frame of the robot would move with it
    local frame, sentence = frames.pose(site, name)
    local pose = site.host.scene:frame(base.link)
    if not frame or not pose then return nil, sentence or "it is not known where the base is" end
    local point, q = frames.into(frame, pose.position), frame.orientation
    local ahead = geometry.turn({ -q[1], -q[2], -q[3], q[4] }, geometry.turn(pose.orientation, { 1, 0, 0 }))
    local function short(value) return math.floor(value * 1e4 + 0.5) / 1e4 end
    return { frame = name, x = short(point[1]), y = short(point[2]),
      yaw = short(math.atan(ahead[2], ahead[1])) }
  end,
  inherit = { "frame", "via", "speed", "turn_speed", "tolerance", "turn_tolerance", "joint" },
}
