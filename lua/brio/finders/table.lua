--- Finds the edge of a table as somebody meets it who goes ahead from below the sensor.
local surfaces = require "brio.cloud_surfaces"
local rotation = require "brio.rotation"

local usual = 0.74 -- m of a table over the ground, where no ground is seen

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

--- The ground below the sensor, facing ahead.
local function stand(look, viewpoint, ground)
  local up, eye = look.up, viewpoint.position
  local x = { 1 - up[1] * up[1], -up[1] * up[2], -up[1] * up[3] }
  local length = math.sqrt(dot(x, x))
  if length < 1e-3 then return nil end
  for k = 1, 3 do x[k] = x[k] / length end
  local y = { up[2] * x[3] - up[3] * x[2], up[3] * x[1] - up[1] * x[3], up[1] * x[2] - up[2] * x[1] }
  local down, foot = dot(eye, up) - ground, {}
  for k = 1, 3 do foot[k] = eye[k] - down * up[k] end
  return { position = foot, orientation = { rotation.from_axes(x, y, up) } }
end

return {
  name = "table",
  doc = "the edge of the largest level surface above the ground, ahead of the sensor",
  find = function(cloud, facts)
    local look, why = surfaces.of(cloud)
    if not look then return nil, why end
    local top, lowest = surfaces.top(look)
    if not top then return nil, "there is no level surface" end
    local ground = lowest and top.height - lowest > 0.3 and lowest or top.height - usual
    local from, height = stand(look, facts.viewpoint, ground), top.height - ground
    if not from then return nil, "the sensor looks straight up or down: nothing is ahead" end
    local edge
    local low, high = math.floor(20 * height) / 20 - 0.15, math.ceil(20 * height) / 20 + 0.15
    edge, why = cloud:table_edge { from = from, low = low, high = high, far = 6 }
    if not edge then return nil, why end
    local seen = edge.open > 0.5 and "the sensor sees farther before it" or edge.hidden > 0.5 and "hidden from before"
      or "nothing is seen before it: perhaps the edge of the view"
    return { { label = "table edge", lines = { { edge.left, edge.right } }, color = { 1, 0.2, 0.2 }, values = edge,
      text = ("table edge: (%.2f, %.2f, %.2f) to (%.2f, %.2f, %.2f), %.2f m over the %s, error %.1f mm; %s"):format(edge.left[1],
        edge.left[2], edge.left[3], edge.right[1], edge.right[2], edge.right[3], edge.height,
        ground == lowest and "ground" or "ground as usual", 1000 * edge.error, seen) } }
  end,
}
