--- The Panda's hand on the simulator: `holds` and `holding` tell an object from air, however fast the hand
--- closes and however late its motors and reports are.
local source = [[
local brio = require "brio"
local want = brio.want
local hold = brio.behavior "hold" { robot = "panda", start = "grasping", memory = {} }
local function note(self, data) self.memory.at, self.memory.why = self.now, data and data.why end
hold.grasping = { wants = { WANTS },
  tree = { "sequence", { "hand", grip = "open", velocity = 0.05 },
    { "hand", grip = "close", success = "holds", hold = "always", OPTIONS }, MORE },
  on = { tree_done = function(self, data) note(self, data) return "has" end,
    tree_failed = function(self, data) note(self, data) return "empty" end } }
hold.has, hold.empty = {}, {}
return hold
]]

local finger = "panda_finger_joint1"

--- A run that grasps; `things`: the objects where the hand closes.
local function grasp(t, form, options)
  options = options or {}
  local text = source:gsub("OPTIONS", form):gsub("MORE", options.more or "")
    :gsub("WANTS", options.wants or "")
  return t:run("hold.lua", { source = text, faults = options.faults, world_data = { things = options.things
    or {},
    furniture = { { id = "post", kind = "post", shape = "box", at = { 0.307, 0 }, size = { 0.05, 0.05,
      0.46 } } } } })
end

local cube = { id = "cube", kind = "cube", shape = "box", size = { 0.05, 0.05, 0.05 }, at = { 0.307, 0,
  0.487 } }

for _, row in ipairs {
  { "as usual", "" }, { "set points without a filter", "cutoff = 0" }, { "fast filter", "cutoff = 4" },
  { "slow", "velocity = 0.004, timeout = 20" },
  { "motors late by 0.25 s", "cutoff = 4", { "delay 0.25 of all" } },
  { "targets that get lost", "cutoff = 4", { "drop 60% of all" } },
} do
  test("thin air is not held: " .. row[1], function(t)
    local run = grasp(t, row[2], { faults = row[3] })
    run:advance(14)
    t:equal(run.state, "empty")
    t:match(run.memory.why, "the hand holds nothing: its fingers went all the way")
    t:ok(run:measured(finger) < 0.0025, "its fingers are shut: %g", run:measured(finger))
  end)

  test("a cube is held: " .. row[1], function(t)
    local run = grasp(t, row[2], { faults = row[3], things = { cube } })
    run:advance(14)
    t:equal(run.state, "has", tostring(run.memory.why))
    t:equal(run.world:state "cube".held_by, "hand")
    t:near(run:measured(finger), 0.025, 0.0005, "half as wide as the cube")
  end)
end

--- What most behaviors want all the time.
local usual = "want.nominal_posture { here = true }, want.joint_limits {}, want.collision_avoidance {}"

test("thin air is not held, and a cube is, beside other objectives", function(t)
  local run = grasp(t, "", { wants = usual })
  run:advance(4)
  t:equal(run.state, "empty")
  t:match(run.memory.why, "the hand holds nothing: its fingers went all the way")
  run = grasp(t, "", { wants = usual, things = { cube } })
  run:advance(4)
  t:equal(run.state, "has", tostring(run.memory.why))
end)

test("fingers that other objectives keep open hold nothing", function(t)
  local run = grasp(t, "timeout = 2", {
    wants = 'want.nominal_posture { here = true, weight = 20000 }' })
  run:advance(4)
  t:equal(run.state, "empty")
  t:match(run.memory.why, "after 2 s the hand is not done: panda_finger_joint1 is 0.0%d+ m off its goal, \z
    as commanded: other objectives or a limit keep it there, nothing that it holds")
end)

test("a hand shuts all the way where joints keep away from the ends of their ranges", function(t)
  for _, robot in ipairs { "panda", "biped" } do
    local run = t:run("shut.lua", { source = ([[
local brio = require "brio"
local shut = brio.behavior "shut" { robot = "%s", start = "shutting" }
shut.shutting = { wants = { brio.want.joint_limits { weight = 50 } },
  tree = { "hand", grip = "close", timeout = 3 %s }, on = { tree_done = "done", tree_failed = "failed" } }
shut.done, shut.failed = {}, {}
return shut
]]):format(robot, robot == "biped" and ', side = "left"' or "") })
    run:advance(5)
    t:equal(run.state, "done", robot)
  end
end)

test("reports that come rarely do not make moving fingers stand", function(t)
  local mutes = {}
  for k = 0, 70 do mutes[#mutes + 1] = ("freeze %s at %.3f for 0.12"):format(finger, 0.1 + 0.125 * k) end
  local run = grasp(t, "", { faults = mutes })
  run:advance(10)
  t:equal(run.state, "empty", tostring(run.memory.why))
end)

test("holding is not mistaken about fingers on their way, and knows the cube", function(t)
  local more = '{ "holding", min = 0.04, max = 0.06 }'
  local run = grasp(t, "", { more = more, things = { cube } })
  run:advance(8)
  t:equal(run.state, "has", tostring(run.memory.why))
  run = t:run("hold.lua", { source = (source:gsub('"sequence",.-}, MORE',
    '"parallel", { "hand", grip = "close", cutoff = 0 }, { "holding", min = 0, timeout = 2 }')
    :gsub("WANTS", "")),
    world_data = {} })
  run:advance(4)
  t:equal(run.state, "empty")
  t:match(run.memory.why, "nothing stops the hand hand")
end)

--- A folder with a Pepper whose file does not describe its hands.
local function handless(t)
  local folder, list = t:temporary(), {}
  assert(os.execute("mkdir " .. folder))
  for index, name in ipairs { "model.urdf", "grips.lua", "robot.lua" } do
    local from <close> = assert(io.open("drivers/robots/pepper/" .. name))
    local text, count = from:read "a":gsub("\n  hands = {\n.-\n  },\n", "\n")
    assert(count == (name == "robot.lua" and 1 or 0))
    list[index] = folder .. "/" .. name
    assert(io.open(list[index], "w")):write(text):close()
  end
  t.remove = table.move(t.remove, 1, #t.remove, #list + 1, list) -- the folder last
  return folder
end

test("a hand of which the simulated world knows nothing says so when it shuts on air", function(t)
  local run = t:run("hold.lua", { robot = handless(t), source = (source:gsub('robot = "panda", ',
    ""):gsub('"open", velocity = 0.05',
    '"open", side = "left"'):gsub('grip = "close"', 'grip = "close", side = "left"'):gsub("OPTIONS",
    ""):gsub("MORE", ""):gsub("WANTS", "")) })
  run:advance(8)
  t:equal(run.state, "empty")
  t:match(run.memory.why, "nothing is between them %(a simulated hand grasps only if the robot's file")
end)
