--- What of a robot looks, and what behaviors and robots say of it: read, guessed, and refused in words.
local body = require "brio.character.gaze.body"
local character = require "brio.character.character"
local robots = require "brio.robots"

test("a robot without a gaze.lua looks with what its roles say, and one that has nothing to look with is \z
      told so",
function(t)
  local arm = assert(robots.find "panda")
  local bare = { name = "bare", robot = arm.robot, file = "/nowhere/robot.lua", dofs = arm.dofs,
                 roles = { tool = "panda_hand_tcp" } }
  t:equal(assert(body.of(bare)).head.link, "panda_hand_tcp")
  bare.roles = { head = "panda_hand" }
  t:equal(assert(body.of(bare)).head.axis, nil)
  bare.roles = {}
  local none, why = body.of(bare)
  t:ok(none == nil)
  t:match(why, "^robot 'bare' has nothing to look with")
  bare.roles = { tool = "panda_hand_tcp" }
  t:match(body.fault({ head = { link = "panda_hnad" } }, bare),
    "no link 'panda_hnad' %(did you mean 'panda_hand'")
  t:match(body.fault({ haed = {} }, bare), "no field 'haed'")
  t:match(body.fault({}, bare), "needs eyes or a head")
  t:match(body.fault({ head = { link = "panda_hand", tau = -1 } }, bare),
    "head%.tau must be at least 0 s, not %-1")
  t:match(body.fault({ head = { link = "panda_hand", axis = { 1, "x", 0 } } }, bare),
    "head%.axis%[2%] must be a number")
  t:match(body.fault({ eyes = { carrier = "panda_hand", pan = { { dof = "nobody" } } } }, bare),
    "no DOF 'nobody'")
  local pan = { { dof = "panda_joint1", scale = 0 } }
  for _, row in ipairs {
    { { head = { link = "panda_hand", axis = { 0, 0, 0 } } }, "head%.axis must be a direction such as" },
    { { head = { link = "panda_hand", up = { 2, 0, 0 } } }, "must be two directions" },
    { { head = { link = "panda_hand", carrier = "panda_hand_tcp" } },
      "'panda_hand_tcp' does not carry 'panda_hand'" },
    { { eyes = { carrier = "panda_hand", links = { "panda_link1" } } },
      "'panda_hand' does not carry 'panda_link1'" },
    { { eyes = { carrier = "panda_hand", pan = pan } },
      "eyes%.pan%[1%]%.scale must be a number other than 0" },
    { { eyes = { carrier = "panda_hand", pan = {} } }, "eyes%.pan must not be empty" },
  } do t:match(body.fault(row[1], bare), row[2]) end
end)

test("the behavior and the robot's table in docs/animation/gaze.md are such", function(t)
  local page = io.open("docs/animation/gaze.md"):read "a"
  local first, second = page:match "```lua\n(.-)```.*```lua\n(.-)```"
  local file = t:temporary(".lua")
  local handle = assert(io.open(file, "w"))
  handle:write(first)
  handle:close()
  local probo = assert(robots.find "probo")
  local runner = require "brio.runner"
  t:equal(#runner.faults_on(assert(runner.load(file, {})), probo), 0)
  t:equal(body.fault(assert(load(second))(), probo), nil)
end)

test("what a behavior says of its gaze is judged", function(t)
  local probo = assert(robots.find "probo")
  local function fault(gaze) return character.faults({ gaze = gaze }, probo)[1] or "" end
  t:equal(fault(true), "")
  t:equal(fault { zone = 1.2, attend = { ball = 0.5 }, points = { door = { 2, 0, 1, salience = 0.2 } } }, "")
  t:match(fault { zoen = 1 }, "no field 'zoen' %(did you mean 'zone'")
  t:match(fault { zone = 0 / 0 }, "zone must be a number, not")
  t:match(fault { glance = 2 }, "glance must be from 0 to 1, not 2")
  t:match(fault { dwell = { 5, 2 } }, "dwell must be { least, most }")
  t:match(fault { attend = { ball = -1 } }, "attend.ball must be")
  t:match(fault { points = { door = { 1, 2 } } }, "points.door must be a place")
  t:match(fault { body = { head = { link = "haed" } } }, "no link 'haed'")
end)
