--- `brio emulate`: emulated devices behind a port that programs open.
local cli, clock = require "brio.terminal.cli", require "brio.clock"
local emulator = require "brio.emulator"
local output = require "brio.terminal.output"
local reason = require "brio.io.reason"
local recording = require "brio.devices.traffic"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local emulate = {
  name = "emulate",
  summary = "emulate devices byte by byte; prints the port to use",
  usage = "brio emulate KIND [options]   or   brio emulate --trace FILE [options]     (no KIND: list them)",
  options = {
    { "servos", "N", "number of servos; default: that of the kind" },
    { "nodes", "N", "the same, for drives on a CAN bus" },
    { "id", "N", "id of the first servo; default: 1" },
    { "baud", "N", "bits per second; default: the factory setting" },
    { "seed", "N", "seed of random faults; default: 0" },
    { "link", "PATH", "a path that always points to the port, also after it was unplugged" },
    { "write", "FOLDER", "write a robot.lua and model.urdf of the emulated devices; needs --link, or a \z
      fixed port" },
    { "say", "TEXT", "type this at the start, such as 'loss 2%'; can be repeated", many = true },
    { "control", "PATH", "a Unix socket that takes the same lines as standard input, and answers" },
    { "trace", "FILE", "play the device of a recorded trace: answer the recorded requests with the \z
      recorded answers" },
    { "bus", "NAME", "the bus of the trace; default: the only one" },
    { "protocol", "NAME", "the protocol of the trace's bus, if the file does not name it" },
    { "for", "SECONDS", "end after this time; default: when standard input has 'quit', or on Ctrl-C" },
  },
}

--- Aliases of commands.
local also = { drop = "loss", corrupt = "errors", hold = "busy", replug = "plug" }

local more_help = [[
drop, corrupt   other words for loss and errors; 'plug elsewhere' is what plug does
quit            end
]]

local function list()
  for _, kind in ipairs(emulator.kinds()) do
    print(("%-12s %s  %d servo%s, %d baud, %s"):format(kind.name, kind.doc, kind.servos,
      kind.servos == 1 and "" or "s", kind.baud, kind.protocol))
  end
  print "\nCommands while one runs (also listed by 'help', with those of the kind):"
  output.say(assert(emulator.open("dynamixel")):command "help", more_help)
  return 0
end

local function read_options(args)
  local options = {}
  args.servos = args.servos or args.nodes
  for name, range in pairs { servos = { 1, 253 }, id = { 0, 252 }, baud = { 1200, 1e7 },
      seed = { 0, 2 ^ 53 } } do
    if args[name] then
      options[name] = cli.whole(args, name, range[1], range[2])
      if not options[name] then return nil end
    end
  end
  return options
end

-- What is typed ---------------------------------------------------------------------------------------

--- Execute a typed line.  Return its output, and whether to end.
local function obey(device, line)
  local word = line:match "^%s*(%S*)"
  if word == "quit" then return "", true end
  line = line:gsub("^%s*(%S+)", function(first) return also[first] or first end):gsub("([%d.])%s+(%%)",
    "%1%2"):gsub("([%d.])%s+([mu]?s)%s*$", "%1%2")
  local text, why = device:command(line)
  if word == "help" and text then text = text .. more_help end
  return text or "brio: " .. why .. "\n"
end

--- Accept lines of other programs through a Unix socket.  Return it, or nil and a sentence; "quit" sets
--- `state.over`.
local function listen(device, path, state)
  local server = uv.new_pipe(false)
  os.remove(path)
  local good, why = server:bind(path)
  if good then
    good, why = server:listen(4, function()
      local client, rest = uv.new_pipe(false), ""
      server:accept(client)
      client:read_start(function(fault, bytes)
        if fault or not bytes then return client:close() end
        rest = rest .. bytes
        for line in rest:gmatch "([^\n]*)\n" do
          local text, over = obey(device, line)
          client:write(text == "" and "ok\n" or text)
          state.over = state.over or over
        end
        rest = rest:match "[^\n]*$"
      end)
    end)
  end
  return good and server or nil, ("the socket %s cannot be opened: %s"):format(path, reason(why))
end

-- Serving ---------------------------------------------------------------------------------------------

--- Print the port's name when it changes.
local function tell_port(device, last)
  local name = device:port()
  if name ~= last then
    print(name == "" and "unplugged: type 'plug'" or "port: " .. name)
    io.stdout:flush()
  end
  return name
end

local function serve(device, seconds, name, state)
  local began, input = clock.monotonic(), true
  while not state.over and (not seconds or clock.monotonic() - began < seconds) do
    local typed, why = device:step(0.05, input)
    if typed == nil then
      cli.error("%s", why)
      return 1
    elseif typed == false then input = false
    elseif typed ~= true then
      local text, over = obey(device, typed)
      output.say(text)
      io.stdout:flush()
      state.over = over
    end
    uv.run "nowait"
    name = tell_port(device, name)
  end
  return 0
end

--- The driver of a kind, and its settings other than the port.
local drivers = { maestro_crc = { "maestro", "crc=1" } }

--- Print how to use the emulator.
local function tell_use(kind, port)
  local driver, set = table.unpack(drivers[kind] or { kind })
  local settings = ("--driver %s --set port=%s%s"):format(driver, port, set and " --set " .. set or "")
  print(("try: brio scan %s --write my-robot     then: brio move --robot my-robot --arm"):format(port))
  print(("     brio run BEHAVIOR.lua %s --arm     (--drive GROUP: of these DOFs only)"):format(settings))
end

--- The robot's file of the emulated device, as from a scan.
local function write_robot(folder, kind, port, options)
  local first = options.id or (kind.name:find "maestro" or kind.name == "line") and 0 or 1
  local driver, set = table.unpack(drivers[kind.name] or { kind.name })
  return cli.write_robot(folder, { { family = driver, port = port, baud = options.baud or kind.baud,
    words = kind.doc, found = { { axes = options.servos or kind.servos, first = first, settings = set } } } })
end

-- A trace ---------------------------------------------------------------------------------------------

--- The selected bus of a recording: its name, or nil and a sentence.
local function bus_of(recorded, args)
  local names = {}
  for index, bus in ipairs(recorded.buses) do names[index] = bus.name end
  if args.bus and not recorded.buses[args.bus] then
    return nil, ("the trace has no bus '%s'%s"):format(args.bus, suggest.hint(args.bus, names))
  end
  if not args.bus and #names > 1 then
    return nil, ("the trace has %d buses: say --bus %s"):format(#names, table.concat(names, " or "))
  end
  return args.bus or names[1] or ""
end

--- An emulator that plays a trace; nil and a sentence.
local function open_trace(args)
  local file, why = io.open(args.trace, "rb")
  if not file then return nil, why end
  local recorded = recording.read(file:read "a" or "", { can = true })
  file:close()
  if recorded.form ~= "trace" then
    return nil, ("%s is not a trace of --trace: the requests and their times are required"):format(args.trace)
  end
  local bus, unclear = bus_of(recorded, args)
  if not bus then return nil, unclear end
  local about, pieces = recorded.buses[bus] or {}, {}
  for _, piece in ipairs(recorded.pieces) do
    if piece.bus == bus then pieces[#pieces + 1] = piece end
  end
  local protocol = args.protocol or about.protocol
  if not protocol or protocol == "raw" then
    return nil, "which protocol does the trace's bus speak? Say --protocol"
  end
  local good, made, fault = pcall(emulator.replay, protocol, pieces, about.baud)
  if good then return made, fault end
  return nil, made
end

--- Print the statistics of a replay.  Return an exit code: 3 after requests that were not recorded.
local function tell_replay(device)
  local report = device:replayed()
  output.say(device:command "status")
  return report.unexpected > 0 and 3 or 0
end

-- The command -----------------------------------------------------------------------------------------

local function open(args, options)
  if args.trace then return open_trace(args) end
  local good, device, why = pcall(emulator.open, args[1], options)
  if good then return device, why end
  return nil, device, true
end

local function kind_named(name)
  for _, kind in ipairs(emulator.kinds()) do
    if kind.name == name or kind.alias == name then return kind end
  end
end

--- Preparation before the port is served.  Return whether it succeeded; errors are printed.
local function prepare(device, name, args, options, state)
  for _, line in ipairs(args.say or {}) do
    local text = obey(device, line)
    output.say(text)
    if text:find "^brio: " then return false end
  end
  if args.control then
    local server, why = listen(device, args.control, state)
    if not server then return cli.error("%s", why) end
  end
  local port, kind = args.link and name:find "^/" and args.link or name,
    not args.trace and kind_named(args[1])
  if kind then tell_use(kind.name, port) end
  if args.write and kind then
    local good, why = write_robot(args.write, kind, port, options)
    if not good then return cli.error("%s", why) end
  end
  return true
end

function emulate.run(args)
  if #args == 0 and not args.trace then return list() end
  local options = read_options(args)
  local seconds = cli.number(args, "for", 0, 1e9, math.huge)
  if #args > (args.trace and 0 or 1) or not options or not seconds then
    if options and seconds then cli.error("emulate expects one kind, or a trace: %s", emulate.usage) end
    return 2
  end
  local device, why, misuse = open(args, options)
  if not device then
    cli.error("%s", why)
    return misuse and 2 or 1
  end
  local name, fault = device:serve(args.link)
  if not name then
    cli.error("%s", fault)
    return 1
  end
  print(("port: %s"):format(name))
  local state = {}
  local code = prepare(device, name, args, options, state) and 0 or 1
  print("type 'help' for faults to make, 'quit' to end")
  io.stdout:flush()
  if code == 0 then code = serve(device, seconds < math.huge and seconds or nil, name, state) end
  if code == 0 and args.trace then code = tell_replay(device) end
  device:close()
  if args.control then os.remove(args.control) end
  cli.close_handles()
  return code
end

return emulate
