-- The scene on recorded detections: objects on a desk keep their identity while the detector changes its
-- class.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
package.path = here .. "/../../lib/?.lua;" .. package.path
local brio = require "brio"
local camera = require "brio.camera"
local follow = require "follow"
local measures = require "measures"
local recordings = require "recordings"

local data = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/detections"

--- A made-up desk: 12 objects, seen from a camera that sometimes looks away, by a detector that misses
--- objects, drifts, and confuses small ones.
local function made_up_desk()
  local random = brio.random.stream(11, "desk")
  local small, frames, places = { "mouse", "cell phone", "remote", "book" }, {}, {}
  for i = 1, 12 do places[i] = { 0.4 * ((i - 1) % 4), 0.5 * ((i - 1) // 4), 0.7, kind = small[i % 4 + 1] } end
  for k = 1, 900 do
    local frame = { time = k / 30, boxes = {}, truth = {} }
    local from, to = 1, 12
    if k % 300 > 200 then from, to = 1, 6 end -- looks away from half of it, for more than three seconds
    for i = from, to do
      if random:uniform(0, 1) < 0.7 then
        local p = places[i]
        local kind = random:uniform(0, 1) < 0.6 and p.kind or small[random:whole(4)]
        local place = { p[1] + 0.02 * random:normal(), p[2] + 0.02 * random:normal(), p[3] }
        table.insert(frame.boxes, { kind = kind, place = place, score = 0.6 })
        table.insert(frame.truth, { id = i, box = p })
      end
    end
    frames[k] = frame
  end
  return frames, places
end

local function measured(frames, settings, groups)
  local result = follow.run(frames, follow.desk(brio.scene, settings, groups))
  return measures.of(result, follow.same.desk, 0.5, true), result
end

test("things that stand still keep one name through flicker, and while nobody looks", function(t)
  local frames, places = made_up_desk()
  local m, result = measured(frames, follow.settings.desk, follow.groups)
  t:equal(m.switches, 0)
  t:equal(m.names, #places)
  t:equal(m.idf1 > 0.99, true, "IDF1 " .. m.idf1)
  for id, place in ipairs(places) do
    local there, most = follow.story_of(frames, result, id, place)
    t:equal(most >= there - 3, true, ("thing %d: %d of %d"):format(id, most, there))
  end
  local alone = measured(frames, follow.settings.desk, {})
  t:equal(alone.names > #places + 10, true,
    "without groups each class is a thing of its own: " .. alone.names)
end)

test("a thing is called what it was called most", function(t)
  local frames, places = made_up_desk()
  local s = brio.scene.new()
  s:configure(nil, follow.settings.desk)
  s:configure("mouse", { confusion = { "cell phone", "remote", "book" } })
  for _, frame in ipairs(frames) do
    local list = {}
    for i, b in ipairs(frame.boxes) do
      list[i] = { kind = b.kind, position = b.place, confidence = b.score, time = frame.time }
    end
    s:update(frame.time, list)
  end
  for _, object in ipairs(s:objects()) do
    for _, place in ipairs(places) do
      if brio.perception.distance(object.position, place) < 0.1 then t:equal(object.kind, place.kind) end
    end
  end
  t:equal(#s:objects(), #places)
end)

-- A real detector on a real desk, with the true path of the camera.
test("a desk of the TUM RGB-D benchmark", function(t)
  local frames = recordings.desk(data .. "/tum_fr3_office_yolo", camera)
  if not frames then return t:skip "the recorded detections are not on this machine" end
  local things = follow.find_things(frames, 30)
  local m, result = measured(frames, follow.settings.desk, follow.groups)
  local alone, result_alone = measured(frames, follow.settings.desk, {})
  t:equal(m.idf1 > 0.65, true, "IDF1 " .. m.idf1)
  t:equal(m.switches < alone.switches, true,
    ("%d switches, %d without groups"):format(m.switches, alone.switches))
  -- detections that alternate between two classes or more, apart from all others
  local flickering = 0
  for id, place in ipairs(things) do
    local there, most, classes = follow.story_of(frames, result, id, place)
    local phones, mice, books = classes["cell phone"] or 0, classes.mouse or 0, classes.book or 0
    if phones > 20 and math.max(mice, books) > 20 then
      flickering = flickering + 1
      t:equal(most / there > 0.85, true, ("%d of %d frames under one name"):format(most, there))
      local _, most_alone = follow.story_of(frames, result_alone, id, place)
      t:equal(most >= most_alone, true, "no worse than without groups")
    end
  end
  t:equal(flickering, 2, "a mouse that is also a phone, a book that is also a phone")
end)

-- People that walk, in a picture: no worse than SORT on the same boxes.
test("people of the MOT benchmark", function(t)
  local frames = recordings.mot(data .. "/mot15_NC/TUD-Stadtmitte", 25)
  if not frames then return t:skip "the recorded detections are not on this machine" end
  local function run(take) return measures.of(follow.run(frames, take), follow.same.flat, 0.5, true) end
  local ours = run(follow.flat(brio.scene, follow.settings.person_in_picture))
  local sort = run(follow.simple "sort")
  t:equal(ours.mota > 0.7, true, "MOTA " .. ours.mota)
  t:equal(ours.idf1 > sort.idf1, true, ("IDF1 %.3f, SORT %.3f"):format(ours.idf1, sort.idf1))
end)
