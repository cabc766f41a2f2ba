--- Reduces the samples of a curve to few keys within a tolerance.
---
--- The curve between two keys is the cubic with the samples' values and slopes at both (Hermite's), written
--- as a Bézier with handles at a third of the time. From each key, the next one is as far as possible with
--- all samples between within the tolerance.
local simplify = {}

--- Maximum number of samples between two keys.
local longest = 4000

--- The slope at a sample: of the parabola through it and its neighbours.
local function slope(samples, index)
  local here, before, after = samples[index], samples[index - 1], samples[index + 1]
  if not before and not after then return 0 end
  if not before then return (after[2] - here[2]) / (after[1] - here[1]) end
  if not after then return (here[2] - before[2]) / (here[1] - before[1]) end
  local a, b = here[1] - before[1], after[1] - here[1]
  return ((here[2] - before[2]) / a * b + (after[2] - here[2]) / b * a) / (a + b)
end

local function hermite(p0, m0, p1, m1, span, s)
  local s2 = s * s
  local s3 = s2 * s
  return (2 * s3 - 3 * s2 + 1) * p0 + (s3 - 2 * s2 + s) * span * m0 + (3 * s2 - 2 * s3) * p1 + (s3 - s2) *
    span * m1
end

--- Whether all samples between two are within the tolerance of the cubic.
local function fits(samples, slopes, from, to, tolerance)
  local a, b = samples[from], samples[to]
  local span = b[1] - a[1]
  for index = from + 1, to - 1 do
    local value = hermite(a[2], slopes[from], b[2], slopes[to], span, (samples[index][1] - a[1]) / span)
    if math.abs(value - samples[index][2]) > tolerance then return false end
  end
  return true
end

--- The farthest sample that a cubic from `from` can reach: by doubling steps, then bisection between the last
--- two.
local function farthest(samples, slopes, from, tolerance)
  local good, step = from + 1, 2
  while from + step <= #samples and step <= longest and fits(samples, slopes, from, from + step, tolerance) do
    good, step = from + step, step * 2
  end
  local bad = math.min(from + step, #samples + 1)
  if bad == #samples + 1 and good < #samples and fits(samples, slopes, from, #samples, tolerance) then
    return #samples
  end
  while bad - good > 1 do
    local middle = (good + bad) // 2
    if fits(samples, slopes, from, middle, tolerance) then good = middle else bad = middle end
  end
  return good
end

--- A number rounded to few digits.
local function short(value, digits)
  local made = tonumber(("%." .. digits .. "f"):format(value))
  return made == 0 and 0 or made -- no -0
end

local function key_of(samples, slopes, index, before, after)
  local t, value = samples[index][1], samples[index][2]
  local key = { short(t, 6), short(value, 6), curve = after and "bezier" or nil }
  if before then
    local third = (t - samples[before][1]) / 3
    key.into = { short(-third, 6), short(-third * slopes[index], 6) }
  end
  if after then
    local third = (samples[after][1] - t) / 3
    key.out = { short(third, 6), short(third * slopes[index], 6) }
  end
  return key
end

--- Keys of a sequence (brio.sequence) for samples {{t, value}, ...} with ascending times, each with an error
--- of at most `tolerance`.
function simplify.keys(samples, tolerance)
  if #samples == 1 then return { { short(samples[1][1], 6), short(samples[1][2], 6) } } end
  local slopes, chosen = {}, { 1 }
  for index = 1, #samples do slopes[index] = slope(samples, index) end
  local least = math.max(tolerance - 2e-6, 0) -- minus the error of rounding to six decimals
  while chosen[#chosen] < #samples do
    chosen[#chosen + 1] = farthest(samples, slopes, chosen[#chosen], least)
  end
  local keys = {}
  for place, index in ipairs(chosen) do
    keys[place] = key_of(samples, slopes, index, chosen[place - 1], chosen[place + 1])
  end
  return keys
end

return simplify
