--- `brio history`: which runs there were, and what happened in one of them.
local cli, columns = require "brio.cli", require "brio.columns"
local store, tell = require "brio.store", require "brio.history"
local suggest = require "brio.suggest"

local history = {
  name = "history",
  summary = "list the runs of a store and tell what happened in one",
  usage = "brio history [versions | tree [FILE] | diff A B] [options]",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "run", "N|last", "tell of this run only; default: list all, tell of the last" },
    { "of", "SET", "list these runs only: 1-20, last 5, behavior=kiosk,outcome=failed (see `brio compare --help`)" },
    { "json", nil, "print JSON" },
  },
}

local listed = {
  "run", "started_at", "behavior", "robot", "seed", "clock", "outcome", "duration",
  "states", "events", "faults",
}

--- What `brio history` prints: {runs, run, story}, or nil and a sentence.  `of`: which runs are meant; nil: all.
local function look(db, number, of)
  local runs, why, story, run
  if not number then
    runs, why = tell.runs(db, of)
    if not runs then return nil, why end
  end
  run, why = tell.run(db, number or runs[#runs] and runs[#runs].run)
  if not run then return nil, why end
  story, why = tell.story(db, run.run)
  if not story then return nil, why end
  return { runs = runs, run = run, story = store.array(story) }
end

local function print_story(db, number, args)
  local json, of, fault = args.json, nil, nil
  if args.of then of, fault = require("brio.finding.sets").runs(db, args.of) end
  if fault then return nil, fault end
  local found, why = look(db, number, of)
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
  local lineage = require "brio.finding.lineage"
  local files, why = lineage.of(db, args[2])
  if not files then return nil, why end
  if #files == 0 then return nil, args[2] and ("no version of %s is in the store"):format(args[2]) or "no version is in"
    .. " the store" end
  print(args.json and store.json(files) or table.concat(lineage.lines(files), "\n"))
  return true
end

local function print_versions(db, number, args)
  local json = args.json
  if number == "last" then
    local run, why = tell.run(db)
    if not run then return nil, why end
    number = run.run
  end
  local rows, names = tell.versions(db, number)
  if not rows then return nil, names end
  print(json and store.json(rows) or columns.text(names, rows))
  return true
end

local function read_number(text)
  if text == nil or text == "last" then return text end
  return math.tointeger(tonumber(text)) or false
end

--- What else than runs can be told: how many words follow, and how.
local words = { versions = { 0, print_versions }, tree = { 1, print_tree } }

function history.run(args)
  local number, what = read_number(args.run), args[1]
  local word = what and words[what]
  if what == "diff" then return require("brio.commands.diff").run { args[2], args[3], args[4], store = args.store } end
  if number == false then
    cli.error("--run must be the number of a run or 'last', not '%s'", args.run)
    return 2
  elseif what and not word then
    cli.error("history has no word '%s'%s: %s", what, suggest.hint(what, { "versions", "tree", "diff" }), history.usage)
    return 2
  elseif #args > 1 + (word and word[1] or 0) then
    cli.error("history takes no more words, and '%s' is one: %s", args[#args], history.usage)
    return 2
  end
  local db = cli.open_store(args)
  if not db then return 1 end
  local good, why = (word and word[2] or print_story)(db, number, args)
  db:close()
  if not good then cli.error("%s", why) end
  return good and 0 or 1
end

return history
