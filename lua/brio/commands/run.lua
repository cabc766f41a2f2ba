--- `brio run`: runs a behavior.
local lazy = require "brio.lib.lazy"
local cli = require "brio.terminal.cli"
local file = require "brio.file"
local launch = lazy "brio.study.launch"
local log_line = require "brio.terminal.attach.log_line"
local model = lazy "brio.io.language_model"
local output = require "brio.terminal.output"
local run_store = require "brio.record.run_row"
local tokens = lazy "brio.operator.tokens"
local rehearsal = require "brio.terminal.desk_options"
local snapshot = require "brio.run.snapshot"

local run = {
  name = "run",
  summary = "run a behavior on a robot or the built-in simulator",
  usage = "brio run FILE.lua [options]",
  options = {
    { "robot", "R", "a robot that ships (see `brio robot --list`) or any URDF or MJCF; default: \z
      the behavior's robot" },
    { "driver", "D", "the driver: sim (default)" },
    { "for", "SECONDS", "stop after this time; default: until interrupted" },
    { "store", "FILE", "record the run in this SQLite file; default brio.db; none: record nothing" },
    { "durable", nil, "keep the record through a power cut, too: every commit waits for the disk \z
      (docs/analysis/store.md)" },
    { "store-limit", "SIZE", "maximum size of the store, such as 2GB; beyond it the oldest samples are \z
      removed; default: no limit" },
    { "keep-clouds", nil, "keep complete point clouds, in files beside the store (docs/analysis/replay.md)" },
    { "resume", "RUN", "continue a run that was killed or failed: see docs/analysis/runs.md and \z
      docs/analysis/resume.md" },
    { "snapshots", "SECONDS", "interval of the snapshots for --resume; 0: none; default 1" },
    { "seed", "N", "seed of all random numbers; default 0" },
    { "clock", "real|fast", "fast: as quickly as the machine allows; default real" },
    { "world", "FILE", "people and objects of the simulated world; default: the behavior's world" },
    { "physics", "none|mujoco", "mujoco: masses, motors, gravity and contact in the simulated world: \z
      see docs/behaviors/physics.md; default none" },
    { "rate", "HZ", "ticks a second; default 200" },
    { "motor-rate", "HZ", "periods of the motor side a second, 50 to 2000; default 1000" },
    { "noise", "RAD", "standard deviation of the simulated joint sensors; default 0" },
    { "packages", "DIR", "where package:// meshes are searched" },
    cli.load,
    { "set", "NAME=VALUE", "a setting of the driver, such as port=/dev/ttyUSB0; can be repeated; see \z
      `brio drivers`", many = true },
    cli.drive,
    cli.trace,
    { "arm", nil, "allow commands to real motors; without it only after `arm` at the prompt" },
    { "fault", "TEXT", 'a fault on purpose, as in "drop 2% of neck", or with physics a push, as in \z
      "push 40 of torso at 2 for 0.2"; can be repeated; `brio drivers` \z
      lists them', many = true },
    { "speak-with", "PROGRAM", 'the speech program, on the real clock: espeak-ng, ..., none, or a command \z
      as in "say -o {file}"; default: an installed one' },
    { "play-with", "PROGRAM", "the program that plays sounds, in the same way" },
    { "model", "URL", "the language model for trees, as http://127.0.0.1:8080 or \z
      ollama:NAME@http://127.0.0.1:11434" },
    { "allow-programs", nil, "allow trees to start programs, such as that of a policy" },
    { "gamepad", "MAP", "use a gamepad's sticks and buttons as inputs: standard, or the file of a mapping" },
    { "gamepad-device", "PATH", "its device, such as /dev/input/event5; default: the first one, also if \z
      it is connected later" },
    { "tracker", "[HOST:]PORT", "receive trackers' datagrams, poses of hands and heads, at this port: see \z
      docs/operators/shared-control.md" },
    { "detections", "WHERE", "receive detections of another program: udp:[HOST:]PORT, unix:PATH, \z
      file:PATH; NAME=WHERE,frame=LINK has more; can be repeated; see docs/perception/detectors.md",
      many = true },
    { "camera", "WHERE", "see through a camera: v4l2:/dev/video0, folder:PATH, film:FILE; \z
      NAME=WHERE,frame=LINK,size=M has more; can be repeated; see docs/perception/cameras.md", many = true },
    { "clouds", "WHERE", "receive point clouds: shm:NAME, udp:[HOST:]PORT, unix:PATH or file:PATH, as for \z
      --detections",
      many = true },
    { "studio", nil, "show the run in a browser: `brio studio` beside it, until it ends" },
    { "repl", nil, "a prompt in this terminal while it runs: see docs/operators/prompt.md" },
    { "socket", "PATH", "the socket for `brio attach`; default: one of its own, on the real clock" },
    { "socket-group", "NAME", "let this group attach too, with a token; needs --socket" },
    { "operators", "FILE", "who can attach, and in which role: a line NAME ROLE TOKEN each; created or \z
      completed if needed: see docs/operators/operators.md" },
    { "reload", nil, "reload changed files also on the fast clock" },
    { "no-reload", nil, "reload no changed files; default: they are reloaded on the real clock" },
    { "watch", "events|poll", "poll: check the files periodically, for file systems without events; \z
      default events" },
    { "tune", "NAME=VALUE", "a tunable number of the behavior; can be repeated", many = true },
    { "study", "FILE", "a session of this study (`brio study`); its condition has the behavior, robot and \z
      parameters" },
    { "participant", "CODE", "of the study: the participant" },
    { "condition", "C", "of the study: it must be the planned one; free with --rehearse or --training" },
    { "wizard", "CODE", "of the study: the person at the desk" },
    { "training", nil, "training of a wizard of the study: does not count, and has no participant; \z
      --rehearse likewise" },
    { "log", "LEVEL", "debug, info, warning, error or silent; default info" },
    { "json", nil, "print the report as JSON" },
    { "quiet", nil, "no status line, and no number of the run" },
  },
}

for index, option in ipairs(rehearsal.options) do table.insert(run.options, 21 + index, option) end

local levels = log_line.levels

--- Maximum length of a line, bytes: it is written completely or not at all if a pipe has room for it.
local longest_line = 4000

--- A log that does not disturb the status line, and leaves output to the prompt in the same terminal while
--- `at_prompt()`.  A robot never waits for a reader: lines without room are dropped and counted.
local function new_log(least, status, at_prompt)
  local left_out = 0
  local function write(level, sentence, t)
    local line = "brio: " .. log_line.text(level, sentence, t)
    io.stderr:write(#line > longest_line and line:sub(1, longest_line) .. "..." or line, "\n")
  end
  return function(level, sentence, t)
    if levels[level] < least or at_prompt() then return end
    if not file.ready(2) then
      left_out = left_out + 1
      return
    end
    status.clear()
    if left_out > 0 then
      write("warning", ("%d lines are left out here, which nobody read in time"):format(left_out), t)
    end
    left_out = 0
    write(level, sentence, t)
  end
end

local function people_in(scene)
  local names = {}
  for _, object in ipairs(scene:objects()) do names[#names + 1] = object.id end
  return #names > 0 and table.concat(names, ", ") or "nobody"
end

local function status_line(current)
  local report = current.engine:report()
  return ("%6.1f s  %-16s %ssees %-14s tick %4.0f us (p99 %.0f), %d late"):format(report.time,
    current.host:state() or "holding", current.disarmed and "DISARMED  " or "", people_in(current.scene),
    report.tick_p50_us, report.tick_p99_us, report.late_ticks)
end

--- The one-line status: rewritten in place on a terminal, otherwise a line a second.
local function new_status(shown)
  local status, drawn, last = {}, false, -1
  local terminal = shown and require("luv").guess_handle(1) == "tty"
  function status.clear()
    if drawn then output.draw("\r\27[K") io.stdout:flush() end
    drawn = false
  end
  function status.show(current)
    local second = math.floor(current.engine:report().time)
    if not shown or (not terminal and second == last) or not file.ready(1) then return end
    last = second
    if terminal then
      -- no wrapping at the terminal's edge: a status of two rows could not be rewritten
      output.draw "\r\27[K\27[?7l"
      output.say(status_line(current))
      output.draw "\27[?7h"
      drawn = true
    else
      output.say(status_line(current), "\n")
    end
    io.stdout:flush()
  end
  return status
end

--- The store of the run: there is one unless the options turn it off.
local function store_of(args)
  return args.store ~= "none" and (args.store or "brio.db") or nil
end

--- The folder in which cameras of this process show their pictures to people (drivers/cameras/look.h).
local function pictures_folder()
  local uv, runtime = require "luv", os.getenv "XDG_RUNTIME_DIR"
  local place = runtime and runtime:find "^/" and uv.fs_access(runtime, "W") and runtime or "/tmp"
  return ("%s/brio-pictures-%d-%d"):format(place, uv.getuid(), uv.os_getpid())
end

--- Whether prompts may attach: always on the real clock; in a fast run only with an option.
local function front_of(args)
  if args.clock == "fast" and not (args.socket or args.repl or args.studio) then return nil end
  return { socket = args.socket, group = args["socket-group"], pictures = pictures_folder() }
end

--- Load the file of operators.  Return whether it is valid; errors are printed.
local function take_people(args, front)
  if not args.operators then return true end
  if not front then
    return cli.error("--operators needs a place where people attach: --socket PATH, or the real clock")
  end
  local list, written = tokens.read(args.operators)
  if not list then return cli.error("--operators: %s", written) end
  front.people, front.people_file = list, written and args.operators or nil
  return true
end

--- The gamepad of the options, and whether they are valid; errors are printed.
local function gamepad_of(args)
  if not args.gamepad then
    if args["gamepad-device"] then cli.error("--gamepad-device needs --gamepad MAP: what its buttons are") end
    return nil, not args["gamepad-device"]
  end
  if args.clock == "fast" then
    cli.error("--gamepad needs the real clock: people's hands have no other") return nil, false
  end
  local mapping, why = require("brio.devices.gamepad").read(args.gamepad)
  if not mapping then cli.error("--gamepad: %s", why) return nil, false end
  return { mapping = mapping, device = args["gamepad-device"] }, true
end

--- Address for trackers: {host, port}; nil: none, and whether it is valid; errors are printed.
local function tracker_of(args)
  if not args.tracker then return nil, true end
  local host, port = args.tracker:match "^([%d%.]+):(%d+)$"
  port = tonumber(port or args.tracker:match "^%d+$")
  if not port or port < 1 or port > 65535 then
    cli.error("--tracker must be a port from 1 to 65535, or HOST:PORT with an IPv4 address, not '%s'",
      args.tracker)
    return nil, false
  end
  if args.clock == "fast" then
    cli.error("--tracker needs the real clock: people's hands have no other") return nil, false
  end
  return { host = host, port = port }, true
end

local function read_options(args)
  local seconds = cli.number(args, "for", 0.001, 1e7, 0)
  local seed = cli.seed(args)
  local rate = cli.number(args, "rate", 10, 1000, 200)
  local noise = cli.number(args, "noise", 0, 1, 0)
  local snapshots = cli.number(args, "snapshots", 0, 1e6, snapshot.every)
  local motor_rate = cli.number(args, "motor-rate", 50, 2000, 1000)
  if not (seconds and seed and rate and noise and motor_rate and snapshots) then return nil end
  local settings = cli.settings(args, { noise = noise > 0 and noise or nil })
  local tune = cli.settings(args, {}, "tune")
  if not settings or not tune or not cli.clock_is_known(args) then return nil end
  if args.log and not levels[args.log] then
    return cli.error("--log must be debug, info, warning, error or silent, not '%s'", args.log)
  end
  if args.watch and args.watch ~= "poll" and args.watch ~= "events" then
    return cli.error("--watch must be events or poll, not '%s'", args.watch)
  end
  if args.physics and args.physics ~= "none" and args.physics ~= "mujoco" then
    return cli.error("--physics must be none or mujoco, not '%s'", args.physics)
  end
  if args["socket-group"] and not args.socket then
    return cli.error("--socket-group needs --socket PATH: a place that the group can reach")
  end
  local asked, wrong
  if args.model then asked, wrong = model.read(args.model) end
  if wrong then return cli.error("--model: %s", (wrong:gsub("^model: ", ""))) end
  local limit, small
  if args["store-limit"] then limit, small = run_store.size(args["store-limit"]) end
  if small then return cli.error("--store-limit: %s", small) end
  local pad, fine = gamepad_of(args)
  local tracker, heard = tracker_of(args)
  if not (fine and heard) then return nil end
  local front = front_of(args)
  if front then front.tracker = tracker end
  if not take_people(args, front) then return nil end
  return {
    gamepad = pad,
    reload = not args["no-reload"] and (args.reload or args.clock ~= "fast"),
    watch = args.watch, front = front, folder = front and require("luv").cwd(),
    store_file = store_of(args) and cli.absolute(store_of(args)),
    file = args[1], robot = args.robot, driver = args.driver, store = store_of(args), durable = args.durable,
      seed = seed,
    store_limit = limit, keep_clouds = args["keep-clouds"],
    detections = args.detections, cameras = args.camera, clouds = args.clouds,
    faults = args.fault, arm = args.arm, trace = args.trace, drives = args.drive,
    speak_with = args["speak-with"], play_with = args["play-with"], model = asked,
      programs = args["allow-programs"],
    clock = args.clock or "real", world = args.world, physics = args.physics, rate = rate,
    motor_rate = motor_rate,
    packages = args.packages and { args.packages }, load = args.load, seconds = seconds,
    settings = next(settings) and settings or nil, snapshots = snapshots, resume = args.resumed,
    start = args.resumed and args.resumed.pose, tune = next(tune) and tune or nil,
  }
end

local function print_report(current, outcome)
  local report = current.report
  report.outcome, report.reason = outcome, current.host.failed
  print(require("brio.store").json(report))
end

--- Print warnings of the robot's file: a few, and the number of others.
local function warn_of_robot(description, say, now)
  local warnings, shown = description.warnings, 3
  for index = 1, math.min(shown, #warnings) do say("warning", warnings[index], now) end
  if #warnings > shown then
    say("warning", ("and %d more like that: see `brio robot`"):format(#warnings - shown), now)
  end
end

--- Start the prompt in this terminal: a program of its own, so that it never blocks the run.  Return a
--- function that waits for its end.
local function start_prompt(path)
  local uv, ended = require "luv", false
  local options = { args = { "attach", path }, stdio = { 0, 1, 2 } }
  local process, why = uv.spawn(uv.exepath(), options, function() ended = true end)
  if not process then return nil, "the prompt cannot be started: " .. tostring(why) end
  return function()
    local patience = uv.new_timer()
    patience:start(2000, 0, function() process:kill "sigterm" end)
    while not ended do uv.run "once" end
    cli.close_handles()
  end
end

--- Start the studio of this run; return a function that ends it.
local function start_studio(path)
  local uv = require "luv"
  local ended = false
  local process, why = uv.spawn(uv.exepath(), { args = { "studio", path }, stdio = { nil, 1, 2 } },
    function() ended = true end)
  if not process then return nil, "the studio cannot be started: " .. tostring(why) end
  return function()
    if not ended then process:kill "sigterm" end
    while not ended do uv.run "once" end
    cli.close_handles()
  end
end

--- Run, with a prompt in this terminal and a studio if requested.  Return what engine.run returns, and a
--- function that waits for the prompt's end.
local function go(current, options, args)
  local wait_for_prompt, end_studio
  local repl = args.repl
  if args.studio then
    local why
    if not current.front then return nil, "without a socket there can be no studio: see the warning above" end
    end_studio, why = start_studio(current.front:path())
    if not end_studio then return nil, why end
  end
  if repl then
    if not current.front then return nil, "without a socket there can be no prompt: see the warning above" end
    local why
    wait_for_prompt, why = start_prompt(current.front:path())
    if not wait_for_prompt then return nil, why end
  end
  local went, fault = current:go(options.seconds)
  if end_studio then end_studio() end
  return went, fault, wait_for_prompt
end

--- The options of a run; nil on errors (printed).
run.read = read_options

local codes = { finished = 0, stopped = 0, failed = 3 }

--- The store and number of the run for --resume; "last" is kept: it is the newest one without an end. nil,
--- sentence.
local function resumed_run(args)
  local stored = require "brio.runs.stored"
  local path, word = stored.place(args.resume, args.store)
  if not path or not word or word == "last" then return path, path and "last" or word end
  local db, row = stored.open(args.resume, args.store)
  if not db then return nil, row end
  db:close()
  return path, row.run
end

--- Read the snapshot to resume, and use its behavior, robot and driver as defaults.  Return whether that
--- succeeded.
local function take_resumed(args)
  if not args.resume then return true end
  if args.store == "none" then cli.error("--resume needs the store with the run in it") return false end
  local path, number = resumed_run(args)
  if not path then cli.error("%s", number) return false end
  args.store = path
  local saved, why = snapshot.read(path, number)
  if not saved then cli.error("%s", why) return false end
  local options = saved.options
  args[1], args.driver = args[1] or saved.behavior, args.driver or saved.driver
  args.robot = args.robot or options.robot_file or saved.robot
  args.packages = args.packages or options.packages and table.concat(options.packages, ":")
  args.seed, args.world = args.seed or tostring(saved.seed), args.world or saved.options.world
  args.physics = args.physics or saved.options.physics
  args.resumed = saved
  return true
end

--- Run with the options of --study or the command line; `held`: the session of a study, or true.
local function run_it(args, held)
  local options = read_options(args)
  if not options or not rehearsal.read(args, options) then return 2 end
  options.study_session = held ~= true and held.id or nil
  local status = new_status(options.clock == "real" and not args.json and not args.quiet and not args.repl)
  local current
  options.say = new_log(levels[args.log or "info"], status,
    function() return args.repl and current and current.front and current.front:clients() > 0 end)
  options.idle = status.show
  local code
  current, code = cli.open_run(options)
  if not current then return code end
  local now = current.host.now
  warn_of_robot(current.description, options.say, now)
  if held ~= true then options.say("info", launch.words(held), now) end
  current.launched = cli.began
  local went, fault, wait_for_prompt = go(current, options, args)
  status.clear()
  local outcome, lost = current:close()
  if wait_for_prompt then wait_for_prompt() end
  if current.run_number and not args.quiet then
    options.say("info", cli.recorded_as("run", current.run_number, options.store, lost))
  end
  if args.json then print_report(current, outcome) end
  if not went or lost then
    cli.error("%s", fault or lost)
    return 1, outcome
  end
  return cli.trace_is_whole(args) and codes[outcome] or 1, outcome
end

function run.run(args)
  if not take_resumed(args) then return 1 end
  local held, why, wrong = launch.of(args)
  if not held then
    cli.error("%s", why)
    return wrong
  elseif #args ~= 1 then
    cli.error("run expects one file: %s", run.usage)
    return 2
  end
  local code, outcome = run_it(args, held)
  if held == true then return code end
  local good, fault = launch.over(held, args.store or "brio.db", outcome)
  return good and code or cli.finish(nil, fault)
end

return run
