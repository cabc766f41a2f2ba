--- Punctuality of the motor thread, compared with an empty loop, in alternating blocks: alone, and during a
--- whole run (the kiosk, a new version saved every second, everything recorded at 200 Hz); and the latency of
--- a command from the tick to the driver's call.
local files = require "files"
local process = require "process"
local rows = require "rows"
local uv = require "luv"

local motor = {}

local columns = { "p50", "p99", "most", "periods", "lost", "call50", "call99", "call", "wait", "work",
  "wake" }

--- The figures that a program prints; added to `found`, a list each.
local function measure(words, root, found)
  local run = process.run(words, root)
  if run.code ~= 0 then error(("it ended with %d: %s"):format(run.code, run.errors), 0) end
  local index = 0
  for text in run.output:gmatch "[^%s]+" do
    index = index + 1
    found[columns[index]] = found[columns[index]] or {}
    table.insert(found[columns[index]], tonumber(text) or 0)
  end
end

--- A run of `seconds`: the kiosk, with a new version saved every second.
local function measure_load(options, seconds, found)
  local folder = files.temporary()
  local path, text = folder .. "/kiosk.lua", files.read(options.root .. "/behaviors/kiosk.lua")
  local world = text:match 'world = "([^"]*)"'
  files.write(path, text)
  local count, timer = 0, uv.new_timer()
  timer:start(1000, 1000, function()
    count = count + 1
    files.write(path, ("%s-- %d\n"):format(text, count))
  end)
  timer:unref()
  local good, why = pcall(measure, { options.build .. "/brio", "lua",
    options.root .. "/scripts/bench/motors/motor_load.lua", path,
    options.root .. "/behaviors/" .. world, folder .. "/x.db", tostring(seconds) }, options.root, found)
  timer:close()
  local versions = rows.numbers(folder .. "/x.db",
    "SELECT count(*) FROM run_versions WHERE name LIKE '%kiosk.lua'")[1] or 0
  files.remove(folder)
  if not good then error(why, 0) end
  found.versions = (found.versions or 0) + versions
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

--- One figure of each kind from all blocks: medians, and the share of lost periods.
local function sum_up(found)
  local periods, lost, made = 0, 0, { versions = found.versions }
  for i = 1, #found.periods do periods, lost = periods + found.periods[i], lost + found.lost[i] end
  for name, list in pairs(found) do made[name] = type(list) == "table" and median(list) or made[name] end
  made.share = 100 * lost / (periods + lost)
  return made
end

local function add_rows(list, what, own, empty, period)
  list[#list + 1] = { name = what .. " wakes late by", unit = "us", p50 = own.p50, p99 = own.p99,
    most = own.most, limit = { p99 = 1.5 * empty.p99 } }
  list[#list + 1] = rows.one("periods that " .. what .. " lost", "%", own.share,
    { value = empty.share + 0.01 })
  list[#list + 1] = { name = "from the tick to the driver's call, " .. what, unit = "us", p50 = own.call50,
    p99 = own.call99, most = own.call, limit = { p99 = 1.5 * period } }
  local parts = { { "wait", "until the motors' next period" }, { "work", "in it" },
    { "wake", "until the device's thread runs" } }
  for _, part in ipairs(parts) do
    list[#list + 1] = { name = "  of that " .. part[2], unit = "us", p99 = own[part[1]] }
  end
end

local function punctuality(options, list)
  local seconds, blocks = options.long and 30 or 10, options.long and 20 or 3
  local empty, alone, load = {}, {}, {}
  for _ = 1, blocks do
    measure({ options.build .. "/bench/motors/motor", "empty", tostring(seconds) }, options.root, empty)
    measure_load(options, seconds, load)
    if not options.long then
      measure({ options.build .. "/bench/motors/motor", "alone", tostring(seconds) }, options.root, alone)
    end
  end
  empty = sum_up(empty)
  list[#list + 1] = { name = "an empty 1 kHz loop wakes late by", unit = "us", p50 = empty.p50,
    p99 = empty.p99, most = empty.most }
  list[#list + 1] = rows.one("periods that the empty loop lost", "%", empty.share)
  if not options.long then add_rows(list, "the motor thread alone", sum_up(alone), empty, 1000) end
  load = sum_up(load)
  add_rows(list, "the motor thread under load", load, empty, 1000)
  list[#list + 1] = rows.one("versions that were saved and ran meanwhile", "", load.versions)
end

--- Measure; return {rows, notes}.
function motor.measure(options)
  return rows.measure("motor", { { "the motor thread", punctuality } }, options)
end

return motor
