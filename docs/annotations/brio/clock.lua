---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_clock.c by scripts/docs.lua.

---@class brio.clock
local clock = {}

---Monotonic time, from an unspecified start.
---@return number # seconds
function clock.monotonic() end

---CPU time that this thread has used.
---@return number # seconds
function clock.cpu() end

---Seconds since 1970 (UTC), with a fraction.
---@return number # seconds
function clock.wall() end

return clock
