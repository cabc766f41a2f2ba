-- The speed of an undescribed robot: the points of its links, computed from motor commands, while the shipped
-- behaviors run on it.
local geometry = require "brio.geometry"
local robots = require "brio.robots"

local shared = os.getenv "BRIO_SHARED" or "../shared"

local function readable(path)
  local handle = io.open(path, "r")
  if handle then handle:close() end
  return handle ~= nil
end

--- The corners of a link's shapes, in the link; its origin where it has none.
local function points_of(model)
  local list = {}
  for _, link in ipairs(model:links()) do list[#list + 1] = { link = link, at = { 0, 0, 0 } } end
  for _, shape in ipairs(model:collisions()) do
    local size = shape.size or {}
    local x, y, z = (size[1] or 0) / 2, (size[2] or 0) / 2, (size[3] or 0) / 2
    if shape.kind == "box" then
      for _, corner in ipairs { { x, y, z }, { -x, y, -z }, { x, -y, -z }, { -x, -y, z } } do
        local turned = geometry.turn(shape.pose.orientation, corner)
        local p = shape.pose.position
        list[#list + 1] = { link = shape.link, at = { p[1] + turned[1], p[2] + turned[2], p[3] + turned[3] } }
      end
    else
      list[#list + 1] = { link = shape.link, at = shape.pose.position }
    end
  end
  return list
end

--- The positions of points while joints are at their commands.
local function places(model, points, joints)
  local links, list = model:forward({ joints = joints }).links, {}
  for index, point in ipairs(points) do
    local pose = links[point.link]
    local turned, p = geometry.turn(pose.orientation, point.at), pose.position
    list[index] = { p[1] + turned[1], p[2] + turned[2], p[3] + turned[3] }
  end
  return list
end

--- Run a behavior for this long, and return the greatest speed of any point between two samples, m/s, the
--- greatest speed of a joint, and the greatest distance.
local function fastest_point(run, model, points, seconds)
  local last, before, began, most, turned, way = nil, nil, nil, 0, 0, 0
  local every = 2 -- ticks
  for _ = 1, math.floor(seconds * 200 / every) do
    run:advance(every / 200)
    local joints = {}
    for _, variable in ipairs(model:variables()) do joints[variable.name] = run:command(variable.name) end
    local now = places(model, points, joints)
    began = began or joints
    for index, p in ipairs(last and now or {}) do
      most = math.max(most, geometry.distance(p, last[index]) * 200 / every)
    end
    for name, value in next, joints do
      if before then turned = math.max(turned, math.abs(value - before[name]) * 200 / every) end
      way = math.max(way, math.abs(value - began[name]))
    end
    last, before = now, joints
  end
  return most, turned, way
end

for _, case in ipairs { { "robots/h1/h1.urdf", 0.25, "behaviors/probo.lua" },
  { "robots/nao/nao.urdf", 0.5, "behaviors/visitor.lua" },
  { "robots/iiwa14/iiwa14.urdf", 0.25, "behaviors/probo.lua" } } do
  local file, limit, behavior = shared .. "/data/" .. case[1], case[2], case[3]
  test(("no point of %s goes over %g m/s in %s"):format(case[1], limit, behavior), function(t)
    if not readable(file) then t:skip "no reference robots" end
    local run = t:run(behavior, { robot = file, with_world = true })
    local description = run.run.description
    t:equal(description.point_speed, limit)
    t:match(description.warnings[1], "'" .. description.name:gsub("%p", "%%%0")
      .. "' has no limit of speed near people: no point of it exceeds " .. limit)
    local most, turned, way = fastest_point(run, description.robot, points_of(description.robot), 5)
    t:ok(most <= limit * 1.001, "a point goes at %.3f m/s", most)
    t:ok(way > 0.05, "it moves: a joint by %.3f", way)
    print(("# points up to %.3f m/s, joints up to %.2f rad/s"):format(most, turned))
  end)
end

-- What a file says ----------------------------------------------------------------------------------------

local urdf = [[<robot name="two"><link name="base"/>
<link name="arm"><inertial><mass value="%g"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><origin xyz="0.5 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="2" velocity="9" effort="5"/></joint></robot>]]

local function found(t, mass, fields)
  local folder = t:temporary ""
  os.remove(folder)
  os.execute("mkdir " .. folder)
  local function write(name, text)
    local handle = assert(io.open(folder .. "/" .. name, "w"))
    handle:write(text)
    handle:close()
  end
  write("model.urdf", urdf:format(mass))
  write("robot.lua", ('return { name = "two", model = "model.urdf", %s }'):format(fields))
  return robots.find(folder)
end

test("what a robot.lua says of speeds counts; one that says nothing is as slow as a bare model", function(t)
  local function dof(mass, fields)
    local description = assert(found(t, mass, fields))
    local first = description.dofs[1]
    return { first.velocity, first.acceleration }, #description.warnings, description.point_speed
  end
  local values, warnings, speed = dof(2, "")
  t:near(values, { 0.5 / 0.6, 1 / 0.6 }, 1e-9)
  t:equal({ warnings, speed }, { 1, 0.5 })
  t:near((dof(20, "")), { 0.25 / 0.6, 0.5 / 0.6 }, 1e-9, "over 10 kg")
  t:near((dof(2, "point_speed = 1.2")), { 2, 4 }, 1e-9)
  t:near((dof(2, "point_speed = false")), { 9, 90 }, 1e-9)
  t:near((dof(2, "default_acceleration = 7")), { 9, 7 }, 1e-9)
  t:near((dof(2, "velocity = { turn = 3 }")), { 3, 30 }, 1e-9)
  t:near((dof(2, "velocity = { turn = 3 }, point_speed = 1.2")), { 2, 4 }, 1e-9)
  t:near((dof(2, 'dofs = { { name = "turn", acceleration = 2 } }, point_speed = 0.6')), { 1, 2 }, 1e-9)
  for _, wrong in ipairs { "0", "-1", "true", "'fast'" } do
    local none, why = found(t, 2, "point_speed = " .. wrong)
    t:ok(none == nil)
    t:match(why, "point_speed must be a number of m/s above 0, or false")
  end
end)
