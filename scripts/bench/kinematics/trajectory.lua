--- Motions of Cassie that stands, by the structured method and by Ipopt: seconds, beside the limits that were
--- set for 2 cores (5 s of motion within 10 s, 15 s within 60 s).
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

--- Measure; return {rows, notes}.
function trajectory.measure(options)
  local path, parts = options.shared .. "/data/robots/cassie/cassie_umich.urdf", {}
  if not files.read(path) then return { rows = {}, notes = { "no shared reference data: no Cassie" } } end
  for index, work in ipairs(works) do parts[index] = part_of(work, path) end
  return rows.measure("trajectory", parts, options)
end

return trajectory
