--- `brio ik`: finds joint values that bring a link to a pose.
local cli = require "brio.terminal.cli"

local command = {
  name = "ik",
  summary = "find joint values that bring a link to a pose: inverse kinematics",
  usage = "brio ik NAME|FILE|FOLDER --link LINK --position X,Y,Z [options]",
  options = {
    { "link", "LINK", "which link, or role such as head" },
    { "position", "X,Y,Z", "position, m, in the world; default: any" },
    { "orientation", "X,Y,Z,W", "orientation: a quaternion; default: any" },
    { "rpy", "R,P,Y", "orientation: roll, pitch and yaw, rad" },
    { "axis", "AXIS=X,Y,Z", "instead: only the direction of its x, y or z axis" },
    { "tolerance", "M,RAD", "permitted error; default: 0.0001,0.001" },
    { "from", "POSE", "start at this pose of the robot, and stay near it; default: its home pose" },
    { "solutions", "N", "number of distinct solutions" },
    { "clear", "M", "minimum distance between the robot's own links" },
    { "seed", "N", "seed of the random starts; default: 0" },
    { "packages", "DIR", "where package:// is searched" },
    { "json", nil, "print as JSON" },
  },
}

--- Parse `count` numbers separated by commas.  Return them, or nil on errors (printed).
local function numbers(option, text, count)
  local list = {}
  for word in (text .. ","):gmatch "([^,]*)," do list[#list + 1] = tonumber(word) or 0 / 0 end
  for i = 1, math.max(count, #list) do
    if #list ~= count or list[i] ~= list[i] or math.abs(list[i]) == math.huge then
      return cli.error("--%s must be %d numbers with commas between, not '%s'", option, count, text)
    end
  end
  return list
end

--- The link's goal from the options, or nil on errors (printed).
local function read_goal(args)
  local goal, turns = {}, 0
  for _, option in ipairs { "orientation", "rpy", "axis" } do turns = turns + (args[option] and 1 or 0) end
  if turns > 1 then return cli.error("--orientation, --rpy and --axis exclude each other") end
  if turns == 0 and not args.position then
    return cli.error("ik needs to know where to: --position, --orientation, --rpy or --axis")
  end
  local function take(field, option, count)
    if args[option] == nil then return true end
    goal[field] = numbers(option, args[option], count)
    return goal[field]
  end
  if not (take("position", "position", 3) and take("orientation", "orientation", 4)
      and take("rpy", "rpy", 3)) then
    return nil
  end
  if goal.rpy then
    goal.orientation, goal.rpy = require("brio.lib.geometry").from_rpy(table.unpack(goal.rpy)), nil
  end
  if args.axis then
    local axis, along = args.axis:match "^([xyz])=(.*)$"
    if not axis then
      return cli.error("--axis must be x, y or z and a direction, as in z=0,0,-1, not '%s'", args.axis)
    end
    goal.axis, goal.along = axis, numbers("axis", along, 3)
    if not goal.along then return nil end
  end
  if args.tolerance then
    local tolerance = numbers("tolerance", args.tolerance, 2)
    if not tolerance then return nil end
    goal.position_tolerance, goal.orientation_tolerance = tolerance[1], tolerance[2]
  end
  return goal
end

--- The joint values of a named pose of the robot, for variables of its tree; nil: no such pose (printed).
local function pose_of(description, name)
  local suggest = require "brio.lib.suggest"
  local pose, joints = description.poses[name], {}
  if not pose then
    return cli.error("robot %s has no pose '%s'%s", description.name, name,
      suggest.hint(name, suggest.keys(description.poses)))
  end
  for _, variable in ipairs(description.robot:variables()) do
    joints[variable.name] = pose.joints[variable.name]
  end
  return joints
end

--- Parse the options.  Return the options of a workspace and a request, or nil (printed).
local function read_request(description, args)
  local goal, seed = read_goal(args), cli.seed(args)
  local joints = goal and pose_of(description, args.from or description.home)
  local count = cli.whole(args, "solutions", 1, 1000, 1)
  local clear = cli.number(args, "clear", 0, 0.2, false)
  if not (goal and seed and joints and count) or clear == nil then return nil end
  local link = description.roles[args.link] or args.link
  return { links = { link }, seed = seed, watches = clear and true or nil, max_solutions = count },
    { goal = goal, seed = { joints = joints }, nearest = true, solutions = count,
      clear = clear and true or nil, clearance = clear or nil, max_starts = clear and 400 or nil }
end

local function print_found(description, found)
  print(("left: %.6f m, %.6f rad; %d starts"):format(found.position, found.orientation, found.starts))
  for _, solution in ipairs(found.solutions) do
    local words = {}
    for _, variable in ipairs(description.robot:variables()) do
      words[#words + 1] = ("%s = %.5f"):format(variable.name, solution.joints[variable.name])
    end
    print("joints = { " .. table.concat(words, ", ") .. " }")
  end
end

function command.run(args)
  if #args ~= 1 or not args.link then
    cli.error("ik expects a robot and a link: %s", command.usage)
    return 2
  end
  local description, fault = require("brio.robots.catalog").find(args[1],
    { packages = args.packages and { args.packages } })
  if not description then
    cli.error("%s", fault)
    return 1
  end
  local options, request = read_request(description, args)
  if not options then return 2 end
  local good, found, why, code = pcall(
    function() return require("brio.ik").new(description.robot, options):solve(request) end)
  if not good or not found then
    cli.error("%s", (tostring(good and why or found):gsub("^.-%.lua:%d+: ", "")))
    return good and code ~= "misuse" and 1 or 2
  end
  if args.json then
    local store = require "brio.store"
    store.array(found.solutions)
    print(store.json(found))
  else
    print_found(description, found)
  end
  return 0
end

return command
