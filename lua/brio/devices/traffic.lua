--- Reads recorded traffic in any form: traces by brio, output and logs of candump, hex, tables of logic
--- analyzers, raw bytes.
---
--- A recording is a list of pieces {seconds, direction, bytes, bus, line, offset}: the time (nil: unknown),
--- "to" or "from" the device, or "either" (unknown), the bus (nil: there is only one), and the position in
--- the file.
local wire = require "brio.wire"

local recording = {}

local function bytes_of(hex)
  return (hex:gsub("%X", ""):gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

--- Lines of a text with their numbers; the last one is marked as cut off if it has no line feed.
local function lines_of(text)
  local number, at = 0, 1
  return function()
    if at > #text then return nil end
    local stop = text:find("\n", at, true)
    local line = text:sub(at, (stop or #text + 1) - 1):gsub("\r$", "")
    number, at = number + 1, (stop or #text) + 1
    return number, line, not stop
  end
end

-- Traces ----------------------------------------------------------------------------------------------

--- The complete bytes of a line that was cut off.
local function rescue(line)
  local whole = line:match "^([%d.]+%s+%S*%s*[<>][%x%s]*)"
  if not whole then return nil end
  return wire.trace_line((whole:gsub("%s%x$", "")))
end

--- A trace by brio; nil: it is not one.  Traffic of several buses in one file is sorted by time.
local function read_trace(text)
  if not text:find "^%s*#%s*brio trace" then
    local first = text:match "^%s*[^\r\n#][^\r\n]*"
    if not first or not wire.trace_line(first) then return nil end
  end
  local made = { form = "trace", pieces = {}, buses = {}, odd = {} }
  local function bus_of(name)
    if not made.buses[name] then
      made.buses[name] = { name = name }
      table.insert(made.buses, made.buses[name])
    end
    return made.buses[name]
  end
  local run, last = 1, -math.huge
  for number, line, cut in lines_of(text) do
    local protocol, bus, baud = wire.trace_remark(line)
    local seconds, direction, bytes, name = wire.trace_line(line)
    if cut and line ~= "" and not line:find "^%s*#" then
      seconds, direction, bytes, name = rescue(line)
      made.cut = number
    end
    if protocol then
      bus_of(bus).protocol, bus_of(bus).baud = protocol, baud
    elseif line:find "lost %d+ pieces here" then
      made.odd[#made.odd + 1] = { line = number, why = line:match "^#%s*(.*)" }
    elseif seconds and #bytes > 0 then
      bus_of(name)
      if seconds < last - 1 then run = run + 1 end -- a later run, appended to the file
      last = seconds
      made.pieces[#made.pieces + 1] = { seconds = seconds, direction = direction, bytes = bytes, bus = name,
        line = number, run = run }
    elseif not seconds and not cut then
      made.odd[#made.odd + 1] = { line = number, why = "is no line of a trace" }
    end
  end
  table.sort(made.pieces, function(a, b)
    if a.run ~= b.run then return a.run < b.run end
    if a.seconds ~= b.seconds then return a.seconds < b.seconds end
    return a.line < b.line
  end)
  return made
end

-- CAN -------------------------------------------------------------------------------------------------

--- A frame of a CAN bus in SocketCAN's layout: identifier, length, 8 bytes.
local function can_frame(id, data)
  return ("<I4Bxxx"):pack(id, #data) .. data .. ("\0"):rep(8 - #data)
end

--- A line of candump with its date (-t A) as seconds of the day, and without the sender of -x.
local function plain_line(line)
  line = line:gsub("^%s*%(%d+%-%d+%-%d+%s+(%d+):(%d+):(%d+%.?%d*)%)", function(hours, minutes, seconds)
    return ("(%.6f)"):format(hours * 3600 + minutes * 60 + seconds)
  end)
  return (line:gsub("(%s)[RT]X%s+[B%-]%s+[E%-](%s)", "%1%2", 1))
end

--- One line of candump, output or log: seconds, frame, bus; nil: it is not one; false: one without data (a
--- remote request, an error, a frame of CAN FD).
local function can_line(line)
  local seconds, bus, id, data = line:match "^%s*%(?([%d.]*)%)?%s*(%S+)%s+(%x+)#([%xR]*%d*)%s*[TR]?$"
  if not seconds then
    local length
    seconds, bus, id, length, data = line:match "^%s*%(?([%d.]*)%)?%s*(%S*)%s+(%x%x%x+)%s+%[(%d+)%]%s*(.-)$"
    data = data and data:gsub("%s%s+'.*$", ""):gsub("%s%s+[^%x].*$", "")
    if data and tonumber(length) <= 8 then data = data:sub(1, 3 * tonumber(length)) end
  end
  if not seconds and line:find "^%s*%(?[%d.]*%)?%s*%S*%s+%x+##" then return false end
  if not seconds then return nil end
  local hex = data:gsub("%s", "")
  if data:find "R" or data:find "remote" then return false end
  if #hex > 16 or #hex % 2 == 1 or hex:find "%X" then return nil end
  return tonumber(seconds) or 0, can_frame(tonumber(id, 16) | (#id > 3 and 0x80000000 or 0), bytes_of(hex)),
    bus
end

--- Set the buses that frames name, if there are several.
local function name_buses(made)
  for _, piece in ipairs(made.pieces) do
    local bus = piece.bus
    if bus and not made.buses[bus] then
      made.buses[bus] = { name = bus, protocol = "canopen" }
      table.insert(made.buses, made.buses[bus])
    end
  end
  if #made.buses > 1 then return end
  for _, piece in ipairs(made.pieces) do piece.bus = nil end
  made.buses = { [""] = { name = "", protocol = "canopen" } }
end

local function read_candump(text, direction)
  local made = { form = "candump", pieces = {}, buses = {}, odd = {} }
  for number, line, cut in lines_of(text) do
    local seconds, frame, bus = can_line(plain_line(line))
    if seconds then
      made.pieces[#made.pieces + 1] = { seconds = seconds, direction = direction, bytes = frame,
        line = number, bus = bus ~= "" and bus or nil }
    elseif cut and line ~= "" then made.cut = number
    elseif line:find "%S" and not line:find "^%s*#" then
      made.odd[#made.odd + 1] = { line = number,
        why = seconds == false and "is a frame without data, or of CAN FD"
        or "is no frame as candump writes it" }
    end
  end
  name_buses(made)
  return #made.pieces > 0 and made or nil
end

-- Hex and raw bytes -----------------------------------------------------------------------------------

--- Words and signs for directions; "in" and "read" are from the host's view.
local senders = { tx = "to", out = "to", write = "to", sent = "to", send = "to", rx = "from", ["in"] = "from",
  read = "from", recv = "from", received = "from" }

--- The time before hex, in seconds (of the day, if given so), and the rest: "12.5 ..", "[12:00:01.5] ..".
local function read_time(line)
  local seconds, rest = line:match "^%s*%[?(%d+%.%d+)%]?:?%s+(.*)$"
  if seconds then return tonumber(seconds), rest end
  local dateless = line:gsub("^%s*%[?%d%d%d%d[%-/]%d%d[%-/]%d%d[%sT]", "")
  local hours, minutes
  hours, minutes, seconds, rest = dateless:match "^%s*%[?(%d%d?):(%d%d):(%d%d%.?%d*)%]?:?%s+(.*)$"
  if not hours then return nil, line end
  return hours * 3600 + minutes * 60 + seconds, rest
end

--- A time and a direction before hex: "12.5 > FF ..", "TX: FF ..", "Read -> FF ..".
local function read_hints(line)
  local seconds, rest = read_time(line)
  local word, after = rest:match "^%s*(%a+):?%s*(.*)$"
  local direction = word and senders[word:lower()]
  if direction then rest = after end
  local arrow = rest:match "^%s*%-*[<>]%-*"
  if arrow then
    direction = direction or (arrow:find ">" and "to" or "from")
    rest = rest:sub(#arrow + 1):gsub("^:", "")
  end
  return seconds, direction, rest
end

--- The hex of a line of `xxd` or `hexdump -C`, which begins with the offset `at`; nil: it is not one; "": its
--- end.
local function read_dump(line, at)
  local offset, rest = line:match "^(%x%x%x%x%x%x%x%x?):?(.*)$"
  if not offset or tonumber(offset, 16) ~= at then return nil end
  if rest:find "^%s*$" then return at > 0 and "" or nil end
  rest = rest:match "^%s+(.*)$"
  return rest and (rest:find "|" and rest:gsub("%s*|.*$", "") or rest:gsub("%s%s+.*$", ""))
end

--- Whether a line is only hex; and its digits.
local function hex_digits(text)
  local stripped = text:gsub("0[xX](%x)%f[%X]", "0%1"):gsub("0[xX]", ""):gsub("\\x", "")
  local digits = stripped:gsub("[%s,:;%-%[%]]", "")
  return digits:match "^%x*$" and #digits % 2 == 0 and digits or nil
end

local function read_hex(text, direction)
  if text:find "[^\t\r\n -~]" then return nil end
  local made = { form = "hex", pieces = {}, buses = {}, odd = {} }
  local good, bad, offset = 0, 0, 0
  local headed = {} -- what the line before, which is socat's, said of this one
  for number, line, cut in lines_of(text) do
    local seconds, said, rest
    local dumped = read_dump(line, offset)
    if not dumped then seconds, said, rest = read_hints((line:gsub("#.*", ""))) end
    local digits = hex_digits(dumped or rest)
    seconds, said = seconds or headed.seconds, said or headed.direction
    headed = {}
    if not digits and rest and rest:find "%slength=%d+%s" then
      headed = { seconds = read_time(rest), direction = said }
    elseif digits and #digits > 0 then
      good = good + 1
      made.pieces[#made.pieces + 1] = { seconds = seconds, direction = said or direction,
        bytes = bytes_of(digits), line = number,
        offset = offset }
      offset = offset + #digits // 2
    elseif not digits then
      bad = bad + 1
      if cut then made.cut = number end
      made.odd[#made.odd + 1] = { line = number, why = "is not pairs of hex digits" }
    end
  end
  return good > 0 and bad <= good and made or nil
end

-- Tables of logic analyzers -----------------------------------------------------------------------------

--- The fields of a line of a table, without quotes.
local function fields_of(line)
  local fields = {}
  for field in (line .. ","):gmatch "([^,]*)," do fields[#fields + 1] = field:match '^%s*"?(.-)"?%s*$' end
  return fields
end

--- The columns named by a table's first line: {bytes, seconds, who}; nil: there is no column of bytes.
local function columns_of(line)
  local columns = {}
  for at, name in ipairs(fields_of(line:lower())) do
    if name == "value" or name == "data" then columns.bytes = columns.bytes or at
    elseif name:find "^time" or name:find "^start" then columns.seconds = columns.seconds or at
    elseif name == "name" or name:find "channel" or name:find "^dir" then columns.who = columns.who or at end
  end
  return columns.bytes and columns
end

--- A table with one or more bytes in each line, as logic analyzers export serial traffic.
local function read_table(text, direction)
  local made = { form = "table", pieces = {}, buses = {}, odd = {} }
  local columns, offset
  for number, line, cut in lines_of(text) do
    if not columns then
      columns, offset = line:find "," and columns_of(line), 0
      if not columns then return nil end
    else
      local fields = fields_of(line)
      local digits = hex_digits(fields[columns.bytes] or "?")
      local who = (fields[columns.who or 0] or ""):lower()
      if digits and #digits > 0 then
        made.pieces[#made.pieces + 1] = { seconds = tonumber(fields[columns.seconds or 0]),
          bytes = bytes_of(digits),
          line = number, direction = senders[who:match "[rt]x" or who] or direction, offset = offset }
        offset = offset + #digits // 2
      elseif cut then made.cut = number
      elseif not digits then made.odd[#made.odd + 1] = { line = number, why = "has no bytes" } end
    end
  end
  return #made.pieces > 0 and made or nil
end

--- Read a recording.  Options: raw (raw bytes, whatever they look like), direction (default for pieces
--- without one: "either"), can (it is of a CAN bus).  Return {form, pieces, buses, odd, cut}: `buses` {name,
--- protocol, baud} as far as the file has them, `odd` skipped lines {line, why}, `cut` the line that is
--- incomplete.
function recording.read(text, options)
  local direction = options.direction or "either"
  return not options.raw and (read_trace(text) or options.can and read_candump(text, direction)
    or read_table(text, direction)
    or read_hex(text, direction))
    or { form = "raw", pieces = { { direction = direction, bytes = text, offset = 0 } }, buses = {},
      odd = {} }
end

return recording
