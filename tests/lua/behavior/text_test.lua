--- The editor of Lua texts: each operation on texts with comments, computed values and odd layouts, merging,
--- undo, and refusals.
local document = require "brio.behavior.text.document"
local editor = require "brio.behavior.text.editor"
local history = require "brio.behavior.text.history"
local merge = require "brio.behavior.text.merge"
local operations = require "brio.edit"
local outline = require "brio.outline"
local store = require "brio.store"
local tokens = require "brio.behavior.text.tokens"

local text = [[
local brio = require "brio" -- the library
local want = brio.want
local base = 0.5
local nod = want.joint_match { joint = "HeadPitch", goal = base }

local made = brio.behavior "made" {
  start = "idle", -- where it begins
  safe = 'idle',
  memory = { seen = 0 },
  tune = { near = brio.param(2, "m", 0.5, 4) },
}

-- Nobody is there.
made.idle = {
  blend = 0.6, -- s
  wants = {
    -- first of all
    want.collision_avoidance {},
    nod, --[=[ slow ]=]
    want.group "low" { want.joint_limits {}, want.joint_match { joint = "HeadYaw", goal = -0.25 } }
  },
  on = { person_appeared = "greet" },
  tick = function(self) if self.memory.seen > self.tune.near then return "greet" end end,
}

made["greet"] = { after = { 2, "idle" }, enter = function(self) self.memory.seen = self.memory.seen + 1 end }

return made
]]

--- The text after an operation; fails if it is refused.
local function after(t, op, from)
  local made, why = operations.apply(from or text, op)
  t:ok(made, why)
  return made and made.text or "", made
end

--- Lines of two texts that are not in the other, in order.
local function changed(a, b)
  local function lines(x)
    local list = {}
    for line in x:gmatch "([^\n]*)\n" do list[#list + 1] = line end
    return list
  end
  local out, x, y = {}, lines(a), lines(b)
  for _, one in ipairs(require("brio.lib.diff").changes(x, y)) do
    for index = one.first, one.last do out[#out + 1] = "-" .. x[index] end
    for index = one.from, one.to do out[#out + 1] = "+" .. y[index] end
  end
  return table.concat(out, "\n")
end

local function expect(t, op, difference, from)
  local result = after(t, op, from)
  t:equal(changed(from or text, result), difference, op.op .. " " .. op.path)
  return result
end

test("a literal is replaced in its line, through names and in calls", function(t)
  expect(t, { op = "set", path = "idle.blend", value = "0.8" }, "-  blend = 0.6, -- s\n+  blend = 0.8, -- s")
  expect(t, { op = "set", path = "behavior.tune.near[1]", value = "2.5" },
    '-  tune = { near = brio.param(2, "m", 0.5, 4) },\n+  tune = { near = brio.param(2.5, "m", 0.5, 4) },')
  expect(t, { op = "set", path = "idle.wants[3][2].goal", value = "-0.5" },
    '-    want.group "low" { want.joint_limits {}, want.joint_match { joint = "HeadYaw", goal = -0.25 } }\n'
    .. '+    want.group "low" { want.joint_limits {}, want.joint_match { joint = "HeadYaw", goal = -0.5 } }')
  -- A name stands for what it is set to.
  expect(t, { op = "set", path = "idle.wants[2].goal", value = "0.1" },
    "-local base = 0.5\n+local base = 0.1")
  expect(t, { op = "set", path = "greet.after[2]", value = '"greet"' },
    '-made["greet"] = { after = { 2, "idle" }, enter = function(self) self.memory.seen = self.memory.seen + \z
      1 end }\n'
    .. '+made["greet"] = { after = { 2, "greet" }, enter = function(self) self.memory.seen = \z
      self.memory.seen + 1 end }')
end)

test("items are added, removed and moved with their comments", function(t)
  expect(t, { op = "add", path = "idle.wants", value = "want.keep_upright {}", at = 2 },
    "+    want.keep_upright {},")
  expect(t, { op = "add", path = "idle.wants", value = "want.keep_upright {}" },
    '-    want.group "low" { want.joint_limits {}, want.joint_match { joint = "HeadYaw", goal = -0.25 } }\n'
    .. '+    want.group "low" { want.joint_limits {}, want.joint_match { joint = "HeadYaw", goal = -0.25 } \z
      },\n'
    .. "+    want.keep_upright {},")
  expect(t, { op = "remove", path = "idle.wants[1]" },
    "-    -- first of all\n-    want.collision_avoidance {},")
  expect(t, { op = "remove", path = "idle.wants[3][1]" },
    '-    want.group "low" { want.joint_limits {}, want.joint_match { joint = "HeadYaw", goal = -0.25 } }\n'
    .. '+    want.group "low" { want.joint_match { joint = "HeadYaw", goal = -0.25 } }')
  expect(t, { op = "move", path = "idle.wants[1]", to = 2 },
    "+    nod, --[=[ slow ]=]\n-    nod, --[=[ slow ]=]")
  local moved = after(t, { op = "move", path = "idle.wants[3]", to = 1 })
  t:match(moved, "HeadYaw\", goal = %-0%.25 } },\n    %-%- first of all\n    want.collision_avoidance \z
    {},\n    nod, ")
  expect(t, { op = "set", path = "greet.blend", value = "0.2" },
    '-made["greet"] = { after = { 2, "idle" }, enter = function(self) self.memory.seen = self.memory.seen + \z
      1 end }\n'
    .. '+made["greet"] = { after = { 2, "idle" }, enter = function(self) self.memory.seen = \z
      self.memory.seen + 1 '
    .. "end, blend = 0.2 }")
  expect(t, { op = "add", path = "wave", value = "{}" }, "+made.wave = {}\n+")
  t:match(after(t, { op = "remove", path = "greet", leads = true }), "tick = function.-\n}\n\nreturn made\n$")
end)

test("lines that end in CR LF stay so", function(t)
  local crlf = text:gsub("\n", "\r\n")
  for _, op in ipairs { { op = "add", path = "wave", value = "{\n  wants = {},\n}" },
    { op = "set", path = "idle.tempo", value = "0.5" }, { op = "remove", path = "greet", leads = true },
    { op = "remove", path = "idle.wants[1]" }, { op = "set", path = "idle.blend", value = "1" },
    { op = "move", path = "idle.wants[3]", to = 1 } } do
    t:equal(after(t, op, crlf), (after(t, op):gsub("\n", "\r\n")), op.op .. " " .. op.path)
  end
end)

test("a new name goes to all that means the same", function(t)
  local states = after(t, { op = "rename", path = "idle", to = "rest" })
  for _, piece in ipairs { 'start = "rest", -- where', "safe = 'rest',", "made.rest = {", '{ 2, "rest" }' } do
    t:ok(states:find(piece, 1, true), piece)
  end
  t:match(after(t, { op = "rename", path = "greet", to = "hello" }),
    'person_appeared = "hello".-return "hello" end.-made%["hello"%]')
  t:match(after(t, { op = "rename", path = "behavior.tune.near", to = "close" }),
    "tune = { close = brio.-> self%.tune%.close then")
  t:match(after(t, { op = "rename", path = "behavior.memory.seen", to = "met" }),
    "memory = { met = 0 }.-self%.memory%.met >.-self%.memory%.met = self%.memory%.met %+ 1")
  t:match(after(t, { op = "rename", path = "local.nod", to = "bow" }), "local bow = want.-\n    bow, ")
  t:match(after(t, { op = "rename", path = "idle", to = "at-rest" }), 'made%["at%-rest"%] = {')
end)

test("transitions are led and removed in every form", function(t)
  local one = after(t, { op = "lead", path = "idle", kind = "after", trigger = 3, to = "greet" })
  t:match(one, '  after = { 3, "greet" },\n')
  local two = after(t, { op = "lead", path = "greet", kind = "after", trigger = 9.5, to = "greet" })
  t:match(two, 'after = { { 2, "idle" }, { 9%.5, "greet" } }')
  local three = after(t, { op = "lead", path = "greet", kind = "after", trigger = 11, to = "idle" }, two)
  t:match(three, '{ 9%.5, "greet" }, { 11, "idle" } }')
  t:match(after(t, { op = "remove", path = "greet.after[1]" }, two), 'after = { { 9%.5, "greet" } }')
  t:match(after(t, { op = "lead", path = "idle", kind = "on", trigger = "touched", to = "greet" }),
    'on = { person_appeared = "greet", touched = "greet" }')
  local condition = "function(self) return self.memory.seen > 3 end"
  t:match(after(t, { op = "lead", path = "greet", kind = "when", trigger = condition, to = "idle" }),
    'when = { function%(self%) return self%.memory%.seen > 3 end, "idle" } }')
  t:match(after(t, { op = "remove", path = "idle.on.person_appeared" }), "HeadYaw.-\n  },\n  tick")
end)

test("what is computed says so, and where", function(t)
  local function refused(op, pattern)
    local made, why = operations.apply(text, op)
    t:equal(made, nil)
    t:match(why, pattern)
  end
  refused({ op = "set", path = "idle.tick", value = "1" }, "computed in line 23, by `function%(self%)")
  refused({ op = "set", path = "idle.tick.x", value = "1" }, "computed in line 23: it has no parts")
  refused({ op = "set", path = "idle.blnd[2]", value = "1" }, "no 'idle.blnd' %(did you mean 'blend'")
  refused({ op = "set", path = "idle.blend", value = "1 -- s" }, "no comments")
  refused({ op = "set", path = "idle.blend", value = "1, 2" }, "is not a Lua value")
  refused({ op = "set", path = "idle.blend", value = "1 end x = 3" }, "is not a Lua value")
  refused({ op = "set", path = "idle.wants", value = "{}" }, "is computed in line")
  refused({ op = "remove", path = "idle.wants" }, "has comments inside")
  refused({ op = "remove", path = "local.nod" }, "is used in lines 19")
  refused({ op = "rename", path = "idle", to = "greet" }, "a state 'greet' already")
  refused({ op = "rename", path = "local.nod", to = "want" }, "is a name in line 2")
  refused({ op = "move", path = "idle.wants[1]", to = 9 }, "no place 9")
  refused({ op = "lead", path = "idle", kind = "after", trigger = "soon", to = "x" }, "expects seconds")
  refused({ op = "no", path = "idle" }, "one of set, add")
  refused({ op = "set", path = "idle" }, "needs 'value'")
  t:match(after(t, { op = "wrap", path = "idle.wants[3][2].goal" }),
    "goal = function%(self%) return %-0%.25 end }")
  t:match(after(t, { op = "wrap", path = "idle.blend", with = "math.abs" }),
    "blend = math%.abs%(0%.6%), %-%- s")
end)

test("a text is its tokens and what is between them; broken ones are said with their line", function(t)
  local list, comments = tokens.of(text)
  local at = 1
  for _, token in ipairs(list) do
    t:ok(token.from >= at)
    t:equal(text:sub(token.from, token.to), token.text)
    at = token.to + 1
  end
  t:equal(#comments, 6)
  for source, line in pairs { ["x = [[\n"] = 1, ["\nx = 'a\n'"] = 2, ["x = 1\n--[==[ "] = 2, ["x = = 2"] = 1,
    ["\n\nf("] = 3, ["x = 3..2"] = 1, ["goto no"] = 1, ["\27Lua"] = 1, ["return $"] = 1,
    [("("):rep(5000)] = 1 } do
    local _, why, where = document.open(source)
    t:ok(type(why) == "string" and where == line, ("%q: %s"):format(source:sub(1, 20), tostring(why)))
  end
end)

test("changes that do not touch are merged, others are refused with both texts", function(t)
  local kept = history.new()
  local theirs = text:gsub("seen = 0", "seen = 5")
  local request = { who = "ann", hash = store.hash(text), base = text,
    op = { op = "set", path = "idle.blend", value = "0.9" } }
  local plan = editor.plan(theirs, request, kept)
  t:equal(plan.after, (theirs:gsub("blend = 0.6", "blend = 0.9")))
  local same = text:gsub("blend = 0.6", "blend = 0.7")
  local none, why, _ = editor.plan(same, request, kept)
  t:equal(none, nil)
  t:match(why.error, "^line 15 has been changed")
  t:match(why.mine, "blend = 0%.9")
  t:equal(why.text, same)
  _, why = editor.plan(same, { who = "ann", hash = "00", op = request.op }, kept)
  t:match(why.error, "has been changed since")
  none, why = editor.plan(text .. "\nx = = 1", request, kept)
  t:ok(none == nil and why.waits and why.line > 25, "an edit waits for Lua")
  t:equal(merge.three("a b c", "a x c", "a b y"), "a x y")
  t:equal(merge.three("a b c", "a x c", "a x c"), "a x c")
  t:equal(merge.three("a\nb\n", "a\n", "a\nb\nc\n"), "a\nc\n", "lines beside each other do not touch")
  t:equal(merge.three("a b c", "a x c", "a b y"), "a x y")
  t:equal(merge.three("a b", "a x b", "a y b"), nil, "two words at one place")
  t:equal(merge.three("a\n", "a\nx\n", "a\ny\n"), nil, "two lines at one place")
end)

test("undo is of a person, and brings back the same bytes", function(t)
  local kept, now = history.new(), text
  local function edit(who, op)
    local plan, why = editor.plan(now, { who = who, op = op }, kept)
    t:ok(plan, why and why.error)
    editor.written(plan, who, kept)
    now = plan.after
  end
  local function back(who, redo)
    local plan, why = editor.plan(now, { who = who, undo = not redo, redo = redo }, kept)
    if not plan then return why.error end
    editor.written(plan, who, kept)
    now = plan.after
  end
  edit("ann", { op = "set", path = "idle.blend", value = "0.9" })
  local first = now
  edit("ann", { op = "remove", path = "greet", leads = true })
  back "ann"
  t:equal(now, first)
  edit("bo", { op = "set", path = "behavior.memory.seen", value = "3" })
  back "ann"
  t:equal(now, (text:gsub("seen = 0", "seen = 3")), "the other's edit stays")
  t:match(back "ann", "nothing to undo for ann")
  back("ann", true)
  back "bo"
  t:equal(now, first)
  edit("bo", { op = "set", path = "idle.blend", value = "0.1" })
  t:match(back "ann", "'set idle.blend to 0.9' cannot be taken back: line 15")
  t:equal(history.is_sound(kept), true)
  local most = history.most_edits
  history.most_edits = 12
  for count = 1, 15 do
    edit("cy", { op = "set", path = "idle.blend", value = tostring(count) })
  end
  t:equal(#kept.edits, 12)
  history.most_edits = most
end)

test("the outline has every part with its path, line, value and what computes it", function(t)
  local made = outline.of(text)
  t:equal(made.kind, "behavior")
  local parts = {}
  local function visit(node)
    parts[node.path] = node
    for _, part in ipairs(node.parts or {}) do visit(part) end
  end
  for _, node in ipairs(made.parts) do visit(node) end
  t:equal(parts["idle.blend"].value, 0.6)
  t:equal(parts["idle.wants[2]"].via[1], "nod")
  t:equal(parts["idle.wants[2].goal"].value, 0.5)
  t:equal(parts["idle.wants[3]"].callee, 'want.group "low"')
  t:equal(parts["idle.tick"].computed, true)
  t:equal(parts["idle.tick"].line, 23)
  t:equal(parts["greet.after[1]"].value, 2)
  for path in pairs(parts) do t:ok(document.open(text):find(path), path) end
  local leads = {}
  for _, state in ipairs(made.chart.states) do
    for _, lead in ipairs(state.transitions) do
      leads[#leads + 1] = ("%s %s %s %s"):format(state.path, lead.kind, lead.trigger, lead.to)
    end
  end
  t:equal(table.concat(leads, "; "), "idle on person_appeared greet; greet after 2 idle")
end)

test("merging is the same whoever is first, and has both changes", function(t)
  local stream = require("brio.random").stream(3, "merge")
  local merged, refused = 0, 0
  for _ = 1, t:long() and 4000 or 100 do
    -- Two versions that each change, remove or add some of twenty lines.
    local base, mine, theirs, made = {}, {}, {}, {}
    for line = 1, 20 do
      local row = ("row_%d = { first, %d },\n"):format(line, line)
      base[#base + 1] = row
      local function version(list, mark)
        local kind = stream:whole(12)
        if kind == 1 then list[#list + 1] = (row:gsub("first", mark .. line))
        elseif kind == 2 then list[#list + 1] = row .. ("%s_%d = 0,\n"):format(mark, line)
        elseif kind > 3 then list[#list + 1] = row end
        return kind <= 3 and kind
      end
      local a, b = version(mine, "mine"), version(theirs, "theirs")
      if a then made[#made + 1] = "mine" .. (a == 2 and "_" or "") .. line .. (a == 3 and "!" or "") end
      if b then made[#made + 1] = "theirs" .. (b == 2 and "_" or "") .. line .. (b == 3 and "!" or "") end
    end
    base, mine, theirs = table.concat(base), table.concat(mine), table.concat(theirs)
    local one, other = merge.three(base, mine, theirs), merge.three(base, theirs, mine)
    t:equal(one, other)
    if one then merged = merged + 1 else refused = refused + 1 end
    for _, name in ipairs(one and made or {}) do
      if not name:find "!" then t:ok(one:find(name .. "%f[%D]"), name) end
    end
  end
  t:ok(merged > 10 and refused > 10, ("%d merged, %d refused"):format(merged, refused))
end)
