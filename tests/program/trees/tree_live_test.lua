--- `brio tree --live`: a tree that runs, at a terminal of several sizes, with keys; viewers that die; and the
--- words behind `tree` through a socket.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files
local say, ended = harness.say, harness.ended
local pty = require "pty"

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

local function started(t, source)
  local folder = t:folder()
  local run = { socket = folder .. "/x.sock", folder = folder, store = folder .. "/x.db" }
  files.write(folder .. "/made.lua", source or behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--quiet", "--rate", 50, "--motor-rate", 200) -- slow, for machines with much to do
  return harness.listening(run)
end

--- Start the view at a terminal of that size.
local function look(run, width, height, words, environment)
  return pty.start(("exec %s tree --live %s %s"):format(brio, run.socket, words or ""), { folder = run.folder,
    width = width, height = height, whole = true, env = "TERM=xterm LC_ALL=C.UTF-8 " .. (environment or "") })
end

--- Type keys, and wait until the screen shows a pattern.
local function shows(view, keys, pattern)
  view:type(keys)
  view:sees("~" .. pattern)
end

local function left(t, view)
  view:type "q"
  local code = view:close()
  t:check(code == 0, "exit code %s: %q", tostring(code), view.log:sub(-400))
end

local function terminal(t)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
end

test("a person sees a tree run, takes charge, and steps, pauses, stops and repairs it by keys", function(t)
  terminal(t)
  local run = started(t)
  local view = look(run, 80, 24)
  shows(view, "", "opening   [%d.]+ s   automatic")
  shows(view, "", "2  ● +wait 'walk up' .- of 1000 s")
  shows(view, "", "\n● 3 lift the hand   [%d.]+ of 2000 s [█░]+")
  -- anything the screen has shown: long numbers push it off the row
  view:waits("a count of updates", function()
    return view.log:find "updates %d+ here, %d+ there, out of order 0"
  end)
  shows(view, "h", "in charge: ")
  shows(view, "kkkkjp", "2  ‖ +wait 'walk up'")
  shows(view, "p", "2  ● +wait 'walk up'")
  shows(view, "x", "2  ✗ +wait 'walk up' +stopped")
  shows(view, "jx", "✗ 2 walk up failed: stopped")
  shows(view, "", "3 →✗ +wait 'lift the hand' +stopped")
  shows(view, "r", "step by step")
  shows(view, "jn", "next 4 turn the knob")
  shows(view, "s", "✗ 4 turn the knob failed: it slipped")
  shows(view, "", "4 → *✗ *action 'turn the knob' +it slipped")
  shows(view, "jb", "it stops before 6 walk through")
  shows(view, "a", "4  ✓ +action 'turn the knob'")
  shows(view, "", "6■→ +wait 'walk through'")
  shows(view, "jb", "no breakpoint any more")
  shows(view, ":tree next in\r", "next: 6 walk through")
  shows(view, "a", "at its end   in charge")
  shows(view, "h", "no tree runs")
  local made = view.screen
  t:check(not made.over, "something was written beyond 80 columns: %s", made.over)
  t:equal(#made.unknown, 0, "unknown control sequences")
  t:check(made.styles[32] and made.styles["1;31"] or made.styles[31], "colors at a terminal")
  left(t, view)
  t:has(view.log, "~\27%[%?25h\27%[%?1049l")
  t:has(say(run, "state").out, "through, for")
  ended(run)
  local acts = harness.sql(run.store, "select group_concat(json_extract(arguments, '$')) from operator \z
    where command = 'tree'")
  t:has(acts, "hold on,pause 2,resume 2,stop 2,stop 3,reset,next 4,step,break 5,auto on,break 6 off,next \z
    in,auto on,hold off")
  t:has(harness.sql(run.store, "select group_concat(data) from events where name = 'tree_waits'"),
    "it slipped")
end)

test("two people edit a tree that runs, each sees the other's edits and takes back their own", function(t)
  terminal(t)
  local run = started(t)
  local ann, bob = look(run, 80, 24, "--as ann"), look(run, 80, 24, "--as bob")
  shows(ann, "", "2  ● +wait 'walk up'")
  shows(bob, "", "2  ● +wait 'walk up'")
  shows(ann, "f", "updates %d%d")
  shows(ann, "e", "tree set 2 ▏")
  shows(ann, "seconds 900\r", "seconds of 'walk up' is 900")
  shows(ann, "", "2  ● +wait 'walk up' %* .- of 900 s")
  shows(ann, "", "* unsaved")
  shows(bob, "", "2  ● +wait 'walk up' %* .- of 900 s")
  shows(bob, ":tree rename lift the hand to raise it\r", "3  ● +wait 'raise it'")
  shows(bob, ":tree insert wait a little behind 4\r", "5 +wait 'a little'")
  shows(ann, "", "bob .-: 'a little' is new in 'open the door'")
  shows(ann, "u", "taken back: seconds of 'walk up'")
  shows(bob, "", "2  ● +wait 'walk up'  seconds 1000 s")
  shows(bob, "", "3  ● +wait 'raise it'")
  shows(ann, "U", "2  ● +wait 'walk up' %* .- of 900 s")
  left(t, ann)
  shows(bob, "uu", "3  ● +wait 'lift the hand'")
  left(t, bob)
  ended(run)
  t:has(harness.sql(run.store, "select group_concat(distinct who) from operator where command = 'tree'"),
    "~ann .-,bob")
end)

test("small windows scroll; no colors and no signs beyond ASCII where the terminal or a person says so",
  function(t)
  terminal(t)
  local run = started(t)
  local view = look(run, 40, 9, "--ascii", "NO_COLOR=1")
  shows(view, "", "2 +%* +wait 'walk up'")
  -- A line that the run logs on a busy machine takes one row of three from the tree: pages are shorter then.
  shows(view, "f" .. ("\27[6~"):rep(7), "\n +7 +checkpoint 'inside'")
  t:check(not view.log:find "\27%[[%d;]+m", "NO_COLOR was not heeded")
  t:check(not view.log:find "[\128-\255]", "signs beyond ASCII")
  t:check(not view.screen.over, "something was written beyond 40 columns")
  shows(view, ("\27[5~"):rep(7), "1 +%* +sequence 'open the door'")
  shows(view, ":tree pax\127\t", "tree pause_")
  shows(view, " walk u\t", "tree pause walk up_")
  shows(view, "\r", "2 += +wait 'walk up'")
  -- There is room for one line: a log line of a busy machine does not hide an answer at once.
  local before = #view.log
  view:type ":nonsense\r"
  view:waits("the answer to nonsense", function() return view.log:find("unknown name 'nonsense'", before,
    true) end)
  left(t, view)
  ended(run)
end)

test("what runs is followed beyond the first window, with the names of its nodes", function(t)
  terminal(t)
  local waits = {}
  for index = 1, 60 do
    waits[index] = ('{ "wait", name = "w%d", seconds = %g }'):format(index, index == 45 and 1000 or 0.02)
  end
  local run = started(t, ([[
local made = require "brio".behavior "made" { robot = "ur3e", start = "going" }
made.going = { tree = { "sequence", name = "all", %s } }
return made
]]):format(table.concat(waits, ", ")))
  local view = look(run, 80, 12)
  shows(view, "", "46 +● +wait 'w45'")
  t:check(not view.log:find("say tree view", 1, true), "the run refused what the view asked")
  left(t, view)
  ended(run)
end)

test("viewers that die or stand still cost the run nothing, and the run's end is told to the others",
  function(t)
  terminal(t)
  local run = started(t)
  local first = look(run, 80, 24)
  shows(first, "", "2  ● +wait 'walk up'")
  first:signal "STOP"
  t:has(say(run, "tree").out, "opening: automatic")
  first:signal "KILL"
  harness.signal(first.process, "KILL") -- script(1) has stopped with what it runs
  t:has(say(run, "who").out, "(you)")
  local second = look(run, 80, 24, "--rate 60")
  shows(second, "", "2  ● +wait 'walk up'")
  ended(run)
  shows(second, "", "ended; waiting for the next run")
  left(t, second)
end)

test("into a pipe it prints the tree once; what cannot be shown is told", function(t)
  local run = started(t)
  harness.await_answer(run, "tree", "opening: automatic")
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
  harness.await_answer(run, "state", "stuck, for")
  t:has(harness.brio("tree", "--live", run.socket).err, "no tree runs")
  ended(run)
end)

harness.done()
