--- Concurrent editing of one tree: the engine is the authority and orders all edits; each client does its
--- own edits at once, receives the order, and corrects itself if others were first.
---
---     local authority = sync.authority(editing [, run])   `run`: a name of this run, by which clients
---                                                         recognize a new one
---     authority:receive(message)                          process a client's message, in any order, once or
---                                                         more often
---     authority:update(session)                           the message to that client, some 30 times a
---                                                         second; nil: unknown client
---     authority:edit(op, who)                             an edit of the engine's own, as editing:apply
---     authority.perform = function(op, who, base)         does an edit in place of editing:apply
---                                                         (session.lua)
---
---     local client = sync.client(session, who, on)        `session` is a name that no other client has
---     client:edit(op)                                     do an operation at once; true, or nil and the
---                                                         reason of a refusal
---     client:update()                                     the message to send, some 30 times a second
---     client:receive(message)                             process a message
---     client.document                                     the tree as this person sees it; nil until it is
---                                                         received
---     client:status()                                     counters of both sides, for people
---
--- `on` may have edited(done): an edit, perhaps of another person, has been ordered; refused(op, why): an
--- own one was refused; corrected(): edits of others changed the displayed tree.
---
--- Messages are plain data that JSON can represent.  Each contains everything that the other side has not
--- acknowledged: lost data is sent again, and duplicates are recognized by their numbers.  An edit of a
--- client either gets a place in the order, or is refused with a reason.  A disconnected client does not
--- affect the running tree; after a reconnect it continues.
local author = require "brio.tree.editing.author"
local data = require "brio.tree.editing.data"
local document = require "brio.tree.editing.document"
local editings = require "brio.tree.editing.edits"

local sync = {}

--- Updates a second that each side sends.
sync.rate = 30

--- Maximum number of edits in a message, bytes of a tree in a message, and number of edits that the
--- authority keeps for disconnected clients.
sync.most_edits, sync.piece, sync.most_log = 40, 24000, 20000

--- Maximum size of the edits in a message, and of one edit, bytes.
sync.most_bytes = 30000

--- Maximum number of sessions that an authority keeps.
sync.most_sessions = 500

-- Authority -------------------------------------------------------------------------------------------------

local Authority = {}
Authority.__index = Authority

--- The authority over the edits of a document; `run`: a name by which clients recognize a new run.
function sync.authority(editing, run)
  return setmetatable({ editing = editing, run = run or "run", log = {}, first = editing.seq + 1,
    sessions = {}, names = {}, joined = 0 }, Authority)
end

--- Append an edit to the log for clients.
local function note(self, done, session, number)
  self.log[done.seq] = { seq = done.seq, who = done.who, op = done.op, history = done.history,
    plain = done.plain, says = done.says, session = session, n = number }
  while done.seq - self.first >= sync.most_log do
    self.log[self.first], self.first = nil, self.first + 1
  end
end

function Authority:edit(op, who, base, session, number)
  local done, why
  if self.perform then done, why = self.perform(op, who, base)
  else done, why = self.editing:apply(op, who, base) end
  if done then note(self, done, session, number) end
  return done, why
end

--- Remove the session that has been silent for the longest time.
local function make_room(self)
  if #self.names < sync.most_sessions then return end
  local oldest = 1
  for index, name in ipairs(self.names) do
    if self.sessions[name].heard_at < self.sessions[self.names[oldest]].heard_at then oldest = index end
  end
  self.sessions[table.remove(self.names, oldest)] = nil
end

--- The session of a message, created if it is unknown.
local function session_of(self, message)
  local name = message.session
  local session = self.sessions[name]
  if session then return session end
  make_room(self)
  self.joined = self.joined + 1
  session = { name = name, who = message.who, number = self.joined, took = 0, seq = 0, newest = 0,
    updates = 0, out_of_order = 0, sent = 0, refused = {}, heard_at = 0 }
  self.sessions[name] = session
  self.names[#self.names + 1] = name
  return session
end

--- Do the next edits of a client, by its numbers.
local function take_edits(self, session, list)
  for _, item in ipairs(type(list) == "table" and list or {}) do
    if type(item) == "table" and item.n == session.took + 1 then
      session.took = item.n
      local base = math.type(item.base) == "integer" and math.min(item.base, self.editing.seq) or 0
      local done, why = self:edit(item.op, session.who, base, session.name, item.n)
      if not done then session.refused[#session.refused + 1] = { n = item.n, why = why } end
    end
  end
end

--- A piece of the tree's text, for a client without a tree: {seq =, offset =, total =, text =}, and which
--- edits of the client it contains: up to `took`, except those `refused`.
local function piece_of(self, session)
  local offset = session.wants
  if not offset then return nil end
  local whole = session.whole
  if not whole then
    local doc, nodes = self.editing.document, {}
    for index, id in ipairs(doc:inside(doc.root)) do
      local node = doc.nodes[id]
      nodes[index] = { id = id, kind = node.kind, fields = node.fields, parent = node.parent,
        part = node.part }
    end
    local text, why = data.json({ root = doc.root, nodes = nodes, file = doc.file, format = doc.format }, nil,
      math.huge)
    if not text then return { seq = 0, offset = 0, total = 0, text = "", why = why } end
    whole = { seq = self.editing.seq, took = session.took, text = text, refused = {} }
    for index, item in ipairs(session.refused) do whole.refused[index] = item.n end
    session.whole = whole
  end
  return { seq = whole.seq, took = whole.took, refused = whole.refused, offset = offset, total = #whole.text,
    text = whole.text:sub(offset + 1, offset + sync.piece) }
end

local function is_count(value) return math.type(value) == "integer" and value >= 0 end

--- Process a client's message.
function Authority:receive(message)
  if type(message) ~= "table" or type(message.session) ~= "string" or type(message.who) ~= "string" then
    return
  end
  if not (is_count(message.sent) and is_count(message.seq) and is_count(message.heard)) then return end
  local session = session_of(self, message)
  self.clock = (self.clock or 0) + 1
  session.heard_at, session.updates = self.clock, session.updates + 1
  if message.sent < session.newest then session.out_of_order = session.out_of_order + 1 end
  local late = message.sent < session.newest
  session.newest = math.max(session.newest, message.sent)
  if message.run ~= self.run then -- a client of an earlier run: send the whole tree
    if not late then session.wants, session.seq = is_count(message.wants) and message.wants or 0, 0 end
    return
  end
  if not late then session.wants = is_count(message.wants) and message.wants or nil end
  if not session.wants then session.whole = nil end
  session.seq = math.max(session.seq, message.seq)
  for index = #session.refused, 1, -1 do
    if session.refused[index].n <= message.heard then table.remove(session.refused, index) end
  end
  take_edits(self, session, message.edits)
end

--- The edits that a client has not acknowledged, as many as a message holds; an edit that is too large is
--- sent with the whole tree.
local function next_edits(self, session)
  local edits, bytes = {}, 0
  for seq = session.seq + 1, math.min(self.editing.seq, session.seq + sync.most_edits) do
    local entry = self.log[seq]
    if not entry.size then
      local text = data.json(entry, nil, math.huge)
      entry.size = text and #text or math.huge -- JSON cannot hold it: the whole tree is sent instead
    end
    bytes = bytes + entry.size
    if bytes > sync.most_bytes then break end
    edits[#edits + 1] = entry
  end
  if #edits == 0 and session.seq < self.editing.seq then session.wants = 0 end
  return edits
end

--- The message for a client's session, or nil if it is unknown.
function Authority:update(name)
  local session, editing = self.sessions[name], self.editing
  if not session then return nil end
  session.sent = session.sent + 1
  local edits = {}
  if session.seq + 1 < self.first then session.wants = session.wants or 0 end
  if not session.wants then edits = next_edits(self, session) end
  local refused = table.move(session.refused, 1, math.min(#session.refused, sync.most_edits), 1, {})
  return { session = name, who = session.who, run = self.run, sent = session.sent, got = session.updates,
    out_of_order = session.out_of_order, number = session.number, seq = editing.seq, took = session.took,
    nodes = editing.document:count(), edits = edits, refused = refused, piece = piece_of(self, session) }
end

--- The sessions, in the order of their creation: {session =, who =, updates =, out_of_order =, seq =, took
--- =}.
function Authority:people()
  local list = {}
  for index, name in ipairs(self.names) do
    local one = self.sessions[name]
    list[index] = { session = name, who = one.who, updates = one.updates, out_of_order = one.out_of_order,
      seq = one.seq, took = one.took }
  end
  return list
end

-- Client ----------------------------------------------------------------------------------------------------

local Client = {}
Client.__index = Client

--- A client without a document.  `session`: a unique name; `on`: handlers, see above.
function sync.client(session, who, on)
  return setmetatable({ session = session, who = who, on = on or {}, seq = 0, n = 0, heard = 0, sent = 0,
    got = 0, newest = 0,
    out_of_order = 0, corrections = 0, pending = {}, wants = 0, parts = {}, there = {}, gone = {} }, Client)
end

--- Call a handler if there is one.
local function tell(self, what, ...)
  if self.on[what] then self.on[what](...) end
end

--- Apply the pending edits to the ordered ones.
local function show_pending(self)
  self.document:mark()
  for _, item in ipairs(self.pending) do
    item.shown = self.editing:apply(item.op, self.who, item.base) ~= nil
  end
end

--- Revert to the ordered edits.
local function settle(self)
  if self.document.journal then self.document:revert(0) end
  self.document:keep()
end

--- Do an operation at once.  Return true, or nil and the reason of a refusal.
function Client:edit(op)
  if not self.editing then return nil, "the tree has not come yet" end
  local text, unsayable = data.json(op, nil, math.huge)
  if not text then return nil, "the edit " .. unsayable end
  if #text > sync.most_bytes then
    return nil, ("an edit may have %d bytes at most, not %d: do it in pieces"):format(sync.most_bytes, #text)
  end
  local done, why = self.editing:apply(op, self.who, self.seq)
  local is_history = op.op == "undo" or op.op == "redo"
  if not done and not (is_history and self.partial and why:find "^there is nothing") then return nil, why end
  self.n = self.n + 1
  self.pending[#self.pending + 1] = { n = self.n, base = self.seq, op = op, shown = done ~= nil,
    size = #text }
  return true
end

--- A function that makes ids for new nodes of this client.
function Client:ids()
  local editing = self.editing
  self.make_id = self.make_id or author.ids(self.document, self.number,
    function(id) return editing.graves[id] ~= nil end)
  return self.make_id
end

--- The message to send.
function Client:update()
  self.sent = self.sent + 1
  local edits, bytes = {}, 0
  for index, item in ipairs(self.pending) do
    bytes = bytes + item.size
    if index > sync.most_edits or index > 1 and bytes > sync.most_bytes then break end
    edits[index] = { n = item.n, base = item.base, op = item.op }
  end
  return { session = self.session, who = self.who, run = self.run, sent = self.sent, seq = self.seq,
    heard = self.heard, edits = edits, wants = self.wants }
end

--- Remove and return the pending edits that a received tree already contains.
local function drop_done(self, piece)
  local refused, left, done = {}, {}, {}
  for _, n in ipairs(piece.refused) do refused[n] = true end
  for _, item in ipairs(self.pending) do
    if item.n > piece.took or refused[item.n] then left[#left + 1] = item else done[#done + 1] = item end
  end
  self.pending = left
  return done
end

--- Start with a tree that was received completely.
local function begin(self, text, piece, run)
  local doc = document.from_nodes(data.read_json(text, "tree"))
  local done = {}
  if self.run == run then
    done = drop_done(self, piece)
  else -- another run has its own numbers
    for index, item in ipairs(self.pending) do item.n, item.base = index, piece.seq end
    self.n, self.heard = #self.pending, 0
  end
  self.document, self.editing = doc, editings.new(doc)
  self.editing.seq, self.seq, self.run, self.partial = piece.seq, piece.seq, run, piece.seq > 0
  self.wants, self.make_id = nil, nil
  show_pending(self)
  for _, item in ipairs(done) do
    tell(self, "edited", { session = self.session, who = self.who, n = item.n, op = item.op })
  end
end

--- Process a piece of a tree.
local function take_piece(self, piece, run)
  if piece.why then self.trouble = "the tree cannot be sent: " .. tostring(piece.why) return end
  if not is_count(piece.offset) or type(piece.text) ~= "string" then return end
  if not self.wants and piece.seq > self.seq then self.wants = 0 end -- too many edits were missed
  if piece.offset ~= self.wants then return end
  if piece.offset == 0 then self.parts, self.piece_seq = {}, piece.seq end
  if piece.seq ~= self.piece_seq then -- the tree has changed since the last piece
    self.wants = 0
    return
  end
  self.parts[#self.parts + 1] = piece.text
  self.wants = piece.offset + #piece.text
  if self.wants >= piece.total then begin(self, table.concat(self.parts), piece, run) end
end

--- Remove an own edit from the pending ones.
local function answered(self, n)
  for index, item in ipairs(self.pending) do
    if item.n == n then return table.remove(self.pending, index) end
  end
end

--- Apply the authority's order.  Return false if this document cannot follow; it is then requested again.
local function follow(self, edits)
  for _, done in ipairs(edits) do
    if done.seq == self.seq + 1 then
      local made = self.editing:follow(done)
      if not made then return false end
      self.seq = done.seq
      if done.session == self.session then answered(self, done.n) end
      tell(self, "edited", done)
    end
  end
  return true
end

--- Whether a message contains anything new.
local function is_news(self, message)
  for _, done in ipairs(message.edits) do
    if done.seq == self.seq + 1 then return true end
  end
  for _, item in ipairs(message.refused) do
    if item.n > self.heard then return true end
  end
  return false
end

--- Report a correction if the displayed tree changed by more than the order of own edits.
local function note_correction(self, before)
  for _, item in ipairs(self.pending) do
    if before[item] and not item.shown then
      self.corrections = self.corrections + 1
      return tell(self, "corrected")
    end
  end
end

--- Apply the received order, and process refusals.
local function take_news(self, message)
  local before = {}
  for _, item in ipairs(self.pending) do before[item] = item.shown end
  settle(self)
  if not follow(self, message.edits) then self.wants = 0 end
  local refused = {}
  for _, item in ipairs(message.refused) do
    local own = item.n > self.heard and answered(self, item.n)
    if own then refused[#refused + 1] = { own.op, item.why } end
  end
  local first = self.pending[1]
  self.heard = math.max(self.heard, first and first.n - 1 or self.n)
  show_pending(self)
  for _, item in ipairs(refused) do
    self.corrections = self.corrections + 1
    tell(self, "refused", item[1], item[2])
  end
  note_correction(self, before)
end

--- The authority has changed: start again.  Return false if it is one of the earlier ones.
local function hear_run(self, run)
  if run == self.hears then return true end
  if self.gone[run] then return false end
  if self.hears then self.gone[self.hears] = true end
  self.hears, self.newest, self.wants, self.there = run, 0, 0, {}
  return true
end

--- Process a message of the authority.
function Client:receive(message)
  if type(message) ~= "table" or message.session ~= self.session or not is_count(message.sent) then return end
  if not hear_run(self, message.run) then return end
  self.got = self.got + 1
  if message.sent < self.newest then
    self.out_of_order = self.out_of_order + 1
  else
    self.newest, self.there, self.number = message.sent, message, message.number
  end
  if message.piece then return take_piece(self, message.piece, message.run) end
  if message.run ~= self.run or not is_news(self, message) then return end
  take_news(self, message)
end

--- Whether all edits made here are in the order, and no newer ones are known.
function Client:settled()
  return self.editing ~= nil and #self.pending == 0 and self.seq == (self.there.seq or -1)
end

--- Counters of both sides, for people.
function Client:status()
  local there = self.there
  return { nodes = self.document and self.document:count(), nodes_there = there.nodes, sent = self.sent,
    got_there = there.got,
    got = self.got, sent_there = there.sent, out_of_order = self.out_of_order,
      out_of_order_there = there.out_of_order,
    pending = #self.pending, seq = self.seq, seq_there = there.seq, corrections = self.corrections }
end

return sync
