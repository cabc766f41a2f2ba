--- Takes of one robot side by side as one glTF 2.0 film: each in its own color, with its own time, its links
--- as nodes and its bones as boxes, so that it can be seen without meshes.
---
---     takes.document(robot, { { name = "original", color = {1, 0, 0}, times = { 0, 0.04 },
---       configurations = { q1, q2 } }, ... }, 1.2)
local gltf = require "brio.formats.gltf_writer"
local rotation = require "brio.lib.rotation"
local store = require "brio.store"

local takes = {}

--- y is up in glTF.
local upright = { -math.sqrt(0.5), 0, 0, math.sqrt(0.5) }

--- Width of a bone's box by its length, and its least length, m.
local slim, shortest = 0.16, 0.01

--- Corners of a box from x = 0 to 1, y and z from -0.5 to 0.5; triangles, counterclockwise from outside.
local corners = { 0, -.5, -.5, 0, .5, -.5, 0, .5, .5, 0, -.5, .5, 1, -.5, -.5, 1, .5, -.5, 1, .5, .5, 1, -.5,
  .5 }
local faces = { 0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 3, 7, 6, 3, 6, 2, 1, 2, 6, 1, 6, 5, 0,
  4, 7, 0,
  7, 3 }

--- The rotation that turns x along a vector of some length.
local function along(v, length)
  local x, y, z = v[1] / length, v[2] / length, v[3] / length
  if x < -0.999999 then return { 0, 0, 1, 0 } end
  return { rotation.normalized(0, -z, y, 1 + x) }
end

--- The mesh of a box with a color, for all bones of a take.
local function add_mesh(document, buffer, color)
  if not document.box then
    local positions = gltf.put(buffer, corners, 3, "VEC3")
    local accessor = buffer.accessors[positions + 1]
    accessor.min, accessor.max = { 0, -0.5, -0.5 }, { 1, 0.5, 0.5 }
    document.box = { positions, gltf.put_indices(buffer, faces) }
  end
  local material = #document.materials
  document.materials[material + 1] = { doubleSided = true, pbrMetallicRoughness = {
    baseColorFactor = { color[1], color[2], color[3], 1 }, metallicFactor = 0, roughnessFactor = 0.8 } }
  document.meshes[#document.meshes + 1] = { primitives = { { attributes = { POSITION = document.box[1] },
    indices = document.box[2], material = material } } }
  return #document.meshes - 1
end

--- A box from a node's origin to `v`, as a child of it.
local function add_bone(document, parent, v, mesh)
  local length = math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2)
  if length < shortest then return end
  local nodes, width = document.nodes, math.max(0.012, math.min(0.07, slim * length))
  nodes[#nodes + 1] = { name = "bone", translation = { 0, 0, 0 }, rotation = along(v, length),
    scale = { length, width, width }, mesh = mesh }
  parent.children = parent.children or {}
  table.insert(parent.children, #nodes - 1)
end

--- Names of links with what they hang on, parents first.
local function links_of(robot)
  local list = {}
  for index, name in ipairs(robot:links()) do list[index] = { name = name,
    parent = robot:link(name).parent } end
  return list
end

--- The poses of all links in their parents (the root: in the world), frame by frame: flat lists.
local function poses_of(robot, list, configurations)
  local places, turns = {}, {}
  for index in ipairs(list) do places[index], turns[index] = {}, {} end
  for _, configuration in ipairs(configurations) do
    local links = robot:forward(configuration).links
    for index, one in ipairs(list) do
      local pose = links[one.name]
      local p, q = pose.position, pose.orientation
      if one.parent then p, q = gltf.relative(links[one.parent], pose) end
      table.move(p, 1, 3, #places[index] + 1, places[index])
      table.move(q, 1, 4, #turns[index] + 1, turns[index])
    end
  end
  return places, turns
end

--- Add one take: a root node beside the others, links below it, and the channels of an animation.
local function add_take(document, buffer, robot, take, aside)
  local nodes, list, number = document.nodes, links_of(robot), {}
  local places, turns = poses_of(robot, list, take.configurations)
  local mesh = add_mesh(document, buffer, take.color)
  local root = { name = take.name, rotation = upright, translation = { 0, 0, aside }, children = {} }
  nodes[#nodes + 1] = root
  table.insert(document.roots, #nodes - 1)
  local times = gltf.put(buffer, take.times, 1, "SCALAR", true)
  local function animate(index, path, flat, width, kind)
    if not gltf.moves(flat, width) then return end
    local samplers, channels = document.samplers, document.channels
    samplers[#samplers + 1] = { input = times, output = gltf.put(buffer, flat, width, kind),
      interpolation = "LINEAR" }
    channels[#channels + 1] = { sampler = #samplers - 1, target = { node = number[list[index].name],
      path = path } }
  end
  for index, one in ipairs(list) do
    local node = { name = one.name, translation = table.move(places[index], 1, 3, 1, {}),
      rotation = table.move(turns[index], 1, 4, 1, {}) }
    nodes[#nodes + 1], number[one.name] = node, #nodes
    local parent = one.parent and nodes[number[one.parent] + 1] or root
    parent.children = parent.children or {}
    table.insert(parent.children, number[one.name])
    if one.parent then add_bone(document, parent, node.translation, mesh) end
    animate(index, "translation", places[index], 3, "VEC3")
    animate(index, "rotation", turns[index], 4, "VEC4")
  end
end

--- The document of takes, `apart` metres from each other, and the bytes of its buffer; nil and a sentence if
--- nothing moves.
---@param robot userdata of brio.robot, with a free base
---@param list table takes: { name, color = {r, g, b}, times (s), configurations }
---@param apart number
function takes.document(robot, list, apart)
  local buffer = gltf.buffer()
  local document = { nodes = {}, roots = {}, meshes = {}, materials = {}, samplers = {}, channels = {} }
  for index, take in ipairs(list) do
    assert(#take.times == #take.configurations, "a time for each configuration")
    add_take(document, buffer, robot, take, (index - 1) * apart)
  end
  if #document.channels == 0 then return nil, "no link moves: there is nothing to animate" end
  local array = store.array
  return { asset = { version = "2.0", generator = "brio" }, scene = 0,
    scenes = array { { nodes = array(document.roots) } }, nodes = array(document.nodes),
    meshes = array(document.meshes), materials = array(document.materials),
    animations = array { { name = "takes", channels = array(document.channels),
      samplers = array(document.samplers) } },
    bufferViews = array(buffer.views), accessors = array(buffer.accessors),
    buffers = array { { byteLength = buffer.bytes } } }, table.concat(buffer.parts)
end

return takes
