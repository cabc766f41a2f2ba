--- The prompt's word `preview`: another process runs a node of a tree on a ghost, while the run continues.
local columns = require "brio.lib.columns"
local process = require "brio.io.process"
local situation = require "brio.operator.prompt.situation"
local store = require "brio.store"

local word = {}

--- The most previews at a time, and the time limit of each, s.
word.most, word.patience = 2, 120

--- Process the results of previews: once a tick, and only while one is active.
function word.work(prompt)
  if prompt.previews and next(prompt.previews) then process.work() end
end

--- End of the run: end the previews.
function word.close(prompt)
  for job in next, prompt.previews or {} do job:kill() end
end

--- Report the result to people at the prompt.
local function tell(prompt, result)
  local text = result.out:gsub("%s+$", "")
  if text == "" then text = "the preview came to nothing: " .. (result.error or "it said nothing") end
  for line in text:gmatch "[^\n]+" do prompt.run:tell("info", line) end
  local host = prompt.run.host
  prompt.run.recorder:event(host.tick, host.now,
    { name = "previewed", source = "operator", data = { said = text } },
    host.version)
end

--- preview [STATE|NODE]
function word.run(prompt, rest)
  local previews = prompt.previews or {}
  prompt.previews = previews
  local count = 0
  for _ in next, previews do count = count + 1 end
  if count >= word.most then
    return nil, ("%d previews are running: wait until one ends"):format(count)
  end
  local request, why = situation.of(prompt.run, rest)
  if not request then return nil, why end
  local job
  job, why = process.start({ process.program(), "preview", "--situation", "-" },
    { input = store.json(request), timeout = word.patience }, function(result)
    previews[job] = nil
    tell(prompt, result)
  end)
  if not job then return nil, why end
  previews[job] = true
  local what = request.title and ("'%s'"):format(columns.cell(request.title)) or "state " .. request.state
  return ("a ghost runs %s from the robot's pose; the result will be in the log"):format(what)
end

return word
