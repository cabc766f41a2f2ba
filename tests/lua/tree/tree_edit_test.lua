--- Trees as documents: read and written without loss, edited with exact inverses, undone by each person.
local author = require "brio.tree.author"
local data = require "brio.tree.editing.data"
local document = require "brio.tree.document"
local editings = require "brio.tree.editing"
local operations = require "brio.tree.editing.operations"
local trees = require "brio.tree"

local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1

local function door()
  return { "sequence", name = "open the door", notes = "from the left",
    { "wait", name = "walk up", seconds = 0.5 },
    { "sequence", name = "hand", after = "beginning", { "wait", name = "lift the hand", seconds = 2 } },
    { "fallback", after = "all", try = { { "wait", name = "turn the knob" } },
      catch = { { "wait", name = "let go" }, { "goto", to = "turn the knob" } } },
    { "wait", name = "walk through", after = { whole = "hand" } } }
end

local function made(form) return assert(document.of(form or door())) end

--- The complete content of a document, to compare.
local function state(doc) return { root = doc.root, nodes = doc.nodes } end

local function same(a, b) return data.equal(state(a), state(b)) end

-- Reading and writing ---------------------------------------------------------------------------------------

test("a document says what its table said", function(t)
  local doc = made()
  t:equal(doc:plain(), door())
  t:equal(assert(trees.compile(doc:form())).signature:gsub("anchor_id=%d+ ", ""):gsub("to_id=%d+ ?", "")
    , (assert(trees.compile(door())).signature:gsub("anchor=[^=]+ (%w+=)", "%1"):gsub("to=[%w ]+ ?;", ";")))
end)

test("references go by id inside, and by name outside where that means the same", function(t)
  local doc = made { "sequence", { "wait", name = "x", id = 7 }, { "wait", name = "x" },
    { "wait", after = "x" }, { "wait", after = 7 },
    { "goto", to = "next" }, { "wait", after = "nowhere" } }
  local last = doc.nodes[doc:find "1"].children
  t:equal(doc.nodes[last[3]].fields.after, { node = last[2] }, "the nearest")
  t:equal(doc.nodes[last[4]].fields.after, { node = 7 })
  t:equal(doc.nodes[last[6]].fields.after, "nowhere")
  t:equal(doc:plain()[5].after, 7, "no name would say it")
  t:equal(doc:plain()[4].after, "x")
  t:equal(doc:plain()[2].id, 7)
  t:equal(doc:plain()[3].id, nil)
  t:equal(doc:form()[4].after, last[2])
end)

test("a Lua file comes back as it was, and a JSON file to the digit and with its order of keys", function(t)
  local lua = [[
return { "sequence", name = "a",
  { "wait", name = "b", seconds = 2 },
  { "wait", name = "c", after = "beginning", seconds = 0.1, notes = "as \"quick\"\nas that" },
  { "fallback",
    try = {
      { "succeed" },
    },
    catch = {
      { "goto", to = "b" },
    },
  },
}
]]
  t:equal(assert(document.read(lua, "a.lua")):text(), lua)
  local json = [[
{
  "name": "a",
  "kind": "sequence",
  "children": [
    { "seconds": 2.50, "kind": "wait", "name": "b", "notes": "\u00e4", "from": null },
    {
      "kind": "fallback",
      "try": [
        { "kind": "wait", "seconds": 1e-3, "after": "b" }
      ],
      "catch": [],
      "notes": "last"
    }
  ]
}
]]
  local doc = assert(document.read(json, "a.json"))
  t:equal(doc:text(), json)
  t:equal(doc:unsaved(), false)
  local editing = editings.new(doc)
  assert(editing:apply(assert(author.set(doc, doc:find "b", "seconds", 3)), "ann"))
  t:equal(doc:text(), (json:gsub("2.50", "3")))
end)

test("whatever a document holds is written and read again", function(t)
  local form = { "sequence", name = "0\n\"\\\127end", notes = "ä",
    { "foreign", name = "end", from = "and", id = 3 } }
  form[2].notes = ("long "):rep(60)
  local doc = made(form)
  for _, format in ipairs { "lua", "json" } do
    doc.format = format
    local again, why = document.read(assert(doc:text()), "x." .. format)
    t:ok(again, "%s", why)
    t:ok(same(again, doc), format)
  end
  for _, value in ipairs { 0.1, 1e300, -1 / 3, 5e-324, 2 ^ 53, 12, math.mininteger, -0.0 } do
    local back = load("return " .. data.number(value))()
    t:ok(back == value and math.type(back) == math.type(value), "%s", data.number(value))
  end
end)

test("functions are kept, shown and put back, and not written", function(t)
  local tick = function() end
  local doc = made { "sequence", { "action", name = "turn", tick = tick } }
  t:ok(doc:form()[2].tick == tick)
  t:ok(doc:plain()[2].tick == tick)
  local text, functions = doc:text()
  t:match(text, "function at .*tree_edit_test.lua")
  t:equal(functions, { "'turn': tick" })
end)

test("what is no tree is refused in words", function(t)
  local function why(form) return select(2, document.of(form)) end
  t:match(why(5), "a tree is a table")
  t:match(why { "sequence", {} }, "without a kind")
  t:match(why { "sequence", 5 }, "is no node but a number")
  t:match(why { "sequence", id = 1, { "wait", id = 1 } }, "two nodes have the id 1")
  t:match(why { "sequence", id = -1 }, "whole number")
  local circle = { "sequence" }
  circle[2] = circle
  t:match(why(circle), "a table that holds itself")
  local field = {}
  field[1] = field
  t:match(why { "foreign", notes = field }, "too deep")
  t:match(select(2, document.read("{", "a.json")), "no JSON")
  t:match(select(2, document.read("return {'sequence', {'action', tick = function() end}}", "a.lua")),
    "plain data")
  t:match(select(2, document.read("while true do end", "a.lua")), "")
  t:match(select(2, document.read("", "a.xml")), "%.lua or %.json")
end)

-- Edits -----------------------------------------------------------------------------------------------------

test("a node is found by its id or the only name, and else it is said which ones there are", function(t)
  local doc = made { "sequence", { "wait", name = "x" }, { "wait", name = "x" }, { "wait", name = "lift" } }
  t:equal(doc:find "4", 4)
  t:equal(doc:find "lift", 4)
  t:match(select(2, doc:find "x"), "2 nodes 'x': give the id, 2 or 3")
  t:match(select(2, doc:find "lifd"), "did you mean 'lift'")
  t:equal(doc:path(4), "sequence/lift")
end)

test("each edit does what it says, and its inverse takes it back to the last bit", function(t)
  local doc = made()
  local editing, ids = editings.new(doc), author.ids(doc)
  local before = made()
  local knob, hand = doc:find "turn the knob", doc:find "hand"
  local edits = {
    { author.set(doc, knob, "seconds", 7), "seconds of 'turn the knob' is 7" },
    { author.rename(doc, knob, "turn it"), "'turn the knob' is called \"turn it\"" },
    { author.notes(doc, knob, "slowly"), "notes of" },
    { author.set(doc, doc:find "fallback", "after", "walk up"), "after of 'fallback' is 'walk up'" },
    { author.kind(doc, knob, "succeed"), "'turn the knob' is a succeed" },
    { author.insert(doc, { behind = hand }, { "sequence", { "wait", name = "a" }, { "wait", after = "a" } },
      ids), "'sequence' with 2 nodes in it is new in" },
    { author.duplicate(doc, hand, ids), "'hand' with 1 nodes in it is new" },
    { author.delete(doc, doc:find "walk through"), "'walk through' is deleted" },
    { author.move(doc, doc:find "lift the hand", { before = doc:find "walk up" }),
      "'lift the hand' is in 'open the door'" },
    { author.fields(doc, knob, { seconds = 2, name = "both" }), "edits more" },
  }
  for index, edit in ipairs(edits) do
    t:ok(edit[1], "edit %d: %s", index, edit[2])
    local done, why = editing:apply(edit[1], "ann")
    t:ok(done, "edit %d: %s", index, why)
    t:ok(done.says:find(edit[2], 1, true), "%s", done.says)
    t:ok(not same(doc, before) and doc:unsaved(), "edit %d did something", index)
    t:ok(trees.compile(doc:form()), "edit %d leaves a tree", index)
    t:ok(editing:apply(done.inverse, "ann"), "its inverse %d", index)
    t:ok(same(doc, before) and not doc:unsaved(), "edit %d taken back", index)
  end
end)

test("references follow renames, moves and copies", function(t)
  local doc = made()
  local editing = editings.new(doc)
  assert(editing:apply(author.rename(doc, doc:find "turn the knob", "turn it"), "ann"))
  t:equal(doc:plain()[4].catch[2].to, "turn it")
  local copy = assert(author.duplicate(doc, doc:find "fallback", author.ids(doc)))
  assert(editing:apply(copy, "ann"))
  local lead = doc:form()[5].catch[2]
  t:equal(lead.to, doc:form()[5].try[1].id, "the copy's goto leads into the copy")
end)

test("what cannot be done is said", function(t)
  local doc = made()
  local editing, ids = editings.new(doc), author.ids(doc)
  local hand, knob, lift = doc:find "hand", doc:find "turn the knob", doc:find "lift the hand"
  local function why(op, said)
    if not op then return said end
    local done, reason = editing:apply(op, "ann")
    return done and "nothing" or reason
  end
  t:match(why(author.delete(doc, doc.root)), "is the root")
  t:match(why(author.move(doc, doc.root, { into = hand })), "is the root")
  t:match(why(author.move(doc, hand, { into = hand })), "into itself")
  t:match(why(author.move(doc, hand, { into = lift })), "is a leaf")
  t:match(why(author.move(doc, hand, { into = 77 })), "no node 77")
  t:match(why(author.move(doc, hand, { behind = doc.root })), "it has no siblings")
  t:match(why(author.delete(doc, knob)), "referred to: to of 'goto' is 'turn the knob'")
  t:match(why(author.delete(doc, hand)), "after of 'walk through'")
  t:match(why(author.delete(doc, knob, true)), "refers to")
  t:match(why(author.set(doc, knob, "seconds", "long")), "must be a number")
  t:match(why(author.set(doc, knob, "secons", 2)), "did you mean 'seconds'")
  t:match(why(author.set(doc, knob, "seconds", -2)), "at least 0")
  t:match(why(author.set(doc, knob, "after", "walk down")), "no node 'walk down'")
  t:match(why(author.set(doc, doc:find "goto", "to", nil)), "needs 'to'")
  t:match(why(author.set(doc, knob, "seconds", nil)), "so already")
  t:match(why { op = "set", id = knob, field = "kind", value = "fail" }, "no field that can be set")
  t:match(why(author.kind(doc, hand, "wait")), "has children")
  t:match(why(author.kind(doc, hand, "sequense")), "did you mean 'sequence'")
  t:match(why(author.insert(doc, { into = knob }, { "wait" }, ids)), "is a leaf")
  t:match(why(author.insert(doc, { into = hand }, { "parallell" }, ids)), "did you mean 'parallel'")
  t:match(why(author.insert(doc, { into = hand, part = "try" }, { "wait" }, ids)), "has no part 'try'")
  t:match(why(author.insert(doc, { into = hand }, { "goto" }, ids)), "needs 'to'")
  t:match(why(author.insert(doc, { into = hand }, { "wait" }, function() return knob end)), "is taken")
  for _, junk in ipairs { 5, {}, { op = "fly" }, { op = "set" }, { op = "batch" },
      { op = "batch", ops = { 5 } }, { op = "insert", parent = hand, part = "children", nodes = { {} } },
    { op = "set", id = hand, field = "name", value = "x", expects = 5 },
      { op = "kind", id = lift, kind = "wait", fields = {}, expects = "x" },
    { op = "delete", id = knob, expects = true },
      { op = "move", id = knob, parent = doc.root, part = "children", expects = 7 },
    { op = "move", id = hand, part = 5, parent = doc.root }, { op = "kind", id = hand },
      { op = "set", id = hand, field = 5 },
    { op = "insert", parent = hand, part = "children",
      nodes = { { id = 900, kind = "wait", fields = {} },
      { id = 901, kind = "wait", fields = {}, parent = 900, part = "children" } } } } do
    local done, reason = editing:apply(junk, "ann")
    t:ok(not done and type(reason) == "string", "%s", done and done.says)
  end
  t:ok(same(doc, made()), "nothing was changed")
  t:equal(editing.seq, 0)
  t:ok(editing:apply(author.delete(doc, hand, true), "ann"), "released")
  t:equal(doc:plain()[4].after, nil)
end)

test("a batch is done as a whole or not at all", function(t)
  local doc = made()
  local editing = editings.new(doc)
  local knob = doc:find "turn the knob"
  local done, why = editing:apply({ op = "batch",
    ops = { { op = "set", id = knob, field = "seconds", value = 1 }, { op = "delete", id = knob } } }, "ann")
  t:ok(not done)
  t:match(why, "referred to")
  t:ok(same(doc, made()))
end)

test("a new node takes over what the last one like it says", function(t)
  local leaf = trees.kinds.play.record
  local before = leaf.inherit
  leaf.inherit = { "sequence" }
  local doc = made { "sequence", { "play", sequence = "wave" }, { "wait" }, { "play", sequence = "nod" } }
  local op = author.new(doc, { behind = 3 }, "play", author.ids(doc))
  leaf.inherit = before
  t:equal(op.nodes[1].fields, { sequence = "wave" })
end)

test("an edit that a check refuses is not done", function(t)
  local doc = made()
  local editing = editings.new(doc, function(now)
    local good, faults = trees.compile(now:form())
    return not good and faults[1].message or nil
  end)
  local done, why = editing:apply(author.move(doc, doc:find "hand", { behind = doc:find "walk through" }),
    "ann")
  t:ok(not done)
  t:match(why, "cannot wait for 'hand', which is no earlier node")
  t:ok(same(doc, made()))
end)

-- Undo ------------------------------------------------------------------------------------------------------

test("undo takes back one's own last edit, also after others have edited", function(t)
  local doc = made()
  local editing = editings.new(doc)
  local up, knob = doc:find "walk up", doc:find "turn the knob"
  local function set(id, value, who)
    return editing:apply({ op = "set", id = id, field = "seconds", value = value }, who)
  end
  set(up, 1, "ann")
  set(knob, 2, "bob")
  set(up, 3, "ann")
  t:equal(editing:undo("ann").says, "taken back: seconds of 'walk up' is 3")
  t:equal(editing:undo("ann").says, "taken back: seconds of 'walk up' is 1")
  t:equal(select(2, editing:undo "ann"), "there is nothing to undo")
  t:equal(doc.nodes[up].fields.seconds, 0.5)
  t:equal(doc.nodes[knob].fields.seconds, 2)
  t:equal(editing:redo("ann").says, "done again: seconds of 'walk up' is 1")
  t:equal(editing:redo("ann").says, "done again: seconds of 'walk up' is 3")
  t:equal(doc.nodes[up].fields.seconds, 3)
  editing:undo "ann"
  set(up, 9, "bob")
  t:equal(select(2, editing:undo "ann"),
    "cannot be taken back (seconds of 'walk up' is 1): seconds of 'walk up' was set to 9 by bob meanwhile")
  editing:undo "bob"
  t:ok(editing:undo "ann", "it is as it was left")
  t:equal(doc.nodes[up].fields.seconds, 0.5)
end)

test("what another built on is not taken back, unless it is left as it is", function(t)
  local doc = made()
  local editing = editings.new(doc)
  editing:apply(assert(author.insert(doc, { into = doc.root }, { "sequence", name = "new", { "wait" } },
    author.ids(doc, 1))), "ann")
  local new = doc:find "new"
  editing:apply(assert(author.insert(doc, { into = new }, { "wait", name = "bob's" }, author.ids(doc, 2))),
    "bob")
  t:match(select(2, editing:undo "ann"), "'bob's' was changed by bob since")
  t:match(editing:undo("ann", true).says, "left as it is: 'new' with 1 nodes in it is new in")
  t:ok(doc:find "new")
  editing:undo "bob"
  t:equal(select(2, editing:undo "ann"), "there is nothing to undo")
end)

-- Whatever is done ------------------------------------------------------------------------------------------

local kinds = { "sequence", "selector", "parallel", "wait", "checkpoint", "fallback", "succeed" }

local function pick(list) return list[math.random(#list)] end

--- A random edit of a document, or nil.
local function random_edit(doc, ids)
  local all = doc:inside(doc.root)
  local id, other = pick(all), pick(all)
  local what = math.random(9)
  if what == 1 then return author.set(doc, id, "seconds", math.random(9)) end
  if what == 2 then return author.rename(doc, id, pick { "a", "b", "c" }) end
  if what == 3 then
    return author.insert(doc, { into = id, first = math.random(2) == 1, part = pick { "children", "try" } },
      { pick(kinds), { "wait", after = pick { "a", "all" } } }, ids)
  end
  if what == 4 then
    return author.insert(doc, { behind = id }, { pick(kinds), name = pick { "a", "b" } }, ids)
  end
  if what == 5 then return author.delete(doc, id, math.random(2) == 1) end
  if what == 6 then
    return author.move(doc, id, pick { { into = other }, { behind = other }, { before = other } })
  end
  if what == 7 then return author.duplicate(doc, id, ids) end
  if what == 8 then return author.kind(doc, id, pick(kinds)) end
  return author.set(doc, id, "after", pick { other, { whole = other }, "all" })
end

test("random edits: each inverse is exact, all can be taken back and done again, the same table is kept for \z
  what is the same", function(t)
  for seed = 1, soak and 200 or 6 do
    math.randomseed(seed)
    local doc = made()
    local editing, ids, first, states, count = editings.new(doc), author.ids(doc), made(), {}, 0
    for _ = 1, 120 do
      local op = random_edit(doc, ids)
      local before, forms = data.copy(state(doc)), doc:form()
      local done = op and editing:apply(op, "ann")
      if done then
        count = count + 1
        states[count] = data.copy(state(doc))
        t:ok(data.equal(assert(document.of(doc:form())).nodes, doc.nodes),
          "seed %d: the forms are those of the nodes", seed)
      else
        t:ok(data.equal(before, state(doc)) and forms == doc:form(), "seed %d: nothing changed", seed)
      end
    end
    t:ok(count > 20, "%d edits", count)
    for index = count, 1, -1 do
      t:ok(data.equal(states[index], state(doc)), "seed %d: as after edit %d", seed, index)
      t:ok(editing:undo "ann", "seed %d: undo %d", seed, index)
    end
    t:ok(same(doc, first), "seed %d: as at first", seed)
    for index = 1, count do
      t:ok(editing:redo "ann", "seed %d: redo %d", seed, index)
      t:ok(data.equal(states[index], state(doc)), "seed %d: again as after edit %d", seed, index)
    end
  end
end)

test("reading the text of a random tree gives the same tree", function(t)
  for seed = 1, soak and 100 or 5 do
    math.randomseed(1000 + seed)
    local doc = made()
    local editing, ids = editings.new(doc), author.ids(doc)
    for _ = 1, 60 do
      local op = random_edit(doc, ids)
      if op then editing:apply(op, "ann") end
    end
    for _, format in ipairs { "lua", "json" } do
      doc.format = format
      local text = assert(doc:text())
      local again = assert(document.read(text, "x." .. format))
      again.format = format
      t:equal(again:text(), text, format)
      if format == "lua" then t:equal(again:plain(), doc:plain()) end
    end
    t:ok(operations.rows.set)
  end
end)
