--- The size of the tape for an hour on the real clock: a simulated robot of 60 joints, 20 of which move along
--- two sines, is recorded for some seconds and replayed.
local files = require "files"
local rows = require "rows"

local tape = {}

local joints, moving, rate = 60, 20, 200
local noise = 1e-4    -- rad, standard deviation
local settled = 2     -- s after which the tape is measured
local seconds = { short = 12, long = 60 }

--- The runs: the sensors, their noise in rad, their declared step (nil: none), the limit in MB an hour.
local runs = {
  { "no noise", nil, nil, { value = 30 } },
  { "1e-4 rad of noise, read in declared steps of 5e-5 rad", noise, noise / 2, { value = 30 } },
  { "1e-4 rad of noise, to a millionth", noise, 1e-6, nil },
}

local function urdf()
  local text = { '<robot name="sixty"><link name="base"/>' }
  for i = 1, joints do
    text[#text + 1] = ('<link name="l%d"/><joint name="j%d" type="revolute">'):format(i, i)
    text[#text + 1] = ('<parent link="base"/><child link="l%d"/><axis xyz="0 0 1"/>'):format(i)
    text[#text + 1] = '<limit lower="-2" upper="2" velocity="6" effort="1"/></joint>'
  end
  return table.concat(text, "\n") .. "</robot>\n"
end

local function robot(step)
  local dofs = {}
  for i = 1, joints do dofs[i] = ('{ name = "j%d", label = "joint %d", group = "all" }'):format(i, i) end
  local steps = step and ("steps = { all = %g },"):format(step) or ""
  return ('return { name = "sixty", model = "model.urdf", default_acceleration = 60,\n%s dofs = { %s } }\n')
    :format(steps, table.concat(dofs, ",\n"))
end

local behavior = [[
local brio = require "brio"
local made = brio.behavior "swing" { robot = "ROBOT", start = "swings" }
local wants = {}
for i = 1, MOVING do
  local speed, phase = 0.6 + 4.4 * (i * 0.618 % 1), 6 * (i * 0.755 % 1)
  wants[i] = brio.want.joint_match { joint = "j" .. i, weight = 20, goal = function(self)
    local t = self.now
    return 0.4 * math.sin(speed * t + phase) + 0.2 * math.sin(0.77 * speed * t * (1 + 0.01 * i))
  end }
end
made.swings = { wants = wants }
return made
]]

--- Record a run and replay it; return its store.
local function record(options, folder, run, number)
  local at, lasts = ("%s/%d"):format(folder, number), options.long and seconds.long or seconds.short
  files.write(at .. "/model.urdf", urdf())
  files.write(at .. "/robot.lua", robot(run[3]))
  files.write(at .. "/swing.lua", (behavior:gsub("ROBOT", at):gsub("MOVING", moving)))
  local brio, store = files.quote(options.build .. "/brio"), at .. "/store.db"
  local noisy = run[2] and ("--noise %g"):format(run[2]) or ""
  local words = ("%s run %s/swing.lua --for %d --store %s --quiet %s 2>&1"):format(brio, at, lasts, store,
    noisy)
  local said, code = files.output(words)
  if code ~= 0 then error(said) end
  local again = files.output(("%s replay --store %s --json"):format(brio, store))
  if not again:match '"equal":%s*true' then error("the replay differs: " .. again) end
  return store
end

--- The number that a query returns; SETTLED: the time from which the tape is measured, s.
local function ask(store, sql)
  return tonumber((files.output(("sqlite3 %s %s"):format(store, files.quote(sql:gsub("SETTLED", settled))))))
end

--- The minimum size of noise for an hour, in bytes: the entropy of a normal distribution in steps.
local function floor_of(step)
  local bits = math.log(noise / step * math.sqrt(2 * math.pi * math.exp(1)), 2)
  return joints * rate * 3600 * bits / 8
end

--- The channels of the tape, in their order.
local function channels(options)
  local names = {}
  for name in files.read(options.root .. "/engine/runtime/tape/channels.def"):gmatch "\nX%(([%w_]+)," do
    names[#names + 1] = name
  end
  return names
end

--- Decode a number of 7 bits a byte; return it and its end.
local function whole(bytes, at)
  local value, shift = 0, 0
  repeat
    local byte = bytes:byte(at)
    value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
  until byte < 128
  return value, at
end

--- Add the sizes of the heads and records of a row (the layout is in engine/runtime/tape/tape.h).
local function add_up(bytes, sums)
  local at, behind, channel = 6, {}, -1
  while at <= #bytes do
    local from = at
    local code
    code, at = whole(bytes, at)
    local head = { table.unpack(behind[channel] or { 0, 0, 0, 0 }) }
    if code & 1 == 1 then head[4] = code >> 1 end
    for i = 1, code == 2 and 4 or 0 do head[i], at = whole(bytes, at) end
    behind[channel], channel = head, head[2]
    sums.heads = sums.heads + at - from
    sums[channel + 1] = (sums[channel + 1] or 0) + head[4]
    at = at + head[4]
  end
end

--- The sizes of the tape's parts: by channel, and heads.
local function parts_of(store)
  local sums = { heads = 0 }
  local sql = ("SELECT hex(bytes) FROM tapes WHERE t >= %d ORDER BY id"):format(settled)
  for _, line in ipairs(files.lines(("sqlite3 %s %s"):format(store, files.quote(sql)))) do
    sums.heads = sums.heads + 5
    add_up(line:gsub("..", function(hex) return string.char(tonumber(hex, 16)) end), sums)
  end
  return sums
end

local function measure_run(options, list, folder, number)
  local run, names = runs[number], channels(options)
  local store = record(options, folder, run, number)
  local lasted = ask(store, "SELECT max(t) - min(t) FROM tapes WHERE t >= SETTLED")
  local function add(name, bytes, limit)
    list[#list + 1] = rows.one(name, "MB", bytes / 1e6 * 3600 / lasted, limit)
  end
  add("tape: " .. run[1], ask(store, "SELECT sum(length(bytes)) FROM tapes WHERE t >= SETTLED"), run[4])
  local sums = parts_of(store)
  for channel, name in ipairs(names) do
    local bytes = sums[channel] or 0
    if bytes * 3600 / lasted > 1e5 then add("  of that '" .. name .. "'", bytes) end
  end
  add("  of that heads and check codes", sums.heads)
  if run[2] then
    list[#list + 1] = rows.one("  the entropy of the noise alone", "MB", floor_of(run[3]) / 1e6)
  end
end

local function measure_runs(options, list)
  local folder = files.temporary()
  for number = 1, #runs do measure_run(options, list, folder, number) end
  files.remove(folder)
end

--- Measure; {rows, notes, missed = number of limits that were exceeded, or could not be measured}.
function tape.measure(options)
  return rows.count_missed(rows.measure("tape", { { "runs of the real clock", measure_runs } }, options))
end

return tape
