--- `brio lua standing_cassie.lua FILE SECONDS BACKEND [WINDOW]`: Cassie sways, turns and crouches while its
--- feet stay. Prints how the solution ended, seconds of processor time, iterations, nodes, violation, feet's
--- greatest way in mm, and the greatest memory of the process in MB.
---
--- FILE is the URDF of 14 joints: see cassie.lua.
local cassie = dofile "scripts/bench/kinematics/cassie.lua"
local standing = require "brio.standing"

local path, seconds, backend, window = arg[1], tonumber(arg[2]), arg[3], tonumber(arg[4] or 0)
local rate, height = 25, 1.00613

local options = { contacts = {}, scale = cassie.scale, window = window, backend = backend,
  limits = cassie.limits }
local pose = cassie.pose
for _, side in ipairs { "left", "right" } do
  for _, point in ipairs(cassie.points) do
    table.insert(options.contacts, { link = side .. "_toe", point = point })
  end
end

--- The pelvis turns by up to 17 deg, leans and crouches; the legs do not follow.
local animation = { rate = rate, frames = {}, keys = {} }
for k = 0, seconds * rate do
  local t = k / rate
  local part, sin = math.min(1, t) * math.min(1, seconds - t), math.sin
  local roll, pitch, yaw = 0.05 * sin(5 * t) * part, 0.1 * sin(3.7 * t) * part, 0.3 * sin(2.5 * t) * part
  -- of small angles: the quaternion's vector is half of them
  local w = math.sqrt(1 - (roll ^ 2 + pitch ^ 2 + yaw ^ 2) / 4)
  animation.frames[k + 1] = { joints = pose, base = {
    position = { 0.01 * sin(3 * t) * part, 0.05 * sin(4 * t) * part,
      height - 0.03 * part * (1 - math.cos(5 * t)) },
    orientation = { roll / 2, pitch / 2, yaw / 2, w } } }
  if k % 12 == 0 then table.insert(animation.keys, k + 1) end
end

local model = cassie.load(path)
local before = os.clock()
local result, why = standing.optimize(model, animation, options)
local spent = os.clock() - before
if not result then io.stderr:write(why, "\n") os.exit(1) end

local iterations, way = 0, 0
for _, one in ipairs(result.windows) do iterations = iterations + one.iteration end
for _, node in ipairs(result.motion) do
  local links, first = model:forward(node.configuration).links, result.motion[1]
  local start = model:forward(first.configuration).links
  for _, name in ipairs { "left_toe", "right_toe" } do
    for axis = 1, 3 do
      way = math.max(way, math.abs(links[name].position[axis] - start[name].position[axis]))
    end
  end
end
local memory = 0
for line in io.lines "/proc/self/status" do
  memory = tonumber(line:match "^VmHWM:%s*(%d+)") or memory
end
print(result.finish, spent, iterations, #result.motion, result.violation, 1000 * way, memory / 1024)
