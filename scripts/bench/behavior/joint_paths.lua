--- The cost of joint paths on the shared planning problems, beside limits and the lengths of VAMP's paths.
local cjson = require "cjson"
local files = require "files"
local peers = require "peers.peers"
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

--- OMPL, whose planners do the same problems with the same checks.
local ompl = { name = "OMPL", program = "joint_paths_ompl", modules = "ompl", libraries = "-lompl",
  shared = true, headers = { ["ompl/base/Planner.h"] = "libompl-dev" } }

local words = { setup = "solids and links made ready", first = "to the first path",
                whole = "to the shortened path", slice = "a slice of 20 checks",
                ompl_first = "OMPL's RRT-Connect, to the first path",
                ompl_whole = "OMPL's, with its simplification" }

--- Rows of lengths of some problems: of optimal searches after 10 and 100 ms, and of OMPL's planners.
local function add_lengths(robot, row, list)
  local whose = row.row == "ompl" and "OMPL: " or ""
  local function add(what, value, limit)
    local name = ("%s: %s%s, %d problems, median length"):format(robot.name, whose, what, row.of)
    list[#list + 1] = rows.one(name, "rad", value, limit and { value = limit })
  end
  if row.row == "ompl" then
    add("RRT-Connect", row.first)
    add("simplified", row.whole)
    add(("BIT*, 10 ms, %d solved"):format(row.reached), row.soon)
    add(("BIT*, 100 ms, %d solved"):format(row.reached_late), row.late)
  else
    add("optimal, 10 ms", row.soon, robot.whole)
    add("optimal, 100 ms", row.late, robot.whole)
  end
end

local function measure_robot(robot)
  return function(options, list)
    -- OMPL does problems of joints with limits: the Fetch's turn on without end
    local program = robot.name ~= "fetch" and peers.build(ompl, options.root, options.build)
    local command = ("%s %s %s %s"):format(files.quote(options.build .. "/bench/behavior/joint_paths"),
      files.quote(options.shared), robot.name, program and files.quote(program) or "")
    for _, line in ipairs(files.lines(command)) do
      local row = cjson.decode(line)
      if row.row == "ompl" or row.row == "optimal" then add_lengths(robot, row, list)
      elseif words[row.row] then
        local limit = robot.times[row.row]
        list[#list + 1] = { name = robot.name .. ": " .. words[row.row], unit = "us", p50 = row.p50 / 1e3,
          p95 = row.p95 / 1e3, p99 = row.p99 / 1e3, limit = limit and { p50 = limit[1] } }
        if limit then
          list[#list + 1] = rows.one("the same, 95 % of them", "us", row.p95 / 1e3, { value = limit[2] })
        end
      else
        local name = ("%s: of %d valid problems not solved in 1 s"):format(robot.name, row.valid)
        list[#list + 1] = rows.one(name, "%", 100 * (1 - row.solved / row.valid), { value = 0.5 })
        list[#list + 1] = rows.one(robot.name .. ": paths that touch something, at steps of 1 mm", "",
          row.hits, { value = 0 })
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

--- What repairs keep of a dance: shares of the optimizer's distances are limits, and those of particle swarms
--- of the pieces that both make clear.
local function measure_style(options, list)
  local command = ("cd %s && %s lua scripts/bench/behavior/repair_style.lua %s 14"):format(
    files.quote(options.root), files.quote(options.build .. "/brio"), files.quote(options.shared))
  local found = {}
  for _, line in ipairs(files.lines(command)) do
    local row = cjson.decode(line)
    found[row.row] = row
  end
  local own, other = found.repaired, found.optimized
  local both, swarms = found["repaired, both clear"], found["by swarms, both clear"]
  local limits = { [own] = { 0.04 * other.frechet, 0.3 * other.warp },
    [both] = { swarms.frechet, swarms.warp } }
  for _, row in ipairs { own, found["by swarms"], other, found["optimized, close"], both, swarms } do
    local name, late, limit = ("%d dances of a myCobot around a ball, %s"):format(row.pieces, row.row),
      1e3 * row.ms95, limits[row] or {}
    if row ~= both and row ~= swarms then
      list[#list + 1] = { name = name, unit = "us", p50 = 1e3 * row.ms, p95 = late, p99 = late }
      list[#list + 1] = rows.one(name .. ", clear", "%", 100 * row.clear / row.pieces)
    end
    list[#list + 1] = rows.one(name .. ": FID to the person's wrist", "", row.frechet,
      limit[1] and { value = limit[1] })
    list[#list + 1] = rows.one(name .. ": DTW to the person's wrist", "", row.warp,
      limit[2] and { value = limit[2] })
  end
end

function joint_paths.measure(options)
  local parts = {}
  for i, robot in ipairs(robots) do parts[i] = { robot.name, measure_robot(robot) } end
  parts[#parts + 1] = { "repair", measure_repair }
  parts[#parts + 1] = { "style", measure_style }
  return rows.measure("joints", parts, options)
end

return joint_paths
