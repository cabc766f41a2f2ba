--- Runs the queries of docs/analysis/cookbook.md on a store:
---     build/brio lua scripts/bench/store/finding_ask.lua STORE ROUNDS
--- prints a line of JSON for each: its number, title, rows, and CPU time and wall time, ms: medians of the
--- rounds, and the first. Each round opens the store again.
local clock = require "brio.clock"
local store = require "brio.store"

local rounds = math.tointeger(tonumber(arg[2] or "5"))
local file = assert(io.open "docs/analysis/cookbook.md")
local page = file:read "a"
file:close()

--- Runs of the large store (see store_fill.lua) that correspond to those in the page's queries.
local alike = { [1] = 701, [3] = 701, [4] = 701, [5] = 703, [6] = 710, [7] = 704, [8] = 702, [9] = 706,
  [10] = 707, [11] = 713, [12] = 714 }

--- The query for the large store.
local function translated(sql)
  local function other(number) return tostring(alike[math.tointeger(tonumber(number))] or number) end
  local function others(list)
    return "run IN " .. (list:find "^%([%d, ]+%)$" and list:gsub("%d+", other) or list)
  end
  return (sql:gsub(";%s*$", ""):gsub("run = (%d+)", function(number) return "run = " .. other(number) end)
    :gsub("run IN (%b())", others))
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

--- Run a query once: rows, CPU ms, wall ms.
local function ask(sql)
  local db = assert(store.open(arg[1]))
  local cpu, wall = clock.cpu(), clock.monotonic()
  local rows = assert(db:query(sql))
  cpu, wall = (clock.cpu() - cpu) * 1000, (clock.monotonic() - wall) * 1000
  db:close()
  return #rows, cpu, wall
end

for number, title, sql in page:gmatch "### (%d+)%. ([^\n]+)\n\n```sql\n(.-)```" do
  local cpus, walls, count, first = {}, {}, nil, nil
  for round = 1, rounds do
    count, cpus[round], walls[round] = ask(translated(sql))
    first = first or cpus[round]
  end
  print(store.json { number = math.tointeger(tonumber(number)), title = title, rows = count,
    cpu_ms = median(cpus), wall_ms = median(walls), first_ms = first })
end
