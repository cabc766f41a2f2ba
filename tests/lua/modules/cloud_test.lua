local cloud = require "brio.cloud"
local nan = 0 / 0

local function line(count)
  local points, colors, labels = {}, {}, {}
  for i = 1, count do
    points[i] = { i, 0, 0 }
    colors[i] = { i / count, 0, 1 }
    labels[i] = i % 3
  end
  return cloud.new { points = points, colors = colors, labels = labels }
end

test("a cloud is what its lists say", function(t)
  local c = cloud.new {
    points = { { 1, 2, 3 }, { nan, 0, 0 }, { 0, 1e30, 0 }, { -1, 5, 0.5 } }, width = 2, time = 1.5,
      frame = "eye",
    viewpoint = { position = { 0, 0, 1 } },
  }
  local facts = c:facts()
  t:equal(#c, 4)
  t:equal(facts.missing, 2)
  t:equal(facts.far, 1)
  t:equal(facts.width .. "x" .. facts.height, "2x2")
  t:equal(facts.organized, true)
  t:equal(facts.colors, false)
  t:equal(facts.time, 1.5)
  t:equal(facts.frame, "eye")
  t:equal(facts.viewpoint.position[3], 1.0)
  t:equal(table.concat(facts.lower, " "), "-1.0 2.0 0.5")
  t:equal(table.concat(facts.upper, " "), "1.0 5.0 3.0")
  t:equal(table.concat(c:point(1), " "), "1.0 2.0 3.0")
  t:equal(c:point(2), nil, "there is no point")
  t:equal(select(2, c:point(1)), nil, "no colors")
  local none = cloud.new { points = {} }
  t:equal(#none, 0)
  t:equal(none:facts().lower, nil)
  t:equal((none:count { kind = "half_space" }), 0)
end)

test("points are counted in solids and unions, with their mean color", function(t)
  local c = line(10)
  local count, color = c:count { kind = "sphere", size = { 1.5, 0, 0 }, pose = { position = { 5, 0, 0 } } }
  t:equal(count, 3)
  t:near(color[1], 0.5, 0.002)
  t:near(color[3], 1, 1e-12)
  t:equal((c:count({ kind = "sphere", size = { 1.5, 0, 0 } }, { position = { 5, 0, 0 } })), 3)
  t:equal((c:count { kind = "box", size = { 4, 1, 1 }, pose = { position = { 3, 0, 0 } } }), 5,
    "its surface counts")
  local both = { kind = "union", pose = { position = { 1, 0, 0 } }, shapes = {
    { kind = "sphere", size = { 1.5, 0, 0 } },
    { kind = "union", shapes = { { kind = "capsule", size = { 0.5, 0, 2 },
      pose = { position = { 2, 0, 0 } } },
      { kind = "cylinder", size = { 0.1, 0, 0.1 }, pose = { position = { 8, 0, 0 } } } } } } }
  t:equal((c:count(both)), 4)
  t:equal(table.concat(c:list(both), " "), "1 2 3 9")
  t:equal(#c:crop(both), 4)
  t:equal(#c:without(both), 6)
  t:equal(select(2, c:count { kind = "sphere", size = { 0.1, 0, 0 } }), nil, "no points, no color")
end)

test("a cloud is turned, thinned and cut into new ones", function(t)
  local c = line(9)
  local up = c:transform({ position = { 0, 0, 1 }, orientation = { 0, math.sqrt(0.5), 0, math.sqrt(0.5) } },
    "chest")
  t:near(up:point(3)[3], -2, 1e-6)
  t:equal(up:facts().frame, "chest")
  t:near(c:point(3)[1], 3, 0, "the cloud itself has not changed")
  local thin = c:voxels(3)
  t:equal(#thin, 4)
  t:near(thin:point(2)[1], 4, 1e-6, "the mean of 3, 4 and 5")
  t:near(select(2, thin:point(2))[1], 4 / 9, 0.003)
  t:equal(#c:labelled(1), 3)
  t:equal(c:labels()[2], 3)
  t:equal(next(thin:transform({ position = { 0, 0, 0 } }):labels()) ~= nil, true, "labels go along")
end)

test("a cloud goes through bytes", function(t)
  local c = line(5)
  local again = assert(cloud.parse(c:frame(7)))
  t:equal(#again, 5)
  t:equal(select(3, again:point(2)), 2)
  t:equal(again:frame(7), c:frame(7))
  local optical = assert(cloud.parse(c:frame(), { axes = "optical", unit = 0.001 }))
  t:near(optical:point(5)[2], -0.005, 1e-9)
  local none, why, code = cloud.parse(c:frame():sub(1, -2))
  t:equal(none, nil)
  t:match(why, "cut off")
  t:equal(code, "format")
  none, why, code = cloud.parse(c:frame(), { limit = 4 })
  t:equal(none, nil)
  t:match(why, "at most 4")
  t:equal(code, "limit")
  none, why, code = cloud.read "/nowhere/at.all"
  t:equal(none, nil)
  t:match(why, "/nowhere/at.all")
  t:equal(code, "no_file")
end)

test("a picture has the nearest points on top", function(t)
  local near = cloud.new { points = { { 1, 0, 0 } }, colors = { { 1, 0, 0 } } }
  local far = cloud.new { points = { { 2, 0, 0 }, { 2, 1, 0 }, { -1, 0, 0 } } }
  local function paint(more)
    local request = { width = 5, height = 5, view = { { 2.5, -2, 0, 0 }, { 2.5, 0, -2, 0 }, { 1, 0, 0, 0 } },
      perspective = true, layers = { { cloud = near }, { cloud = far, color = { 0, 1, 0 } } } }
    for key, value in next, more or {} do request[key] = value end
    return cloud.paint(request)
  end
  local function pixel(bytes, x, y)
    return table.concat({ bytes:byte((y * 5 + x) * 3 + 1, (y * 5 + x) * 3 + 3) }, " ")
  end
  local bytes = paint()
  t:equal(#bytes, 75)
  t:equal(pixel(bytes, 2, 2), "255 0 0")
  t:equal(pixel(bytes, 1, 2), "0 255 0", "a meter to the left at two meters")
  t:equal(pixel(bytes, 0, 0), "0 0 0")
  t:equal(pixel(paint { color = { 0, 0, 1 }, size = 3 }, 3, 3), "255 0 0", "a larger point")
  t:equal(pixel(paint { shade = true }, 2, 2), "255 0 0", "the nearest is not in the shade")
  t:raises(function() paint { view = { { 1, 2, 3 } } } end, "three rows")
  t:raises(function() paint { layers = { { cloud = 3 } } } end, "brio.cloud")
  t:raises(function() paint { width = 0 } end, "width")
end)

test("wrong use of a cloud raises", function(t)
  local c = line(3)
  t:raises(function() c:count { kind = "ball", size = { 1, 0, 0 } } end, "must be 'sphere'")
  t:raises(function() c:count { kind = "unknown", shapes = {} } end, "must be 'sphere'")
  t:raises(function() c:count { kind = "sphere" } end, "needs `size`")
  t:raises(function() c:count { kind = "sphere", size = { -1, 0, 0 } } end, "sizes of 0")
  t:raises(function() c:count { kind = "hull",
    points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } } end, "points")
  t:raises(function() c:count { kind = "union", shapes = {} } end, "a union needs")
  t:raises(function() c:count { kind = "sphere", sise = { 1, 0, 0 } } end, "did you mean 'size'")
  t:raises(function() c:count(3) end, "a solid must be a table")
  t:raises(function()
    local loop = { kind = "union" }
    loop.shapes = { loop }
    c:count(loop)
  end, "deep")
  t:raises(function()
    local many = { kind = "union", shapes = {} }
    for i = 1, 257 do many.shapes[i] = { kind = "half_space" } end
    c:count(many)
  end, "at most 256")
  t:raises(function() c:voxels(0) end, "size")
  t:raises(function() c:point(4) end, "place")
  t:raises(function() cloud.parse("x", { axes = "up up up" }) end, "where x, y and z point")
  t:raises(function() cloud.new { points = { { 1, 2 } } } end, "points")
  t:raises(function() cloud.new { points = { { 1, 2, 3 } }, width = 2 } end, "rows of 2")
  t:raises(function() cloud.new { points = { { 1, 2, 3 } }, colors = {} } end, "as many as")
  t:raises(function() cloud.new { points = { { 1, 2, 3 } }, frame = ("f"):rep(32) } end, "at most 31")
  c:close()
  c:close()
  t:raises(function() c:facts() end, "closed")
end)

test("real clouds are read and counted", function(t)
  local folder = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/clouds/"
  local c = cloud.read(folder .. "mOSD_learn35_labelled_tabletop.pcd", { axes = "optical" })
  if not c then return t:skip "no real clouds on this machine" end
  local facts = c:facts()
  t:equal(facts.width, 640)
  t:equal(facts.labels, true)
  t:equal((c:count { kind = "half_space", pose = { position = { 100, 0, 100 } } }),
    facts.count - facts.missing)
  local labels, sum = c:labels(), 0
  for _, count in pairs(labels) do sum = sum + count end
  t:equal(sum, facts.count - facts.missing)
end)

test("a cloud is kept to the last bit, and nothing else is taken for one", function(t)
  local made = cloud.new { points = { { 1, 2, 3 }, { nan, 0, 0 }, { 0.1, -1e-30, 4e4 } },
    colors = { { 0, 0.5, 1 }, { 1, 1, 1 }, { 0, 0, 0 } } }
  local bytes = cloud.pack(made)
  local back = assert(cloud.unpack(bytes, 2.5))
  t:equal({ back:facts() }, { (function() local facts = made:facts() facts.time = 2.5 return facts end)() })
  t:equal(cloud.pack(back), bytes)
  t:equal({ back:point(3) }, { made:point(3) })
  local other = cloud.new { points = {} }
  t:equal(cloud.unpack(bytes, nil, other), other)
  t:equal(#other, 3)
  for _, wrong in ipairs { "", bytes:sub(1, -2), bytes .. "x", ("x"):rep(#bytes),
      bytes:sub(1, 8) .. ("\255"):rep(#bytes - 8),
      bytes:sub(1, 20) .. ("<i4"):pack(-7) .. bytes:sub(25), -- so many places without a point
      bytes:sub(1, 20) .. ("<i4"):pack(3) .. bytes:sub(25) } do
    local none, why, code = cloud.unpack(wrong, nil, other)
    t:equal({ none, code, #other }, { nil, "format", 0 }, why)
  end
end)
