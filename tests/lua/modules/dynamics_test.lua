-- brio.dynamics: forces, accelerations and momentum by name; what does not fit is refused with what was
-- expected.
local dynamics = require "brio.dynamics"
local robot = require "brio.robot"

local function arm() return assert(robot.load "drivers/robots/panda/model.urdf") end

local pose = { joints = { panda_joint2 = 0.4, panda_joint4 = -1.8, panda_joint6 = 2.1 } }
local velocity = { joints = { panda_joint1 = 0.5, panda_joint3 = -0.7, panda_joint6 = 0.9 } }
local acceleration = { joints = { panda_joint2 = 1.5, panda_joint5 = -2 } }

--- One block on a slide along z: 2 kg, its center 0.3 m above the joint.
local slider = [[<robot name="slider"><link name="ground"/>
  <link name="block"><inertial><origin xyz="0 0 0.3"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="lift" type="prismatic"><parent link="ground"/><child link="block"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" velocity="1" effort="100"/><dynamics damping="4"/></joint></robot>]]

local function block(options) return dynamics.new(assert(robot.parse(slider, "slider.urdf")), options) end

test("a block on a slide: its weight, its fall, its energy", function(t)
  local moves = block()
  t:near(moves:inverse({}).joints.lift, 2 * 9.81, 1e-12)
  t:near(moves:forward({}).joints.lift, -9.81, 1e-12)
  t:near(moves:forward({}, nil, { joints = { lift = 30 } }).joints.lift, 15 - 9.81, 1e-12)
  local kinetic, potential = moves:energy({ joints = { lift = 0.5 } }, { joints = { lift = 3 } })
  t:near(kinetic, 9, 1e-12)
  t:near(potential, 2 * 9.81 * 0.8, 1e-12)
  t:near(moves:momentum({}, { joints = { lift = 3 } }).linear[3], 6, 1e-12)
  t:near(moves:momentum({}, { joints = { lift = 3 } }).com_velocity[3], 3, 1e-12)
end)

test("rotors, dampers and gravity are options", function(t)
  local heavy = block { armature = { lift = 1 }, damping = "file", gravity = { 0, 0, -1 } }
  t:near(heavy:inverse({}).joints.lift, 2, 1e-12)
  t:near(heavy:forward({}).joints.lift, -2 / 3, 1e-12)
  t:near(heavy:inverse({}, { joints = { lift = 2 } }).joints.lift, 2 + 4 * 2, 1e-12)
  local damped = block { damping = { lift = 5 } }
  t:near(damped:inverse({}, { joints = { lift = 2 } }).joints.lift, 2 * 9.81 + 10, 1e-12)
end)

test("forward dynamics undoes inverse dynamics", function(t)
  local moves = dynamics.new(arm())
  local back = moves:forward(pose, velocity, moves:inverse(pose, velocity, acceleration))
  for name, value in pairs(back.joints) do t:near(value, acceleration.joints[name] or 0, 1e-9, name) end
end)

test("M times acceleration is what it adds to the forces", function(t)
  local model = arm()
  local moves = dynamics.new(model)
  local mass, names = moves:mass_matrix(pose), model:variables()
  local with = moves:inverse(pose, velocity, acceleration).joints
  local without = moves:inverse(pose, velocity).joints
  t:equal(#mass, 6 + #names)
  for i, row in ipairs(names) do
    local sum = 0
    for k, column in ipairs(names) do
      sum = sum + mass[6 + i][6 + k] * (acceleration.joints[column.name] or 0)
      t:near(mass[6 + i][6 + k], mass[6 + k][6 + i], 1e-12)
    end
    t:near(sum, with[row.name] - without[row.name], 1e-10, row.name)
  end
end)

test("a point's Jacobian is that of the robot, and its rate gives the drift", function(t)
  local model = arm()
  local point = dynamics.new(model):point(pose, velocity, "panda_hand", { 0, 0, 0.1 })
  local jacobian = model:jacobian(pose, "panda_hand", { 0, 0, 0.1 })
  for r = 1, 6 do
    local speed, drift = 0, 0
    for i, variable in ipairs(model:variables()) do
      t:near(point.jacobian[r][6 + i], jacobian[r][6 + i], 1e-12)
      speed = speed + jacobian[r][6 + i] * (velocity.joints[variable.name] or 0)
      drift = drift + point.rate[r][6 + i] * (velocity.joints[variable.name] or 0)
    end
    t:near(speed, r <= 3 and point.linear[r] or point.angular[r - 3], 1e-12)
    t:near(drift, r <= 3 and point.linear_drift[r] or point.angular_drift[r - 3], 1e-12)
  end
end)

test("derivatives are differences", function(t)
  local model = arm()
  local moves = dynamics.new(model)
  local names, step = model:variables(), 1e-6
  local slopes = moves:inverse_derivatives(pose, velocity, acceleration)
  local forces = moves:inverse(pose, velocity, acceleration)
  local forward = moves:forward_derivatives(pose, velocity, forces)
  t:near(forward.acceleration.joints.panda_joint2, 1.5, 1e-9)
  for k, variable in ipairs(names) do
    local at = {}
    for side = -1, 1, 2 do
      local moved = { joints = {} }
      for name, value in pairs(pose.joints) do moved.joints[name] = value end
      moved.joints[variable.name] = (moved.joints[variable.name] or 0) + side * step
      at[side] = moves:inverse(moved, velocity, acceleration).joints
    end
    -- a variable whose range leaves 0 out begins in the middle of it
    if pose.joints[variable.name] or (variable.lower <= 0 and variable.upper >= 0) then
      for i, row in ipairs(names) do
        t:near(slopes.by_configuration[6 + i][6 + k], (at[1][row.name] - at[-1][row.name]) / (2 * step), 1e-5)
      end
    end
  end
  local mass = moves:mass_matrix(pose)
  for i = 1, #names do
    local sum = 0
    for k = 1, #names do sum = sum + forward.by_forces[6 + i][6 + k] * mass[6 + k][6 + 1] end
    t:near(sum, i == 1 and 1 or 0, 1e-9)
  end
end)

test("a robot that is held does not fall, and its weight is borne", function(t)
  local heavy = slider:gsub('<link name="ground"/>', [[<link name="ground"><inertial><mass value="3"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>]])
  local model = assert(robot.parse(heavy, "slider.urdf", { base = "free" }))
  local moves = dynamics.new(model)
  local ground = { link = "ground", rigid = true }
  local du, forces, found = moves:constrained({}, nil, { joints = { lift = 2 * 9.81 } }, { ground })
  t:near(forces[1].force[3], 5 * 9.81, 1e-9)
  t:near(du.joints.lift, 0, 1e-9)
  t:equal(found.rows, 6)
  t:ok(found.residual < 1e-9, "residual " .. found.residual)
  local _, both, more = moves:constrained({}, nil, { joints = { lift = 2 * 9.81 } },
    { ground, { link = "block", to = "ground" } })
  t:equal(more.rows, 9)
  t:near(both[1].force[3], 5 * 9.81, 1e-7)
  t:equal(both[2].moment, nil)
  local after, impulses = moves:impact({}, { linear = { 0, 0, -1 } }, { ground })
  t:near(after.linear[3], 0, 1e-9)
  t:near(after.joints.lift, -1, 1e-9) -- the block slides on
  t:near(impulses[1].force[3], 3, 1e-9)
end)

--- Two hinged bars that hang side by side, joined at their ends: a rotor, a spring, a damper, a loop.
local looped = [[<mujoco model="swing"><worldbody>
  <body name="left"><joint name="j" axis="0 1 0" armature="0.5" stiffness="3" springref="0" damping="0.25"/>
    <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -1"/></body>
  <body name="right" pos="1 0 0"><joint name="k" axis="0 1 0"/>
    <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -1"/>
    <body name="bar" pos="0 0 -1"><joint name="l" axis="0 1 0"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 -1 0 0"/></body></body>
</worldbody><equality><connect body1="bar" body2="left" anchor="-1 0 0"/></equality></mujoco>]]

test("rotors, springs, dampers and loops are those of the file", function(t)
  local model = assert(robot.parse(looped, "swing.xml"))
  local moves, bare = dynamics.new(model), dynamics.new(model, { armature = {} })
  t:near(moves:mass_matrix({})[7][7] - bare:mass_matrix({})[7][7], 0.5, 1e-12)
  local same = dynamics.new(model, { armature = "file" })
  t:near(same:mass_matrix({})[7][7], moves:mass_matrix({})[7][7], 0)
  local tilted = { joints = { j = 0.2, k = 0.2, l = -0.2 } }
  t:near(moves:passive(tilted).joints.j, -0.6, 1e-12)
  t:near(moves:passive(tilted, { joints = { j = 2, k = 2 } }).joints.j, -0.6 - 0.5, 1e-12)
  t:near(dynamics.new(model, { damping = "file" }):passive(tilted, { joints = { j = 2 } }).joints.j,
    -0.6, 1e-12)
  -- the bars of a parallelogram turn alike, and the bar between them stays level
  local du, forces, found = moves:constrained(tilted, nil, moves:passive(tilted), { loops = true })
  t:ok(du.joints.j < -1, "it swings back: " .. du.joints.j)
  t:near(du.joints.k, du.joints.j, 1e-9)
  t:near(du.joints.l, -du.joints.j, 1e-9)
  t:equal({ found.rows, #forces }, { 3, 1 })
  -- by hand, the loop is a constraint as any other
  local loop = model:loops()[1]
  local other = moves:constrained(tilted, nil, moves:passive(tilted), {
    { link = loop.links[1], frame = loop.frames[1], to = loop.links[2], at = loop.frames[2] } })
  t:near(other.joints.j, du.joints.j, 1e-12)
  -- a gap is pulled to 0
  local open = { joints = { j = 0.1 } }
  local still = moves:constrained(open, nil, nil, { loops = true }).joints
  local pulled = moves:constrained(open, nil, nil, { loops = { stiffness = 100 } }).joints
  t:ok(pulled.j - pulled.k < still.j - still.k - 1, "the gap stays")
  for _, wrong in ipairs { { loops = 3 }, { loops = { stiff = 1 } }, { loop = true } } do
    t:ok(not pcall(moves.constrained, moves, open, nil, nil, wrong), "accepted")
  end
  t:equal(moves:impact(tilted, { joints = { j = 1 } }, { loops = false }).joints.j, 1)
end)

test("what does not fit is refused with what was expected", function(t)
  local model = arm()
  local moves = dynamics.new(model)
  local function refused(pattern, ...)
    local good, why = pcall(...)
    t:ok(not good, "accepted: " .. pattern)
    t:match(tostring(why), pattern)
  end
  refused("velocity: .*panda_joint11.*did you mean 'panda_joint1'", moves.inverse, moves, pose,
    { joints = { panda_joint11 = 1 } })
  refused("velocity has no field 'joint'", moves.inverse, moves, pose, { joint = {} })
  refused("forces has no field 'torques'", moves.forward, moves, pose, velocity, { torques = {} })
  refused("no link 'hand'", moves.point, moves, pose, velocity, "hand")
  refused("armature: panda_joint1 must be", dynamics.new, model, { armature = { panda_joint1 = -1 } })
  refused("a constraint needs a link", moves.constrained, moves, pose, nil, nil, { {} })
  refused("a constraint has no field 'stiff'", moves.constrained, moves, pose, nil, nil,
    { { link = "panda_hand", stiff = 1 } })
  local empty = assert(robot.parse([[<robot name="e"><link name="a"/><link name="b"/><joint name="j"
    type="continuous"><parent link="a"/><child link="b"/></joint></robot>]], "e.urdf"))
  local weightless = dynamics.new(empty)
  refused("not positive definite at variable j", weightless.forward, weightless, {})
end)

--- An arm that rests, pushed at its hand and held in place by its motors: one update after another.
local function push(watch, moves, model, force, steps)
  local jacobian = model:jacobian(pose, "panda_hand", { 0, 0, 0.1 })
  local tau, expected = moves:inverse(pose), {}
  for i, variable in ipairs(model:variables()) do
    local sum = 0
    for k = 1, 3 do sum = sum + jacobian[k][6 + i] * force[k] end
    tau.joints[variable.name], expected[variable.name] = tau.joints[variable.name] - sum, sum
  end
  local residual
  for _ = 1, steps do residual = watch:update(pose, nil, tau, 0.002) end
  return residual, expected
end

test("an observer finds a push: residual, wrench and collisions", function(t)
  local model = arm()
  local moves = dynamics.new(model)
  local watch = moves:observer { gain = 50, thresholds = { panda_joint1 = 1.5, panda_joint2 = 0.5 },
    time = 0.01 }
  local force = { 6, 9, -5 }
  local residual, expected = push(watch, moves, model, force, 11)
  for name, value in pairs(expected) do
    t:near(residual.joints[name], value * (1 - math.exp(-50 * 0.02)), 1e-9, name)
  end
  push(watch, moves, model, force, 400)
  local found = watch:wrench("panda_hand", { 0, 0, 0.1 }, true)
  for k = 1, 3 do t:near(found.force[k], force[k], 1e-6) end
  t:equal({ found.rank, found.moment[1] }, { 3, 0 })
  t:ok(found.misfit < 1e-6, "misfit " .. found.misfit)
  t:equal(watch:wrench("panda_link0").rank, 0)
  local list = watch:collisions()
  for _, one in ipairs(list) do
    t:ok(math.abs(one.torque) > one.threshold and one.since > 0, one.joint)
    t:near(one.torque, expected[one.joint], 1e-6)
  end
  t:equal({ #list, list[#list].joint, list[#list].link, list[#list].outermost },
    { 2, "panda_joint2", "panda_link2", true })
  t:equal(list[1].outermost, false)
  -- a gap, and a reset, begin again
  t:equal(watch:gaps(), 0)
  t:equal(watch:update(pose, nil, nil, 5).joints.panda_joint2, 0)
  t:equal({ watch:gaps(), #watch:collisions() }, { 1, 0 })
  push(watch, moves, model, force, 100)
  watch:reset()
  t:equal(#watch:collisions(), 0)
end)

test("the noise of an observer grows with its gain", function(t)
  local moves = dynamics.new(arm())
  local slow, fast = moves:observer { gain = 10 }, moves:observer { gain = 40 }
  local of_velocity, of_torque = { joints = { panda_joint4 = 0.01 } }, { joints = { panda_joint4 = 0.2 } }
  local a = slow:noise(pose, of_velocity, nil, 1e-4).joints.panda_joint4
  local b = fast:noise(pose, of_velocity, nil, 1e-4).joints.panda_joint4
  t:near(b / a, 4, 0.02)
  t:near(slow:noise(pose, nil, of_torque, 1e-4).joints.panda_joint4, 0.2 * math.sqrt(10 * 1e-4 / 2), 1e-5)
end)

test("what an observer cannot use is refused, and changes nothing", function(t)
  local model = arm()
  local moves = dynamics.new(model)
  local watch = moves:observer()
  local residual = push(watch, moves, model, { 5, 0, 0 }, 50).joints.panda_joint2
  local function refused(pattern, ...)
    local good, why = pcall(...)
    t:ok(not good, "accepted: " .. pattern)
    t:match(tostring(why), pattern)
  end
  local nan = 0 / 0
  refused("dt must be a number above 0", watch.update, watch, pose, nil, nil, 0)
  refused("dt must be", watch.update, watch, pose, nil, nil, nan)
  refused("dt must be", watch.update, watch, pose)
  refused("velocity: panda_joint1 must be a finite number", watch.update, watch, pose,
    { joints = { panda_joint1 = nan } }, nil, 0.01)
  refused("velocity must be a table .* not a list", watch.update, watch, pose, { 0, 0, 0 }, nil, 0.01)
  refused("forces must be a table .* not a list", watch.update, watch, pose, nil, { 1, 2, 3 }, 0.01)
  refused("did you mean 'panda_joint7'", watch.update, watch, pose, nil, { joints = { panda_join7 = 1 } },
    0.01)
  refused("no field 'gian'", moves.observer, moves, { gian = 3 })
  refused("gain must be a number above 0", moves.observer, moves, { gain = 0 })
  refused("thresholds: panda_joint1 must be", moves.observer, moves, { thresholds = { panda_joint1 = -1 } })
  refused("threshold of variable 'panda_joint1' must be a number above 0", moves.observer, moves,
    { thresholds = 0 })
  refused("no link 'hand'", watch.wrench, watch, "hand")
  refused("no update yet", function() return moves:observer():wrench "panda_hand" end)
  t:near(push(watch, moves, model, { 5, 0, 0 }, 1).joints.panda_joint2, residual, 0.3)
end)
