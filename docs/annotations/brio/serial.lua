---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_serial.c by scripts/docs.lua.

---@class brio.serial
local serial = {}

---@class brio.serial.port
local port = {}

---The serial ports that there are, with what is known of each.
---@return table # {{name, words}, ...}
function serial.ports() end

---Open a port (or a link to one, or a pseudo-terminal) at `baud` (115200): 8 bits, no parity, 1 stop bit.
---What goes through is recorded in the file `trace`, behind what it holds.  A port that another program has
---open, and one that you may not open, fail with a sentence that says what would help.
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

---What is there, at most `most` (4096) bytes, waiting at most `timeout` (0) seconds for the first: "" when
---none came.  A port that was unplugged fails.
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

---Change how a serial line speaks: `bits` 5 to 8 (8), `parity` "none", "even" or "odd", `stop` bits 1 or 2
---(1), `flow` control "none", "rtscts" or "xonxoff"; `rts` and `dtr` true or false switch these lines (left
---out: as they are). A pseudo-terminal, which emulators are behind, knows what is set when nothing is said,
---and refuses the rest.
---@param fields table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:settings(fields) end

---Close it; closed already, nothing happens.  It fails when its trace could not be written to the end.
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:close() end

---The families of devices that `find` looks for, drivers' names among them: `sends` says what is asked,
---`ports` behind what kinds of ports (serial, can, udp) it may be, `last` the highest id there may be (-1: it
---has none), `turn` who is to be asked first, `alone` that one which answered is the only device behind its
---port: no others' questions may be sent there.
---@return table # {{name, doc, sends, bauds, ports, last, turn, alone}, ...}
function serial.families() end

---Ask ids `first` (0) to `last` (the highest there may be) of a family at the port's baud rate, and wait
---`latency` (0.005) seconds for each besides its bytes' time.  Nothing moves and no setting changes.  Each
---that answered is {id, axes, first, words, known, name, lower, upper, settings}: its number on the bus (nil:
---it has none), how many axes it moves from which number on, what it is, the limits that are set in it in rad
---(nil: it does not tell), what its driver must be set to besides, as a robot's file says it (nil: nothing).
---Where `known` is false it may be of another family whose packets look alike.
---@param family any
---@param first? any
---@param last? any
---@param latency? any
---@return table? # {found, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function port:find(family, first, last, latency) end

---What port:get and port:set know of a family's devices.
---@param family any
---@return table? # {{name, unit, doc, reads, writes, lower, upper}, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function serial.numbers(family) end

---Ask a device of a family for a number: see serial.numbers.
---@param family any
---@param id string
---@param name string
---@return number? # number | nil, sentence, code
---@return string? sentence
---@return string? code
function port:get(family, id, name) end

---Change a number in a device of a family; where the device tells it, it is read back.  A changed baud rate
---is the port's, too.
---@param family any
---@param id string
---@param name string
---@param value any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function port:set(family, id, name, value) end

return serial
