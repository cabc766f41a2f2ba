--- Runs a tree, or a node of it, on a ghost: another robot of the same kind in a simulator of its own,
--- which starts in the pose of the real one, with the people and objects of its scene.  The ghost has no
--- effect on the real robot.
---
---     local request = situation.of(run, "turn the knob")   -- plain data (operator/prompt/situation.lua)
---     local result = preview.run(preview.options(request))      -- anywhere, as in another process
---     print(table.concat(preview.lines(result), "\n"))
local repetition = require "brio.trials.repetition"
local suggest = require "brio.lib.suggest"
local trees = require "brio.tree.model.tree"

local preview = {}

--- Distance below which pairs are reported, m; interval of the search, in ticks.
preview.near, preview.every = 0.05, 4

-- The run of the ghost --------------------------------------------------------------------------------------

--- Options of brio.trials.repetition for a request; `more`: additional options of a person.
function preview.options(request, more)
  local options = { file = request.file, sources = request.sources, robot = request.robot,
    state = request.state,
    tree = not request.node and request.state or nil, node = request.node, document = request.document,
      start = request.start,
    base = request.base, scene = request.scene, objects = request.objects, preview = true,
      tune = request.tune,
    memory = request.memory, load = request.load, seed = request.seed }
  if request.scene then options.world = false end -- people and objects are fixed at the poses in the scene
  for key, value in next, more or {} do options[key] = value end
  return options
end

--- Copy the real behavior's memory and settings into the ghost's.
local function inform(options)
  return function(definition)
    local fields = definition.fields
    for name, value in next, options.tune or {} do
      local param = (fields.tune or {})[name]
      if param and type(value) == "number" then
        fields.tune[name] = setmetatable({ value = value }, { __index = param })
      end
    end
    fields.memory = fields.memory or {}
    for name, value in next, options.memory or {} do fields.memory[name] = value end
  end
end

--- Find near pairs of bodies, once every few ticks: the minimum distance of each, its time, and the running
--- node.
local function look(found, run, tree)
  if run.host.tick % preview.every ~= 0 then return end
  for _, pair in ipairs(run.solver:proximity(preview.near)) do
    if pair.point_a and pair.distance < preview.near then
      local key = pair.a .. "\0" .. pair.b
      local before = found[key]
      if not before or pair.distance < before.distance then
        local running = {}
        for _, one in ipairs(tree and tree.executions or {}) do
          local record = tree.compiled.list[one.node]
          if not one.status and record.kind == "call" then running[#running + 1] = record.name end
        end
        found[key] = { a = pair.a, b = pair.b, distance = pair.distance,
          time = run.host.now - (tree and tree.started or 0),
          running = running, first = before and before.first or pair.distance }
      end
    end
  end
end

--- Pairs, the nearest first, without those that were as near at the beginning.
local function ranked(found)
  local list = {}
  for _, key in ipairs(suggest.keys(found)) do
    if found[key].distance < found[key].first - 1e-4 or found[key].distance <= 0 then
      list[#list + 1] = found[key]
    end
  end
  table.sort(list, function(a, b)
    return a.distance < b.distance or a.distance == b.distance and a.a .. a.b < b.a .. b.b
  end)
  return list
end

--- The result of each leaf that ran.
local function leaves_of(result)
  local rows, by_node = {}, {}
  for _, one in ipairs(result.executions) do
    local record = result.compiled.list[one.node]
    if record.kind ~= "goto" and record.kind ~= "checkpoint" and trees.kinds[record.is].leaf then
      local row = by_node[one.node]
      if not row then
        row = { node = one.node, name = record.name, kind = record.is, runs = 0, success = 0, failure = 0,
          stopped = 0, seconds = 0 }
        rows[#rows + 1], by_node[one.node] = row, row
      end
      row.runs, row[one.status], row.seconds = row.runs + 1, row[one.status] + 1,
        row.seconds + one.ended - one.started
      row.why, row.progress = one.why or row.why, one.progress or row.progress
    end
  end
  table.sort(rows, function(a, b) return a.node < b.node end)
  return rows
end

--- Run a preview.  Return {outcome, node, why, seconds, state, title, robot, leaves = list, near = list of
--- {a, b, distance, time, running}, too_near = list of sentences}, or nil, a sentence, and a list of
--- faults.
function preview.run(options)
  local found, faults = {}, {}
  options.prepare, options.each = inform(options), function(run, tree) look(found, run, tree) end
  options.watch = { progress = 10 }
  options.say = function(level, sentence)
    if level == "error" or level == "warning" then faults[#faults + 1] = sentence end
  end
  local repeated, why, wrong = repetition.new(options)
  if not repeated then return nil, why, wrong end
  local result, sentence = repeated:run(1)
  if not result then return nil, sentence end
  return { outcome = result.outcome, node = result.node, why = result.why, seconds = result.seconds,
    state = result.state,
    file = options.shown or options.file, title = options.title, robot = repeated:robot():match "[^/]*$",
    leaves = leaves_of(result), near = ranked(found), said = faults }
end

-- In words --------------------------------------------------------------------------------------------------

--- The progress of a leaf, in words.
local function progress_text(progress)
  if not progress then return "" end
  local unit = progress.unit and " " .. progress.unit or ""
  local words = {}
  if progress.error then
    words[1] = ("error %.3g%s"):format(progress.error, unit)
    if progress.tolerance then
      words[1] = words[1] .. (" (tolerance %.3g%s)"):format(progress.tolerance, unit)
    end
  elseif type(progress.value) == "number" then
    words[1] = ("%.3g%s"):format(progress.value, unit)
  end
  if progress.text then words[#words + 1] = progress.text end
  return table.concat(words, ", ")
end

--- The results of a leaf's executions, in words.
local function came_to(row)
  local words = {}
  for _, pair in ipairs { { "success", "succeeded" }, { "failure", "failed" }, { "stopped", "stopped" } } do
    local count = row[pair[1]]
    if count > 0 then words[#words + 1] = (row.runs > 1 and count .. " " or "") .. pair[2] end
  end
  return table.concat(words, ", ")
end

--- A result as lines of text.
function preview.lines(result)
  local what = result.title and ("'%s'"):format(result.title) or ("state %s"):format(result.state or "?")
  local where = result.node and (" at '%s'"):format(result.node) or ""
  local lines = { ("a ghost of %s ran %s of %s: %s%s after %.2f s"):format(result.robot, what,
    result.file:match "[^/]*$", result.outcome, where, result.seconds or 0) }
  if result.why and not result.node then lines[2] = "      " .. result.why:match "^[^\n]*" end
  for _, row in ipairs(result.leaves) do
    local text = progress_text(row.progress)
    lines[#lines + 1] = ("%4d  %-28s %-22s %6.2f s%s"):format(row.node, row.name, came_to(row), row.seconds,
      text ~= "" and "  " .. text or "")
    if row.why then lines[#lines + 1] = ("      %s"):format(row.why) end
  end
  if #result.near == 0 then
    lines[#lines + 1] = ("nothing came nearer than %g m that was not before"):format(preview.near)
  end
  for index, pair in ipairs(result.near) do
    if index > 5 then
      lines[#lines + 1] = ("and %d more pairs"):format(#result.near - 5)
      break
    end
    lines[#lines + 1] = ("%s: %s and %s, %.3f m at %.2f s%s"):format(pair.distance <= 0 and "touch" or "near",
      pair.a, pair.b,
      pair.distance, pair.time, #pair.running > 0 and ", while " .. table.concat(pair.running, " and ")
        .. " ran" or "")
  end
  for index, sentence in ipairs(result.said) do
    lines[#lines + 1] = index <= 3 and sentence:match "^[^\n]*"
      or ("and %d more like that"):format(#result.said - 3)
    if index > 3 then break end
  end
  return lines
end

return preview
