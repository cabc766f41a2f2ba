---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_emulator.c by scripts/docs.lua.

---@class brio.emulator
local emulator = {}

---All kinds: {name, doc, protocol, baud, servos}.
---@return table # {kind, ...}
function emulator.kinds() end

---Creates devices of a kind.  Options: servos (default: the kind's number), id (of the first, 1), baud
---(default: the factory setting), seed (0).
---@param kind string
---@param options? table
---@return brio.emulator? # emulator | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator.open(kind, options) end

---Replays a recorded trace as the device: pieces are a list of {seconds =, direction = "to" or "from", bytes
---=, line =} in their order, of one bus, as returned by wire.trace_line. A request of the host is answered
---with the recorded bytes of its answer, after the recorded delay. Requests with other values than recorded
---are also answered, and counted.
---@param protocol any
---@param pieces any
---@param baud? any
---@return brio.emulator? # emulator | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator.replay(protocol, pieces, baud) end

---Statistics of a replay: requests in the trace, and the number of them that came; that came with the same
---bytes; with other values; that were repeated although not repeated in the trace; that were skipped; and
---requests that are not in the trace. `first` is the first difference, a sentence. nil: not a replay.
---@return table # {recorded, asked, exact, values, again, left_out, unexpected, first} | nil
function emulator:replayed() end

---Open a port for other programs and return its name; `link`: path of a symbolic link to it.
---@param link? string
---@return string? # name | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator:serve(link) end

---The name of the port that programs open; "" while it is unplugged.
---@return string # name
function emulator:port() end

---Move bytes for at most `wait` seconds.  With `input`, return a line as soon as one was typed, false at the
---end of standard input; else true.
---@param wait any
---@param input? any
---@return any? # line | boolean | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator:step(wait, input) end

---Execute a command line: "unplug", "loss 2%", "error 3 0x20", "help".  Return its output.
---@param text string
---@return string? # text | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator:command(text) end

---Without a port, in simulated time: the host sends bytes from `now` (s) on.
---@param bytes any
---@param now any
---@param baud? any
function emulator:feed(bytes, now, baud) end

---Without a port: the bytes that have arrived at the host by `now` (s), and the time of the next ones; nil:
---none are pending.
---@param now any
---@return any # bytes, due
function emulator:take(now) end

---Close it and its port.
function emulator:close() end

return emulator
