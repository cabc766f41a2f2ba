---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/base/lua_random.c by scripts/docs.lua.

---@class brio.random
local random = {}

---@class brio.random.stream
local stream = {}

---Starts the stream `name` of an integer `seed`: equal seeds and names give equal numbers.
---@param seed number
---@param name string
---@return brio.random.stream # stream
function random.stream(seed, name) end

---A uniformly distributed number in [`lower` (0), `upper` (1)).
---@param lower? number
---@param upper? number
---@return number # number
function stream:uniform(lower, upper) end

---A normally distributed number with mean 0 and standard deviation 1.
---@return number # number
function stream:normal() end

---A uniformly distributed integer from 1 to n.
---@param n number
---@return any # integer
function stream:whole(n) end

return random
