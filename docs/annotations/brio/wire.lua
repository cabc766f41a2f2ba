---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_wire.c by scripts/docs.lua.

---@class brio.wire
local wire = {}

---@class brio.wire.decoder
local decoder = {}

---All protocols: {name, alias, doc, check, accepts, datagrams}; `accepts` is the share of random
---corruptions that the check code lets pass.
---@return table # {protocol, ...}
function wire.protocols() end

---Begin to take packets out of bytes.
---@param protocol any
---@return brio.wire.decoder # decoder
function wire.decoder(protocol) end

---Take bytes in, in any pieces; `direction`: "to" the device, "from" it, or "either" (which is not
---known).  Return the packets that are whole: {id, code, error, data, bytes, words, offset}, `offset`
---counting the bytes of that direction from 0.
---@param bytes any
---@param direction? any
---@return table # {packet, ...}
function decoder:feed(bytes, direction) end

---The line was silent: what began and did not end is given up.  Return the packets that it hid.
---@param direction? any
---@return table # {packet, ...}
function decoder:idle(direction) end

---The bytes that were refused since this was asked last: {offset, direction, bytes} with how often for which
---reason: garbage, length, check, content, cut (see counts).  Runs are in the order of each direction's
---bytes.
---@return table # {run, ...}
function decoder:refused() end

---What came: packets, bytes dropped, and faults by kind: garbage, length, check, content, cut.
---@return table # {name = count, ...}
function decoder:counts() end

---Write a packet {id, code, error, data} as bytes; what the protocol does not have is left out.
---@param protocol any
---@param packet any
---@return any? # bytes | nil, sentence, code
---@return string? sentence
---@return string? code
function wire.encode(protocol, packet) end

---Read one line of a trace: when it passed, "to" or "from", the bytes, and the bus ("" in traces of version
---1).  nil: it is none; a remark gives 0 bytes.
---@param line any
---@return number # seconds, direction, bytes, bus
function wire.trace_line(line) end

---Read a remark of a trace that begins a bus: its protocol ("raw" where nobody knows), name and baud rate.
---nil: it tells something else.
---@param line any
---@return any # protocol, bus, baud
function wire.trace_remark(line) end

return wire
