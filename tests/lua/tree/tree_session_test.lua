--- Trees are edited while they run: unchanged nodes run on, faulty edits are refused, and all of it is
--- recorded.
local author = require "brio.tree.author"
local document = require "brio.tree.document"
local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1
local sessions = require "brio.tree.session"

local head = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one", memory = { log = {} } }
local function note(word, seconds)
  return { "action", name = word, seconds = seconds, enter = function(self) table.insert(self.memory.log, word) end,
    tick = function(_, elapsed) if elapsed >= seconds then return true end end,
    exit = function(self) table.insert(self.memory.log, "/" .. word) end }
end
]]

local function run_of(t, text, options)
  options = options or {}
  options.robot, options.source = "ur3e", head .. text .. "\nreturn b\n"
  local run = t:run("source", options)
  run:advance(0.05)
  return run
end

--- The session of a run's first state.
local function session_of(run)
  local host = run.run.host
  return assert(sessions.of(host, host.machine.states.one))
end

test("an edit of a running tree is applied between ticks, and what runs goes on", function(t)
  local run = run_of(t,
    [[b.one = { tree = { "sequence", note("a", 0.5), note("b", 0.2) }, on = { tree_done = "two" } }
b.two = {}]])
  local one = session_of(run)
  local doc = one.document
  run:advance(0.2)
  t:ok(one:edit(assert(author.insert(doc, { behind = doc:find "a" }, { "wait", name = "w", seconds = 1 },
    one:ids())), "ann"))
  t:ok(one:edit(author.rename(doc, doc:find "b", "c"), "bob"))
  t:ok(one:edit(author.duplicate(doc, doc:find "c", one:ids()), "ann"))
  run:advance(0.4)
  t:equal(run.memory.log, { "a", "/a" }, "not begun again, and the wait is on")
  run:advance(1.6)
  t:equal(run.memory.log, { "a", "/a", "b", "/b", "b", "/b" })
  t:equal(run.state, "two")
  run:advance(0.1)
end)

test("what is deleted while it runs is let go of", function(t)
  local run = run_of(t, [[b.one = { tree = { "sequence", note("a", 5), note("b", 0.1) } }]])
  local one = session_of(run)
  t:ok(one:edit(author.delete(one.document, one.document:find "a"), "ann"))
  run:advance(0.05)
  t:equal(run.memory.log, { "a", "/a", "b" })
  t:ok(one:undo "ann")
  t:equal(one.document:path(one.document:find "a"), "sequence/a")
end)

test("what would be wrong on this robot is refused, and the tree runs on as it was", function(t)
  local run = run_of(t, [[
b.one = { tree = { "sequence", { "action", name = "x", owns = { "wrist_3_joint" }, tick = function() end },
  { "action", name = "y", owns = { "wrist_3_joint" }, tick = function() end }, { "wait", name = "w" } } }]])
  local one = session_of(run)
  local doc = one.document
  local done, why = one:edit(author.set(doc, doc:find "y", "after", "beginning"), "ann")
  t:ok(not done)
  t:match(why, "may run at once, and both own")
  done, why = one:edit(author.set(doc, doc:find "w", "seconds", "$x"), "ann")
  t:ok(not done)
  t:match(why, "must be a number")
  done, why = one:edit(author.move(doc, doc:find "x", { behind = doc:find "y" }), "ann")
  t:ok(done, "%s", why)
  t:ok(one:undo "ann")
  t:equal(doc:plain(), one.document:plain())
  local numbers = {}
  for number, record in ipairs(one.compiled.list) do numbers[number] = record.parent end
  t:equal(numbers, { 0, 1, 1, 1 })
  run:advance(0.1)
end)

test("the edited tree is what the state has when it is entered again", function(t)
  local run = run_of(t, [[b.one = { tree = { "sequence", note("a", 0.1) }, on = { tree_done = "two" } }
b.two = { after = { 0.1, "one" } }]])
  local one = session_of(run)
  t:ok(one:edit(author.duplicate(one.document, one.document:find "a", one:ids()), "ann"))
  run:advance(1)
  t:equal(table.concat(run.memory.log, " ", 1, 8), "a /a a /a a /a a /a")
end)

--- A behavior beside files of trees, in a folder of its own.
local function with_files(t, files, text)
  local folder = t:temporary "-trees"
  os.execute("mkdir -p " .. folder)
  files["b.lua"] = head .. text .. "\nreturn b\n"
  for name, source in next, files do
    local file = assert(io.open(folder .. "/" .. name, "w"))
    file:write(source)
    file:close()
    table.insert(t.remove, 1, folder .. "/" .. name)
  end
  table.insert(t.remove, 1, folder .. "/b.one.lua")
  local run = t:run(folder .. "/b.lua", { robot = "ur3e" })
  run:advance(0.05)
  return run, folder
end

local function slurp(path)
  local file = assert(io.open(path))
  local all = file:read "a"
  file:close()
  return all
end

local top = [[
{
  "kind": "sequence",
  "children": [
    { "kind": "subtree", "file": "inner.lua", "name": "use" },
    { "seconds": 1.50, "kind": "wait", "does": "no" }
  ]
}
]]

test("a tree in a JSON file with skills and a subtree is edited and saved, and what is in the subtree \z
  runs on", function(t)
  local run, folder = with_files(t, {
    ["top.json"] = top:gsub(', "does": "no"', ""),
    ["inner.lua"] = 'return { "sequence", { "action", name = "long", does = "log", with = { word = "x" } }, \z
      { "wait", name = "w", seconds = 0.1 } }',
  }, [[
b = brio.behavior "b" { robot = "ur3e", start = "one", memory = { log = {} },
  skills = { log = { params = { word = "string" }, enter = function(self, with) table.insert(self.memory.log, with.word) end,
    tick = function(_, elapsed) if elapsed >= 0.5 then return true end end } } }
b.one = { tree = "top.json", on = { tree_done = "two" } }
b.two = {}]])
  local one = session_of(run)
  local doc = one.document
  run:advance(0.2)
  t:ok(one:edit(assert(author.insert(doc, { behind = doc:find "use" },
    { "action", does = "log", with = { word = "new" } }, one:ids())), "ann"))
  t:ok(one:edit(author.rename(doc, doc:find "use", "used"), "ann"))
  t:match(select(2, one:edit(assert(author.insert(doc, { behind = doc:find "used" },
    { "action", does = "lug" }, one:ids())), "ann")), "no skill 'lug'")
  t:match(select(2, one:edit(author.set(doc, doc:find "used", "file", "none.lua"), "ann")), "none.lua")
  run:advance(0.3)
  t:equal(run.memory.log, { "x" }, "what is in the subtree was not begun again")
  run:advance(0.4)
  t:equal(run.memory.log, { "x", "new" })
  t:equal(one:save(), "wrote " .. folder .. "/top.json")
  t:equal(slurp(folder .. "/top.json"), (top:gsub(', "does": "no"', ""):gsub('"use"', '"used"')
    :gsub('"used" },\n', '%0    { "kind": "action", "does": "log", "with": { "word": "new" } },\n')))
  local steps = #run.memory.log
  t:equal(run:reload(function(text) return text .. "-- saved" end), true)
  t:ok(session_of(run) == one and not doc:unsaved(), "a tree that was saved is what runs: edits go on")
  run:advance(0.1)
  t:equal(#run.memory.log, steps, "and nothing begins anew")
end)

test("a tree inside a behavior is saved to a file of its own, which says so", function(t)
  local run, folder = with_files(t, {},
    [[b.one = { tree = { "sequence", note("a", 0.5), { "wait", name = "w", seconds = 1 } } }]])
  local one = session_of(run)
  t:ok(one:edit(author.set(one.document, one.document:find "w", "seconds", 3), "ann"))
  t:ok(one.document:unsaved())
  local said = assert(one:save())
  t:match(said, "wrote .*b%.one%.lua; the tree is inside .*b%.lua, which is not written")
  t:match(said, "functions are not written %('a': enter, 'a': exit, 'a': tick%)")
  t:ok(not one.document:unsaved())
  t:match(slurp(folder .. "/b.one.lua"), 'seconds = 3')
  t:equal(run:reload(function(text) return text .. "-- more" end), true)
  t:ok(session_of(run) == one, "the behavior's file says what it said: edits go on")
  t:equal(one.document.nodes[one.document:find "w"].fields.seconds, 3)
  t:match(select(2, one:save "x.txt"), "%.lua or %.json")
  t:match(select(2, one:save "/no/such/folder/x.json"), "cannot be written")
end)

test("a reload of the behavior leaves edits and what runs alone, and takes its new functions", function(t)
  local run = run_of(t, [[b.one = { tree = { "sequence", note("a", 0.5), note("b", 0.1) } }
-- here]])
  local one = session_of(run)
  local doc = one.document
  t:ok(one:edit(author.duplicate(doc, doc:find "b", one:ids()), "ann"))
  t:ok(one:edit(author.rename(doc, doc:find "a", "x"), "ann"))
  run:advance(0.1)
  t:equal(run:reload(function(text) return (text:gsub('"/" .. word', '"end of " .. word')) end), true)
  t:equal(run.memory.log, { "a" }, "it was not stopped")
  run:advance(0.9)
  t:equal(run.memory.log, { "a", "end of a", "b", "end of b", "b", "end of b" })
  t:ok(session_of(run) == one, "the same session")
  t:ok(one:undo "ann")
  t:equal(doc:find "a", 2)
end)

test("when the tree was changed in its file as well, unsaved edits are kept beside it, which is said",
  function(t)
  local run, folder = with_files(t, {},
    [[b.one = { tree = { "sequence", note("a", 0.5), { "wait", name = "w" } } }]])
  table.insert(t.remove, 1, folder .. "/b.one.edited.lua")
  local one = session_of(run)
  t:ok(one:edit(author.set(one.document, one.document:find "w", "seconds", 77), "ann"))
  t:equal(run:reload(function(text) return (text:gsub('name = "w"', 'name = "v"')) end), true)
  t:match(table.concat(t.said, "\n"), "edits of the tree of 'one' that were not saved are in \z
    .*b%.one%.edited%.lua: the tree was changed in its file, too")
  t:match(slurp(folder .. "/b.one.edited.lua"), "seconds = 77")
  t:ok(session_of(run) ~= one)
  t:ok(session_of(run).document:find "v")
end)

test("each edit is a version in the store, told with who and what, and can be taken up again", function(t)
  local run = run_of(t, 'b.one = { tree = { "sequence", name = "top", \z
    { "wait", name = "w", seconds = 1 } } }', { recorded = true })
  local one = session_of(run)
  local doc = one.document
  one:edit(author.set(doc, doc:find "w", "seconds", 3), "ann")
  run:advance(0.1)
  one:edit(author.rename(doc, doc:find "w", "hold"), "bob")
  one:undo "ann"
  run:advance(0.1)
  run:finish()
  local name = doc.file:gsub("%.lua$", "") .. ".one.lua"
  local versions = run:sql("SELECT name, version, replaces, what FROM version_story WHERE name LIKE \z
    '%.one.lua' ORDER BY t, place")
  t:equal(#versions, 4)
  t:equal(versions[1].name, name)
  t:equal({ versions[2].what, versions[3].what, versions[4].what },
    { "ann: seconds of 'w' is 3", "bob: 'w' is called \"hold\"",
    "ann: taken back: seconds of 'w' is 3" })
  t:equal(versions[3].replaces, versions[2].version)
  local story = run:sql "SELECT sentence FROM story WHERE sentence LIKE '%edits the tree%' ORDER BY place"
  t:equal(story[2].sentence, "bob edits the tree of one: 'w' is called \"hold\"")
  local text = run:sql("SELECT source FROM versions WHERE hash LIKE ? || '%'", versions[3].version)[1].source
  t:equal(text, 'return { "sequence", name = "top",\n  { "wait", name = "hold", seconds = 3 },\n}\n')
  local event = run:sql "SELECT data FROM events WHERE name = 'tree_edited' ORDER BY id"[1].data
  local said = require("brio.tree.editing.data").read_json(event)
  t:equal({ said.who, said.op.value, said.inverse.value }, { "ann", 3, 1 }, "there and back")
end)

test("a file that is used in two places, and by two states, is edited once and follows everywhere; what a \z
  place says of its own stays", function(t)
  local shared = require "brio.tree.editing.shared"
  local inner = 'return { "sequence",\n  { "wait", name = "first", seconds = 0.3 },\n  { "wait", name = \z
    "w", seconds = 9 },\n}\n'
  local run, folder = with_files(t, { ["inner.lua"] = inner }, [[
b.one = { tree = { "sequence", { "subtree", file = "inner.lua", name = "left" }, { "subtree", file = "inner.lua", name = "right", override = { w = { seconds = 0.4 } } } }, on = { tree_done = "two" } }
b.two = { tree = { "sequence", { "subtree", file = "inner.lua" } } }]])
  local host = run.run.host
  local states = host.machine.states
  local function number(state, name, nth)
    for index, record in ipairs(state.tree.list) do
      if record.name == name then nth = nth - 1 if nth == 0 then return index, record end end
    end
  end
  local one, id = shared.of_node(host, states.one, number(states.one, "w", 1))
  t:ok(one, "%s", id)
  t:equal(one:places(), 3)
  local around = session_of(run)
  t:ok(around:edit(author.rename(around.document, around.document:find "left", "to the left"), "bob"))
  t:ok(one:edit(author.set(one.document, id, "seconds", 0.2), "ann"))
  t:ok(one:edit(author.duplicate(one.document, one.document:find "first", one:ids()), "ann"))
  t:equal(select(2, number(states.one, "w", 1)).seconds, 0.2)
  t:equal(select(2, number(states.one, "w", 2)).seconds, 0.4, "its own")
  t:equal(select(2, number(states.two, "w", 1)).seconds, 0.2)
  t:equal(#states.two.tree.list, 6)
  t:match(select(2, one:edit({ op = "set", id = one.document:find "w", field = "owns", value = {} }, "ann")),
    "no field 'owns'")
  t:ok(shared.newest(around, "ann", "done") == one)
  t:ok(shared.newest(around, "bob", "done") == around)
  t:ok(shared.unsaved(host)[1] == one and #shared.unsaved(host) == 1)
  t:equal(run:reload(function(text) return (text:gsub("log = {}", "log = {}, more = 1")) end), true)
  states = host.machine.states
  t:equal(select(2, number(states.one, "w", 1)).seconds, 0.2, "edits outlast a reload of the behavior")
  run:advance(0.9)
  t:equal(run.state, "one")
  run:advance(1.2)
  t:equal(run.state, "two")
  t:equal(one:save(), "wrote " .. folder .. "/inner.lua")
  t:match(slurp(folder .. "/inner.lua"),
    '"first", seconds = 0.3 },\n  { "wait", name = "first", seconds = 0.3 },\n  { "wait", name = "w", \z
    seconds = 0.2 }')
end)

--- A random edit of a document, or nil.
local function random_edit(doc, ids)
  local all = doc:inside(doc.root)
  local function pick(list) return list[math.random(#list)] end
  local id, other, what = pick(all), pick(all), math.random(9)
  if what == 1 then return author.set(doc, id, "seconds", math.random(9) / 100) end
  if what == 2 then return author.rename(doc, id, pick { "a", "b", "c" }) end
  if what == 3 then
    return author.insert(doc, { into = id, part = pick { "children", "try", "catch" } },
      { pick { "wait", "sequence" }, after = pick { "a", "all" } }, ids)
  end
  if what == 4 then
    return author.insert(doc, { behind = id },
      { "fallback", try = { { "wait", seconds = 0.02 } },
      catch = { { "goto", to = pick { "a", "b", "next" } } } }, ids)
  end
  if what == 5 then return author.delete(doc, id, math.random(2) == 1) end
  if what == 6 then
    return author.move(doc, id, pick { { into = other }, { behind = other }, { before = other },
      { into = other, part = "catch" } })
  end
  if what == 7 then return author.duplicate(doc, id, ids) end
  if what == 8 then
    return author.kind(doc, id, pick { "sequence", "selector", "wait", "parallel", "retry" })
  end
  return author.set(doc, id, "after", pick { other, { whole = other }, "all" })
end

test("random edits of a tree that runs: what runs is the tree that the document says, however it came to be",
  function(t)
  local trees = require "brio.tree"
  for seed = 1, soak and 40 or 2 do
    math.randomseed(seed)
    local run = run_of(t,
      [[b.one = { tree = { "loop", { "sequence", note("a", 0.02), { "wait", name = "b", seconds = 0.05 },
  { "fallback", try = { note("c", 0.01) }, catch = { { "goto", to = "b" } } } } } }]])
    local one = session_of(run)
    local done, refused = 0, 0
    for _ = 1, 80 do
      local op = random_edit(one.document, one:ids())
      if math.random(6) == 1 then op = { op = math.random(2) == 1 and "undo" or "redo" } end
      local good, why
      if op then good, why = one:edit(op, "ann") end
      if good then
        done = done + 1
        local anew = assert(trees.compile(one.document:form()))
        t:equal(trees.signature(one.compiled.list), anew.signature, "seed " .. seed)
      elseif op then
        refused = refused + 1
        t:ok(type(why) == "string")
      end
      if math.random(3) == 1 then run:advance(0.03) end
      t:ok(not run.failed, "seed %d: %s", seed, run.failed)
    end
    t:ok(done > 10 and refused > 0, "%d done, %d refused", done, refused)
  end
end)

test("a run without a tree in the state says so", function(t)
  local run = run_of(t, [[b.one = {}]])
  t:equal(select(2, sessions.of(run.run.host, run.run.host.machine.states.one)),
    "the state 'one' has no tree")
  t:ok(document.parts)
end)

test("an edit that is broken off leaves nothing half done", function(t)
  local run = run_of(t, [[b.one = { tree = { "sequence", note("a", 5), note("b", 0.1) } }]])
  local one = session_of(run)
  local check = one.editing.check
  one.editing.check = function() error "no time is left" end
  t:ok(not pcall(one.edit, one, author.delete(one.document, one.document:find "b"), "ann"))
  one.editing.check = check
  t:ok(one:edit(author.rename(one.document, one.document.root, "all"), "ann"))
  t:ok(one.document:find "b", "it is still there")
  t:ok(one:undo "ann")
end)
