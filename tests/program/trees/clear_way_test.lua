--- Arms that find a way, from outside: a Panda goes from left to right, and meanwhile somebody puts a post
--- between, or a wall.  What it did is judged by its recorded joints, frame by frame, with a solver that only
--- measures distances.
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files, brio = harness.test, harness.files, harness.brio

local folder = files.temporary()
files.write(folder .. "/carry.lua", [[
local brio = require "brio"
local carry = brio.behavior "carry" { robot = "panda", start = "going" }
carry.going = {
  tree = { "sequence",
    { "arm", name = "left", seconds = 1.2, joints = { panda_joint1 = 0.9, panda_joint2 = 0.6,
      panda_joint4 = -1.9, panda_joint6 = 2.5 } },
    { "arm", name = "right", seconds = 3, joints = { panda_joint1 = -0.9 }, plan = "seen",
      hold = "always" } },
  on = { tree_done = "there", tree_failed = "stuck" },
}
carry.there = {}
carry.stuck = { enter = function(self, failed) self:log("%s: %s", failed.node, failed.why) end }
return carry
]])

--- The world: a box that somebody puts at `at` when the arm has begun to go to the right.
local function world(name, at, size)
  files.write(("%s/%s.lua"):format(folder, name), ([[
return { sensor = { range = 5, view = 6.28, rate = 20, occlusion = false },
  objects = { { id = "%s", kind = "%s", size = { %s }, path = { { 1.6, %s }, { 100, %s } } } } }
]]):format(name, name, size, at, at))
end

--- The least distance of each recorded frame from a box, from the time on at which it is there: `brio lua`.
files.write(folder .. "/judge.lua", [[
local store, robots, solver = require "brio.store", require "brio.robots", require "brio.solver"
local db = assert(store.open(arg[1]))
local function numbers(text)
  local list = {}
  for number in text:gmatch "[^,]+" do list[#list + 1] = tonumber(number) end
  return list
end
local description = assert(robots.find "panda")
local judge = solver.new(description.robot, { unguarded = true })
judge:shape("box", { kind = "box", size = numbers(arg[3]), pose = { position = numbers(arg[2]) } })
local frames, order = {}, {}
local rows = assert(db:query("SELECT tick, name, measured FROM samples WHERE run = 1 AND t > 1.6"))
for _, row in ipairs(rows) do
  if not frames[row.tick] then
    frames[row.tick] = {}
    order[#order + 1] = row.tick
  end
  frames[row.tick][row.name] = row.measured
end
local least = 1
for _, tick in ipairs(order) do
  judge:reset({ joints = frames[tick] }, true)
  judge:solve(0, 0.005)
  for _, pair in ipairs(judge:proximity(0.2)) do
    if pair.a == "box" or pair.b == "box" then least = math.min(least, pair.distance) end
  end
end
print(#order, least)
]])

--- Run with a world; return the run, the store, the number of frames judged and the least distance, m.
local function go(t, name, at, size, seconds)
  world(name, at, size)
  local store = ("%s/%s.db"):format(folder, name)
  local run = brio("run", folder .. "/carry.lua", "--world", ("%s/%s.lua"):format(folder, name), "--for",
    tostring(seconds), "--clock", "fast", "--store", store)
  t:code(run, 0)
  local judged = brio("lua", folder .. "/judge.lua", store, at, size)
  t:code(judged, 0)
  local frames, least = judged.out:match "(%d+)%s+(%S+)"
  return run, store, tonumber(frames), tonumber(least)
end

local function measured(store, joint, when)
  return tonumber(harness.sql(store, ("SELECT measured FROM samples WHERE run = 1 AND name = '%s' \z
    AND t <= %g ORDER BY t DESC LIMIT 1"):format(joint, when)))
end

test("a post that is put into the way is gone around, and nothing touches it", function(t)
  local _, store, frames, least = go(t, "post", "0.5, 0, 0.6", "0.06, 0.06, 1.2", 8)
  t:check(frames > 1000, "%s frames", tostring(frames))
  t:check(least > 0.002, "a frame is %g m from the post", least)
  t:check(math.abs(measured(store, "panda_joint1", 7.9) + 0.9) < 0.02, "it arrived")
  t:equal(harness.sql(store, "SELECT json_extract(data, '$.around'), json_extract(data, '$.plans') >= 1 \z
    FROM events WHERE name = 'planned_around'"), "post|1")
  t:equal(harness.sql(store, "SELECT status FROM tree_nodes WHERE name = 'right'"), "success")
  local at = brio("at", "1", "6", "--store", store)
  t:has(at.out, 'planned_around {"around":"post"')
  local again = brio("replay", "1", "--store", store)
  t:code(again, 0)
  t:has(again.out .. again.err, "equal")
end)

test("a wall without a way is refused with the reason, and the arm rests", function(t)
  local run, store, _, least = go(t, "wall", "0.5, -0.3, 0.7", "1.2, 0.05, 1.4", 6)
  t:has(run.out .. run.err,
    "~right: no way around wall: its goal collides: panda_%w+ is [%d.]+ mm inside wall")
  t:check(least > 0.002, "a frame is %g m from the wall", least)
  t:check(math.abs(measured(store, "panda_joint1", 5.5) - measured(store, "panda_joint1", 5.9)) < 1e-3,
    "it rests")
end)

files.remove(folder)
harness.done()
