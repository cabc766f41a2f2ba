--- The state of a run for a preview that begins in the robot's pose: plain data that is sent as JSON to
--- another process.
local behavior = require "brio.behavior.define"
local paths = require "brio.lib.paths"
local piece = require "brio.tree.model.piece"
local shape = require "brio.tree.model.form"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local situation = {}

--- Positions of the robot's DOFs: measured, else commanded, within their limits.
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

--- Pose of its base, if that moves.
local function base_of(run)
  if run.description.base == "fixed" then return nil end
  return run.solver:frames()[run.description.robot:links()[1]]
end

--- The surroundings, as detections.
local function surroundings(run)
  local list = {}
  for index, object in ipairs(run.scene:objects()) do
    list[index] = { kind = object.kind, id = object.id, position = object.position, size = object.size,
      orientation = object.pose and object.pose.orientation, confidence = object.confidence }
  end
  return store.array(list)
end

--- The fields of a table that can be represented in JSON.
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

--- Find what a person means: nothing (the running tree), a state, or a node.  Return the tree and the node's
--- number.
local function find(run, said)
  local active, states = trees_of(run)
  if #states == 0 then return nil, "this behavior has no tree" end
  if said == "" then
    local tree = active[#active] or #states == 1 and states[1]
    if tree then return tree end
    return nil, "no tree runs now: name a state or a node"
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

--- A tree's form for JSON: with named kinds and children.
local function as_data(form)
  if type(form) ~= "table" then return form end
  local made, list, first = {}, shape.list(form)
  for key, value in next, form do
    if type(key) == "string" then made[key] = value end
  end
  made.kind, made.children = shape.kind(form), nil
  for index = first, #list do
    made.children = made.children or {}
    made.children[index - first + 1] = as_data(list[index])
  end
  for _, part in ipairs(shape.parts) do
    for index, child in ipairs(type(form[part]) == "table" and form[part] or {}) do
      if index == 1 then made[part] = {} end
      made[part][index] = as_data(child)
    end
  end
  return made
end

--- The present tree if it was edited since the file was read, and can be represented in JSON. nil: as in the
--- file; false and a sentence: it cannot be represented.
local function document_of(host, tree)
  local session = (host.sessions or {})[tree.path]
  local form = session and session.document:form() or tree.compiled.document
  local data = type(form) == "table" and as_data(form)
  if data and pcall(store.json, data) then return data end
  if not (session and session.document:unsaved()) then return nil end
  return false, "the edited tree contains functions, which a ghost cannot run: name them as skills"
end

--- The state of a run for a ghost, as plain data for JSON; nil and a sentence: there is no such node.
function situation.of(run, said)
  local tree, node = find(run, said)
  if not tree then return nil, node end
  local host, robot = run.host, run.description.file
  local document, why = document_of(host, tree)
  if document == false then return nil, why end
  local sources = {}
  for name, text in next, host.sources do sources[name] = text end
  return {
    file = host.definition.file, sources = sources, robot = robot:match "robot%.lua$" and paths.folder(robot)
      or robot,
    state = tree.path, node = node, title = node and tree.compiled.list[node].name or nil,
      document = document,
    start = configuration(run), base = base_of(run), scene = surroundings(run),
    objects = store.array(run.host.objects:told()), tune = plain(host.self.tune),
    memory = plain(host.self.memory), load = run.extensions, seed = run.seed,
  }
end

return situation
