--- No false alarms: shipped behaviors on the emulator of every driver, on the real clock.
---
--- `make test` plays a sample of three for 3 s; `make soak` every behavior on every emulator, for an hour in
--- total.  BRIO_ALARMS: this total, s of robot time.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files = harness.test, harness.files

local hour, at_once = 3600, 6
local seconds = tonumber(os.getenv "BRIO_ALARMS" or "") or (harness.scale > 1 and hour or nil)

--- By emulator: the driver where its name differs, settings, the number of servos, the scheme of its port;
--- `board`: it may have fewer channels than a robot has joints; `hobby`: joints of arms have a wider range
--- than its servos, which is a justified alarm at the start; `only`: the one behavior whose robot fits.
local kinds = {
  { name = "dynamixel", servos = 40 },
  { name = "dynamixel1", servos = 40 },
  { name = "sts", servos = 40 },
  { name = "scs", servos = 40 },
  { name = "lx16a", servos = 40, hobby = true },
  { name = "mycobot", only = "scan" }, -- six joints in one packet
  { name = "maestro", servos = 24, set = "--set speed=2000", board = true, hobby = true },
  { name = "maestro_crc", driver = "maestro", servos = 24, set = "--set crc=1 --set speed=2000", board = true,
    hobby = true },
  { name = "line", servos = 16, board = true, hobby = true },
  { name = "json", udp = true },
  { name = "epos", servos = 32, scheme = "unix:", board = true },
  { name = "epos_serial", servos = 32, set = "--set mode=profile", board = true },
}

--- Behaviors of arms.
local arms = { door = true, keyframes = true, scan = true }

--- Alarms as they are printed (engine/motor/alarm.c).
local alarms = { "is off its command by", "C, above", "draws", "of its greatest torque, above", " V, below" }

local function shipped()
  local list = {}
  for name in files.output(("ls %s/behaviors"):format(files.quote(harness.root))):gmatch "[^\n]+" do
    local base = name:match "^(.*)_test%.lua$"
    if base then list[#list + 1] = base end
  end
  return list
end

--- Start a behavior on an emulator; it ends by itself after `length` s.
local function start(kind, behavior, length)
  local one = { folder = files.temporary(), name = behavior .. " on " .. kind.name, kind = kind }
  local words = {}
  if kind.servos then words = { "--servos", kind.servos } end
  if not kind.udp then table.move({ "--link", one.folder .. "/port" }, 1, 2, #words + 1, words) end
  one.bus = emulated.start(kind.name, table.unpack(words))
  local port = kind.udp and one.bus.port or (kind.scheme or "") .. one.folder .. "/port"
  local line = "%s run %s --driver %s --set port=%s %s --arm --socket %s --store %s --for %g"
  local file = harness.root .. "/behaviors/" .. behavior .. ".lua"
  one.process = harness.start(line:format(files.quote(harness.program), files.quote(file),
    kind.driver or kind.name, port, kind.set or "", one.folder .. "/socket", one.folder .. "/x.db", length))
  return one
end

--- Wait for its end; report what was wrong.  Return "played", or why the board does not accept this robot.
local function finish(t, one)
  local code, said = harness.wait(one.process)
  one.bus:stop()
  files.remove(one.folder)
  if code == 2 and one.kind.board then return said:match "^[^\n]*" end
  for _, alarm in ipairs(alarms) do
    t:check(not said:find(alarm, 1, true), "%s: an alarm without a cause: %s", one.name, said)
  end
  t:check(code == 0, "%s: ended with code %s: %s", one.name, code, said)
  return "played"
end

--- Play pairs, a few at once, for `length` s each.  Return how many played.
local function play(t, pairs_, length)
  local played = 0
  for first = 1, #pairs_, at_once do
    local going = {}
    for i = first, math.min(first + at_once - 1, #pairs_) do
      going[#going + 1] = start(pairs_[i].kind, pairs_[i].behavior, length)
    end
    for _, one in ipairs(going) do
      local what = finish(t, one)
      if what == "played" then played = played + 1 else print(("# %s: %s"):format(one.name, what)) end
    end
  end
  return played
end

local function pairs_of(behaviors, list)
  local made = {}
  for _, behavior in ipairs(behaviors) do
    for _, kind in ipairs(list) do
      local fits = (not kind.only or kind.only == behavior) and not (kind.hobby and arms[behavior])
      if fits then made[#made + 1] = { kind = kind, behavior = behavior } end
    end
  end
  return made
end

test("shipped behaviors raise no alarm on emulated devices", function(t)
  local sample = pairs_of({ "kiosk" }, { kinds[1], kinds[11] })
  sample[3] = { behavior = "scan", kind = kinds[12] } -- a line on which joints lag far behind
  local all = seconds and pairs_of(shipped(), kinds) or sample
  print(("# %d of %d pairs played"):format(play(t, all, seconds and seconds / #all or 3), #all))
end)

--- The output of a behavior on an emulator in half a second.
local function said_by(kind, behavior)
  local one = start(kind, behavior, 0.5)
  local _, said = harness.wait(one.process)
  one.bus:stop()
  files.remove(one.folder)
  return said
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

--- The longest time, s, for which every report of the elbow was more than 0.3 rad from its command.
local off_for = [[
WITH s AS (SELECT t, abs(measured - command) > 0.3 AS off FROM samples(1, 'elbow_joint')
    WHERE measured NOT NULL),
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
  local silent = harness.output_of(run.process):find("does not report its position", 1, true)
  harness.ended(run)
  bus:stop()
  local found = harness.brio("sql", off_for, "--csv", "--store", folder .. "/x.db").out
  local seconds = tonumber(found:match "[%d.]+%s*$")
  print(("# noticed after %.2f s"):format(seconds))
  -- While another joint is silent the robot rests, and none can be noticed.
  t:check(silent or seconds < 1.5, "the elbow was off for %g s", seconds)
end)

harness.done()
