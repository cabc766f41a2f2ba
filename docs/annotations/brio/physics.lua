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

---Simulates a robot among the furniture, walls, things and doors of a world
---(docs/behaviors/physics.md), by a library ("mujoco").  Simulators that are opened with this world
---afterwards move its joints.  massless is the mass of links that move and have none (kg); 0: they are
---refused.  bare: links without a shape touch nothing; otherwise a box is made up for them.  floats: its base
---is free, and begins at the pose `base`, or set down on the floor; with down, set down from that pose.
---imu is a link with an inertial unit, touches a list of links that feel what presses on them.  transmissions
---has for names of joints {rotor =, stiffness =, damping =, backlash =}: kg m^2, N m/rad, N m s/rad and rad,
---or kg, N/m, N s/m and m.
---@param fields table
---@return brio.physics? # physics | nil, sentence, code
---@return string? sentence
---@return string? code
function physics.new(fields) end

---Takes the newest state of base, things, doors and sensors, as each tick of a run does: for those who step
---the devices themselves (actuator:step).  What has hardly moved since (20 um, 0.2 mrad, 1 cm/s) stays.
function physics:look() end

---The base as of the newest tick, if it is free: m, x y z w, m/s, rad/s, in the world.
---@return table # {position, orientation, velocity, turn} | nil
function physics:base() end

---What the newest tick changed: the inertial unit's acceleration (m/s^2), rate (rad/s) and orientation; and
---the forces on links that feel (N), by their index in `touches`.
---@return any # imu | nil, {[index] = force}
function physics:sensed() end

---What touches what as of the newest step: names of links, things, "floor" and others, m and N in the world;
---`force` acts on `other`, `press` is its part along the normal, `shear` that across it.  nil: not known yet,
---ask again in the next tick.  Of a crowd the first 128.
---@return table # {{body, other, position, force, press, shear}, ...} | nil
function physics:contacts() end

---Pushes a link at its centre of mass for that time: N and N m, in world axes.  Pushes add up.
---@param link string
---@param seconds number
---@param force any
---@param torque? any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function physics:push(link, seconds, force, torque) end

---The model in MJCF, with the world as it is now: what MuJoCo itself opens.
---@return string? # text | nil, sentence, code
---@return string? sentence
---@return string? code
function physics:model() end

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
---exchanged next (world:exchange).  One that was not compiled is for replays, whose bodies are on the
---tape.
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
