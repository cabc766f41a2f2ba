--- Motions of Cassie that stands, by the structured method and by Ipopt: seconds of processor time,
--- beside the limits that were set for 2 cores (5 s of motion within 10 s, 15 s within 60 s), memory, and
--- how time grows with the length of the motion; and orbits of Cassie that walks.
local files = require "files"
local process = require "process"
local rows = require "rows"

local trajectory = {}

--- Seconds of motion, method, keyframes of a window (0: all at once), limit in s.
local works = {
  { 5, "structured", 0, 10 },
  { 5, "structured", 4, 10 },
  { 15, "structured", 0, 60 },
  { 15, "structured", 4, 60 },
  { 60, "structured", 0 },
  { 5, "ipopt", 0 },
}

--- Memory of one, MB; and time for a second of motion, of the longest by that of the shortest, all at once.
local most_memory, most_growth = 500, 1.5

--- Seconds of the motions that are compared.
local shortest, longest = 5, 60

--- Optimize one motion; return a table of what came out.
local function run(work, path, options)
  local made = process.run({ options.build .. "/brio", "lua",
    "scripts/bench/kinematics/standing_cassie.lua", path, tostring(work[1]), work[2], tostring(work[3]) },
    options.root)
  if made.code ~= 0 then error(made.errors, 0) end
  local finish, rest = made.output:match "(%S+)\t(.*)"
  local values = {}
  for value in rest:gmatch "%S+" do values[#values + 1] = tonumber(value) end
  return { finish = finish, seconds = values[1], iterations = values[2], nodes = values[3],
    violation = values[4], way = values[5], memory = values[6] }
end

local function part_of(work, path, taken)
  local seconds, backend, window, limit = table.unpack(work)
  local name = ("%d s, %s%s"):format(seconds, backend, window > 0 and ", in windows" or "")
  return { name, function(options, list)
    local one = run(work, path, options)
    local function add(title, unit, value, most)
      list[#list + 1] = rows.one(title, unit, value, most and { value = most })
    end
    add(("cassie stands %s: %s, %d nodes"):format(name, one.finish, one.nodes), "s", one.seconds, limit)
    add("  iterations", "", one.iterations)
    add("  worst violation, scaled", "1e-9", 1e9 * one.violation, backend == "structured" and 1000 or nil)
    add("  way of the feet", "mm", one.way)
    add("  memory", "MB", one.memory, most_memory)
    if window > 0 or backend ~= "structured" then return end
    taken[seconds] = one.seconds / seconds
    if seconds == longest then
      add(("  time for 1 s of motion, by that of %d s"):format(shortest), "x",
        taken[longest] / taken[shortest], most_growth)
    end
  end }
end

--- The limit of an orbit, s of processor time: 726 orbits in 30 minutes on 2 cores; and how far one may be
--- from itself after a cycle, rad, m, rad/s or m/s.
local orbit_seconds, orbit_gap = 4.9, 1e-4

local function walk_part(path)
  return { "walks", function(options, list)
    local walked = process.run({ options.build .. "/brio", "lua",
      "scripts/bench/kinematics/walking_cassie.lua", path }, options.root)
    if walked.code ~= 0 then error(walked.errors, 0) end
    for speed, finish, taken, gap in walked.output:gmatch
      "(%-?[%d.]+) m/s [^\n]- m +(%a+) [^\n]-([%d.]+) s [^\n]-cycle (%S+)" do
      local title = ("cassie walks at %s m/s, an orbit: %s"):format(speed, finish)
      list[#list + 1] = rows.one(title, "s", tonumber(taken), { value = orbit_seconds })
      list[#list + 1] = rows.one("  the end of a cycle from its beginning", "1e-9", 1e9 * tonumber(gap),
        { value = 1e9 * orbit_gap })
    end
  end }
end

--- Measure; return {rows, notes}.
function trajectory.measure(options)
  local path, parts, taken = options.shared .. "/data/robots/cassie/cassie_umich.urdf", {}, {}
  if not files.read(path) then
    return { rows = {}, missed = 0, notes = { "no shared reference data: no Cassie" } }
  end
  for index, work in ipairs(works) do parts[index] = part_of(work, path, taken) end
  parts[#parts + 1] = walk_part(path)
  local result = rows.measure("trajectory", parts, options)
  rows.count_missed(result)
  return result
end

return trajectory
