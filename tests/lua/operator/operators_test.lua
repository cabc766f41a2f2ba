--- Several operators in one run: roles, parts that are locked, requested and handed over, lost connections,
--- and the record of their actions. On the fast clock, with requests as the front makes them.
local json = require "cjson"
local operators = require "brio.operator.desk.operators"
local store = require "brio.store"
local values = require "brio.operator.operators.values"
local words = require "brio.prompt.words"

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "calm", tune = { near = brio.param(1.2, "m", 0.5, 3) },
  memory = { secret = 7 }, character = { gaze = true, speech = true },
  sequences = { nod = { tracks = { HeadPitch = { { 0, 0, kind = "superposition" }, { 0.3, 0.2, kind = "superposition" },
    { 0.6, 0, kind = "superposition" } } } } } }
made.calm = { wants = { want.joint_match { joint = "LShoulderPitch", goal = 1 } }, on = { hello = "greeting" } }
made.greeting = { wants = { want.joint_match { joint = "LShoulderPitch", goal = 0.5 } } }
return made
]]

local Session = {}
Session.__index = Session

--- A run whose front is a table: messages to clients are in `sent`, messages to all in `logs`.
local function started(t, source, faults)
  local made = setmetatable({ t = t, sent = {}, logs = {} }, Session)
  made.handle = t:run("none", { source = source or behavior, recorded = true, faults = faults,
    operators = assert(operators.read("", "nobody")) })
  made.run = made.handle.run
  made.front = { datagram = function() return nil, 0 end,
    reply = function(_, client, line)
      made.sent[#made.sent + 1] = { client = client, message = json.decode(line) }
      return true
    end,
    log = function(_, line)
      made.logs[#made.logs + 1] = json.decode(line)
      return true
    end, stops = function() return 0 end, close = function() end }
  made.run.host.front, made.run.front = made.front, made.front
  made.handle:advance(0.1)
  return made
end

function Session:advance(seconds) self.handle:advance(seconds) end

function Session:request(kind, client, who, role, text)
  return self.run.prompt:perform { kind = kind, client = client, who = who, role = role, device = "prompt",
    id = 1, received = 0, text = text or "" }
end

function Session:attach(client, who, role) self:request("attached", client, who, role) end

--- Send a line as an operator {client, who, role}. Return the answer.
function Session:say(person, line)
  local reply = self:request("say", person[1], person[2], person[3], line)
  self:advance(0.005)
  return reply
end

function Session:says(person, line, pattern)
  local reply = self:say(person, line)
  self.t:match(reply.text or "(error) " .. tostring(reply.error), pattern)
end

function Session:refuses(person, line, pattern)
  local reply = self:say(person, line)
  self.t:match(reply.error or "(no error) " .. tostring(reply.text), pattern)
end

--- End the run and open its store.
function Session:recorded()
  self.run.host.front = nil
  self.handle:finish()
  return assert(store.open(self.handle.store))
end

local ann, bob, eve, max = { 1, "ann (lab)", "wizard" }, { 2, "bob (lab)", "wizard" },
  { 3, "eve (lab)", "observer" }, { 4, "max (lab)", "author" }

local function with_people(t)
  local made = started(t)
  for _, person in ipairs { ann, bob, eve, max } do made:attach(table.unpack(person)) end
  made:advance(0.01)
  return made
end

test("each word says who may say it", function(t)
  local known = { observer = true, wizard = true, author = true }
  for _, word in ipairs(words.list) do
    local role = word.role
    if type(role) == "function" then role = role "" end
    t:ok(role == nil or known[role], "%s: %s", word.name, tostring(role))
  end
  for _, name in ipairs { "reload", "rollback", "capture" } do
    t:equal(words.by_name[name].role, "author", name)
  end
  t:equal({ words.by_name.tree.role "", words.by_name.tree.role "step", words.by_name.tree.role "delete x",
    words.by_name.tree.role 'sync {"a":1}' }, { "observer", "wizard", "author", "author" })
end)

test("observers see, wizards act, authors run Lua; who may not is told so, and it is recorded", function(t)
  local made = with_people(t)
  made:says(eve, "state", "calm")
  made:says(eve, "tune near", "1.2 m")
  made:says(eve, "take", "nothing is taken")
  for _, line in ipairs { "tune near 2", "take head", "go greeting", "play nod", "emit hello", "hold",
      "look at torso", "weight x 1",
    "perform eve HeadYaw=0.2", "key n", "give all", "level 0", "idle 0", "release", "disarm" } do
    made:refuses(eve, line, "needs a wizard: you are here as observer")
  end
  made:refuses(eve, "1 + 1", "a line of Lua needs an author")
  made:says(ann, "tune near 2", "2 m")
  for _, line in ipairs { "1 + 1", "memory.secret = 0", "tune.near = 1", "reload", "rollback",
      "tree set x y 1" } do
    made:refuses(ann, line, "needs an author: you are here as wizard")
  end
  made:says(max, "memory.secret", "^7$")
  made:refuses(eve, "queue take head", "needs a wizard")
  made:says(ann, "in 0.1 1 + 1", "1 %+ 1")
  made:advance(0.3)
  t:match(made.logs[#made.logs].log or "", "a line of Lua needs an author",
    "what is queued is done as who queued it")
  local db = made:recorded()
  t:equal(db:query "SELECT count(*) AS n, min(t_done - t_dispatch) AS t FROM actions WHERE outcome = \z
    'refused'", { { n = 24, t = 0.0 } })
  t:equal(db:query "SELECT DISTINCT who FROM operator ORDER BY who",
    { { who = "ann (lab)" }, { who = "max (lab)" } })
  t:equal(db:query "SELECT who, role, device FROM operators WHERE id = 3",
    { { who = "eve (lab)", role = "observer",
    device = "prompt" } })
  db:close()
end)

test("a wizard's values are values: nothing in them is done", function(t)
  for _, text in ipairs { "1", "-2.5e3", "'a(b)'", '"f{x}"', "{ 1, 2, a = { b = true } }", "{ ['a b'] = 1 }",
      "[[f()]]", "2 * (3 + pi)",
    "nil", "{ -1, 'x' }", "1 - 2", '"it\'s (so)"', "{ 'a', \"b\" }", "(1)" } do
    t:ok(values.are(text), "%s", text)
  end
  for _, text in ipairs { "f()", "f ()", "f{}", "f''", 'f""', "f[[x]]", "('x'):rep(9)", "('x').rep('x', 9)",
      "(function() end)()",
    "function() end", "'\"' .. f() .. '\"'", '"\'" .. f() .. "\'"', "--'\nf() --'", "{} + f()", "({})[1]()",
      "a.b()", "x.y:z()",
    "'x", "[[x", "1 -- x", "{ f() }", "{ [f()] = 1 }", "_ENV['x']{}", "'\\'' .. f() .. ''",
      "1)(f" .. "()" } do
    t:ok(not values.are(text), "%s", text)
  end
  local made = with_people(t)
  for _, line in ipairs { "emit hello self.memory", "emit hello robot", "emit hello tostring(1)",
      "tune near (function() return 1 end)()",
    'emit hello ("x"):rep(1e9)', "play nod (function() while true do end end)()" } do
    local reply = made:say(ann, line)
    t:ok(reply.error or line:find "self" or line:find "robot", "%s: %s", line, tostring(reply.text))
  end
  t:equal(made.run.host.self.memory.secret, 7)
  local db = made:recorded()
  t:equal(db:query "SELECT count(*) AS n FROM events WHERE name = 'hello' AND data IS NOT NULL",
    { { n = 0 } })
  db:close()
end)

test("what somebody has is refused to others, asked for, handed over; an author gives it back", function(t)
  local made = with_people(t)
  made:says(ann, "take head", "head: yours")
  made:advance(2)
  for _, line in ipairs { "take head", "take HeadYaw", "share head 0.5", "joint HeadYaw 0.2", "give head",
      "give HeadYaw" } do
    made:refuses(bob, line, "ann %(lab%) has head, for 2 s: `ask head` asks for it")
  end
  made:says(bob, "take left_arm", "left_arm: yours")
  made:says(bob, "give all", "given back")
  t:equal(made.run.host.control:taken "head", 1, "give all gives what is one's own")
  made:says(ann, "joint HeadYaw 0.3", "goes to 0.3")
  made:says(bob, "who", "1  ann %(lab%), wizard, for 2 s, has head\n  2  bob %(lab%) %(you%), wizard")
  made:refuses(ann, "give head to", "nobody has asked for it")
  made:refuses(ann, "give head to eve", "eve %(lab%) is an observer")
  made:refuses(ann, "give head to nobody", "nobody is not at a prompt: there are ann %(lab%), bob")
  made:refuses(bob, "give head to bob", "ann %(lab%) has head")
  made:refuses(ann, "ask head", "head is yours already")
  made:refuses(bob, "ask left_arm", "nobody has taken left_arm")
  made:refuses(bob, "ask hed", "no part 'hed'")
  made:says(bob, "ask head", "ann %(lab%) is asked for head")
  local told = made.sent[#made.sent]
  t:equal(told.client, 1)
  t:match(told.message.log, "bob %(lab%) asks for head: `give head to bob` hands it over")
  made:says(ann, "give head to", "head: bob %(lab%) has it now")
  t:match(made.sent[#made.sent].message.log, "ann %(lab%) hands head over to you")
  made:refuses(ann, "joint HeadYaw 0.1", "bob %(lab%) has head")
  made:says(bob, "joint HeadYaw 0.1", "goes to 0.1")
  made:says(max, "give head", "given back")
  made:advance(0.1)
  t:equal(made.logs[#made.logs].state.locks, {}, "all are told")
  local db = made:recorded()
  t:equal(db:query "SELECT part, who, how, to_whom FROM locks ORDER BY id", {
    { part = "head", who = "ann (lab)", how = "handed", to_whom = "bob (lab)" },
    { part = "left_arm", who = "bob (lab)", how = "given" },
      { part = "head", who = "bob (lab)", how = "given" } })
  t:equal(db:query "SELECT count(*) AS n FROM actions WHERE outcome = 'refused' AND reason LIKE 'ann (lab) \z
    has head%'", { { n = 7 } })
  db:close()
end)

test("who is lost keeps what they had for a while; who leaves holds nothing against others", function(t)
  local made = with_people(t)
  made:says(ann, "take head", "yours")
  made:says(bob, "take left_arm", "yours")
  made:says(bob, "take torso", "yours")
  made:request("lost", 1, "ann (lab)", "wizard")
  made:request("left", 2, "bob (lab)", "wizard")
  made:advance(10)
  made:refuses(max, "take head", "ann %(lab%) has head")
  made:says(max, "who", "ann %(lab%), lost 10 s ago, had head")
  t:equal(made.run.host.control:taken "left_arm", 1, "it stays as it was left")
  made:says(max, "take left_arm", "left_arm: yours")
  made:says(max, "ask torso", "torso: yours; its owner has left")
  made:attach(5, "ann (lab)", "wizard")
  made:advance(30)
  t:equal(made.run.host.control:taken "head", 1, "she is back")
  made:request("lost", 5, "ann (lab)", "wizard")
  made:advance(31)
  t:equal(made.run.host.control:taken "head", false, "she did not come back")
  made:says(max, "take head", "yours")
  local db = made:recorded()
  t:equal(db:query "SELECT part, who, how, to_whom FROM locks WHERE given IS NOT NULL AND how <> 'expired' \z
    ORDER BY id", {
    { part = "head", who = "ann (lab)", how = "lost" },
    { part = "left_arm", who = "bob (lab)", how = "lost", to_whom = "max (lab)" },
    { part = "torso", who = "bob (lab)", how = "handed", to_whom = "max (lab)" } })
  t:equal(db:query "SELECT who, how FROM operators WHERE how IS NOT NULL ORDER BY id",
    { { who = "ann (lab)", how = "lost" },
    { who = "bob (lab)", how = "left" }, { who = "ann (lab)", how = "lost" } })
  db:close()
end)

--- The newest action of a name.
local function action(db, name)
  return db:query("SELECT * FROM actions WHERE name = ? ORDER BY id DESC LIMIT 1", name)[1]
end

test("an action has its first motion, and is over when what it set off is", function(t)
  local made = with_people(t)
  made:says(ann, "play nod", "plays nod")
  made:advance(1.5)
  made:says(ann, "go greeting", "goes to greeting")
  made:advance(1)
  made:says(ann, "joint HeadYaw 0.4", "goes to")
  made:advance(3)
  made:says(ann, "give HeadYaw 0.1", "given back")
  made:advance(1)
  made:says(ann, "look at { 1, 0.6, 1 }", "looks at that place")
  made:advance(5.5)
  made:says(ann, "say hello there", "says")
  made:advance(4)
  made:says(ann, "level gaze 0.5 1", "goes to level")
  made:advance(1.5)
  made:says(ann, "emit nothing", "sent")
  made:refuses(ann, "play nothing", "nothing")
  made:advance(1)
  local db = made:recorded()
  for name, most in next, { play = 0.9, go = 0.01, joint = 2, look = 5.1, say = 3, level = 1.1,
      emit = 0.001 } do
    local row = action(db, name)
    if name == "play" then
      row = db:query("SELECT * FROM actions WHERE name = 'play' AND outcome = 'done'")[1]
    end
    t:equal({ name, row.outcome, row.reason }, { name, "done", name == "look" and row.reason or nil })
    local lasted = row.t_done - row.t_dispatch
    t:ok(lasted >= 0 and lasted <= most, "%s lasted %g s", name, lasted)
    t:ok(row.operator_row and row.operator == 1 and row.who == "ann (lab)", "%s: who", name)
    local waits = row.t_first_motion and row.t_first_motion - row.t_dispatch
    if name == "play" or name == "joint" or name == "look" or name == "go" then
      t:ok(waits and waits >= 0 and waits < 0.5, "%s moved after %s s", name, tostring(waits))
    elseif name == "level" or name == "emit" then
      t:equal(row.t_first_motion, nil, name)
    end
  end
  t:equal({ action(db, "play").outcome, action(db, "play").t_done == action(db, "play").t_dispatch },
    { "error", true })
  db:close()
end)

--- The first time at which a column of a DOF's samples is within a distance of a value ("near"), or outside
--- it.
local function first_sample(db, column, since, value, distance, near)
  local sql = "SELECT min(t) AS t FROM samples WHERE name = 'HeadYaw' AND t >= ? AND (abs(%s - ?) <= ?) = ?"
  local row = db:query(sql:format(column), since, value, distance, near and 1 or 0)[1]
  return row.t
end

test("a first motion is the first command that moves; a joint's action is over when it is there", function(t)
  local made = with_people(t)
  made:advance(1)
  for _, line in ipairs { "joint HeadYaw 0.4", "joint HeadYaw -0.2" } do
    made:says(ann, line, "goes to")
    made:advance(4)
  end
  local db = made:recorded()
  local rows = db:query "SELECT * FROM actions WHERE name = 'joint' ORDER BY id"
  for index, aim in ipairs { 0.4, -0.2 } do
    local row, from = rows[index], index == 1 and 0 or 0.4
    local moved = first_sample(db, "command", row.t_dispatch, from, 1e-5)
    local said = row.t_first_motion
    t:ok(math.abs(said - moved) <= 0.0101, "moves at %g, and %g is said", moved, said)
    t:ok(row.t_first_motion_error <= 0.0101, "it is sure to %g s", row.t_first_motion_error)
    local there = first_sample(db, "measured", row.t_dispatch, aim, 0.01, true)
    t:ok(math.abs(row.t_done - there) <= 0.05, "there at %g, and %g is said", there, row.t_done)
  end
  db:close()
end)

test("a joint that does not arrive is not done; a motion is seen of who comes and goes", function(t)
  local made = started(t, nil, { "stall HeadPitch at 0" })
  made:advance(0.5)
  made:attach(table.unpack(ann))
  made:advance(0.005)
  made:says(ann, "joint HeadPitch 0.3", "goes to")
  made:says(ann, "joint HeadYaw 0.4", "goes to")
  made:request("left", ann[1], ann[2], ann[3])
  made:advance(5)
  local db = made:recorded()
  local rows = db:query [[SELECT outcome, reason, t_first_motion - t_dispatch < 0.1 AS moved FROM actions
    WHERE name = 'joint' ORDER BY id]]
  t:equal({ rows[1].outcome, rows[1].reason }, { "interrupted", "rests 0.5 off" })
  t:equal(rows[2], { outcome = "done", moved = 1 })
  db:close()
end)

local lively = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "calm" }
made.calm = { wants = {
  brio.want.joint_liveliness { joint = "HeadPitch", frequency = 1, octaves = 3, goal = 0.2 } } }
return made
]]

test("where a robot moves by itself a motion is not taken for an answer", function(t)
  local made = started(t, lively)
  made:attach(table.unpack(ann))
  made:advance(4)
  for index = 1, 20 do
    made:says(ann, "emit nothing" .. index, "sent")
    made:advance(0.83)
  end
  made:says(ann, "joint HeadYaw 0.4", "goes to")
  made:advance(3)
  local db = made:recorded()
  t:equal(db:query "SELECT count(*) AS n, count(t_first_motion) AS moved FROM actions WHERE name = 'emit'",
    { { n = 20, moved = 0 } })
  local still = db:query("SELECT t_first_motion - t_dispatch AS waits, t_first_motion_error AS vague"
    .. " FROM actions WHERE name = 'joint'")[1]
  t:ok(still.waits and still.waits < 0.05 and still.vague <= 0.02, "a joint that stands still has one")
  db:close()
end)

test("what ends an action early is told: who, or what", function(t)
  local made = with_people(t)
  made:says(ann, "play nod", "plays")
  made:advance(0.2)
  made:says(bob, "stop nod 0.1", "stops nod")
  made:says(ann, "joint HeadYaw 1.5", "goes to")
  made:advance(0.05)
  made:says(ann, "give HeadYaw", "given back")
  made:says(ann, "look at { 1, 0.6, 1 }", "looks")
  made:says(bob, "look free", "draws")
  made:says(ann, "say hello, this takes a while to say, does it not", "says")
  made:advance(0.1)
  made:says(bob, "hush", "silent")
  made:says(ann, "joint HeadYaw 1.5", "goes to")
  local db = made:recorded()
  local rows = db:query [[SELECT name, who, outcome, interrupted_by AS by, reason FROM actions
    WHERE outcome = 'interrupted' ORDER BY id]]
  t:equal(rows, {
    { name = "play", who = "ann (lab)", outcome = "interrupted", by = "bob (lab)", reason = "stopped" },
    { name = "joint", who = "ann (lab)", outcome = "interrupted", by = "ann (lab)", reason = "given back" },
    { name = "look", who = "ann (lab)", outcome = "interrupted", by = "bob (lab)",
      reason = "it looks elsewhere" },
    { name = "say", who = "ann (lab)", outcome = "interrupted", by = "bob (lab)", reason = "hushed" },
    { name = "joint", who = "ann (lab)", outcome = "interrupted", by = "the run's end",
      reason = rows[5] and rows[5].reason } })
  db:close()
end)

test("names are data: neither SQL nor Lua nor a terminal is reached through them", function(t)
  local made = started(t)
  local evil = { "x'); DROP TABLE actions; --", "]] os.exit() --[[", '"; error() --', "%s%d%n", "\27[2J",
    ("y"):rep(90) }
  for index, who in ipairs(evil) do
    made:attach(index, who, "author")
    made:say({ index, who, "author" }, "take HeadYaw")
    made:say({ index, who, "author" }, "give HeadYaw to " .. who)
    made:say({ index, who, "author" }, "ask " .. who)
    made:say({ index, who, "author" }, "give HeadYaw 0")
  end
  made:says({ 1, evil[1], "author" }, "who", "DROP TABLE")
  local db = made:recorded()
  t:equal(#db:query "SELECT DISTINCT who FROM operators", #evil)
  t:equal(db:query "SELECT count(*) AS n FROM actions WHERE name = 'take' AND outcome = 'done'",
    { { n = #evil } })
  t:ok(db:query("SELECT 1 FROM actions WHERE arguments = ?", store.json("ask")) ~= nil)
  db:close()
end)
