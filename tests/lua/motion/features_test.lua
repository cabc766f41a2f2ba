--- The features of paths: values of NumPy for each, closed forms, and what they do not depend on.
local features = require "brio.motion.measures.features"
local path = require "brio.motion.measures.path"
local random = require "brio.random"
local rotation = require "brio.lib.rotation"

--- A path of a function of time, as it is: not filtered.
local function path_of(seconds, at)
  local made = { rate = path.rate, dimensions = 0, points = {} }
  for index = 0, math.floor(seconds * path.rate + 0.5) do
    local point = { at(index / path.rate) }
    made.dimensions = #point
    table.move(point, 1, #point, #made.points + 1, made.points)
  end
  return made
end

local function wave(t)
  return 0.3 * math.sin(2.1 * t) + 0.05 * math.sin(9.7 * t + 1) + 0.004 * math.sin(31 * t),
    0.2 * math.cos(3.3 * t + 0.4) + 0.03 * math.sin(17 * t + 2),
    0.1 * math.sin(1.3 * t + 2) + 0.06 * math.exp(-((t - 3) / 0.4) ^ 2)
end

--- The values that NumPy 1.24 computes of `wave`, 7 s of it, from the definitions (rfft, eigh, percentile,
--- polyfit, interp); sparc and ldlj by the formulas of Balasubramanian et al. (2015).
local by_numpy = {
  frequency_peak = 0.46875, frequency_mean = 1.08779399, frequency_spread = 0.983773942,
  frequency_median = 0.563895581, frequency_edge = 2.8422836, frequency_entropy = 0.511034144,
  frequency_line = 0.63284486, frequency_low = 0.634192942, frequency_high = 0.0149687548,
  frequency_slope = 3.6599422, speed_mean = 0.750772376, speed_high = 1.27208866,
  speed_variation = 0.434932068, speed_skewness = 0.0739100572, speed_rest = 0.00477326969,
  speed_cycles = 2.72076372, acceleration_mean = 7.10774528, acceleration_high = 11.0461434,
  acceleration_along = 0.612345588, jerk_mean = 126.378997, jerk_high = 189.118284,
  turn_rate = 8.36692111, persistence = 0.303032947, radius = 0.266318612, reach = 0.399400824,
  radius_variation = 0.347349023, axis_first = 0.668422953, axis_second = 0.266470898,
  axis_skewness = 0.231497475, curvature = 10.1715577, curvature_change = 456.123739,
  speed_curvature = -0.812507375, straightness = 0.0640146783, stroke_straightness = 0.750205876,
  drift = 0.157327335, sparc = -4.01480111, ldlj = -16.4965699,
}

test("there are 35 features, each with a name, a unit, a scale and a definition, as in the docs", function(t)
  local page = assert(io.open "docs/animation/quality.md"):read "a"
  local seen = {}
  t:equal(#features.list, 35)
  for _, feature in ipairs(features.list) do
    t:ok(not seen[feature.name] and feature.unit and feature.doc and feature.scale > 0, feature.name)
    seen[feature.name] = true
    local unit = feature.unit:gsub("%^2", "²"):gsub("%^3", "³")
    local row = ("| `%s` | %s | %s%.3g |"):format(feature.name, unit, feature.log and "ln " or "",
      feature.scale)
    t:ok(page:find(row, 1, true), "the page lacks %s", row)
  end
end)

test("every feature is what NumPy says of the same path", function(t)
  local values = features.of(path_of(7, wave))
  for _, feature in ipairs(features.list) do
    local expected = by_numpy[feature.name]
    t:near(values[feature.name], expected, 2e-8 * math.max(1, math.abs(expected)), feature.name)
  end
  t:near(values.sparc, by_numpy.sparc, 1e-7)
  t:near(values.ldlj, by_numpy.ldlj, 1e-6)
end)

--- A circle of radius r, w rad/s, in a plane that is tilted.
local function circle(r, w)
  return function(t)
    local x, y = r * math.cos(w * t), r * math.sin(w * t)
    return x + 1, 0.6 * y, 0.8 * y - 2
  end
end

test("a circle at constant speed has the features of its formula", function(t)
  local r, w = 0.4, 2 * math.pi * 0.9375 -- four bins of the spectrum
  local v = features.of(path_of(16 / 0.9375, circle(r, w)))
  for name, expected in next, {
    frequency_peak = 0.9375, frequency_mean = 0.9375, frequency_line = 1, frequency_high = 0,
    speed_mean = r * w, speed_high = r * w, speed_variation = 0, speed_skewness = 0, speed_rest = 0,
    acceleration_mean = r * w ^ 2, acceleration_high = r * w ^ 2, acceleration_along = 0,
    jerk_mean = r * w ^ 3, jerk_high = r * w ^ 3, turn_rate = w, persistence = math.cos(0.25 * w), radius = r,
    reach = r, radius_variation = 0, axis_first = 0.5, axis_second = 0.5, curvature = 1 / r,
    speed_curvature = 0, straightness = 0, stroke_straightness = math.sin(0.25 * w) / (0.25 * w), drift = 0,
  } do
    t:near(v[name], expected, 0.01 * math.max(1, math.abs(expected)), name)
  end
end)

test("an ellipse that is traced by sines follows the power law of drawing", function(t)
  local a, b, w = 0.3, 0.1, 5
  local values = features.of(path_of(2 * math.pi / w * 4, function(s)
    return a * math.cos(w * s), b * math.sin(w * s), 0
  end))
  t:near(values.speed_curvature, -1, 1e-6) -- ln speed = -1/3 ln curvature + constant: Lacquaniti et al. 1983
  t:near(values.axis_first, a * a / (a * a + b * b), 5e-3)
  t:near(values.axis_second, b * b / (a * a + b * b), 5e-3)
  t:near(values.radius, math.sqrt((a * a + b * b) / 2), 2e-3)
end)

local function minimum_jerk(s) return s ^ 3 * (10 - 15 * s + 6 * s ^ 2) end

test("a straight move of minimum jerk has the published smoothness", function(t)
  local values = features.of(path_of(8, function(s)
    return minimum_jerk(s / 8), 2 * minimum_jerk(s / 8), 0
  end))
  t:near(values.sparc, -1.41, 0.01)
  t:near(values.ldlj, -5.32, 0.05) -- -ln(720 / 1.875^2) of endlessly many samples
  t:near(values.straightness, 1, 1e-9)
  t:near(values.curvature, 0, 1e-6)
  t:near(values.axis_first, 1, 1e-9)
  t:near(values.speed_high / values.speed_mean, 1.875, 0.06)
end)

--- The path with every point changed by change(x, y, z).
local function changed(one, change)
  local made = { rate = one.rate, dimensions = 3, points = {} }
  for index = 1, #one.points, 3 do
    local point = { change(table.unpack(one.points, index, index + 2)) }
    table.move(point, 1, 3, index, made.points)
  end
  return made
end

test("features depend neither on place, nor on direction; lengths grow with the path", function(t)
  local one, draw = path_of(5, wave), random.stream(3, "features")
  local before = features.of(one)
  for _ = 1, 3 do
    local x, y, z, w = rotation.normalized(draw:normal(), draw:normal(), draw:normal(), draw:normal())
    local after = features.of(changed(one, function(a, b, c)
      a, b, c = rotation.turn(x, y, z, w, a, b, c)
      return a + 3, b - 7, c + 0.5
    end))
    for name, value in next, before do
      t:near(after[name], value, 1e-6 * math.max(1, math.abs(value)), name)
    end
  end
  local larger = features.of(changed(one, function(a, b, c) return 2.5 * a, 2.5 * b, 2.5 * c end))
  for _, feature in ipairs(features.list) do
    local power = feature.unit:match "^m" and 1 or feature.unit == "1/m" and -1
      or feature.unit == "1/m^2" and -2 or 0
    local expected = before[feature.name] * 2.5 ^ power
    t:near(larger[feature.name], expected, 1e-6 * math.max(1, math.abs(expected)), feature.name)
  end
end)

test("features do not depend on when a path begins", function(t)
  local function samples(shift)
    local times, points = {}, {}
    for index = 0, 240 do
      times[index + 1] = shift + index / 40
      table.move({ wave(index / 40) }, 1, 3, #points + 1, points)
    end
    return features.of(path.of(times, points, 3))
  end
  local early, late = samples(0), samples(123.5)
  for name, value in next, early do t:near(late[name], value, 1e-5 * math.max(1, math.abs(value)), name) end
end)

test("a path is the same whatever rate its file has, and a straight one keeps its ends", function(t)
  local function sampled(rate)
    local times, points = {}, {}
    for index = 0, math.floor(6 * rate) do
      local s = index / rate
      times[index + 1] = s
      table.move({ 0.3 * math.sin(3 * s), 0.2 * math.cos(5 * s), 0.1 * s }, 1, 3, #points + 1, points)
    end
    return path.of(times, points, 3)
  end
  local fine = sampled(480)
  for _, rate in ipairs { 30, 50, 120, 200 } do
    local one = sampled(rate)
    t:equal(path.count(one), 361, "points")
    local worst = 0
    for index, value in ipairs(one.points) do
      worst = math.max(worst, math.abs(value - fine.points[index]))
    end
    t:ok(worst < 1e-3, "%g Hz: %g m off", rate, worst)
  end
  local line = path.of({ 0, 0.1, 0.3, 0.7, 1 }, { 0, 0, 0.1, 0.2, 0.3, 0.6, 0.7, 1.4, 1, 2 }, 2)
  t:near({ line.points[1], line.points[2], line.points[121], line.points[122] }, { 0, 0, 1, 2 }, 1e-9)
  t:near(path.lengths((path.derivatives(line)), 2)[30], math.sqrt(5), 1e-9)
  t:equal(path.of({ 1, 1 }, { 0, 0 }, 1), nil)
end)

test("paths that are too short, or hardly move, have no features, and it is said why", function(t)
  t:match(features.lacks(path_of(0.5, wave)), "lasts 0.50 s, expected at least 1 s")
  t:match(features.lacks(path_of(2, function(s) return 1e-5 * s, 0 end)), "moves 0.02 mm in all")
  t:equal(features.lacks(path_of(1, wave)), nil)
end)

test("extreme paths have finite features: one dimension, one jump, long rest", function(t)
  for name, one in next, {
    line = path_of(3, function(s) return math.sin(s) end),
    jump = path_of(2, function(s) return s < 1 and 0 or 1, 0, 0 end),
    rest = path_of(20, function(s) return math.exp(-(4 * (s - 5)) ^ 2), 0, 0 end),
    joints = path_of(2, function(s) return s, 2 * s, math.sin(s), math.cos(s), s * s, 0 end),
  } do
    for index, value in ipairs(features.vector(features.of(one))) do
      t:ok(value == value and math.abs(value) < 1e6, "%s: %s is %s", name, features.list[index].name, value)
    end
  end
end)
