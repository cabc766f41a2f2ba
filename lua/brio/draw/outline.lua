--- Outlines for drawings, as flat lists of points {x1, y1, x2, y2, ...}: smooth curves, ellipses, eyelids,
--- trunks.
local outline = {}

--- Points {x, y} one after the other.
function outline.flat(points)
  local list = {}
  for _, point in ipairs(points) do list[#list + 1], list[#list + 2] = point[1], point[2] end
  return list
end

local steps = 8

--- A smooth line through points, closed or open (Catmull and Rom's cubic).
function outline.smooth(points, closed)
  local count, list = #points, {}
  local function at(index)
    if closed then return points[(index - 1) % count + 1] end
    return points[math.max(1, math.min(count, index))]
  end
  for index = 1, closed and count or count - 1 do
    local a, b, c, d = at(index - 1), at(index), at(index + 1), at(index + 2)
    for step = 0, steps - 1 do
      local s = step / steps
      for axis = 1, 2 do
        local p, q, r, t = a[axis], b[axis], c[axis], d[axis]
        list[#list + 1] = 0.5 * (2 * q + (r - p) * s + (2 * p - 5 * q + 4 * r - t) * s * s +
          (3 * q - p - 3 * r + t) * s * s * s)
      end
    end
  end
  if not closed then list[#list + 1], list[#list + 2] = points[count][1], points[count][2] end
  return list
end

--- An ellipse about a middle with half axes.
function outline.ellipse(at, size)
  local list = {}
  for step = 0, 47 do
    local angle = 2 * math.pi * step / 48
    list[#list + 1], list[#list + 2] = at[1] + size[1] * math.cos(angle), at[2] + size[2] * math.sin(angle)
  end
  return list
end

--- The cover of an ellipse from above down to a share of its height: 0 nothing, 1 all. Its lower edge sags by
--- `sag` of the height, and is slanted by `slant` degrees.
function outline.lid(at, size, share, sag, slant)
  local rx, ry, list, n = size[1] * 1.04, size[2] * 1.04, {}, 24
  local edge = at[2] - ry + 2 * ry * math.max(0, math.min(1, share))
  local lean = math.tan(math.rad(slant or 0))
  if share <= 0.01 then return list end
  local function low(x)
    local u = x / rx
    local curved = edge + (sag or 0.25) * 2 * ry * (1 - u * u) * (share - 0.15) + lean * x
    local half = ry * math.sqrt(math.max(0, 1 - u * u))
    return math.max(at[2] - half, math.min(at[2] + half, curved))
  end
  for step = 0, n do -- along the upper edge of the ellipse
    local x = -rx * math.cos(math.pi * step / n)
    list[#list + 1], list[#list + 2] = at[1] + x, at[2] - ry * math.sin(math.pi * step / n)
  end
  for step = n, 0, -1 do -- and back along the lid's
    local x = -rx * math.cos(math.pi * step / n)
    list[#list + 1], list[#list + 2] = at[1] + x, low(x)
  end
  return list
end

--- A tapering tube: from a point in a direction (degrees, clockwise from the right), its first half bent and
--- its second curled by the given degrees.
function outline.tube(at, direction, length, widths, bend, curl)
  local n, x, y, angle = 24, at[1], at[2], direction
  local left, right = {}, {}
  for step = 0, n do
    local s = step / n
    local half = 0.5 * (widths[1] + (widths[2] - widths[1]) * s)
    local c, sn = math.cos(math.rad(angle)), math.sin(math.rad(angle))
    left[#left + 1] = { x - sn * half, y + c * half }
    right[#right + 1] = { x + sn * half, y - c * half }
    x, y = x + c * length / n, y + sn * length / n
    angle = angle + 2 * (s < 0.5 and bend or curl) / n
    if step == n then -- a round tip
      for tip = 1, 5 do
        local turn = math.rad(angle + 90 - 30 * tip)
        left[#left + 1] = { x - c * length / n + half * math.cos(turn),
          y - sn * length / n + half * math.sin(turn) }
      end
    end
  end
  for index = #right, 1, -1 do left[#left + 1] = right[index] end
  return outline.flat(left)
end

return outline
