--- Each family of boards from end to end: its emulator in one process, a behavior on it in another; the cable is
--- pulled and put in again, and the behavior edited, while it runs.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

--- Two poses by turns, as a robot that waits for people has; its `goal` is what is edited.
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
  { name = "maestro", set = "--set speed=2000" },
  { name = "maestro_crc", driver = "maestro", set = "--set crc=1 --set batch=1 --set form=pololu" },
  { name = "line" },
  { name = "json", udp = true },
  { name = "epos", part = 2, scheme = "unix:" },
  { name = "epos_serial", part = 2, options = " --servos 6", set = "--set mode=profile" },
}

--- A process that hears what is written to a pipe.
local function start_emulator(folder, family)
  local program = files.quote(harness.program)
  os.execute("mkfifo " .. folder .. "/typed")
  local link = family.udp and "" or " --link " .. folder .. "/port"
  local line = ("%s emulate %s --seed 3%s%s <%s/typed >%s/said 2>&1 &"):format(program, family.name, family.options or "", link,
    folder, folder)
  os.execute(line)
  family.typed = io.open(folder .. "/typed", "w")
  for _ = 1, 300 do
    family.port = (files.read(folder .. "/said") or ""):match "port: (%S+)"
    if family.port then return end
    harness.sleep(0.02)
  end
end

local function type_in(family, line)
  family.typed:write(line, "\n")
  family.typed:flush()
end

local function start(family)
  family.folder = files.temporary()
  start_emulator(family.folder, family)
  files.write(family.folder .. "/made.lua", text)
  local port = family.udp and family.port or (family.scheme or "") .. family.folder .. "/port"
  local program = files.quote(harness.program)
  family.run = harness.start(("%s run %s/made.lua --driver %s --set port=%s %s --arm --for 120 --socket %s/socket --store %s/x.db"):format(
    program, family.folder, family.driver or family.name, port, family.set or "", family.folder, family.folder))
end

local function edit(family)
  files.write(family.folder .. "/made.lua.new", (text:gsub("goal = 0.3", "goal = 0.6")))
  os.rename(family.folder .. "/made.lua.new", family.folder .. "/made.lua")
end

--- Where the first joint stands, in degrees, by the newest status that the emulator has told.
local function place_of(family)
  family.said = files.read(family.folder .. "/said") or ""
  local newest = family.said:match ".*packets came(.*)"
  return newest and tonumber(newest:match "%a+ %d: at (%-?[%d.]+) degrees")
end

--- Whether the edited behavior has moved it.
local function arrived(family)
  local degrees = place_of(family)
  return degrees and math.abs(degrees - math.deg(0.6)) < 1.5
end

--- Whether the behavior moves it: it was told, and armed.
local function moved(family)
  local degrees = place_of(family)
  return degrees and math.abs(degrees) > 3
end

--- Wait until something is so of all of `playing`, doing `meanwhile` (may be nil) with those of which it is not; 30 s at most.
local function await(playing, is_so, meanwhile)
  for _ = 1, 60 do
    local all = true
    for _, family in ipairs(playing) do
      if not is_so(family) then
        all = false
        if meanwhile then meanwhile(family) end
        type_in(family, "status")
      end
    end
    if all then return end
    harness.sleep(0.5)
  end
end

--- All families of a part at once: most of the time is waiting.
local function play(part)
  local playing = {}
  for _, family in ipairs(families) do
    if (family.part or 1) == part then playing[#playing + 1] = family end
  end
  for _, family in ipairs(playing) do start(family) end
  await(playing, moved)
  for _, family in ipairs(playing) do type_in(family, family.udp and "busy 1" or "unplug") end
  harness.sleep(1)
  for _, family in ipairs(playing) do type_in(family, family.udp and "busy 0" or "plug") end
  harness.sleep(1)
  for _, family in ipairs(playing) do edit(family) end
  await(playing, arrived, function(family) -- what was lost goes on when somebody says so
    family.released = harness.brio("attach", family.folder .. "/socket", { input = "release\n" }).text
  end)
  for _, family in ipairs(playing) do harness.signal(family.run, "INT") end
  for _, family in ipairs(playing) do
    family.code, family.text = harness.wait(family.run, 30)
    type_in(family, "quit")
    family.typed:close()
  end
end

local played = {}

for _, family in ipairs(families) do
  test("a behavior on an emulated " .. family.name .. ": unplugged, plugged in, edited while it runs", function(t)
    local part = family.part or 1
    if not played[part] then play(part) end
    played[part] = true
    t:check(family.code == 0 or family.code == 130, "exit code %s: %s", tostring(family.code), family.text)
    if not family.udp then
      t:has(family.said, "unplugged: type 'plug'")
      t:has(family.text, "answers again")
    end
    local versions = harness.number(family.folder .. "/x.db", "select count(*) from versions where source like '%goal = 0.6%'")
    t:check(versions and versions >= 1, "%s edited versions ran", tostring(versions))
    t:check(arrived(family), "the first joint is at %s degrees:\n%s\n%s\n%s", tostring(place_of(family)), family.said, family.text,
      family.released)
    files.remove(family.folder)
  end)
end

harness.done()
