---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/feed/lua_feed.c by scripts/docs.lua.

---@class brio.feed
local feed = {}

---Opens a feed and starts its thread. `where` is "udp:[HOST:]PORT", "unix:PATH", "file:PATH", for detections
---also "program:WORDS" (a program that is started, and started again when it fails) and "output:WORDS" (what
---a program makes of a recording, by the recording's times), for clouds "shm:NAME"; `content` "detections" or
---"clouds"; `detector` the number, 1 to 255, of its detections; `lockstep` for the fast clock; `clock` "own"
---or "monotonic", this machine's; `axes` "robot" (x forward, z up) or "optical" (x right, y down, z forward),
---for clouds those of brio.cloud.read; `rate` the most messages a second (500, for clouds and their pieces
---5000); `oldest` the greatest age of data in s (1); `silent` seconds without a message after which another
---sender is accepted (1); `speed`, `begin` (s of the run) and `again` apply to a file. With `depth`, boxes
---and masks are located by depth (feed:depth). For clouds: `frame` is their viewpoint, `unit` (m), `points`
---the most points (a million), `period` (s) between those of a folder, `keep` a folder in which they are
---stored, `keep_room` the most bytes there (16 GB): see feed:kept.
---@param fields table
---@return brio.feed? # feed | nil, sentence, code
---@return string? sentence
---@return string? code
function feed.open(fields) end

---Groups feeds of detections for brio.engine.new{feeds =}: at most 16. `frame` is the name of the link or
---frame of a sender's poses; default: the world. A feed is in one group: it leaves the one it was in.
---@param list table
---@return any # group
function feed.group(list) end

---Its status: where (with the port that the system chose), sender (the current one; "": none yet), heard (s
---of the run of the newest frame; nil: none yet), messages and bytes received, frames and detections
---accepted, refused (by reason, those above 0), jumps (of the sender's clock), over (a file has ended),
---two_way (requests can be sent).
---@return any # table
function feed:report() end

---The next report about rejected messages: their count since the last report, and the seconds since then.
---Each reason is reported at once and then every five seconds at most.
---@return table? # {reason =, words =, count =, seconds =, detail =} or nil
function feed:note() end

---Sets the depths for the detector's boxes and masks: an organized cloud with the same view.
---@param cloud any
---@return boolean # whether it has rows
function feed:depth(cloud) end

---Sets the request, replacing the one before: `text`, a line of JSON without its end ("": none), is sent to
---the sender repeatedly until it is acknowledged by `number`. The table is applied here: the least confidence
---of all classes and of each (classes = {cup = {on =, confidence =}}), how masks are evaluated (erosion, px,
---and outlier, deviations; also by class), and whether classes that are not in it are rejected.
---@param number number
---@param text string
---@param fields? table
function feed:ask(number, text, fields) end

---The status of the newest request: its number (0: none yet), the newest that was acknowledged, how often it
---was sent, and the detector's objection ("": none).
---@return table # {number =, acknowledged =, sends =, refused =}
function feed:asked() end

---The reasons of rejections: a description of each name in a report or a note.
---@return table # {name = words}
function feed.reasons() end

---The newest cloud that counts at `now` (s of the run), and whether it is new since the last call. It is
---always the same value, with the newest content: nothing is copied.
---@param now any
---@return any # cloud or nil, fresh
function feed:cloud(now) end

---The file of the newest accepted cloud: the SHA-256 that is its name, and its length in bytes; nil: it is
---not stored.
---@return any # hash, length or nil
function feed:kept() end

---Ends its thread; a group continues without it.
function feed:close() end

return feed
