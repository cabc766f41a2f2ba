--- Frames of WebSocket: the handshake of RFC 6455, messages in any pieces, what ends a connection.
local random = require "brio.random"
local websocket = require "brio.studio.websocket"

--- A random whole number from `lower` to `upper`.
local function whole(stream, lower, upper) return lower + stream:whole(upper - lower + 1) - 1 end

--- A frame of a client: masked, with any head.
local function frame(first, data, mask, long)
  local length = #data
  local head
  if long == 8 or length > 65535 then head = (">BBI8"):pack(first, 0x80 | 127, length)
  elseif long == 2 or length > 125 then head = (">BBI2"):pack(first, 0x80 | 126, length)
  else head = string.char(first, 0x80 | length) end
  local bytes = { data:byte(1, math.min(#data, 5000)) }
  for k = 5001, #data do bytes[k] = data:byte(k) end
  for k = 1, #bytes do bytes[k] = string.char(bytes[k] ~ mask:byte((k - 1) % 4 + 1)) end
  return head .. mask .. table.concat(bytes)
end

local function read(text, size, most)
  local reader, list = websocket.reader(most or 1 << 20), {}
  for at = 1, #text, size do
    reader:add(text:sub(at, at + size - 1))
    while true do
      local kind, data, why = reader:next()
      if kind == nil then break end
      list[#list + 1] = { kind, data }
      if not kind then return list, why end
    end
  end
  return list
end

test("the handshake is that of RFC 6455, 1.3", function(t)
  t:equal(websocket.accept "dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  t:equal({ websocket.accept(nil), websocket.accept "short==", websocket.accept(("x"):rep(24)) }, {})
end)

test("messages come whole, in pieces, in fragments with pings between, of any length", function(t)
  local stream = random.stream(3, "ws")
  for _, length in ipairs { 0, 1, 7, 8, 125, 126, 127, 1000, 65535, 65536, 70001 } do
    local data = {}
    for k = 1, length do data[k] = string.char(whole(stream, 32, 126)) end
    local text = table.concat(data)
    for _, size in ipairs { 1 + length // 40, 1 << 20 } do
      t:equal(read(frame(0x81, text, "\1\2\3\4") .. frame(0x82, text, "abcd"), size),
        { { "text", text }, { "binary", text } }, "length " .. length)
    end
  end
  local pieces = frame(0x01, "hel", "\9\9\9\9") .. frame(0x89, "hi", "\0\0\0\0") .. frame(0x00, "", "1234")
    .. frame(0x80, "lo \u{e9}", "\255\1\2\3")
  t:equal(read(pieces, 1), { { "ping", "hi" }, { "text", "hello \u{e9}" } })
  t:equal(read(frame(0x88, "\3\232bye", "\1\1\1\1"), 3), { { "close", 1000 } })
  t:equal(websocket.frame("text", ("x"):rep(200)):sub(1, 4), "\129\126\0\200")
end)

test("what is against the rules ends the connection with its code", function(t)
  local mask = "\1\2\3\4"
  for _, case in ipairs {
    { "\129\5hello", 1002, "masked" }, { frame(0xC1, "x", mask), 1002, "reserved" },
    { frame(0x83, "x", mask), 1002, "unknown" }, { frame(0x80, "x", mask), 1002, "without a beginning" },
    { frame(0x01, "x", mask) .. frame(0x81, "y", mask), 1002, "within another" },
    { frame(0x89, ("x"):rep(126), mask), 1002, "short" }, { frame(0x09, "x", mask), 1002, "whole" },
    { frame(0x81, "x", mask, 2), 1002, "shortest" }, { frame(0x81, "x", mask, 8), 1002, "shortest" },
    { "\129\255\255\255\255\255\255\255\255\255", 1002, "too large" },
    { frame(0x81, "\255", mask), 1007, "UTF%-8" }, { frame(0x88, "x", mask), 1002, "closing" },
    { frame(0x88, "\3\237", mask), 1002, "closing" }, { frame(0x81, ("x"):rep(5000), mask), 1009, "at most" },
    { frame(0x01, ("x"):rep(900), mask) .. frame(0x80, ("x"):rep(900), mask), 1009, "at most" },
  } do
    local list, why = read(case[1], 1000, 1000)
    t:equal(list[#list], { false, case[2] }, case[3])
    t:match(why, case[3])
  end
end)

test("random bytes never fail", function(t)
  local stream = random.stream(11, "ws")
  for _ = 1, 1500 * math.max(1, tonumber(os.getenv "BRIO_TEST_SCALE" or "1")) do
    local text = frame(0x81, "hello", "abcd") .. frame(0x01, "a", "efgh") .. frame(0x80, "b", "ijkl")
    for _ = 1, whole(stream, 1, 5) do
      local at = whole(stream, 1, #text)
      text = text:sub(1, at - 1) .. string.char(whole(stream, 0, 255)) .. text:sub(at + 1)
    end
    local list, why = read(text, whole(stream, 1, 30), 4096)
    local last = list[#list]
    t:equal(not last or last[1] ~= false or type(why) == "string" and last[2] >= 1002, true)
  end
end)
