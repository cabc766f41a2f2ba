--- A robot's face as a drawing, moved by its DOFs: a file describes its parts, so that any face can be drawn.
---
---     local face = assert(faces.compile(robots.data(description, "face"), description))
---     faces.paint(paper, face, { MouthOpen = 0.9 }, { x = 100, y = 80, scale = 0.8 })
---
--- A part has a shape (below), and `moves`: for each DOF, the effect of one unit away from its rest: shift =
--- {x, y}; turn = degrees clockwise about = {x, y}; points = { [number] = {x, y} } of single points; and the
--- numbers of its shape, such as bend. `below` in a move is the effect below the rest instead. A part with
--- both = true has a mirrored copy, with the DOFs that `mirror` names. docs/animation/emotion.md describes
--- such files.
local curves = require "brio.draw.outline"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local faces = {}

local point_field = { "vector", size = 2 }

--- The fields of a face, a part of it, and a move of a part: see docs/animation/emotion.md.
faces.fields = { about = "any", colors = { "table", needed = true }, mirror = "table", moves = "table",
  parts = { "table", needed = true }, size = "any", source = "any" }
faces.part_fields = { name = "any", about = "any", shape = "any", both = "any", fill = "any", line = "any",
  points = "any", cover = "any", moves = "any", at = point_field, size = point_field, widths = point_field,
  width = "number", length = "number", direction = "number", bend = "number", curl = "number",
  sag = "number", slant = "number", depth = "number" }
faces.move_fields = { shift = point_field, about = point_field, grow = point_field,
  turn = { "number", unit = "deg" }, bend = "number", curl = "number", direction = "number",
  slant = "number", points = "table", below = "table" }

local is_number = require("brio.lib.fields").is_number
local function is_pair(value)
  return type(value) == "table" and is_number(value[1]) and is_number(value[2])
end

-- Shapes ----------------------------------------------------------------------------------------------

--- Each: its required fields, and outline(moved part) -> flat points, whether they are closed.
faces.shapes = {
  blob = { needs = { "points" }, doc = "a smooth closed outline through points",
    outline = function(part) return curves.smooth(part.points, true), true end },
  curve = { needs = { "points" }, doc = "a smooth line through points",
    outline = function(part) return curves.smooth(part.points, false), false end },
  polygon = { needs = { "points" }, doc = "straight edges between points",
    outline = function(part) return curves.flat(part.points), true end },
  disc = { needs = { "at", "size" }, doc = "an ellipse: its middle, and its half axes",
    outline = function(part) return curves.ellipse(part.at, part.size), true end },
  lid = { needs = { "at", "size", "cover" }, doc = "what covers an eye from above, as one DOF says",
    outline = function(part) return curves.lid(part.at, part.size, part.share, part.sag, part.slant),
      true end },
  tube = { needs = { "at", "length", "widths" },
    doc = "a trunk, bent along its first half and curled along its second",
    outline = function(part)
      return curves.tube(part.at, part.direction, part.length, part.widths, part.bend, part.curl), true
    end },
}

-- Checking --------------------------------------------------------------------------------------------

local function fault_of_points(points, what)
  if type(points) ~= "table" or #points < 2 or #points > 200 then
    return what .. ": points must be 2 to 200 pairs {x, y}"
  end
  for index, point in ipairs(points) do
    if not is_pair(point) then return ("%s: points[%d] must be {x, y}"):format(what, index) end
  end
end

local function fault_of_move(move, what, part)
  local fault = schema.fault(move, faces.move_fields, what)
  if fault then return fault end
  if move.turn and not is_pair(move.about) then return what .. ": turn needs about = {x, y}" end
  for index, way in next, move.points or {} do
    if not (part.points and part.points[index] and is_pair(way)) then
      return ("%s: points[%s] must be {x, y} of a point that there is"):format(what, tostring(index))
    end
  end
  if move.below ~= nil then return fault_of_move(move.below, what .. ".below", part) end
end

local function fault_of_moves(moves, what, part, dofs)
  if moves ~= nil and type(moves) ~= "table" then return what .. ": moves must be a table by DOF" end
  for _, dof in ipairs(suggest.keys(moves or {})) do
    if not dofs[dof] then
      return ("%s: the robot has no DOF '%s'%s"):format(what, dof, suggest.hint(dof, suggest.keys(dofs)))
    end
    local fault = fault_of_move(moves[dof], ("%s: moves.%s"):format(what, dof), part)
    if fault then return fault end
  end
end

local function fault_of_color(color, colors, what)
  if color == nil or colors[color] then return nil end
  return ("%s: there is no color '%s'%s"):format(what, tostring(color),
    suggest.hint(tostring(color), suggest.keys(colors)))
end

local function fault_of_cover(cover, what, dofs)
  if type(cover) ~= "table" or not dofs[cover.dof or ""] or #cover < 2 then
    return what .. ": cover must be { dof = DOF, {value, share}, {value, share}, ... }"
  end
  for index, pair in ipairs(cover) do
    if not is_pair(pair) or index > 1 and pair[1] <= cover[index - 1][1] then
      return ("%s: cover[%d] must be {value, share}, values rising"):format(what, index)
    end
  end
end

local function fault_of_part(part, what, data, dofs)
  what = type(part) == "table" and part.name and ("face: part '%s'"):format(tostring(part.name)) or what
  local fault = schema.fault(part, faces.part_fields, what)
  if fault then return fault end
  local shape = faces.shapes[part.shape]
  if not shape then
    return ("%s: shape must be one of %s, not '%s'%s"):format(what,
      table.concat(suggest.keys(faces.shapes), ", "),
      tostring(part.shape), suggest.hint(tostring(part.shape), suggest.keys(faces.shapes)))
  end
  for _, key in ipairs(shape.needs) do
    if part[key] == nil then return ("%s: a %s needs %s"):format(what, part.shape, key) end
  end
  return part.points and fault_of_points(part.points, what)
    or part.cover and fault_of_cover(part.cover, what, dofs)
    or fault_of_moves(part.moves, what, part, dofs)
      or fault_of_color(part.fill, data.colors, what .. ": fill")
    or fault_of_color(part.line, data.colors, what .. ": line")
end

--- The error in a face of a robot; nil: nothing.
function faces.fault(data, description)
  local dofs = {}
  for _, dof in ipairs(description.dofs) do dofs[dof.name] = dof end
  local fault = schema.fault(data, faces.fields, "face")
  if fault then return fault end
  for _, name in ipairs(suggest.keys(data.colors)) do
    local c = data.colors[name]
    if not (is_pair(c) and is_number(c[3]) and math.min(c[1], c[2], c[3]) >= 0
        and math.max(c[1], c[2], c[3]) <= 1) then
      return ("face: colors.%s must be {red, green, blue}, each 0 to 1"):format(name)
    end
  end
  for _, name in ipairs(suggest.keys(data.mirror or {})) do
    for _, dof in ipairs { name, data.mirror[name] } do
      if not dofs[dof] then return ("face: mirror: the robot has no DOF '%s'"):format(tostring(dof)) end
    end
  end
  if #data.parts == 0 or #data.parts > 500 then return "face: parts must be a list of 1 to 500 parts" end
  for index, part in ipairs(data.parts) do
    fault = fault_of_part(part, ("face: parts[%d]"):format(index), data, dofs)
    if fault then return fault end
  end
  return fault_of_moves(data.moves, "face", {}, dofs)
end

-- Making ----------------------------------------------------------------------------------------------

--- The mirrored copy of a face's part: with x mirrored, moved by the other DOFs.
local function mirrored(part, mirror)
  local made = {}
  for key, value in next, part do made[key] = value end
  made.flip, made.moves = true, {}
  for dof, move in next, part.moves or {} do made.moves[mirror[dof] or dof] = move end
  if part.cover then
    made.cover = { dof = mirror[part.cover.dof] or part.cover.dof }
    for index, pair in ipairs(part.cover) do made.cover[index] = pair end
  end
  return made
end

--- Create a face of a robot; nil and a sentence on errors.
function faces.compile(data, description)
  local fault = faces.fault(data, description)
  if fault then return nil, fault end
  local rests, mirror = {}, {}
  for _, dof in ipairs(description.dofs) do rests[dof.name] = dof.rest end
  for name, other in next, data.mirror or {} do mirror[name], mirror[other] = other, name end
  local face = { parts = {}, colors = data.colors, rests = rests, moves = data.moves or {},
    size = data.size or { 100, 100 } }
  for _, part in ipairs(data.parts) do
    if part.both then face.parts[#face.parts + 1] = mirrored(part, mirror) end
    face.parts[#face.parts + 1] = part
  end
  return face
end

-- Painting --------------------------------------------------------------------------------------------

--- Share of an eye that is covered at a lid's value: linear between the given values.
local function cover_of(cover, value)
  if value <= cover[1][1] then return cover[1][2] end
  for index = 2, #cover do
    local a, b = cover[index - 1], cover[index]
    if value <= b[1] then return a[2] + (value - a[1]) / (b[1] - a[1]) * (b[2] - a[2]) end
  end
  return cover[#cover][2]
end

--- A part with its points and numbers at DOF values, and the remaining moves of its outline.
local function moved(face, part, values)
  local made, ways = {}, {}
  for key, value in next, part do made[key] = value end
  made.bend, made.curl, made.direction, made.slant = part.bend or 0, part.curl or 0, part.direction or 90,
    part.slant or 0
  if part.points then
    made.points = {}
    for index, point in ipairs(part.points) do made.points[index] = { point[1], point[2] } end
  end
  for _, dof in ipairs(suggest.keys(part.moves or {})) do
    local move, by = part.moves[dof], (values[dof] or face.rests[dof]) - face.rests[dof]
    if by < 0 and move.below then move = move.below end
    for index, way in next, move.points or {} do
      local point = made.points[index]
      point[1], point[2] = point[1] + by * way[1], point[2] + by * way[2]
    end
    for _, key in ipairs { "bend", "curl", "direction", "slant" } do
      made[key] = made[key] + by * (move[key] or 0)
    end
    if move.grow and made.size then
      made.size = { made.size[1] * (1 + by * move.grow[1]), made.size[2] * (1 + by * move.grow[2]) }
    end
    if move.shift or move.turn then ways[#ways + 1] = { move = move, by = by } end
  end
  if part.cover then
    made.share = cover_of(part.cover, values[part.cover.dof] or face.rests[part.cover.dof])
  end
  return made, ways
end

--- Shift and turn a flat list of points by moves; `depth`: the share of a shift that applies.
local function carried(flat, ways, depth)
  for _, way in ipairs(ways) do
    local move, by = way.move, way.by
    local about, angle = move.about or { 0, 0 }, math.rad((move.turn or 0) * by)
    local shift, c, s = move.shift or { 0, 0 }, math.cos(angle), math.sin(angle)
    for index = 1, #flat, 2 do
      local x, y = flat[index] - about[1], flat[index + 1] - about[2]
      flat[index] = about[1] + c * x - s * y + by * shift[1] * depth
      flat[index + 1] = about[2] + s * x + c * y + by * shift[2] * depth
    end
  end
  return flat
end

--- The present moves of the whole head.
local function whole_ways(face, values)
  local ways = {}
  for _, dof in ipairs(suggest.keys(face.moves)) do
    local by = (values[dof] or face.rests[dof]) - face.rests[dof]
    if by ~= 0 then ways[#ways + 1] = { move = face.moves[dof], by = by } end
  end
  return ways
end

--- Draw a face: `values` of DOFs by name, others at rest; its center at {x, y}, with a scale.
function faces.paint(paper, face, values, at)
  local whole = whole_ways(face, values)
  for _, part in ipairs(face.parts) do
    local made, ways = moved(face, part, values)
    local flat, closed = faces.shapes[part.shape].outline(made)
    carried(flat, ways, 1)
    for index = 1, part.flip and #flat or 0, 2 do flat[index] = -flat[index] end
    carried(flat, whole, part.depth or 1)
    for index = 1, #flat, 2 do
      flat[index], flat[index + 1] = at.x + at.scale * flat[index], at.y + at.scale * flat[index + 1]
    end
    local fill, line, width = part.fill and face.colors[part.fill], part.line and face.colors[part.line],
      part.width or 1.5
    if #flat >= 6 and closed and fill then paper:color(fill[1], fill[2], fill[3]):polygon(flat, true) end
    if #flat >= 4 and line then
      paper:color(line[1], line[2], line[3])
      if closed and #flat >= 6 then
        paper:polygon(flat, false, width * at.scale)
      else
        paper:line(flat, width * at.scale)
      end
    end
  end
end

return faces
