--- Shipped behaviors on the emulator of every driver, on the real clock: what alarms_test.lua samples, and
--- tests/alarms.lua runs whole.
---
---     shipped.play(shipped.pairs(shipped.behaviors(), shipped.kinds), { seconds = 10 }, print)
---
--- The clock is real because drivers and emulators count in it: answers that are due, watchdogs, motion of
--- emulated motors.  So an hour of robot time takes an hour divided by the number of runs at once.
local harness = require "harness"
local emulated = require "emulated"
local files = harness.files

local shipped = {}

--- By emulator: the driver where its name differs, settings, the number of servos, the scheme of its port;
--- `board`: it may have fewer channels than a robot has joints; `hobby`: joints of arms have a wider range
--- than its servos, which is a justified alarm at the start; `only`: the one behavior whose robot fits.
shipped.kinds = {
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

--- The names of all shipped behaviors: those with a test.
function shipped.behaviors()
  local list = {}
  for name in files.output(("ls %s/behaviors"):format(files.quote(harness.root))):gmatch "[^\n]+" do
    local base = name:match "^(.*)_test%.lua$"
    if base then list[#list + 1] = base end
  end
  return list
end

--- Each behavior with each emulator that fits it: { kind, behavior }.
function shipped.pairs(behaviors, kinds)
  local list = {}
  for _, behavior in ipairs(behaviors) do
    for _, kind in ipairs(kinds) do
      local fits = (not kind.only or kind.only == behavior) and not (kind.hobby and arms[behavior])
      if fits then list[#list + 1] = { kind = kind, behavior = behavior } end
    end
  end
  return list
end

--- Start a behavior on an emulator; it ends by itself after `seconds`.
function shipped.start(kind, behavior, seconds)
  local one = { folder = files.temporary(), name = behavior .. " on " .. kind.name, kind = kind,
    behavior = behavior, seconds = seconds }
  local words = {}
  if kind.servos then words = { "--servos", kind.servos } end
  if not kind.udp then table.move({ "--link", one.folder .. "/port" }, 1, 2, #words + 1, words) end
  one.bus = emulated.start(kind.name, table.unpack(words))
  local port = kind.udp and one.bus.port or (kind.scheme or "") .. one.folder .. "/port"
  local line = "%s run %s --driver %s --set port=%s %s --arm --socket %s --store %s --for %g"
  local file = harness.root .. "/behaviors/" .. behavior .. ".lua"
  one.process = harness.start(line:format(files.quote(harness.program), files.quote(file),
    kind.driver or kind.name, port, kind.set or "", one.folder .. "/socket", one.folder .. "/x.db", seconds))
  return one
end

--- Wait for its end, and remove what it left.  Set `code` and `said` of it; `refused`: why the board does not
--- accept this robot; `alarms`: the lines of alarms.
function shipped.finish(one)
  one.code, one.said = harness.wait(one.process, one.seconds + harness.patience)
  one.bus:stop()
  files.remove(one.folder)
  one.alarms = {}
  one.refused = one.code == 2 and one.kind.board and one.said:match "^[^\n]*" or nil
  for line in one.said:gmatch "[^\n]+" do
    for _, alarm in ipairs(alarms) do
      if line:find(alarm, 1, true) then one.alarms[#one.alarms + 1] = line break end
    end
  end
  return one
end

--- Take the first of the list whose process has ended.
local function take_ended(going)
  for i, one in ipairs(going) do
    if harness.has_ended(one.process) then return table.remove(going, i) end
  end
end

--- Play pairs, `options.at_once` at a time (6), `options.seconds` each; `ended(one)` is called after each.
function shipped.play(list, options, ended)
  local going, next_one = {}, 1
  while next_one <= #list or #going > 0 do
    while next_one <= #list and #going < (options.at_once or 6) do
      local pair = list[next_one]
      going[#going + 1] = shipped.start(pair.kind, pair.behavior, options.seconds)
      next_one = next_one + 1
    end
    local one = harness.await("one of the runs to end", function() return take_ended(going) end,
      { seconds = options.seconds + harness.patience })
    ended(shipped.finish(one))
  end
end

return shipped
