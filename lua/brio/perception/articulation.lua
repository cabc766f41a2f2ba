--- Common code of hinges and sliders: an object is observed while it moves, and its motion is estimated
--- (brio.articulated) in a thread, repeatedly as more observations are available.
local articulated = require "brio.articulated"
local geometry = require "brio.lib.geometry"
local rotation = require "brio.lib.rotation"
local senses = require "brio.io.feeds"

local articulation = {}

--- Maximum number of observed positions; at the limit every second one is dropped, and the distance between
--- them is doubled.
local most = 48

--- Minimum number of observations for an estimate.
local least = 6

--- Growth of the number of observations after which the estimate is repeated.
local more = 1.3

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function unit(a)
  local length = math.sqrt(dot(a, a))
  if length < 1e-9 then return nil end
  return { a[1] / length, a[2] / length, a[3] / length }
end

--- Add a pose if it is `step` m from the last one.
local function remember(memory, pose, step)
  local track = memory.track or {}
  memory.track, memory.step = track, memory.step or step
  local last = track[#track]
  if last and geometry.distance(last.position, pose.position) < memory.step then return end
  if #track == most then
    for index = 1, most // 2 do track[index] = track[2 * index - 1] end
    for index = most // 2 + 1, most do track[index] = nil end
    memory.step, memory.estimated = 2 * memory.step, nil
  end
  track[#track + 1] = pose
end

--- The positions only, projected along `axis` (nil: not at all) to the plane of the first one.
local function flat(track, axis)
  local list, first = {}, track[1].position
  for index, pose in ipairs(track) do
    local p = pose.position
    local along = axis and dot({ p[1] - first[1], p[2] - first[2], p[3] - first[3] }, axis) or 0
    list[index] = axis and { p[1] - along * axis[1], p[2] - along * axis[2], p[3] - along * axis[3] } or p
  end
  return list
end

--- Observe the frame `what` of a derived object and estimate its motion: an estimate of brio.articulated; nil
--- and why there is none. `axis`: its direction, if known.
function articulation.watch(at, form, memory, axis)
  local object = at.objects.what
  if not (object and (object.stale or object.frozen)) then remember(memory, at.frames.what, form.step) end
  local track = memory.track
  if not track then return nil, "it is not seen" end
  if not memory.job and #track >= least and #track >= more * (memory.estimated or 0) then
    local turns = not axis and (not object or object.oriented ~= false)
    local why
    memory.job, why = senses.job(function()
      return articulated.later(turns and track or flat(track, axis and unit(axis)))
    end)
    if not memory.job then return nil, why end
    memory.estimated = #track
  end
  if memory.job and (at.wait or memory.job:done()) then
    memory.found, memory.why = memory.job:result(true)
    memory.job = nil
  end
  if memory.found then return memory.found end
  return nil, memory.why or memory.job and "how it moves is being looked at" or "it has not moved yet"
end

--- The point of a line (a point on it, its direction) that is nearest to another point.
function articulation.beside(point, direction, place)
  local along = dot({ place[1] - point[1], place[2] - point[2], place[3] - point[3] }, direction)
  return { point[1] + along * direction[1], point[2] + along * direction[2], point[3] + along * direction[3] }
end

--- The orientation whose x axis is `x`, a unit vector, and whose y axis is as near to `towards` as possible.
function articulation.frame(x, towards)
  local along = dot(towards, x)
  local other = math.abs(x[1]) < 0.9 and { 1 - x[1] * x[1], -x[1] * x[2], -x[1] * x[3] }
    or { -x[2] * x[1], 1 - x[2] * x[2], -x[2] * x[3] }
  local y = unit { towards[1] - along * x[1], towards[2] - along * x[2], towards[3] - along * x[3] }
    or unit(other)
  local z = { x[2] * y[3] - x[3] * y[2], x[3] * y[1] - x[1] * y[3], x[1] * y[2] - x[2] * y[1] }
  return { rotation.from_axes(x, y, z) }
end

return articulation
