--- The leaves `wrench` and `contact`: a gantry of two slides that meets an elastic wall, as its motors report
--- it.
local robots = require "brio.robots"
local trees = require "brio.tree"

local gantry = [[<robot name="gantry"><link name="base"/><link name="bridge"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="gripper_link"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="along" type="prismatic"><parent link="base"/><child link="bridge"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" velocity="1" effort="%s"/></joint>
<joint name="up" type="prismatic"><parent link="bridge"/><child link="gripper_link"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="200"/></joint></robot>]]

--- A device whose first axis meets a spring of 4000 N/m at 0.03 m, and whose second carries a weight of 20 N.
local device = [[
return { name = "wall", doc = "A wall.", simulated = true,
  settings = { { name = "reports", doc = "Whether load is.", default = 1, unit = "1", lower = 0, upper = 1 } },
  open = function(axes, settings)
    local at = {}
    for index, axis in ipairs(axes) do at[index] = axis.start end
    return { at = at, reports = settings.reports == 1 }
  end,
  write = function(self, targets)
    for index, target in ipairs(targets) do if target then self.at[index] = target end end
    return true
  end,
  step = function() return true end,
  read = function(self)
    if not self.reports then return { self.at[1], self.at[2] } end
    local pushed = math.max(0, self.at[1] - 0.03) * 4000
    return { { position = self.at[1], velocity = 0, load = pushed / 100 }, { position = self.at[2], velocity = 0, load = 0.1 } }
  end,
}]]

local function write(t, text, ending)
  local path = t:temporary(ending)
  local handle = assert(io.open(path, "w"))
  handle:write(text)
  handle:close()
  return path
end

local function run_of(t, fields, settings)
  return t:run("source", { robot = write(t, gantry:format "100", ".urdf"), driver = write(t, device, ".lua"),
    settings = settings,
    source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { tree = { "sequence", { "wrench", ]] .. fields .. [[ } }, on = { tree_done = "done",
  tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done = { enter = function(self) self.memory.at = self.now end }
b.failed = {}
return b
]] })
end

test("a hand pushes a wall with the force that is wanted, and holds it", function(t)
  local run = run_of(t, 'force = { 12, 0, 0 }, seconds = 1')
  local most = 0
  for _ = 1, 800 do
    run:advance(0.01)
    most = math.max(most, (run:measured "along" - 0.03) * 4000)
    if run.state ~= "one" then break end
  end
  t:equal(run.memory.why, nil)
  t:equal(run.state, "done")
  t:near((run:measured "along" - 0.03) * 4000, 12, 1.8)
  t:ok(most < 16, "it pushed with %g N at the most", most)
  t:near(run:measured "up", 0, 0.002, "and went straight; the weight that was there is no force")
end)

test("a hand that meets nothing stops and says so", function(t)
  local run = run_of(t, 'force = { -10, 0, 0 }, travel = 0.05, timeout = 4')
  run:advance(4.5)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "after 4 s it pushes with %-?0.00 N, wanted 10.00 N within 1.50 N; it went 0.05 m \z
    and met too little")
  t:ok(run:measured "along" > -0.06)
end)

test("without reports of load it cannot be done, and that is said", function(t)
  local run = run_of(t, "force = { 5, 0, 0 }", { reports = 0 })
  run:advance(1)
  t:match(run.memory.why, "only where devices report the load of their motors, and along reports none")
  local made = trees.compile { "wrench", force = { 5, 0, 0 } }
  local record, values = trees.kinds.wrench.record, made.list[1].values
  local weak = robots.find(write(t, gantry:format "0", ".urdf"))
  t:match(record.fault(values, { description = weak }), "has no maximum torque of along")
  t:equal(record.fault(values, { description = robots.find "panda" }), nil)
  t:match(record.fault(values, { description = robots.find "pepper" }), "which arm%?")
  t:match(record.fault({ force = { 0, 0, 0 }, hold = true }, { description = robots.find "panda" }),
    "less than 0.01 N")
end)

--- A run whose gantry goes to 0.05 m, 0.02 m into the wall, while its tree waits.
local function waiting(t, fields, goal, inputs)
  return t:run("source", { robot = write(t, gantry:format "100", ".urdf"), driver = write(t, device, ".lua"),
    inputs = inputs,
    source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { wants = { brio.want.joint_match { joint = "along", goal = ]] .. goal .. [[, weight = 20 } },
  tree = { "sequence", { "contact", ]] .. fields .. [[ } }, on = { tree_done = "done",
  tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done = { enter = function(self) self.memory.at = self.now end }
b.failed = {}
return b
]] })
end

test("an arm that moves waits until it touches something", function(t)
  local run = waiting(t, "force = 20", "0.05")
  for _ = 1, 300 do
    run:advance(0.01)
    if run.state ~= "one" then break end
  end
  t:equal(run.memory.why, nil)
  t:equal(run.state, "done")
  local pressed = (run:measured "along" - 0.03) * 4000
  t:ok(pressed > 20 and pressed < 45, "it found %g N", pressed)
  run = waiting(t, "force = 20, timeout = 1", "0.02")
  run:advance(1.2)
  t:match(run.memory.why, "it touches nothing after 1 s: 0%.%d+, wanted more than 20")
end)

test("a contact may be an input, must last, and may be waited for to end", function(t)
  local rows = { toe = { kind = "touch" }, press = { kind = "number", lower = 0, upper = 100 },
    tilt = { kind = "imu" } }
  local run = waiting(t, "input = \"toe\", seconds = 0.2, timeout = 3", "0", rows)
  run:advance(0.3)
  run:input("toe", true)
  run:advance(0.1)
  run:input("toe", false)
  run:advance(0.3)
  t:equal(run.state, "one", "a touch of 0.1 s is too short")
  run:input("toe", true)
  run:advance(0.3)
  t:equal(run.state, "done")
  run = waiting(t, "input = \"press\", force = 10, gone = true, timeout = 1", "0", rows)
  run:input("press", 30)
  run:advance(0.5)
  t:equal(run.state, "one")
  run:input("press", 3)
  run:advance(0.1)
  t:equal(run.state, "done")
  run = waiting(t, "input = \"tilt\", timeout = 1", "0", rows)
  run:input("tilt", { acceleration = { 0, 0, 9.81 }, rate = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } })
  run:advance(0.1)
  t:match(run.memory.why, "the input 'tilt' is no switch and no number")
end)

--- A wrist that turns about z, 0.3 m from the base; a screw in its hand resists with 8 N m/rad from 0.1 rad
--- on.
local wrist = [[<robot name="wrist"><link name="base"/><link name="gripper_link"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="gripper_link"/><origin xyz="0.3 0 0"/>
<axis xyz="0 0 1"/><limit lower="-2" upper="2" velocity="2" effort="10"/></joint></robot>]]

local function turn_of(t, fields)
  local screw = device:gsub("self%.at%[1%] %- 0%.03%) %* 4000", "self.at[1] - 0.1) * 8")
    :gsub("pushed / 100", "pushed / 10")
    :gsub("{ self%.at%[1%], self%.at%[2%] }", "{ self.at[1] }")
      :gsub(", { position = self%.at%[2%], velocity = 0, load = 0%.1 } }", " }")
  return t:run("source", { robot = write(t, wrist, ".urdf"), driver = write(t, screw, ".lua"),
    source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { tree = { "sequence", { "wrench", ]] .. fields .. [[ } }, on = { tree_done = "done",
  tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done = { enter = function(self) self.memory.at = self.now end }
b.failed = {}
return b
]] })
end

test("a hand turns a screw with the moment that is wanted, and holds it", function(t)
  local run = turn_of(t, "moment = { 0, 0, 1.5 }, turn_stiffness = 8, seconds = 1")
  local most = 0
  for _ = 1, 800 do
    run:advance(0.01)
    most = math.max(most, (run:measured "turn" - 0.1) * 8)
    if run.state ~= "one" then break end
  end
  t:equal(run.memory.why, nil)
  t:equal(run.state, "done")
  t:near((run:measured "turn" - 0.1) * 8, 1.5, 0.2)
  t:ok(most < 2, "%g N m at the most", most)
end)

test("a moment that meets nothing fails after its turn, and force and moment exclude each other", function(t)
  local run = turn_of(t, "moment = { 0, 0, -1 }, turn_travel = 0.2, timeout = 3")
  run:advance(3.5)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "wanted 1.00 N m within 0.15 N m; it went 0.2 rad and met too little")
  local record = trees.kinds.wrench.record
  local about = { description = robots.find "panda" }
  t:match(record.fault({ force = { 1, 0, 0 }, moment = { 1, 0, 0 }, hold = true }, about), "one of them")
  t:match(record.fault({ hold = true }, about), "one of them")
end)
