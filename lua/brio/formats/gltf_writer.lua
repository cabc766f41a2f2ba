--- A film of a robot (brio.export) as a glTF 2.0 document: a node for each link, animated if a joint moves
--- it. y is up in glTF, so the root is rotated; links have no meshes, and nodes are named after links.
local rotation = require "brio.lib.rotation"
local store = require "brio.store"

local gltf = {}

local upright = { -math.sqrt(0.5), 0, 0, math.sqrt(0.5) }

--- The pose of a link in its parent, from the poses of both in the world: position and orientation.
function gltf.relative(parent, link)
  local p, q = parent.position, parent.orientation
  local o, r = link.position, link.orientation
  local x, y, z = rotation.turn(-q[1], -q[2], -q[3], q[4], o[1] - p[1], o[2] - p[2], o[3] - p[3])
  return { x, y, z }, { rotation.normalized(
    rotation.times(-q[1], -q[2], -q[3], q[4], r[1], r[2], r[3], r[4])) }
end

--- The links as nodes, parents first, with these joint values; and the index of each one's parent.
function gltf.nodes_of(robot, joints)
  local nodes, number, parents, links = {}, {}, {}, robot:forward({ joints = joints }).links
  for index, name in ipairs(robot:links()) do
    nodes[index], number[name] = { name = name }, index
    local parent = robot:link(name).parent
    if parent then
      local above = nodes[number[parent]]
      parents[index] = number[parent]
      above.children = above.children or {}
      table.insert(above.children, index - 1)
      nodes[index].translation, nodes[index].rotation = gltf.relative(links[parent], links[name])
    end
  end
  nodes[1].rotation = upright
  return nodes, parents
end

--- An empty buffer.
function gltf.buffer() return { parts = {}, bytes = 0, views = {}, accessors = {} } end

--- Append numbers to the buffer; return the index of their accessor, from 0.
function gltf.put(buffer, numbers, width, kind, with_range)
  local parts, least, most = {}, math.huge, -math.huge
  for index, value in ipairs(numbers) do
    parts[index] = ("<f"):pack(value)
    local kept = ("<f"):unpack(parts[index])
    least, most = math.min(least, kept), math.max(most, kept)
  end
  local bytes = table.concat(parts)
  buffer.views[#buffer.views + 1] = { buffer = 0, byteOffset = buffer.bytes, byteLength = #bytes }
  buffer.accessors[#buffer.accessors + 1] = { bufferView = #buffer.views - 1, componentType = 5126,
    count = #numbers // width,
    type = kind, min = with_range and { least } or nil, max = with_range and { most } or nil }
  buffer.parts[#buffer.parts + 1], buffer.bytes = bytes, buffer.bytes + #bytes
  return #buffer.accessors - 1
end

local put = gltf.put

--- Append the indices of triangles, 16 bits each; return the index of their accessor, from 0.
function gltf.put_indices(buffer, numbers)
  local bytes = ("<" .. ("I2"):rep(#numbers)):pack(table.unpack(numbers))
  local filled = bytes .. ("\0"):rep(-#bytes % 4) -- floats that follow begin at a multiple of 4
  buffer.views[#buffer.views + 1] = { buffer = 0, byteOffset = buffer.bytes, byteLength = #bytes }
  buffer.accessors[#buffer.accessors + 1] = { bufferView = #buffer.views - 1, componentType = 5123,
    count = #numbers, type = "SCALAR" }
  buffer.parts[#buffer.parts + 1], buffer.bytes = filled, buffer.bytes + #filled
  return #buffer.accessors - 1
end

--- Every link's pose in its parent, frame by frame: flat positions and rotations.
local function poses_of(film, robot, home, nodes, parents)
  local places, turns, joints = {}, {}, {}
  for _, variable in ipairs(robot:variables()) do joints[variable.name] = home[variable.name] end
  for index in next, parents do places[index], turns[index] = {}, {} end
  for _, row in ipairs(film.values) do
    for column, one in ipairs(film.dofs) do
      if not one.dof.outside then joints[one.name] = row[column] end
    end
    local links = robot:forward({ joints = joints }).links
    for index, parent in next, parents do
      local p, q = gltf.relative(links[nodes[parent].name], links[nodes[index].name])
      table.move(p, 1, 3, #places[index] + 1, places[index])
      table.move(q, 1, 4, #turns[index] + 1, turns[index])
    end
  end
  return places, turns
end

--- Whether rows of `width` numbers in a flat list differ.
function gltf.moves(flat, width)
  for index = width + 1, #flat do
    if math.abs(flat[index] - flat[index - width]) > 1e-7 then return true end
  end
  return false
end

--- The channels of all links that the film moves.
local function animate(film, robot, home, nodes, parents, buffer)
  local channels, samplers = {}, {}
  local places, turns = poses_of(film, robot, home, nodes, parents)
  local times = put(buffer, film.times, 1, "SCALAR", true)
  local function add(index, path, flat, width, kind)
    if not gltf.moves(flat, width) then return end
    samplers[#samplers + 1] = { input = times, output = put(buffer, flat, width, kind),
      interpolation = "LINEAR" }
    channels[#channels + 1] = { sampler = #samplers - 1, target = { node = index - 1, path = path } }
  end
  for index = 2, #nodes do
    if parents[index] then
      add(index, "translation", places[index], 3, "VEC3")
      add(index, "rotation", turns[index], 4, "VEC4")
    end
  end
  return channels, samplers
end

--- The document as a table, and the bytes of its buffer; nil and a sentence if nothing moves.
function gltf.document(film, description)
  local buffer, home, joints = gltf.buffer(), description.poses[description.home].joints, {}
  for _, variable in ipairs(description.robot:variables()) do joints[variable.name] = home[variable.name] end
  local nodes, parents = gltf.nodes_of(description.robot, joints)
  local channels, samplers = animate(film, description.robot, home, nodes, parents, buffer)
  if #channels == 0 then return nil, "no joint of the robot moves: there is nothing to animate" end
  local array = store.array
  return {
    asset = { version = "2.0", generator = "brio" }, scene = 0, scenes = array { { nodes = array { 0 } } },
      nodes = array(nodes),
    animations = array { { name = film.name, channels = array(channels), samplers = array(samplers) } },
    bufferViews = array(buffer.views), accessors = array(buffer.accessors),
      buffers = array { { byteLength = buffer.bytes } },
  }, table.concat(buffer.parts)
end

return gltf
