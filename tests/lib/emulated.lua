--- Emulated devices in a process of their own, controlled through their control socket.
---
---     local bus = emulated.start("sts", "--servos", 3, "--link", folder .. "/bus")
---     bus:say "unplug"                          -- returns the answer
---     bus:await("servo 1 at 30 degrees", "servo 1: at 30.")
---     bus:stop()
local harness = require "harness"
local uv = require "luv"

local emulated = {}
local Bus = {}
Bus.__index = Bus

--- Start `brio emulate` with these words; return the bus once its port and its control socket exist.
--- `port`: the port that the emulator reports; `process`: see harness.lua.
function emulated.start(kind, ...)
  local self = setmetatable({ folder = harness.files.temporary() }, Bus)
  self.socket = self.folder .. "/control"
  self.process = harness.start_brio("emulate", kind, "--control", self.socket, ...)
  self.port = harness.await_output(self.process, "type 'help'"):match "port: (%S+)"
  return self
end

--- What the process printed without being asked: its ports, and that it was unplugged.
function Bus:output() return harness.output_of(self.process) end

--- Send one line; return the answer.  An empty line is sent after it: its "ok" marks the end of the first
--- answer.
local function asked(self, line)
  local pipe, heard, fault, over = uv.new_pipe(false), "", nil, false
  pipe:connect(self.socket, function(why)
    if why then fault = why return end
    pipe:write(line .. "\n\n")
    pipe:read_start(function(failed, bytes)
      if not bytes then fault = failed or "the emulator closed the connection" end
      heard = heard .. (bytes or "")
      over = heard:match "^.+\nok\n$" ~= nil
    end)
  end)
  harness.await(("the emulator's answer to '%s'"):format(line), function()
    uv.run "nowait"
    return over or fault
  end, { seen = function() return heard .. self:output() end })
  pipe:close()
  if not over then
    error(("the emulator does not take '%s': %s; it says %s"):format(line, fault, self:output()), 3)
  end
  return (heard:gsub("ok\n$", ""))
end

--- Send lines, each after the answer to the one before; return the answers.
function Bus:say(lines)
  local answers = {}
  for line in lines:gmatch "[^\n]+" do answers[#answers + 1] = asked(self, line) end
  return table.concat(answers)
end

--- Wait until `status` contains a text ("~": a pattern), or a function of it returns true; return the status.
function Bus:await(what, piece)
  local status
  harness.await(what, function()
    status = self:say "status"
    if type(piece) == "function" then return piece(status) end
    return harness.contains(status, piece)
  end, { seen = function() return status end })
  return status
end

--- Unplug the cable, and wait until it is unplugged.
function Bus:unplug()
  local function times() return select(2, self:output():gsub("unplugged", "")) end
  local before = times()
  self:say "unplug"
  harness.await("the port to be closed", function() return times() > before end,
    { seen = function() return self:output() end })
end

--- Plug the cable in, and wait until there is a port; return its name, which is a new one (except for a bus).
function Bus:plug()
  local _, before = self:output():gsub("port: ", "")
  self:say "plug"
  harness.await("another port", function() return select(2, self:output():gsub("port: ", "")) > before end,
    { seen = function() return self:output() end })
  self.port = self:output():match ".*port: (%S+)"
  return self.port
end

--- End it, and wait until it has ended; return its exit code and what it wrote.
function Bus:stop()
  self:say "quit"
  local code, said = harness.wait(self.process)
  if not code then error("the emulator does not quit; it says " .. said, 2) end
  harness.files.remove(self.folder)
  return code, said
end

-- ------------------------------------------------------------------ what a run says of its devices

--- Whether a run's devices are lost now: the run reported a loss once more often than a recovery.  A stall of
--- the machine may lose a device, too.
function emulated.is_lost(process)
  local said = harness.output_of(process)
  local _, lost = said:gsub("device '[^\n']*' does not answer", "")
  local _, back = said:gsub("device '[^\n']*' answers again", "")
  return lost > back
end

--- Wait until a run reports that a device is lost.
function emulated.await_lost(process)
  harness.await("a device that is lost", function() return emulated.is_lost(process) end,
    { seen = function() return harness.output_of(process) end })
end

--- Wait until a run reports that its devices answer again.
function emulated.await_back(process)
  harness.await("devices that answer again", function() return not emulated.is_lost(process) end,
    { seen = function() return harness.output_of(process) end })
end

--- Release a robot that holds since a device was lost.  Call it in a waiting loop: it sends `release` at most
--- once a second, and only after the run has reported that it holds.  `run`: {process, socket}.
function emulated.release(run)
  if not harness.output_of(run.process):find("`release`", 1, true) then return end
  if run.released_at and uv.hrtime() - run.released_at < 1e9 then return end
  run.answer, run.released_at = harness.say(run, "release").text, uv.hrtime()
end

local mover = [[
local actuator, clock = require "brio.actuator", require "brio.clock"
local axes = {}
for i = 1, 6 do
  axes[i] = { name = "a" .. i, lower = -1, upper = 1, velocity = VELOCITY, acceleration = ACCELERATION, start = 0 }
end
local arm, why = actuator.open { driver = arg[1], axes = axes, settings = { port = arg[2] } }
if not arm then print(why) os.exit(1) end
for i = 1, 6 do arm:target("a" .. i, 0.1 * i - 0.3) end
local expected, till = "-0.20 -0.10 0.00 0.10 0.20 0.30", clock.monotonic() + PATIENCE
local places, there = nil, 0
repeat
  arm:step(STEP)
  places = {}
  for i = 1, 6 do places[i] = ("%.2f"):format(arm:state("a" .. i).position):gsub("%-0.00", "0.00") end
  places = table.concat(places, " ")
  there = places == expected and there + 1 or 0
until there == 20 or clock.monotonic() > till
print(places)
]]

--- Write a script for `brio lua SCRIPT DRIVER PORT`: it moves each of six axes to its own target until all
--- are at rest, and prints their positions.  `options`: velocity (rad/s), acceleration (rad/s^2), step (s),
--- leave (end without closing the device).  Returns the script's path.
function emulated.mover(folder, options)
  local values = { VELOCITY = options.velocity, ACCELERATION = options.acceleration, STEP = options.step,
                   PATIENCE = harness.patience }
  local path = folder .. "/mover.lua"
  harness.files.write(path, (mover:gsub("%u%u%u%u+", values))
    .. (options.leave and "os.exit(0, false)\n" or "arm:close()\n"))
  return path
end

return emulated
