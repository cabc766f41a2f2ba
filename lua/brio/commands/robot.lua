--- `brio robot`: describes a robot, and draws it.
local cli = require "brio.terminal.cli"

local command = {
  name = "robot",
  summary = "describe a robot: tree, DOFs, limits, shapes, poses, warnings; draw it",
  usage = "brio robot NAME|FILE|FOLDER [options]",
  options = {
    { "list", nil, "the robots that ship" },
    { "svg", "FILE", "draw it as SVG" },
    { "png", "FILE", "draw it as PNG" },
    { "pose", "NAME", "the pose to draw; default: its home pose" },
    { "view", "VIEW", "iso (default), front or side" },
    { "names", nil, "write the links' names into the picture" },
    { "packages", "DIR", "where package:// is searched (also: ROS_PACKAGE_PATH)" },
    { "init", "FOLDER", "write FOLDER/robot.lua for a URDF or MJCF: DOFs, and roles and parts as guessed" },
    { "json", nil, "print all of it as JSON" },
  },
}

--- Print the included robots, one on each line.
local function print_list(as_json)
  local robots, store = require "brio.robots.catalog", as_json and require "brio.store"
  local rows = {}
  for _, name in ipairs(robots.list()) do
    local description, why = robots.find(name)
    if not description then
      cli.error("%s", why)
      return 1
    end
    rows[#rows + 1] = { name = name, title = description.title, dofs = #description.dofs }
    if not as_json then print(("%-12s %-36s %d DOFs"):format(name, description.title, #description.dofs)) end
  end
  if as_json then print(store.json(store.array(rows))) end
  return 0
end

local function counts_of(description)
  local model = description.robot
  local counts = { links = #model:links(), joints = #model:joints(), fixed = 0, mimic = 0, outside = 0,
    dofs = #description.dofs }
  for _, name in ipairs(model:joints()) do
    local joint = model:joint(name)
    if joint.type == "fixed" then counts.fixed = counts.fixed + 1 end
    if joint.mimic then counts.mimic = counts.mimic + 1 end
  end
  for _, dof in ipairs(description.dofs) do
    if dof.outside then counts.outside = counts.outside + 1 end
  end
  return counts
end

local function details(names, one)
  local list = {}
  for index, name in ipairs(names) do list[index] = one(name) end
  return list
end

--- Everything about the robot as one JSON object.
local function print_json(description, counts, watched)
  local store, model = require "brio.store", description.robot
  local array = store.array
  local links = details(model:links(), function(name) return model:link(name) end)
  local joints = details(model:joints(), function(name) return model:joint(name) end)
  for _, joint in ipairs(joints) do array(joint.variables) end
  print(store.json {
    name = description.name, title = description.title, file = description.file, model = model:file(),
    source = array(description.source), base = description.base, mass = model:mass(), hash = model:hash(),
    counts = counts, links = array(links), joints = array(joints), dofs = array(description.dofs),
    variables = array(model:variables()), collisions = array(model:collisions()),
    loops = array(model:loops()), excludes = array(model:excludes()),
    self_pairs = watched and array(watched),
    poses = description.poses, home = description.home, roles = description.roles,
    guesses = description.guesses,
    warnings = array(description.warnings),
  })
end

--- Draw the requested pictures.  Return an exit code.
local function draw(description, args)
  if not (args.svg or args.png) then return 0 end
  local done, why, code = require("brio.draw.robot").picture(description,
    { svg = args.svg, png = args.png, pose = args.pose, view = args.view, names = args.names })
  if done then return 0 end
  cli.error("%s", why)
  return code == "misuse" and 2 or 1
end

--- The path of a model in a robot.lua in `folder`: its name if it is there, else the absolute path.
local function model_from(folder, file)
  local uv = require "luv"
  local there, inside = uv.fs_realpath(file) or file, uv.fs_realpath(folder)
  return inside and require("brio.lib.paths").folder(there) == inside and there:match "[^/]*$" or there
end

--- Write FOLDER/robot.lua for a model without one; the folder is created if necessary. Return its path, or
--- nil and a sentence: an existing file is kept.
local function write(description, folder)
  local uv, disk = require "luv", require "brio.io.files"
  local path = folder .. "/robot.lua"
  if not description.guesses then
    local text = "--init is for a model without a robot.lua: %s is described by %s"
    return nil, text:format(description.name, description.file)
  end
  if disk.exists(path) then return nil, path .. " exists already, and is not changed" end
  if not disk.exists(folder) then
    local made, why = uv.fs_mkdir(folder, 511) -- 0777
    if not made then
      return nil, ("%s: the folder cannot be made: %s"):format(folder, require "brio.io.reason"(why))
    end
  end
  local text = require("brio.robots.write").text(description, model_from(folder, description.file))
  local written, why = disk.replace(path, text)
  return written and path, why
end

--- Write a robot.lua for a model without one, and print what to check in it. Return an exit code.
local function init(description, folder)
  local path, why = write(description, (folder:gsub("(.)/+$", "%1")))
  if not path then
    cli.error("%s", why)
    return 1
  end
  print(("wrote %s"):format(path))
  local lines = {}
  for _, role in ipairs(require("brio.lib.suggest").keys(description.guesses)) do
    local one = description.guesses[role]
    local line = ("  %s = %s (%s: %s)"):format(role, one.link, one.sure, one.why)
    if one.sure ~= "sure" then lines[#lines + 1] = line end
  end
  if #lines > 0 then print("roles to look at there:\n" .. table.concat(lines, "\n")) end
  return 0
end

function command.run(args)
  if args.list then return print_list(args.json) end
  if #args ~= 1 then
    cli.error("robot expects one robot: %s; `brio robot --list` names those that ship", command.usage)
    return 2
  end
  local description, why = require("brio.robots.catalog").find(args[1], { packages = args.packages })
  if not description then
    cli.error("%s", why)
    return 1
  end
  if args.init then return init(description, args.init) end
  local code = draw(description, args)
  if code ~= 0 then return code end
  local counts = counts_of(description)
  local solver, unwatched = require("brio.solver").new(description.robot)
  local watched = solver and solver:self_pairs()
  if args.json then
    print_json(description, counts, watched)
  else
    local tree = require("brio.draw.parts").tree(description.robot)
    print(require("brio.robots.page").text(description, tree, counts, watched, unwatched))
  end
  for _, kind in ipairs { "svg", "png" } do
    if args[kind] and not args.json then print(("\nDrawn: %s"):format(args[kind])) end
  end
  return 0
end

return command
