--- Trees in files of their own: parameters, uses, overrides, skills, ids, circles, reload.
package.path = "tests/lib/?.lua;" .. package.path
local files = require "files"
local forms = require "brio.tree.files.expand"
local params = require "brio.tree.files.params"
local trees = require "brio.tree"

local folder = files.temporary()
assert(os.execute("mkdir " .. folder .. "/hand"))

local function write(name, text)
  local file = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
  file:close()
end

--- The compiled tree of a form beside the files, or nil and the first fault.
local function made_of(form, said)
  said = said or {}
  said.file = folder .. "/behavior.lua"
  local expanded, faults, origins = forms.expand(form, forms.context(said))
  if #faults > 0 then return nil, faults[1], faults end
  local made, wrong = trees.compile(expanded)
  if not made then return nil, wrong[1], wrong end
  return made, origins
end

local function fault_of(form, said)
  local made, fault = made_of(form, said)
  return made and "nothing" or fault.message
end

--- Fields of the nodes of a compiled tree, those of one kind.
local function of_kind(made, kind, field)
  local list = {}
  for _, record in ipairs(made.list) do
    if record.is == kind then list[#list + 1] = record.form[field] end
  end
  return list
end

write("hand/turn.lua", [[
return { "sequence", name = "turn the {side} knob",
  params = { side = { "choice", "left", "right" }, seconds = { "number", unit = "s", lower = 0.1, upper = 10, value = 2 } },
  { "wait", name = "reach {side}", seconds = "$seconds" },
  { "wait", name = "turn", seconds = 1, id = 7 },
  { "goto", to = "next", notes = "costs $$5, {{side}} is {side}" } }
]])

local function use(name, side, more)
  local form = { "subtree", name = name, file = "hand/turn.lua", with = { side = side } }
  for key, value in next, more or {} do form[key] = value end
  return form
end

test("one definition stands wherever it is used, with what each use gives it", function(t)
  local made = assert(made_of { "sequence", use("a", "left"),
                                use("b", "right", { with = { side = "right", seconds = 3 } }) })
  t:equal(trees.print(made), [[
   1  sequence
   2    subtree 'a'  <hand/turn.lua side=left>
   3      sequence 'turn the left knob'
   4        wait 'reach left'  seconds 2 s
   5        wait 'turn'  seconds 1 s
   6        goto  to next, -- costs $$5, {side} is left
   7    subtree 'b'  <hand/turn.lua seconds=3 side=right>
   8      sequence 'turn the right knob'
   9        wait 'reach right'  seconds 3 s
  10        wait 'turn'  seconds 1 s
  11        goto  to next, -- costs $$5, {side} is right]])
end)

test("an override is of one place, and leaves the others and the file as they are", function(t)
  local documents = {}
  local form = { "sequence", use("a", "left", { override = { turn = { seconds = 5 } } }),
    use("b", "right", { override = { ["7"] = { notes = "slowly" } } }),
    use("c", "left") }
  local made = assert(made_of(form, { documents = documents }))
  t:equal(of_kind(made, "wait", "seconds"), { 2, 5, 2, 1, 2, 1 })
  t:equal(made.list[10].notes, "slowly")
  made = assert(made_of({ "sequence", use("a", "left") }, { documents = documents }))
  t:equal(of_kind(made, "wait", "seconds"), { 2, 1 }, "the definition")
  t:match(fault_of { "sequence", use("a", "left", { override = { trun = { seconds = 5 } } }) },
    "has no node 'trun'.*did you mean 'turn'")
  t:match(fault_of(use("a", "left", { override = { turn = { children = {} } } })),
    "children cannot be replaced")
  t:match(fault_of(use("a", "left", { override = { turn = { { "wait" } } } })), "a child cannot be replaced")
  t:match(fault_of(use("a", "left", { override = { turn = 5 } })), "is a table of fields, not a number")
  t:match(fault_of(use("a", "left", { override = { turn = { notes = "a" }, ["7"] = { notes = "b" } } })),
    "override: '7' and 'turn' are the same node")
  t:match(fault_of(use("a", "left", { override = { turn = { second = 5 } } })), "no field 'second'")
end)

test("a subtree inside a subtree is told what is said of it through both", function(t)
  write("two.json",
    [[{"kind": "sequence", "params": {"side": {"type": "choice", "of": ["left", "right"]}}, "children": [
    {"kind": "subtree", "name": "first", "file": "hand/turn.lua", "with": {"side": "$side"}},
    {"kind": "subtree", "name": "second", "file": "hand/turn.lua", "with": {"side": "left"}, "override": {"turn": {"seconds": 4}}}]}]])
  local made = assert(made_of { "subtree", file = "two.json", with = { side = "right" },
    override = { second = { with = { side = "right", seconds = 9 },
                            override = { ["reach {side}"] = { seconds = 8 } } } } })
  t:equal(of_kind(made, "wait", "seconds"), { 2, 1, 8, 4 })
  t:equal(of_kind(made, "wait", "name"), { "reach right", "turn", "reach right", "turn" })
end)

test("parameters are checked", function(t)
  t:match(fault_of(use("a", "up")), "'a': parameter 'side' must be one of left, right, not 'up'")
  t:match(fault_of { "subtree", file = "hand/turn.lua" }, "parameter 'side' is not given")
  t:match(fault_of { "subtree", file = "hand/turn.lua", with = { sied = "left" } },
    "no parameter 'sied' %(did you mean 'side'")
  t:match(fault_of(use("a", "left", { with = { side = "left", seconds = 20 } })),
    "'seconds' must be from 0.1 to 10 s, not 20")
  t:match(fault_of(use("a", "left", { with = 5 })), "with is a table")
  t:match(fault_of { "sequence", params = { a = { "number", value = 1 } }, { "wait", seconds = "$b" } },
    "'%$b' is no parameter here")
  t:match(fault_of { "sequence", params = { side = { "string", value = "x" } }, { "wait", name = "{sid}" } },
    "'{sid}' is no parameter here.*side")
  t:match(fault_of { "sequence", { "wait", params = {} } }, "params belong to a whole file")
  t:equal(fault_of { "sequence", { "wait", name = "{side} costs $5", notes = "$x" } }, "nothing",
    "without params nothing is replaced")
  for _, row in ipairs {
    { { a = { "numbr" } }, "no type 'numbr' %(did you mean 'number'" },
    { { a = 5 }, "must be a type's name or a table" }, { { a = {} }, "no type" },
    { { a = { "choice" } }, "is among texts" }, { { a = { "choice", 5 } }, "is among texts, not a number" },
    { { a = { "number", value = "x" } }, "its value must be a number" },
    { { a = { "number", lowr = 1 } }, "has no 'lowr'" },
    { { a = { "number", lower = "x" } }, "lower must be a number" },
    { { ["a b"] = "number" }, "letters, digits" }, { 5, "params is a table" },
    { { "number" }, "each parameter has a name" },
    { { a = { "list", of = "nothing" } }, "a list is of a type's name" },
  } do
    t:match(params.faults(row[1])[1] or "nothing", row[2])
  end
  t:equal(params.faults { a = "number", b = { "vector", size = 2, value = { 1, 2 } }, c = { "pose" },
                          d = { "list", of = "string" } }, {})
end)

test("a parameter is a value of any type", function(t)
  local made = assert(made_of { "sequence", params = { n = { "whole", value = 3 },
    p = { "vector", value = { 1, 2, 3 } }, on = { "boolean", value = true } },
    { "loop", times = "$n",
      { "action", name = "{n} times, {on}", does = "x", with = { at = "$p", deep = { on = "$on" } } } } })
  t:equal(made.list[2].times, 3)
  t:equal(made.list[3].name, "3 times, true")
  t:equal(made.list[3].form.with, { at = { 1, 2, 3 }, deep = { on = true } })
end)

test("files that are missing, broken, no data or inside themselves are refused in words", function(t)
  write("self.lua", [[return { "sequence", { "subtree", file = "other.json" } }]])
  write("other.json", [[{"kind": "subtree", "file": "self.lua"}]])
  write("broken.json", "{")
  write("broken.lua", "return {")
  write("code.lua", [[return { "action", tick = function() return true end }]])
  write("text.lua", [[return "sequence"]])
  write("calls.lua", [[return require "os"]])
  write("endless.lua", [[local t = { "sequence" } t[2] = t return t]])
  write("shared.lua", [[local t = { "wait" } for _ = 1, 60 do t = { "sequence", t, t } end return t]])
  write("far.lua", [[local t = {} for _ = 1, 450 do t = { t, t } end return { "action", with = { 1, t } }]])
  write("never.lua", [[while true do end]])
  write("twice.lua", [[return { "sequence", { "wait", id = 3 }, { "wait", id = 3 } }]])
  for _, row in ipairs { { "none.lua", "none.lua" }, { "self.lua", "in a circle" },
    { "broken.json", "no JSON" }, { "broken.lua", "unexpected symbol" },
    { "code.lua", "'tick' is a function: a tree in a file is plain data" },
    { "text.lua", "must be the table of a tree, not a string" },
    { "calls.lua", "attempt to call a nil value" }, { "endless.lua", "holds itself" },
    { "shared.lua", "more than 100000 nodes" }, { "far.lua", "too deep" }, { "never.lua", "budget" },
    { "twice.lua", "the id 3 is used twice" },
    { "x.txt", ".lua, .json or .xml" }, { 5, "must be a file's name, not a number" },
    { "hand", ".lua, .json or .xml" } } do
    t:match(fault_of { "subtree", file = row[1] }, row[2])
  end
end)

test("a fault in a file is said with the file's line", function(t)
  write("wrong.json",
    '{"kind": "sequence",\n"children": [\n{"kind": "wait"},\n{"kind": "wait", "second": 3}]}')
  write("wrong.lua",
    'return { "sequence",\n{ "wait", name = "x" },\n{ "wait",\nname = "x", seconds = true } }')
  for _, row in ipairs { { "wrong.json", 4 }, { "wrong.lua", 4 } } do
    local context = forms.context { file = folder .. "/b.lua" }
    local expanded, _, origins = forms.expand({ "subtree", file = row[1] }, context)
    local _, wrong = trees.compile(expanded)
    t:equal({ forms.place(wrong[1], origins) }, { folder .. "/" .. row[1], row[2] })
  end
end)

test("ids inside subtrees stay the same ones when the tree around changes", function(t)
  local function ids(form)
    local made, origins = assert(made_of(form))
    local found = {}
    for number, record in ipairs(made.list) do
      local origin, above = origins[record.form], number
      while made.list[above].is ~= "subtree" and above > 1 do above = made.list[above].parent end
      local around = origins[made.list[above].form]
      if origin and origin ~= around then
        found[around.key .. "/" .. origin.document.keys[origin.number]] = record.id
      end
    end
    return found
  end
  local before = ids { "sequence", use("a", "left", { id = 1 }), use("b", "left", { id = 2 }) }
  local after = ids { "sequence", { "wait" }, use("b", "right", { id = 2 }), { "wait" },
                      use("a", "left", { id = 1, after = "beginning" }) }
  local count = 0
  for key, id in next, before do
    t:equal(after[key], id, key)
    count = count + 1
  end
  t:equal(count, 8)
  t:ok(before["1/7"] and before["2/7"] and before["1/7"] ~= before["2/7"], "by the use's id and its own")
  write("ids.lua", 'return { "sequence", { "wait", id = 3 }, { "wait", after = 3 }, \z
    { "loop", id = 4, { "wait" } }, { "wait", after = { whole = 4 } }, { "goto", to = 3 } }')
  local made = assert(made_of { "sequence", { "subtree", file = "ids.lua", id = 3 },
                                { "subtree", file = "ids.lua", id = 4 } })
  t:match(trees.print(made),
    "10    subtree 'ids' .-13        wait  after wait %(waits for 12%).-17        goto  to 12 wait")
  local taken = {}
  t:ok(forms.id("1/7", taken) ~= forms.id("1/7", taken), "one is taken")
  t:ok(forms.id("x", {}) >= forms.first_inner_id and forms.id("x", {}) < 1 << 31)
end)

test("trees without anything to expand are the author's own tables", function(t)
  local form = { "sequence", { "wait" }, { "fallback", try = { { "wait" } }, catch = { { "wait" } } },
                 { kind = "loop", children = { { "wait" } } } }
  t:ok(forms.expand(form, forms.context {}) == form)
end)

test("a tree that uses itself twice at every step is stopped", function(t)
  -- make test takes fewer levels, and a lower limit
  local deepest = t:long() and 20 or 12
  local most <close> = setmetatable({ trees.most }, { __close = function(self) trees.most = self[1] end })
  trees.most = t:long() and most[1] or 1000
  for level = 1, deepest do
    write(("level%d.lua"):format(level), level == deepest and [[return { "wait" }]]
      or ([[return { "sequence", { "subtree", file = "level%d.lua" }, { "subtree", file = "level%d.lua" } }]])
        :format(level + 1, level + 1))
  end
  t:match(fault_of { "subtree", file = "level1.lua" }, ("more than %d"):format(trees.most))
end)

test("skills are what names in a tree mean", function(t)
  local log = {}
  local skills = {
    turn = { params = { side = { "choice", "left", "right" }, by = { "number", value = 1.5 } }, seconds = 3,
      enter = function(_, with) log[#log + 1] = "enter " .. with.side end,
      tick = function(_, elapsed, with) log[#log + 1] = ("%g by %g"):format(elapsed, with.by) return true end,
      exit = function(_, with) log[#log + 1] = "exit " .. with.side end },
    plain = function(_, elapsed, with)
      log[#log + 1] = ("plain %g %s"):format(elapsed, with and with.x)
      return true
    end,
    is_open = function(_, with) return not with or with.which == "front" end,
    is_shut = { holds = function() return false end },
  }
  local made = assert(made_of({ "sequence", { "action", does = "turn", with = { side = "left" } },
    { "action", does = "plain" }, { "action", does = "plain", with = { x = 4 } },
    { "condition", holds = "is_open" }, { "condition", holds = "is_open", with = { which = "front" } },
    { "condition", holds = "is_shut" } }, { skills = skills }))
  t:equal(made.list[2].form.seconds, 3)
  local tree = trees.begin(made, { call = function(fn, ...) return fn({}, ...) end })
  local status, name
  for tick = 0, 3 do status, name = tree:work(tick) if status then break end end
  t:equal({ status, name }, { "failure", "is_shut" })
  t:equal(log, { "enter left", "0 by 1.5", "exit left", "plain 0 nil", "plain 0 4" })
  for _, row in ipairs { { { "action", does = "trun" }, "no skill 'trun' %(did you mean 'turn'" },
    { { "action", does = "turn" }, "'side' is not given" },
    { { "action", does = "turn", with = { side = "up" } }, "must be one of left, right" },
    { { "action", does = "is_shut" }, "does nothing" },
    { { "condition", holds = "turn", with = { side = "left" } }, "is no condition" },
    { { "condition", holds = 5 }, "a function or the name of a skill" } } do
    t:match(fault_of(row[1], { skills = skills }), row[2])
  end
  t:equal(forms.faults_of_skills { a = function() end, b = { tick = function() end } }, {})
  t:equal(#forms.faults_of_skills { a = 5, b = { tik = function() end }, c = { tick = 5 },
                                    d = { params = { x = "nothing" } } }, 4)
end)

local behavior = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = { log = {}, tries = 0 }, skills = {
  say = { params = { word = "string" }, enter = function(self, with) table.insert(self.memory.log, with.word) end },
  lucky = function(self) self.memory.tries = self.memory.tries + 1 return self.memory.tries % 4 == 0 end,
  try = function(self, elapsed)
    if elapsed < 0.05 then return nil end
    self.memory.tries = self.memory.tries + 1
    if self.memory.tries % 4 > 0 then return false, "it slipped" end
    return true
  end } }
]]

local function run_of(t, text) -- beside the files
  write("b.lua", behavior .. text .. "\nb.two = {}\nreturn b\n")
  return t:run(folder .. "/b.lua", { robot = "ur3e" })
end

test("the same tree runs alike as a Lua table, a Lua file and a JSON file", function(t)
  local lua = [[{ "sequence", { "action", does = "say", with = { word = "walk" } }, { "wait", seconds = 0.1 },
    { "action", does = "say", with = { word = "hand" }, after = "beginning" },
    { "fallback", after = "all", try = { { "action", does = "try", name = "turn" } },
      catch = { { "action", does = "say", with = { word = "again" } }, { "goto", to = "turn" } } },
    { "retry", times = 0, { "condition", holds = "lucky" } },
    { "action", does = "say", with = { word = "through" } } }]]
  local json = [[{"kind": "sequence", "children": [{"kind": "action", "does": "say", "with": {"word": "walk"}}, {"kind": "wait", "seconds": 0.1},
    {"kind": "action", "does": "say", "with": {"word": "hand"}, "after": "beginning"},
    {"kind": "fallback", "after": "all", "try": [{"kind": "action", "does": "try", "name": "turn"}],
      "catch": [{"kind": "action", "does": "say", "with": {"word": "again"}}, {"kind": "goto", "to": "turn"}]},
    {"kind": "retry", "times": 0, "children": [{"kind": "condition", "holds": "lucky"}]},
    {"kind": "action", "does": "say", "with": {"word": "through"}}]}]]
  write("tree.lua", "return " .. lua)
  write("tree.json", json)
  local seen
  for _, tree in ipairs { lua, '"tree.lua"', '"tree.json"' } do
    local run = run_of(t, ("b.one = { tree = %s, on = { tree_done = 'two' } }"):format(tree))
    local story = {}
    for _ = 1, 200 do
      run:advance(0.005)
      story[#story + 1] = ("%s %s"):format(run.state, table.concat(run.memory.log, " "))
    end
    t:equal(run.state, "two")
    seen = seen or story
    t:equal(story, seen)
  end
  t:match(seen[#seen], "two walk hand again again again through")
end)

test("a file that is changed while it is used follows everywhere; a bad one is refused with its line",
  function(t)
  write("word.json", '{"kind": "sequence", "params": {"n": "string"}, "children": [\n{"kind": "action", \z
    "does": "say", "with": {"word": "old {n}"}}]}')
  local run = run_of(t, [[
b.one = { tree = { "sequence", { "subtree", file = "word.json", with = { n = "1" } }, { "wait", seconds = 1 },
    { "subtree", file = "word.json", with = { n = "2" } } } }]])
  run:advance(0.1)
  t:equal(run.memory.log, { "old 1" })
  local function edit(from, to)
    return run:reload(function(text) return (text:gsub(from, to)) end, folder .. "/word.json")
  end
  local good, why = edit("old", "new {m}")
  t:ok(not good)
  t:match(why, "word.json:2: tree: 'say': '{m}' is no parameter here")
  t:equal({ edit("new {m}", "new") }, { true })
  run:advance(1.2)
  t:equal(run.memory.log, { "old 1", "new 2" })
end)

test("whatever a tree, its parameters and its uses say, it is judged and never raises", function(t)
  local stream = require("brio.random").stream(7, "forms")
  local function any(list) return list[stream:whole(#list)] end
  local words = { "$a", "{a}", "$b", "{b", "$$", "{{a}}", "left", "turn", "7", "", "hand/turn.lua",
                  "none.lua", "next" }
  local value
  local function some(depth, list)
    for _ = 1, stream:whole(4) do
      local key = any { 1, 2, "a", "seconds", "turn", "7", "value", "of", "type", "lower", "with", "override",
                        "side", "name" }
      list[key] = value(depth - 1)
    end
    return list
  end
  function value(depth)
    local kind = stream:whole(depth > 0 and 8 or 6)
    if kind < 3 then return any(words) end
    if kind < 5 then return any { 0, 1, -1, 2.5, 7, 1e300, 0 / 0, math.huge } end
    if kind < 6 then return any { true, false } end
    return some(depth, {})
  end
  local function node(depth)
    local form = { any { "sequence", "wait", "subtree", "subtree", "action", "condition", "goto", "fallback",
                         "machine", "wiat" } }
    for _ = 1, depth > 0 and stream:whole(3) - 1 or 0 do form[#form + 1] = node(depth - 1) end
    for _ = 1, stream:whole(4) do
      local key = any { "name", "id", "after", "to", "with", "override", "params", "file", "seconds", "does",
                        "holds", "tree", "try", "children", "run", "states" }
      form[key] = value(2)
    end
    if form[1] == "subtree" and stream:whole(2) == 1 then
      form.file, form.with = "hand/turn.lua", { side = any { "left", "right", "$a" } }
    end
    if stream:whole(3) == 1 then
      form.params = { a = any { "string", "number", { "choice", "left", "right", value = "left" },
                                value(2) } }
    end
    return form
  end
  local good = 0
  for _ = 1, 1000 do
    local made, fault = made_of(node(3), { skills = { left = function() return true end } })
    if made then good = good + 1 else t:ok(#fault.message > 0) end
  end
  t:ok(good > 10 and good < 900, "%d were good", good)
end)

test("an edited form is made with the same files, skills and machines", function(t)
  local whole = require "brio.tree.files.build"
  local skills = { knock = function() return true end }
  local form = { "sequence", { "action", does = "knock" },
                 { "subtree", file = "hand/turn.lua", with = { side = "left" } } }
  local made = assert(whole.compile(form, forms.context { file = folder .. "/b.lua", skills = skills }))
  local edited = { "sequence", { "subtree", file = "hand/turn.lua", with = { side = "right" } },
                   { "action", does = "knock" } }
  local again = assert(whole.again(made, edited))
  t:equal(again.list[7].form.tick, skills.knock)
  t:equal(again.list[3].name, "turn the right knob")
  local none, faults = whole.again(made, { "action", does = "knok" })
  t:ok(not none)
  t:match(faults[1].message, "did you mean 'knock'")
end)

test("a behavior says which file and line of a tree is wrong on its robot", function(t)
  write("both.json", '{"kind": "parallel", "children": [\n{"kind": "action", "name": "a", "does": "try", \z
    "owns": ["all"]},\n{"kind": "action", "name": "b", "does": "try", "owns": ["wrist_1_joint"]}]}')
  local good, why = pcall(run_of, t, [[b.one = { tree = "both.json" }]])
  t:ok(not good)
  t:match(tostring(why),
    "both.json:3: state 'one': tree: 'a' %([^ ]*both.json:2%) and 'b' %([^ ]*both.json:3%) may run at once")
  good, why = pcall(run_of, t, [[b.one = { tree = "none.json" }]])
  t:ok(not good)
  t:match(tostring(why), "none.json")
  good, why = pcall(run_of, t, [[b.one = { tree = { "action", does = "sya" } }]])
  t:ok(not good)
  t:match(tostring(why), "b.lua:%d+: state 'one': tree: 'sya': there is no skill 'sya' %(did you mean 'say'")
end)
