-- Attention and engagement alone, without a robot: what a character looks at, and with whom it is engaged.
local attention = require "brio.character.gaze.attention"
local layers = require "brio.character.gaze.layers"
local random = require "brio.random"
local settings = require "brio.character.gaze.settings"
local engagement = require "brio.character.gaze.engagement"

--- A scene of people who stand still, and the order in which attention looks at them.
local function watch(people, seconds, seed, said)
  local scene = { objects = function(_, kind)
    return kind == "person" and people or {}
  end }
  local made, order = attention.new(settings.of(said or {}), random.stream(seed, "a")), {}
  for tick = 0, seconds * 20 do
    local now = tick / 20
    made:look(now, scene)
    local target = made:choose(now, 0, 0, 1)
    if target and order[#order] ~= target.name then order[#order + 1] = target.name end
  end
  return order, made
end

local function person(id, x, y, more)
  local made = { id = id, position = { x, y, 1.5 }, velocity = { 0, 0, 0 }, size = { 0.3, 0.3, 0.3 } }
  for key, value in next, more or {} do made[key] = value end
  return made
end

test("what was just left is not gone back to while others are as salient, and all get their turn", function(t)
  local people = { person("a", 1, 1), person("b", 1, -1), person("c", -1, 1), person("d", -1, -1) }
  local order = watch(people, 300, 4)
  t:ok(#order > 50, "%d changes", #order)
  local count = {}
  for index, name in ipairs(order) do
    count[name] = (count[name] or 0) + 1
    t:ok(index < 3 or order[index - 2] ~= name, "back to %s at once, at the %dth", name, index)
  end
  for _, one in ipairs(people) do
    t:ok((count[one.id] or 0) > #order / 8, "%s %s times", one.id, count[one.id])
  end
end)

test("who is less salient gets glances, and the gaze comes back from them", function(t)
  local order = watch({ person("near", 0.8, 0), person("far", 3.5, 2) }, 120, 2)
  t:ok(#order > 10)
  local _, made = watch({ person("near", 0.8, 0), person("far", 3.5, 2) }, 6, 2, { glance = 0 })
  t:equal(made.current.name, "near")
  local one = watch({ person("only", 1, 0) }, 60, 1)
  t:equal(one, { "only" }, "with nobody else it stays")
end)

test("nearness, motion, speech and news speak for a target; having been looked at speaks against it",
  function(t)
  local _, made = watch({ person("a", 1, 0), person("b", 2.5, 0),
    person("c", 2.5, 0.1, { velocity = { 1, 0, 0 } }),
    person("d", 2.5, -0.1, { size = { 1, 1, 2 } }) }, 4, 1, { glance = 0 })
  made.current = nil
  local by = {}
  for _, row in ipairs(made.list) do
    row.habit, row.left, row.first = 0, nil, -10
    by[row.name] = made:salience(10, row)
  end
  t:ok(by.a > by.b and by.c > by.b and by.d > by.b)
  local b = made.list[2]
  made:speaks(10, "b")
  t:ok(made:salience(10, b) > by.b, "speech")
  b.speaks, b.first = -1e9, 10
  t:ok(made:salience(10, b) > by.b, "news")
  b.first, b.habit = -10, 0.8
  t:ok(made:salience(10, b) < 0.6 * by.b, "habit")
  b.habit, b.left = 0, 9.9
  t:ok(made:salience(10, b) < 0.3 * by.b, "just left")
end)

test("people are engaged at 1 m until they are 1.5 m away, two at most", function(t)
  local told = {}
  local made = engagement.new(settings.of {},
    function(event, data) told[#told + 1] = event .. " " .. data.target .. " " .. data.users end)
  local list = {}
  for _, name in ipairs { "a", "b", "c" } do
    list[#list + 1] = { name = name, kind = "person", here = true, x = 5, y = 0 }
  end
  list[4] = { name = "cup", kind = "cup", here = true, x = 0.2, y = 0 }
  local function at(x)
    list[1].x = x
    made:work(list, 0, 0)
  end
  for _, x in ipairs { 1.2, 1.01, 0.99, 1.01, 1.4, 1.49, 1.2, 1.51, 1.4, 1.05, 0.9 } do at(x) end
  t:equal(told, { "engaged a 1", "disengaged a 0", "engaged a 1" })
  list[3].x, list[2].x = 0.8, 0.7
  made:work(list, 0, 0)
  t:equal(made:names(), { "a", "b" }, "the nearer of two takes the last place")
  list[1].here = false
  made:work(list, 0, 0)
  t:equal(made:names(), { "b", "c" })
  t:equal(told[#told - 1], "disengaged a 1")
end)

--- The mean of a list, and its deviation.
local function moments(list)
  local sum, squares = 0, 0
  for _, value in ipairs(list) do sum, squares = sum + value, squares + value * value end
  local mean = sum / #list
  return mean, math.sqrt(squares / #list - mean * mean)
end

test("looking away lasts, and comes, as with people who listen and who speak", function(t)
  for _, case in ipairs { { false, 1.14, 7.21 }, { true, 1.96, 4.75 } } do
    local aversion, lasts, between, since, before = layers.aversion(random.stream(3, "v")), {}, {}, 0, false
    for tick = 0, 300000 do
      local now = tick / 50
      local away = aversion:work(now, true, case[1])
      if away ~= before then
        local list = before and lasts or between
        list[#list + 1], since, before = now - since, now, away
      end
    end
    t:near(moments(lasts), case[2], 0.05, "lasts")
    t:near(moments(between), case[3], 0.25, "between")
  end
  local alone = layers.aversion(random.stream(1, "v"))
  for tick = 0, 5000 do
    t:ok(not alone:work(tick / 50, false, false), "with nobody there is nothing to look away from")
  end
  alone:begin(200, 0.5, false, true)
  alone:turned()
  t:ok(alone:work(200.4, false, false) and not alone:work(200.6, false, false),
    "what was asked for lasts as long as said")
end)

test("eyes go over a face by its features, over a thing by little, and wander at their own pace", function(t)
  local scanning, seen, times, last = layers.scanning(random.stream(2, "s")), {}, {}, 0
  for tick = 1, 20000 do
    local side, up = scanning:work(tick / 100, "person", 1)
    local key = ("%g %g"):format(side, up)
    seen[key] = (seen[key] or 0) + 1
    if scanning.next ~= last then times[#times + 1], last = tick / 100, scanning.next end
  end
  t:ok(seen["-0.032 0"] and seen["0.032 0"] and seen["0 -0.07"] and seen["0.032 0"] > seen["0 -0.07"])
  for index = #times, 2, -1 do times[index] = times[index] - times[index - 1] end
  local mean = moments(times)
  t:ok(mean > 0.2 and mean < 0.45, "a feature each %.2f s", mean)
  scanning:reset(1000)
  for tick = 1, 2000 do
    local side, up = scanning:work(1000 + tick / 100, "cup", 2)
    t:ok(math.abs(side) < 0.06 and math.abs(up) < 0.06, "%g %g", side, up)
  end
  local exploring, hops = layers.exploring(random.stream(2, "e"), { spread = 0.2 }), {}
  local before
  for tick = 1, 40000 do
    local anew, yaw, pitch = exploring:work(tick / 100)
    t:ok(math.abs(yaw) <= 0.4 and math.abs(pitch) <= 0.2)
    if anew then
      if before then hops[#hops + 1] = tick / 100 - before end
      before = tick / 100
    end
  end
  local pace, spread = moments(hops)
  t:near(pace, 1.6, 0.1)
  t:near(spread, math.sqrt(0.11), 0.1)
end)
