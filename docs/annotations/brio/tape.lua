---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_tape.c by scripts/docs.lua.

---@class brio.tape
local tape = {}

---A tape that notes into the run of a store's writer (store.record), which has begun it; it is closed before
---the writer is.
---@param writer any
---@return brio.tape? # tape | nil, sentence, code
---@return string? sentence
---@return string? code
function tape.record(writer) end

---A tape that is read back: tape:feed gives it its rows.
---@return brio.tape # tape
function tape.replay() end

---The ways in which things come into a run, in the order of their numbers, which begin at 0.
---@return table # list of {name, words}
function tape.channels() end

---The machine type and the compiler that this program was built for and with: others give other bits.
---@return string # text
function tape.machine() end

---Plain values as they stand on a tape: equal values make equal texts.
---@param ... any
---@return string # text
function tape.pack(...) end

---The values that tape.pack made a text of; none where it is none of its texts.
---@param text string
---@return any # values...
function tape.unpack(text) end

---Feed row number `id` of the table `tapes`, which begins at `tick`.
---@param id string
---@param tick any
---@param bytes any
function tape:feed(id, tick, bytes) end

---Whether it is read back.
---@return boolean # true or false
function tape:replays() end

---A tick begins; the engine says this of a tape that it has.
---@param number number
---@param time number
function tape:tick(number, time) end

---Note what came on a channel: plain values, and tables of them.
---@param channel any
---@param ... any
---@return boolean # whether it is kept
function tape:note(channel, ...) end

---Noting: what was asked for came to nothing.
---@param channel any
function tape:pass(channel) end

---Reading back: what came at this asking, if anything did.
---@param channel any
---@return boolean # true, values... or nothing
function tape:ask(channel) end

---Reading back: what is always there; nothing: the replay has parted from the tape.
---@param channel any
---@return boolean # true, values... or nothing
function tape:must(channel) end

---Reading back: from now on things may be asked for in any order within their tick, or not at all.
function tape:loosen() end

---Say that what was read cannot be: the replay has parted from the tape here.
---@param channel any
function tape:deny(channel) end

---Reading back: whether no record is left that can be read.
---@return boolean # true or false
function tape:over() end

---Where the replay parted from the tape: fault "other" (`wanted` was asked for, and `found` came next),
---"unheard" (`found` was not asked for), "over", "hole", "damaged", "changed" (a record cannot be what it
---is); channels by name.
---@return table? # {fault, tick, found_tick, wanted, found} or nil
function tape:parted() end

---How much passed so far; lost: records that found no room, the first in tick lost_at.
---@return table # {records, bytes, rows, lost, lost_at}
function tape:counts() end

---Hand over what was noted, and let go; may be called again.
function tape:close() end

return tape
