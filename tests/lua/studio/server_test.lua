--- The studio's server as strangers meet it: other sites, wrong hosts, slow and many connections, pages that
--- do not read or send too much, random bytes.
local access = require "brio.studio.access"
local base64 = require "brio.lib.base64"
local random = require "brio.random"
local server = require "brio.studio.server"
local uv = require "luv"
local websocket = require "brio.studio.websocket"

--- A server in this loop; its answers name the path, its sockets send back what they get.
local function opened()
  local self = { faults = {}, sockets = {} }
  self.server = assert(server.new { address = "127.0.0.1", port = 0,
    access = function(port)
      return access.new { address = "127.0.0.1", port = port, random = uv.random,
        now = function() return uv.now() / 1000 end }
    end,
    answer = function(request, reply)
      if request.path == "/api/fails" then error "no" end
      if request.path == "/login" then
        return reply(200, "text/plain", "",
          { fields = { ["Set-Cookie"] = self.server.access:exchange(request.body:match '"(%x+)"') } })
      end
      reply(200, "text/plain", request.path)
    end,
    opened = function(socket)
      self.sockets[#self.sockets + 1] = socket
      socket.on.message = function(_, data) socket:text(data) end
      socket.on.closed = function() self.closed = (self.closed or 0) + 1 end
    end,
    fault = function(fault) self.faults[#self.faults + 1] = fault end })
  self.host = "127.0.0.1:" .. self.server.port
  return self
end

--- Let the loop go on until a condition holds.
local function await(t, what, condition)
  local timer, till = uv.new_timer(), uv.hrtime() + 60e9
  timer:start(5, 5, function() end)
  while not condition() and uv.hrtime() < till do uv.run "once" end
  timer:close()
  t:equal(condition() and true or false, true, what)
end

--- A connection that collects what it gets.
local function connect(self)
  local one = { got = "", wire = uv.new_tcp() }
  one.wire:connect("127.0.0.1", self.server.port, function(fault)
    if fault then one.over = true return end
    one.ready = true
    one.wire:read_start(function(_, bytes)
      if bytes then one.got = one.got .. bytes return end
      one.over = true
      if not one.wire:is_closing() then one.wire:close() end
    end)
  end)
  return one
end

--- The status and body of the answer to some bytes.
local function ask(t, self, bytes)
  local one = connect(self)
  await(t, "a connection", function() return one.ready end)
  one.wire:write(bytes)
  await(t, "an answer to " .. bytes:sub(1, 40), function() return one.got:find "\r\n\r\n" or one.over end)
  local status, cookie = one.got:match "^HTTP/1%.1 (%d+)", one.got:match "Set%-Cookie: ([^;\r]*)"
  if not one.wire:is_closing() then one.wire:close() end
  return tonumber(status), one.got, cookie
end

local function get(self, path, fields)
  return ("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n"):format(path, self.host, fields or "")
end

--- A session's cookie.
local function enter(t, self)
  local body = ('{"token":"%s"}'):format(self.server.access.token)
  local _, _, cookie = ask(t, self, ("POST /login HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\n\z
    Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"):format(self.host, self.host, #body,
    body))
  return cookie
end

local key = base64.encode(("k"):rep(16))

--- An open socket of a page.
local function page(t, self, cookie)
  local one = connect(self)
  await(t, "a connection", function() return one.ready end)
  one.wire:write(get(self, "/socket", ("Origin: http://%s\r\nCookie: %s\r\nUpgrade: websocket\r\n\z
    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n"):format(self.host, cookie, key))
    :gsub("Connection: close", "Connection: keep-alive, Upgrade"), nil)
  await(t, "a handshake", function() return one.got:find "\r\n\r\n" end)
  t:match(one.got, "^HTTP/1%.1 101 ")
  t:match(one.got, "Sec%-WebSocket%-Accept: " .. websocket.accept(key):gsub("%p", "%%%0"))
  one.got = ""
  return one
end

local function masked(text)
  local out = {}
  for k = 1, #text do out[k] = string.char(text:byte(k) ~ k % 4) end
  local head = #text < 126 and string.char(0x81, 0x80 | #text) or (">BBI2"):pack(0x81, 0xFE, #text)
  return head .. "\1\2\3\0" .. table.concat(out)
end

test("only pages of the studio's own address get in", function(t)
  local self = opened()
  local cookie = enter(t, self)
  local own = "Cookie: " .. cookie .. "\r\n"
  t:equal((ask(t, self, get(self, "/x"))), 200)
  t:equal((ask(t, self, get(self, "/api/x"))), 403, "no cookie")
  t:equal((ask(t, self, get(self, "/api/x", own))), 200)
  t:equal((ask(t, self, get(self, "/api/x", own):gsub(self.host, "evil.example"))), 403, "a foreign host")
  t:equal((ask(t, self, get(self, "/x", own):gsub("127", "localhost.evil"))), 403)
  t:equal((ask(t, self, "GET / HTTP/1.1\r\n\r\n")), 403, "no host")
  local upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " .. key .. "\r\n"
  t:equal((ask(t, self, get(self, "/socket", own .. upgrade))), 403, "no origin")
  t:equal((ask(t, self, get(self, "/socket", own .. upgrade .. "Origin: http://evil.example\r\n"))), 403)
  t:equal((ask(t, self, get(self, "/socket", upgrade .. "Origin: http://" .. self.host .. "\r\n"))), 403)
  t:equal((ask(t, self, get(self, "/socket", own .. "Origin: http://" .. self.host .. "\r\n"))), 400)
  local post = "POST /login HTTP/1.1\r\nHost: " .. self.host .. "\r\nContent-Length: 2\r\n"
  t:equal((ask(t, self, post .. "Content-Type: application/json\r\n\r\n{}")), 403, "a form of another site")
  t:equal((ask(t, self, post .. "Origin: http://" .. self.host .. "\r\nContent-Type: text/plain\r\n\r\n{}")),
    415)
  t:equal((ask(t, self, get(self, "/x"):gsub("GET", "PUT"))), 405)
  local status, text = ask(t, self, get(self, "/api/fails", own))
  t:equal({ status, #self.faults, text:find("no\n", 1, true) }, { 500, 1 })
  t:match(text, "Content%-Security%-Policy: default%-src 'none'; script%-src 'self';")
  self.server:close()
end)

test("a page talks; one that sends too much, or reads nothing, is left", function(t)
  local self = opened()
  local cookie = enter(t, self)
  local one = page(t, self, cookie)
  one.wire:write(masked "hello" .. masked(("x"):rep(300)))
  await(t, "an echo", function() return #one.got >= 7 + 304 end)
  t:equal(one.got:sub(1, 7), "\129\5hello")
  one.wire:write(masked("y"):rep(1000))
  await(t, "the end of a page that sends too much", function() return one.over end)
  t:match(one.got, "\136.\3\240too many messages$")
  local deaf = page(t, self, cookie)
  deaf.wire:read_stop()
  local socket, taken, refused = self.sockets[2], 0, false
  for _ = 1, 100000 do
    if not socket:offer(("z"):rep(300)) then refused = true break end
    taken = taken + 1
  end
  t:equal({ refused, taken > 50 }, { true, true })
  socket:text(("z"):rep(server.most_owed + 1))
  t:equal(self.closed, 2, "both are told to be closed")
  self.server:close()
end)

test("slow and many connections do not keep others out", function(t)
  local self, before = opened(), server.patience
  server.patience = 0.2
  local slow = connect(self)
  await(t, "a connection", function() return slow.ready end)
  slow.wire:write "GET / HT"
  await(t, "the end of a slow client", function() return slow.over end)
  server.patience = before
  local many, refused = {}, 0
  for k = 1, 300 do many[k] = connect(self) end
  await(t, "all connections", function()
    refused = 0
    for _, one in ipairs(many) do
      if not (one.ready or one.over) then return false end
      if one.got:find "^HTTP/1.1 503" or one.over then refused = refused + 1 end
    end
    return refused >= 300 - server.most_connections
  end)
  t:equal(self.server.count <= server.most_connections, true)
  for _, one in ipairs(many) do if not one.wire:is_closing() then one.wire:close() end end
  await(t, "their ends", function() return self.server.count == 0 end)
  t:equal((ask(t, self, get(self, "/x"))), 200)
  self.server:close()
end)

test("random bytes end their own connection and nothing else", function(t)
  local self = opened()
  local stream, cookie = random.stream(5, "server"), enter(t, self)
  for round = 1, 30 * math.max(1, tonumber(os.getenv "BRIO_TEST_SCALE" or "1")) do
    local one = round % 2 == 0 and page(t, self, cookie) or connect(self)
    await(t, "a connection", function() return one.ready end)
    local bytes = {}
    for k = 1, stream:whole(400) do bytes[k] = string.char(stream:whole(256) - 1) end
    one.wire:write(table.concat(bytes) .. "\r\n\r\n")
    if round % 5 == 0 then await(t, "time", function() return true end) end
    if not one.wire:is_closing() then one.wire:close() end
  end
  t:equal({ (ask(t, self, get(self, "/x"))), #self.faults }, { 200, 0 })
  self.server:close()
end)
