--- The rate of a bus of 20 emulated Dynamixels compared with the limit of its wire (servo_bus.c), and six
--- drives at 1 kHz (can_bus.c): medians of short runs, and the worst of them in the column `most`.
local cjson = require "cjson"
local process = require "process"
local rows = require "rows"

local servos = {}

local rounds, seconds = 5, 2
--- Baud rate, the requested share of the wire's limit, and whether with the real-time priority that `brio
--- run` requests.
local rates = { { 57600, 0.9 }, { 1000000, 0.9 }, { 1000000, 0.9, true }, { 2000000 }, { 4000000 } }

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

--- Several short runs at a baud rate: lists of each figure.
local function runs(options, baud, fifo)
  local found = { share = {}, cpu_host = {}, cpu_emulator = {}, emulator_late_us = {}, cycles_per_s = {} }
  for _ = 1, rounds do
    local words = { options.build .. "/bench/motors/servo_bus", "20", tostring(baud), tostring(seconds),
      fifo and "fifo" }
    local run = process.run(words, options.root)
    if run.code ~= 0 then error(("it ended with %d: %s"):format(run.code, run.errors), 0) end
    local one = cjson.decode(run.output)
    for name, list in pairs(found) do list[#list + 1] = one[name] end
  end
  for _, list in pairs(found) do table.sort(list) end
  return found
end

local function measure_rate(options, list, baud, least, fifo)
  local found = runs(options, baud, fifo)
  local words = baud < 1e6 and ("%d baud"):format(baud) or ("%g Mbit/s"):format(baud / 1e6)
  if fifo then words = words .. ", real-time" end
  list[#list + 1] = { name = "a cycle of 20 servos at " .. words .. ", of its bytes' time", unit = "x",
    p50 = 1 / median(found.share), most = 1 / found.share[1], limit = least and { p50 = 1 / least } }
  list[#list + 1] = rows.one("  the best of the runs", "x", 1 / found.share[#found.share])
  list[#list + 1] = rows.one("  cycles a second", "1/s", median(found.cycles_per_s))
  list[#list + 1] = rows.one("  of a core, the host", "%", 100 * median(found.cpu_host), { value = 10 })
  list[#list + 1] = rows.one("  of a core, host and emulator", "%",
    100 * (median(found.cpu_host) + median(found.cpu_emulator)), least and { value = 10 })
  list[#list + 1] = rows.one("  in it: the emulator was late by", "us", median(found.emulator_late_us))
end

--- Six CiA 402 drives at 1 kHz over a socket in place of a CAN bus (can_bus.c).
local function measure_drives(options, list)
  local found = { lost_percent = {}, empty_lost_percent = {}, unanswered = {}, cycle_us = {}, slowest_us = {},
    cpu_host = {}, cpu_emulator = {} }
  for _ = 1, rounds do
    local run = process.run({ options.build .. "/bench/motors/can_bus", "6", "1000", tostring(seconds) },
      options.root)
    if run.code ~= 0 then error(("it ended with %d: %s"):format(run.code, run.errors), 0) end
    local one = cjson.decode(run.output)
    for name, numbers in pairs(found) do numbers[#numbers + 1] = one[name] end
  end
  for _, numbers in pairs(found) do table.sort(numbers) end
  local name = "periods that six CiA 402 drives lost at 1 kHz"
  list[#list + 1] = { name = name, unit = "%", p50 = median(found.lost_percent),
    most = found.lost_percent[rounds], limit = { p50 = median(found.empty_lost_percent) + 0.1 } }
  list[#list + 1] = rows.one("  that an empty loop lost", "%", median(found.empty_lost_percent))
  list[#list + 1] = rows.one("  the best of the runs", "%", found.lost_percent[1])
  list[#list + 1] = { name = "  targets out, places in", unit = "us", p50 = median(found.cycle_us),
    most = found.slowest_us[rounds] }
  list[#list + 1] = rows.one("  periods that drives left unanswered, of " .. 1000 * seconds, "1",
    median(found.unanswered))
  list[#list + 1] = rows.one("  of a core, host and emulator", "%",
    100 * (median(found.cpu_host) + median(found.cpu_emulator)), { value = 20 })
end

--- Measure; return {rows, notes}.
function servos.measure(options)
  local parts = {}
  for _, rate in ipairs(rates) do
    parts[#parts + 1] = { ("%d baud%s"):format(rate[1], rate[3] and ", real-time" or ""), function(_, list)
      measure_rate(options, list, rate[1], rate[2], rate[3])
    end }
  end
  parts[#parts + 1] = { "six drives at 1 kHz", measure_drives }
  return rows.measure("servos", parts, options)
end

return servos
