require "brio"
local robots = require "brio.robots"
local solver = require "brio.solver"
local want = require "brio.want"
local weights = require "brio.weights"

test("weights from rank are LivelyStudio's", function(t)
  local expected = { 50, 38.94, 30.33, 23.62 }
  for index, weight in ipairs(expected) do t:near(weights.of_rank(index, 4), weight, 0.005) end
  local list = {
    want.joint_limits {}, want.group "high" { want.collision_avoidance {}, want.smoothness_macro {} },
    want.gravity_effort {}, want.nominal_posture { weight = 3 },
  }
  local ranked = {}
  for _, item in ipairs(weights.of_list(list)) do ranked[item[1].kind] = item[2] end
  t:near(ranked.joint_limits, 50, 1e-9)
  t:near(ranked.collision_avoidance, 5 * 38.94, 0.03)
  t:equal(ranked.smoothness_macro, ranked.collision_avoidance)
  t:near(ranked.gravity_effort, 30.33, 0.005)
  t:equal(ranked.nominal_posture, 3)
end)

test("every objective is a want, as its example shows", function(t)
  for _, kind in ipairs(solver.kinds()) do
    local fields = load("return " .. kind.example)()
    if kind.goal then fields.goal = function() end end
    local property = want[kind.name](fields)
    t:equal(property.kind, kind.name)
    t:ok(want.is_property(property), kind.name)
  end
end)

test("axes, flags and links that may be left out", function(t)
  local up = want.look_at { link = "hand", axis = { 0, 0, 1 }, goal = { 1, 0, 0 } }
  local ahead = want.look_at { link = "hand", axis = { 1, 0, 0 }, goal = { 1, 0, 0 } }
  t:ok(up.key ~= ahead.key, "another axis is another property: %s", up.key)
  t:equal(up.key, want.look_at { link = "hand", axis = { 0, 0, 1 }, goal = { 2, 0, 0 } }.key)
  t:ok(want.smoothness_macro { links = false }.key ~= want.smoothness_macro { links = true }.key,
    "a flag counts")
  t:equal(want.look_at { link = "hand", target = "other", goal = { 0, 0, 0 } }.args.target, "other")
end)

test("wrong arguments are told at once", function(t)
  local function says(piece, make) t:raises(make, piece) end
  says("axis must be a list of three numbers, not string", function()
    want.look_at { link = "hand", axis = "x", goal = { 0, 0, 0 } }
  end)
  says("axis must be a list of three numbers, not table", function()
    want.look_at { link = "hand", axis = { 1, 0 }, goal = { 0, 0, 0 } }
  end)
  says("position_tolerance must be from 0 to 1000 m, not %-1", function()
    want.pose_match { link = "hand", position_tolerance = { 0, -1, 0 }, goal = { position = { 0, 0, 0 } } }
  end)
  says("links must be true or false, not number", function() want.smoothness_macro { links = 1 } end)
  says("target must be a link's name, not boolean", function()
    want.look_at { link = "hand", target = true, goal = { 0, 0, 0 } }
  end)
  says("needs link2: the name of a link", function() want.distance_match { link1 = "hand", goal = 1 } end)
  says("did you mean 'octaves'", function() want.joint_liveliness { joint = "j", octave = 2, goal = 1 } end)
  says("octaves must be from 1 to 8, not 9",
    function() want.joint_liveliness { joint = "j", octaves = 9, goal = 1 } end)
end)

test("a gaze of the shipped Pepper ends where it should", function(t)
  local pepper = assert(robots.find "pepper")
  local s = solver.new(pepper.robot)
  local head = pepper.roles.head or "Head"
  s:add("gaze", "look_at", { link = head, roll = 0.2 })
  s:add("calm", "smoothness_macro", {})
  s:goal("gaze", { 2, 0.8, 1.5 })
  s:weight("gaze", 30)
  s:weight("calm", 10)
  for tick = 1, 400 do s:solve(tick * 0.01, 0.01) end
  local frame = s:frames()[head]
  local p, q = frame.position, frame.orientation
  local x = { 1 - 2 * (q[2] ^ 2 + q[3] ^ 2), 2 * (q[1] * q[2] + q[3] * q[4]),
    2 * (q[1] * q[3] - q[2] * q[4]) }
  local way, length = {}, 0
  for i, goal in ipairs { 2, 0.8, 1.5 } do
    way[i] = goal - p[i]
    length = length + way[i] ^ 2
  end
  local along = (x[1] * way[1] + x[2] * way[2] + x[3] * way[3]) / math.sqrt(length)
  t:ok(along > 0.9999, "the head looks there by %.6f", along)
end)

test("arguments that do not fit together are a fault before the run begins, with its line", function(t)
  local path = t:temporary(".lua")
  local file = assert(io.open(path, "w"))
  file:write [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "panda", start = "one", safe = "one" }
b.one = { wants = {
  brio.want.look_at { link = "panda_hand", axis = { 0, 0, 0 }, goal = function() return { 1, 0, 0 } end },
  brio.want.distance_match { link1 = "panda_hand", link2 = "panda_hand", goal = 1 },
  brio.want.smoothness_macro { joints = false, links = false },
} }
return b
]]
  file:close()
  local run, why = require("brio.runner").new { file = path, robot = "panda" }
  t:equal(run, nil)
  t:match(why, ":4: want.look_at: axis must be a direction")
  t:match(why, ":5: want.distance_match: link1 and link2 must be two, not both 'panda_hand'")
  t:match(why, ":6: want.smoothness_macro: one of joints, origin and links must be true")
end)
