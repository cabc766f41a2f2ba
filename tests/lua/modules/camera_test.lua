local brio = require "brio"
local camera = require "brio.camera"

local function eye(extra)
  local settings = { width = 64, height = 48, fx = 60, fy = 61, cx = 31.5, cy = 23.5 }
  for key, value in pairs(extra or {}) do settings[key] = value end
  return camera.new(settings)
end

--- Depths in meters as text: `near` where the function says so, otherwise 3 m.
local function picture(inside, near)
  local numbers = {}
  for v = 0, 47 do
    for u = 0, 63 do numbers[#numbers + 1] = string.pack("<f", inside(u, v) and near or 3) end
  end
  return { width = 64, height = 48, f32 = table.concat(numbers) }
end

test("a pixel's ray goes to where its point came from", function(t)
  for _, model in ipairs { "pinhole", "fisheye" } do
    for _, axes in ipairs { "body", "optical" } do
      local c = eye { model = model, axes = axes, radial = { 0.02, -0.01 } }
      local point = axes == "body" and { 2, 0.3, -0.2 } or { -0.3, 0.2, 2 }
      local u, v = c:project(point)
      local ray = c:ray(u, v)
      local far = math.sqrt(2 * 2 + 0.3 * 0.3 + 0.2 * 0.2)
      for i = 1, 3 do t:near(ray[i] * far, point[i], 1e-9) end
      t:equal(u < 31.5 and v > 23.5, true, "to the left and below")
    end
  end
  t:equal(eye():project { -1, 0, 0 }, nil, "behind")
  t:equal(eye({ model = "fisheye" }):ray(1e6, 0), nil, "nothing falls there")
end)

test("a mask under a depth picture tells where a thing is", function(t)
  local function inside(u, v) return u >= 20 and u < 40 and v >= 10 and v < 30 end
  local depth = picture(inside, 1.2)
  local c = eye()
  local found = c:look { box = { 18, 8, 24, 24 }, depth = depth, erode = 1 }
  t:near(found.position[1], 1.2, 1e-6, "the wall is left out")
  t:near(found.position[2], -(29.5 - 31.5) / 60 * 1.2, 1e-3)
  t:near(found.position[3], -(19.5 - 23.5) / 61 * 1.2, 1e-3)
  t:equal(found.used, 400)
  t:near(found.median, 1.2, 1e-6)
  local polygon = c:look { polygon = { 20, 10, 40, 10, 40, 30, 20, 30 }, depth = depth, erode = 0 }
  t:equal(polygon.used, 400)
  local runs = { 10 * 64 + 20 } -- row by row
  for _ = 1, 20 do runs[#runs + 1], runs[#runs + 2] = 20, 44 end
  runs[#runs] = 18 * 64 + 24
  t:equal(c:look({ runs = runs, depth = depth, erode = 0 }).used, 400)
  runs = { 20 * 48 + 10 } -- column by column
  for _ = 1, 20 do runs[#runs + 1], runs[#runs + 2] = 20, 28 end
  runs[#runs] = 24 * 48 + 18
  t:equal(c:look({ runs = runs, columns = true, depth = depth, erode = 0 }).used, 400)
  local half = c:look { box = { 10, 5, 10, 10 }, width = 32, height = 24, depth = depth, erode = 2 }
  t:equal(half.used, 4 * 6 * 6, "a mask of half the size")
  -- nothing to see
  local none, why, code = c:look { box = { 18, 8, 24, 24 }, depth = depth, nearest = 5 }
  t:equal(none, nil)
  t:match(why, "only 0 pixels")
  t:equal(code, "unreachable")
end)

test("what a mask tells becomes a thing of the scene", function(t)
  local c, s = eye(), brio.scene.new()
  for k = 0, 5 do
    local left = 20 + k
    local depth = picture(function(u, v) return u >= left and u < left + 20 and v >= 10 and v < 30 end, 1.2)
    local found = c:look { box = { left - 2, 8, 24, 24 }, depth = depth }
    s:update(k * 0.1, { { kind = "cup", position = found.position, size = found.size, time = k * 0.1 } })
  end
  local cup = s:objects("cup")[1]
  t:near(cup.position[1], 1.2, 1e-6)
  t:near(cup.velocity[2], -0.2, 0.01, "a pixel is 2 cm there, ten times a second")
end)

test("corners make a box", function(t)
  local list = {}
  for i = 0, 7 do list[i + 1] = { 1 + (i & 1) * 0.4, (i & 2) * 0.1, (i & 4) * 0.2 } end
  local box = camera.corners(list)
  t:near(box.position[1], 1.2, 1e-12)
  t:near(box.size[3], 0.8, 1e-12)
  t:near(box.orientation[4], 1, 1e-12)
  list[1], list[8] = list[8], list[1]
  t:near(camera.corners(list, { 0, 0, 0, 1 }).size[1], 0.4, 1e-12)
  t:raises(function() camera.corners(list) end, "eight corners must be a box's")
  list[8] = nil
  t:raises(function() camera.corners(list) end, "corner")
end)

test("a pixel on a table", function(t)
  local c = eye()
  local pose = { position = { 0, 0, 1.2 },
    orientation = { 0, math.sin(math.rad(15)), 0, math.cos(math.rad(15)) } }
  local point = c:on_plane(pose, 31.5, 23.5, { offset = 0.7 })
  t:near(point[1], 0.5 / math.tan(math.rad(30)), 1e-9)
  t:near(point[3], 0.7, 1e-12)
  t:equal(c:on_plane(pose, 31.5, 23.5, { offset = 1.3 }), nil, "above the camera")
end)

test("wrong use raises", function(t)
  local c = eye()
  local depth = picture(function() return true end, 1)
  t:raises(function() camera.new { model = "telescope" } end, "pinhole or fisheye")
  t:raises(function() camera.new { axes = "up" } end, "body")
  t:raises(function() camera.new { widht = 3 } end, "did you mean 'width'")
  t:raises(function() camera.new { width = 0 } end, "width")
  t:raises(function() camera.new { radial = { 1, 2, 3, 4, 5, 6, 7 } } end, "at most 6")
  t:raises(function() camera.new { model = "fisheye", tangential = { 0.1 } } end, "at most 0")
  t:raises(function() c:look { depth = depth } end, "needs a box")
  t:raises(function() c:look { box = { 1, 2, 3 }, depth = depth } end, "box")
  t:raises(function() c:look { box = { 1, 2, 3, 4 } } end, "depth must be")
  t:raises(function() c:look { box = { 1, 2, 3, 4 }, depth = { width = 2, height = 2, u16 = "abc" } } end,
    "bytes")
  t:raises(function() c:look { runs = { 1, -2 }, depth = depth } end, "whole numbers")
  t:raises(function() c:look { polygon = { 1, 2, 3, 4 }, depth = depth } end, "3 to 4096 points")
  local none, why, code = c:look { runs = { 1, 2 }, depth = depth }
  t:equal(none, nil)
  t:match(why, "must be of 3072 pixels")
  t:equal(code, "format")
end)
