--- Streams to programs beside a run or on its network, which never block a tick: TCP, or a Unix socket of
--- this machine.
---
---     local wire = link.open({ host = "127.0.0.1", port = 11434 }, { timeout = 5 }, function(what, data)
---       -- "open"; "bytes", a text; "end", why (a sentence; nil: the other side has ended it)
---     end)
---     wire:send "hello\n"
---     link.work()                     -- once a tick: delivers received data
---
--- The handler is called only from link.work, with "end" once and last; after wire:close() it is not called
--- again.
local door = require "brio.io.input_gate"
local events = require "brio.io.loop_events"
local uv = require "luv"

local link = {}
local Wire = {}
Wire.__index = Wire

--- Default timeout for opening a stream, s; maximum number of bytes that may wait to be sent.
link.timeout, link.most_waiting = 5, 2 ^ 22

--- Streams that are not closed yet, and their number; whether the loop must still free some.
local alive, count, closing = {}, 0, false

--- Parse an address: "tcp://HOST:PORT" or "unix:PATH". Return {host, port} or {path}; nil and a sentence.
function link.address(text)
  local path = text:match "^unix:(.+)$"
  if path then
    if #path > 107 then
      return nil, ("the path of a socket has at most 107 bytes: '%s'"):format(path:sub(1, 40) .. "...")
    end
    return { path = path }
  end
  local host, port = text:match "^tcp://%[([%x:.]+)%]:(%d+)$"
  if not host then host, port = text:match "^tcp://([%w._-]+):(%d+)$" end
  port = math.tointeger(tonumber(port))
  if not host or port < 1 or port > 65535 then
    return nil, ('an address is "tcp://HOST:PORT" or "unix:PATH", not \'%s\''):format(text:sub(1, 100))
  end
  return { host = host, port = port }
end

--- An address for people.
function link.shown(address)
  if address.path then return address.path end
  return (address.host:find ":" and "[%s]:%d" or "%s:%d"):format(address.host, address.port)
end

--- Sentences for the system's errors, for callers that wait for the other side.
local meanings = { ECONNREFUSED = "nobody listens there", ENOENT = "there is no such socket",
  ETIMEDOUT = "it does not answer",
  ECONNRESET = "the other side broke off", EPIPE = "the other side broke off",
    EAI_NONAME = "there is no host of that name",
  EAI_AGAIN = "its name cannot be looked up", EHOSTUNREACH = "it cannot be reached",
    ENETUNREACH = "it cannot be reached",
  EACCES = "access is denied" }

--- The sentence for an error of the system: "EACCES" or "EACCES: permission denied".
function link.meaning(why)
  why = tostring(why)
  return meanings[why:match "^[%u%d_]+" or ""] or (why:gsub("^[%u%d_]+: ", ""))
end

local function shut(self)
  if not self.clock then return end -- in a replay
  if self.clock and not self.clock:is_closing() then self.clock:close() end
  if self.handle and not self.handle:is_closing() then self.handle:close() end
  closing = true
  if alive[self] then alive[self], count = nil, count - 1 end
end

--- The end of a stream: reported once.
local function finish(self, why)
  if self.over or self.ended then return end
  self.ended = true
  shut(self)
  events.push(self.source, "end", why)
end

local function listen(self, why)
  if self.over or self.ended then return end
  if why then return finish(self, ("%s: %s"):format(self.shown, link.meaning(why))) end
  self.clock:close()
  self.handle:read_start(function(fault, bytes)
    if self.over or self.ended then return end
    if bytes then return events.push(self.source, "bytes", bytes) end
    finish(self, fault and ("%s: %s"):format(self.shown, link.meaning(fault)) or nil)
  end)
  events.push(self.source, "open")
end

--- Deliver received bytes.
local function tell(self, what, data)
  if self.over then return end
  if what == "open" then self.ready = true end
  if what == "end" then self.over = true end
  self.handler(what, data)
end

--- Connect: a refusal by the system is reported later, like all other errors.
local function connect(self, handle, ...)
  self.handle = handle
  local words = table.pack(...)
  words[words.n + 1] = function(fault) listen(self, fault) end
  local good, made, why = pcall(handle.connect, handle, table.unpack(words, 1, words.n + 1))
  if good and made then return end
  self.clock:stop()
  self.clock:start(0, 0, function() finish(self, ("%s: %s"):format(self.shown, link.meaning(good and why
    or made))) end)
end

local function connect_to(self, host, port)
  local handle = uv.new_tcp()
  handle:nodelay(true)
  connect(self, handle, host, port)
end

local function is_address(host) return host:find "^[%d.]+$" or host:find(":", 1, true) end

local function begin(self, address)
  if address.path then
    connect(self, uv.new_pipe(false), address.path)
  elseif is_address(address.host) then
    connect_to(self, address.host, address.port)
  else
    uv.getaddrinfo(address.host, nil, { socktype = "stream" }, function(why, list)
      if self.over then return end
      if not list or not list[1] then return finish(self, ("%s: %s"):format(self.shown, link.meaning(why
        or "EAI_NONAME"))) end
      connect_to(self, list[1].addr, address.port)
    end)
  end
end

--- Open a stream to an address (see link.address). options: timeout, until it is open, s. It never fails at
--- once: errors are reported later.
function link.open(address, options, handler)
  local self = setmetatable({ handler = handler, shown = link.shown(address), waiting = 0 }, Wire)
  self.source = events.source(function(...) tell(self, ...) end)
  if door.replays() then return self end
  alive[self], count = true, count + 1
  uv.update_time()
  self.clock = uv.new_timer()
  local timeout = options.timeout or link.timeout
  self.clock:start(math.max(1, math.floor(timeout * 1000)), 0, function()
    finish(self, ("%s: it does not answer within %g s"):format(self.shown, timeout))
  end)
  begin(self, address)
  return self
end

--- Send bytes. Return whether there was room: bytes that the other side does not read are kept up to a
--- limit.
function Wire:send(bytes)
  if self.over or not self.ready then return false end
  if door.ask("sent", function() return self.waiting + #bytes > link.most_waiting or nil end) then
    return false
  end
  if not self.handle then return true end -- in a replay
  self.waiting = self.waiting + #bytes
  self.handle:write(bytes, function() self.waiting = self.waiting - #bytes end)
  return true
end

--- Close it; its handler is not called again. Bytes sent before are still written, for a second at most.
function Wire:close()
  if self.over then return end
  self.over = true
  if not (self.ready and self.waiting > 0 and self.handle) then return shut(self) end
  self.clock = uv.new_timer()
  self.clock:start(1000, 0, function() shut(self) end)
  self.handle:shutdown(function() shut(self) end)
end

--- Process received data: once a tick. It costs nothing without open streams.
function link.work()
  local busy = count > 0 or closing
  closing = false
  events.run("nowait", busy)
end

--- Wait until `over()` is true, for `seconds` of real time at most; robot time does not advance. Return
--- whether it is true.
link.wait = events.wait

return link
