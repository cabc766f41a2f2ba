--- `brio run`: run a behavior.
local cli = require "brio.cli"

local run = {
  name = "run",
  summary = "run a behavior on a robot or the built-in simulator",
  usage = "brio run FILE.lua [options]",
  options = {
    { "robot", "R", "a robot that ships (see `brio robot --list`) or any URDF; default: what the behavior says" },
    { "driver", "D", "what moves: sim (default)" },
    { "for", "SECONDS", "stop after so long; default: until interrupted" },
    { "store", "FILE", "record the run in this SQLite file; default brio.db; none: record nothing" },
    { "seed", "N", "of everything random; default 0" },
    { "clock", "real|fast", "fast: as quickly as the machine allows; default real" },
    { "world", "FILE", "people and objects of the simulated world; default: what the behavior says" },
    { "rate", "HZ", "ticks a second; default 200" },
    { "noise", "RAD", "standard deviation of the simulated joint sensors; default 0" },
    { "packages", "DIR", "where package:// meshes are looked for" },
    { "log", "LEVEL", "debug, info, warning, error or silent; default info" },
    { "json", nil, "print the report as JSON" },
    { "quiet", nil, "no status line" },
  },
}

local levels = { debug = 1, info = 2, warning = 3, error = 4, silent = 5 }

--- A log that keeps out of the way of the status line.
local function new_log(least, status)
  return function(level, sentence)
    if levels[level] < least then return end
    status.clear()
    io.stderr:write("brio: ", level == "info" and "" or level .. ": ", sentence, "\n")
  end
end

local function people_in(scene)
  local names = {}
  for _, object in ipairs(scene:objects()) do names[#names + 1] = object.id end
  return #names > 0 and table.concat(names, ", ") or "nobody"
end

local function status_line(current)
  local report = current.engine:report()
  return ("%6.1f s  %-16s sees %-14s tick %4.0f us (p99 %.0f), %d late"):format(report.time,
    current.host:state() or "holding", people_in(current.scene), report.tick_p50_us, report.tick_p99_us, report.late_ticks)
end

--- The one-line status: rewritten in place on a terminal, a line a second elsewhere.
local function new_status(shown)
  local status, drawn, last = {}, false, -1
  local terminal = shown and require("luv").guess_handle(1) == "tty"
  function status.clear()
    if drawn then io.stdout:write("\r\27[K") io.stdout:flush() end
    drawn = false
  end
  function status.show(current)
    local second = math.floor(current.engine:report().time)
    if not shown or (not terminal and second == last) then return end
    last = second
    if terminal then
      -- no wrapping at the terminal's edge: a line of two rows would not be rewritten
      io.stdout:write("\r\27[K\27[?7l", status_line(current), "\27[?7h")
      drawn = true
    else
      io.stdout:write(status_line(current), "\n")
    end
    io.stdout:flush()
  end
  return status
end

--- Every run is recorded, unless a person says otherwise.
local function store_of(args)
  return args.store ~= "none" and (args.store or "brio.db") or nil
end

local function read_options(args)
  local seconds = cli.number(args, "for", 0.001, 1e7, 0)
  local seed = cli.number(args, "seed", 0, 2 ^ 53, 0)
  local rate = cli.number(args, "rate", 10, 1000, 200)
  local noise = cli.number(args, "noise", 0, 1, 0)
  if not (seconds and seed and rate and noise) then return nil end
  if math.type(seed) ~= "integer" and seed % 1 ~= 0 then return cli.error("--seed must be a whole number, not '%s'", args.seed) end
  if args.clock and args.clock ~= "real" and args.clock ~= "fast" then
    return cli.error("--clock must be real or fast, not '%s'", args.clock)
  end
  if args.log and not levels[args.log] then
    return cli.error("--log must be debug, info, warning, error or silent, not '%s'", args.log)
  end
  return {
    file = args[1], robot = args.robot, driver = args.driver, store = store_of(args), seed = math.tointeger(seed),
    clock = args.clock or "real", world = args.world, rate = rate, packages = args.packages and { args.packages },
    settings = noise > 0 and { noise = noise } or nil, seconds = seconds,
  }
end

local function print_report(current, outcome)
  local report = current.report
  report.outcome, report.reason = outcome, current.host.failed
  print(require("brio.store").json(report))
end

--- Say what was odd in the robot's file: a few of the warnings, and how many more there are.
local function warn_of_robot(description, say)
  local warnings, shown = description.warnings, 2
  for index = 1, math.min(shown, #warnings) do say("warning", warnings[index]) end
  if #warnings > shown then
    say("warning", ("and %d more like that: see `brio robot`"):format(#warnings - shown))
  end
end

local codes = { finished = 0, stopped = 0, failed = 3 }

function run.run(args)
  if #args ~= 1 then
    cli.error("run expects one file: %s", run.usage)
    return 2
  end
  local options = read_options(args)
  if not options then return 2 end
  local status = new_status(options.clock == "real" and not args.json and not args.quiet)
  options.say = new_log(levels[args.log or "info"], status)
  options.idle = status.show
  local good, current, why, faults = pcall(require("brio.runner").new, options)
  if not good then -- wrong use: an option says what cannot be
    cli.error("%s", (tostring(current):gsub("^.-%.lua:%d+: ", "")))
    return 2
  elseif not current then
    cli.error("%s", why)
    return faults and 3 or 1
  end
  warn_of_robot(current.description, options.say)
  current.launched = cli.began
  local went, fault = current:go(options.seconds)
  status.clear()
  local outcome, lost = current:close()
  if args.json then print_report(current, outcome) end
  if not went or lost then
    cli.error("%s", fault or lost)
    return 1
  end
  return codes[outcome]
end

return run
