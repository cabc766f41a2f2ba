--- Distances of shapes, compared with FCL, and the cost of thousands of obstacles around a robot.
local cjson = require "cjson"
local files = require "files"
local peers = require "peers.peers"

local distance = {}

local fcl = {
  name = "FCL", program = "distance_fcl", modules = "fcl", libraries = "-lfcl -lccd",
  headers = { ["fcl/narrowphase/distance.h"] = "libfcl-dev" },
}

--- The best of FCL with libccd, Coal 3.0 and Bullet, ns a pair, measured once on a machine where KDL's chain
--- of the Panda took `kinematics.reference` ns.
local aims = {
  ["sphere-sphere"] = 33, ["sphere-box"] = 86, ["capsule-capsule"] = 102, ["box-box"] = 924,
    ["box-capsule"] = 527,
  ["cylinder-cylinder"] = 1386, ["convex-convex"] = 1788,
}

local robots = { "ur3e", "panda", "pepper" }

--- Run a program `rounds` times; return its rows in order, the least disturbed round of each.
local function best_of(command, rounds)
  local best, order = {}, {}
  for _ = 1, rounds do
    for _, line in ipairs(files.lines(command)) do
      local row = cjson.decode(line)
      if not best[row.row] then order[#order + 1] = row.row end
      if not best[row.row] or row.p50 < best[row.row].p50 then best[row.row] = row end
    end
  end
  return best, order
end

local function measure_pairs(options, scale, notes)
  local own, order = best_of(files.quote(options.build .. "/bench/geometry/distance"), options.rounds)
  local program, why = peers.build(fcl, options.root, options.build)
  local other = program and best_of(files.quote(program), options.rounds) or {}
  if not program then notes[#notes + 1] = fcl.name .. ": " .. why end
  local rows = {}
  for _, name in ipairs(order) do
    local a, b, aim = own[name], other[name], aims[name:match "^%S+"]
    rows[#rows + 1] = {
      name = name, p50 = a.p50, p95 = a.p95, p99 = a.p99, FCL = b and b.p50,
      same = b and math.abs(a.check - b.check) <= 1e-5 * 256 + 1e-4 * math.abs(a.check),
        aim = aim and scale and aim * scale,
    }
  end
  return rows
end

local function measure_watches(options)
  local rows = {}
  for _, robot in ipairs(robots) do
    local model = ("%s/drivers/robots/%s/model.urdf"):format(options.root, robot)
    local best, order = best_of(files.quote(options.build .. "/bench/geometry/watch") .. " "
      .. files.quote(model), options.rounds)
    for _, name in ipairs(order) do
      local row = best[name]
      rows[#rows + 1] = { name = robot .. ", " .. name, p50 = row.p50, p95 = row.p95, p99 = row.p99,
        near = row.check }
    end
  end
  return rows
end

--- Return {pairs, watches, notes}: rows of pairs of shapes, and of robots among boxes.
function distance.measure(options, scale)
  local notes = {}
  io.stderr:write "  distances\n"
  return { pairs = measure_pairs(options, scale, notes), watches = measure_watches(options), notes = notes }
end

return distance
