-- Two servos that are not there: a ping goes over their line and is answered, in made-up time.
local emulator, wire = require "brio.emulator", require "brio.wire"

local servos = emulator.open("dynamixel", { servos = 2, baud = 1000000 })
servos:feed(wire.encode("dynamixel", { id = 2, code = 1 }), 0, 1000000)
local bytes, due = servos:take(0)
print(#bytes, ("%.3f ms"):format(due * 1000))  --> 0	0.740 ms
bytes = servos:take(due)
print(wire.decoder("dynamixel"):feed(bytes, "from")[1].words)  --> servo 2 answers: no error; FC 03 2D
print((servos:command "loss 2%"):sub(1, -2))   --> loss is 0.02
servos:close()
