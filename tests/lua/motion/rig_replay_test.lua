--- Motions of standing robots in physics: what stands stands, what leans beyond its feet falls, and robots
--- whose closed loops physics does not know are moved without them, or refused.
local geometry = require "brio.lib.geometry"
local physics = require "brio.physics"
local reference = require "brio.motion.rig.reference"
local replay = require "brio.motion.rig.replay"
local rigs = require "brio.motion.rig"
local stander = dofile "tests/lua/motion/stander.lua"

local shared = os.getenv "BRIO_SHARED" or "../shared"

--- A motion from home that moves the pelvis aside within `seconds`.
local function sway(rig, seconds, aside)
  local motion = {}
  for node = 0, 10 do
    local s = node / 10
    local offset = { 0, aside * (3 * s ^ 2 - 2 * s ^ 3), 0 }
    motion[node + 1] = { time = s * seconds,
      configuration = rig:pose({ pelvis = rig:pelvis_at(offset, { 0, 0, 0 }), feet = rig.stand }, rig.home) }
  end
  return motion
end

local function needs_library(t)
  local library, why = physics.find "mujoco"
  if not library then t:skip(why) end
end

test("a biped follows a slow sway on its feet, and falls where its middle leaves them", function(t)
  needs_library(t)
  local rig = assert(rigs.load "behaviors/rigs/biped.lua")
  local slow = assert(replay.play(rig, sway(rig, t:long() and 2 or 0.3, 0.02)))
  t:ok(not slow.fell and not slow.stopped, tostring(slow.fell or slow.stopped))
  t:ok(slow.off < 0.03, "its base stays near the motion's: %g m", slow.off)
  t:near(slow.configurations[#slow.times].base.position[3], rig.home.base.position[3], 0.01)
  if not t:long() then return end
  local quick = assert(replay.play(rig, sway(rig, 0.4, 0.4)))
  t:ok(quick.fell and quick.at > 0.2, "%s", tostring(quick.fell))
end)

--- Cassie's rig; nil: no reference models.
local function cassie()
  local path = shared .. "/data/robots/cassie_mjcf/cassie_nomesh.xml"
  local file = io.open(path)
  if not file then return nil end
  file:close()
  return assert(rigs.load("behaviors/rigs/cassie.lua", path))
end

test("without its loops Cassie has its feet where they are with them, in crouches, too", function(t)
  local rig = cassie()
  if not rig then return t:skip "no reference models" end
  local open = assert(rig:open_model())
  for _, down in ipairs { 0, 0.15 } do
    local q = rig:pose({ pelvis = rig:pelvis_at({ 0, 0, -down }, { 0, 0, 0 }), feet = rig.stand }, rig.home)
    local joints = {}
    for _, variable in ipairs(open.variables) do joints[variable.name] = q.joints[variable.name] end
    local a, b = rig.robot:forward(q).links, open.robot:forward({ base = q.base, joints = joints }).links
    for _, foot in ipairs { "left-foot", "right-foot" } do
      t:ok(geometry.distance(a[foot].position, b[foot].position) < 0.005, "%s is %g m off, %g m down", foot,
        geometry.distance(a[foot].position, b[foot].position), down)
      t:ok(geometry.angle(a[foot].orientation, b[foot].orientation) < 0.02, "its rotation")
    end
  end
end)

test("Cassie stands on its feet without its loops, and a rig that does not say how is refused", function(t)
  needs_library(t)
  local rig = cassie()
  if not rig then return t:skip "no reference models" end
  if t:long() then
    local made = assert(replay.play(rig, sway(rig, 1, 0.02)))
    t:ok(not made.fell and not made.stopped, tostring(made.fell or made.stopped))
    t:ok(made.off < 0.02, "its base stays near the motion's: %g m", made.off)
  end
  rig.data.replay = nil
  local good, why = replay.possible(rig)
  t:equal(good, nil)
  t:match(why, "physics knows no closed loops, such as '.+', and the rig has no `replay`")
end)

--- A motion whose base goes by p(t) and turns about z by w t, joints as at home.
local function flown(rig, p, w)
  local motion, home = {}, rig.home.base
  for node = 0, 10 do
    local t = 0.1 * node
    local at = p(t)
    motion[node + 1] = { time = t, configuration = { joints = rig.home.joints, base = {
      position = { home.position[1] + at[1], home.position[2] + at[2], home.position[3] + at[3] },
      orientation = geometry.times({ 0, 0, math.sin(w * t / 2), math.cos(w * t / 2) }, home.orientation) } } }
  end
  return motion
end

test("between nodes the centre of mass has the speed and the acceleration of its curve", function(t)
  local rig = stander.made(t)
  -- straight on by 0.3 t^2: velocity 0.6 t, acceleration 0.6
  local moved = reference.new(flown(rig, function(time) return { 0.3 * time ^ 2, 0.1 * time, 0 } end, 0),
    rig.robot, rig.variables, 0.02)
  local first = rig.robot:center_of_mass(rig.home)
  for _, time in ipairs { 0.25, 0.5, 0.61 } do
    local at = moved:at(time)
    t:near(at.com[1] - first[1], 0.3 * time ^ 2, 1e-9)
    t:near(at.com[3] - first[3], 0.02, 1e-9)
    t:near(at.com_velocity[1], 0.6 * time, 1e-9)
    t:near(at.com_velocity[2], 0.1, 1e-9)
    t:near(at.com_acceleration[1], 0.6, 1e-6)
    t:near(at.position[3], rig.home.base.position[3] + 0.02, 1e-9)
  end
  local turned = reference.new(flown(rig, function() return { 0, 0, 0 } end, 0.7), rig.robot,
    rig.variables, 0)
  t:near(turned:at(0.55).turn_rate[3], 0.7, 1e-6)
  t:near(turned:at(0.55).turn_acceleration[3], 0, 1e-6)
  t:near(geometry.angle(turned:at(0.55).orientation, rig.home.base.orientation), 0.55 * 0.7, 1e-6)
end)

test("after its end a motion asks for its last pose, at rest, and times may be asked in any order",
  function(t)
  local rig = stander.made(t)
  local made = reference.new(flown(rig, function(time) return { time, 0, 0 } end, 0.5), rig.robot,
    rig.variables, 0)
  local last = made:at(3)
  t:near(last.position[1], rig.home.base.position[1] + 1, 1e-9)
  t:near(last.com_velocity[1], 0, 1e-12)
  t:near(last.turn_rate[3], 0, 1e-12)
  t:near(last.speeds.left_knee, 0, 1e-12)
  t:near(made:at(0.2).position[1], rig.home.base.position[1] + 0.2, 1e-9)
end)
