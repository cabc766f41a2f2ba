--- Runs the program brio_camera for commands: its lines as tables.
local cameras = require "brio.perception.cameras"
local cjson = require "cjson"
local cli = require "brio.terminal.cli"
local shell = require "brio.lib.shell"

local program = {}

--- Run it with some words, and call each(message, line) for each of its lines.  Return its exit code; 1: it
--- is not there, or crashed (printed).
function program.run(words, each)
  local path, why = cameras.find()
  if not path then
    cli.error("%s", why)
    return 1
  end
  local pipe = assert(io.popen(shell.line { path, table.unpack(words) }, "r"))
  for line in pipe:lines() do
    local good, message = pcall(cjson.decode, line)
    if good and type(message) == "table" then each(message, line) end
  end
  local _, how, code = pipe:close()
  if how == "signal" then
    cli.error("%s ended by signal %d", cameras.program, code)
    return 1
  end
  return code
end

--- The settings of a board by the options of a command; nil: wrong (printed).
function program.board_words(args)
  local columns = cli.whole(args, "columns", 1, 40, 5)
  local rows = cli.whole(args, "rows", 1, 40, 7)
  local size = cli.number(args, "size", 0.001, 10, 0.03)
  local spacing = size and cli.number(args, "spacing", 0, 10, size / 5)
  if not (columns and rows and size and spacing) then return nil end
  return { ("columns=%d"):format(columns), ("rows=%d"):format(rows), ("size=%.9g"):format(size),
    ("spacing=%.9g"):format(spacing), "family=" .. (args.family or "tag36h11") }
end

return program
