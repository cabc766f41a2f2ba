--- The forty faults that tests/program/faults/forty_test.lua tries on an arm in another process, one row
--- each:
---
---   name     of the fault
---   fault    the value of `--fault`: it begins at `fault_rows.at` s of the robot's time
---   act      otherwise: act(one, robot, t) causes it in a run in motion, and may return what ends the fault
---   tick     a state of the behavior that fails; the prompt goes to it
---   options  of device.run
---   says     a piece of the sentence that reports the fault; nil: nothing is disturbed, so nothing is
---            reported
---   by       by(one, robot) returns the output to search, where another process than the run reports it
---   after    what the robot does: "goes on", "holds", "ends"
---   back     what the run reports once the fault has ended; `release` follows, and the robot goes on
---   does     the same in words
---   why      why it may miss the strict measure, in words
---   noticed_from  "end": the time to notice counts from the end of `act`
---   began    "soon": the moment at which the fault begins is not known
---   left     the robot may be left in motion: no process is there to stop it, or the last targets are lost
---   lost     the store is not checked
---   unseen   the engine cannot know of it: the acceleration is measured, not asserted
local device = require "device"
local harness = require "harness"
local injections = require "injections"
local files = harness.files

local fault_rows = { at = 1.5 }

local away, back, off = "does not answer", "answers again", "elbow_joint is off its command"

local goes_on = "goes on"
local holds = "brakes on its path, holds until `release`"
local gone = "gets no commands during the failure, then holds its measured position until `release`"
local limp = "the joint gets no commands, the others brake on their path; holds until `release`"
local cut = "brakes on its path and holds; the behavior is stopped"

local devices = {
  { "the device is unplugged for 0.5 s", "unplug all for 0.5", away, gone, back },
  { "the device loses its power for 0.5 s", "blackout all for 0.5", away, gone, back },
  { "no reports come for 0.6 s", "mute all for 0.6", away, gone, back },
  { "reports are NaN for 0.6 s", "nan of all for 0.6", away, gone, back },
  { "an exchange with the device takes 2 s", "block 2 of all for 0.01", away, gone, back },
  { "each exchange with the device takes 10 ms more", "block 0.01 of all", nil, goes_on },
  { "each exchange takes up to 15 ms more, at random", "jitter 0.015 of all", nil, goes_on },
  { "a fifth of the targets is lost on the way", "drop 20% of all", nil, goes_on },
  { "targets arrive 30 ms late", "delay 0.03 of all", nil, goes_on },
  { "reports of a joint have an error of 0.9 rad", "lie 0.9 of elbow_joint", off, holds },
  { "reports of a joint drift by 1 rad/s", "drift 1 of elbow_joint", off, holds },
  { "one report in a hundred has an error of 0.5 rad", "spike 0.5 of elbow_joint", nil, goes_on },
  { "reports are noisy by 2 mrad", "noise 0.002 of all", nil, goes_on },
  { "reports of a joint keep their last values", "freeze elbow_joint", off, holds },
  { "a motor does not move", "stall elbow_joint", off, limp },
  { "a motor takes no torque", "refuse elbow_joint", off, limp },
  { "a motor drops its torque, and reports it", "trip elbow_joint", "of elbow_joint gave up", limp },
  { "a motor is hot", "heat 95 of wrist_1_joint", "wrist_1_joint is at 95 C, above 70", holds },
  { "a motor draws too much", "overload 9 of elbow_joint", "elbow_joint draws 9 A, above 5", holds },
  { "a motor has too high a load", "strain 0.95 of elbow_joint", "elbow_joint is under 0.95", holds },
  { "the voltage sags", "sag 5.5 of elbow_joint", "elbow_joint has 5.5 V, below 10", holds },
}

--- Reasons why a row misses the strict measure.
local missed = {
  ["each exchange takes up to 15 ms more, at random"] =
    "the duration of a call is unknown in advance: its frame is late, or early",
  ["targets arrive 30 ms late"] =
    "nothing arrives for 30 ms, then targets of the motion that were under way before anything could tell",
}

local list = {}
for i, row in ipairs(devices) do
  local name, fault, says, does, over = table.unpack(row)
  fault = fault:gsub("^(.-)( for [%d.]+)$", "%1 at " .. fault_rows.at .. "%2")
  if not fault:find " at " then fault = fault .. " at " .. fault_rows.at end
  list[i] = { name = name, fault = fault, says = says, does = does, back = over, why = missed[name],
    after = says and "holds" or "goes on", left = fault:find "^delay" ~= nil,
      unseen = fault:find "^delay" ~= nil }
end

local function add(row) list[#list + 1] = row end

-- Scripts: the prompt goes to a state of the behavior that fails.
local stopped = "was stopped"
for _, row in ipairs {
  { "a script loops without end", "tick = function() while true do end end", "time budget" },
  { "a script fails in every tick", "tick = function() error 'on purpose' end", "on purpose" },
  { "a pattern with exponential backtracking",
    'tick = function() return ("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40) .. "b") end', stopped },
  { "a script fills its memory", "tick = function() local t = {} while true do t[#t + 1] = {} end end",
    stopped },
  { "a goal is NaN",
    'wants = { want.joint_match { joint = "elbow_joint", goal = function() return 0 / 0 end } }',
    "must be a finite number" },
} do
  add { name = row[1], tick = row[2], says = row[3], after = "holds", does = cut }
end
add { name = "goals are far beyond the limits", after = "goes on", does = "goes on, within its limits",
  tick = [[wants = { want.joint_match { joint = "elbow_joint",
    goal = function(self) return self.now % 1 < 0.5 and 1e9 or -1e9 end } }]] }

-- The process and the machine.
add { name = "the process stands still for 10 ms, twenty times", after = "goes on", does = goes_on,
  act = function(one)
    for _ = 1, 20 do
      injections.standstill(one.process, 0.01)
      harness.sleep(0.04)
    end
  end }
for _, seconds in ipairs { 0.3, 3 } do
  add { name = ("the process stands still for %g s"):format(seconds),
    says = "the motor thread did not run for", after = "goes on", noticed_from = "end",
    does = "gets no commands meanwhile, is measured, continues from there",
    act = function(one) injections.standstill(one.process, seconds) end }
end
add { name = "the process is killed", after = "ends", does = "stays at its last target",
  left = true, act = function(one) harness.signal(one.process, "KILL") end }
add { name = "the run is interrupted, twice", after = "ends", does = "brakes on its path, the run ends",
  act = function(one)
    harness.signal(one.process, "INT")
    harness.sleep(0.03) -- between two presses of a key
    harness.signal(one.process, "INT")
  end }
add { name = "ten loops without end take the processor for 1 s", after = "goes on", does = goes_on,
  act = function()
    local calm = injections.burn(10)
    harness.sleep(1) -- the fault
    calm()
  end }

-- People.
local panic = "panic stop"
add { name = "panic stop by a signal", says = panic, after = "holds", does = holds, back = panic,
  act = function(one) harness.signal(one.process, "USR1") end }
add { name = "panic stop at the prompt", says = panic, after = "holds", does = holds, back = panic,
  act = function(one) device.say(one, "panic") end }
add { name = "disarmed and armed again in motion, twice", after = "goes on",
  does = "brakes on its path, continues from there",
  act = function(one)
    for _ = 1, 2 do device.say(one, "disarm\narm") end
  end }
add { name = "a flood of words and of random bytes at the prompt", after = "goes on",
  does = goes_on, act = function(one, robot)
    local dry = injections.flood(one, robot.folder, 3, 5000)
    local closed = injections.crowd(one, robot.folder, 50)
    return function()
      dry()
      closed()
    end
  end }

-- Files, the store, a second engine.
add { name = "a broken behavior is saved", says = "was not taken", after = "goes on", does = goes_on,
  act = function(one) files.write(one.file, "return") end }
add { name = "the files of the behavior and of the robot are removed", after = "goes on", does = goes_on,
  act = function(one, robot) os.execute(("rm -f %s %s/robot.lua"):format(one.file, robot.folder)) end }
add { name = "the store is removed", says = "was removed or replaced", after = "goes on", does = goes_on,
  lost = true, act = function(one) os.execute("rm -f " .. one.store .. "*") end }
add { name = "the disk is full", says = "cannot be written", after = "goes on", does = goes_on,
  began = "soon", options = { before = injections.full_disk },
  act = function(one) return function() injections.make_room(one) end end }
add { name = "another program locks the store for 3 s", after = "goes on", does = goes_on,
  act = function(one, robot)
    local free = injections.lock(one.store, robot.folder)
    harness.sleep(3) -- the fault: longer than the store waits for a lock, 2 s
    free()
  end }
add { name = "a second engine wants the device", says = "is driven by another engine", after = "goes on",
  does = "goes on; the second engine does not start",
  by = function(_, robot)
    return harness.brio("run", robot.folder .. "/made.lua", "--driver", "json",
      "--set", "port=" .. robot.port, "--store", "none", "--for", 1, "--arm").text
  end }

fault_rows.list = list

--- The behavior of a row: the state `spinning` fails.
function fault_rows.behavior(row)
  if not row.tick then return device.behavior end
  local state = "made.spinning = { " .. row.tick .. " }\n"
  return (device.behavior:gsub("made.spinning = [^\n]*\n", function() return state end))
end

--- A robot's file with limits for the state of its motors.
function fault_rows.robot()
  return ([[return { name = "watched", model = "%s/drivers/robots/ur3e/model.urdf", default_acceleration = 8,
  acceleration = { wrist_1_joint = 16, wrist_2_joint = 16, wrist_3_joint = 16 },
  watch = { over_temperature = { limit = 70, after = 0.1, reaction = "hold" },
    over_current = { limit = 5, after = 0.2, reaction = "hold" },
    over_load = { limit = 0.8, after = 0.5, reaction = "hold" },
    low_voltage = { limit = 10, after = 0.3, reaction = "hold" } } }]]):format(harness.root)
end

return fault_rows
