--- `brio replay RUN --to-robot`: the options, and the output at the terminal.
local cli = require "brio.terminal.cli"
local suggest = require "brio.lib.suggest"

local robot_command = {}

robot_command.options = {
  { "to-robot", nil, "instead play the recorded commands on a robot (or the simulator), after a check and \z
    a slow approach" },
  { "preview", nil, "--to-robot: only check whether the robot can do it" },
  { "slow", nil, "--to-robot: slow down what is too fast for the robot" },
  { "rest", nil, "--to-robot: go to the home pose at the end; default: stay" },
  { "relax", nil, "--to-robot: let the motors go limp at the end" },
  { "speed", "S", "--to-robot: speed of the approach, rad/s (m/s, 1/s); default 0.3" },
  { "robot", "R", "--to-robot: another robot than the run's" },
  { "from", "T", "--to-robot: from this second on" },
  { "to", "T", "--to-robot: until this second" },
  { "dof", "NAME", "--to-robot: this DOF only; can be repeated", many = true },
  { "driver", "D", "--to-robot: driver of the DOFs that no device of the robot's file has: sim (default), \z
    see `brio drivers`" },
  { "set", "NAME=VALUE", "--to-robot: a setting of the driver; can be repeated", many = true },
  cli.drive,
  cli.trace,
  { "arm", nil, "--to-robot: allow commands to real motors" },
  { "clock", "real|fast", "--to-robot: fast: as quickly as the machine allows, with the simulator; default \z
    real" },
}

--- The options, checked; nil on errors (printed).
local function read_options(args)
  local options = { robot = args.robot, dofs = args.dof, driver = args.driver, drives = args.drive,
    trace = args.trace, arm = args.arm,
    slow = args.slow, rest = args.rest, relax = args.relax, fast = args.clock == "fast" }
  local settings = cli.settings(args, {})
  options.speed = cli.number(args, "speed", 1e-3, 10, 0.3)
  if not (settings and options.speed and cli.clock_is_known(args) and cli.read_span(args, options)) then
    return nil
  end
  options.settings = next(settings) and settings or nil
  function options.say(severity, sentence)
    if severity ~= "info" then cli.error("%s", sentence) end
  end
  return options
end

local function tell_preview(made, told)
  print(("run %d: %.2f s of commands for %d DOFs of %s, %d of which move"):format(made.run.number,
    told.length, #made.dofs, made.description.name, told.moving))
  if #told.missing > 0 then
    print("not played, since the robot has them not: " .. table.concat(told.missing, ", "))
  end
  for _, sentence in ipairs(told.beyond) do print("beyond: " .. sentence) end
  for _, sentence in ipairs(told.fast) do print("too fast: " .. sentence) end
  if told.slow > 1 and #told.beyond == 0 then
    print(("with --slow it takes %.2f times as long"):format(told.slow))
  end
  io.stdout:flush()
end

local function play(db, number, options, only_look)
  local made, why = require("brio.run.replay.to_robot").open(db, number, options)
  if not made then return nil, why end
  local told = made:preview()
  tell_preview(made, told)
  if only_look then
    return #told.beyond == 0 and (#told.fast == 0 or options.slow), "the robot cannot do that"
  end
  local report, fault = made:play(options)
  if not report then return nil, fault end
  print(("%s %.2f of %.2f s%s; commands at most %.4f off the recorded path"):format(report.stopped
    and "stopped after" or "played",
    report.played, told.length, report.slow > 1 and (", %.2f times as slowly"):format(report.slow) or "",
      report.off))
  return true
end

--- Options of a comparison, and what --to-robot has instead.
local of_comparison = { ["for"] = "; --to SECOND ends the motion", with = "", record = "", json = "",
  log = "" }

--- Whether an option that requires --to-robot was given without it, or one of a comparison with it (printed).
function robot_command.is_misused(args)
  for _, name in ipairs(suggest.keys(args["to-robot"] and of_comparison or {})) do
    if args[name] then
      return not cli.error("--%s does not go with --to-robot%s", name, of_comparison[name])
    end
  end
  for _, option in ipairs(robot_command.options) do
    if args[option[1]] and not args["to-robot"] then
      return not cli.error("--%s goes with --to-robot", option[1])
    end
  end
  return false
end

--- Execute a person's command. Return an exit code.
function robot_command.run(args)
  local options = read_options(args)
  if not options then return 2 end
  local code = cli.finish(cli.with_run(args, args[1],
    function(db, run) return play(db, run.run, options, args.preview) end))
  cli.close_handles()
  return cli.trace_is_whole(args) and code or 1
end

return robot_command
