--- A server with scripted answers, on luv's own loop: it runs while the test waits for it.
---
---     local server = stub.new(function(request) return stub.json '{"ok": true}' end)
---     ... "http://127.0.0.1:" .. server.port ...
---     server:close()
---
--- The handler's result is sent: a text, or a list of texts, of numbers (ms to wait), and of functions, which
--- are called with a function that continues.  Then the connection is closed, unless the list has `open =
--- true`.  `server.requests` has all complete requests: {head, body}.
local uv = require "luv"

local stub = {}
local Server = {}
Server.__index = Server

--- An HTTP response with a body.
function stub.answer(status, body, headers)
  return ("HTTP/1.1 %d Word\r\nContent-Length: %d\r\n%s\r\n%s"):format(status, #body, headers or "", body)
end

--- An HTTP response in chunks.
function stub.chunks(...)
  local parts = { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" }
  for _, chunk in ipairs { ... } do parts[#parts + 1] = ("%x\r\n%s\r\n"):format(#chunk, chunk) end
  return table.concat(parts) .. "0\r\n\r\n"
end

--- A complete request: its head and body; nil: more is to come.
local function whole(text)
  local head, rest = text:match "^(.-\r\n)\r\n(.*)$"
  if not head then return nil end
  local length = tonumber(head:lower():match "content%-length: (%d+)") or 0
  return #rest >= length and { head = head, body = rest } or nil
end

--- Send the parts of an answer, one after the other.
local function send(self, client, parts, index)
  local part = parts[index]
  if client:is_closing() then return end
  if part == nil then
    if not parts.open then
      client:shutdown(function() if not client:is_closing() then client:close() end end)
    end
  elseif type(part) == "number" then
    local timer = uv.new_timer()
    self.handles[#self.handles + 1] = timer
    timer:start(part, 0, function()
      timer:close()
      send(self, client, parts, index + 1)
    end)
  elseif type(part) == "function" then
    part(function() send(self, client, parts, index + 1) end)
  else
    client:write(part, function(why) if not why then send(self, client, parts, index + 1) end end)
  end
end

local function hear(self, client)
  local text, done = "", false
  client:read_start(function(_, bytes)
    if not bytes then
      if not client:is_closing() then client:close() end
      return
    end
    text = text .. bytes
    local request = not done and whole(text)
    if not request then return end
    done = true
    self.requests[#self.requests + 1] = request
    local answer = self.handler(request, #self.requests)
    send(self, client, type(answer) == "table" and answer or { answer }, 1)
  end)
end

function stub.new(handler)
  local self = setmetatable({ handler = handler, requests = {}, handles = {}, listener = uv.new_tcp() },
    Server)
  assert(self.listener:bind("127.0.0.1", 0))
  self.port = self.listener:getsockname().port
  self.url = "http://127.0.0.1:" .. self.port
  assert(self.listener:listen(16, function()
    local client = uv.new_tcp()
    self.listener:accept(client)
    self.handles[#self.handles + 1] = client
    hear(self, client)
  end))
  return self
end

function Server:close()
  for _, handle in ipairs { self.listener, table.unpack(self.handles) } do
    if not handle:is_closing() then handle:close() end
  end
  uv.run "nowait"
end

return stub
