---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_servo.c by scripts/docs.lua.

---@class brio.servo
local servo = {}

---@class brio.servo.bus
local bus = {}

---The families of bus servos: their baud rates, and the names of the models that are known.
---@return table # {{name, doc, bauds, models}, ...}
function servo.families() end

---Open a port (its name, or an emulator of bus servos, which then runs in made-up time) to speak with servos
---of a family. Options: baud (as the servos leave the factory), latency (0.02 s: what the adapter adds),
---tries (3: how often is asked).
---@param port any
---@param family any
---@param options? table
---@return brio.servo.bus? # bus | nil, sentence, code
---@return string? sentence
---@return string? code
function servo.open(port, family, options) end

---Ask a servo whether it is there, and learn which registers its model has.  `name` is nil for a model that
---is not known.
---@param id string
---@return table? # {id, model, firmware, name, garbled} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:ping(id) end

---Ping ids `first` (0) to `last` (252) at the port's baud rate.  `garbled` in what was found: it answers, but
---cannot be read, for two servos have this id, or the line is noisy.
---@param first? any
---@param last? any
---@return table? # {found, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:scan(first, last) end

---The registers that a servo has, as its last ping told its model.  `access`: "read only", "volatile",
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

---Write a register and read it back.  For what is kept without power torque is switched off, or the lock
---opened.  A new "ID" or "Baud Rate" (its code) is followed.
---@param id string
---@param register any
---@param value any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:set(id, register, value) end

---Give a servo another baud rate, which the port has then, too.
---@param id string
---@param rate any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:baud(id, rate) end

---Let the port speak at another baud rate.
---@param rate any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:rate(rate) end

---Let a servo hold its place, or go limp.  Its goal becomes where it is first.
---@param id string
---@param on any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:torque(id, on) end

---Switch a servo off and on again: hardware errors are forgotten, torque is off, and it is deaf for about a
---second.
---@param id string
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:reboot(id) end

---Let a servo (Protocol 2.0) forget all settings but its id and baud rate.
---@param id string
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:reset(id) end

---What a servo complains of: "overload, input voltage"; "nothing".
---@param id string
---@return any? # words | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:errors(id) end

---What a position of a servo is in rad, and the other way: bus:position(id, rad).
---@param id string
---@param position any
---@return any # rad
function bus:angle(id, position) end

---The position of a servo that is nearest to an angle.
---@param id string
---@param rad any
---@return any # position
function bus:position(id, rad) end

---Read one register of several servos by one packet (fast sync read, sync read, or one by one, as they know).
---Who does not answer is missing.  Their models must have that register in one place.
---@param ids any
---@param register any
---@return table? # {[id] = value, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:read(ids, register) end

---Write {[id] = value} to a register of several servos by one packet, which nobody acknowledges.
---@param values any
---@param register any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:write(values, register) end

---Read different registers of several servos by one packet: Protocol 2.0, and the MX series by 1.0.  `fast`:
---they answer by one, too (newer firmware of 2.0).  Each must have been pinged before.
---@param fields table
---@param fast? any
---@return table? # {[id] = value, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:bulk_read(fields, fast) end

---Write different registers of several servos (Protocol 2.0) by one packet, which nobody acknowledges.
---@param fields table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function bus:bulk_write(fields) end

---without an answer, packets that nobody asked for, the host's own, answers with an error; and of the bytes
---that came, what was refused and why.
---@return table # {asked, retries, timeouts, strays, echoes, refusals, packets, dropped, garbage, length, check, content, cut} What was counted since the bus was opened: questions, those asked again and those
function bus:counts() end

---Close the port; closed already, nothing happens.
function bus:close() end

return servo
