--- `brio repeat`: repeated runs of a behavior's tree on the simulator, with statistics of every leaf.
local cli = require "brio.terminal.cli"
local output = require "brio.terminal.output"

local command = {
  name = "repeat",
  summary = "run a behavior's tree again and again on the simulator: how often each leaf and the whole \z
    succeed",
  usage = "brio repeat FILE [options]     (for example --times 100 --until-failure)",
  options = {
    { "times", "N", "number of runs; default 100" },
    { "until-failure", nil, "stop at the first run that does not succeed, and print how to repeat it" },
    { "vary", "NAME=VALUES", "draw a value for each run: LO..HI or A,B,C of a parameter to tune, or of \z
      memory.NAME, tree.NODE.FIELD, world.ID.x, set.NAME; can be repeated", many = true },
    { "leaf", "NAME=RATE[,S]", "replace a leaf: it succeeds at random with this rate, as 90%, after this \z
      many seconds; can be repeated", many = true },
    { "tree", "STATE|NODE", "the tree, or a node of it; default: that of the start state" },
    { "seed", "N", "seed of the first run; it increases by 1; default 1" },
    { "for", "SECONDS", "maximum duration of a tree, in robot time; default 600" },
    { "jobs", "N", "number of processes; default: one for each core, at most 8" },
    { "share", "K/N", "only do every N-th run, from the K-th on, and print a line of JSON for each" },
    { "robot", "R", "a robot that ships, or any URDF or MJCF; default: the behavior's robot" },
    { "store", "FILE", "record the results in this store; default brio.db; none: nowhere" },
    { "json", nil, "print the results as JSON" },
    cli.load,
  },
}

--- Parse --leaf NAME=RATE[,SECONDS] into a script (see trials/rehearsal.lua).  Return whether it is valid;
--- errors are printed.
local function read_leaf(text, leaves)
  local name, rate, percent, seconds = text:match "^(.-)=([%d%.]+)(%%?),?([%d%.]*)s?$"
  rate, seconds = tonumber(rate), tonumber(seconds)
  if rate and percent == "%" then rate = rate / 100 end
  if not (rate and rate <= 1 and name ~= "") then
    return cli.error("--leaf expects NAME=RATE or NAME=RATE,SECONDS with a rate as 0.9 or 90%%, not '%s'",
      text)
  end
  leaves[name] = { rate = rate, seconds = seconds,
    why = ("it fails by chance, %g %% of the time"):format(100 - 100 * rate) }
  return true
end

--- Parse --share K/N.  Return k and n; nil on errors (printed), or if absent.
local function read_share(args)
  if not args.share then return nil, true end
  local k, n = args.share:match "^(%d+)/(%d+)$"
  k, n = math.tointeger(tonumber(k)), math.tointeger(tonumber(n))
  if k and n and k >= 1 and k <= n then return { k = k, n = n }, true end
  return cli.error("--share must be K/N with K from 1 to N, not '%s'", args.share), false
end

--- The number of cores, limited.
local function cores() return math.max(1, math.min(8, #(require("luv").cpu_info() or { 1 }))) end

local function read_options(args)
  local times, jobs = cli.whole(args, "times", 1, 1e6, 100), cli.whole(args, "jobs", 1, 64, cores())
  local seed, seconds = cli.whole(args, "seed", 0, 2 ^ 53, 1), cli.number(args, "for", 0.01, 1e6, 600)
  local share, right = read_share(args)
  if not (times and jobs and seed and seconds and right) then return nil end
  local leaves = {}
  for _, text in ipairs(args.leaf or {}) do
    if not read_leaf(text, leaves) then return nil end
  end
  return {
    file = args[1], times = times, jobs = math.min(jobs, times), seed = seed, seconds = seconds,
      share = share, leaves = leaves,
    vary = args.vary or {}, tree = args.tree, robot = args.robot, load = args.load,
      until_failure = args["until-failure"],
  }
end

-- Processes -------------------------------------------------------------------------------------------------

--- A result as a line for another process.
local function line_of(result)
  local executions = {}
  for index, one in ipairs(result.executions) do
    executions[index] = { one.node, one.started, one.ended, one.status, one.times, one.why }
  end
  local array = require("brio.store").array
  return require("brio.store").json { run = result.run, seed = result.seed, values = result.values,
    outcome = result.outcome,
    node = result.node, why = result.why, seconds = result.seconds, state = result.state,
      executions = array(executions) }
end

local function result_of(line)
  local good, result = pcall(require("cjson").decode, line)
  if not good then return nil end
  for index, one in ipairs(result.executions) do
    result.executions[index] = { node = math.tointeger(one[1]), started = one[2], ended = one[3],
      status = one[4], times = math.tointeger(one[5]), why = one[6] }
  end
  result.run = math.tointeger(result.run)
  return result
end

--- Do the share of this process: print a line for each run.
local function do_share(repeated, options)
  for number = options.share.k, options.times, options.share.n do
    local result, why = repeated:run(number)
    if not result then return nil, why end
    io.stdout:write(line_of(result), "\n")
    io.stdout:flush()
    if options.until_failure and result.outcome ~= "success" then return true end
    collectgarbage() -- a run leaves much garbage
  end
  return true
end

--- The words that start process `k` of those that share the work.
local function words_of(args, options, k)
  local words = { "repeat", args[1], "--share", ("%d/%d"):format(k, options.jobs), "--times",
    tostring(options.times),
    "--seed", tostring(options.seed), "--for", tostring(options.seconds) }
  for _, name in ipairs { "tree", "robot" } do
    if args[name] then words[#words + 1], words[#words + 2] = "--" .. name, args[name] end
  end
  for _, name in ipairs { "vary", "leaf", "load" } do
    for _, value in ipairs(args[name] or {}) do words[#words + 1], words[#words + 2] = "--" .. name, value end
  end
  if options.until_failure then words[#words + 1] = "--until-failure" end
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
    local result = result_of(line)
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

-- Telling ---------------------------------------------------------------------------------------------------

local function percent(rate) return rate and ("%.1f %%"):format(100 * rate) or "" end

local function between(low, high) return low and ("%.1f to %.1f %%"):format(100 * low, 100 * high) or "" end

--- The printed row of a leaf.
local function row_of(node)
  local name = node.name ~= node.kind and node.name or node.kind
  local length = utf8.len(name) or #name
  if length > 26 then name = name:sub(1, (utf8.offset(name, 26) or 26) - 1) .. "…" end
  return { n = ("%3d"):format(node.node), leaf = name, runs = ("%5d"):format(node.runs),
    succeeded = ("%9s"):format(percent(node.rate)),
    ["95 % interval"] = ("%15s"):format(between(node.low, node.high)),
    ["p50 s"] = node.p50 and ("%5.2f"):format(node.p50) or "",
      ["p95 s"] = node.p95 and ("%5.2f"):format(node.p95) or "" }
end

local heads = { "n", "leaf", "runs", "succeeded", "95 % interval", "p50 s", "p95 s" }

--- The command that repeats one run.
local function again(args, options, number)
  local words = { "brio repeat", args[1], "--times 1 --seed", tostring(options.seed + number - 1) }
  for _, name in ipairs { "tree", "robot", "for" } do
    if args[name] then words[#words + 1] = ("--%s '%s'"):format(name, args[name]) end
  end
  for _, name in ipairs { "vary", "leaf", "load" } do
    for _, value in ipairs(args[name] or {}) do words[#words + 1] = ("--%s '%s'"):format(name, value) end
  end
  return table.concat(words, " ")
end

local function values_text(values)
  local words = {}
  for _, name in ipairs(require("brio.lib.suggest").keys(values)) do
    words[#words + 1] = type(values[name]) == "number" and ("%s %.4g"):format(name, values[name])
      or name .. " " .. tostring(values[name])
  end
  return #words > 0 and ", " .. table.concat(words, ", ") or ""
end

--- The sentence on the first run that did not succeed.
local function tell_failure(args, options, result)
  local where = result.node and (" at '%s'"):format(result.node) or ""
  print(("\nrun %d (seed %d%s): %s%s after %.2f s: %s\nagain: %s"):format(result.run, result.seed,
    values_text(result.values),
    result.outcome, where, result.seconds or 0, result.why or "without a reason",
      again(args, options, result.run)))
end

--- Leaves that cannot fail, and have no interesting statistics.
local sure = { ["goto"] = true, checkpoint = true, succeed = true }

local function tell(args, options, summary, about)
  print(("%s, state %s%s on %s: %d run%s, seeds %d to %d\n"):format(args[1]:match "[^/]*$", about.state,
    about.node and (", from '%s'"):format(about.node) or "", about.robot, summary.runs,
      summary.runs == 1 and "" or "s",
    options.seed, options.seed + summary.runs - 1))
  local rows = {}
  for _, node in ipairs(summary.nodes) do
    if node.leaf and not sure[node.kind] and (node.runs > 0 or node.stopped > 0) then
      rows[#rows + 1] = row_of(node)
    end
  end
  print(require("brio.lib.columns").text(heads, rows))
  for _, node in ipairs(summary.nodes) do
    for _, reason in ipairs(node.leaf and node.why or {}) do
      print(("%6d x '%s': %s"):format(reason.times, node.name, reason.why))
    end
  end
  print(("\nthe whole: %d of %d succeeded, %s (%s); its leaves predict %s"):format(summary.successes,
    summary.runs, percent(summary.rate), between(summary.low, summary.high), percent(summary.predicted)))
  if summary.p50 then print(("it takes %.2f s (p50), %.2f s (p95)"):format(summary.p50, summary.p95)) end
  if summary.alike then
    print(#options.vary > 0 and "all runs went alike, whatever was varied"
      or "all runs went alike: nothing in them is random, and nothing was varied (see --vary)")
  end
end

-- Keeping ---------------------------------------------------------------------------------------------------

--- Store all results.  Return the repeat's number, or nil and a sentence.
local function keep(args, repeated, options, results, summary, about)
  local store = require "brio.store"
  local file, why = require("brio.forms").open(args.store or "brio.db")
  if not file then return nil, why end
  local nodes, scripted = {}, next(options.leaves) and options.leaves or nil
  for number, record in ipairs(about.compiled.list) do
    nodes[number] = { record.is, record.name, record.parent }
  end
  local id
  id, why = file:put("repeats", { behavior = args[1],
    version = store.hash(repeated.loaded.sources[args[1]] or ""),
    robot = about.robot, state = about.state, node = repeated.node, seed = options.seed,
      times = options.times,
    until_failure = options.until_failure or false,
      varied = store.json(store.array { table.unpack(options.vary) }),
    scripted = scripted and store.json(scripted), nodes = store.json(nodes), predicted = summary.predicted,
    engine_version = require "brio.version" })
  local runs, executions = {}, {}
  for index, result in ipairs(id and results or {}) do
    runs[index] = { ["repeat"] = id, run = result.run, seed = result.seed, outcome = result.outcome,
      node = result.node,
      varied = next(result.values) and store.json(result.values), why = result.why, seconds = result.seconds }
    for place, one in ipairs(result.executions) do
      executions[#executions + 1] = { ["repeat"] = id, run = result.run, id = place, node = one.node,
        started = one.started, ended = one.ended, status = one.status, why = one.why, times = one.times }
    end
  end
  local good = id
  if good and #executions > 0 then good, why = file:put("repeat_executions", executions) end
  if good then good, why = file:put("repeat_runs", runs) end
  file:close()
  return good and id, why
end

--- Count results up to the first missing one.  Return the tally's summary and its subject, or nil and a
--- sentence.
local function counted(repeated, results)
  local state = repeated.state
  for _, result in ipairs(results) do state = state or result.state end
  local compiled = repeated:tree_of(state)
  if not compiled then return nil, results[1] and results[1].why or "no tree began" end
  local tally = require("brio.trials.tally").new(compiled)
  for _, result in ipairs(results) do
    if result.state and result.state ~= state then
      return nil, ("run %d began with the tree of %s, others with that of %s: say --tree"):format(result.run,
        result.state, state)
    end
    tally:add(result)
  end
  return tally:summary(), { state = state, compiled = compiled, robot = repeated:robot(),
    node = repeated.node and compiled.list[1].name }
end

--- The results from the first on, without a gap; with --until-failure up to the first failure.
local function in_a_row(results, options)
  local list = {}
  for number = 1, options.times do
    if not results[number] then break end
    list[number] = results[number]
    if options.until_failure and results[number].outcome ~= "success" then break end
  end
  return list
end

local function finish(args, repeated, options, results)
  results = in_a_row(results, options)
  local summary, about = counted(repeated, results)
  if not summary then return nil, about end
  local failed
  for _, result in ipairs(results) do failed = failed or result.outcome ~= "success" and result or nil end
  if args.store ~= "none" then
    local id, why = keep(args, repeated, options, results, summary, about)
    if not id then return nil, why end
    summary["repeat"] = id
  end
  if args.json then
    summary.state, summary.robot, summary.first_failure = about.state, about.robot, failed and failed.run
    summary.again = failed and again(args, options, failed.run)
    print(require("brio.store").json(summary))
  else
    tell(args, options, summary, about)
    if failed then tell_failure(args, options, failed) end
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
  if options.share then return cli.finish(do_share(repeated, options)) end
  local results, sentence = (options.jobs > 1 and by_processes or by_itself)(options.jobs > 1 and args
    or repeated, options)
  if require("luv").guess_handle(2) == "tty" then output.draw("\r\27[K", true) end
  local code
  if results then code, sentence = finish(args, repeated, options, results) end
  if not code then cli.error("%s", sentence) end
  return code or 1
end

return command
