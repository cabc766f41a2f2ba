--- The leaves `drive` and `say`.
local trees = require "brio.tree"
local robots = require "brio.robots"

--- A cart that rolls on a plane, with a mast that turns; its room is turned by a quarter.
local cart = [[<robot name="cart"><link name="room"/><link name="cart"><inertial><mass value="5"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="mast"/>
<joint name="base" type="planar"><parent link="room"/><child link="cart"/><axis xyz="0 0 1"/>
<origin xyz="1 2 0" rpy="0 0 1.5707963267948966"/></joint>
<joint name="pan" type="revolute"><parent link="cart"/><child link="mast"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" velocity="2" effort="1"/></joint></robot>]]

local function run_of(t, tree, robot, options)
  options = options or {}
  if robot == "cart" then
    robot = t:temporary ".urdf"
    local handle = assert(io.open(robot, "w"))
    handle:write(cart)
    handle:close()
  end
  options.robot = robot
  options.source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = { words = {} } }
b.one = { tree = ]] .. tree .. [[, on = { tree_done = "done", word = function(self, data) table.insert(self.memory.words, data.word) end,
  tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done = { enter = function(self) self.memory.at = self.now end }
b.failed = { enter = function(self) self.memory.at = self.now end }
return b
]]
  return t:run("source", options)
end

--- The position of the cart's joint.
local function at(run) return { run:measured "base.x", run:measured "base.y", run:measured "base.angle" } end

test("a cart drives ahead and turns, no faster than it may, and stays there", function(t)
  local run = run_of(t, '{ "sequence", { "drive", x = 0.6, y = 0.3, yaw = 0.5, speed = 0.4 }, { "drive", x \z
    = 0.2 } }', "cart")
  local before, fastest = nil, 0
  for _ = 1, 160 do
    run:advance(0.05)
    local now = at(run)
    if before then
      fastest = math.max(fastest, math.sqrt((now[1] - before[1]) ^ 2 + (now[2] - before[2]) ^ 2) / 0.05)
    end
    before = now
  end
  t:equal(run.state, "done")
  t:ok(fastest < 0.43 and fastest > 0.25, "%g", fastest)
  t:near(at(run), { 0.6 + 0.2 * math.cos(0.5), 0.3 + 0.2 * math.sin(0.5), 0.5 }, 0.02)
end)

test("places in the world, and turned first where wheels only roll", function(t)
  local run = run_of(t, '{ "drive", frame = "world", x = 1, y = 3, yaw = 3.1, via = "turn_drive_turn" }',
    "cart")
  local sideways = 0
  for _ = 1, 300 do
    local a = at(run)
    run:advance(0.05)
    local b = at(run)
    local dx, dy = b[1] - a[1], b[2] - a[2]
    sideways = math.max(sideways, math.abs(dy * math.cos(b[3]) - dx * math.sin(b[3])))
  end
  t:equal(run.state, "done")
  t:ok(sideways < 0.002, "it slides by %g", sideways)
  local pose = run.scene:frame "cart"
  t:near(pose.position, { 1, 3, 0 }, 0.02)
  t:near(math.abs(pose.orientation[3]), math.sin(1.55), 0.02)
  t:near(run:measured "base.angle", 3.1 - math.pi / 2, 0.03, "the short way round")
end)

test("where a cart stands is captured, and leads there again", function(t)
  local run = run_of(t, '{ "sequence", { "drive", x = 0.6, y = 0.3, yaw = 0.5 }, { "wait", seconds = 60 } }',
    "cart")
  run:advance(6)
  local site = run.run.host.top.current.tree.site
  local said = trees.kinds.drive.record.capture({ x = 0, y = 0, yaw = 0 }, site)
  t:equal(said.frame, "world")
  local pose = run.scene:frame "cart"
  t:near({ said.x, said.y, said.yaw }, { pose.position[1], pose.position[2], math.pi / 2 + 0.5 }, 0.02)
  local again = trees.kinds.drive.record.capture({ frame = "room" }, site)
  t:near({ again.x, again.y, again.yaw }, { said.x, said.y, said.yaw }, 1e-3)
end)

test("a cart that does not get there says by how much, and one that is stopped rests", function(t)
  local run = run_of(t, '{ "drive", x = 1 }', "cart", { faults = { "stall base.x" } })
  run:advance(8)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "after %d+%.%d+ s it is 1%.000 m and 0%.000 rad off, where 0.05 m and 0.05 rad \z
    would do")
  run = run_of(t, '{ "drive", x = 3, timeout = 1 }', "cart")
  run:advance(2)
  t:match(run.memory.why, "longer than its timeout, 1 s: it is %d%.%d+ m off")
  local there = at(run)
  run:advance(1)
  t:near(at(run), there, 0.01)
end)

test("who has no wheels is told so before anything runs", function(t)
  local made = trees.compile { "drive", x = 1 }
  local record = trees.kinds.drive.record
  t:match(record.fault(made.list[1].values, { description = robots.find "pepper" }),
    "has no base that drives: its model has no planar")
end)

test("a text is said, and its end is the leaf's", function(t)
  local run = run_of(t, '{ "sequence", { "say", text = "Hello {wave} there." }, { "say", text = "Good \z
    *bye*.", rate = 2 } }', "probo")
  run:advance(0.3)
  t:equal(run.state, "one")
  run:advance(5)
  t:equal(run.state, "done")
  t:equal(run.memory.words, { "Hello", "there.", "Good", "bye." })
  t:ok(run.memory.at > 0.8, "%g", run.memory.at)
end)

test("speech that is cut off is a failure, and a leaf that is stopped is silent", function(t)
  local run = run_of(t, '{ "say", text = "One two three four five six seven eight nine ten eleven twelve." }',
    "probo")
  run:advance(0.5)
  run.run.host.speech:hush "hushed"
  run:advance(0.1)
  t:match(run.memory.why, "it was cut off: hushed")
  run = run_of(t, '{ "timeout", seconds = 0.5, { "say", text = "One two three four five six seven eight \z
    nine ten eleven." } }', "probo")
  run:advance(1)
  t:equal(run.state, "failed")
  t:equal(run.run.host.speech.current, nil)
  t:ok(#run.memory.words < 6)
  t:match(select(2, pcall(run_of, t, '{ "say", text = "a {b" }', "probo")), "has no }")
end)
