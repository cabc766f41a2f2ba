--- Results of repeated runs (see trials/repetition.lua): as lines for other processes, counted, and stored.
local cjson = require "cjson"
local store = require "brio.store"
local tallies = require "brio.trials.tally"

local results = {}

--- A result as a line of JSON for another process.
function results.line(result)
  local executions = {}
  for index, one in ipairs(result.executions) do
    executions[index] = { one.node, one.started, one.ended, one.status, one.times, one.why }
  end
  return store.json { run = result.run, seed = result.seed, values = result.values, outcome = result.outcome,
    node = result.node, why = result.why, seconds = result.seconds, state = result.state,
    executions = store.array(executions) }
end

--- The result that a line says; nil if the line is none.
function results.read(line)
  local good, result = pcall(cjson.decode, line)
  if not good or type(result) ~= "table" or type(result.executions) ~= "table" then return nil end
  for index, one in ipairs(result.executions) do
    if type(one) ~= "table" then return nil end
    result.executions[index] = { node = math.tointeger(one[1]), started = one[2], ended = one[3],
      status = one[4], times = math.tointeger(one[5]), why = one[6] }
  end
  result.run = math.tointeger(result.run)
  return result.run and result or nil
end

--- The results from the first on, without a gap; with `until_failure` up to the first failure.
function results.in_a_row(found, options)
  local list = {}
  for number = 1, options.times do
    if not found[number] then break end
    list[number] = found[number]
    if options.until_failure and found[number].outcome ~= "success" then break end
  end
  return list
end

--- Count a list of results.  Return the tally's summary and its subject, or nil and a sentence.
function results.counted(repeated, list)
  local state = repeated.state
  for _, result in ipairs(list) do state = state or result.state end
  local compiled = repeated:tree_of(state)
  if not compiled then return nil, list[1] and list[1].why or "no tree began" end
  local tally = tallies.new(compiled)
  for _, result in ipairs(list) do
    if result.state and result.state ~= state then
      return nil, ("run %d began with the tree of %s, others with that of %s: say --tree"):format(result.run,
        result.state, state)
    end
    tally:add(result)
  end
  return tally:summary(), { state = state, compiled = compiled, robot = repeated:robot(),
    node = repeated.node and compiled.list[1].name }
end

--- The row of a list of results in `repeats`.
local function row_of(repeated, options, summary, about)
  local nodes, scripted = {}, next(options.leaves) and options.leaves or nil
  for number, record in ipairs(about.compiled.list) do
    nodes[number] = { record.is, record.name, record.parent }
  end
  return { behavior = options.named, version = store.hash(repeated.loaded.sources[options.named] or ""),
    robot = about.robot, state = about.state, node = repeated.node, seed = options.seed,
    times = options.times, until_failure = options.until_failure or false,
    varied = store.json(store.array { table.unpack(options.vary) }),
    scripted = scripted and store.json(scripted), nodes = store.json(nodes), predicted = summary.predicted,
    engine_version = require "brio.version" }
end

--- Store a list of results.  options: named (the file, as it was given), seed, times, until_failure, vary,
--- leaves.  Return the repeat's number, or nil and a sentence.
function results.keep(path, repeated, options, list, summary, about)
  local file, why = require("brio.forms").open(path)
  if not file then return nil, why end
  local id
  id, why = file:put("repeats", row_of(repeated, options, summary, about))
  local runs, executions = {}, {}
  for index, result in ipairs(id and list or {}) do
    runs[index] = { ["repeat"] = id, run = result.run, seed = result.seed, outcome = result.outcome,
      node = result.node,
      varied = next(result.values) and store.json(result.values), why = result.why, seconds = result.seconds }
    for place, one in ipairs(result.executions) do
      executions[#executions + 1] = { ["repeat"] = id, run = result.run, id = place, node = one.node,
        started = one.started, ended = one.ended, status = one.status, why = one.why, times = one.times }
    end
  end
  local good = id
  if good and #executions > 0 then good, why = file:put("repeat_executions", executions) end
  if good then good, why = file:put("repeat_runs", runs) end
  file:close()
  return good and id, why
end

return results
