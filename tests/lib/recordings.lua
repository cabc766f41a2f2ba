--- Detections of public data sets, as frames: {time =, boxes =, truth =}.  The data sets are not kept here.
local recordings = {}

local function lines(path)
  local file = io.open(path, "r")
  if not file then return nil end
  local list = {}
  for line in file:lines() do list[#list + 1] = line end
  file:close()
  return list
end

local function numbers(line)
  local list = {}
  for word in line:gmatch "[^,%s]+" do list[#list + 1] = tonumber(word) or word end
  return list
end

--- The frame of that number, created if it does not exist.
local function frame_of(frames, number)
  for k = #frames + 1, number do frames[k] = { boxes = {}, truth = {} } end
  return frames[number]
end

--- MOTChallenge 2015: pictures with boxes {left, top, width, height, score =}; nil where the files are
--- absent.
function recordings.mot(folder, rate)
  local seen, truth = lines(folder .. "/det.txt"), lines(folder .. "/gt.txt")
  if not seen then return nil end
  local frames = {}
  for _, line in ipairs(seen) do
    local v = numbers(line)
    local boxes = frame_of(frames, v[1]).boxes
    boxes[#boxes + 1] = { v[3], v[4], v[5], v[6], score = v[7] }
  end
  for _, line in ipairs(truth or {}) do
    local v = numbers(line)
    local list = frame_of(frames, v[1]).truth
    list[#list + 1] = { id = v[2], box = { v[3], v[4], v[5], v[6] } }
  end
  for k, frame in ipairs(frames) do frame.time = k / rate end
  return frames
end

--- A box of KITTI (camera frame: x right, y down, z forward, y of the bottom) as an upright one: x forward, y
--- left, z up.
local function upright(h, w, l, x, y, z, turn)
  return { x = z, y = -x, z = -y + h / 2, yaw = -turn - math.pi / 2, length = l, width = w, height = h }
end

--- KITTI: boxes in space of one class, ten a second, of detections with at least that score; nil where
--- absent.
function recordings.kitti(folder, class, least)
  local seen, truth = lines(("%s/det_%s.csv"):format(folder, class)), lines(folder .. "/gt_label.txt")
  if not seen or not truth then return nil end
  local frames = {}
  for _, line in ipairs(seen) do
    local v = numbers(line)
    local boxes = frame_of(frames, v[1] + 1).boxes
    if v[7] >= least then
      boxes[#boxes + 1] = upright(v[8], v[9], v[10], v[11], v[12], v[13], v[14])
      boxes[#boxes].score = v[7]
    end
  end
  for _, line in ipairs(truth) do
    local v = numbers(line)
    if v[3] == class then
      local list = frame_of(frames, v[1] + 1).truth
      list[#list + 1] = { id = v[2], box = upright(v[11], v[12], v[13], v[14], v[15], v[16], v[17]) }
    end
  end
  for k, frame in ipairs(frames) do frame.time = k / 10 end
  return frames
end

--- Poses {t, x, y, z, qx, qy, qz, qw} in rising order: the one at `time`, between two.
local function pose_at(list, time)
  local low, high = 1, #list
  while high - low > 1 do
    local middle = (low + high) // 2
    if list[middle][1] <= time then low = middle else high = middle end
  end
  local a, b = list[low], list[high]
  local u = math.max(0, math.min(1, (time - a[1]) / (b[1] - a[1])))
  local same, p, q, norm = 0, {}, {}, 0
  for i = 5, 8 do same = same + a[i] * b[i] end
  for i = 1, 3 do p[i] = a[i + 1] + u * (b[i + 1] - a[i + 1]) end
  for i = 1, 4 do
    q[i] = (1 - u) * a[i + 4] + (same < 0 and -u or u) * b[i + 4]
    norm = norm + q[i] * q[i]
  end
  for i = 1, 4 do q[i] = q[i] / math.sqrt(norm) end
  return { position = p, orientation = q }
end

--- The COCO classes that lie on a desk, by number; true: flat things, whose middle is on the desk.
local desk = {
  [39] = { "bottle" }, [41] = { "cup" }, [45] = { "bowl" }, [75] = { "vase" }, [77] = { "teddy bear" },
    [15] = { "cat" },
  [62] = { "tv" }, [63] = { "laptop", true }, [64] = { "mouse", true }, [65] = { "remote", true },
  [66] = { "keyboard", true }, [67] = { "cell phone", true }, [73] = { "book", true },
}

local function desk_things(folder)
  local list = {}
  for k, line in ipairs(lines(folder .. "/detections.csv") or {}) do
    local v = numbers(line)
    local class = k > 1 and desk[v[2]]
    local whole = class and v[3] > 3 and v[4] > 3 and v[3] + v[5] < 637 and v[4] + v[6] < 477
    if whole then
      list[#list + 1] = { time = v[1], kind = class[1], flat = class[2], box = { v[3], v[4], v[5], v[6] },
        score = v[7] }
    end
  end
  return list
end

--- A camera is carried around a desk 0.71 m high: frames of boxes {left, top, width, height, score =, kind =,
--- place = {x, y, z}}.  The place is where the ray of the box's foot (flat things: of its middle) meets the
--- desk.  nil where the files are absent.
function recordings.desk(folder, camera)
  local poses = {}
  for _, line in ipairs(lines(folder .. "/camera_groundtruth.txt") or {}) do
    if not line:match "^#" then poses[#poses + 1] = numbers(line) end
  end
  local list = desk_things(folder)
  if #poses == 0 or #list == 0 then return nil end
  local eye = camera.new { width = 640, height = 480, fx = 535.4, fy = 539.2, cx = 320.1, cy = 247.6,
    axes = "optical" }
  local frames, start = {}, list[1].time
  for _, seen in ipairs(list) do
    local box, time = seen.box, seen.time - start
    if not frames[1] or frames[#frames].time ~= time then
      frames[#frames + 1] = { time = time, boxes = {}, truth = {}, pose = pose_at(poses, seen.time) }
    end
    local boxes, foot = frames[#frames].boxes, box[2] + box[4] * (seen.flat and 0.5 or 1)
    box.score, box.kind = seen.score, seen.kind
    box.place = eye:on_plane(frames[#frames].pose, box[1] + box[3] / 2, foot, { offset = 0.71, within = 4 })
    if box.place then boxes[#boxes + 1] = box end
  end
  return frames
end

return recordings
