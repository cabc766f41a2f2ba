local brio = require "brio"
local perception = brio.perception

test("a detection is completed", function(t)
  local d = perception.detection { kind = "cup", position = { 1, 2, 3 }, orientation = { 0, 0, 3, 4 } }
  t:equal(d.id, "")
  t:equal(d.confidence, 1.0)
  t:near(d.orientation[3], 0.6, 1e-12)
  t:near(d.position[3], 3, 0)
  t:equal(#d.size, 3)
  t:equal(d.time, nil, "now")
  t:equal(d.color, nil, "unknown")
  t:equal(d.detector, 0)
  t:equal(d.oriented, true)
end)

test("a detection tells when, in what color and by whom it was seen", function(t)
  local d = perception.detection {
    kind = "cup", position = { 1, 2, 3 }, time = 4.5, color = { 0.25, 0.5, 2 }, detector = 3,
  }
  t:equal(d.time, 4.5)
  t:equal(table.concat(d.color, " "), "0.25 0.5 1.0")
  t:equal(d.detector, 3)
  t:equal(d.oriented, false, "no orientation was given")
  t:equal(perception.detection(d).oriented, false, "what was completed means the same again")
  t:raises(function() perception.detection { kind = "cup", position = { 1, 2, 3 }, time = 1 / 0 } end, "time")
  t:raises(function() perception.detection { kind = "cup", position = { 1, 2, 3 }, detector = 256 } end,
    "detector")
  t:raises(function() perception.detection { kind = "cup", position = { 1, 2, 3 }, detector = 1.5 } end,
    "whole")
  t:raises(function() perception.detection { kind = "cup", position = { 1, 2, 3 }, color = { 1, 2 } } end,
    "color")
end)

test("a wrong detection raises", function(t)
  t:raises(function() perception.detection { position = { 1, 2, 3 } } end, "must have a kind")
  t:raises(function() perception.detection { kind = "cup" } end, "position")
  t:raises(function() perception.detection { kind = "cup", positon = { 1, 2, 3 } } end,
    "did you mean 'position'")
  t:raises(function() perception.detection { kind = "cup", position = { 1, 2 } } end, "3 numbers")
  t:raises(function() perception.detection { kind = "cup", position = { 1, 2, 1e9 } } end, "within")
  t:raises(function() perception.detection { kind = "cup", position = { 1, 2, 3 }, confidence = 2 } end,
    "confidence")
  t:raises(function() perception.detection { kind = ("k"):rep(24), position = { 1, 2, 3 } } end, "at most 23")
  t:raises(function() perception.detection(3) end, "a detection must be a table")
end)

test("a filter keeps what it says", function(t)
  local list = {
    { kind = "cup", position = { 1, 0, 0 }, confidence = 0.9 },
    { kind = "person", position = { 2, 0, 0 }, confidence = 0.5 },
    { kind = "person", position = { 5, 0, 0 }, confidence = 0.8 },
  }
  t:equal(#perception.filter(list, {}), 3)
  t:equal(#perception.filter(list, { kind = "person" }), 2)
  t:equal(perception.filter(list, { kind = "person", min_confidence = 0.7 })[1], list[3])
  t:equal(perception.filter(list, { within = 1.5 })[1], list[1])
  t:equal(perception.filter(list, { within = 1.5, of = { 5, 1, 0 } })[1], list[3])
  t:raises(function() perception.filter(list, { king = "cup" }) end, "did you mean 'kind'")
end)

test("distance and bearing", function(t)
  t:near(perception.distance({ 1, 2, 3 }, { position = { 3, 5, 9 } }), 7, 1e-12)
  local yaw, pitch = perception.bearing({ position = { 0, 0, 1 } }, { 1, 1, 1 })
  t:near(yaw, math.pi / 4, 1e-12)
  t:near(pitch, 0, 1e-12)
  yaw, pitch = perception.bearing({ position = { 0, 0, 1 } }, { 1, 0, 2 })
  t:near(yaw, 0, 1e-12)
  t:near(pitch, math.pi / 4, 1e-12)
end)
