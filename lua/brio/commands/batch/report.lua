--- The end of `brio batch`: results in order, stored once, and printed.
local cli = require "brio.terminal.cli"
local columns = require "brio.lib.columns"
local common = require "brio.commands.repeat.report"
local results = require "brio.trials.batch.results"
local store = require "brio.store"

local report = {}

--- The options of one point.
local function at(options, point)
  local vary = table.move(options.vary, 1, #options.vary, 1, {})
  return setmetatable({ vary = table.move(point, 1, #point, #vary + 1, vary) }, { __index = options })
end

--- What is known of each point: a list of {point, list, summary, about}; nil and a sentence.
local function counted(options, repeated, batch)
  local made, lists = {}, {}
  for index, point in ipairs(options.points) do
    local list = batch:counted(index)
    local summary, about = results.counted(repeated, list)
    if not summary then return nil, about end
    made[index], lists[index] = { point = point, list = list, summary = summary, about = about }, list
  end
  local good, why = options.folder:write_results(lists)
  return good and made, why
end

--- Store all points, unless just these results are there.  Return true, or nil and a sentence.
local function keep(path, options, repeated, made)
  local runs = {} -- as floats, as they are read again
  for index, one in ipairs(made) do runs[index] = #one.list + 0.0 end
  local real = require("luv").fs_realpath(path)
  local before = options.folder:stored()
  if before and real and before.store == real
    and table.concat(before.runs, " ") == table.concat(runs, " ") then
    for index, one in ipairs(made) do one.id = math.tointeger(before.repeats[index]) end
    return true
  end
  local ids = {}
  for index, one in ipairs(made) do
    local id, why = results.keep(path, repeated, at(options, one.point), one.list, one.summary, one.about)
    if not id then return nil, why end
    one.id, ids[index] = id, id
  end
  return options.folder:keep_stored { store = require("luv").fs_realpath(path) or path, runs = runs,
    repeats = ids }
end

local function percent(rate) return ("%.1f %%"):format(100 * rate) end

--- The printed table of all points.
local function table_of(made)
  local rows, heads = {}, { "repeat" }
  for place, word in ipairs(made[1].point) do heads[place + 1] = word:match "^[^=]*" end
  for _, head in ipairs { "runs", "succeeded", "95 % interval", "p50 s" } do heads[#heads + 1] = head end
  for index, one in ipairs(made) do
    local summary = one.summary
    local row = { ["repeat"] = ("%6s"):format(one.id or "-"), runs = ("%6d"):format(summary.runs),
      succeeded = ("%9s"):format(percent(summary.rate)),
      ["95 % interval"] = ("%s to %s"):format(percent(summary.low), percent(summary.high)),
      ["p50 s"] = summary.p50 and ("%5.2f"):format(summary.p50) or "" }
    for _, word in ipairs(one.point) do
      local name, value = word:match "^([^=]*)=(.*)$"
      row[name] = tonumber(value) and ("%.6g"):format(tonumber(value)) or value
    end
    rows[index] = row
  end
  return columns.text(heads, rows)
end

--- The point with the best rate, and how many others may be as good.
local function best_line(made)
  local best = made[1]
  for _, one in ipairs(made) do
    if one.summary.rate > best.summary.rate then best = one end
  end
  local others = 0
  for _, one in ipairs(made) do
    if one ~= best and one.summary.high >= best.summary.low then others = others + 1 end
  end
  return ("\nbest: %s, %s (%s to %s); the intervals of %d other point%s overlap with it"):format(
    table.concat(best.point, ", "), percent(best.summary.rate), percent(best.summary.low),
    percent(best.summary.high), others, others == 1 and "" or "s")
end

local function print_json(made)
  local list = {}
  for index, one in ipairs(made) do
    local summary = one.summary
    summary["repeat"], summary.state, summary.robot = one.id, one.about.state, one.about.robot
    summary.point = store.array { table.unpack(one.point) }
    list[index] = summary
  end
  print(store.json(store.array(list)))
end

local function first_failure(list)
  for _, result in ipairs(list) do
    if result.outcome ~= "success" then return result end
  end
end

--- Print what is known of the points.
local function tell(args, options, made)
  if #made > 1 then
    print(("%s, state %s on %s: %d points\n"):format(args[1]:match "[^/]*$", made[1].about.state,
      made[1].about.robot, #made))
    print(table_of(made))
    print(best_line(made))
    return
  end
  local one = made[1]
  local failed = first_failure(one.list)
  common.summary(args, options, one.summary, one.about)
  if not failed then return end
  -- the command that repeats it has the point's values, too
  local vary = table.move(one.point, 1, #one.point, #options.vary + 1, { table.unpack(options.vary) })
  common.failure(setmetatable({ vary = vary }, { __index = args }), options, failed)
end

--- Print and store the results of a batch that is done.  Return the exit code, or nil and a sentence.
function report.finish(args, options, repeated, batch)
  local made, why = counted(options, repeated, batch)
  if not made then return nil, why end
  local path = args.store or "brio.db"
  if path ~= "none" then
    local good
    good, why = keep(path, options, repeated, made)
    if not good then return nil, why end
  end
  if args.json then print_json(made) else tell(args, options, made) end
  local failed = false
  for _, one in ipairs(made) do
    failed = failed or options.until_failure and first_failure(one.list) ~= nil
    if one.id and #made == 1 then cli.say_recorded("repeat", one.id, path) end
  end
  if made[1].id and #made > 1 then
    cli.error("recorded as repeats %d to %d in %s", made[1].id, made[#made].id, path)
  end
  return failed and 3 or 0
end

return report
