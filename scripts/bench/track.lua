--- The solver on moving goals that can be reached exactly: how long it takes, how far off it is, how
--- roughly it moves.
---     build/brio lua scripts/bench/track.lua FOLDER MODEL.urdf ROBOT
--- FOLDER holds goals_ROBOT.csv (step, t, link, position in m, quaternion w x y z) and init_ROBOT.csv
--- (joint, value).  Goals come at 60 Hz.  The weights are Lively's for this task: position 50,
--- orientation 25, joint limits 10, collision 3, and of its smoothness macro (10) the joints' share.
local clock = require "brio.clock"
local robot = require "brio.robot"
local solver = require "brio.solver"

local folder, model, name = arg[1], arg[2], arg[3]
if not name then error("usage: track.lua FOLDER MODEL.urdf ROBOT", 0) end

local dt = 1 / 60
local smoothness = { joint_velocity_minimization = 2.1, joint_acceleration_minimization = 0.8, joint_jerk_minimization = 0.4 }

--- The rows of a CSV file below its title.
local function rows(file)
  local list = {}
  for line in io.lines(folder .. "/" .. file) do
    local row = {}
    for cell in line:gmatch "[^,]+" do row[#row + 1] = tonumber(cell) or cell end
    list[#list + 1] = row
  end
  table.remove(list, 1)
  return list
end

--- List of {link = {position, orientation}}, one a step.
local function read_goals()
  local steps = {}
  for _, row in ipairs(rows("goals_" .. name .. ".csv")) do
    steps[row[1] + 1] = steps[row[1] + 1] or {}
    steps[row[1] + 1][row[3]] = { { row[4], row[5], row[6] }, { row[8], row[9], row[10], row[7] } }
  end
  return steps
end

local function new_solver(links)
  local made = solver.new(assert(robot.load(model)), { seed = 1 })
  local joints = {}
  for _, row in ipairs(rows("init_" .. name .. ".csv")) do joints[row[1]] = row[2] end
  made:reset({ joints = joints }, true)
  local function add(key, kind, weight, arguments)
    made:add(key, kind, arguments)
    made:weight(key, weight)
  end
  for link in pairs(links) do
    add("place " .. link, "position_match", 50, { link = link })
    add("turn " .. link, "orientation_match", 25, { link = link })
  end
  add("limits", "joint_limits", 10)
  add("collision", "collision_avoidance", 3)
  for kind, weight in pairs(smoothness) do add(kind, kind, weight) end
  return made
end

--- Meters and radians from where a link is to its goal.
local function errors(pose, goal)
  local square, dot = 0, 0
  for i = 1, 3 do square = square + (pose.position[i] - goal[1][i]) ^ 2 end
  for i = 1, 4 do dot = dot + pose.orientation[i] * goal[2][i] end
  return math.sqrt(square), 2 * math.acos(math.min(1, math.abs(dot)))
end

--- The greatest third difference of any joint, per s^3.
local function jerk(past)
  local most, n = 0, #past
  for joint, now in pairs(n >= 4 and past[n] or {}) do
    local third = now - 3 * past[n - 1][joint] + 3 * past[n - 2][joint] - past[n - 3][joint]
    most = math.max(most, math.abs(third) / dt ^ 3)
  end
  return most
end

local goals = read_goals()
local s, past, times, sums = new_solver(goals[1]), {}, {}, { 0, 0, 0, count = 0 }
for step, wanted in ipairs(goals) do
  for link, goal in pairs(wanted) do
    s:goal("place " .. link, goal[1])
    s:goal("turn " .. link, goal[2])
  end
  local began = clock.cpu()
  past[step] = s:solve(step * dt, dt).joints
  times[step] = (clock.cpu() - began) * 1e3
  local frames = s:frames()
  for link, goal in pairs(wanted) do
    local place, turn = errors(frames[link], goal)
    sums[1], sums[2], sums.count = sums[1] + place, sums[2] + turn, sums.count + 1
  end
  sums[3] = math.max(sums[3], jerk(past))
end
table.sort(times)
print(("%s: solve p50 %.3f ms, p95 %.3f, p99 %.3f; mean error %.2f mm, %.2f degrees; greatest joint jerk %.0f per s^3")
  :format(name, times[#times // 2], times[#times * 95 // 100], times[#times * 99 // 100],
    sums[1] / sums.count * 1e3, math.deg(sums[2] / sums.count), sums[3]))
