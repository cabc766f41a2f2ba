-- Joints of an arm among solids: a way around a post, and a dance that no longer goes through it.
local ik = require "brio.ik"
local joints = require "brio.joints"
local robot = require "brio.robot"

local ur3e = assert(robot.load "drivers/robots/ur3e/model.urdf")
local arm = assert(ik.arm(ur3e, "tool0"))
local names = arm:measures().variables
local space = joints.space(ur3e, { variables = names, clearance = 0.005, obstacles = {
  { name = "post", kind = "box", size = { 0.05, 0.05, 0.3 }, pose = { position = { 0.3, 0, 0.15 } } } } })

-- A turn of the first joint sweeps the arm through the post.
local left, right = { -1, -1, 1.5, -2, -1.57, 0 }, { 1, -1, 1.5, -2, -1.57, 0 }
print(space:clear(left), space:clear(right), space:motion(left, right))  --> true	true	false

-- A search finds a way, in slices.
local search = assert(space:search { start = left, goals = { right } })
while not search:over() do search:work(200) end
print(#search:path() > 2)  --> true

-- A path of many points, such as a dance, is repaired where it collides and stays what it was elsewhere.
local path = {}
for k = 0, 60 do path[k + 1] = { -1 + k / 30, -1, 1.5, -2, -1.57, 0 } end
local clear, report = space:repair(path)
print(report.colliding > 0, report.left)  --> true	0
local good = true
for k = 2, #clear do good = good and space:motion(clear[k - 1], clear[k]) end
print(good, clear[1][1] == path[1][1], clear[61][1] == path[61][1])  --> true	true	true

-- The tool keeps pointing down, within 0.3 rad; the goal is anywhere in a box, as long as it does.
local down = joints.space(ur3e, { variables = names, keep = {
  { link = "tool0", axis = "z", along = { 0, 0, -1 }, angle = 0.3 } } })
print(down:clear(left), (down:kept { 1, -1, 1.5, -1, -1.57, 0 }))  --> true	false
local search_down = assert(down:search { start = left, goals = {},
  region = { { link = "tool0", position = { { 0.15, 0.3 }, { 0.15, 0.3 }, { 0.1, 0.3 } } } } })
while not search_down:over() do search_down:work(200) end
local ends = search_down:path()
print(#ends > 1, (down:kept(ends[#ends])))  --> true	true

-- The shortest way around the post, and a path that is made short and smooth.
local shortest = assert(space:search { start = left, goals = { right }, optimal = true, checks = 10000 })
while not shortest:over() do shortest:work(1000) end
print(shortest:effort().length <= search:effort().length)  --> true
local smooth = assert(space:optimize(clear))
repeat local done = smooth:work(500) until done ~= nil
print(smooth:report().blocked)  --> 0

-- The arm's wrist in closed form: four ways to be at one place.
local answers = arm:place { 0.2, 0.1, 0.3 }
print(#answers, answers[1].miss < 1e-9, answers[4].miss < 1e-9)  --> 4	true	true
