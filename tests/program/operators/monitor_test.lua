--- `brio monitor`: at a terminal of several sizes, into a pipe, while runs end and start.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files
local say, ended = harness.say, harness.ended
local pty = require "pty"

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "ur3e", start = "calm" }
made.calm = {
  wants = { want.joint_match { joint = "elbow_joint", goal = 0.5 } },
  on = { talk = "talking" },
}
made.talking = { enter = function(self) self:log("said something") end, after = { 0, "calm" } }
return made
]]

local brio = files.quote(harness.program)

local function started(t, folder, ...)
  folder = folder or t:folder()
  local run = { socket = folder .. "/x.sock", folder = folder }
  files.write(folder .. "/made.lua", behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", "none", "--socket", run.socket,
    "--quiet", "--rate", 50, "--motor-rate", 200, ...) -- slow, for machines with much to do
  return harness.listening(run)
end

--- Start the monitor at a terminal of that size, and wait until the run is on the screen.
local function watch(run, width, height, words, environment)
  local command = ("exec %s monitor %s %s"):format(brio, run.socket, words or "")
  local view = pty.start(command, { folder = run.folder, width = width, height = height, whole = true,
    env = "TERM=xterm LC_ALL=C.UTF-8 " .. (environment or "") })
  view:sees "~made.lua on ur3e   calm   [%d.]+ s"
  return view
end

local function left(t, view, keys)
  view:type(keys or "q")
  local code = view:close()
  t:check(code == 0, "exit code %s: %q", tostring(code), view.log:sub(-400))
end

local function terminal(t)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
end

test("a window of any size shows the run, and the terminal is given back", function(t)
  terminal(t)
  local run = started(t)
  for _, size in ipairs { { 80, 24 }, { 200, 50 }, { 40, 12 } } do
    local width, height = size[1], size[2]
    local view = watch(run, width, height, "--rate 10")
    view:sees "~elbow_joint +%a* *0%.%d+"
    view:waits("the last row to say how to quit", function(made)
      return made:line(height):find("q quits", 1, true)
    end)
    if width >= 80 then view:sees "●" end
    left(t, view)
    local made = view.screen
    t:check(not made.over, "something was written beyond %d columns: %s", width, made.over)
    t:equal(#made.unknown, 0, "unknown control sequences")
    t:check(made.styles[32], "colors at a terminal")
    t:has(view.log, "~\27%[%?25h\27%[%?1049l%s*$")
  end
  ended(run)
end)

test("without colors and beyond UTF-8 where the terminal or a person says so", function(t)
  terminal(t)
  local run = started(t)
  local view = watch(run, 100, 24, "", "NO_COLOR=1 LC_ALL=C")
  left(t, view)
  t:check(not view.log:find "\27%[[%d;]+m", "NO_COLOR was not heeded")
  t:check(not view.log:find "[\128-\255]", "signs beyond ASCII in the C locale")
  view = watch(run, 100, 24, "--color always", "NO_COLOR=1")
  left(t, view)
  t:has(view.log, "~\27%[[%d;]+m")
  ended(run)
end)

test("keys scroll and quit; Ctrl-C and the end of the terminal quit, too", function(t)
  terminal(t)
  local run = started(t)
  local view = watch(run, 80, 9)
  view:sees "shoulder_pan_joint"
  view:type "\27[B\27[Bj"
  view:sees "~[2-6] to %d of 6 axes"
  view:loses "shoulder_pan_joint" -- the first row is scrolled away
  left(t, view)
  left(t, watch(run, 80, 24), "\3")
  left(t, watch(run, 80, 24), "")
  view = watch(run, 80, 24)
  view:type "P"
  view:sees "held by panic"
  left(t, view)
  say(run, "release\nemit talk")
  ended(run)
end)

test("it goes on when the run ends, and when the next begins; one that does not answer is said", function(t)
  terminal(t)
  local folder = t:folder()
  local run = started(t, folder)
  local view = watch(run, 100, 24, "--rate 10")
  say(run, "emit talk")
  view:sees "~%d+%.%d%d s: said something"
  ended(run)
  view:sees "ended; waiting for the next run"
  run = started(t, folder)
  view:sees "~calm   [%d.]+ s\n"
  harness.signal(run.process, "STOP")
  view:sees "no answer for"
  view:type "P"
  view:sees "THE PANIC STOP IS NOT CONFIRMED"
  harness.signal(run.process, "CONT")
  view:sees "P  panic: panic stop: the motors brake and hold"
  view:sees "~calm   [%d.]+ s *\n"
  left(t, view)
  ended(run)
end)

test("into a pipe it prints one table; no run, or one that is not meant, is told", function(t)
  local run = started(t)
  harness.await_answer(run, "state", "calm, for")
  local once = harness.brio("monitor", run.socket)
  t:code(once, 0)
  t:has(once.out, "~made.lua on ur3e   calm")
  t:check(not once.out:find "\27", "no escapes in a pipe")
  t:code(harness.brio("monitor", run.socket:match "[^/]*$", { cwd = run.socket:match "^(.*)/" }), 0)
  local _, rows = once.out:gsub("_joint ", "")
  t:equal(rows, 6, "rows")
  t:has(harness.brio("monitor", run.socket, "--color", "always").out, "\27[")
  t:code(harness.brio("monitor", run.folder .. "/none.sock"), 1)
  t:code(harness.brio("monitor", "a", "b"), 2)
  t:code(harness.brio("monitor", "--rate", "0"), 2)
  t:code(harness.brio("monitor", "--color", "maybe"), 2)
  local axes = say(run, "axes")
  t:has(axes.out, "~axis +unit +position +target +command +error +report\n")
  t:check(harness.is_json(say(run, "axes json").out), "axes json is JSON")
  ended(run)
end)

harness.done()
