--- The engine's process is stopped for longer than the servos' watchdogs wait, and continued: its axes start
--- together.  The bus is stopped and continued: the axes start from where they are found.  `make test` runs a
--- sample of two drivers, `make soak` all that have servos, ten times each.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files = harness.test, harness.files

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "ur3e", start = "left" }
local joints = { "shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3" }
local function goal(value)
  local wants = {}
  for i, name in ipairs(joints) do
    wants[i] = want.joint_match { joint = name .. "_joint", goal = value, weight = 20 }
  end
  return wants
end

-- A swing is 300 ticks, not seconds: on a busy machine there are fewer ticks in a second, and the arm would
-- turn back before it is there.
local function swung(self)
  self.memory.ticks = ((self.memory.ticks or 0) + 1) % 300
  return self.memory.ticks == 0
end
made.left = { wants = goal(-0.9), when = { swung, "right" } }
made.right = { wants = goal(0.9), when = { swung, "left" } }
return made
]]

--- Drivers by emulator; further settings, and the port's scheme; `far`: how far one has moved when all must
--- have started, degrees (8; more where servos get their targets up to two exchanges apart).
local kinds = {
  { name = "dynamixel" }, { name = "sts" }, -- the sample
  { name = "dynamixel1" }, { name = "scs" }, { name = "lx16a" }, { name = "mycobot" },
  { name = "maestro", set = "--set speed=2000" }, { name = "line" }, { name = "epos", scheme = "unix:" },
  { name = "epos_serial", set = "--set mode=profile", far = 14 },
}
local soak = harness.scale > 1
local sample = soak and #kinds or 2

--- Start six servos and a behavior that swings them.
local function start(kind)
  local one = { folder = files.temporary(), far = kind.far or 8 }
  one.bus = emulated.start(kind.name, "--servos", 6, "--link", one.folder .. "/bus")
  one.socket = one.folder .. "/socket"
  files.write(one.folder .. "/made.lua", behavior)
  one.line = ("%s run %s/made.lua --driver %s --set port=%s%s/bus %s --arm --quiet \z
    --socket %s --store %s/x.db")
    :format(files.quote(harness.program), one.folder, kind.name, kind.scheme or "", one.folder,
      kind.set or "",
      one.socket, one.folder)
  one.process = harness.start(one.line)
  return one
end

--- Give back what a stall of the machine has taken: a hold, or the beginning, where a servo seemed to be
--- missing.
local function release(one)
  if harness.output_of(one.process):find "brio: %d of 6 servos on .- do not answer" then
    harness.wait(one.process)
    one.process = harness.start(one.line)
  end
  emulated.release(one)
end

--- The positions of the six servos, degrees, all at one moment.
local function places(one)
  local list = {}
  one.said = one.bus:say "status"
  for degrees in one.said:gmatch "%a+ %d: at (%-?[%d.]+) degrees" do list[#list + 1] = tonumber(degrees) end
  list[7] = nil -- a MyCobot's gripper
  return list
end

--- Add to `ways` how far each servo went since `before`, degrees.  Return the shortest and the longest way.
--- Ways, and not distances: on a busy machine an arm may be on its way back when it is looked at.
local function add_ways(ways, before, list)
  local least, most = math.huge, 0
  for i, place in ipairs(list) do
    ways[i] = (ways[i] or 0) + math.abs(place - before[i])
    least, most = math.min(least, ways[i]), math.max(most, ways[i])
  end
  return least, most
end

local function await(one, what, is_so)
  harness.await(what, is_so, { seen = function() return one.said .. harness.output_of(one.process) end })
end

--- Stop the engine until nothing moves any more, and continue it.  Returns the servos' positions at rest.
local function stand_still(one, seconds)
  harness.signal(one.process, "STOP")
  harness.sleep(seconds) -- the fault itself: longer than the watchdogs' half second
  local stood = places(one)
  harness.signal(one.process, "CONT")
  return stood
end

--- How often the run said that a servo does not report: on a machine that stalls, some start without it.
local function silences(one)
  return select(2, harness.output_of(one.process):gsub("does not report its position", ""))
end

--- Stop the engine in the middle of a swing.  Returns the servos' shortest and longest way once they move
--- again, degrees.  If the test was so slow that they may have been on their way back, or the machine stalled
--- again, it repeats.
local function begin_again(one)
  local least, most, before
  repeat
    before = silences(one)
    await(one, "the middle of a swing", function()
      release(one) -- of a machine that stalls
      return math.abs(places(one)[1]) < 15
    end)
    local last, ways = stand_still(one, 0.9), {}
    await(one, "servos that begin", function()
      release(one)
      local now = places(one)
      least, most = add_ways(ways, last, now)
      last = now
      return most > one.far
    end)
  until silences(one) == before and (most < 3 * one.far or least > 1.5)
  return least, most
end

for _, kind in ipairs(table.move(kinds, 1, sample, 1, {})) do
  test("after a standstill the servos of a " .. kind.name .. " bus begin together, from where they are",
    function(t)
    local one = start(kind)
    await(one, "motion", function()
      release(one) -- of a machine that stalls
      return math.abs(places(one)[1] or 0) > 20
    end)
    for _ = 1, soak and 10 or 1 do
      local least, most = begin_again(one)
      -- The wrist may speed up twice as quickly as the rest.
      t:check(least > 1.5, "one has moved by %.1f degrees, another by %.1f: %s", most, least, one.said)
    end
    harness.signal(one.process, "INT")
    local _, said = harness.wait(one.process)
    -- A machine that stalls again makes the device silent, and its return clears the watchdogs.
    local expired = kind.name ~= "dynamixel" or said:find("watchdogs of 6 servos expired", 1, true)
    t:check(expired or said:find("answers again", 1, true), "no watchdog expired: %s", said)
    one.bus:stop()
    files.remove(one.folder)
  end)
end

for _, kind in ipairs(table.move(kinds, 1, sample, 1, {})) do
  test("servos of a " .. kind.name .. " bus that hears nothing for a while are not taken for stalled",
    function(t)
    local one = start(kind)
    local function swing(what)
      await(one, what, function()
        release(one) -- after a silence that counts as a loss
        return math.abs(places(one)[1] or 0) < 15
      end)
    end
    await(one, "motion", function()
      release(one)
      return math.abs(places(one)[1] or 0) > 20
    end)
    for _ = 1, soak and 10 or 1 do
      for _, seconds in ipairs { 0.06, 0.1, 0.2 } do
        swing "the middle of a swing"
        harness.signal(one.bus.process, "STOP")
        harness.sleep(seconds) -- the fault itself
        harness.signal(one.bus.process, "CONT")
      end
    end
    swing "motion that goes on"
    harness.signal(one.process, "INT")
    local _, said = harness.wait(one.process)
    t:check(not said:find("off its command", 1, true), "a servo counts as stalled: %s", said)
    one.bus:stop()
    files.remove(one.folder)
  end)
end

harness.done()
