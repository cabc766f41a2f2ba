--- Dynamics of the included robots, and of vendors' files if they are available, beside what Pinocchio and
--- RBDL take.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local dynamics = {}

-- Pinocchio 3.7 and RBDL 3.3 are not in Debian 12. These are the better of the two (derivatives:
-- Pinocchio's), ns a call, measured once on a machine where KDL's chain of the Panda took
-- `kinematics.reference` ns.
local limits = {
  ur3e = { inverse = 325, mass = 304, forward = 880, inverse_derivatives = 1989, forward_derivatives = 2499 },
  panda = { inverse = 496, mass = 469, forward = 1368, inverse_derivatives = 3118,
    forward_derivatives = 4044 },
  pepper = { inverse = 2394, mass = 2451, forward = 7294, inverse_derivatives = 16039,
    forward_derivatives = 28835 },
  cassie = { inverse = 958, mass = 964, forward = 2860, inverse_derivatives = 6734,
    forward_derivatives = 10191 },
}

--- `file` is relative to the project, or `shared` to the folder of shared data. `base`: fixed or free, and
--- the links that are held.
local robots = {
  { name = "ur3e", file = "drivers/robots/ur3e/model.urdf", base = "fixed", limit = limits.ur3e },
  { name = "panda", file = "drivers/robots/panda/model.urdf", base = "fixed", limit = limits.panda },
  { name = "biped", file = "drivers/robots/biped/model.urdf", base = "free left_foot right_foot" },
  { name = "ur3e, vendor", shared = "data/robots/ur3e/ur3e.urdf", base = "fixed", limit = limits.ur3e },
  { name = "panda, vendor", shared = "data/robots/panda/panda.urdf", base = "fixed", limit = limits.panda },
  { name = "pepper, vendor", shared = "data/robots/pepper/pepper.urdf", base = "fixed",
    limit = limits.pepper },
  { name = "cassie, vendor", shared = "data/robots/cassie/cassie.urdf",
    base = "free toe_left toe_right",
    limit = limits.cassie },
}

local works = {
  { row = "inverse", title = "inverse dynamics" },
  { row = "mass", title = "mass matrix" },
  { row = "forward", title = "forward dynamics" },
  { row = "inverse_derivatives", title = "derivatives of inverse dynamics" },
  { row = "forward_derivatives", title = "derivatives of forward dynamics" },
  { row = "constrained", title = "forward dynamics, both feet held" },
  { row = "constrained_derivatives", title = "derivatives of that" },
}

--- The program's rows for a robot, the least disturbed round of each.
local function best_of(program, path, base, rounds)
  local best = {}
  for _ = 1, rounds do
    for _, line in ipairs(files.lines(("%s %s %s"):format(files.quote(program), files.quote(path), base))) do
      local row = cjson.decode(line)
      if not best[row.row] or row.p50 < best[row.row].p50 then best[row.row] = row end
    end
  end
  return best
end

local function part_of(program, robot, path)
  return { robot.name, function(options, list)
    local best = best_of(program, path, robot.base, options.rounds)
    for _, work in ipairs(works) do
      local own = best[work.row]
      local limit = robot.limit and { p50 = robot.limit[work.row], scaled = true }
      if own then
        list[#list + 1] = { name = robot.name .. ": " .. work.title, unit = "ns",
          p50 = own.p50, p95 = own.p95, p99 = own.p99, limit = limit }
      end
    end
  end }
end

--- Measure all available robots. Return {rows, notes}; limits are multiplied by `scale`, if it is known.
function dynamics.measure(options, scale)
  local program, parts, notes = options.build .. "/bench/kinematics/dynamics", {}, {}
  for _, robot in ipairs(robots) do
    local path = robot.file and options.root .. "/" .. robot.file or options.shared .. "/" .. robot.shared
    if files.exists(path) then parts[#parts + 1] = part_of(program, robot, path)
    else notes[#notes + 1] = robot.name .. ": skipped, its URDF is not on this machine" end
  end
  local result = rows.measure("dynamics", parts, options, scale)
  table.move(notes, 1, #notes, #result.notes + 1, result.notes)
  return result
end

return dynamics
