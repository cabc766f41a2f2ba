--- Roles and parts of robots without a robot.lua: from structure, names of many vendors, and SRDFs.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
local trees = dofile(here .. "/../../lib/kinematic_trees.lua")
local robots = require "brio.robots"
local suggest = require "brio.lib.suggest"

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

local function find(t, name)
  local path = t:temporary ".urdf"
  write(path, trees.urdf(name))
  return assert(robots.find(path)), path
end

--- The purposes of each robot's links, by its published description.
local rows = {
  g1 = { head = "head_link", gaze = "d435_link", torso = "torso_link", pelvis = "pelvis",
    left_hand = "left_rubber_hand",
    right_hand = "right_rubber_hand", left_foot = "left_ankle_roll_link",
    right_foot = "right_ankle_roll_link" },
  h1_2 = { gaze = "camera_link", torso = "torso_link", pelvis = "pelvis", left_hand = "left_wrist_yaw_link",
    right_hand = "right_wrist_yaw_link", left_foot = "left_ankle_roll_link",
    right_foot = "right_ankle_roll_link" },
  pr2 = { head = "head_tilt_link", gaze = "wide_stereo_link", torso = "torso_lift_link",
    left_hand = "l_gripper_palm_link",
    right_hand = "r_gripper_palm_link" },
  valkyrie = { head = "head", gaze = "left_camera_frame", torso = "torso", pelvis = "pelvis",
    left_hand = "leftPalm",
    right_hand = "rightPalm", left_foot = "leftFoot", right_foot = "rightFoot" },
  talos = { head = "head_2_link", gaze = "rgbd_link", torso = "torso_2_link", pelvis = "base_link",
    left_hand = "gripper_left_base_link", right_hand = "gripper_right_base_link",
    left_foot = "left_sole_link",
    right_foot = "right_sole_link" },
  tiago = { head = "head_2_link", gaze = "xtion_rgb_frame", torso = "torso_lift_link",
    tool = "gripper_grasping_frame" },
  atlas = { head = "head", torso = "utorso", pelvis = "pelvis", left_hand = "l_hand", right_hand = "r_hand",
    left_foot = "l_foot", right_foot = "r_foot" },
  arm = { tool = "link_5" },
}

for _, name in ipairs(suggest.keys(rows)) do
  local roles = rows[name]
  test("roles of a robot built and named as " .. name, function(t)
    local found = find(t, name)
    t:equal(found.roles, roles)
    for role in next, roles do t:match(found.guesses[role].why, "%w") end
  end)
end

test("names and structure together are sure, one alone is less", function(t)
  local guesses = find(t, "g1").guesses
  t:equal({ guesses.left_hand.sure, guesses.left_foot.sure, guesses.head.sure }, { "sure", "sure", "likely" })
  t:match(guesses.left_hand.why, "the end of the left arm, 7 joints from torso_link")
  local arm = find(t, "arm").guesses.tool
  t:equal(arm.sure, "weak")
  t:match(arm.why, "no link there is named a tool, by its structure alone")
  t:match(find(t, "valkyrie").guesses.gaze.why, "or right_camera_frame")
end)

test("a robot whose feet are below the floor says so, and a robot.lua puts them on it", function(t)
  local found, path = find(t, "g1")
  local poses = found.robot:forward(found.robot:neutral()).links
  t:near(found.depth, -poses.left_ankle_roll_link.position[3], 1e-3)
  t:match(found.warnings[2], ("its feet are %.2f m below the floor of the world"):format(found.depth))
  local text = require("brio.robots.write").text(found, path)
  t:match(text, ("base_center = { 0, 0, %g },"):format(found.depth))
  local written = t:temporary ".lua"
  write(written, text)
  local folder = t:temporary()
  assert(os.execute("mkdir " .. folder) and os.rename(written, folder .. "/robot.lua"))
  table.insert(t.remove, 1, folder .. "/robot.lua")
  local mine = assert(robots.find(folder))
  t:near(mine.robot:forward(mine.robot:neutral()).links.left_ankle_roll_link.position[3], 0, 1e-3)
  for _, name in ipairs { "pr2", "tiago", "arm" } do t:equal(find(t, name).depth, nil) end
end)

test("the depth of feet is that of their shapes, however they are turned", function(t)
  local shapes = { sphere = { 'sphere radius="0.1"', 0.1 }, box = { 'box size="0.4 0.2 0.1"', 0.2 },
    cylinder = { 'cylinder radius="0.03" length="0.5"', 0.03 } } -- turned by 90 degrees about y
  for _, name in ipairs(suggest.keys(shapes)) do
    local geometry, reach = table.unpack(shapes[name])
    local path = t:temporary ".urdf"
    local collision = ("%%0<collision><geometry><%s/></geometry>%s</collision>"):format(geometry,
      '<origin xyz="0 0 -0.01" rpy="0 1.5707963267949 0"/>')
    write(path, (trees.urdf "g1":gsub('<link name="%a+_ankle_roll_link">', collision)))
    local found = assert(robots.find(path))
    local foot = found.robot:forward(found.robot:neutral()).links.left_ankle_roll_link.position[3]
    t:near(found.depth, -foot + 0.01 + reach, 1e-3, name)
  end
end)

--- A robot with two legs, each with a foot beside the rod that drives it, whose chain is longer.
local function rods()
  local parts = { '<robot name="rods"><link name="pelvis"/>' }
  local function add(parent, name, xyz)
    parts[#parts + 1] = (
      [[<link name="%s"/><joint name="%s_joint" type="revolute"><origin xyz="%s"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" velocity="1" effort="10"/><parent link="%s"/><child link="%s"/></joint>]])
      :format(name, name, xyz, parent, name)
  end
  for side, y in pairs { left = 0.1, right = -0.1 } do
    add("pelvis", side .. "_hip", ("0 %g 0"):format(y))
    add(side .. "_hip", side .. "_knee", "0 0 -0.4")
    add(side .. "_knee", side .. "_tarsus", "0 0 -0.4")
    add(side .. "_tarsus", side .. "_crank", "0.05 0 0")
    add(side .. "_crank", side .. "_rod", "0.05 0 -0.1")
    add(side .. "_tarsus", side .. "_foot", "0 0 -0.12")
  end
  return table.concat(parts) .. "</robot>"
end

test("the foot of a leg is the link that is named so, also beside a longer rod that drives it", function(t)
  local path = t:temporary ".urdf"
  write(path, rods())
  local found = assert(robots.find(path))
  t:equal({ found.roles.left_foot, found.roles.right_foot }, { "left_foot", "right_foot" })
  t:equal(found.guesses.left_foot.sure, "likely")
  t:match(found.guesses.left_foot.why, "its name, beside the end of the left leg, 5 joints from pelvis")
end)

test("a camera that is tilted to the floor is no face where there is a head", function(t)
  local function gaze(name, place)
    local path = t:temporary ".urdf"
    local text, count = trees.urdf(name):gsub(place, '%0 rpy="0 0.83 0"')
    t:equal(count, 1)
    write(path, text)
    local roles = assert(robots.find(path)).roles
    return roles.gaze or roles.head
  end
  t:equal(gaze("g1", 'xyz="0.06 0.02 0.43"'), "head_link")
  t:equal(gaze("h1_2", 'xyz="0.1 0.01 0.69"'), "camera_link")
end)

--- A robot of two wheels with a mast, and links that are fixed to the mast: {name, height, rpy}.
local function mast_with(t, fixed)
  local parts = { "<robot name='mast'><link name='base_link'><collision><geometry><box size='0.4 0.4 0.2'/>"
    .. "</geometry></collision></link>" }
  local function add(name, kind, at, rpy)
    parts[#parts + 1] = ("<link name='%s'/><joint name='%s_joint' type='%s'><parent link='base_link'/>"
      .. "<child link='%s'/><origin xyz='%s' rpy='%s'/><axis xyz='0 1 0'/></joint>")
      :format(name, name, kind, name, at, rpy or "0 0 0")
  end
  add("wheel_left", "continuous", "0 0.2 -0.1")
  add("wheel_right", "continuous", "0 -0.2 -0.1")
  for _, one in ipairs(fixed) do add(one[1], "fixed", "0 0 " .. one[2], one[3]) end
  local path = t:temporary ".urdf"
  write(path, table.concat(parts) .. "</robot>")
  return assert(robots.find(path))
end

test("a head that no joint moves may be called face or neck, or be a camera at the top", function(t)
  local cases = {
    { "face", "likely", { "face", 1.2 }, { "surface_link", 1.3 } },
    { "robot_face_link", "likely", { "robot_face_link", 1.2 }, { "mast_link", 1.3 } },
    { "visor", "likely", { "visor", 1.2 }, { "neck_link", 1.1 } },
    { "neck", "weak", { "neck", 1.1 }, { "shelf", 0.8 } },
    { "front_display", "weak", { "front_display", 1.1 } },
    { "head_camera", "weak", { "head_camera", 0.6 }, { "top_camera", 1.2 } },
    { "head", "likely", { "head", 1 }, { "head_camera", 1.1 }, { "face", 1.05 } },
    { "realsense_link", "weak", { "realsense_link", 1.2 }, { "belly_camera", 0.3 } },
    -- a camera that looks down, and one that is low, are no heads
    { nil, nil, { "top_camera", 1.2, "0 0.8 0" }, { "belly_camera", 0.3 }, { "antenna", 1.3 } },
  }
  for index, row in ipairs(cases) do
    local found = mast_with(t, { table.unpack(row, 3, 5) })
    t:equal(found.roles.head, row[1], "row " .. index)
    t:equal(found.guesses.head and found.guesses.head.sure, row[2], "row " .. index)
  end
end)

test("a weak guess is a warning", function(t)
  t:match(table.concat(find(t, "arm").warnings, "\n"),
    "role 'tool': 'link_5' is a weak guess: the end of the arm")
end)

test("four legs are no pair of feet", function(t)
  local found = find(t, "quadruped")
  t:equal(found.roles, { torso = "trunk" })
end)

test("arms, legs, neck and waist are parts that trees can name", function(t)
  local found = find(t, "talos")
  t:equal(found.parts.head, { "head_1_joint", "head_2_joint" })
  t:equal(found.parts.torso, { "torso_1_joint", "torso_2_joint" })
  t:equal(#found.parts.left_arm, 7)
  t:equal(found.parts.left_arm[1], "arm_left_1_joint")
  t:equal(#found.parts.right_leg, 6)
  local limbs = require "brio.robots.limbs"
  local limb = assert(limbs.find(found, "arm", { side = "left" }))
  t:equal({ limb.link, #limb.dofs }, { "gripper_left_base_link", 7 })
end)

local srdf = [[<robot name="h1_2">
  <group name="left_arm"><chain base_link="torso_link" tip_link="left_elbow_link"/></group>
  <group name="right_arm"><joint name="right_shoulder_pitch_joint"/><joint name="right_wrist_yaw_joint"/></group>
  <group name="both_arms"><group name="left_arm"/><group name="right_arm"/></group>
  <group name="head"><chain base_link="torso_link" tip_link="no_such_link"/></group>
  <group_state name="forward" group="left_arm"><joint name="left_elbow_joint" value="0.5"/>
    <joint name="left_wrist_yaw_joint" value="7"/><joint name="nobody" value="1"/></group_state>
</robot>]]

test("an SRDF beside the URDF counts over guesses, and gives poses", function(t)
  local path = t:temporary ".urdf"
  write(path, trees.urdf "h1_2")
  local beside = path:gsub("urdf$", "srdf")
  write(beside, srdf)
  local found = assert(robots.find(path))
  os.remove(beside)
  t:equal({ found.roles.left_hand, found.guesses.left_hand.sure }, { "left_elbow_link", "sure" })
  t:match(found.guesses.left_hand.why, "the end of group 'left_arm' of .*%.srdf")
  t:equal(found.roles.right_hand, "right_wrist_yaw_link")
  t:equal(found.roles.head, nil)
  t:equal(found.home, "neutral")
  t:equal({ found.poses.forward.joints.left_elbow_joint, found.poses.forward.joints.left_wrist_yaw_joint },
    { 0.5, 1.0 })
end)

--- The description of a robot of the library of trees, with an SRDF of these elements beside its URDF.
local function with_srdf(t, name, elements)
  local path = t:temporary ".urdf"
  write(path, trees.urdf(name))
  local beside = path:gsub("urdf$", "srdf")
  write(beside, ('<robot name="%s">%s</robot>'):format(name, elements))
  local found = assert(robots.find(path))
  os.remove(beside)
  return found
end

test("the feet of an SRDF are neither tools nor, with four legs, a pair", function(t)
  local found = with_srdf(t, "quadruped", [[<group name="lf_leg"><joint name="FL_hip_joint"/></group>
    <group name="left_front_leg"><joint name="FL_calf_joint"/></group>
    <end_effector name="lf_foot" parent_link="FL_foot" group="lf_leg"/>
    <end_effector name="contact" parent_link="RR_foot" group="rh_leg"/>
    <end_effector name="hind_left_foot" parent_link="RL_foot" group="lh_leg"/>]])
  t:equal(found.roles, { torso = "trunk" })
end)

test("an SRDF's hands count before its tool, in whatever order its table has them", function(t)
  local reader = require "brio.robots.srdf"
  for more = 0, 200 do -- names that were there make the table larger, and its order another
    local ends, found = {}, {}
    for k = 1, more do ends["x" .. k] = {} end
    for k = 1, more do ends["x" .. k] = nil end
    ends.left_hand, ends.tool = { link = "l", of = "group 'l'" }, { link = "t", of = "group 't'" }
    reader.apply(found, { path = "a/b.srdf", ends = ends }, function(link) return link end)
    t:equal(suggest.keys(found), { "left_hand" })
  end
end)

test("a group of an SRDF that branches into fingers ends where it branches", function(t)
  local joints = {}
  for k = 1, 7 do joints[k] = ('<joint name="arm_%d_joint"/>'):format(k) end
  local found = with_srdf(t, "tiago", '<group name="arm">' .. table.concat(joints)
    .. '<joint name="gripper_left_finger_joint"/><joint name="gripper_right_finger_joint"/></group>')
  t:equal({ found.roles.tool, found.guesses.tool.sure }, { "gripper_grasping_frame", "sure" })
end)

test("an SRDF of another robot, or one that cannot be read, changes nothing", function(t)
  local path = t:temporary ".urdf"
  write(path, trees.urdf "h1_2")
  local beside = path:gsub("urdf$", "srdf")
  write(beside, (srdf:gsub('name="h1_2"', 'name="somebody"')))
  t:equal(assert(robots.find(path)).roles, rows.h1_2)
  write(beside, "<robot name='h1_2'><group")
  local found = assert(robots.find(path))
  os.remove(beside)
  t:equal(found.roles, rows.h1_2)
  t:match(table.concat(found.warnings, "\n"), "%.srdf is left out: .*cut off")
end)

test("a role that is missing is said to be one, and how to give it", function(t)
  local found, path = find(t, "h1_2")
  local behavior = t:temporary ".lua"
  write(behavior, [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
b.one = { wants = { brio.want.position_match { link = "head", goal = { 0, 0, 1 } } } }
return b]])
  local run, why = require("brio.runner").new { file = behavior, robot = path }
  t:equal(run, nil)
  t:match(why, "has no link 'head'.*No link was found for the role 'head'")
  t:match(why, "`brio robot .* %-%-init FOLDER` writes a robot.lua")
  local _, sentence = require("brio.robots.limbs").find(found, "neck", {})
  t:match(sentence, "No link was found for the role 'head'")
end)
