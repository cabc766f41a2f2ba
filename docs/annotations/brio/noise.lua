---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/math/lua_noise.c by scripts/docs.lua.

---@class brio.noise
local noise = {}

---Returns noise within -1 and 1 around 0, nearly all of it slower than once per unit of x: for a frequency f
---(Hz) call it with x = f * time. `seed` is an integer.
---@param seed number
---@param x number
---@return number # number
function noise.value(seed, x) end

---Returns a sum of 1 to 32 noises, each `lacunarity` (2) times as fast and `gain` (0.84) times as strong as
---the one before, with the deviation of one; it may exceed 1. With the defaults its spectrum falls like that
---of living movement.
---@param seed number
---@param x number
---@param octaves any
---@param lacunarity? any
---@param gain? any
---@return number # number
function noise.octaves(seed, x, octaves, lacunarity, gain) end

return noise
