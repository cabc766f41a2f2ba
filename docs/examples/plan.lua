-- Footsteps: by rule on level ground, searched for over stairs, and around what is in the way.
local plan = require "brio.plan"

local function feet(x, y, z)
  return { left = { position = { x, y + 0.12, z } }, right = { position = { x, y - 0.12, z } } }
end

-- A plan by rule is found at once.
local search = plan.search { start = feet(0, 0, 0), goal = feet(1, 0, 0) }
print(search:work())  --> true
for _, step in ipairs(search:steps()) do
  print(step.side, ("%.2f %.2f"):format(step.pose.position[1], step.pose.position[2]),
    ("%.2f s"):format(step.swing))
end
--> left	0.28 0.12	0.80 s
--> right	0.56 -0.12	1.06 s
--> left	0.84 0.12	1.06 s
--> right	1.00 -0.12	0.94 s
--> left	1.00 0.12	0.80 s

-- A step of 15 cm: two regions, over which is searched, in slices.
local function floor(x0, x1, z) return { { x0, -1, z }, { x1, -1, z }, { x1, 1, z }, { x0, 1, z } } end
local ground = plan.ground { regions = { floor(-1, 0.5, 0), floor(0.5, 2, 0.15) } }
search = plan.search { planner = "a_star", start = feet(0, 0, 0), goal = feet(1, 0, 0.15), ground = ground }
local found
repeat found = search:work(8) until found ~= nil
local steps = search:steps()
print(found, ("%.2f"):format(steps[#steps].pose.position[3]))  --> true	0.15

-- Where there is no way, it is said why.
search = plan.search { planner = "a_star", start = feet(0, 0, 0), goal = feet(1, 0, 0.15), ground = ground,
  settings = { step_up = 0.1, most_width = 0.3, cell = 0.1 } }
local good, why = search:work(1e6)
print(good, why:match "there is no way")  --> false	there is no way

-- Around a pillar, half a meter from it.
search = plan.search { start = feet(0, 0, 0), goal = feet(3, 0, 0), around = true,
  obstacles = {
    { name = "pillar", kind = "cylinder", size = { 0.3, 0, 2 }, pose = { position = { 1.5, 0, 1 } } } } }
print(search:work(1000), #search:way() > 2)  --> true	true
