--- `brio study assign`: registers a study in the store, and assigns its conditions to participants.
local cli, design = require "brio.terminal.cli", require "brio.study.design"
local record, study, words = require "brio.study.record", require "brio.study.file",
  require "brio.study.words"

local verb = { words = "FILE [--why TEXT]", least = 1, most = 1, reads = true,
  summary = "register the plan: which participant meets which condition when" }

--- The plan in the store.
local function stored(found)
  local plan = {}
  for n, code in ipairs(found.codes) do
    plan[n] = { participant = code, sequence = found.plan[code][1].sequence, conditions = {} }
    for place, row in ipairs(found.plan[code]) do plan[n].conditions[place] = row.condition end
  end
  return plan
end

--- Add a participant in place of one who withdrew.
local function replace(args, context)
  local found, gone = context:registered(), args["instead-of"]
  if not found then return 1 end
  local person = found.participants[gone]
  if not found.plan[gone] or not person or not person.withdrawn_at then
    cli.error("--instead-of expects a participant who withdrew, not '%s'", gone)
    return 2
  end
  for code, places in next, found.plan do
    if places[1].instead_of == gone then
      cli.error("%s takes the place of %s already", code, gone)
      return 1
    end
  end
  local code = gone .. "R" -- not a number of the plan, as participants may still be added
  if not context:write(function(kept) return kept:replace(found, gone, code) end) then return 1 end
  print(("%s takes the place of %s"):format(code, gone))
  return 0
end

function verb.run(args, context)
  if args["instead-of"] then return replace(args, context) end
  local data, found = context.data, context:find()
  if found == false then return 1 end
  local version
  local id = context:write(function(kept)
    local made, number = kept:register(data, found, args.why)
    version = number
    return made, number
  end)
  if not id then return 1 end
  found = context:registered()
  if not found then return 1 end
  local plan, orders = stored(found), {}
  local place_of = {}
  for _, one in ipairs(data.conditions) do place_of[one.name] = one.place end
  for n, row in ipairs(plan) do
    orders[n] = {}
    for place, name in ipairs(row.conditions) do orders[n][place] = place_of[name] end
  end
  print(words.study(data))
  print(words.plan(plan))
  print(words.balance(data, design.balance(orders, #data.conditions)))
  for _, sentence in ipairs(study.warnings(data)) do print("warning: " .. sentence) end
  print(("registered in %s as version %d, SHA-256 %s"):format(context.path, version, data.hash))
  if record.free(found) then print "until somebody consents, the plan may change freely" end
  return 0
end

return verb
