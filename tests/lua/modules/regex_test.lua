--- brio.regex: matches, refused patterns, and searches that exceed the limit.
local regex = require "brio.regex"

local function found(pattern, text)
  local first, last, groups = assert(regex.new(pattern)):find(text)
  return first and { first, last, table.unpack(groups) } or first
end

test("patterns find what Perl's find", function(t)
  t:equal(found("failure", "no Failure, a failure"), { 15, 21 })
  t:equal(found("(?i)failure", "no Failure"), { 4, 10 })
  t:equal(found("^yes\\b", "yesterday"), nil)
  t:equal(found("(\\w+)@(\\w+)(\\.de)?", "write to ann@lab"), { 10, 16, "ann", "lab", false })
  t:equal(found("(?m)^CHOICE:\\s*(.+)$", "well\nCHOICE:  the door\n"), { 6, 22, "the door" })
  t:equal(found("(?<=left )hand", "left hand"), { 6, 9 })
  t:equal(found("gr[üu]ß", "viele grüße"), { 7, 12 })
  t:equal(found("", "x"), { 1, 0 })
  t:equal(found("x", ""), nil)
  t:equal(found("b", "a\0b"), { 3, 3 })
  t:equal(found("b", "\255\254b"), { 3, 3 }, "bytes that are no UTF-8 match nothing, and hide nothing")
end)

test("what is no pattern is said, and any bytes are one or the other", function(t)
  for _, case in ipairs { { "(", "missing closing" }, { "[a", "missing terminating" },
      { "*", "does not follow" },
    { "\\", "at end of pattern" }, { "a{2,1}", "out of order" }, { "\255", "UTF" }, { "\\C", "disabled" },
    { ("x"):rep(10001), "at most 10000 bytes" } } do
    local made, why, code = regex.new(case[1])
    t:equal(made, nil)
    t:match(why, case[2])
    t:equal(code, "format")
  end
  local seed = 7
  local letters = "(a|b)*+?{1,3}[^x-z]\\w\\1.$(?:=!<)\255"
  for _ = 1, 3000 do
    local pattern = {}
    for index = 1, 12 do
      seed = (seed * 1103515245 + 12345) % 2 ^ 31
      local at = seed // 65536 % #letters + 1
      pattern[index] = letters:sub(at, at)
    end
    local made, why = regex.new(table.concat(pattern))
    if made then made:find "abababxyz abab" else t:ok(#why > 0) end
  end
end)

test("a search that would go on for ages is given up", function(t)
  for _, pattern in ipairs { "^(a+)+$", "^(a|aa)+$", "(a*)*b", "((a{1,30}){1,30}){1,30}b" } do
    local made = assert(regex.new(pattern))
    local first, why, code = made:find(("a"):rep(5000) .. "!")
    t:equal(first, nil)
    if why then
      t:match(why, "given up")
      t:equal(code, "limit")
    end
    t:equal(made:find "!!", nil, "and it can be used again")
  end
end)
