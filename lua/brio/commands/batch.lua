--- `brio batch`: many repeated runs in shares, on this machine, by GNU parallel or by Slurm.
local cli = require "brio.terminal.cli"
local common = require "brio.commands.repeat.options"
local output = require "brio.terminal.output"

local command = {
  name = "batch",
  summary = "repeat a behavior's tree very often, on this machine or a cluster, over a space of parameters",
  usage = "brio batch FILE [options]     (for example --times 10000 --on slurm)",
  options = common.with {
    { "on", "ENGINE", "what runs the shares: here (default), parallel (GNU parallel) or slurm" },
    { "jobs", "N", "shares at once; default: one for each core; of Slurm, all that it has" },
    { "each", "N", "runs in a share; default: enough for half a minute" },
    { "until-width", "W", "stop when the interval of the success rate is this narrow, as 5%" },
    { "space", "NAME=VALUES", "a parameter, as in --vary: all runs at LO..HI:STEPS or A,B,C; several make \z
      a grid; can be repeated", many = true },
    { "points", "N", "instead of a grid, N points of a Latin hypercube" },
    { "folder", "PATH", "where shares and results lie; default: FILE.batch here" },
    { "engine-option", "WORD", "a further word for sbatch or parallel, as --partition=short; can be \z
      repeated", many = true },
    { "cancel", nil, "end what goes on in the background; its results stay" },
    { "robot", "R", "a robot that ships, or any URDF or MJCF; default: the behavior's robot" },
    { "store", "FILE", "record the results in this store; default brio.db; none: nowhere" },
    { "json", nil, "print the results as JSON" },
    cli.load,
  },
}

--- Parse --until-width.  Return it; false if there is none; nil on errors (printed).
local function read_width(args)
  local text = args["until-width"]
  if not text then return false end
  local width = tonumber((text:gsub("%s*%%$", "")))
  if width and text:find "%%$" then width = width / 100 end
  if width and width > 0 and width < 1 then return width end
  return cli.error("--until-width must be over 0 and under 1, as 0.05 or 5%%, not '%s'", text)
end

--- The options of the batch; nil on errors (printed).
local function read_options(args)
  local options = common.read(args)
  local points, each = cli.whole(args, "points", 1, 1e5, false), cli.whole(args, "each", 1, 1e6, false)
  local jobs, width = cli.whole(args, "jobs", 1, 10000, false), read_width(args)
  if not options or points == nil or each == nil or jobs == nil or width == nil then return nil end
  if points and not args.space then return cli.error("--points expects at least one --space") end
  local space = require "brio.trials.batch.space"
  local made, why = space.points(args.space or {}, points or nil, options.seed)
  if not made then return cli.error("%s", why) end
  options.points, options.each, options.width, options.jobs = made, each or nil, width or nil, jobs
  options.ranges, options.extra = space.ranges(args.space or {}), args["engine-option"] or {}
  return options
end

--- Choose the engine.  Return true, or nil and a sentence.
local function choose_engine(args, options)
  local why
  options.on = args.on or "here"
  options.engine, why = require("brio.trials.batch.engines").find(options.on)
  if not options.engine then return nil, why end
  local good
  good, why = options.engine.check()
  if not good then return nil, why end
  options.given_cores = options.jobs or nil
  options.cores = options.jobs or options.engine.cores() or 1
  return true
end

--- The words of `brio repeat` for each share, without the number of runs, which may grow.
local function words_of(args, options)
  local words, list = common.words(args, options), {}
  local index = 1
  while index <= #words do
    if words[index] == "--times" then index = index + 1 else list[#list + 1] = words[index] end
    index = index + 1
  end
  return list
end

local function show_progress(done, all)
  if require("luv").guess_handle(2) == "tty" then
    output.draw(("\r\27[K%d of %d runs"):format(done, all), true)
  end
end

--- The folder of the batch; nil and a sentence.
local function folder_of(args)
  return require("brio.trials.batch.folder").open(args.folder or args[1]:match "[^/]*$" .. ".batch")
end

--- End what goes on in the background.  Return the exit code.
local function cancel(args)
  local folder, why = folder_of(args)
  if not folder then
    cli.error("%s", why)
    return 1
  end
  local ended
  ended, why = require("brio.trials.batch.batch").cancel(folder)
  if why then
    cli.error("%s", why)
    return 1
  end
  print(ended and "cancelled; what was done stays" or "nothing goes on in the background")
  return 0
end

--- Open the folder, and the batch in it.  Return the batch, or nil and a sentence.
local function open(args, options, repeated)
  local why
  options.folder, why = folder_of(args)
  if not options.folder then return nil, why end
  options.words, options.directory = words_of(args, options), require("luv").cwd()
  options.progress = show_progress
  return require("brio.trials.batch.batch").new(repeated, options)
end

--- Let signals stop the batch.  Return a function that undoes it.
local function stop_at_signals(batch)
  local uv, list = require "luv", {}
  for index, name in ipairs { "sigint", "sigterm", "sighup" } do
    list[index] = uv.new_signal()
    list[index]:start(name, function() batch.stopped = true end)
  end
  return function()
    for _, one in ipairs(list) do one:close() end
    uv.run "nowait"
  end
end

--- Do what is missing.  Return true, or nil and a sentence.
local function work(batch, options)
  local good, why = options.folder:lock()
  if not good then return nil, why end
  local undo = stop_at_signals(batch)
  good, why = batch:run()
  undo()
  options.folder:unlock()
  if require("luv").guess_handle(2) == "tty" then output.draw("\r\27[K", true) end
  if good and batch.stopped then
    return nil, options.folder:job()
      and "stopped looking; the job goes on: the same command follows it, with --cancel ends it"
      or "stopped; the same command goes on with what is missing"
  end
  return good, why
end

function command.run(args)
  if #args ~= 1 then
    cli.error("batch expects one file: %s", command.usage)
    return 2
  end
  if args.cancel then return cancel(args) end
  local options = read_options(args)
  if not options then return 2 end
  local good, why = choose_engine(args, options)
  if not good then
    cli.error("%s", why)
    return 1
  end
  local vary = table.move(options.ranges, 1, #options.ranges, #options.vary + 1,
    table.move(options.vary, 1, #options.vary, 1, {}))
  options.file, options.sources = require("brio.trials.carrier").behavior(args[1], args.robot)
  local repeated, fault, faults = require("brio.trials.repetition").new(setmetatable({ vary = vary,
    excuse = options.sources ~= nil }, { __index = options }))
  if not repeated then
    cli.error("%s", fault)
    return faults and 3 or 1
  end
  local batch
  batch, why = open(args, options, repeated)
  good = batch
  if batch then good, why = work(batch, options) end
  local code
  if good then code, why = require("brio.commands.batch.report").finish(args, options, repeated, batch) end
  if not code then cli.error("%s", why) end
  return code or 1
end

return command
