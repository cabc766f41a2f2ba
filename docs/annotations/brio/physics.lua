---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/world/lua_physics.c by scripts/docs.lua.

---@class brio.physics
local physics = {}

---Loads a physics library ("mujoco"); release is the version of the library that is installed.
---@param name string
---@return table? # {name =, release =} | nil, sentence, code
---@return string? sentence
---@return string? code
function physics.find(name) end

---with a fixed base among the furniture and walls of a world (docs/behaviors/physics.md), by a library
---("mujoco").  Simulators that are opened with this world afterwards move its joints.  massless is the mass
---of links that move and have none (kg); 0: they are refused.
---@param fields table
---@return brio.physics? # physics | nil, sentence, code Simulates a robot
---@return string? sentence
---@return string? code
function physics.new(fields) end

---bodies deep in each other, with the body and the time.  nil: it goes on.
---@return string # sentence | nil Why the simulation has stopped: a motion that is no number, too fast, or
function physics:fault() end

---What was made up for the model: masses and shapes of links that have none.
---@return table # {sentence, ...}
function physics:notes() end

return physics
