--- What a ghost needs to know of a run to begin where the robot is: plain data that goes through JSON to another process.
local behavior = require "brio.behavior"
local paths = require "brio.paths"
local piece = require "brio.tree.piece"
local store = require "brio.store"
local suggest = require "brio.suggest"

local situation = {}

--- Where the robot's DOFs are: measured, else commanded, within their limits.
local function configuration(run)
  local start = {}
  for _, dof in ipairs(run.description.dofs) do
    local state = run.actuator:state(dof.name)
    local value = state.valid and state.position or state.target
    if value and value == value then
      start[dof.name] = math.max(dof.lower or -math.huge, math.min(dof.upper or math.huge, value))
    end
  end
  return start
end

--- Where its base is, if that moves.
local function base_of(run)
  if run.description.base == "fixed" then return nil end
  return run.solver:frames()[run.description.robot:links()[1]]
end

--- What is around, as detections.
local function surroundings(run)
  local list = {}
  for index, object in ipairs(run.scene:objects()) do
    list[index] = { kind = object.kind, id = object.id, position = object.position, size = object.size,
      orientation = object.pose and object.pose.orientation, confidence = object.confidence }
  end
  return store.array(list)
end

--- Those fields of a table that can be told as JSON.
local function plain(fields)
  local made = {}
  for key, value in next, fields do
    if type(key) == "string" and pcall(store.json, value) then made[key] = value end
  end
  return made
end

--- The active states that run trees, inner ones last, and the compiled states that have one.
local function trees_of(run)
  local active, states = {}, {}
  if run.host.top then
    run.host.top:each_outer_first(function(one)
      if one.tree then active[#active + 1] = { path = one.state.path, compiled = one.tree.compiled } end
    end)
  end
  behavior.each_state(run.host.machine, function(state)
    if state.tree then states[#states + 1] = { path = state.path, compiled = state.tree } end
  end)
  return active, states
end

--- Find what a person means: nothing (the tree that runs), a state, or a node.  Return the tree and the node's number.
local function find(run, said)
  local active, states = trees_of(run)
  if #states == 0 then return nil, "this behavior has no tree" end
  if said == "" then
    local tree = active[#active] or #states == 1 and states[1]
    if tree then return tree end
    return nil, "no tree runs now: say a state or a node"
  end
  local names = {}
  for _, list in ipairs { active, states } do
    for index = #list, 1, -1 do
      local tree = list[index]
      if tree.path == said then return tree end
      local node, why = piece.find(tree.compiled, said)
      if node then return tree, node end
      if why:find "^there are" then return nil, why end
      names[#names + 1] = tree.path
      for _, record in ipairs(tree.compiled.list) do names[#names + 1] = record.name end
    end
  end
  return nil, ("there is no state or node '%s' with a tree%s"):format(said, suggest.hint(said, names))
end

--- The tree as its author has it now, where that can be told as JSON: it may have been edited since the file was read.
local function document_of(compiled)
  local document = compiled.document
  return type(document) == "table" and pcall(store.json, document) and document or nil
end

--- What a ghost needs to know of a run, as plain data that goes through JSON; nil and a sentence: there is no such node.
function situation.of(run, said)
  local tree, node = find(run, said)
  if not tree then return nil, node end
  local host, robot = run.host, run.description.file
  local sources = {}
  for name, text in next, host.sources do sources[name] = text end
  return {
    file = host.definition.file, sources = sources, robot = robot:match "robot%.lua$" and paths.folder(robot) or robot,
    state = tree.path, node = node, title = node and tree.compiled.list[node].name or nil, document = document_of(tree.compiled),
    start = configuration(run), base = base_of(run), scene = surroundings(run), tune = plain(host.self.tune),
    memory = plain(host.self.memory), load = run.extensions, seed = run.seed,
  }
end

return situation
