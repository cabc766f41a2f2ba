--- Fits liveliness to a demonstration: the noise that moves a DOF like a recorded motion.
---
--- The amplitude is that of the demonstration about its slow mean. Frequency, octaves and beta minimize the
--- difference between the distributions of power over the logarithm of frequency. The spectrum of one octave
--- of noise is measured, not assumed; more octaves are sums of it (brio.noise).
local noise = require "brio.noise"
local quality = require "brio.quality"

local liven = {}

--- Frequencies at which distributions are compared, Hz: sixteen an octave from 1/128 Hz on.
local lowest, per_octave, count = 1 / 128, 16, 16 * 12
local function frequency_at(index) return lowest * 2 ^ (index / per_octave) end

--- Share of a spectrum's power below each of those frequencies; nil: it has none.
local function distribution(densities, step)
  local out, sum, bin = {}, 0, 2
  for index = 1, count do
    while bin <= #densities and (bin - 1) * step <= frequency_at(index) do
      sum, bin = sum + densities[bin], bin + 1
    end
    out[index] = sum
  end
  if not (sum > 0) then return nil end
  for index = 1, count do out[index] = out[index] / sum end
  return out
end

--- The spectrum of samples: segments of a quarter of the length, as a power of two.
local function spectrum(values, rate)
  local segment = 16
  while segment * 8 <= #values do segment = segment * 2 end
  return quality.spectrum(values, rate, segment)
end

local octave_shape, octave_rms

--- The distribution of one octave's power when it has 1 Hz, and its root mean square.
local function one_octave()
  if octave_shape then return octave_shape, octave_rms end
  local values, sum = {}, 0
  for index = 1, 1 << 16 do
    values[index] = noise.value(77, index / 16)
    sum = sum + values[index] ^ 2
  end
  octave_rms = math.sqrt(sum / #values)
  octave_shape = distribution(quality.spectrum(values, 16, 1 << 13))
  return octave_shape, octave_rms
end

--- The distribution of the power of some octaves, the lowest at `frequency`.
local function model(frequency, octaves, beta)
  local shape, out, total = one_octave(), {}, 0
  for index = 1, count do out[index] = 0 end
  for octave = 0, octaves - 1 do
    local power = 2 ^ (-octave * (beta - 1))
    local shift = math.floor(math.log(frequency * 2 ^ octave, 2) * per_octave + 0.5)
    total = total + power
    for index = 1, count do
      local from = index - shift
      out[index] = out[index] + power * (from < 1 and 0 or from > count and 1 or shape[from])
    end
  end
  for index = 1, count do out[index] = out[index] / total end
  return out
end

local function difference(a, b)
  local sum = 0
  for index = 1, count do sum = sum + math.abs(a[index] - b[index]) end
  return sum / per_octave -- the mean displacement of power, in octaves
end

--- Subtract the mean and the slow drift, as a straight line.
local function leveled(values)
  local n, sx, sy, sxx, sxy = #values, 0, 0, 0, 0
  for index, value in ipairs(values) do
    sx, sy, sxx, sxy = sx + index, sy + value, sxx + index * index, sxy + index * value
  end
  local slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
  local out, sum = {}, 0
  for index, value in ipairs(values) do
    out[index] = value - (sy + slope * (n * index - sx)) / n
    sum = sum + out[index] ^ 2
  end
  return out, math.sqrt(sum / n)
end

--- Minimum duration of a usable series, s.
liven.least = 10

--- The liveliness of a series (brio.record.series): { amplitude, frequency, octaves, beta, misfit }, in the
--- DOF's unit and Hz; misfit: the displacement of its power from the demonstration's, in octaves. nil and a
--- sentence if there is none.
function liven.fit(series)
  if #series.values < liven.least * series.rate then
    return nil, ("%s: %.1f s, and at least %g s of demonstration are needed"):format(series.name,
      #series.values / series.rate, liven.least)
  end
  local level, rms = leveled(series.values)
  if rms < 1e-5 then return nil, series.name .. " hardly moves" end
  local densities, step = spectrum(level, series.rate)
  local wanted = distribution(densities, step)
  local best
  for octaves = 1, 6 do
    for index = 0, 7 * 8 do
      local frequency = 2 ^ (index / 8 - 5)
      for beta = octaves == 1 and 15 or 5, octaves == 1 and 15 or 30, 2 do
        -- prefer fewer octaves if the difference is small
        local off = difference(wanted, model(frequency, octaves, beta / 10)) + 0.01 * octaves
        if not best or off < best.off then
          best = { off = off, frequency = frequency, octaves = octaves, beta = beta / 10 }
        end
      end
    end
  end
  local _, unit_rms = one_octave()
  return { amplitude = rms / unit_rms, frequency = best.frequency, octaves = best.octaves, beta = best.beta,
    misfit = best.off - 0.01 * best.octaves }
end

--- The property as text for a state's list of wants.
function liven.text(dof, found)
  local octaves = found.octaves > 1 and (", octaves = %d, beta = %.1f"):format(found.octaves, found.beta)
    or ""
  return ("want.joint_liveliness { joint = %q, goal = %.4g, frequency = %.3g%s },"):format(dof,
    found.amplitude, found.frequency, octaves)
end

--- Comment lines around fitted properties in a behavior's file, so that they can be replaced by a later fit.
local opening, closing = "-- fitted to a demonstration", "-- end of what was fitted"

--- A behavior's text with properties in a state's list of wants, in place of those fitted before; or nil and
--- the reason. The state must be written NAME.state = { ... wants = { in it.
function liven.insert(text, state, lines)
  local from = text:find("[%w_]+%." .. state:gsub("%p", "%%%0") .. "%s*=%s*{")
  local at = from and select(2, text:find("wants%s*=%s*{", from))
  local following = from and text:find("\n[%w_]+%.[%w_]+%s*=%s*{", from + 1)
  if not at or following and at > following then
    return nil, ("there is no state written as 'BEHAVIOR.%s = {' with 'wants = {' in it"):format(state)
  end
  local _, line_end = text:find("^[ \t]*\n", at + 1)
  if not line_end then
    return nil, "the list of wants must begin on a line of its own, so that lines can be put in"
  end
  local tail = text:sub(line_end + 1)
  local indent = tail:match "^(%s*)" or ""
  indent = indent:match "[ \t]*$"
  if tail:sub(1, #indent + #opening) == indent .. opening then
    local _, stop = tail:find(closing .. "\n", 1, true)
    if stop then tail = tail:sub(stop + 1) end
  end
  local block = { indent .. opening }
  for _, line in ipairs(lines) do block[#block + 1] = indent .. line end
  block[#block + 1] = indent .. closing
  return text:sub(1, line_end) .. table.concat(block, "\n") .. "\n" .. tail
end

return liven
