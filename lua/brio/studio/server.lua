--- The studio's web server: HTTP/1.1 and WebSocket on luv.  It checks access (access.lua), limits sizes,
--- rates and connections, and passes requests and messages to the callbacks of its options.
---
---     local made = assert(server.new { address = "127.0.0.1", port = 0, access = function(port) ... end,
---       answer = function(request, reply) reply(200, "text/plain", "hello") end,
---       opened = function(socket) socket.on = { message = f(kind, data), closed = f() } end,
---       fault = print })
local parser = require "brio.studio.request"
local uv = require "luv"
local websocket = require "brio.studio.websocket"

local server = {}
local Server = {}
Server.__index = Server

--- Limits: connections at once; s until a request is complete; bytes of a message from a page.  Bytes that
--- may wait to be sent: for `offer` to send more, and before the connection is closed.  Messages from a page:
--- in a burst, and per second.  s between two pings, and of silence after which a page is disconnected.
server.most_connections, server.patience, server.most_message = 128, 10, 1 << 18
server.most_waiting, server.most_owed = 1 << 16, 1 << 22
server.burst, server.rate = 200, 200
server.ping_every, server.silence = 10, 40

local reasons = { [101] = "Switching Protocols", [200] = "OK", [204] = "No Content", [304] = "Not Modified",
  [400] = "Bad Request", [403] = "Forbidden", [404] = "Not Found", [405] = "Method Not Allowed",
  [413] = "Content Too Large", [415] = "Unsupported Media Type", [422] = "Unprocessable Content",
  [429] = "Too Many Requests", [431] = "Request Header Fields Too Large", [500] = "Internal Server Error",
  [501] = "Not Implemented", [503] = "Service Unavailable" }

--- The Content-Security-Policy of all pages: scripts and styles from this server only, nothing inline except
--- styles with the nonce, no eval, no frames, no forms.
local policy = "default-src 'none'; script-src 'self'; style-src 'self'%s; img-src 'self' data: blob:; \z
  connect-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"

--- The head of a response.  `length`: bytes of the body; `more`: {cache, nonce, fields = {name = value}}.
local function head_of(status, kind, length, more)
  local lines = { ("HTTP/1.1 %d %s"):format(status, reasons[status]), "Server: brio",
    "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
    "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin",
    "Content-Security-Policy: " .. policy:format(more.nonce and (" 'nonce-%s'"):format(more.nonce) or ""),
    "Cache-Control: " .. (more.cache or "no-store") }
  if kind then lines[#lines + 1] = "Content-Type: " .. kind end
  if length then lines[#lines + 1] = "Content-Length: " .. length end
  for name, value in pairs(more.fields or {}) do lines[#lines + 1] = name .. ": " .. value end
  return table.concat(lines, "\r\n") .. "\r\n\r\n"
end

-- Connections --------------------------------------------------------------------------------------

local Connection = {}
Connection.__index = Connection

function Connection:close()
  if self.over then return end
  self.over = true
  self.server.connections[self] = nil
  self.server.count = self.server.count - 1
  if not self.wire:is_closing() then self.wire:close() end
  if self.socket and self.socket.on and self.socket.on.closed then self.socket.on.closed() end
end

--- Send bytes.  If the peer reads too slowly (`most_owed`), the connection is closed.
function Connection:write(bytes)
  if self.over or self.wire:is_closing() then return end
  if self.wire:get_write_queue_size() + #bytes > server.most_owed then return self:close() end
  self.wire:write(bytes, function(fault)
    if fault then self:close() end
  end)
end

--- Send the last bytes, and close; at the latest after `patience`, if the peer does not take them.
function Connection:finish(bytes)
  if self.over or self.wire:is_closing() then return end
  self.ending, self.busy, self.since = true, false, uv.now()
  self.wire:read_stop()
  self.wire:write(bytes, function() self:close() end)
end

--- Answer a request and continue with the next one, unless the connection ends with this one.
function Connection:reply(request, status, kind, body, more)
  if self.over or self.ending then return end
  more = more or {}
  more.fields = more.fields or {}
  if not request.keeps then more.fields.Connection = "close" end
  local bytes = head_of(status, kind, #body, more) .. (request.method == "HEAD" and "" or body)
  if not request.keeps then return self:finish(bytes) end
  self:write(bytes)
  self.busy, self.since = false, uv.now()
  return self:work()
end

--- Answer bytes that are no valid request, or an unwanted connection, with an error, and close.
function Connection:refuse(status, why)
  local text = why .. "\n"
  self:finish(head_of(status, "text/plain; charset=utf-8", #text, { fields = { Connection = "close" } })
    .. text)
end

-- WebSocket ----------------------------------------------------------------------------------------

local Socket = {}
Socket.__index = Socket

--- Send a text.
function Socket:text(data) self.connection:write(websocket.frame("text", data)) end

--- Send a binary message unless too much waits to be sent (`most_waiting`).  Return whether it was sent.
function Socket:offer(data)
  local connection = self.connection
  if connection.over or connection.wire:get_write_queue_size() > server.most_waiting then return false end
  connection:write(websocket.frame("binary", data))
  return true
end

function Socket:close(code, why) self.connection:finish(websocket.closing(code, why)) end

--- A token bucket: whether the page may send one more message now.
local function may_say(socket)
  local now = uv.now()
  socket.allowance = math.min(server.burst, socket.allowance + (now - socket.refilled) * server.rate / 1000)
  socket.refilled = now
  if socket.allowance < 1 then return false end
  socket.allowance = socket.allowance - 1
  return true
end

--- Process the messages that are complete.
function Socket:work()
  while not (self.connection.over or self.connection.ending) do
    local kind, data, why = self.reader:next()
    if kind == nil then return end
    self.heard = uv.now()
    if not kind then return self:close(data, why) end
    if not may_say(self) then return self:close(1008, "too many messages") end
    if kind == "close" then return self:close(data == 1005 and 1000 or data) end
    if kind == "ping" then self.connection:write(websocket.frame("pong", data))
    elseif kind ~= "pong" and self.on.message then self.on.message(kind, data) end
  end
end

--- Switch a connection to WebSocket; a request that does not ask for it correctly is refused.
local function upgrade(self, request)
  local fields = request.fields
  local accept = websocket.accept(fields["sec-websocket-key"])
  local asked = (fields.upgrade or ""):lower() == "websocket"
    and (fields.connection or ""):lower():find("upgrade", 1, true)
  if not asked or not accept or fields["sec-websocket-version"] ~= "13" then
    return self:refuse(400, "a handshake of WebSocket, version 13, was expected")
  end
  self.wire:write(head_of(101, nil, nil, { fields = { Upgrade = "websocket", Connection = "Upgrade",
    ["Sec-WebSocket-Accept"] = accept } }))
  local socket = setmetatable({ connection = self, reader = websocket.reader(server.most_message), on = {},
    allowance = server.burst, refilled = uv.now(), heard = uv.now(), pinged = uv.now() }, Socket)
  self.socket = socket
  self.server.options.opened(socket, request)
  socket.reader:add(self.reader:rest())
  socket:work()
end

-- Requests -----------------------------------------------------------------------------------------

--- Checks that are common to all requests.  Return status and sentence of a refusal; nil: accepted.
local function refusal(self, request)
  local access = self.server.access
  if not access:knows_host(request) then return 403, "this studio has another name" end
  local changes = request.method == "POST" or request.path == "/socket"
  if request.method ~= "GET" and request.method ~= "HEAD" and request.method ~= "POST" then
    return 405, "GET, HEAD or POST was expected"
  end
  if changes and not access:own_origin(request) then return 403, "another site may not ask for this" end
  local open = request.path == "/login" or not request.path:find "^/api/" and request.path ~= "/socket"
  if not open and not access:session(request) then
    return 403, "open the address that `brio studio` has printed"
  end
  if request.method == "POST" and not (request.fields["content-type"] or ""):find "^application/json" then
    return 415, "a body of application/json was expected"
  end
end

--- Answer one request.
local function answer(self, request)
  local status, why = refusal(self, request)
  if status then return self:reply(request, status, "text/plain; charset=utf-8", why .. "\n") end
  if request.path == "/socket" then return upgrade(self, request) end
  local good, fault = pcall(self.server.options.answer, request, function(...) self:reply(request, ...) end)
  if good then return end
  self.server.options.fault(fault)
  self:reply(request, 500, "text/plain; charset=utf-8", "the studio failed; its terminal says how\n")
end

--- Process the requests that are complete, one after the other.
function Connection:work()
  if self.working then return end
  self.working = true
  while not (self.over or self.ending or self.busy or self.socket) do
    local request, status, why = self.reader:next()
    if status then
      self:refuse(status, why)
    elseif request then
      self.busy = true
      answer(self, request)
    else
      break
    end
  end
  self.working = false
end

function Connection:receive(bytes)
  if self.socket then
    self.socket.reader:add(bytes)
    return self.socket:work()
  end
  self.reader:add(bytes)
  -- Pipelined requests wait in the buffer while one is answered.
  if self.busy and #self.reader:rest() > parser.most_head + parser.most_body then return self:close() end
  self:work()
end

-- The server ---------------------------------------------------------------------------------------

--- Closes the wire in a table, unless it was taken out.
local unkept = { __close = function(one) if one[1] then one[1]:close() end end }

--- Call a method of a connection.  If it raises, the connection is closed: its state is unknown, it would
--- answer no more, and nothing else would ever close it.
local function guarded(self, connection, method, ...)
  local good, fault = pcall(method, connection, ...)
  if good then return end
  connection:close()
  self.options.fault(fault)
end

--- Begin to listen to a connection.
function Connection:start()
  self.wire:nodelay(true)
  if self.server.count > server.most_connections then return self:refuse(503, "too many connections") end
  self.wire:read_start(function(fault, bytes)
    if self.over then return end
    if fault or not bytes then return self:close() end
    guarded(self.server, self, self.receive, bytes)
  end)
end

local function accept(self)
  local wire <close> = setmetatable({ uv.new_tcp() }, unkept)
  if not self.listener:accept(wire[1]) then return end
  local connection = setmetatable({ server = self, wire = wire[1], reader = parser.reader(),
    since = uv.now() }, Connection)
  self.connections[connection] = true -- first: only this may fail
  self.count, wire[1] = self.count + 1, nil
  guarded(self, connection, connection.start)
end

--- Accept the connection that waits.  If that raises, it still waits, and the system would report no other
--- one: it is tried again with the next sweep.
local function welcome(self)
  local good, fault = pcall(accept, self)
  self.waits = not good
  if not good then self.options.fault(fault) end
end

--- Close connections that are too slow or silent, and ping the pages.
local function sweep(self)
  local now = uv.now()
  if self.waits then welcome(self) end
  for connection in pairs(self.connections) do
    local socket = connection.socket
    if not socket then
      if not connection.busy and now - connection.since > server.patience * 1000 then connection:close() end
    elseif now - socket.heard > server.silence * 1000 then
      connection:close()
    elseif now - socket.pinged > server.ping_every * 1000 then
      socket.pinged = now
      connection:write(websocket.frame("ping", ""))
    end
  end
end

--- Open a server: {address, port (0: any), access(port) -> brio.studio.access, answer(request, reply(status,
--- kind, body, more)), opened(socket, request), fault(why)}.  Return it, or nil and a sentence if it cannot
--- listen there.
---@param options table
function server.new(options)
  local self = setmetatable({ options = options, connections = {}, count = 0, waits = false,
    listener = uv.new_tcp() }, Server)
  local good, why = self.listener:bind(options.address, options.port)
  if good then good, why = self.listener:listen(128, function() welcome(self) end) end
  if not good then
    self.listener:close()
    return nil, ("cannot listen at %s:%d: %s"):format(options.address, options.port, why)
  end
  self.port = self.listener:getsockname().port
  self.access = options.access(self.port)
  self.timer = uv.new_timer()
  self.timer:start(1000, 1000, function() sweep(self) end)
  return self
end

--- Close the server and all connections.
function Server:close()
  for connection in pairs(self.connections) do connection:close() end
  if not self.timer:is_closing() then self.timer:close() end
  if not self.listener:is_closing() then self.listener:close() end
end

return server
