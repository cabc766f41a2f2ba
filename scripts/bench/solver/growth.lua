--- The cost of a solve with an increasing number of joints, and in a very dense scene at full speed
--- (growth.c).
local cjson = require "cjson"
local clock = require "solver.growth_clock"
local files = require "files"
local robot = require "solver.growth_robot"
local rows = require "rows"

local growth = {}

local sizes = { 6, 17, 31, 59, robot.most } -- joints: an arm; both arms, torso and head; with fingers
local limit = { p99 = 1000, scaled = true } -- us
local dense = 5000 -- boxes of 2 to 6 cm within 0.8 m of the hand

--- Measure a model; keep the least disturbed round.
local function run(options, file, hand, head, boxes, how)
  local words = { options.build .. "/bench/solver/growth", file, hand, head, tostring(boxes), how }
  for i, word in ipairs(words) do words[i] = files.quote(word) end
  local best
  for _ = 1, options.rounds do
    local row = cjson.decode(files.lines(table.concat(words, " "))[1])
    if not best or row.p50 < best.p50 then best = row end
  end
  return best
end

local function add(list, name, row, held)
  list[#list + 1] = { name = name, unit = "us", p50 = row.p50, p95 = row.p95, p99 = row.p99, most = row.most,
    limit = held, iterations = row.iterations, cut = row.cut, haste = row.haste, distance = row.distance,
    pairs = row.pairs }
end

--- The file of the robot with this number of moving joints.
local function model(options, moving)
  local file = ("%s/bench/joints_%d.urdf"):format(options.build, moving)
  files.write(file, robot.urdf(moving))
  return file
end

local function measure_joints(options, list)
  local median = {}
  for _, moving in ipairs(sizes) do
    local row = run(options, model(options, moving), robot.hand, moving >= 10 and robot.head or "-", 0)
    median[moving] = row.p50
    add(list, ("%d joints, %d pairs of its own links"):format(row.joints, row.pairs), row, limit)
  end
  local row = run(options, model(options, robot.most), robot.hand, robot.head, 0, "far")
  add(list, ("%d joints, a goal out of reach"):format(row.joints), row, limit)
  list[#list + 1] = rows.one(("%d joints cost so many times as much as %d"):format(robot.most, sizes[1]), "1",
    median[robot.most] / median[sizes[1]], { value = robot.most / sizes[1] })
end

local function measure_dense(options, list)
  local pepper = options.root .. "/drivers/robots/pepper/model.urdf"
  for _, quick in ipairs { false, true } do
    local row = run(options, pepper, "r_gripper", "Head", dense, quick and "quick" or nil)
    local how = quick
      and ("the same, as fast as it may (%.0f %% of the greatest speed)"):format(100 * row.haste)
      or ("Pepper-class robot among %d boxes, %d pairs within 0.1 m"):format(dense, row.near)
    add(list, how, row, limit)
  end
end

--- Measure; return {rows, notes, missed}: number of limits that were exceeded or could not be measured.
function growth.measure(options, scale)
  local parts = { { "joints", measure_joints }, { "the real clock", clock.measure },
    { "a dense scene", measure_dense } }
  return rows.count_missed(rows.measure("growth", parts, options, scale))
end

return growth
