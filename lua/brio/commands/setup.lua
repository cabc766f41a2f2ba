--- `brio setup`: read and change what is set in a device: its id, its limits, its baud rate.
local cli = require "brio.cli"
local serial = require "brio.serial"

local setup = {
  name = "setup",
  summary = "read what is set in a servo or board, and change it",
  usage = "brio setup PORT FAMILY ID [NAME | NAME=VALUE ...]     (FAMILY alone: what there is to set)",
  options = {
    { "baud", "N", "the port's baud rate; default: 115200" },
  },
}

--- Call a function whose wrong use raises: what was wrong is for the person who typed it.
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

local function show(row, value) print(("%-14s %.6g %s"):format(row.name, value, row.unit == "1" and "" or row.unit)) end

local function row_of(rows, name)
  for _, row in ipairs(rows) do
    if row.name == name then return row end
  end
  return { name = name, unit = "1" }
end

--- All that can be read, or the reason why the first cannot.
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

--- Do what a word says: NAME=VALUE or NAME.
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
  if name then print(("%s is %g"):format(name, tonumber(value)))
  else show(row_of(rows, word), good) end
  return 0
end

function setup.run(args)
  if #args == 1 then return list(args[1]) end
  local baud, id = cli.number(args, "baud", 1200, 1e7, 115200), math.tointeger(tonumber(args[3]))
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
  local port, why = serial.open(args[1], math.tointeger(baud))
  if not port then
    cli.error("%s", why)
    return 1
  end
  local code = #args == 3 and show_all(port, args[2], id, rows) or 0
  for i = 4, #args do
    code = obey(port, args[2], id, rows, args[i])
    if code ~= 0 then break end
  end
  port:close()
  return code
end

return setup
