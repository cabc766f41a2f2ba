--- Two simple published trackers, written from their papers, as a baseline for comparison.
---
--- SORT: Bewley and others, "Simple online and realtime tracking", 2016: boxes in the picture, a Kalman
--- filter of constant velocity of the middle and the area, intersection over union of at least 0.3.  It
--- reports objects seen in the current frame and in the three frames before.
--- AB3DMOT: Weng and others, "3D multi-object tracking: a baseline and new evaluation metrics", 2020: upright
--- boxes, constant velocity of the middle, intersection over union of at least 0.01.  It reports objects seen
--- three times, also for one frame that misses them.
--- Both drop an object that two frames miss, and report everything in the first three.
local measures = require "measures"

local simple = {}

--- A Kalman filter of a number and, where `moves` is set, its change per frame.
local function filter(value, moves, noise)
  return { x = value, v = 0, pxx = 10, pxv = 0, pvv = moves and 1e4 or 0, r = noise.r, qx = noise.qx,
    qv = moves and noise.qv or 0 }
end

local function predict(f)
  f.x = f.x + f.v
  f.pxx, f.pxv, f.pvv = f.pxx + 2 * f.pxv + f.pvv + f.qx, f.pxv + f.pvv, f.pvv + f.qv
end

local function correct(f, value)
  local s = f.pxx + f.r
  local kx, kv, rest = f.pxx / s, f.pxv / s, value - f.x
  f.x, f.v = f.x + kx * rest, f.v + kv * rest
  f.pxx, f.pxv, f.pvv = (1 - kx) * f.pxx, (1 - kx) * f.pxv, f.pvv - kv * f.pxv
end

--- The model of a tracker's boxes: filters of their numbers, the box made from these, the similarity of two
--- boxes, and the least similarity of a match.
local flat = { enough = 0.3, same = measures.overlap }

function flat.tells(track) return track.missed == 0 and track.row >= 3 end

function flat.begin(box)
  local noise = { r = 1, qx = 1, qv = 0.01 }
  local shape = { r = 10, qx = 1, qv = 0.0001 }
  return { filter(box[1] + box[3] / 2, true, noise), filter(box[2] + box[4] / 2, true, noise),
    filter(box[3] * box[4], true, shape), filter(box[3] / box[4], false, shape) }
end

function flat.numbers(box)
  return { box[1] + box[3] / 2, box[2] + box[4] / 2, box[3] * box[4], box[3] / box[4] }
end

function flat.box(filters)
  local area, ratio = math.max(filters[3].x, 1e-6), math.max(filters[4].x, 1e-6)
  local width = math.sqrt(area * ratio)
  return { filters[1].x - width / 2, filters[2].x - area / width / 2, width, area / width }
end

local solid = { enough = 0.01, same = measures.volume_overlap }

function solid.tells(track) return track.hits >= 3 end

local fields = { "x", "y", "z", "yaw", "length", "width", "height" }

--- The equivalent of an angle that is nearest to another; also the opposite direction, for a detector may
--- confuse front and back.
local function near_turn(yaw, other)
  yaw = (yaw - other) % math.pi
  if yaw > math.pi / 2 then yaw = yaw - math.pi end
  return other + yaw
end

function solid.begin(box)
  local filters = {}
  for i, field in ipairs(fields) do filters[i] = filter(box[field], i <= 3, { r = 1, qx = 1, qv = 0.01 }) end
  return filters
end

function solid.numbers(box, filters)
  local numbers = {}
  for i, field in ipairs(fields) do numbers[i] = box[field] end
  numbers[4] = near_turn(numbers[4], filters[4].x)
  return numbers
end

function solid.box(filters)
  local box = {}
  for i, field in ipairs(fields) do box[field] = filters[i].x end
  return box
end

--- Assign the boxes of a frame to tracks.
local function match(kind, tracks, boxes)
  local score = {}
  for i, box in ipairs(boxes) do
    score[i] = {}
    for j, track in ipairs(tracks) do
      local alike = kind.same(box, track.box)
      if alike >= kind.enough then score[i][j] = alike end
    end
  end
  return measures.assign(score, #boxes, #tracks)
end

local function tracker(kind)
  local tracked = { tracks = {}, frame = 0, ids = 0 }
  --- Process the boxes of a frame; return the list {id, box} of what is tracked in it.
  function tracked:take(boxes)
    tracked.frame = tracked.frame + 1
    for _, track in ipairs(tracked.tracks) do
      for _, f in ipairs(track.filters) do predict(f) end
      track.box = kind.box(track.filters)
      track.row = track.missed > 0 and 0 or track.row
      track.missed = track.missed + 1
    end
    local track_of, seen = match(kind, tracked.tracks, boxes), {}
    for i, box in ipairs(boxes) do
      local track = tracked.tracks[track_of[i]]
      if track then
        for k, number in ipairs(kind.numbers(box, track.filters)) do correct(track.filters[k], number) end
        track.missed, track.row, track.hits, track.box = 0, track.row + 1, track.hits + 1,
          kind.box(track.filters)
      else
        tracked.ids = tracked.ids + 1
        local new = { id = tracked.ids, filters = kind.begin(box), missed = 0, row = 0, hits = 1, box = box }
        tracked.tracks[#tracked.tracks + 1] = new
      end
    end
    for i = #tracked.tracks, 1, -1 do
      local track = tracked.tracks[i]
      if track.missed > 1 then table.remove(tracked.tracks, i)
      elseif kind.tells(track) or (track.missed == 0 and tracked.frame <= 3) then
        seen[#seen + 1] = { id = track.id, box = track.box }
      end
    end
    return seen
  end
  return tracked
end

function simple.sort() return tracker(flat) end

function simple.ab3dmot() return tracker(solid) end

return simple
