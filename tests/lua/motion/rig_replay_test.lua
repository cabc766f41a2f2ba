--- Motions of standing robots in physics: what stands stands, what leans beyond its feet falls, and robots
--- whose
--- closed loops physics does not know are moved without them, or refused.
local physics = require "brio.physics"
local replay = require "brio.motion.rig.replay"
local rigs = require "brio.motion.rig"

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

test("Cassie is moved without its loops, and a rig that does not say how is refused", function(t)
  needs_library(t)
  local path = shared .. "/data/robots/cassie_mjcf/cassie_nomesh.xml"
  local file = io.open(path)
  if not file then return t:skip "no reference models" end
  file:close()
  local rig = assert(rigs.load("behaviors/rigs/cassie.lua", path))
  rig.data.replay = nil
  local good, why = replay.possible(rig)
  t:equal(good, nil)
  t:match(why, "physics knows no closed loops, such as '.+', and the rig has no `replay`")
  if not t:long() then return end
  rig = assert(rigs.load("behaviors/rigs/cassie.lua", path))
  local made = assert(replay.play(rig, sway(rig, 1, 0)))
  t:ok(not made.fell and not made.stopped, tostring(made.fell or made.stopped))
end)
