--- `brio study next`: prints the next participant, their condition, and the command to type.
local record = require "brio.study.record"

local verb = { words = "FILE", least = 1, most = 1, reads = true,
  summary = "the next participant, the condition, and what to type" }

--- The open session; else the first slot of a participant who has begun or consented; else the next
--- participant.
local function next_of(found)
  for _, wanted in ipairs { "open", "begun", "consented", "planned" } do
    for _, code in ipairs(found.codes) do
      local place, session = record.next_place(found, code)
      local state = record.state(found, code)
      if place and (wanted == "open" and session
          or wanted == state and state ~= "withdrawn") then return code, place, session,
        state end
    end
  end
end

local function run_line(data, code, wizard)
  return ("brio run --study %s --participant %s%s"):format(data.file, code,
    wizard and #data.wizards > 1 and " --wizard "
    .. wizard or "")
end

function verb.run(_, context)
  local data, found = context.data, context:registered()
  if not found then return 1 end
  local code, place, session, state = next_of(found)
  if not code then
    print(("all %d participants are done"):format(#found.codes))
    return 0
  end
  local condition = found.plan[code][place].condition
  if session then
    print(("%s is in session %d of %d, '%s', which goes on"):format(code, place, #found.plan[code],
      condition))
  else
    print(("%s, session %d of %d: '%s'"):format(code, place, #found.plan[code], condition))
  end
  if state == "planned" then print(("  brio study consent %s %s"):format(data.file, code)) end
  print("  " .. run_line(data, code, session and session.wizard or data.wizards[1] and data.wizards[1].code))
  for _, one in ipairs(data.wizards) do
    print(("  brio attach --as %s%s"):format(one.code, one.part and "     (" .. one.part .. ")" or ""))
  end
  if #data.questionnaires > 0 then print(("  brio study ask %s %s"):format(data.file, code)) end
  print(("  brio study end %s %s"):format(data.file, code))
  return 0
end

return verb
