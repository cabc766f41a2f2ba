---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/world/lua_world.c by scripts/docs.lua.

---@class brio.world
local world = {}

---Adds one more person (kind "person") or object (any other kind; "object" where none is given).
---@param fields table
function world:add(fields) end

---Takes what is in another world and leaves it what was here; the time goes on, and things that are in both
---stay as they are.
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

---What is true of something besides its pose: of a thing speed (m/s), held_by (a hand's name, or "nobody")
---and on (what it lies on or in: an id, "floor", "hand", "nowhere"); of a door angle (rad), speed (rad/s),
---latched ("yes" or "no"), handle (rad or m it is turned or pressed), held (s that somebody still holds it),
---opened (times it went beyond 1 rad), slips (of hands), passed (what went through its panel), pressed and
---deepest (m that something is in its panel, now and at most).
---@param id string
---@return any # table or nil
function world:state(id) end

---What the robot's body is in, of what stands still or is shut, and how deep (m): where it is in several, the
---deepest.
---@return any # id, depth or nil
function world:bumped() end

---Puts a thing somewhere else, at rest and out of any hand; without a height, on top of what is there.
---@param id string
---@param fields table
function world:put(id, fields) end

---Takes a thing out of the world, also out of a hand.
---@param id string
function world:take(id) end

---Adds an event, as one of the list `events` of world.new.
---@param fields table
function world:happen(fields) end

---What the world's depth camera sees, when a picture is due: where its link is (the camera itself, where it
---rides on none), and a cloud (brio.cloud) in that frame, which is filled anew by the next look.
---@return brio.Pose # pose, cloud or nothing
function world:look() end

---Lets things move until the world's time, without a robot: what a run does in every tick about its robot.
function world:step() end

return world
