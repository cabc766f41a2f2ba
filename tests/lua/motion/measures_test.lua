-- The measures of trackers, compared with examples worked out by hand and a published one.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
package.path = here .. "/../../lib/?.lua;" .. package.path
local measures = require "measures"
local simple = require "simple_trackers"

--- Objects on a line, compared by distance.
local function alike(a, b) return math.max(0, 1 - math.abs(a.at - b.at)) end

local function frames_of(story)
  local frames = {}
  for k, frame in ipairs(story) do
    frames[k] = { truth = {}, seen = {} }
    for id, at in pairs(frame[1]) do table.insert(frames[k].truth, { id = id, at = at }) end
    for id, at in pairs(frame[2]) do table.insert(frames[k].seen, { id = id, at = at }) end
    for _, list in pairs(frames[k]) do table.sort(list, function(a, b) return a.id < b.id end) end
  end
  return frames
end

test("a name that changes in the middle", function(t)
  local m = measures.of(frames_of {
    { { x = 0 }, { a = 0 } }, { { x = 1 }, { a = 1 } }, { { x = 2 }, { b = 2 } }, { { x = 3 }, { b = 3 } },
  }, alike, 0.5)
  t:equal(m.switches, 1)
  t:equal(m.misses + m.false_ones + m.fragments, 0)
  t:near(m.mota, 1 - 1 / 4, 1e-12)
  t:near(m.motp, 1, 1e-12)
  t:near(m.idf1, 2 * 2 / (4 + 4), 1e-12, "either name is right for two of four")
  t:near(m.hota, math.sqrt(1 * 0.5), 1e-9, "all found; each pair has 2 of 4 together")
  t:equal(m.things, 1)
  t:equal(m.names, 2)
end)

test("a gap and something that is not there", function(t)
  local m = measures.of(frames_of {
    { { x = 0 }, { a = 0 } }, { { x = 0 }, { a = 0.2 } }, { { x = 0 }, { b = 9 } },
    { { x = 0 }, { a = 0 } }, { { x = 0 }, { a = 0 } },
  }, alike, 0.5)
  t:equal(m.misses, 1)
  t:equal(m.false_ones, 1)
  t:equal(m.fragments, 1)
  t:equal(m.switches, 0)
  t:near(m.mota, 1 - 2 / 5, 1e-12)
  t:near(m.motp, (1 + 0.8 + 1 + 1) / 4, 1e-12)
  t:near(m.idf1, 2 * 4 / (5 + 5), 1e-12)
  -- up to 0.8: 4 found, 1 missed, 1 false; all 4 of one pair of 5 and 4.  Above: 3 and 2 and 2.
  local low = math.sqrt(4 / 6 * (4 / (5 + 4 - 4)))
  local high = math.sqrt(3 / 7 * (3 / (5 + 4 - 3)))
  t:near(m.hota, (16 * low + 3 * high) / 19, 1e-9)
end)

test("two that swap their names", function(t)
  local m = measures.of(frames_of {
    { { x = 0, y = 5 }, { a = 0, b = 5 } }, { { x = 0, y = 5 }, { a = 0, b = 5 } },
    { { x = 0, y = 5 }, { a = 5, b = 0 } }, { { x = 0, y = 5 }, { a = 5, b = 0 } },
  }, alike, 0.5)
  t:equal(m.switches, 2)
  t:near(m.mota, 1 - 2 / 8, 1e-12)
  t:near(m.idf1, 2 * 4 / 16, 1e-12)
  t:near(m.hota, math.sqrt(2 / (4 + 4 - 2)), 1e-9)
end)

test("who was whose stays so while it is near enough", function(t)
  local m = measures.of(frames_of {
    { { x = 0 }, { a = 0 } }, { { x = 0 }, { a = 0.4, b = 0 } }, { { x = 0 }, { a = 0.6, b = 0 } },
  }, alike, 0.5)
  t:equal(m.switches, 1, "only when a is too far")
  t:equal(m.false_ones, 2)
end)

-- The example of py-motmetrics' front page (github.com/cheind/py-motmetrics): MOTA 0.5, MOTP 0.34 as a
-- distance.
test("a published example", function(t)
  local far = { { { 0.1, 1, 0.3 }, { 0.5, 0.2, 0.3 } }, { { 0.2 }, { 0.4 } }, { { 0.6, 0.2 }, { 0.1, 0.6 } } }
  local names = { { 1, 2, 3 }, { 1 }, { 1, 3 } }
  local frames = {}
  for k, list in ipairs(names) do
    frames[k] = { truth = { { id = "a", row = 1, frame = k }, { id = "b", row = 2, frame = k } }, seen = {} }
    for j, id in ipairs(list) do frames[k].seen[j] = { id = id, column = j } end
  end
  local m = measures.of(frames, function(a, b) return 1 - far[a.frame][a.row][b.column] end, 0.01)
  t:near(m.mota, 0.5, 1e-12)
  t:near(1 - m.motp, 0.34, 1e-12)
  t:equal(m.switches, 1)
  t:equal(m.misses, 1)
  t:equal(m.false_ones, 1)
  t:equal(m.matches, 5)
end)

test("pairs of the most score", function(t)
  local score = { { 3, 2 }, { 2.5, 0 }, { 0, 1 } }
  local column = measures.assign(score, 3, 2)
  t:equal(column[1], 2)
  t:equal(column[2], 1)
  t:equal(column[3], nil)
  -- compared with all assignments
  local seed = 7
  local function chance()
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  end
  local function best(list, row, taken)
    if row > #list then return 0 end
    local most = best(list, row + 1, taken)
    for j, value in ipairs(list[row]) do
      if not taken[j] and value > 0 then
        taken[j] = true
        most = math.max(most, value + best(list, row + 1, taken))
        taken[j] = nil
      end
    end
    return most
  end
  for run = 1, 60 do
    local list, columns, sum = {}, 1 + math.floor(4 * chance()), 0
    for i = 1, 1 + math.floor(5 * chance()) do
      list[i] = {}
      for j = 1, columns do list[i][j] = chance() - 0.3 end
    end
    for i, j in pairs(measures.assign(list, #list, columns)) do sum = sum + list[i][j] end
    t:near(sum, best(list, 1, {}), 1e-12, "run " .. run)
  end
end)

test("boxes overlap by what they share", function(t)
  t:near(measures.overlap({ 0, 0, 2, 2 }, { 1, 1, 2, 2 }), 1 / 7, 1e-12)
  t:equal(measures.overlap({ 0, 0, 1, 1 }, { 1, 0, 1, 1 }), 0)
  local a = { x = 0, y = 0, z = 0, yaw = 0, length = 2, width = 2, height = 2 }
  local b = { x = 1, y = 0, z = 1, yaw = math.pi / 2, length = 2, width = 2, height = 2 }
  t:near(measures.volume_overlap(a, a), 1, 1e-12)
  t:near(measures.volume_overlap(a, b), 2 / 14, 1e-9)
  -- a square turned by an eighth shares an octagon with itself: 8 (sqrt 2 - 1) of the half side squared
  local c = { x = 0, y = 0, z = 0, yaw = math.pi / 4, length = 2, width = 2, height = 2 }
  local shared = 8 * (math.sqrt(2) - 1)
  t:near(measures.volume_overlap(a, c), shared / (8 - shared), 1e-9)
end)

test("the simple trackers follow and begin anew", function(t)
  local sort, names = simple.sort(), {}
  for k = 1, 12 do
    local boxes = { { 10 * k, 50, 40, 80 } }
    if k > 4 then boxes[2] = { 300 - 8 * k, 60, 40, 80 } end
    for _, one in ipairs(sort:take(boxes)) do names[one.id] = (names[one.id] or 0) + 1 end
  end
  t:equal(names[1], 12)
  t:equal(names[2], 5, "the second is told of after three more frames")
  local solid = simple.ab3dmot()
  for k = 1, 8 do
    local box = { x = 2 * k, y = 0, z = 1, yaw = 0.1, length = 4, width = 2, height = 1.5 }
    local seen = solid:take(k == 6 and {} or { box })
    t:equal(#seen, 1, "frame " .. k)
    t:equal(seen[1].id, 1)
    t:near(seen[1].box.x, 2 * k, 0.5, "also where it is not seen, in frame " .. k)
  end
end)
