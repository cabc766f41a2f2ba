--- The words of the prompt for speech: say, hush.
local text = require "brio.character.speech.text"

--- say TEXT, in quotes or without.
local function say(prompt, rest, request)
  local host, said = prompt.run.host, rest
  if rest:find "^[\"'%[]" then
    local good, value = prompt:value(rest)
    if not good then return nil, value end
    said = value
  end
  if said == "" then return nil, 'say what, as in say "hello {wave} there"' end
  if host.halted then return nil, "the behavior failed and the pose is held" end
  local why = text.fault(said)
  if why then return nil, why end
  local item
  item, why = host.speech:say(said, nil, request.who)
  if not item then return nil, why end
  return ("says: %s"):format(item.shown) .. (host.speech.held and " (when the robot goes on)" or "")
end

local function hush(prompt)
  local count = prompt.run.host.speech:hush "hushed"
  return count == 0 and "there is no speech now" or count == 1 and "is silent"
    or ("is silent; %d texts are dropped"):format(count)
end

return {
  { name = "say", usage = "say TEXT", summary = "speak a text; {name value} in it is an event at that word",
    changes = true, example = 'say "hello {wave} there, what a *lovely* day"', run = say },
  { name = "hush", usage = "hush", summary = "stop speaking, and drop queued speech",
    changes = true, example = "hush", run = hush },
}
