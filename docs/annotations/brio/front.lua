---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_front.c by scripts/docs.lua.

---@class brio.front
local front = {}

---Open the socket, by default <pid>.sock in the user's own folder, and start its thread. `group` names a
---group that may connect too, with a token; `about` is a text, JSON, told to newcomers; `gamepad`, a table
---{path =, match =, panic =}, lets the thread look for one: the device or pipe at `path`, else the first
---whose name has `match` in it; buttons whose codes are in the list `panic` raise the panic stop at once, and
---so does a line "input NAME true" of an input whose name is in the list `panic` of the options. `tracker`, a
---table {host = "127.0.0.1", port =}, is a UDP port whose datagrams front:datagram() returns. `operators`, a
---list of {name =, token =, role = "observer", "wizard" or "author"}: who may attach, and as what; `patience`
---(s): how long a token, or the end of a line, is waited for.
---@param fields? table
---@return brio.front? # front | nil, sentence, code
---@return string? sentence
---@return string? code
function front.open(fields) end

---or "panic" (answered already), "attached", "left" or "lost" (of a client, before and after all others of
---its own); `received` is the time of clock.monotonic() (s), `input` when the key was pressed, as the client
---says, with its error, `offset` of its machine's clock to this one's, with its error: nil where it says
---none; `session`: it may come back. Only say and complete expect a reply.
---@return table? # {kind, client, id, who, role, device, text, received, session, input, input_error, offset, offset_error} or nil The next request: kind "say" (a line), "complete" (the text before the cursor), "stop"
function front:poll() end

---The next event of the gamepad: what is "button" (value 1 or 0), "axis" (value from lower to upper, equal
---where the device does not say), "found", "lost", or "anew" (nothing is known but what follows); code as in
---linux/input-event-codes.h; received is the time of clock.monotonic() (s) at which it came.
---@return any # what, code, value, lower, upper, received or nil
function front:gamepad() end

---The next datagram of a tracker, and the time of clock.monotonic() (s) at which it came; with nil, how many
---were too long (more than 1200 bytes) or found no room so far.
---@return string? # text, received or nil, left_out
function front:datagram() end

---Send a line, one JSON object, to the client of that number, the reply to what it calls `id`; false when it
---is longer than 65536 bytes or too many wait. Nobody is told when the client has left.
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
---was lost.  What the client does not read in time is dropped: it is told {"dropped":N} before the next such
---line.
---@param client any
---@param text string
---@return any # sent
function front:push(client, text) end

---How many pushed lines clients did not read in time, so far.
---@return number # count
function front:dropped() end

---How often clients asked for the end of the run so far: known at once, even while a script
---spins, which is interrupted then.
---@return number # count
function front:stops() end

---How many clients are attached.
---@return number # count
function front:clients() end

---Where the socket is.
---@return any # path
function front:path() end

---What people should know of where the socket is.
---@return string # sentence | nil
function front:warning() end

---What a group's clients must know, and the file in which its user finds it; nil without a group.
---@return string # text, file
function front:token() end

---Send what is left, drop the clients, end the thread and remove the socket; may be called again.
function front:close() end

return front
