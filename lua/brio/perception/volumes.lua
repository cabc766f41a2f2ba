--- Volumes as plain tables: {kind, size, pose, frame}, with sizes like those of obstacles
--- (docs/perception/proximity.md), and unions of them: {kind = "union", shapes = {...}}. Each is fixed in a
--- frame and moves with it.
local fields = require "brio.lib.fields"
local frames = require "brio.perception.frames"
local geometry = require "brio.lib.geometry"
local suggest = require "brio.lib.suggest"

local volumes = {}

--- Maximum depth of unions, and maximum number of parts.
volumes.deepest, volumes.most = 8, 200

local function length(x, y, z) return math.sqrt(x * x + y * y + z * z) end

--- The distance of a point with distances x, y and z beyond the faces along three axes; negative inside,
--- where all of them are.
local function of_faces(x, y, z)
  return length(math.max(x, 0), math.max(y, 0), math.max(z, 0)) + math.min(0, math.max(x, y, z))
end

--- Distance of a point from each kind, m: negative inside. `sizes`: which numbers of the size it has, each
--- positive.
local kinds = {
  sphere = { sizes = { 1 }, distance = function(size, p) return length(p[1], p[2], p[3]) - size[1] end },
  box = { sizes = { 1, 2, 3 }, distance = function(size, p)
    return of_faces(math.abs(p[1]) - size[1] / 2, math.abs(p[2]) - size[2] / 2, math.abs(p[3]) - size[3] / 2)
  end },
  capsule = { sizes = { 1, 3 }, distance = function(size, p)
    return length(p[1], p[2], math.max(0, math.abs(p[3]) - size[3] / 2)) - size[1]
  end },
  cylinder = { sizes = { 1, 3 }, distance = function(size, p)
    return of_faces(length(p[1], p[2], 0) - size[1], math.abs(p[3]) - size[3] / 2, -math.huge)
  end },
  half_space = { sizes = {}, distance = function(_, p) return p[3] end },
}

local known = { kind = true, size = true, pose = true, frame = true, shapes = true }

local function size_fault(shape, row)
  local size = type(shape.size) == "number" and { shape.size } or shape.size
  if #row.sizes > 0 and type(size) ~= "table" then return ("a %s needs its size"):format(shape.kind) end
  for _, index in ipairs(row.sizes) do
    local number = size[index]
    if type(number) ~= "number" or not (number > 0 and number < math.huge) then
      return ("a %s needs size[%d] in m, above 0"):format(shape.kind, index)
    end
  end
end

local function fault_of(shape, depth, count)
  count.shapes = count.shapes + 1
  if type(shape) ~= "table" then
    return "is a table, as { kind = \"sphere\", size = { 0.5 } }, not a " .. type(shape)
  end
  if depth > volumes.deepest or count.shapes > volumes.most then
    return ("has more than %d parts, or more than %d inside each other"):format(volumes.most, volumes.deepest)
  end
  for _, key in ipairs(suggest.keys(shape)) do
    if not known[key] then return ("has no '%s'%s"):format(key, suggest.hint(key, suggest.keys(known))) end
  end
  local pose = shape.pose and fields.fault(shape.pose, { "pose" })
  if pose then return "pose " .. pose end
  if shape.frame ~= nil and type(shape.frame) ~= "string" then return "frame must be a name" end
  if shape.kind ~= "union" then
    local row = kinds[shape.kind]
    if row then return size_fault(shape, row) end
    local names = suggest.keys(kinds)
    names[#names + 1] = "union"
    return ("kind is one of %s, not '%s'%s"):format(table.concat(names, ", "), tostring(shape.kind),
      suggest.hint(tostring(shape.kind), names))
  end
  if type(shape.shapes) ~= "table" or #shape.shapes == 0 then return "a union needs shapes" end
  for index, part in ipairs(shape.shapes) do
    local why = fault_of(part, depth + 1, count)
    if why then return ("shapes[%d]: %s"):format(index, why) end
  end
end

--- The error in a volume: the text after its name in a sentence, or nil.
function volumes.fault(shape) return fault_of(shape, 1, { shapes = 0 }) end

--- The present distance of a point in the world from a volume, m, negative inside; of a union: of the nearest
--- part. `frame` is the default frame of the volume. nil and a sentence if its frame is unknown.
function volumes.distance(site, shape, frame, point)
  frame = shape.frame or frame
  if shape.kind == "union" then
    local nearest, sentence = nil, nil
    for _, part in ipairs(shape.shapes) do
      local distance, why = volumes.distance(site, part, frame, point)
      if distance and distance < (nearest or math.huge) then nearest = distance end
      sentence = sentence or why
    end
    return nearest, not nearest and sentence or nil
  end
  local pose, why = frames.pose(site, frame)
  if not pose then return nil, why end
  local p = frames.into(pose, point)
  if shape.pose then p = frames.into(shape.pose, p) end
  return kinds[shape.kind].distance(type(shape.size) == "number" and { shape.size } or shape.size, p)
end

--- A volume as a solid of brio.cloud, in the frame whose pose in the world is `from`. nil and a sentence if
--- its frame is unknown.
function volumes.solid(site, shape, frame, from)
  frame = shape.frame or frame
  if shape.kind == "union" then
    local parts = {}
    for index, part in ipairs(shape.shapes) do
      local solid, why = volumes.solid(site, part, frame, from)
      if not solid then return nil, why end
      parts[index] = solid
    end
    return { kind = "union", shapes = parts }
  end
  local pose, why = frames.pose(site, frame)
  if not pose then return nil, why end
  local at = geometry.within(geometry.inverse(from), geometry.within(pose, shape.pose or {}))
  local size = type(shape.size) == "number" and { shape.size } or shape.size
  return { kind = shape.kind, size = size and { size[1] or 0, size[2] or 0, size[3] or 0 }, pose = at }
end

return volumes
