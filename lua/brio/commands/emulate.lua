--- `brio emulate`: devices that are not there, behind a port that programs open.
local cli, clock = require "brio.cli", require "brio.clock"
local emulator = require "brio.emulator"

local emulate = {
  name = "emulate",
  summary = "servos that are not there, speaking the real ones' bytes; prints the port to use",
  usage = "brio emulate KIND [options]     (no KIND: list them)",
  options = {
    { "servos", "N", "how many; default: as many as the kind has" },
    { "id", "N", "of the first servo; default: 1" },
    { "baud", "N", "bits per second; default: as the devices leave the factory" },
    { "seed", "N", "of faults that are random; default: 0" },
    { "link", "PATH", "a path that always leads to the port, also after it was unplugged" },
    { "for", "SECONDS", "end after so long; default: when standard input says 'quit', or on Ctrl-C" },
  },
}

local function list()
  for _, kind in ipairs(emulator.kinds()) do
    print(("%-12s %s  %d servo%s, %d baud, %s"):format(kind.name, kind.doc, kind.servos,
      kind.servos == 1 and "" or "s", kind.baud, kind.protocol))
  end
  return 0
end

local function read_options(args)
  local options = {}
  for name, range in pairs { servos = { 1, 253 }, id = { 0, 252 }, baud = { 1200, 1e7 }, seed = { 0, 2 ^ 53 } } do
    if args[name] then
      options[name] = cli.number(args, name, range[1], range[2])
      if not options[name] then return nil end
    end
  end
  return options
end

--- Do what was typed and say what there is to say.
local function obey(device, line)
  local text, why = device:command(line)
  io.write(text or ("brio: " .. why .. "\n"))
  io.flush()
end

--- Say the port's name whenever it is another one.
local function tell_port(device, last)
  local name = device:port()
  if name ~= last then
    print(name == "" and "unplugged: type 'plug'" or "port: " .. name)
    io.flush()
  end
  return name
end

local function serve(device, seconds, name)
  local began, input = clock.monotonic(), true
  while not seconds or clock.monotonic() - began < seconds do
    local typed, why = device:step(0.05, input)
    if typed == nil then
      cli.error("%s", why)
      return 1
    elseif typed == false then input = false
    elseif typed == "quit" then return 0
    elseif typed ~= true then obey(device, typed) end
    name = tell_port(device, name)
  end
  return 0
end

function emulate.run(args)
  if #args == 0 then return list() end
  local options = read_options(args)
  local seconds = cli.number(args, "for", 0, 1e9, math.huge)
  if #args > 1 or not options or not seconds then
    if #args > 1 then cli.error("emulate expects one kind: %s", emulate.usage) end
    return 2
  end
  local good, device, why = pcall(emulator.open, args[1], options)
  if not good or not device then
    cli.error("%s", good and why or device)
    return good and 1 or 2
  end
  local name, fault = device:serve(args.link)
  if not name then
    cli.error("%s", fault)
    return 1
  end
  print(("port: %s"):format(name))
  print("type 'help' for faults to make, 'quit' to end")
  io.flush()
  local code = serve(device, seconds < math.huge and seconds or nil, name)
  device:close()
  return code
end

return emulate
