---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/lua_scene.c by scripts/docs.lua.

---@class brio.scene
local scene = {}

---Makes an empty scene: an object appears after so many detections, is lost after so many
---seconds without one; an unnamed detection within so many meters of an object is that object;
---positions are smoothed with a time constant in seconds (0: not at all).
---@param fields? table
---@return brio.scene # scene
function scene.new(fields) end

---Takes the detections of one tick, at a time in seconds that never goes back.
---@param time number
---@param detections table
function scene:update(time, detections) end

---What changed in the last update, in order; each change is told once.
---@return table # list of {change = "appeared" or "lost", object = object}
function scene:events() end

---Everything believed to be there, or all of one kind, in the order they appeared. An object is
---{kind, id, number, pose, position, velocity, size, confidence, first_seen, last_seen, sightings,
---time, color, detector, oriented}.
---@param kind? string
---@return table # list of objects
function scene:objects(kind) end

---The object of that id, if it is there.
---@param id string
---@return brio.Object? # object or nil
function scene:find(id) end

---The object (of that kind) nearest to the point `of` (default: the world's origin), at most
---`within` meters away.
---@param kind? string
---@param fields? table
---@return brio.Object? # object or nil
function scene:nearest(kind, fields) end

---Where a frame (a robot's link, or an object by its id) stands in the world.
---@param name string
---@return brio.Pose? # pose or nil
function scene:frame(name) end

---Makes a frame known, once; a name that is known keeps its handle.
---@param name string
---@return integer # handle
function scene:declare_frame(name) end

---Says where a declared frame stands now.
---@param handle integer
---@param pose table
function scene:set_frame(handle, pose) end

---How many detections were refused so far, for bad numbers or for want of room.
---@return number # count
function scene:refused() end

return scene
