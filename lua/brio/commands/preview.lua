--- `brio preview`: a tree, or a node of it, run once on a ghost in a simulator of its own.
local cli = require "brio.terminal.cli"

local command = {
  name = "preview",
  summary = "run a tree, or a node of it, on a ghost: result, durations, near contacts",
  usage = "brio preview FILE [options]     (for a run: the prompt's word preview)",
  options = {
    { "node", "NODE", "only this node with its content, by its name or number" },
    { "tree", "STATE", "the tree of this state; default: that of the start state" },
    { "from-pose", "POSE", "start of the ghost: a pose of the robot, a JSON file {DOF: value}, or the end \z
      of a run: its number, or last; default: the home pose" },
    { "object", "NAME=X,Y,Z", "add an object at a point of the world (m); can be repeated",
      many = true },
    { "robot", "R", "a robot that ships, or any URDF or MJCF; default: the behavior's robot" },
    { "for", "SECONDS", "maximum duration, in robot time; default 600" },
    { "seed", "N", "seed of all random numbers; default 0" },
    { "situation", "FILE", "the state of a run as JSON, from the prompt's word preview; -: standard \z
      input; without FILE.lua" },
    { "store", "FILE", "the store of --from-pose's run; default: brio.db" },
    { "json", nil, "print the results as JSON" },
    cli.load,
  },
}

--- The last measured values of a recorded run, by DOF.
local function end_of_run(db, run)
  local rows, why = db:query("SELECT name, coalesce(measured, command) AS value FROM samples WHERE run = ?1 \z
    AND t >= ?2 - 0.2"
    .. " AND coalesce(measured, command) IS NOT NULL ORDER BY t", run.run, run.duration or 0)
  if not rows then return nil, why end
  local start = {}
  for _, row in ipairs(rows) do start[row.name] = row.value end
  if next(start) == nil then return nil, ("run %d kept no samples"):format(run.run) end
  return start
end

--- Values by DOF from a JSON file.
local function pose_of_file(path)
  local text, why = require("brio.file").read(path, 1 << 20)
  if not text then return nil, why end
  local good, made = pcall(require("cjson").decode, text)
  if not good or type(made) ~= "table" then return nil, path .. ": expected JSON as {\"DOF\": value, ...}" end
  return made.joints or made
end

--- Start of the preview: {DOF = value}, or nil and a sentence.
local function start_of(args, robot)
  local word, suggest = args["from-pose"], require "brio.lib.suggest"
  local description, why = require("brio.robots.catalog").find(robot, { load = args.load })
  if not description then return nil, why end
  local start
  if description.poses[word] then
    start = description.poses[word].joints
  elseif require("brio.runs.names").is_run(word) then
    start, why = cli.with_run(args, word, end_of_run)
  elseif word:find "%.json$" then
    start, why = pose_of_file(word)
  else
    local names = suggest.keys(description.poses)
    return nil, ("robot '%s' has no pose '%s'%s: it has %s"):format(description.name, word,
      suggest.hint(word, names), table.concat(names, ", "))
  end
  if not start then return nil, why end
  local known = {}
  for _, dof in ipairs(description.dofs) do known[dof.name] = dof end
  for _, name in ipairs(suggest.keys(start)) do
    local dof, value = known[name], start[name]
    if not dof then
      return nil, ("the robot has no DOF '%s'%s"):format(name, suggest.hint(name, suggest.keys(known)))
    end
    local lower, upper = dof.lower or -math.huge, dof.upper or math.huge
    if not (type(value) == "number" and value >= lower - 1e-6 and value <= upper + 1e-6) then
      return nil, ("%s cannot be at %s"):format(name, tostring(value))
    end
  end
  return start
end

--- A text as a coordinate; nil: it is no finite number.
local function coordinate(text)
  local value = tonumber(text)
  return value and math.abs(value) < math.huge and value or nil
end

--- Objects of --object, as detections; nil on errors (printed).
local function objects_of(args)
  local list = {}
  for index, text in ipairs(args.object or {}) do
    local name, x, y, z = text:match "^([^=]+)=([^,]+),([^,]+),([^,]+)$"
    x, y, z = coordinate(x), coordinate(y), coordinate(z)
    if not (x and y and z) then return cli.error("--object expects NAME=X,Y,Z in meters, not '%s'", text) end
    list[index] = { kind = "object", id = name, position = { x, y, z }, confidence = 1 }
  end
  return list
end

--- A tree file as options of a preview.
local function of_file(args, more)
  local preview, runner = require "brio.trials.preview", require "brio.run.runner"
  local piece = require "brio.tree.model.piece"
  local path, texts = require("brio.trials.carrier").behavior(args[1], args.robot)
  local loaded, faults, unread = runner.load(path,
    { files = texts and require("brio.behavior.sandbox.sandbox").given(texts) })
  if not loaded then return nil, unread or runner.sentence(faults), faults end
  local request = { file = path, sources = texts, robot = args.robot, state = args.tree }
  if args.node then
    local names
    require("brio.behavior.define").each_state(loaded.machine, function(state)
      if state.tree and not request.node and (not args.tree or args.tree == state.path) then
        local node, why = piece.find(state.tree, args.node)
        request.node, request.state, names = node, node and state.path or request.state, why
        request.title = node and state.tree.list[node].name
      end
    end)
    if not request.node then return nil, names or path .. ": none of its states has a tree" end
  end
  if args["from-pose"] then
    local why
    request.start, why = start_of(args, args.robot or loaded.definition.fields.robot or "pepper")
    if not request.start then return nil, why end
  end
  local options = preview.options(request, more)
  options.title, options.excuse, options.shown = request.title, texts ~= nil, args[1]
  return options
end

--- Options of a preview from a file that a run's prompt has written.
local function of_situation(args, more)
  local text, why
  if args.situation == "-" then
    text = io.read "a"
  else
    text, why = require("brio.file").read(args.situation, 64 << 20)
  end
  if not text then return nil, why end
  -- with whole numbers as they are: what the behavior remembers may be parts of names
  local good, request = pcall(require("brio.tree.editing.data").read_json, text)
  if not good or type(request) ~= "table" or type(request.file) ~= "string" then
    return nil, args.situation .. ": no situation of a run"
  end
  local options = require("brio.trials.preview").options(request, more)
  options.title = request.title
  return options
end

local function finish(result, args)
  if args.json then
    print(require("brio.store").json(result))
  else
    for _, line in ipairs(require("brio.trials.preview").lines(result)) do print(line) end
  end
  return result.outcome == "success" and 0 or 3
end

function command.run(args)
  local seconds, seed = cli.number(args, "for", 0.01, 1e6, 600), cli.seed(args)
  local objects = objects_of(args)
  if not (seconds and seed and objects) or #args ~= (args.situation and 0 or 1) then
    if seconds and seed and objects then cli.error("preview expects one file: %s", command.usage) end
    return 2
  end
  local more = { seconds = seconds, seed = seed, load = args.load, scene = args.object and objects }
  local options, why, faults = (args.situation and of_situation or of_file)(args, more)
  local result
  if options then result, why, faults = require("brio.trials.preview").run(options) end
  if result then return finish(result, args) end
  cli.error("%s", why)
  return faults and 3 or 1
end

return command
