--- Part of a snapshot: the session script's step and slots, which are restored, and people's pending
--- actions at their prompts, which are not: queued lines, parts of the body that somebody had taken,
--- actions that could be undone. What is not restored is listed, a sentence each.
local suggest = require "brio.lib.suggest"

local part = { name = "desk" }

--- Maximum number of queued lines that are listed in sentences of their own.
local most = 20

--- The queued lines, as plain data.
local function waiting(queue)
  local list = {}
  for index, entry in ipairs(queue.list) do
    list[index] = { line = entry.line, who = entry.who or "somebody", when = queue:due_text(entry) }
  end
  return list[1] and list or nil
end

local function parts_taken(host)
  local list = {}
  for index, taking in ipairs(host.control and host.control.takings or {}) do
    list[index] = { name = taking.name, who = taking.who or "somebody" }
  end
  return list[1] and list or nil
end

local function count_open(deeds)
  local count = 0
  for _, deed in ipairs(deeds) do
    if deed.back and not deed.undone then count = count + 1 end
  end
  return count
end

function part.save(host)
  local desk = host.desk
  if not desk then return nil end
  local told = { session = desk.session and desk.session:standing(), waiting = waiting(desk.queue),
    taken = parts_taken(host), deeds = #desk.deeds > 0 and #desk.deeds or nil }
  if told.deeds then told.open = count_open(desk.deeds) end
  return next(told) and told or nil
end

--- The filled slots, in words.
local function slots_text(values)
  local list = {}
  for index, name in ipairs(suggest.keys(values or {})) do
    list[index] = ("%s = %s"):format(name, values[name])
  end
  return list[1] and " with " .. table.concat(list, ", ") or ""
end

local function restore_session(host, told, shift, say)
  local on = host.desk and host.desk.session
  local slots = slots_text(told.values)
  local where = told.step and ("at the step '%s'"):format(told.step)
    or ("before or after its steps (%s)"):format(told.phase)
  if not (on and on.fields.name == told.name) then
    say(("the session script '%s' is not resumed, because it is not loaded now: it was %s%s; --session \z
      %s"):format(
      told.name, where, slots, told.file))
  elseif not on:go_on(told, shift) then
    say(("the session script '%s' no longer has a step '%s': it starts again%s"):format(told.name, told.step,
      slots))
  else
    host.say("info", ("resumed: the session '%s' continues %s%s"):format(told.name, where, slots))
  end
end

function part.restore(host, told, shift, say)
  if type(told.session) == "table" then restore_session(host, told.session, shift, say) end
  for index, entry in ipairs(told.waiting or {}) do
    if index > most then
      say(("%d more lines that waited are not done"):format(#told.waiting - most))
      break
    end
    say(("not done, send it again: %s (%s, by %s)"):format(entry.line, entry.when, entry.who))
  end
  for _, taking in ipairs(told.taken or {}) do
    say(("%s, which %s had, is the robot's again"):format(taking.name, taking.who))
  end
  if told.deeds then
    say(("%d things that people did cannot be marked here, nor %d of them taken back: see that run"):format(
      told.deeds, told.open or 0))
  end
end

return part
