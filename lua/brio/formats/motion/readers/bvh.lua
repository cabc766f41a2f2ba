--- BVH: motion capture with a skeleton and Euler angles for every frame.
---
--- Each joint lists its own channels and thereby the order of its rotations. Units and the up axis are not in
--- the file; brio.motion.skeleton guesses them.
local clip = require "brio.formats.clip"
local rotation = require "brio.lib.rotation"

local bvh = {
  name = "bvh", text = true, extensions = { "bvh" },
    doc = "Biovision motion capture: a skeleton and its Euler angles",
}

function bvh.sniff(text) return text:match "^%s*HIERARCHY" ~= nil end

local axis_of = { Xrotation = "x", Yrotation = "y", Zrotation = "z" }
local place_of = { Xposition = 1, Yposition = 2, Zposition = 3 }

local function numbers(line, words, first, count, number)
  local out = {}
  for index = 1, count do
    local word = words[first + index - 1]
    out[index] = word and clip.number(word)
    if not out[index] then
      clip.fail("line " .. number, "%s, expected %d numbers in '%s'",
        word and ("'" .. word .. "' is no number") or "it ends early", count, line:match "^%s*(.-)%s*$")
    elseif math.abs(out[index]) > clip.most_value then
      clip.fail("line " .. number, "%s, expected a length or an angle from -%g to %g", word, clip.most_value,
        clip.most_value)
    end
  end
  return out
end

local function split(line)
  local words = {}
  for word in line:gmatch "%S+" do words[#words + 1] = word end
  return words
end

--- Channels of a joint: the order of its rotations, and the target of each channel.
local function read_channels(node, words, number)
  local count = math.tointeger(tonumber(words[2]))
  if not count or count < 0 or count ~= #words - 2 then
    clip.fail("line " .. number, "CHANNELS %s names %d channels", tostring(words[2]), #words - 2)
  end
  node.order, node.channels = "", {}
  for index = 1, count do
    local channel = words[index + 2]
    local axis, place = axis_of[channel], place_of[channel]
    if not axis and not place then
      clip.fail("line " .. number, "channel '%s', expected Xposition, Xrotation and their like", channel)
    end
    node.channels[index] = place or axis
    if axis then node.order = node.order .. axis end
    node.moves = node.moves or place ~= nil
  end
end

--- Readers of a line of the hierarchy; `state` has the nodes and the open ones.
local readers = {}

function readers.ROOT(state, words, number)
  if #state.open > 0 then clip.fail("line " .. number, "ROOT inside a joint") end
  return readers.JOINT(state, words, number)
end

function readers.JOINT(state, words, number)
  local name = table.concat(words, " ", 2)
  if name == "" then clip.fail("line " .. number, "%s without a name", words[1]) end
  state.nodes[#state.nodes + 1] = { name = name, parent = state.open[#state.open], offset = { 0, 0, 0 } }
  state.coming = #state.nodes
  if #state.nodes > clip.most_nodes then
    clip.fail("line " .. number, "more than %d joints", clip.most_nodes)
  end
end

function readers.End(state, _, number)
  local parent = state.open[#state.open]
  if not parent then clip.fail("line " .. number, "End Site outside of a joint") end
  return readers.JOINT(state, { "End", state.nodes[parent].name .. "_end" }, number)
end

readers["{"] = function(state, _, number)
  if not state.coming then clip.fail("line " .. number, "'{' without a joint before it") end
  state.open[#state.open + 1], state.coming = state.coming, nil
end

readers["}"] = function(state, _, number)
  if #state.open == 0 then clip.fail("line " .. number, "'}' without its '{'") end
  state.open[#state.open] = nil
end

local function opened(state, words, number)
  local node = state.nodes[state.open[#state.open] or 0]
  if not node then clip.fail("line " .. number, "%s outside of a joint", words[1]) end
  return node
end

function readers.OFFSET(state, words, number)
  opened(state, words, number).offset = numbers(table.concat(words, " "), words, 2, 3, number)
end

function readers.CHANNELS(state, words, number)
  read_channels(opened(state, words, number), words, number)
end

local function read_hierarchy(next_line)
  local state = { nodes = {}, open = {} }
  for number, line in next_line do
    local words = split(line)
    if words[1] == "MOTION" then
      if #state.open > 0 then
        clip.fail("line " .. number, "MOTION before %d '}' that are missing", #state.open)
      end
      return state.nodes
    end
    if words[1] and not (words[1] == "HIERARCHY" and #state.nodes == 0) then
      local read = readers[words[1]]
      if not read then
        clip.fail("line " .. number, "'%s', expected JOINT, OFFSET, CHANNELS, End Site, '{', '}' or MOTION",
          words[1]:sub(1, 40))
      end
      read(state, words, number)
    end
  end
  clip.fail("at its end", "no MOTION, expected it after the skeleton; the file is cut off")
end

--- The two lines after MOTION: the number of frames, and seconds a frame.
local function read_head(next_line)
  local found = {}
  for number, line in next_line do
    local key, value = line:match "^%s*(%a[%a ]*%a)%s*:%s*(%S+)%s*$"
    local amount = value and clip.number(value)
    if line:match "%S" and not amount then
      clip.fail("line " .. number, "'%s', expected 'Frames: N' and 'Frame Time: SECONDS'", line:sub(1, 40))
    end
    if amount then found[key] = amount end
    if found["Frames"] and found["Frame Time"] then return found["Frames"], found["Frame Time"], number end
  end
  clip.fail("at its end", "no 'Frames: N' and 'Frame Time: SECONDS' after MOTION; the file is cut off")
end

local function add_frame(nodes, values)
  local at = 0
  for _, node in ipairs(nodes) do
    if node.channels then
      local angles, place = {}, { node.offset[1], node.offset[2], node.offset[3] }
      for _, channel in ipairs(node.channels) do
        at = at + 1
        if type(channel) == "number" then
          place[channel] = values[at]
        else
          angles[#angles + 1] = math.rad(values[at])
        end
      end
      local r, p = node.rotations, node.positions
      if r then
        local n = #r
        r[n + 1], r[n + 2], r[n + 3], r[n + 4] = rotation.euler(node.order, angles)
      end
      if p then
        local n = #p
        p[n + 1], p[n + 2], p[n + 3] = place[1], place[2], place[3]
      end
    end
  end
end

local function read_frames(next_line, nodes, width)
  local count = 0
  for number, line in next_line do
    local words = split(line)
    if #words > 0 then
      if count * width > clip.most_keys * 4 then
        clip.fail("line " .. number, "more than %d numbers", clip.most_keys * 4)
      end
      if #words ~= width then
        clip.fail("line " .. number, "%d numbers, expected %d, one for each channel", #words, width)
      end
      add_frame(nodes, numbers(line:sub(1, 40), words, 1, width, number))
      count = count + 1
    end
  end
  return count
end

--- The sum of all joints' rotations from one frame to the next, rad.
local function jump(nodes, frame)
  local sum, at = 0, 4 * frame
  for _, node in ipairs(nodes) do
    local r = node.rotations
    if r then
      local dot = r[at - 3] * r[at + 1] + r[at - 2] * r[at + 2] + r[at - 1] * r[at + 3] + r[at] * r[at + 4]
      sum = sum + 2 * math.acos(math.min(1, math.abs(dot)))
    end
  end
  return sum
end

--- The mean rotation of the joints in a frame, rad.
local function turned(nodes, frame)
  local sum, count = 0, 0
  for _, node in ipairs(nodes) do
    if node.rotations then
      sum, count = sum + 2 * math.acos(math.min(1, math.abs(node.rotations[4 * frame]))), count + 1
    end
  end
  return sum / math.max(count, 1)
end

--- Number of frames at the beginning that are the skeleton's own pose and the jump from it, as in CMU's
--- files: the first frame is almost the rest pose, and all joints jump from it; resampled files have a frame
--- within the jump.
local function leading(nodes, frames)
  if frames < 20 or turned(nodes, 1) > 0.1 then return 0 end
  local steps = {}
  for frame = 5, math.min(frames - 1, 500) do steps[#steps + 1] = jump(nodes, frame) end
  table.sort(steps)
  local usual, count = steps[(#steps + 1) // 2], 0
  while count < 3 and jump(nodes, count + 1) > math.max(0.5, 5 * usual) do count = count + 1 end
  return count
end

local function drop_first(nodes, count)
  for _, node in ipairs(nodes) do
    local r, p = node.rotations, node.positions
    if r then table.move(r, 4 * count + 1, #r + 4 * count, 1) end
    if p then table.move(p, 3 * count + 1, #p + 3 * count, 1) end
  end
end

local function channel_count(nodes)
  local width = 0
  for _, node in ipairs(nodes) do
    width = width + #(node.channels or {})
    node.rotations = node.order and node.order ~= "" and {} or nil
    node.positions = node.moves and {} or nil
  end
  return width
end

--- Seconds a frame: the option `fps` overrides the file's value.
local function frame_time(said, options, number)
  if options.fps then return 1 / options.fps end
  if not (said > 1e-4 and said < 10) then
    clip.fail("line " .. number, "a frame time of %g s, expected seconds between two frames, such as 0.0333",
      said)
  end
  return said
end

function bvh.read(text, options)
  local next_line = clip.lines(text)
  local nodes, notes = read_hierarchy(next_line), {}
  local width = channel_count(nodes)
  if width == 0 then clip.fail(nil, "no joint has CHANNELS") end
  local said, seconds, number = read_head(next_line)
  seconds = frame_time(seconds, options, number)
  if said * width > clip.most_keys * 4 then
    clip.fail("line " .. number, "%.0f frames of %d numbers, expected at most %d numbers", said, width,
      clip.most_keys * 4)
  end
  local frames = read_frames(next_line, nodes, width)
  if frames < said then
    clip.fail("at its end", "%d frames of the %.0f that 'Frames:' promises; the file is cut off", frames,
      said)
  elseif frames > said then
    clip.note(notes, "'Frames:' promises %.0f frames, and there are %d: all are read", said, frames)
  end
  local extra = leading(nodes, frames)
  if extra > 0 then
    drop_first(nodes, extra)
    frames = frames - extra
    clip.note(notes, "the first %s the skeleton's own pose%s, no part of the motion: left out",
      extra == 1 and "frame is" or extra .. " frames are", extra == 1 and "" or " and the leap from it")
  end
  local times = {}
  for frame = 1, frames do times[frame] = (frame - 1) * seconds end
  return clip.skeleton { nodes = nodes, times = times, notes = notes }
end

return bvh
