--- The robots that ship, compared with published figures and, where the vendors' own
--- descriptions are at hand, with those.
require "brio"
local robot = require "brio.robot"
local robots = require "brio.robots"

local shipped = { "biped", "mycobot280", "panda", "pepper", "probo", "ur3e" }

--- kg, as published: myCobot 280 M5 specifications; Panda data sheet, arm 18, and its hand 0.73;
--- Pepper user guide; UR3e technical specifications.  No mass is published for Probo,
--- and the biped is fictional.
local published_mass = { mycobot280 = 0.86, panda = 18.73, pepper = 28, ur3e = 11.2 }

local function find(name)
  return assert(robots.find(name))
end

--- The joints of a pose that are in the kinematic tree.
local function tree_joints(description, pose)
  local joints = {}
  for _, dof in ipairs(description.dofs) do
    if not dof.outside then joints[dof.name] = pose.joints[dof.name] end
  end
  return joints
end

local function links_at(description, joints)
  return description.robot:forward { joints = joints }.links
end

local function near_point(t, point, expected, tolerance)
  for axis = 1, 3 do t:near(point[axis], expected[axis], tolerance) end
end

test("the robots that ship are found by name and load without a warning", function(t)
  t:equal(table.concat(robots.list(), " "), table.concat(shipped, " "))
  for _, name in ipairs(shipped) do
    local description = find(name)
    t:equal(description.name, name)
    t:equal(table.concat(description.warnings, "; "), "")
    t:ok(#description.source > 0, name .. " names its sources")
  end
end)

test("masses are within 5 % of the published ones", function(t)
  for name, mass in pairs(published_mass) do
    t:near(find(name).robot:mass(), mass, 0.05 * mass)
  end
end)

test("every DOF has a label, a group and greatest speed and acceleration", function(t)
  for _, name in ipairs(shipped) do
    for _, dof in ipairs(find(name).dofs) do
      local what = name .. "." .. dof.name
      t:ok(dof.label ~= dof.name, what .. " has a label")
      t:ok(dof.group, what .. " is in a group")
      t:ok(dof.velocity > 0 and dof.velocity < math.huge, what .. " has a greatest speed")
      t:ok(dof.acceleration > 0 and dof.acceleration < math.huge, what .. " has a greatest acceleration")
    end
  end
end)

test("home, rest and at least two more poses are within the limits", function(t)
  for _, name in ipairs(shipped) do
    local description, count = find(name), 0
    t:ok(description.poses[description.home], name .. " has its home pose")
    t:ok(description.poses.rest, name .. " has a pose to rest in")
    for pose_name, pose in pairs(description.poses) do
      count = count + 1
      for _, dof in ipairs(description.dofs) do
        local value = pose.joints[dof.name]
        t:ok(value >= dof.lower and value <= dof.upper,
             ("%s %s.%s = %g"):format(name, pose_name, dof.name, value))
      end
    end
    t:ok(count >= 4, name .. " has at least four poses")
  end
end)

test("Probo has 20 DOFs: six joints and fourteen of the face outside the tree", function(t)
  local inside, outside = 0, 0
  for _, dof in ipairs(find("probo").dofs) do
    if dof.outside then outside = outside + 1 else inside = inside + 1 end
    if dof.outside then
      t:equal(dof.lower, -1); t:equal(dof.upper, 1); t:equal(dof.rest, 0)
    end
  end
  t:equal(inside, 6)
  t:equal(outside, 14)
end)

--- A point given in the torso's frame, transformed into the frame of the floor that Pepper stands on.
local function floor(x, y, z)
  return { x - 0.00002, y, z + 0.139 + 0.079 + 0.268 + 0.334 }
end

--- Link positions, summed up by hand from the published lengths; m.
local landmarks = {
  { robot = "panda", link = "panda_link8", joints = {}, at = { 0.088, 0, 0.333 + 0.316 + 0.384 - 0.107 } },
  { robot = "panda", link = "panda_link5", joints = {}, at = { 0.0825 - 0.0825, 0, 0.333 + 0.316 + 0.384 } },
  { robot = "ur3e", link = "tool0", joints = {},
    at = { 0.24355 + 0.2132, 0.13105 + 0.0921, 0.15185 - 0.08535 } },
  { robot = "ur3e", link = "tool0",
    joints = { shoulder_lift_joint = -math.pi / 2, wrist_1_joint = -math.pi / 2 },
    at = { 0, 0.13105 + 0.0921, 0.15185 + 0.24355 + 0.2132 + 0.08535 } },
  { robot = "mycobot280", link = "joint6_flange", joints = {},
    at = { 0.0456, -0.06462, 0.13156 + 0.1104 + 0.096 + 0.07318 } },
  { robot = "pepper", link = "base_link", joints = {}, at = floor(0, 0, 0) },
  { robot = "pepper", link = "CameraTop_frame", joints = {},
    at = floor(0.08601 - 0.038, 0, 0.1699 + 0.16284) },
  { robot = "pepper", link = "l_gripper", joints = {},
    at = floor(-0.057 + 0.1812 + 0.175 * math.cos(math.rad(9)), 0.14974 + 0.015,
               0.08682 + 0.00013 + 0.175 * math.sin(math.rad(9))) },
}

test("links are where the published lengths put them", function(t)
  for _, mark in ipairs(landmarks) do
    local description = find(mark.robot)
    local joints = {}
    for _, dof in ipairs(description.dofs) do
      if not dof.outside then joints[dof.name] = mark.joints[dof.name] or 0 end
    end
    near_point(t, links_at(description, joints)[mark.link].position, mark.at, 1e-5)
  end
end)

test("Pepper's arms mirror each other", function(t)
  local pepper = find "pepper"
  local joints = tree_joints(pepper, pepper.poses.stand)
  local arm = { ShoulderPitch = 0.4, ShoulderRoll = -0.6, ElbowYaw = 1.1, ElbowRoll = 0.8, WristYaw = 0.5 }
  for name, angle in pairs(arm) do
    joints["R" .. name] = angle
    joints["L" .. name] = name == "ShoulderPitch" and angle or -angle
  end
  local links = links_at(pepper, joints)
  local left, right = links.l_gripper.position, links.r_gripper.position
  near_point(t, left, { right[1], -right[2], right[3] }, 1e-9)
end)

--- The vendors' descriptions, in the folder of shared data.
local vendors = {
  { robot = "pepper", file = "pepper/pepper.urdf" },
  { robot = "ur3e", file = "ur3e/ur3e.urdf" },
  { robot = "panda", file = "panda/panda.urdf" },
  { robot = "panda", file = "panda/panda_erd.urdf" },
  { robot = "mycobot280", file = "mycobot280/mycobot280.urdf" },
}

local function readable(path)
  local handle = io.open(path, "r")
  if handle then handle:close() end
  return handle ~= nil
end

--- The angle between two orientations, rad.
local function angle_between(a, b)
  local differ, same = 0, 0
  for i = 1, 4 do
    differ = differ + (a[i] - b[i]) ^ 2
    same = same + (a[i] + b[i]) ^ 2
  end
  return 4 * math.asin(math.min(1, math.sqrt(math.min(differ, same)) / 2))
end

--- Joint values spread over the ranges: the k-th of a low-discrepancy sequence.
local function spread(description, vendor, k)
  local ours, theirs, both = {}, {}, {}
  for _, variable in ipairs(vendor:variables()) do both[variable.name] = true end
  for index, dof in ipairs(description.dofs) do
    if both[dof.name] then
      local share = (k * math.sqrt(index + 1.5) * 0.6180339887) % 1
      ours[dof.name] = dof.lower + share * (dof.upper - dof.lower)
      theirs[dof.name] = ours[dof.name]
    end
  end
  if both.panda_finger_joint2 then theirs.panda_finger_joint2 = theirs.panda_finger_joint1 end
  return ours, theirs
end

--- The greatest distance (m) and angle (rad) between links of the same name, and their count.
local function difference(description, vendor, configurations)
  local distance, angle, shared = 0, 0, 0
  for k = 1, configurations do
    local ours, theirs = spread(description, vendor, k)
    local mine, their = links_at(description, ours), vendor:forward { joints = theirs }.links
    shared = 0
    for name, pose in pairs(mine) do
      local other = their[name]
      if other then
        shared = shared + 1
        local p, q = pose.position, other.position
        distance = math.max(distance, math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2))
        angle = math.max(angle, angle_between(pose.orientation, other.orientation))
      end
    end
  end
  return distance, angle, shared
end

for _, vendor in ipairs(vendors) do
  test(vendor.robot .. " moves as " .. vendor.file .. " does, within 1 mm and 1 mrad", function(t)
    local path = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/robots/" .. vendor.file
    if not readable(path) then return t:skip("no shared data: " .. path) end
    local description = find(vendor.robot)
    local hung = { stands_on = "base_footprint" } -- as robots.find loads ours
    local distance, angle, shared = difference(description, assert(robot.load(path, hung)), 50)
    t:ok(shared >= 8, shared .. " links of the same name")
    t:ok(distance < 1e-3, ("links are up to %g m apart"):format(distance))
    t:ok(angle < 1e-3, ("links are turned up to %g rad"):format(angle))
  end)
end
