--- `brio decode`: decodes recorded traffic.
local cli = require "brio.terminal.cli"
local recording = require "brio.devices.traffic"
local suggest = require "brio.lib.suggest"
local wire = require "brio.wire"

local decode = {
  name = "decode",
  summary = "explain recorded traffic: a trace of --trace, candump, hex, tables, raw bytes",
  usage = "brio decode [PROTOCOL] FILE [options]     (no FILE: list protocols; FILE -: standard input)",
  options = {
    { "from", nil, "bytes without direction come from the device; default: both directions, as on a \z
      shared line" },
    { "to", nil, "bytes without direction go to the device" },
    { "bus", "NAME", "this bus of the trace only" },
    { "hex", nil, "also show the bytes of each packet" },
    { "raw", nil, "read the file as raw bytes, whatever its format" },
    { "summary", nil, "only the counts" },
  },
}

--- Silence after which an incomplete packet has ended, s.
local silence = 0.5

local function list()
  for _, protocol in ipairs(wire.protocols()) do
    print(("%-12s %s  Check: %s."):format(protocol.name, protocol.doc, protocol.check))
  end
  return 0
end

local function hex_of(bytes, most)
  local shown = bytes:sub(1, most or #bytes)
  return (shown:gsub(".", function(c) return ("%02X "):format(c:byte()) end):sub(1, -2))
    .. (#shown < #bytes and " ..." or "")
end

-- One bus ---------------------------------------------------------------------------------------------

local arrows = { to = ">", from = "<", either = " " }

local reasons = {
  { "check", "a wrong check code" }, { "length", "a length that cannot be" },
    { "content", "what may not be in a packet" },
  { "cut", "a packet that was cut off" }, { "garbage", "bytes that begin no packet" },
}

--- The output of a bus: its decoder, and the piece of each byte in each direction.
local Bus = {}
Bus.__index = Bus

local function new_bus(name, protocol, options)
  local self = setmetatable({ name = name, protocol = protocol, options = options,
    decoder = wire.decoder(protocol), last = {},
    pieces = { to = {}, from = {}, either = {} }, fed = { to = 0, from = 0, either = 0 }, refused_runs = 0 },
      Bus)
  return self
end

--- The piece with a byte of a direction, and the byte's index in it, from 0.
local function piece_at(self, direction, offset)
  local pieces = self.pieces[direction]
  local low, high = 1, #pieces
  while low < high do
    local middle = (low + high + 1) // 2
    if pieces[middle].from <= offset then low = middle else high = middle - 1 end
  end
  local found = pieces[low]
  return found and found.piece, found and offset - found.from
end

local function put(self, piece, direction, text)
  if self.options.summary then return end
  local seconds = piece and piece.seconds
  local time = seconds and ("%11.6f "):format(seconds - self.options.began) or ""
  print(("%s%s%s %s"):format(time, self.options.several and self.name .. " " or "", arrows[direction], text))
end

--- Position of a rejected run of bytes, for people.
local function place_of(piece, at)
  if not piece then return "?" end
  if not piece.line then return ("byte %d (0x%X)"):format(at, at) end
  return ("line %d, byte %d"):format(piece.line, at + 1)
end

local function tell_refused(self, run)
  local piece, at = piece_at(self, run.direction, run.offset)
  local why = {}
  for _, reason in ipairs(reasons) do
    if run[reason[1]] then why[#why + 1] = reason[2] end
  end
  self.refused_runs = self.refused_runs + 1
  put(self, piece, run.direction, ("!! %d byte%s refused at %s: %s: %s"):format(#run.bytes,
    #run.bytes == 1 and "" or "s", place_of(piece, at), table.concat(why, ", "), hex_of(run.bytes, 24)))
end

--- Merge adjacent runs.
local function joined(runs)
  local made = {}
  for _, run in ipairs(runs) do
    local before = made[#made]
    if before and before.direction == run.direction and before.offset + #before.bytes == run.offset then
      before.bytes = before.bytes .. run.bytes
      for _, reason in ipairs(reasons) do before[reason[1]] = before[reason[1]] or run[reason[1]] end
    else
      made[#made + 1] = run
    end
  end
  return made
end

--- Print packets and rejected bytes, in their order.
local function show(self, packets, direction)
  local runs = {}
  for _, run in ipairs(self.decoder:refused()) do
    local pending = self.pending
    if pending and pending.direction == run.direction and pending.offset + #pending.bytes == run.offset then
      runs[#runs + 1], self.pending = pending, nil
    end
    runs[#runs + 1] = run
  end
  runs = joined(runs)
  if self.pending and #packets > 0 then
    tell_refused(self, self.pending)
    self.pending = nil
  end
  local next_run = 1
  for _, packet in ipairs(packets) do
    while runs[next_run] and runs[next_run].offset < packet.offset do
      tell_refused(self, runs[next_run])
      next_run = next_run + 1
    end
    local piece = piece_at(self, direction, packet.offset + #packet.bytes - 1)
    put(self, piece, direction, packet.words .. (self.options.hex and "    " .. hex_of(packet.bytes) or ""))
  end
  for index = next_run, #runs do
    if self.pending then tell_refused(self, self.pending) end
    self.pending = runs[index] -- the following bytes may belong to it
  end
end

local function give_up(self, direction)
  show(self, self.decoder:idle(direction), direction)
end

function Bus:feed(piece)
  local direction, before = piece.direction, self.last[piece.direction]
  if before and before.seconds and piece.seconds and piece.seconds - before.seconds > silence then
    give_up(self, direction)
  end
  self.last[direction] = piece
  table.insert(self.pieces[direction], { from = self.fed[direction], piece = piece })
  self.fed[direction] = self.fed[direction] + #piece.bytes
  show(self, self.decoder:feed(piece.bytes, direction), direction)
end

function Bus:finish()
  for _, direction in ipairs { "to", "from", "either" } do give_up(self, direction) end
  if self.pending then tell_refused(self, self.pending) end
  self.pending = nil
end

function Bus:tell_counts()
  local faults, counts = {}, self.decoder:counts()
  for _, name in ipairs { "garbage", "length", "check", "content", "cut" } do
    if counts[name] > 0 then faults[#faults + 1] = ("%d %s"):format(counts[name], name) end
  end
  print(("%s%d packets; %s"):format(self.options.several and self.name .. ": " or "", counts.packets,
    #faults == 0 and "nothing refused" or ("%d bytes refused: %s"):format(counts.dropped,
      table.concat(faults, ", "))))
end

-- The command -----------------------------------------------------------------------------------------

local function read_file(path)
  local file, why = io.stdin
  if path ~= "-" then file, why = io.open(path, "rb") end
  if not file then return nil, why end
  local text = file:read "a"
  if path ~= "-" then file:close() end
  return text, not text and path .. " cannot be read" or nil
end

--- The bus of a piece, created when it is first seen; false: it is not selected; nil and the reason: its
--- protocol is unknown.
local function bus_of(buses, piece, recorded, args, options)
  local name = piece.bus or ""
  if buses[name] ~= nil then return buses[name] end
  local said = recorded.buses[name] and recorded.buses[name].protocol
  local known = said and said ~= "raw" and said or nil
  local wanted = options.protocol
  buses[name] = false
  if args.bus and args.bus ~= name or wanted and known and wanted ~= known then return false end
  if not (wanted or known) then
    return nil, ("which protocol speaks %s? Say it: %s"):format(name == "" and "the file" or "bus " .. name,
      decode.usage)
  end
  local made = new_bus(name, wanted or known, options)
  buses[name] = made
  buses[#buses + 1] = made
  return made
end

--- Print the unreadable lines of the file.
local function tell_odd(recorded)
  local shown = 5
  for index, odd in ipairs(recorded.odd) do
    if index > shown then
      print(("# and %d lines more like that"):format(#recorded.odd - shown))
      break
    end
    print(("# line %d %s: passed over"):format(odd.line, odd.why))
  end
  if recorded.cut then print(("# line %d is cut off: the recording ended there"):format(recorded.cut)) end
end

--- The name of a protocol, by its name or alias, or that of a driver; nil and a sentence.
local function protocol_of(name)
  local names = {}
  for _, protocol in ipairs(wire.protocols()) do
    if protocol.name == name or protocol.alias == name then return protocol.name end
    names[#names + 1] = protocol.name
    names[#names + 1] = protocol.alias
  end
  return nil, ("there is no protocol '%s'%s"):format(name, suggest.hint(name, names))
end

--- Arguments of the command line: protocol (nil: from the file) and file; nil on errors (printed).
local function read_words(args)
  if #args > 2 or args.from and args.to then
    return cli.error("decode expects a protocol and a file, and --from or --to: %s", decode.usage)
  end
  if #args == 1 then
    if protocol_of(args[1]) and not io.open(args[1]) then
      return cli.error("decode expects a file, too: %s", decode.usage)
    end
    return { file = args[1] }
  end
  local protocol, why = protocol_of(args[1])
  if not protocol then return cli.error("%s", why) end
  return { protocol = protocol, file = args[2] }
end

local function names_of(recorded)
  local names = {}
  for index, bus in ipairs(recorded.buses) do names[index] = bus.name end
  return names
end

function decode.run(args)
  if #args == 0 then return list() end
  local options = read_words(args)
  if not options then return 2 end
  local text, why = read_file(options.file)
  if not text then
    cli.error("%s", why)
    return 1
  end
  local recorded = recording.read(text,
    { raw = args.raw, can = options.protocol == "canopen" or not options.protocol,
    direction = args.from and "from" or args.to and "to" })
  if args.bus and recorded.buses[args.bus] == nil then
    cli.error("the recording has no bus '%s'%s", args.bus, suggest.hint(args.bus, names_of(recorded)))
    return 2
  end
  options.hex, options.summary, options.several = args.hex, args.summary, #recorded.buses > 1 and not args.bus
  options.began = recorded.form == "trace" and recorded.pieces[1] and recorded.pieces[1].seconds or 0
  local buses = {}
  for _, piece in ipairs(recorded.pieces) do
    local bus, unknown = bus_of(buses, piece, recorded, args, options)
    if bus == nil then
      cli.error("%s", unknown)
      return 2
    end
    if bus then bus:feed(piece) end
  end
  for _, bus in ipairs(buses) do bus:finish() end
  tell_odd(recorded)
  for _, bus in ipairs(buses) do bus:tell_counts() end
  if #buses == 0 then print "0 packets; nothing refused" end
  return 0
end

return decode
