---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/lua_serial.c by scripts/docs.lua.

---@class brio.serial
local serial = {}

---@class brio.serial.port
local port = {}

---The serial ports that there are, with what is known of each.
---@return table # {{name, words}, ...}
function serial.ports() end

---Open a port (or a link to one, or a pseudo-terminal) at `baud` (115200): 8 bits, no parity, 1 stop bit.
---@param name string
---@param baud? any
---@return brio.serial.port? # port | nil, sentence, code
---@return string? sentence
---@return string? code
function serial.open(name, baud) end

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

---Close it; closed already, nothing happens.
function port:close() end

---The families of bus servos that `find` looks for.
---@return table # {{name, doc, bauds}, ...}
function serial.families() end

---Ask ids `first` (0) to `last` (252) of a family of bus servos at the port's baud rate, and wait `latency`
---(0.005) seconds for each besides its bytes' time.  Nothing moves.  `name` is absent for a model that the family does not know:
---families whose packets look alike answer each other's questions.
---@param family any
---@param first? any
---@param last? any
---@param latency? any
---@return table? # {{id, model, name, firmware, lower, upper}, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function port:find(family, first, last, latency) end

return serial
