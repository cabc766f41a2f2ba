--- `brio history`: which runs there were, and what happened in one of them.
local cli, columns = require "brio.cli", require "brio.columns"
local store, tell = require "brio.store", require "brio.history"

local history = {
  name = "history",
  summary = "list the runs of a store and tell what happened in one",
  usage = "brio history [versions] [options]",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "run", "N|last", "tell of this run only; default: list all, tell of the last" },
    { "json", nil, "print JSON" },
  },
}

local listed = {
  "run", "started_at", "behavior", "robot", "seed", "clock", "outcome", "duration",
  "states", "events", "faults",
}

--- What `brio history` prints: {runs, run, story}, or nil and a sentence.
local function look(db, number)
  local run, why = tell.run(db, number)
  if not run then return nil, why end
  local runs, story
  if not number then
    runs, why = tell.runs(db)
    if not runs then return nil, why end
  end
  story, why = tell.story(db, run.run)
  if not story then return nil, why end
  return { runs = runs, run = run, story = store.array(story) }
end

local function print_story(db, number, json)
  local found, why = look(db, number)
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

local function print_versions(db, number, json)
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

function history.run(args)
  local number, what = read_number(args.run), args[1]
  if number == false then
    cli.error("--run must be the number of a run or 'last', not '%s'", args.run)
    return 2
  elseif #args > 1 or (what and what ~= "versions") then
    cli.error("history takes no word but 'versions', not '%s': %s", args[#args], history.usage)
    return 2
  end
  local db, why = store.open(args.store or "brio.db")
  if not db then
    cli.error("%s", why)
    return 1
  end
  local good
  good, why = (what and print_versions or print_story)(db, number, args.json)
  db:close()
  if not good then cli.error("%s", why) end
  return good and 0 or 1
end

return history
