--- Drawing: solids that are closed and of the right size, polygons painted in the right order, pictures in
--- the right file format.
require "brio"
local canvas = require "brio.canvas"
local cover = require "brio.draw.cover"
local draw = require "brio.draw"
local hull = require "brio.draw.hull"
local page = require "brio.robots.page"
local painter = require "brio.draw.painter"
local parts = require "brio.draw.parts"
local robots = require "brio.robots"
local solids = require "brio.draw.solids"

--- Numbers from 0 to 1, the same ones each time (Park and Miller's generator).
local function stream(seed)
  return function()
    seed = seed * 16807 % 2147483647
    return seed / 2147483647
  end
end

local function minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- The volume that faces enclose, positive when they look outward (divergence theorem).
local function volume(solid)
  local sum = 0
  for _, face in ipairs(solid.faces) do
    local a = solid.points[face[1]]
    for k = 2, #face - 1 do
      sum = sum + dot(a, cross(solid.points[face[k]], solid.points[face[k + 1]])) / 6
    end
  end
  return sum
end

--- Whether every edge is shared by two faces that run along it in opposite directions.
local function closed(solid)
  local seen = {}
  for _, face in ipairs(solid.faces) do
    for k, corner in ipairs(face) do
      local key = corner .. " " .. face[k % #face + 1]
      if seen[key] then return false end
      seen[key] = true
    end
  end
  for key in next, seen do
    local a, b = key:match("(%d+) (%d+)")
    if not seen[b .. " " .. a] then return false end
  end
  return true
end

test("solids are closed, look outward and have the volume of their shape", function(t)
  local pi = math.pi
  local shapes = {
    { { kind = "sphere", size = { 0.3, 0, 0 } }, 4 / 3 * pi * 0.3 ^ 3 },
    { { kind = "capsule", size = { 0.1, 0, 0.5 } }, 4 / 3 * pi * 0.1 ^ 3 + pi * 0.1 ^ 2 * 0.5 },
    { { kind = "capsule", size = { 0.1, 0, 0 } }, 4 / 3 * pi * 0.1 ^ 3 },
    { { kind = "cylinder", size = { 0.2, 0, 0.6 } }, pi * 0.2 ^ 2 * 0.6 },
    { { kind = "box", size = { 0.2, 0.3, 0.4 } }, 0.2 * 0.3 * 0.4 },
  }
  for _, case in ipairs(shapes) do
    local solid = solids.of(case[1], 0.01)
    t:ok(closed(solid), case[1].kind .. " is closed")
    t:near(volume(solid), case[2], 0.02 * case[2], case[1].kind)
  end
  local bone = solids.bone({ 1, 2, 3 }, { 1.5, 2.5, 3 }, 0.05, 0.005)
  t:ok(closed(bone))
  t:near(volume(bone), 4 / 3 * pi * 0.05 ^ 3 + pi * 0.05 ^ 2 * math.sqrt(0.5), 2e-4)
end)

test("a hull is closed, and no point lies outside it", function(t)
  local random = stream(7)
  for count = 4, 64, 12 do
    local points = {}
    for index = 1, count do points[index] = { random(), 2 * random(), random() - 0.5 } end
    local solid = hull.of(points)
    t:ok(closed(solid), "hull of %d points is closed", count)
    for _, face in ipairs(solid.faces) do
      local a, b, c = solid.points[face[1]], solid.points[face[2]], solid.points[face[3]]
      local normal = cross(minus(b, a), minus(c, a))
      for _, p in ipairs(points) do t:ok(dot(normal, minus(p, a)) < 1e-9, "a point lies outside") end
    end
  end
end)

test("the hull of a cube's corners, edges and middle is the cube", function(t)
  local points = {}
  for x = -1, 1 do
    for y = -1, 1 do
      for z = -1, 1 do points[#points + 1] = { x, y, z } end
    end
  end
  local solid = hull.of(points)
  t:ok(closed(solid))
  t:near(volume(solid), 8, 1e-9)
end)

test("flat, straight and single points make hulls without a volume", function(t)
  t:equal(#hull.of({ { 1, 2, 3 } }).faces, 0)
  t:equal(#hull.of({ { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 } }).faces, 0)
  t:equal(volume(hull.of { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } }), 0.0)
end)

--- A triangle with corners in a box of 200 x 200 x 200.
local function triangle(random, name)
  local points = {}
  for k = 1, 3 do points[k] = { 200 * random(), 200 * random(), 200 * random() } end
  local turn = cross(minus(points[2], points[1]), minus(points[3], points[1]))[3]
  if turn < 0 then points[2], points[3] = points[3], points[2] end
  return { points = points, edges = { "drawn", "drawn", "drawn" }, solid = name, color = name }
end

--- The height of a triangle above a point of the paper; nil beside the triangle.
local function height(points, x, y)
  for k, p in ipairs(points) do
    local q = points[k % #points + 1]
    if (q[1] - p[1]) * (y - p[2]) - (q[2] - p[2]) * (x - p[1]) < 0 then return nil end
  end
  local a = points[1]
  local n = cross(minus(points[2], a), minus(points[3], a))
  return a[3] - (n[1] * (x - a[1]) + n[2] * (y - a[2])) / n[3]
end

test("what is painted last at a point is what is nearest there", function(t)
  local random, polygons = stream(11), {}
  for index = 1, 60 do polygons[index] = triangle(random, index) end
  local painted, wrong = painter.order(polygons), 0
  for _ = 1, 500 do
    local x, y = 200 * random(), 200 * random()
    local top, nearest, second = nil, -math.huge, -math.huge
    local on_top
    for index, polygon in ipairs(polygons) do
      local z = height(polygon.points, x, y)
      if z and z > nearest then
        top, nearest, second = index, z, nearest
      elseif z and z > second then
        second = z
      end
    end
    for _, polygon in ipairs(painted) do
      if height(polygon.points, x, y) then on_top = polygon.color end
    end
    if top and nearest - second > 0.01 and on_top ~= top then wrong = wrong + 1 end
  end
  t:ok(wrong <= 1, "%d of 500 points show the wrong polygon", wrong) -- a point on a cut may
end)

test("cutting keeps every polygon's area", function(t)
  local random, polygons, before, after = stream(5), {}, 0, 0
  local function area(points)
    local sum = 0
    for k, p in ipairs(points) do
      local q = points[k % #points + 1]
      sum = sum + (p[1] * q[2] - p[2] * q[1]) / 2
    end
    return sum
  end
  for index = 1, 50 do
    polygons[index] = triangle(random, index)
    before = before + area(polygons[index].points)
  end
  for _, polygon in ipairs(painter.order(polygons)) do after = after + area(polygon.points) end
  t:near(after, before, 1e-6 * before)
end)

test("what is covered is not painted", function(t)
  local function square(size, name)
    return { points = { { 0, 0, 0 }, { size, 0, 0 }, { size, size, 0 }, { 0, size, 0 } }, name = name }
  end
  local shown = cover.visible { square(20, "larger"), square(5, "hidden"), square(10, "nearest") }
  t:equal({ shown[1].name, shown[2].name, #shown }, { "larger", "nearest", 2 })
end)

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("a")
  file:close()
  return bytes
end

test("every robot that ships is drawn, and from every side", function(t)
  local path, views = t:temporary(".svg"), { "iso", "front", "side" }
  local names = robots.list()
  for index = 1, #names, t:long() and 1 or 4 do -- make test takes a sample of the robots
    t:ok(draw.picture(assert(robots.find(names[index])), { svg = path, view = views[index % 3 + 1] }))
    t:match(contents(path), "^<%?xml.*</svg>%s*$")
  end
end)

test("a picture is the same each time, and differs from pose to pose", function(t)
  local description, texts = assert(robots.find "biped"), {}
  for index, pose in ipairs { "ready", "ready", "rest" } do
    local path = t:temporary(".svg")
    t:ok(draw.picture(description, { svg = path, pose = pose }))
    texts[index] = contents(path):gsub('id="surface%d+"', "") -- cairo counts its pictures
  end
  t:ok(texts[1] == texts[2], "twice the same pose, twice the same picture")
  t:ok(texts[1] ~= texts[3], "another pose, another picture")
end)

test("a PNG is written too, with names and a pose given by values", function(t)
  local path = t:temporary(".png")
  local joints = { NeckPan = 0.3 }
  t:ok(draw.picture(assert(robots.find "probo"), { png = path, pose = joints, names = true }))
  t:equal(contents(path):sub(1, 8), "\137PNG\r\n\26\n")
end)

test("robots of meshes that are missing, of one link, of points are drawn", function(t)
  local path, picture = t:temporary(".urdf"), t:temporary(".svg")
  local texts = {
    '<robot name="one"><link name="only"/></robot>',
    [[<robot name="bones"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/></joint>
      <joint name="k" type="floating"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/></joint></robot>]],
    [[<robot name="thin"><link name="a"><collision><geometry><box size="1e-9 1 1"/></geometry></collision>
      </link></robot>]],
  }
  for _, text in ipairs(texts) do
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
    local description = assert(robots.find(path))
    t:ok(draw.picture(description, { svg = picture }))
    t:match(contents(picture), "</svg>%s*$")
  end
end)

test("unknown poses and views are misuse, with what was probably meant", function(t)
  local panda = assert(robots.find "panda")
  local done, why, code = draw.picture(panda, { svg = "unused.svg", pose = "raedy" })
  t:equal({ done, code }, { nil, "misuse" })
  t:match(why, "panda has no pose 'raedy' %(did you mean 'ready'%?%)")
  done, why, code = draw.picture(panda, { svg = "unused.svg", view = "frnt" })
  t:equal({ done, code }, { nil, "misuse" })
  t:match(why, "did you mean 'front'")
end)

test("a picture that cannot be written says so", function(t)
  local done, why, code = draw.picture(assert(robots.find "probo"), { svg = "/nowhere/at/all.svg" })
  t:equal({ done, code }, { nil, "no_file" })
  t:match(why, "/nowhere/at/all.svg: cannot write the picture")
  for _, kind in ipairs { "svg", "png" } do
    local c = canvas.new { [kind] = "/dev/full" }
    if not c then t:skip("there is no /dev/full") end
    done, why, code = c:polygon({ 0, 0, 9, 0, 9, 9 }, true):finish()
    t:equal({ done, code }, { nil, "io" })
    t:match(why, "/dev/full: writing the picture failed")
  end
end)

test("wrong use of a canvas raises", function(t)
  local path = t:temporary(".svg")
  t:raises(function() canvas.new { svgg = path } end, "did you mean 'svg'")
  t:raises(function() canvas.new {} end, "one of svg = FILE and png = FILE")
  t:raises(function() canvas.new { svg = path, width = 1e9 } end, "width must be a number from")
  local c = assert(canvas.new { svg = path })
  t:raises(function() c:color(2, 0, 0) end, "red must be a number from")
  t:raises(function() c:polygon({ 1, 2, 3 }, true) end, "points must be a list")
  t:raises(function() c:line({ 0, 0, 1, 0 / 0 }) end, "y of a point")
  t:raises(function() c:text(0, 0, 10, "x", "center") end, "invalid option 'center'")
  c:text(10, 30, 12, "overlong \xE0\x80\x80, half a pair \xED\xA0\x80, too high \xF4\x90\x80\x80")
  t:ok(c:text(10, 10, 12, "broken \xff\xc3 letters äé€"):finish())
  t:raises(function() c:color(0, 0, 0) end, "is finished")
end)

test("the page of a robot fits 80 columns and names everything", function(t)
  local counts = { links = 1, joints = 2, fixed = 0, mimic = 0, dofs = 2, outside = 0 }
  for _, name in ipairs(robots.list()) do
    local description = assert(robots.find(name))
    local text = page.text(description, parts.tree(description.robot), counts, {})
    for line in text:gmatch("[^\n]+") do t:ok(utf8.len(line) <= 80, "%s: %s", name, line) end
    for _, link in ipairs(description.robot:links()) do t:ok(text:find(link, 1, true), link) end
    for _, dof in ipairs(description.dofs) do t:ok(text:find(dof.name, 1, true), dof.name) end
  end
end)
