--- `brio study check`: checks a study's file, and prints its plan.
local cli, design, study = require "brio.terminal.cli", require "brio.study.design", require "brio.study.file"
local look, words = require "brio.study.check", require "brio.study.words"

local verb = { words = "FILE", least = 1, most = 1, reads = true,
  summary = "check the file, and show its plan" }

function verb.run(_, context)
  local data = context.data
  local orders = {}
  for n, row in ipairs(study.plan(data)) do orders[n] = row.order end
  print(words.study(data))
  print(words.plan(study.plan(data)))
  print(words.balance(data, design.balance(orders, #data.conditions)))
  for _, sentence in ipairs(study.warnings(data)) do print("warning: " .. sentence) end
  local faults = look.faults(data)
  for _, sentence in ipairs(faults) do cli.error("%s", sentence) end
  return faults[1] and 3 or 0
end

return verb
