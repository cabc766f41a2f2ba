--- `brio prune`: removes runs, or only their samples, from a store.
local cli, columns, store = require "brio.terminal.cli", require "brio.lib.columns", require "brio.store"
local prune, sets = require "brio.analysis.upkeep.prune", require "brio.analysis.run_sets"

local command = {
  name = "prune",
  summary = "remove old runs, or only their samples, from a store; without --yes it only lists them",
  usage = "brio prune [options]     (for example --older 30 --keep 7,12 --samples)",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "runs", "SET", "these runs: 3,5-9, last 2, kiosk, FILE#3, behavior=kiosk (see \z
      docs/analysis/finding.md); default: all" },
    { "older", "DAYS", "only runs that began at least this many days ago" },
    { "to-size", "MB", "the oldest first, until the store has this size" },
    { "keep", "SET", "except these" },
    { "keep-last", "N", "except the newest N" },
    { "samples", nil, "only the samples of every tick (joints and solver)" },
    { "studied", nil, "also runs that annotations, questionnaires or study sessions are about" },
    { "yes", nil, "do it" },
    { "no-vacuum", nil, "keep the size of the file: its space is reused by the next runs" },
    { "json", nil, "print the list as JSON" },
  },
}

--- Read a non-negative number; nil: absent; false: invalid (printed).
local function read_number(text, option)
  if not text then return nil end
  local value = tonumber(text)
  if value and value >= 0 and value < math.huge then return value end
  cli.error("--%s expects a number from 0 on, not '%s'", option, text)
  return false
end

--- The request; nil on errors (printed).
local function read(args)
  local what = { samples = args.samples, studied = args.studied, done = args.yes,
    vacuum = not args["no-vacuum"] }
  what.older, what.keep_last = read_number(args.older, "older"), read_number(args["keep-last"], "keep-last")
  local size = read_number(args["to-size"], "to-size")
  for _, one in next, { what.older, what.keep_last, size } do
    if one == false then return nil end
  end
  what.to_size = size and size * 1e6
  if args.runs or what.older or what.to_size or what.keep_last then return what end
  return cli.error("prune expects --runs, --older, --keep-last or --to-size: which runs go")
end

--- The options that name runs.
local sets_said = { "runs", "keep" }

--- Read the runs of --runs and --keep into sets of numbers in `what`.  Return the store's path; nil and the
--- exit code on errors (printed).
local function read_runs(args, what)
  local texts, named = {}, {}
  for _, option in ipairs(sets_said) do
    if args[option] then texts[#texts + 1], named[#named + 1] = args[option], option end
  end
  local db, path, words = require("brio.runs.stored").open_sets(texts, args.store)
  if not db then return nil, cli.finish(nil, path) end
  local code
  for index, option in ipairs(named) do
    local list, why = sets.runs(db, words[index], true)
    if not list then
      cli.error("--%s: %s", option, why)
      code = 2
      break
    end
    what[option] = {}
    for _, number in ipairs(list) do what[option][number] = true end
  end
  db:close()
  return not code and path or nil, code
end

local function tell(report, what, path)
  local rows, gone = {}, 0
  for _, row in ipairs(report.runs) do
    rows[#rows + 1] = { run = row.run, started_at = row.started_at, behavior = row.behavior,
      MB = row.bytes and ("%.1f"):format(row.bytes / 1e6), stays = row.stays }
    if not row.stays then gone = gone + 1 end
  end
  if #rows == 0 then return print "no run matches" end
  print(columns.text({ "run", "started_at", "behavior", "MB", "stays" }, rows))
  print(("%s %d %s %s: %.1f MB of %.1f MB"):format(what.samples and "the samples of" or "in all", gone,
    gone == 1 and "run" or "runs", what.done and "went" or "would go", (report.before - report.after) / 1e6,
      report.before / 1e6))
  if not what.done then return print "nothing was done: --yes does it" end
  if report.vacuum == true then
    print(path .. " was rewritten without them (VACUUM)")
  elseif report.vacuum then
    print(("%s keeps its size, its room is used by the next runs: VACUUM failed: %s"):format(path,
      report.vacuum))
  else
    print(path .. " keeps its size: its room is used by the next runs")
  end
end

function command.run(args)
  local what = #args == 0 and read(args) or nil
  if not what then
    if #args > 0 then cli.error("prune takes options only: %s", command.usage) end
    return 2
  end
  local path, code = read_runs(args, what)
  if not path then return code end
  args.store = path
  local report, why = prune.store(path, what)
  if not report then
    cli.error("%s", why)
    return 1
  end
  if args.json then
    print(store.json(report))
  else
    tell(report, what, path)
  end
  return 0
end

return command
