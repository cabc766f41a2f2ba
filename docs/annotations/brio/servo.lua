---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_servo.c by scripts/docs.lua.

---@class brio.servo
local servo = {}

---@class brio.servo.bus
local bus = {}

---The families of bus servos: their baud rates, and the names of the known models.
---@return table # {{name, doc, bauds, models}, ...}
function servo.families() end

---Open a port (its name, or an emulator of bus servos, which then runs in simulated time) for servos of a
---family. Options: baud (default: the factory setting), latency (0.02 s: of the adapter), tries (3: requests
---until the error).
---@param port any
---@param family any
---@param options? table
---@return brio.servo.bus? # bus | nil, sentence, code
---@return string? sentence
---@return string? code
function servo.open(port, family, options) end

---Ping a servo, and read its model, which determines its registers. `name` is nil for an unknown model.
---@param id string
---@return table? # {id, model, firmware, name, garbled} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:ping(id) end

---Ping ids `first` (0) to `last` (252) at the port's baud rate.  `garbled` in a result: the answer is
---corrupted, since two servos have this id, or the line is noisy.
---@param first? any
---@param last? any
---@return table? # {found, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:scan(first, last) end

---The registers of a servo, by the model of its last ping.  `access`: "read only", "volatile",
---"stored" (kept without power).
---@param id string
---@return table # {{name, address, size, access, lower, upper}, ...}
function bus:registers(id) end

---Read a register by its name, such as "Present Position" or "present_position", with its sign.
---@param id string
---@param register any
---@return number? # number | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:get(id, register) end

---Write a register and read it back.  For a stored register torque is switched off first, or the lock opened.
---After a new "ID" or "Baud Rate" (its code) the bus uses it.
---@param id string
---@param register any
---@param value any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:set(id, register, value) end

---Change the baud rate of a servo, and of the port.
---@param id string
---@param rate any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:baud(id, rate) end

---Change the baud rate of the port.
---@param rate any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:rate(rate) end

---Switch the torque of a servo on or off. Its goal is set to its position first.
---@param id string
---@param on any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:torque(id, on) end

---Switch a servo off and on again: hardware errors are cleared, torque is off, and it does not answer for
---about a second.
---@param id string
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:reboot(id) end

---Reset all settings of a servo (Protocol 2.0) except its id and baud rate.
---@param id string
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:reset(id) end

---The hardware errors of a servo: "overload, input voltage"; "nothing".
---@param id string
---@return any? # words | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:errors(id) end

---Converts a position of a servo to rad; the inverse is bus:position(id, rad).
---@param id string
---@param position any
---@return any # rad
function bus:angle(id, position) end

---The position of a servo that is nearest to an angle.
---@param id string
---@param rad any
---@return any # position
function bus:position(id, rad) end

---Read one register of several servos by one packet (fast sync read, sync read, or one by one, whatever they
---support). Servos that do not answer are missing. Their models must have that register at the same
---address.
---@param ids any
---@param register any
---@return table? # {[id] = value, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:read(ids, register) end

---Write {[id] = value} to a register of several servos by one packet, which is not acknowledged.
---@param values any
---@param register any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:write(values, register) end

---Read different registers of several servos by one packet: Protocol 2.0, and the MX series by 1.0.  `fast`:
---they also answer by one packet (newer firmware of 2.0).  Each must have been pinged before.
---@param fields table
---@param fast? any
---@return table? # {[id] = value, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:bulk_read(fields, fast) end

---Write different registers of several servos (Protocol 2.0) by one packet, which is not acknowledged.
---@param fields table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:bulk_write(fields) end

---Statistics since the bus was opened: requests, repeated requests and those without an
---answer, unexpected packets, echoes of the host's own, answers with an error; and of the received bytes,
---those rejected, by reason.
---@return table # {asked, retries, timeouts, strays, echoes, refusals, packets, dropped, garbage, length, check, content, cut}
function bus:counts() end

---Close the port; closing again has no effect.
function bus:close() end

return servo
