--- What a limb's end keeps on its way: the field `keep` of leaves, as bounds of a frame for brio.joints.
---
--- All is relative to the pose of the end at the leaf's start: what points up there stays up, the line leads
--- through its place.
local geometry = require "brio.lib.geometry"
local suggest = require "brio.lib.suggest"

local keeps = {}

--- The field of these leaves.
keeps.field = { "any", doc = "what the limb's end keeps on its way, as it is at the start: \"upright\", or \z
  { upright = rad, orientation = rad, line = direction, plane = normal, within = m }" }

--- Tolerances without a number: rad, m.
local usual = { angle = 0.1, within = 0.01 }

--- Bounds of the parts, rad or m; `vector`: a direction in the leaf's frame.
local parts = { upright = { 0.005, 3 }, orientation = { 0.005, 1.6 }, within = { 5e-4, 10 }, line = "vector",
  plane = "vector" }

--- The error in one part; nil: none.
local function fault_of(name, said)
  local known = parts[name]
  if not known then
    local names = suggest.keys(parts)
    return ("keep has no field '%s'%s: it has %s"):format(tostring(name), suggest.hint(tostring(name), names),
      table.concat(names, ", "))
  end
  if known == "vector" then
    for k = 1, 3 do
      if type(said) ~= "table" or type(said[k]) ~= "number" or said[k] ~= said[k] then
        return ("keep.%s must be a direction { x, y, z }"):format(name)
      end
    end
    return said[1] ^ 2 + said[2] ^ 2 + said[3] ^ 2 < 1e-12 and ("keep.%s has no length"):format(name) or nil
  end
  if said == true and name ~= "within" then return nil end
  if type(said) ~= "number" or not (said >= known[1] and said <= known[2]) then
    return ("keep.%s must be %g to %g %s, not %s"):format(name, known[1], known[2],
      name == "within" and "m" or "rad", tostring(said))
  end
end

--- The error in a form; nil: none.
function keeps.fault(form)
  local said = form.keep
  if said == nil or said == "upright" then return nil end
  if type(said) ~= "table" or not next(said) then
    return "keep must be \"upright\", or a table such as { upright = 0.1 }"
  end
  for _, name in ipairs(suggest.keys(said)) do
    local why = fault_of(name, said[name])
    if why then return why end
  end
  if said.line and said.plane then return "keep has a line and a plane: give one of them" end
  if said.within and not (said.line or said.plane) then return "keep.within needs a line or a plane" end
end

--- An orientation whose x axis is this direction.
local function along_x(direction)
  return geometry.towards({ 0, 0, 0 }, direction)
end

--- The bounds: {said = the field, link, pose = of the link at the start, in the world, frame = orientation of
--- the leaf's frame in the world}: a list for brio.joints; nil: nothing is kept.
function keeps.list(said, link, pose, frame)
  if not said then return nil end
  if said == "upright" then said = { upright = true } end
  local list = {}
  local function add(bounds)
    bounds.link = link
    list[#list + 1] = bounds
  end
  if said.upright then
    local back = geometry.inverse(pose).orientation
    add { axis = geometry.turn(back, { 0, 0, 1 }), along = { 0, 0, 1 },
      angle = said.upright == true and usual.angle or said.upright }
  end
  if said.orientation then
    local most = said.orientation == true and usual.angle or said.orientation
    add { reference = { position = pose.position, orientation = pose.orientation },
      turn = { { -most, most }, { -most, most }, { -most, most } } }
  end
  if said.line or said.plane then
    local within = said.within or usual.within
    local range = { -within, within }
    -- x of the reference is along the line, or across the plane
    add { reference = { position = pose.position,
      orientation = along_x(geometry.turn(frame, said.line or said.plane)) },
      position = said.line and { false, range, range } or { range, false, false } }
  end
  return list
end

return keeps
