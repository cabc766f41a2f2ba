--- Trajectories with impacts that repeat: a rimless wheel, whose motion is known in closed form.  It needs
--- Ipopt.
local robot = require "brio.robot"
local trajectory = require "brio.trajectory"

--- A rimless wheel on a slope: a hub (1 kg, 0.1 kg m^2) on spokes of 1 m, of which one stands.
local wheel_text = [[<robot name="wheel"><link name="ground"/>
  <link name="hub_x"><inertial><mass value="1e-9"/><inertia ixx="1e-9" iyy="1e-9" izz="1e-9"
    ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hub_z"><inertial><mass value="1e-9"/><inertia ixx="1e-9" iyy="1e-9" izz="1e-9"
    ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hub"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <joint name="x" type="prismatic"><parent link="ground"/><child link="hub_x"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="0" velocity="100"/></joint>
  <joint name="z" type="prismatic"><parent link="hub_x"/><child link="hub_z"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="0" velocity="100"/></joint>
  <joint name="turn" type="revolute"><parent link="hub_z"/><child link="hub"/><axis xyz="0 1 0"/>
    <limit lower="-9" upper="9" effort="0" velocity="100"/></joint></robot>]]

test("a rimless wheel rolls down a slope as its closed form says: impacts, and a cycle", function(t)
  local half, slope, inertia = 0.2, 0.1, 0.1 -- half the angle between spokes, rad; rad; kg m^2
  local model = assert(robot.parse(wheel_text, "wheel.urdf"))
  local way = 2 * math.sin(half)
  local plan = trajectory.new(model, { motors = {},
    phases = { { nodes = 17, duration = 0.2, stretch = { 0.5, 2 }, impact = true,
      contacts = { { link = "hub", point = { 0, 0, -1 }, at = { 0, 0, 0 } } } } },
    terms = { { "duration", weight = 1e-6, node = 1 },
      { "point", link = "hub", at = { 0, 0, -1 }, node = 1, lower = { -1e-4, -1, -1e-4 },
        upper = { 1e-4, 1, 1e-4 } } },
    cycle = { joints = { x = way * math.cos(slope), z = -way * math.sin(slope), turn = 2 * half } } })
  local configurations = {}
  for k = 1, 17 do
    local turn = slope - half + 2 * half * (k - 1) / 16
    configurations[k] = { joints = { x = math.sin(turn), z = math.cos(turn), turn = turn } }
  end
  local guess = plan:guess(configurations)
  t:raises(function() assert(plan:solve(guess)) end, "solves chains, not cycles: use 'ipopt'")
  local good, motion, outcome = pcall(plan.solve, plan, guess, { backend = "ipopt", tolerance = 1e-8 })
  if not good or not motion then
    local why = tostring(good and outcome or motion)
    if why:find "is not there" then t:skip "Ipopt is not installed (make ipopt)" end
    error(why)
  end
  t:equal(outcome.finish, "solved")
  -- angular momentum about the new foot, and energy between two impacts
  local keeps = (math.cos(2 * half) + inertia) / (1 + inertia)
  local gains = 2 * 9.81 * (math.cos(slope - half) - math.cos(slope + half)) / (1 + inertia)
  local after = math.sqrt(keeps ^ 2 * gains / (1 - keeps ^ 2))
  t:near(motion[1].velocity.joints.turn, after, 1e-4)
  t:near(motion[17].velocity.joints.turn, after / keeps, 1e-4)
  t:near(motion[1].configuration.joints.turn, slope - half, 1e-4)
  t:near(motion[17].configuration.joints.x - motion[1].configuration.joints.x, way * math.cos(slope), 1e-6)
  -- the time of the pendulum, by a sum over its way
  local seconds, steps = 0, 2000
  for i = 1, steps do
    local turn = slope - half + 2 * half * (i - 0.5) / steps
    seconds = seconds + 2 * half / steps
      / math.sqrt(after ^ 2 + 2 * 9.81 * (math.cos(slope - half) - math.cos(turn)) / (1 + inertia))
  end
  t:near(motion[17].time, seconds, 1e-4)
  local _, faults = plan:judge(motion)
  t:ok(not faults[1] or faults[1].violation < 1e-6, faults[1] and faults[1].what)
end)
