-- Two servos that are not there: a ping goes over their line and is answered, in made-up time.
local emulator, wire = require "brio.emulator", require "brio.wire"

local servos = emulator.open("dynamixel", { servos = 2, baud = 1000000 })
servos:feed(wire.encode("dynamixel", { id = 2, code = 1 }), 0, 1000000)
local bytes, due = servos:take(0)
print(#bytes, ("%.3f ms"):format(due * 1000))  --> 0	0.740 ms
bytes = servos:take(due)
print(wire.decoder("dynamixel"):feed(bytes, "from")[1].words)  --> servo 2 answers: no error; FC 03 2D
-- What was recorded plays the device, and says what it was asked besides.
local function hex(text)
  return (text:gsub("%x%x ?", function(pair) return string.char(tonumber(pair, 16)) end))
end
local recorded = emulator.replay("sts", {
  { seconds = 0.000, direction = "to", bytes = hex "FF FF 01 02 01 FB", line = 2 },
  { seconds = 0.002, direction = "from", bytes = hex "FF FF 01 02 00 FC", line = 3 },
})
recorded:feed(hex "FF FF 01 02 01 FB", 0)
print(#recorded:take(0.001), #recorded:take(0.002))  --> 0	6
recorded:feed(hex "FF FF 07 02 01 F5", 1)
print(recorded:replayed().exact, recorded:replayed().unexpected)  --> 1	1
print((servos:command "loss 2%"):sub(1, -2))   --> loss is 0.02
servos:close()
