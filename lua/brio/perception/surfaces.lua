--- Data of a cloud that several finders share: its planes, and the upward direction.
local surfaces = {}

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local known = setmetatable({}, { __mode = "k" })

--- The up direction: the normal of the plane with the most points, among those of some size, whose normal is
--- within 60 degrees of z; without one, z.
local function guess_up(planes)
  local largest = 0
  for _, plane in ipairs(planes) do largest = math.max(largest, plane.area) end
  for _, plane in ipairs(planes) do
    if plane.normal[3] > 0.5 and plane.area > 0.15 * largest then return plane.normal, true end
  end
  return { 0, 0, 1 }, false
end

--- Orientation of a plane: "level", "upright" or "leaning".
local function stance(plane, up)
  local slope = math.abs(dot(plane.normal, up))
  return slope > math.cos(0.2) and "level" or slope < math.sin(0.2) and "upright" or "leaning"
end

--- Look at a cloud: {planes (each with `stance` and `height`, m along up), cloud (whose labels are planes'
--- numbers), up, told (whether up is a plane's)}; nil, a sentence, a code.
function surfaces.of(cloud)
  if known[cloud] then return known[cloud] end
  local planes, labeled, code = cloud:planes { labels = true }
  if not planes then return nil, labeled, code end
  local up, told = guess_up(planes)
  for _, plane in ipairs(planes) do
    plane.stance, plane.height = stance(plane, up), dot(plane.pose.position, up)
  end
  known[cloud] = { planes = planes, cloud = labeled, up = up, told = told }
  return known[cloud]
end

--- The largest level plane that faces up and is not far below others: a table's top rather than a floor; nil:
--- none.
function surfaces.top(look)
  local best, lowest
  for _, plane in ipairs(look.planes) do
    if plane.stance == "level" and dot(plane.normal, look.up) > 0 and plane.area > 0.04 then
      if not lowest or plane.height < lowest then lowest = plane.height end
    end
  end
  local function larger(plane, above)
    return plane.stance == "level" and dot(plane.normal, look.up) > 0 and plane.area > 0.04
      and plane.height >= above
      and (not best or plane.area > best.area)
  end
  for _, above in ipairs { (lowest or 0) + 0.3, lowest or 0 } do
    for _, plane in ipairs(look.planes) do
      if larger(plane, above) then best = plane end
    end
    if best and best.area > 0.1 then return best, lowest end
  end
  return best, lowest
end

return surfaces
