--- Common parts of the leaves that move a limb.
---
--- A leaf computes its target (targets.lua) in slices of a few ms a tick, then begins a motion
--- (motion.lua), and at the end of its nominal time compares the measured positions with its tolerances: it
--- succeeds, or fails with the error and its cause. With a `timeout` it waits that long for success.
local around = require "brio.tree.execution.around"
local fields = require "brio.lib.fields"
local geometry = require "brio.lib.geometry"
local lead = require "brio.tree.execution.lead"
local limbs = require "brio.robots.limbs"
local motion = require "brio.tree.execution.motion"
local reach = require "brio.tree.execution.reach"
local reasons = require "brio.behavior.wants.why"
local suggest = require "brio.lib.suggest"
local targets = require "brio.tree.execution.targets"

local moves = {}

--- Additional time at the end of the nominal time for a robot that still approaches its target, s.
local settling = 0.5

--- A limb that is this near to something, m, for so long, s, is stopped by it.
local stopped_at, stopped_for = 0.01, 0.1

--- Fields of all these leaves.
moves.fields = {
  part = { "string", doc = "the part of the robot that moves, if it is not the one of its name" },
  seconds = { "number", unit = "s", lower = 0, upper = 3600,
    doc = "its nominal time; without, what limits and speed let it take. Where limits ask for more, it \z
      takes more" },
  timeout = { "number", unit = "s", lower = 0, upper = 86400,
    doc = "time from its start by which it must succeed; default: its nominal time" },
  speed = { "number", unit = "1", lower = 0.01, upper = 1, value = 0.5,
    doc = "share of the limits of speed and acceleration that is used without seconds" },
  follow = { "number", unit = "1", lower = 0.01, upper = 1e6,
    doc = "how hard joints are followed: a weight; without, as any track: 500" },
  alive = { "number", unit = "1", lower = 0, upper = 1,
    doc = "how much of what lends joints life stays on top" },
  hold = { "any",
    doc = "afterwards: true (default): joints stay until another leaf takes them or the state is left; \z
      \"always\": also then; false: they return to the goals of the state" },
  tolerance = { "number", unit = "rad", lower = 0, upper = 1000, value = 0.1,
    doc = "for joint goals: the permitted sum of their errors" },
  owns = { "table", doc = "what it moves, if that is not exactly its joints" },
}

--- Fields of leaves with a target pose of a link.
moves.pose_fields = {
  link = { "string", doc = "the link or role of the poses, if it is not the limb's end" },
  pose = { "pose", doc = "the goal of its end, in frame; an omitted part is free" },
  frame = { "string", doc = "frame of poses: a link, a role, \"world\", or something that the robot sees; \z
    it is followed until the leaf begins to move. Default: the link that the robot stands with" },
  position_tolerance = { "number", unit = "m", lower = 1e-6, upper = 1000, value = 0.02,
    doc = "how far off its end may be" },
  orientation_tolerance = { "number", unit = "rad", lower = 1e-6, upper = 4, value = 0.1,
    doc = "how far turned it may be" },
}

--- Fields of leaves with joint targets.
moves.joint_fields = {
  joints = { "table", doc = "values by name, or a list of all of the limb's in the robot's order" },
  preset = { "string", doc = "a pose of the robot's file, of which the limb's joints are used" },
  waypoints = { "any", doc = "several, gone through without a stop: a list of { joints = }, { preset = } or "
    .. "{ pose =, frame = }, with `at` (s) or without; or the name of a sequence, whose keys they are" },
}

--- Fields of leaves that may have a target pose in addition to joint targets.
moves.hybrid_fields = {
  jointspace_only = { "boolean", value = true,
    doc = "false: its end moves straight to the pose, by the weights, instead of in joint space" },
  position_weight = { "number", unit = "1", lower = 0, upper = 1e6, value = 50,
    doc = "of the straight way, as that of orientation_weight: the greater of the two counts, against \z
      jointspace_weight" },
  orientation_weight = { "number", unit = "1", lower = 0, upper = 1e6, value = 50,
    doc = "as position_weight" },
  jointspace_weight = { "number", unit = "1", lower = 0, upper = 1e6, value = 0,
    doc = "weight of the path in joint space: each joint straight from its position to its goal" },
  hold_in_world = { "boolean", value = false,
    doc = "afterwards its end keeps its pose in the world, however its base moves" },
  plan = around.field,
  keep = around.keep,
  touch = around.touch,
  detour = around.detour,
  improve = around.improve,
}

--- Merge lists of fields.
function moves.merged(...)
  local all = {}
  for _, list in ipairs { ... } do
    for name, field in next, list do all[name] = field end
  end
  return all
end

--- The tolerances of a form: {position = m, orientation = rad}.
function moves.tolerances(form)
  return { position = form.position_tolerance or 0.02, orientation = form.orientation_tolerance or 0.1 }
end

-- Remaining errors ------------------------------------------------------------------------------------------

--- The present goal pose of a limb's end, given the poses of links: a goal in a frame of the robot itself
--- moves with the robot, which may be walking.
local function goal_now(site, form, memory, links)
  local goal, description = memory.goal, site.description
  if not form.pose or memory.limb.base or form.hold_in_world then return goal end
  local own = links[form.frame == nil and limbs.root(description.robot) or description.roles[form.frame]
    or form.frame]
  return own and reach.goal(own, form.pose) or goal
end

--- Remaining errors: a list of {what, error, tolerance, unit}, the largest in relation to its tolerance
--- first.
function moves.left(site, form, memory)
  local motions, limb, rows = motion.of(site.host), memory.limb, {}
  local measured = motions:measured()
  if memory.goal then
    local links = site.description.robot:forward(motions:configuration(measured)).links
    local goal = goal_now(site, form, memory, links)
    local position, orientation = reach.off(links[limb.link], goal)
    if goal.position then rows[#rows + 1] = { limb.link, position, moves.tolerances(form).position, "m" } end
    if goal.orientation then
      rows[#rows + 1] = { limb.link, orientation, moves.tolerances(form).orientation, "rad" }
    end
  else
    local sum, joints = 0, memory.motion.way
    for d, name in ipairs(limb.dofs) do sum = sum + math.abs(measured[name] - joints:last(d)) end
    rows[1] = { #limb.dofs > 1 and "sum of its joints" or limb.dofs[1], sum, form.tolerance, memory.unit }
  end
  table.sort(rows, function(a, b) return a[2] * b[3] > b[2] * a[3] end)
  return rows
end

--- The pair of solids that keeps a limb from going on: {a, b, distance}, and the one that is not the limb's.
local function nearness(site, limb)
  local moves_it, best = {}, nil
  for _, name in ipairs(limb.dofs) do moves_it[name] = true end
  local function of_limb(link)
    if not suggest.contains(site.description.robot:links(), link) then return false end
    for _, name in ipairs(limbs.chain(site.description.robot, link)) do
      if moves_it[name] then return true end
    end
    return false
  end
  for _, pair in ipairs(site.host.solver:proximity(0.03)) do
    if pair.physical and pair.distance < 0.03 and pair.normal and (not best or pair.distance < best.distance)
      and (of_limb(pair.a) or of_limb(pair.b)) then best = pair end
  end
  return best, best and (of_limb(best.a) and best.b or best.a)
end

--- Why a limb is not at its target, in words; nil: unknown.
local function cause(site, memory)
  local host, moving, worst, off = site.host, memory.motion, nil, 0.005
  local measured = motion.of(host):measured()
  for _, name in ipairs(memory.limb.dofs) do
    local said, told = moving.said[name], host.actuator:target(name)
    local reason = reasons.of(host, name)
    if reason.owner and reason.owner ~= moving.name and math.abs(said - told) > off then
      return ("%s has %s (%s)"):format(reason.owner, name, reason.whose or "script")
    end
    if math.abs(said - told) > (worst and worst.off or off) then
      worst = { name = name, off = math.abs(said - told) }
    end
    if math.abs(told - measured[name]) > (worst and worst.off or off) then
      worst = { name = name, off = math.abs(told - measured[name]), behind = true }
    end
  end
  local near = nearness(site, memory.limb)
  if near and not (worst and worst.behind) then
    return ("%s is %.3f m from %s"):format(near.a, near.distance, near.b)
  end
  if not worst then return nil end
  return worst.behind and ("%s is %.3g off its command: it does not follow"):format(worst.name,
    worst.off)
    or ("%s is held %.3g back by its limits, or by what else is wanted"):format(worst.name, worst.off)
end

--- The sentence on remaining errors, after the nominal time.
local function complaint(site, memory, row, elapsed)
  local why = cause(site, memory)
  return ("after %.2f s the %s is off: %s by %.3g %s, where %.3g would do%s"):format(elapsed,
    moves.called(memory.limb), row[1], row[2], row[4], row[3], why and "; " .. why or "")
end

--- A limb in words.
function moves.called(limb) return (limb.side and limb.side .. " " or "") .. limb.name end

-- Work ------------------------------------------------------------------------------------------------------

--- Pose of the base at a share of the time: on a straight line from start to target.
local function course(goal, from)
  local a = from.position
  local b = goal.height and { a[1], a[2], goal.position[3] } or goal.position
  return function(u)
    local s = u * u * u * (10 + u * (6 * u - 15))
    return b and { a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2]), a[3] + s * (b[3] - a[3]) },
      goal.orientation and geometry.between(from.orientation, goal.orientation, s)
  end
end

--- Objectives of the base, whose goals move along that line.
local function goals_of(site, form, memory, at)
  local solver, list = site.host.solver, {}
  local function add(kind, weight, pick)
    local slot, why = solver:add(memory.key .. "." .. kind, kind, { link = memory.limb.link })
    if not slot then return why end
    solver:goal(slot, pick(0))
    solver:weight(slot, weight, 0.1)
    list[#list + 1] = { slot = slot, at = pick }
  end
  local why
  if memory.goal.position then
    why = add("position_match", form.position_weight, function(u) return (at(u)) end)
  end
  if memory.goal.orientation and not why then
    why = add("orientation_match", form.orientation_weight, function(u) return select(2, at(u)) end)
  end
  return list, why
end

--- A form in terms of joints or a pose: kinds with fields of their own convert them.
local function aimed(kind, form, site, limb)
  if not kind.aim then return form end
  local aim, why = kind.aim(form, site, limb)
  if not aim then return nil, why end
  return setmetatable(aim, { __index = form })
end

--- Begin the motion along a way.
local function begin(site, form, memory, planned)
  local motions, limb = motion.of(site.host), memory.limb
  memory.goal, memory.quality = planned.goal, planned.quality
  local parts = { name = memory.key, dofs = limb.dofs, way = planned.way, state = site.name, hold = form.hold,
    follow = form.follow, alive = form.alive, base = limb.base, link = limb.link, carriers = memory.carriers }
  local why
  if limb.base then
    parts.goals, why = goals_of(site, form, memory,
      course(planned.goal, site.host.solver:frames()[limb.link]))
  elseif form.hold_in_world and planned.goal then
    parts.stays, parts.lead = true, lead.keep { motions = motions, robot = site.description.robot,
      limb = limb, kept = motions.workspaces, goal = planned.goal, tolerances = moves.tolerances(form) }
  end
  if why then return false, why end
  memory.motion, why = motions:begin(parts)
  if not memory.motion then return false, why end
  return nil
end

--- Weight of a straight path of the end against the joints' path, 0 to 1; nil: none.
local function straight(form)
  local weight = form.jointspace_only == false and math.max(form.position_weight, form.orientation_weight)
    or 0
  return weight > 0 and weight / (weight + form.jointspace_weight) or nil
end

--- What is so near at first may be touched on a prescribed way, m: what is touched; what is grasped.
local touched, grasped = 2e-4, 0.01

--- Plan for a slice.
local function plan(site, form, memory, elapsed, kind)
  local motions = motion.of(site.host)
  if not memory.plan and motions:awaits(memory.carriers, memory) then return nil end
  if not memory.plan then
    local meant, why = aimed(kind, form, site, memory.limb)
    if not meant then return false, why end
    memory.plan, why = kind.plan(site, meant, memory)
    if not memory.plan then return false, why end
  end
  local planned, why, code = memory.plan:step()
  if planned == nil then return nil end
  if planned then
    local sequence = type(form.waypoints) == "string"
    local prescribed = (sequence or straight(form)) and not form.detour
    local free = not (prescribed or memory.limb.base) and kind.plan == moves.plan
    return around.begin { site = site, form = form, memory = memory, planned = planned, free = free,
      stops = free and not sequence and form.waypoints and planned.points or nil,
      prescribed = not free and (kind.grasps and grasped or touched) or nil,
      follows = not sequence and not memory.limb.base, begin = begin }
  end
  if code == "no_frame" and form.timeout and elapsed < form.timeout then
    memory.plan = nil -- plan again on arrival; callers that would wait continue
    motions.planning[memory] = nil
    return nil
  end
  return false, why
end

--- Targets of the joints of a leaf's limb.
local function told(site, memory)
  local joints = {}
  for _, name in ipairs(memory.limb.dofs) do joints[name] = site.host.actuator:target(name) end
  return joints
end

--- Targets of a leaf when it starts: the limb, and its joints' goals.
local function trigger(site, form, memory, kind)
  local why
  memory.limb, why = limbs.find(site.description, kind.limb, form)
  if not memory.limb then return false, why end
  memory.before, memory.unit, memory.carriers = told(site, memory), "rad", {}
  for _, name in ipairs(memory.limb.link and limbs.chain(site.description.robot, memory.limb.link) or {}) do
    memory.carriers[name] = not suggest.contains(memory.limb.dofs, name) or nil
  end
  motion.of(site.host).planning[memory] = true
  for _, dof in ipairs(site.description.dofs) do
    if dof.unit ~= "rad" and suggest.contains(memory.limb.dofs, dof.name) then memory.unit = "rad or m" end
  end
  return nil
end

--- Whether a robot that lags behind its commands still approaches: it gets more time.
local function comes_nearer(site, memory, left)
  local now, before = site.host.now, memory.left or math.huge
  memory.over = memory.over or now
  memory.left = math.min(left, before)
  return now - memory.over < settling and left < before - 1e-6
end

--- A limb is off its goal at the end of its own way: if it stands in front of something, plan a way around.
local function goes_around(site, form, memory, worst, elapsed)
  if not around.may(form, memory) then return false end
  local near, other = nearness(site, memory.limb)
  if not near or near.distance > stopped_at then
    memory.near_since = nil
    return false
  end
  memory.near_since = memory.near_since or site.host.now
  if site.host.now - memory.near_since < stopped_for then return false end
  return around.blocked(memory, other, complaint(site, memory, worst, elapsed))
end

--- The nominal time has ended: decide on success.
local function judge(site, form, memory, elapsed)
  local rows = moves.left(site, form, memory)
  local worst = rows[1]
  if worst[2] <= worst[3] then
    memory.motion:settle()
    return true
  end
  if goes_around(site, form, memory, worst, elapsed) then return nil end
  if form.timeout and elapsed < form.timeout then return nil end
  if around.may(form, memory) and memory.near_since then return nil end
  if comes_nearer(site, memory, worst[2]) then return nil end
  local why = complaint(site, memory, worst, elapsed)
  memory.motion:stay()
  memory.motion:settle()
  return false, why
end

--- A leaf's work until its motion begins.
local function prepare(kind, site, form, memory, fresh, elapsed)
  local result, why
  if fresh then
    result, why = trigger(site, form, memory, kind)
  elseif memory.clear then
    result, why = around.await(form, memory, elapsed)
  else
    result, why = plan(site, form, memory, elapsed, kind)
  end
  if result ~= nil then motion.of(site.host).planning[memory] = nil
  elseif not memory.motion then memory.before = told(site, memory) end
  return result, why
end

local function work(kind, site, form, memory, fresh, elapsed)
  if not memory.motion then return prepare(kind, site, form, memory, fresh, elapsed) end
  local moving = memory.motion
  if moving.lost then return false, ("%s was taken by %s"):format(moving.lost.joint, moving.lost.to) end
  if not moving:on() then return false, "its motion was stopped by somebody" end
  local sure, doubt = around.watch(form, memory, elapsed)
  if not sure then return sure, doubt end
  if moving:over() then return judge(site, form, memory, elapsed) end
  if form.timeout and elapsed >= form.timeout then
    local why = ("it takes longer than its timeout: %.0f %% of its way after %.2f s"):format(
      100 * moving:share(), elapsed)
    moving:stop()
    return false, why
  end
  return nil
end

--- The default plan of leaves with targets: a plan of targets.lua.
function moves.plan(site, form, memory)
  local list, why = targets.read(form, memory.limb, site)
  if not list then return nil, why end
  local motions, start = motion.of(site.host), {}
  for _, name in ipairs(memory.limb.dofs) do start[name] = { motions:at(name, memory.before[name]) } end
  return targets.plan { description = site.description, limb = memory.limb, list = list, start = start,
    configuration = motions:configuration(motions:expected()), tolerances = moves.tolerances(form),
      kept = motions.workspaces,
    scene = reach.seen(site.host), seconds = form.seconds, speed = form.speed, straight = straight(form),
    shapes = site.host.shapes }
end

-- Checks before a run ---------------------------------------------------------------------------------------

--- A configuration for checks without a run: the home pose.
local function at_home(description)
  local joints = {}
  for _, dof in ipairs(description.dofs) do
    if not dof.outside then joints[dof.name] = description.poses[description.home].joints[dof.name] end
  end
  return { joints = joints }
end

--- The error in a form on a robot, before a run.
local function fault(kind, form, site)
  if form.hold ~= nil and type(form.hold) ~= "boolean" and form.hold ~= "always" then
    return "hold must be true, false or \"always\""
  end
  if around.fault(form) then return around.fault(form) end
  local limb, why = limbs.find(site.description, kind.limb, form)
  if not limb then return why end
  if kind.fault then return kind.fault(form, site, limb) end
  form, why = aimed(kind, form, site, limb)
  if not form then return why end
  local list
  list, why = targets.read(form, limb, site)
  if not list then return why end
  for index, target in ipairs(list) do
    why = target.pose and not limb.base and not site.live and moves.unreachable(form, site, limb, target)
    if why then return #list > 1 and ("waypoint %d: %s"):format(index, why) or why end
  end
  return nil
end

--- Why a pose cannot be reached even if all joints that carry the link may move.  Nil if it can, or if its
--- frame is unknown until the robot sees it.
function moves.unreachable(form, site, limb, target)
  local description = site.description
  local home = at_home(description)
  site.workspaces = site.workspaces or {}
  local frame = reach.frame(description, nil, target.frame, home)
  if not frame then return nil end
  local found = reach.find { robot = description.robot, link = limb.link,
    dofs = limbs.chain(description.robot, limb.link),
    goal = reach.goal(frame, target.pose), from = home, tolerances = moves.tolerances(form),
      kept = site.workspaces }
  if found.quality <= 1 then return nil end
  return ("the %s cannot get there: %s comes as near as %s"):format(moves.called(limb), limb.link,
    reach.words(found, moves.tolerances(form)))
end

--- The approximate duration of a form, from the robot's home pose if nothing better is known.
local function seconds(form, site, kind)
  if form.seconds and form.seconds >= 1e-3 then return form.seconds end
  local limb = limbs.find(site.description, kind.limb, form)
  local meant = limb and aimed(kind, form, site, limb)
  local list = meant and targets.read(meant, limb, site)
  if not list or #list == 0 then return nil end
  local motions = site.host and motion.of(site.host)
  local now = motions and motions:configuration(motions:expected()) or at_home(site.description)
  local start = {}
  for _, name in ipairs(limb.dofs) do start[name] = { now.joints[name], 0 } end
  local plan_ = targets.plan { description = site.description, limb = limb, list = list, start = start,
    configuration = now,
    tolerances = moves.tolerances(form), kept = {}, scene = site.host and reach.seen(site.host),
      speed = form.speed }
  while true do
    local planned = plan_:step()
    if planned == false then return nil end
    if planned then return planned.way.seconds end
  end
end

--- Progress of a leaf, for viewers.
local function progress(site, form, memory)
  local clear = memory.clear
  if not memory.motion or clear and clear.phase then
    return { text = clear and clear:text() or "looks for a way" }
  end
  local row = moves.left(site, form, memory)[1]
  return { value = memory.motion:share(), error = row[2], tolerance = row[3], unit = row[4],
    nominal = memory.motion.way.seconds, text = clear and clear:text()
      or memory.goal and ("quality %.3g"):format(memory.quality) or nil }
end

--- The present state of the limb, as the fields of a form that restores it.
local function capture(form, site, kind)
  local limb, why = limbs.find(site.description, kind.limb, form)
  if not limb then return nil, why end
  local motions = motion.of(site.host)
  local measured = motions:measured()
  local joints = {}
  for _, name in ipairs(limb.dofs) do joints[name] = math.floor(measured[name] * 1e4 + 0.5) / 1e4 end
  if type(form.waypoints) == "table" then
    local list = table.move(form.waypoints, 1, #form.waypoints, 1, {})
    list[#list + 1] = { joints = joints }
    return { waypoints = list }
  end
  if kind.captured and kind.captured(form, limb, joints, site) then
    return kind.captured(form, limb, joints, site)
  end
  if not (form.pose or kind.posed) then
    return { joints = joints, preset = form.preset and fields.none,
      waypoints = form.waypoints and fields.none }
  end
  local now = motions:configuration(measured)
  local frame
  frame, why = reach.frame(site.description, reach.seen(site.host), form.frame, now)
  if not frame then return nil, why end
  local pose = geometry.within(geometry.inverse(frame), site.description.robot:forward(now).links[limb.link])
  if kind.posed then return kind.posed(form, pose) end
  return { pose = { position = form.pose.position and pose.position,
    orientation = form.pose.orientation and pose.orientation } }
end

--- The record of a leaf (see tree/leaves.lua).  kind: {name, doc, fields, limb = its kind, [grasps = whether
--- it moves what it holds; aim(form, site, limb) -> its own fields converted to joints or a pose;
--- captured(form, limb, joints, site) and posed(form, pose) -> its own fields for measured values; plan(site,
--- form, memory); fault(form, site, limb)]}.
function moves.leaf(kind)
  kind.plan = kind.plan or moves.plan
  return {
    name = kind.name, doc = kind.doc, fields = kind.fields, needs = kind.needs, inherit = kind.inherit,
    fault = function(form, site) return fault(kind, form, site) end,
    owns = function(form, site)
      local limb = limbs.find(site.description, kind.limb, form)
      return limb and limb.dofs or {}, true
    end,
    seconds = function(form, site) return (kind.seconds or seconds)(form, site, kind) end,
    work = function(...) return work(kind, ...) end,
    stop = function(site, _, memory)
      motion.of(site.host).planning[memory] = nil
      if memory.motion then memory.motion:stop() end
    end,
    pause = function(_, _, memory, on) if memory.motion then memory.motion:rest(on) end end,
    progress = progress,
    capture = function(form, site) return capture(form, site, kind) end,
    mirror = kind.mirror,
  }
end

moves.targets = targets
return moves
