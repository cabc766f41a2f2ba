--- brio's scene and simple published trackers on recorded detections, for the tests and the benchmark.
--- The modules of brio are passed in: this file also runs without them.
local measures = require "measures"
local simple = require "simple_trackers"

local follow = {}

--- Settings of scene:configure for the objects of each recording.
follow.settings = {
  person_in_picture = { radius = 0.4, smoothing = 0.2 },
  Car = { radius = 1, speed = 20 },
  Pedestrian = { radius = 1 },
  Cyclist = { radius = 1, speed = 5 },
  desk = { radius = 0.3, moves = false, smoothing = 1, lost_after = 60 },
}

--- Classes that the desk's detector confuses: small things, soft things, things with keys.
follow.groups = {
  { "mouse", "cell phone", "remote", "book", "bottle", "cup", "vase", "bowl" },
  { "teddy bear", "cat" },
  { "keyboard", "laptop" },
}

local function scene_for(scene, kind, settings, groups)
  local made = scene.new()
  made:configure(kind, settings)
  for _, group in ipairs(groups or {}) do
    made:configure(group[1], { confusion = { table.unpack(group, 2) } })
  end
  return made
end

--- Objects that the scene has seen in the last `coasting` seconds, as {id =, box = box(object)}.
local function believed(made, time, coasting, box)
  local seen = {}
  for _, object in ipairs(made:objects()) do
    if time - object.last_seen <= coasting then
      seen[#seen + 1] = { id = object.number, box = box(object) }
    end
  end
  return seen
end

--- Boxes in a picture without depth: an object's position is the logarithm of its height and its place in the
--- picture, in units of 100 px across and 200 px down.
function follow.flat(scene, settings)
  local made = scene_for(scene, "person", settings)
  return function(frame)
    local list = {}
    for i, b in ipairs(frame.boxes) do
      list[i] = { kind = "person", confidence = math.max(0, math.min(1, b.score)), time = frame.time,
        position = { math.log(b[4]) * 1.5, (b[1] + b[3] / 2) / 100, (b[2] + b[4] / 2) / 200 },
        size = { 0, b[3] / 100, b[4] / 100 } }
    end
    made:update(frame.time, list)
    return believed(made, frame.time, 0, function(object)
      local p, height = object.position, math.exp(object.position[1] / 1.5)
      local width = height * object.size[2] / object.size[3]
      return { p[2] * 100 - width / 2, p[3] * 200 - height / 2, width, height }
    end)
  end
end

--- Upright boxes in space; an object that a frame misses is extrapolated for one frame.
function follow.solid(scene, kind, settings)
  local made = scene_for(scene, kind, settings)
  return function(frame)
    local list = {}
    for i, b in ipairs(frame.boxes) do
      list[i] = { kind = kind, position = { b.x, b.y, b.z }, size = { b.length, b.width, b.height },
        time = frame.time,
        orientation = { 0, 0, math.sin(b.yaw / 2), math.cos(b.yaw / 2) },
          confidence = 1 / (1 + math.exp(-b.score / 3)) }
    end
    made:update(frame.time, list)
    return believed(made, frame.time, 0.11, function(object)
      local p, v, q, size = object.position, object.velocity, object.pose.orientation, object.size
      local since = frame.time - object.last_seen
      return { x = p[1] + since * v[1], y = p[2] + since * v[2], z = p[3] + since * v[3],
        yaw = 2 * math.atan(q[3], q[4]), length = size[1], width = size[2], height = size[3] }
    end)
  end
end

--- Objects on a desk, by class.
function follow.desk(scene, settings, groups)
  local made = scene_for(scene, nil, settings, groups)
  return function(frame)
    local list = {}
    for i, b in ipairs(frame.boxes) do
      list[i] = { kind = b.kind, position = b.place, confidence = b.score, time = frame.time }
    end
    made:update(frame.time, list)
    return believed(made, frame.time, 0, function(object) return object.position end)
  end
end

--- A simple tracker on the frames' boxes.
function follow.simple(name)
  local tracker = simple[name]()
  return function(frame) return tracker:take(frame.boxes) end
end

--- SORT on the desk, without classes: the position of a box is that of the nearest box of the frame.
function follow.desk_sort()
  local tracker = simple.sort()
  return function(frame)
    local seen = {}
    for _, one in ipairs(tracker:take(frame.boxes)) do
      local best, most = nil, 0
      for _, b in ipairs(frame.boxes) do
        local alike = measures.overlap(b, one.box)
        if alike > most then best, most = b, alike end
      end
      if best then seen[#seen + 1] = { id = one.id, box = best.place } end
    end
    return seen
  end
end

local function distance(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) end

--- The similarity of two objects: by the overlap of boxes, in the picture or in space, or by distance on a
--- desk.
follow.same = {
  flat = function(a, b) return measures.overlap(a.box, b.box) end,
  solid = function(a, b) return measures.volume_overlap(a.box, b.box) end,
  desk = function(a, b) return math.max(0, 1 - distance(a.box, b.box) / 0.4) end,
}

--- Run a tracker over frames; return them in the form that measures.of takes.
function follow.run(frames, take)
  local result = {}
  for k, frame in ipairs(frames) do result[k] = { truth = frame.truth, seen = take(frame) } end
  return result
end

--- The number of positions in the cells around one; a cell is 5 cm wide.
local function crowd(cells, x, y)
  local sum = 0
  for i = x - 2, x + 2 do
    for j = y - 2, y + 2 do sum = sum + #(cells[i * 4096 + j] or {}) end
  end
  return sum
end

local function cell_of(place) return math.floor(place[1] / 0.05) * 4096 + math.floor(place[2] / 0.05) end

--- The mean of the positions within `radius` of the fullest cell; all positions within 0.2 m of it are
--- removed from the cells.
local function take_crowd(cells, key)
  local at = { (key // 4096 + 0.5) * 0.05, (key % 4096 + 0.5) * 0.05 }
  local x, y, count = 0, 0, 0
  for _, list in pairs(cells) do
    for _, p in ipairs(list) do
      if distance(p, at) < 0.12 then x, y, count = x + p[1], y + p[2], count + 1 end
    end
  end
  local middle = { x / count, y / count }
  for other, list in pairs(cells) do
    for i = #list, 1, -1 do
      if distance(list[i], middle) < 0.2 then table.remove(list, i) end
    end
    if #list == 0 then cells[other] = nil end
  end
  return middle
end

--- The desk has no ground truth, but nothing on it moves: an object is where at least `least` detections of
--- the whole recording, of any class, are within 12 cm.  Fill in the frames' truth: the objects that have a
--- detection.  Return their positions.
function follow.find_things(frames, least)
  local cells, things = {}, {}
  for _, frame in ipairs(frames) do
    for _, b in ipairs(frame.boxes) do
      -- cell numbers on the desk are small and may be negative: one key holds both
      local p = { b.place[1] + 50, b.place[2] + 50 }
      local key = cell_of(p)
      cells[key] = cells[key] or {}
      table.insert(cells[key], p)
    end
  end
  while true do
    local best, most = nil, least - 1
    for key in pairs(cells) do
      local count = crowd(cells, key // 4096, key % 4096)
      if count > most or (count == most and best and key < best) then best, most = key, count end
    end
    if not best then break end
    local middle = take_crowd(cells, best)
    things[#things + 1] = { middle[1] - 50, middle[2] - 50 }
  end
  for _, frame in ipairs(frames) do
    local there = {}
    frame.truth = {}
    for _, b in ipairs(frame.boxes) do
      for id, place in ipairs(things) do
        if not there[id] and distance(place, b.place) < 0.2 then
          there[id] = true
          frame.truth[#frame.truth + 1] = { id = id, box = place }
        end
      end
    end
  end
  return things
end

--- The number of frames in which the object was there, the number of these in which its most frequent name
--- had it, and how often it was seen as each class.
function follow.story_of(frames, result, id, place)
  local there, names, most, classes = 0, {}, 0, {}
  for k, frame in ipairs(result) do
    local best, alike = nil, 0.5
    for _, truth in ipairs(frame.truth) do
      if truth.id == id then
        there = there + 1
        for _, seen in ipairs(frame.seen) do
          local s = follow.same.desk(truth, seen)
          if s > alike then best, alike = seen.id, s end
        end
      end
    end
    if best then
      names[best] = (names[best] or 0) + 1
      most = math.max(most, names[best])
    end
    for _, b in ipairs(frames[k].boxes) do
      if distance(b.place, place) < 0.2 then classes[b.kind] = (classes[b.kind] or 0) + 1 end
    end
  end
  return there, most, classes
end

return follow
