---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_front.c by scripts/docs.lua.

---@class brio.front
local front = {}

---Open the socket, by default <pid>.sock in the user's own folder, and start its thread. `group` names a
---group that may connect too, with a token; `about` is a text, JSON, sent to new clients; `gamepad`, a
---table {path =, match =, panic =}, lets the thread search for one: the device or pipe at `path`, else the
---first whose name contains `match`; buttons whose codes are in the list `panic` raise the panic stop at
---once, and so does a line "input NAME true" of an input whose name is in the list `panic` of the options.
---`tracker`, a table {host = "127.0.0.1", port =}, is a UDP port whose datagrams front:datagram() returns.
---`operators`, a list of {name =, token =, role = "observer", "wizard" or "author"}: the people who may
---attach, with their roles; `patience` (s): timeout for a token, or the end of a line.
---@param fields? table
---@return brio.front? # front | nil, sentence, code
---@return string? sentence
---@return string? code
function front.open(fields) end

---The next request: kind "say" (a line), "complete" (the text before the cursor), "stop"
---or "panic" (answered already), "attached", "left" or "lost" (of a client, before and after all its other
---requests); `received` is the time of clock.monotonic() (s), `input` the time of the key press, as the
---client reports it, with its error, `offset` of its machine's clock to this one's, with its error: nil if
---not reported; `session`: it may reconnect. Only say and complete expect a reply.
---@return table? # {kind, client, id, who, role, device, text, received, session, input, input_error, offset, offset_error} or nil
function front:poll() end

---The next event of the gamepad: what is "button" (value 1 or 0), "axis" (value from lower to upper; these
---are equal if unknown), "found", "lost", or "anew" (events were lost; the current state follows); code as in
---linux/input-event-codes.h; received is the time of clock.monotonic() (s) at which it came.
---@return any # what, code, value, lower, upper, received or nil
function front:gamepad() end

---The next datagram of a tracker, and the time of clock.monotonic() (s) at which it came; with nil, the
---number of those so far that were too long (more than 1200 bytes) or found no room.
---@return string? # text, received or nil, left_out
function front:datagram() end

---Send a line, one JSON object, to the client of that number, the reply to its request `id`; false when it is
---longer than 65536 bytes or too many wait. If the client has left, the line is dropped.
---@param client any
---@param text string
---@param id? string
---@return any # sent
function front:reply(client, text, id) end

---Send a line, one JSON object, to all clients; false when it was lost.
---@param text string
---@return any # sent
function front:log(text) end

---Send a line, one JSON object, to the client of that number, which subscribed to such lines; false when it
---was lost.  Lines that the client does not read in time are dropped: it gets {"dropped":N} before the next
---such line.
---@param client any
---@param text string
---@return any # sent
function front:push(client, text) end

---How many pushed lines clients did not read in time, so far.
---@return number # count
function front:dropped() end

---How often clients requested the end of the run so far: known at once, even while a script
---spins, which is interrupted then.
---@return number # count
function front:stops() end

---How many clients are attached.
---@return number # count
function front:clients() end

---Where the socket is.
---@return any # path
function front:path() end

---A warning about the socket's location, if there is one.
---@return string # sentence | nil
function front:warning() end

---The token of a group's clients, and the file that contains it; nil without a group.
---@return string # text, file
function front:token() end

---Send the pending lines, drop the clients, end the thread and remove the socket; may be called again.
function front:close() end

return front
