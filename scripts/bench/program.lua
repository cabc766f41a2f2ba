--- The whole program: the kiosk on the Pepper-class robot, each figure beside its limit.
local cjson = require "cjson"
local files = require "files"
local process = require "process"

local program = {}

local kiosk = { "behaviors/kiosk.lua", "--robot", "pepper", "--log", "error", "--json" }

--- Run the kiosk with more options; return the run, its report in `report`.
local function run(options, ...)
  local words = { options.build .. "/brio", "run" }
  table.move(kiosk, 1, #kiosk, 3, words)
  for _, word in ipairs { ... } do words[#words + 1] = tostring(word) end
  local result = process.run(words, options.root)
  if result.code ~= 0 then
    error(("%s ended with %d: %s"):format(table.concat(words, " "), result.code, result.errors), 0)
  end
  result.report = cjson.decode(result.output)
  return result
end

--- The numbers that a query finds in a store, in rising order.
local function numbers(store, query)
  local found = {}
  for _, line in ipairs(files.lines(("sqlite3 %s %s"):format(files.quote(store), files.quote(query)))) do
    found[#found + 1] = tonumber(line)
  end
  table.sort(found)
  return found
end

local function share(sorted, part)
  return sorted[math.min(#sorted, math.floor(part * #sorted) + 1)] or 0 / 0
end

local function percentiles(name, unit, sorted, limit)
  return { name = name, unit = unit, p50 = share(sorted, 0.5), p95 = share(sorted, 0.95), p99 = share(sorted, 0.99),
           most = sorted[#sorted], limit = limit }
end

local function one(name, unit, value, limit)
  return { name = name, unit = unit, value = value, limit = limit }
end

--- Return the path of a store that is not there yet.
local function new_store(options)
  local store = options.build .. "/bench/kiosk.db"
  for _, tail in ipairs { "", "-wal", "-shm" } do os.remove(store .. tail) end
  return store
end

--- Add what a store says of its ticks and of the solver in them.
local function add_ticks(rows, store, what)
  local limit = { p99 = 2000, scaled = true }
  rows[#rows + 1] = percentiles("tick: " .. what, "us", numbers(store, "select tick_us from solves"), limit)
  rows[#rows + 1] = percentiles("solver: " .. what, "us", numbers(store, "select solve_us from solves"))
end

local function ticks(options, rows)
  local store = new_store(options)
  run(options, "--for", 20, "--clock", "fast", "--store", store)
  add_ticks(rows, store, "fast clock, 20 s")
  store = new_store(options)
  local real = run(options, "--for", 5, "--clock", "real", "--store", store)
  add_ticks(rows, store, "real clock, 5 s")
  rows[#rows + 1] = percentiles("a tick begins late by", "us", numbers(store, "select late_us from solves"))
  rows[#rows + 1] = one("ticks late by over half a period", "of " .. math.tointeger(real.report.ticks),
    math.tointeger(real.report.late_ticks))
  rows[#rows + 1] = one("resident memory at most, real clock, with store", "MB", real.memory_mb, { value = 40 })
end

--- Drop brio's own files and its libraries from the page cache, as far as they can be.
local function chill(options)
  local libraries = ("ldd %s/brio 2>/dev/null | grep -o '/[^ ]*'"):format(files.quote(options.build))
  local own = ("find %s/lua %s/behaviors %s/drivers/robots -type f"):format(options.root, options.root, options.root)
  local drop = "dd if=$file iflag=nocache count=0 status=none 2>/dev/null"
  os.execute(("for file in %s/brio $(%s) $(%s); do %s; done"):format(files.quote(options.build), libraries, own, drop))
end

--- Milliseconds from before the program is started until its first tick; more options follow.
local function start_ms(options, ...)
  local result = run(options, "--for", 0.005, "--clock", "fast", ...)
  return (result.report.first_tick - result.began) * 1000
end

local function starts(options, rows)
  local store = new_store(options)
  chill(options)
  local limit = { value = 150, p50 = 150, scaled = true }
  rows[#rows + 1] = one("start to first tick, files not in memory", "ms", start_ms(options), limit)
  local bare, recorded = {}, {}
  for i = 1, 20 do bare[i], recorded[i] = start_ms(options), start_ms(options, "--store", store) end
  table.sort(bare)
  table.sort(recorded)
  rows[#rows + 1] = percentiles("start to first tick", "ms", bare, limit)
  rows[#rows + 1] = percentiles("start to first tick, with store", "ms", recorded, limit)
  local query = "select first_tick_ms from runs where first_tick_ms is not null"
  rows[#rows + 1] = percentiles("start to first tick, as the store says", "ms", numbers(store, query), limit)
end

--- Ten minutes of robot time; when they would take minutes, one of them, told as ten.
local function ten_minutes(options, rows)
  local trial = run(options, "--for", 6, "--clock", "fast").wall_s
  local minutes = trial * 100 > 90 and 1 or 10
  local told = minutes == 10 and "ten minutes, fast clock" or "ten times one minute, fast clock"
  local store = new_store(options)
  local bare = run(options, "--for", 60 * minutes, "--clock", "fast")
  local recorded = run(options, "--for", 60 * minutes, "--clock", "fast", "--store", store)
  local size = tonumber((files.output("stat -c %s " .. files.quote(store))))
  rows[#rows + 1] = one(told, "s", bare.wall_s * 10 / minutes, { value = 30, scaled = true })
  rows[#rows + 1] = one(told .. ", with store", "s", recorded.wall_s * 10 / minutes, { value = 30, scaled = true })
  rows[#rows + 1] = one("resident memory at most, ten minutes with store", "MB", recorded.memory_mb, { value = 40 })
  rows[#rows + 1] = one("store", "kB a minute", size / 1000 / minutes)
end

--- Hold `row` against its limit, with times scaled to this machine.
local function judge(row, scale)
  if not row.limit then return end
  for _, field in ipairs { "p50", "p99", "value" } do
    if row[field] and row.limit[field] then
      row.held, row.limit_at = field, row.limit[field] * (row.limit.scaled and scale or 1)
      row.share = row[field] / row.limit_at
      row.verdict = row.share <= 1 and "PASS" or "over"
    end
  end
end

--- Measure the program.  Return {rows, notes}.  `scale`: how many times slower than the
--- reference this machine is, or nil: not known, limits stay as they are.
function program.measure(options, scale)
  local result = { rows = {}, notes = {} }
  for _, part in ipairs { { "ticks", ticks }, { "starts", starts }, { "ten minutes", ten_minutes } } do
    io.stderr:write("  program: ", part[1], "\n")
    local good, why = pcall(part[2], options, result.rows)
    if not good then result.notes[#result.notes + 1] = part[1] .. ": " .. tostring(why) end
  end
  for _, row in ipairs(result.rows) do judge(row, scale) end
  return result
end

return program
