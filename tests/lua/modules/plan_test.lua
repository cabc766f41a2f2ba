--- Searches for steps: the most obstacles that one may have.
local plan = require "brio.plan"

local function feet(x)
  return { left = { position = { x, 0.12, 0 } }, right = { position = { x, -0.12, 0 } } }
end

--- A small tetrahedron that stands at x, y.
local function hull(x, y)
  return { name = ("stone %d %d"):format(x, y), kind = "hull", pose = { position = { x, y, 0 } },
    points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.3 } } }
end

test("a thousand hulls may be in the way, and not one more", function(t)
  local stones = {}
  for index = 1, 1000 do stones[index] = hull(index % 40 - 20, 2 + index // 40) end
  local search = plan.search { start = feet(0), goal = feet(1), around = true, obstacles = stones }
  local found
  repeat found = search:work(1000) until found ~= nil
  t:ok(found)
  stones[1001] = hull(5, 0)
  t:raises(function() plan.search { start = feet(0), goal = feet(1), around = true, obstacles = stones } end,
    "1000")
end)

--- The soles of a robot that stands at x, y and faces yaw.
local function soles(x, y, yaw)
  local both = {}
  for side, out in pairs { left = 0.12, right = -0.12 } do
    both[side] = { position = { x - out * math.sin(yaw), y + out * math.cos(yaw), 0 },
      orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } }
  end
  return both
end

test("the foot that is named swings first", function(t)
  local random = require "brio.random".stream(3, "feet")
  for _ = 1, 150 do
    local x, y, yaw = random:uniform(-1, 1), random:uniform(-1, 1), random:uniform(-3, 3)
    for _, planner in ipairs { "quick", "turn_walk_turn" } do
      for _, first in ipairs { "left", "right" } do
        local search = plan.search { planner = planner, first = first, start = feet(0),
          goal = soles(x, y, yaw) }
        t:ok(search:work(), "steps are found")
        t:equal(search:steps()[1].side, first)
      end
    end
  end
end)
