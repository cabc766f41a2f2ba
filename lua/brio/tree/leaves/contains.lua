--- The condition `contains`: a volume, which may move with a frame, contains another frame, or points of a
--- cloud.
local colors = require "brio.perception.colors"
local frames = require "brio.perception.frames"
local volumes = require "brio.perception.volumes"

--- Maximum age of a cloud that counts, s.
local oldest = 1

--- Distance of the frame from the volume, m; nil and a sentence.
local function measure(site, form)
  local pose, why = frames.pose(site, form.what)
  if not pose then return nil, why end
  return volumes.distance(site, form.shape, form.frame, pose.position)
end

--- The newest usable cloud, and the pose of its frame; nil and a sentence.
local function cloud_of(site, form)
  local clouds = site.host.clouds
  local cloud = clouds and clouds:find(form.cloud)
  if not cloud then
    return nil, form.cloud and ("there is no cloud '%s'"):format(form.cloud) or "there is no point cloud"
  end
  local frame, time = cloud:source()
  if time and site.host.now - time > oldest then
    return nil, ("the cloud is %.1f s old"):format(site.host.now - time)
  end
  local pose, why = frames.pose(site, frame ~= "" and frame or "world")
  return pose and cloud, pose or why
end

--- Number of points in the volume, and whether it meets the condition; nil and a sentence.
local function count(site, form)
  local cloud, from = cloud_of(site, form)
  if not cloud then return nil, from end
  local solid, why = volumes.solid(site, form.shape, form.frame, from)
  if not solid then return nil, why end
  local points, color = cloud:count(solid)
  if not points then return nil, color end
  local enough = points >= form.min_points and points <= form.max_points
  return points, enough and (not form.color or colors.is(color, form.color)), color
end

local function as_percent(rgb)
  if not rgb then return "no color" end
  local hue, saturation, value = colors.hsv(rgb)
  return ("hue %.0f, saturation %.2f, value %.2f"):format(hue, saturation, value)
end

local function kind_of(form) return (form.shape.kind:gsub("_", " ")) end

--- The sentence for a count that does not meet the condition.
local function miscount(form, points, color)
  if points < form.min_points then
    return ("%d points are in the %s, at least %d are required"):format(points, kind_of(form),
      form.min_points)
  elseif points > form.max_points then
    return ("%d points are in the %s, at most %d are permitted"):format(points, kind_of(form),
      form.max_points)
  end
  return ("%d points are in the %s, but of another color: %s"):format(points, kind_of(form),
    as_percent(color))
end

--- Check points.  True, or false and a sentence.
local function ask_points(site, form, memory)
  local points, good, color = count(site, form)
  memory.points, memory.color = points, color
  if not points then return false, good end
  if good then return true end
  return false, miscount(form, points, color)
end

--- Check a frame.
local function ask_frame(site, form, memory)
  local distance, why = measure(site, form)
  memory.distance = distance
  if not distance then return false, why end
  if distance <= 0 then return true end
  return false, ("'%s' is %.3f m outside of the %s"):format(form.what, distance, kind_of(form))
end

local function fault(form)
  local why = volumes.fault(form.shape)
  if why then return "shape " .. why end
  local asks_points = form.min_points or form.max_points or form.color or form.cloud
  if form.what and asks_points then return "it has both a frame (what) and points: give one of them" end
  if not form.what and not asks_points then return "needs 'what', a frame, or 'min_points', of a cloud" end
  if asks_points and (form.min_points or 1) > (form.max_points or math.huge) then
    return "min_points is above max_points: it can never succeed"
  end
  local wrong = form.color and colors.fault(form.color)
  return wrong and "color " .. wrong or nil
end

--- The form of a condition on points, complete.
local function complete(form)
  return setmetatable({ min_points = form.min_points or 1, max_points = form.max_points or math.huge },
    { __index = form })
end

local function show_frame(site, form, memory)
  local d = memory.distance or measure(site, form)
  return { value = d, unit = "m", nominal = form.timeout, tolerance = 0, error = d and math.max(0, d) or nil,
    text = d and ("%.3f m %s"):format(math.abs(d), d > 0 and "outside" or "inside")
      or "a frame is not there" }
end

local function show_points(form, memory)
  local points = memory.points
  return { value = points, unit = "points", nominal = form.timeout, tolerance = 0,
    text = points and ("%d points%s"):format(points, form.color and ", " .. as_percent(memory.color) or "")
      or "no cloud is there" }
end

return {
  name = "contains",
  doc = "Succeeds when a frame, or enough points of the newest cloud, are in a volume, which may move; \z
    waits for that until "
    .. "its timeout, then fails.",
  fields = {
    what = { "string", doc = "the frame that should be inside: a link, a role, an object or a person" },
    shape = { "table", doc = "the volume: { kind = \"sphere\", size = { 0.5 } }, a box, capsule, cylinder, \z
      half_space or union" },
    frame = { "string", doc = "the frame of the volume, which moves with it; default: the robot's base" },
    min_points = { "whole", lower = 0, upper = 1e9,
      doc = "minimum number of points of the cloud inside; default 1" },
    max_points = { "whole", lower = 0, upper = 4e9,
      doc = "maximum number of points inside; default: any" },
    color = { "any", doc = "required mean color of the points: a name, or { hue = {from, to}, saturation =, \z
      value = }" },
    cloud = { "string", doc = "the cloud, by the name of its source; default: the newest of all" },
    timeout = { "number", unit = "s", lower = 0, upper = 1e6, value = 0,
      doc = "maximum time to wait; 0: checked once" },
  },
  needs = { "shape" },
  fault = fault,
  frames = function(form) return { form.what, form.shape.frame } end,
  owns = function() return {} end,
  seconds = function(form) return form.timeout == 0 and 0 or nil end,
  work = function(site, form, memory, fresh, elapsed)
    local wrong = fresh and fault(form)
    if wrong then return false, wrong end
    local good, why
    if form.what then
      good, why = ask_frame(site, form, memory)
    else
      good, why = ask_points(site, complete(form), memory)
    end
    if good then return true end
    if elapsed < form.timeout - 1e-9 then return nil end
    return false, why .. (form.timeout > 0 and (" after %g s"):format(form.timeout) or "")
  end,
  asks = true,
  progress = function(site, form, memory)
    if form.what then return show_frame(site, form, memory) end
    return show_points(form, memory)
  end,
  inherit = { "what", "frame", "shape" },
}
