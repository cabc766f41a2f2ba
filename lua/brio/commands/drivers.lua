--- `brio drivers`: the drivers for robots, and the faults that can be injected.
local drivers = {
  name = "drivers",
  summary = "the drivers with their settings, and the faults that can be injected",
  usage = "brio drivers [NAME | FILE.so | FILE.lua]",
  options = { { "json", nil, "print it as JSON" } },
}

--- The known models of a family of bus servos, in lines of a screen's width.
local function show_models(name)
  for _, family in ipairs(require("brio.servo").families()) do
    if family.name == name then
      local line = "  models:"
      for index, model in ipairs(family.models) do
        if #line + #model > 110 then
          print(line)
          line = "         "
        end
        line = line .. " " .. model .. (index < #family.models and "," or "")
      end
      print(line)
    end
  end
end

local function show(driver, long)
  print(("%-12s %s%s"):format(driver.name, driver.doc, driver.simulated and " Nothing real moves." or ""))
  if driver.alias then print(("%-12s also called %s"):format("", driver.alias)) end
  if driver.when_silent then
    local patience = driver.watchdog and " for as long as its watchdog waits" or ""
    print(("%-12s When it hears nothing%s: %s"):format("", patience, driver.when_silent))
  end
  if driver.open_loop then
    print(("%-12s It reports its commands: a motor that stalls or is hot is not noticed."):format(""))
  end
  if driver.senses then print(("%-12s It may have inputs besides its axes."):format("")) end
  if driver.torques then print(("%-12s Its motors may control their torque (control)."):format("")) end
  if not long then return end
  for _, setting in ipairs(driver.settings) do
    print(("  %-18s %-10s %g to %g, default %g: %s"):format(setting.name, setting.unit, setting.lower,
      setting.upper, setting.default, setting.doc))
  end
  for _, text in ipairs(driver.texts) do
    print(("  %-18s %-10s default \"%s\": %s"):format(text.name, "text", text.default, text.doc))
  end
end

local function show_faults(faults)
  print "\nFaults on purpose, for `brio run --fault` and actuator:fault; `at SECONDS` and `for SECONDS` may \z
    follow:"
  for _, fault in ipairs(faults) do print(("  %-30s %s"):format(fault.example, fault.doc)) end
end

--- Describe a driver that is not built in: in a shared object, or written in Lua.
local function show_file(args, cli, actuator)
  local driver, why = actuator.driver(args[1])
  if not driver then
    cli.error("%s", why)
    return 1
  end
  if args.json then print(require("brio.store").json { drivers = { driver } })
  else show(driver, true) end
  return 0
end

function drivers.run(args)
  local actuator, cli = require "brio.actuator", require "brio.terminal.cli"
  local suggest = require "brio.lib.suggest"
  if args[1] and args[1]:find "[/.]" then return show_file(args, cli, actuator) end
  local list, names = actuator.drivers(), {}
  if args.json then
    print(require("brio.store").json { drivers = list, faults = actuator.faults() })
    return 0
  end
  for _, driver in ipairs(list) do
    names[#names + 1] = driver.name
    if not args[1] or args[1] == driver.name or args[1] == driver.alias then
      show(driver, true)
      if args[1] then
        show_models(driver.name)
        return 0
      end
    end
  end
  if args[1] then
    cli.error("there is no driver '%s'%s", args[1], suggest.hint(args[1], names))
    return 2
  end
  show_faults(actuator.faults())
  return 0
end

return drivers
