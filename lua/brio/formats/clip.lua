--- A motion of another program, before it is fitted to a robot. Every importer makes one.
---
--- Of joints: { kind = "joints", name, format, duration, tracks, events, notes }
---   track: { name, unit = "rad" | "m" | "1" | nil: the DOF's own, keys = { { t, value [, way [, left,
---   where `way` is the interpolation to the next key, left and right are the handles {dt, dvalue} of a
---   Bézier key, relative to the key; the value "input" means the robot's present position
---   event: { t, kind, text }
--- Of a skeleton: { kind = "skeleton", name, format, duration, times, nodes, up, scale, notes }
---   node: { name, parent, offset, rotations, positions }, parents first; `parent` is an index or nil,
---   `offset` the position in the parent's frame; rotations are flat, 4 numbers (x, y, z, w) a frame,
---   nil: constant; positions are flat, 3 a frame, nil: constant at `offset`; `turned`: the rotation of
---   a node with a constant one
---   `scale`: metres per unit of the file
--- `notes` are sentences for people: guesses, repairs and omissions.
local clip = {}

--- Limits of a file.
clip.most_keys = 5000000
clip.most_nodes = 10000

--- Maximum absolute value, length or position, in any unit of motions.
clip.most_value = 1e6

local Failure = { __name = "import failure" }

--- End an import with an error: `where` (a line, an offset, a field), the error and what was expected.
function clip.fail(where, ...)
  local sentence = string.format(...)
  error(setmetatable({ sentence = where and (where .. ": " .. sentence) or sentence }, Failure), 0)
end

--- The sentence of an error that clip.fail raised, or nil for other errors.
function clip.failure(value)
  return getmetatable(value) == Failure and value.sentence or nil
end

--- Call a function that may end by clip.fail. Return its results, or nil, the sentence and "format".
function clip.try(work, ...)
  local results = table.pack(pcall(work, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local sentence = clip.failure(results[2])
  if not sentence then error(results[2], 0) end
  return nil, sentence, "format"
end

--- A finite number in a file's text: "1", "-1.65488e-014", but not "0x1F" or "nan".
function clip.number(text)
  if not text:match "^[+-]?%d*%.?%d*[eE]?[+-]?%d*$" then return nil end
  local number = tonumber(text)
  return number and number == number and math.abs(number) < math.huge and number + 0.0 or nil
end

--- The lines of a text with their numbers, with any line ends.
function clip.lines(text)
  local number, at = 0, 1
  return function()
    if at > #text then return nil end
    local stop, following = text:find("\r?\n", at)
    local line = text:sub(at, (stop or #text + 1) - 1)
    at, number = (following or #text) + 1, number + 1
    return number, line
  end
end

local function check_keys(track)
  local before = -math.huge
  for index, key in ipairs(track.keys) do
    local t, value = key[1], key[2]
    if not (t > before and t < math.huge) then
      clip.fail(track.at, "track '%s': key %d is at %.6g s, expected later than the key before, at %.6g s",
        track.name, index, t, before)
    elseif value ~= "input" and not (math.abs(value) <= clip.most_value) then
      clip.fail(track.at, "track '%s': the value of key %d is %s, expected a finite number from -%g to %g",
        track.name, index, value, clip.most_value, clip.most_value)
    end
    before = t
  end
  return before
end

--- A checked clip of joints: ascending times, finite values, not empty.
function clip.joints(fields)
  local total, last = 0, 0
  for _, track in ipairs(fields.tracks) do
    total = total + #track.keys
    last = math.max(last, check_keys(track))
  end
  if total == 0 then clip.fail(nil, "no keyframe in it, expected at least one") end
  if total > clip.most_keys then
    clip.fail(nil, "%d keyframes, expected at most %d", total, clip.most_keys)
  end
  fields.kind, fields.duration = "joints", math.max(fields.duration or 0, last)
  fields.events, fields.notes = fields.events or {}, fields.notes or {}
  return fields
end

local function check_flat(node, flat, size, frames)
  if #flat ~= size * frames then
    clip.fail(nil, "node '%s' has %d numbers for %d frames, expected %d", node.name, #flat, frames,
      size * frames)
  end
  for index = 1, #flat do
    local value = flat[index]
    if not (math.abs(value) <= clip.most_value) then
      clip.fail(nil, "node '%s', frame %d: %s is no finite number from -%g to %g", node.name,
        (index - 1) // size, value, clip.most_value, clip.most_value)
    end
  end
end

--- Check the pose of a node in its parent.
local function check_offset(node)
  for axis = 1, 3 do
    if not (math.abs(node.offset[axis]) <= clip.most_value) then
      clip.fail(nil, "node '%s' is %g from its parent along %s, expected at most %g", node.name,
        node.offset[axis], ("xyz"):sub(axis, axis), clip.most_value)
    end
  end
end

--- A checked clip of a skeleton: parents first, every frame complete and finite.
function clip.skeleton(fields)
  local frames = #fields.times
  if frames == 0 then clip.fail(nil, "no frame in it, expected at least one") end
  if #fields.nodes > clip.most_nodes then
    clip.fail(nil, "%d nodes, expected at most %d", #fields.nodes, clip.most_nodes)
  end
  for index, node in ipairs(fields.nodes) do
    assert(not node.parent or node.parent < index, "parents come first")
    check_offset(node)
    if node.rotations then check_flat(node, node.rotations, 4, frames) end
    if node.positions then check_flat(node, node.positions, 3, frames) end
  end
  fields.kind, fields.duration = "skeleton", fields.times[frames] - fields.times[1]
  fields.notes, fields.events = fields.notes or {}, fields.events or {}
  return fields
end

--- Add a note about a clip for the user.
function clip.note(notes, ...) notes[#notes + 1] = string.format(...) end

return clip
