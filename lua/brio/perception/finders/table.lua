--- Finds the edge of a table in front of a robot that is below the sensor and faces ahead.
local surfaces = require "brio.perception.surfaces"
local rotation = require "brio.lib.rotation"

local usual = 0.74 -- m, default height of a table if no ground is visible

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

--- The robot's pose on the ground below the sensor, facing ahead.
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

local function place(point) return ("(%.2f, %.2f, %.2f)"):format(point[1], point[2], point[3]) end

--- The surface in front of an edge; nil if the edge may be that of the field of view.
local function seen_before(edge)
  if edge.open > 0.5 then return "the sensor sees farther before it" end
  if edge.hidden > 0.5 then return "hidden from before" end
end

--- The name of an edge: a table's if lower ground is visible, or something in front of the edge; otherwise
--- the surface may be the floor.
local function describe(edge, on_ground, down)
  local where = ("%s to %s"):format(place(edge.left), place(edge.right))
  local seen = seen_before(edge)
  if on_ground or seen then
    return "table edge", ("table edge: %s, %.2f m over the %s, error %.1f mm; %s"):format(where, edge.height,
      on_ground and "ground" or "ground as usual", 1000 * edge.error,
      seen or "nothing is seen before it: perhaps the edge of the view")
  end
  return "near end", ("near end of a level surface: %s, %.2f m below the sensor, error %.1f mm; a table's \z
    edge or a "
    .. "floor's: no ground is seen lower down, and nothing before it"):format(where, down, 1000 * edge.error)
end

return {
  name = "table",
  doc = "the near edge of the largest level surface ahead of the sensor: a table's, or perhaps the floor's",
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
    local label, text = describe(edge, ground == lowest, dot(facts.viewpoint.position, look.up) - top.height)
    return { { label = label, lines = { { edge.left, edge.right } }, color = { 1, 0.2, 0.2 }, values = edge,
      text = text } }
  end,
}
