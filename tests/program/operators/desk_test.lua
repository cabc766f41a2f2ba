--- The wizard's desk at a terminal: its screen, at 80 by 24 and other sizes.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local pty = require "pty"
local test, files = harness.test, harness.files

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "calm", character = { gaze = true },
  memory = { lines = 0 },
  sequences = { nod = { tracks = { HeadPitch = { { 0, 0, kind = "superposition" }, { 0.4, 0.2, kind = "superposition" },
    { 0.8, 0, kind = "superposition" } } } } } }
made.calm = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0 } }, on = { greet = "greeting", talk = "talking" } }
made.greeting = { after = { 60, "calm" } }
made.talking = { tick = function(self)
    if not self:every(0.1) then return end
    self.memory.lines = self.memory.lines + 1
    self:log("line %d said by the robot", self.memory.lines)
  end,
  on = { enough = "calm" } }
made.power_off = { lasts = 0.1 }
return made
]]

local script = [[
local brio = require "brio"
return brio.session {
  name = "greeting", slots = { name = { ask = "the child's first name" } }, before = { "consent is there" },
  keys = { f1 = "play nod", g = 'say "hello {name}"', x = "emit talk", e = "emit enough" },
  steps = {
    { "welcome", text = "The child sits down.", expect = 'say "hello, {name}"' },
    { "ask", text = "Ask for its day.", expect = "say how was your day?", go = { y = "glad", n = "sorry" } },
    { "glad", text = "Be glad with it.", after = { 600, "sorry" } },
    { "sorry", text = "Comfort it." },
  },
}
]]

--- A run with a session script, in a folder of its own.
local function started(t, ...)
  local folder = t:folder()
  local run = { store = folder .. "/x.db", socket = folder .. "/x.sock", folder = folder }
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/script.lua", script)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--quiet", "--session", folder .. "/script.lua",
    "--rate", 50, "--motor-rate", 200, ...) -- slow, for machines with much to do
  return harness.listening(run)
end

--- A prompt at it.
local function attached(t, run, options)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
  options = options or {}
  options.folder = run.folder
  local command = ("exec %s attach %s --as %s"):format(files.quote(harness.program), run.socket,
    options.as or "ann")
  local one = pty.start(command, options)
  one:sees "brio>"
  return one
end

--- Leave the prompt, end the run.
local function over(t, run, ...)
  for _, one in ipairs { ... } do
    one:type "\3\3\4"
    t:equal(one:close(), 0, "exit code of the prompt")
    t:equal(#one.screen.unknown, 0, "unknown control sequences: " .. table.concat(one.screen.unknown))
  end
  t:equal(harness.ended(run), 0, "exit code of the run")
end

test("a session is gone through with one hand on the keys", function(t)
  local run = started(t)
  local one = attached(t, run)
  one:sees "[ ] 1 consent is there"
  one:sees "fill    name: the child's first name"
  one:type "\27"
  one:sees "keys>"
  one:type "1"
  one:sees "ready: step next begins"
  one:type " "
  one:sees "1/4 welcome"
  one:sees 'expects say "hello, {name}"'
  one:type ":"
  one:sees "brio>"
  one:type "fill name bob\r"
  one:sees 'expects say "hello, bob"'
  one:type "1\27g" -- a line is typed: no key of the desk does anything
  one:sees "brio> 1"
  one:type "\27OP\3"
  one:sees "1^C"
  t:check(not one.screen:text():find("plays nod", 1, true), "a key fired while a line was typed")
  one:type "\27OP"
  one:sees "f1  play nod: plays nod"
  one:sees "not: play nod"
  one:type "\27"
  one:sees "keys>"
  one:type "\r"
  one:sees 'Enter  say "hello, bob": says: hello, bob'
  one:sees "2/4 ask"
  one:type "g"
  one:sees "not: say"
  one:type ":say how was your day?\r"
  one:sees "done    say how was your day?"
  one:type "\27"
  one:sees "keys>"
  one:type "y"
  one:sees "3/4 glad"
  one:sees "~· %d+:%d%d of 10:00 ·"
  one:type "q"
  one:type "?"
  one:sees "P        panic stop"
  over(t, run, one)
  t:check(one.screen.bells > 0, "a key that means nothing rings")
  t:equal(harness.sql(run.store, "select group_concat(step || ' ' || outcome || ' ' || branch, ', ') from \z
    session_steps"),
    ("welcome done expected, ask done y, by ann (%s), glad done the run ended"):format(files.output "id -un"),
      "steps")
  t:equal(harness.sql(run.store,
    [[select group_concat(step, ' ') from (select shown ->> '$."session.step"' as step from view_states
    where what = 'panel' and who like 'ann (%' order by id) where step is not null]]), "welcome ask glad",
      "what the panel showed")
end)

test("a session script that changes is taken over where it is, or refused", function(t)
  local run = started(t)
  local one = attached(t, run)
  one:type "check all\rstep 2\r"
  one:sees "expects say how was your day?"
  files.write(run.folder .. "/script.lua", (script:gsub("how was your day", "how are you")))
  one:sees "the session script was taken over; the step is ask"
  one:sees "expects say how are you?"
  files.write(run.folder .. "/script.lua", (script:gsub("steps = {", "stpes = {")))
  one:sees "has no field 'stpes'"
  one:sees "expects say how are you?"
  files.write(run.folder .. "/script.lua", (script:gsub('"play nod"', '"play nodd"')))
  one:sees "key f1: there is no sequence 'nodd'"
  over(t, run, one)
end)

test("what is not well is said before a session", function(t)
  local folder = t:folder()
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/script.lua", script)
  local words = { "preflight", folder .. "/made.lua", "--clock", "fast", "--for", 0.5, "--store",
    folder .. "/x.db", "--session",
    folder .. "/script.lua" }
  local function looked(...)
    local list = table.move(words, 1, #words, 1, {})
    for _, word in ipairs { ... } do list[#list + 1] = word end
    return harness.brio(table.unpack(list))
  end
  local run = looked()
  t:code(run, 0)
  t:has(run.out, "~ok +behavior +made, in state calm")
  t:has(run.out, "~look +session +greeting: 4 steps, 1 on the checklist left; empty: name\n +%-> fill name \z
    TEXT")
  t:check(not files.exists(folder .. "/x.db"), "it has made a store")
  files.write(folder .. "/script.lua", (script:gsub('"play nod"', '"play nodd"')))
  run = looked("--json")
  t:code(run, 3)
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  t:has(run.out, "did you mean 'nod'")
  files.write(folder .. "/x.db", "no store at all, but some text that stands in its place")
  run = looked()
  t:has(run.out, "~BAD +store +[^\n]*x%.db")
  t:code(harness.brio("preflight"), 2)
  t:code(harness.brio("preflight", folder .. "/nothing.lua"), 1)
  local checked = harness.brio("check", folder .. "/script.lua")
  t:code(checked, 0)
  local wrong = script:gsub('"emit talk"', '"emti talk"'):gsub('text = "Comfort it."', 'cue = "gesture x"')
  files.write(folder .. "/script.lua", wrong)
  checked = harness.brio("check", folder .. "/script.lua")
  t:code(checked, 3)
  t:has(checked.out, "script.lua: key x: there is no word 'emti' (did you mean 'emit'?)")
  t:has(checked.out, "script.lua:9: step 'sorry', cue: there is no word 'gesture'")
end)

test("bash completes commands, options and their values; the manual page is sound", function(t)
  local function completed(...)
    local list = { ... }
    local line = ("source %s/docs/completion/brio.bash; COMP_WORDS=(%s); COMP_CWORD=%d; _brio; echo \z
      ${COMPREPLY[@]}"):format(
      harness.root, table.concat(list, " "), #list - 1)
    return (harness.run(("bash -c %s"):format(files.quote(line))).out:gsub("%s+$", ""))
  end
  if files.output "command -v bash" == "" then t:skip "there is no bash" end
  t:equal(completed("brio", "pref"), "preflight", "a command")
  t:has(completed("brio", "run", "--cl"), "--clock")
  t:equal(completed("brio", "run", "--clock", "f"), "fast", "a value")
  t:equal(completed("brio", "run", "README.m"), "README.md", "a file")
  if files.output "command -v groff" == "" then t:skip "there is no groff" end
  local made = harness.run("groff -man -Tutf8 -ww docs/brio.1 >/dev/null")
  t:equal(made.text, "", "warnings of groff")
end)

--- Open the palette and type on at once: it buffers the keys.
local function finds(_, one, piece)
  one:type("\15" .. piece)
  one:waits(("'%s' behind find>"):format(piece),
    function(made) return made:line(made.y) == "find> " .. piece end)
end

test("the palette finds what may be done, by pieces of its name", function(t)
  local run = started(t)
  local one = attached(t, run)
  finds(t, one, "n")
  one:type "od"
  one:sees "~\n> play nod +key: f1"
  one:type "\r"
  one:sees "play nod: plays nod"
  finds(t, one, "gogr")
  one:sees "> go greeting"
  one:type "\9"
  one:sees "brio> go greeting"
  one:type "\r"
  one:sees "goes to greeting"
  finds(t, one, "zzzqqq")
  one:sees "nothing fits"
  one:type "\27"
  one:loses "find>"
  finds(t, one, "note")
  one:sees "> note ..."
  one:type "\r"
  one:sees "~brio> note *\n"
  one:type "\3"
  one:sees "note ^C"
  finds(t, one, "emitga")
  one:type "\21say"
  one:sees "find> say"
  one:type "\27[B\27[A\27"
  one:sees "~brio>%s*$"
  over(t, run, one)
end)

--- Lines of the log, on the screen and scrolled out above it, in order.
local function log_lines(one)
  local list = {}
  local text = table.concat(one.screen.above, "\n") .. "\n" .. one.screen:text()
  for number in text:gmatch "line (%d+) said by the robot" do
    list[#list + 1] = math.tointeger(tonumber(number))
  end
  return list, text
end

--- Wait until the robot has said another line.
local function says_more(one)
  local function last() return tonumber(one.log:match ".*line (%d+) said by the robot" or 0) end
  local from = last()
  one:waits(("a line after line %d of the log"):format(from), function() return last() > from end)
end

--- Type a line while the robot talks, and compare the screen with the expected one.
local function typed_while_it_talks(t, run, options, line, shown)
  local one = attached(t, run, options)
  one:type "emit talk\r"
  one:sees "said by the robot"
  local count = 0
  for character in line:gmatch "[%z\1-\127\192-\255][\128-\191]*" do
    one:type(character)
    count = count + 1
    if count % 3 == 0 then says_more(one) end -- log lines and keys alternate
  end
  one:sees("brio> " .. shown)
  for _ = 1, 8 do -- at no moment is the line broken
    says_more(one)
    local text = one.screen:text()
    local _, shows = text:gsub("brio> " .. shown:gsub("%p", "%%%0"), "")
    t:check(shows == 1, "the line stands there %d times:\n%s", shows, text)
    t:check(not text:find("brio> [^\n]*said by"), "a line of the log is in the line that is typed:\n%s", text)
  end
  return one
end

local function ends_talk(one)
  one:type "\3emit enough\r"
  one:sees "sent: enough"
end

test("lines of the log never break the line that is typed", function(t)
  local run = started(t)
  local one = typed_while_it_talks(t, run, {}, "memory -- wide \u{65E5}\u{672C}, e\u{301} and z\u{308}",
    "memory -- wide \u{65E5}\u{672C}, e\u{301} and z\u{308}")
  one:type "\27[D\27[D\27[3~" -- left over z with its dots: they go as one
  one:sees "~e\u{301} and *\n?"
  one:type "\1\11" -- to the beginning, delete all
  local long = ("a long line that takes two rows "):rep(4)
  one:type(long .. "\1")
  one:sees "brio> a long line"
  one:sees("brio> " .. long:sub(1, 72))
  one:waits("the cursor in column 7", function(screen) return screen.x == 7 end)
  local function let(event) t:code(harness.say(run, "emit " .. event), 0) end
  let "enough" -- the terminal places what is printed during a resize
  one:sees "now     calm"
  one:resize(60, 20)
  one:sees("brio> " .. long:sub(1, 53) .. "\n")
  let "talk"
  one:sees "now     talking"
  says_more(one)
  one:sees("brio> " .. long:sub(1, 53) .. "\n")
  let "enough"
  one:sees "now     calm"
  one:resize(100, 30)
  one:sees("brio> " .. long:sub(1, 90))
  let "talk"
  one:type "\5 x"
  one:sees "two rows  x"
  ends_talk(one)
  local list, text = log_lines(one)
  t:check(#list > 5, "too few lines were said: %s", text)
  for index = 2, #list do
    local follows = list[index] == list[index - 1] + 1
    if not t:check(follows, "line %d follows line %d:\n%s", list[index], list[index - 1], text) then break end
  end
  over(t, run, one)
end)

test("it works in a small window, without color, and at a dumb terminal", function(t)
  local run = started(t)
  local plain = typed_while_it_talks(t, run,
    { env = "TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1", height = 12, width = 40 },
    "abc", "abc")
  t:check(not plain.log:find "\27%[[%d;]*3[0-7]m", "colors in spite of NO_COLOR")
  -- twelve rows have one row for it: a fault, as of a device that was late on a busy machine, takes it
  plain:waits("'talking', or a fault", function(screen)
    return screen:text():find("talking", 1, true) or screen:text():find "! %d+ fault"
  end)
  t:check(not plain.screen.over, "something is too wide")
  ends_talk(plain)
  local dumb = pty.start(("exec %s attach %s --as bob"):format(files.quote(harness.program), run.socket),
    { folder = run.folder, env = "TERM=dumb LC_ALL=C" })
  dumb:sees "brio>"
  dumb:type "emit talk\r"
  dumb:sees "said by the robot"
  dumb:type "stx\8ate"
  dumb:sees "~brio> state$"
  t:check(not dumb.log:find "\27", "control sequences at a dumb terminal: %q", dumb.log)
  dumb:type "\r"
  dumb:sees "talking, for"
  ends_talk(dumb)
  over(t, run, plain, dumb)
end)

test("what is pasted is typed, and steers nothing", function(t)
  local run = started(t)
  local one = attached(t, run)
  one:type "\27[200~1 + 1\n'two' .. \27[A\1\"x\"\27[201~"
  one:sees "say this line? y or n>"
  one:type "y"
  one:sees "~brio> 1 %+ 1\n[^>]-2\n" -- a busy machine's log may stand between
  one:sees "~brio> 'two' %.%. %[A\"x\""
  one:type "\3\27"
  one:sees "keys>"
  one:type "\27[200~PPgx\27[201~?"
  one:sees "lists the keys"
  t:check(not one.screen:text():find("panic:", 1, true), "a key fired that was pasted")
  over(t, run, one)
end)

test("a paste of many lines asks before it runs them", function(t)
  local run = started(t)
  local one = attached(t, run)
  local notes = ("note one of many\n"):rep(12)
  one:type("\27[200~" .. notes .. "go power_off\n\27[201~")
  one:sees "run these 13 lines? y or n>"
  one:sees "... and 8 more"
  one:type "no" -- letters that arrive together are no answer
  one:type "\27"
  one:sees "taken back: nothing of it was done"
  one:type(notes:gsub("\n", "\r") .. "\r") -- from a terminal without bracketed paste
  one:sees "run these 12 lines? y or n>"
  one:type "n"
  one:sees "~brio>%s*$"
  one:type "\27[200~note the only one\n\27[201~"
  one:sees "brio> note the only one"
  one:type "\r\27[200~note two\nnote three\n\27[201~"
  one:sees "run these 2 lines? y or n>"
  one:type "y"
  one:sees "brio> note three"
  harness.await_row(run.store, "SELECT 1 FROM notes WHERE text = 'three'")
  over(t, run, one)
  t:equal(harness.sql(run.store, "SELECT group_concat(text, ', ') FROM notes"), "the only one, two, three")
end)

test("a word that is typed where keys act is taken back and asked about", function(t)
  local run = started(t)
  local one = attached(t, run)
  one:type "check all\rfill name bob\rstep next\r"
  one:sees "1/4 welcome"
  one:type "\27"
  one:sees "keys>"
  one:type "release me\r" -- e, g and Space mean something here, and so does Enter
  one:sees "a word, typed where keys act"
  one:sees "say this line? y or n>"
  one:type "n"
  one:sees "taken back: nothing of it was done"
  one:type "panic\r"
  one:sees "panic stop: the motors brake and hold"
  one:type "x" -- alone it is a key
  one:sees "x  emit talk"
  one:type ":release\r"
  one:sees "1/4 welcome"
  over(t, run, one)
  t:equal(harness.sql(run.store, "SELECT group_concat(name, ' ') FROM actions WHERE name NOT IN ('check', \z
    'fill', 'step', 'lua')"), "panic emit release stop stop")
  t:equal(harness.sql(run.store, "SELECT count(*) FROM session_steps"), "1", "steps")
end)

test("a script is rehearsed on the simulator by operators that are written down, and again by what was \z
  recorded", function(t)
  local folder = t:folder()
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/script.lua", script)
  files.write(folder .. "/ann.txt", "@ann\n0.5 check all\n+0.1 fill name bob\n+0.1 step next\n+0.5 press g\n"
    .. "+0.5 say hello, bob\n+0.2 say how was your day?\n+0.2 press y\n+0.5 step end\n+0.1 note over\n")
  local words = { "run", folder .. "/made.lua", "--clock", "fast", "--session", folder .. "/script.lua",
    "--rehearse" }
  local function rehearsed(store, operator)
    local list = table.move(words, 1, #words, 1, {})
    for _, word in ipairs { "--store", store, "--operator", operator } do list[#list + 1] = word end
    local run = harness.brio(table.unpack(list))
    t:code(run, 0)
    return harness.sql(store, "select group_concat(step || ' ' || outcome || ' ' || round(t_ended, 2), ', \z
      ') from session_steps")
  end
  local first = rehearsed(folder .. "/a.db", folder .. "/ann.txt")
  t:equal(first, "welcome done 1.7, ask done 2.1, glad skipped 2.6", "steps")
  t:equal(rehearsed(folder .. "/b.db", folder .. "/a.db"), first, "steps of the rehearsal that was recorded")
  t:equal(rehearsed(folder .. "/c.db", folder .. "/a.db:1"), first, "the same, by the run's number")
  local wrong = harness.brio("run", folder .. "/made.lua", "--rehearse", "--driver", "epos", "--clock",
    "fast")
  t:code(wrong, 2)
  t:has(wrong.err, "without a robot")
  for _, bad in ipairs { { "--operator", folder .. "/nothing", "nothing" },
    { "--session", folder .. "/made.lua", "brio.session" } } do
    local run = harness.brio("run", folder .. "/made.lua", "--clock", "fast", "--for", 1, "--store", "none",
      bad[1], bad[2])
    t:check(run.code == 1 or run.code == 2, "exit code %s", tostring(run.code))
    t:has(run.err, bad[3])
  end
end)

harness.done()
