---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_wire.c by scripts/docs.lua.

---@class brio.wire
local wire = {}

---@class brio.wire.decoder
local decoder = {}

---All protocols: {name, alias, doc, check, accepts, datagrams}; `accepts` is the share of random corruptions
---that the check code does not detect.
---@return table # {protocol, ...}
function wire.protocols() end

---Create a decoder of packets from bytes.
---@param protocol any
---@return brio.wire.decoder # decoder
function wire.decoder(protocol) end

---Feed bytes, in any pieces; `direction`: "to" the device, "from" it, or "either" (unknown). Return the
---complete packets: {id, code, error, data, bytes, words, offset}, `offset` counting the bytes of that
---direction from 0.
---@param bytes any
---@param direction? any
---@return table # {packet, ...}
function decoder:feed(bytes, direction) end

---Report a pause of the line: an incomplete packet is dropped. Return the packets inside its bytes.
---@param direction? any
---@return table # {packet, ...}
function decoder:idle(direction) end

---The bytes rejected since the last call: {offset, direction, bytes} with a count for each reason: garbage,
---length, check, content, cut (see counts).  Runs are in the order of each direction's bytes.
---@return table # {run, ...}
function decoder:refused() end

---Statistics: packets, bytes dropped, and faults by kind: garbage, length, check, content, cut.
---@return table # {name = count, ...}
function decoder:counts() end

---Encode a packet {id, code, error, data} as bytes; fields that the protocol does not have are ignored.
---@param protocol any
---@param packet any
---@return any? # bytes | nil, sentence, code
---@return string? sentence
---@return string? code
function wire.encode(protocol, packet) end

---Read one line of a trace: its time, "to" or "from", the bytes, and the bus ("" in traces of version 1).
---nil: not a line of a trace; a remark gives 0 bytes.
---@param line any
---@return number # seconds, direction, bytes, bus
function wire.trace_line(line) end

---Read a remark of a trace that begins a bus: its protocol ("raw" if unknown), name and baud rate. nil:
---another line.
---@param line any
---@return any # protocol, bus, baud
function wire.trace_remark(line) end

return wire
