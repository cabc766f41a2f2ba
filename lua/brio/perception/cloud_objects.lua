--- Common code of derived objects from point clouds: the query runs in a thread (cloud:later), since it takes
--- longer than a tick may, and its result is a pose in the world.
local geometry = require "brio.lib.geometry"

local cloud_objects = {}

--- Pause after a query without a result, before a newer cloud is queried, s.
local pause = 0.2

--- Start a query of the newest cloud; false and why not.
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

--- The result of a cloud method on the newest cloud: its first result, and the pose in the world of its
--- frame; nil and why there is none yet. `options_of(back)`: the method's options; `back` is the pose of the
--- world in the cloud's frame.
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

--- A pose in the world made upright: its x axis becomes level.
function cloud_objects.upright(pose, frame)
  local there = geometry.within(frame, pose)
  local _, _, yaw = geometry.rpy(there.orientation)
  return { position = there.position, orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } }
end

--- The up direction in the cloud's frame.
function cloud_objects.up(back) return geometry.turn(back.orientation, { 0, 0, 1 }) end

return cloud_objects
