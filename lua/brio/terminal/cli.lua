--- Shared functions of commands: options, messages, exit codes, and opening stores, runs and files.
---
--- Exit codes: 0 success; 1 an error of the environment (a file, a device, a store); 2 wrong use; 3 a failed
--- check, test or behavior.
local suggest = require "brio.lib.suggest"

local cli = { began = require("brio.clock").monotonic() }

local function say_error(...)
  io.stderr:write("brio: ", string.format(...), "\n")
end

cli.error = say_error

local function find_option(command, name)
  for _, option in ipairs(command.options) do
    if option[1] == name then return option end
  end
end

local function option_names(command)
  local names = {}
  for _, option in ipairs(command.options) do names[#names + 1] = option[1] end
  return names
end

--- Parse one `--name`, `--name value` or `--name=value` at `list[index]` into `args`. Return the index of the
--- next word, or nil on errors (printed).
local function read_option(command, list, index, args)
  local name, value = list[index]:match("^%-%-([^=]*)=?(.*)$")
  local inline = list[index]:find("=", 1, true) ~= nil
  local option = find_option(command, name)
  if not option then
    say_error("%s has no option --%s%s", command.name, name, suggest.hint(name, option_names(command)))
    return nil
  end
  if not option[2] then
    if inline then return say_error("--%s takes no value", name) end
    args[name] = true
    return index + 1
  end
  if not inline then
    index = index + 1
    value = list[index]
  end
  if value == nil then return say_error("--%s expects %s", name, option[2]) end
  if option.many then
    args[name] = args[name] or {}
    table.insert(args[name], value)
  else
    args[name] = value
  end
  return index + 1
end

--- Parse the words after a command.  Return a table of positional words and options by name, or nil on errors
--- (printed).  After `--`, and after the first word of a command with `passes_on`, words are not parsed.
function cli.parse(command, list)
  local args, index = {}, 1
  while index <= #list do
    local word = list[index]
    if word == "--" or (command.passes_on and #args > 0) then
      table.move(list, word == "--" and index + 1 or index, #list, #args + 1, args)
      return args
    elseif word == "--help" or word == "-h" then
      args.help = true
      index = index + 1
    elseif word:sub(1, 2) == "--" then
      index = read_option(command, list, index, args)
      if not index then return nil end
    elseif word:sub(1, 1) == "-" and #word > 1 and not tonumber(word) then
      say_error("%s has no option %s: options are spelled out, as in --%s", command.name, word,
        option_names(command)[1] or "help")
      return nil
    else
      args[#args + 1] = word
      index = index + 1
    end
  end
  return args
end

--- Read an option that is a number within a range.  Return it (or `fallback`), or nil if it is invalid
--- (printed).
function cli.number(args, name, lower, upper, fallback)
  if args[name] == nil then return fallback end
  local value = tonumber(args[name])
  if value and value >= lower and value <= upper then return value end
  return say_error("--%s must be a number from %g to %g, not '%s'", name, lower, upper, args[name])
end

--- The same for an option that is an integer; `fallback` is returned as it is.
function cli.whole(args, name, lower, upper, fallback)
  if args[name] == nil then return fallback end
  local value = cli.number(args, name, lower, upper)
  local whole = value and math.tointeger(value)
  if value and not whole then
    return say_error("--%s must be a whole number, not '%s'", name, args[name])
  end
  return whole
end

--- Read --from and --to, seconds of a run, into `options`.  Return whether they are valid; errors are
--- printed.
function cli.read_span(args, options)
  for _, name in ipairs { "from", "to" } do
    local value = cli.number(args, name, 0, 1e9, false)
    if value == nil then return false end
    options[name] = value or nil
  end
  if options.from and options.to and options.to <= options.from then
    return say_error("--to must be after --from") or false
  end
  return true
end

--- Call work(db, run) with the run that a word means (see runs/stored.lua; nil: the newest), in the store of
--- --store or the one that the word names, which is then stored in `args.store`.  Return its results, or nil
--- and a sentence.
function cli.with_run(args, word, work)
  local db, run, path = require("brio.runs.stored").open(word, args.store)
  if not db then return nil, run end
  args.store = path
  local good, sentence = work(db, run)
  db:close()
  return good, sentence
end

--- Replace the content of a file.  Return true, or nil and a sentence.
function cli.write(path, bytes)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local good, fault = file:write(bytes)
  local closed, late = file:close()
  if not (good and closed) then return nil, ("%s: %s"):format(path, fault or late) end
  return true
end

--- Create a folder, or use an existing one.  Return true, or nil and a sentence.
function cli.make_folder(path)
  local uv = require "luv"
  local good, why = uv.fs_mkdir(path, 493)
  if good or (uv.fs_stat(path) or {}).type == "directory" then return true end
  return nil, ("%s: the folder cannot be made: %s"):format(path, require "brio.io.reason"(why))
end

--- Whether the locale has UTF-8.
function cli.shows_utf8()
  for _, name in ipairs { "LC_ALL", "LC_CTYPE", "LANG" } do
    local value = os.getenv(name)
    if value and value ~= "" then return value:upper():find "UTF%-?8" ~= nil end
  end
  return false
end

--- The exit code of a command: 0, or 1 with the error printed.
function cli.finish(good, why)
  if good then return 0 end
  say_error("%s", why)
  return 1
end

--- The last line of a command that has recorded something: `kind` ("run", "repeat"), its number, and the
--- store's path.  `lost`: rows are missing in it.
function cli.recorded_as(kind, number, path, lost)
  if lost and not require("luv").fs_stat(path) then
    return ("%s %s is NOT recorded: %s is gone"):format(kind, number, path)
  end
  return ("recorded%s as %s %s in %s"):format(lost and " IN PART" or "", kind, number, path)
end

--- Print that line on standard error, apart from the output of a command; nothing without a number.
function cli.say_recorded(kind, number, path, lost)
  if number then say_error("%s", cli.recorded_as(kind, number, path, lost)) end
end

--- Read --seed: an integer.  Return it (or 0), or nil if it is invalid (printed).
function cli.seed(args) return cli.whole(args, "seed", 0, 2 ^ 53, 0) end

--- Whether --clock is valid; printed if not.
function cli.clock_is_known(args)
  local known = not args.clock or args.clock == "real" or args.clock == "fast"
  if not known then say_error("--clock must be real or fast, not '%s'", args.clock) end
  return known
end

--- The driver's settings: `settings`, with those of --set NAME=VALUE (or of another repeatable option); nil
--- on errors (printed).
function cli.settings(args, settings, option)
  option = option or "set"
  for _, word in ipairs(args[option] or {}) do
    local name, value = word:match "^([%w_]+)=(.*)$"
    if not name then return say_error("--%s expects NAME=VALUE, not '%s'", option, word) end
    settings[name] = tonumber(value) or value
  end
  return settings
end

--- The option of commands that load behaviors.
cli.load = { "load", "FILE",
  "a shared object with more objectives (see docs/engine/extending-the-solver.md); may come again",
    many = true }

--- The option of commands that communicate with devices.
cli.trace = { "trace", "FILE",
  "record every byte to and from devices, with times; `brio decode FILE` explains them" }

--- Whether the file of --trace was written completely; printed if not.
function cli.trace_is_whole(args)
  if not args.trace then return true end
  local file = io.open(args.trace, "rb")
  local size = file and file:seek "end" or 0
  if file then file:seek("set", math.max(0, size - 4096)) end
  local tail = file and file:read "a" or ""
  if file then file:close() end
  if tail:find "# %S+ closed: [^\n]*\n$" then return true end
  return say_error("the trace %s is not whole: is the disk full?", args.trace)
end

local function write_file(path, text)
  if require("luv").fs_stat(path) then return nil, path .. " is there already" end
  local file, why = io.open(path, "w")
  local good = file and file:write(text) and file:close()
  return good, not good and (why or path .. " cannot be written") or nil
end

--- The names of each driver's settings.
local function settings_known()
  local known = {}
  for _, driver in ipairs(require("brio.actuator").drivers()) do
    known[driver.name] = {}
    for _, setting in ipairs(driver.settings) do known[driver.name][setting.name] = true end
    for _, text in ipairs(driver.texts) do known[driver.name][text.name] = true end
  end
  return known
end

--- A path that is valid in any working folder.
function cli.absolute(path)
  return path:sub(1, 1) == "/" and path or require("luv").cwd() .. "/" .. path
end

--- The name of a port that is valid in any working folder.
local function lasting_port(name)
  local scheme, path = name:match "^(unix:)(.+)$"
  path = path or name
  if not scheme and path:find "^%a+:" then return name end
  return (scheme or "") .. cli.absolute(path)
end

--- Create a robot's folder for devices that were found (see robots/template.lua), and print the next steps.
--- Return true, or nil and a sentence.
function cli.write_robot(folder, groups)
  local uv = require "luv"
  folder = folder:gsub("(.)/+$", "%1")
  if uv.fs_stat(folder .. "/robot.lua") then
    return nil, folder .. "/robot.lua is there already: nothing was written"
  end
  local there, fault = cli.make_folder(folder)
  if not there then return nil, fault end
  for _, group in ipairs(groups) do group.port = lasting_port(group.port) end
  local robot, model = require("brio.robots.template").texts(folder:match "[^/]+$" or "found", groups,
    settings_known())
  local good, why = write_file(folder .. "/model.urdf", model)
  if good then good, why = write_file(folder .. "/robot.lua", robot) end
  if not good then return nil, why end
  print(("wrote %s/robot.lua and model.urdf. Next:\n  brio robot %s\n  brio move --robot %s --arm\n  brio \z
    new hello --robot %s")
    :format(folder, folder, folder, folder))
  return true
end

--- The option of commands that move a part of a robot by a driver.
cli.drive = { "drive", "NAME",
  "the DOF or group that --driver moves, while the rest is simulated; may be said again; default: all",
  many = true }

--- Create a run (see runner.new).  Return it, or nil and an exit code on errors (printed).
function cli.open_run(options)
  local good, made, why, faults = pcall(require("brio.run.runner").new, options)
  if not good then -- wrong use: an invalid option
    say_error("%s", (tostring(made):gsub("^.-%.lua:%d+: ", "")))
    return nil, 2
  elseif not made then
    say_error("%s", why)
    return nil, faults and 3 or 1
  end
  return made
end

--- Close all handles that a command has opened with luv, before Lua closes.
function cli.close_handles()
  local uv = require "luv"
  uv.walk(function(handle)
    if not handle:is_closing() then handle:close() end
  end)
  uv.run()
end

--- Open for reading the store that a command's words name, default brio.db; nil on errors (printed).
--- `seconds`: time limit of its queries; nil: none.
function cli.open_store(args, seconds)
  local db, why = require("brio.store").open(args.store or "brio.db", seconds)
  if not db then say_error("%s", why) end
  return db
end

return cli
