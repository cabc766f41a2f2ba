-- A grid of what is free and what is occupied on the ground, and a way around what it holds.
local occupancy = require "brio.occupancy"
local plan = require "brio.plan"

local grid = occupancy.new { size = 8, cell = 0.1 }
print(grid:at(1, 1))  --> unknown	0.5

-- A depth sensor 1.2 m above the ground looks at a wall 3 m ahead; each scan counts once.
local points = {}
for y = -2, 2, 0.02 do points[#points + 1] = { 3, y, 0 } end
for _ = 1, 3 do
  grid:scan({ position = { 0, 0, 1.2 } }, points)
  repeat until grid:work() == 0
end
print(grid:at(3.02, 0) == "occupied", grid:at(1.5, 0) == "free", grid:at(3.5, 0) == "unknown")
--> true	true	true

-- A table that was seen is a solid; the robot itself is none.
grid:put { name = "table", kind = "box", size = { 0.6, 1.2, 0.7 }, pose = { position = { 1.5, 0, 0.35 } } }
grid:clear(0, 0, 0.3)
print(grid:at(1.5, 0.3) == "occupied", grid:at(-0.2, 0) == "free")  --> true	true

-- Seen from above, a letter for 4 by 4 cells.
for number, row in ipairs(grid:rows(4)) do
  if number >= 5 and number <= 14 then print(row) end
end
--> ????????????????????
--> ????????????????.#??
--> ??????????????...#??
--> ?????????????....#??
--> ???????????.###..#??
--> ?????????...###..#??
--> ?????????...###..#??
--> ???????????.###..#??
--> ????????????.....#??
--> ??????????????...#??

-- Steps around it, 0.4 m from what the grid holds.
local function feet(x, y)
  return { left = { position = { x, y + 0.12, 0 } }, right = { position = { x, y - 0.12, 0 } } }
end
local search = plan.search { start = feet(0, 0), goal = feet(2.4, 0), around = true, grid = grid,
  settings = { clearance_radius = 0.4 } }
local found
repeat found = search:work(8) until found ~= nil
local side = 0
for _, point in ipairs(search:way()) do side = math.max(side, math.abs(point[2])) end
print(found, side > 0.9)  --> true	true
