--- Faulty scripts on the real clock, judged by a robot in another process: the commands that it gets while
--- they hang, fail, fill the memory or request the impossible, and while their files break.  `make test`
--- tries half of the ways to hang, the other half on the next day; `make soak` all.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local test, files = harness.test, harness.files

--- Do something to a run in motion, `act(one, robot)`, and check whether it `stops` or goes on; its output
--- and the store must have the sentence.  options: behavior, says, tells (in the history).
local function endure(t, what, stops, options, act)
  local robot = device.start(t)
  if options.behavior then files.write(robot.folder .. "/made.lua", options.behavior) end
  local one = device.run(t, robot)
  device.await_motion(robot)
  act(one, robot)
  if options.says then device.await_said(robot, options.says) end
  -- On a slow machine it rests before the scripts are cut off, and then follows their last goals once more.
  if stops then device.await_rest(robot, what, 2000)
  else
    device.more(robot, 20)
    device.await_motion(robot, what)
  end
  local count = #robot:frames()
  local text = device.finish(t, one)
  robot:finish()
  if stops then
    local way = device.moved(robot:frames(), count)
    t:check(way < 2e-6, "%s: at rest it was told to move by %g", what, way)
  end
  device.no_leap(t, robot:frames(), what)
  device.ends_at_rest(t, robot:frames(), what)
  if options.says then t:has(text, options.says) end
  local story = harness.brio("history", "--store", one.store)
  t:code(story, 0)
  if options.says or options.tells then t:has(story.out, options.tells or options.says) end
end

local function go(state)
  return function(one) device.say(one, "go " .. state) end
end

test("a loop without end in a script: the robot stops and holds", function(t)
  endure(t, "spinning", true, { says = "time budget" }, go "spinning")
end)

test("an error in every tick: the robot stops and holds", function(t)
  endure(t, "failing", true, { says = "on purpose" }, go "failing")
end)

--- Ways in which scripts hang: each ends the behavior, and the robot stops and holds.
local bombs = {
  { "a pattern that tries everything",
    'tick = function() return ("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40) .. "b") end' },
  { "a pattern on a long text", 'tick = function() return ("x"):rep(200000):find(".-.-.-.-.-.-y") end' },
  { "a __gc without end", 'tick = function() setmetatable({}, { __gc = function() while true do end end }) \z
    collectgarbage() end' },
  { "a __close without end in a coroutine", [[tick = function()
    coroutine.wrap(function() local held <close> = setmetatable({}, { __close = function() while true do end end }) end)() end]] },
  { "a loop that swallows its end", "tick = function() while true do pcall(function() while true do end \z
    end) end end" },
  { "a text that fills the memory", 'tick = function() local s = "x" while true do s = s .. s end end' },
  { "a table that fills the memory", "tick = function() local t = {} while true do t[#t + 1] = {} end end" },
  { "a recursion without end", "tick = function() local function f() return 1 + f() end f() end" },
  { "a metamethod that asks itself", 'tick = function() local t = setmetatable({}, { __index = function(t, \z
    k) return t[k .. "x"] end }) return t.a end' },
  { "coroutines without end", "tick = function() while true do coroutine.wrap(function() coroutine.yield() \z
    end)() end end" },
  { "a sort that never agrees", "tick = function() local t = {} for i = 1, 100000 do t[i] = i end while \z
    true do table.sort(t, function() return true end) end end" },
  { "an error that is none", "tick = function() error(setmetatable({}, { __tostring = function() while true \z
    do end end })) end" },
}

local soak, day = harness.scale > 1, tonumber(os.getenv "BRIO_TEST_SEED" or "") or os.time() // 86400
print(("# half of %d ways to hang (seed %d; make soak: all)"):format(#bombs, day))

for number, bomb in ipairs(bombs) do
  if not soak and (number + day) % 2 == 0 then goto next_bomb end
  local name, body = table.unpack(bomb)
  test(name .. ": the robot stops and holds, or goes on", function(t)
    local source = device.behavior:gsub("made.spinning = [^\n]*\n",
      function() return "made.spinning = { " .. body .. " }\n" end)
    local robot = device.start(t)
    files.write(robot.folder .. "/made.lua", source)
    local one = device.run(t, robot)
    device.await_motion(robot)
    device.say(one, "go spinning")
    device.await_rest(robot, name)
    t:has(device.say(one, "motors").out, "armed")
    device.finish(t, one)
    robot:finish()
    device.no_leap(t, robot:frames(), name)
  end)
  ::next_bomb::
end

test("broken files while it moves: the old version goes on, each is said", function(t)
  local broken = { "return", "while", "return 7", "error 'x'", "while true do end", ("x"):rep(1 << 20),
    "\0\1\2", "",
    "local brio = require 'brio' return brio.behavior 'made' { robot = 'none', start = 'nowhere' }" }
  endure(t, "broken files", false, { says = "was not taken", tells = "warning in" }, function(one, robot)
    for k, text in ipairs(broken) do
      files.write(one.file, text)
      device.await_said(robot, "was not taken", k)
    end
    os.remove(one.file)
    os.execute("mkdir " .. one.file)
    device.more(robot, 300)
  end)
end)

test("a pose that is no number, and one far beyond the limits: nothing leaves them", function(t)
  local source = device.behavior:gsub("made.left = [^\n]*\n", [[
made.left = { wants = { want.joint_match { joint = "elbow_joint", goal = function(self)
  local k = math.floor(self.now * 10) %% 4
  return k == 0 and -1e300 or k == 1 and 1e9 or k == 2 and 1 or self.now > 1.5 and 0 / 0 or 2 end } } }
]])
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", source)
  local one = device.run(t, robot)
  device.await_said(robot, "must be a finite number")
  device.more(robot, 100)
  local text = device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "NaN")
  t:has(text, "must be a finite number")
  for _, frame in ipairs(robot:frames()) do
    for i, goal in pairs(frame.goals) do
      t:check(math.abs(goal) <= (i == 3 and 3.1416 or 6.2832), "joint %d is told %g", i, goal)
    end
  end
end)

harness.done()
