--- Arms of robots of the simulator with random goals, some reached, some stopped or replaced on their way:
--- whatever the goal, no joint's command exceeds its limits of speed and acceleration, and failures have a
--- reason.  `make soak` runs more.
local fields = require "brio.lib.fields"
local limbs = require "brio.robots.limbs"
local random = require "brio.random"
local trees = require "brio.tree"

local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1

--- A random form for an arm, with a goal that its joints can reach.
local function random_form(stream, run, limb, side)
  local known, joints = {}, {}
  for _, dof in ipairs(run.description.dofs) do known[dof.name] = dof end
  for _, name in ipairs(limb.dofs) do joints[name] = stream:uniform(known[name].lower, known[name].upper) end
  local form = { "arm", side = side, joints = joints,
    seconds = stream:uniform() < 0.5 and stream:uniform(0, 2) or nil }
  if stream:uniform() < 0.3 then
    local whole = {}
    for name in next, known do whole[name] = not known[name].outside and run.actuator:target(name) or nil end
    for name, value in next, joints do whole[name] = value end
    local pose = run.description.robot:forward({ joints = whole }).links[limb.link]
    form.joints, form.jointspace_only = nil, stream:uniform() < 0.5
    form.pose = { position = pose.position, orientation = stream:uniform() < 0.5 and pose.orientation or nil }
  end
  return fields.filled(form, trees.kinds.arm.fields)
end

--- Tracks the commands of joints: call look() after each tick; `acceleration` and `speed`: the greatest
--- shares of their limits.
local function watch(run, names)
  local self, before, speeds, limits = { acceleration = 0, speed = 0 }, {}, {}, {}
  for _, dof in ipairs(run.description.dofs) do limits[dof.name] = dof end
  function self.look()
    for _, name in ipairs(names) do
      local now = run.actuator:state(name).target
      local speed = before[name] and (now - before[name]) / 0.005
      if speed and speeds[name] then
        self.acceleration = math.max(self.acceleration,
          math.abs(speed - speeds[name]) / 0.005 / limits[name].acceleration)
        self.speed = math.max(self.speed, math.abs(speed) / limits[name].velocity)
      end
      before[name], speeds[name] = now, speed
    end
  end
  return self
end

local function ask(t, robot, side, count)
  local run = t:run("source", { robot = robot,
    source = 'local brio = require "brio"\nlocal b = brio.behavior "b" { start = "one" }\nb.one = \z
    {}\nreturn b\n' })
  run:advance(0.05)
  local host, arm = run.run.host, trees.kinds.arm.record
  local site = { host = host, description = run.description, name = "one", self = host.face }
  local limb = assert(limbs.find(run.description, "arm", { side = side }))
  local stream, watched, came = random.stream(5, robot .. side), watch(run, limb.dofs), { 0, 0, 0 }
  for number = 1, count do
    local form, memory = random_form(stream, run, limb, side), { key = "leaf " .. number }
    local began, lasts, result, why = host.now, stream:uniform() < 0.5 and 12 or stream:uniform(0.02, 1), nil,
      nil
    while result == nil and host.now - began < lasts do
      result, why = arm.work(site, form, memory, host.now == began, host.now - began)
      run:advance(0.005)
      watched.look()
    end
    if result == false then t:match(why, "would do") end
    if result == nil and stream:uniform() < 0.5 then arm.stop(site, form, memory) end
    local place = result and 1 or result == false and 2 or 3
    came[place] = came[place] + 1
  end
  t:ok(watched.acceleration <= 1.001, "%s: %g of its acceleration", robot, watched.acceleration)
  t:ok(watched.speed <= 1.001, "%s: %g of its speed", robot, watched.speed)
  t:ok(#host.motions.list <= 1 and run.failed == nil, "%d motions are left", #host.motions.list)
  t:ok(came[1] > count / 5 and came[2] < count / 3, "%s: %d reached, %d failed, %d ended before", robot,
    table.unpack(came))
end

test("arms go to random goals and are stopped and taken on their way", function(t)
  for _, row in ipairs { { "ur3e", "right" }, { "panda", "right" }, { "pepper", "left" } } do
    ask(t, row[1], row[2], soak and 300 or 12)
  end
end)

test("a part of several limbs is moved as one", function(t)
  local description = assert(require("brio.robots").find "pepper")
  local both = assert(limbs.find(description, "arm", { part = "arms" }))
  t:equal(#both.dofs, 10, "two arms, without their grips")
  t:equal(both.link, "r_gripper")
  local wrist = assert(limbs.find(description, "arm", { part = "left_hand", side = "left" }))
  t:equal(wrist.dofs, { "LWristYaw" })
  local none, why = limbs.find(description, "arm", { part = "left_foot" })
  t:equal(none, nil)
  t:match(why, "no part 'left_foot'")
end)

test("a way passes its points at their times, begins as fast as it is told, rests at its end, and keeps \z
  limits and ranges", function(t)
  local way = require "brio.tree.execution.way"
  local stream = random.stream(9, "way")
  for round = 1, soak and 2000 or 60 do
    local count, dofs, points, times, speeds = 1 + stream:whole(6), {}, {}, { 0 }, {}
    for d = 1, 3 do
      dofs[d] = { name = "j" .. d, lower = -2, upper = 2, velocity = stream:uniform(0.5, 6),
        acceleration = stream:uniform(2, 20) }
      speeds[d] = round % 3 == 0 and stream:uniform(-0.3, 0.3) * dofs[d].velocity or 0
    end
    for k = 1, count do
      points[k] = { stream:uniform(-1.9, 1.9), stream:uniform(-1.9, 1.9), stream:uniform(-1.9, 1.9) }
      if k > 1 then times[k] = times[k - 1] + stream:uniform(0.01, 1) end
    end
    local timed = round % 2 == 0
    local made = way.through { dofs = dofs, points = points, times = timed and times or nil, speeds = speeds,
      speed = 0.8 }
    t:ok(made.seconds >= (timed and times[count] or 0), "no quicker than it is told")
    local braking = round % 3 == 0
    for d = 1, 3 do
      for k = 1, count do
        if math.abs(points[k][d]) < 1.5 then
          t:near(made:value(d, made.times[k]), points[k][d], 1e-9, "round " .. round)
        end
      end
      t:near(made:speed(d, 0), speeds[d], 1e-9, "as it began")
      t:near(made:speed(d, made.seconds), 0, 1e-6, "rest")
      local before, before_speed
      for step = 0, 200 do
        local x = made:value(d, step / 200 * made.seconds)
        local v = before and (x - before) / made.seconds * 200
        t:ok(x >= -2 - 1e-9 and x <= 2 + 1e-9, "round %d: in its range: %g", round, x)
        local most = braking and 1.35 or 1.005
        t:ok(not v or math.abs(v) <= most * dofs[d].velocity, "round %d: speed %g of %g", round, v or 0,
          dofs[d].velocity)
        local a = v and before_speed and (v - before_speed) / made.seconds * 200
        t:ok(braking or not a or math.abs(a) <= 1.02 * dofs[d].acceleration,
          "round %d: acceleration %g of %g", round, a or 0,
          dofs[d].acceleration)
        before, before_speed = x, v
      end
    end
  end
end)
