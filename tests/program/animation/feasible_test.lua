--- `brio feasible` and `brio motions`: what breaks a motion, the motion that a robot can do, the same again,
--- a stop that is gone on from, and what is not feasible in its time.
local here = arg[0]:match "^(.*)/"
package.path = here .. "/../?.lua;" .. package.path
local harness = require "harness"
local stander = dofile(here .. "/../../lua/motion/stander.lua")
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()
files.write(folder .. "/stander.urdf", stander.urdf())
files.write(folder .. "/stander.lua", stander.rig)
files.write(folder .. "/squat.bvh", stander.squat(0.7, 9))
files.write(folder .. "/bow.lua", [[
return { tracks = { pelvis_z = { { 0, 0 }, { 0.2, -0.03 }, { 0.4, 0 } } } }
]])

local function feasible(motion, out, ...)
  return brio("feasible", folder .. "/" .. motion, "--robot", folder .. "/stander.urdf", "--rig",
    folder .. "/stander.lua", "--out", folder .. "/" .. out, "--dry", ...)
end

local function read(path)
  local file = io.open(folder .. "/" .. path, "rb")
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

local made = feasible("squat.bvh", "a", "--emotion", "sad")

test("a person's motion becomes one that the robot can do, with report and film", function(t)
  t:code(made, 0)
  t:has(made.out, "feasible: ")
  local report, film = read "a/report.html", read "a/film.glb"
  t:has(report, "What the robot can do")
  t:has(report, "<svg")
  t:check(film:sub(1, 4) == "glTF", "a film")
  local list = brio("motions", folder .. "/a")
  t:code(list, 0)
  t:has(list.out, "squat")
  t:has(list.out, "standing  sad")
end)

test("the same motion gives the same result, and a solved one is gone on from", function(t)
  local again = feasible("squat.bvh", "b", "--emotion", "sad")
  t:code(again, 0)
  t:check(read "a/motion.lua" == read "b/motion.lua", "equal files")
  local on = feasible("squat.bvh", "b", "--emotion", "sad", "--seconds", "0")
  t:code(on, 0) -- nothing is left to compute
  t:has(on.err, "it goes on after 1 windows")
  t:check(read "a/motion.lua" == read "b/motion.lua", "still equal")
end)

test("what is not feasible in its time is an attempt, and says so with its exit code", function(t)
  local run = feasible("bow.lua", "c", "--seconds", "0", "--tempo", "3")
  t:code(run, 3)
  t:has(run.out, "the animation cannot be done as it is")
  t:has(run.out, "not feasible (")
  t:has(run.out, "must not be played")
  t:check(not read "c/motion.lua" and read "c/attempt.lua", "an attempt, no motion")
  local list = brio("motions", folder .. "/c")
  t:has(list.out, "0 motions, and 1 attempts")
end)

test("reasons alone, and wrong use", function(t)
  local checked = feasible("bow.lua", "d", "--check", "--tempo", "3")
  t:code(checked, 3)
  t:has(checked.out, "dynamics")
  t:code(brio("feasible", folder .. "/bow.lua"), 2)
  local unknown = brio("feasible", folder .. "/bow.lua", "--robot", folder .. "/stander.urdf", "--rig",
    "casie")
  t:code(unknown, 1)
  t:has(unknown.err, "did you mean 'cassie'")
  t:has(unknown.err, "those that ship are biped, cassie")
end)

--- The greatest rotation of a motion's base about z within a second, degrees.
local function quickest_turn(path)
  local motion, most = assert(loadfile(path, "t", {}))(), 0
  local function yaw(base)
    local x, y, z, w = base[4], base[5], base[6], base[7]
    return math.deg(math.atan(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
  end
  for index, base in ipairs(motion.base) do
    for other = index + 1, #motion.base do
      if motion.times[other] - motion.times[index] > 1 + 1e-9 then break end
      most = math.max(most, math.abs(yaw(motion.base[other]) - yaw(base)))
    end
  end
  return most
end

-- 6 s of processor time: in `make soak` alone
test("Cassie turns its pelvis by over 50 degrees within a second, and stays on its feet", function(t)
  local shared = harness.shared()
  if harness.scale == 1 then return t:skip "only in make soak" end
  if not shared then return t:skip "no shared data" end
  local run = brio("feasible", "behaviors/motions/turn.lua", "--robot",
    shared .. "/data/robots/cassie_mjcf/cassie_nomesh.xml", "--rig", "cassie", "--stretch", "1", "--out",
    folder .. "/turn")
  t:code(run, 0)
  t:has(run.out, "the animation cannot be done as it is")
  if not run.out:find "not simulated" then t:has(run.out, "feasible: stands in physics") end
  local turned = quickest_turn(folder .. "/turn/motion.lua")
  t:check(turned > 50, "it turns by %g degrees", turned)
end)

files.remove(folder)
harness.done()
