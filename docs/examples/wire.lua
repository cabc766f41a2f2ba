-- What a servo bus says, in bytes and in words; half a packet waits for its other half.
local wire = require "brio.wire"

local function hex(bytes)
  return (bytes:gsub(".", function(c) return (" %02X"):format(c:byte()) end):sub(2))
end

local ping = wire.encode("dynamixel", { id = 1, code = 1 })
print(hex(ping))                                     --> FF FF FD 00 01 03 00 01 19 4E
local decoder = wire.decoder "dynamixel"
print(#decoder:feed(ping:sub(1, 6), "to"))           --> 0
print(decoder:feed(ping:sub(7), "to")[1].words)      --> servo 1: ping
decoder:feed("noise", "from")
print(decoder:counts().packets, decoder:counts().dropped)  --> 1	5
