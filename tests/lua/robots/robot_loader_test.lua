--- Finding robots: by name and by file, the fields of a robot.lua, and guesses without one.
require "brio"
local paths = require "brio.lib.paths"
local robots = require "brio.robots"

local urdf = [[
<robot name="two">
  <link name="base"/><link name="arm"/><link name="tool0"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="2" velocity="3" effort="5"/></joint>
  <joint name="slide" type="prismatic"><parent link="arm"/><child link="tool0"/>
    <axis xyz="1 0 0"/><limit lower="0.1" upper="0.3" velocity="0.5" effort="5"/></joint>
</robot>
]]

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

--- Find the robot whose robot.lua ends with `fields`.
local function find_with(t, fields)
  local model, file = t:temporary(".urdf"), t:temporary("robot.lua")
  write(model, urdf)
  write(file, ('return { name = "two", model = "%s", %s }'):format(model, fields))
  return robots.find(file)
end

test("a hint shares something with what was written", function(t)
  local suggest = require "brio.lib.suggest"
  t:equal(suggest.nearest("x", { "a", "b" }), nil)
  t:equal(suggest.nearest("x", { "a", "x1" }), "x1")
  t:equal(suggest.nearest("X", { "a", "x" }), "x")
  t:equal(suggest.nearest("", { "a" }), nil)
  t:equal(suggest.nearest("RHnad", { "head", "LHand", "RHand" }), "RHand", "a swap is one edit")
  t:equal({ suggest.distance("", "ab"), suggest.distance("abc", ""), suggest.distance("abcd", "bacd"),
    suggest.distance("kitten", "sitting"), suggest.distance("ca", "abc") }, { 2, 3, 1, 3, 3 })
  t:equal(suggest.hint("handd", { "hand", "head" }), " (did you mean 'hand'?)")
end)

test("a robot's name that is nearly right is suggested", function(t)
  local found, why, code = robots.find "peper"
  t:equal(found, nil)
  t:equal(code, "no_file")
  t:match(why, "there is no robot 'peper' %(did you mean 'pepper'%?%)")
end)

test("a robot is found by its name, its folder, its robot.lua and its model", function(t)
  local folder = paths.robots() .. "/panda"
  for _, name in ipairs { "panda", folder, folder .. "/", folder .. "/robot.lua" } do
    t:equal(assert(robots.find(name)).title, robots.find("panda").title)
  end
  t:equal(assert(robots.find(folder .. "/model.urdf")).poses.ready, nil)
end)

test("what is no robot is said to be none", function(t)
  local _, why, code = robots.find "/nowhere/at.urdf"
  t:match(why, "/nowhere/at.urdf")
  t:equal(code, "no_file")
  _, why, code = robots.find "/nowhere/at"
  t:match(why, "no robot is there")
  t:equal(code, "no_file")
  t:raises(function() robots.find(nil) end, "robots.find expects a robot's name or file")
end)

test("a robot.lua without DOFs has those of its model", function(t)
  local found = assert(find_with(t, "default_acceleration = 7"))
  t:equal(#found.dofs, 2)
  local turn, slide = found.dofs[1], found.dofs[2]
  t:equal({ turn.name, turn.label, turn.unit, turn.outside }, { "turn", "turn", "rad", false })
  t:equal({ turn.lower, turn.upper, turn.rest, turn.velocity, turn.acceleration }, { -1.0, 2.0, 0, 3.0, 7 })
  t:equal(slide.unit, "m")
  t:near(slide.rest, 0.2, 1e-12, "the middle of a range without 0")
  t:equal(found.home, "neutral")
  t:near(found.poses.neutral.joints.slide, 0.2, 1e-12)
end)

test("limits in a robot.lua reach the model", function(t)
  local found = assert(find_with(t, [[velocity = { turn = 2 }, acceleration = { slide = 4 },
    dofs = { { name = "turn", lower = -0.5, upper = 0.5, acceleration = 9 } }]]))
  local turn, slide = table.unpack(found.robot:variables())
  t:equal({ turn.lower, turn.upper, turn.velocity, turn.acceleration }, { -0.5, 0.5, 2.0, 9.0 })
  t:equal({ slide.lower, slide.velocity, slide.acceleration }, { 0.1, 0.5, 4.0 })
end)

test("DOFs outside the tree come after those of the tree, and poses name every DOF", function(t)
  local found = assert(find_with(t,
    [[home = "a", poses = { a = { label = "how it stands", joints = { ear = 0.5 } } },
    dofs = { { name = "ear", outside = true, lower = -1, upper = 1, rest = 0.25, velocity = 3 }, { name = "slide" } }]]))
  t:equal({ found.dofs[1].name, found.dofs[2].name, found.dofs[3].name }, { "turn", "slide", "ear" })
  t:equal({ found.dofs[3].unit, found.dofs[3].outside, found.dofs[3].acceleration }, { "1", true, 30 })
  t:equal(found.poses.a.label, "how it stands")
  t:near(found.poses.a.joints, { turn = 0, slide = 0.2, ear = 0.5 }, 1e-12)
end)

local faults = {
  { "nam = 1", " has no field 'nam' %(did you mean 'name'%?" },
  { "title = 3", "title must be a text, not a number" },
  { "base = 'flying'", "base must be one of fixed, bounded, free, not 'flying'" },
  { "base = 'bounded'", "base_range must be given" },
  { "base_range = { 1, 2 }", "base_range must be a list of 6 numbers" },
  { "dofs = { { name = 'turn', goup = 'x' } }", "dofs%[1%] has no field 'goup' %(did you mean 'group'" },
  { "dofs = { { label = 'x' } }", "dofs%[1%] needs 'name'" },
  { "dofs = { { name = 'turm' } }", "dofs: the robot has no variable 'turm' %(did you mean 'turn'%?%)" },
  { "dofs = { { name = 'turn' }, { name = 'turn' } }", "'turn' is there twice" },
  { "dofs = { { name = 'turn', lower = -2 } }", "must lie within the model's own range, %-1 to 2" },
  { "dofs = { { name = 'turn', unit = 'm' } }", "unit must be \"rad\"" },
  { "dofs = { { name = 'turn', rest = 5 } }", "rest must be within its range" },
  { "dofs = { { name = 'ear', outside = true } }", "lower must be given" },
  { "dofs = { { name = 'turn', outside = true } }", "is a variable of the model" },
  { "dofs = { { name = 'turn', upper = 0/0 } }", "dofs%[1%]%.upper must be a number, not %-?nan" },
  { "groups = { 'arm' }, dofs = { { name = 'turn', group = 'amr' } }",
    "no group 'amr' %(did you mean 'arm'" },
  { "velocity = { turn = 4 }", "velocity 4 may not be above the model's own, 3" },
  { "velocity = { turm = 1 }", "velocity: the robot has no variable 'turm'" },
  { "acceleration = { turn = -1 }", "acceleration%.turn must be above 0, not %-1" },
  { "poses = { a = { joints = { turn = 2.5 } } }", "poses%.a%.turn: 2.5 must be within its range" },
  { "poses = { a = { joints = { trun = 0 } } }", "poses%.a: the robot has no DOF 'trun'" },
  { "poses = { a = {} }", "poses%.a needs 'joints'" },
  { "home = 'sit'", "home: the robot has no pose 'sit'" },
  { "roles = { tool = 'tool' }", "roles%.tool: the robot has no link 'tool' %(did you mean 'tool0'" },
  { "x = math.pi", "nil value.*plain data" },
  { "source = (function() while true do end end)()", "plain data: 'function' does not belong in it" },
  { "x = ", "unexpected symbol" },
}

test("every fault in a robot.lua is named with its file and field", function(t)
  for _, fault in ipairs(faults) do
    local found, why, code = find_with(t, fault[1])
    t:equal(found, nil, fault[1])
    t:equal(code, "format", fault[1])
    t:match(why, "robot%.lua:?.*" .. fault[2])
  end
end)

test("words in texts and comments of a robot.lua do not count as code", function(t)
  t:ok(find_with(t, 'source = { "made for people, while they function" } -- for all\n'))
  t:ok(find_with(t, 'source = { "a text that goes on \\z\n  in the next line, for people" }\n'))
end)

test("a bare URDF has guessed roles, speeds that are safe beside a person, and a neutral pose", function(t)
  local path = t:temporary(".urdf")
  write(path, urdf)
  local found = assert(robots.find(path))
  t:equal({ found.name, found.title, found.base, found.home }, { "two", "two", "fixed", "neutral" })
  t:equal(found.roles, { tool = "tool0" })
  local turn, slide = found.dofs[1], found.dofs[2]
  t:near({ turn.velocity, slide.velocity }, { 0.625, 0.25 }, 1e-9, "0.25 m/s at 0.4 m, and of a slide")
  t:near({ turn.acceleration, slide.acceleration }, { 1.25, 0.5 }, 1e-9, "within half a second")
  t:match(table.concat(found.warnings, "\n"),
    "'two' has no limit of speed near people: no point of it exceeds 0.25 m/s, for its file \z
      has no masses")
  t:equal(found.point_speed, 0.25)
end)

test("meshes are found in the folders of packages", function(t)
  local path, mesh = t:temporary(".urdf"), t:temporary(".obj")
  local folder = paths.folder(mesh)
  write(mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
  write(path, ([[<robot name="m"><link name="a"><collision><geometry>
    <mesh filename="package://%s/%s"/></geometry></collision></link></robot>]]):format(folder:match("[^/]*$"),
    mesh:match("[^/]*$")))
  local found = assert(robots.find(path, { packages = folder }))
  t:equal(found.robot:collisions()[1].kind, "hull")
  t:equal(#found.robot:collisions()[1].points, 4)
end)

test("a link called 'world', the root of many models, is the root of the scene's frames", function(t)
  local path = t:temporary ".urdf"
  write(path, (urdf:gsub('name="base"', 'name="world"'):gsub('link="base"', 'link="world"')))
  local run = t:run("b", { robot = path, source = [[local brio = require "brio"
    local b = brio.behavior "b" { start = "one" }
    b.one = { wants = { brio.want.joint_match { joint = "turn", goal = 0.5 } } }
    return b]] })
  run:advance(1)
  local scene = run.run.host.scene
  t:equal(scene:frame("world").position, { 0, 0, 0 })
  t:near(scene:frame("arm").orientation[3], math.sin(run:command "turn" / 2), 0.005, "one tick apart")
  local frames = require("brio.formats.run.stance").of_run({ run = { robot = path }, dofs = {} }, {})({}, {})
  t:equal({ #frames, frames[1].parent, frames[1].child }, { 2, '"world"', '"arm"' })
end)
