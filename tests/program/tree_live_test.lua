--- `brio tree --live`: a tree that runs, at a terminal of several sizes, with keys; viewers that die; and the words behind `tree`
--- through a socket.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files
local say, ended = harness.say, harness.ended
local screen = require "screen"

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "opening", memory = { slips = 1 } }
local function turn(self)
  self.memory.slips = self.memory.slips - 1
  if self.memory.slips >= 0 then return false, "it slipped" end
  return true
end
made.opening = {
  tree = { "sequence", name = "open the door",
    { "wait", name = "walk up", seconds = 1000 },
    { "wait", name = "lift the hand", seconds = 2000, after = "beginning" },
    { "action", name = "turn the knob", seconds = 1, tick = turn, after = "all" },
    { "sequence", name = "in", { "wait", name = "walk through", seconds = 0.1 }, { "checkpoint", name = "inside" } } },
  on = { tree_done = "through", tree_failed = "stuck" },
}
made.through, made.stuck = {}, {}
return made
]]

local brio = files.quote(harness.program)

local function started(t)
  local folder = t:folder()
  local run = { socket = folder .. "/x.sock", folder = folder, store = folder .. "/x.db" }
  files.write(folder .. "/made.lua", behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket, "--quiet")
  return harness.listening(run)
end

--- Begin to look on at a terminal of that size.
local function look(run, width, height, words, environment)
  run.looks = (run.looks or 0) + 1
  local view = { log = run.folder .. "/seen" .. run.looks, keys = run.folder .. "/keys" .. run.looks, width = width, height = height }
  os.execute(("rm -f %s %s; mkfifo %s"):format(view.log, view.keys, view.keys))
  local inside = ("stty cols %d rows %d; exec %s tree --live %s %s"):format(width, height, brio, run.socket, words or "")
  view.process = harness.start("sh -c " .. files.quote(("export TERM=xterm LC_ALL=C.UTF-8 %s; exec 3<>%s; "
    .. "timeout -k 5 60 script -qefc %s %s <&3 >/dev/null"):format(environment or "", view.keys, files.quote(inside), view.log)))
  return view
end

--- The screen as it is now; what was written since the last look is added to it.
local function seen(view)
  view.screen = view.screen or screen.new(view.width, view.height)
  view.file = view.file or io.open(view.log, "rb")
  local bytes = (view.rest or "") .. (view.file and view.file:read "a" or "")
  local begins = view.begun and 1 or bytes:find("\27[?1049h", 1, true)
  view.rest, view.begun = bytes, begins ~= nil
  if not begins then return view.screen end
  local ends = bytes:find("\27[?1049l", begins, true)
  local whole = ends and ends - 1 or #bytes
  while not ends and whole > 0 and #bytes - whole < 16 and not bytes:sub(1, whole):find "[%a~ ]$" do whole = whole - 1 end
  view.screen:write(bytes:sub(begins, whole)) -- what may be cut off, a sequence or a character, waits
  view.rest = bytes:sub(whole + 1)
  return view.screen
end

--- Type keys, and wait until the screen shows a pattern.
local function shows(t, view, keys, pattern)
  if keys ~= "" then os.execute(("printf %s >%s"):format(files.quote(keys), view.keys)) end
  local text
  for _ = 1, 200 do
    text = seen(view):text()
    if text:find(pattern) then return text end
    harness.sleep(0.05)
  end
  t:fail("after %q there is no %q:\n%s", keys, pattern, text)
  error("no use to go on", 0)
end

local function left(t, view)
  os.execute(("printf q >%s"):format(view.keys))
  t:equal(harness.wait(view.process, 20), 0, "exit code")
end

local function terminal(t)
  if not files.output "command -v script":find "script" then t:skip "there is no script(1) to make a terminal" end
end

test("a person sees a tree run, takes charge, and steps, pauses, stops and repairs it by keys", function(t)
  terminal(t)
  local run = started(t)
  local view = look(run, 80, 24)
  local text = shows(t, view, "", "opening   [%d.]+ s   automatic")
  t:has(text, "~2  ● +wait 'walk up' .- of 1000 s")
  shows(t, view, "", "\n● 3 lift the hand   [%d.]+ of 2000 s [█░]+")
  shows(t, view, "", "updates %d+ here, %d+ there, out of order 0")
  shows(t, view, "h", "in charge: ")
  shows(t, view, "kkkkjp", "2  ‖ +wait 'walk up'")
  shows(t, view, "p", "2  ● +wait 'walk up'")
  shows(t, view, "x", "2  ✗ +wait 'walk up' +stopped")
  shows(t, view, "jx", "✗ 2 walk up failed: stopped")
  shows(t, view, "", "3 →✗ +wait 'lift the hand' +stopped")
  shows(t, view, "r", "step by step")
  shows(t, view, "jn", "next 4 turn the knob")
  shows(t, view, "s", "✗ 4 turn the knob failed: it slipped")
  shows(t, view, "", "4 → *✗ *action 'turn the knob' +it slipped")
  shows(t, view, "jb", "it stops before 6 walk through")
  shows(t, view, "a", "4  ✓ +action 'turn the knob'")
  shows(t, view, "", "6■→ +wait 'walk through'")
  shows(t, view, "jb", "no breakpoint any more")
  shows(t, view, ":tree next in\r", "next: 6 walk through")
  shows(t, view, "a", "at its end   in charge")
  shows(t, view, "h", "no tree runs")
  local made = seen(view)
  t:check(not made.over, "something was written beyond 80 columns: %s", made.over)
  t:equal(#made.unknown, 0, "unknown control sequences")
  t:check(made.styles[32] and made.styles["1;31"] or made.styles[31], "colors at a terminal")
  left(t, view)
  t:has(files.read(view.log), "~\27%[%?25h\27%[%?1049l")
  t:has(say(run, "state").out, "through, for")
  ended(run)
  local acts = harness.sql(run.store, "select group_concat(json_extract(arguments, '$')) from operator where command = 'tree'")
  t:has(acts, "hold on,pause 2,resume 2,stop 2,stop 3,reset,next 4,step,break 5,auto on,break 6 off,next in,auto on,hold off")
  t:has(harness.sql(run.store, "select group_concat(data) from events where name = 'tree_waits'"), "it slipped")
end)

test("two people edit a tree that runs, each sees the other's edits and takes back their own", function(t)
  terminal(t)
  local run = started(t)
  local ann, bob = look(run, 80, 24, "--as ann"), look(run, 80, 24, "--as bob")
  shows(t, ann, "", "2  ● +wait 'walk up'")
  shows(t, bob, "", "2  ● +wait 'walk up'")
  shows(t, ann, "f", "updates %d%d")
  shows(t, ann, "e", "tree set 2 ▏")
  shows(t, ann, "seconds 900\r", "seconds of 'walk up' is 900")
  shows(t, ann, "", "2  ● +wait 'walk up' %* .- of 900 s")
  shows(t, ann, "", "* unsaved")
  shows(t, bob, "", "2  ● +wait 'walk up' %* .- of 900 s")
  shows(t, bob, ":tree rename lift the hand to raise it\r", "3  ● +wait 'raise it'")
  shows(t, bob, ":tree insert wait a little behind 4\r", "5 +wait 'a little'")
  shows(t, ann, "", "bob .-: 'a little' is new in 'open the door'")
  shows(t, ann, "u", "taken back: seconds of 'walk up'")
  shows(t, bob, "", "2  ● +wait 'walk up'  seconds 1000 s")
  shows(t, bob, "", "3  ● +wait 'raise it'")
  shows(t, ann, "U", "2  ● +wait 'walk up' %* .- of 900 s")
  left(t, ann)
  shows(t, bob, "uu", "3  ● +wait 'lift the hand'")
  left(t, bob)
  ended(run)
  t:has(harness.sql(run.store, "select group_concat(distinct who) from operator where command = 'tree'"), "~ann .-,bob")
end)

test("small windows scroll; no colors and no signs beyond ASCII where the terminal or a person says so", function(t)
  terminal(t)
  local run = started(t)
  local view = look(run, 40, 9, "--ascii", "NO_COLOR=1")
  shows(t, view, "", "2 +%* +wait 'walk up'")
  shows(t, view, "f\\033[6~\\033[6~\\033[6~", "\n +7 +checkpoint 'inside'")
  local bytes = files.read(view.log):gsub("^Script started[^\n]*\n", "")
  t:check(not bytes:find "\27%[[%d;]+m", "NO_COLOR was not heeded")
  t:check(not bytes:find "[\128-\255]", "signs beyond ASCII")
  t:check(not seen(view).over, "something was written beyond 40 columns")
  shows(t, view, "\\033[5~\\033[5~\\033[5~", "1 +%* +sequence 'open the door'")
  shows(t, view, ":tree pax\\177\\t", "tree pause_")
  shows(t, view, " walk u\\t", "tree pause walk up_")
  shows(t, view, "\r", "2 += +wait 'walk up'")
  shows(t, view, ":nonsense\r", "unknown name 'nonsense'")
  left(t, view)
  ended(run)
end)

test("viewers that die or stand still cost the run nothing, and the run's end is told to the others", function(t)
  terminal(t)
  local run = started(t)
  local first = look(run, 80, 24)
  shows(t, first, "", "2  ● +wait 'walk up'")
  local function viewers(signal) -- of this run's socket alone
    os.execute(("for p in $(pgrep -x brio); do tr '\\0' ' ' </proc/$p/cmdline | grep -q -- '--live %s' && kill -%s $p; done")
      :format(run.socket, signal))
  end
  viewers "STOP"
  t:has(say(run, "tree").out, "opening: automatic")
  viewers "KILL"
  harness.signal(first.process, "KILL") -- script(1) has stopped with what it runs
  t:has(say(run, "who").out, "(you)")
  local second = look(run, 80, 24, "--rate 60")
  shows(t, second, "", "2  ● +wait 'walk up'")
  ended(run)
  shows(t, second, "", "ended; waiting for the next run")
  left(t, second)
end)

test("into a pipe it prints the tree once; what cannot be shown is told", function(t)
  local run = started(t)
  local once = harness.brio("tree", "--live", run.socket)
  t:code(once, 0)
  t:has(once.out, "~made.lua on ur3e   opening   [%d.]+ s   automatic\nnext 4 turn the knob   1%-7 of 7   ")
  t:has(once.out, "~\n   7 +checkpoint 'inside'\n")
  t:check(not once.out:find "\27", "no escapes in a pipe")
  t:code(harness.brio("tree", "--live", run.socket, "--in", "closing"), 1)
  t:code(harness.brio("tree", "--live", run.folder .. "/none.sock"), 1)
  t:code(harness.brio("tree", "--live", "a", "b"), 2)
  t:code(harness.brio("tree", "--live", run.socket, "--rate", "0"), 2)
  say(run, "go stuck")
  t:has(harness.brio("tree", "--live", run.socket).err, "no tree runs")
  ended(run)
end)

harness.done()
