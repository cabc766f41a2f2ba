--- A fictitious robot with two arms and two hands of six fingers, for measuring the cost of joints: 101
--- joints, of which the first ones move and the others are fixed.  Its shape does not depend on this.
local robot = {}

robot.most = 101
robot.hand, robot.head = "left_palm", "head_tilt_link"

local ARM = { -- axis, origin after the joint before it, length of its cylinder
  { "0 0 1", "0 %s 0", 0.06 }, { "0 1 0", "0.08 0 0", 0.10 }, { "1 0 0", "0.10 0 0", 0.12 },
  { "0 1 0", "0.16 0 0", 0.12 },
  { "1 0 0", "0.14 0 0", 0.12 }, { "0 1 0", "0.14 0 0", 0.05 }, { "0 0 1", "0.06 0 0", 0.05 },
}
local FINGERS, BONES = 6, 7

local function shape(kind, origin, turn)
  return ('<collision><origin xyz="%s" rpy="%s"/><geometry>%s</geometry></collision>'):format(
    origin, turn or "0 0 0", kind)
end

--- A cylinder along x, from the origin of its link.
local function rod(radius, length)
  local cylinder = ('<cylinder radius="%g" length="%g"/>'):format(radius, length)
  return shape(cylinder, ("%g 0 0"):format(length / 2), "0 1.5708 0")
end

local function box(size, origin) return shape(('<box size="%s"/>'):format(size), origin or "0 0 0") end

--- All joints, in the order in which they begin to move: an arm, the torso, the head, the other arm, and the
--- bones of the fingers, a finger of each hand in turn.
local function list_joints()
  local list = {}
  local function joint(name, parent, origin, axis, range, speed, shapes, kind)
    list[#list + 1] = { name = name, parent = parent, origin = origin, axis = axis, range = range,
      speed = speed, shapes = shapes, kind = kind or "revolute" }
    return name .. "_link"
  end
  local function arm(side, y)
    local at = "torso_link"
    for i, part in ipairs(ARM) do
      local name = ("%s_arm_%d"):format(side, i)
      at = joint(name, at, part[2]:format(y), part[1], "-2 2", 2.5, rod(0.04, part[3]))
    end
  end
  arm("left", 0.2)
  joint("torso", "base_link", "0 0 0.7", "0 0 1", "0 0.35", 0.1, box("0.25 0.3 0.25", "-0.1 0 -0.1"),
    "prismatic")
  joint("head_pan", "torso_link", "0 0 0.2", "0 0 1", "-1.2 1.2", 3,
    shape('<sphere radius="0.05"/>', "0 0 0"))
  joint("head_tilt", "head_pan_link", "0 0 0.1", "0 1 0", "-1 0.8", 3, box("0.15 0.2 0.15", "0 0 0.1"))
  arm("right", -0.2)
  for finger = 1, FINGERS do
    for _, side in ipairs { "left", "right" } do
      local y = 0.022 * (finger - (FINGERS + 1) / 2)
      local at, origin = side .. "_palm", ("0.1 %g 0"):format(y)
      for bone = 1, BONES do
        local name = ("%s_finger_%d_%d"):format(side, finger, bone)
        local axis, range = "0 1 0", "0 0.6"
        if bone == 1 then axis, range = "0 0 1", "-0.1 0.1" end
        at = joint(name, at, origin, axis, range, 4, rod(0.007, 0.014))
        origin = "0.016 0 0"
      end
    end
  end
  return list
end

local function urdf_of(joint, moves)
  local lower, upper = joint.range:match "(%S+) (%S+)"
  return ('<link name="%s_link">%s</link>\n<joint name="%s" type="%s"><parent link="%s"/>'
    .. '<child link="%s_link"/><origin xyz="%s"/><axis xyz="%s"/>'
    .. '<limit lower="%s" upper="%s" velocity="%g" effort="10"/></joint>\n'):format(
    joint.name, joint.shapes, joint.name, moves and joint.kind or "fixed", joint.parent, joint.name,
    joint.origin, joint.axis, lower, upper, joint.speed)
end

--- The URDF of the robot, whose first `moving` joints move (1 to robot.most).
function robot.urdf(moving)
  local base = box("0.5 0.5 0.3", "0 0 0.15")
  local parts = { '<robot name="many_joints">\n<link name="base_link">', base, "</link>\n" }
  for i, joint in ipairs(list_joints()) do parts[#parts + 1] = urdf_of(joint, i <= moving) end
  for _, side in ipairs { "left", "right" } do
    parts[#parts + 1] = ('<link name="%s_palm">%s</link>\n<joint name="%s_wrist" type="fixed">'
      .. '<parent link="%s_arm_7_link"/><child link="%s_palm"/><origin xyz="0.06 0 0"/></joint>\n'):format(
      side, box("0.09 0.13 0.03", "0.045 0 0"), side, side, side)
  end
  return table.concat(parts) .. "</robot>\n"
end

return robot
