--- Locks: a part of the body that a person has taken is reserved for them while they are connected. Others
--- see the owner and since when, are refused, and may ask for it; the owner can hand it over. A lost person
--- keeps it for a while, then it is released.
---
--- A lock is a taking of shared control (character/control.lua); there is no second state. This file decides
--- who may take over what, and records changes of owners.
local locks = {}
local Locks = {}
Locks.__index = Locks

--- Robot time for which a lost person keeps their parts, s: long enough for a network to recover; our choice.
locks.grace = 30

--- The locks of a run's operators: initially none.
function locks.new(operators)
  return setmetatable({ operators = operators, host = operators.host, list = {}, next_id = 0 }, Locks)
end

local function control_of(self) return self.host.control end

-- Permissions -----------------------------------------------------------------------------------------------

--- The time for which a person has had something, for people.
local function since_text(self, taking)
  return ("for %.0f s"):format(math.max(0, self.host.now - (taking.since or self.host.now)))
end

--- The taking of another connected person that prevents taking some DOFs; nil: none.
function Locks:blocking(dofs, who)
  local control = control_of(self)
  for _, dof in ipairs(dofs) do
    local taking = control.of[dof]
    if taking and taking.who ~= who and self.operators:keeps(taking.who) then return taking end
  end
end

--- The reason why a person may not have some DOFs now: a sentence; nil: they may.
function Locks:refusal(dofs, who)
  local taking = self:blocking(dofs, who)
  if not taking then return nil end
  local why = ("%s has %s, %s: `ask %s` asks for it"):format(taking.who, taking.name,
    since_text(self, taking), taking.name)
  self.refused = why
  return why
end

--- The same for releasing it, or changing its share: an author may.
function Locks:refusal_to_give(dofs, who)
  local speaker = self.operators.speaker
  if speaker and speaker.who == who and speaker.role == "author" then return nil end
  return self:refusal(dofs, who)
end

-- Changes of owners -----------------------------------------------------------------------------------------

--- The DOFs of a part that others than `who` have, and their owners.
local function takings_of(self, part)
  local control, list, seen = control_of(self), {}, {}
  local dofs, why = control:find(part)
  if not dofs then return nil, why end
  for _, dof in ipairs(dofs) do
    local taking = control.of[dof]
    if taking and not seen[taking] then
      seen[taking] = true
      list[#list + 1] = taking
    end
  end
  if #list == 0 then return nil, ("nobody has taken %s"):format(part) end
  return list
end

--- Give a person a part that others have. Return true, or nil and the reason.
local function hand(self, part, list, to)
  for _, taking in ipairs(list) do taking.how, taking.to = "handed", to end
  local good, why = control_of(self):take(part, { who = to, handed = true })
  for _, taking in ipairs(list) do
    if control_of(self):goes_on(taking) then taking.how, taking.to = nil, nil end
  end
  return good and true, why
end

--- give PART to NAME. Return a sentence, or nil and the reason.
function Locks:hand(part, name, who)
  local list, why = takings_of(self, part)
  if not list then return nil, why end
  for _, taking in ipairs(list) do
    if taking.who ~= who then
      return nil, self:refusal(taking.dofs, who) or ("%s has %s: take it first"):format(taking.who, part)
    end
    name = name ~= "" and name or taking.asked or ""
  end
  if name == "" then
    return nil, ("name a person, as in give %s to ann: nobody has asked for it"):format(part)
  end
  local to, fault = self.operators:find(name)
  if not to then return nil, fault end
  if to.who == who then return nil, ("%s is yours already"):format(part) end
  if to.role == "observer" then return nil, ("%s is an observer"):format(to.who) end
  local good, sentence = hand(self, part, list, to.who)
  if not good then return nil, sentence end
  self.operators:tell(to.who, ("%s hands %s over to you"):format(who, part))
  return ("%s: %s has it now"):format(part, to.who)
end

--- ask PART. Return a sentence, or nil and the reason.
function Locks:ask(part, who)
  local list, why = takings_of(self, part)
  if not list then return nil, why end
  local waits, mine, name = {}, true, who:match "^(.-) %(" or who
  for _, taking in ipairs(list) do
    mine = mine and taking.who == who
    if taking.who ~= who and self.operators:is_there(taking.who) then waits[#waits + 1] = taking end
  end
  if mine then return nil, ("%s is yours already"):format(part) end
  if #waits == 0 then
    local good, fault = hand(self, part, list, who)
    return good and ("%s: yours; its owner has left"):format(part), fault
  end
  local names = {}
  for index, taking in ipairs(waits) do
    taking.asked, names[index] = who, taking.who
    self.operators:tell(taking.who, ("%s asks for %s: `give %s to %s` hands it over"):format(who, part, part,
      name))
  end
  self.operators.changed = true
  return ("%s is asked for %s"):format(table.concat(names, ", "), part)
end

--- A person did not come back: release their parts.
function Locks:lose(who)
  local control, names = control_of(self), {}
  for place = #control.takings, 1, -1 do
    local taking = control.takings[place]
    if taking.who == who then
      taking.how = "lost"
      names[#names + 1] = taking.name
      control:end_taking(taking)
    end
  end
  return names
end

--- A person's parts, by name.
function Locks:of(who)
  local names = {}
  for _, taking in ipairs(control_of(self) and control_of(self).takings or {}) do
    if taking.who == who then names[#names + 1] = taking.name end
  end
  return names
end

-- Recording -------------------------------------------------------------------------------------------------

local hows = { ["given back"] = "given", ["let go"] = "expired" }

local function close(self, lock, how, to)
  self.operators.changed = true
  self.host.recorder:put("lock_end", { id = lock.id, given = self.host.now, how = how, to_whom = to })
end

local function begin(self, taking)
  self.next_id = self.next_id + 1
  self.operators.changed = true
  taking.since = self.host.now
  local lock = { id = self.next_id, taking = taking, who = taking.who }
  self.host.recorder:put("locks", { id = lock.id, part = taking.name, who = taking.who or "a script",
    taken = self.host.now })
  self.list[#self.list + 1] = lock
end

--- How a taking ended, and its new owner.
local function how_of(self, taking)
  if taking.how then return taking.how, taking.to end
  if taking.ended == "taken over" then
    for _, dof in ipairs(taking.dofs) do
      local now = control_of(self).of[dof]
      if now then return "lost", now.who end
    end
  end
  if taking.who == "tracker" then return "expired" end
  return hows[taking.ended] or "given"
end

--- Compare the current takings with those of the last tick.
function Locks:work()
  local control = control_of(self)
  if not control or #control.takings == 0 and #self.list == 0 then return end
  local there = {}
  for _, taking in ipairs(control.takings) do there[taking] = true end
  for place = #self.list, 1, -1 do
    local lock = self.list[place]
    if not there[lock.taking] then
      close(self, lock, how_of(self, lock.taking))
      table.remove(self.list, place)
    else
      there[lock.taking] = nil
    end
  end
  for _, taking in ipairs(control.takings) do
    if there[taking] then begin(self, taking) end
  end
end

--- The owners of parts and since when, as sent to clients.
function Locks:rows()
  local rows = {}
  for _, lock in ipairs(self.list) do
    rows[#rows + 1] = { part = lock.taking.name, who = lock.who, since = lock.taking.since,
      share = lock.taking.share, asked = lock.taking.asked }
  end
  return rows
end

return locks
