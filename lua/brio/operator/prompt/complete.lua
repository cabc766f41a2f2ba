--- Completion at the prompt: words, names of this behavior and robot, Lua names and fields of tables.  It
--- calls no functions of the run's objects.
local behavior = require "brio.behavior.define"
local limbs = require "brio.robots.limbs"
local objects = require "brio.operator.prompt.objects"
local suggest = require "brio.lib.suggest"
local words = require "brio.operator.prompt.words"

local complete = {}

--- Maximum number of candidates in an answer.
complete.most = 200

-- Kinds of names ------------------------------------------------------------------------------------

local kinds = {}

function kinds.word() return suggest.keys(words.by_name) end

--- The word after `go` that lets a robot walk, if it can.
function kinds.walk(run) return { run.host.stance and run.host.stance.body and "to" or nil } end

--- The arms that `reach` may name.
function kinds.arm(run)
  local sides = {}
  for _, side in ipairs { "right", "left" } do
    if limbs.find(run.description, "arm", { side = side }) then sides[#sides + 1] = side end
  end
  return sides
end

--- States by their paths, and by the ends of those.
function kinds.state(run)
  local names = { run.host.held_since and "on" or nil }
  behavior.each_state(run.host.machine, function(state)
    names[#names + 1] = state.path
    names[#names + 1] = state.name
  end)
  return table.move(kinds.walk(run), 1, #kinds.walk(run), #names + 1, names)
end

function kinds.event(run)
  local known = {}
  behavior.each_state(run.host.machine, function(state)
    for _, transition in ipairs(state.transitions) do
      if transition.event then known[transition.event] = true end
    end
  end)
  return suggest.keys(known)
end

function kinds.objective(run)
  local names = {}
  for _, objective in ipairs(run.solver:objectives()) do names[#names + 1] = objective.key end
  return names
end

function kinds.version(run)
  local names = {}
  for _, version in ipairs(run.reloader.ran) do
    for _, file in ipairs(version.changed) do names[#names + 1] = file.hash:sub(1, 12) end
  end
  return names
end

function kinds.sequence(run) return run.host.tracks:names() end

function kinds.dof(run) return suggest.keys(run.host.tracks.numbers) end

--- Parts of the body, and other names for groups of DOFs.
function kinds.part(run)
  local control = run.host.control
  if not control then return {} end
  local names = table.move(control:index().names, 1, #control:index().names, 1, {})
  return names
end

function kinds.level(run)
  local control = run.host.control
  return control and table.move(control:faculties(), 1, #control:faculties(), #control:parts() + 1,
    control:parts()) or {}
end

function kinds.object(run) return objects.names(run) end

function kinds.obstacle(run) return suggest.keys(run.host.shapes) end

function kinds.key(run) return suggest.keys(run.host.life.bound or {}) end

--- Playing sources, by name.
function kinds.playing(run)
  local known = {}
  for _, playing in ipairs(run.host.tracks:list()) do known[playing.name] = true end
  return suggest.keys(known)
end

function kinds.channel(run)
  local names = kinds.playing(run)
  table.move({ "combination", "mode", "slide" }, 1, 3, #names + 1, names)
  return names
end

function kinds.input(run) return run.inputs.names end

function kinds.tune(run) return suggest.keys(run.host.definition.fields.tune or {}) end

--- Names of the session script: steps, answers of the present step, slots, keys.
local function of_session(run, find)
  local session = run.prompt and run.prompt.desk.session
  return session and suggest.keys(find(session)) or {}
end

function kinds.step(run)
  local names = of_session(run, function(session) return session.steps end)
  return table.move({ "next", "back", "end" }, 1, 3, #names + 1, names)
end

function kinds.answer(run)
  return of_session(run, function(session) return session.current and session.current.said.go or {} end)
end

function kinds.slot(run) return of_session(run, function(session) return session.slots end) end
function kinds.bound(run) return of_session(run, function(session) return session:bindings() end) end

--- Waiting entries, by number.
function kinds.waiting(run)
  local names = { "all" }
  for _, entry in ipairs(run.prompt and run.prompt.desk.queue.list or {}) do
    names[#names + 1] = tostring(entry.number)
  end
  return names
end

--- Kinds with a closed set of names, so that another name is an error before execution.
local closed = { state = "state", sequence = "sequence", tune = "thing to tune", input = "input",
  dof = "DOF" }

--- The reason why a name is invalid after a word of the prompt in this run; nil: valid, or unknown.
function complete.fault(run, word, rest)
  local name = rest:match "^%S+"
  if not closed[word.takes or ""] or not name then return nil end
  name = name:match "^[\"'](.*)[\"']$" or name
  local names = kinds[word.takes](run)
  if suggest.contains(names, name) or word.name == "go" and (name == "on" or name == "to") then return nil end
  return ("there is no %s '%s'%s"):format(closed[word.takes], name, suggest.hint(name, names))
end

--- The names of a kind in a run, in order.
function complete.names(run, kind) return kinds[kind] and kinds[kind](run) or {} end

--- Texts in quotes: the robot's names, states and events.
function kinds.quoted(run)
  local names = {}
  for _, list in ipairs { run.description.robot:links(), run.description.robot:joints(), kinds.state(run),
      kinds.event(run) } do
    table.move(list, 1, #list, #names + 1, names)
  end
  for _, dof in ipairs(run.description.dofs) do names[#names + 1] = dof.name end
  for _, object in ipairs(run.scene:objects()) do names[#names + 1] = object.id end
  return names
end

-- Lua -------------------------------------------------------------------------------------------------

--- A field of a table, or of the tables behind it.
local function field(value, name)
  for _ = 1, 8 do
    local found = type(value) == "table" and rawget(value, name)
    if found then return found end
    local meta = debug.getmetatable(value)
    value = type(meta) == "table" and rawget(meta, "__index")
    if type(meta) == "table" and rawget(meta, "__shown") then value = meta.__shown() end
    if type(value) ~= "table" then return nil end
  end
end

--- The names of all fields of a value that can be found without calling anything.
local function fields_of(value)
  local known = {}
  for _ = 1, 8 do
    if type(value) == "table" then
      for _, name in ipairs(suggest.keys(value)) do
        if name:match "^%a[%w_]*$" then known[name] = true end
      end
    end
    local meta = debug.getmetatable(value)
    value = type(meta) == "table" and rawget(meta, "__index")
    if type(meta) == "table" and rawget(meta, "__shown") then value = meta.__shown() end
    if type(value) ~= "table" then break end
  end
  return suggest.keys(known)
end

--- The names after "a.b.c" or "a.b:c", whose beginning up to the last mark is `path`.
local function behind(prompt, path)
  local first, rest = path:match "^([%a_][%w_]*)(.*)$"
  local good, value = pcall(function() return prompt.env[first] end)
  if not good then return {} end
  for name in rest:gmatch "[%.:]([%a_][%w_]*)" do
    value = field(value, name)
    if value == nil then return {} end
  end
  return fields_of(value)
end

-- A line ----------------------------------------------------------------------------------------------

--- The candidates among `names` that begin with `begun`, sorted, each once.
local function fitting(names, begun)
  local list, known = {}, {}
  for _, name in ipairs(names) do
    if name:sub(1, #begun) == begun and not known[name] and #list < complete.most then
      known[name] = true
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

--- Completions of `text`, the line up to the cursor.  Return the list of candidates and the number of bytes
--- at the end of the text that they replace.
function complete.find(prompt, text)
  local run = prompt.run
  local word, argument = text:match "^%s*([%a_][%w_%-]*)%s+(%S*)$"
  local row = words.by_name[text:match "^%s*([%a_][%w_%-]*)%s" or ""]
  local later = row and row.line and text:match("^%s*%S+" .. ("%s+%S+"):rep(row.line) .. "%s+(.*)$")
  if later then return complete.find(prompt, later) end -- a line that is executed later
  if row and row.complete then
    local names, length = row.complete(run, text:match "^%s*[%a_]+%s+(.*)$")
    return fitting(names, text:sub(#text - length + 1)), length
  end
  if word and row and row.takes then return fitting(kinds[row.takes](run), argument), #argument end
  local quoted = text:match "[\"']([^\"']*)$"
  if quoted and select(2, text:gsub("[\"']", "")) % 2 == 1 then
    return fitting(kinds.quoted(run), quoted), #quoted
  end
  local path, mark, begun = text:match "([%a_][%w_%.:]*)([%.:])([%w_]*)$"
  if path then return fitting(behind(prompt, path), begun), #begun, mark end
  begun = text:match "[%a_][%w_]*$" or ""
  local names = prompt.names()
  local hyphened = text:match "^%s*(%a+%-[%w%-]*)$"
  if hyphened then return fitting(suggest.keys(words.by_name), hyphened), #hyphened end
  if text:match "^%s*[%w_]*$" then
    table.move(suggest.keys(words.by_name), 1, #words.list, #names + 1, names)
  end
  return fitting(names, begun), #begun
end

return complete
