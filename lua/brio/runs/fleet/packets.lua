--- The packets of MQTT 3.1.1 (OASIS standard, 29 October 2014), sections in parentheses.
local packets = {}

--- Largest packet that is accepted or made, bytes.
packets.largest = 262144

--- The remaining length (2.2.3).
local function length_bytes(n)
  local bytes = {}
  repeat
    local rest = n >> 7
    bytes[#bytes + 1] = string.char(n & 127 | (rest > 0 and 128 or 0))
    n = rest
  until n == 0
  return table.concat(bytes)
end

local function packet(first, body) return string.char(first) .. length_bytes(#body) .. body end

local function text(value) return (">s2"):pack(value) end

--- CONNECT (3.1).  options: client, keep (s), user, password, will {topic, payload, qos, retain}.
function packets.connect(options)
  local will = options.will
  local flags = 2 | (will and 4 | (will.qos or 0) << 3 | (will.retain and 32 or 0) or 0)
    | (options.password and 64 or 0) | (options.user and 128 or 0)
  return packet(0x10, text "MQTT" .. "\4" .. string.char(flags) .. (">I2"):pack(options.keep)
    .. text(options.client) .. (will and text(will.topic) .. text(will.payload) or "")
    .. (options.user and text(options.user) or "") .. (options.password and text(options.password) or ""))
end

--- PUBLISH (3.3).
function packets.publish(topic, payload, options)
  local first = 0x30 | (options.again and 8 or 0) | (options.qos or 0) << 1 | (options.retain and 1 or 0)
  return packet(first, text(topic) .. (options.qos == 1 and (">I2"):pack(options.id) or "") .. payload)
end

--- PUBACK (3.4).
function packets.acknowledge(id) return packet(0x40, (">I2"):pack(id)) end

--- SUBSCRIBE (3.8) to topic filters, each with QoS 1.
function packets.subscribe(id, filters)
  local list = {}
  for index, filter in ipairs(filters) do list[index] = text(filter) .. "\1" end
  return packet(0x82, (">I2"):pack(id) .. table.concat(list))
end

packets.ping, packets.disconnect = "\xC0\0", "\xE0\0"

local function need(condition, what)
  if not condition then error(what, 0) end
  return condition
end

--- What the bytes after the header of each kind of packet say, by the kind's number (2.2.1).
local bodies = {}

bodies[2] = function(body)
  need(#body == 2, "a CONNACK has two bytes")
  return { kind = "connected", code = body:byte(2) }
end

bodies[3] = function(body, flags)
  local qos = flags >> 1 & 3
  need(qos < 2, "this client subscribes with QoS 1 at most")
  need(#body >= 2 and #body >= 2 + (">I2"):unpack(body), "a PUBLISH ends within its topic")
  local topic, at = (">s2"):unpack(body)
  need(#topic > 0 and not topic:find("[%z#+]") and utf8.len(topic), "a PUBLISH has no valid topic")
  local id
  if qos == 1 then
    need(#body >= at + 1, "a PUBLISH ends before its number")
    id, at = (">I2"):unpack(body, at)
    need(id > 0, "a PUBLISH has the number 0")
  end
  return { kind = "message", topic = topic, payload = body:sub(at), id = id, retain = flags & 1 == 1,
    again = flags & 8 == 8 }
end

local function numbered(kind)
  return function(body)
    need(#body >= 2, "an acknowledgment has a number")
    return { kind = kind, id = (">I2"):unpack(body), codes = { body:byte(3, -1) } }
  end
end

bodies[4], bodies[9] = numbered "acknowledged", numbered "subscribed"
bodies[13] = function() return { kind = "alive" } end

--- The length of the header, and of the body; nil: incomplete.
local function lengths(bytes)
  local n = 0
  for index = 2, 5 do
    local byte = bytes:byte(index)
    if not byte then return nil end
    n = n | (byte & 127) << 7 * (index - 2)
    if byte < 128 then return index, n end
  end
  error("a packet's length has over four bytes", 0)
end

--- Take complete packets from the beginning of `bytes` and call take(packet) for each: {kind = "connected",
--- "message", "acknowledged", "subscribed" or "alive", ...}.  Return the rest; nil and a sentence if they are
--- no packets of a broker.
function packets.read(bytes, take)
  local good, rest = pcall(function()
    while #bytes >= 2 do
      local header, length = lengths(bytes)
      if length and length > packets.largest then
        error(("a packet of %d bytes, %d is the most"):format(length, packets.largest), 0)
      end
      if not length or #bytes < header + length then break end
      local first = bytes:byte(1)
      local body = need(bodies[first >> 4],
        ("a packet of kind %d does not come from a broker"):format(first >> 4))
      local made = body(bytes:sub(header + 1, header + length), first & 15)
      bytes = bytes:sub(header + length + 1)
      take(made)
    end
    return bytes
  end)
  if good then return rest end
  return nil, tostring(rest)
end

return packets
