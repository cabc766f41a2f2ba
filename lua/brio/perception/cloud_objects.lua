--- What derived objects share that look into a point cloud: the question goes to a thread of its own
--- (cloud:later), since it takes longer than a tick may, and its answer is a pose in the world.
local geometry = require "brio.lib.geometry"

local cloud_objects = {}

--- After a question came to nothing, a newer cloud is asked at the earliest so much later, s.
local pause = 0.2

--- Put the question to the newest cloud; false and why not.
local function ask(at, form, memory, method, options_of)
  if memory.again and at.now < memory.again then return false, memory.why end
  local cloud = at.cloud(form.cloud)
  if not cloud then
    return false, form.cloud and ("there is no point cloud of '%s'"):format(form.cloud)
      or "there is no point cloud"
  end
  local name, time = cloud:source()
  local frame, why = at.frame_at(name ~= "" and name or "world", time)
  if not frame then return false, why end
  local options
  options, why = options_of(geometry.inverse(frame))
  if not options then return false, why end
  memory.frame = frame
  memory.job, why = cloud:later(method, options)
  return memory.job ~= nil, why
end

--- What a method of clouds finds in the newest one: its first result, and the pose in the world of the frame
--- that it is in; nil and why there is none yet. `options_of(back)`: the method's options; `back` is the
--- world as the cloud's frame sees it.
function cloud_objects.find(at, form, memory, method, options_of)
  if not memory.found and not memory.job then
    local begun, why = ask(at, form, memory, method, options_of)
    if not begun then return nil, why end
  end
  if memory.job then
    if not at.wait and not memory.job:done() then return nil, "the point cloud is being looked at" end
    local found, why = memory.job:result(true)
    memory.job, memory.found, memory.why = nil, found, why
    memory.again = at.now + pause
  end
  if not memory.found then return nil, memory.why end
  return memory.found, memory.frame
end

--- A pose that was found, in the world, upright: its x axis level.
function cloud_objects.upright(pose, frame)
  local there = geometry.within(frame, pose)
  local _, _, yaw = geometry.rpy(there.orientation)
  return { position = there.position, orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } }
end

--- Upwards, as the cloud's frame sees it.
function cloud_objects.up(back) return geometry.turn(back.orientation, { 0, 0, 1 }) end

return cloud_objects
