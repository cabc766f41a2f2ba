--- Curves around a circle: a value for every angle, interpolated between knots, and periodic.
---
---     local curve = curves.new("monotone", { 18, 90, 198 }, { 0.9, 0.2, -0.8 })
---     curve(45)
---
--- "monotone": cubics with a continuous slope that do not overshoot the knots: the slope is the harmonic mean
--- of the neighboring secants, 0 at extrema (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5(2), 1984).
--- "catmull_rom": smoother, with some overshoot; "linear": straight, as in Saldien et al., IJSR 2, 2010.
local curves = {}

--- The slope at a knot between secants d0 over h0 and d1 over h1.
local slopes = {
  linear = false,
  monotone = function(h0, d0, h1, d1)
    if d0 * d1 <= 0 then return 0 end
    local w0, w1 = 2 * h1 + h0, h1 + 2 * h0
    return (w0 + w1) / (w0 / d0 + w1 / d1)
  end,
  catmull_rom = function(h0, d0, h1, d1) return (h1 * d0 + h0 * d1) / (h0 + h1) end,
}

--- The available kinds.
curves.kinds = { "monotone", "catmull_rom", "linear" }

--- A curve through values at angles, degrees from 0 to below 360, in ascending order. One knot gives a
--- constant.
function curves.new(kind, angles, values)
  local count, slope_of = #angles, slopes[kind]
  if count == 1 then return function() return values[1] end end
  local widths, secants, slope = {}, {}, {}
  for index = 1, count do
    local behind = index % count + 1
    widths[index] = index < count and angles[behind] - angles[index] or angles[1] + 360 - angles[count]
    secants[index] = (values[behind] - values[index]) / widths[index]
  end
  for index = 1, count do
    local before = (index - 2) % count + 1
    slope[index] = slope_of and slope_of(widths[before], secants[before], widths[index], secants[index])
  end
  return function(angle)
    angle = angle % 360
    local index = count
    for knot = 1, count do
      if angle < angles[knot] then break end
      index = knot
    end
    if angle < angles[1] then index, angle = count, angle + 360 end
    local h, behind = widths[index], index % count + 1
    local s = (angle - angles[index]) / h
    local y0, y1 = values[index], values[behind]
    if not slope_of then return y0 + s * (y1 - y0) end
    local m0, m1 = slope[index] * h, slope[behind] * h
    return ((2 * s - 3) * s * s + 1) * y0 + ((s - 2) * s + 1) * s * m0 + (3 - 2 * s) * s * s * y1 + (s - 1) *
      s * s * m1
  end
end

return curves
