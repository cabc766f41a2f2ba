--- A recorded run's commands on a robot (brio replay RUN --to-robot), on the simulator.
local store, to_robot = require "brio.store", require "brio.run.replay.to_robot"

local behavior = [[
local brio = require "brio"
local want = brio.want
local wave = brio.behavior "wave" { robot = "pepper", start = "up" }
local function turn(goal) return { want.joint_match { joint = "HeadYaw", goal = goal }, want.joint_match { joint = "RElbowRoll", goal = 1 } } end
wave.up = { wants = turn(0.6), after = { 1, "down" } }
wave.down = { wants = turn(-0.4), after = { 1.5, "done" } }
wave.done = { wants = turn(0) }
wave.power_off = { wants = turn(0), lasts = 0.2 }
return wave
]]

--- A run of that behavior, open for reading.
local function record(t)
  local run = t:run("wave.lua", { source = behavior, recorded = true })
  run:advance(2.5)
  run:finish()
  run:close()
  return assert(store.open(run.store))
end

local function open(t, options) return assert(to_robot.open(record(t), 1, options)) end

local function play(made, options)
  options.driver, options.fast, options.say = "sim", true, options.say or function() end
  return made:play(options)
end

test("what is told keeps to the recorded way, from where the robot is to where it ended", function(t)
  local made = open(t)
  local told = made:preview()
  t:equal({ told.beyond, told.fast, told.slow, told.missing }, { {}, {}, 1, {} })
  t:ok(told.moving >= 2)
  local report = assert(play(made, {}))
  t:near(report.played, told.length, 1e-6, "played to the end")
  t:ok(report.off < 1e-3, "off the way by %g", report.off)
  t:equal(report.stopped, false)
end)

test("it stays where it ends, or goes home", function(t)
  local made = open(t, { dofs = { "HeadYaw" }, from = 0.5, to = 0.9 })
  local jog, ended = require "brio.devices.jog", nil
  local close = jog.new
  jog.new = function(...)
    local one, why = close(...)
    if one then
      one.close = function(self)
        ended = self.actuator:state("HeadYaw").command getmetatable(self).close(self)
      end
    end
    return one, why
  end
  assert(play(made, {}))
  local last = ended
  assert(play(made, { rest = true }))
  jog.new = close
  local rows = made.run.db:query("SELECT command FROM samples WHERE run = 1 AND name = 'HeadYaw' AND t <= \z
    0.9 ORDER BY t DESC LIMIT 1")
  t:near(last, rows[1].command, 1e-3, "it holds the last command")
  t:near(ended, made.description.poses[made.description.home].joints.HeadYaw or 0, 2e-3, "it is home")
end)

test("what the robot cannot do is said before anything moves", function(t)
  local made = open(t)
  local head
  for _, one in ipairs(made.dofs) do head = one.name == "HeadYaw" and one or head end
  head.velocity = head.speed / 2
  local report, why = play(made, {})
  t:equal(report, nil)
  t:match(why, "HeadYaw moves at .* rad/s at .* s, above its .*%-%-slow plays it 2%.00 times as long")
  report = assert(play(made, { slow = true }))
  t:near(report.slow, 2, 1e-9)
  t:near(report.played, made.length, 1e-6)
  head.upper = 0.2
  report, why = play(made, { slow = true })
  t:equal(report, nil)
  t:match(why, "HeadYaw goes to .* rad at .* s, but moves from .* to 0.2")
end)

test("motors that are not armed are not moved, and a stop ends it", function(t)
  local made = open(t)
  local jog, new = require "brio.devices.jog", require("brio.devices.jog").new
  jog.new = function(description, options)
    local one, why = new(description, options)
    local each, ticks = nil, 0
    return setmetatable({}, { __index = one, __newindex = function(_, key, value)
      each = value
      one[key] = function(now, dt)
        ticks = ticks + 1
        if made.phase == "play" and made.played > 0.5 then one:order "panic" end
        return each(now, dt)
      end
    end }), why
  end
  local report, why = play(made, {})
  jog.new = new
  t:equal(report, nil)
  t:equal(why, "the motors were stopped")
  t:ok(made.played > 0.4 and made.played < 0.8)
end)

test("a run without that robot, DOF or time is refused in words", function(t)
  local db = record(t)
  local function refused(pattern, options)
    local made, why = to_robot.open(db, 1, options)
    t:equal(made, nil)
    t:match(why, pattern)
  end
  refused("pannda", { robot = "pannda" })
  refused("panda has none of the DOFs of run 1", { robot = "panda" })
  refused("no DOF 'HeadYau'", { dofs = { "HeadYau" } })
  refused("it has nothing from 90.00 s on", { from = 90 })
  t:match(select(2, to_robot.open(db, 5)), "there is no run 5")
end)
