--- Inverse kinematics of reachable poses from unrelated initial values, compared with KDL and NLopt.
local cjson = require "cjson"
local files = require "files"
local peers = require "peers.peers"

local inverse = {}

inverse.count = 1000
inverse.seed = 1
inverse.limit = 50 -- us, the median for arms of six or seven joints, where KDL's chain takes its reference
inverse.share = 0.999 -- of goals that must be found

local others = {
  name = "KDL and NLopt", program = "inverse_kdl", modules = "orocos-kdl urdfdom nlopt", libraries = "",
  headers = { ["kdl/tree.hpp"] = "liborocos-kdl-dev", ["urdf_parser/urdf_parser.h"] = "liburdfdom-dev",
              ["nlopt.h"] = "libnlopt-dev" },
}

--- TRAC-IK, which is not in Debian 12: success and median/p99 us, measured once with a limit of 5 ms on the
--- vendors' goals, on a machine where KDL's chain of the Panda took `kinematics.reference` ns.
local aims = {
  ["ur3e, vendor"] = "99.2 %, 173/4962", ["panda, vendor"] = "98.9 %, 276/4875",
    ["iiwa14, vendor"] = "99.9 %, 123/3924",
  ["pepper arm, vendor"] = "99.9 %, 124/3035", ["mycobot280, vendor"] = "96.2 %, 190/5030",
}

--- `model`: an included robot; `goals`: of the shared folder, made by another program.
local robots = {
  { name = "ur3e", model = "ur3e", base = "base_link", tip = "tool0" },
  { name = "panda", model = "panda", base = "panda_link0", tip = "panda_hand" },
  { name = "pepper arm", model = "pepper", base = "torso", tip = "l_gripper" },
  { name = "mycobot280", model = "mycobot280", base = "g_base", tip = "joint6_flange" },
  { name = "ur3e, vendor", goals = "ur3e" },
  { name = "panda, vendor", goals = "panda" },
  { name = "iiwa14, vendor", goals = "iiwa14" },
  { name = "pepper arm, vendor", goals = "pepper_right" },
  { name = "mycobot280, vendor", goals = "mycobot280" },
}

--- Write goals of an included robot.  Return whether there are any.
local function generate(options, robot, path)
  local words = { files.quote(options.build .. "/brio"), "lua",
    files.quote(options.root .. "/scripts/bench/kinematics/inverse_goals.lua"),
    files.quote(("%s/drivers/robots/%s/model.urdf"):format(options.root, robot.model)), robot.base, robot.tip,
    inverse.count, inverse.seed }
  local text, code = files.output(table.concat(words, " "))
  if code ~= 0 then return false end
  files.write(path, text)
  return true
end

--- Write the shared folder's goals of a robot.  Return false if there are none.
local function convert(options, robot, path)
  local text = files.read(("%s/data/truth/ik/%s.json"):format(options.shared, robot.goals))
  if not text then return false end
  local chain, lines = cjson.decode(text), {}
  lines[1] = table.concat({ options.shared .. "/data/robots/" .. chain.urdf, chain.base, chain.tip,
    #chain.joints, #chain.goals }, " ")
  lines[2] = table.concat(chain.joints, " ")
  lines[3] = table.concat(chain.lower, " ")
  lines[4] = table.concat(chain.upper, " ")
  for _, goal in ipairs(chain.goals) do
    lines[#lines + 1] = table.concat(goal.pose, " ") .. " " .. table.concat(goal.q_seed, " ")
  end
  files.write(path, table.concat(lines, "\n") .. "\n")
  return true
end

--- Run the programs in turn; keep the least disturbed round of each row.
local function measure(programs, path, rounds)
  local best = {}
  for _ = 1, rounds do
    for _, program in ipairs(programs) do
      for _, line in ipairs(files.lines(files.quote(program) .. " " .. files.quote(path))) do
        local row = cjson.decode(line)
        if not best[row.row] or row.p50 < best[row.row].p50 then best[row.row] = row end
      end
    end
  end
  return best
end

--- Return {rows, notes}: a row for each robot with {found, count, p50, p95, p99, most, first} of brio, KDL
--- and NLopt.
function inverse.measure(options, scale)
  local programs, notes, rows = { options.build .. "/bench/kinematics/inverse" }, {}, {}
  local built, why = peers.build(others, options.root, options.build)
  if built then programs[2] = built else notes[1] = others.name .. ": " .. why end
  for _, robot in ipairs(robots) do
    local path = options.build .. "/bench/goals.txt"
    if (robot.model and generate or convert)(options, robot, path) then
      io.stderr:write("  inverse kinematics: ", robot.name, "\n")
      local best = measure(programs, path, options.rounds)
      local own = best.brio
      local good = own.found >= inverse.share * own.count and (not scale or own.p50 <= inverse.limit * scale)
      rows[#rows + 1] = { robot = robot.name, brio = own, KDL = best.KDL, NLopt = best.NLopt,
        aim = aims[robot.name], verdict = good and "PASS" or "MISSED" }
    else
      notes[#notes + 1] = robot.name .. ": skipped, its goals are not on this machine"
    end
  end
  return { rows = rows, notes = notes }
end

return inverse
