--- `brio merge`: merges several stores into one.
local cli, store = require "brio.terminal.cli", require "brio.store"
local merge = require "brio.analysis.upkeep.merge"

local command = {
  name = "merge",
  summary = "merge the runs of several stores into one",
  usage = "brio merge INTO FROM... [options]",
  options = { { "json", nil, "print the result as JSON" } },
}

--- Sentences on a merged store.
local function tell(from, report)
  local numbers = report.runs == 1 and (", now run %d"):format(report.first) or report.runs > 1
    and (", now runs %d to %d"):format(report.first, report.last) or ""
  print(("%s: %d %s taken%s (%d rows)"):format(from, report.runs, report.runs == 1 and "run" or "runs",
    numbers, report.rows))
  if report.known > 0 then
    print(("  %d %s here already"):format(report.known, report.known == 1 and "was" or "were"))
  end
  if report.left_out > 0 then
    print(("  %d still being recorded, left out: merge again after its end"):format(report.left_out))
  end
  for _, one in ipairs(report.differ) do
    local are = one.rows == 1 and "is" or "are"
    print(("  %d of %s %s different there: the rows here stay"):format(one.rows, one.table, are))
  end
end

--- Create an empty store if there is none and the sources can be read.
local function make(into, from)
  local there = io.open(into, "rb")
  if there then return there:close() end
  local first, fault = store.open(from)
  if not first then return nil, fault end
  first:close()
  local writer, why = store.record(into)
  if not writer then return nil, why end
  return writer:close()
end

function command.run(args)
  if #args < 2 then
    cli.error("merge expects the store to merge into and one store or more: %s", command.usage)
    return 2
  end
  local good, why = make(args[1], args[2])
  local reports = {}
  for index = 2, #args do
    local report
    if good then report, why = merge.into(args[1], args[index]) end
    if not report then
      cli.error("%s", why)
      return 1
    end
    report.from = args[index]
    reports[#reports + 1] = report
    if not args.json then tell(args[index], report) end
  end
  if args.json then print(store.json(store.array(reports))) end
  return 0
end

return command
