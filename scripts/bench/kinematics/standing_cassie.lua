--- `brio lua standing_cassie.lua FILE SECONDS BACKEND [WINDOW]`: Cassie sways, turns and crouches while its
--- feet stay. Prints how the solution ended, seconds, iterations, nodes, violation, feet's greatest way in
--- mm.
---
--- FILE is the URDF of 14 joints; its springs are rigid here (knee_to_shin 0, ankle + knee 13 deg), with
--- which ten motors move it. Torques cost by what the motors give before their gears. The foot's points are
--- those of DAIRLab's dairlib (cassie_utils).
local robot = require "brio.robot"
local standing = require "brio.standing"

local path, seconds, backend, window = arg[1], tonumber(arg[2]), arg[3], tonumber(arg[4] or 0)
local rate, height = 25, 1.00613

--- The joints of a side: gear, greatest torque of the motor, range, angle when it stands.
local joints = {
  { "hip_abduction", 25, 4.5, -0.2618, 0.3927, 0 },
  { "hip_rotation", 25, 4.5, -0.3927, 0.3927, 0 },
  { "hip_flexion", 16, 12.2, -0.8727, 1.3963, 0.4845 },
  { "knee_joint", 16, 12.2, -2.8623, -0.6458, -1.2 },
  { "toe_joint", 50, 0.9, -2.4435, -0.5236, -1.5849 },
}

local function load()
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  for _, side in ipairs { "left", "right" } do
    text = text:gsub(('(<joint name="knee_to_shin_%s" type=")continuous'):format(side), "%1fixed")
    local mimic = ('<mimic joint="knee_joint_%s" multiplier="-1" offset="0.226893"/>'):format(side)
    text = text:gsub(('<child link="%s_tarsus"/>'):format(side), "%0" .. mimic)
  end
  return assert(robot.parse(text, path, { base = "free" }))
end

local options = { contacts = {}, scale = {}, window = window, backend = backend,
  limits = { lower = {}, upper = {}, effort = {} } }
local pose = {}
for _, side in ipairs { "left", "right" } do
  for _, row in ipairs(joints) do
    local name = row[1] .. "_" .. side
    options.scale[name], options.limits.effort[name], pose[name] = row[2], row[2] * row[3], row[6]
    options.limits.lower[name], options.limits.upper[name] = row[4], row[5]
  end
  for _, point in ipairs { { -0.0457, 0.112, 0 }, { 0.088, 0, 0 } } do
    table.insert(options.contacts, { link = side .. "_toe", point = point })
  end
end
options.limits.lower.hip_abduction_right, options.limits.upper.hip_abduction_right = -0.3927, 0.2618

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

local model = load()
local result, why = standing.optimize(model, animation, options)
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
print(result.finish, result.seconds, iterations, #result.motion, result.violation, 1000 * way)
