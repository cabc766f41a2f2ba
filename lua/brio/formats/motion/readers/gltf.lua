--- glTF 2.0 animations (.gltf, .glb): rotations and positions of nodes, stepped, linear or cubic.
---
--- If all channels are linear, times are those of the keys; otherwise the curves are sampled, by default 60
--- times a second (`fps`). y is up and lengths are metres, by the format. Scales and morph targets are
--- omitted, with a note.
local clip = require "brio.formats.clip"
local document = require "brio.formats.json"
local gltf = require "brio.formats.gltf_reader"
local rotation = require "brio.lib.rotation"
local suggest = require "brio.lib.suggest"

local importer = { name = "gltf", extensions = { "gltf", "glb" },
  doc = "glTF 2.0: animations of nodes and skeletons" }

local usual_rate, most_own_times = 60, 5000

function importer.sniff(text)
  return text:sub(1, 4) == "glTF" or text:match '^%s*{' ~= nil and text:match '"asset"%s*:' ~= nil
end

local function check_numbers(list, where)
  for index, value in ipairs(list) do
    if type(value) ~= "number" then
      clip.fail(where, "item %d of its place or rotation is no number", index)
    end
  end
end

--- Scale of a node, as the mean over its axes.
local function stretch_of(node, where)
  local s = node.scale or { 1, 1, 1 }
  if type(s) ~= "table" or #s ~= 3 then clip.fail(where, "a scale of 3 numbers is expected") end
  for axis = 1, 3 do
    if type(s[axis]) ~= "number" then clip.fail(where, "item %d of its scale is no number", axis) end
  end
  return (math.abs(s[1]) + math.abs(s[2]) + math.abs(s[3])) / 3
end

--- A node's own position, rotation and scale: from its matrix, or from its components.
local function rest_of(node, where)
  local m = node.matrix
  if type(m) ~= "table" then
    local t, r = node.translation or { 0, 0, 0 }, node.rotation or { 0, 0, 0, 1 }
    if type(t) ~= "table" or #t ~= 3 or type(r) ~= "table" or #r ~= 4 then
      clip.fail(where, "a translation of 3 and a rotation of 4 numbers are expected")
    end
    check_numbers(t, where)
    check_numbers(r, where)
    return t, { rotation.normalized(r[1], r[2], r[3], r[4]) }, stretch_of(node, where)
  end
  check_numbers(m, where)
  if #m ~= 16 then clip.fail(where, "its matrix has %d numbers, expected 16", #m) end
  local axes, stretch = {}, 0
  for column = 0, 2 do
    local x, y, z = m[4 * column + 1], m[4 * column + 2], m[4 * column + 3]
    local length = math.sqrt(x * x + y * y + z * z)
    if not (length > 1e-12) then clip.fail(where, "its matrix flattens it") end
    axes[column + 1], stretch = { x / length, y / length, z / length }, stretch + length / 3
  end
  return { m[13], m[14], m[15] }, { rotation.normalized(rotation.from_axes(axes[1], axes[2], axes[3])) },
    stretch
end

--- The nodes in an order in which parents come first, and the position of each node of the file in it.
local function order_nodes(file)
  local list = document.list(file.json, "nodes", nil)
  if #list > clip.most_nodes then clip.fail(nil, "%d nodes, expected at most %d", #list, clip.most_nodes) end
  local parent_of, nodes, place = {}, {}, {}
  for index, node in ipairs(list) do
    for _, child in ipairs(type(node.children) == "table" and node.children or {}) do
      if type(child) ~= "number" then clip.fail(("node %d"):format(index - 1), "a child is no number") end
      if parent_of[child] then clip.fail(("node %g"):format(child), "hangs from two nodes") end
      parent_of[child] = index - 1
    end
  end
  local function add(index, depth)
    if place[index] then return place[index] end
    if depth > #list then clip.fail("node " .. index, "hangs from itself") end
    local parent = parent_of[index] and add(parent_of[index], depth + 1)
    local where = ("node %d"):format(index)
    local offset, turned, stretch = rest_of(gltf.item(file, "nodes", index, where), where)
    local above = parent and nodes[parent].stretch or 1 -- the parent's scale applies to the distance
    offset = { offset[1] * above, offset[2] * above, offset[3] * above }
    local name = list[index + 1].name
    nodes[#nodes + 1] = { name = type(name) == "string" and name or where, parent = parent, offset = offset,
      turned = turned, above = above, stretch = above * stretch }
    place[index] = #nodes
    return #nodes
  end
  for index = 0, #list - 1 do add(index, 0) end
  return nodes, place
end

--- Whether an animation rotates or translates a node.
local function moves(animation)
  for _, channel in ipairs(type(animation.channels) == "table" and animation.channels or {}) do
    local path = type(channel) == "table" and type(channel.target) == "table" and channel.target.path
    if path == "rotation" or path == "translation" then return true end
  end
  return false
end

local function animation_of(file, options)
  local animations = file.json.animations
  if type(animations) ~= "table" or #animations == 0 then clip.fail(nil, "no animation in it") end
  local names = {}
  for index, animation in ipairs(animations) do
    names[index] = type(animation.name) == "string" and animation.name or ("animation " .. index)
  end
  for index, animation in ipairs(animations) do
    local is = options.clip == names[index] or options.clip == tostring(index)
    if is or not options.clip and moves(animation) then
      return animation, names[index], names
    end
  end
  if not options.clip then
    clip.fail(nil, "no animation moves a node; there are: %s", table.concat(names, ", "))
  end
  clip.fail(nil, "no animation '%s'%s; there are: %s", options.clip, suggest.hint(options.clip, names),
    table.concat(names, ", "))
end

local wanted_width = { translation = 3, rotation = 4 }
local ways = { STEP = "step", LINEAR = "linear", CUBICSPLINE = "cubic" }

local function check_times(times, where)
  for index = 2, #times do
    if not (times[index] > times[index - 1]) then
      clip.fail(where, "key %d is at %.6g s, expected later than %.6g s", index - 1, times[index],
        times[index - 1])
    end
  end
  if not (#times > 0 and times[1] >= 0) then
    clip.fail(where, "its keys begin at %.6g s, expected at least 0", times[1] or 0)
  end
  if times[#times] == math.huge then clip.fail(where, "key %d is at no finite time", #times - 1) end
end

--- A channel ready to be sampled, or nil and its target if that is omitted.
local function read_channel(file, animation, number, place)
  local where = ("channel %d of '%s'"):format(number - 1, tostring(animation.name))
  local channel = animation.channels[number]
  local target = type(channel.target) == "table" and channel.target or {}
  if not wanted_width[target.path] then return nil, tostring(target.path) end
  if target.node == nil then return nil, "channels without a node" end
  local node = place[math.tointeger(target.node) or -1]
    or clip.fail(where, "node %s does not exist", document.shown(target.node))
  local sampler = type(animation.samplers) == "table"
    and animation.samplers[(math.tointeger(channel.sampler) or -1) + 1]
  if type(sampler) ~= "table" then
    clip.fail(where, "sampler %s does not exist", document.shown(channel.sampler))
  end
  local way = ways[sampler.interpolation or "LINEAR"]
    or clip.fail(where, "interpolation '%s', expected STEP, LINEAR or CUBICSPLINE",
      tostring(sampler.interpolation))
  local times = gltf.accessor(file, sampler.input, where)
  local values, width = gltf.accessor(file, sampler.output, where)
  check_times(times, where)
  local expected = #times * (way == "cubic" and 3 or 1) * width
  if width ~= wanted_width[target.path] or #values ~= expected then
    clip.fail(where, "%d numbers for %d keys, expected %d", #values, #times, expected)
  end
  return { node = node, path = target.path, times = times, values = values, width = width, way = way, at = 1 }
end

--- A row of a channel's values: of a cubic one `part` 0, 1, 2 is the in-tangent, the value, the out-tangent.
local function row(channel, key, part)
  local first = channel.way == "cubic" and (3 * (key - 1) + part) * channel.width or (key - 1) * channel.width
  return first
end

local function cubic(channel, key, s, span, column)
  local v = channel.values
  local p0, p1 = v[row(channel, key, 1) + column], v[row(channel, key + 1, 1) + column]
  local m0, m1 = span * v[row(channel, key, 2) + column], span * v[row(channel, key + 1, 0) + column]
  local s2, s3 = s * s, s * s * s
  return (2 * s3 - 3 * s2 + 1) * p0 + (s3 - 2 * s2 + s) * m0 + (-2 * s3 + 3 * s2) * p1 + (s3 - s2) * m1
end

--- The channel's numbers at a time; constant before its first key and after its last.
local function sample(channel, t)
  local times, v = channel.times, channel.values
  while channel.at < #times and times[channel.at + 1] <= t do channel.at = channel.at + 1 end
  local key = channel.at
  local out, first = {}, row(channel, key, 1)
  if t <= times[1] or key == #times or channel.way == "step" then
    for column = 1, channel.width do out[column] = v[first + column] end
    return out
  end
  local span = times[key + 1] - times[key]
  local s, second = (t - times[key]) / span, row(channel, key + 1, 1)
  if channel.way == "linear" and channel.width == 4 then
    return { rotation.between(v[first + 1], v[first + 2], v[first + 3], v[first + 4],
      v[second + 1], v[second + 2], v[second + 3], v[second + 4], s) }
  end
  for column = 1, channel.width do
    out[column] = channel.way == "cubic" and cubic(channel, key, s, span, column)
      or v[first + column] + s * (v[second + column] - v[first + column])
  end
  return out
end

--- The sample times of the motion.
local function choose_times(channels, options)
  local last, own, every = 0, {}, not options.fps
  for _, channel in ipairs(channels) do
    last = math.max(last, channel.times[#channel.times])
    every = every and channel.way == "linear"
    for _, t in ipairs(every and #own < 20 * most_own_times and channel.times or {}) do own[#own + 1] = t end
  end
  local times = {}
  if every then
    table.sort(own)
    for _, t in ipairs(own) do
      if #times == 0 or t > times[#times] + 1e-6 then times[#times + 1] = t end
    end
    if #times <= most_own_times then return times end
  end
  local rate = options.fps or usual_rate
  if last * rate > clip.most_keys then
    clip.fail(nil, "it lasts %.0f s, too long for %g frames a second", last, rate)
  end
  times = {}
  for frame = 0, math.ceil(last * rate - 1e-9) do times[frame + 1] = math.min(frame / rate, last) end
  if #times > 1 and times[#times] <= times[#times - 1] then times[#times] = nil end
  return times
end

local function fill(node, channel, times)
  local flat = {}
  for _, t in ipairs(times) do
    local values = sample(channel, t)
    if channel.width == 4 then
      values = { rotation.normalized(values[1], values[2], values[3], values[4]) }
    end
    local scale = channel.width == 3 and node.above or 1
    for column = 1, channel.width do flat[#flat + 1] = values[column] * scale end
  end
  node[channel.path == "rotation" and "rotations" or "positions"] = flat
end

function importer.read(text, options)
  local file = gltf.open(text, options.beside)
  local animation, name, names = animation_of(file, options)
  local nodes, place = order_nodes(file)
  local channels, left, notes = {}, {}, {}
  for number = 1, #document.list(animation, "channels", "animation '" .. name .. "'") do
    local channel, why = read_channel(file, animation, number, place)
    channels[#channels + 1] = channel
    if not channel then left[why] = (left[why] or 0) + 1 end
  end
  for _, what in ipairs(suggest.keys(left)) do
    clip.note(notes, "%d channels of %s: left out", left[what], what)
  end
  if #channels == 0 then
    clip.fail(nil, "animation '%s' moves no node; left out: %s", name, table.concat(suggest.keys(left), ", "))
  end
  local times = choose_times(channels, options)
  for _, channel in ipairs(channels) do fill(nodes[channel.node], channel, times) end
  if #names > 1 and not options.clip then
    clip.note(notes, "animation '%s' of %d; name another with --clip: %s", name, #names,
      table.concat(names, ", "))
  end
  return clip.skeleton { name = name, clips = names, nodes = nodes, times = times, notes = notes, up = "y",
    scale = 1 }
end

return importer
