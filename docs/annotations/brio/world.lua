---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/world/lua_world.c by scripts/docs.lua.

---@class brio.world
local world = {}

---Creates a simulated world with kinematic contact, without masses. docs/behaviors/world.md
---describes the lists. people are {id =, path = {{t, x, y [, z [, yaw]]}, ...}, loop =, height =}, present
---from the first time to the last; objects are {kind =, id =, size =, path =, loop =}. A person's pose is the
---head's, facing where they walk.
---@param fields table
---@return brio.world # world
function world.new(fields) end

---Adds one more person (kind "person") or object (any other kind; default: "object").
---@param fields table
function world:add(fields) end

---Swaps its contents with another world's; the time continues, and things that are in both keep their
---state.
---@param other any
function world:exchange(other) end

---Sets the world's time in seconds; it never decreases.
---@param time number
function world:advance(time) end

---The current report of the world's sensor; empty between two reports of its rate.
---@return table # list of detections
function world:detect() end

---The true pose of a person (the head) or an object now, if it is present.
---@param id string
---@return brio.Pose? # pose or nil
function world:pose(id) end

---The true state of something in addition to its pose: of a thing speed (m/s), held_by (a hand's name, or
---"nobody") and on (the object that it lies on or in: an id, "floor", "hand", "nowhere"); of a door angle
---(rad), speed (rad/s), latched ("yes" or "no"), handle (rad or m it is turned or pressed), held (s for which
---a person still holds it), opened (times it went beyond 1 rad), slips (of hands), passed (bodies that went
---through its panel), pressed and deepest (m of penetration of its panel, now and at most).
---@param id string
---@return any # table or nil
function world:state(id) end

---The fixed or closed object that the robot's body penetrates most, and the depth (m).
---@return any # id, depth or nil
function world:bumped() end

---Moves a thing to another place, at rest and out of any hand; without a height, on top of the objects
---there.
---@param id string
---@param fields table
function world:put(id, fields) end

---Removes a thing from the world, also from a hand.
---@param id string
function world:take(id) end

---Adds an event, as one of the list `events` of world.new.
---@param fields table
function world:happen(fields) end

---The picture of the world's depth camera, when one is due: the pose of its link (or of a camera without a
---link), and a cloud (brio.cloud) in that frame, which the next call overwrites.
---@return brio.Pose # pose, cloud or nothing
function world:look() end

---Moves things until the world's time, without a robot, as a run does in every tick with its robot.
function world:step() end

return world
