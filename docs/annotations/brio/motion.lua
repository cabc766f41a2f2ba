---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/lua_motion.c by scripts/docs.lua.

---@class brio.motion
local motion = {}

---The kinds of keyframes; value says what a key of it has: "number", "none" or "range".
---@return table # list of {name, doc, value}
function motion.kinds() end

---The curves that lead from key to key; handles: it is pulled by the keys' handles `out` and `into`.
---@return table # list of {name, doc, handles}
function motion.curves() end

return motion
