--- `brio lua walking_cassie.lua FILE [HEIGHT [SPEED ...]]`: periodic orbits of a walking Cassie with
--- impacts, one for each speed (m/s; 0, 0.2 and 0.4), each from the one before. Prints for each how the
--- solution ended, its iterations and processor seconds, the cost, the violation (scaled), and how far one
--- cycle is from itself: the greatest difference of the state, after the impact by brio.dynamics, in rad,
--- m, rad/s and m/s.
---
--- An orbit is two steps of 0.4 s, right stance and left stance, each begun by an impact of the foot that
--- lands. The pelvis stays within 3.5 cm of its height, forces within cones of friction, the swinging foot
--- above an arc, torques and joints within their limits. FILE: see cassie.lua. It needs Ipopt (make ipopt).
local cassie = dofile "scripts/bench/kinematics/cassie.lua"
local dynamics = require "brio.dynamics"
local geometry = require "brio.geometry"
local trajectory = require "brio.trajectory"

local step, nodes, band, clearance, friction = 0.4, 9, 0.035, 0.064, 0.6
local model = cassie.load(arg[1])

--- Where a point of a foot is.
local function place(q, side, point)
  local pose = model:forward(q).links[side .. "_toe"]
  local turned = geometry.turn(pose.orientation, point)
  return { pose.position[1] + turned[1], pose.position[2] + turned[2], pose.position[3] + turned[3] }
end

--- Upright, the feet on the ground.
local stand = { base = { position = { 0, 0, 1 } }, joints = cassie.pose }
for _, point in ipairs(cassie.points) do
  stand.base.position[3] = stand.base.position[3] - place({ base = { position = { 0, 0, 1 } },
    joints = cassie.pose }, "right", point)[3] / #cassie.points
end

local sides = { "right", "left" }

--- The contacts of a foot that stands `ahead` of where it stands upright.
local function contacts(side, ahead)
  local list = {}
  for index, point in ipairs(cassie.points) do
    local at = place(stand, side, point)
    list[index] = { link = side .. "_toe", point = point, at = { at[1] + ahead, at[2], 0 },
      friction = friction }
  end
  return list
end

--- What holds in a phase: where its foot lands, and how high the other one is.
local function add_phase(terms, phase, held)
  local swing = sides[3 - phase]
  for index, contact in ipairs(held) do
    -- the second point repeats the first one along the line between them
    local lower, upper = { table.unpack(contact.at) }, { table.unpack(contact.at) }
    if index == 2 then lower[1], upper[1] = -100, 100 end
    terms[#terms + 1] = { "point", link = contact.link, at = contact.point, phase = phase, node = 1,
      lower = lower, upper = upper }
    for node = 2, nodes - 1 do
      local u = (node - 1) / (nodes - 1)
      terms[#terms + 1] = { "point", link = swing .. "_toe", at = contact.point, phase = phase, node = node,
        lower = { -100, -100, clearance * 4 * u * (1 - u) }, upper = { 100, 100, 100 } }
    end
  end
end

--- The problem of a speed and a height, and the length of a step.
local function problem_of(speed, height)
  local length = speed * step
  local phases = {}
  local terms = {
    { "effort", per = "time", scale = cassie.scale },
    { "velocity", weight = 1e-3, per = "time" },
    { "acceleration", weight = 1e-5, per = "time" },
    { "friction" },
    { "point", link = "pelvis", lower = { -100, -100, height - band }, upper = { 100, 100, height + band } },
  }
  for phase = 1, 2 do
    local held = contacts(sides[phase], (phase - 1) * length)
    phases[phase] = { nodes = nodes, duration = step, contacts = held, impact = true }
    add_phase(terms, phase, held)
  end
  return { phases = phases, terms = terms, limits = cassie.limits, scheme = "trapezoidal",
    cycle = { base = { 2 * length, 0, 0 } } }, length
end

--- A first guess: the legs are lifted in turn.
local function guess(plan, length, height)
  local list = {}
  for k = 0, 2 * nodes - 1 do
    local phase, u = k // nodes + 1, k % nodes / (nodes - 1)
    local joints, side, lift = {}, sides[3 - phase], math.sin(math.pi * u)
    for name, value in pairs(cassie.pose) do joints[name] = value end
    joints["hip_flexion_" .. side] = joints["hip_flexion_" .. side] + 0.21 * lift
    joints["knee_joint_" .. side] = joints["knee_joint_" .. side] - 0.42 * lift
    joints["toe_joint_" .. side] = joints["toe_joint_" .. side] + 0.07 * lift
    list[k + 1] = { joints = joints, base = { orientation = { 0, 0, 0, 1 },
      position = { length * (phase - 1 + u), (phase == 1 and -0.02 or 0.02) * lift, height } } }
  end
  return plan:guess(list)
end

--- How far the state at the end of a cycle, after the impact, is from that at its beginning.
local function mismatch(motion, held, length)
  local first, last, worst = motion[1], motion[#motion], 0
  local constraints = {}
  for index, contact in ipairs(held) do
    constraints[index] = { link = contact.link, frame = { position = contact.point },
      at = { position = contact.at } }
  end
  local after = dynamics.new(model):impact(first.configuration, last.velocity, constraints)
  local function compare(a, b) worst = math.max(worst, math.abs(a - b)) end
  for name, value in pairs(first.configuration.joints) do
    compare(value, last.configuration.joints[name])
    compare(after.joints[name], first.velocity.joints[name])
  end
  for axis = 1, 3 do
    compare(last.configuration.base.position[axis],
      first.configuration.base.position[axis] + (axis == 1 and 2 * length or 0))
    compare(after.linear[axis], first.velocity.linear[axis])
    compare(after.angular[axis], first.velocity.angular[axis])
  end
  local from, to = first.configuration.base.orientation, last.configuration.base.orientation
  return math.max(worst, geometry.angle(from, to))
end

local height = tonumber(arg[2]) or stand.base.position[3] - 0.05
local speeds = { table.unpack(arg, 3) }
local motion
for _, speed in ipairs(#speeds > 0 and speeds or { 0, 0.2, 0.4 }) do
  speed = assert(tonumber(speed), "a speed must be a number, m/s")
  local problem, length = problem_of(speed, height)
  local plan = trajectory.new(model, problem)
  local before = os.clock()
  local made, outcome = assert(plan:solve(motion or guess(plan, length, height), { backend = "ipopt",
    iterations = 300, seconds = 120, tolerance = 1e-6, optimality = 1e-2, barrier = motion and 1e-3 or 0.1 }))
  local words = "%5.2f m/s %5.3f m  %-8s %3d iterations %5.1f s  cost %.3f  violation %.1e  cycle %.1e"
  print(words:format(speed, height, outcome.finish, outcome.iteration, os.clock() - before, outcome.cost,
    outcome.violation, mismatch(made, problem.phases[1].contacts, length)))
  if outcome.finish == "solved" or outcome.finish == "feasible" then motion = made end
end
