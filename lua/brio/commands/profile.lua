--- `brio profile`: measures the time of a tick by parts.
local cli = require "brio.terminal.cli"

local profile = {
  name = "profile",
  summary = "where the time of a tick goes: by stage, and by function of the behavior",
  usage = "brio profile FILE.lua [options]",
  options = {
    { "robot", "R", "a robot that ships, or any URDF or MJCF; default: the behavior's robot" },
    { "for", "SECONDS", "duration; default 20" },
    { "clock", "fast|real", "real: in real time; default fast" },
    { "seed", "N", "seed of all random numbers; default 0" },
    { "world", "FILE", "people and objects of the simulated world; default: the behavior's world" },
    { "store", "FILE", "record the run in this SQLite file; default: record nothing" },
    { "json", nil, "print it all as JSON" },
    cli.load,
  },
}

local function read_options(args)
  local seconds, seed = cli.number(args, "for", 0.001, 1e6, 20), cli.seed(args)
  if not (seconds and seed and cli.clock_is_known(args)) then return nil end
  return {
    file = args[1], robot = args.robot, seconds = seconds, clock = args.clock or "fast", seed = seed,
      world = args.world,
    store = args.store, load = args.load, reload = false,
    say = require("brio.terminal.attach.log_line").writer "warning",
  }
end

local function percent(part, whole) return whole > 0 and 100 * part / whole or 0 end

--- All measurements, in us and percent of the CPU time of all stages.
local function results_of(current, watched, report)
  local array, total_ms, own, scripts = require("brio.store").array, 0, 0, nil
  local functions, objectives, script_stages = array {}, array {}, array {}
  for _, stage in ipairs(report.stages) do total_ms = total_ms + stage.total_ms end
  for _, stage in ipairs(report.stages) do
    stage.share_percent = percent(stage.total_ms, total_ms)
    if stage.name == "scripts" then scripts = stage end
  end
  local function times_of(row)
    return { calls = row.calls, mean_us = row.total / row.calls * 1e6, max_us = row.most * 1e6,
      share_percent = percent(row.total * 1000, total_ms) }
  end
  for index, row in ipairs(watched:stages()) do
    script_stages[index] = times_of(row)
    script_stages[index].name = row.name
  end
  for index, row in ipairs(watched:functions()) do
    own = own + row.total * 1000
    functions[index] = times_of(row)
    functions[index].state, functions[index].name = row.state, row.kind
  end
  for index, row in ipairs(watched:objectives()) do
    objectives[index] = { kind = row.kind, active_mean = row.mean, active_max = row.most }
  end
  return {
    behavior = current.loaded.file, robot = current.description.name, seconds = report.time,
      ticks = report.ticks,
    cpu_ms = total_ms, tick_p50_us = report.tick_p50_us, tick_p99_us = report.tick_p99_us,
      stages = report.stages,
    functions_percent = percent(own, total_ms), around_percent = percent(scripts.total_ms - own, total_ms),
    script_stages = script_stages, functions = functions, objectives = objectives,
  }
end

--- A text as a column of `width` characters; one that is longer is cut.
local function column(text, width)
  text = require("brio.lib.columns").cell(text)
  local length = utf8.len(text)
  if not length then return text:sub(1, width) .. (" "):rep(width - #text) end
  if length > width then return text:sub(1, utf8.offset(text, width) - 1) .. "…" end
  return text .. (" "):rep(width - length)
end

--- The parts of the output, in their order: a title, the headings of the columns, and the cells of a row. The
--- first column is text, the others are numbers; `formats` has one for each of these.
local parts = {
  { list = "stages", width = 38, heads = { "stage", "p50 us", "p99 us", "most us", "share" },
    formats = { "%10.1f", "%10.1f", "%10.1f", "%8.1f %%" },
    cells = function(row) return row.name, row.p50_us, row.p99_us, row.max_us, row.share_percent end },
  { list = "script_stages", width = 38, heads = { "stage of the scripts", "calls", "mean us", "most us",
    "share" }, formats = { "%10d", "%10.1f", "%10.1f", "%8.1f %%" },
    cells = function(row) return row.name, row.calls, row.mean_us, row.max_us, row.share_percent end },
  { list = "functions", width = 38, heads = { "function of the behavior", "calls", "mean us", "most us",
    "share" }, formats = { "%10d", "%10.1f", "%10.1f", "%8.1f %%" },
    cells = function(row) return row.state .. ": " .. row.name, row.calls, row.mean_us, row.max_us,
      row.share_percent end },
  { list = "objectives", width = 38, heads = { "objective", "mean", "most" }, formats = { "%10.1f", "%10d" },
    cells = function(row) return row.kind, row.active_mean, row.active_max end },
}

local function head_of(part)
  local heads = { column(part.heads[1], part.width) }
  for index = 2, #part.heads do heads[index] = ("%10s"):format(part.heads[index]) end
  return table.concat(heads)
end

local function print_part(part, rows)
  print("\n" .. head_of(part))
  for _, row in ipairs(rows) do
    local cells = { part.cells(row) }
    cells[1] = column(cells[1], part.width)
    for index, form in ipairs(part.formats) do cells[index + 1] = form:format(cells[index + 1]) end
    print(table.concat(cells))
  end
end

local function print_results(results)
  print(("%s on %s: %.1f s, %d ticks, CPU time of a tick %.0f us (p99 %.0f us)"):format(
    results.behavior:match("[^/]*$"),
    results.robot, results.seconds, results.ticks, results.tick_p50_us, results.tick_p99_us))
  for _, part in ipairs(parts) do print_part(part, results[part.list]) end
  print(("\nShares are of the CPU time of all stages. Scripts: %.1f %% in the behavior's own\n"
    .. "functions, %.1f %% in brio around them. The solver works on all objectives\n"
    .. "together: of them is shown how many were active."):format(results.functions_percent,
      results.around_percent))
end

function profile.run(args)
  if #args ~= 1 then
    cli.error("profile expects one file: %s", profile.usage)
    return 2
  end
  local options = read_options(args)
  if not options then return 2 end
  local current, code = cli.open_run(options)
  if not current then return code end
  local watched = require("brio.analysis.profiler").watch(current.host)
  local went, fault = current:go(options.seconds)
  local results = results_of(current, watched, current.engine:report())
  local outcome, lost = current:close()
  if args.json then print(require("brio.store").json(results)) else print_results(results) end
  cli.say_recorded("run", current.run_number, args.store, lost)
  if not went or lost then
    cli.error("%s", fault or lost)
    return 1
  end
  return outcome == "failed" and 3 or 0
end

return profile
