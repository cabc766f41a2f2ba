---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/feed/lua_feed.c by scripts/docs.lua.

---@class brio.feed
local feed = {}

---Puts feeds of detections together for brio.engine.new{feeds =}: at most 16. `frame` is the name of the link
---or frame that a sender's poses are in; without it they are in the world.
---@param list table
---@return any # group
function feed.group(list) end

---How it stands: where (with the port that the system chose), sender (who is heard; "": nobody yet), heard (s
---of the run when the newest frame was taken; nil: none yet), messages and bytes that came, frames and
---detections that were taken, refused (by reason, those above 0), jumps (of the sender's clock), over (a file
---has ended), two_way (there is a way back).
---@return any # table
function feed:report() end

---The next thing to be said about what was refused: so many since the last time, in so many seconds. Each
---reason comes at once and then every five seconds at most.
---@return table? # {reason =, words =, count =, seconds =, detail =} or nil
function feed:note() end

---Says that what the detector's boxes and masks show is as far away as this organized cloud tells, which has
---the same view.
---@param cloud any
---@return boolean # whether it has rows
function feed:depth(cloud) end

---Says what is wanted, in place of what was asked before: `text`, a line of JSON without its end ("": nothing
---is said), goes to the sender, again and again until it is acknowledged by `number`. The table holds here:
---the least confidence of all classes and of each (classes = {cup = {on =, confidence =}}), how masks are
---looked up (erosion, px, and outlier, deviations; also of a class), and whether classes that are not in it
---are refused.
---@param number number
---@param text string
---@param fields? table
function feed:ask(number, text, fields) end

---How the newest request stands: its number (0: none yet), the newest that was answered, how often it was
---sent, and what was said against it ("": nothing).
---@return table # {number =, acknowledged =, sends =, refused =}
function feed:asked() end

---Why something is refused: the words for each name in a report or a note.
---@return table # {name = words}
function feed.reasons() end

---The newest cloud that counts at `now` (s of the run), and whether it has come since the last time. It is
---the same value throughout, which shows what is newest: nothing is copied.
---@param now any
---@return any # cloud or nil, fresh
function feed:cloud(now) end

---What the newest cloud that was taken is kept as: a file of so many bytes that has this SHA-256 for its
---name; nil: it is not kept.
---@return any # hash, length or nil
function feed:kept() end

---Ends its thread; a group that it is in goes on without it.
function feed:close() end

return feed
