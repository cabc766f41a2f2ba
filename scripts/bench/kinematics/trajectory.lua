--- Motions of Cassie that stands, by the structured method and by Ipopt: seconds, beside the limits that were
--- set for 2 cores (5 s of motion within 10 s, 15 s within 60 s); and orbits of Cassie that walks.
local files = require "files"
local process = require "process"
local rows = require "rows"

local trajectory = {}

--- Seconds of motion, method, keyframes of a window (0: all at once), limit in s.
local works = {
  { 5, "structured", 0, 10 },
  { 5, "structured", 4, 10 },
  { 15, "structured", 0, 60 },
  { 5, "ipopt", 0 },
}

local function part_of(work, path)
  local seconds, backend, window, limit = table.unpack(work)
  local name = ("%d s, %s%s"):format(seconds, backend, window > 0 and ", in windows" or "")
  return { name, function(options, list)
    local run = process.run({ options.build .. "/brio", "lua", "scripts/bench/kinematics/standing_cassie.lua",
      path, tostring(seconds), backend, tostring(window) }, options.root)
    if run.code ~= 0 then error(run.errors, 0) end
    local finish, taken, iterations, nodes, violation, way = run.output:match
      "(%S+)\t(%S+)\t(%S+)\t(%S+)\t(%S+)\t(%S+)"
    local title = ("cassie stands %s: %s, %d nodes"):format(name, finish, tonumber(nodes))
    list[#list + 1] = rows.one(title, "s", tonumber(taken), limit and { value = limit })
    list[#list + 1] = rows.one("  iterations", "", tonumber(iterations))
    list[#list + 1] = rows.one("  worst violation, scaled", "1e-9", 1e9 * tonumber(violation),
      { value = 1000 })
    list[#list + 1] = rows.one("  way of the feet", "mm", tonumber(way))
  end }
end

--- The limit of an orbit, s of processor time: 726 orbits in 30 minutes on 2 cores; and how far one may be
--- from itself after a cycle, rad, m, rad/s or m/s.
local orbit_seconds, orbit_gap = 4.9, 1e-4

local function walk_part(path)
  return { "walks", function(options, list)
    local run = process.run({ options.build .. "/brio", "lua", "scripts/bench/kinematics/walking_cassie.lua",
      path }, options.root)
    if run.code ~= 0 then error(run.errors, 0) end
    for speed, finish, taken, gap in run.output:gmatch
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
  local path, parts = options.shared .. "/data/robots/cassie/cassie_umich.urdf", {}
  if not files.read(path) then return { rows = {}, notes = { "no shared reference data: no Cassie" } } end
  for index, work in ipairs(works) do parts[index] = part_of(work, path) end
  parts[#parts + 1] = walk_part(path)
  return rows.measure("trajectory", parts, options)
end

return trajectory
