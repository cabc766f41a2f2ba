---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_random.c by scripts/docs.lua.

---@class brio.random
local random = {}

---@class brio.random.stream
local stream = {}

---Start the stream `name` of a whole-number `seed`: the same two give the same numbers.
---@param seed number
---@param name string
---@return brio.random.stream # stream
function random.stream(seed, name) end

---A number from `lower` (0) up to, without, `upper` (1).
---@param lower? number
---@param upper? number
---@return number # number
function stream:uniform(lower, upper) end

---A number of the normal distribution with mean 0 and deviation 1.
---@return number # number
function stream:normal() end

---A whole number from 1 to n, each as likely.
---@param n number
---@return any # integer
function stream:whole(n) end

return random
