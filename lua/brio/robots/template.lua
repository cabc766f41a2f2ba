--- The files of a new robot: the texts of robot.lua and model.urdf for devices that answered a scan.
local begin = {}

local inertia = [[<inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/>]]

local function joint(axis, parent)
  return ([[
  <link name="%s_link"><inertial><mass value="0.1"/>%s</inertial></link>
  <joint name="%s" type="revolute">
    <parent link="%s"/><child link="%s_link"/><origin xyz="0 0 0.05"/><axis xyz="0 0 1"/>
    <limit lower="%.4f" upper="%.4f" velocity="2" effort="1"/>
  </joint>
]]):format(axis.name, inertia, axis.name, parent, axis.name, axis.lower, axis.upper)
end

--- A name that is valid in a model.  A device's name for a joint is kept, as the device is addressed by it.
local function clean(name) return (name:gsub("[%c<>&\"']", "_")) end

--- The axes of one device: a list of {name, id, lower, upper}.
local function axes_of(group, prefix)
  local axes = {}
  for _, found in ipairs(group.found) do
    for number = found.first, found.first + found.axes - 1 do
      axes[#axes + 1] = {
        name = found.name and clean(found.name) or ("%s%d"):format(prefix, number), id = number,
        lower = found.lower or -1.57, upper = found.upper or 1.57,
      }
    end
  end
  return axes
end

--- The settings of a device for its driver: port, baud, ids, and further required ones.
local function settings_of(group, axes, known)
  local ids, parts = {}, { ("port = %q"):format(group.port) }
  for index, axis in ipairs(axes) do ids[index] = axis.id end
  if known.baud and group.baud then parts[#parts + 1] = ("baud = %d"):format(group.baud) end
  if known.ids then parts[#parts + 1] = ("ids = %q"):format(table.concat(ids, ",")) end
  parts[#parts + 1] = group.found[1].settings
  return table.concat(parts, ", ")
end

--- Information that a person must add for a device of a family, a line for the file; nil: none.
local advice = {
  epos = "counts_per_turn: encoder counts times gear, for each turn of the axis",
  epos_serial = "counts_per_turn: encoder counts times gear, for each turn of the axis",
  maestro = "us_per_rad: microseconds of pulse for each rad; channels that have no servo are to be left out",
  line = "us_per_rad: microseconds of pulse for each rad; channels that have no servo are to be left out",
}

local function device(number, group, axes, known)
  local names = {}
  for index, axis in ipairs(axes) do names[index] = ("%q"):format(axis.name) end
  local note = advice[group.family]
  return ("    device_%d = { -- %s\n      driver = %q,\n      dofs = { %s },\n      settings = { %s \z
    },\n%s    },\n"):format(
    number, group.words, group.family, table.concat(names, ", "), settings_of(group, axes, known),
    note and ("      -- %s\n"):format(note) or "")
end

--- The texts of robot.lua and model.urdf for devices: a list of {family, port, baud, words, found}, with
--- found as returned by port:find.  `known`: by family, the names of its driver's settings.
function begin.texts(name, groups, known)
  local devices, dofs, joints, parent = {}, {}, {}, "base"
  for number, group in ipairs(groups) do
    local axes = axes_of(group, #groups == 1 and "joint_" or ("joint_%d_"):format(number))
    for _, axis in ipairs(axes) do
      dofs[#dofs + 1] = ("    { name = %q },\n"):format(axis.name)
      joints[#joints + 1] = joint(axis, parent)
      parent = axis.name .. "_link"
    end
    if #axes > 0 then devices[#devices + 1] = device(number, group, axes, known[group.family] or {}) end
  end
  return ([[
-- What `brio scan` found.  Give the joints their names, here and in model.urdf, and say there how they are
-- built: until then the model is a chain, one joint above the other.  Limits are those set in the servos, or
-- a quarter turn either way where a servo has none.  `brio calibrate` measures zero and direction.
return {
  name = %q,
  model = "model.urdf",
  point_speed = 0.25, -- m/s, of any point of it: calm beside people, until the model is the robot's
  dofs = {
%s  },
  devices = {
%s  },
}
]]):format(name, table.concat(dofs), table.concat(devices)),
    ('<robot name="%s">\n  <link name="base"/>\n%s</robot>\n'):format(clean(name), table.concat(joints))
end

return begin
