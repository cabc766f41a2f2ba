--- The wizard's desk of a run: session scripts, delayed and undone commands, notes and marks, status.
local load = require "brio.operator.session.load"
local match = require "brio.operator.session.match"
local operators = require "brio.operator.desk.operators"
local undo = require "brio.operator.prompt.undo"
local words = require "brio.prompt.words"

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "calm", memory = { count = 0 },
  tune = { near = brio.param(1.2, "m", 0.5, 3) }, character = { gaze = true, emotion = true, idle = true },
  sequences = { nod = { tracks = { HeadPitch = { { 0, 0, kind = "superposition" }, { 0.3, 0.2, kind = "superposition" },
    { 0.6, 0, kind = "superposition" } } } } } }
made.calm = { wants = { want.joint_match { joint = "HeadYaw", goal = 0 } }, on = { greet = "greeting", count = "counting" } }
made.greeting = { after = { 1, "calm" } }
made.counting = { enter = function(self) self.memory.count = self.memory.count + 1 end, after = { 0, "calm" } }
return made
]]

local script = [[
local brio = require "brio"
return brio.session {
  name = "greeting", slots = { name = { ask = "the child's first name" }, who = { default = "robot" } },
  before = { "consent is there", { "it is calm", check = function(s) return s.state == "calm" or "it is not" end } },
  after = { "the camera is off" },
  keys = { f1 = "play nod", g = 'say "hello {name} {wave}"' },
  steps = {
    { "welcome", text = "The child sits down.", expect = { 'say "hello, {name}"', "play nod" }, late = 3 },
    { "ask", expect = "say how was ...",
      go = { y = "glad", n = "sorry", maybe = function(s) return s.slots.name == "bob" and "glad" or nil end }, warn = 2,
          keys = { f2 = "look away" } },
    { "glad", cue = "emit count", after = { 1, "wait" } },
    { "sorry", expect = function(_, line) return line:find "^feel" ~= nil end, next = "wait" },
    { "wait", when = { event = "greet" }, cue = { "emit count", "emit count" }, states = { calm = "goodbye" } },
    { "goodbye", expect = "say goodbye" },
  },
}
]]

local Desk = {}
Desk.__index = Desk

--- A run with a desk; `text`: its session script.
local function started(t, text, said)
  local file
  if text then
    file = t:temporary ".lua"
    local handle = assert(io.open(file, "w"))
    handle:write(text)
    handle:close()
  end
  local made = setmetatable({ t = t, file = file }, Desk)
  made.handle = t:run("none", { source = behavior, recorded = true, session = file, rate = 100,
    operators = assert(operators.read(said or "", "said")) })
  made.run = made.handle.run
  made.desk = made.run.prompt.desk
  made.handle:advance(0.1)
  return made
end

--- Send a line as ann.  Return the answer, or nil and the refusal.
function Desk:says(line, who, role)
  local fields = self.run.prompt:perform { kind = "say", text = line, who = who or "ann", role = role,
    device = "prompt", received = 0 }
  self.handle:advance(0.01)
  return fields.text, fields.error
end

function Desk:refuses(line, pattern)
  local text, why = self:says(line)
  self.t:ok(text == nil, "'%s' is not refused: %s", line, tostring(text))
  self.t:match(why or "", pattern)
end

function Desk:step() return self.desk.session:step_name() end

local function rows(self, sql)
  self.run:close()
  local db = assert(require("brio.store").open(self.handle.store))
  local made = assert(db:query(sql))
  db:close()
  return made
end

test("a session script leads from step to step, and says what is recorded of each", function(t)
  local d = started(t, script)
  d:refuses("step next", "2 of the checklist are left")
  d:refuses("check 3", "from 1 to 2")
  t:equal(d:says "check 1", "1 left")
  t:match(d:says "check 2", "step next begins")
  d:refuses("press g", "fill name first")
  d:refuses("press f9", "no key 'f9'")
  d:refuses("fill name bob\"} os", "may not have")
  d:refuses("fill nmae bob", "did you mean 'name'")
  t:equal(d:says "fill name bob", "{name} is bob")
  t:match(d:says "step next", "step welcome: The child sits down.")
  t:equal(d.desk:expectation({}, {}),
    { expected = 'say "hello, bob" | play nod', step = "welcome", t_cue = d.desk.session.current.cued })
  d:says "say something else"
  t:equal(d:step(), "welcome")
  t:equal(d.desk:view().session.other, "say something else")
  t:match(d:says "press f1", "plays nod")
  t:equal(d:step(), "ask")
  t:match(d:says "press f2", "looks away")
  t:equal(d:step(), "ask")
  d.handle:advance(2.1)
  t:match(table.concat(t.said, "\n"), "step 'ask': 2 s have gone by")
  d:says "say How  was your day?"
  t:equal(d:step(), "ask", "it stays until it is answered")
  d:refuses("answer q", "'q' is no answer here: maybe, n, y")
  t:match(d:says "answer maybe", "step glad")
  d.handle:advance(0.9)
  t:equal(d.run.host.self.memory.count, 1, "the cue")
  d.handle:advance(0.2)
  t:equal(d:step(), "wait")
  t:equal(d.run.host.self.memory.count, 1, "the cue waits")
  d:says "emit greet"
  d.handle:advance(0.1)
  t:ok(d.desk.session.current.cued, "the cue came")
  d.handle:advance(1.1)
  t:equal(d:step(), "goodbye")
  d:says "step next"
  t:equal(d.desk.session.phase, "after")
  t:match(d:says "check all", "the session has ended")
  local steps = rows(d, "SELECT step, expected, late_after, outcome, branch, t_cue - t_begun AS waited"
    .. " FROM session_steps ORDER BY id")
  t:equal(#steps, 5)
  t:equal({ steps[1].expected, steps[1].late_after, steps[1].outcome, steps[1].branch },
    { 'say "hello, bob" | play nod', 3.0, "done", "expected" })
  t:equal({ steps[2].outcome, steps[2].branch }, { "done", "maybe, by ann" })
  t:equal({ steps[3].outcome, steps[3].branch }, { "done", "after 1 s" })
  t:ok(steps[4].waited > 0 and steps[4].branch == "state calm")
  t:equal({ steps[5].outcome, steps[5].branch }, { "omitted", "next, by ann" })
end)

test("a step may be gone to, gone back from and skipped; functions that fail are told", function(t)
  local d = started(t, (script:gsub("before = .-\n", "\n"):gsub('return line:find "^feel" ~= nil',
    "return line.x.y")))
  d:says "step sorry"
  d:says "feel sad"
  t:equal(d:step(), "sorry")
  t:match(table.concat(t.said, "\n"), "the session script: .*attempt to index")
  d:says "step 1"
  d:says "step back"
  t:equal(d:step(), "sorry")
  d:refuses("step nowhere", "no step 'nowhere'")
  d:says "step end"
  t:equal(d.desk.session.phase, "after")
  t:equal(rows(d, "SELECT group_concat(step || ' ' || outcome, ', ') AS s FROM session_steps")[1].s,
    "sorry omitted, welcome omitted, sorry omitted")
end)

test("another script is taken over where it is", function(t)
  local d = started(t, (script:gsub("before = .-\n", "\n")))
  d:says "step 2"
  local function write(text)
    local handle = assert(io.open(d.file, "w"))
    handle:write(text)
    handle:close()
  end
  write(script:gsub('say how was ...', "say how are you?"))
  t:match(d:says "session reload", "the step is ask")
  t:equal(d.desk:expectation({}, {}).expected, "say how are you?")
  write "return 3 +"
  d:refuses("session reload", "unexpected symbol")
  t:equal(d:step(), "ask")
  write(script:gsub('"ask"', '"query"'))
  d:says "session reload"
  t:equal(d:step(), "query", "the step at its place")
  local steps = rows(d, "SELECT group_concat(step || ' ' || coalesce(outcome, '-'), ', ') AS s FROM \z
    session_steps")
  t:equal(steps[1].s, "ask removed, query open")
end)

test("what is wrong with a script is said with its line", function(t)
  local function fault(text)
    local made, why = load.file("greeting.lua",
      'local brio = require "brio"\nreturn brio.session {\n' .. text .. "\n}")
    t:ok(made == nil, "nothing was found wrong")
    return why and ("%d: %s"):format(why.line, why.message)
  end
  local cases = {
    { 'name = "a",', "the script needs 'steps'" },
    { 'name = "a", steps = {}', "there must be a step" },
    { 'name = "a",\nsteps = { { "one" },\n{ "one" } }', "the step 'one' is there twice" },
    { 'name = "a", steps = {\n{ "one",\n  next = "tow" }, { "two" } }',
      "^5: steps%[1%]%.next: there is no step 'tow' %(did you mean 'two'" },
    { 'name = "a", steps = {\n{ "one", go = {\n y = "two" } } }', "^5: steps%[1%]%.go%.y: there is no step" },
    { 'name = "a", steps = {\n{ "one",\n expcet = "say a" } }',
      "^5: the script: steps%[1%] has no field 'expcet' %(did you mean 'expect'" },
    { 'name = "a", keys = {\n P = "hush" }, steps = { { "one" } }',
      "^4: the script: keys%.P must be another key: P is the panic stop" },
    { 'name = "a", steps = { { "one", keys = { enter = "hush" } } }', "does what is expected" },
    { 'name = "a", steps = { { "one", warn = -1 } }', "warn must be above 0 s, not %-1" },
    { 'name = "a", steps = { { "one", after = { 3, 4 } } }', "seconds" },
    { 'name = "a", steps = { { "one", keys = { y = "hush" }, go = { y = "one" } } }',
      "has a branch of this step" },
    { 'name = "a", steps = { { "one", expect = { "say a", 3 } } }', "a line of the prompt" },
    { 'nmae = "a", steps = { { "one" } }', "did you mean 'name'" },
    { 'name = os.time(), steps = { { "one" } }', "unknown name 'os'" },
    { 'name = "a", steps = (function() while true do end end)()', "budget" },
  }
  for _, case in ipairs(cases) do t:match(fault(case[1]) or "", case[2]) end
  local none, why = load.file "nowhere.lua"
  t:ok(none == nil and why.message:find "nowhere.lua")
  t:match(load.sentence((select(2, load.file("x.lua", "return 3")))), "must return what brio.session made")
end)

test("lines are expected whatever their quotes and spaces", function(t)
  local same = { { 'say "Hello,  Ann"', "say hello, ann" }, { "say ...", "say x y" },
    { "play", "play nod { speed = 2 }" },
    { "look at ... 3", "look at ann 3" }, { "say 100% sure?", "say 100% sure?" },
      { "say a ... b ... b", "say a x b y b" },
    { "say ... %a", "say 1 %a" }, { "say hi ...", "say hi" }, { "feel happy", "feel happy 0.7" },
      { "say ... a ... b", "say " .. ("a "):rep(30000) .. "b" } }
  local other = { { "say hello", "say hello there" }, { "say a ... a", "say a" },
    { "say a ... b", "say xa b" },
    { "say ... b", "say b c" }, { "say a ... b ... b", "say a b" },
      { "say ... ... ... x", "say " .. ("y "):rep(30000) }, { "say hello", "play hello" },
      { "look at ann", "look at bob" },
    { "feel happy", "feel happyish" }, { "feel happy", "feel sad 0.7" },
    { "say a.c", "say abc" } }
  for _, pair in ipairs(same) do t:ok(match.lines(pair[1], pair[2]), "%s is not %s", pair[1], pair[2]) end
  for _, pair in ipairs(other) do t:ok(not match.lines(pair[1], pair[2]), "%s is %s", pair[1], pair[2]) end
  t:equal(match.fill("say {name} {wave}", { name = {} }, { name = "ann" }), "say ann {wave}")
  t:equal({ match.fill("say {name}", { name = {} }, {}) }, { nil, "name" })
  t:equal(match.fill("say 'hi {name}'", { name = {} }, { name = "o'hara" }), "say 'hi o\u{2019}hara'")
end)

test("names that mean something else are refused in a session script", function(t)
  local function fault(fields)
    local loaded, why = load.file("x.lua",
      "local brio = require 'brio'\nreturn brio.session { name = 'a', " .. fields .. " }")
    return loaded and "none" or why.message
  end
  t:match(fault "steps = { { 'back' } }", "named otherwise than 'back'")
  t:match(fault "steps = { { 'end' } }", "named otherwise")
  t:match(fault "steps = { { '2' } }", "named otherwise")
  t:match(fault "slots = { ['a b'] = {} }, steps = { { 'one' } }", "letters, digits and _")
  t:match(fault "keys = { ['ctrl-o'] = 'hush' }, steps = { { 'one' } }", "ctrl%-o opens the palette")
  t:match(fault "keys = { ['ctrl-m'] = 'hush' }, steps = { { 'one' } }", "to a terminal ctrl%-m is enter")
  t:match(fault "steps = { { 'one', after = { 0 } } }", "more than 0 s")
  t:match(fault "steps = { { 'one', who = 3 } }", "a name, or a list")
  t:equal(fault "steps = { { 'one' }, { 'zwei \u{00E4}', who = { 'ann', 'bob' }, after = { 1e-9 } } }",
    "none")
end)

test("a step may mean one person: what others do is no slip", function(t)
  local d = started(t, [[
local brio = require "brio"
return brio.session { name = "two", steps = { { "greet", who = "ann", expect = "say hello" },
  { "nod", who = { "bob", "eve" }, expect = "play nod", next = function() error "odd" end }, { "last" } } }]])
  d:says "step next"
  d:says("play nod", "bob (lab)")
  t:equal(d.desk:view().session.other, nil)
  t:equal(d.desk:view().session.who, "ann")
  d:says("say hello", "bob (lab)")
  t:equal(d:step(), "greet")
  d:says("say hello", "ann (lab)")
  t:equal(d:step(), "nod")
  d:says("play nod", "ann (lab)")
  t:equal(d:step(), "nod")
  d:says("play nod", "eve")
  t:equal(d:step(), "last", "a function that fails leads on as if it were not there")
  d:says "step next"
  d:refuses("step next", "the steps are over: step NAME")
  t:match(d:says "step greet", "greet")
  local found = rows(d, "SELECT group_concat(wizard || ' ' || did, ', ') AS s FROM wizard_errors WHERE \z
    error = 'slip'")
  t:equal(found[1].s, nil)
end)

test("another session script in a run keeps the steps of the one before", function(t)
  local d = started(t, script)
  d:says "check all"
  d:says "step next"
  local other = t:temporary ".lua"
  local handle = assert(io.open(other, "w"))
  handle:write 'return require "brio".session { name = "b", steps = { { "first", expect = "say a  b" }, { \z
    "second" } } }'
  handle:close()
  t:match(d:says("session " .. other), "b: ")
  d:says "step next"
  d:says "say 'A b'"
  d:says "step next"
  local found = rows(d, "SELECT group_concat(id || ' ' || step || ' ' || outcome, ', ') AS s FROM \z
    session_steps")
  t:equal(found[1].s, "1 welcome open, 2 first done, 3 second done")
  local db = assert(require("brio.store").open(d.handle.store))
  t:equal(assert(db:query "SELECT did, as_expected FROM session_actions WHERE expected IS NOT NULL"),
    { { did = "say 'A b'", as_expected = 1 } })
  db:close()
end)

test("a long session script has a palette, too", function(t)
  local lines = { 'local steps = {}', 'for i = 1, 200 do steps[i] = { "schritt " .. i, text = \z
    ("\u{00E4}"):rep(70),', 'expect = "say " .. ("\u{00FC}\\""):rep(60) .. i } end',
    'return require "brio".session { name = "long", steps = steps }' }
  local d = started(t, table.concat(lines, "\n"))
  d:says "step next"
  local text = d:says "desk find"
  local list = require("cjson").decode(text)
  t:ok(#require("brio.store").json { text = text } < 65000, "%d bytes", #text)
  t:ok(utf8.len(text), "characters are whole")
  t:ok(#list > 250, "%d rows", #list)
  t:match(text, '"step schritt 200"')
  t:match(text, '"unqueue"')
end)

test("lines are done later, again and again, after something, in turn; they are shown and taken out",
  function(t)
  local d = started(t)
  t:match(d:says "in 0.5 emit count", "^#1 in 0.5 s: emit count")
  t:match(d:says "every 1 emit count until 2.5", "^#2 every 1 s")
  t:match(d:says "after state greeting emit count", "#3 after state greeting")
  t:match(d:says "after #1 note done", "#4 after #1")
  t:match(d:says "in 60 say far away", "#5")
  t:match(d:says "queue", "#2 .-every 1 s.-emit count +ann")
  d.handle:advance(0.6)
  t:equal(d.run.host.self.memory.count, 1)
  d:says "emit greet"
  d.handle:advance(0.1)
  t:equal(d.run.host.self.memory.count, 1, "greeting does not count")
  d.handle:advance(3)
  t:match(d:says "queue", "^number.-#5[^\n]+$")
  t:match(d:says "unqueue #5", "taken out: say far away")
  d:says "queue play nod"
  d:says "queue say hello"
  d:says "after speech note spoken"
  t:match(d:says "undo list", "emit greet")
  d.handle:advance(4)
  t:equal(d:says "queue", "nothing waits")
  for _, refused in ipairs { { "in", "say a time" }, { "in x say a", "say a time" },
      { "in 3", "say what to do then" },
    { "in 3 hlod", "did you mean the word 'hold'" }, { "every 0.01 say a", "shortest period" },
      { "every 9e9 say a",
        "say a time" },
    { "after state clam say a", "did you mean 'calm'" }, { "after #9 say a", "nothing waits" },
      { "unqueue 77", "nothing waits" },
    { "unqueue x", "say which number" }, { "queue next", "the queue is empty" },
      { "after lunch say a", "say after what" },
    { "in 3 in 4", "say in SECONDS LINE" }, { "in 3 sql SELECT 1", "for a person" } } do
    d:refuses(refused[1], refused[2])
  end
  for _ = 1, 100 do d:says "in 999 say a" end
  d:refuses("in 999 say a", "100 lines wait already")
  t:equal(d:says "unqueue all", "100 taken out")
  local notes = rows(d, "SELECT group_concat(label, ', ') AS s FROM (SELECT * FROM annotations WHERE tier = \z
    'note' ORDER BY t0)")
  t:equal(notes[1].s, "done, spoken")
end)

test("what is done later is done with the role of who said it", function(t)
  local d = started(t, script)
  d:says("in 0.1 memory.count = 9", "bob", "wizard")
  d:says("in 0.1 tune near 2", "bob", "wizard")
  t:match(select(2, d:says("in 0.1 tune near 3", "eve", "observer")), "needs a wizard")
  t:match(select(2, d:says("press f1", "eve", "observer")), "needs a wizard")
  t:match(select(2, d:says("session reload", "bob", "wizard")), "needs an author")
  t:match((d:says("session steps", "eve", "observer")), "welcome")
  d.handle:advance(0.3)
  t:equal(d.run.host.self.memory.count, 0)
  t:match(table.concat(t.said, "\n"), "#1: memory.count = 9: a line of Lua needs an author")
  t:equal(d.run.host.self.tune.near, 2)
end)

test("what a person did is taken back, where it can be", function(t)
  local d = started(t)
  local host, control = d.run.host, d.run.host.control
  local function back(line, pattern)
    local answer, why = d:says(line)
    t:ok(answer, "'%s' is refused: %s", line, tostring(why))
    t:match(d:says "undo", pattern)
  end
  back("take head", "take head is taken back: give head")
  t:equal(control:taken "head", false)
  d:says "share head 0.5"
  back("give head", "share head 0.5")
  t:equal(control:taken "head", 0.5)
  d:says("give all")
  back("tune near 2", "tune near 1.2")
  t:equal(host.self.tune.near, 1.2)
  back("level gaze 0.3 0", "level gaze 1")
  d:says "tempo 0.5"
  back("tempo", "tempo 0.5 is taken back: tempo 1")
  d:says "feel happy 1"
  back("feel sad 1", "feel 0.951057 0.309017")
  t:near(host.emotion.operator[1], 0.951, 1e-3)
  back("play nod", "stops nod")
  back("look at { 1, 0, 1 }", "looks at what draws it")
  t:equal(#host.gaze.orders, 0)
  back("goal joint_match(joint=HeadYaw) 0.3", "goal joint_match%(joint=HeadYaw%) off")
  back("weight joint_match(joint=HeadYaw) 3", "weight joint_match%(joint=HeadYaw%) off")
  back("place ball 1 0 1", "object ball delete")
  back("hold", "go on")
  back("joint HeadYaw 0.2", "give HeadYaw")
  d:says "take head"
  back("take head left_arm", "give left_arm")
  t:equal(control:taken "head", 1)
  d:says("give all")
  back("take head torso", "give head torso")
  t:equal({ control:taken "head", control:taken "torso" }, { false, false })
  back("idle 0.2", "idle 0.5")
  d:says "say hello there, how are you today?"
  d.handle:advance(0.3)
  t:match(d:says "undo", "the rest is not said")
  d:says "emit count"
  d:refuses("undo", "emit count cannot be taken back: the event has been handled")
  d:says "go greeting"
  d:refuses("undo", "`go calm` returns")
  t:match(d:says("tune near 3", "bob"), "near")
  d:says "memory.count = 7"
  t:equal({ d:says("undo", "bob") }, { "tune near 3 is taken back: tune near 1.2" }, "each their own")
  d:refuses("undo", "lua memory.count = 7 cannot be taken back: brio does not know")
  t:equal({ d:says("undo", "eve") }, { nil, "you have done nothing that could be taken back" })
  for _, name in ipairs(undo.words()) do
    t:ok(words.by_name[name], "undo knows a word '%s' that is none", name)
  end
  for _, word in ipairs(words.list) do
    t:ok(not word.changes or word.apart or undo.knows(word.name), "'%s' changes something, and undo.lua has \z
      neither its inverse nor the reason why there is none", word.name)
  end
end)

test("notes and errors are annotations", function(t)
  local d = started(t)
  t:match(d:says "note the child laughed; \"twice\"", "noted at 0.%d+ s")
  d:refuses("mark-wrong slip", "nothing was done yet")
  d:says "play nod"
  d:says "emit count"
  t:match(d:says "mark-wrong", "emit count")
  t:equal(d:says "mark-wrong slip", "marked as slip: emit count")
  t:equal(d:says "mark-wrong 1 wrong", "marked as wrong: play nod")
  t:equal(d:says "mark-wrong 1 off", "no mark: play nod")
  d:refuses("mark-wrong 9 late", "under the number 9")
  d:refuses("mark-wrong slpi", "did you mean 'slip'")
  local found = rows(d, "SELECT group_concat(tier || ' ' || label || ' by ' || coder, ', ') AS s"
    .. " FROM (SELECT * FROM annotations ORDER BY id)")
  t:equal(found[1].s, "note the child laughed; \"twice\" by ann, error slip: emit count by ann, error \z
    wrong: play nod by ann, "
    .. "error no error: play nod by ann")
end)

test("the status says what it does and what comes next", function(t)
  local d = started(t, script)
  d:says "play nod"
  d:says "take left_arm"
  d:says "say hello there"
  d:says "in 9 hush"
  d:says "go greeting"
  d.handle:advance(0.2)
  local text = d:says "status"
  for _, piece in ipairs { "state    greeting, for 0", "plays nod; says \"hello there\"",
      "next     in 1 s %-> calm", "left_arm: ann",
    "faults   none", "all rows kept" } do t:match(text, piece) end
  local view = d.desk:view()
  t:equal(view.session.phase, "before")
  t:equal(view.queue, { { "#1", "in 8.8 s", "hush" } })
  t:equal(view.session.keys[1], { "f1", "play nod" })
  local json = d:says "desk find"
  for _, piece in ipairs { '"play nod"', '"go greeting"', '"emit greet"', '"feel happy"', '"step welcome"',
      '"take head"', '"unqueue #1"' } do
    t:ok(json:find(piece, 1, true), "%s is not among the choices", piece)
  end
  t:ok(#json < 60000, "the choices fit a line")
end)

test("under a panic stop nothing plays, and what waits in the queue waits until a person confirms it",
  function(t)
  local d = started(t, script)
  local function does(name)
    local count = 0
    for _, deed in ipairs(d.desk.deeds) do count = count + (deed.line == name and 1 or 0) end
    return count
  end
  t:equal(d:says "play nod", "plays nod")
  t:match(d:says "status", "plays nod;")
  d:says "in 1 emit count"
  d:says "every 0.5 emit greet"
  d.run.engine:order "panic"
  d.run.prompt.desk.stop:pressed "bob"
  d.handle:advance(2)
  t:equal({ does "emit count", does "emit greet" }, { 0, 0 })
  t:match(table.concat(t.said, "\n"), "bob pressed the panic stop")
  t:match(table.concat(t.said, "\n"), "2 lines are queued")
  local view = d.desk:view()
  t:equal({ view.plays, view.stopped, view.panic, view.queue_held },
    { {}, { "nod" }, "pressed by bob", true })
  t:match(d:says "status", "panic    pressed by bob; stopped: nod\ndoes     plays nothing")
  t:match(d:says "status", "held by panic, pressed by bob")
  t:match(d:says "motors", "panic stop pressed by bob")
  t:match(d:says "queue", "held; in 1.0 s")
  d:refuses("play nod", "nothing plays: `release` first")
  d:refuses("queue next", "`release` first")
  d:refuses("queue confirm", "`release` first")
  d:says("release", "carl")
  t:match(table.concat(t.said, "\n"), "carl released the panic stop")
  d.handle:advance(2)
  t:equal({ does "emit count", does "emit greet" }, { 0, 0 })
  t:equal(d.desk:view().panic, nil)
  t:match(d:says "queue confirm", "2 lines continue")
  d.handle:advance(0.8) -- the rest of their times
  t:equal({ does "emit count", does "emit greet" }, { 0, 1 })
  d.handle:advance(0.3)
  t:equal({ does "emit count", does "emit greet" }, { 1, 2 })
  d:refuses("queue confirm", "nothing in the queue waits to be confirmed")
  d:says "unqueue all"
  d.run.engine:order "panic"
  d.handle:advance(0.5)
  t:equal(d.desk:view().panic, "not pressed at a prompt")
  d:says "release"
  d.handle:advance(0.5)
  t:equal(d.desk:view().queue_held, nil, "nothing waited")
end)

test("`undo` with a line takes back that line or nothing", function(t)
  local d = started(t)
  d:says "tune near 2"
  d:refuses("undo hush", "was not hush but tune near 2")
  t:match(d:says "undo  tune  near 2", "is taken back")
end)

test("help teaches: topics, words with examples of this run that can be done, hints", function(t)
  local d = started(t, script)
  local known, topics = {}, require("brio.operator.prompt.help").topics
  for _, topic in ipairs(topics) do
    t:ok(not words.by_name[topic[1]], "the topic '%s' is a word as well", topic[1])
    for name in topic[3]:gmatch "%S+" do
      t:ok(words.by_name[name] and not known[name], "'%s' is no word, or in two topics", name)
      known[name] = true
    end
  end
  for _, word in ipairs(words.list) do t:ok(known[word.name], "no topic of help has '%s'", word.name) end
  t:match(d:says "help", "script +session step answer")
  t:match(d:says "help script", "step %[next|back|NAME|NUMBER|end%]")
  t:match(d:says "help all", "\n  undo %[list|LINE%]")
  t:match(d:says "help play", "2  play %w+ +plays it over")
  t:match(d:says "help play 2", "^play %w+\nplays %w+")
  t:equal(#d.run.host.tracks:list() > 0, true)
  t:match(d:says "help go", "2  go calm")
  d:refuses("help look 9", "look has 4 examples")
  d:refuses("help lok", "did you mean 'look'")
  d:refuses("help note 1 2", "no word")
  for _, word in ipairs(words.list) do
    t:match(d:says("help " .. word.name), "for example: " .. word.name:sub(1, 3))
  end
  d:says "check all"
  d:says "step next"
  for name, list in pairs(require("brio.operator.prompt.help").examples) do
    t:ok(words.by_name[name], "examples of '%s', which is no word", name)
    for number in ipairs(list) do
      local answer, why = d:says(("help %s %d"):format(name, number))
      t:ok(answer or why:find "run has no" or why:find "cannot be taken back" or why:find "you have"
        or why:find "stands in the"
        or why:find "no step before" or why:find "take back" or why:find "nobody has taken"
          or why:find "is over",
        "help %s %d: %s", name, number, tostring(why))
    end
  end
end)

test("operators that are written down say their lines at their times", function(t)
  local d = started(t, nil, "# both\n@ann\n0.5 note one\n+0.5 note two\nafter state greeting note \z
    three\n@bob\n0.7 emit greet\n")
  d.handle:advance(1.5)
  t:ok(not d.desk.operators:is_over(), "the state came before ann waited for it")
  d:says "go greeting"
  d:says("every 0.1 tune near 2", "bob")
  d.handle:advance(0.3)
  t:ok(d.desk.operators:is_over())
  t:equal(d.run.host.self.tune.near, 2)
  local store = d.handle.store
  local notes = rows(d, "SELECT group_concat(label || ' ' || t0 || ' ' || coder, ', ') AS s"
    .. " FROM (SELECT * FROM annotations ORDER BY id) WHERE label <> 'three'")
  t:equal(notes[1].s, "one 0.5 ann, two 1.0 ann")
  local db = assert(require("brio.store").open(store))
  local again = assert(operators.recorded(db, 1, function(text) return (text:gsub('^"(.*)"$', "%1")) end))
  db:close()
  t:equal(again.list[1].who, "ann")
  t:equal(again.list[1].rows[1], { at = 0.5, line = "note one" })
  t:equal(#again.list[2].rows, 2, "what was queued is not said once more")
  t:equal(again.list[2].rows[2].line, "every 0.1 tune near 2")
  for _, bad in ipairs { { "3", "there is no line after the time" }, { "3x say a", "say a time" } } do
    local none, why = operators.read("\n" .. bad[1], "f")
    t:ok(none == nil)
    t:match(why, "^f:2: .*" .. bad[2])
  end
end)
