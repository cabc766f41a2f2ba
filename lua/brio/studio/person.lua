--- A page that is open: a person, with a connection to the run of their own, so that roles, locks, undo and
--- the record know who did what.
---
--- A page sends objects: {id, line}, {id, complete}, {id, panic = true}, {id, stop = true}, {watch = names},
--- {id, read = FILE}, {id, check = FILE, text}, {id, write = FILE, text, hash}, {id, mark},
--- {id, unmark}, {id, outline = FILE, known}, {id, edit = FILE, op | undo | redo, hash},
--- {id, create = NAME, kind, robot}, {id, schemas = true}; it gets {answer, id}, and what live.lua tells
--- all pages.
local clients = require "brio.runs.client"
local message = require "brio.studio.message"

local person = {}
local Person = {}
Person.__index = Person

--- A page's socket: `room` has live, as, token, sql(text, store, done) and changed().
function person.new(socket, room)
  local self = setmetatable({ socket = socket, room = room, watched = {} }, Person)
  socket.on = { message = function(kind, data) self:hear(kind, data) end,
    closed = function() self:leave() end }
  return self
end

--- Tell the page.
function Person:tell(kind, value) self.socket:text(message.text { [kind] = value }) end

local function ignore() end

--- Connect to the run at a socket as this person.
function Person:attach(path)
  self:detach()
  local said = { as = self.room.as, device = "prompt", token = self.room.token, session = true }
  local on = { log = ignore, ended = function() self.client = nil end,
    state = function(state) self:tell("people", state) end }
  local attempt = {}
  self.attempt = attempt
  clients.begin(path, said, on, function(client, reply)
    if client and (self.gone or self.attempt ~= attempt) then return client:close() end
    self.client, self.role = client, client and reply.role
    if client then self:tell("me", { client = reply.client, role = reply.role })
    else self:tell("problem", "lines cannot be sent: " .. tostring(reply)) end
  end)
end

function Person:detach()
  if self.client then self.client:close() end
  self.client, self.attempt = nil, nil
end

--- Send an answer to the page; a query is answered by the store.
function Person:answer(id, reply)
  if reply.sql and reply.store then
    return self.room.sql(reply.sql, reply.store, function(result)
      self.socket:text(message.text { id = id, answer = result })
    end)
  end
  self.socket:text(message.text { id = id, answer = reply })
end

--- The requests that go to the run.
local requests = {}

function requests.line(self, said, done)
  if type(said.line) ~= "string" then return done { error = "a line is a text" } end
  self.client:ask({ line = said.line }, done)
end

function requests.complete(self, said, done)
  if type(said.complete) ~= "string" then return done { error = "a line is a text" } end
  self.client:ask({ complete = said.complete }, done)
end

function requests.stop(self, _, done) self.client:ask({ stop = true }, done) end

-- Files of the run: see code.lua.

function requests.read(self, said, done)
  local found, why = self.room.code:read(said.read)
  done(found or { error = why })
end

function requests.check(self, said, done) self.room.code:check(said.check, said.text, done) end

function requests.write(self, said, done)
  if self.role ~= "author" then return done { error = "files are for authors, and this page is not one" } end
  local made, why = self.room.code:write(said.write, said.text, said.hash)
  done(made or { error = why })
end

-- Parts of files: see editing.lua.

--- Whose edits a page makes, for undo: the person of the studio, and the browser that says so.
local function who_of(self, said)
  local browser = type(said.who) == "string" and said.who:match "^%w+$"
  return (self.room.as or "studio") .. (browser and "-" .. browser:sub(1, 24) or "")
end

function requests.outline(self, said, done)
  local found, why = self.room.editing:outline(said.outline, who_of(self, said),
    type(said.known) == "string" and said.known or nil)
  done(found or { error = why })
end

function requests.edit(self, said, done)
  if self.role ~= "author" then return done { error = "files are for authors, and this page is not one" } end
  self.room.editing:edit(said.edit, { who = who_of(self, said), op = said.op, undo = said.undo == true,
    redo = said.redo == true, hash = type(said.hash) == "string" and said.hash or nil }, done)
end

function requests.create(self, said, done)
  if self.role ~= "author" then return done { error = "files are for authors, and this page is not one" } end
  local made, why = self.room.editing:create(said.create, said.kind, said.robot)
  done(made or { error = why })
end

function requests.schemas(self, _, done) self.room.editing:about(done) end

--- The answer to a mark that is put, {mark = its number, coder}, or taken back: see marks.lua.
local function answer_mark(self, said)
  if self.client and self.role == "observer" then return { error = "an observer marks nothing" } end
  if said.unmark ~= nil then
    local good, why = self.room.unmark(said.unmark)
    return good and { text = "taken back" } or { error = why }
  end
  local number, coder = self.room.mark(said.mark)
  return number and { mark = number, coder = coder } or { error = coder }
end

--- Process a message of the page.
function Person:hear(kind, data)
  local said = kind == "text" and message.read(data)
  if not said then return self.socket:close(1003, "an object of JSON was expected") end
  local id = math.tointeger(said.id) or 0
  local function done(reply) self:answer(id, reply) end
  -- The panic stop needs no place among people, and waits for nobody.
  if said.panic == true then
    if self.client then return self.client:ask({ panic = true }, done) end
    return self.room.live:panic(done)
  end
  if type(said.watch) == "table" then
    self.watched = {}
    for _, name in ipairs(said.watch) do self.watched[tostring(name)] = true end
    return self.room.changed()
  end
  if said.mark ~= nil or said.unmark ~= nil then return done(answer_mark(self, said)) end
  for name, work in pairs(requests) do
    if said[name] ~= nil then
      if not self.client then return done { error = "no run is attached" } end
      return work(self, said, done)
    end
  end
  done { error = "a message has one of: line, complete, panic, stop, watch, read, check, write, \z
    mark, unmark, outline, edit, create, schemas" }
end

--- The page is closed.
function Person:leave()
  self.gone = true
  self:detach()
  self.room.left(self)
end

return person
