--- `brio steps`: plans footsteps, prints and draws them.
local cli = require "brio.terminal.cli"

local command = {
  name = "steps",
  summary = "plan footsteps from one place to another, as the leaf `walk` does: printed, and drawn \z
    from above",
  usage = "brio steps --to X,Y[,YAW] [options]     (m, rad)",
  options = {
    { "to", "X,Y[,YAW]", "goal of the middle between the feet, and its heading" },
    { "from", "X,Y[,YAW]", "its start; default: 0,0,0" },
    { "planner", "NAME", "quick (default), turn_walk_turn or a_star" },
    { "ground", "FILE", "plain data: { regions = ..., heights = ..., level = ..., obstacles = { shapes } }" },
    { "around", nil, "first find a path around obstacles (quick)" },
    { "set", "NAME=VALUE", "a setting of the planner; can be repeated", many = true },
    { "seed", "N", "seed of that path; default: 0" },
    { "svg", "FILE", "draw it, into a .svg or .png file" },
    { "json", nil, "print as JSON" },
  },
}

--- Expansions of a search between two checks whether it has ended.
local slice = 1000

--- Parse X,Y or X,Y,YAW; nil on errors (printed).
local function place(args, option)
  local list = {}
  for word in ((args[option] or "0,0,0") .. ","):gmatch "([^,]*)," do
    list[#list + 1] = tonumber(word) or 0 / 0
  end
  list[3] = list[3] or 0
  for index = 1, #list do
    if #list ~= 3 or list[index] ~= list[index] or math.abs(list[index]) > 1e4 then
      return cli.error("--%s must be X,Y or X,Y,YAW, in m and rad, not '%s'", option, args[option])
    end
  end
  return list
end

--- The numbers of --set; nil on errors (printed).
local function settings(args)
  local made = {}
  for _, text in ipairs(args.set or {}) do
    local name, value = text:match "^([%a_]+)=(.+)$"
    if not name or not tonumber(value) then return cli.error("--set must be NAME=NUMBER, not '%s'", text) end
    made[name] = tonumber(value)
  end
  return made
end

--- The poses of both soles at a place, on the ground if it is known.
local function feet(at, hip, ground)
  local geometry = require "brio.lib.geometry"
  local made, turned = {}, geometry.from_rpy(0, 0, at[3])
  for side, y in pairs { left = hip, right = -hip } do
    local off = geometry.turn(turned, { 0, y, 0 })
    local p = { at[1] + off[1], at[2] + off[2] }
    p[3] = ground and ground:height(p[1], p[2]) or 0
    made[side] = { position = p, orientation = turned }
  end
  return made
end

local function value_of(chosen, name)
  for _, row in ipairs(require("brio.plan").settings()) do
    if row.name == name then return chosen[name] or row.value end
  end
end

--- The fields of the ground's file; brio.plan checks the tables in it.
local ground_fields = {
  regions = { "any", doc = "flat places, as of brio.plan.ground" },
  heights = { "any", doc = "a grid of heights" },
  level = { "number", unit = "m", doc = "height of the ground elsewhere" },
  obstacles = { "any", doc = "obstacles" },
}

--- The contents of the ground's file, or {}; nil and a sentence.
local function world_of(args)
  if not args.ground then return {} end
  return require("brio.io.data_file").read(args.ground, ground_fields)
end

--- Plan.  Return the search and its request; nil and a sentence.
local function planned(args, from, to, chosen, seed)
  local plan = require "brio.plan"
  local world, why = world_of(args)
  if not world then return nil, why end
  local request, search
  local good, wrong = pcall(function()
    local ground = args.ground and plan.ground { regions = world.regions, heights = world.heights,
      level = world.level } or nil
    local hip = value_of(chosen, "hip_width")
    request = { planner = args.planner, start = feet(from, hip, ground), goal = feet(to, hip, ground),
      ground = ground, obstacles = world.obstacles, around = args.around, seed = seed, settings = chosen }
    search, why = plan.search(request)
  end)
  if not good then return nil, (tostring(wrong):gsub("^.-:%d+: ", "")) end
  if not search then return nil, why end
  local found
  repeat found, why = search:work(slice) until found ~= nil
  if not found then return nil, why end
  request.world = world
  return search, request
end

local function print_steps(steps, effort)
  local gait = require "brio.motion.gait"
  print "      side     x (m)   y (m)   z (m)  yaw (rad)  transfer (s)  swing (s)"
  for index, step in ipairs(steps) do
    local p = step.pose.position
    print(("%4d  %-5s  %7.3f %7.3f %7.3f    %7.3f       %7.2f    %7.2f"):format(index, step.side, p[1], p[2],
      p[3], gait.yaw(step.pose), step.transfer, step.swing))
  end
  print(("%d steps, %.2f s%s"):format(#steps, gait.seconds(steps),
    effort.nodes > 0 and (", found in %d expansions"):format(effort.expansions) or ""))
end

function command.run(args)
  if #args > 0 or not args.to then
    cli.error("steps expects --to: %s", command.usage)
    return 2
  end
  local from, to, chosen, seed = place(args, "from"), place(args, "to"), settings(args), cli.seed(args)
  if not (from and to and chosen and seed) then return 2 end
  if args.svg and not args.svg:match "%.svg$" and not args.svg:match "%.png$" then
    cli.error("--svg expects a file that ends with .svg or .png, not '%s'", args.svg)
    return 2
  end
  local search, request = planned(args, from, to, chosen, seed)
  if not search then return cli.finish(nil, request) end
  local steps = search:steps()
  if args.json then print(require("cjson").encode(steps)) else print_steps(steps, search:effort()) end
  if not args.svg then return cli.finish(true) end
  return cli.finish(require("brio.draw.steps").draw(args.svg,
    { steps = steps, start = request.start, way = search:way(),
    regions = request.world.regions, obstacles = request.world.obstacles,
    sole = { value_of(chosen, "foot_length"), value_of(chosen, "foot_width") } }))
end

return command
