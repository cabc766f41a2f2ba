--- Trying a robot before buying it, as docs/devices/devices.md shows it: the test runs the transcript there,
--- and the kiosk behavior on twelve emulated servos while their cable is pulled and the behavior is edited.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local stalls = require "stalls"
local test, files = harness.test, harness.files

local program = files.quote(harness.program)

--- Write a file atomically: programs see the old text or the new.
local function replace(path, text)
  files.write(path .. ".new", text)
  os.rename(path .. ".new", path)
end

-- The page -------------------------------------------------------------------------------------------

--- Numbers and the spaces around them are not compared: they differ from run to run.
local function masked(line)
  return (line:gsub("%-?%d+%.?%d*", "#"):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

--- The commands of a transcript with the lines that they print: "$ command", then its output; "..." stands
--- for any lines.
local function commands_of(block)
  local list = {}
  for line in block:gmatch "[^\n]+" do
    local command = line:match "^%$ (.*)"
    if command then list[#list + 1] = { command = command, lines = {} }
    else table.insert(list[#list].lines, line) end
  end
  return list
end

--- Whether output equals that of a transcript, without messages about stalls of the machine.
local function agrees(lines, output)
  local at = 1
  local seen = {}
  for line in output:gmatch "[^\n]+" do
    if not stalls.tells(line, true) then seen[#seen + 1] = masked(line) end
  end
  for index, line in ipairs(lines) do
    if line == "..." then
      local next_line = lines[index + 1] and masked(lines[index + 1])
      while at <= #seen and seen[at] ~= next_line do at = at + 1 end
    elseif seen[at] == masked(line) then at = at + 1
    else return false, line end
  end
  return at > #seen, seen[at]
end

--- Run a command of the transcript.  A command that asks each servo once is repeated when a busy machine
--- answered too late.
local function typed(one, command)
  local output, good, line
  for _ = 1, (one.command:find "^brio scan" or one.command:find "^brio move") and 10 or 1 do
    output = harness.run(command).text
    good, line = agrees(one.lines, output)
    if good then break end
  end
  return output, good, line
end

test("the transcript in docs/devices/devices.md is what the program says", function(t)
  local folder, page = t:folder(), files.read(harness.root .. "/docs/devices/devices.md")
  local block = page:match "<!%-%- transcript %-%->\n+```[a-z]*\n(.-)```"
  if not t:check(block, "the page has no transcript") then return end
  local background
  files.write(folder .. "/bin", ("#!/bin/sh\nexec %s \"$@\"\n"):format(program))
  os.execute("mkdir " .. folder .. "/path && mv " .. folder .. "/bin " .. folder .. "/path/brio && chmod +x "
    .. folder
    .. "/path/brio && ln -s " .. files.quote(harness.root) .. "/behaviors " .. folder .. "/behaviors")
  for _, one in ipairs(commands_of(block)) do
    local command = ("cd %s; PATH=%s/path:$PATH; %s"):format(folder, folder, one.command)
    local output, good, line
    if one.command:find "&$" then
      background = harness.start("sh -c "
        .. files.quote("cd " .. folder .. "; PATH=" .. folder .. "/path:$PATH; exec "
        .. one.command:gsub("%s*&$", "")))
      output = harness.await_output(background, "~type 'help'[^\n]*\n")
      good, line = agrees(one.lines, output)
    else
      output, good, line = typed(one, command)
    end
    t:check(good, "'%s' prints otherwise, at '%s':\n%s", one.command, tostring(line), output)
  end
  if background then
    harness.signal(background, "TERM")
    harness.wait(background)
  end
end)

-- The kiosk on twelve servos ---------------------------------------------------------------------------

--- The positions of an emulator's servos: lines of its status.
local function places(bus) return (bus:say("status"):gsub("torque %S+", "")) end

test("the kiosk behavior works on twelve emulated servos, through a pulled cable and an edit", function(t)
  local folder = t:folder()
  local store = folder .. "/run.db"
  local bus = emulated.start("dynamixel", "--servos", 12, "--link", folder .. "/bus")
  for _, name in ipairs { "kiosk.lua", "kiosk_world.lua" } do
    files.write(folder .. "/" .. name, files.read(harness.root .. "/behaviors/" .. name))
  end
  local run = harness.start(("%s run %s/kiosk.lua --driver dynamixel --drive left_arm --drive right_arm "
    .. "--set port=%s/bus --arm --store %s --socket %s/socket --trace %s/run.trace --quiet")
    :format(program, folder, folder, store, folder, folder))
  local at_first = places(bus)
  bus:await("torque at the last servo", "~servo 12: at %-?[%d.]+ degrees, torque on")
  harness.await("servos that move", function() return places(bus) ~= at_first end)
  bus:unplug()
  harness.await_output(run, "device 'dynamixel' does not answer")
  bus:plug()
  local text = files.read(folder .. "/kiosk.lua")
  replace(folder .. "/kiosk.lua", (text:gsub("param%(0.35,", "param(0.30,")))
  harness.await_output(run, "answers again")
  local before = places(bus)
  harness.await("servos that move after the cable was put in again", function()
    harness.brio("attach", folder .. "/socket", { input = "release\n" }) -- a stall may hold it once more
    return places(bus) ~= before
  end, { seen = function() return harness.output_of(run) end })
  harness.await_row(store, "select count(*) from versions where source like '%param(0.30,%'")
  harness.signal(run, "INT")
  local code, said = harness.wait(run)
  t:equal(code, 0, "the run's exit code:\n" .. said)
  t:has(bus:say "status", "torque o")
  local told = harness.brio("decode", "--summary", folder .. "/run.trace")
  t:code(told, 0)
  bus:stop()
end)

harness.done()
