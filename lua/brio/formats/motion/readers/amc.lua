--- AMC with its ASF: a skeleton and its angles, as written by Acclaim's and Vicon's programs.
---
--- In the rest pose a bone lies along `direction` for `length` in the world; `axis` rotates the world into
--- the frame of its angles, so a bone rotates by C R C^-1. Lengths are inches divided by the ASF's `length`
--- unit. The rate is not in the file: 120 frames a second by default, as in CMU's recordings.
local clip = require "brio.formats.clip"
local rotation = require "brio.lib.rotation"
local suggest = require "brio.lib.suggest"

local amc = {
  name = "amc", text = true, extensions = { "amc" }, companion = "asf",
  doc = "Acclaim motion capture: angles (.amc) for a skeleton (.asf beside it)",
}

local usual_rate = 120

--- Maximum number of missing bones that a message names.
local most_named = 8

local inch = 0.0254

function amc.sniff(text)
  return text:match "^[^\n]*OML:ASF" ~= nil or text:match "^%s*:FULLY%-SPECIFIED" ~= nil
    or text:match "\n:DEGREES%s*\r?\n%s*1%s*\r?\n" ~= nil
end

local function words_of(line)
  local words = {}
  for word in line:gsub("#.*", ""):gmatch "[^%s()]+" do words[#words + 1] = word end
  return words
end

local function number_at(words, index, where)
  local number = words[index] and clip.number(words[index])
  if not number then
    clip.fail(where, "%s, expected a number after '%s'", words[index] and "'" .. words[index] .. "'"
      or "nothing", words[index - 1] or words[1])
  end
  if not (math.abs(number) <= clip.most_value) then
    clip.fail(where, "'%s' of '%s', expected a number from -%g to %g", words[index], words[1],
      clip.most_value, clip.most_value)
  end
  return number
end

local function three(words, where)
  return { number_at(words, 2, where), number_at(words, 3, where), number_at(words, 4, where) }
end

--- Fields of a bone: the function for each keyword.
local fields = {}
function fields.name(bone, words) bone.name = words[2] end

local function axis_order(word, where)
  local order = (word or "XYZ"):lower()
  local x, y, z = order:find("x", 1, true), order:find("y", 1, true), order:find("z", 1, true)
  if not (x and y and z and #order == 3) then
    clip.fail(where, "axis order '%s', expected XYZ or its like", word)
  end
  return order
end

local function dofs_of(words, where)
  local dofs = {}
  for index = 2, #words do
    local dof = words[index]:lower()
    if not dof:match "^[rt][xyz]$" and dof ~= "l" then
      clip.fail(where, "dof '%s', expected rx, ry, rz", words[index])
    end
    dofs[#dofs + 1] = dof
  end
  return dofs
end

function fields.direction(bone, words, where) bone.direction = three(words, where) end
function fields.length(bone, words, where) bone.length = number_at(words, 2, where) end
function fields.axis(bone, words, where)
  bone.axis, bone.axis_order = three(words, where), axis_order(words[5], where)
end
function fields.dof(bone, words, where) bone.dofs = dofs_of(words, where) end

--- Sections of an ASF: the function for a line of each.
local sections = {}

function sections.units(state, words, where)
  if words[1] == "length" then state.unit = number_at(words, 2, where) end
  if words[1] == "angle" then state.degrees = words[2] ~= "rad" end
end

function sections.root(state, words, where)
  if words[1] == "order" then state.root.dofs = dofs_of(words, where) end
  if words[1] == "axis" then state.root.axis_order = axis_order(words[2], where) end
end

function sections.bonedata(state, words, where)
  if words[1] == "begin" then
    state.bone = { dofs = {}, direction = { 0, 0, 0 }, length = 0, axis = { 0, 0, 0 }, axis_order = "xyz" }
  elseif words[1] == "end" then
    local bone = state.bone
    if not bone or not bone.name then clip.fail(where, "a bone ends without a name") end
    if state.bones[bone.name] then clip.fail(where, "a second bone '%s'", bone.name) end
    state.bones[bone.name], state.bone = bone, nil
  elseif state.bone and fields[words[1]] then
    fields[words[1]](state.bone, words, where)
  end
end

function sections.hierarchy(state, words, where)
  state.whole = words[1] == "end"
  if words[1] == "begin" or words[1] == "end" then return end
  for index = 2, #words do
    if not state.bones[words[index]] then
      clip.fail(where, "'%s' is no bone of this skeleton", words[index])
    end
    state.children[words[1]] = state.children[words[1]] or {}
    table.insert(state.children[words[1]], words[index])
  end
end

--- Refuse a skeleton without a required part, which could be mistaken for another one.
local function check_whole(state, file)
  if not next(state.bones) then clip.fail(file, "no bone in it, expected :bonedata with begin … end") end
  if not (state.unit > 1e-6) then
    clip.fail(file, "a length unit of %g, expected inches, such as 0.45", state.unit)
  end
  if state.bone then
    local name = state.bone.name or "?"
    clip.fail(file, "it ends inside the bone '%s', expected 'end'; the file is cut off", name)
  elseif not state.whole then
    clip.fail(file, "it ends without the whole of :hierarchy, expected begin … end; the file is cut off")
  end
end

local function read_skeleton(text, file)
  local state = { file = file, bones = {}, children = {}, unit = 1, degrees = true,
    root = { name = "root", axis = { 0, 0, 0 }, axis_order = "xyz", direction = { 0, 0, 0 }, length = 0,
             dofs = { "tx", "ty", "tz", "rx", "ry", "rz" } } }
  local section
  for number, line in clip.lines(text) do
    local words = words_of(line)
    if words[1] and words[1]:sub(1, 1) == ":" then
      section = sections[words[1]:sub(2)]
    elseif words[1] and section then
      section(state, words, file .. ":" .. number)
    end
  end
  check_whole(state, file)
  state.bones.root = state.root
  return state
end

local function radians(angles, degrees)
  local out = {}
  for index, angle in ipairs(angles) do out[index] = degrees and math.rad(angle) or angle end
  return out
end

--- Nodes, parents first. A node is at the beginning of its bone, which is the end of its parent's bone, and
--- rotates with it.
local function make_nodes(state, file)
  local nodes, index_of = {}, {}
  local function add(name, parent, begins)
    if index_of[name] then clip.fail(file, "bone '%s' hangs from two bones, or from itself", name) end
    local bone = state.bones[name]
    local a = bone.axis -- listed as the order's letters are; the last letter's turn is the outermost
    local c = { rotation.euler(bone.axis_order:reverse(), radians({ a[3], a[2], a[1] }, state.degrees)) }
    nodes[#nodes + 1] = { name = name, parent = parent, offset = begins, rotations = {}, bone = bone,
      frame = c }
    index_of[name] = #nodes
    local d, length = bone.direction, bone.length
    local at = { d[1] * length, d[2] * length, d[3] * length }
    local mine = #nodes
    for _, child in ipairs(state.children[name] or {}) do add(child, mine, at) end
    if not state.children[name] then
      nodes[#nodes + 1] = { name = name .. "_end", parent = mine, offset = at }
    end
  end
  add("root", nil, { 0, 0, 0 })
  nodes[1].positions = {}
  return nodes, index_of
end

--- Store a bone's numbers of one frame: C R C^-1, and the root's position.
local function set_bone(node, words, state, frame, where)
  local bone, turn, place = node.bone, {}, { x = 0, y = 0, z = 0 }
  if #words - 1 ~= #bone.dofs then
    clip.fail(where, "bone '%s' has %d numbers, expected %d", bone.name, #words - 1, #bone.dofs)
  end
  for index, dof in ipairs(bone.dofs) do
    local value = number_at(words, index + 1, where)
    if dof:sub(1, 1) == "r" then turn[dof:sub(2)] = value elseif dof ~= "l" then place[dof:sub(2)] = value end
  end
  local rx, ry, rz, rw = rotation.euler("zyx",
    radians({ turn.z or 0, turn.y or 0, turn.x or 0 }, state.degrees))
  local c = node.frame
  local x, y, z, w = rotation.times(c[1], c[2], c[3], c[4], rx, ry, rz, rw)
  x, y, z, w = rotation.times(x, y, z, w, -c[1], -c[2], -c[3], c[4])
  local r, n = node.rotations, 4 * frame
  r[n + 1], r[n + 2], r[n + 3], r[n + 4] = x, y, z, w
  if node.positions then
    local p, m = node.positions, 3 * frame
    p[m + 1], p[m + 2], p[m + 3] = place.x, place.y, place.z
  end
end

--- A bone without data in a frame keeps its values; `lost` has these bones, and the line since which.
local function fill(nodes, frame, where, lost)
  for _, node in ipairs(nodes) do
    local r = node.rotations
    if r and #r < 4 * (frame + 1) then
      local name = node.bone.name
      if #node.bone.dofs > 0 and not lost[name] then lost[name] = { count = 0, where = where } end
      if lost[name] then lost[name].count = lost[name].count + 1 end
      for index = 1, 4 do
        r[4 * frame + index] = frame > 0 and r[4 * frame - 4 + index] or (index == 4 and 1 or 0)
      end
    end
    local p = node.positions
    if p and #p < 3 * (frame + 1) then
      for index = 1, 3 do p[3 * frame + index] = frame > 0 and p[3 * frame - 3 + index] or 0 end
    end
  end
end

--- Report the bones without data in frames.
local function note_lost(lost, notes)
  local names = suggest.keys(lost)
  for index = 1, math.min(#names, most_named) do
    local one = lost[names[index]]
    clip.note(notes, "bone '%s' is missing in %d frames, first in the one of %s: it stays as it was before, "
      .. "or as at rest", names[index], one.count, one.where)
  end
  if #names > most_named then clip.note(notes, "%d more bones are missing in frames", #names - most_named) end
end

local function read_frames(text, nodes, index_of, state, notes)
  local frame, begins, last, lost, leaps = -1, nil, nil, {}, 0
  for number, line in clip.lines(text) do
    local words = words_of(line)
    local where = "line " .. number
    if words[1] and words[1]:match "^%d+$" and not words[2] then
      if frame >= 0 then fill(nodes, frame, begins, lost) end
      frame, begins = frame + 1, where
      if last and tonumber(words[1]) ~= last + 1 then leaps = leaps + 1 end
      last = tonumber(words[1])
      if frame * #nodes > clip.most_keys then clip.fail(where, "more than %d numbers", clip.most_keys) end
    elseif words[1] == ":RADIANS" then
      state.degrees = false
    elseif words[1] and words[1]:sub(1, 1) ~= ":" then
      if frame < 0 then clip.fail(where, "'%s' before the first frame's number", words[1]:sub(1, 40)) end
      local node = nodes[index_of[words[1]] or 0]
      if not node then
        clip.fail(where, "'%s' is no bone of the skeleton in %s", words[1]:sub(1, 40), state.file)
      end
      if #node.rotations > 4 * frame then
        clip.fail(where, "bone '%s' is there twice in a frame", words[1])
      end
      set_bone(node, words, state, frame, where)
    end
  end
  if frame >= 0 then fill(nodes, frame, begins, lost) end
  note_lost(lost, notes)
  if leaps > 0 then
    clip.note(notes, "frames are not numbered one by one in %d places: taken as they come", leaps)
  end
  return frame + 1
end

--- Report the bones with channels that are not read: only the root's position is.
local function note_channels(nodes, notes)
  local names = {}
  for _, node in ipairs(nodes) do
    for _, dof in ipairs(node.parent and node.bone and node.bone.dofs or {}) do
      if dof:sub(1, 1) ~= "r" and names[#names] ~= node.name then names[#names + 1] = node.name end
    end
  end
  if #names > 0 then
    clip.note(notes, "changes of length and place are left out, of %s", table.concat(names, ", "))
  end
end

function amc.read(text, options)
  local skeleton, file = options.companion "asf"
  if not skeleton then
    clip.fail(nil, "an .amc needs its skeleton: no .asf is beside it whose name begins like its own (%s); \z
      name it with "
      .. "--skeleton FILE", tostring(file))
  end
  local state, notes = read_skeleton(skeleton, file), {}
  local nodes, index_of = make_nodes(state, file)
  note_channels(nodes, notes)
  local frames = read_frames(text, nodes, index_of, state, notes)
  local rate = options.fps or usual_rate
  if not options.fps then
    clip.note(notes, "the file has no rate: %d frames per second assumed", usual_rate)
  end
  local times = {}
  for frame = 1, frames do times[frame] = (frame - 1) / rate end
  return clip.skeleton { nodes = nodes, times = times, notes = notes, scale = inch / state.unit }
end

return amc
