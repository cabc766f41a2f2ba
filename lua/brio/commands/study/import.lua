--- `brio study import`: imports sessions recorded by other systems as a study.
local cli = require "brio.terminal.cli"
local import = require "brio.study.import"
local sets = require "brio.analysis.run_sets"

local verb = { words = "FILE ... [--as FORMAT]", least = 1, most = 10000,
  summary = "import sessions of other programs into the store" }

--- Maximum size of a file, bytes.
local most = 1 << 26

local function read(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text = file:read(most + 1)
  file:close()
  if not text then return nil, path .. " is empty, or no file" end
  if #text > most then return nil, ("%s has over %d bytes, which is too much"):format(path, most) end
  return text
end

function verb.run(args, context)
  local files = {}
  for index, path in ipairs(args) do
    local text, why = read(path)
    if not text then return cli.finish(nil, why) end
    files[index] = { name = path, text = text }
  end
  local importer, why = import.find(args.as, files[1].text, files[1].name)
  if not importer then
    cli.error("%s", why)
    return args.as and 2 or 1
  end
  local data, made = import.into(context.path, importer, files)
  if not data then return cli.finish(nil, made) end
  print(("%d sessions of the study '%s' in %s: brio study report %s"):format(#made.sessions, data.name,
    context.path, data.name))
  for _, sentence in ipairs(made.told) do print("  " .. sentence) end
  local runs = {}
  for index, one in ipairs(made.sessions) do runs[index] = one.run end
  cli.say_recorded(#runs == 1 and "run" or "runs", #runs > 0 and sets.text(runs) or nil, context.path)
  return 0
end

return verb
