--- `brio timeline`: a behavior's trees over time, as planned and as executed in a run.
local cli = require "brio.terminal.cli"

local command = {
  name = "timeline",
  summary = "show a tree over time: its plan, and its execution in a recorded run",
  usage = "brio timeline FILE|RUN [options]     (RUN: see docs/analysis/runs.md)",
  options = {
    { "svg", "FILE", "also draw it, into a .svg or .png file" },
    { "tree", "STATE", "only the tree of this state; default: all" },
    { "for", "SECONDS", "maximum duration of a plan; default 600" },
    { "robot", "R", "plan for this robot; default: the behavior's robot" },
    { "store", "FILE", "the run store; default: brio.db" },
    cli.load,
  },
}

--- The states of a loaded behavior that have trees, compiled, in order.
local function states_of(loaded)
  local list = {}
  require("brio.behavior.define").each_state(loaded.machine, function(state)
    if state.tree then list[#list + 1] = state end
  end)
  return list
end

--- Plan a state's tree for the robot of the behavior.
local function plan_of(loaded, state, args, longest)
  local robot = args.robot or loaded.definition.fields.robot or "pepper"
  local description = require("brio.robots.catalog").find(robot, { load = args.load })
  local site = { description = description, sequences = loaded.sequences, name = state.path }
  return require("brio.trials.timeline").plan(state.tree, site, longest)
end

--- The behavior of a run in its first version, from the texts in the store; nil if these do not load any
--- more.
local function behavior_of_run(db, run)
  local rows = db:query("SELECT u.name, v.source FROM run_versions u JOIN versions v ON v.hash = u.hash \z
    WHERE u.run = ? AND"
    .. " u.id = (SELECT min(o.id) FROM run_versions o WHERE o.run = u.run AND o.name = u.name)", run.run)
  local given = {}
  for _, row in ipairs(rows or {}) do given[row.name] = row.source end
  if not given[run.behavior or ""] then return nil end
  local files = require("brio.behavior.sandbox.sandbox").given(given)
  return (require("brio.run.runner").load(run.behavior, { seed = run.seed, files = files }))
end

--- Whether a compiled tree equals the recorded one.
local function same(compiled, recorded)
  if #compiled.list ~= #recorded then return false end
  for number, record in ipairs(compiled.list) do
    if recorded[number][1] ~= record.is or recorded[number][2] ~= record.name then return false end
  end
  return true
end

--- The timelines of a run: a list of {title, lines, planned, actual}.
local function parts_of_run(db, run, args, longest)
  local timeline, decode = require "brio.trials.timeline", require("cjson").decode
  local list, why = timeline.of_run(db, run.run, decode)
  if not list then return nil, why end
  local loaded, parts, states = behavior_of_run(db, run), {}, {}
  for _, state in ipairs(loaded and states_of(loaded) or {}) do states[state.path] = state end
  for _, tree in ipairs(list) do
    local state = states[tree.state or ""]
    if not args.tree or args.tree == tree.state then
      local planned = state and same(state.tree, tree.nodes) and plan_of(loaded, state, args, longest) or nil
      parts[#parts + 1] = { title = ("%s, from %.2f s on"):format(tree.state or "a tree", tree.started),
        actual = tree, planned = planned, lines = timeline.lines(planned and state.tree.list or tree.nodes) }
    end
  end
  if #parts == 0 then
    return nil, ("run %d kept no tree%s"):format(run.run, args.tree and " of state " .. args.tree or "")
  end
  return parts, ("run %d: %s on %s"):format(run.run, (run.behavior or "a behavior"):match "[^/]*$",
    run.robot or "no robot")
end

--- The timelines of a file.
local function parts_of_file(file, args, longest)
  local runner, timeline = require "brio.run.runner", require "brio.trials.timeline"
  local path, given = require("brio.trials.carrier").behavior(file, args.robot)
  local loaded, faults, unread = runner.load(path,
    { files = given and require("brio.behavior.sandbox.sandbox").given(given) })
  if not loaded then return nil, unread or runner.sentence(faults), faults end
  local parts = {}
  for _, state in ipairs(states_of(loaded)) do
    if not args.tree or args.tree == state.path then
      parts[#parts + 1] = { title = state.path, planned = plan_of(loaded, state, args, longest),
        lines = timeline.lines(state.tree.list) }
    end
  end
  if #parts > 0 then return parts, file:match "[^/]*$" end
  return nil, args.tree and ("%s: no state '%s' with a tree"):format(file, args.tree)
    or file .. ": none of its states has a tree"
end

--- The duration of a part, actual or planned, in words.
local function length_text(part)
  local words = {}
  if part.planned then
    words[1] = part.planned.endless and ("planned without end, shown for %.2f s"):format(part.planned.seconds)
      or ("planned %.2f s"):format(part.planned.seconds)
  end
  if part.actual then words[#words + 1] = ("went %.2f s"):format(part.actual.seconds) end
  return table.concat(words, ", ")
end

local function print_parts(parts, title)
  local timeline = require "brio.trials.timeline"
  for index, part in ipairs(parts) do
    print(("%s%s, %s: %s"):format(index > 1 and "\n" or "", title, part.title, length_text(part)))
    for _, line in ipairs(timeline.text(part.lines, part.planned, part.actual)) do print(line) end
  end
end

local function draw(path, parts, title)
  local timeline, panels, last = require "brio.trials.timeline", {}, 0
  for _, part in ipairs(parts) do
    panels[#panels + 1] = timeline.panel(("%s: %s"):format(part.title, length_text(part)), part.lines,
      part.planned, part.actual)
    last = math.max(last, part.planned and part.planned.seconds or 0,
      part.actual and part.actual.seconds or 0)
  end
  return require("brio.draw.chart").draw(path,
    { title = title, from = 0, to = last, panels = panels, left = 170 })
end

--- Print parts, and draw them if requested.
local function show(parts, title, args)
  if not parts then return nil, title end
  print_parts(parts, title)
  if not args.svg then return true end
  return draw(args.svg, parts, title)
end

function command.run(args)
  local longest = #args == 1 and cli.number(args, "for", 0.01, 1e5, 600)
  if not longest then
    if #args ~= 1 then cli.error("timeline expects a file or a run: %s", command.usage) end
    return 2
  end
  local word = args[1]
  if not require("brio.terminal.motion_files").is_file(word, args) then
    return cli.finish(cli.with_run(args, word, function(db, run)
      local parts, title = parts_of_run(db, run, args, longest)
      return show(parts, title, args)
    end))
  end
  local parts, title, faults = parts_of_file(word, args, longest)
  local good, why = show(parts, title, args)
  if good then return 0 end
  cli.error("%s", why)
  return faults and 3 or 1
end

return command
