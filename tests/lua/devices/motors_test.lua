-- The motor side as behaviors and tests use it: injected faults, commands, events.
local mover = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "mover" { robot = "ur3e", start = "left", memory = { told = {} } }
made.on = { device_lost = "waiting", panic = "waiting" }
local function goal(value) return { want.joint_match { joint = "elbow_joint", goal = value } } end
made.left = { wants = goal(0.4), after = { 0.6, "right" }, on = { device_lost = "waiting", panic = "waiting" } }
made.right = { wants = goal(1.4), after = { 0.6, "left" }, on = { device_lost = "waiting", panic = "waiting" } }
made.waiting = { on = { motors_go_on = "left" } }
return made
]]

local source = mover:gsub("made%.on = [^\n]*\n", "")

--- The distance that the elbow is commanded to move in `seconds`.
local function moves(run, seconds)
  local least, most = math.huge, -math.huge
  for _ = 1, seconds * 20 do
    run:advance(0.05)
    local command = run.run.actuator:state("elbow_joint").command
    least, most = math.min(least, command), math.max(most, command)
  end
  return most - least
end

test("a device that is lost is an event of the behavior, and the robot holds until it is let go on",
  function(t)
  local run = t:run("", { source = source, faults = { "unplug simulator at 1 for 1" }, recorded = true })
  t:ok(moves(run, 1) > 0.3, "it moves")
  run:advance(0.6)
  t:equal(run.state, "waiting")
  run:advance(2) -- it is back by then, and starts where it is found
  t:ok(moves(run, 1) < 1e-6, "it holds")
  local report = run.run.engine:motors()
  t:equal(report.held_by, { "fault" })
  t:equal(report.devices[1].losses, 1)
  run.run.engine:order "go_on"
  run:advance(0.1)
  t:equal(run.state, "left")
  t:ok(moves(run, 2) > 0.3, "it goes on")
  run:finish()
  local rows = run:sql "SELECT group_concat(message, '\n') AS said FROM faults"
  t:match(rows[1].said, "device 'simulator' is late by 20 ms")
  t:match(rows[1].said, "device 'simulator' does not answer")
end)

test("the motors are held, relaxed and let go on, and a panic only by release", function(t)
  local run = t:run("", { source = source })
  for _, word in ipairs { "hold", "relax", "panic" } do
    run:advance(1)
    run.run.engine:order(word)
    run:advance(0.6)
    t:ok(moves(run, 1) < 1e-6, word)
    run.run.engine:order "go_on"
    run:advance(0.2)
    t:equal(moves(run, 1.5) > 0.1, word ~= "panic", word .. ", then go_on")
    run.run.engine:order "release"
    t:ok(moves(run, 1.5) > 0.1, word .. ", then release")
  end
  t:raises(function() run.run.engine:order "fly" end, "the motors know no 'fly'")
end)

test("faults repeat with the seed, bit for bit", function(t)
  local digests = {}
  for i = 1, 3 do
    local run = t:run("", { source = source, seed = i // 3,
      faults = { "drop 30% of all", "noise 0.01 of all" } })
    run:advance(2)
    run:close()
    digests[i] = run.run.report.commands .. run.run.report.motors.taken
  end
  t:equal(digests[1], digests[2])
end)

test("what is said of motors in a robot's file is held against its DOFs", function(t)
  local robots = require "brio.robots"
  local function find(extra)
    local file = t:temporary ".lua"
    local folder = file:gsub("%.lua$", "")
    os.remove(file)
    os.execute("mkdir -p " .. folder)
    local handle = assert(io.open(folder .. "/robot.lua", "w"))
    handle:write(('return { name = "x", model = "%s/drivers/robots/probo/model.urdf", default_acceleration \z
      = 8, dofs = { { name = "Ear", '
      .. 'outside = true, lower = -1, upper = 1, group = "ears" } }, %s }'):format(require("luv").cwd(),
        extra))
    handle:close()
    local found, why = robots.find(folder)
    os.execute("rm -r " .. folder)
    return found, why
  end
  t:ok(find 'motors = { Ear = { map = "asymmetric", offset = 1500, below = 300, above = 500 } }, filters = \z
    { ears = { tau = 0.05 } }')
  t:ok(find 'motors = { Ear = { scale = 300, gains = { p = 20, i = 0, d = 3 } } }')
  for _, case in ipairs {
    { 'motors = { Ear = { gains = { q = 1 } } }', "gains has no field 'q'" },
      { 'motors = { Ear = { gains = { p = -1 } } }', "at least 0" },
    { 'motors = { Ear = { gains = 3 } }', "gains must be" },
    { 'motors = { Era = {} }', "no DOF 'Era'" }, { 'motors = { Ear = { polarity = 2 } }', "polarity" },
    { 'filters = { eras = { tau = 1 } }', "eras" },
      { 'devices = { a = { driver = "sim", dofs = { "Nobody" } } }', "Nobody" },
    { 'interlocks = { { kind = "prevent", watched = "Ear", limited = "NeckPan" } }', "the solver limits it" },
    { 'couplings = { { dofs = { "Ear", "NeckPan" }, matrix = { { 1, 1 } } } }', "as many rows" },
    { 'watch = { over_temperature = { reaction = "run" } }', "reaction" }, { 'on_loss = "cry"', "on_loss" },
      { 'shutdown = "bed"', "bed" },
  } do
    local found, why = find(case[1])
    t:ok(not found, "refused: %s", case[1])
    t:match(why or "", case[2])
  end
end)

test("filters and interlocks of a robot's file act on what is outside the tree", function(t)
  local run = t:run("", { source = source:gsub('"ur3e"', '"probo"'):gsub("elbow_joint", "NeckPan"), motor = {
    filters = { EarLeft = { stages = 2, tau = 0.2 } },
    interlocks = { { kind = "prevent", watched = "EarRight", limited = "TrunkPan", above = 0.5, lower = -0.1,
      upper = 0.1 } },
  } })
  local actuator = run.run.actuator
  run:advance(0.1)
  for _, name in ipairs { "EarLeft", "EarRight", "TrunkPan" } do actuator:target(name, 0.9) end
  run:advance(0.25)
  t:ok(actuator:state("EarLeft").command < 0.5 and actuator:state("EarRight").command > 0.7,
    "the one is filtered")
  run:advance(3)
  t:near(actuator:state("EarLeft").command, 0.9, 1e-3)
  t:near(actuator:state("TrunkPan").command, 0.1, 1e-6)
end)

test("limits of what is outside the tree are tightened and given back while it moves", function(t)
  local run = t:run("", { source = source:gsub('"ur3e"', '"probo"'):gsub("elbow_joint", "NeckPan") })
  local actuator = run.run.actuator
  local own = actuator:limits "EarLeft"
  local dt, at, speed, fastest, hardest = 1 / 200, nil, 0, 0, 0
  local function move(target, seconds)
    fastest, hardest = 0, 0
    for _ = 1, seconds / dt do
      actuator:target("EarLeft", target)
      run:advance(dt)
      local now = actuator:state("EarLeft").command
      local moved = at and (now - at) / dt or 0
      if at then
        hardest, fastest = math.max(hardest, math.abs(moved - speed) / dt), math.max(fastest, math.abs(moved))
      end
      at, speed = now, moved
    end
  end
  move(own.upper, 1)
  t:near(at, own.upper, 1e-6)
  move(own.lower, 0.1) -- on its way, faster than its limit will be in a moment
  t:ok(math.abs(speed) > 1, "at speed %g", speed)
  actuator:set_limits("EarLeft", { lower = -0.3, upper = 0.3, velocity = 0.5 })
  move(own.lower, 3)
  t:near(at, -0.3, 1e-6)
  t:ok(hardest <= own.acceleration * (1 + 1e-6), "braked with %g of %g", hardest, own.acceleration)
  move(own.upper, 0.4)
  t:ok(fastest <= 0.5 + 1e-9, "now at most at %g", fastest)
  actuator:set_limits("EarLeft", {})
  move(own.upper, 2)
  t:ok(fastest > 0.5 and math.abs(at - own.upper) < 1e-6, "as before: at %g, %g", fastest, at)
end)

test("gains of a robot's file reach the device that is set up; one that has none says so; simulated motors \z
  pass over them", function(t)
  local robots, motors = require "brio.robots", require "brio.devices.motors"
  local function put(path, text)
    local handle = assert(io.open(path, "w"))
    handle:write(text)
    handle:close()
  end
  local folder = t:temporary ".lua"
  os.remove(folder)
  os.execute("mkdir -p " .. folder)
  local function opened(driver, configure)
    put(folder .. "/keeper.lua",
      ([[return { name = "keeper", doc = "keeps", open = function() return {} end, %s
      write = function() end, read = function() return { 0 } end }]]):format(configure or ""))
    put(folder .. "/robot.lua",
      ([[return { name = "x", model = "%s/drivers/robots/probo/model.urdf", default_acceleration = 8,
      dofs = { { name = "Ear", outside = true, lower = -1, upper = 1 } },
      devices = { ears = { driver = "%s", dofs = { "Ear" } } },
      motors = { Ear = { scale = 300, gains = { p = 20, d = 3.5 } } } }]]):format(require("luv").cwd(),
        driver))
    local found, why = robots.find(folder)
    if not found then return nil, why end
    local fine, made, fault = pcall(motors.open, found, {})
    if fine and made then made:close() end
    return fine and made ~= nil, fine and fault or made
  end
  local said = "configure = function(_, config) local g = config.gains.Ear return nil, ('it is told p %g, d \z
    %g, i %s'):format(g.p, g.d, g.i) end,"
  local good, why = opened("keeper.lua", said)
  t:ok(not good)
  t:match(why or "", "it is told p 20, d 3.5, i nil")
  good, why = opened "keeper.lua"
  t:ok(not good)
  t:match(why or "", "has no gains to set")
  t:equal(opened "sim", true)
  os.execute("rm -r " .. folder)
end)
