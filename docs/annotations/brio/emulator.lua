---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_emulator.c by scripts/docs.lua.

---@class brio.emulator
local emulator = {}

---All kinds: {name, doc, protocol, baud, servos}.
---@return table # {kind, ...}
function emulator.kinds() end

---Make devices of a kind.  Options: servos (as many as the kind has), id (of the first, 1), baud (as
---the devices leave the factory), seed (0).
---@param kind string
---@param options? table
---@return brio.emulator? # emulator | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator.open(kind, options) end

---A recorded trace plays the device: pieces are a list of {seconds =, direction = "to" or "from", bytes =,
---line =} in their order, of one bus, as wire.trace_line reads them. What the host asks is answered with the
---bytes that came when it was asked then, after the time they took. Requests with other values than those
---recorded are answered, too, and counted.
---@param protocol any
---@param pieces any
---@param baud? any
---@return brio.emulator? # emulator | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator.replay(protocol, pieces, baud) end

---How a replay went so far: requests in the trace, and of them those that came; in the same bytes; with other
---values; again without having been asked again then; passed over; and those that came and were not recorded.
---`first` is the first difference, a sentence. nil: it plays no trace.
---@return table # {recorded, asked, exact, values, again, left_out, unexpected, first} | nil
function emulator:replayed() end

---Open a port for other programs and return its name; `link`: a path that always leads to it.
---@param link? string
---@return string? # name | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator:serve(link) end

---The name of the port that programs open; "" while it is unplugged.
---@return string # name
function emulator:port() end

---Move bytes for at most `wait` seconds.  With `input`, return a line as soon as one was typed, false
---when standard input has ended; else true.
---@param wait any
---@param input? any
---@return any? # line | boolean | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator:step(wait, input) end

---Do what a person types: "unplug", "loss 2%", "error 3 0x20", "help".  Return what there is to say.
---@param text string
---@return string? # text | nil, sentence, code
---@return string? sentence
---@return string? code
function emulator:command(text) end

---Without a port, in made-up time: the host sends bytes from `now` (s) on.
---@param bytes any
---@param now any
---@param baud? any
function emulator:feed(bytes, now, baud) end

---Without a port: what has arrived at the host by `now` (s), and when more will; nil: nothing is on its
---way.
---@param now any
---@return any # bytes, due
function emulator:take(now) end

---Give it back; its port is gone.
function emulator:close() end

return emulator
