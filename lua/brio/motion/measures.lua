--- Measures of a recorded or described motion for each DOF, computed by brio.quality.
---
--- A series is { name, unit, rate, values }: sampled evenly. A movement is a span of at least a tenth of a
--- second in which a DOF's speed stays above a twentieth of its maximum; it is extended until the speed stops
--- falling.
local quality = require "brio.quality"

local measures = {}

local least_share, least_seconds, least_speed = 0.05, 0.1, 1e-3

--- The speeds of a series: one less than its values.
local function speeds_of(series)
  local out, values = {}, series.values
  for index = 2, #values do out[index - 1] = (values[index] - values[index - 1]) * series.rate end
  return out
end

local function greatest(list)
  local most = 0
  for _, value in ipairs(list) do most = math.max(most, math.abs(value)) end
  return most
end

--- A span extended while the speed falls towards its ends.
local function widened(speeds, from, to)
  while from > 1 and math.abs(speeds[from - 1]) < math.abs(speeds[from]) and speeds[from - 1] ~= 0 do
    from = from - 1
  end
  while to < #speeds and math.abs(speeds[to + 1]) < math.abs(speeds[to]) and speeds[to + 1] ~= 0 do
    to = to + 1
  end
  return from, to
end

--- Beginnings and ends of movements: {from, to} as indices of speeds.
local function movements_of(speeds, rate)
  local level = math.max(least_share * greatest(speeds), least_speed)
  local found, from = {}, nil
  for index = 1, #speeds + 1 do
    local moves = speeds[index] and math.abs(speeds[index]) > level
    if moves and not from then from = index end
    if not moves and from then
      if (index - from) / rate >= least_seconds then
        found[#found + 1] = { widened(speeds, from, index - 1) }
      end
      from = nil
    end
  end
  return found
end

local function mean(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return sum / #list
end

local function slice(list, from, to) return table.move(list, from, to, 1, {}) end

local function median(list)
  if #list == 0 then return nil end
  table.sort(list)
  return (list[(#list + 1) // 2] + list[#list // 2 + 1]) / 2
end

local function absolute(list)
  for index, value in ipairs(list) do list[index] = math.abs(value) end
  return list
end

--- Liveliness of a series: the slope of its spectrum between 0.2 and 5 Hz, of at least 10 s.
local function liveliness(series)
  if #series.values < 10 * series.rate then return nil end
  local densities, step = quality.spectrum(series.values, series.rate)
  return densities and quality.slope(densities, step, 0.2, math.min(5, series.rate / 4)) or nil
end

--- The measures of a DOF's series: amplitude (maximum minus minimum), fastest, movements, and medians over
--- them: sparc (and the worst), ldlj, peak_to_mean, anticipation, overshoot; slope of its spectrum. Undefined
--- ones are nil.
--- there is not is absent.
function measures.of(series)
  local speeds, least, most = speeds_of(series), math.huge, -math.huge
  for _, value in ipairs(series.values) do least, most = math.min(least, value), math.max(most, value) end
  local row = { name = series.name, unit = series.unit, amplitude = most - least, fastest = greatest(speeds) }
  local lists = { sparc = {}, ldlj = {}, peak_to_mean = {}, anticipation = {}, overshoot = {} }
  local movements = movements_of(speeds, series.rate)
  for _, movement in ipairs(movements) do
    local part = absolute(slice(speeds, movement[1], movement[2]))
    table.insert(lists.sparc, quality.sparc(part, series.rate))
    table.insert(lists.ldlj, quality.ldlj(part, series.rate))
    table.insert(lists.peak_to_mean, greatest(part) / mean(part))
    local around = math.floor(0.3 * series.rate)
    local values = slice(series.values, math.max(1, movement[1] - around),
      math.min(#series.values, movement[2] + 1 + around))
    local move = quality.move(values, series.rate)
    for _, field in ipairs(move and { "anticipation", "overshoot" } or {}) do
      table.insert(lists[field], move[field])
    end
  end
  row.movements = #movements
  for _, sparc in ipairs(lists.sparc) do row.worst_sparc = math.min(row.worst_sparc or sparc, sparc) end
  for field, list in next, lists do row[field] = median(list) end
  row.slope = row.amplitude > 1e-4 and liveliness(series) or nil
  return row
end

--- Relation of two series of equal rate: lag (s, delay of the second) and the share of the second's power.
function measures.pair(first, second)
  local a, b = speeds_of(first), speeds_of(second)
  local count = math.min(#a, #b)
  a, b = slice(a, 1, count), slice(b, 1, count)
  local pa, pb = 0, 0
  for index = 1, count do pa, pb = pa + a[index] ^ 2, pb + b[index] ^ 2 end
  return { lag = quality.lag(a, b, first.rate), power_ratio = pa > 0 and pb / pa or nil }
end

--- Curvature of a link's path: `points` flat, 3 numbers each.
function measures.path(points) return quality.bend(points, 3) end

return measures
