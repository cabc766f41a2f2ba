--- How punctual the motor thread is beside an empty loop, in alternating blocks, and how long a command takes from
--- the tick to the driver's call.
local process = require "process"
local rows = require "rows"

local motor = {}

local seconds, blocks = 10, 3

--- The better half of blocks is what the machine allows: the median over blocks of each figure.
local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

local function punctuality(options, list)
  local run = process.run({ options.build .. "/bench/motor", tostring(seconds), tostring(blocks) }, options.root)
  if run.code ~= 0 then error(("it ended with %d: %s"):format(run.code, run.errors), 0) end
  local columns = { "p50", "p99", "p999", "most", "periods", "lost", "call50", "call99", "call" }
  local found = { empty = {}, motor = {} }
  for who, numbers in run.output:gmatch "(%a+) %d+ ([^\n]+)" do
    local index = 0
    for text in numbers:gmatch "%S+" do
      index = index + 1
      local name = columns[index]
      found[who][name] = found[who][name] or {}
      table.insert(found[who][name], tonumber(text) or 0)
    end
  end
  local empty, own = found.empty, found.motor
  for _, of in ipairs { empty, own } do
    local periods, lost = 0, 0
    for i = 1, #of.periods do periods, lost = periods + of.periods[i], lost + of.lost[i] end
    of.share = 100 * lost / (periods + lost)
    for _, name in ipairs { "p50", "p99", "most", "call50", "call99", "call" } do of[name] = median(of[name]) end
  end
  list[#list + 1] = { name = "an empty 1 kHz loop wakes late by", unit = "us", p50 = empty.p50, p99 = empty.p99,
    most = empty.most }
  list[#list + 1] = { name = "the motor thread wakes late by", unit = "us", p50 = own.p50, p99 = own.p99, most = own.most,
    limit = { p99 = 1.5 * empty.p99 } }
  list[#list + 1] = rows.one("periods that the empty loop lost", "%", empty.share)
  list[#list + 1] = rows.one("periods that the motor thread lost", "%", own.share, { value = empty.share + 0.01 })
  list[#list + 1] = { name = "from the tick to the driver's call", unit = "us", p50 = own.call50, p99 = own.call99,
    most = own.call, limit = { p99 = 1500 } }
end

--- Measure; return {rows, notes}.
function motor.measure(options) return rows.measure("motor", { { "the motor thread", punctuality } }, options) end

return motor
