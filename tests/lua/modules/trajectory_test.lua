--- The binding of trajectories, and standing motions made of animations (numbers: tests/engine/trajectory).
local records = require "brio.motion.standing.records"
local robot = require "brio.robot"
local standing = require "brio.standing"
local trajectory = require "brio.trajectory"
local windows = require "brio.motion.standing.windows"

local function link(name, mass, inertia, at)
  local place = at or "0 0 0"
  return ([[<link name="%s"><inertial><origin xyz="%s"/><mass value="%g"/><inertia ixx="%g" iyy="%g" izz="%g"
    ixy="0" ixz="0" iyz="0"/></inertial></link>]]):format(name, place, mass, inertia, inertia, inertia)
end

local function joint(name, parent, child, at, axis, lower, upper)
  return ([[<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="%s"/>
    <axis xyz="%s"/><limit lower="%g" upper="%g" velocity="8" effort="120"/></joint>]]):format(name, parent,
    child, at, axis, lower, upper)
end

--- A trunk of 12 kg on two legs of 0.6 m with ten motors and soles.
local function stander()
  local parts = { '<robot name="stander">', link("trunk", 12, 0.2, "0 0 0.15") }
  for side, y in pairs { left = 0.1, right = -0.1 } do
    local function add(name, parent, child, at, axis, lower, upper, mass)
      parts[#parts + 1] = link(side .. child, mass, 0.01, mass > 1 and "0 0 -0.15" or nil)
      parts[#parts + 1] = joint(side .. name, parent, side .. child, at, axis, lower, upper)
    end
    add("_roll", "trunk", "_hip", ("0 %g 0"):format(y), "1 0 0", -0.6, 0.6, 0.5)
    add("_pitch", side .. "_hip", "_thigh", "0 0 0", "0 1 0", -1.5, 0.8, 2)
    add("_knee", side .. "_thigh", "_shin", "0 0 -0.3", "0 1 0", 0, 2.2, 1.5)
    add("_ankle", side .. "_shin", "_heel", "0 0 -0.3", "0 1 0", -1.2, 0.8, 0.2)
    add("_sole", side .. "_heel", "_foot", "0 0 0", "1 0 0", -0.6, 0.6, 0.5)
  end
  parts[#parts + 1] = "</robot>"
  return assert(robot.parse(table.concat(parts), "stander.urdf", { base = "free" }))
end

local height = 0.6 * math.cos(0.4)

--- Crouching by `depth` and leaning aside by `lean` at most, and back, over `count` frames at 25 a second;
--- the legs follow, but for what leaning takes.
local function crouch(count, depth, lean)
  local frames = {}
  for k = 1, count do
    local part = math.sin(math.pi * (k - 1) / (count - 1)) ^ 2
    local bend, joints = math.acos((height - depth * part) / 0.6), {}
    local roll = math.atan(lean * part / height)
    for _, side in ipairs { "left", "right" } do
      joints[side .. "_pitch"], joints[side .. "_knee"], joints[side .. "_ankle"] = -bend, 2 * bend, -bend
      joints[side .. "_roll"], joints[side .. "_sole"] = roll, -roll
    end
    frames[k] = { base = { position = { 0, lean * part, height - depth * part } }, joints = joints }
  end
  return { rate = 25, frames = frames, keys = { 1, 1 + count // 2, count } }
end

local soles = { { link = "left_foot", sole = { 0.2, 0.08 } }, { link = "right_foot", sole = { 0.2, 0.08 } } }

local function options(more)
  local made = { contacts = soles, scale = {}, window = 0, margin = 0.01 }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

--- The greatest distance of the feet from where they stood.
local function drift(model, motion)
  local worst = 0
  local first = model:forward(motion[1].configuration).links
  for _, node in ipairs(motion) do
    local links = model:forward(node.configuration).links
    for _, name in ipairs { "left_foot", "right_foot" } do
      for axis = 1, 3 do
        worst = math.max(worst, math.abs(links[name].position[axis] - first[name].position[axis]))
      end
    end
  end
  return worst
end

test("a crouch becomes a motion that keeps feet, support and limits", function(t)
  local model = stander()
  local animation = crouch(21, 0.08, 0.02)
  local result = assert(standing.optimize(model, animation, options()))
  t:ok(result.finish == "solved" or result.finish == "feasible", result.finish)
  t:ok(result.violation <= 1e-7, tostring(result.violation))
  t:ok(drift(model, result.motion) < 2e-3)
  local first, last = result.motion[1], result.motion[21]
  for axis = 1, 3 do
    t:near(first.configuration.base.position[axis], animation.frames[1].base.position[axis], 1e-6)
    t:near(last.velocity.linear[axis], 0, 1e-6)
  end
  for _, node in ipairs(result.motion) do
    local com = model:forward(node.configuration).com
    t:ok(math.abs(com[2]) <= 0.14 - 0.01 + 1e-6 and math.abs(com[1]) <= 0.1 - 0.01 + 1e-6)
    for _, torque in pairs(node.torque) do t:ok(math.abs(torque) <= 120 + 1e-6) end
  end
  t:near(result.motion[11].configuration.base.position[3], height - 0.08, 0.02)
  local again = assert(standing.optimize(model, animation, options { from = result }))
  t:ok(again.windows[1].iteration < result.windows[1].iteration)
  t:near(again.cost, result.cost, 1e-3 * result.cost)
end)

test("windows end in the state in which the next one begins", function(t)
  local model = stander()
  local animation = crouch(17, 0.05, 0)
  animation.keys = { 1, 5, 9, 13, 17 }
  local seen = {}
  local result = assert(standing.optimize(model, animation, options { window = 2, overlap = 1, stretch = 1,
    report = function(window, count) seen[window] = count end }))
  t:equal(#result.windows, 3)
  t:equal(seen[3], 3)
  t:equal(#result.motion, 17)
  for index = 2, 17 do
    local a, b = result.motion[index - 1], result.motion[index]
    t:ok(b.time > a.time)
    -- no jump: what passes between two nodes is about their mean velocity
    local by = (b.time - a.time) * (a.velocity.linear[3] + b.velocity.linear[3]) / 2
    t:near(b.configuration.base.position[3] - a.configuration.base.position[3], by, 1e-3)
  end
end)

test("what cannot be stopped after a window is solved together with that window", function(t)
  local model, animation = stander(), crouch(13, 0, 0)
  animation.keys = { 1, 7, 13 }
  -- 0.07 m aside in 0.24 s, and still: at 0.3 m/s a step 0.14 m aside would be needed, and support ends
  -- at 0.13
  for k, frame in ipairs(animation.frames) do
    local aside = 0.07 * math.min(1, (k - 1) / 6)
    local roll = math.atan(aside / height)
    frame.base.position[2] = aside
    for _, side in ipairs { "left", "right" } do
      frame.joints[side .. "_roll"], frame.joints[side .. "_sole"] = roll, -roll
    end
  end
  local kept
  local more = { window = 1, overlap = 0, stretch = 1, iterations = 60,
    finished = function(result) kept = result end }
  local result = assert(standing.optimize(model, animation, options(more)))
  t:ok(result.finish == "solved" or result.finish == "feasible", result.finish)
  t:equal(#result.windows, 1)
  t:equal({ result.windows[1].first, result.windows[1].last }, { 1, 13 })
  t:ok(result.violation <= 1e-7, "%g", result.violation)
  -- gone on from, nothing is left
  more.resume, more.seconds, more.finished = kept, 0, nil
  t:equal(assert(standing.optimize(model, animation, options(more))).finish, result.finish)
end)

test("a report cancels, and motors that are too weak are told", function(t)
  local model = stander()
  local result = assert(standing.optimize(model, crouch(9, 0.05, 0), options {
    report = function(_, _, progress) return progress.iteration < 2 end }))
  t:equal(result.finish, "cancelled")
  local weak = {}
  for _, side in ipairs { "left", "right" } do weak[side .. "_knee"] = 2 end
  result = assert(standing.optimize(model, crouch(9, 0.05, 0), options { iterations = 30,
    limits = { effort = weak } }))
  t:ok(result.finish == "stalled" or result.finish == "time", result.finish)
  t:ok(result.violation > 1e-4)
end)

test("windows span keyframes, and a short rest belongs to the last one", function(t)
  t:equal(windows.marks(20, { 7, 1, 13, 7, 40 }, 5), { 1, 7, 13, 20 })
  t:equal(windows.marks(12, nil, 5), { 1, 6, 11, 12 })
  t:equal(windows.divide({ 1, 5, 9, 13, 17 }, 2, 1),
    { { first = 1, last = 9 }, { first = 5, last = 13 }, { first = 9, last = 17 } })
  for count = 2, 40 do
    local marks = {}
    for index = 1, count do marks[index] = 3 * index end
    local list = windows.divide(marks, 4, 1)
    t:equal(list[1].first, 3)
    t:equal(list[#list].last, 3 * count)
    for index = 2, #list do t:ok(list[index].first < list[index - 1].last) end
  end
  local list = { { first = 1, last = 9 }, { first = 5, last = 13 }, { first = 9, last = 17 } }
  windows.unite(list, 2)
  t:equal(list, { { first = 1, last = 9 }, { first = 5, last = 17 } })
end)

test("problems and options are checked, with names", function(t)
  local model = stander()
  local phases = { { nodes = 5, duration = 1 } }
  t:raises(function() trajectory.new(model, { phases = phases, terms = { { "efort" } } }) end,
    "did you mean 'effort'")
  t:raises(function() trajectory.new(model, { phases = phases, terms = { { "effort", scal = 1 } } }) end,
    "did you mean 'scale'")
  t:raises(function() trajectory.new(model, { phases = phases, terms = { { "follow" } } }) end,
    "follow: reference is needed")
  t:raises(function() trajectory.new(model, { phases = {}, terms = {} }) end, "at least 1 phase")
  t:raises(function() standing.optimize(model, crouch(5, 0, 0), { contact = {} }) end,
    "did you mean 'contacts'")
  t:raises(function() standing.optimize(model, crouch(5, 0, 0), options { window = 2, overlap = 2 }) end,
    "overlap must be less than window")
end)

test("every term has its arguments as the tables of the docs have them", function(t)
  local names = {}
  for _, term in ipairs(trajectory.terms()) do
    names[term.name] = true
    t:ok(#term.doc > 10 and #term.example > 1)
  end
  t:ok(names.effort and names.friction and names.support)
  t:equal(#trajectory.schemes(), 2)
  t:equal(trajectory.backends()[1].name, "structured")
  t:ok(records.options.contacts.needed)
end)

test("Cassie's ten motors make a motion of an animation whose legs do not follow", function(t)
  local model = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/robots/cassie/cassie_umich.urdf"
  local file = io.open(model)
  if not file then t:skip "no shared reference data" end
  file:close()
  local program = os.getenv "BRIO" or "build/brio"
  local command = ("%s lua scripts/bench/kinematics/standing_cassie.lua %s 1 structured")
    :format(program, model)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  local finish, nodes, violation, way = text:match "(%S+)\t%S+\t%S+\t(%S+)\t(%S+)\t(%S+)"
  t:ok(finish == "solved" or finish == "feasible", text)
  t:equal(tonumber(nodes), 26)
  t:ok(tonumber(violation) <= 1e-7)
  t:ok(tonumber(way) < 5)
end)
