--- `brio sync`: a store's history in PostgreSQL.
local cli = require "brio.terminal.cli"

local command = {
  name = "sync",
  summary = "copy a store into a PostgreSQL database for all robots, and keep the copy up to date",
  usage = "brio sync postgres://USER@HOST/DATABASE [options]",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "follow", nil, "go on: look again every few seconds, also when the database was away" },
    { "every", "SECONDS", "with --follow: seconds between two looks; default 2" },
    { "mirror", nil, "also remove runs there that were removed here, as after a withdrawal" },
    { "json", nil, "print JSON" },
  },
}

local function tell(report, path, json)
  if json then
    print(require("brio.store").json(report))
    return
  end
  print(("%s (%s): %d run%s, %d rows sent%s%s%s"):format(path, report.store, report.runs,
    report.runs == 1 and "" or "s", report.rows,
    report.open > 0 and ("; %d still being recorded"):format(report.open) or "",
    report.foreign > 0 and ("; %d there already from another store"):format(report.foreign) or "",
    report.removed > 0 and ("; %d removed there"):format(report.removed) or ""))
end

--- One pass; with --follow its failure is printed, and tried again.
local function pass(url, path, args, last)
  local database, why = require("brio.analysis.postgres.connection").open(url)
  local report
  if database then
    report, why = require("brio.analysis.postgres.sync").pass(database, path, { mirror = args.mirror })
    database:close()
  end
  if not report then
    if why ~= last.why then cli.error("%s", why) end
    last.why = why
    return false
  end
  last.why = nil
  if report.rows > 0 or report.removed > 0 or not args.follow then tell(report, path, args.json) end
  return true
end

function command.run(args)
  local every = cli.number(args, "every", 0.1, 3600, 2)
  if #args ~= 1 or not every then
    if #args ~= 1 then cli.error("sync expects one database: %s", command.usage) end
    return 2
  end
  local path, last = args.store or "brio.db", {}
  local made, why = require("brio.analysis.postgres.connection").read(args[1])
  if not made then
    cli.error("%s", why)
    return 2
  end
  local good = pass(args[1], path, args, last)
  while args.follow do
    io.stdout:flush()
    require("luv").sleep(math.floor(every * 1000))
    pass(args[1], path, args, last)
  end
  return good and 0 or 1
end

return command
