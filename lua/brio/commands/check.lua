--- `brio check`: print the errors of a behavior without running it.
local cli = require "brio.terminal.cli"
local paths = require "brio.lib.paths"

local check = {
  name = "check",
  summary = "check a behavior, sequence, tree, session script or study; report mistakes with file and line",
  usage = "brio check FILE... [options]",
  options = {
    { "robot", "R", "check its links and joints against this robot; default: the behavior's robot" },
    { "packages", "DIR", "where package:// meshes are searched" },
    { "drive", "NAME", "check that this DOF or group exists, as for run; can be repeated", many = true },
    cli.load,
    { "json", nil, "print the faults as JSON" },
    { "text", nil, "the file's text comes by the standard input, as of an editor that has not saved it" },
  },
}

--- Faults from a list of findings, with their lines in the file.
local function placed(file, text, list, severity)
  local lint, made = require "brio.motion.sequence_check", {}
  for index, item in ipairs(list) do
    made[index] = { file = file, line = lint.line(text, item), message = item.message, severity = severity }
  end
  return made
end

--- Check a sequence on a robot: faults, or only warnings.
local function faults_of_sequence(file, text, described, args)
  local name = args.robot or described.robot
  if not name then return {} end
  local description, why = require("brio.robots.catalog").find(name,
    { packages = args.packages and { args.packages } })
  if not description then return nil, why end
  local found = require("brio.motion.sequence_check").sequence(described, description)
  local faults = placed(file, text, found.faults)
  table.move(placed(file, text, found.warnings, "warning"), 1, #found.warnings, #faults + 1, faults)
  return faults
end

--- Whether a file's text is a sequence, by its first statement.
local function is_sequence(text)
  local chunk = load(text, "=sequence", "t", { pi = math.pi })
  local good, made = true, nil
  if chunk then
    local dispatch = require "brio.io.dispatch"
    good, made = dispatch.call(nil, dispatch.load, chunk)
  end
  return good and type(made) == "table" and getmetatable(made) == nil and made.tracks ~= nil
end

--- Warnings about frames of its trees that may not exist.
local function warnings_of_frames(loaded, description)
  local behavior = require "brio.behavior.define"
  local own, states, compiled, list = loaded.definition.fields.world, {}, {}, {}
  behavior.each_state(loaded.machine, function(state)
    if state.tree then states[#states + 1], compiled[#compiled + 1] = state, state.tree end
  end)
  if not states[1] then return list end
  local frame_check = require "brio.tree.model.frame_check"
  local data = own and require("brio.run.runner").read_world(paths.beside(loaded.file, own))
  for index, warning in ipairs(frame_check.warnings(compiled, description, frame_check.ids(data))) do
    local file, line = behavior.place_of_node(loaded.file, loaded.sources[loaded.file], states[warning.tree],
      warning.node)
    list[index] = { file = file, line = line, message = "tree: " .. warning.message, severity = "warning" }
  end
  return list
end

--- Warnings about a behavior.
local function warnings_of(loaded, description)
  local list = warnings_of_frames(loaded, description)
  local review = require "brio.behavior.review.behavior"
  for _, warning in ipairs(review.warnings(loaded)) do list[#list + 1] = warning end
  for _, name in ipairs(require("brio.lib.suggest").keys(loaded.sequences)) do
    local entry = loaded.sequences[name]
    local checked = require("brio.motion.sequence_check").sequence(entry.description, description)
    local found = placed(entry.file, entry.text, checked.warnings, "warning")
    table.move(found, 1, #found, #list + 1, list)
  end
  return list
end

--- Check a tree in a file of its own: alone, and on a robot if one is given.
local function faults_of_tree(file, args)
  local forms, list = require "brio.tree.files.expand", {}
  local context = forms.context { file = file, sample = true }
  local made, faults = require("brio.tree.files.build").compile(file:match "[^/]+$", context)
  for index, fault in ipairs(faults) do
    list[index] = { file = fault.file or file, line = fault.line or 0, message = fault.message }
  end
  if not made or not args.robot then return list end
  local description, why = require("brio.robots.catalog").find(args.robot,
    { packages = args.packages and { args.packages } })
  if not description then return nil, why end
  local function where(number)
    local of_file, line = forms.place({ form = made.list[number].form }, made.origins)
    return of_file or file, line or 0
  end
  local function place(number) return ("%s:%d"):format(where(number)) end
  local function add(found, severity)
    for _, fault in ipairs(found) do
      local of_file, line = where(fault.node)
      list[#list + 1] = { file = of_file, line = line, message = fault.message, severity = severity }
    end
  end
  add(require("brio.tree.model.check").faults(made, { description = description, name = "tree" }, place))
  add(require("brio.tree.model.frame_check").warnings({ made }, description), "warning")
  return list
end

--- Whether a line of a session script begins with a word of the prompt, or is Lua.
local function fault_of_line(line)
  local suggest, words = require "brio.lib.suggest", require "brio.operator.prompt.words"
  if words.find(line) then return nil end
  local first = line:match "^%s*(%S+)"
  local hint = suggest.hint(first, suggest.keys(words.by_name))
  if line:match "^%s*[%a_][%w_%-]*%s*$" or not (load("return " .. line) or load(line)) then
    return ("there is no word '%s'%s"):format(first, hint)
  end
end

--- Check a session script, as far as possible without a run.
local function faults_of_session(file)
  local session = require "brio.operator.session"
  local loaded, fault = require("brio.operator.session.load").file(file)
  if not loaded then return { fault } end
  local list = {}
  session.each_line(loaded.fields, function(line, where)
    local why = fault_of_line(line)
    local step = where:match "^step '(.*)',"
    local place = 0
    for index, one in ipairs(loaded.fields.steps) do
      if one[1] == step then
        place = session.line(loaded.source, ("steps[%d]"):format(index), loaded.fields)
      end
    end
    if why then list[#list + 1] = { file = file, line = place, message = ("%s: %s"):format(where, why) } end
  end)
  return list
end

--- Check a study's file, and the files that it names.
local function faults_of_study(file)
  local study = require "brio.study.file"
  local data, why = study.read(file)
  if not data then
    local line, message = why:match ":(%d+): (.*)$"
    return { { file = file, line = math.tointeger(tonumber(line)) or 0,
      message = message or why:gsub("^[^:]*: ", "") } }
  end
  local list = {}
  for _, sentence in ipairs(require("brio.study.check").faults(data)) do
    list[#list + 1] = { file = file, line = 0, message = sentence }
  end
  for _, sentence in ipairs(study.warnings(data)) do
    list[#list + 1] = { file = file, line = 0, message = sentence, severity = "warning" }
  end
  return list
end

--- The faults of one file: list of {file, line, message, severity}; nil and a sentence when the robot fails.
--- `args`: robot, packages, drive, and `given`, a text in place of the file's.
function check.faults(file, args)
  local runner = require "brio.run.runner"
  local given = args.given
  local text = given or require("brio.file").read(file, require("brio.motion.sequence").most_bytes)
  if text and is_sequence(text) then
    local described, why, code = require("brio.motion.sequence").parse(text, file)
    if described then return faults_of_sequence(file, text, described, args) end
    return { { file = file, line = 0, message = (why:gsub("^" .. file:gsub("%p", "%%%0") .. ":%s*", "")),
      code = code } }
  end
  -- Trees, sessions and studies are read from the disk.
  if text and require("brio.tree.files.files").is_tree(file) then
    return given and {} or faults_of_tree(file, args)
  end
  if text and text:find "%.session%s*[{%(]" and not text:find "%.behavior%f[^%w_]" then
    return given and {} or faults_of_session(file)
  end
  if text and text:find "return%s+brio%.study%f[^%w_]" then return given and {} or faults_of_study(file) end
  local files = given and require("brio.behavior.sandbox.sandbox").given { [file] = given } or nil
  local loaded, faults, unread = runner.load(file, { files = files })
  if not loaded then return faults, unread end
  local name = args.robot or loaded.definition.fields.robot or "pepper"
  local description, why = require("brio.robots.catalog").find(name,
    { packages = args.packages and { args.packages } })
  if not description then return nil, why end
  faults = runner.faults_on(loaded, description)
  if #faults == 0 then faults = require("brio.behavior.review.goals").faults(loaded, description) end
  local undriven = require("brio.devices.motors").drive_fault(description, args.drive)
  if undriven then faults[#faults + 1] = { file = file, line = 0, message = undriven } end
  table.sort(faults, function(a, b) return a.line < b.line end)
  local warnings = warnings_of(loaded, description)
  table.move(warnings, 1, #warnings, #faults + 1, faults)
  local world = loaded.definition.fields.world
  if world then
    local made, fault = runner.open_world(paths.beside(file, world), 0, nil, description)
    if not made then faults[#faults + 1] = { file = file, line = 0, message = "world: " .. fault } end
  end
  return faults
end

function check.run(args)
  if #args == 0 then
    cli.error("check expects a file: %s", check.usage)
    return 2
  end
  if args.text then
    if #args > 1 then
      cli.error "check --text expects one file"
      return 2
    end
    args.given = io.read "a"
  end
  local all, wrong, unread = {}, 0, false
  for _, file in ipairs(args) do
    local faults, why = check.faults(file, args)
    if not faults then
      cli.error("%s", why)
      unread = true
    else
      table.move(faults, 1, #faults, #all + 1, all)
      local serious = 0
      for _, fault in ipairs(faults) do serious = serious + (fault.severity ~= "warning" and 1 or 0) end
      wrong = wrong + serious
      if serious == 0 and not args.json then
        print(file .. ": good" .. (#faults > 0 and ", with warnings" or ""))
      end
    end
  end
  if args.json then
    local store = require "brio.store"
    print(store.json { faults = store.array(all), count = #all })
  else
    for _, fault in ipairs(all) do
      local place = fault.line > 0 and ("%s:%d"):format(fault.file, fault.line) or fault.file
      print(place .. ": " .. (fault.severity and fault.severity .. ": " or "") .. fault.message)
    end
  end
  return unread and 1 or wrong > 0 and 3 or 0
end

return check
