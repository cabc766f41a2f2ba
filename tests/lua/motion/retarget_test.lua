--- From a person's motion to a robot's sequence: retargeting, few keys for many samples, names and leads.
local fit = require "brio.fit"
local random = require "brio.random"
local retarget = require "brio.retarget"
local robots = require "brio.robots"
local rotation = require "brio.lib.rotation"
local sequence = require "brio.sequence"
local simplify = require "brio.motion.simplify"

local function map_of(name) return dofile("drivers/robots/" .. name .. "/retarget.lua") end

--- A smooth random path within bounds: value(t).
local function wandering(draw, lower, upper)
  local middle, half, phases = (lower + upper) / 2, (upper - lower) / 2, {}
  for index = 1, 3 do phases[index] = draw:uniform(0, 6.28) end
  return function(t)
    return middle + half * (math.sin(0.9 * t + phases[1]) + math.sin(1.7 * t + phases[2]) +
      math.sin(2.3 * t + phases[3])) / 3
  end
end

--- Frames in which a "person" has the robot's own arms: free nodes at the robot's links, so that the right
--- answer is known.
local function film_of_pepper(pepper, ways, frames, turned)
  local links = { hips = "Tibia", head = "Head", left_shoulder = "LShoulder", left_elbow = "LElbow",
    left_hand = "l_wrist", right_shoulder = "RShoulder", right_elbow = "RElbow", right_hand = "r_wrist" }
  local names, nodes, times = {}, {}, {}
  for name in pairs(links) do names[#names + 1] = name end
  table.sort(names)
  for index, name in ipairs(names) do
    nodes[index] = { name = name, offset = { 0, 0, 0 }, positions = {}, rotations = {},
      turned = { 0, 0, 0, 1 } }
  end
  local home = {}
  for _, variable in ipairs(pepper.robot:variables()) do home[variable.name] = 0 end
  local rest = pepper.robot:forward({ joints = home }).links
  for index, name in ipairs(names) do nodes[index].offset = rest[links[name]].position end
  local yaw = { rotation.about("z", turned) }
  for frame = 1, frames do
    times[frame] = (frame - 1) / 30
    local joints = {}
    for name, value in pairs(home) do joints[name] = ways[name] and ways[name](times[frame]) or value end
    local placed = pepper.robot:forward({ joints = joints }).links
    for index, name in ipairs(names) do
      local p, q = placed[links[name]].position, placed[links[name]].orientation
      local node = nodes[index]
      for _, value in ipairs { rotation.turn(yaw[1], yaw[2], yaw[3], yaw[4], p[1], p[2], p[3]) } do
        table.insert(node.positions, value)
      end
      for _, value in ipairs { rotation.times(yaw[1], yaw[2], yaw[3], yaw[4], q[1], q[2], q[3], q[4]) } do
        table.insert(node.rotations, value)
      end
    end
  end
  return { kind = "skeleton", name = "film", nodes = nodes, times = times, up = "z", scale = 1, notes = {} }
end

test("a person who has Pepper's own arms and head, however he is turned, is found again to a degree",
  function(t)
  local pepper = assert(robots.find "pepper")
  local draw = random.stream(5, "film")
  for round = 1, 3 do
    local ways = {
      HeadYaw = wandering(draw, -1, 1), HeadPitch = wandering(draw, -0.4, 0.3),
      LShoulderPitch = wandering(draw, -0.5, 1.5), LShoulderRoll = wandering(draw, 0.2, 1.2),
        LElbowRoll = wandering(draw, -1.4, -0.4),
      LElbowYaw = wandering(draw, -1.5, 0), RShoulderPitch = wandering(draw, -0.5, 1.5),
        RShoulderRoll = wandering(draw, -1.2, -0.2),
      RElbowRoll = wandering(draw, 0.4, 1.4), RElbowYaw = wandering(draw, 0, 1.5),
    }
    local map = map_of "pepper"
    map.joints.HipPitch, map.joints.HipRoll = nil, nil
    local made = assert(retarget.clip(film_of_pepper(pepper, ways, 60, round), pepper, map))
    local found = {}
    for _, track in ipairs(made.tracks) do found[track.name] = track end
    for name, way in pairs(ways) do
      local worst = 0
      for index = 5, 60 do
        worst = math.max(worst, math.abs(found[name].keys[index][2] - way((index - 1) / 30)))
      end
      t:ok(worst < 0.017, "%s is off by %.3f rad", name, worst)
    end
  end
end)

--- The same recording by another rig: each node's axes rotated differently, and at rest all nodes in a row
--- along x, as many programs write them.
local function rigged(film, turn)
  for index, node in ipairs(film.nodes) do
    local c, r = turn(index), node.rotations
    for at = 1, #r, 4 do
      local x, y, z, w = table.unpack(r, at, at + 3)
      r[at], r[at + 1], r[at + 2], r[at + 3] = rotation.times(x, y, z, w, c[1], c[2], c[3], c[4])
    end
    node.offset = { 0.1 * index, 0, 0 }
  end
  return film
end

local head_map = { joints = { HeadYaw = { "head", "yaw" }, HeadPitch = { "head", "pitch" } } }

--- The greatest error, rad, of head angles that are estimated from a recording of known ones.
local function head_errors(pepper, ways, film)
  local made = assert(retarget.clip(film, pepper, head_map))
  local worst = {}
  for _, track in ipairs(made.tracks) do
    for _, key in ipairs(track.keys) do
      worst[track.name] = math.max(worst[track.name] or 0, math.abs(key[2] - ways[track.name](key[1])))
    end
  end
  return worst, made
end

test("a head's angles do not depend on the rig: its axes, and all bones along x at rest", function(t)
  local pepper = assert(robots.find "pepper")
  local draw = random.stream(8, "rigs")
  -- Pepper's shoulders are not right above its base, which only a standing pose could show
  local shoulders_lean = math.rad(5.7)
  local along = { rotation.times(0, math.sqrt(0.5), 0, math.sqrt(0.5), rotation.about("x", math.pi / 2)) }
  for round = 1, 3 do
    local ways = { HeadYaw = wandering(draw, -1, 1), HeadPitch = wandering(draw, -0.35, 0.35) }
    local film = rigged(film_of_pepper(pepper, ways, 600, round), function() return along end)
    local off = head_errors(pepper, ways, film)
    t:near({ off.HeadYaw, off.HeadPitch }, { 0, 0 }, shoulders_lean + math.rad(1))
    film = rigged(film_of_pepper(pepper, ways, 600, round), function()
      return { rotation.normalized(draw:normal(), draw:normal(), draw:normal(), draw:normal()) }
    end)
    local made
    off, made = head_errors(pepper, ways, film)
    local most = shoulders_lean + math.rad(15) -- the distance of such a path's mean from 0
    t:ok(off.HeadYaw < most, "yaw is off by %.2f rad", off.HeadYaw)
    t:ok(off.HeadPitch < most, "pitch is off by %.2f rad", off.HeadPitch)
    t:ok(made.notes[1]:find("has no direction for the head", 1, true), made.notes[1])
  end
end)

test("a mapping that names what is not there is refused with the nearest name", function(t)
  local pepper = assert(robots.find "pepper")
  local film = film_of_pepper(pepper, {}, 2, 0)
  local function why(map) return (select(2, retarget.clip(film, pepper, map))) end
  t:ok(why { joints = { HeadYav = { "head", "yaw" } } }:find("did you mean 'HeadYaw'", 1, true))
  t:ok(why { limbs = { { "left", chest = "torso", shoulder = "LShoulder", elbow = "LElbo",
    hand = "l_wrist" } } }
    :find("did you mean 'LElbow'", 1, true))
  t:ok(why { file = "a.lua" }:find("a.lua: the mapping has no joints, limbs or reach", 1, true))
  t:ok(why {}:find("a skeleton's motion needs a mapping to the DOFs of pepper: retarget.lua", 1, true))
  t:ok(why { joints = { HeadYaw = { node = "horn", "yaw" } } }:find("the node 'horn', which does not exist",
    1, true))
  t:ok(why { nodes = { head = "horn" }, joints = { HeadYaw = { "head", "yaw" } } }:find("'horn'", 1, true))
  t:ok(why { joints = { HeadYaw = { "head", "yaw" } } }:find("no part that moves", 1, true))
end)

--- The value of keys with handles at a third of the interval: the time of such a Bézier curve is linear.
local function value_at(keys, t)
  for index = 1, #keys - 1 do
    local a, b = keys[index], keys[index + 1]
    if t <= b[1] + 1e-9 then
      local u = (t - a[1]) / (b[1] - a[1])
      local p1, p2, w = a[2] + a.out[2], b[2] + b.into[2], 1 - u
      return w ^ 3 * a[2] + 3 * w ^ 2 * u * p1 + 3 * w * u ^ 2 * p2 + u ^ 3 * b[2]
    end
  end
  return keys[#keys][2]
end

test("few keys stay as near to many samples as they must, and are few", function(t)
  local draw = random.stream(9, "curves")
  for round = 1, 40 do
    local way, samples = wandering(draw, -1, 1), {}
    local jump = draw:uniform(0.5, 4.5)
    for index = 1, 400 do
      local time = (index - 1) / 80
      samples[index] = { time, way(time) + (round % 4 == 0 and time > jump and 0.5 or 0) }
    end
    local tolerance = ({ 1e-4, 1e-3, 1e-2, 0.1 })[round % 4 + 1]
    local keys = simplify.keys(samples, tolerance)
    for _, sample in ipairs(samples) do
      local off = math.abs(value_at(keys, sample[1]) - sample[2])
      t:ok(off <= tolerance * 1.001 + 1e-6, "off by %g, allowed %g", off, tolerance)
    end
    if round % 4 ~= 0 then t:ok(#keys < 70, "%d keys for a tolerance of %g", #keys, tolerance) end
    t:equal(sequence.fault { tracks = { a = keys } }, nil)
  end
  t:equal(simplify.keys({ { 0.5, 2 } }, 0.1), { { 0.5, 2 } })
end)

test("a clip becomes a sequence of the robot's DOFs that leads in and out, and says what does not fit",
  function(t)
  local panda = assert(robots.find "panda")
  local function clip_of(tracks)
    return { kind = "joints", name = "c", tracks = tracks, events = { { 0.2, "label", "now" } }, notes = {} }
  end
  local made, notes = fit.sequence(clip_of { { name = "panda_joint1", keys = { { 0, 0 }, { 0.1, 9 } } },
    { name = "tail", keys = { { 0, 0 } } } },
    panda, {}, {})
  t:equal(sequence.fault(made), nil)
  t:equal({ made.tracks.panda_joint1[1].kind, made.tracks.panda_joint1[4].kind }, { "input", "input" })
  t:near({ made.tracks.panda_joint1[2][1], made.tracks.panda_joint1[4][1], made.events[1][1] },
    { 0.6, 1.3, 0.8 }, 1e-9)
  t:equal(#notes, 3) -- beyond its range, too fast, and no DOF called tail
  local mapped = fit.sequence(clip_of { { name = "tail", unit = nil, keys = { { 0, 10 }, { 1, 20 } } } },
    panda, { dofs = { tail = { "panda_joint2", scale = 2, offset = 0.1 } } }, { unit = "deg", lead = 0 })
  t:near(mapped.tracks.panda_joint2[2][2], 2 * math.rad(20) + 0.1, 1e-6)
  t:equal(mapped.tracks.panda_joint2[1][1], 0)
  local none, why = fit.sequence(clip_of { { name = "tail", keys = { { 0, 0 } } } }, panda, {}, {})
  t:ok(none == nil and why:find("its tracks are tail", 1, true), why)
end)

local shared = (os.getenv "BRIO_SHARED" or "../shared") .. "/data"

test("a real film whose skeleton lies along x at rest has a head that turns as a head does", function(t)
  local path = shared .. "/mocap/animated_drawings_bvh/rokoko_jesse_dance.bvh"
  local film = require("brio.terminal.motion_files").read(path, {})
  if not film then return t:skip("no shared data") end
  local made = assert(retarget.clip(film, assert(robots.find "pepper"), head_map))
  t:equal(#made.tracks, 2)
  for _, track in ipairs(made.tracks) do
    for _, key in ipairs(track.keys) do
      if math.abs(key[2]) > math.rad(60) then
        return t:ok(false, "%s is at %.0f degrees", track.name, math.deg(key[2]))
      end
    end
  end
end)

test("real dances become sequences for every robot that ships, and every qianim fits Pepper whole",
  function(t)
  local motions = require "brio.terminal.motion_files"
  local dance = motions.read(shared .. "/mocap/cmu_bvh/salsa_pair01_A_30fps.bvh", {})
  if not dance then return t:skip("no shared data") end
  for _, name in ipairs(robots.list()) do
    local made, notes = motions.fit(dance, name, {})
    t:ok(made, "%s: %s", name, tostring(notes))
    t:equal(made and sequence.fault(made), nil)
  end
  local hello = assert(motions.read(shared .. "/robot_motion/pepper_qianim/Hello_02.qianim", {}))
  local made, notes = motions.fit(hello, "pepper", {})
  local count = 0
  for _ in pairs(made.tracks) do count = count + 1 end
  t:equal({ count, #notes }, { 17, 0 })
end)
