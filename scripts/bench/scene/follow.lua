--- Trackers on recorded detections; run by scene.lua:
---     brio lua scripts/bench/scene/follow.lua TESTS/LIB DATA/DETECTIONS
--- Prints a line of JSON for each tracker on each recording.
package.path = arg[1] .. "/?.lua;" .. package.path
local camera = require "brio.camera"
local cjson = require "cjson"
local follow = require "follow"
local measures = require "measures"
local recordings = require "recordings"
local scene = require "brio.scene"

local data = arg[2]

local function tell(input, tracker, result, same, enough, quick)
  local m = measures.of(result, same, enough, quick)
  print(cjson.encode { input = input, tracker = tracker, mota = m.mota, motp = m.motp, idf1 = m.idf1,
    hota = m.hota,
    misses = m.misses, false_ones = m.false_ones, switches = m.switches, fragments = m.fragments,
      things = m.things,
    names = m.names, truths = m.truths })
end

local function absent(input) print(cjson.encode { input = input, absent = true }) end

local function people_in_pictures()
  local input = "people in a street, boxes (MOT15 TUD-Stadtmitte)"
  local frames = recordings.mot(data .. "/mot15_NC/TUD-Stadtmitte", 25)
  if not frames then return absent(input) end
  tell(input, "brio", follow.run(frames, follow.flat(scene, follow.settings.person_in_picture)),
    follow.same.flat, 0.5)
  tell(input, "SORT", follow.run(frames, follow.simple "sort"), follow.same.flat, 0.5)
end

--- All available sequences of KITTI as one: names are distinct in each.
local function on_the_road(class, least)
  local input = ("%s on the road, boxes in space (KITTI)"):format(class)
  local trackers = {
    { "brio", function() return follow.solid(scene, class, follow.settings[class]) end },
    { "AB3DMOT", function() return follow.simple "ab3dmot" end },
  }
  for _, tracker in ipairs(trackers) do
    local all = {}
    for number, sequence in ipairs { "0003", "0012", "0014", "0016", "0017" } do
      local frames = recordings.kitti(data .. "/kitti3d_NC/" .. sequence, class, least)
      if not frames then return absent(input) end
      for _, frame in ipairs(follow.run(frames, tracker[2]())) do
        for _, list in ipairs { frame.truth, frame.seen } do
          for _, thing in ipairs(list) do thing.id = ("%d/%s"):format(number, thing.id) end
        end
        all[#all + 1] = frame
      end
    end
    tell(input, tracker[1], all, follow.same.solid, 0.25)
  end
end

local function on_a_desk()
  local input = "things on a desk, the camera walks (TUM fr3 office)"
  local frames = recordings.desk(data .. "/tum_fr3_office_yolo", camera)
  if not frames then return absent(input) end
  follow.find_things(frames, 30)
  local settings = follow.settings.desk
  tell(input, "brio", follow.run(frames, follow.desk(scene, settings, follow.groups)), follow.same.desk, 0.5,
    true)
  tell(input, "brio, each class alone", follow.run(frames, follow.desk(scene, settings, {})),
    follow.same.desk, 0.5, true)
  tell(input, "SORT, whatever the class", follow.run(frames, follow.desk_sort()), follow.same.desk, 0.5, true)
end

people_in_pictures()
on_the_road("Car", 3)
on_the_road("Pedestrian", 1)
on_the_road("Cyclist", 2)
on_a_desk()
