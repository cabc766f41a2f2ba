--- `brio study check`: is a study's file right, and what does it plan?
local cli, design, study = require "brio.cli", require "brio.study.design", require "brio.study.file"
local questionnaire, words = require "brio.ask.questionnaire", require "brio.study.words"

local verb = { words = "FILE", least = 1, most = 1, reads = true, summary = "is the file right, and what does it plan?" }

--- Files and questionnaires that the study names but that are not there: sentences.
local function missing(data)
  local list, paths = {}, require "brio.paths"
  for _, name in ipairs(data.questionnaires) do
    local known, why = questionnaire.find(name:find "[/.]" and study.path(data, name) or name)
    if not known then list[#list + 1] = why end
  end
  for _, one in ipairs(data.conditions) do
    local setting = study.setting(data, one.name)
    for _, key in ipairs { "behavior", "session", "world" } do
      local file = setting[key] and study.path(data, setting[key])
      if file and not paths.exists(file) then list[#list + 1] = ("%s of condition '%s': there is no file %s"):format(key,
        one.name, file) end
    end
    if not setting.behavior then list[#list + 1] = ("condition '%s' has no behavior"):format(one.name) end
  end
  return list
end

function verb.run(_, context)
  local data = context.data
  local orders = {}
  for n, row in ipairs(study.plan(data)) do orders[n] = row.order end
  print(words.study(data))
  print(words.plan(study.plan(data)))
  print(words.balance(data, design.balance(orders, #data.conditions)))
  for _, sentence in ipairs(study.warnings(data)) do print("warning: " .. sentence) end
  local faults = missing(data)
  for _, sentence in ipairs(faults) do cli.error("%s", sentence) end
  return faults[1] and 3 or 0
end

return verb
