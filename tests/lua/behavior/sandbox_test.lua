--- What a behavior's file can and cannot access.
local function load_text(t, text)
  local path = t:temporary(".lua")
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  local loaded, faults = require("brio.runner").load(path, {})
  return loaded, faults and require("brio.runner").sentence(faults), path
end

local head = "local brio = require 'brio' local b = brio.behavior 'b' { start = 'one' } b.one = {}\n"

test("clocks, files, processes, bytecode and native modules are out of reach", function(t)
  for _, text in ipairs {
    "os.execute('true')", "os.time()", "io.open('x')", "debug.getregistry()", "load('return 1')()",
      "loadfile('x')",
    "dofile('x')", "require 'luv'", "require 'cjson'", "require 'brio.engine'", "package.loadlib('x', 'y')",
    "string.dump(print)", "collectgarbage()", "setmetatable({}, { __gc = print })", "x = 1", "require '../x'",
  } do
    local loaded, why = load_text(t, head .. text .. "\nreturn b")
    t:ok(not loaded, "%s was allowed", text)
    t:match(why or "", ":2: ")
  end
end)

test("pairs goes in a defined order, and tostring shows no address", function(t)
  local loaded, why = load_text(t, head .. [[
local t = { zebra = 1, apple = 2, [3] = 3, [1] = 4, [true] = 5 }
local keys = {}
for key in pairs(t) do keys[#keys + 1] = tostring(key) end
local seen = table.concat(keys, " ")
if seen ~= "1 3 apple zebra true" then error(seen) end
if tostring({}) ~= "table" or tostring(print) ~= "function" then error("an address") end
if string.format("%s", {}) ~= "table" then error("an address in format") end
if next({}) ~= nil or next({ b = 1, a = 2 }) ~= "a" then error("next") end
return b]])
  t:ok(loaded, "%s", why)
end)

test("faults are named with file, line and what was probably meant", function(t)
  local cases = {
    { "return b +", ":2: .*unexpected symbol" },
    { "b.two = { on = { x = 'oen' } }\nreturn b",
      ":2: state 'two' leads to 'oen', which is no state %(did you mean 'one'%?%)" },
    { "b.two = {\n  wnats = {} }\nreturn b",
      ":3: state 'two' has no field 'wnats' %(did you mean 'wants'%?%)" },
    { "brio.want.joint_mtach { joint = 'x', goal = 1 }\nreturn b",
      ":2: there is no objective want.joint_mtach %(did you mean 'joint_match'%?%)" },
    { "b.two = { wants = { brio.want.joint_match { joint = 'x' } } }\nreturn b",
      ":2: want.joint_match needs a goal" },
    { "b.two = { wants = { brio.want.joint_match { joint = 'x', gaol = 1 } } }\nreturn b",
      ":2: want.joint_match has no argument 'gaol' %(did you mean 'goal'%?%)" },
    { "return 3", "must return what brio.behavior made" },
    { "prnit('x')\nreturn b", ":2: unknown name 'prnit' %(did you mean 'print'%?%)" },
  }
  for _, case in ipairs(cases) do
    local loaded, why = load_text(t, head .. case[1])
    t:ok(not loaded, "%s was taken", case[1])
    t:match(why or "", case[2])
  end
end)

test("a link or joint that the robot lacks is named with its line", function(t)
  local path = t:temporary(".lua")
  local file = assert(io.open(path, "w"))
  file:write(head, "b.one.wants = {\n  brio.want.joint_match { joint = 'HeadYwa', goal = 1 },\n}\nreturn b\n")
  file:close()
  local run, why = require("brio.runner").new { file = path, robot = "pepper" }
  t:equal(run, nil)
  t:match(why, ":3: want.joint_match: robot 'pepper' has no joint 'HeadYwa' %(did you mean 'HeadYaw'%?%)")
end)

test("a description that would be misread in silence is a fault with its line", function(t)
  local cases = {
    { "local x = {}\nb.two = { wants = { brio.want.joint_limits {}, x.y, brio.want.joint_limits {} } }",
      ":3: state 'two': wants: item 2 is nil" },
    { "b.two = { wants = { a = brio.want.joint_limits {} } }", ":2: state 'two': wants must be a list" },
    { "b.two = { wants = { brio.want.joint_limits {}, brio.want.joint_limits {} } }",
      ":2: state 'two' wants joint_limits%(%) twice" },
    { "b.two = { wants = { brio.want.group 'low' { 3 } } }", ":2: item 1 of want.group is no property" },
    { "b.two = { on = { 'go', 'one' } }", ":2: state 'two': on expects" },
    { "b.two = { after = { seconds = 1, to = 'one' } }", ":2: state 'two': after expects" },
    { "b.two = { after = { 1, 'one', 2, 'one' } }", ":2: state 'two': after expects" },
    { "b.two = { after = { 0/0, 'one' } }", ":2: state 'two': after expects" },
    { "b.two = { when = { 'one' } }", ":2: state 'two': when expects" },
    { "b.two = { go = { { on = 'x', too = 'one' } } }",
      ":2: state 'two': item 1 of go: there is no 'too' in an item %(did you mean 'to'%?%)" },
    { "b.two = { go = { { after = -1, to = 'one' } } }",
      ":2: state 'two': item 1 of go: after must be seconds" },
    { "b.two = { regions = { a = { states = { x = {} }, start = 'x', histry = 'deep' } } }",
      ":2: region 'two/a' has no field 'histry'" },
    { "b.two = { start = 'x' }", ":2: state 'two' has start but no states" },
    { "b.two = { blend = -1 }", ":2: state 'two': blend must be at least 0 s, not %-1" },
    { "b.two = { start = 'x', states = { x = {} }, history = 'shalow' }",
      ":2: state 'two': history must be one of shallow, deep, not 'shalow' %(did you mean 'shallow'%?%)" },
    { "b.two = { regions = { 5 } }", ":2: state 'two': regions has an item without a name" },
    { "b.two = { lasts = 2 }", ":2: state 'two': lasts is for power_off only" },
    { "b.power_off = { lasts = 100 }", ":2: state 'power_off': lasts must be from 0 to 30" },
    { "b.two = { start = 'two' }\nb.two.states = { two = b.two }",
      "states stand inside states more than 16 deep" },
  }
  for _, case in ipairs(cases) do
    local loaded, why = load_text(t, head .. case[1] .. "\nreturn b")
    t:ok(not loaded, "%s was taken", case[1])
    t:match(why or "", case[2])
  end
end)

test("a goal that is none is a fault before the run begins", function(t)
  for goal, expected in pairs {
    ["joint_match { joint = 'HeadYaw', goal = { 1, 2 } }"] = "goal must be a finite number, not table",
    ["joint_match { joint = 'HeadYaw', goal = false }"] = "goal must be a finite number, not boolean",
    ["orientation_match { link = 'Head', goal = { 0, 0, 0, 0 } }"] = "must have a length near 1",
  } do
    local path = t:temporary(".lua")
    local file = assert(io.open(path, "w"))
    file:write(head, "b.one.wants = {\n  brio.want.", goal, ",\n}\nreturn b\n")
    file:close()
    local run, why = require("brio.runner").new { file = path, robot = "pepper" }
    t:equal(run, nil)
    t:match(why, ":3: goal of want.*" .. expected)
  end
end)

test("methods of texts, metatables, coroutines and chance are the sandbox's too", function(t)
  local loaded, why = load_text(t, head .. [[
if ("%s"):format({}) ~= "table" then error "an address" end
if pcall(function() return ("%p"):format({}) end) then error "an address by %p" end
if ("x").dump then error "bytecode" end
if getmetatable("") then error "the metatable of texts" end
if pcall(setmetatable, {}, { __mode = "k" }) then error "weak tables" end
local good, object = coroutine.resume(coroutine.create(function() error { code = 7 } end))
if good or object.code ~= 7 then error "an error's object" end
local dead = coroutine.create(function() end)
coroutine.resume(dead)
if coroutine.resume(dead) then error "resumed the dead" end
if math.random(3, 3) ~= 3 or pcall(math.random, 3, 1) or pcall(math.random, 1.5) then error "random" end
local n, t = 0, {}
for i = 1, 20000 do t["k" .. i] = false end
for key, value in next, t do n = n + 1 t[key] = nil end
if n ~= 20000 or next({ false }) ~= 1 then error "next" end
local seen = {}
for _, value in pairs { [{ 2 }] = "b", [{ 1 }] = "a", z = "z" } do seen[#seen + 1] = value end
if table.concat(seen) ~= "zab" then error(table.concat(seen)) end
if pcall(function() for _ in pairs { [{}] = 1, [{}] = 2 } do end end) then error "no order, and nothing said" end
return b]])
  t:ok(loaded, "%s", why)
end)

test("a fault in a file that a behavior requires is that file's", function(t)
  local folder = t:temporary("")
  os.execute("mkdir " .. folder)
  local function write(name, text)
    local file = assert(io.open(folder .. "/" .. name, "w"))
    file:write(text)
    file:close()
    t.remove[#t.remove + 1] = folder .. "/" .. name
  end
  write("parts.lua", "local a\nreturn a.b\n")
  write("main.lua", "require 'parts'\n")
  local _, faults = require("brio.runner").load(folder .. "/main.lua", {})
  t:equal({ faults[1].file, faults[1].line }, { folder .. "/parts.lua", 2 })
  t.remove[#t.remove + 1] = folder
end)

test("a file without end is not read without end", function(t)
  local _, _, why = require("brio.runner").load("/dev/zero", {})
  t:match(why or "", "longer than 16 MB")
end)

test("a pattern that backtracks without end is stopped, and the run can go on", function(t)
  local bombs = {
    '("a"):rep(39):match(("a?"):rep(40) .. ("a"):rep(40))', 'string.find(("x"):rep(30000), ".-.-.-b")',
    '("x"):rep(30000):gsub(".-.-.-b", "")', 'for _ in ("x"):rep(30000):gmatch(".-.-.-b") do end',
    'coroutine.wrap(function() local _ = ("x"):rep(30000):find(".-.-.-b") end)()',
  }
  for _, bomb in ipairs(bombs) do
    local call = bomb:find "^for" and bomb or bomb:find "^coroutine" and bomb or "local _ = " .. bomb
    local source = head .. "b.one.tick = function(self) " .. call .. " end\nreturn b\n"
    local run = t:run("source", { source = source, robot = "ur3e" })
    t:equal(run:advance(0.02), true)
    t:match(run.failed or "", "time budget")
    t:equal(run:advance(0.02), true)
  end
end)

--- Run a behavior whose tick is `body` for two ticks; return why it failed.
local function tick_of(t, body)
  local source = head .. "b.one.tick = function(self) " .. body .. " end\nreturn b\n"
  local run = t:run("source", { source = source, robot = "ur3e" })
  t:equal(run:advance(0.02), true)
  return run.failed or ""
end

test("nothing of Lua's library runs without end inside one call", function(t)
  local endless = "setmetatable({}, { __len = function() return 1e15 // 1 | 0 end })"
  local cases = {
    { "table.move({}, 1, 1 << 50, 2)", "table.move: .* elements are more than a script may hold" },
    { "table.move({}, 1, 1 << 50, 2, {})", "table.move: .* more than a script may hold" },
    { "table.insert(" .. endless .. ", 1, 2)", "table.insert: .* more than a script may hold" },
    { "table.remove(" .. endless .. ", 1)", "table.remove: .* more than a script may hold" },
    { "table.concat({}, '', 1, 1 << 50)", "table.concat: .* more than a script may hold" },
    { "local l = {} for i = 1, 3e6 do l[i] = i * 7919 % 1000003 end table.sort(l)", "time budget" },
    { "while true do xpcall(function() error 'x' end, function() while true do end end) end", "time budget" },
    { "xpcall(error, function() while true do end end)", "time budget" },
    { "local c = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() \z
      while true do end end }) "
        .. "coroutine.yield() end) coroutine.resume(c) coroutine.close(c)", "time budget" },
    { "local x <close> = setmetatable({}, { __close = function() while true do end end })", "time budget" },
    { "error(setmetatable({}, { __tostring = function() while true do end end }))", "time budget" },
    { "for _ in pairs(setmetatable({}, { __pairs = function() while true do end end })) do end",
      "time budget" },
  }
  for _, case in ipairs(cases) do
    t:match(tick_of(t, case[1]), case[2])
  end
  t:equal(tick_of(t, "if ('').rep('', 1 << 60) ~= '' or ('ab'):rep(2, ',') ~= 'ab,ab' then error 'rep' end"),
    "")
end)

test("what stands in for Lua's library does the same", function(t)
  local why = tick_of(t, [[
    local function same(a, b) if a ~= b then error(tostring(a) .. " is not " .. tostring(b), 2) end end
    local list = { 3, 1, 2 }
    table.sort(list) table.insert(list, 4) table.insert(list, 1, 0)
    same(table.concat(list, " "), "0 1 2 3 4") same(table.remove(list), 4) same(table.remove(list, 1), 0)
    same(table.concat(table.move(list, 1, 3, 2), ","), "1,1,2,3") same(#table.move(list, 1, 2, 1, {}), 2)
    table.sort(list, function(a, b) return a > b end) same(list[1], 3)
    same(pcall(table.insert, list, 9, 9), false) same(pcall(table.insert, list), false) same(pcall(table.sort, 3), false)
    same(select("#", xpcall(function(...) return ... end, error, 1, nil, nil)), 4)
    local good, what = xpcall(error, function(raised) return "seen " .. raised end, "it")
    same(good, false) same(what, "seen it")
    local long = {} for i = 1, 20000 do long[i] = -i end
    table.sort(long) same(long[1], -20000) same(long[20000], -1)
    local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() list.closed = true end }) coroutine.yield() end)
    coroutine.resume(co) same(coroutine.close(co), true) same(list.closed, true) same(coroutine.status(co), "dead")
    same(pcall(coroutine.close, coroutine.running()), false)
    local bad = coroutine.create(function() error "inside" end) coroutine.resume(bad)
    same(select(2, coroutine.close(bad)):match "inside", "inside")]])
  t:equal(why, "")
end)

test("what all behaviors share cannot be changed by one", function(t)
  for text, expected in pairs {
    ["brio.want.joint_match = 3"] = "brio.want.joint_match cannot be set",
      ["brio.geometry.towards = 3"] = "cannot be set",
    ["require('brio.weights').x = 3"] = "cannot be set", ["setmetatable(_G, nil)"] = "protected metatable",
  } do
    local loaded, why = load_text(t, head .. text .. "\nreturn b")
    t:ok(not loaded, "%s was allowed", text)
    t:match(why or "", expected)
  end
  local loaded, why = load_text(t, head
    .. "if getmetatable(_G) or getmetatable(brio.want) then error 'seen' end\nreturn b")
  t:ok(loaded, "%s", why)
end)

test("self is not to be written to: what lasts stands in self.memory", function(t)
  t:match(tick_of(t, "self.count = 1"),
    "self.count cannot be set: a behavior's data belong in self.memory.count")
  t:match(tick_of(t, "self.now = 1"), ":2: self.now cannot be set")
  t:match(tick_of(t, "self.wait = 1"), "self.wait cannot be set")
  t:match(tick_of(t, "self.memory = 1"), "self.memory must be a table, not number")
  t:equal(tick_of(t, "self.memory = { n = (self.memory.n or 0) + 1 } self.memory.n = self.memory.n + 1"), "")
end)

test("a mark at a file's beginning and a line for the shell are no fault, a pipe is", function(t)
  for _, first in ipairs { "\xEF\xBB\xBF", "#!/usr/bin/env brio\n", "\xEF\xBB\xBF# what it is\n" } do
    local loaded, why = load_text(t, first .. head .. "return b")
    t:ok(loaded, "%s", why)
    local _, wrong = load_text(t, first .. head .. "b +")
    t:match(wrong or "", first:find "#" and ":3: " or ":2: ")
  end
  local path = t:temporary(".lua")
  os.execute("mkfifo " .. path)
  local _, _, why = require("brio.runner").load(path, {})
  t:match(why or "", "is a pipe, a file was expected")
end)

test("files that require each other in a circle are told so", function(t)
  local folder = t:temporary("")
  os.execute("mkdir " .. folder)
  local function write(name, text)
    local handle = assert(io.open(folder .. "/" .. name, "w"))
    handle:write(text)
    handle:close()
    t.remove[#t.remove + 1] = folder .. "/" .. name
  end
  write("one.lua", "return { require 'two' }")
  write("two.lua", "\nreturn { require 'one' }")
  write("main.lua", head .. "require 'one' return b")
  local _, faults = require("brio.runner").load(folder .. "/main.lua", {})
  t:match(faults[1].message, "require 'one': files require each other in a circle")
  t:equal({ faults[1].file, faults[1].line }, { folder .. "/two.lua", 2 })
  write("bad.lua", "error 'ouch'")
  write("main.lua", head .. "pcall(require, 'bad') require 'bad' return b")
  local _, again = require("brio.runner").load(folder .. "/main.lua", {})
  t:match(again[1].message, "ouch")
  t.remove[#t.remove + 1] = folder
end)
