--- `brio setup`: reads and changes settings of a device: its id, limits, baud rate.
local actuator = require "brio.actuator"
local cli = require "brio.terminal.cli"
local serial = require "brio.serial"
local uv = require "luv"

local setup = {
  name = "setup",
  summary = "read and change the settings of a servo or board",
  usage = "brio setup PORT FAMILY ID [NAME | NAME=VALUE ...]     (FAMILY alone: its settings)",
  options = {
    { "baud", "N", "the port's baud rate; default: the first of the family's at which it answers" },
  },
}

--- Call a function that raises on wrong use, and return the error for the person.
local function try(call, ...)
  local good, result, why = pcall(call, ...)
  if good then return result, why end
  return nil, (result:gsub("^[^\n]-:%d+: ", ""):match "^[^\n]*")
end

local function list(family)
  local rows, why = try(serial.numbers, family)
  if not rows then
    cli.error("%s", why)
    return 2
  end
  for _, row in ipairs(rows) do
    local range = row.writes and (", %g to %g"):format(row.lower, row.upper) or ""
    print(("%-14s %-10s %s (%s%s)"):format(row.name, row.unit, row.doc,
      row.reads and row.writes and "read and change" or row.reads and "read" or "change", range))
  end
  return 0
end

local function show(row, value)
  local number = math.tointeger(value) and ("%d"):format(value) or ("%.6g"):format(value)
  print(("%-14s %s%s"):format(row.name, number, row.unit == "1" and "" or " " .. row.unit))
end

local function row_of(rows, name)
  for _, row in ipairs(rows) do
    if row.name == name then return row end
  end
  return { name = name, unit = "1" }
end

--- All readable settings, or the reason why the first cannot be read.
local function show_all(port, family, id, rows)
  local failed
  for _, row in ipairs(rows) do
    local value, why = nil, nil
    if row.reads then value, why = try(port.get, port, family, id, row.name) end
    if value then show(row, value) end
    if why and not failed then failed = why end
    if failed and failed:find "did not answer" then break end
  end
  if failed then cli.error("%s", failed) end
  return failed and 1 or 0
end

--- Execute a word: NAME=VALUE or NAME.
local function obey(port, family, id, rows, word)
  local name, value = word:match "^([%w_]+)=(.+)$"
  if name and not tonumber(value) then
    cli.error("%s expects a number, not '%s'", name, value)
    return 2
  end
  local good, why
  if name then good, why = try(port.set, port, family, id, name, tonumber(value))
  else good, why = try(port.get, port, family, id, word) end
  if not good then
    cli.error("%s", why)
    return 1
  end
  if name then print(("%s is %s"):format(name, value))
  else show(row_of(rows, word), good) end
  return 0
end

--- Set the port to the family's rate at which the device answers, or keep the first if none does.
local function find_rate(port, family, id)
  for _, known in ipairs(serial.families()) do
    if known.name == family then
      for _, rate in ipairs(known.bauds) do
        local first = known.last < 0 and 0 or id
        local found = port:baud(rate) and port:find(family, first, first, 0.02)
        if found and #found > 0 then return end
      end
      port:baud(known.bauds[1])
    end
  end
end

--- The name of a family, by its name or alias.
local function family_of(name)
  for _, driver in ipairs(actuator.drivers()) do
    if driver.alias == name then return driver.name end
  end
  return name
end

function setup.run(args)
  if #args == 1 and not args[1]:find "/" and not uv.fs_stat(args[1]) then return list(args[1]) end
  local baud, id = cli.whole(args, "baud", 1200, 1e7, 115200), math.tointeger(tonumber(args[3]))
  if not baud then return 2 end
  if #args < 3 or not id then
    cli.error("setup expects a port, a family and an id: %s", setup.usage)
    return 2
  end
  local rows, wrong = try(serial.numbers, args[2])
  if not rows then
    cli.error("%s", wrong)
    return 2
  end
  local port, why = serial.open(args[1], baud)
  if not port then
    cli.error("%s", why)
    return 1
  end
  if not args.baud then find_rate(port, family_of(args[2]), id) end
  local code = #args == 3 and show_all(port, args[2], id, rows) or 0
  for i = 4, #args do
    code = obey(port, args[2], id, rows, args[i])
    if code ~= 0 then break end
  end
  port:close()
  return code
end

return setup
