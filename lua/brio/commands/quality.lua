--- `brio quality`: measures a run's motion for each DOF, or compares sets of motions (commands/quality/sets).
local cli, columns = require "brio.terminal.cli", require "brio.lib.columns"
local measures, series = require "brio.motion.measures", require "brio.record.series"
local motions = require "brio.terminal.motion_files"
local set_command = require "brio.commands.quality.sets"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local command = {
  name = "quality",
  summary = "measure how smooth and how alive a motion is: a run's, a file's, or sets of them compared",
  usage = "brio quality [RUN|FILE] [options]     (RUN: see docs/analysis/runs.md; none: the newest)\n"
    .. "       brio quality --set A --set B [options]",
  options = motions.with_options {
    { "store", "FILE", "the run store; default: brio.db" },
    { "dof", "NAME", "this DOF only; can be repeated", many = true },
    { "of", "WHAT", "command, measured or goal; default: command" },
    { "from", "T", "from this second on" },
    { "to", "T", "until this second" },
    { "lag", "A,B", "also the delay of DOF B after DOF A" },
    set_command.options[1], set_command.options[2], set_command.options[3], set_command.options[4],
    set_command.options[5],
    { "json", nil, "print JSON" },
  },
}

local shown = {
  "dof", "unit", "range", "fastest", "movements", "sparc", "worst", "ldlj", "peak/mean", "before", "beyond",
    "slope",
}

local function short(value, format) return value and format:format(value) or "-" end

--- The printed form of a row.
local function printed(row)
  return { dof = row.name, unit = row.unit, range = short(row.amplitude, "%.3f"),
    fastest = short(row.fastest, "%.3f"), movements = row.movements,
    sparc = short(row.sparc, "%.2f"), worst = short(row.worst_sparc, "%.2f"),
    ldlj = short(row.ldlj, "%.1f"), ["peak/mean"] = short(row.peak_to_mean, "%.2f"),
    before = short(row.anticipation and 100 * row.anticipation, "%.0f%%"),
    beyond = short(row.overshoot and 100 * row.overshoot, "%.0f%%"), slope = short(row.slope, "%.1f") }
end

local legend = "range: from least to greatest; fastest: greatest speed; over movements, medians: sparc \z
  (minimum jerk -1.41, nearer to 0 is\n\z
  smoother), worst of them, ldlj (minimum jerk -5.3), peak speed over mean (linear 1, minimum jerk 1.9), \z
  how far it first goes\n\z
  back and beyond its end; slope: 1/f^slope of the spectrum, alive between 1 and 2."

local function chosen_dofs(all, names)
  if not names then return all end
  local known, out = {}, {}
  for _, dof in ipairs(all) do known[dof.name] = dof end
  for _, name in ipairs(names) do
    if not known[name] then
      return nil, ("the run has no DOF '%s'%s"):format(name, suggest.hint(name, suggest.keys(known)))
    end
    out[#out + 1] = known[name]
  end
  return out
end

--- Print, or add to the JSON, how one DOF follows another; `one_of(name)` returns its series.
local function tell_lag(options, one_of, rows)
  local first, second = options.lag:match "^([^,]+),([^,]+)$"
  if not first then return nil, "--lag expects two DOFs, as in --lag HeadYaw,HipRoll" end
  local a, why = one_of(first)
  local b, fault = one_of(second)
  if not (a and b) then return nil, why or fault or "nothing was kept of one of them" end
  local found = measures.pair(a, b)
  if options.json then
    rows.lag = { first = first, second = second, seconds = found.lag, power_ratio = found.power_ratio }
  else
    print(("%s follows %s by %s s, with %s of its power"):format(second, first, short(found.lag, "%.3f"),
      short(found.power_ratio, "%.2f")))
  end
  return true
end

--- Measure series and print the results.
local function tell(list, options, one_of, rows)
  local listed = {}
  rows.dofs = store.array {}
  for index, one in ipairs(list) do
    local row = measures.of(one)
    rows.dofs[index], listed[index] = row, printed(row)
  end
  if not options.json then print(columns.text(shown, listed) .. "\n\n" .. legend) end
  if options.lag then
    local good, sentence = tell_lag(options, one_of, rows)
    if not good then return nil, sentence end
  end
  if options.json then print(store.json(rows)) end
  return true
end

local function measure_run(db, run, options)
  local all, why = series.dofs(db, run)
  if not all then return nil, why end
  local dofs, fault = chosen_dofs(all, options.dofs)
  if not dofs then return nil, fault end
  local list = {}
  for _, dof in ipairs(dofs) do
    local one, sentence = series.of_run(db, run, dof, options.of, options.from, options.to)
    if sentence then return nil, sentence end
    list[#list + 1] = one
  end
  if #list == 0 then return nil, ("run %d kept no samples of that"):format(run) end
  return tell(list, options, function(name)
    local one, sentence = chosen_dofs(all, { name })
    if not one then return nil, sentence end
    return series.of_run(db, run, one[1], options.of, options.from, options.to)
  end, { run = run })
end

local function measure_file(path, args, options)
  local all, why = motions.series(path, args.robot, options.motion, 200)
  if not all then return nil, why end
  local list, fault = chosen_dofs(all, options.dofs)
  if not list then return nil, fault end
  return tell(list, options, function(name)
    local one, sentence = chosen_dofs(all, { name })
    return one and one[1], sentence
  end, { file = path })
end

local function read_options(args)
  local motion = motions.options(args)
  if not motion then return nil end
  local options = { motion = motion, dofs = args.dof, of = args.of or "command", lag = args.lag,
    json = args.json }
  if not series.is_kind(options.of) then
    return cli.error("--of must be command, measured or goal, not '%s'", options.of)
  end
  if not cli.read_span(args, options) then return nil end
  return options
end

function command.run(args)
  if args.set then return set_command.run(args) end
  local options = #args <= 1 and read_options(args)
  if not options then
    if #args > 1 then cli.error("quality expects a run or a file: %s", command.usage) end
    return 2
  end
  if motions.is_file(args[1], args) then return cli.finish(measure_file(args[1], args, options)) end
  return cli.finish(cli.with_run(args, args[1],
    function(db, run) return measure_run(db, run.run, options) end))
end

return command
