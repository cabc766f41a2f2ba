--- No false alarms: shipped behaviors on the emulator of every driver, on the real clock.
---
--- `make test` plays a sample of three for 3 s; `make soak` every behavior on every emulator, for an hour in
--- total.  BRIO_ALARMS: this total, s of robot time.  tests/alarms.lua does the same, and prints a table.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local shipped = require "devices.shipped"
local test, files = harness.test, harness.files

local seconds = tonumber(os.getenv "BRIO_ALARMS" or "") or (harness.scale > 1 and 3600 or nil)

test("shipped behaviors raise no alarm on emulated devices", function(t)
  local kinds = shipped.kinds
  local list = shipped.pairs({ "kiosk" }, { kinds[1], kinds[11] })
  list[3] = { behavior = "scan", kind = kinds[12] } -- a line on which joints lag far behind
  if seconds then list = shipped.pairs(shipped.behaviors(), kinds) end
  local played = 0
  shipped.play(list, { seconds = seconds and seconds / #list or 3 }, function(one)
    if one.refused then return print(("# %s: %s"):format(one.name, one.refused)) end
    t:check(#one.alarms == 0, "%s: an alarm without a cause: %s", one.name, one.alarms[1])
    t:check(one.code == 0, "%s: ended with code %s: %s", one.name, one.code, one.said)
    played = played + 1
  end)
  print(("# %d of %d pairs played"):format(played, #list))
end)

--- The output of a behavior on an emulator in half a second.
local function said_by(kind, behavior)
  return shipped.finish(shipped.start(kind, behavior, 0.5)).said
end

test("motors that do not go as far as their joints are named at the start", function(t)
  local said = said_by({ name = "lx16a", servos = 6 }, "scan")
  t:has(said, "the motors of 6 DOFs do not go as far as their limits, and stop before: \z
    shoulder_pan_joint from -2.09 to 2.09 of -6.28 to 6.28")
  said = said_by({ name = "dynamixel", servos = 40 }, "kiosk") -- half a turn each way
  t:check(not said:find("do not go as far", 1, true), "a motor that goes far enough: %s", said)
end)

local swing = [[
local brio = require "brio"
local want = brio.want
local swing = brio.behavior "swing" { robot = "ur3e", start = "left" }
swing.left = { wants = { want.joint_match { joint = "elbow_joint", goal = 0.2 } }, after = { 1.2, "right" } }
swing.right = { wants = { want.joint_match { joint = "elbow_joint", goal = 1.6 } }, after = { 1.2, "left" } }
return swing
]]

--- The longest time, s, up to a moment of the run, for which every report of the elbow was more than 0.3 rad
--- from its command.
local off_for = [[
WITH s AS (SELECT t, abs(measured - command) > 0.3 AS off FROM samples(1, 'elbow_joint')
    WHERE measured NOT NULL AND t <= %s),
  g AS (SELECT t, off, sum(NOT off) OVER (ORDER BY t) AS part FROM s)
SELECT max(seconds) FROM (SELECT max(t) - min(t) AS seconds FROM g WHERE off GROUP BY part)]]

-- A device that is late nearly all the time: 30 reports a second, and 5 % of the packets are lost.
test("a stall is noticed on a slow line that loses packets, and the run begins without a loss", function(t)
  local folder = t:folder()
  files.write(folder .. "/swing.lua", swing)
  local bus = emulated.start("dynamixel", "--servos", 6, "--link", folder .. "/port", "--say", "latency 15ms")
  local socket = folder .. "/socket"
  local run = { process = harness.start(("%s run %s/swing.lua --driver dynamixel --set port=%s/port --arm \z
    --socket %s --store %s/x.db"):format(files.quote(harness.program), folder, folder, socket, folder)),
    socket = socket }
  bus:await("the elbow to move", function(status) return status:match "servo 3: at [^0]" end)
  local said = harness.output_of(run.process)
  t:check(not said:find("does not answer", 1, true), "a device that is switched on counts as lost: %s", said)
  bus:say "loss 5%\nblock 3"
  harness.await("the elbow's alarm", function()
    emulated.release(run) -- of a joint that was silent for long
    return harness.output_of(run.process):find("elbow_joint is off its command", 1, true)
  end, { seen = function() return harness.output_of(run.process) end })
  local heard = harness.output_of(run.process)
  local silent = heard:find("does not report its position", 1, true)
  local at = heard:match "([%d.]+) s: error: elbow_joint is off its command"
  harness.ended(run)
  bus:stop()
  local found = harness.brio("sql", off_for:format(at), "--csv", "--store", folder .. "/x.db").out
  local unseen = tonumber(found:match "[%d.]+%s*$")
  print(("# noticed after %.2f s"):format(unseen))
  -- While another joint is silent the robot rests, and none can be noticed.
  t:check(silent or unseen < 1, "the elbow was off for %g s", unseen)
end)

harness.done()
