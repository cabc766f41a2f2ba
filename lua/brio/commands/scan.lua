--- `brio scan`: finds the devices at ports.
local actuator = require "brio.actuator"
local cli = require "brio.terminal.cli"
local serial = require "brio.serial"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local scan = {
  name = "scan",
  summary = "search for servos, boards and drives, list them, and create a robot's file",
  usage = "brio scan [PORT ...] [options]     (no PORT: all serial ports and CAN interfaces)",
  options = {
    { "family", "NAME", "search only these, such as dynamixel or maestro; can be repeated", many = true },
    { "baud", "N", "try this baud rate only; default: all of the family's" },
    { "last", "ID", "try ids up to this; default: 30 (254 is the highest)" },
    { "latency", "SECONDS", "maximum delay of an answer besides its bytes; default: 0.02 for adapters, \z
      otherwise 0.005" },
    cli.trace,
    { "write", "FOLDER", "write a first robot.lua and model.urdf" },
  },
}

-- ------------------------------------------------------------------ which ports

--- Names that stay the same if the cable is plugged into another socket, by their device.
local function lasting_names()
  local names, folder = {}, "/dev/serial/by-id"
  local list = uv.fs_scandir(folder)
  while list do
    local name = uv.fs_scandir_next(list)
    if not name then break end
    local path = uv.fs_realpath(folder .. "/" .. name)
    if path then names[path] = folder .. "/" .. name end
  end
  return names
end

--- CAN interfaces, as the system lists them.
local function can_ports()
  local ports, list = {}, uv.fs_scandir "/sys/class/net"
  while list do
    local name = uv.fs_scandir_next(list)
    if not name then break end
    local file = io.open("/sys/class/net/" .. name .. "/type")
    if file and file:read "n" == 280 then
      ports[#ports + 1] = { name = "can:" .. name, words = "CAN interface" }
    end
    if file then file:close() end
  end
  return ports
end

local function ports_of(args)
  if #args > 0 then
    local list = {}
    for _, name in ipairs(args) do list[#list + 1] = { name = name } end
    return list
  end
  local lasting, list = lasting_names(), serial.ports()
  for _, port in ipairs(list) do port.name = lasting[port.name] or port.name end
  return table.move(can_ports(), 1, 64, #list + 1, list)
end

--- The kind of port for a name.
local function kind_of(name)
  local scheme = name:match "^(%a+):"
  return (scheme == "can" or scheme == "unix") and "can" or scheme == "udp" and "udp" or "serial"
end

-- ------------------------------------------------------------------ which families

--- The families to search, first those that requests of others might disturb; nil if one is unknown
--- (printed).
local function families_of(args)
  local all, wanted, names = serial.families(), {}, {}
  for index, family in ipairs(all) do names[index] = family.name end
  for _, name in ipairs(args.family or {}) do
    for _, driver in ipairs(actuator.drivers()) do
      if name == driver.alias then name = driver.name end
    end
    local known = false
    for _, other in ipairs(names) do known = known or other == name end
    if not known then return cli.error("scan looks for no family '%s'%s", name, suggest.hint(name, names)) end
    wanted[name] = true
  end
  local list = {}
  for index, family in ipairs(all) do
    family.place = index
    if not args.family or wanted[family.name] then list[#list + 1] = family end
  end
  table.sort(list, function(a, b)
    if a.turn ~= b.turn then return a.turn < b.turn end
    return a.place < b.place
  end)
  return list
end

--- The baud rates to try; a single one, without effect, if the port has none.
local function bauds_of(family, kind, args)
  local wanted = tonumber(args.baud)
  if kind ~= "serial" then return { false } end
  return wanted and { math.tointeger(wanted) } or family.bauds
end

--- Print which requests are sent; none moves a motor or changes a setting.
local function tell_questions(families, kinds)
  print "These questions are sent; none moves a motor or changes a setting:"
  for _, family in ipairs(families) do
    for kind in next, kinds do
      if family.ports[kind] then
        print(("  %-11s %s"):format(family.name, family.sends))
        break
      end
    end
  end
end

-- ------------------------------------------------------------------ looking

--- Search for one family at one port; return a list of {family, baud, found}, or nil and why the port failed.
local function look(port, family, kind, args, options)
  local groups = {}
  for _, baud in ipairs(bauds_of(family, kind, args)) do
    local good, why, code = true, nil, nil
    if baud then good, why, code = port:baud(baud) end
    if good then
      local found
      found, why, code = port:find(family.name, 0, math.min(options.last, math.max(family.last, 0)),
        options.latency)
      good = found ~= nil
      if good and #found > 0 then
        groups[#groups + 1] = { family = family.name, baud = baud, found = found, doc = family.doc }
      end
      if family.alone and #groups > 0 then break end
    end
    if not good and code == "io" then return nil, why end -- a rate that the adapter lacks is not a failure
  end
  return groups
end

--- Whether a family is searched at a baud rate.
local function is_asked_at(family, kind, args, baud)
  for _, one in ipairs(bauds_of(family, kind, args)) do
    if one == baud then return true end
  end
  return false
end

--- Number of requests to each other family about a servo of an unknown model, and factor of their timeout.
local more_tries, more_patience = 8, 3

--- Query a family about one servo again; return the result if the family knows its model.
local function find_again(port, family, baud, id, options)
  if not port:baud(baud) then return nil end
  for _ = 1, more_tries do
    local found = port:find(family.name, id, id, options.latency * more_patience)
    if found and found[1] and found[1].known then return found end
  end
end

--- A servo whose family does not know its model may belong to another family with similar packets, whose
--- answer was lost or late: query the others about it again, and add their results to `all`.  `name`: of the
--- port.
local function ask_others(port, name, families, kind, args, options, all)
  local unknown, known = {}, {}
  for _, group in ipairs(all) do
    for _, one in ipairs(group.found) do
      local key = ("%s/%s"):format(group.baud, one.id)
      known[key] = known[key] or one.known
      if one.id and group.baud and not one.known then
        unknown[#unknown + 1] = { key = key, id = one.id, baud = group.baud, family = group.family }
      end
    end
  end
  for _, one in ipairs(unknown) do
    for _, family in ipairs(families) do
      if not known[one.key] and family.name ~= one.family and family.last >= one.id and family.ports[kind]
        and is_asked_at(family, kind, args, one.baud) then
        local found = find_again(port, family, one.baud, one.id, options)
        known[one.key] = found ~= nil
        all[#all + 1] = found and { family = family.name, baud = one.baud, found = found, doc = family.doc,
          port = name } or nil
      end
    end
  end
end

--- Families with similar packets answer each other's requests: a servo is assigned to the family that knows
--- its model, and an unknown one is listed once.
local function sort_out(groups)
  local owner = {}
  for pass = 1, 2 do
    for _, group in ipairs(groups) do
      for _, one in ipairs(group.found) do
        local key = tostring(group.baud) .. "/" .. (one.id or group.family)
        if (one.known or pass == 2) and not owner[key] then owner[key] = group.family end
      end
    end
  end
  local kept = {}
  for _, group in ipairs(groups) do
    local found = {}
    for _, one in ipairs(group.found) do
      if owner[tostring(group.baud) .. "/" .. (one.id or group.family)] == group.family then
        found[#found + 1] = one
      end
    end
    group.found = found
    if #found > 0 then kept[#kept + 1] = group end
  end
  return kept
end

--- A found device, in words.
local function words_of(group)
  local ids, models, seen, names = {}, {}, {}, {}
  for _, one in ipairs(group.found) do
    ids[#ids + 1], names[#names + 1] = one.id, one.name
    if not seen[one.words] then models[#models + 1] = one.words end
    seen[one.words] = true
  end
  local what = table.concat(models, ", ")
  if #names > 0 then return ("%d joints that are streamed: %s"):format(#names, table.concat(names, ", ")) end
  if #ids == 0 then return what end
  return ("%d device%s, id %s: %s"):format(#ids, #ids == 1 and "" or "s", table.concat(ids, ", "), what)
end

--- Print all devices that answer at a port; nil and a sentence if it cannot be opened.  Devices found before
--- a failure count.
local function scan_port(port, families, args, options)
  local kind = kind_of(port.name)
  local open, why = serial.open(port.name, 115200, options.trace)
  if not open then return nil, why end
  local all, alone = {}, false
  for _, family in ipairs(families) do
    if family.ports[kind] and not alone then
      local groups, fault = look(open, family, kind, args, options)
      if not groups then
        why = fault
        break
      end
      for _, group in ipairs(groups) do
        group.port, alone = port.name, alone or family.alone
        all[#all + 1] = group
      end
    end
  end
  if not why then ask_others(open, port.name, families, kind, args, options, all) end
  local closed, lost = open:close()
  all = sort_out(all)
  for _, group in ipairs(all) do
    group.words = words_of(group)
    print(("%s%s: %s\n    driver %s: %s"):format(group.port,
      group.baud and (" at %d baud"):format(group.baud) or "",
      group.words, group.family, group.doc))
  end
  return all, why or not closed and lost or nil
end

-- ------------------------------------------------------------------ the command

local function read_options(args)
  local last = cli.whole(args, "last", 0, 254, 30)
  local latency = cli.number(args, "latency", 0.0005, 1)
  if not last or (args.latency and not latency)
      or (args.baud and not cli.whole(args, "baud", 1200, 1e7)) then
    return nil
  end
  return { last = last, latency = latency, trace = args.trace }
end

--- Check the latency of an adapter, which delays answers; a pseudo-terminal has none.
local function latency_at(name)
  return (uv.fs_realpath(name) or name):find("^/dev/tty") and 0.02 or 0.005
end

--- Search all ports.  Return the found devices, and whether there was a failure.
local function scan_all(ports, families, args, options)
  local groups, failed = {}, false
  for _, port in ipairs(ports) do
    print(("looking at %s%s ..."):format(port.name, port.words and (" (%s)"):format(port.words) or ""))
    io.stdout:flush()
    local found, why = scan_port(port, families, args,
      { last = options.last, latency = options.latency or latency_at(port.name), trace = options.trace })
    if why then
      cli.error("%s", why)
      failed = true
    end
    table.move(found or {}, 1, #(found or {}), #groups + 1, groups)
  end
  return groups, failed
end

function scan.run(args)
  local options = read_options(args)
  local families = options and families_of(args)
  if not families then return 2 end
  local ports, kinds = ports_of(args), {}
  if #ports == 0 then print "no serial port or CAN interface: is the adapter plugged in?" end
  for _, port in ipairs(ports) do kinds[kind_of(port.name)] = true end
  if #ports > 0 then tell_questions(families, kinds) end
  local groups, failed = scan_all(ports, families, args, options)
  if #groups == 0 and #ports > 0 and not failed then
    print(("nothing answers: is it switched on, are the wires right, is its id beyond --last%s?"):format(
      args.family and ", is it of another family" or ""))
  end
  if args.write and #groups > 0 then
    local good, why = cli.write_robot(args.write, groups)
    if not good then
      cli.error("%s", why)
      return 1
    end
  end
  return #groups > 0 and 0 or 1
end

return scan
