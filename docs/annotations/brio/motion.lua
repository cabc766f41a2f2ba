---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/motion/lua_motion.c by scripts/docs.lua.

---@class brio.motion
local motion = {}

---@class brio.motion.sequence
local sequence = {}

---The kinds of keyframes; value says what a key of it has: "number", "none" or "range".
---@return table # list of {name, doc, value}
function motion.kinds() end

---The curves that lead from key to key; handles: it is pulled by the keys' handles `out` and `into`.
---@return table # list of {name, doc, handles}
function motion.curves() end

---A sequence as a player plays it, for a robot with so many `dofs`. tracks: a list of {dof =, keys =, [follow
---=, curve =, scale =]}, dof from 1, keys as in a sequence's file, in the DOF's unit times scale; cues:
---times, s, rising; loop {from, to}.
---@param fields table
---@return brio.motion.sequence # sequence
function motion.sequence(fields) end

---What track number `track` is at a time: a + b u with u what is below, and its rate, va + vb u + b u'.
---`pass` seeds what random keys draw.
---@param track any
---@param time number
---@param pass? any
---@return any # a, b, va, vb
function sequence:sample(track, time, pass) end

---When its last key or cue is, or as it was given.
---@return number # seconds
function sequence:length() end

return motion
