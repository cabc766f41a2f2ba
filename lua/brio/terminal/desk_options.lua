--- The options of `brio run` for the desk: the session script, and scripted or recorded operators.
local lazy = require "brio.lib.lazy"
local cli = require "brio.terminal.cli"
local json = require "cjson"
local operators = lazy "brio.operator.desk.operators"
local stored = lazy "brio.runs.stored"
local words = lazy "brio.runs.names"

local rehearsal = {}

--- Rows of the command's options.
rehearsal.options = {
  { "session", "FILE", "a session script: steps, checklists and keys for the person at the desk; "
    .. "see docs/operators/desk.md" },
  { "rehearse", nil, "rehearse the session on the simulator, for any robot; ends after the last line of \z
    --operator" },
  { "operator", "FILE|RUN", "run the lines of a file at their times, or those of a recorded run's people \z
    (see docs/analysis/runs.md)" },
}

local function read(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text = file:read "a"
  file:close()
  return text or "", nil
end

--- People's lines in the named run, in the store that the name contains, else in `given`, the store of the
--- coming run; nil, sentence, and true if there is no such run.
local function recorded(name, given)
  local db, run = stored.open(name, not words.split(name) and given or nil)
  if not db then return nil, run, true end
  local made, fault = operators.recorded(db, run.run, json.decode)
  db:close()
  return made, fault
end

--- The value of --operator; nil and a sentence if it is invalid.
local function operators_of(said, given)
  local path, word = said:match "^(.+):([^:/]+)$" -- the former syntax of FILE#RUN
  if path and words.is_store(path) then said = path .. "#" .. word end
  if words.is_run(said) or words.is_store(said) then return recorded(said, given) end
  local text, why = read(said)
  if text then return operators.read(text, said) end
  if said:find "[/.]" then return nil, why end
  local made, fault, unknown = recorded(said, given)
  return made, unknown and ("'%s' is no file, and names no run: %s"):format(said, fault) or fault
end

--- Read the options into those of a run.  Return whether they are valid; else the error is printed.
function rehearsal.read(args, options)
  options.session, options.rehearse = args.session, args.rehearse
  if args.rehearse and args.driver and args.driver ~= "sim" then
    cli.error("--rehearse is without a robot: leave --driver %s out", args.driver)
    return false
  end
  if args.operator then
    local made, why = operators_of(args.operator, args.store ~= "none" and args.store or nil)
    if not made then cli.error("--operator: %s", why) return false end
    options.operators = made
  end
  return true
end

return rehearsal
