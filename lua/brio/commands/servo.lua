--- `brio servo`: reads and configures one bus servo: registers, id, baud rate, torque; reboots it.
local cli = require "brio.terminal.cli"
local servo = require "brio.servo"
local suggest = require "brio.lib.suggest"

local command = {
  name = "servo",
  summary = "show and configure a bus servo: registers, id, baud rate, torque, reboot",
  usage = [[brio servo PORT ID [what]      (no `what`: all its registers)
  brio servo PORT ID get REGISTER
  brio servo PORT ID set REGISTER VALUE
  brio servo PORT ID id NEW             give it another id
  brio servo PORT ID baud RATE          give it another baud rate
  brio servo PORT ID torque on|off      hold its position, or go limp
  brio servo PORT ID reboot             forget hardware errors
  brio servo PORT ID reset              forget all settings but id and baud rate (Protocol 2.0)]],
  options = {
    { "family", "NAME", "dynamixel (Protocol 2.0; the default), dynamixel1, sts, scs" },
    { "baud", "N", "its baud rate; default: 1000000, then the family's others" },
    { "json", nil, "print registers as JSON" },
  },
}

local function family_of(args)
  local names = {}
  for _, family in ipairs(servo.families()) do
    if family.name == (args.family or "dynamixel") then return family end
    names[#names + 1] = family.name
  end
  cli.error("there is no family of bus servos '%s'%s", args.family, suggest.hint(args.family, names))
end

--- Ping at the given baud rate, or else at all rates of the family.
local function find(bus, id, family, args)
  local list, why = { tonumber(args.baud) or 1000000 }, nil
  for _, rate in ipairs(args.baud and {} or family.bauds) do list[#list + 1] = rate end
  for _, rate in ipairs(list) do
    local good, fault = bus:rate(rate)
    local found, silent = nil, fault
    if good then found, silent = bus:ping(id) end
    if found then return found, rate end
    why = why or silent
  end
  return nil, args.family and why or why and why .. "; is it of another family (--family)? `brio scan` \z
    shows it"
end

local function print_registers(bus, id, found, rate, json)
  local rows = bus:registers(id)
  table.sort(rows, function(a, b) return a.address < b.address end)
  for _, row in ipairs(rows) do row.value = bus:get(id, row.name) end
  if json then
    print(require("brio.store").json { id = id, model = found.name or found.model, baud = rate,
      registers = rows })
    return true
  end
  local model = found.name or ("model %d, which brio does not know (these registers may not be \z
    its own)"):format(found.model)
  print(("servo %d: %s, firmware %d, %d baud; it complains of %s"):format(id, model, found.firmware, rate,
    bus:errors(id) or "what it cannot tell"))
  for _, row in ipairs(rows) do
    print(("  %3d  %-28s %12s  %s"):format(row.address, row.name, row.value or "?",
      row.access == "read only" and row.access or ("%d to %d, %s"):format(row.lower, row.upper, row.access)))
  end
  return true
end

--- Actions: functions of bus, id, words, found servo, rate, args; each returns its output, or nil, sentence.
local actions = {}

function actions.get(bus, id, words) return bus:get(id, words[4] or "") end

function actions.set(bus, id, words)
  local value = math.tointeger(tonumber(words[5]))
  if not value then return nil, "set expects a register and a whole number" end
  local good, why = bus:set(id, words[4] or "", value)
  return good and ("servo %d: %s is %d"):format(id, words[4], value), why
end

function actions.id(bus, id, words)
  local fresh = math.tointeger(tonumber(words[4]))
  if not fresh then return nil, "id expects a number from 0 to 252" end
  local good, why = bus:set(id, "ID", fresh)
  return good and ("servo %d is now servo %d"):format(id, fresh), why
end

function actions.baud(bus, id, words)
  local rate = math.tointeger(tonumber(words[4]))
  if not rate then return nil, "baud expects a rate" end
  local good, why = bus:baud(id, rate)
  return good and ("servo %d speaks at %d baud"):format(id, rate), why
end

function actions.torque(bus, id, words)
  if words[4] ~= "on" and words[4] ~= "off" then return nil, "torque is on or off" end
  local good, why = bus:torque(id, words[4] == "on")
  return good and ("servo %d: torque %s"):format(id, words[4]), why
end

function actions.reboot(bus, id)
  local good, why = bus:reboot(id)
  return good and ("servo %d reboots"):format(id), why
end

function actions.reset(bus, id)
  local good, why = bus:reset(id)
  return good and ("servo %d is as it left the factory, but for its id and baud rate"):format(id), why
end

local function act(bus, id, found, rate, args)
  if not args[3] then return print_registers(bus, id, found, rate, args.json) and 0 end
  local good, said, why = pcall(actions[args[3]], bus, id, args, found, rate)
  if good and said then
    print(said)
    return 0
  end
  cli.error("%s", tostring(good and why or said):gsub("^[^:]+:%d+: ", ""))
  return good and 1 or 2
end

local function check(args)
  local id = math.tointeger(tonumber(args[2]))
  if not id or id < 0 or id > 252 then
    cli.error("servo expects a port and an id from 0 to 252: %s", command.usage)
    return nil
  end
  if args[3] and not actions[args[3]] then
    local names = {}
    for name in pairs(actions) do names[#names + 1] = name end
    table.sort(names)
    cli.error("a servo cannot '%s'%s: %s", args[3], suggest.hint(args[3], names), table.concat(names, ", "))
    return nil
  end
  if args.baud and not cli.whole(args, "baud", 1200, 2e7) then return nil end
  return id
end

--- Timeouts for an answer, s: in a search over all baud rates, quickly at first and then with more patience;
--- and for a servo that was found, since a lost answer then costs only this time.
local searches, patience = { 0.02, 0.06 }, 0.2

--- Find the servo. Return its bus, the answer and its baud rate; nil and a sentence.
local function found_on(args, id, family)
  local why
  for _, latency in ipairs(searches) do
    local bus, fault = servo.open(args[1], family.name, { baud = 1000000, latency = latency })
    if not bus then return nil, fault end
    local found, rate = find(bus, id, family, args)
    bus:close()
    if found then
      bus, fault = servo.open(args[1], family.name, { baud = rate, latency = patience })
      return bus, bus and found or fault, rate
    end
    why = rate
  end
  return nil, why
end

function command.run(args)
  local id, family = check(args), nil
  if id then family = family_of(args) end
  if not family then return 2 end
  local bus, found, rate = found_on(args, id, family)
  if not bus then
    cli.error("%s", found)
    return 1
  end
  local code = act(bus, id, found, rate, args)
  bus:close()
  return code
end

return command
