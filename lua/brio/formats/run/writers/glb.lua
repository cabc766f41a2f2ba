--- A run as a film for 3D programs: glTF 2.0 in one file, with the robot's links as nodes with their shapes
--- (those of its model; meshes as their convex hulls), moved as measured. Data of ticks is spooled in files,
--- so that a long run does not need memory.
local chart = require "brio.draw.chart"
local gltf = require "brio.formats.gltf_writer"
local parts = require "brio.draw.parts"
local rotation = require "brio.lib.rotation"
local stance = require "brio.formats.run.stance"
local store = require "brio.store"

local glb = {
  name = "glb", extensions = { "glb" }, takes = { rate = true, robot = true },
  doc = "glTF 2.0, one file: the robot's shapes, moving as they were measured",
}

--- Default number of frames a second.
local usual_rate = 30

local float, unsigned, arrays, elements = 5126, 5125, 34962, 34963

-- Shapes ---------------------------------------------------------------------------------------------

--- A point of the world in the frame of a pose.
local function inside(pose, point)
  local q, o = pose.orientation, pose.position
  return rotation.turn(-q[1], -q[2], -q[3], q[4], point[1] - o[1], point[2] - o[2], point[3] - o[3])
end

--- The normal of a flat face.
local function normal_of(corners)
  local a, b, c = corners[1], corners[2], corners[3]
  local ux, uy, uz, vx, vy, vz = b[1] - a[1], b[2] - a[2], b[3] - a[3], c[1] - a[1], c[2] - a[2], c[3] - a[3]
  local x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
  local length = math.sqrt(x * x + y * y + z * z)
  if length == 0 then return 0, 0, 1 end
  return x / length, y / length, z / length
end

--- Append the faces of a solid to the lists of a mesh, in the frame of its link.
local function add_solid(mesh, solid, pose)
  for _, face in ipairs(solid.faces) do
    local corners, first = {}, mesh.corners
    for index, place in ipairs(face) do corners[index] = { inside(pose, solid.points[place]) } end
    local x, y, z = normal_of(corners)
    for _, corner in ipairs(corners) do
      mesh.places[#mesh.places + 1] = ("<fff"):pack(corner[1], corner[2], corner[3])
      mesh.normals[#mesh.normals + 1] = ("<fff"):pack(x, y, z)
      for k = 1, 3 do
        local kept = ("<f"):unpack(("<f"):pack(corner[k]))
        mesh.least[k], mesh.most[k] = math.min(mesh.least[k], kept), math.max(mesh.most[k], kept)
      end
    end
    mesh.corners = first + #corners
    for index = 2, #corners - 1 do
      mesh.indices[#mesh.indices + 1] = ("<I4I4I4"):pack(first, first + index - 1, first + index)
    end
  end
end

--- The mesh of each link with visible shapes.
local function meshes_of(description, links)
  local tree, meshes = parts.tree(description.robot), {}
  for _, one in ipairs((parts.solids(description.robot, tree, links))) do
    if one.link then
      local huge = math.huge
      meshes[one.link] = meshes[one.link]
        or { places = {}, normals = {}, indices = {}, corners = 0, least = { huge, huge, huge },
        most = { -huge, -huge, -huge } }
      add_solid(meshes[one.link], one.solid, links[one.link])
    end
  end
  return meshes, (parts.groups(tree, description))
end

-- The document -----------------------------------------------------------------------------------------

--- Describe bytes in the buffer; return the number of their accessor, from 0.
local function place(made, bytes, accessor, target)
  made.views[#made.views + 1] = { buffer = 0, byteOffset = made.bytes, byteLength = bytes, target = target }
  accessor.bufferView = #made.views - 1
  made.accessors[#made.accessors + 1] = accessor
  made.bytes = made.bytes + bytes
  return #made.accessors - 1
end

local function put(made, bytes, accessor, target)
  made.pieces[#made.pieces + 1] = bytes
  return place(made, #bytes, accessor, target)
end

--- The material of a group of links.
local function material_of(made, group)
  group = group or ""
  if not made.material[group] then
    local color = chart.colors[#made.materials % #chart.colors + 1]
    made.materials[#made.materials + 1] = { name = group ~= "" and group or nil, pbrMetallicRoughness = {
      baseColorFactor = { 0.35 + 0.5 * color[1], 0.35 + 0.5 * color[2], 0.35 + 0.5 * color[3], 1.0 },
        metallicFactor = 0.0,
      roughnessFactor = 0.7 } }
    made.material[group] = #made.materials - 1
  end
  return made.material[group]
end

local function put_meshes(made, nodes, meshes, groups)
  for _, node in ipairs(nodes) do
    local mesh = meshes[node.name]
    if mesh then
      local points = put(made, table.concat(mesh.places),
        { componentType = float, count = mesh.corners, type = "VEC3",
        min = mesh.least, max = mesh.most }, arrays)
      local normals = put(made, table.concat(mesh.normals),
        { componentType = float, count = mesh.corners, type = "VEC3" },
        arrays)
      local indices = put(made, table.concat(mesh.indices),
        { componentType = unsigned, count = 3 * #mesh.indices,
        type = "SCALAR" },
        elements)
      made.meshes[#made.meshes + 1] = { name = node.name, primitives = store.array { {
        attributes = { POSITION = points, NORMAL = normals }, indices = indices, material = material_of(made,
          groups[node.name]) } } }
      node.mesh = #made.meshes - 1
    end
  end
end

-- Motion -------------------------------------------------------------------------------------------------

local Track = {}
Track.__index = Track

--- A track of values of one kind for one link, frame by frame: spooled from the first change on.
local function new_track(sink, node, path, width)
  return setmetatable({ sink = sink, node = node, path = path, width = width, same = 0,
    format = "<" .. ("f"):rep(width) }, Track)
end

function Track:add(values)
  local first = self.first
  if not self.spool then
    if not first then self.first, first = values, values end
    local differs = false
    for k = 1, self.width do differs = differs or math.abs(values[k] - first[k]) > 1e-7 end
    if not differs then
      self.same = self.same + 1
      return
    end
    self.spool = self.sink:spool()
    local bytes = self.format:pack(table.unpack(first, 1, self.width))
    for _ = 1, self.same do self.spool:write(bytes) end
  end
  self.spool:write(self.format:pack(table.unpack(values, 1, self.width)))
end

--- A quaternion with the sign nearer to the one before it, so that interpolation takes the shorter arc.
local function nearer(q, before)
  if before and q[1] * before[1] + q[2] * before[2] + q[3] * before[3] + q[4] * before[4] < 0 then
    return { -q[1], -q[2], -q[3], -q[4] }
  end
  return q
end

--- Process the run; return the tracks of all links, the spooled times, their number, and the last.
local function film(run, sink, options, nodes, parents, move)
  local tracks, times, frames, due, last = {}, sink:spool(), 0, nil, nil
  for index in next, parents do
    tracks[index] = { place = new_track(sink, index - 1, "translation", 3),
      turn = new_track(sink, index - 1, "rotation", 4) }
  end
  for t, _, _, commands, measured in run:ticks() do
    if not due or t >= due - 1e-6 then
      due = (due or t) + 1 / (options.rate or usual_rate)
      local links = move(commands, measured)
      for index, parent in next, parents do
        local track = tracks[index]
        local p, q = gltf.relative(links[nodes[parent].name], links[nodes[index].name])
        track.at = nearer(q, track.at)
        track.place:add(p)
        track.turn:add(track.at)
      end
      last = t - run.from
      times:write(("<f"):pack(last))
      frames = frames + 1
    end
  end
  return tracks, times, frames, last
end

--- The channels of the moved links, and the spools in their order in the buffer.
local function animate(made, tracks, times, frames, last)
  local spools, channels, samplers = { times }, {}, {}
  local input = place(made, 4 * frames,
    { componentType = float, count = frames, type = "SCALAR", min = { 0.0 },
    max = { (("<f"):unpack(("<f"):pack(last))) } })
  local order = {}
  for index in next, tracks do order[#order + 1] = index end
  table.sort(order)
  for _, index in ipairs(order) do
    for _, track in ipairs { tracks[index].place, tracks[index].turn } do
      if track.spool then
        spools[#spools + 1] = track.spool
        local output = place(made, 4 * track.width * frames,
          { componentType = float, count = frames, type = "VEC"
          .. track.width })
        samplers[#samplers + 1] = { input = input, output = output, interpolation = "LINEAR" }
        channels[#channels + 1] = { sampler = #samplers - 1,
          target = { node = track.node, path = track.path } }
      end
    end
  end
  return channels, samplers, spools
end

local function write_file(sink, document, made, spools)
  local json = store.json(document)
  json = json .. (" "):rep(-#json % 4)
  sink:write("glTF" .. ("<I4I4"):pack(2, 28 + #json + made.bytes))
  sink:write(("<I4I4"):pack(#json, 0x4e4f534a) .. json .. ("<I4I4"):pack(made.bytes, 0x004e4942))
  for _, piece in ipairs(made.pieces) do sink:write(piece) end
  for _, spool in ipairs(spools) do
    for piece in spool:pieces() do sink:write(piece) end
    spool:close()
  end
end

function glb.write(run, sink, options)
  local description, why = stance.robot(run, options)
  if not description then return nil, why end
  local move, joints = stance.mover(run, description)
  local nodes, parents = gltf.nodes_of(description.robot, joints)
  local made = { pieces = {}, bytes = 0, views = {}, accessors = {}, materials = {}, material = {},
    meshes = {} }
  put_meshes(made, nodes, meshes_of(description, description.robot:forward({ joints = joints }).links))
  local tracks, times, frames, last = film(run, sink, options, nodes, parents, move)
  if frames < 2 then return nil, ("run %d has no samples to make a film of"):format(run.number) end
  local channels, samplers, spools = animate(made, tracks, times, frames, last)
  if #channels == 0 then return nil, "no joint of the robot moved: there is nothing to animate" end
  local array = store.array
  write_file(sink, {
    asset = { version = "2.0", generator = "brio" }, scene = 0, scenes = array { { nodes = array { 0 } } },
      nodes = array(nodes),
    meshes = #made.meshes > 0 and array(made.meshes) or nil,
      materials = #made.materials > 0 and array(made.materials) or nil,
    animations = array { { name = ("run %d"):format(run.number), channels = array(channels),
      samplers = array(samplers) } },
    bufferViews = array(made.views), accessors = array(made.accessors),
      buffers = array { { byteLength = made.bytes } },
  }, made, spools)
  return true
end

return glb
