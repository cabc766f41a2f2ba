--- Work in slices: a coroutine that is suspended anywhere resumes without a difference.
require "brio"
local script = require "brio.script"

--- Work with coroutines of its own, protected calls, sorting and closing, that returns one text.
local function busy()
  local parts = {}
  local inner = coroutine.wrap(function()
    for n = 1, 50 do
      coroutine.yield(n * n)
    end
  end)
  for n = 1, 50 do
    local good, why = pcall(function()
      if n % 7 == 0 then error({ n }) end
      return inner()
    end)
    parts[#parts + 1] = good and tostring(why) or "e" .. why[1]
  end
  local list = {}
  for n = 1, 200 do list[n] = (n * 7919) % 1009 end
  table.sort(list, function(a, b) return a < b end)
  parts[#parts + 1] = table.concat(list, " ")
  do
    local closed <close> = setmetatable({}, { __close = function() parts[#parts + 1] = "closed" end })
    for text in ("a b c"):gmatch "%a" do parts[#parts + 1] = closed and text end
  end
  return table.concat(parts, ","), #parts
end

test("what is cut anywhere comes to the same", function(t)
  local expected, count = busy()
  for round = 1, 20 do
    local thread, cuts = coroutine.create(busy), 0
    local over, good, text, n
    repeat
      over, good, text, n = script.work(thread, 0)
      if not over then cuts = cuts + 1 end
      if round % 5 == 0 then collectgarbage() end
    until over
    t:equal(good, true)
    t:equal(text, expected)
    t:equal(n, count)
    t:ok(cuts > 10, "it was cut " .. cuts .. " times")
    t:equal(coroutine.status(thread), "dead")
  end
end)

test("work that has time is not cut, and what is raised is told", function(t)
  local over, good, text = script.work(coroutine.create(busy), math.huge)
  t:equal(over, true)
  t:equal(good, true)
  t:equal(text, (busy()))
  over, good, text = script.work(coroutine.create(function()
    local sum = 0
    for n = 1, 1e5 do sum = sum + n end
    error("after " .. sum, 0)
  end), math.huge)
  t:equal(over, true)
  t:equal(good, false)
  t:equal(text, "after 5000050000")
  local ended = coroutine.create(function() end)
  script.work(ended, 1)
  t:raises(function() script.work(ended, 1) end, "has ended")
end)

test("an endless loop is cut, and a budget around it ends it", function(t)
  local thread = coroutine.create(function()
    while true do pcall(function() while true do end end) end
  end)
  t:equal((script.work(thread, 0.001)), false)
  t:equal((script.work(thread, 0.001)), false)
  local good, over, fine, why = script.call(0.05, script.work, thread, math.huge)
  if good then
    t:equal(over, true)
    t:equal(fine, false)
  else
    why = over
  end
  t:match(why, "time budget")
end)
