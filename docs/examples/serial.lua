-- A board of one's own at a serial port: here an emulated one, which is asked for its version.
local serial, emulator, wire = require "brio.serial", require "brio.emulator", require "brio.wire"

local board = emulator.open("line", { servos = 4 })
local port = assert(serial.open(board:serve(), 115200))
print(port:settings { parity = "none" })      --> true
print((select(3, port:settings { parity = "even" })))  --> device
port:write(wire.encode("line", { code = ("V"):byte() }))
board:step(0.1)                              -- a real board needs nobody to step it
local answer = wire.decoder("line"):feed(port:read(100, 1), "from")[1]
print(answer.words)                          --> version brio-servo 2 4 4 0
print(port:read(100, 0.01) == "")            --> true
print((select(3, serial.open(board:port()))))  --> device
board:command "unplug"
board:step(0)
print((select(3, port:read(1, 1))))          --> io
port:close()
print((select(3, serial.open "/dev/none")))  --> no_file
