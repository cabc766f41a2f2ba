--- Shared by tests of rigs: a robot of ten motors, its rig, and a person who squats, as a BVH.
local stander = {}

local function link(name, mass, inertia, at)
  return ([[<link name="%s"><inertial><origin xyz="%s"/><mass value="%g"/><inertia ixx="%g" iyy="%g" izz="%g"
    ixy="0" ixz="0" iyz="0"/></inertial></link>]]):format(name, at or "0 0 0", mass, inertia, inertia,
      inertia)
end

local function joint(name, parent, child, at, axis, lower, upper)
  return ([[<joint name="%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="%s"/>
    <axis xyz="%s"/><limit lower="%g" upper="%g" velocity="8" effort="120"/></joint>]]):format(name, parent,
    child, at, axis, lower, upper)
end

--- A trunk of 12 kg on two legs of twice 0.3 m: URDF.
function stander.urdf()
  local parts = { '<robot name="stander">', link("trunk", 12, 0.2, "0 0 0.15") }
  for _, side in ipairs { "left", "right" } do
    local function add(name, parent, child, at, axis, lower, upper, mass)
      parts[#parts + 1] = link(side .. child, mass, 0.01, mass > 1 and "0 0 -0.15" or nil)
      parts[#parts + 1] = joint(side .. name, parent, side .. child, at, axis, lower, upper)
    end
    add("_roll", "trunk", "_hip", side == "left" and "0 0.1 0" or "0 -0.1 0", "1 0 0", -0.6, 0.6, 0.5)
    add("_pitch", side .. "_hip", "_thigh", "0 0 0", "0 1 0", -1.5, 0.8, 2)
    add("_knee", side .. "_thigh", "_shin", "0 0 -0.3", "0 1 0", 0, 2.2, 1.5)
    add("_ankle", side .. "_shin", "_heel", "0 0 -0.3", "0 1 0", -1.2, 0.8, 0.2)
    add("_sole", side .. "_heel", "_foot", "0 0 0", "1 0 0", -0.6, 0.6, 0.5)
  end
  return table.concat(parts) .. "</robot>"
end

--- The text of its rig.
stander.rig = [[
return {
  name = "stander",
  home = { left_pitch = -0.4, left_knee = 0.8, left_ankle = -0.4, right_pitch = -0.4, right_knee = 0.8,
    right_ankle = -0.4 },
  pelvis = { link = "trunk", part = "chest", turn = { 0.2, 0.2, 0.2 } },
  legs = { left = { hip = "left_thigh", foot = "left_foot" }, right = { hip = "right_thigh",
    foot = "right_foot" } },
  feet = {
    left_foot = { { 0.1, 0.04, 0 }, { 0.1, -0.04, 0 }, { -0.1, -0.04, 0 }, { -0.1, 0.04, 0 } },
    right_foot = { { 0.1, 0.04, 0 }, { 0.1, -0.04, 0 }, { -0.1, -0.04, 0 }, { -0.1, 0.04, 0 } },
  },
}
]]

local head = [[HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Chest
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Head
    {
      OFFSET 0 35 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      End Site
      {
        OFFSET 0 15 0
      }
    }
]]

local function branch(names, offsets, indent)
  local pad, parts = ("  "):rep(indent), {}
  for index, name in ipairs(names) do
    parts[#parts + 1] = ("%sJOINT %s\n%s{\n%sOFFSET %s\n%sCHANNELS 3 Zrotation Yrotation Xrotation\n")
      :format(pad, name,
      pad, pad, offsets[index], pad)
  end
  return table.concat(parts) .. pad .. "End Site\n" .. pad .. "{\n" .. pad .. "OFFSET 0 -8 5\n" .. pad
    .. "}\n"
    .. (pad .. "}\n"):rep(#names)
end

--- A person who bends the knees by up to `most` rad and straightens them again, in centimetres: BVH. Thigh
--- and shin are 42 cm: the hips sink by 84 (1 - cos knee / 2) cm over the feet.
function stander.squat(most, frames)
  local parts = { head }
  for _, side in ipairs { "Left", "Right" } do
    local x = side == "Left" and 15 or -15
    parts[#parts + 1] = branch({ side .. "Arm", side .. "ForeArm", side .. "Hand" },
      { x .. " 30 0", "0 -28 0", "0 -25 0" }, 2)
  end
  parts[#parts + 1] = "  }\n"
  for _, side in ipairs { "Left", "Right" } do
    local x = side == "Left" and 9 or -9
    parts[#parts + 1] = branch({ side .. "UpLeg", side .. "Leg", side .. "Foot" },
      { x .. " 0 0", "0 -42 0", "0 -42 0" }, 1)
  end
  parts[#parts + 1] = ("}\nMOTION\nFrames: %d\nFrame Time: 0.04\n"):format(frames)
  for frame = 0, frames - 1 do
    local knee = most * math.sin(math.pi * frame / (frames - 1)) ^ 2
    local bend = math.deg(knee)
    local legs = ("0 0 %.9f 0 0 %.9f 0 0 %.9f "):format(-bend / 2, bend, -bend / 2)
    parts[#parts + 1] = ("0 %.9f 0 0 0 0 0 0 0 0 0 0 "):format(90 - 84 * (1 - math.cos(knee / 2)))
      .. ("0 "):rep(18) .. legs .. legs .. "\n"
  end
  return table.concat(parts)
end

--- The rig, made.
function stander.made(t)
  local rigs = require "brio.motion.rig"
  local data = assert(load(stander.rig, "=rig", "t", {}))()
  local rig, why = rigs.new(data, stander.urdf(), "stander.urdf")
  t:ok(rig, "%s", tostring(why))
  return rig
end

return stander
