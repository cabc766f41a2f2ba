-- A robot's file that is saved while the robot runs: what takes effect at once, what later, and what needs a
-- restart.
local head = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "a", memory = { count = 0, list = {} },
  tune = { far = brio.param(1, "m", 0, 5) } }
]]

local two = head .. [[
made.a = {
  wants = { want.joint_match { joint = "HeadYaw", goal = 0.4, weight = 20 } },
  enter = function(self) self.memory.count = self.memory.count + 1 end,
  exit = function(self) self:emit("left_a") end,
  after = { 3, "b" },
}
made.b = {
  wants = { want.joint_match { joint = "HeadYaw", goal = 0.4, weight = 20 }, want.joint_match { joint = "HeadPitch", goal = 0.2 } },
  after = { 100, "a" },
}
return made
]]

--- A robot of its own in a folder, Pepper's at first: its file, the file's text, and a function that saves
--- another.
local function own_robot(t)
  local folder = t:temporary()
  os.execute("mkdir " .. folder .. " && cp -r " .. require("brio.lib.paths").robots() .. "/pepper/. "
    .. folder)
  local file = folder .. "/robot.lua"
  local handle = io.open(file)
  local text = handle:read "a"
  handle:close()
  local function save(run, content)
    handle = io.open(file, "w")
    handle:write(content)
    handle:close()
    return run.run.reloader:by_hand()
  end
  return folder, text, save, function() os.execute("rm -r " .. folder) end
end

test("of a robot's file, names, poses and roles change while it runs", function(t)
  local folder, text, save, remove = own_robot(t)
  local source = two:gsub('want.joint_match { joint = "HeadPitch", goal = 0.2 }',
    'want.position_match { link = "head", goal = { 0, 0, 1.2 } }')
  local run = t:run("made", { source = source, robot = folder, recorded = true })
  run:advance(4)
  t:equal(run.run.reloader:by_hand(), true)
  t:near(run.run.host.self.poses.stand.joints.HeadPitch, -0.2, 0)
  t:equal(save(run, (text:gsub("HeadPitch = %-0%.2,", "HeadPitch = -0.0625,", 1))), true)
  t:near(run.run.host.self.poses.stand.joints.HeadPitch, -0.0625, 0)
  t:equal(save(run, (text:gsub('head = "Head"', 'nose = "Head", head = "r_wrist"', 1))), true)
  t:equal(run.run.host.self.roles.nose, "Head")
  run:advance(3)
  local keys = {}
  for _, objective in ipairs(run.solver:objectives()) do keys[objective.key] = objective.weight end
  t:ok(keys["position_match(link=head) link=r_wrist"] > 0, "the role's new link is wanted")
  t:equal(keys["position_match(link=head)"], 0)
  local good, why = save(run, (text:gsub('head = "Head"', 'nose = "Head"', 1)))
  t:equal(good, nil)
  t:match(why, "with its roles, .*no link 'head'")
  good, why = save(run, (text:gsub('base = "fixed"', 'base = "free"', 1)) .. "")
  if text:find('base = "fixed"', 1, true) then
    t:equal(good, nil)
    t:match(why, "its base cannot be changed while it runs")
  end
  t:equal(save(run, text), true)
  run:advance(3)
  t:equal(run.run.host.self.roles.nose, nil)
  run:finish()
  t:equal(run:sql("SELECT count(*) AS n FROM run_versions WHERE name LIKE '%robot.lua'")[1].n, 4)
  remove()
end)

local head_yaw = '{ name = "HeadYaw", label = "head left-right", group = "head"'

test("limits of a robot's file are tightened and given back while it moves; looser ones are refused",
  function(t)
  local folder, text, save, remove = own_robot(t)
  if not t:ok(text:find(head_yaw, 1, true), "the file is as the test expects") then return end
  local run = t:run("made", { source = (
    two:gsub("goal = 0.4, weight = 20", "goal = function(self) return 1.8 * math.sin(2 * self.now) end")),
    robot = folder })
  local dt, at, speed, most, far = 1 / 200, nil, nil, 0, 0
  local function told(field) -- what a behavior reads
    for _, variable in ipairs(run.run.host.self.robot:variables()) do
      if variable.name == "HeadYaw" then return variable[field] end
    end
  end
  local limit = told "acceleration"
  local function move(seconds)
    far = 0
    for n = 1, seconds / dt do
      run:advance(dt)
      local now = run:command "HeadYaw"
      local moved = at and (now - at) / dt
      if speed then most = math.max(most, math.abs(moved - speed) / dt) end
      at, speed = now, moved
      if n > 100 then far = math.max(far, math.abs(now)) end
    end
  end
  local function with(limits)
    return (text:gsub(head_yaw:gsub("%p", "%%%0"), head_yaw .. ", " .. limits, 1))
  end
  move(3)
  t:ok(far > 1.3, "it turns to %g", far)
  t:equal(save(run, with "lower = -0.4, upper = 0.4"), true)
  move(4)
  t:ok(far <= 0.4 + 1e-9 and far > 0.35, "with a narrower range it turns to %g", far)
  t:near(told "upper", 0.4, 1e-12)
  t:near(told "acceleration", limit, 1e-12)
  t:equal(save(run, with "velocity = 0.2"), true)
  move(1)
  t:ok(math.abs(speed) <= 0.2 + 1e-9, "speed %g", speed)
  t:near(told "velocity", 0.2, 1e-12)
  t:equal(save(run, text), true)
  move(4)
  t:ok(far > 1.3, "its range is back: %g", far)
  t:ok(told "upper" > 1.3 and told "velocity" > 1, "so is what the robot tells of it")
  t:ok(most <= limit * 1.001, "acceleration reached %.4f of its limit", most / limit)
  local good, why = save(run, (text:gsub("HeadYaw = 14,", "HeadYaw = 1e6,", 1)))
  t:equal(good, nil)
  t:match(why, "'HeadYaw': acceleration 1e%+06 is looser than .* that takes a restart")
  good, why = save(run, (text:gsub(head_yaw:gsub("%p", "%%%0"),
    '{ name = "Ear", outside = true, lower = 0, upper = 1 }, ' .. head_yaw, 1)))
  t:equal(good, nil)
  t:match(why, "its DOFs cannot be changed while it runs")
  remove()
end)

test("a calibration that is saved while the robot runs counts when its motors are disarmed, and that is said",
  function(t)
  local folder, _, _, remove = own_robot(t)
  local run = t:run("made", { source = two, robot = folder, recorded = true })
  local lines = {}
  run.run.say = function(_, sentence) lines[#lines + 1] = sentence end
  local function said(pattern)
    for _, line in ipairs(lines) do
      if line:find(pattern) then return true end
    end
    return false
  end
  local function calibrate(text)
    local handle = io.open(folder .. "/calibration.lua", "w")
    handle:write(text)
    handle:close()
    return run.run.reloader:by_hand()
  end
  run:advance(2)
  t:equal(run.run.reloader:by_hand(), true)
  t:equal(calibrate 'return { motors = { HeadYaw = { offset = 0.1, polarity = -1 } } }', true)
  t:ok(said "calibration.lua: how motors count has changed: that is taken over when they are disarmed",
    "it waits")
  run:advance(1)
  t:ok(not (run.run.description.motors and run.run.description.motors.HeadYaw), "nothing has changed yet")
  local at = run:command "HeadYaw"
  run.run.engine:order "disarm"
  run:advance(0.1)
  run.run.reloader:slack(0.001)
  t:ok(said "mappings changed: devices are opened again", "it is said")
  t:equal(run.run.description.motors.HeadYaw.offset, 0.1)
  run:advance(0.5)
  t:near(run:command "HeadYaw", at, 0.02, "the robot is where it was")
  run.run.engine:order "arm"
  run:advance(2)
  t:equal(run.run.engine:motors().held_by, {})
  local good, why = calibrate 'return { motors = { HeadYaw = { offset = "much" } } }'
  t:equal(good, nil)
  t:match(why, "HeadYaw.offset must be a number, not a string")
  run:finish()
  t:equal(#run:sql "SELECT 1 FROM run_versions WHERE name LIKE '%calibration.lua'", 1)
  remove()
end)

test("every robot's own description can take its place", function(t)
  local robots, live, parcel = require "brio.robots", require "brio.robots.live", require "brio.lib.serialize"
  local names = robots.list()
  local vendor = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/robots/cassie/cassie.urdf"
  if require("brio.lib.paths").exists(vendor) then names[#names + 1] = vendor end
  for _, name in ipairs(names) do
    local run = t:run("made", { source = "local brio = require 'brio'\nlocal made = brio.behavior 'made' { \z
      start = 'a' }\nmade.a = {}\nreturn made\n", robot = name })
    run:advance(0.1)
    local again, texts = assert(robots.find(name)), {}
    t:equal(live.fault(run.description, again), nil, name)
    parcel.put(texts, live.parts(again))
    local parts, after = parcel.take(texts, 1)
    t:equal(after, #texts + 1)
    t:equal(#live.changed(run.description, parts), 0, name)
    live.take(run.description, parts, run.solver, run.actuator)
    run:advance(0.1)
    t:equal(run.failed, nil)
    run:close()
  end
end)
