--- The accuracy of a tracker: the usual measures over frames of true and of tracked objects.
---
--- CLEAR MOT: Bernardin and Stiefelhagen, "Evaluating multiple object tracking performance: the CLEAR MOT
--- metrics", 2008. IDF1: Ristani and others, "Performance measures and a data set for multi-target,
--- multi-camera tracking", 2016. HOTA: Luiten and others, "HOTA: a higher order metric for evaluating
--- multi-object tracking", 2020.
local measures = {}

--- The assignment of rows to columns with the greatest sum of scores; only scores above 0 make a pair.
--- `score[i][j]`, nil: 0. Return the column of each row, or nil.  (The Hungarian algorithm with potentials,
--- O(rows^2 x columns).)
function measures.assign(score, rows, columns)
  local n, m = rows, columns + rows -- with a dummy column of score 0 for each row
  local u, v, row_of, column_of = {}, {}, {}, {}
  for j = 0, m do v[j] = 0 end
  for i = 0, n do u[i] = 0 end
  for i = 1, n do
    local reach, from, done, here = {}, {}, {}, 0
    row_of[0] = i
    for j = 1, m do reach[j] = math.huge end
    repeat
      done[here] = true
      local row, delta, next_one = row_of[here], math.huge, nil
      for j = 1, m do
        if not done[j] then
          local cost = j <= columns and -math.max(score[row] and score[row][j] or 0, 0) or 0
          local reduced = cost - u[row] - v[j]
          if reduced < reach[j] then reach[j], from[j] = reduced, here end
          if reach[j] < delta then delta, next_one = reach[j], j end
        end
      end
      for j = 0, m do
        if done[j] then u[row_of[j]], v[j] = u[row_of[j]] + delta, v[j] - delta
        elseif reach[j] then reach[j] = reach[j] - delta end
      end
      here = next_one
    until not row_of[here]
    repeat
      local before = from[here]
      row_of[here] = row_of[before]
      here = before
    until here == 0
  end
  for j = 1, columns do
    local i = row_of[j]
    if i and score[i] and (score[i][j] or 0) > 0 then column_of[i] = j end
  end
  return column_of
end

--- The similarities of a frame: [i][j] for true object i and tracked object j.
local function compare(frame, same)
  local similar = {}
  for i, truth in ipairs(frame.truth) do
    similar[i] = {}
    for j, seen in ipairs(frame.seen) do similar[i][j] = same(truth, seen) end
  end
  return similar
end

--- One frame's pairs after CLEAR MOT: a pair of the frame before is kept while it is near enough.
local function pair_up(frame, similar, enough, before)
  local column_of, taken, score = {}, {}, {}
  for i, truth in ipairs(frame.truth) do
    for j, seen in ipairs(frame.seen) do
      if before[truth.id] == seen.id and similar[i][j] >= enough then column_of[i], taken[j] = j, true end
    end
  end
  for i = 1, #frame.truth do
    score[i] = {}
    for j = 1, #frame.seen do
      if not column_of[i] and not taken[j] and similar[i][j] >= enough then
        score[i][j] = 1 + similar[i][j]
      end
    end
  end
  for i, j in pairs(measures.assign(score, #frame.truth, #frame.seen)) do column_of[i] = j end
  return column_of
end

--- {true things, misses, false ones, switches, fragments, MOTA, MOTP}
local function clear(frames, similars, enough)
  local m = { truths = 0, misses = 0, false_ones = 0, switches = 0, fragments = 0, matches = 0,
    similarity = 0 }
  local last, broken = {}, {} -- by true id: its last tracked id; lost since
  for f, frame in ipairs(frames) do
    local column_of = pair_up(frame, similars[f], enough, last)
    local pairs_here = 0
    for i, truth in ipairs(frame.truth) do
      local seen = column_of[i] and frame.seen[column_of[i]]
      if seen then
        pairs_here = pairs_here + 1
        m.similarity = m.similarity + similars[f][i][column_of[i]]
        if last[truth.id] and last[truth.id] ~= seen.id then m.switches = m.switches + 1 end
        if broken[truth.id] then m.fragments = m.fragments + 1 end
        last[truth.id], broken[truth.id] = seen.id, nil
      elseif last[truth.id] then
        broken[truth.id] = true
      end
    end
    m.truths, m.matches = m.truths + #frame.truth, m.matches + pairs_here
    m.misses, m.false_ones = m.misses + #frame.truth - pairs_here, m.false_ones + #frame.seen - pairs_here
  end
  m.mota = 1 - (m.misses + m.false_ones + m.switches) / m.truths
  m.motp = m.similarity / m.matches
  return m
end

--- Numbers for ids, in order of first occurrence, and the frequency of each.
local function number_ids(frames, list)
  local number, count = {}, {}
  for _, frame in ipairs(frames) do
    for _, thing in ipairs(frame[list]) do
      if not number[thing.id] then
        count[#count + 1] = 0
        number[thing.id] = #count
      end
      count[number[thing.id]] = count[number[thing.id]] + 1
    end
  end
  return number, count
end

--- The share of detections that carry the right name when names and true objects are matched one to one.
local function idf1(frames, similars, enough)
  local truth_of, truths = number_ids(frames, "truth")
  local seen_of, seens = number_ids(frames, "seen")
  local score, total, hits = {}, 0, 0
  for f, frame in ipairs(frames) do
    for i, truth in ipairs(frame.truth) do
      for j, seen in ipairs(frame.seen) do
        if similars[f][i][j] >= enough then
          local row = score[truth_of[truth.id]] or {}
          score[truth_of[truth.id]] = row
          row[seen_of[seen.id]] = (row[seen_of[seen.id]] or 0) + 1
        end
      end
    end
    total = total + #frame.truth + #frame.seen
  end
  for i, j in pairs(measures.assign(score, #truths, #seens)) do hits = hits + score[i][j] end
  return 2 * hits / total, #truths, #seens
end

--- The association of each true object with each name over all frames, for HOTA.
local function align(frames, similars, truth_of, truths, seen_of, seens)
  local together = {}
  for f, frame in ipairs(frames) do
    local of_truth, of_seen = {}, {}
    for i = 1, #frame.truth do
      for j = 1, #frame.seen do
        local s = similars[f][i][j]
        of_truth[i], of_seen[j] = (of_truth[i] or 0) + s, (of_seen[j] or 0) + s
      end
    end
    for i, truth in ipairs(frame.truth) do
      local row = together[truth_of[truth.id]] or {}
      together[truth_of[truth.id]] = row
      for j, seen in ipairs(frame.seen) do
        local s = similars[f][i][j]
        local all = of_truth[i] + of_seen[j] - s
        if all > 0 then row[seen_of[seen.id]] = (row[seen_of[seen.id]] or 0) + s / all end
      end
    end
  end
  for a, row in pairs(together) do
    for b, sum in pairs(row) do row[b] = sum / (truths[a] + seens[b] - sum) end
  end
  return together
end

--- HOTA at one threshold.
local function hota_at(frames, similars, enough, truth_of, truths, seen_of, seens, together)
  local hits, total, both = 0, 0, {}
  for f, frame in ipairs(frames) do
    local score = {}
    for i, truth in ipairs(frame.truth) do
      score[i] = {}
      for j, seen in ipairs(frame.seen) do
        local s = similars[f][i][j]
        if s >= enough then
          score[i][j] = 1e3 + 1e2 * (together[truth_of[truth.id]][seen_of[seen.id]] or 0) + s
        end
      end
    end
    for i, j in pairs(measures.assign(score, #frame.truth, #frame.seen)) do
      local a, b = truth_of[frame.truth[i].id], seen_of[frame.seen[j].id]
      both[a] = both[a] or {}
      both[a][b] = (both[a][b] or 0) + 1
      hits = hits + 1
    end
    total = total + #frame.truth + #frame.seen
  end
  local association = 0
  for a, row in pairs(both) do
    for b, count in pairs(row) do
      association = association + count * count / (truths[a] + seens[b] - count)
    end
  end
  local detected = total > hits and hits / (total - hits) or 0
  return hits > 0 and math.sqrt(detected * association / hits) or 0
end

local function hota(frames, similars)
  local truth_of, truths = number_ids(frames, "truth")
  local seen_of, seens = number_ids(frames, "seen")
  local together = align(frames, similars, truth_of, truths, seen_of, seens)
  local sum = 0
  for k = 1, 19 do
    sum = sum + hota_at(frames, similars, 0.05 * k - 1e-9, truth_of, truths, seen_of, seens, together)
  end
  return sum / 19
end

--- Measure a list of frames, each {truth = list, seen = list}; every object has an id, unique in its list.
--- same(truth, seen) is the similarity of two, 0 to 1; a pair counts from `enough` on.  Return {mota, motp,
--- idf1, hota, truths, matches, misses, false_ones, switches, fragments, things, names}; without HOTA where
--- `quick` is set.
function measures.of(frames, same, enough, quick)
  local similars = {}
  for f, frame in ipairs(frames) do similars[f] = compare(frame, same) end
  local m = clear(frames, similars, enough)
  m.idf1, m.things, m.names = idf1(frames, similars, enough)
  m.hota = not quick and hota(frames, similars) or nil
  return m
end

--- Two boxes in a picture, {left, top, width, height}: intersection over union.
function measures.overlap(a, b)
  local w = math.min(a[1] + a[3], b[1] + b[3]) - math.max(a[1], b[1])
  local h = math.min(a[2] + a[4], b[2] + b[4]) - math.max(a[2], b[2])
  if w <= 0 or h <= 0 then return 0 end
  return w * h / (a[3] * a[4] + b[3] * b[4] - w * h)
end

--- The corners of a rectangle on the ground, {x, y, yaw, length, width}, counterclockwise.
local function rectangle(b)
  local c, s, corners = math.cos(b.yaw), math.sin(b.yaw), {}
  for i, sign in ipairs { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } } do
    local x, y = sign[1] * b.length / 2, sign[2] * b.width / 2
    corners[i] = { b.x + c * x - s * y, b.y + s * x + c * y }
  end
  return corners
end

--- The part of a polygon to the left of the line from a to b.  (Sutherland and Hodgman 1974)
local function cut(polygon, a, b)
  local function side(p) return (b[1] - a[1]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[1] - a[1]) end
  local kept = {}
  for i, p in ipairs(polygon) do
    local q = polygon[i % #polygon + 1]
    local here, there = side(p), side(q)
    if here >= 0 then kept[#kept + 1] = p end
    if here * there < 0 then
      local part = here / (here - there)
      kept[#kept + 1] = { p[1] + part * (q[1] - p[1]), p[2] + part * (q[2] - p[2]) }
    end
  end
  return kept
end

local function area(polygon)
  local sum = 0
  for i, p in ipairs(polygon) do
    local q = polygon[i % #polygon + 1]
    sum = sum + p[1] * q[2] - p[2] * q[1]
  end
  return math.abs(sum) / 2
end

--- Two upright boxes {x, y, z (of the middle), yaw, length, width, height}: intersection over union.
function measures.volume_overlap(a, b)
  local reach = (math.sqrt(a.length ^ 2 + a.width ^ 2) + math.sqrt(b.length ^ 2 + b.width ^ 2)) / 2
  if (a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 > reach ^ 2 then return 0 end
  local high = math.min(a.z + a.height / 2, b.z + b.height / 2) - math.max(a.z - a.height / 2,
    b.z - b.height / 2)
  if high <= 0 then return 0 end
  local polygon, other = rectangle(a), rectangle(b)
  for i = 1, 4 do polygon = cut(polygon, other[i], other[i % 4 + 1]) end
  local both = area(polygon) * high
  return both / (a.length * a.width * a.height + b.length * b.width * b.height - both)
end

return measures
