--- Obstacles of a behavior: shapes by key, tracked so that a rollback removes those of a failed version.
local suggest = require "brio.lib.suggest"

local shapes = {}

--- The fields of a shape that do not change when it only moves.
local fixed_fields = { "kind", "size", "points", "link", "physical" }

local function same_but_moved(old, new)
  for _, field in ipairs(fixed_fields) do
    local a, b = old[field], new[field]
    if type(a) == "table" and type(b) == "table" and field == "size" then
      for i = 1, 3 do
        if a[i] ~= b[i] then return false end
      end
    elseif a ~= b then
      return false
    end
  end
  return true
end

local function place_of(shape) return shape.pose or { position = { 0, 0, 0 } } end

local function copied(pose)
  if type(pose) ~= "table" then return pose end
  local copy = {}
  for field, value in next, pose do
    copy[field] = type(value) == "table" and table.move(value, 1, #value, 1, {}) or value
  end
  return copy
end

--- Note that the shapes have changed: who plans among them looks at the number.
local function count_change(host) host.shapes_version = (host.shapes_version or 0) + 1 end

local function remove(host, key)
  if host.shapes[key] then
    host.solver:remove_shape(key)
    count_change(host)
  end
  host.shapes[key] = nil
  return true
end

--- Whether two poses have the same numbers.
local function same_pose(a, b)
  for part, count in next, { position = 3, orientation = 4 } do
    for k = 1, count do
      if (a[part] or {})[k] ~= (b[part] or {})[k] then return false end
    end
  end
  return true
end

--- Add a shape under a key, move it, or remove it (nil).  A link may be a role.  Return true, or nil, a
--- sentence and a code when there is no room; an invalid shape raises an error.
function shapes.put(host, key, shape)
  if not shape then return remove(host, key) end
  local old, new = host.shapes[key], {}
  for field, value in next, shape do new[field] = value end
  new.link = host.self.roles[new.link] or new.link
  if old and same_but_moved(old, new) then
    host.solver:move_shape(key, place_of(new))
    if not same_pose(place_of(old), place_of(new)) then count_change(host) end
  else
    local _, why, code = host.solver:shape(key, new)
    if why then return nil, why, code end
    count_change(host)
  end
  if type(new.size) == "table" then new.size = table.move(new.size, 1, 3, 1, {}) end
  new.pose = copied(new.pose)
  host.shapes[key] = new
  return true
end

--- The current shapes, for a rollback.
function shapes.note(host)
  local noted = {}
  for key, shape in next, host.shapes do noted[key] = shape end
  return noted
end

--- Restore the noted shapes at their noted poses, and remove all others.
function shapes.restore(host, noted)
  for _, key in ipairs(suggest.keys(host.shapes)) do
    if not noted[key] then remove(host, key) end
  end
  for _, key in ipairs(suggest.keys(noted)) do
    if host.shapes[key] ~= noted[key] then shapes.put(host, key, noted[key]) end
  end
end

return shapes
