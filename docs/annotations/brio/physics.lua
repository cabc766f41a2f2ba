---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/world/lua_physics.c by scripts/docs.lua.

---@class brio.physics
local physics = {}

---@class brio.physics.change
local change = {}

---Loads a physics library ("mujoco"); release is the version of the library that is installed.
---@param name string
---@return table? # {name =, release =} | nil, sentence, code
---@return string? sentence
---@return string? code
function physics.find(name) end

---with a fixed base among the furniture, walls, things and doors of a world (docs/behaviors/physics.md), by a library
---("mujoco").  Simulators that are opened with this world afterwards move its joints.  massless is the mass
---of links that move and have none (kg); 0: they are refused.
---@param fields table
---@return brio.physics? # physics | nil, sentence, code Simulates a robot
---@return string? sentence
---@return string? code
function physics.new(fields) end

---Begins a model of the contents of another world, which change:compile makes.
---@param world any
---@return brio.physics.change? # change | nil, sentence, code
---@return string? sentence
---@return string? code
function physics:prepare(world) end

---Begins to compile the model, in a thread of its own.
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function change:compile() end

---Whether the model was compiled; nil: not yet.  With `wait` it blocks until then.
---@param wait? any
---@return boolean # true | false, sentence | nil
function change:result(wait) end

---Simulates that model from the next step on, in the state of the present one; the world's contents are to be
---exchanged next (world:exchange).  One that was not compiled is for replays, whose bodies are on the tape.
---@param change any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function physics:change(change) end

---bodies deep in each other, with the body and the time.  nil: it goes on.
---@return string # sentence | nil Why the simulation has stopped: a motion that is no number, too fast, or
function physics:fault() end

---What was made up for the model: masses and shapes of links that have none.
---@return table # {sentence, ...}
function physics:notes() end

return physics
