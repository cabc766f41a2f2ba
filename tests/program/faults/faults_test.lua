--- Faults, from outside: after each the robot holds or stops within its limits, the store is intact, and the
--- record describes the fault in a sentence.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local injections = require "injections"
local test, files = harness.test, harness.files
local say = harness.say

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "ur3e", start = "left" }
local function goal(value) return { want.joint_match { joint = "elbow_joint", goal = value }, want.joint_match { joint = "shoulder_pan_joint", goal = value } } end
made.left = { wants = goal(0.4), after = { 0.6, "right" } }
made.right = { wants = goal(1.4), after = { 0.6, "left" } }
made.spinning = { tick = function() while true do end end }
made.failing = { tick = function(self) error "on purpose" end }
made.power_off = { lasts = 0.1 }
return made
]]

--- A robot whose joints are on two devices.
local robot = [[
return {
  name = "two", model = "%s/drivers/robots/ur3e/model.urdf", groups = { "arm", "wrist" }, default_acceleration = 8,
  dofs = {
    { name = "shoulder_pan_joint", group = "arm" }, { name = "shoulder_lift_joint", group = "arm" },
    { name = "elbow_joint", group = "arm" }, { name = "wrist_1_joint", group = "wrist" },
    { name = "wrist_2_joint", group = "wrist" }, { name = "wrist_3_joint", group = "wrist" },
  },
  devices = { upper = { driver = "sim", dofs = { "arm" } }, lower = { driver = "sim", dofs = { "wrist" } } },
  motors = { elbow_joint = { scale = 651.9, offset = 2048, polarity = -1 } },
  watch = { over_temperature = { limit = 70, after = 0.2, reaction = "%s" }, tracking_error = { limit = 0.6, after = 0.1, reaction = "%s" } },
  on_loss = "%s",
}
]]

--- A folder with the behavior and a robot with these reactions to faults.
local function place(t, reaction, on_loss)
  local folder = t:folder()
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/robot.lua", robot:format(harness.root, reaction or "hold", reaction or "hold",
    on_loss or "stop"))
  return folder
end

--- The greatest speed and acceleration of the elbow's commands after t = 0.05 s, by differences from tick to
--- tick (on the fast clock a tick is 5 ms).
local function greatest(store)
  local text = harness.sql(store, [[
    WITH c AS (SELECT t, command AS x FROM samples WHERE name = 'elbow_joint' AND t > 0.05 ORDER BY t),
    v AS (SELECT t, (x - lag(x) OVER w) / 0.005 AS v FROM c WINDOW w AS (ORDER BY t)),
    a AS (SELECT v, (v - lag(v) OVER (ORDER BY t)) / 0.005 AS a FROM v)
    SELECT max(abs(v)), max(abs(a)) FROM a]])
  local speed, acceleration = (text or ""):match "([%d.e-]+)|([%d.e-]+)"
  return tonumber(speed) or math.huge, tonumber(acceleration) or math.huge
end

--- The distance that the elbow was commanded to move in the last second of the run.
local function last_second(store)
  return harness.number(store, [[SELECT max(command) - min(command) FROM samples WHERE name = 'elbow_joint'
    AND t > (SELECT max(t) - 1 FROM samples)]])
end

local function whole(t, store)
  t:equal(harness.sql(store, "pragma integrity_check; pragma foreign_key_check"), "ok",
    "integrity, and rows that belong to none")
end

--- Run on the fast clock for 5 s with faults.
local function run(t, folder, ...)
  local list, store = {}, folder .. "/x.db"
  os.remove(store)
  for _, fault in ipairs { ... } do
    list[#list + 1] = "--fault"
    list[#list + 1] = fault
  end
  local ran = harness.brio("run", folder .. "/made.lua", "--robot", folder, "--for", 5, "--clock", "fast",
    "--store", store, table.unpack(list))
  whole(t, store)
  local speed, acceleration = greatest(store)
  t:check(speed <= 3.15 and acceleration <= 8 + 0.2, "%s: speed %g, acceleration %g",
    table.concat({ ... }, "; "), speed, acceleration)
  return ran, store
end

test("without a fault the robot keeps moving, and nothing is said", function(t)
  local ran, store = run(t, place(t))
  t:code(ran, 0)
  t:equal(harness.sql(store, "select count(*) from faults"), "0", "faults")
  t:check(last_second(store) > 0.3, "it moves: %g", last_second(store))
end)

for _, case in ipairs {
  { "unplug lower at 2", "device 'lower' does not answer", true },
  { "unplug all at 2", "device 'upper' does not answer", true },
  { "mute upper at 2", "device 'upper' does not answer", true },
  { "nan of arm at 2", "device 'upper' does not answer", true },
  { "block 5 of upper at 2", "device 'upper' does not answer", true },
  { "lie 0.9 of elbow_joint at 2", "elbow_joint is off its command", true },
  { "stall elbow_joint at 2", "elbow_joint is off its command", true },
  { "freeze elbow_joint at 2", "elbow_joint is off its command", true },
  { "heat 95 of wrist_1_joint at 2", "wrist_1_joint is at 95 C, above 70", true },
  { "trip elbow_joint at 2", "the motor of elbow_joint gave up", true },
  { "drop 20% of all", nil, false },
  { "delay 0.02 of all", nil, false },
  { "noise 0.002 of all", nil, false },
  { "block 0.02 of all", nil, false },
} do
  local fault, sentence, stops = table.unpack(case)
  test(fault .. (stops and ": the robot stops and holds, and it is said why" or ": the robot goes on"),
    function(t)
    local ran, store = run(t, place(t), fault)
    t:code(ran, 0)
    if sentence then
      t:has(harness.sql(store, "select group_concat(message, '\n') from faults"), sentence)
      t:has(ran.text, sentence)
    end
    local moved = last_second(store)
    t:check((moved < 1e-5) == stops, "in the last second it was told to move by %g", moved)
  end)
end

test("the way to rest at the end is recorded; a run that ends held says that it did not go there", function(t)
  local folder = place(t)
  local text = files.read(folder .. "/robot.lua"):gsub("on_loss =",
    'poses = { folded = { joints = { elbow_joint = 2.2 } } }, shutdown = "folded", on_loss =')
  files.write(folder .. "/robot.lua", text)
  local ran, store = run(t, folder)
  t:equal(ran.text:find("is not in the pose in which it is to rest", 1, true), nil, "nothing is said")
  local last = "SELECT command FROM samples WHERE name = 'elbow_joint' ORDER BY t DESC LIMIT 1"
  t:check(math.abs(harness.number(store, last) - 2.2) < 1e-3, "it is recorded until it is there: %g",
    harness.number(store, last))
  t:check(harness.number(store, "SELECT max(t) FROM samples") > 5.2, "with its times")
  ran, store = run(t, folder, "unplug lower at 3")
  local sentence = "the robot is not in the pose in which it is to rest: it is held (fault)"
  t:has(ran.text, sentence)
  t:has(harness.sql(store, "select group_concat(message, ' ') from faults"), sentence)
end)

test("a device that is silent on the way to rest is led there all the same, from where it is found",
  function(t)
  local folder = place(t)
  local text = files.read(folder .. "/robot.lua"):gsub("on_loss =",
    'poses = { folded = { joints = { elbow_joint = 2.2 } } }, shutdown = "folded", on_loss =')
  files.write(folder .. "/robot.lua", text)
  local store = folder .. "/x.db"
  for at = 5.05, 5.56, 0.1 do
    os.remove(store)
    local ran = harness.brio("run", folder .. "/made.lua", "--robot", folder, "--for", 5, "--clock", "fast",
      "--store", store, "--fault", ("mute upper at %g for 0.15"):format(at))
    t:code(ran, 0)
    t:equal(ran.text:find("is not in the pose in which it is to rest", 1, true), nil, "nothing is said")
    local last = harness.number(store,
      "SELECT measured FROM samples WHERE name = 'elbow_joint' ORDER BY t DESC LIMIT 1")
    -- a simulated joint lags behind its command
    t:check(math.abs(last - 2.2) < 0.1, "silent at %g s: it stands at %g", at, last)
  end
end)

test("the motor side's own clock may be 50 Hz to 2 kHz: the robot is led the same way", function(t)
  local folder = place(t)
  for _, rate in ipairs { 50, 2000 } do
    local ran = harness.brio("run", folder .. "/made.lua", "--robot", folder, "--for", 3, "--clock", "fast",
      "--store", folder .. "/" .. rate,
      "--motor-rate", rate, "--json")
    t:code(ran, 0)
    local periods, seconds = ran.out:match '"periods":(%d+)', ran.out:match '"time":([%d.]+)'
    t:check(math.abs(periods / seconds / rate - 1) < 0.1, "%s periods in %s s", periods, seconds)
    for _, what in ipairs { "tracked", "stretched", "dropped" } do
      t:has(ran.out, ('~"%s":0[,}]'):format(what))
    end
    local far = harness.number(folder .. "/" .. rate,
      "SELECT max(abs(command - goal)) FROM samples WHERE name = 'elbow_joint'")
    t:check(far < 3.15 * 0.031, "%g behind what the solver asked for", far)
  end
  local ran = harness.brio("run", folder .. "/made.lua", "--motor-rate", 49)
  t:code(ran, 2)
  t:has(ran.text, "--motor-rate must be a number from 50 to 2000")
end)

test("two devices at once: both are said", function(t)
  local ran, store = run(t, place(t), "unplug upper at 2", "mute lower at 2")
  t:code(ran, 0)
  t:equal(harness.sql(store, "select count(*) from faults where detail = 'device_lost'"), "2", "devices lost")
  t:check(last_second(store) < 1e-5, "it holds")
end)

test("on_loss = go_on: the others go on, and the device that returns begins where it is", function(t)
  local ran, store = run(t, place(t, "hold", "go_on"), "unplug lower at 1 for 0.5")
  t:code(ran, 0)
  t:check(last_second(store) > 0.3, "it moves")
  t:equal(harness.sql(store, "select count(*) from events where name in ('device_lost', 'device_back')"), "2",
    "lost and back")
end)

test("the same faults, the same run: bit for bit", function(t)
  local folder, hashes = place(t), {}
  for i = 1, 2 do
    local _, store = run(t, folder, "drop 30% of all", "noise 0.002 of arm", "unplug lower at 2 for 1")
    hashes[i] = harness.sql(store, "select commands_hash from runs")
  end
  t:equal(hashes[1], hashes[2], "digest of all commands")
end)

test("a fault that cannot be is refused with the reason", function(t)
  local folder = place(t)
  local ran = harness.brio("run", folder .. "/made.lua", "--store", "none", "--clock", "fast", "--fault",
    "dropp 2% of elbow_joint")
  t:check(ran.code ~= 0, "exit code")
  t:has(ran.text, "did you mean 'drop'?")
end)

-- On the real clock -----------------------------------------------------------------------------------

--- Wait until the robot is commanded to move, after `from` (s of robot time).  If a stall of the machine kept
--- a device from answering, the run holds, as it should: the test releases it, as a person would.
local function await_motion(one, from)
  local moved = (
    [[select max(command) - min(command) > 0.1 from samples where name = 'elbow_joint' and t > %.6f]])
    :format(from or harness.number(one.store, "select max(t) from samples"))
  harness.await("a robot that moves", function()
    local _, found = harness.output_of(one.process):gsub("answers again", "")
    if found > one.released then
      one.released, one.releases = found, one.releases + 1
      say(one, "release")
    end
    harness.sleep(0.03) -- the store commits every 50 ms
    return harness.number(one.store, moved) == 1
  end, { seen = function() return harness.output_of(one.process) end })
end

--- Start a run, and wait until it has moved for a while.
local function start(folder, ...)
  local one = { store = folder .. "/x.db", socket = folder .. "/x.sock", released = 0, releases = 0 }
  one.process = harness.start_brio("run", folder .. "/made.lua", "--robot", folder, "--store", one.store,
    "--socket", one.socket, "--quiet", ...)
  harness.listening(one)
  await_motion(one, 0)
  return one
end

local function finish(t, one)
  harness.signal(one.process, "INT")
  local code, text = harness.wait(one.process)
  t:check(code == 0 or code == 3, "exit code %s: %s", tostring(code), text)
  whole(t, one.store)
  return text
end

--- Check that between two samples the elbow's command moves no further than its greatest speed allows, plus
--- 0.05 rad.  A sample is taken at the end of its tick, and a stall of the machine may delay the beginning or
--- the end of the tick, and let the robot's time fall behind the machine's, in which the robot moves.
local function no_jump(t, one, what)
  local jump = harness.number(one.store, [[
    WITH ticks AS (SELECT t, late_us * 1e-6 AS late, lead(t + late_us * 1e-6) OVER (ORDER BY t) AS next
      FROM solves),
    steps AS (SELECT t, command - lag(command) OVER w AS d, t - lag(t) OVER w AS dt FROM samples
      WHERE name = 'elbow_joint' AND t > 0.05 WINDOW w AS (ORDER BY t)),
    behind AS (SELECT t, machine_s - t AS s FROM clocks),
    lost AS (SELECT t, (SELECT max(s) FROM behind WHERE behind.t <= steps.t + 0.2)
      - (SELECT max(s) FROM behind WHERE behind.t <= steps.t - steps.dt) AS s FROM steps)
    SELECT max(abs(d) - 3.15 * (dt + max(coalesce(late, 0), coalesce(next - steps.t, 0))
      + max(coalesce(lost.s, 0), 0)))
    FROM steps JOIN lost ON lost.t = steps.t LEFT JOIN ticks ON abs(ticks.t - steps.t) < 1e-6]])
  t:check(jump and jump < 0.05, "%s: a jump of %s; the run said: %s", what, tostring(jump),
    harness.output_of(one.process))
end

local function events(one, name)
  return harness.number(one.store, ("select count(*) from events where name = '%s'"):format(name)) or 0
end

--- Wait until the robot's commands were constant for 0.3 s of its time.
local function await_rest(one)
  harness.await_row(one.store, [[select max(command) - min(command) < 1e-6 and count(*) > 30 from samples
    where name = 'elbow_joint' and t > (select max(t) - 0.3 from samples)]])
end

test("SIGSTOP and SIGCONT: the robot rests where it is found, and does not jump", function(t)
  local one = start(place(t))
  harness.signal(one.process, "STOP")
  harness.sleep(0.6) -- the fault
  harness.signal(one.process, "CONT")
  harness.await_output(one.process, "the motor thread did not run for")
  await_motion(one)
  local text = finish(t, one)
  t:has(text, "the motor thread did not run for")
  no_jump(t, one, "after SIGCONT")
end)

test("SIGUSR1 is the panic stop, until `release`", function(t)
  local one = start(place(t))
  harness.signal(one.process, "USR1")
  harness.await_output(one.process, "panic stop")
  await_rest(one)
  t:has(say(one, "motors").out, "held by panic")
  t:has(say(one, "release").out, "continue")
  await_motion(one)
  local text = finish(t, one)
  t:has(text, "panic stop")
  t:equal(events(one, "panic"), 1, "recorded")
  t:equal(events(one, "motors_go_on"), 1 + one.releases, "and that it went on")
  no_jump(t, one, "panic")
end)

test("panic at the prompt works while a script spins", function(t)
  local one = start(place(t))
  t:code(say(one, "go spinning"), 0)
  t:has(say(one, "panic").out, "panic stop")
  harness.await_output(one.process, "time budget")
  await_rest(one)
  local text = finish(t, one)
  t:has(text, "panic stop")
  t:has(text, "time budget")
  no_jump(t, one, "spinning")
end)

test("an error in every tick: the behavior is stopped, the pose is held", function(t)
  local one = start(place(t))
  t:code(say(one, "go failing"), 0)
  harness.await_output(one.process, "on purpose")
  await_rest(one)
  local text = finish(t, one)
  t:has(text, "on purpose")
  no_jump(t, one, "failing")
end)

test("SIGKILL: the store is whole", function(t)
  local one = start(place(t))
  local before = harness.number(one.store, "select max(t) from samples")
  harness.signal(one.process, "KILL")
  t:equal(harness.wait(one.process), 137, "exit code")
  whole(t, one.store)
  t:check(harness.number(one.store, "select max(t) from samples") >= before, "samples until the end")
end)

test("ten times too much work for the processor: late, but no jump", function(t)
  local one = start(place(t))
  local calm = injections.burn(10)
  harness.go_on(one.store, 0.5)
  calm()
  harness.go_on(one.store, 0.2)
  finish(t, one)
  no_jump(t, one, "overload")
end)

harness.done()
