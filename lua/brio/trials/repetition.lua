--- Repeats a tree on the simulator with a different seed for each run, varies values, and collects the
--- results of all nodes.
---
---     local repeated = assert(repetition.new { file = "behaviors/door.lua", seed = 1, vary = {
---       "near=0.8..1.2" } })
---     local result = repeated:run(1)
---
--- Run k has seed `seed` + k - 1.  Varied values and random events depend on that seed alone.
local behavior = require "brio.behavior.define"
local check = require "brio.tree.model.check"
local owns = require "brio.tree.model.owns"
local paths = require "brio.lib.paths"
local piece = require "brio.tree.model.piece"
local random = require "brio.random"
local rehearsal = require "brio.trials.rehearsal"
local robots = require "brio.robots.catalog"
local runner = require "brio.run.runner"
local sandbox = require "brio.behavior.sandbox.sandbox"
local suggest = require "brio.lib.suggest"
local trees = require "brio.tree.model.tree"
local variation = require "brio.trials.variation"
local watch = require "brio.trials.watch"
local whole = require "brio.tree.files.build"

local repetition = {}
local Repetition = {}
Repetition.__index = Repetition

--- Default timeout of a tree, s of robot time.
repetition.patience = 600

--- The state whose tree is meant, and the node of it (nil: the whole tree).  nil, sentence: there is none.
local function find_tree(loaded, said)
  local states, names, found = behavior.states_with_trees(loaded.machine), {}, nil
  if #states == 0 then return nil, loaded.file .. ": none of its states has a tree" end
  for index, state in ipairs(states) do
    names[index] = state.path
    if state.path == said then return state end
  end
  if said == nil then return #states == 1 and states[1] or false end
  for _, state in ipairs(states) do
    local node = piece.find(state.tree, said)
    for _, record in ipairs(node and state.tree.list or {}) do names[#names + 1] = record.name end
    if node and found then
      return nil, ("'%s' is in the trees of %s and %s: give a state"):format(said, found[1].path, state.path)
    end
    found = found or node and { state, node }
  end
  if found then return found[1], found[2] end
  for _, state in ipairs(states) do
    for _, record in ipairs(state.tree.list) do names[#names + 1] = record.name end
  end
  return nil, ("there is no state or node '%s' with a tree%s"):format(said, suggest.hint(said, names))
end

--- Run one node of a state's tree instead of the whole.
local function cut(state, node)
  if not node then return nil end
  local made, faults = trees.compile(piece.cut(state.tree, node))
  if not made then return faults[1].message end
  local all = state.tree
  made.document, made.origins, made.context = all.document, all.origins, all.context
  state.tree = made
end

--- Replace a state's tree by an editing document.  Return the error, or nil.
local function replace(state, document)
  if not document then return nil end
  local context = state.tree.context
  local made, faults = whole.compile(document, context)
  if not made then return faults[1].message end
  state.tree = made
end

--- Prepare repetitions.  options: file, robot, world, seed (1), vary (a list of texts: see variation.lua),
--- leaves (scripts: see rehearsal.lua), tree (a state or a node), seconds (timeout), load.  For a single
--- run also: state and node (a number) instead of tree, document (the tree, instead of the one in the
--- file), start (positions of DOFs, by name), base (pose of a base that moves), scene (initial detections),
--- objects (of the scene, in the form of brio.operator.prompt.situation), preview (the robot is a ghost),
--- prepare(definition), each(run, tree) after every tick, say, sources (see runner.new), world = false:
--- none, excuse: leaves that are invalid on the robot fail when they are reached. Return it, or nil, a
--- sentence, and a list of faults.
function repetition.new(options)
  local loaded, faults, unread = runner.load(options.file, { seed = 0,
    files = options.sources and sandbox.given(options.sources) })
  if not loaded then return nil, unread or runner.sentence(faults), faults end
  local self = setmetatable({ options = options, seed = options.seed or 1, loaded = loaded,
    patience = options.seconds or repetition.patience }, Repetition)
  local state, node = find_tree(loaded, options.state or options.tree)
  if state == nil then return nil, node end
  node = options.node or node
  local unfit = state and replace(state, options.document)
  local there = not unfit and state and node and state.tree.list[node]
  if not unfit and state and node and not (there and there.name == (options.title or there.name)) then
    unfit = ("the tree has no node %d%s"):format(node,
      options.title and (" that is called '%s'"):format(options.title) or "")
  end
  if unfit then return nil, unfit end
  self.state, self.node = state and state.path, node
  local own = options.world ~= false and loaded.definition.fields.world
  self.world = options.world or own and paths.beside(loaded.file, own)
  local why
  self.vary, why = variation.new(options.vary or {},
    { loaded = loaded, world = self.world and runner.read_world(self.world) })
  if not self.vary then return nil, why end
  local list = {}
  for index, one in ipairs(behavior.states_with_trees(loaded.machine)) do list[index] = one.tree end
  local good, made = pcall(rehearsal.new, { leaves = options.leaves })
  if not good then return nil, made end
  why = made:fault(list)
  if why then return nil, why end
  if state and node then
    why = cut(state, node)
    if why then return nil, why end
  end
  self.compiled = state and state.tree or nil
  return self
end

--- Let leaves that are invalid on a robot fail with the reason when they are reached, instead of refusing
--- the tree. Two leaves that may own one limb at once are only reported.
local function excuse(loaded, options, robot)
  local description = robots.find(robot)
  loaded.excused = true
  for _, state in ipairs(description and behavior.states_with_trees(loaded.machine) or {}) do
    local list, numbers = state.tree.list, {}
    local site = { description = description, sequences = loaded.sequences, name = state.path }
    for number in ipairs(list) do numbers[number] = number end
    local function place(number) return "node " .. number end
    for _, fault in ipairs(owns.faults(state.tree, site, place)) do
      if options.say then options.say("warning", fault.message) end
    end
    for first = 1, #numbers do
      local fault = check.faults(state.tree, site, place, { numbers[first] }, false)[1]
      if fault and list[first].kind == "call" then
        local form = { "action", name = list[first].name, tick = function() return false, fault.message end }
        list[first] = setmetatable({ is = "action", form = form, values = form }, { __index = list[first] })
      end
    end
  end
end

--- The compiled tree of a state; nil: it has none.
function Repetition:tree_of(path)
  for _, state in ipairs(behavior.states_with_trees(self.loaded.machine)) do
    if state.path == path then return state.tree end
  end
end

--- The name of the robot.
function Repetition:robot() return self.options.robot or self.loaded.definition.fields.robot or "pepper" end

--- The chosen state in a freshly loaded behavior.
local function chosen(self, loaded)
  for _, state in ipairs(behavior.states_with_trees(loaded.machine)) do
    if state.path == self.state then return state end
  end
end

--- Put one run together.  Return it, its watcher and its varied values; or nil and a sentence.
function Repetition:open(number)
  local options, seed = self.options, self.seed + number - 1
  local values = self.vary:draw(random.stream(seed, "vary"))
  local watched = watch.new(options.watch)
  local world_data = self.world and runner.read_world(self.world) or options.world == false
    and { seed = seed } or nil
  local settings = {}
  local good, made, why, faults = pcall(runner.new, {
    file = options.file, robot = options.robot, clock = "fast", seed = seed, world_data = world_data,
      load = options.load,
    sources = options.sources, start = options.start, base = options.base, store = options.store,
    say = options.say, settings = settings, preview = options.preview,
    scene = options.scene and { appear_after = 1, lost_after = 1e9 } or nil,
    prepare = function(definition)
      if self.state and definition.states[self.state] then definition.fields.start = self.state end
      if options.prepare then options.prepare(definition) end
      return self.vary:apply(values, { definition = definition, world = world_data, settings = settings })
    end,
    adapt = function(loaded)
      local state = self.state and chosen(self, loaded)
      if options.excuse then excuse(loaded, options, self:robot()) end
      return state and replace(state, options.document)
        or self.vary:apply_to_trees(values, behavior.states_with_trees(loaded.machine))
        or state and cut(state, self.node)
    end,
    rehearsal = rehearsal.new { leaves = options.leaves, watch = watched,
      stream = random.stream(seed, "leaves") },
  })
  -- raised errors have a position in brio's own file
  if not good then return nil, (tostring(made):gsub("^.-%.lua:%d+: ", "")) end
  if not made then return nil, why, faults end
  if self.state and not made.loaded.definition.states[self.state] then
    made.host:force(chosen(self, made.loaded), "repeat")
  end
  if options.scene and #options.scene > 0 then made.scene:update(0, options.scene) end
  made.host.objects:take(options.objects or {})
  return made, watched, values
end

--- The watched tree of the chosen state, else the first that began.
local function tree_of(self, watched)
  for _, tree in ipairs(watched.trees) do
    if not self.state or tree.state == self.state then return tree end
  end
end

--- The result of a run, in words: the outcome, the node and the reason.
local function verdict(tree, run, waited)
  if tree and tree.over == "success" then return "success" end
  local failed
  for _, one in ipairs(tree and tree.executions or {}) do
    if one.status == "failure" and (not failed or one.ended >= failed.ended) then
      failed = (not failed or one.ended > failed.ended or one.node > failed.node) and one or failed
    end
  end
  if tree and tree.over == "failure" then
    return "failure", failed and tree.compiled.list[failed.node].name, failed and failed.why
  end
  if run.host.failed then return "error", nil, run.host.failed end
  if not tree then return "unfinished", nil, "no tree began" end
  if waited then return "unfinished", nil, ("it was not over after %g s"):format(waited) end
  return "unfinished", nil, "its state was left before it was over"
end

--- Whether a tree has ended, or can no longer end.
local function ended(tree, run)
  if tree and (tree.over or tree.left) then return true end
  return run.host.failed ~= nil
end

--- Do run `number`.  Return {run, seed, values, outcome = "success", "failure", "error" (of a script) or
--- "unfinished", node, why, seconds (of the tree), executions (see watch.lua)}; or nil and a sentence if it
--- cannot start.
function Repetition:run(number)
  local run, watched, values = self:open(number)
  if not run then return nil, watched end
  local tree, waited = nil, nil
  local tick = 1 / run.rate
  repeat
    local goes_on = run:advance(tick)
    tree = tree or tree_of(self, watched)
    if self.options.each then self.options.each(run, tree) end
    if run.host.now >= self.patience then waited = self.patience end
  until not goes_on or waited or ended(tree, run)
  local outcome, node, why = verdict(tree, run, waited)
  local result = { run = number, seed = self.seed + number - 1, values = values, outcome = outcome,
    node = node, why = why,
    seconds = tree and run.host.now - tree.started or nil, executions = tree and tree.executions or {},
    state = tree and tree.state, compiled = tree and tree.compiled }
  run:close()
  -- times relative to the beginning of the tree; what still ran was stopped
  for _, one in ipairs(result.executions) do
    if not one.status then one.status, one.ended = "stopped", tree.started + result.seconds end
    one.started, one.ended = one.started - tree.started, one.ended - tree.started
  end
  return result
end

return repetition
