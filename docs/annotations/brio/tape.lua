---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_tape.c by scripts/docs.lua.

---@class brio.tape
local tape = {}

---A tape that notes into the run that a store's writer (store.record) has begun; close it before the
---writer.
---@param writer any
---@return brio.tape? # tape | nil, sentence, code
---@return string? sentence
---@return string? code
function tape.record(writer) end

---A tape for a replay; tape:feed adds its rows.
---@return brio.tape # tape
function tape.replay() end

---The channels of inputs, in the order of their numbers, which begin at 0.
---@return table # list of {name, words}
function tape.channels() end

---The machine type and the compiler of this program: results differ in bits between them.
---@return string # text
function tape.machine() end

---Encodes plain values as on a tape: equal values give equal texts.
---@param ... any
---@return string # text
function tape.pack(...) end

---Decodes a text of tape.pack; no values if it is not one.
---@param text string
---@return any # values...
function tape.unpack(text) end

---Feed row number `id` of the table `tapes`, which begins at `tick`.
---@param id string
---@param tick any
---@param bytes any
function tape:feed(id, tick, bytes) end

---Whether it is for a replay.
---@return boolean # true or false
function tape:replays() end

---Begins a tick; the engine calls this for its own tape.
---@param number number
---@param time number
function tape:tick(number, time) end

---Note the input on a channel: plain values, and tables of them.
---@param channel any
---@param ... any
---@return boolean # whether it is kept
function tape:note(channel, ...) end

---Noting: the request was empty.
---@param channel any
function tape:pass(channel) end

---Replaying: the answer to this request, if there was one.
---@param channel any
---@return boolean # true, values... or nothing
function tape:ask(channel) end

---Replaying: an answer that always exists; nothing: the replay differs from the tape.
---@param channel any
---@return boolean # true, values... or nothing
function tape:must(channel) end

---Replaying: from now on requests may come in any order within their tick, or not at all.
function tape:loosen() end

---Report that a record is invalid: the replay differs from the tape here.
---@param channel any
function tape:deny(channel) end

---Replaying: whether no readable record is left.
---@return boolean # true or false
function tape:over() end

---The first difference between replay and tape: fault "other" (`wanted` was requested, and `found` came
---next), "unheard" (`found` was not requested), "over", "hole", "damaged", "changed" (a record has invalid
---content); channels by name.
---@return table? # {fault, tick, found_tick, wanted, found} or nil
function tape:parted() end

---Statistics so far; lost: records that found no room, the first in tick lost_at.
---@return table # {records, bytes, rows, lost, lost_at}
function tape:counts() end

---Hand over the notes, and close; may be called again.
function tape:close() end

return tape
