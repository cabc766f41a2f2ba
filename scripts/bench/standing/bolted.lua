--- The biped for work at a bench in physics: bolted down at its pelvis, with arms that control their torque
--- and carry their weight, and with hands that grip by friction. All else is the biped's, and so are the
--- behaviors.
local paths = require "brio.lib.paths"
local text = require "brio.run.snapshot.text"

local bolted = {}

local biped = "drivers/robots/biped/"

--- A jaw: its mass (kg), its size across, down and along the hand (m), how far its middle is below the hand,
--- and from the middle of the hand when it is open (m).
local mass, across, down, along, below, open = 0.06, 0.012, 0.07, 0.05, 0.05, 0.056

--- How far a jaw moves while the grip turns from open to shut, m and rad: as wide as the robot's file has it.
local travel, turn = 0.05, 1.2

--- Links without a shape: in physics they get the box of their inertia, and the solver does not see them, as
--- it does not see the biped's fingers.
local function link(name, kilograms, y, i, j, k)
  return ([[<link name="%s"><inertial><origin xyz="0 %.9g 0"/><mass value="%.9g"/>
    <inertia ixx="%.9g" iyy="%.9g" izz="%.9g" ixy="0" ixz="0" iyz="0"/></inertial></link>]]):format(
    name, y, kilograms, i, j, k)
end

--- Two jaws that the grip of a hand leads together; `s`: 1 for the right hand, -1 for the left one.
local function jaws(side, s)
  local made = {}
  for name, direction in pairs { outer = 1, inner = -1 } do
    name = ("%s_%s_jaw"):format(side, name)
    made[#made + 1] = link(name, mass, s * below, mass * (down ^ 2 + along ^ 2) / 12,
      mass * (across ^ 2 + along ^ 2) / 12, mass * (across ^ 2 + down ^ 2) / 12)
    made[#made + 1] = ([[<joint name="%s" type="prismatic"><parent link="%s_hand"/><child link="%s"/>
    <origin xyz="%.9g 0 -0.11"/><axis xyz="%d 0 0"/><limit lower="-0.06" upper="0" velocity="0.2" effort="100"/>
    <mimic joint="%s_grip" multiplier="%.9g"/></joint>]]):format(name, side, name, direction * open, direction,
      side, -s * travel / turn)
  end
  table.sort(made) -- joints and links may stand in any order
  return table.concat(made, "\n")
end

local function read(path)
  local file = assert(io.open(path))
  local all = file:read "a"
  file:close()
  return all
end

local function write(path, what)
  local file = assert(io.open(path, "w"))
  file:write(what)
  file:close()
  return path
end

--- Write it into the folder `where`, which exists.  Return the path of its robot.lua.
function bolted.write(where)
  local model = read(biped .. "model.urdf")
  for side, s in pairs { right = 1, left = -1 } do
    -- its fingers become a shaft that turns
    local count
    model, count = model:gsub(('<link name="%s_fingers">.-</link>'):format(side),
      (link(side .. "_fingers", 0.02, 0, 3.3e-7, 3.3e-7, 3.3e-7):gsub("%%", "%%%%")))
    assert(count == 1, side)
    model = model:gsub("</robot>", (jaws(side, s) .. "\n</robot>"):gsub("%%", "%%%%"), 1)
  end
  local data = assert(loadfile(biped .. "robot.lua", "t", {}))()
  data.model = paths.absolute(write(where .. "/model.urdf", model))
  data.base, data.name = "fixed", "bolted biped"
  data.control = { -- N m/rad, N m s/rad
    waist = { stiffness = 2500, damping = 120 }, head = { stiffness = 60, damping = 3 },
    left_arm = { stiffness = 500, damping = 16 }, right_arm = { stiffness = 500, damping = 16 },
  }
  write(where .. "/grips.lua", read(biped .. "grips.lua"))
  return write(where .. "/robot.lua", (text.of(data, "robot")))
end

return bolted
