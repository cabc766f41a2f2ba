--- The whole program: the kiosk on the Pepper-class robot, each figure with its limit.
local cjson = require "cjson"
local files = require "files"
local process = require "process"
local rows = require "rows"

local program = {}

local kiosk = { "behaviors/kiosk.lua", "--robot", "pepper", "--log", "error", "--json" }

--- Run the kiosk with additional options; return the run, with its report in `report`.
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

--- The path of a store that does not exist yet.
local function new_store(options)
  local store = options.build .. "/bench/kiosk.db"
  for _, tail in ipairs { "", "-wal", "-shm" } do os.remove(store .. tail) end
  return store
end

--- Add the figures of a store on its ticks and on the solver.
local function add_ticks(list, store, what)
  local limit = { p99 = 2000, scaled = true }
  list[#list + 1] = rows.percentiles("tick: " .. what, "us",
    rows.numbers(store, "select tick_us from solves"), limit)
  list[#list + 1] = rows.percentiles("solver: " .. what, "us",
    rows.numbers(store, "select solve_us from solves"))
end

local function ticks(options, list)
  local store = new_store(options)
  run(options, "--for", 20, "--clock", "fast", "--store", store)
  add_ticks(list, store, "fast clock, 20 s")
  store = new_store(options)
  local real = run(options, "--for", 5, "--clock", "real", "--store", store)
  add_ticks(list, store, "real clock, 5 s")
  list[#list + 1] = rows.percentiles("a tick begins late by", "us",
    rows.numbers(store, "select late_us from solves"))
  list[#list + 1] = rows.one("ticks late by over half a period", "of " .. math.tointeger(real.report.ticks),
    math.tointeger(real.report.late_ticks))
  list[#list + 1] = rows.one("resident memory at most, real clock, with store", "MB", real.memory_mb,
    { value = 40 })
end

--- Drop brio's own files and its libraries from the page cache, as far as possible.
local function chill(options)
  local libraries = ("ldd %s/brio 2>/dev/null | grep -o '/[^ ]*'"):format(files.quote(options.build))
  local own = ("find %s/lua %s/behaviors %s/drivers/robots -type f"):format(options.root, options.root,
    options.root)
  local drop = "dd if=$file iflag=nocache count=0 status=none 2>/dev/null"
  os.execute(("for file in %s/brio $(%s) $(%s); do %s; done"):format(files.quote(options.build), libraries,
    own, drop))
end

--- Milliseconds from before the start of the program to its first tick; additional options follow.
local function start_ms(options, ...)
  local result = run(options, "--for", 0.005, "--clock", "fast", ...)
  return (result.report.first_tick - result.began) * 1000
end

local function starts(options, list)
  local store = new_store(options)
  chill(options)
  local limit = { value = 150, p50 = 150, scaled = true }
  list[#list + 1] = rows.one("start to first tick, files not in memory", "ms", start_ms(options), limit)
  local bare, recorded = {}, {}
  for i = 1, 20 do bare[i], recorded[i] = start_ms(options), start_ms(options, "--store", store) end
  table.sort(bare)
  table.sort(recorded)
  list[#list + 1] = rows.percentiles("start to first tick", "ms", bare, limit)
  list[#list + 1] = rows.percentiles("start to first tick, with store", "ms", recorded, limit)
  local query = "select first_tick_ms from runs where first_tick_ms is not null"
  list[#list + 1] = rows.percentiles("start to first tick, as the store says", "ms",
    rows.numbers(store, query), limit)
end

--- Ten minutes of robot time; if they would take minutes, one of them, scaled to ten.
local function ten_minutes(options, list)
  local trial = run(options, "--for", 6, "--clock", "fast").wall_s
  local minutes = trial * 100 > 90 and 1 or 10
  local told = minutes == 10 and "ten minutes, fast clock" or "ten times one minute, fast clock"
  local store = new_store(options)
  local bare = run(options, "--for", 60 * minutes, "--clock", "fast")
  local recorded = run(options, "--for", 60 * minutes, "--clock", "fast", "--store", store)
  local size = tonumber((files.output("stat -c %s " .. files.quote(store))))
  list[#list + 1] = rows.one(told, "s", bare.wall_s * 10 / minutes, { value = 30, scaled = true })
  list[#list + 1] = rows.one(told .. ", with store", "s", recorded.wall_s * 10 / minutes,
    { value = 30, scaled = true })
  list[#list + 1] = rows.one("resident memory at most, ten minutes with store", "MB", recorded.memory_mb,
    { value = 40 })
  list[#list + 1] = rows.one("store", "kB a minute", size / 1000 / minutes)
end

--- Measure the program.  Return {rows, notes}.  `scale`: how many times slower than the reference this
--- machine is, or nil: unknown, then limits are not scaled.
function program.measure(options, scale)
  local parts = { { "ticks", ticks }, { "starts", starts }, { "ten minutes", ten_minutes } }
  return rows.measure("program", parts, options, scale)
end

return program
