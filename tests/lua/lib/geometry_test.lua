--- brio.geometry: its page's example and list, the annotations, and its functions compared with each other on
--- random poses.
local geometry = require "brio.geometry"
local random = require "brio.random"
local suggest = require "brio.lib.suggest"

local stream = random.stream(5, "geometry")
local function number(least, most) return least + (most - least) * stream:uniform() end
local function point() return { number(-2, 2), number(-2, 2), number(-2, 2) } end
local function turned() return geometry.from_rpy(number(-3, 3), number(-1.5, 1.5), number(-3, 3)) end
local function pose() return { position = point(), orientation = turned() } end

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

--- Compare two points.
local function near(t, a, b, what)
  t:ok(geometry.distance(a, b) < 1e-12, "%s is off by %g", what, geometry.distance(a, b))
end

--- Compare two orientations by the vectors that they rotate: the cosine of half the angle is too coarse for
--- small ones.
local function alike(t, a, b, what)
  for _, axis in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } do
    near(t, geometry.turn(a, axis), geometry.turn(b, axis), what)
  end
end

test("the example of the page prints what it says", function(t)
  local source, printed, expected = read "docs/behaviors/geometry.md":match "```lua\n(.-)```", {}, {}
  for text in source:gmatch "%-%-> ([^\n]+)" do expected[#expected + 1] = text end
  local env = setmetatable({ print = function(text) printed[#printed + 1] = text end }, { __index = _G })
  assert(load(source, "=docs/behaviors/geometry.md", "t", env))()
  t:ok(#expected >= 5, "there are only %d results", #expected)
  t:equal(table.concat(printed, "\n"), table.concat(expected, "\n"))
end)

test("the page and the annotations have every function", function(t)
  local page, annotated = read "docs/behaviors/geometry.md", read "docs/annotations/geometry.lua"
  for _, name in ipairs(suggest.keys(geometry)) do
    local arguments = annotated:match("function geometry%." .. name .. "(%b())")
    t:ok(arguments, "%s is not annotated", name)
    t:ok(page:find(("| `%s%s` |"):format(name, arguments), 1, true),
      "docs/behaviors/geometry.md has no row %s%s", name, arguments)
  end
end)

test("roll, pitch and yaw come back; turns are about the fixed x, then y, then z axis", function(t)
  for _ = 1, 200 do
    local q = turned()
    alike(t, geometry.from_rpy(geometry.rpy(q)), q, "from_rpy(rpy(q))")
    local r, p, y = number(-3, 3), number(-1.5, 1.5), number(-3, 3)
    local one = geometry.times(geometry.from_rpy(0, 0, y),
      geometry.times(geometry.from_rpy(0, p, 0), geometry.from_rpy(r, 0, 0)))
    alike(t, one, geometry.from_rpy(r, p, y), "the product of three turns")
  end
  near(t, geometry.turn(geometry.from_rpy(0, 0, math.pi / 2), { 1, 0, 0 }), { 0, 1, 0 },
    "x, turned to the left")
  near(t, geometry.turn(geometry.from_rpy(0, math.pi / 2, 0), { 1, 0, 0 }), { 0, 0, -1 }, "x, turned down")
end)

test("products turn one after the other; a pose and its inverse undo each other", function(t)
  for _ = 1, 200 do
    local a, b, v, frame, held = turned(), turned(), point(), pose(), pose()
    near(t, geometry.turn(geometry.times(a, b), v), geometry.turn(a, geometry.turn(b, v)),
      "turn(times(a, b), v)")
    local back = geometry.within(geometry.inverse(frame), geometry.within(frame, held))
    near(t, back.position, held.position, "there and back")
    alike(t, back.orientation, held.orientation, "there and back")
  end
  near(t, geometry.within({}, { position = { 1, 2, 3 } }).position, { 1, 2, 3 }, "what is left out")
end)

test("between has its ends, goes half of the angle, and the shorter way; towards points there, level",
  function(t)
  for _ = 1, 200 do
    local a, b, from, to = turned(), turned(), point(), point()
    alike(t, geometry.between(a, b, 0), a, "share 0")
    alike(t, geometry.between(a, b, 1), b, "share 1")
    local half = geometry.angle(a, geometry.between(a, b, 0.5))
    t:ok(math.abs(half - geometry.angle(a, b) / 2) < 1e-6, "half of %g is %g", geometry.angle(a, b), half)
    local q, d = geometry.towards(from, to), geometry.distance(from, to)
    near(t, geometry.turn(q, { d, 0, 0 }), { to[1] - from[1], to[2] - from[2], to[3] - from[3] }, "towards")
    t:ok(math.abs((geometry.rpy(q))) < 1e-9, "it rolls by %g", (geometry.rpy(q)))
  end
end)
