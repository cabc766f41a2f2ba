--- Records people's panels (`view_states`): the whole view when a panel begins, then its changes. Times that
--- only advance, and measures that change in every tick, do not count as changes.
local store = require "brio.store"

local seen = {}
local Seen = {}
Seen.__index = Seen

--- Fields that are not recorded.
local left_out = { t = true, tick_p99_us = true, late_ticks = true, store_mb = true, disk_mb = true,
  nexts = true, queue = true }

function seen.new(recorder) return setmetatable({ recorder = recorder, people = {} }, Seen) end

--- The fields of a view by name, those of the session script one by one.
local function fields_of(view)
  local fields = {}
  for name, value in next, view do
    if name == "session" then
      for key, field in next, value do fields["session." .. key] = field end
    elseif not left_out[name] then
      fields[name] = value
    end
  end
  local waits = {}
  for index, row in ipairs(view.queue) do waits[index] = ("%s %s"):format(row[1], row[3]) end
  fields.queue = waits
  return fields
end

--- A view was sent to some people (names) at t.
function Seen:note(t, view, people)
  local texts, fields = {}, fields_of(view)
  for name, value in next, fields do texts[name] = store.json(value) end
  for who in next, people do
    local before, shown = self.people[who], {}
    for name, text in next, texts do
      if not before or before[name] ~= text then shown[name] = fields[name] end
    end
    for name in next, before or {} do
      if texts[name] == nil then shown[name] = false end -- no longer in the view
    end
    if next(shown) ~= nil then self.recorder:view_state(t, who, "panel", shown) end
    self.people[who] = texts
  end
  for who in next, self.people do
    if not people[who] then self.people[who] = nil end
  end
end

return seen
