--- Kinematics of the included robots, and of vendors' files if they are available, compared with other
--- libraries.
local cjson = require "cjson"
local files = require "files"
local peers = require "peers.peers"

local kinematics = {}

-- Pinocchio 3.7 and RBDL 3.3 are not in Debian 12.  These are the better of the two, ns a call, measured once
-- on a machine where KDL's chain of the Panda took `kinematics.reference` ns.
local aims = {
  ur3e = { poses = 160, com = 211, jacobian = 284 },
  panda = { poses = 261, com = 302, jacobian = 332 },
  pepper = { poses = 1347, com = 1351, jacobian = 289 },
  cassie = { poses = 504, com = 584, jacobian = 377 },
}

kinematics.reference = 351

--- `file` is relative to the project, or to the folder of shared data.
local robots = {
  { name = "ur3e", file = "drivers/robots/ur3e/model.urdf", link = "tool0", base = "fixed", aim = aims.ur3e },
  { name = "panda", file = "drivers/robots/panda/model.urdf", link = "panda_hand", base = "fixed",
    aim = aims.panda },
  { name = "pepper", file = "drivers/robots/pepper/model.urdf", link = "l_gripper", base = "fixed" },
  { name = "ur3e, vendor", shared = "data/robots/ur3e/ur3e.urdf", link = "tool0", base = "fixed",
    aim = aims.ur3e },
  { name = "panda, vendor", shared = "data/robots/panda/panda.urdf", link = "panda_hand", base = "fixed",
    aim = aims.panda },
  { name = "pepper, vendor", shared = "data/robots/pepper/pepper.urdf", link = "l_gripper", base = "fixed",
    aim = aims.pepper },
  { name = "cassie, vendor", shared = "data/robots/cassie/cassie.urdf", link = "toe_left", base = "free",
    aim = aims.cassie },
}

local works = {
  { row = "poses", title = "poses of all links" },
  { row = "jacobian", title = "Jacobian of a link, from joint values" },
  { row = "com", title = "poses and centre of mass" },
  { row = "com_jacobian", title = "poses, centre of mass, its Jacobian" },
  { row = "jacobian_alone", title = "Jacobian, poses known" },
  { row = "com_alone", title = "centre of mass, poses known" },
}

--- Run a benchmark's program for `robot`; return its rows by name.
local function measure(program, robot, path)
  local words = { files.quote(program), files.quote(path), robot.link }
  if not program:match "kdl$" then words[#words + 1] = robot.base end
  local rows = {}
  for _, line in ipairs(files.lines(table.concat(words, " "))) do
    local row = cjson.decode(line)
    rows[row.row] = row
  end
  return rows
end

--- Keep the least disturbed round of each row.
local function keep_best(best, rows)
  for name, row in pairs(rows) do
    if not best[name] or row.p50 < best[name].p50 then best[name] = row end
  end
end

local function measure_robot(robot, path, programs, rounds)
  local best = {}
  for _ = 1, rounds do
    for _, program in ipairs(programs) do
      -- KDL has no free base
      if not (program.name == "KDL" and robot.base == "free") then
        best[program.name] = best[program.name] or {}
        keep_best(best[program.name], measure(program.path, robot, path))
      end
    end
  end
  return best
end

local function same_work(a, b)
  return math.abs(a.check - b.check) <= 1e-7 * (1 + math.abs(a.check))
end

local function new_row(robot, work, best, scale)
  local own = best.brio[work.row]
  local row = { robot = robot.name, work = work.title, unit = "ns", p50 = own.p50, p95 = own.p95,
    p99 = own.p99, peers = {} }
  for _, peer in ipairs(peers.list) do
    local other = best[peer.name] and best[peer.name][work.row]
    if other then
      row.peers[peer.name] = { p50 = other.p50, ratio = other.p50 / own.p50,
        same_work = same_work(own, other) }
    end
  end
  local aim = robot.aim and robot.aim[work.row]
  if aim and scale then row.aim = aim * scale end
  return row
end

--- Build the programs.  Return them, brio's first, and a note on each library that is missing.
local function programs_of(options)
  local programs, notes = { { name = "brio", path = options.build .. "/bench/kinematics/kinematics" } }, {}
  for _, peer in ipairs(peers.list) do
    local path, why = peers.build(peer, options.root, options.build)
    if path then programs[#programs + 1] = { name = peer.name, path = path }
    else notes[#notes + 1] = peer.name .. ": " .. why end
  end
  return programs, notes
end

--- The time of KDL's chain of the Panda as a multiple of the reference, or nil and why it is unknown: for
--- parts that are measured alone.
function kinematics.scale(options)
  for _, peer in ipairs(peers.list) do
    local path, why
    if peer.name == "KDL" then path, why = peers.build(peer, options.root, options.build) end
    if why then return nil, why end
    for _, robot in ipairs(path and robots or {}) do
      if robot.name == "panda" then
        local program = { name = "KDL", path = path }
        local best = measure_robot(robot, options.root .. "/" .. robot.file, { program }, options.rounds)
        return best.KDL.chain.p50 / kinematics.reference
      end
    end
  end
end

--- Measure all available robots.  Return {rows, notes, chain (ns of KDL's Panda chain), scale (as a multiple
--- of the reference)}; without KDL neither chain nor scale.
function kinematics.measure(options)
  local programs, notes = programs_of(options)
  local measured, chain = {}, nil
  for _, robot in ipairs(robots) do
    local path = robot.file and options.root .. "/" .. robot.file or options.shared .. "/" .. robot.shared
    if files.exists(path) then
      io.stderr:write("  kinematics: ", robot.name, "\n")
      local best = measure_robot(robot, path, programs, options.rounds)
      if robot.name == "panda" and best.KDL then chain = best.KDL.chain.p50 end
      measured[#measured + 1] = { robot = robot, best = best }
    else
      notes[#notes + 1] = robot.name .. ": skipped, its URDF is not on this machine"
    end
  end
  local scale, rows = chain and chain / kinematics.reference, {}
  for _, one in ipairs(measured) do
    for _, work in ipairs(works) do rows[#rows + 1] = new_row(one.robot, work, one.best, scale) end
  end
  return { rows = rows, notes = notes, chain = chain, scale = scale }
end

return kinematics
