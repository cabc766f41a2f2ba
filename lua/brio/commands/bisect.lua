--- `brio bisect`: finds the version of a file that broke something, by running versions on the simulator.
local cli, store = require "brio.terminal.cli", require "brio.store"

local command = {
  name = "bisect",
  summary = "find which version of a behavior broke something, by running versions again on the simulator",
  usage = "brio bisect FILE --criterion WHAT [options]     (for example --criterion \"EXISTS(SELECT 1 FROM \z
    states WHERE"
    .. " run = :run "
    .. "AND state = 'greet')\")",
  options = {
    { "criterion", "WHAT", "condition for a good run: SQL with :run for its number, or lua: and an \z
      expression" },
    { "test", "FILE", "instead: these tests must pass" },
    { "of", "FILE", "the file whose versions are tried, one that the behavior loads; default: the \z
      behavior itself" },
    { "store", "FILE", "the store with the versions; default: brio.db" },
    { "git", "RANGE", "take the versions from git: commits that changed the file, such as v1..HEAD" },
    { "version", "FILE", "a file as a version; repeat it, from the oldest to the newest",
      many = true },
    { "good", "HASH", "start with this version of the store; default: the oldest" },
    { "bad", "HASH", "end with this version; default: the newest" },
    { "for", "SECONDS", "duration of each run, in robot time; default 30" },
    { "times", "N", "number of runs of each version, with different seeds, for failures that are random; \z
      default 1" },
    { "least", "SHARE", "minimum share of good runs of a good version, as 0.8 or 80%; default: all" },
    { "seed", "N", "seed of the first run of each version; it increases by 1; default 1" },
    { "robot", "R", "default: what the behavior says" },
    { "world", "FILE", "default: what the behavior says" },
    { "record", "FILE", "record the tried runs in this store" },
    { "json", nil, "print JSON" },
    cli.load,
  },
}

-- Versions --------------------------------------------------------------------------------------------------

local function read_file(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text = file:read "a"
  file:close()
  if not text then return nil, path .. " cannot be read" end
  return text
end

local function from_files(paths)
  local list = {}
  for index, path in ipairs(paths) do
    local source, why = read_file(path)
    if not source then return nil, why end
    list[index] = { name = path, source = source, hash = store.hash(source) }
  end
  return list
end

--- The output of a program; nil and a sentence when it fails.
local function output_of(words)
  local pipe = io.popen(require("brio.lib.shell").line(words) .. " 2>&1", "r")
  if not pipe then return nil, words[1] .. " cannot be started" end
  local text = pipe:read "a"
  local good = pipe:close()
  if not good then return nil, ("%s: %s"):format(words[1], text:match "^[^\n]*") end
  return text
end

--- The versions in git: each commit of the range that changed the file, and the version before them.
local function from_git(range, file)
  local folder, name = file:match "^(.*)/([^/]*)$"
  folder, name = folder or ".", name or file
  if range:sub(1, 1) == "-" then return nil, "--git expects a range of commits, such as v1..HEAD" end
  local text, why = output_of { "git", "-C", folder, "log", "--reverse", "--format=%H %s", range, "--", name }
  if not text then return nil, why end
  local commits, list = {}, {}
  local first = range:match "^(.-)%.%."
  if first and first ~= "" then commits[1] = { first, first } end
  for commit, subject in text:gmatch "(%x+) ([^\n]*)" do commits[#commits + 1] = { commit, subject } end
  for _, one in ipairs(commits) do
    local source, fault = output_of { "git", "-C", folder, "show", one[1] .. ":./" .. name }
    if not source then return nil, fault end
    if not (list[#list] and list[#list].source == source) then
      list[#list + 1] = { name = one[1]:sub(1, 12) .. " " .. one[2], source = source,
        hash = store.hash(source) }
    end
  end
  return list
end

--- The part of a list from one hash to another.
local function cut(list, good, bad)
  local from, to = 1, #list
  for index, one in ipairs(list) do
    if good and one.hash:sub(1, #good) == good:lower() then from, good = index, nil end
    if bad and one.hash:sub(1, #bad) == bad:lower() then to, bad = index, nil end
  end
  if good or bad then return nil, ("no version '%s' is among the %d"):format(good or bad, #list) end
  if from > to then return nil, "the good version is younger than the bad one" end
  return table.move(list, from, to, 1, {})
end

local function from_store(args, file)
  local db, why = store.open(args.store or "brio.db")
  if not db then return nil, why end
  local list, fault = require("brio.analysis.bisect").versions(db, file)
  db:close()
  return list, fault
end

local function versions_of(args, file)
  local list, why
  if args.version then list, why = from_files(args.version)
  elseif args.git then list, why = from_git(args.git, file)
  else list, why = from_store(args, file) end
  if not list then return nil, why end
  if #list < 2 then return nil, ("there is but %d version of %s: nothing to search"):format(#list, file) end
  return cut(list, args.good, args.bad)
end

-- Trying ----------------------------------------------------------------------------------------------------

--- A warning if the version that ran was not the requested one.
local function not_loaded(options)
  return ("%s does not load %s under that name: nothing of it can be tried (worlds and robots cannot be \z
    varied)"):format(
    options.test or options.file, options.of)
end

--- Run a version once into a store.  Return its outcome, or nil and why it cannot run; raises errors that end
--- the search.
local function run_once(options, sources, seed, path)
  local run, why = require("brio.run.runner").new { file = options.file, sources = sources, clock = "fast",
    seed = seed, store = path,
    robot = options.robot, world = options.world, load = options.load }
  if not run then return nil, why end
  local is_used = run.loaded.sources[options.of] == sources[options.of]
  if is_used then run:go(options.seconds) end
  local outcome, lost = run:close()
  collectgarbage()
  if lost then error(lost, 0) end
  if not is_used then error(not_loaded(options), 0) end
  return outcome
end

local function remove_store(path)
  for _, suffix in ipairs { "", "-wal", "-shm" } do os.remove(path .. suffix) end
end

--- Whether a version meets the criterion in one run; nil and why it cannot be evaluated.
local function judge(options, sources, seed)
  local path = options.record or os.tmpname()
  if not options.record then os.remove(path) end
  local good, outcome, why = pcall(run_once, options, sources, seed, path)
  if not good or not outcome then
    if not options.record then remove_store(path) end
    if not good then return nil, tostring(outcome) end
    return false, why
  end
  local db, fault = store.open(path)
  if not db then return nil, fault end
  local rows, sentence = db:query "SELECT max(id) AS run FROM runs"
  local holds, value
  if rows then holds, value = options.criterion:holds(db, rows[1].run) else value = sentence end
  db:close()
  if not options.record then remove_store(path) end
  return holds, holds == nil and value or nil
end

--- Try a version with the criterion: {hits, count, why}.
local function try_runs(options, version)
  local result = { hits = 0, count = 0 }
  for number = 1, options.times do
    local holds, why = judge(options, { [options.of] = version.source }, options.seed + number - 1)
    if holds == nil then return nil, why end
    result.hits, result.count = result.hits + (holds and 1 or 0), number
    if why then -- it cannot run with any seed
      result.count, result.why = options.times, why
      break
    end
  end
  return result
end

--- Try a version with tests.
local function try_tests(options, version)
  local result, lines = { hits = 0, count = options.times }, {}
  for _ = 1, options.times do
    local counts = { passed = 0, failed = 0, skipped = 0, sources = { [options.of] = version.source },
      say = function(line) lines[#lines + 1] = line end }
    require("brio.trials.testing").run_file(options.test, nil, counts)
    if counts.passed + counts.failed == 0 then return nil, options.test .. ": no test ran" end
    if counts.passed > 0 and not counts.ran_instead then return nil, not_loaded(options) end
    result.hits = result.hits + (counts.failed == 0 and 1 or 0)
    collectgarbage()
  end
  for index, line in ipairs(lines) do
    if not result.why and line:find "^not ok" then
      result.why = line .. (lines[index + 1] and ": " .. lines[index + 1] or "")
    end
  end
  return result
end

-- Telling ---------------------------------------------------------------------------------------------------

local function version_name(version)
  return ("%s of %s"):format(version.hash:sub(1, 12), version.name:match "[^/]*$")
end

local function tell_step(version, result, left)
  local share = result.count > 1 and (" (%d of %d runs)"):format(result.hits, result.count) or ""
  print(("%-5s %s%s, %d left%s"):format(result.good and "holds" or "not", version_name(version), share, left,
    result.why and "\n      " .. result.why:match "^[^\n]*" or ""))
end

local function unified(versions, found)
  local a, b = versions[found.before], versions[found.found]
  return require("brio.lib.diff").unified(a.source, b.source, version_name(a), version_name(b))
end

local function tell_end(versions, found, options)
  if not found.found then return print("\n" .. found.why) end
  local broken = versions[found.found]
  print(("\n%s broke it, after %d of %d versions were tried%s"):format(version_name(broken), found.steps,
    #versions, broken.run and (" (first used by run %d, at %.2f s)"):format(broken.run, broken.t) or ""))
  if options.times > 1 then
    local difference, low, high = require("brio.analysis.bisect").difference(found)
    print(("it held in %.0f points fewer of the runs than the version before, 95 %% interval %.0f \z
      to %.0f%s"):format(
      100 * difference, 100 * low, 100 * high,
        low > 0 and "" or ": with so few runs that may be chance, try more --times"))
  end
  local before, after = found.tried[found.before], found.tried[found.found]
  if after.why and not before.why then print("it says: " .. after.why:match "^[^\n]*") end
  print("\n" .. unified(versions, found):gsub("\n$", ""))
end

--- The output of --json.
local function as_json(versions, found)
  local tried = store.array {}
  for index, version in ipairs(versions) do
    local result = found.tried[index]
    if result then
      tried[#tried + 1] = { place = index, hash = version.hash, name = version.name, good = result.good,
        hits = result.hits, runs = result.count, why = result.why }
    end
  end
  return store.json { versions = #versions, steps = found.steps, tried = tried, why = found.why,
    broken = found.found and versions[found.found].hash, before = found.found and versions[found.before].hash,
    diff = found.found and unified(versions, found) }
end

-- Options ---------------------------------------------------------------------------------------------------

local function share_of(text)
  local number, sign = (text or "1"):match "^([%d%.]+)(%%?)$"
  number = tonumber(number)
  if number and sign == "%" then number = number / 100 end
  if number and number > 0 and number <= 1 then return number end
  return cli.error("--least must be a share such as 0.8 or 80%%, not '%s'", text)
end

local function read_options(args)
  local seconds, times = cli.number(args, "for", 0.01, 1e6, 30), cli.whole(args, "times", 1, 1e5, 1)
  local seed, least = cli.whole(args, "seed", 0, 2 ^ 53, 1), share_of(args.least)
  if not (seconds and times and seed and least) then return nil end
  if (args.criterion == nil) == (args.test == nil) then
    return cli.error("bisect needs either --criterion or --test")
  end
  local made, why
  if args.criterion then
    made, why = require("brio.analysis.criterion").read(args.criterion)
    if not made then return cli.error("%s", why) end
  end
  return { file = args[1], of = args.of or args[1], criterion = made, test = args.test, seconds = seconds,
    times = times, seed = seed, least = least, robot = args.robot,
      world = args.world,
    load = args.load, record = args.record }
end

function command.run(args)
  if #args ~= 1 then
    cli.error("bisect expects one file: %s", command.usage)
    return 2
  end
  local options = read_options(args)
  if not options then return 2 end
  local versions, why = versions_of(args, options.of)
  if not versions then return cli.finish(nil, why) end
  local try = options.test and try_tests or try_runs
  if not args.json then print(("%d versions of %s\n"):format(#versions, options.of)) end
  local found, fault = require("brio.analysis.bisect").search(versions,
    function(version) return try(options, version) end,
    { least = options.least, said = not args.json and tell_step or nil })
  if not found then return cli.finish(nil, fault) end
  if args.json then print(as_json(versions, found)) else tell_end(versions, found, options) end
  return found.found and 0 or 3
end

return command
