--- brio.pattern gives the results of Lua's own string functions, and can be stopped.
local pattern = require "brio.pattern"
local script = require "brio.script"

local names = { "find", "match", "gmatch", "gsub" }

--- The results of a call as one text; an error without its position.
local function told(fn, ...)
  local result = table.pack(pcall(fn, ...))
  for i = 1, result.n do
    local text = type(result[i]) == "string" and ("%q"):format(result[i]) or tostring(result[i])
    result[i] = text:gsub("^\"[^:\"]+:%d+: ", "\"")
  end
  return table.concat(result, " ", 1, result.n)
end

--- All matches of a library's gmatch.
local function gone_through(lib)
  return function(...)
    local list = {}
    for a, b, c in lib.gmatch(...) do
      list[#list + 1] = ("%s,%s,%s"):format(a, b, c)
      if #list > 200 then error "gmatch goes on for ever" end
    end
    return table.concat(list, ";")
  end
end

local function same(t, name, ...)
  local stock, own = string[name], pattern[name]
  if name == "gmatch" then stock, own = gone_through(string), gone_through(pattern) end
  local expected, got = told(stock, ...), told(own, ...)
  local args = table.pack(...)
  for i = 1, args.n do args[i] = type(args[i]) == "string" and ("%q"):format(args[i]) or tostring(args[i]) end
  t:ok(got == expected, "%s(%s) gave %s, not %s", name, table.concat(args, ", "), got, expected)
  return expected:sub(1, 4) == "true", got == expected
end

--- A generator of its own, so that the cases are the same on every run.
local function drawer(seed)
  local stream = require("brio.random").stream(seed, "patterns")
  return function(list) return list[stream:whole(#list)] end, function(n) return stream:whole(n) end
end

local items = { "a", "b", "c", ".", "%a", "%d", "%A", "%w", "%s", "%.", "%%", "[ab]", "[^a]", "[a-c]",
  "[%a-]", "[]]",
  "[^]b]", "[a%]]", "[%d_]", "[a-]", "(", ")", "()", "(a)", "(.-)", "(a*)", "$", "^", "%b()", "%bab", "%f[a]",
  "%f[%A]", "%f[^b]", "%1", "%2", "-", "*", "?", "+", "x", "\0", "%0", "%z", "%b", "%f", "[", "]", "%",
    "\xe4", "%g", "%X" }
local repeats = { "", "", "", "*", "+", "-", "?" }
local letters = { "a", "b", "c", "a", "b", "(", ")", ".", "1", " ", "]", "-", "_", "%", "\0", "\xe4", "X" }
local replacements = { "<%0>", "%1", "[%1%1]", "%2", "%%", "x", "", "%", "%q", 7, {},
  { a = "A", b = false, c = 3 }, { a = {} },
  function(a) return a end, function(a, b) return b and a .. tostring(b) end, function() end,
    function() return {} end }

local function text_of(draw, list, most, whole, suffixes)
  local parts = {}
  for i = 1, whole(most + 1) - 1 do parts[i] = draw(list) .. (suffixes and draw(suffixes) or "") end
  return table.concat(parts)
end

local function random_case(t, draw, whole)
  local text, form = text_of(draw, letters, 14, whole), text_of(draw, items, 5, whole, repeats)
  if whole(6) == 1 then form = "^" .. form end
  local name, init = draw(names), whole(3) == 1 and whole(36) - 18 or nil
  if name == "gsub" then
    return same(t, name, text, form, draw(replacements), whole(3) == 1 and whole(5) - 2 or nil)
  end
  if name == "find" then return same(t, name, text, form, init, whole(8) == 1) end
  return same(t, name, text, form, init)
end

test("random patterns give what Lua's own functions give", function(t)
  local draw, whole = drawer(11)
  local taken, wrong = 0, 0
  for _ = 1, 40000 do
    local good, alike = random_case(t, draw, whole)
    if good then taken = taken + 1 end
    if not alike then wrong = wrong + 1 end
    if wrong > 10 then return end
  end
  t:ok(taken > 10000, "only %d patterns were no error", taken)
end)

test("the cases of the manual", function(t)
  for _, case in ipairs {
    { "gsub", "hello world", "(%w+)", "%1 %1" }, { "gsub", "hello world", "%w+", "%0 %0", 1 },
    { "gsub", "hello world from Lua", "(%w+)%s*(%w+)", "%2 %1" },
    { "gsub", "4+5 = $return 4+5$", "%$(.-)%$", function(s) return load(s)() end },
    { "gsub", "$name-$version.tar.gz", "%$(%w+)", { name = "lua", version = "5.4" } },
    { "gmatch", "from=world, to=Lua", "(%w+)=(%w+)" }, { "gmatch", "hello world from Lua", "%a+" },
    { "find", "flaaap", "()aa()" }, { "match", "THE (quick) fox", "%f[%a]%a+%f[%A]", 5 },
      { "match", "x(a(b)c)y", "%b()" },
    { "gsub", "abc", "%w*", "-" }, { "gsub", "abc d", "", "-" }, { "gmatch", "abc", "" },
      { "gmatch", "^a^a", "^a" },
    { "gsub", "aaa", "^a", "b" }, { "find", "a.b", ".", 2, true }, { "find", "abc", "", 10 },
      { "find", "abc", "", 4 },
    { "find", "", "" }, { "match", 1234, "%d%d" }, { "match", "2024", "(%d%d)(%d%d)", -4 },
      { "gmatch", "abc", "%a", 9 },
    { "gmatch", "abc", "%a", -2 }, { "match", "\0a\0", "%z(a)%z" },
  } do
    same(t, table.unpack(case, 1, 5))
  end
end)

test("what goes too deep or too wide is refused where Lua refuses it", function(t)
  for _, count in ipairs { 31, 32, 33 } do
    same(t, "match", ("a"):rep(40), ("(a)"):rep(count))
    same(t, "find", ("a"):rep(40), ("()"):rep(count))
  end
  for _, count in ipairs { 198, 199, 200, 201 } do
    same(t, "match", ("a"):rep(300), ("a?"):rep(count))
    same(t, "match", ("a"):rep(300), ("a-"):rep(count))
  end
  same(t, "gsub", ("x"):rep(100000), "x", "yz")
end)

test("an argument of a wrong type is an error", function(t)
  for _, name in ipairs(names) do
    t:ok(not pcall(pattern[name]), "%s took nothing", name)
    t:ok(not pcall(pattern[name], "a", {}), "%s took a table for a pattern", name)
  end
  t:ok(not pcall(pattern.gsub, "a", "a"), "gsub took no replacement")
  t:ok(not pcall(pattern.find, "a", "a", 1.5), "find took half a place")
end)

test("a replacement may raise, and gsub may stand inside gsub", function(t)
  local good, why = pcall(pattern.gsub, ("x"):rep(5000), "x", function() error("no", 0) end)
  t:equal({ good, why }, { false, "no" })
  local inner = function(s) return (pattern.gsub(s, ".", function(c) return c:upper() .. "." end)) end
  t:equal(pattern.gsub("ab cd", "%a+", inner), "A.B. C.D.")
end)

local bombs = {
  { "match", ("a"):rep(39) .. "b", ("a?"):rep(40) .. ("a"):rep(40) },
  { "find", ("x"):rep(30000), ".-.-.-b" },
  { "gsub", ("x"):rep(30000), ".-.-.-b", "" },
  { "find", ("("):rep(3000000), "%b()" },
  { "find", ("a"):rep(60000), "(a*)%1%1b" },
  { "find", ("a"):rep(3000000), "[" .. ("b-c"):rep(100000) .. "]" },
}

test("a pattern that backtracks without end is stopped in time, also inside pcall", function(t)
  for _, bomb in ipairs(bombs) do
    for _, wrap in ipairs { pattern[bomb[1]], function(...) return pcall(pattern[bomb[1]], ...) end } do
      local good, why = script.call(0.05, wrap, table.unpack(bomb, 2))
      t:equal(good, false)
      t:match(why, "time budget")
    end
  end
end)

test("format shows what string.format shows, but no addresses", function(t)
  local named = setmetatable({}, { __name = "joint" })
  local told_of = setmetatable({}, { __tostring = function() return "HeadYaw" end })
  local hidden = setmetatable({}, { __metatable = false, __tostring = function() return "seen" end })
  for _, case in ipairs {
    { "%d of %5.2f%%", 3, 0.5 }, { "%s %s %s", nil, true, "x" }, { "%q", "a\nb" }, { "%-8s|%+d", "a", 4 },
    { "no more" }, { "%a", 0.5 }, { 12 }, { "%i" }, { "%d", "x" }, { "%d", 0.5 }, { "%y", 1 }, { "%" }, {},
    { "%s", "x", "left over" },
  } do
    t:equal(told(pattern.format, table.unpack(case)), told(string.format, table.unpack(case)))
  end
  t:equal(pattern.format("%s %s %s", {}, print, coroutine.create(print)), "table function thread")
  t:equal(pattern.format("%s %s %s %10s", named, told_of, hidden, named), "joint HeadYaw table      joint")
  for _, form in ipairs { "%p", "%-12p", "%%%p" } do
    t:raises(function() pattern.format(form, {}) end, "an address")
  end
  t:equal(pattern.format "%%p", "%p")
  local good, why = pcall(function() return (pattern.format("%d", "x")) end)
  t:ok(not good and why:match "pattern_test%.lua:%d+: bad argument #2", why)
end)
