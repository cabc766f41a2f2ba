---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/scene/lua_scene.c by scripts/docs.lua.

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

---How many detections were refused so far, for bad numbers or for want of room.
---@return number # count
function scene:refused() end

---Where a frame stands in the world now, or stood at a time in seconds: "world", a link of the robot, a
---declared frame, a chosen object by its name, what is believed by its id, or a role of the robot. A time is
---of the last 2.5 s, or up to 0.1 s ahead of the newest pose.
---@param name string
---@param time? number
---@return brio.Pose?? # pose or nil, sentence
---@return string? sentence
---@return string? code
function scene:frame(name, time) end

---Where the frame `b` is, as the frame `a` sees it, now or at a time.
---@param a any
---@param b any
---@param time? number
---@return brio.Pose?? # pose or nil, sentence
---@return string? sentence
---@return string? code
function scene:pose(a, b, time) end

---Makes a frame known, once, in a frame that was declared before, or the world; a name that is known keeps
---its handle and its parent.
---@param name string
---@param parent? any
---@return integer # handle
function scene:declare_frame(name, parent) end

---Says where a declared frame stands in its parent: from now on until it is said anew, or as it moves, at a
---time.
---@param handle integer
---@param pose table
---@param time? number
function scene:set_frame(handle, pose, time) end

---Gives a declared frame another name besides, which counts where nothing else is called so.
---@param name string
---@param frame any
---@return boolean?? # true, or nil, sentence, code
---@return string? sentence
---@return string? code
function scene:alias(name, frame) end

---All frames that were declared, in that order: the robot's links first.
---@return table # list of names
function scene:frame_names() end

---When the newest update was.
---@return number # seconds
function scene:time() end

---A chosen object: {name, kind, origin = "seen", "placed", "derived" or "nominal", source (the detection's
---id), number, pose, position, velocity, size, color, confidence, since, seen, age (s since its pose was
---renewed), oriented, frozen, stale}.
---@param name string
---@return brio.Object? # object or nil
function scene:object(name) end

---The same of it in three words, without a table: for whoever asks in every tick.
---@param name string
---@return any # origin, frozen, stale; or nil
function scene:state(name) end

---All chosen objects, or those of one kind, in the order in which they were set up.
---@param kind? string
---@return table # list of objects
function scene:chosen(kind) end

---Sets an object up from what is believed, by its number: it follows that from now on, and is not frozen. The
---orientation is its own where detections have none.
---@param name string
---@param number number
---@param orientation? any
---@param who? any
---@return brio.Object?? # object, or nil, sentence, code
---@return string? sentence
---@return string? code
function scene:adopt(name, number, orientation, who) end

---"nominal"; `change` is what is told of it, "placed" (the default), "nudged" or "set_up".
---@param fields table
---@return brio.Object?? # object, or nil, sentence, code Puts an object where nothing needs to be seen: `origin` "placed" (the default), "derived" or
---@return string? sentence
---@return string? code
function scene:put(fields) end

---From now on a chosen object stays where it is, until it is set up again.
---@param name string
---@param who? any
---@return boolean?? # true, or nil, sentence
---@return string? sentence
---@return string? code
function scene:freeze(name, who) end

---Takes a chosen object off the list.
---@param name string
---@param who? any
---@return boolean?? # true, or nil, sentence
---@return string? sentence
---@return string? code
function scene:delete(name, who) end

---Freezes all chosen objects; returns how many were not frozen.
---@param who? any
---@return number # count
function scene:freeze_all(who) end

---Takes all chosen objects off the list; returns how many there were.
---@param who? any
---@return number # count
function scene:clear(who) end

---Moves a derived object that is not frozen; `stale`: what it is derived from is not seen now.
---@param name string
---@param pose table
---@param stale? any
function scene:move(name, pose, stale) end

---What became of chosen objects since it was asked last, in order: "set_up", "frozen", "deleted", "placed",
---"nudged", "stale" or "seen" (again).
---@return table # list of {change =, time =, who =, object = object}
function scene:changes() end

---Says how things of a kind (nil: of every kind without settings of its own) are tracked that are seen for
---the first time from now on; what is left out stays as it is. alpha: the share of a new detection in the
---pose (smoothing, a time constant in seconds, in place of it); acceptance: the mean confidence from which
---a thing is believed; begins_at: the confidence with which one may begin; stability: how often a stable
---one is seen, Hz; history: seconds that are remembered, also how late a detection may come; radius:
---meters from where it is expected; speed: meters a second it may do while its motion is not known; moves:
---false for what stands still; lost_after: seconds; appear_after: detections; confusion: the classes that
---a detector takes it for: one thing seen as cup and bowl in turn stays one.
---@param kind string
---@param fields table
---@return boolean # true
function scene:configure(kind, fields) end

---The settings that hold for things of a kind.
---@param kind? string
---@return table # {alpha, smoothing, acceptance, begins_at, stability, history, radius, speed, moves, lost_after, appear_after}
function scene:settings(kind) end

---Everything that is tracked, also what is not believed yet. Each is as an object is, with track, its number
---from the first detection on; history, how many detections are remembered (64 at most); frequency, how often
---it was seen, Hz; mean_confidence; stable, whether it was seen more often and more surely than its settings
---ask for. Where it is not believed yet, number is 0.
---@param kind? string
---@return table # list of persistent detections
function scene:tracks(kind) end

---How many detections were refused so far, and why: bad numbers; sensed too long ago; in the future; too many
---at once; no room. clamped counts those from so little in the future that they were taken as of now. last is
---the newest refusal in words, if there was one.
---@return table # {bad, late, future, flood, room, clamped, last}
function scene:refusals() end

return scene
