--- The binding of timings: what it takes, gives and refuses (the timing itself: tests/engine/plan).
local timing = require "brio.timing"

local function options(more)
  local made = { points = { { 0, 0 }, { 1, 0.5 }, { 2, 0 } }, velocity = { 2, 1 }, acceleration = 4 }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

test("limits hold at any time, and the path is kept", function(t)
  local path = timing.path(options { intervals = 60 })
  local seconds = path:duration()
  local s_before = -1
  for k = 0, 1000 do
    local q, qd, qdd = path:at(seconds * k / 1000)
    t:ok(math.abs(qd[1]) <= 2 + 1e-6 and math.abs(qd[2]) <= 1 + 1e-6)
    t:ok(math.abs(qdd[1]) <= 4 + 1e-6 and math.abs(qdd[2]) <= 4 + 1e-6)
    local s = path:parameter(seconds * k / 1000)
    t:ok(s >= s_before and q[1] >= -1e-9 and q[1] <= 2 + 1e-9)
    s_before = s
  end
  local q, qd = path:at(seconds + 1)
  t:near(q[1], 2, 1e-12)
  t:near(q[2], 0, 1e-12)
  t:equal(qd[1], 0.0)
end)

test("a requested duration is kept, or refused with the shortest", function(t)
  local path = timing.path(options())
  local _, shortest = path:duration()
  t:ok(path:set_duration(2 * shortest))
  t:near(path:duration(), 2 * shortest, 1e-9)
  local good, why, code = path:set_duration(shortest / 2)
  t:equal(good, nil)
  t:match(why, "at least within its limits")
  t:equal(code, "unreachable")
  t:near(timing.path(options { duration = 10 }):duration(), 10, 1e-9)
  t:equal(timing.path(options { duration = 0.1 }), nil)
end)

test("further constraints come from a function", function(t)
  local calls = 0
  local function constraints(s, q, slope, curve)
    calls = calls + 1
    t:ok(s >= 0 and #q == 2 and #slope == 2 and #curve == 2)
    return { { slope[1], curve[1], 1 }, { -slope[1], -curve[1], 1 } }
  end
  local path = timing.path(options { rows = 2, constraints = constraints, intervals = 50 })
  t:equal(calls, 51)
  t:ok(path:duration() > timing.path(options { intervals = 50 }):duration())
  t:raises(function() timing.path(options { rows = 1, constraints = constraints }) end,
    "list of 1 constraints")
  t:raises(function() timing.path(options { rows = 1 }) end, "constraints must be a function")
  t:raises(function() timing.path(options { rows = 1, constraints = function() error "no model" end }) end,
    "no model")
end)

test("wrong use is refused by name", function(t)
  local names = { "shoulder", "elbow" }
  local rows = {
    { { velocity = { 1, 0 }, names = names }, "velocity limit of elbow must be above 0, not 0" },
    { { acceleration = 0 / 0, names = names }, "acceleration limit of shoulder must be above 0" },
    { { velocity = { 1 } }, "velocity must be a number or a list of 2 numbers" },
    { { points = { { 0, 0 }, { 1 } } }, "point 2 must be a table of 2 numbers" },
    { { points = { { 0, 0 }, { 1, 0 / 0 } } }, "point 2 must be a finite number" },
    { { points = {} }, "1 to 100000 points, not 0" },
    { { at = { 0, 1, 1 } }, "parameter 3 of the path" },
    { { ends = "clamp" }, "ends must be one of natural, clamped, not 'clamp'" },
    { { intervals = 1 }, "intervals must be a number from 2" },
    { { speed = 1 }, "has no field 'speed'" },
  }
  for _, row in ipairs(rows) do t:raises(function() timing.path(options(row[1])) end, row[2]) end
end)

test("a path that stays where it is takes no time", function(t)
  local path = timing.path { points = { { 1, 2 } }, velocity = 1, acceleration = 1 }
  t:equal(path:duration(), 0.0)
  t:equal(path:at(1)[2], 2.0)
end)

local function transfer(more)
  local made = { from = { position = { 0, 0 }, velocity = { 0.5, 0 } }, to = { position = { 1, -0.2 } },
    velocity = 1, acceleration = { 4, 3 }, jerk = 40 }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

test("a transfer keeps limits and arrives", function(t)
  local motion = timing.transfer(transfer())
  local seconds = motion:duration()
  for k = 0, 200 do
    local _, qd, qdd = motion:at(seconds * k / 200)
    for j = 1, 2 do t:ok(math.abs(qd[j]) <= 1 + 1e-9 and math.abs(qdd[j]) <= 5 - j + 1e-9) end
  end
  local q, qd, qdd = motion:at(seconds)
  t:near(q[1], 1, 1e-9)
  t:near(q[2], -0.2, 1e-9)
  t:equal(qd[1], 0.0)
  t:equal(qdd[2], 0.0)
  -- On the way, a new goal: it goes on from there without a jump.
  q, qd, qdd = motion:at(0.3)
  local other = timing.transfer(transfer { from = { position = q, velocity = qd, acceleration = qdd },
    to = { position = { 0, 0.5 } } })
  local q2, qd2, qdd2 = other:at(0)
  for j = 1, 2 do t:ok(q[j] == q2[j] and qd[j] == qd2[j] and qdd[j] == qdd2[j]) end
end)

test("wrong states and limits of a transfer are refused by name", function(t)
  local names = { "pan", "tilt" }
  local rows = {
    { { jerk = 0, names = names }, "jerk limit of pan must be from" },
    { { velocity = 0.4 }, "start of joint 1 is beyond its limits" },
    { { to = { position = { 1 } } }, "to.position must be a table of 2 numbers" },
    { { from = { position = { 0, 0 }, speed = { 1, 1 } } }, "no field 'speed'" },
    { { from = {} }, "from.position must be a list" },
    { { to = 3 }, "to must be a table" },
  }
  for _, row in ipairs(rows) do t:raises(function() timing.transfer(transfer(row[1])) end, row[2]) end
end)

--- The variables of the Panda, in order, and its configurations along a path.
local joints = {}
for j = 1, 7 do joints[j] = "panda_joint" .. j end

local function named(list)
  local made = {}
  for j, name in ipairs(joints) do made[name] = list[j] end
  return { joints = made }
end

test("limits of torque hold with the robot's dynamics as constraints", function(t)
  local panda = assert(require "brio.robot".load "drivers/robots/panda/model.urdf")
  local moves = require "brio.dynamics".new(panda)
  local limit = { 10, 50, 10, 25, 2, 4, 0.5 }
  local function constraints(_, q, slope, curve)
    local at, rows = named(q), {}
    local gravity = moves:inverse(at).joints
    local by_u = moves:inverse(at, nil, named(slope)).joints
    local by_x = moves:inverse(at, named(slope), named(curve)).joints
    for j, name in ipairs(joints) do
      local a, b, g = by_u[name] - gravity[name], by_x[name] - gravity[name], gravity[name]
      rows[2 * j - 1], rows[2 * j] = { a, b, limit[j] - g }, { -a, -b, limit[j] + g }
    end
    return rows
  end
  local limited = { points = { { 0, 0.2, 0, -1.8, 0, 2, 0 }, { 0.8, 0.6, -0.4, -1.2, 0.6, 1.5, 1 },
    { 1.2, -0.2, 0.4, -2.2, -0.5, 2.4, 0 } }, names = joints, velocity = 2.175, acceleration = 15 }
  local free = timing.path(limited):duration()
  limited.rows, limited.constraints = 14, constraints
  local path = timing.path(limited)
  local seconds, most = path:duration(), 0
  for k = 0, 300 do
    local q, qd, qdd = path:at(seconds * k / 300)
    local torques = moves:inverse(named(q), named(qd), named(qdd)).joints
    for j, name in ipairs(joints) do most = math.max(most, math.abs(torques[name]) / limit[j]) end
  end
  t:ok(most > 0.95 and most < 1.02, "uses %.3f of the limits", most)
  t:ok(seconds > 1.05 * free, "%.2f s, without limits of torque %.2f s", seconds, free)
end)
