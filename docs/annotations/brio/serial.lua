---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_serial.c by scripts/docs.lua.

---@class brio.serial
local serial = {}

---@class brio.serial.port
local port = {}

---The serial ports of this machine, with a description of each.
---@return table # {{name, words}, ...}
function serial.ports() end

---Open a port (or a link to one, or a pseudo-terminal) at `baud` (115200): 8 bits, no parity, 1 stop bit.
---The traffic is appended to the file `trace`. If another program has the port open, or permission is
---missing, the sentence names the remedy.
---@param name string
---@param baud? any
---@param trace? any
---@return brio.serial.port? # port | nil, sentence, code
---@return string? sentence
---@return string? code
function serial.open(name, baud, trace) end

---Write all bytes.
---@param bytes any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:write(bytes) end

---Reads at most `most` (4096) bytes, waiting at most `timeout` (0) seconds for the first; "" if none came.  A
---port that was unplugged fails.
---@param most? any
---@param timeout? any
---@return any? # bytes | nil, sentence, code
---@return string? sentence
---@return string? code
function port:read(most, timeout) end

---Change the baud rate.
---@param rate any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:baud(rate) end

---Change the settings of a serial line: `bits` 5 to 8 (8), `parity` "none", "even" or "odd", `stop` bits 1 or
---2 (1), `flow` control "none", "rtscts" or "xonxoff"; `rts` and `dtr` true or false switch these lines
---(absent: unchanged). A pseudo-terminal, as of emulators, accepts the default settings only.
---@param fields table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:settings(fields) end

---Close it; closing again has no effect. It fails when its trace could not be written completely.
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:close() end

---The families of devices that `find` supports, by the names of their drivers: `sends` describes the request,
---`ports` lists its kinds of ports (serial, can, udp), `last` is the highest id (-1: it has none), `turn`
---gives the order of the search, `alone`: a device that answered is the only one on its port, and no requests
---of other families may be sent there.
---@return table # {{name, doc, sends, bauds, ports, last, turn, alone}, ...}
function serial.families() end

---Send requests to ids `first` (0) to `last` (the highest) of a family at the port's baud rate, and wait
---`latency` (0.005) seconds for each in addition to the time of its bytes. Nothing moves and no setting
---changes.  Each that answered is {id, axes, first, words, known, name, lower, upper, settings}: its number
---on the bus (nil: it has none), the number of its axes and that of the first, a description, the limits set
---in it in rad (nil: unknown), further settings of its driver for a robot's file (nil: none). If `known` is
---false it may belong to another family with similar packets.
---@param family any
---@param first? any
---@param last? any
---@param latency? any
---@return table? # {found, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function port:find(family, first, last, latency) end

---The numbers that port:get and port:set accept for a family's devices.
---@param family any
---@return table? # {{name, unit, doc, reads, writes, lower, upper}, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function serial.numbers(family) end

---Read a number of a device of a family: see serial.numbers.
---@param family any
---@param id string
---@param name string
---@return number? # number | nil, sentence, code
---@return string? sentence
---@return string? code
function port:get(family, id, name) end

---Change a number in a device of a family; it is read back if the device supports that. A new baud rate is
---also set in the port.
---@param family any
---@param id string
---@param name string
---@param value any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:set(family, id, name, value) end

return serial
