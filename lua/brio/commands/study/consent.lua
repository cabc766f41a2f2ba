--- `brio study consent`: records a participant's consent; from now on their data may be stored.
local cli = require "brio.terminal.cli"
local session = require "brio.study.session"
local study = require "brio.study.file"

local verb = { words = "FILE CODE [--fact NAME=VALUE]", least = 2, most = 2, reads = true,
  summary = "record the consent of a participant, and declared facts" }

--- The facts of --fact; nil on errors (printed).
local function facts_of(args, data)
  local facts = {}
  for _, word in ipairs(args.fact or {}) do
    local name, value = word:match "^([%w_]+)=(.*)$"
    if not name then return cli.error("--fact expects NAME=VALUE, not '%s'", word) end
    local good, why = study.fact(data, name, value)
    if good == nil then return cli.error("%s", why) end
    facts[name] = good
  end
  return facts
end

function verb.run(args, context)
  local data, code = context.data, args[2]
  local facts = facts_of(args, data)
  if not facts then return 2 end
  local found = context:registered()
  if not found then return 1 end
  local good, why = session.check_code(found, data, code)
  if not good then
    cli.error("%s", why)
    return 2
  end
  local person = found.participants[code]
  if person and person.withdrawn_at then
    cli.error("%s has withdrawn; one who comes again is another participant: brio study assign %s \z
      --instead-of %s", code,
      data.file, code)
    return 1
  end
  local done = context:write(function(kept)
    local known = next(facts) and facts or nil
    if not person then return kept:consent(found.id, code, known) end
    if known then return kept:facts(found.id, code, known) end
    return true
  end)
  if not done then return 1 end
  print(("%s %s"):format(code, person and (next(facts) and "has other facts now" or "had consented already")
    or "consented"))
  return 0
end

return verb
