--- A distant camera: an orthographic view, fitted to the paper.
local camera = {}

--- Direction of the view: azimuth about z from the robot's front to its left, elevation above the ground.
camera.views = {
  iso = { azimuth = 35, elevation = 22 },
  front = { azimuth = 0, elevation = 0 },
  side = { azimuth = -90, elevation = 0 },
}

--- A view with its three directions: right and up on paper, toward the eye.
---@param name string "iso", "front" or "side" (the robot looks to the right)
function camera.look(name)
  local view = camera.views[name]
  local a, e = math.rad(view.azimuth), math.rad(view.elevation)
  return {
    right = { -math.sin(a), math.cos(a), 0 },
    up = { -math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e) },
    toward = { math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e) },
    flat = view.elevation == 0, scale = 1, x = 0, y = 0,
  }
end

--- Projection of a point on paper, and its depth.
function camera.project(view, p)
  local r, u, t = view.right, view.up, view.toward
  return view.x + view.scale * (p[1] * r[1] + p[2] * r[2] + p[3] * r[3]),
    view.y - view.scale * (p[1] * u[1] + p[2] * u[2] + p[3] * u[3]),
    p[1] * t[1] + p[2] * t[2] + p[3] * t[3]
end

--- Scale and move the view so that all points lie within the frame {left, top, width, height}.
function camera.fit(view, points, frame)
  local lower_x, lower_y, upper_x, upper_y = math.huge, math.huge, -math.huge, -math.huge
  view.x, view.y, view.scale = 0, 0, 1
  for _, p in ipairs(points) do
    local x, y = camera.project(view, p)
    lower_x, lower_y = math.min(lower_x, x), math.min(lower_y, y)
    upper_x, upper_y = math.max(upper_x, x), math.max(upper_y, y)
  end
  local width, height = math.max(upper_x - lower_x, 1e-3), math.max(upper_y - lower_y, 1e-3)
  view.scale = math.min(frame.width / width, frame.height / height)
  view.x = frame.left + frame.width / 2 - view.scale * (lower_x + upper_x) / 2
  view.y = frame.top + frame.height / 2 - view.scale * (lower_y + upper_y) / 2
end

return camera
