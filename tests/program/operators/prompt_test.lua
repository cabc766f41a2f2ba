--- `brio attach` and `brio run --repl`: every word, through pipes and pseudo-terminals; rubbish, many prompts
--- at once, prompts that die, and a stop while a script loops.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local stalls = require "stalls"
local pty = require "pty"
local uv = require "luv"
local test, files, say = harness.test, harness.files, harness.say

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" {
  robot = "ur3e", start = "calm", memory = { count = 0 }, tune = { near = brio.param(1.2, "m", 0.5, 3) },
}
made.calm = {
  wants = { want.joint_match { joint = "elbow_joint", goal = 0.5 }, want.joint_limits {} },
  on = { spin = "spinning", fail = "failing", count = "counting", talk = "talking" },
  states = { left = { after = { 1000, "right" } }, right = {} }, start = "left",
}
made.counting = {
  enter = function(self, data) self.memory.count = self.memory.count + (data or 1) end,
  after = { 0, "calm" },
}
made.talking = { tick = function(self) if self:every(0.2) then self:log("said at %.1f", self.now) end end }
made.spinning = { tick = function() while true do pcall(function() while true do end end) end end }
made.failing = { enter = function() error "on purpose" end }
made.power_off = { lasts = 0.2 }
return made
]]

local brio = files.quote(harness.program)

--- Start a run with its socket in a folder of its own.  Return what is needed to send lines to it.
local function started(t, ...)
  local folder = t:folder()
  local run = { store = folder .. "/x.db", socket = folder .. "/x.sock", folder = folder }
  files.write(folder .. "/made.lua", behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--quiet", "--rate", 50, "--motor-rate", 200, ...) -- slow, for machines with much to do
  return harness.listening(run)
end

local function ended(t, run)
  local code, text = harness.ended(run)
  t:check(code, "the run did not end: %s", text)
  return code, text
end

--- Repeat a query until its answer matches: a run executes commands between two ticks.
local shows = harness.await_answer

--- Send a line and find a text in the answer.
local function says(t, run, line, piece, ...)
  local answer = say(run, line, ...)
  t:code(answer, 0)
  t:has(answer.out, piece)
end

local function refuses(t, run, line, piece)
  local answer = say(run, line)
  t:code(answer, 3)
  t:has(answer.err, piece)
end

test("every word does what help says", function(t)
  local run = started(t)
  local lines, words = {}, {}
  for word in say(run, "help all").out:gmatch "\n  (%l+)[^\n]-  " do
    if word ~= "self" and word ~= "memory" then
      words[#words + 1] = word
      table.move({ "help " .. word, ("'end of %s'"):format(word) }, 1, 2, #lines + 1, lines)
    end
    if word == "quit" then break end
  end
  t:check(#words > 20, "%d words", #words)
  local answer, from = say(run, table.concat(lines, "\n")).out, 1
  for _, word in ipairs(words) do
    local mark = ('"end of %s"\n'):format(word)
    local to, after = answer:find(mark, from, true)
    if not t:check(to, "no %s in\n%s", mark, answer) then break end
    t:check(answer:sub(from, to):find("for example: ", 1, true), "help %s says no example", word)
    from = after + 1
  end
  shows(run, "state", "~^calm, for [%d.]+ s\ncalm.left, for")
  says(t, run, "states", "~%* calm .-spin %-> spinning.-%* calm%.left .-1000 s %-> right")
  says(t, run, "wants", "~joint_match%(joint=elbow_joint%).- 0%.5\n")
  says(t, run, "who", "(you)")
  says(t, run, "go right", "goes to calm.right")
  shows(run, "state", "calm.right, for")
  refuses(t, run, "go rihgt", "there is no state 'rihgt'")
  says(t, run, "emit count 5", "sent: count")
  shows(run, "memory.count", "5")
  says(t, run, "goal elbow 0.8", "goal 0.8, until")
  says(t, run, "weight limits 3", "joint_limits(): weight 3, until")
  shows(run, "wants", "~elbow_joint%)[^\n]- 0%.8 +goal\njoint_limits%(%) +script +3 +3[^\n]- weight")
  shows(run, "math.abs(actuator:state('elbow_joint').position - 0.8) < 0.1", "true")
  says(t, run, "goal elbow off", "is the behavior's again")
  says(t, run, "weight limits off", "is the behavior's again")
  refuses(t, run, "weight elbow -1", "a weight is a number of at least 0")
  refuses(t, run, "goal elbow {}", "goal")
  refuses(t, run, "goal joint 1", "fits 2 objectives")
  says(t, run, "tune", "~near +1%.2 m +%(0%.5 to 3%)")
  says(t, run, "tune near 2", "~near +2 m")
  says(t, run, "self.tune.near", "2")
  refuses(t, run, "tune near 9", "near must be a number from 0.5 to 3 m, not 9")
  refuses(t, run, "tune.near = 9", "near must be a number from 0.5 to 3 m, not 9")
  says(t, run, "hold", "holds its pose")
  shows(run, "state", "on hold")
  says(t, run, "emit count", "on hold")
  says(t, run, "go on", "goes on, after")
  says(t, run, "memory.count", "5")
  says(t, run, "sql SELECT count(*) AS n FROM operator", "~n\n%-+\n *%d+")
  refuses(t, run, "sql DELETE FROM runs", "read")
  t:code(say(run, "quit\nstate"), 0)
  says(t, run, "stop", "the run ends: power-off")
  t:equal(harness.wait(run.process), 0, "exit code of the run")
  t:equal(harness.sql(run.store, "select outcome || ' ' || reason from runs"), "stopped operator", "outcome")
end)

test("Lua is shown, done, or refused, and nothing of it holds up the robot", function(t)
  local run = started(t)
  says(t, run, "1 + 1", "~^2\n$")
  says(t, run, "x = { 3, name = 'ann', deep = { y = 0.1 } }\nx", '{ 3, deep = { y = 0.1 }, name = "ann" }')
  says(t, run, "x.name", '"ann"')
  says(t, run, "for i = 1, 2 do\n  print('line', i)\nend", "line\t1\nline\t2")
  says(t, run, "emit count (\n  1)", "sent: count")
  refuses(t, run, "unknwon", "unknown name 'unknwon'")
  refuses(t, run, "holdd", "did you mean the word 'hold'?")
  refuses(t, run, "emitt x", "did you mean the word 'emit'?")
  refuses(t, run, "os.execute('true')", "unknown name 'os'")
  refuses(t, run, "io", "unknown name 'io'")
  refuses(t, run, "load('x')", "unknown name 'load'")
  refuses(t, run, "self = 1", "self is the run's")
  refuses(t, run, "1 +* 2", "unexpected symbol")
  refuses(t, run, "for i = 1, 2 do", "ends in the middle")
  refuses(t, run, "error { 1 }", "no text but a table")
  for _ = 1, 5 do
    refuses(t, run, "while true do pcall(function() while true do end end) end", "time budget")
  end
  refuses(t, run, "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) end", "~budget")
  says(t, run, "('x'):rep(300000)", '..."')
  says(t, run, "print(('x'):rep(300000))", "(cut)")
  says(t, run, "self", "memory = {")
  harness.go_on(run.store, 0.1) -- the robot goes on
  ended(t, run)
  t:equal(harness.sql(run.store, "select group_concat(message) from faults where not " .. stalls.sql), "",
    "faults")
end)

test("what changes anything is recorded, with who said it and how late", function(t)
  local run = started(t)
  local from = "--as"
  shows(run, "state", "calm, for")
  say(run, "state\ngo right\nemit count 2\ntune\ntune near 2\nmemory.count = 9\ngo nowhere\nhold\ngo on\n\z
    goal elbow 0.7", from, "ann")
  local user = files.output "id -un"
  harness.await_row(run.store, "select count(*) = 7 from operator")
  t:equal(harness.sql(run.store, "select distinct who from operator"), "ann (" .. user .. ")", "who")
  t:equal(
    harness.sql(run.store, "select command || ' ' || coalesce(arguments, '-') from operator order by id"),
    'go "right"\nemit "count 2"\ntune "near 2"\nlua "memory.count = 9"\nhold -\ngo "on"\n\z
    goal "elbow 0.7"', "commands")
  local late = "select count(*) from operator where late_ms > 0 and tick > 0"
  t:equal(harness.number(run.store, late), 7, "late_ms")
  t:has(harness.sql(run.store, "select group_concat(cause || ' ' || detail) from states"), "force ann")
  ended(t, run)
  t:has(harness.brio("history", "--store", run.store).out, 'says go "right"')
end)

test("both orders to stop are recorded", function(t)
  local run = started(t)
  say(run, "stop\nstop", "--as", "ann")
  t:check(harness.wait(run.process), "the run did not end")
  local user = files.output "id -un"
  t:equal(harness.sql(run.store, "select command || ' by ' || who from operator"),
    ("stop by ann (%s)\nstop by ann (%s)"):format(user, user), "orders")
end)

test("a name of a whole line's length holds up nobody", function(t)
  local run = started(t)
  refuses(t, run, ("x"):rep(60000), "unknown name")
  refuses(t, run, "go " .. ("x"):rep(60000), "there is no state")
  refuses(t, run, "weight " .. ("x"):rep(60000) .. " 1", "there is no objective")
  refuses(t, run, "help " .. ("x"):rep(60000), "there is no word")
  refuses(t, run, "help x" .. (" "):rep(60000) .. "y", "there is no word")
  refuses(t, run, "x = '" .. ("y"):rep(70000) .. "'\nstate", "65536 bytes at most")
  local piped = harness.run { ("(printf 'x = \"'; head -c 70000 /dev/zero | tr '\\0' y; printf \z
    '\"\nstate\n') | %s attach %s"):format(brio, run.socket) }
  t:code(piped, 3)
  t:has(piped.err, "65536 bytes at most")
  t:has(piped.out, "calm")
  refuses(t, run, "self:every(1)", "may only be used in a state's own functions")
  refuses(t, run, "self:elapsed()", "may only be used in a state's own functions")
  ended(t, run)
end)

test("a failed behavior can be sent on", function(t)
  local run = started(t)
  says(t, run, "emit fail", "sent")
  shows(run, "state", "on purpose")
  says(t, run, "1 + 1", "2")
  says(t, run, "go right", "goes to calm.right")
  shows(run, "state", "~calm, for.-calm%.right")
  ended(t, run)
end)

test("versions are shown, rolled back and reloaded", function(t)
  local run = started(t)
  local file = run.folder .. "/made.lua"
  refuses(t, run, "rollback", "no version before this one")
  files.write(file, (behavior:gsub("count = 0", "count = 0, second = true")))
  shows(run, "versions", "~\n%x+ +[%d.]+ s +[^\n]+\n%x+ +[%d.]+ s +runs now ")
  says(t, run, "versions", "~[^\n]+\n[^\n]+\n%x+ +0%.00 s +[^\n]*made.lua %x+\n\z
    %x+ +[%d.]+ s +runs now +[^\n]*made.lua %x+")
  shows(run, "memory.second", "true")
  says(t, run, "rollback", "requested")
  shows(run, "versions", "~^[^\n]+\n[^\n]+\n[^\n]+\n[^\n]+\n%x+ +[%d.]+ s +runs now ")
  says(t, run, "versions", "~^[^\n]+\n[^\n]+\n%x+ +0%.00 s +%S+ %x+\n%x+ +[%d.]+ s +%S+ %x+\n\z
    %x+ +[%d.]+ s +runs now +")
  says(t, run, "reload", "requested")
  ended(t, run)
  t:equal(harness.sql(run.store, "select group_concat(command) from operator where command != 'lua' and \z
    command != 'stop'"), "rollback,reload", "what is recorded")
end)

--- Start an endless loop and send `stop` at once.  Return the run's output, and whether the stop arrived
--- during the loop: on a busy machine it may come before it, or after the time budget has run out.
local function stopped_in_a_spin(t)
  local run = started(t)
  t:code(say(run, "emit spin\nstop"), 0)
  local code, text = harness.wait(run.process)
  t:check(code == 3 or code == 0, "code %s: %s", tostring(code), text)
  t:has(harness.sql(run.store, "select command from operator"), "stop")
  return text, code == 3 and not text:find "time budget"
end

test("stop works while a behavior spins", function(t)
  for _ = 1, 40 do
    local text, spun = stopped_in_a_spin(t)
    if spun then return t:has(text, "interrupted") end
  end
  t:fail "the stop never came while it spun"
end)

-- ------------------------------------------------------------------ at a terminal

--- A program at a terminal, with a prompt.
local function typed(t, command, folder)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
  local one = pty.start("exec " .. command, { folder = folder, env = "TERM=xterm" })
  one:sees "brio>"
  return one
end

--- Whether the cursor is behind this text.
local function row_is(made, text) return made:line(made.y) == text end

local function count(text, piece) return select(2, text:gsub(piece, "")) end

--- Press the tab key: it completes to `completed`; `#`, typed at once after it, waits for the answer.
local function completes(one, keys, completed)
  one:type(keys .. "\t#")
  one:waits("what was completed, and #", function(made) return row_is(made, "brio> " .. completed .. "#") end)
  one:type "\127"
  one:waits("no # any more", function(made) return not made:line(made.y):find("#", 1, true) end)
end

test("a line is edited, completed, remembered and cancelled", function(t)
  local run = started(t)
  local one = typed(t, brio .. " attach " .. run.socket, run.folder)
  completes(one, "sta", "stat")
  one:type "\t"
  one:sees "state   states" -- candidates
  completes(one, "\21go ri", "go right") -- ^U; completes to a state
  one:type "\r"
  one:sees "goes to calm.right"
  one:type "sta\1\6\6\6te\r" -- ^A ^F ^F ^F
  one:sees "calm.right, for"
  one:type "nonsense\3"
  one:sees "nonsense^C"
  one:type "\27[A\27[A\r" -- up twice: go right
  one:waits("to go there twice", function() return count(one.log, "goes to calm.right") == 2 end)
  -- typed ahead: each line waits for the answer to the one before
  one:type 'for i = 1, 2 do\rprint("i is", i)\r'
  one:type "end\r"
  one:sees "i is    2"
  completes(one, "tune ne", "tune near")
  one:type " 2\r"
  one:sees "~near +2 m"
  completes(one, "self.sce", "self.scene")
  completes(one, ":fi", "self.scene:find")
  one:type "\3\4"
  t:equal(one:close(), 0, "exit code")
  t:has(files.read(run.folder .. "/.brio_history"), "go right\nstate\n")
  t:equal(files.output("stat -c %a " .. run.folder .. "/.brio_history"), "600", "mode of the history")
  t:equal(count(one.log, "goes to calm.right"), 2, "times it went there")
  ended(t, run)
end)

--- A query that never ends.
local endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

test("a query that has no end holds up no key", function(t)
  local run = started(t)
  local one = typed(t, brio .. " attach " .. run.socket, run.folder)
  one:type("sql " .. endless .. "\r")
  one:sees "a query goes on; Ctrl-C cancels it"
  one:type "state\r"
  one:sees "calm.left, for"
  one:type "panic\r"
  one:sees "panic stop: the motors brake and hold"
  one:type "sql SELECT 'in its turn'\r\3" -- both are cancelled
  one:waits("both to be cancelled", function() return count(one.log, "error: cancelled") == 2 end)
  one:type("sql SELECT 6 * 7 AS answer\r")
  one:sees "~answer\n%-+\n +42"
  one:type("sql " .. endless .. "\r")
  one:sees "a query goes on; Ctrl-C cancels it"
  one:signal "TERM"
  t:equal(one:close(), 0, "exit code")
  local late = say(run, "sql " .. endless, "--timeout", 0.05)
  t:code(late, 3)
  t:has(late.err, "the query took longer than 0.05 s and was stopped")
  local shell = files.output(("(echo 'sql %s'; echo panic) | %s attach %s --timeout 0.3 2>&1")
    :format(endless, brio, run.socket))
  t:has(shell, "panic stop: the motors brake")
  t:has(shell, "the query took longer than 0.3 s")
  ended(t, run)
end)

test("lines and keys wait for an answer that does not come, and the panic stop does not", function(t)
  local run = started(t)
  local one = typed(t, brio .. " attach " .. run.socket, run.folder)
  uv.kill(run.process.pid, "sigstop")
  one:type "1 + 1\r2 + 2\r"
  one:sees "1 lines wait for the answer to the one before"
  one:sees "no answer yet: a script may be busy"
  one:type "panic\r"
  one:sees "~brio> panic\n.*THE PANIC STOP IS NOT CONFIRMED"
  one:type "\3"
  one:sees "1 lines that waited are left out"
  one:type "\tpanic\r"
  one:sees "no answer yet: keys wait for it"
  uv.kill(run.process.pid, "sigcont")
  one:waits("two panic stops", function() return count(one.log, "panic stop: the motors") == 2 end)
  one:type "go ri\t\r"
  one:sees "goes to calm.right"
  one:type "\4"
  t:equal(one:close(), 0, "exit code")
  ended(t, run)
  t:equal(harness.sql(run.store, "SELECT group_concat(command, ' ') FROM operator WHERE command <> 'stop'"),
    "lua panic panic go")
end)

test("who pressed the panic stop and who released it is shown to all", function(t)
  local run = started(t)
  local one = typed(t, brio .. " attach --as bob " .. run.socket, run.folder)
  says(t, run, "panic", "panic stop", "--as", "ann")
  one:sees "~warning: ann %(%g+%) pressed the panic stop"
  one:sees "~held by panic, pressed by ann"
  one:type "in 0.2 note later\r"
  one:sees "held; in 0.2 s: note later"
  says(t, run, "release", "continue", "--as", "carl")
  one:sees "~carl %(%g+%) released the panic stop"
  one:sees "say queue confirm"
  harness.go_on(run.store, 0.5)
  t:equal(harness.sql(run.store, "SELECT count(*) FROM notes WHERE text = 'later'"), "0",
    "notes before anybody confirmed")
  one:type "queue confirm\r"
  harness.await_row(run.store, "SELECT 1 FROM notes WHERE text = 'later'")
  one:type "\4"
  t:equal(one:close(), 0, "exit code")
  ended(t, run)
end)

test("log lines do not break the line that is typed", function(t)
  local run = started(t)
  local one = typed(t, brio .. " attach " .. run.socket, run.folder)
  local function says_more()
    local so_far = count(one.log, "said at")
    one:waits("more lines of the log", function() return count(one.log, "said at") >= so_far + 2 end)
  end
  one:type "emit talk\r"
  one:sees "said at"
  one:type "1234"
  says_more()
  one:type "5678"
  says_more()
  one:sees "~%d+%.%d%d s: said at [%d.]+\n%d+%.%d%d s: said at [%d.]+\n"
  for time, said in one.log:gmatch "(%d+%.%d%d) s: said at ([%d.]+)" do
    t:check(math.abs(tonumber(time) - tonumber(said)) < 0.06, "the line of %s s says %s s", time, said)
  end
  one:type "\r"
  one:sees "\nbrio> 12345678\n"
  one:sees "\n12345678\n" -- shown as a number
  one:type "\4"
  t:equal(one:close(), 0, "exit code")
  ended(t, run)
end)

test("run --repl is a prompt in the same terminal", function(t)
  local folder = t:folder()
  files.write(folder .. "/made.lua", behavior)
  local command = ("%s run %s/made.lua --repl --store %s/x.db"):format(brio, folder, folder)
  local one = typed(t, command, folder)
  one:type "abc\3"
  one:sees "abc^C"
  one:type "state\r"
  one:sees "calm.left, for"
  one:type "emit talk\r"
  one:sees "said at"
  one:type "stop\r"
  one:sees "the run has ended"
  t:equal(one:close(), 0, "exit code")
  local piped = harness.run { command, input = "memory.count\nstop\n" }
  t:code(piped, 0)
  t:has(piped.out, "0\nthe run ends")
  t:equal(harness.sql(folder .. "/x.db", "select group_concat(reason) from runs"), "operator,operator",
    "reasons")
end)

-- ------------------------------------------------------------------ the socket

--- Use the socket through stock Lua and luv: `script` can use `path` and `uv`.
local function speak(run, script)
  local file = run.folder .. "/speak.lua"
  files.write(file, ("local uv = require 'luv'\nlocal path = %q\n"):format(run.socket) .. script)
  return harness.run { "exec " .. brio .. " lua " .. files.quote(file), timeout = 60 * harness.scale }
end

test("rubbish at the socket harms nobody", function(t)
  local run, rounds = started(t), 60 * harness.scale
  local spoken = speak(run, ([[
    math.randomseed(7)
    local pieces = { '{', '}', '[', ']', '"', ':', ',', '\\u', '\\', '\n', '\n', '\0', '\255', 'id', '"id":1', '"line":', '"complete":',
      '"who":"x"', '"token":"y"', '{"id":2,"line":"1+1"}\n', '{"id":3,"complete":"self.', 'null', '1e999', '-', ('x'):rep(70000) }
    local left = %d
    local function next_round()
      if left == 0 then return end
      left = left - 1
      local pipe, text = uv.new_pipe(false), {}
      for i = 1, math.random(40) do text[i] = pieces[math.random(#pieces)] end
      pipe:connect(path, function(fault)
        assert(not fault, fault)
        pipe:read_start(function() end)
        pipe:write(table.concat(text), function()
          local pause = uv.new_timer()
          pause:start(math.random(0, 5), 0, function()
            pause:close()
            pipe:close(next_round)
          end)
        end)
      end)
    end
    for _ = 1, 4 do next_round() end
    uv.run()
    print "spoken"
  ]]):format(rounds))
  t:code(spoken, 0)
  t:has(spoken.out, "spoken")
  print(("#   seed 7, scale %g: %d rounds"):format(harness.scale, rounds))
  says(t, run, "1 + 1", "2")
  local code, text = ended(t, run)
  t:check(code == 0, "exit code %s: %s", tostring(code), text)
end)

--- Wait until this many prompts are attached; the one that queries counts, too.
local function are_there(run, number)
  local last
  harness.await(("%d who are there"):format(number), function()
    last = say(run, "who").out
    return select(2, last:gsub("\n", "")) == number
  end, { seen = function() return last end })
end

test("a dozen prompts at once, some killed, some that never read", function(t)
  local run = started(t)
  local crowd, pipe = {}, run.folder .. "/pipe"
  files.output("mkfifo " .. pipe)
  local open = assert(uv.fs_open(pipe, "r+", 0))
  for i = 1, 8 do
    crowd[i] = harness.start(("%s attach %s <%s"):format(brio, run.socket, pipe))
  end
  are_there(run, 9)
  for _, process in ipairs(crowd) do harness.signal(process, "KILL") end
  files.write(run.folder .. "/ask.lua", ("local uv, path = require 'luv', %q\n"):format(run.socket) .. [[
    local connected = 0
    for i = 1, 4 do -- they ask for much and read nothing
      local pipe = uv.new_pipe(false)
      pipe:connect(path, function(fault)
        assert(not fault, fault)
        for n = 1, 200 do pipe:write('{"id":' .. n .. ',"line":"self"}\n') end
        connected = connected + 1
        if connected == 4 then print "asked" io.stdout:flush() end
      end)
    end
    uv.new_timer():start(1000, 1000, function() end) -- until it is killed
    uv.run()
  ]])
  local asking = harness.start(("%s lua %s/ask.lua"):format(brio, run.folder))
  harness.await_output(asking, "asked")
  shows(run, "1 + 1", "2") -- it may answer "busy" for a moment
  harness.signal(asking, "KILL")
  are_there(run, 1)
  for _, process in ipairs(crowd) do harness.wait(process) end
  uv.fs_close(open)
  t:equal(ended(t, run), 0, "exit code of the run")
end)

test("answers come while the robot moves: figures", function(t)
  local run = started(t)
  local spoken = speak(run, ([[
    local pipe, times, began, n = uv.new_pipe(false), {}, 0, 0
    local function ask()
      n, began = n + 1, uv.hrtime()
      pipe:write('{"id":1,"line":"' .. (n %% 2 == 0 and "state" or "wants") .. '"}\n')
    end
    pipe:connect(path, function()
      pipe:read_start(function(_, text)
        if not text or text:sub(-1) ~= "\n" then return end
        times[#times + 1] = (uv.hrtime() - began) / 1e6
        if n == %d then return pipe:close() end
        local pause = uv.new_timer() -- at all places of the tick
        pause:start(n %% 7, 0, function() pause:close() ask() end)
      end)
      ask()
    end)
    uv.run()
    table.sort(times)
    print(("answers: p50 %%.2f ms, p99 %%.2f ms"):format(times[#times // 2], times[#times * 99 // 100]))
  ]]):format(60 * harness.scale)) -- a sample of the soak's queries
  t:has(spoken.out, "answers: p50")
  print("#   " .. spoken.out:gsub("\n", "") .. "; seed plays no part")
  ended(t, run)
end)

test("who may connect, and where", function(t)
  local run = started(t)
  t:equal(files.output("stat -c %a " .. run.socket), "600", "mode of the socket")
  local second = harness.brio("run", run.folder .. "/made.lua", "--store", "none", "--socket", run.socket,
    "--for", 0.2, "--quiet")
  t:code(second, 0)
  t:has(second.err, "a running engine listens at")
  t:code(harness.brio("attach", run.folder .. "/nothing.sock"), 1)
  t:code(harness.brio("attach", "a", "b"), 2)
  t:code(harness.brio("run", run.folder .. "/made.lua", "--socket-group", "root"), 2)
  ended(t, run)
  t:check(not files.output("ls " .. run.folder):find("x.sock", 1, true), "the socket is left over")
end)

--- Connect to a run's socket `number` times and say nothing; whoever is sent away comes again at once.
--- Return a function that closes all.
local function crowd(run, number)
  local silent = {}
  local function connect(place)
    silent[place] = uv.new_pipe(false)
    silent[place]:connect(run.socket, function(fault)
      if fault then return end
      silent[place]:read_start(function(_, bytes)
        if bytes or not silent[place] then return end
        silent[place]:close()
        connect(place)
      end)
    end)
  end
  for place = 1, number do connect(place) end
  return function()
    for place = 1, number do
      silent[place]:close()
      silent[place] = nil
    end
  end
end

test("silent connections of a group keep nobody out who has a token", function(t)
  local run = started(t, "--socket-group", (files.output "id -gn"))
  local over = crowd(run, 20)
  shows(run, "state", "calm")
  for _ = 1, 4 do says(t, run, "state", "calm") end
  t:has(say(run, "state", "--token", "wrong").err, "that is no token of this run")
  over()
  ended(t, run)
end)

test("silent connections of the run's own user keep nobody out", function(t)
  local run = started(t)
  local over = crowd(run, 60)
  shows(run, "state", "calm")
  for _ = 1, 4 do says(t, run, "state", "calm") end
  over()
  ended(t, run)
end)

harness.done()
