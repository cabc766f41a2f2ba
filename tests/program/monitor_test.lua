--- `brio monitor`: at a terminal of several sizes, into a pipe, while runs end and begin.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files
local say, ended = harness.say, harness.ended
local screen = require "screen"

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
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", "none", "--socket", run.socket, "--quiet", ...)
  return harness.listening(run, 0.3)
end

--- Watch at a terminal of that size: `keys` is printf's text; "@0.3 " in it waits.  Return the run of script(1),
--- whose output is the terminal's.
local function watched(words, keys, width, height, environment)
  local steps = {}
  for piece, pause in (keys .. "@0"):gmatch "(.-)@([%d.]+)%s?" do
    steps[#steps + 1] = ("printf %s; sleep %s"):format(files.quote(piece), pause)
  end
  local inside = ("stty cols %d rows %d; exec %s monitor %s"):format(width, height, brio, words)
  return harness.run { ("export TERM=xterm LC_ALL=C.UTF-8 %s; { %s; } | script -qec %s /dev/null")
    :format(environment or "", table.concat(steps, "; "), files.quote(inside)), timeout = 60 }
end

local function terminal(t)
  if not files.output "command -v script":find "script" then t:skip "there is no script(1) to make a terminal" end
end

--- The screen as it was before the terminal was given back.
local function seen_by(bytes, width, height)
  local made = screen.new(width, height)
  made:write((bytes:gsub("\27%[%?1049l.*", "")))
  return made
end

test("a window of any size shows the run, and the terminal is given back", function(t)
  terminal(t)
  local run = started(t)
  for _, size in ipairs { { 80, 24 }, { 200, 50 }, { 40, 12 } } do
    local width, height = size[1], size[2]
    local shown = watched(run.socket .. " --rate 10", "@1.2 q@0.3 ", width, height)
    t:code(shown, 0)
    local made = seen_by(shown.out, width, height)
    t:has(made:text(), "~made.lua on ur3e   calm   [%d.]+ s")
    t:has(made:text(), "~elbow_joint +%a* *0%.%d+")
    t:has(made:line(height), "q quits")
    t:check(not made.over, "something was written beyond %d columns: %s", width, made.over)
    t:equal(#made.unknown, 0, "unknown control sequences")
    t:check(made.styles[32], "colors at a terminal")
    if width >= 80 then t:has(made:text(), "●") end
    t:has(shown.out, "~\27%[%?25h\27%[%?1049l%s*$")
  end
  ended(run)
end)

test("without colors and beyond UTF-8 where the terminal or a person says so", function(t)
  terminal(t)
  local run = started(t)
  local shown = watched(run.socket, "@0.8 q@0.3 ", 100, 24, "NO_COLOR=1 LC_ALL=C")
  t:code(shown, 0)
  t:check(not shown.out:find "\27%[[%d;]+m", "NO_COLOR was not heeded")
  t:check(not shown.out:find "[\128-\255]", "signs beyond ASCII in the C locale")
  t:has(watched(run.socket .. " --color always", "@0.8 q@0.3 ", 100, 24, "NO_COLOR=1").out, "~\27%[[%d;]+m")
  ended(run)
end)

test("keys scroll and quit; Ctrl-C and the end of the terminal quit, too", function(t)
  terminal(t)
  local run = started(t)
  local shown = watched(run.socket, "@0.8 \\033[B\\033[Bj@0.5 q@0.3 ", 80, 9)
  local made = seen_by(shown.out, 80, 9)
  t:has(made:text(), "~[2-6] to %d of 6 axes")
  t:check(not made:text():find("shoulder_pan_joint", 1, true), "the first row is scrolled away:\n%s", made:text())
  t:code(watched(run.socket, "@0.6 \\003@0.3 ", 80, 24), 0)
  t:code(watched(run.socket, "@0.6 ", 80, 24), 0)
  shown = watched(run.socket, "@0.8 P@0.8 q@0.3 ", 80, 24)
  t:has(seen_by(shown.out, 80, 24):text(), "held by panic")
  say(run, "release\nemit talk")
  ended(run)
end)

test("it goes on when the run ends, and when the next begins; one that does not answer is said", function(t)
  terminal(t)
  local folder = t:folder()
  local run = started(t, folder)
  local log = folder .. "/seen"
  local inside = ("stty cols 100 rows 24; exec %s monitor %s --rate 10"):format(brio, run.socket)
  local line = ("export TERM=xterm LC_ALL=C.UTF-8; { for i in $(seq 500); do test -e %s/seen.all && break; "
    .. "sleep 0.1; done; printf q; sleep 1; } | timeout 60 script -qefc %s %s >/dev/null")
    :format(folder, files.quote(inside), log)
  local watching = harness.start("sh -c " .. files.quote(line))
  local function wait_for(pattern, what)
    local text
    for _ = 1, 200 do
      harness.sleep(0.1)
      text = seen_by(files.read(log) or "", 100, 24):text()
      if text:find(pattern) then return end
    end
    t:fail("%s was not shown:\n%s", what, text)
  end
  wait_for("calm   [%d.]+ s", "the run")
  say(run, "emit talk")
  wait_for("said something", "the log")
  ended(run)
  wait_for("ended; waiting for the next run", "the end")
  run = started(t, folder)
  wait_for("calm   [%d.]+ s\n", "the next run")
  harness.signal(run.process, "STOP")
  wait_for("no answer for", "the run that does not answer")
  harness.signal(run.process, "CONT")
  wait_for("calm   [%d.]+ s *\n", "the run that answers again")
  files.write(folder .. "/seen.all", "")
  say(run, "stop")
  say(run, "stop")
  harness.wait(run.process, 20)
  local code = harness.wait(watching, 30)
  t:equal(code, 0, "exit code")
end)

test("into a pipe it prints one table; no run, or one that is not meant, is told", function(t)
  local run = started(t)
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
