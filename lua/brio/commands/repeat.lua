--- `brio repeat`: repeated runs of a behavior's tree on the simulator, with statistics of every leaf.
local cli = require "brio.terminal.cli"
local common = require "brio.commands.repeat.options"
local output = require "brio.terminal.output"

local command = {
  name = "repeat",
  summary = "run a behavior's tree again and again on the simulator: how often each leaf and the whole \z
    succeed",
  usage = "brio repeat FILE [options]     (for example --times 100 --until-failure)",
  options = common.with {
    { "jobs", "N", "number of processes; default: one for each core, at most 8" },
    { "share", "K/N", "only do every N-th run, from the K-th on, and print a line of JSON for each" },
    { "only", "RUNS", "only do these runs, as 1-20,35, and print a line about the build, then a line of \z
      JSON for each" },
    { "robot", "R", "a robot that ships, or any URDF or MJCF; default: the behavior's robot" },
    { "store", "FILE", "record the results in this store; default brio.db; none: nowhere" },
    { "json", nil, "print the results as JSON" },
    cli.load,
  },
}

--- Parse --share K/N.  Return k and n; nil on errors (printed), or if absent.
local function read_share(args)
  if not args.share then return nil, true end
  local k, n = args.share:match "^(%d+)/(%d+)$"
  k, n = math.tointeger(tonumber(k)), math.tointeger(tonumber(n))
  if k and n and k >= 1 and k <= n then return { k = k, n = n }, true end
  return cli.error("--share must be K/N with K from 1 to N, not '%s'", args.share), false
end

--- Parse --only RUNS.  Return the numbers in order; false if there is none; nil on errors (printed).
local function read_only(args, times)
  if not args.only then return false end
  local list = require("brio.trials.batch.ranges").read(args.only, times)
  if list then return list end
  return cli.error("--only must be numbers of runs from 1 to %d, as 1-20,35, not '%s'", times, args.only)
end

--- The number of cores, limited.
local function cores() return math.max(1, math.min(8, #(require("luv").cpu_info() or { 1 }))) end

local function read_options(args)
  local read, jobs = common.read(args), cli.whole(args, "jobs", 1, 64, cores())
  local share, right = read_share(args)
  if not (read and jobs and right) then return nil end
  read.only = read_only(args, read.times)
  if read.only == nil then return nil end
  read.jobs, read.share = math.min(jobs, read.times), share
  return read
end

-- Processes -------------------------------------------------------------------------------------------------
--- Do some runs in this process: print a line for each.
local function do_runs(repeated, options, numbers)
  local lines = require "brio.trials.batch.results"
  for _, number in ipairs(numbers) do
    local result, why = repeated:run(number)
    if not result then return nil, why end
    io.stdout:write(lines.line(result), "\n")
    io.stdout:flush()
    if options.until_failure and result.outcome ~= "success" then return true end
    collectgarbage() -- a run leaves much garbage
  end
  return true
end

--- The runs of a share.
local function numbers_of(share, times)
  local list = {}
  for number = share.k, times, share.n do list[#list + 1] = number end
  return list
end

--- The words that start process `k` of those that share the work.
local function words_of(args, options, k)
  local words = common.words(args, options)
  words[#words + 1], words[#words + 2] = "--share", ("%d/%d"):format(k, options.jobs)
  return words
end

--- Split the output of a pipe into lines.
local function by_lines(take)
  local rest = ""
  return function(_, bytes)
    rest = rest .. (bytes or "")
    for line in rest:gmatch "([^\n]*)\n" do take(line) end
    rest = rest:match "[^\n]*$"
  end
end

--- Start process k; `take` gets its results.  Return it, or nil and a sentence.
local function start(args, options, k, take)
  local uv, one = require "luv", { k = k }
  local pipe = uv.new_pipe(false)
  one.process = uv.spawn(uv.exepath(), { args = words_of(args, options, k), stdio = { nil, pipe, 2 } },
    function(code, signal)
    one.code, one.signal = code, signal
  end)
  if not one.process then return nil, "a process to share the work cannot be started" end
  pipe:read_start(by_lines(function(line)
    local result = require("brio.trials.batch.results").read(line)
    if result then take(result) end
  end))
  one.pipe = pipe
  return one
end

--- The number of the first run that did not succeed, once all before it are known; nil: unknown yet.
local function first_failure(results, times)
  for number = 1, times do
    if not results[number] then return nil end
    if results[number].outcome ~= "success" then return number end
  end
end

local function show_progress(count, options)
  if require("luv").guess_handle(2) == "tty" then
    output.draw(("\r\27[K%d of %d"):format(count, options.times), true)
  end
end

--- Do all runs in several processes.  Return results by number, or nil and a sentence.
local function by_processes(args, options)
  local uv, results, count, list = require "luv", {}, 0, {}
  local found
  local function take(result)
    results[result.run], count = result, count + 1
    show_progress(count, options)
    found = found or options.until_failure and first_failure(results, options.times)
  end
  local why
  for k = 1, options.jobs do
    list[k], why = start(args, options, k, take)
    if not list[k] then break end
  end
  local function working()
    for _, one in ipairs(list) do
      if not one.code or not one.pipe:is_closing() and one.pipe:is_active() then return true end
    end
  end
  while not why and not found and working() do uv.run "once" end
  for _, one in ipairs(list) do
    if not one.code then one.process:kill "sigkill" end
    if not found and one.code and one.code ~= 0 then
      why = "a process that shares the work failed: see above"
    end
  end
  cli.close_handles()
  if why then return nil, why end
  return results
end

--- Do all runs in this process.
local function by_itself(repeated, options)
  local results = {}
  for number = 1, options.times do
    local result, why = repeated:run(number)
    if not result then return nil, why end
    results[number], result.compiled = result, nil
    show_progress(number, options)
    if options.until_failure and result.outcome ~= "success" then break end
    collectgarbage() -- a run leaves much garbage
  end
  return results
end

-- The end --------------------------------------------------------------------------------------------------

local function finish(args, repeated, options, found)
  local results, report = require "brio.trials.batch.results", require "brio.commands.repeat.report"
  local list = results.in_a_row(found, options)
  local summary, about = results.counted(repeated, list)
  if not summary then return nil, about end
  local failed
  for _, result in ipairs(list) do failed = failed or result.outcome ~= "success" and result or nil end
  if args.store ~= "none" then
    local id, why = results.keep(args.store or "brio.db", repeated, options, list, summary, about)
    if not id then return nil, why end
    summary["repeat"] = id
  end
  if args.json then
    summary.state, summary.robot, summary.first_failure = about.state, about.robot, failed and failed.run
    summary.again = failed and report.again(args, options, failed.run)
    print(require("brio.store").json(summary))
  else
    report.summary(args, options, summary, about)
    if failed then report.failure(args, options, failed) end
  end
  cli.say_recorded("repeat", summary["repeat"], args.store or "brio.db")
  return failed and options.until_failure and 3 or 0
end

function command.run(args)
  if #args ~= 1 then
    cli.error("repeat expects one file: %s", command.usage)
    return 2
  end
  local options = read_options(args)
  if not options then return 2 end
  options.file, options.sources = require("brio.trials.carrier").behavior(args[1], args.robot)
  options.excuse = options.sources ~= nil
  local repeated, why, faults = require("brio.trials.repetition").new(options)
  if not repeated then
    cli.error("%s", why)
    return faults and 3 or 1
  end
  if options.share then
    return cli.finish(do_runs(repeated, options, numbers_of(options.share, options.times)))
  elseif options.only then
    io.stdout:write(require("brio.trials.batch.build").line(repeated), "\n")
    return cli.finish(do_runs(repeated, options, options.only))
  end
  local results, sentence = (options.jobs > 1 and by_processes or by_itself)(options.jobs > 1 and args
    or repeated, options)
  if require("luv").guess_handle(2) == "tty" then output.draw("\r\27[K", true) end
  local code
  if results then code, sentence = finish(args, repeated, options, results) end
  if not code then cli.error("%s", sentence) end
  return code or 1
end

return command
