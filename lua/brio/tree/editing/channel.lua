--- Carries the messages of sync.lua over a run's prompt (docs/operators/prompt.md): a request and its reply
--- are an update in each direction.
---
---     local text, why = links.answer(session, text, who)    in the run: process a client's message, and
---                                                           reply
---
---     local link = links.new(client, state, name, who, on)  in a program beside it: `client` of brio.client,
---                                                           `name` unique among programs; `on` as for
---                                                           sync.client, and refused_link(why)
---     link:work(now)                                        send a request when it is due, at most one at
---                                                           a time; `now` in s
---     link:take(client)                                     continue over another connection, without loss
---     link.edits                                            the client of sync.lua: document, edit(op),
---                                                           ids(), status()
local clip = require "brio.formats.clip"
local data = require "brio.tree.editing.data"
local sync = require "brio.tree.editing.sync"

local links = {}

--- The plain value of a received JSON text; nil and the reason if it is invalid.
local function read(text)
  local good, message = pcall(data.read_json, text, "message")
  if good then return message end
  return nil, clip.failure(message) or "no message"
end

--- Process a client's message, a JSON text, and return the reply; nil, a sentence.
function links.answer(session, text, who)
  local message, why = read(text)
  if not message then return nil, "a message is JSON, as tree/editing/sync.lua has it: " .. why end
  if type(message) ~= "table" or type(message.session) ~= "string" then
    return nil, "a message has session, sent, seq and heard"
  end
  message.who, message.session = who, who .. "/" .. message.session -- a client cannot act for others
  local authority = session.authority
  authority:receive(message)
  local reply = authority:update(message.session)
  if not reply then return nil, "a message has session, sent, seq and heard" end
  return data.json(reply, nil, math.huge)
end

local Link = {}
Link.__index = Link

function links.new(client, state, name, who, on)
  local self = setmetatable({ client = client, state = state, due = 0, on = on or {} }, Link)
  self.edits, self.name = sync.client(name, who, on), name
  return self
end

--- Continue over another connection.
function Link:take(client)
  self.client, self.asked, self.due = client, nil, 0
end

--- Send a request if it is due and none is pending; `now` in s.
function Link:work(now)
  if self.asked or now < self.due or not self.client.open then return end
  local message = self.edits:update()
  message.session = self.name
  local asked = {}
  self.asked, self.due = asked, math.max(self.due + 1 / sync.rate, now)
  self.client:ask({ line = ("tree in %s sync %s"):format(self.state, (data.json(message, nil, math.huge))) },
    function(reply)
    if self.asked ~= asked then return end -- a reply on an old connection
    self.asked = nil
    local answer = reply.text and read(reply.text)
    if answer then
      self.edits.session, self.edits.who = answer.session, answer.who -- the names that the run uses
      self.edits:receive(answer)
    elseif self.on.refused_link then self.on.refused_link(reply.error or "no answer that can be read") end
  end)
end

return links
