--- The program's command line: `brio COMMAND ...`.  Each command is a file in lua/brio/commands.
---
--- What the commands share is in terminal/cli.lua, including the exit codes.
local cli = require "brio.terminal.cli"
local output = require "brio.terminal.output"
local paths = require "brio.lib.paths"
local suggest = require "brio.lib.suggest"

local commands = {}

--- The commands, in the order in which help lists them.
commands.list = {
  "run", "preflight", "attach", "monitor", "studio", "check", "new", "edit", "test", "profile", "robot", "ik",
  "move", "calibrate", "camera", "history", "at", "search", "compare", "bisect", "diff", "rollback", "sql",
  "ask", "study", "drivers", "scan", "servo", "setup", "emulate", "decode", "import", "export", "annotate",
  "play", "perform", "keep", "liven", "feasible", "motions", "quality", "plot", "face", "tree", "repeat",
  "batch", "replay", "timeline", "preview", "steps", "scene", "schema", "backup", "merge", "prune", "sync",
  "fleet", "lua" }

local function load_command(name)
  for _, known in ipairs(commands.list) do
    if known == name then return require("brio.commands." .. name) end
  end
end

--- The summary of a command, read from the source text if it is a literal there, so that `brio help` does
--- not load every command.  `folder`: where the commands' files are.
local function summary_of(name, folder)
  local file <close> = folder and io.open(folder .. name .. ".lua")
  local text = file and file:read(4096) or "" -- the summary is near the beginning of the file
  local at = text:find('\n  summary = "', 1, true)
  local summary = at and text:match('^\n  summary = "(.-)",\n', at)
  summary = summary and summary:gsub("\\z%s+", "")
  if summary and summary:find '[\\"]' then summary = nil end -- not a plain literal
  return summary or load_command(name).summary
end

local function usage()
  print(("brio %s: write what a robot does, change it while it moves, ask afterwards what happened\n")
    :format(require "brio.version"))
  print("usage: brio COMMAND ...\n")
  local path = package.searchpath("brio.commands.run", package.path)
  local folder = path and path:match "^.*/"
  for _, name in ipairs(commands.list) do
    print(("  %-9s %s"):format(name, summary_of(name, folder)))
  end
  print("\n`brio COMMAND --help` tells more; `brio --version` the version.")
  print("Exit codes: 0 all well, 1 a file, device or store failed, 2 wrong use, 3 a check, test or behavior \z
    failed.")
end

local function help(command)
  print(("%s: %s\n\nusage: %s"):format("brio " .. command.name, command.summary, command.usage))
  if #command.options > 0 then print() end
  for _, option in ipairs(command.options) do
    print(("  --%-22s %s"):format(option[1] .. (option[2] and " " .. option[2] or ""), option[3]))
  end
  return 0
end

--- Load the files of --load.  Return whether all succeeded; errors are printed.
local function load_extensions(files)
  for _, file in ipairs(files or {}) do
    local name, why = require("brio.extension").load(file)
    if not name then return cli.error("%s", why) end
  end
  return true
end

--- Whether a command reads or writes a store.
local function has_store(command)
  for _, option in ipairs(command.options or {}) do
    if option[1] == "store" then return true end
  end
end

--- Run a command.  If it fails on a damaged store, the diagnosis is printed.
local function do_command(command, args)
  if not has_store(command) then return command.run(args) or 0 end
  local trace
  local good, code = xpcall(command.run, function(raised)
    trace = debug.traceback(tostring(raised), 2)
    return raised
  end, args)
  if good then return code or 0 end
  local path = args.store or "brio.db"
  local faults = paths.exists(path) and require("brio.analysis.upkeep.health").faults(path) or {}
  if #faults == 0 then error(trace, 0) end
  cli.error("%s is damaged, and cannot be read to the end: %s", path, table.concat(faults, "; "))
  return 1
end

--- Run the program.  Return its exit code.
function commands.main(list)
  local name = list[1]
  output.guard(require("luv").guess_handle(1) == "tty")
  if name == nil or name == "help" and not list[2] or name == "--help" or name == "-h" then
    usage()
    return name == nil and 2 or 0
  elseif name == "--version" then
    print("brio " .. require "brio.version")
    return 0
  elseif name == "help" then
    name, list = list[2], { list[2], "--help" }
  end
  local command = load_command(name)
  if not command then
    cli.error("there is no command '%s'%s; `brio help` lists them", name, suggest.hint(name, commands.list))
    return 2
  end
  local args = cli.parse(command, table.move(list, 2, #list, 1, {}))
  if not args then return 2 end
  if args.help then return help(command) end
  if not load_extensions(args.load) then return 1 end
  require "brio.public"
  return do_command(command, args)
end

return commands
