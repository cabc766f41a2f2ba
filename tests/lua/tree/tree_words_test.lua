--- Editing a running tree by the words behind `tree`: names are resolved, faults are reported, each person
--- undoes their own edits; the robot's pose is captured.
local cjson = require "cjson"
local links = require "brio.tree.editing.channel"
local store = require "brio.store"
local trees = require "brio.operator.prompt.trees"

local behavior = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { tree = { "sequence", name = "all of it",
  { "wait", name = "walk up", seconds = 50 },
  { "wait", name = "turn the knob", seconds = 3 },
  { "fallback", name = "either", try = { { "wait", name = "left" } }, catch = { { "wait", name = "right" } } },
  { "arm", name = "reach", joints = { elbow_joint = 0.5 }, seconds = 2, speed = 0.25 },
  { "gosub", to = "turn the knob" } } }
b.two = { tree = { "sequence", { "wait", name = "rest" } } }
return b
]]

--- A prompt without a socket.
local function prompt_of(run)
  return { run = run.run, value = function(_, text)
    local chunk, why = load("return " .. text, "=prompt", "t", { math = math })
    if not chunk then return false, why end
    return true, (chunk())
  end }
end

local function talker(run)
  local prompt = prompt_of(run)
  return function(line, who)
    local word, rest = line:match "^(%a+)%s*(.*)$"
    return (word == "capture" and trees.capture or trees.run)(prompt, word == "capture" and rest or line,
      { who = who or "ann", client = 1 })
  end
end

local function started(t)
  local run = t:run("source", { robot = "ur3e", source = behavior })
  run:advance(0.05)
  return run, talker(run)
end

test("fields are set by name, number and id, also with blanks, and what is wrong is said", function(t)
  local run, say = started(t)
  local function why(line) return select(2, say(line)) end
  t:equal(say "set turn the knob seconds 7", "seconds of 'turn the knob' is 7")
  t:equal(say "set 3 seconds = 2 * 4", "seconds of 'turn the knob' is 8")
  t:equal(say 'set "turn the knob" name turn it', '\'turn the knob\' is called "turn it"')
  t:equal(say "set #3 notes  slowly, please ", 'notes of \'turn it\' is "slowly, please"')
  t:match(say "show turn it", "notes = \"slowly, please\"")
  t:match(say "set turn it after beginning", "beginning")
  t:match(say "", "3 > +wait 'turn it'  seconds 8 s, after beginning")
  t:match(say "set turn it after nothing", "says nothing")
  t:match(why "set turn it second 7", "wait has no field 'second' %(did you mean 'seconds'%?%)")
  t:match(why "set turm it seconds 7", "there is no node 'turm'")
  t:match(why "set turn it seconds -7", "must be at least 0 s, not %-7")
  t:match(why "set turn it seconds soon", "'soon' is no value")
  t:match(why "set turn it seconds", "say the value of seconds")
  t:match(why "set", "say tree set NODE FIELD VALUE")
  t:match(why "set 8 to nowhere", "there is no node 'nowhere'")
  run:advance(0.2)
  t:equal(run.failed, nil)
end)

test("of a tree of thousands what runs is printed, or what begins with a node", function(t)
  local run = t:run("source", { robot = "ur3e", source = [[
    local b = require("brio").behavior "b" { robot = "ur3e", start = "one" }
    local tree = { "sequence" }
    for number = 1, 5000 do tree[number + 1] = { "wait", name = "rest " .. number, seconds = number == 3000 and 60 or 0 } end
    b.one = { tree = tree }
    return b]] })
  run:advance(0.05)
  local say = talker(run)
  local text = say ""
  t:match(text, "^one: automatic, nodes 2951 to 3200 of 5001: tree print NODE shows others\n")
  t:match(text, "3001  %*   wait 'rest 3000'")
  t:ok(#text < 40000, "%d bytes", #text)
  t:match(say "print rest 4990", "^one: [^\n]*nodes 4991 to 5001 of 5001[^\n]*\n4991%s+wait 'rest 4990'")
  t:match(select(2, say "print rest 9999"), "no node")
end)

test("structure is edited while it runs, and what runs goes on", function(t)
  local run, say = started(t)
  local function why(line) return select(2, say(line)) end
  t:match(say "insert wait a little behind walk up", "'a little' is new")
  t:match(say "insert wait { seconds = 2 } into catch of either", "is new in 'either'")
  t:match(say 'insert { "sequence", name = "two steps", { "wait" }, { "succeed" } } before walk up',
    "'two steps' with 2")
  t:match(say "duplicate two steps", "is new")
  t:match(say "delete 2", "'two steps' is deleted")
  t:match(say "move two steps behind either", "behind 'either'")
  t:match(say "rename turn the knob to turn it", "is called")
  t:match(say "kind a little to succeed", "is a succeed")
  t:match(why "kind a little to suceed", "did you mean 'succeed'")
  t:match(why "insert wiat behind walk up", "did you mean 'wait'")
  t:match(why "insert wait", "say where")
  t:match(why "move all of it behind walk up", "root")
  t:match(why "delete turn it", "turn it")
  run:advance(0.2)
  local text = say ""
  t:match(text, "2  %* +wait 'walk up'  seconds 50 s  %[0%.[12]%d* of 50 s%]")
  t:match(text, "succeed 'a little'.-wait 'turn it'.-fallback 'either'.-catch: wait 'right'.-catch: wait  \z
    seconds 2 s.-two steps")
  t:match(text, "gosub  to 4 turn it", "references follow")
end)

test("each person takes back their own, and another's later edit of the same is not lost", function(t)
  local _, say = started(t)
  say("set walk up seconds 60", "ann")
  say("set turn the knob seconds 9", "bob")
  t:match(say("undo", "ann"), "taken back: seconds of 'walk up'")
  t:match(say "show turn the knob", "seconds = 9")
  t:equal(select(2, say("undo", "ann")), "there is nothing to undo")
  t:match(say("redo", "ann"), "done again")
  say("set walk up seconds 70", "bob")
  t:match(select(2, say("undo", "ann")), "bob")
  t:match(say("undo skip", "ann"), "left as it is")
  t:match(table.concat(t.said, "\n"), "bob: seconds of 'walk up' is 70")
end)

test("capture takes the robot's pose; a new action begins as the last one like it, where the robot is",
  function(t)
  local run, say = started(t)
  local function why(line) return select(2, say(line)) end
  t:match(say "capture reach", "the robot's pose into reach")
  local now = run:measured "elbow_joint"
  t:near(tonumber((say "show reach"):match "elbow_joint = ([%-%d.]+)"), now, 1e-3)
  t:match(say "undo", "taken back")
  t:match(say "show reach", "elbow_joint = 0.5")
  t:match(why "capture walk up", "wait cannot take the robot's pose; these can: arm,")
  t:match(say "insert arm again behind reach", "'again' is new")
  t:match(say "show again", "elbow_joint = 1.57")
  t:match(say "show again", "speed = 0.25", "taken over from the last one like it")
  t:match(say "mirror left", "'left' is mirrored")
  t:match(say "show 5", "wait 'right'")
end)

test("where a frame is goes into a node's pose, in the frame that the node says", function(t)
  local run, say = started(t)
  local function why(line) return select(2, say(line)) end
  t:match(say "capture reach from tool0", "where tool0 is into reach")
  local pose = run.scene:frame "tool0"
  local said = say "show reach"
  for index, text in ipairs { said:match "position = { ([%-%d.]+), ([%-%d.]+), ([%-%d.]+) }" } do
    t:near(tonumber(text), pose.position[index], 1e-4)
  end
  t:ok(not said:find "joints =", "joints give way to the pose")
  say "set reach frame wrist_3_link"
  t:match(say "capture reach from wrist_3_link", "where wrist_3_link is")
  t:match(say "show reach", "position = { %-?0.0, %-?0.0, %-?0.0 }")
  t:match(why "capture reach from nowhere", "there is no frame 'nowhere' now")
  t:match(why "capture walk up from tool0", "wait cannot take")
  run:advance(0.1)
  t:equal(run.failed, nil)
end)

test("trees of states that are not active are edited, too, and saved", function(t)
  local run, say = started(t)
  t:match(say "in two set rest seconds 7", "seconds of 'rest' is 7")
  t:match(select(2, say "in two step"), "no tree runs in a state 'two'")
  t:match(select(2, say "in twoo set rest seconds 7"), "no tree runs")
  local file = t:temporary ".json"
  t:match(say("in two save " .. file), "wrote ")
  local handle = assert(io.open(file))
  t:match(handle:read "a", '"seconds": 7')
  handle:close()
  run.run.host:force(run.run.host.machine.states.two, "ann")
  run:advance(0.1)
  t:match(say "", "wait 'rest'  seconds 7 s")
end)

test("programs follow and edit by messages, beside people at prompts", function(t)
  local run, say = started(t)
  local seen, socket = {}, { open = true }
  function socket.ask(_, fields, answered)
    local text, why = say(fields.line:match "^tree%s+(.*)$", "cat")
    answered { text = text, error = why }
  end
  local link = links.new(socket, "one", "c1", "cat",
    { edited = function(done) seen[#seen + 1] = done.says end })
  local client = link.edits
  local function exchange(from)
    for index = 1, 4 do link:work(from + index) end
  end
  exchange(0)
  t:ok(client.document, "the tree has come")
  local author = require "brio.tree.author"
  t:ok(client:edit(author.set(client.document, client.document:find "walk up", "seconds", 66)))
  say("set turn the knob seconds 11", "ann")
  exchange(10)
  t:ok(client:settled())
  t:match(say "show walk up", "seconds = 66")
  t:equal(client.document.nodes[client.document:find "turn the knob"].fields.seconds, 11)
  t:equal(#seen, 2)
  local status = client:status()
  t:equal({ status.nodes, status.got, status.out_of_order }, { status.nodes_there, status.sent_there, 0 })
  t:ok(type(select(2, say "sync nonsense")) == "string", "what is no message is refused")
  t:ok(type(select(2, say "sync {}")) == "string")
  local view = assert(say "view 1 20 1").tree
  t:ok(view.unsaved and #view.changed == 2, "unsaved nodes are marked")
  t:ok(cjson.decode(store.json(view)).rows[1], "plain data")
  run:advance(0.05)
end)

test("who looks on is told what leaves that run say of themselves, and how a condition that comes stands now",
  function(t)
  local run = t:run("source", { robot = "ur3e", source = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { tree = { "sequence", { "arm", name = "reach", joints = { elbow_joint = 0.5 }, seconds = 4 },
  { "proximity", name = "far", a = "base_link", b = "tool0", min = 5, max = 9, timeout = 1 } } }
return b
]] })
  run:advance(1)
  local say = talker(run)
  local view = say "view 1 20 1".tree
  local reach, far = view.running[1], view.leaves[1]
  t:equal({ reach.name, reach.n, reach.nominal, far and far.name }, { "reach", 2, 4, "far" })
  t:ok(reach.error > reach.tolerance and reach.unit, "an error against its tolerance")
  t:ok(far and far.value > 0.1 and far.value < 2 and far.error > 3, "the present value of the condition")
  t:match(say "", "arm 'reach'.-%[[%d.]+ of 4 s, now .- error")
  t:match(say "show far", "not begun, now 0.%d+ m, error")
  run:advance(5)
  t:equal(run.failed, nil)
  t:match(say "", "far'.-%[failed after 1.00 s: 'base_link' and 'tool0' are 0.%d+ m from each other")
end)

test("whatever is said behind `tree`, the answer is a text or a sentence, and the tree runs on", function(t)
  local run = started(t)
  local prompt, names = prompt_of(run), {}
  local words = { "in one", "walk up", "turn the knob", "reach", "either", "1", "3", "8", "99", "#3",
    "seconds", "name", "after", "to",
    "notes", "=", "nothing", "beginning", "5", "-1", "{}", '{ "wait" }', "{ seconds = 2 }", "1e999", "behind",
      "before", "into", "of",
    "catch", "release", "copy", "skip", "on", "off", '"', "'", "\xff\xfe", "wait", "arm", "sequence", "gosub",
      "id", "children",
    ("x"):rep(300), "joints", "function() end", "owns" }
  for _, row in ipairs(trees.list) do names[#names + 1] = row.name ~= "save" and row.name or nil end
  local stream = require("brio.random").stream(7, "words")
  local done = 0
  for index = 1, 600 do
    local said = { names[stream:whole(#names)] }
    for _ = 1, stream:whole(6) - 1 do said[#said + 1] = words[stream:whole(#words)] end
    local line = table.concat(said, " ")
    local answer, why = trees.run(prompt, line, { who = index % 2 == 0 and "ann" or "bob", client = 1 })
    if answer == nil and type(why) ~= "string" then t:fail("no answer to %q", line) end
    trees.complete(run.run, line)
    done = done + (answer and 1 or 0)
    if index % 30 == 0 then run:advance(0.02) end
  end
  t:ok(done > 60, "%d of 600 were done", done)
  t:equal(run.failed, nil)
end)
