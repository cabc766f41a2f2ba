--- Measures of a series, pictures of a run.
local chart = require "brio.draw.chart"
local measures = require "brio.motion.measures"
local series = require "brio.record.series"

local function minimum_jerk(s) return s ^ 3 * (10 - 15 * s + 6 * s ^ 2) end

--- Rest, a minimum-jerk move by `by` in `seconds`, rest; repeated.
local function moves_of(rate, seconds, list)
  local values, at = {}, 0
  for _, by in ipairs(list) do
    for _ = 1, rate // 2 do values[#values + 1] = at end
    for index = 1, math.floor(seconds * rate) do
      values[#values + 1] = at + by * minimum_jerk(index / (seconds * rate))
    end
    at = at + by
  end
  for _ = 1, rate // 2 do values[#values + 1] = at end
  return values
end

test("movements are found and measured one by one", function(t)
  local row = measures.of { name = "a", unit = "rad", rate = 200,
    values = moves_of(200, 1, { 0.5, -0.2, 0.4 }) }
  t:equal(row.movements, 3)
  t:near(row.amplitude, 0.7, 1e-9)
  t:near(row.fastest, 0.5 * 1.875, 0.01)
  t:near(row.sparc, -1.41, 0.03) -- the slow ends are cut off
  t:near(row.ldlj, -5.3, 0.35)
  t:ok(row.anticipation < 1e-9 and row.overshoot < 1e-9)
  local still = measures.of { name = "a", unit = "rad", rate = 200, values = moves_of(200, 1, { 0 }) }
  t:equal({ still.movements, still.sparc, still.slope, still.fastest }, { 0, nil, nil, 0 })
end)

test("two movements in one are less smooth than one, and noise is alive between pink and brown", function(t)
  local one = measures.of { name = "a", rate = 200, values = moves_of(200, 1, { 1 }) }
  local double, noise = {}, {}
  for index = 0, 400 do
    local s = index / 400
    double[index + 1] = 0.5 * minimum_jerk(math.min(1, s * 2)) + 0.5 * minimum_jerk(math.max(0, s * 2 - 1)) +
      0.12 * s
  end
  t:ok(measures.of { name = "a", rate = 200, values = double }.sparc < one.sparc - 0.3)
  local octaves = require("brio.noise").octaves
  for index = 1, 40000 do noise[index] = octaves(3, index / 200 / 16, 9, 2, 0.84) end
  local slope = measures.of { name = "a", rate = 200, values = noise }.slope
  t:ok(slope > 1 and slope < 2.3, "slope %.2f", slope)
end)

test("what follows is told by how much", function(t)
  local first, second = {}, {}
  for index = 1, 1000 do
    first[index] = math.sin(index / 40) + 0.3 * math.sin(index / 13)
    local late = index - 16
    second[index] = 0.5 * (math.sin(late / 40) + 0.3 * math.sin(late / 13))
  end
  local pair = measures.pair({ rate = 200, values = first }, { rate = 200, values = second })
  t:near(pair.lag, 0.08, 0.002)
  t:near(pair.power_ratio, 0.25, 0.02)
end)

test("samples that were kept at uneven times become even", function(t)
  t:near(series.even({ 0, 0.01, 0.04, 0.05 }, { 0, 1, 4, 5 }, 100), { 0, 1, 2, 3, 4, 5 }, 1e-12)
  t:equal(series.even({ 0, 0.1 }, { 0, 1 }, 100), nil)
  local points = series.speed_points { from = 1, rate = 100, values = { 0, 1, 3 } }
  t:near(points, { 1.005, 100, 1.015, 200 }, 1e-9)
end)

test("a long line is drawn with few points that keep its peaks, its ends and its order", function(t)
  local points, draw = {}, require("brio.random").stream(4, "points")
  for index = 1, 100000 do points[2 * index - 1], points[2 * index] = index / 1000, draw:normal() end
  points[2 * 51234], points[2 * 70001] = 99, -99
  local thin = chart.thinned(points, 500)
  t:ok(#thin <= 2 * 4 * 500, "%d numbers", #thin)
  t:equal({ thin[1], thin[2], thin[#thin - 1], thin[#thin] },
    { points[1], points[2], points[#points - 1], points[#points] })
  local seen = {}
  for index = 1, #thin, 2 do
    seen[thin[index + 1]] = true
    t:ok(index == 1 or thin[index] > thin[index - 2], "times rise")
  end
  t:ok(seen[99] and seen[-99])
end)

local function drawn(spec, kind)
  local name = os.tmpname()
  local path = name .. (kind or ".svg")
  local good, why, code = chart.draw(path, spec)
  local file = io.open(path, "rb")
  local text = file and file:read "a" or ""
  if file then file:close() end
  os.remove(path)
  os.remove(name)
  return good, text, why, code
end

test("a chart draws lines, bands and events, also of one point, of none, of one value, as SVG and PNG",
  function(t)
  local spec = { title = "a run", from = 0, to = 10, panels = {
    { title = "states", bands = { { from = -5, to = 20, label = "a very long name of a state",
      row = "machine" }, { from = 3, to = 3, label = "b" } } },
    { title = "events", events = { { 1, "one" }, { 1.01, "two" }, { 1.02, "three" }, { 9.99, "last" } } },
    { title = "one", unit = "rad", lines = { { label = "x", points = { 0, 1, 10, 1 } },
      { label = "y", points = { 5, 3 }, dots = { 5, 3 } } } },
    { title = "none", lines = {} } } }
  local good, text = drawn(spec)
  t:ok(good and text:find("<svg", 1, true))
  local png_good, png = drawn(spec, ".png")
  t:ok(png_good and png:sub(2, 4) == "PNG")
  local none, _, why, code = drawn(spec, ".gif")
  t:ok(none == nil and code == "misuse" and why:find("ends with .svg or .png", 1, true), why)
  spec.to = 0
  t:ok((drawn(spec)), "no time at all")
end)

--- The contents of a picture: texts and dots, each {left, right, y, text}.
local function marks_of(svg)
  local list = {}
  for x, y, size, anchor, text in svg:gmatch '<text x="(.-)" y="(.-)" font%-size="(.-)" \z
    text%-anchor="(.-)".->(.-)</text>' do
    local wide = 0.5 * size * #text
    local left = anchor == "end" and x - wide or anchor == "middle" and x - wide / 2 or x + 0.0
    list[#list + 1] = { left, left + wide, y - 0.35 * size, text }
  end
  for x, y, r in svg:gmatch '<circle cx="(.-)" cy="(.-)" r="(.-)"' do
    list[#list + 1] = { x - r, x + r, y + 0.0, "" }
  end
  return list
end

--- Pairs of marks in which a text overlaps another mark.
local function overlaps(list)
  local found = {}
  for index, a in ipairs(list) do
    for other = index + 1, #list do
      local b = list[other]
      if a[4] .. b[4] ~= "" and a[1] < b[2] and b[1] < a[2] and math.abs(a[3] - b[3]) < 6 then
        found[#found + 1] = a[4] .. " and " .. b[4]
      end
    end
  end
  return found
end

test("no name of a picture stands over another, also of states inside states and of many events", function(t)
  local bands, events = {}, {}
  for index = 0, 5 do
    bands[3 * index + 1] = { row = "b", label = index .. "outer", from = index, to = index + 1 }
    bands[3 * index + 2] = { row = "b", label = index .. "outer/left.inner", from = index, to = index + 1 }
    bands[3 * index + 3] = { row = "b", label = index .. "outer/right.inner", from = index, to = index + 1 }
  end
  for index = 1, 60 do events[index] = { index // 3 * 0.3, "an_event_" .. index } end
  local panels = { { title = "states", bands = bands }, { title = "events", events = events } }
  local marks = marks_of(chart.svg { title = "all", from = 0, to = 6, panels = panels })
  t:ok(#marks > 60, "%d marks", #marks)
  t:equal(overlaps(marks), {})
  local lines = require("brio.draw.chart_text").lines({ from = 0, to = 6, panels = panels }, 200, true)
  local text = table.concat(lines, "\n")
  for _, name in ipairs { "outer%-", "outer/left.inner%-", "outer/right.inner%-" } do
    t:equal(select(2, text:gsub("|%d" .. name, "")), 6, name)
  end
end)

test("bands of one row that touch stay in one lane, and each row has its name once", function(t)
  local bands = { { row = "a", from = 0, to = 1 }, { row = "b", from = 0, to = 9 },
    { row = "a", from = 1, to = 2 }, { row = "a", from = 1.5, to = 3 }, { row = "a", from = 2, to = 4 },
    { row = "b", from = 2, to = 3, part = { 0, 0.5 } } }
  local rows, place = chart.rows(bands)
  local names, at = {}, {}
  for index, row in ipairs(rows) do names[index] = row.name end
  for index, band in ipairs(bands) do at[index] = place[band] end
  t:equal(names, { "a", "", "b" })
  t:equal(at, { 1, 3, 1, 2, 1, 3 })
end)
