--- The server's side of WebSocket framing (RFC 6455): parses messages from bytes that arrive in pieces of any
--- size, and makes frames to send.  Strict: a frame that is unmasked or too long, has reserved bits, or does
--- not fit the ones before it ends the connection.
---
---     local reader = websocket.reader(65536)
---     reader:add(bytes)
---     local kind, data, why = reader:next()
---     -- "text", "binary", "ping", "pong", "close" (data: the code); nil: more bytes; false, code, why
local archive = require "brio.archive"
local base64 = require "brio.lib.base64"

local websocket = {}

local guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

--- The value of Sec-WebSocket-Accept for a handshake's key; nil if it is no key (16 bytes in base64).
---@param key string?
---@return string?
function websocket.accept(key)
  if not key or not key:match "^[%w+/]+==$" or #key ~= 24 then return nil end
  return base64.encode(archive.sha1(key .. guid))
end

local numbers = { text = 1, binary = 2, close = 8, ping = 9, pong = 10 }
local kinds = { [0] = "more", [1] = "text", [2] = "binary", [8] = "close", [9] = "ping", [10] = "pong" }

--- A whole message as one frame.
---@param kind "text"|"binary"|"close"|"ping"|"pong"
---@param data string
---@return string
function websocket.frame(kind, data)
  local first, length = 0x80 | numbers[kind], #data
  if length < 126 then return string.char(first, length) .. data end
  if length < 65536 then return (">BBI2"):pack(first, 126, length) .. data end
  return (">BBI8"):pack(first, 127, length) .. data
end

--- The frame that closes a connection, with a code (RFC 6455, 7.4) and a reason, cut after 120 bytes.
---@param code integer
---@param why string?
function websocket.closing(code, why) return websocket.frame("close", (">I2"):pack(code) .. (why
  or ""):sub(1, 120)) end

--- The data XOR the repeated mask (4 bytes), 8 bytes at a time. O(bytes).
local function unmasked(data, mask)
  local word = ("<I4"):unpack(mask)
  local wide, out, whole = word | word << 32, {}, #data // 8 * 8
  for at = 1, whole, 8 do out[#out + 1] = ("<I8"):pack(("<I8"):unpack(data, at) ~ wide) end
  local tail = data:sub(whole + 1)
  if tail ~= "" then
    local padded = tail .. ("\0"):rep(8 - #tail)
    out[#out + 1] = ("<I8"):pack(("<I8"):unpack(padded) ~ wide):sub(1, #tail)
  end
  return table.concat(out)
end

local Reader = {}
Reader.__index = Reader

--- A reader of messages of at most `most` bytes.
---@param most integer
function websocket.reader(most) return setmetatable({ most = most, buffer = "", size = 0 }, Reader) end

--- Add received bytes.
---@param bytes string
function Reader:add(bytes) self.buffer = self.buffer .. bytes end

--- The length of a frame's data and the position of its mask; nil: more bytes are needed; false, code, why.
local function length_of(buffer, short)
  if short < 126 then return short, 3 end
  local form, size = ">I2", 2
  if short == 127 then form, size = ">I8", 8 end
  if #buffer < 2 + size then return nil end
  local length = form:unpack(buffer, 3)
  if length < (short == 126 and 126 or 65536) then -- a length of 2^63 or more is read as a negative one
    return false, 1002, "the length of a frame is not the shortest form, or too large"
  end
  return length, 3 + size
end

--- What is wrong with the first two bytes of a frame; nil: nothing.
local function head_fault(self, first, second)
  local kind, final = kinds[first & 15], first & 0x80 ~= 0
  if first & 0x70 ~= 0 then return "reserved bits are set" end
  if not kind then return "a frame of an unknown kind" end
  if second & 0x80 == 0 then return "a frame of a client is masked" end
  if first & 8 ~= 0 and not (final
    and second & 127 < 126) then return "a control frame is short and whole" end
  if kind == "more" and not self.kind then return "a continuation without a beginning" end
  if (kind == "text" or kind == "binary") and self.kind then return "a message within another one" end
end

--- The next frame: kind, final, data; nil: more bytes are needed; false, code, why.
local function next_frame(self)
  local buffer = self.buffer
  if #buffer < 2 then return nil end
  local first, second = buffer:byte(1, 2)
  local fault = head_fault(self, first, second)
  if fault then return false, 1002, fault end
  local length, at, why = length_of(buffer, second & 127)
  if not length then return length, at, why end
  if length + self.size > self.most then
    return false, 1009, ("a message has %d bytes at most"):format(self.most)
  end
  if #buffer < at + 3 + length then return nil end
  local data = unmasked(buffer:sub(at + 4, at + 3 + length), buffer:sub(at, at + 3))
  self.buffer = buffer:sub(at + 4 + length)
  return kinds[first & 15], first & 0x80 ~= 0, data
end

--- Whether a code may be sent in a closing frame.
local function is_code(code)
  return code >= 1000 and code <= 1003 or code >= 1007 and code <= 1011 or code >= 3000 and code <= 4999
end

--- A closing frame's code; false, code, why.
local function closed(data)
  if data == "" then return "close", 1005 end
  local code = #data > 1 and (">I2"):unpack(data) or 0
  if not is_code(code) or not utf8.len(data, 3) then return false, 1002, "a wrong closing frame" end
  return "close", code
end

--- The next message; see the head of this file.
function Reader:next()
  while true do
    local kind, final, data = next_frame(self)
    if not kind then return kind, final, data end
    if kind == "close" then return closed(data) end
    if kind == "ping" or kind == "pong" then return kind, data end
    self.kind = self.kind or kind
    self.parts, self.size = self.parts or {}, self.size + #data
    self.parts[#self.parts + 1] = data
    if #self.parts > 1024 then return false, 1008, "a message in too many pieces" end
    if final then
      local whole, what = table.concat(self.parts), self.kind
      self.parts, self.size, self.kind = nil, 0, nil
      if what == "text" and not utf8.len(whole) then return false, 1007, "a text is UTF-8" end
      return what, whole
    end
  end
end

return websocket
