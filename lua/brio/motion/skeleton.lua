--- A moving skeleton as a person's body: the nodes of its parts, its up axis, its unit of length, and the
--- poses of the parts in every frame.
---
--- Skeletons name their nodes in many ways. A part is found by its names, the likeliest first, on its side; a
--- mapping can name others. Motion capture files contain neither the up axis nor the unit: up is the
--- direction from the hips to the head, most of the time, and the unit gives the body a person's size.
local clip = require "brio.formats.clip"
local rotation = require "brio.lib.rotation"

local skeleton = {}

--- Names of parts without their side, the likeliest first.
local middle_parts = {
  { "hips", { "hips", "hip", "pelvis", "root" } },
  { "chest", { "chest2", "spine3", "spine2", "thorax", "spine02", "chest", "spine1", "upperback", "torso",
    "spine01", "abdomen", "spine" } },
  { "neck", { "neck", "neck1", "lowerneck" } },
  { "head", { "head", "upperneck" } },
}
local side_parts = {
  { "shoulder", { "upperarm", "humerus", "shldr", "arm", "shoulder" } },
  { "elbow", { "lowerarm", "forearm", "radius", "elbow" } },
  { "hand", { "wrist", "hand", "palm2", "palm1" } },
  { "hip", { "upperleg", "femur", "thigh", "upleg", "hip", "leg01" } },
  { "knee", { "lowerleg", "tibia", "shin", "leg", "knee", "leg02" } },
  { "foot", { "foot", "ankle", "foot01" } },
}

--- All parts, in order.
skeleton.parts = {}
for _, part in ipairs(middle_parts) do table.insert(skeleton.parts, part[1]) end
for _, part in ipairs(side_parts) do
  for _, side in ipairs { "left", "right" } do table.insert(skeleton.parts, side .. "_" .. part[1]) end
end

--- A node's name for comparison, and its side: in lower case, without the prefixes of programs and the
--- numbers of exporters.
local function plain(name)
  local word = name:lower():gsub("^.*:", ""):gsub("^b_", ""):gsub("_0?%d+$", "")
  local left, right = word:gsub("left", "", 1), word:gsub("right", "", 1)
  if left ~= word then return left:gsub("[^%w]", ""), "left" end
  if right ~= word then return right:gsub("[^%w]", ""), "right" end
  local stem, letter = word:match "^(.-)[._%- ]([lr])$"
  if stem then return stem:gsub("[^%w]", ""), letter == "l" and "left" or "right" end
  return word:gsub("[^%w]", ""), nil
end

--- Nodes by side and plain name: the first of each. A leading l or r may also be a side.
local function index_names(nodes)
  local by = { left = {}, right = {}, middle = {} }
  local function put(side, word, index)
    if word ~= "" and not by[side][word] then by[side][word] = index end
  end
  for index, node in ipairs(nodes) do
    local word, side = plain(node.name)
    put(side or "middle", word, index)
    local letter, rest = word:match "^([lr])(.+)$"
    if not side and letter then put(letter == "l" and "left" or "right", rest, index) end
  end
  return by
end

local function is_below(nodes, index, ancestor)
  while index do
    if index == ancestor then return true end
    index = nodes[index].parent
  end
  return false
end

--- The first of a part's names that exists, preferably below the node `above`.
local function find(nodes, names, words, above)
  for _, word in ipairs(above and words or {}) do
    local index = names[word]
    if index and index ~= above and is_below(nodes, index, above) then return index end
  end
  for _, word in ipairs(words) do
    if names[word] then return names[word] end
  end
end

--- The node of each part: {part = index}. `named`, {part = node's name}, has priority.
function skeleton.body(nodes, named)
  local by, body = index_names(nodes), {}
  for _, part in ipairs(middle_parts) do body[part[1]] = find(nodes, by.middle, part[2]) end
  for _, side in ipairs { "left", "right" } do
    local above = { elbow = "shoulder", hand = "elbow", knee = "hip", foot = "knee" }
    for _, part in ipairs(side_parts) do
      local upper = above[part[1]] and body[side .. "_" .. above[part[1]]]
      body[side .. "_" .. part[1]] = find(nodes, by[side], part[2], upper)
    end
  end
  for part, name in next, named or {} do
    body[part] = nil
    for index, node in ipairs(nodes) do
      if node.name == name then body[part] = body[part] or index end
    end
    if not body[part] then
      clip.fail(nil, "the mapping says that %s is the node '%s', which does not exist", part, name)
    end
  end
  return body
end

-- Where nodes are ---------------------------------------------------------------------------------

--- The ancestors of the wanted nodes, with the nodes themselves, parents first.
local function needed(nodes, wanted)
  local marked = {}
  for _, index in next, wanted do
    while index and not marked[index] do
      marked[index], index = true, nodes[index].parent
    end
  end
  local order = {}
  for index = 1, #nodes do
    if marked[index] then order[#order + 1] = index end
  end
  return order
end

local none = { 0, 0, 0, 1 }

--- A node's position and rotation in its parent, in a frame counted from 1; frame 0: the skeleton at rest.
local function own(node, frame)
  local r, p, rest, offset = node.rotations, node.positions, node.turned or none, node.offset
  local x, y, z, w = rest[1], rest[2], rest[3], rest[4]
  if r and frame > 0 then x, y, z, w = r[4 * frame - 3], r[4 * frame - 2], r[4 * frame - 1], r[4 * frame] end
  if p and frame > 0 then return x, y, z, w, p[3 * frame - 2], p[3 * frame - 1], p[3 * frame] end
  return x, y, z, w, offset[1], offset[2], offset[3]
end

--- Poses of the nodes in a frame, in the file's axes and units: {index = {x, y, z, qx, qy, qz, qw}}.
local function place(nodes, order, frame)
  local at = {}
  for _, index in ipairs(order) do
    local node = nodes[index]
    local x, y, z, w, px, py, pz = own(node, frame)
    local up = node.parent and at[node.parent]
    if up then
      px, py, pz = rotation.turn(up[4], up[5], up[6], up[7], px, py, pz)
      px, py, pz = up[1] + px, up[2] + py, up[3] + pz
      x, y, z, w = rotation.times(up[4], up[5], up[6], up[7], x, y, z, w)
    end
    at[index] = { px, py, pz, x, y, z, w }
  end
  return at
end

-- Up and size --------------------------------------------------------------------------------------

--- Conversion of the file's axes to x forward, y left, z up: a person faces z if y is up, and x if z is.
local to_z_up = { y = { 0.5, 0.5, 0.5, 0.5 }, z = { 0, 0, 0, 1 },
  x = { 0, -math.sqrt(0.5), 0, math.sqrt(0.5) } }

--- The axis, with its sign, along the direction from the hips to the head most of the time.
local function guess_up(clip_, body, order)
  local top, sums = body.head or body.neck or body.chest, { 0, 0, 0 }
  if not (body.hips and top) then return "y" end
  local step = math.max(1, #clip_.times // 50)
  for frame = 1, #clip_.times, step do
    local at = place(clip_.nodes, order, frame)
    for axis = 1, 3 do sums[axis] = sums[axis] + at[top][axis] - at[body.hips][axis] end
  end
  local best = 1
  for axis = 2, 3 do
    if math.abs(sums[axis]) > math.abs(sums[best]) then best = axis end
  end
  return ("xyz"):sub(best, best)
end

--- Units of motion capture files, m.
local units = { { 1, "metres" }, { 0.01, "centimetres" }, { 0.001, "millimetres" }, { 0.0254, "inches" },
  { 0.0254 / 0.45, "CMU's units of 5.64 cm" }, { 0.3048, "feet" } }

--- The length of the chain from one part to another, in the file's unit.
local function chain(clip_, body, from, to)
  local index, length = body[to], 0
  while index and index ~= body[from] do
    local o = clip_.nodes[index].offset
    length = length + math.sqrt(o[1] * o[1] + o[2] * o[2] + o[3] * o[3])
    index = clip_.nodes[index].parent
  end
  return index and length or 0
end

--- A person's arm is about 0.53 m from shoulder to wrist and a leg 0.84 m from hip to ankle (Winter,
--- "Biomechanics and Motor Control of Human Movement", figure 4.1, for 1.75 m): the unit that comes nearest
--- to that.
local function guess_scale(clip_, body)
  local arm, leg = chain(clip_, body, "left_shoulder", "left_hand"),
    chain(clip_, body, "left_hip", "left_foot")
  local length, usual = arm + leg, (arm > 0 and 0.53 or 0) + (leg > 0 and 0.84 or 0)
  if not (length > 0) then return 1, nil end
  local best, least
  for _, unit in ipairs(units) do
    local off = math.abs(math.log(length * unit[1] / usual))
    if not least or off < least then best, least = unit, off end
  end
  if least > math.log(1.2) then return usual / length, ("units of %.3g m"):format(usual / length) end
  return best[1], best[2]
end

-- Posing -------------------------------------------------------------------------------------------

local Poser = {}
Poser.__index = Poser

--- A poser, which places a body's parts frame by frame. `named`: {part = node's name}. Fields: body, scale,
--- up, frames, times, notes. Fails by clip.fail.
function skeleton.poser(clip_, named)
  local body = skeleton.body(clip_.nodes, named)
  local order, notes = needed(clip_.nodes, body), {}
  local up = clip_.up or guess_up(clip_, body, order)
  local scale = clip_.scale
  if not scale then
    local unit
    scale, unit = guess_scale(clip_, body)
    if unit then clip.note(notes, "lengths are taken for %s, and %s for up", unit, up) end
  end
  return setmetatable({ nodes = clip_.nodes, body = body, order = order, up = up, scale = scale,
    turn = to_z_up[up], times = clip_.times, frames = #clip_.times, notes = notes }, Poser)
end

--- The parts in a frame (from 1; 0: the skeleton at rest), z up, m: {part = {x, y, z, qx, qy, qz, qw}}.
function Poser:at(frame)
  local at, parts, t = place(self.nodes, self.order, frame), {}, self.turn
  for part, index in next, self.body do
    local p = at[index]
    local x, y, z = rotation.turn(t[1], t[2], t[3], t[4], p[1], p[2], p[3])
    local qx, qy, qz, qw = rotation.times(t[1], t[2], t[3], t[4], p[4], p[5], p[6], p[7])
    parts[part] = { x * self.scale, y * self.scale, z * self.scale, qx, qy, qz, qw }
  end
  return parts
end

--- Add the node of a name as a part under another name; nil: there is none.
function Poser:add(part, name)
  for index, node in ipairs(self.nodes) do
    if node.name == name then
      self.body[part] = index
      self.order = needed(self.nodes, self.body)
      return true
    end
  end
  return nil
end

--- The names of the first nodes, for sentences.
function Poser:names()
  local names = {}
  for index = 1, math.min(#self.nodes, 12) do names[index] = self.nodes[index].name end
  return table.concat(names, ", ") .. (#self.nodes > 12 and ", ..." or "")
end

return skeleton
