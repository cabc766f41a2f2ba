--- Each family of boards from end to end: its emulator in one process, a behavior on it in another; the cable
--- is pulled and plugged in again, and the behavior edited, while it runs.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files = harness.test, harness.files

--- Alternates between two poses, as a robot that waits for people does; the test edits its `goal`.
local text = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "ur3e", start = "look" }
local goal = 0.3
made.look = {
  wants = { want.joint_match { joint = "shoulder_pan_joint", goal = goal, weight = 20 },
            want.joint_match { joint = "wrist_3_joint", goal = -goal, weight = 20 } },
  after = { 2, "wait" },
}
made.wait = {
  wants = { want.joint_match { joint = "shoulder_pan_joint", goal = goal, weight = 20 },
            want.joint_match { joint = "wrist_3_joint", goal = goal / 2, weight = 20 } },
  after = { 1, "look" },
}
return made
]]

local families = {
  { name = "lx16a" },
  { name = "mycobot" },
  { name = "maestro", open_loop = true, set = "--set speed=2000" },
  { name = "maestro_crc", part = 3, open_loop = true, driver = "maestro",
    set = "--set crc=1 --set batch=1 --set form=pololu" },
  { name = "line", part = 3, open_loop = true },
  { name = "json", part = 3, udp = true },
  { name = "epos", part = 2, scheme = "unix:" },
  { name = "epos_serial", part = 2, servos = 6, set = "--set mode=profile" },
}

local function start(family)
  family.folder = files.temporary()
  local words = table.pack("--seed", 3)
  if family.servos then words = table.pack("--seed", 3, "--servos", family.servos) end
  if not family.udp then table.move({ "--link", family.folder .. "/port" }, 1, 2, #words + 1, words) end
  family.bus = emulated.start(family.name, table.unpack(words))
  files.write(family.folder .. "/made.lua", text)
  local port = family.udp and family.bus.port or (family.scheme or "") .. family.folder .. "/port"
  local line = "%s run %s/made.lua --driver %s --set port=%s %s --arm --socket %s/socket --store %s/x.db"
  family.socket = family.folder .. "/socket"
  family.process = harness.start(line:format(files.quote(harness.program), family.folder,
    family.driver or family.name, port, family.set or "", family.folder, family.folder))
end

local function edit(family)
  files.write(family.folder .. "/made.lua.new", (text:gsub("goal = 0.3", "goal = 0.6")))
  os.rename(family.folder .. "/made.lua.new", family.folder .. "/made.lua")
end

--- The position of the first joint, degrees.
local function place_of(family)
  family.said = family.bus:say "status"
  return tonumber(family.said:match "%a+ %d: at (%-?[%d.]+) degrees")
end

--- Whether the edited behavior has moved it.
local function arrived(family)
  family.place = place_of(family)
  return family.place and math.abs(family.place - math.deg(0.6)) < 1.5
end

--- Whether the behavior moves it: it has a goal, and is armed.
local function moved(family)
  local degrees = place_of(family)
  return degrees and math.abs(degrees) > 3
end

--- Wait until a condition holds for all of `playing`; call `meanwhile` (may be nil) with those for which it
--- does not.
local function await(what, playing, is_so, meanwhile)
  local left = playing
  harness.await(what, function()
    local still = {}
    for _, family in ipairs(left) do
      if not is_so(family) then
        still[#still + 1] = family
        if meanwhile then meanwhile(family) end
      end
    end
    left = still
    return #left == 0
  end, { seen = function()
    local list = {}
    for i, family in ipairs(left) do
      list[i] = ("%s:\n%s%s%s"):format(family.name, family.said, harness.output_of(family.process),
        family.answer or "")
    end
    return table.concat(list, "\n")
  end })
end

--- A device that is held for a moment may be lost or not.
local function lost(family) return family.udp or emulated.is_lost(family.process) end
local function back(family) return not emulated.is_lost(family.process) end

--- All families of a part at once: most of the time is waiting.  Two cores cannot run more of them.
local function play(part)
  local playing = {}
  for _, family in ipairs(families) do
    if (family.part or 1) == part then playing[#playing + 1] = family end
  end
  for _, family in ipairs(playing) do start(family) end
  await("joints that move", playing, moved, emulated.release)
  for _, family in ipairs(playing) do family.status = harness.say(family, "status").text end
  for _, family in ipairs(playing) do
    if family.udp then family.bus:say "busy 1" else family.bus:unplug() end
  end
  await("devices that are lost", playing, lost)
  for _, family in ipairs(playing) do
    if family.udp then family.bus:say "busy 0" else family.bus:plug() end
  end
  await("devices that answer again", playing, back)
  for _, family in ipairs(playing) do edit(family) end
  await("joints where the edited behavior wants them", playing, arrived, emulated.release)
  for _, family in ipairs(playing) do harness.signal(family.process, "INT") end
  for _, family in ipairs(playing) do
    family.code, family.text = harness.wait(family.process)
    family.output = select(2, family.bus:stop())
  end
end

local played = {}

for _, family in ipairs(families) do
  test("a behavior on an emulated " .. family.name .. ": unplugged, plugged in, edited while it runs",
    function(t)
    local part = family.part or 1
    if not played[part] then play(part) end
    played[part] = true
    t:check(family.code == 0 or family.code == 130, "exit code %s: %s", tostring(family.code), family.text)
    if not family.udp then
      t:has(family.output, "unplugged: type 'plug'")
      t:has(family.text, "answers again")
    end
    local versions = harness.number(family.folder .. "/x.db",
      "select count(*) from versions where source like '%goal = 0.6%'")
    t:check(versions and versions >= 1, "%s edited versions ran", tostring(versions))
    local unwatched = family.status:find("not monitored, because they report their commands", 1, true) ~= nil
    t:equal(unwatched, family.open_loop or false, "it says that nothing is noticed of its motors")
    t:check(math.abs(family.place - math.deg(0.6)) < 1.5, "the first joint is at %g degrees", family.place)
    files.remove(family.folder)
  end)
end

harness.done()
