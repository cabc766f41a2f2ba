--- Rigs: inverse kinematics with equality constraints, closed loops and limits; targets from people and from
--- keyframes; reasons why a motion cannot be done; libraries and films of what came out.
package.path = "tests/lua/motion/?.lua;" .. package.path
local animations = require "brio.motion.rig.animation"
local feasible = require "brio.motion.feasible"
local geometry = require "brio.lib.geometry"
local library = require "brio.motion.motion_library"
local random = require "brio.random"
local readers = require "brio.formats.motion.readers"
local rigs = require "brio.motion.rig"
local stander = require "stander"

local shared = os.getenv "BRIO_SHARED" or "../shared"

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

--- The greatest distance between two lists of points.
local function apart(a, b)
  local most = 0
  for index in ipairs(a) do most = math.max(most, geometry.distance(a[index], b[index])) end
  return most
end

test("the pelvis is exactly at its target, the feet stay, and limits hold", function(t)
  local rig, draw = stander.made(t), random.stream(1, "rig")
  for _ = 1, t:long() and 200 or 10 do
    local offset = { draw:uniform(-0.03, 0.03), draw:uniform(-0.05, 0.05), draw:uniform(-0.2, 0.01) }
    local pelvis = rig:pelvis_at(offset, { 0, 0, 0 }) -- legs of five joints: no more
    local q, feet, hard = rig:pose({ pelvis = pelvis, feet = rig.stand }, rig.home)
    t:ok(hard < 1e-7 and feet < 1e-5, "%g %g", hard, feet)
    t:ok(apart(rig:feet_at(q), rig.stand) < 2e-5, "feet")
    t:near(geometry.distance(rig:pelvis_of(q).position, pelvis.position), 0, 1e-7)
    for _, variable in ipairs(rig.variables) do
      local value = q.joints[variable.name]
      t:ok(value >= variable.lower and value <= variable.upper, variable.name)
    end
  end
  -- beyond the legs' reach the pelvis is where it is to be, and the report says by how much the feet miss
  local pelvis = rig:pelvis_at({ 0, 0, 0.3 }, { 0, 0, 0 })
  local q, feet = rig:pose({ pelvis = pelvis, feet = rig.stand }, rig.home)
  t:near(geometry.distance(rig:pelvis_of(q).position, pelvis.position), 0, 1e-6)
  t:near(feet, pelvis.position[3] - 0.6, 2e-3) -- legs of 0.6 m
end)

test("virtual legs are as long as two links with a knee between them, and are led to targets", function(t)
  local rig = stander.made(t)
  for _, knee in ipairs { 0.2, 0.8, 1.6 } do
    local q = { base = rig.home.base, joints = setmetatable({ left_knee = knee, left_pitch = -0.3 },
      { __index = rig.home.joints }) }
    local whole = { base = q.base, joints = {} }
    for _, variable in ipairs(rig.variables) do whole.joints[variable.name] = q.joints[variable.name] end
    local leg = rig:legs_of(whole).left
    t:near(leg.length, 0.6 * math.cos(knee / 2), 1e-12) -- a triangle of two sides of 0.3 m
    t:near(leg.pitch, -0.3 + knee / 2, 1e-12)
  end
  local pelvis = rig:pelvis_at({ 0, 0, 0 }, { 0, 0, 0 })
  local q = rig:pose({ pelvis = pelvis, legs = { left = { length = 0.5, pitch = 0.2 } } }, rig.home)
  t:near(rig:legs_of(q).left.length, 0.5, 1e-6)
  t:near(rig:legs_of(q).left.pitch, 0.2, 1e-6)
end)

test("equations among joints hold in every pose", function(t)
  local data = assert(load(stander.rig))()
  data.equal = { { joints = { left_knee = 1, right_knee = 1 }, value = 1.7 }, { joints = { left_roll = 1 } } }
  local rig = assert(rigs.new(data, stander.urdf(), "stander.urdf"))
  local q = rig:pose({ feet = rig.stand, joints = { left_knee = 1.2 } }, rig.home)
  t:near(q.joints.left_knee + q.joints.right_knee, 1.7, 1e-9)
  t:near(q.joints.left_roll, 0, 1e-9)
end)

test("Cassie's closed loops hold, and make knee and ankle 13 degrees together", function(t)
  local path = shared .. "/data/robots/cassie_mjcf/cassie_nomesh.xml"
  if not exists(path) then return t:skip "no reference models" end
  local rig = assert(rigs.load("behaviors/rigs/cassie.lua", path))
  for step = 0, t:long() and 12 or 3 do
    local pelvis = rig:pelvis_at({ 0, 0.02 * step, -0.05 * step }, { 0, 0.02 * step, 0.03 * step })
    local q, _, hard = rig:pose({ pelvis = pelvis, feet = rig.stand }, rig.home)
    t:ok(hard < 1e-7, "%g", hard)
    local links = rig.robot:forward(q).links
    for _, loop in ipairs(rig.robot:loops()) do
      local a = geometry.within(links[loop.links[1]], loop.frames[1]).position
      local b = geometry.within(links[loop.links[2]], loop.frames[2]).position
      t:near(geometry.distance(a, b), 0, 1e-7)
    end
    -- Li, Cummings, Sreenath 2020, equation (1): q6 + q4 = 13 deg
    for _, side in ipairs { "left", "right" } do
      t:near(math.deg(q.joints[side .. "-knee"] + q.joints[side .. "-tarsus"]), 13, 0.6)
    end
  end
end)

local function clip_of(most, frames)
  return assert(readers.read(stander.squat(most, frames), { file = "squat.bvh" }))
end

test("a person's squat becomes the robot's, as deep for its legs; tempo and size change it", function(t)
  local rig, clip = stander.made(t), clip_of(1.2, 11)
  local made = assert(animations.make(rig, clip, {}))
  t:equal(#made.frames, 11)
  local deep = 0.84 * (1 - math.cos(0.6)) * rig.legs_home.left.length / 0.84
  local function height(one, frame) return one.frames[frame].base.position[3] end
  t:near(height(made, 1) - height(made, 6), deep, 2e-3)
  t:near(height(made, 11), height(made, 1), 1e-4)
  for frame = 1, 11 do t:ok(made.feet[frame] < 1e-4, "feet in frame %d: %g", frame, made.feet[frame]) end
  t:equal(#assert(animations.make(rig, clip, { tempo = 2 })).frames, 6)
  local half = assert(animations.make(rig, clip, { size = 0.5 }))
  t:near(height(half, 1) - height(half, 6), deep / 2, 2e-3)
  local part = assert(animations.make(rig, clip, { from = 0.08, to = 0.32 }))
  t:equal(#part.frames, 7)
end)

local function keyed(rig, tracks) return animations.make(rig, { kind = "sequence",
  description = { tracks = tracks } }) end

test("keyframes lead targets and joints, by straight lines and curves", function(t)
  local rig = stander.made(t)
  local made = assert(keyed(rig, { pelvis_z = { { 0, 0 }, { 0.4, -0.1 } },
    left_roll = { { 0, 0 }, { 0.2, 0.05 }, { 0.4, 0 } } }))
  local home = rig.home.base.position[3]
  t:equal(#made.frames, 11)
  t:near(made.frames[6].base.position[3], home - 0.05, 1e-6)
  t:near(made.frames[11].base.position[3], home - 0.1, 1e-6)
  t:equal(made.keys, { 1, 6, 11 })
  -- B(s) with flat handles of a third of the time: 3 s^2 - 2 s^3 at s = t
  local smooth = assert(keyed(rig, { pelvis_z = { curve = "bezier", { 0, 0, out = { 0.4 / 3, 0 } },
    { 0.4, -0.1, into = { -0.4 / 3, 0 } } } }))
  for frame = 1, 11 do
    local s = (frame - 1) / 10
    t:near(smooth.frames[frame].base.position[3], home - 0.1 * (3 * s ^ 2 - 2 * s ^ 3), 2e-4)
  end
  local short = { { 0, 0 }, { 0.2, -0.08 } }
  local leg = assert(keyed(rig, { left_leg_length = short, right_leg_length = short }))
  t:near(rig:legs_of(leg.frames[6]).left.length, rig.legs_home.left.length - 0.08, 1e-5)
  t:ok(leg.feet[6] < 1e-5 and leg.frames[6].base.position[3] < home - 0.07, "feet stay, so the pelvis sinks")
  local _, why = keyed(rig, { pelvs_z = { { 0, 0 }, { 1, 1 } } })
  t:match(why, "no target of the rig.*did you mean 'pelvis_z'")
end)

test("rigs with wrong names and homes are refused with a hint", function(t)
  for _, case in ipairs {
    { "legs", { left = { hip = "left_thig", foot = "left_foot" } },
      "legs.left.hip: the robot has no 'left_thig' %(did" },
    { "feet", {}, "feet: what stands on the ground" },
    { "home", { left_kne = 1 }, "home: the robot has no 'left_kne' %(did you mean 'left_knee'" },
    { "rigid", { "left_kne" }, "rigid: the model has no joint 'left_kne'" },
  } do
    local data = assert(load(stander.rig))()
    data[case[1]] = case[2]
    t:match(select(2, rigs.new(data, stander.urdf(), "stander.urdf")), case[3])
  end
end)

test("what cannot be done is named, with when and by how much", function(t)
  local rig = stander.made(t)
  local made = assert(keyed(rig, { pelvis_y = { { 0, 0 }, { 0.2, 0.3 }, { 0.4, 0 } } }))
  local list = assert(feasible.reasons(rig, made))
  local by = {}
  for _, one in ipairs(list) do by[one.what] = one end
  t:near(by.support.time, 0.2, 0.05)
  -- the middle of 24 kg is moved by less than 0.3 m, and its support ends 0.14 m aside
  t:ok(by.support.amount > 0.05 and by.support.amount < 0.3 - 0.14 + 0.03, "%g", by.support.amount)
  t:match(by.support.text, "mm outside")
  t:ok(by.dynamics and by.friction, "it is far too quick")
  local still = assert(keyed(rig, { pelvis_z = { { 0, 0 }, { 0.2, 0 } } }))
  t:equal(assert(feasible.reasons(rig, still)), {})
end)

test("a library's entry reads back as it was, and bad ones are refused", function(t)
  local entry = { id = "a-1", emotion = "happy", mode = "standing", feasible = true, robot = "stander",
    times = { 0, 0.04 }, base = { { 0, 0, 0.55, 0, 0, 0, 1 }, { 0, 0, 0.5, 0, 0, 0, 1 } },
    joints = { ["left-knee"] = { 0.1, 0.2 } }, provenance = { source = "a \"b\".bvh", cost = 1.5 } }
  local path = t:temporary ".lua"
  local function write(text)
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
  end
  write(library.text(entry))
  t:equal(assert(library.read(path)), entry)
  t:equal(#library.list { path }, 1)
  t:match(library.list({ path, path })[2].reason, "the id 'a%-1' is that of")
  entry.times[2] = 0
  t:match(library.fault(entry), "times%[2%] is 0 s, expected later than 0 s")
  entry.times[2], entry.joints.left = 0.04, { 1 }
  t:match(library.fault(entry), "joints.left has 1 values, expected 2")
  write "return { id = 'x', mode = \"flying\", feasible = true }"
  t:match(select(2, library.read(path)), "mode must be one of standing, walking")
end)

test("takes side by side are read back from the film where the robot has its links", function(t)
  local rig = stander.made(t)
  local made = assert(animations.make(rig, clip_of(1, 5), {}))
  local times = { 0, 0.04, 0.08, 0.12, 0.16 }
  local document, bytes = require("brio.formats.gltf_takes").document(rig.robot, {
    { name = "a", color = { 1, 0, 0 }, times = times, configurations = made.frames },
    { name = "b", color = { 0, 1, 0 }, times = times, configurations = made.frames } }, 2)
  local film = require("brio.formats.motion.writers.glb").pack(document, bytes)
  local clip = assert(readers.read(film, { file = "film.glb" }))
  local poser = require("brio.motion.skeleton").poser({ nodes = clip.nodes, times = clip.times, up = "y",
    scale = 1 },
    { left_foot = "left_foot" })
  for frame = 1, 5 do
    local at = poser:at(frame).left_foot
    local link = rig.robot:forward(made.frames[frame]).links.left_foot.position
    -- the film's z up is brio's, but for where ahead is
    t:near(at[3], link[3], 1e-4)
  end
  local roots = 0
  for _, node in ipairs(clip.nodes) do roots = roots + (node.parent and 0 or 1) end
  t:equal(roots, 2)
end)
