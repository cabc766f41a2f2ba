--- `brio sql`: queries a run store in SQL.
local cli, columns, store = require "brio.terminal.cli", require "brio.lib.columns", require "brio.store"

local sql = {
  name = "sql",
  summary = "ask a run store in SQL; docs/analysis/store.md lists its tables and views",
  usage = 'brio sql "SELECT ..." [options]',
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "on", "URL", "instead, the database of all robots (postgres://USER@HOST/DATABASE; see `brio sync`)" },
    { "json", nil, "print a JSON list of rows, exact" },
    { "csv", nil, "print comma-separated values, exact" },
    { "rows", "NUMBER", "show only the first rows; default: all" },
    { "timeout", "SECONDS", "stop a query that takes longer; default: no limit" },
  },
}

--- Number of rows that determine the widths of the table's columns.
local measured_rows = 1000

local function print_table(names, next_row)
  local first = {}
  for row in next_row do
    first[#first + 1] = row
    if #first == measured_rows then break end
  end
  local widths = columns.measure(names, first)
  print(table.concat({ columns.head(names, widths) }, "\n"))
  for _, row in ipairs(first) do print(columns.line(names, widths, row)) end
  if #first < measured_rows then return end
  for row in next_row do print(columns.line(names, widths, row)) end
end

local function print_json(names, next_row)
  local keys, between = {}, ""
  for i, name in ipairs(names) do keys[i] = store.json(name) .. ":" end
  io.write "["
  for row in next_row do
    local fields = {}
    for i, name in ipairs(names) do fields[i] = keys[i] .. store.json(row[name]) end
    io.write(between, "\n{", table.concat(fields, ","), "}")
    between = ","
  end
  io.write(between == "" and "]\n" or "\n]\n")
end

local function print_csv(names, next_row)
  io.write(columns.csv_line(names, #names), "\n") -- unfiltered, so no print
  for row in next_row do
    local values = {}
    for i, name in ipairs(names) do values[i] = row[name] end
    io.write(columns.csv_line(values, #names), "\n")
  end
end

--- An iterator of the first `limit` rows, and a function that returns, after the last of them, whether there
--- were more.
local function first_rows(next_row, limit)
  local count, cut = 0, false
  return function()
    cut = count == limit
    if cut then
      cut = next_row() ~= nil
      return nil
    end
    count = count + 1
    return next_row()
  end, function() return cut end
end

--- SQLite's message without the position that Lua puts in front of it.
local function sentence_of(fault)
  return (tostring(fault):gsub("^[^:]*%.lua:%d+: ", ""))
end

--- Query a PostgreSQL database.  `seconds`, `limit`: time limit and number of rows; nil or false: no limit.
--- Return the exit code.
local function ask_database(args, seconds, limit)
  local connection = require "brio.analysis.postgres.connection"
  local database, why = connection.open(args.on)
  local good
  if database then
    good, why = database:print(args[1], { format = args.json and "json" or args.csv and "csv" or "table",
      seconds = seconds, limit = limit })
    database:close()
  end
  if not good then cli.error("%s", why) end
  return good and 0 or 1
end

function sql.run(args)
  if #args ~= 1 or (args.json and args.csv) then
    cli.error("sql expects one statement in quotes, and --json or --csv: %s", sql.usage)
    return 2
  end
  local seconds = cli.number(args, "timeout", 0.001, 86400, false)
  local limit = cli.whole(args, "rows", 1, math.maxinteger, math.huge)
  if seconds == nil or not limit then return 2 end
  if args.on then return ask_database(args, seconds, limit < math.huge and limit or nil) end
  local db = cli.open_store(args, seconds or nil)
  if not db then return 1 end
  local next_row, names = db:rows(args[1])
  if not next_row then
    cli.error("%s", names)
    return 1
  end
  local show = args.json and print_json or args.csv and print_csv or print_table
  local rows, is_cut = first_rows(next_row, limit)
  local good, fault = pcall(show, names, rows)
  if not good then cli.error("%s", sentence_of(fault)) end
  if is_cut() and show == print_table then print(("(the first %g rows)"):format(limit)) end
  db:close()
  return good and 0 or 1
end

return sql
