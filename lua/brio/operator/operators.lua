--- The people at this run's prompts and devices: their roles, the parts of the body that they have, and their
--- actions.
---
---   operators/roles.lua     observers, wizards, authors
---   operators/locks.lua     owners of parts, requests, handovers
---   operators/actions.lua   actions with their times; operators/endings.lua: their ends;
---                           operators/motion.lua: the first motion
---   operators/words.lua     who, ask
---
--- The front reports who comes and goes, as requests among the others; docs/operators/operators.md.
local actions = require "brio.operator.operators.actions"
local clock = require "brio.clock"
local locks = require "brio.operator.operators.locks"
local store = require "brio.store"

local operators = {}
local Operators = {}
Operators.__index = Operators

--- The operators of a host's run: initially nobody.
function operators.new(host)
  local self = setmetatable({ host = host, present = {}, order = {}, away = {}, rows = 0 }, Operators)
  self.locks = locks.new(self)
  self.actions = actions.new(self)
  return self
end

--- A time of the monotonic clock (default: now) as time of the run.
function Operators:time(monotonic)
  local now = self.host.now
  if self.host.fast or not self.mark then return now end
  if monotonic then return now - (self.mark - monotonic) end
  return now + math.max(0, clock.monotonic() - self.mark)
end

-- People ----------------------------------------------------------------------------------------------------

--- A person's connected clients.
local function clients_of(self, who)
  local list = {}
  for _, person in ipairs(self.order) do
    if person.who == who then list[#list + 1] = person end
  end
  return list
end

--- Whether a person is at a prompt.
function Operators:is_there(who) return who ~= nil and #clients_of(self, who) > 0 end

--- Whether a person's parts are kept: they are connected, or were lost a moment ago.
function Operators:keeps(who) return who ~= nil and (self:is_there(who) or self.away[who] ~= nil) end

--- Find a person by name, whole or without the user's name. Return them, or nil and the reason.
function Operators:find(name)
  local names = {}
  for _, person in ipairs(self.order) do
    if person.who == name or person.who:match "^(.-) %(" == name then return person end
    names[#names + 1] = person.who
  end
  return nil, ("%s is not at a prompt: there are %s"):format(name, table.concat(names, ", "))
end

local function close_row(self, person, how)
  self.host.recorder:put("operator_end", { id = person.row, detached = self.host.now, how = how })
end

local function place_of(self, person)
  for place, one in ipairs(self.order) do
    if one == person then return place end
  end
end

--- A client has attached, or reports again who it is.
function Operators:attached(request)
  local before = self.present[request.client]
  if before then
    if before.who == request.who and before.role == request.role and before.device == request.device then
      return
    end
    close_row(self, before, "left")
    table.remove(self.order, place_of(self, before))
  end
  self.rows = self.rows + 1
  local person = { client = request.client, who = request.who, role = request.role, device = request.device,
    row = self.rows, since = self.host.now }
  self.present[request.client] = person
  table.insert(self.order, person)
  for place, who in ipairs(self.away) do
    if who == request.who then table.remove(self.away, place) break end
  end
  self.away[request.who] = nil
  self.host.recorder:put("operators", { id = person.row, who = person.who, role = person.role,
    device = person.device,
    session = request.session and request.client or nil, attached = self.host.now, offset_s = request.offset,
    offset_error = request.offset_error })
  self.changed = true
end

--- A client has gone: "left", or "lost". A lost one may come back.
function Operators:gone(request)
  local person = self.present[request.client]
  if not person then return end
  self.present[request.client] = nil
  table.remove(self.order, place_of(self, person))
  close_row(self, person, request.kind)
  self.changed = true
  if request.kind ~= "lost" or self:is_there(person.who) or #self.locks:of(person.who) == 0 then return end
  self.away[person.who] = self.host.now
  self.away[#self.away + 1] = person.who
  self.host.say("warning", ("%s is lost: %s is kept for %g s"):format(person.who,
    table.concat(self.locks:of(person.who), ", "),
    locks.grace))
end

--- Remove the data of people who did not come back.
local function forget(self)
  for place = #self.away, 1, -1 do
    local who = self.away[place]
    if self.host.now - self.away[who] > locks.grace then
      table.remove(self.away, place)
      self.away[who], self.changed = nil, true
      local names = self.locks:lose(who)
      if #names > 0 then
        self.host.say("warning", ("%s did not come back: %s is given back"):format(who,
          table.concat(names, ", ")))
      end
    end
  end
end

-- Messages --------------------------------------------------------------------------------------------------

--- Send something to one person.
function Operators:tell(who, sentence)
  if not self.host.front then return end
  for _, person in ipairs(clients_of(self, who)) do
    self.host.front:reply(person.client, store.json { log = sentence, level = "info", t = self.host.now })
  end
end

--- People and their parts, as sent to clients on a change.
function Operators:state()
  local people = {}
  for _, person in ipairs(self.order) do
    people[#people + 1] = { client = person.client, who = person.who, role = person.role,
      device = person.device, since = person.since }
  end
  for _, who in ipairs(self.away) do people[#people + 1] = { who = who, lost = self.away[who] } end
  return { locks = store.array(self.locks:rows()), operators = store.array(people) }
end

-- Lines -----------------------------------------------------------------------------------------------------

--- Called before a line is executed: its effects are found by comparison afterwards. Return the argument for
--- `over`: a line may execute another one.
function Operators:begin(request)
  local before = self.speaker
  self.speaker, self.locks.refused, self.host.tracks.newest = request, nil, nil
  return before
end

function Operators:over(before) self.speaker = before end

--- The line was executed. `cue`: the session script's expectation, {expected, step, t_cue}, if there is one.
--- Return the action's number.
function Operators:did(request, name, rest, cue)
  local id = self.actions:did(request, name, rest, cue)
  self.actions:look(request.who)
  return id
end

--- The line failed, or another person has what it needs.
function Operators:failed(request, name, rest, why, cue)
  self.actions:failed(request, name, rest, self.locks.refused and "refused" or "error", why, cue)
end

--- The person may not use it.
function Operators:refused(request, name, rest, why)
  self.actions:failed(request, name, rest, "refused", why)
end

-- A tick ----------------------------------------------------------------------------------------------------

--- Work of a tick, before people's lines.
function Operators:work()
  self.mark = self.host.front and clock.monotonic() or nil
  self.locks:work()
  self.actions:work(self.before)
  self.before = self.host.now
  if #self.away > 0 then forget(self) end
  if not self.changed then return end
  self.changed = false
  if self.host.front then self.host.front:log(store.json { state = self:state() }) end
end

--- Its work in a tick failed: report it, and continue without its data.
function Operators:fail(why)
  if not self.broken then self.host.say("error", "what people do is not followed any more: " .. why) end
  self.broken, self.actions.going = true, {}
end

function Operators:close()
  self.actions:close()
  self.locks:work()
end

return operators
