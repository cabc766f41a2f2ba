--- The cost of joint paths on the shared planning problems, beside limits and the lengths of VAMP's paths.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local joint_paths = {}

--- Robots, with medians of the lengths of VAMP's paths: as found, and simplified
--- (KavrakiLab/vamp, resources/README.md at f6de6a72); limits of time, us: median and 95 %.
local robots = {
  { name = "panda", first = 7.76, whole = 4.90,
    times = { first = { 1000, 10000 }, whole = { 5000, 30000 } } },
  { name = "ur5", first = 10.18, whole = 6.55, times = {} },
  { name = "fetch", first = 18.78, whole = 9.93, times = {} },
}

local words = { setup = "solids and links made ready", first = "to the first path",
                whole = "to the shortened path", slice = "a slice of 20 checks" }

local function measure_robot(robot)
  return function(options, list)
    local command = ("%s %s %s"):format(files.quote(options.build .. "/bench/behavior/joint_paths"),
      files.quote(options.shared), robot.name)
    for _, line in ipairs(files.lines(command)) do
      local row = cjson.decode(line)
      if words[row.row] then
        local limit = robot.times[row.row]
        list[#list + 1] = { name = robot.name .. ": " .. words[row.row], unit = "us", p50 = row.p50 / 1e3,
          p95 = row.p95 / 1e3, p99 = row.p99 / 1e3, limit = limit and { p50 = limit[1] } }
        if limit then
          list[#list + 1] = rows.one("the same, 95 % of them", "us", row.p95 / 1e3, { value = limit[2] })
        end
      else
        local name = ("%s: of %d valid problems not solved in 1 s"):format(robot.name, row.valid)
        list[#list + 1] = rows.one(name, "%", 100 * (1 - row.solved / row.valid), { value = 0.5 })
        for _, kind in ipairs { "first", "whole" } do
          list[#list + 1] = rows.one(("%s: length %s, median"):format(robot.name, words[kind]), "rad",
            row[kind], { value = robot[kind] })
        end
      end
    end
  end
end

--- Repairs of paths: the limit is of the median, us.
local repairs = {
  push = { "200 points of a myCobot, 20 % colliding: repaired", 30000 },
  swarm = { "the same by particle swarms, one round" },
}

local function measure_repair(options, list)
  local command = ("%s %s"):format(files.quote(options.build .. "/bench/behavior/repair"),
    files.quote(options.root .. "/drivers/robots/mycobot280/model.urdf"))
  for _, line in ipairs(files.lines(command)) do
    local row = cjson.decode(line)
    local said = repairs[row.row]
    list[#list + 1] = { name = said[1], unit = "us", p50 = row.p50 / 1e3, p95 = row.p95 / 1e3,
      p99 = row.p99 / 1e3, limit = said[2] and { p50 = said[2] } }
    list[#list + 1] = rows.one(said[1] .. ", share", "%", 100 * row.check)
    list[#list + 1] = rows.one(said[1] .. ", tool moved on average", "mm", row.folded)
  end
end

function joint_paths.measure(options)
  local parts = {}
  for i, robot in ipairs(robots) do parts[i] = { robot.name, measure_robot(robot) } end
  parts[#parts + 1] = { "repair", measure_repair }
  return rows.measure("joints", parts, options)
end

return joint_paths
