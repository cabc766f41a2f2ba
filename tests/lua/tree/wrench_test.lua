--- The leaf `wrench`: a gantry of two slides that meets an elastic wall, as its motors report it.
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
