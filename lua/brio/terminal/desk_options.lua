--- The options of `brio run` about the desk: the session script, and operators that are written down or were recorded.
local cli = require "brio.terminal.cli"
local json = require "cjson"
local operators = require "brio.operator.desk.operators"
local store = require "brio.store"
local stored = require "brio.runs.stored"

local rehearsal = {}

--- Rows of the command's options.
rehearsal.options = {
  { "session", "FILE", "a session script: steps, checklists and keys for the person at the desk; "
    .. "see docs/operators/desk.md" },
  { "rehearse", nil, "rehearse it: on the simulator, whatever robot it is for; ends when --operator has said all" },
  { "operator", "FILE", "let a file say lines at their times, or the people of a run: STORE.db or STORE.db:RUN" },
}

local function read(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text = file:read "a"
  file:close()
  return text or "", nil
end

--- What people said in a run of a store.
local function recorded(path, word)
  local db, why = store.open(path)
  if not db then return nil, why end
  local made
  local run, fault = stored.row(db, word)
  if run then
    made, fault = operators.recorded(db, run.run, json.decode)
  end
  db:close()
  return made, fault
end

--- What --operator says; nil and a sentence when it cannot be.
local function operators_of(said)
  local path, word = said:match "^(.+):([^:/]+)$"
  if path and not read(said) then
    local head = read(path)
    if not head then return nil, ("cannot read %s"):format(path) end
    return recorded(path, word)
  end
  local text, why = read(said)
  if not text then return nil, why end
  if text:sub(1, 15) == "SQLite format 3" then return recorded(said, "last") end
  return operators.read(text, said)
end

--- Read the options into those of a run.  Return whether they are right; else it is said.
function rehearsal.read(args, options)
  options.session, options.rehearse = args.session, args.rehearse
  if args.rehearse and args.driver and args.driver ~= "sim" then
    cli.error("--rehearse is without a robot: leave --driver %s out", args.driver)
    return false
  end
  if args.operator then
    local made, why = operators_of(args.operator)
    if not made then cli.error("--operator: %s", why) return false end
    options.operators = made
  end
  return true
end

return rehearsal
