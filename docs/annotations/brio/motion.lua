---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/motion/lua_motion.c by scripts/docs.lua.

---@class brio.motion
local motion = {}

---@class brio.motion.sequence
local sequence = {}

---The kinds of keyframes; value is the type of a key's value: "number", "none" or "range".
---@return table # list of {name, doc, value}
function motion.kinds() end

---The curves between keys; handles: it uses the keys' handles `out` and `into`.
---@return table # list of {name, doc, handles}
function motion.curves() end

---A sequence for a player, for a robot with `dofs` DOFs. tracks: a list of {dof =, keys =, [follow
---=, curve =, scale =]}, dof from 1, keys as in a sequence's file, in the DOF's unit times scale; cues:
---times, s, rising; loop {from, to}.
---@param fields table
---@return brio.motion.sequence # sequence
function motion.sequence(fields) end

---The value of track number `track` at a time: a + b u with u the value below, and its rate, va + vb u + b
---u'. `pass` seeds random keys.
---@param track any
---@param time number
---@param pass? any
---@return any # a, b, va, vb
function sequence:sample(track, time, pass) end

---The time of its last key or cue, or its given length.
---@return number # seconds
function sequence:length() end

return motion
