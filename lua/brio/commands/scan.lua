--- `brio scan`: which servos are at which serial port.
local cli = require "brio.cli"
local serial = require "brio.serial"

local scan = {
  name = "scan",
  summary = "look for bus servos at serial ports, say what is there, and begin a robot's file",
  usage = "brio scan [PORT ...] [options]     (no PORT: all serial ports)",
  options = {
    { "family", "NAME", "look for these only: dynamixel, dynamixel1, sts, scs" },
    { "baud", "N", "try this baud rate only; default: all that the family knows" },
    { "last", "ID", "try ids up to this; default: 30 (252 is the highest)" },
    { "write", "FOLDER", "write a robot.lua and model.urdf to begin with" },
  },
}

local function ports_of(args)
  if #args > 0 then
    local list = {}
    for _, name in ipairs(args) do list[#list + 1] = { name = name, words = "as you said" } end
    return list
  end
  return serial.ports()
end

local function bauds_of(family, args)
  local wanted = tonumber(args.baud)
  if not wanted then return family.bauds end
  for _, baud in ipairs(family.bauds) do
    if baud == wanted then return { baud } end
  end
  return {}
end

--- Ask for one family at one port; return lists {family, baud, servos}.
local function look(port, family, args, last)
  local found = {}
  for _, baud in ipairs(bauds_of(family, args)) do
    local good, why = port:baud(baud)
    local servos = good and port:find(family.name, 0, last)
    if not good and why:find "is gone" then return nil, why end
    if servos and #servos > 0 then found[#found + 1] = { family = family, baud = baud, servos = servos } end
  end
  return found
end

--- Families whose packets look alike answer each other's questions: a servo is of the family that knows its
--- model, and one that nobody knows is told once.
local function sort_out(groups)
  local owner = {}
  for pass = 1, 2 do
    for _, group in ipairs(groups) do
      for _, servo in ipairs(group.servos) do
        local key = group.baud .. "/" .. servo.id
        if (servo.name or pass == 2) and not owner[key] then owner[key] = group.family.name end
      end
    end
  end
  local kept = {}
  for _, group in ipairs(groups) do
    local servos = {}
    for _, servo in ipairs(group.servos) do
      if owner[group.baud .. "/" .. servo.id] == group.family.name then servos[#servos + 1] = servo end
    end
    group.servos = servos
    if #servos > 0 then kept[#kept + 1] = group end
  end
  return kept
end

local function tell(group)
  local ids, models, seen = {}, {}, {}
  for _, servo in ipairs(group.servos) do
    ids[#ids + 1] = servo.id
    local name = servo.name or ("a model %d that brio does not know"):format(servo.model)
    if not seen[name] then models[#models + 1] = name end
    seen[name] = true
  end
  print(("%s at %d baud: %d servo%s, id %s: %s\n    %s"):format(group.port, group.baud, #ids,
    #ids == 1 and "" or "s", table.concat(ids, ", "), table.concat(models, ", "), group.family.doc))
end

--- All that answers at a port, said.
local function scan_port(port, args, last)
  local open, why = serial.open(port.name, 115200)
  if not open then return nil, why end
  local all = {}
  for _, family in ipairs(serial.families()) do
    if not args.family or args.family == family.name then
      for _, group in ipairs(look(open, family, args, last) or {}) do
        group.port = port.name
        all[#all + 1] = group
      end
    end
  end
  open:close()
  all = sort_out(all)
  for _, group in ipairs(all) do tell(group) end
  return all
end

-- ------------------------------------------------------------------ a robot's file to begin with

local inertia = [[<inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/>]]

local function joint(name, servo, parent)
  return ([[
  <link name="%s_link"><inertial><mass value="0.1"/>%s</inertial></link>
  <joint name="%s" type="revolute">
    <parent link="%s"/><child link="%s_link"/><origin xyz="0 0 0.05"/><axis xyz="0 0 1"/>
    <limit lower="%.4f" upper="%.4f" velocity="2" effort="1"/>
  </joint>
]]):format(name, inertia, name, parent, name, servo.lower or -3.14, servo.upper or 3.14)
end

local function write_file(path, text)
  local there = io.open(path, "r")
  if there then
    there:close()
    return nil, path .. " is there already"
  end
  local file, why = io.open(path, "w")
  if not file then return nil, why end
  file:write(text)
  file:close()
  return true
end

--- The texts of robot.lua and model.urdf for what was found.
local function files_of(groups)
  local devices, dofs, joints, parent = {}, {}, {}, "base"
  for number, group in ipairs(groups) do
    local names, ids = {}, {}
    for _, servo in ipairs(group.servos) do
      local name = ("joint_%d_%d"):format(number, servo.id)
      names[#names + 1], ids[#ids + 1] = ("%q"):format(name), servo.id
      dofs[#dofs + 1] = ("    { name = %q },\n"):format(name)
      joints[#joints + 1] = joint(name, servo, parent)
      parent = name .. "_link"
    end
    devices[#devices + 1] = ([[
    bus_%d = {
      driver = %q, dofs = { %s },
      settings = { port = %q, baud = %d, ids = %q },
    },
]]):format(number, group.family.name, table.concat(names, ", "), group.port, group.baud, table.concat(ids, ","))
  end
  return ([[
-- What `brio scan` found.  Give the joints their names, here and in model.urdf, and say there how they are built:
-- the model is a chain one above the other until then.
return {
  name = "found",
  model = "model.urdf",
  default_acceleration = 10,
  dofs = {
%s  },
  devices = {
%s  },
}
]]):format(table.concat(dofs), table.concat(devices)),
    '<robot name="found">\n  <link name="base"/>\n' .. table.concat(joints) .. "</robot>\n"
end

local function write_robot(folder, groups)
  local uv = require "luv"
  uv.fs_mkdir(folder, 493)
  local robot, model = files_of(groups)
  local good, why = write_file(folder .. "/robot.lua", robot)
  if good then good, why = write_file(folder .. "/model.urdf", model) end
  if good then print(("wrote %s/robot.lua and model.urdf; `brio robot %s` shows them"):format(folder, folder)) end
  return good, why
end

function scan.run(args)
  local last = cli.number(args, "last", 0, 252, 30)
  if not last or (args.baud and not cli.number(args, "baud", 1200, 1e7)) then return 2 end
  local groups, failed = {}, false
  local ports = ports_of(args)
  if #ports == 0 then print "no serial ports: is the adapter plugged in?" end
  for _, port in ipairs(ports) do
    print(("looking at %s (%s) ..."):format(port.name, port.words))
    local found, why = scan_port(port, args, math.tointeger(last) or 30)
    if not found then
      cli.error("%s", why)
      failed = true
    end
    table.move(found or {}, 1, #(found or {}), #groups + 1, groups)
  end
  if #groups == 0 and #ports > 0 and not failed then print "no bus servos answer: power, wiring, ids beyond --last?" end
  if args.write and #groups > 0 then
    local good, why = write_robot(args.write, groups)
    if not good then
      cli.error("%s", why)
      return 1
    end
  end
  return #groups > 0 and 0 or 1
end

return scan
