--- A robot in another process (witness.c), and what it was commanded: for tests of what happens after an
--- engine has died.
---
---     local robot = device.start(t, { sag = -0.3 })
---     local one = device.run(t, robot, "--arm")
---     harness.signal(one.process, "KILL")
---     device.no_leap(t, robot:frames(), "killed")
local harness = require "harness"
local files, uv = harness.files, require "luv"

local device = {}
local Robot = {}
Robot.__index = Robot

--- The arm: its joints, their pose when it is found, the greatest speed of any, rad/s, and their
--- accelerations, rad/s^2.
local joints = { "shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint",
  "wrist_3_joint" }
device.joints, device.speed = joints, 3.15

local start = { 0.2, -1.4, 0.8, -1.5, 0.1, 0 }
device.acceleration = { 8, 8, 8, 16, 16, 16 }

--- The arm's limits, as judge.measure takes them.
device.limits = { speed = { 3.14, 3.14, 3.14, 6.28, 6.28, 6.28 }, acceleration = device.acceleration }

--- What `make units` builds of witness.c.
local program = harness.build .. "/witness"

--- Wait until `condition()` returns something true, and return that; fails if the robot's run ends before.
function device.await(robot, what, condition)
  return harness.await(what, condition, {
    seen = function() return robot:story() end,
    stop = function()
      return robot.one and harness.has_ended(robot.one.process) and not condition() and "the run ended before"
    end,
  })
end

--- Start a robot; options: sag, folder, from (its joint positions), port (the one that it had before).
function device.start(t, options)
  options = options or {}
  local self = setmetatable({ folder = options.folder or t:folder(), probes = 0 }, Robot)
  t:check(files.exists(program), "%s is not there: make units", program)
  local words = { files.quote(program), self.folder .. "/frames", "3.5", tostring(options.sag or 0) }
  for i, name in ipairs(joints) do words[#words + 1] = ("%s=%g"):format(name, (options.from or start)[i]) end
  if options.port then table.insert(words, 1, "env WITNESS_PORT=" .. options.port:match "%d+$") end
  self.process = harness.start(table.concat(words, " "))
  self.port = harness.await_output(self.process, "~port: %S+\n"):match "port: (%S+)"
  return self
end

local function frame_of(line)
  local words = {}
  for word in line:gmatch "%S+" do words[#words + 1] = word end
  local frame = { at = tonumber(words[1]), late = tonumber(words[2]), number = tonumber(words[3]),
                  watchdog = tonumber(words[4]), goals = {}, places = {} }
  for i = 1, #joints do
    frame.goals[i], frame.places[i] = tonumber(words[4 + i]), tonumber(words[4 + #joints + i])
  end
  return frame
end

--- The frames so far: {at, late (when it was sent, and how much later it was read, s), number, watchdog (s),
--- goals, places} each; a goal is nil where the joint got none.
function Robot:frames()
  self.list, self.begun = self.list or {}, self.begun or ""
  self.file = self.file or io.open(self.folder .. "/frames", "r")
  self.begun = self.begun .. (self.file and self.file:read "a" or "")
  local behind = 1
  for line, after in self.begun:gmatch "([^\n]+)\n()" do
    self.list[#self.list + 1], behind = frame_of(line), after
  end
  self.begun = self.begun:sub(behind)
  return self.list
end

--- Details of a robot and its run for the failure message of a wait.
function Robot:story()
  local frames = self:frames()
  local last = frames[#frames] or { goals = {} }
  return ("%d frames, the last with the goal %s; the run said: %s"):format(#frames, tostring(last.goals[3]),
    self.one and harness.output_of(self.one.process) or "nothing yet")
end

--- Wait until a robot has read all that was sent to it.
function Robot:catch_up()
  self.probes = self.probes + 1
  local text = "probe " .. self.probes
  local socket = uv.new_udp()
  assert(socket:try_send(text, "127.0.0.1", tonumber(self.port:match "%d+$")))
  socket:close()
  harness.await_output(self.process, text .. ": read")
end

--- End a robot, once it has read all.
function Robot:finish()
  self:catch_up()
  harness.signal(self.process, "KILL")
  harness.wait(self.process)
end

--- The rounding error of a message's numbers in an acceleration over two periods of 1 ms, rad/s^2.
local rounding = 2.1

--- By how much three frames in a row change a joint's speed faster than allowed: 0 where they are not one
--- period apart, as on a busy machine.  (Where the device's thread falls behind the motor's clock, a frame is
--- now and then two periods later, which counts twice; and a device that was behind is led a little faster
--- than before: no_leap allows three in a hundred.)
local function harshness(a, b, c, i)
  local apart = math.max(math.abs(b.at - a.at - 1e-3), math.abs(c.at - b.at - 1e-3))
  if apart > 1e-4 or not (a.goals[i] and b.goals[i] and c.goals[i]) then return 0 end
  return math.abs(c.goals[i] - 2 * b.goals[i] + a.goals[i]) * 1e6 - device.acceleration[i] - rounding
end

--- By how much the step of joint i from the frame before to frame k exceeds its greatest speed times the time
--- between them, rad.  After a burst (frames less than 0.5 ms apart, as after a stall) the frame before the
--- burst also counts as the origin; the smaller excess is returned.
local function excess(frames, k, i)
  local frame, first = frames[k], k - 1
  local here = math.abs(frame.goals[i] - frames[first].goals[i]) - device.speed *
    (frame.at - frames[first].at)
  while first > 1 and frames[first].at - frames[first - 1].at < 5e-4 do first = first - 1 end
  local known = frames[first - 1]
  if here <= 0 or not known or not known.goals[i] then return here end
  return math.min(here, math.abs(frame.goals[i] - known.goals[i]) - device.speed * (frame.at - known.at))
end

--- A summary of a list of frames: `step`, the greatest step of a goal per frame (rad); `beyond`, the greatest
--- excess over what the greatest speed allows since the frame before (rad); `was`, the greatest distance of a
--- goal from the robot's position when a joint gets a goal for the first time or again (rad); `told`, the
--- number of frames with a goal; `harsh`, the number that change a speed faster than a joint may.
function device.measure(frames)
  local made = { step = 0, beyond = 0, was = 0, told = 0, harsh = 0 }
  for k, frame in ipairs(frames) do
    local before = frames[k - 1]
    if next(frame.goals) then made.told = made.told + 1 end
    for i, goal in pairs(frame.goals) do
      local last = before and before.goals[i]
      if last then
        local frames_on = math.max(1, frame.number - before.number) -- some may be lost on the way
        local step = math.abs(goal - last) / frames_on
        made.step = math.max(made.step, step)
        made.beyond = math.max(made.beyond, excess(frames, k, i))
        if frames[k - 2] and harshness(frames[k - 2], before, frame, i) > 0 then
          made.harsh = made.harsh + 1
        end
      else
        made.was = math.max(made.was, math.abs(goal - frame.places[i]))
      end
    end
  end
  return made
end

--- Check that every frame could be reached in the time until the next, at a joint's greatest speed: a period,
--- or what is made up after a late one, which is 20 ms at most; and that no joint gets a goal far from where
--- it was found.  `kept`: for how long the machine may keep a frame between its making and its sending, s
--- (0.012).
function device.no_leap(t, frames, what, kept)
  local made = device.measure(frames)
  t:check(made.told > 50, "%s: %d frames told anything", what, made.told)
  t:check(made.step <= device.speed * 0.0203, "%s: a step of %g rad in one frame", what, made.step)
  t:check(made.beyond <= device.speed * (kept or 0.012), "%s: %g rad farther than the time allows", what,
    made.beyond)
  t:check(made.harsh <= 0.03 * #frames + 10, "%s: %d of %d frames beyond the accelerations", what, made.harsh,
    #frames)
  t:check(made.was <= 0.03, "%s: told to be %g rad from where it was found", what, made.was)
  return made
end

--- Check that the robot was not left in motion.
function device.ends_at_rest(t, frames, what)
  local last, before = frames[#frames], frames[#frames - 1]
  for i, goal in pairs(last.goals) do
    local step = math.abs(goal - (before.goals[i] or goal))
    t:check(step < 2e-6, "%s: joint %d is left in motion, at %g rad in %g s", what, i, step,
      last.at - before.at)
  end
end

device.behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "ur3e", start = "left" }
local function goal(value)
  return { want.joint_match { joint = "elbow_joint", goal = value },
    want.joint_match { joint = "shoulder_pan_joint", goal = value } }
end
made.left = { wants = goal(0.4), after = { 0.6, "right" } }
made.right = { wants = goal(1.4), after = { 0.6, "left" } }
made.spinning = { tick = function() while true do end end }
made.failing = { tick = function(self) error "on purpose" end }
made.power_off = { lasts = 0.1 }
return made
]]

--- Run the behavior on a robot; more words for `brio run`, and a table: `before` the command, `store`,
--- `frames` to wait for.  Return {process, store, socket, file} once the robot gets its first goal.
function device.run(t, robot, ...)
  local one = { store = robot.folder .. "/x.db", socket = robot.folder .. "/x.sock",
    file = robot.folder .. "/made.lua" }
  if not files.exists(one.file) then files.write(one.file, device.behavior) end
  local words = { ... }
  local options = type(words[#words]) == "table" and table.remove(words) or {}
  for i, word in ipairs(words) do words[i] = files.quote(tostring(word)) end
  one.process = harness.start(("%s %s run %s --driver json --set port=%s --store %s --socket %s --quiet \z
    --arm %s"):format(
    options.before or "", files.quote(harness.program), one.file, robot.port, options.store or one.store,
      one.socket,
    table.concat(words, " ")))
  robot.one = one
  local enough = options.frames or 100
  device.await(robot, "frames for the robot", function() return #robot:frames() > enough end)
  return one
end

device.say = harness.say

--- Wait until a robot has `count` more frames.
function device.more(robot, count)
  local enough = #robot:frames() + count
  device.await(robot, count .. " frames more", function() return #robot:frames() >= enough end)
end

--- Whether a joint of the newest frames moves.
function device.moves(frames)
  local last, before = frames[#frames], frames[#frames - 20]
  return last and before and last.goals[3] and before.goals[3]
    and math.abs(last.goals[3] - before.goals[3]) > 0.01
end

--- The distance that the elbow was commanded to move from frame `from` on, rad.
function device.moved(frames, from)
  local lowest, highest = math.huge, -math.huge
  for k = from, #frames do
    local goal = frames[k].goals[3]
    if goal then lowest, highest = math.min(lowest, goal), math.max(highest, goal) end
  end
  return highest > lowest and highest - lowest or 0
end

--- Whether the goals of all joints have been constant for over 0.4 s and at least `least` frames.
function device.rests(frames, least)
  local last = frames[#frames]
  for k = #frames, 1, -1 do
    for i, goal in pairs(last.goals) do
      if frames[k].goals[i] and math.abs(frames[k].goals[i] - goal) > 2e-6 then return false end
    end
    if last.at - frames[k].at > 0.4 and #frames - k >= least then return true end
  end
  return false
end

--- Whether engine and robot were out of contact for a while, since one of them was stopped: by the kernel's
--- time stamps.
local function stood_still(frames)
  for k = 2, #frames do
    if frames[k].at - frames[k - 1].at > 0.1 or frames[k].late > 0.1 then return true end
  end
  return false
end

local function times_found(one) return select(2, harness.output_of(one.process):gsub("answers again", "")) end

--- Release a run that holds the robot.
function device.release(one)
  one.found = times_found(one)
  return device.say(one, "release")
end

--- A run whose robot did not answer holds it, also when the cause was a stall of the machine.  That is
--- correct, and a person would release it then.  A loss without a stall fails the test.
local function release_after_stall(robot)
  local one = robot.one
  if not one or times_found(one) <= (one.found or 0) then return end
  assert(stood_still(robot:frames()), "the robot was lost, though nobody stood still")
  device.release(one)
end

--- Wait until a robot moves quickly: the run goes on, or begins.
function device.await_motion(robot, what)
  device.await(robot, (what and what .. ": " or "") .. "motion", function()
    release_after_stall(robot)
    return device.moves(robot:frames())
  end)
end

--- Wait until the elbow was commanded to move by at least this much from frame `from` on, rad.
function device.await_way(robot, from, way)
  device.await(robot, ("a way of %g rad"):format(way), function()
    release_after_stall(robot)
    return device.moved(robot:frames(), from) > way
  end)
end

--- Wait until a robot has rested for `least` frames (100).
function device.await_rest(robot, what, least)
  device.await(robot, what .. ": rest", function() return device.rests(robot:frames(), least or 100) end)
end

--- Wait until a run has printed `piece` ("~": a pattern) `times` times (1).
function device.await_said(robot, piece, times)
  local pattern = piece:match "^~(.*)" or piece:gsub("%p", "%%%0")
  device.await(robot, ("'%s', %d times"):format(piece, times or 1), function()
    return select(2, harness.output_of(robot.one.process):gsub(pattern, "")) >= (times or 1)
  end)
end

--- Check that the store of an ended run is intact.
function device.whole(t, one)
  t:equal(harness.sql(one.store, "pragma integrity_check; pragma foreign_key_check"), "ok",
    "integrity, rows that belong to none")
end

--- End a run as a person does; return its output.
function device.finish(t, one)
  harness.signal(one.process, "INT")
  local code, text = harness.wait(one.process)
  t:check(code == 0 or code == 3, "exit code %s: %s", tostring(code), text)
  device.whole(t, one)
  return text
end

--- A robot and its run, in motion: {files (of the folder), and those of device.start and device.run}; further
--- words go to `brio run`.
function device.moving(t, options, ...)
  options = options or {}
  local robot = device.start(t, options)
  for name, text in pairs(options.files or {}) do files.write(robot.folder .. "/" .. name, text) end
  local words = { ... }
  words[#words + 1] = options
  local one = device.run(t, robot, table.unpack(words))
  device.await_motion(robot)
  return robot, one
end

--- Wait until the commands of a robot move again from now on.
function device.goes_on(robot, what)
  device.more(robot, 20)
  device.await_motion(robot, what)
end

--- End a run as a person does, and its robot; check that it was led within its limits to the end.
function device.over(t, robot, one, what, kept)
  local text = device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), what, kept)
  device.ends_at_rest(t, robot:frames(), what)
  return text
end

return device
