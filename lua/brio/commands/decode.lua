--- `brio decode`: recorded traffic in words.
local cli = require "brio.cli"
local wire = require "brio.wire"

local decode = {
  name = "decode",
  summary = "tell recorded traffic in words: raw bytes, hex, or a trace that --trace wrote",
  usage = "brio decode PROTOCOL FILE [options]     (no PROTOCOL: list them; FILE -: standard input)",
  options = {
    { "from", nil, "bytes without direction are the device's; default: either way, as on a shared line" },
    { "to", nil, "bytes without direction go to the device" },
    { "hex", nil, "show each packet's bytes too" },
    { "raw", nil, "take the file as raw bytes, whatever it looks like" },
  },
}

local function list()
  for _, protocol in ipairs(wire.protocols()) do
    print(("%-12s %s  Check: %s."):format(protocol.name, protocol.doc, protocol.check))
  end
  return 0
end

local function hex_of(bytes)
  return (bytes:gsub(".", function(c) return ("%02X "):format(c:byte()) end):sub(1, -2))
end

--- Pieces of a trace: { seconds, direction, bytes }; nil: `text` is none.
local function read_trace(text)
  local pieces = {}
  for line in text:gmatch "[^\r\n]+" do
    local seconds, direction, bytes = wire.trace_line(line)
    if not seconds then return nil end
    if #bytes > 0 then pieces[#pieces + 1] = { seconds, direction, bytes } end
  end
  return #pieces > 0 and pieces or nil
end

--- A frame of a CAN bus as SocketCAN keeps it: identifier, length, 8 bytes.
local function can_frame(id, data)
  return ("<I4Bxxx"):pack(id, #data) .. data .. ("\0"):rep(8 - #data)
end

local function bytes_of(hex)
  return (hex:gsub("%s*(%x%x)%s*", function(pair) return string.char(tonumber(pair, 16)) end))
end

--- One line of candump, as it prints or logs: seconds, frame; nil: it is none.
local function can_line(line)
  local seconds, id, data = line:match "^%s*%(([%d.]+)%)%s+%S+%s+(%x+)#(%x*)"
  if not seconds then
    seconds, id, data = line:match "^%s*%(?([%d.]*)%)?%s*%a*%d*%s+(%x%x%x+)%s+%[%d%]%s*([%x ]*)"
    data = data and data:match "^%x%x[ %x]*" and data:gsub("%s%s+.*", "") or data
  end
  if not id or #data:gsub("%s", "") > 16 or #data:gsub("%s", "") % 2 == 1 then return nil end
  return tonumber(seconds) or 0, can_frame(tonumber(id, 16), bytes_of(data))
end

local function read_candump(text, direction)
  local pieces = {}
  for line in text:gmatch "[^\r\n]+" do
    local seconds, frame = can_line(line)
    if seconds then pieces[#pieces + 1] = { seconds, direction, frame } end
  end
  return #pieces > 0 and pieces or nil
end

local function read_hex(text, direction)
  local stripped = text:gsub("#[^\n]*", ""):gsub("0x", "")
  if not stripped:match "^[%x%s,]+$" then return nil end
  local pieces = {}
  for line in stripped:gmatch "[^\r\n]+" do
    local digits = line:gsub("[%s,]", "")
    if #digits % 2 == 1 then return nil end
    if #digits > 0 then pieces[#pieces + 1] = { false, direction, bytes_of(digits) } end
  end
  return #pieces > 0 and pieces or nil
end

--- The pieces of a recording, whatever form it has.
local function read_pieces(text, args, protocol)
  local direction = args.from and "from" or args.to and "to" or "either"
  if args.raw then return { { false, direction, text } } end
  return read_trace(text) or protocol == "canopen" and read_candump(text, direction)
    or read_hex(text, direction) or { { false, direction, text } }
end

local arrows = { to = ">", from = "<", either = " " }

local function show(packets, seconds, direction, with_bytes)
  for _, packet in ipairs(packets) do
    local time = seconds and ("%11.6f "):format(seconds) or ""
    print(("%s%s %s%s"):format(time, arrows[direction], packet.words,
      with_bytes and "    " .. hex_of(packet.bytes) or ""))
  end
end

local function tell_counts(counts)
  local faults = {}
  for _, name in ipairs { "garbage", "length", "check", "content", "cut" } do
    if counts[name] > 0 then faults[#faults + 1] = ("%d %s"):format(counts[name], name) end
  end
  print(("%d packets; %s"):format(counts.packets, #faults == 0 and "nothing refused"
    or ("%d bytes refused: %s"):format(counts.dropped, table.concat(faults, ", "))))
end

local function read_file(path)
  local file = io.stdin
  if path ~= "-" then
    local opened, why = io.open(path, "rb")
    if not opened then return nil, why end
    file = opened
  end
  local text = file:read "a"
  if path ~= "-" then file:close() end
  return text, text and nil or path .. " cannot be read"
end

function decode.run(args)
  if #args == 0 then return list() end
  if #args ~= 2 or (args.from and args.to) then
    cli.error("decode expects a protocol and a file, and --from or --to: %s", decode.usage)
    return 2
  end
  local good, decoder = pcall(wire.decoder, args[1])
  if not good then
    cli.error("%s", decoder)
    return 2
  end
  local text, why = read_file(args[2])
  if not text then
    cli.error("%s", why)
    return 1
  end
  local last = {}
  for _, piece in ipairs(read_pieces(text, args, args[1])) do
    show(decoder:feed(piece[3], piece[2]), piece[1], piece[2], args.hex)
    last = { piece[1], piece[2] }
  end
  for _, direction in ipairs { "to", "from", "either" } do
    show(decoder:idle(direction), last[1], direction, args.hex)
  end
  tell_counts(decoder:counts())
  return 0
end

return decode
