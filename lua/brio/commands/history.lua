--- `brio history`: lists runs, and the events of one of them.
local cli, columns = require "brio.terminal.cli", require "brio.lib.columns"
local store, tell = require "brio.store", require "brio.record.history"
local stored, suggest = require "brio.runs.stored", require "brio.lib.suggest"

local history = {
  name = "history",
  summary = "list the runs of a store, and report what happened in one",
  usage = "brio history [RUN | versions | tree [FILE] | diff A B] [options]",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "run", "RUN", "report this run only (see docs/analysis/runs.md), like RUN alone; default: list all, \z
      report the last one" },
    { "of", "SET", "list these runs only: 1-20, last 5, FILE#1-20, behavior=kiosk,outcome=failed (see \z
      docs/analysis/finding.md)" },
    { "json", nil, "print JSON" },
  },
}

local listed = {
  "run", "started_at", "behavior", "robot", "seed", "clock", "outcome", "duration",
  "states", "events", "faults",
}

--- Output of `brio history`: {runs, run, story}, or nil and a sentence.  `word`: the run; nil: the newest,
--- after a list of those in `of` (nil: all).
local function look(db, word, of)
  local runs, why, story, run
  if not word then
    runs, why = tell.runs(db, of)
    if not runs then return nil, why end
    word = runs[#runs] and tostring(runs[#runs].run)
  end
  run, why = stored.row(db, word)
  if not run then return nil, why end
  story, why = tell.story(db, run.run)
  if not story then return nil, why end
  return { runs = runs, run = run, story = store.array(story) }
end

local function print_story(db, word, args)
  local json, of, fault = args.json, nil, nil
  if args.of then of, fault = require("brio.analysis.run_sets").runs(db, args.of) end
  if fault then return nil, fault end
  local found, why = look(db, word, of)
  if not found then return nil, why end
  if json then
    print(store.json(found))
    return true
  end
  if found.runs then print(columns.text(listed, found.runs) .. "\n") end
  print(tell.summary(found.run))
  for _, item in ipairs(found.story) do print(tell.line(item)) end
  return true
end

--- The versions as trees.
local function print_tree(db, _, args)
  local lineage = require "brio.analysis.lineage"
  local files, why = lineage.of(db, args[2])
  if not files then return nil, why end
  if #files == 0 then return nil, args[2] and ("no version of %s is in the store"):format(args[2])
      or "no version is in"
    .. " the store" end
  print(args.json and store.json(files) or table.concat(lineage.lines(files), "\n"))
  return true
end

local function print_versions(db, word, args)
  local run, why, number
  if word then
    run, why = stored.row(db, word)
    if not run then return nil, why end
    number = run.run
  end
  local rows, names = tell.versions(db, number)
  if not rows then return nil, names end
  print(args.json and store.json(rows) or columns.text(names, rows))
  return true
end

--- Other subjects than runs: their number of arguments, and their output.
local words = { versions = { 0, print_versions }, tree = { 1, print_tree } }

function history.run(args)
  local what = args[1]
  local word = what and words[what]
  if what == "diff" then
    return require("brio.commands.diff").run { args[2], args[3], args[4], store = args.store }
  end
  if what and not word then
    local hint = suggest.hint(what, { "versions", "tree", "diff" })
    if hint ~= "" or args.run then
      cli.error("history has no word '%s'%s: %s", what, hint, history.usage)
      return 2
    end
    args.run = what
  end
  if #args > 1 + (word and word[1] or 0) then
    cli.error("history: unexpected argument '%s': %s", args[#args], history.usage)
    return 2
  end
  local texts = { args.run, args.run and args.of }
  if not args.run then texts[1] = args.of end
  local path, rest = stored.places(texts, args.store)
  if not path then return cli.finish(nil, rest) end
  local number = args.run and (rest[1] or "last")
  args.of = args.of and (rest[#texts] or "last")
  local db = cli.open_store { store = path }
  if not db then return 1 end
  local good, why = (word and word[2] or print_story)(db, number, args)
  db:close()
  if not good then cli.error("%s", why) end
  return good and 0 or 1
end

return history
