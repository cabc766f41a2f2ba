require "brio"
local geometry = require "brio.geometry"
local ik = require "brio.ik"
local robot = require "brio.robot"

local function arm() return assert(robot.load "drivers/robots/ur3e/model.urdf") end

local function arm7() return assert(robot.load "drivers/robots/panda/model.urdf") end

local there = { position = { 0.25, 0.15, 0.35 },
  orientation = { 0.7071067811865476, 0.7071067811865476, 0, 0 } }

--- A point in a pose's own frame, transformed into the parent's.
local function point_at(pose, v)
  local turned = geometry.turn(pose.orientation, v)
  return { pose.position[1] + turned[1], pose.position[2] + turned[2], pose.position[3] + turned[3] }
end

local function off(pose, goal)
  return geometry.distance(pose.position, goal.position), geometry.angle(pose.orientation, goal.orientation)
end

test("a pose is reached, and said by name", function(t)
  local model = arm()
  local found = assert(ik.new(model, { links = { "tool0" } }):solve { goal = there })
  local place, turn = off(model:forward { joints = found.joints }.links.tool0, there)
  t:ok(place <= 1e-4 and turn <= 1e-3, "off by " .. place .. " m and " .. turn .. " rad")
  t:ok(found.position <= 1e-4 and found.orientation <= 1e-3, "says more")
  t:near(found.solutions[1].joints.elbow_joint, found.joints.elbow_joint, 0)
  t:near(found.base.orientation[4], 1, 0)
  t:equal(found.touching, 0)
  t:ok(found.starts >= 1 and found.iterations >= 1, "no work was done")
  t:equal(found.distance, nil)
end)

test("what a goal leaves out is free", function(t)
  local model = arm()
  local reach = ik.new(model, { links = { "tool0", "forearm_link" } })
  local found = assert(reach:solve { goals = {
    { position = { 0.2, 0.2, 0.3 }, position_tolerance = { 1e-4, 1e-4, math.huge } },
    { axis = "x", along = { 0, 0, 3 }, orientation_tolerance = 0.01 } } })
  local links = model:forward { joints = found.joints }.links
  t:near(links.tool0.position[1], 0.2, 1e-4)
  t:near(links.tool0.position[2], 0.2, 1e-4)
  local x, y, z, w = table.unpack(links.forearm_link.orientation)
  t:ok(2 * (x * z - y * w) >= math.cos(0.0101),
    "the forearm's x axis points up: z part " .. 2 * (x * z - y * w))
  t:near(1, x * x + y * y + z * z + w * w, 1e-9)
end)

test("a tool in the link's frame", function(t)
  local model = arm()
  local reach = ik.new(model, { links = { "tool0" } })
  local found = assert(reach:solve { goal = { position = { 0.2, 0.1, 0.3 },
    tool = { position = { 0, 0, 0.12 } } } })
  local pose = model:forward { joints = found.joints }.links.tool0
  local tip = point_at(pose, { 0, 0, 0.12 })
  for i, value in ipairs { 0.2, 0.1, 0.3 } do t:near(tip[i], value, 1.01e-4) end
end)

test("out of reach: nil, why, a code, and what came nearest", function(t)
  local reach = ik.new(arm(), { links = { "tool0" } })
  local none, why, code, nearest = reach:solve { goal = { position = { 3, 0, 0 } } }
  t:equal(none, nil)
  t:equal(code, "unreachable")
  t:match(why, "link 'tool0'")
  t:ok(nearest.position > 2.3 and nearest.position < 2.6, "nearest is " .. nearest.position)
  t:equal(#nearest.solutions, 0)
end)

test("shapes are kept clear of, and the solver that has them lives as long as it is held", function(t)
  local reach = ik.new(arm(), { links = { "tool0" }, watches = true })
  local shapes = reach:shapes()
  shapes:shape("crate", { kind = "box", size = { 0.2, 0.2, 0.2 }, pose = { position = there.position } })
  local none, why, code = reach:solve { goal = there, clear = true, max_starts = 20 }
  t:equal(none, nil)
  t:equal(code, "unreachable")
  t:match(why, "'crate'")
  shapes:remove_shape "crate"
  local found = assert(reach:solve { goal = there, clear = true, clearance = 0.01 })
  t:ok(found.distance >= 0.01, "only " .. tostring(found.distance))
  reach = nil -- luacheck: ignore
  collectgarbage()
  collectgarbage()
  shapes:shape("ball", { kind = "sphere", size = { 0.1, 0, 0 } })
  t:raises(function() ik.new(arm(), { links = { "tool0" } }):shapes() end, "watches nothing")
end)

test("a seed, a posture, several solutions", function(t)
  local model = arm()
  local reach = ik.new(model, { links = { "tool0" }, seed = 5, max_solutions = 8,
    held = { "wrist_3_joint" } })
  t:equal(reach:links()[1], "tool0")
  local seed = { joints = { wrist_3_joint = 0.25, elbow_joint = 1 } }
  local found = assert(reach:solve { goal = { position = { 0.25, 0.15, 0.35 } }, seed = seed, nominal = seed,
    nearest = true, solutions = 3, apart = 0.5 })
  t:equal(#found.solutions, 3)
  for _, solution in ipairs(found.solutions) do t:equal(solution.joints.wrist_3_joint, 0.25) end
  local again = assert(reach:solve { goal = { position = { 0.25, 0.15, 0.35 } }, seed = seed, nominal = seed,
    nearest = true, solutions = 3, apart = 0.5 })
  for name, value in pairs(found.joints) do t:equal(again.joints[name], value) end
end)

test("a base that moves", function(t)
  local model = assert(robot.load("drivers/robots/ur3e/model.urdf",
    { base = "bounded", base_range = { 1, 1, 0, 0, 0, 3 } }))
  local reach = ik.new(model, { links = { "tool0" }, moves_base = true })
  local far = { position = { 1.2, 0, 0.35 } }
  local found = assert(reach:solve { goal = far })
  local tool = model:forward(found.base and { base = found.base, joints = found.joints }).links.tool0
  t:near(tool.position[1], 1.2, 1e-4)
  t:ok(found.base.position[1] > 0.5 and found.base.position[1] <= 1,
    "the base is at " .. found.base.position[1])
  t:near(found.base.position[3], 0, 0)
  t:raises(function() ik.new(arm(), { links = { "tool0" }, moves_base = true }) end, "is fixed")
end)

test("wrong use says what was expected", function(t)
  local model = arm()
  local reach = ik.new(model, { links = { "tool0" } })
  local cases = {
    { "did you mean 'tool0'", function() ik.new(model, { links = { "tool1" } }) end },
    { "needs 1 to 100 links", function() ik.new(model, {}) end },
    { "links must be a list", function() ik.new(model, { links = "tool0" }) end },
    { "no variable", function() ik.new(model, { links = { "tool0" }, held = { "x" } }) end },
    { "nothing that is free moves", function() ik.new(model, { links = { "base_link" } }) end },
    { "has no field", function() ik.new(model, { links = { "tool0" }, watch = true }) end },
    { "needs `goal`", function() reach:solve {} end },
    { "list of 1", function() reach:solve { goals = { there, there } } end },
    { "has no field 'positon'", function() reach:solve { goal = { positon = { 1, 2, 3 } } } end },
    { "a goal must be a table", function() reach:solve { goal = 5 } end },
    { "leaves every axis free", function() reach:solve { goal = {} } end },
    { "`axis` needs `along`", function() reach:solve { goal = { position = { 0, 0, 1 }, axis = "z" } } end },
    { "position_tolerance must be", function() reach:solve {
      goal = { position = { 0, 0, 1 }, position_tolerance = -1 } } end },
    { "position_tolerance must be", function() reach:solve {
      goal = { position = { 0, 0, 1 }, position_tolerance = { 1, 2 } } } end },
    { "position_tolerance must be", function() reach:solve {
      goal = { position = { 0, 0, 1 }, position_tolerance = 0 / 0 } } end },
    { "'x', 'y' or 'z'", function() reach:solve { goal = { axis = "w", along = { 0, 0, 1 } } } end },
    { "direction", function() reach:solve { goal = { axis = "z", along = { 0, 0, 0 } } } end },
    { "number", function() reach:solve { goal = { position = { 0, 0, 0 / 0 } } } end },
    { "whole number", function() reach:solve { goal = there, max_starts = 1.5 } end },
    { "watches shapes", function() reach:solve { goal = there, clear = true } end },
    { "solutions", function() reach:solve { goal = there, solutions = 17 } end },
    { "configuration", function() reach:solve { goal = there, seed = { 1, 2 } } end },
  }
  for _, case in ipairs(cases) do t:raises(case[2], case[1]) end
end)

test("a behavior may use it, with a bound on its work", function(t)
  local run = t:run("made.lua", { source = [[
    local brio = require "brio"
    local ik = require "brio.ik"
    local made = brio.behavior "made" { robot = "ur3e", start = "calm", memory = { joints = false, why = false } }
    made.calm = {
      wants = { brio.want.joint_limits {} },
      enter = function(self)
        local reach = ik.new(self.robot, { links = { "tool0" } })
        self.memory.joints = reach:solve({ goal = { position = { 0.25, 0.15, 0.35 } }, max_iterations = 500 }).joints
        local _, why = reach:solve { goal = { position = { 9, 0, 0 } }, max_iterations = 500 }
        self.memory.why = why
      end,
    }
    return made
  ]] })
  run:advance(0.02)
  t:equal(run.failed, nil)
  local place = off(arm():forward({ joints = run.memory.joints }).links.tool0,
    { position = { 0.25, 0.15, 0.35 }, orientation = { 0, 0, 0, 1 } })
  t:ok(place <= 1e-4, "off by %g m", place)
  t:match(run.memory.why, "cut after its iterations")
end)

-- 1,000 goals each, by another program's forward kinematics of random configurations, with unrelated seeds:
-- the same set that the peers were measured on.
test("every one of the reference goals is reached", function(t)
  local cjson = require "cjson"
  local shared = os.getenv "BRIO_SHARED" or "../shared"
  local names, missing = { "ur3e", "panda", "iiwa14", "pepper_right", "mycobot280" }, nil
  for _, name in ipairs(names) do
    local file = io.open(shared .. "/data/truth/ik/" .. name .. ".json")
    if not file then missing = name break end
    local chain = cjson.decode(file:read "a")
    file:close()
    local model = assert(robot.load(shared .. "/data/robots/" .. chain.urdf))
    local held, moves = {}, {}
    for i, joint in ipairs(chain.joints) do
      moves[joint] = true
      model:set_limits(joint, { lower = chain.lower[i], upper = chain.upper[i] })
    end
    for _, variable in ipairs(model:variables()) do
      if not moves[variable.name] then held[#held + 1] = variable.name end
    end
    local reach = ik.new(model, { links = { chain.tip }, held = held })
    local base = model:forward(model:neutral()).links[chain.base]
    local found = 0
    for _, goal in ipairs(chain.goals) do
      local p = goal.pose
      local wanted = { position = point_at(base, p),
        orientation = geometry.times(base.orientation, { table.unpack(p, 4, 7) }) }
      local seed = {}
      for i, joint in ipairs(chain.joints) do seed[joint] = goal.q_seed[i] end
      local answer = reach:solve { goal = wanted, seed = { joints = seed } }
      if answer then
        found = found + 1
        local place, turn = off(model:forward { joints = answer.joints }.links[chain.tip], wanted)
        t:ok(place <= 1.0001e-4 and turn <= 1.001e-3,
          name .. ": off by " .. place .. " m, " .. turn .. " rad")
      end
    end
    t:ok(found >= 999, ("%s: %d of %d"):format(name, found, #chain.goals))
  end
  if missing then t:skip("the reference goals are not on this machine") end
end)

test("a new solution takes the place of those near it, or of none", function(t)
  local reach = ik.new(arm7(), { links = { "panda_hand" }, max_solutions = 64 })
  local apart, before = 0.6, {}
  local function is_near(a, b)
    for joint, value in pairs(a.joints) do
      if math.abs(value - b.joints[joint]) >= apart then return false end
    end
    return true
  end
  --- With one start more, each solution is still there, or one near it that is nearer to the seed.
  for starts = 1, 32 do
    local answer = reach:solve { goal = { position = { 0.55, 0.2, 0.4 }, orientation = { 1, 0, 0, 0 } },
      nearest = true, solutions = 64, apart = apart, max_starts = starts }
    local now = answer and answer.solutions or {}
    for i, old in ipairs(before) do
      local kept = false
      for _, new in ipairs(now) do kept = kept or is_near(old, new) end
      t:ok(kept, ("solution %d of %d is gone with start %d"):format(i, #before, starts))
    end
    before = now
  end
  t:ok(#before > 4)
end)
