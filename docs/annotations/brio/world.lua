---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/lua_world.c by scripts/docs.lua.

---@class brio.world
local world = {}

---Makes a simulated world: a stage without mass or contact.  sensor is {pose =, range =, view =,
---noise =, dropout =, rate =}; people are {id =, path = {{t, x, y [, z [, yaw]]}, ...}, loop =,
---height =}, there from the first time to the last; objects are {kind =, id =, size =, path =,
---loop =}.  A person's pose is the head's, facing where they walk.
---@param fields table
---@return brio.world # world
function world.new(fields) end

---Adds one more person (kind "person") or object (any other kind; "object" where none is given).
---@param fields table
function world:add(fields) end

---Takes what is in another world (sensor, people and objects) and leaves it what was here; the time goes on.
---@param other any
function world:exchange(other) end

---Sets the world's time in seconds; it only goes forward.
---@param time number
function world:advance(time) end

---What the world's sensor reports now; nothing between two reports of its rate.
---@return table # list of detections
function world:detect() end

---Where a person (the head) or an object truly is now, if it is there.
---@param id string
---@return brio.Pose? # pose or nil
function world:pose(id) end

return world
