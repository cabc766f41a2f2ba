--- A small HTTP client for servers on this machine or its network; it never blocks a tick.
---
---     local job = http.request({ url = "http://127.0.0.1:11434/api/chat", body = text, timeout = 20 },
---       function(answer)
---       print(answer.status, answer.body, answer.error)   -- error: a sentence, with answer.code
---     end)
---     http.work()                                          -- once a tick
---
--- It supports HTTP/1.1 without TLS, one request for each connection, and bodies by length, in chunks, or
--- until the end of the connection. An answer that is too long, incomplete or invalid is an error. After
--- job:cancel() the handler is not called again.
local door = require "brio.io.input_gate"
local events = require "brio.io.loop_events"
local link = require "brio.io.stream"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local http = {}
local Job = {}
Job.__index = Job

--- Defaults: timeout until the answer is complete, s, and maximum size of a body, bytes. Maximum size of an
--- answer's head, bytes.
http.timeout, http.most, http.most_head = 20, 2 ^ 20, 2 ^ 15

--- The parts of a URL, {host, port, path}; or nil and a sentence.
function http.parse(url)
  if type(url) ~= "string" or #url > 2000 or url:find "[%c%s]" then
    return nil, "a URL is a text without blanks, as http://127.0.0.1:11434"
  end
  if url:match "^https:" then
    return nil, "https is not spoken here: name a server on this machine or its network by http://"
  end
  local place, path = url:match "^http://([^/?#]+)([^#]*)"
  if not place then return nil, ("a URL begins with http:// and a host, not '%s'"):format(url) end
  if place:find("@", 1, true) then return nil, "a URL with a user's name in it is not taken" end
  local address, why = link.address("tcp://" .. (place:find ":%d+$" and place or place .. ":80"))
  if not address then return nil, ("%s: %s"):format(url, why) end
  if path:sub(1, 1) ~= "/" then path = "/" .. path end
  return { host = address.host, port = address.port, path = path, place = place }
end

--- The bytes of a request.
local function bytes_of(request, url)
  local lines = { ("%s %s HTTP/1.1"):format(request.method or request.body and "POST" or "GET", url.path),
    "Host: " .. url.place, "Connection: close", "Accept: application/json" }
  for _, name in ipairs(suggest.keys(request.headers or {})) do
    lines[#lines + 1] = ("%s: %s"):format(name, request.headers[name])
  end
  if request.body then
    lines[#lines + 1] = "Content-Type: application/json"
    lines[#lines + 1] = "Content-Length: " .. #request.body
  end
  return table.concat(lines, "\r\n") .. "\r\n\r\n" .. (request.body or "")
end

-- Answers ------------------------------------------------------------------------------------------

local function finish(self, answer)
  if self.over then return end
  self.over = true
  if self.clock then self.clock:close() end
  self.wire:close()
  self.done(answer)
end

local function fail(self, code, ...)
  finish(self, { error = ("%s %s"):format(self.name, string.format(...)), code = code })
end

local function complete(self)
  finish(self, { status = self.status, headers = self.headers, body = table.concat(self.parts) })
end

--- Append bytes to the body; false: it is too long.
local function keep(self, bytes)
  self.size = self.size + #bytes
  if self.size > self.most then
    fail(self, "limit", "answers with more than %d bytes", self.most)
    return false
  end
  self.parts[#self.parts + 1] = bytes
  return true
end

--- The encoding of the body; nil: invalid, which is reported.
local function way_of(self)
  local headers = self.headers
  if self.status == 204 or self.status == 304 then return "none" end
  local coding = headers["transfer-encoding"]
  if coding then
    if coding:lower() == "chunked" then return "chunks" end
    return fail(self, "format", "answers in a coding that is not known here: '%s'", coding:sub(1, 40))
  end
  if not headers["content-length"] then return "rest" end
  self.left = math.tointeger(tonumber(headers["content-length"]:match "^%d+$"))
  if not self.left then return fail(self, "format", "has no whole number of bytes") end
  if self.left > self.most then
    return fail(self, "limit", "answers with %d bytes, more than %d", self.left, self.most)
  end
  return "length"
end

--- The rest of the buffer.
local function all_of(self)
  local bytes = self.at == 1 and self.buffer or self.buffer:sub(self.at)
  self.buffer, self.at = "", 1
  return bytes
end

--- Readers of a body by encoding: each consumes what it can of self.buffer from self.at on.
local ways = {}

function ways.none(self) complete(self) end

function ways.rest(self) keep(self, all_of(self)) end

function ways.length(self)
  local bytes = all_of(self):sub(1, self.left)
  self.left = self.left - #bytes
  if keep(self, bytes) and self.left == 0 then complete(self) end
end

--- The size of the next chunk, from its line; nil: the line is incomplete, or invalid.
local function size_of_chunk(self)
  local ends = self.buffer:find("\n", self.at, true)
  if not ends then
    if #self.buffer - self.at > 1000 then fail(self, "format", "answers in chunks without a size") end
    return nil
  end
  local digits = self.buffer:sub(self.at, math.min(ends, self.at + 20)):match "^(%x+)[%s;]"
  if not digits or #digits > 8 then return fail(self, "format", "answers in chunks without a size") end
  self.at = ends + 1
  return tonumber(digits, 16)
end

--- Consume the available part of a chunk. Return whether the chunk is complete.
local function take_chunk(self)
  local bytes = self.buffer:sub(self.at, self.at + self.left - 1)
  self.left, self.at = self.left - #bytes, self.at + #bytes
  return keep(self, bytes) and self.left == 0
end

function ways.chunks(self)
  while not self.over do
    self.left = self.left or size_of_chunk(self)
    if self.left == 0 and not self.inside then return complete(self) end
    self.inside = self.left ~= nil
    if not self.left or not take_chunk(self) then return end
    local ends = self.buffer:sub(self.at, self.at + 1)
    if ends ~= "\r\n" then
      if #ends == 2 then fail(self, "format", "answers in chunks that do not end") end
      return
    end
    self.left, self.inside, self.at = nil, false, self.at + 2
  end
end

--- Read the head, once it is complete. Return whether it is.
local function read_head(self)
  local head, rest = self.buffer:match "^(.-\r?\n)\r?\n(.*)$"
  if not head then
    if #self.buffer > http.most_head then fail(self, "limit", "answers with a head that does not end") end
    if #self.buffer >= 5 and self.buffer:sub(1, 5) ~= "HTTP/" then
      fail(self, "format", "does not speak HTTP: '%s'", self.buffer:sub(1, 40):gsub("[^\32-\126]", "."))
    end
    return false
  end
  self.status = math.tointeger(tonumber(head:match "^HTTP/1%.%d (%d%d%d)"))
  if not self.status then
    fail(self, "format", "does not speak HTTP: '%s'", head:sub(1, 40):gsub("[^\32-\126]", "."))
    return false
  end
  self.buffer, self.headers = rest, {}
  for name, value in head:gmatch "\n([^%s:]+):[ \t]*([^\r\n]*)" do
    self.headers[name:lower()] = value:match "^(.-)%s*$"
  end
  if self.status >= 100 and self.status < 200 then -- an interim response
    self.status = nil
    return read_head(self) -- the final response
  end
  self.way = way_of(self)
  return self.way ~= nil
end

local function take(self, bytes)
  self.buffer, self.at = self.buffer:sub(self.at) .. bytes, 1
  if self.way or read_head(self) then ways[self.way](self) end
end

--- The connection has ended.
local function ended(self, why)
  if not self.wire then self.wire = { close = function() end } end
  if why then
    fail(self, "unreachable", "cannot be asked: %s", why)
  elseif self.way == "rest" then
    complete(self)
  else
    fail(self, "unreachable", "broke off %s", self.way and "in the middle of its answer"
      or "without an answer")
  end
end

-- Requests -----------------------------------------------------------------------------------------

--- Send a request: {url, method, headers, body, timeout (s), most (bytes of an answer's body), name = of
--- the server, for sentences}. done(answer) is called from http.work: {status, headers, body}, or {error =
--- sentence, code = "unreachable", "limit" (too long, too late) or "format"}. Return the job (job.over,
--- :cancel()), or nil and a sentence.
function http.request(request, done)
  local url, why = http.parse(request.url)
  if not url then return nil, why end
  local timeout = request.timeout or http.timeout
  local self = setmetatable({ done = done, buffer = "", at = 1, parts = {}, timeout = timeout, size = 0,
    most = request.most or http.most, name = request.name or url.place }, Job)
  local late = events.source(function()
    if not self.over then fail(self, "limit", "took more than %g s", timeout) end
  end)
  if not door.replays() then
    uv.update_time()
    self.clock = uv.new_timer()
    self.clock:start(math.max(1, math.floor(timeout * 1000)), 0, function() events.push(late) end)
  end
  local bytes = bytes_of(request, url)
  self.wire = link.open({ host = url.host, port = url.port }, { timeout = timeout + 1 }, function(what, data)
    if self.over then return end
    if what == "open" then
      if not self.wire:send(bytes) then fail(self, "limit", "cannot be sent %d bytes", #bytes) end
    elseif what == "bytes" then
      take(self, data)
    else
      ended(self, data)
    end
  end)
  return self
end

--- Cancel the request: the answer is not needed any more.
function Job:cancel()
  if self.over then return end
  self.over = true
  if self.clock then self.clock:close() end
  self.wire:close() -- the loop frees both in the next http.work
end

--- Process received data: once a tick.
http.work = link.work

--- Wait for the answer; robot time does not advance.
function Job:wait()
  return link.wait(self.timeout + 1, function() return self.over end)
end

return http
