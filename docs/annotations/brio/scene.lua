---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/scene/lua_scene.c by scripts/docs.lua.

---@class brio.scene
local scene = {}

---Makes an empty scene: an object appears after `appear_after` detections, is lost after `lost_after` seconds
---without one; an unnamed detection within `same_within` meters of an object is that object; `smoothing` is
---the time constant of positions in seconds (0: none).
---@param fields? table
---@return brio.scene # scene
function scene.new(fields) end

---Updates the scene with the detections of one tick, at a time in seconds that never decreases.
---@param time number
---@param detections table
function scene:update(time, detections) end

---The changes of the last update, in order; each is returned once.
---@return table # list of {change = "appeared" or "lost", object = object}
function scene:events() end

---Whether scene:events or scene:changes has anything to return.
---@return boolean # true | false
function scene:stirs() end

---All confirmed objects, or those of one kind, in the order they appeared. An object is
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

---The number of rejected detections so far, with invalid numbers or without room.
---@return number # count
function scene:refused() end

---The pose of a frame in the world now, or at a time in seconds: "world", a link of the robot, a declared
---frame, a chosen object by its name, a confirmed one by its id, or a role of the robot. A time is of the
---last 2.5 s, or up to 0.1 s ahead of the newest pose.
---@param name string
---@param time? number
---@return brio.Pose?? # pose or nil, sentence
---@return string? sentence
---@return string? code
function scene:frame(name, time) end

---The pose of the frame `b` in the frame `a`, now or at a time.
---@param a any
---@param b any
---@param time? number
---@return brio.Pose?? # pose or nil, sentence
---@return string? sentence
---@return string? code
function scene:pose(a, b, time) end

---Declares a frame, once, in a frame that was declared before, or in the world; a known name keeps its handle
---and its parent.
---@param name string
---@param parent? any
---@return integer # handle
function scene:declare_frame(name, parent) end

---Sets the pose of a declared frame in its parent: until the next call, or with a time, as a sample of its
---motion.
---@param handle integer
---@param pose table
---@param time? number
function scene:set_frame(handle, pose, time) end

---Gives a declared frame a second name, which is used if no frame has it as its own name.
---@param name string
---@param frame any
---@return boolean?? # true, or nil, sentence, code
---@return string? sentence
---@return string? code
function scene:alias(name, frame) end

---All declared frames, in the order of their declaration: the robot's links first.
---@return table # list of names
function scene:frame_names() end

---The time of the newest update.
---@return number # seconds
function scene:time() end

---A chosen object: {name, kind, origin = "seen", "placed", "derived" or "nominal", source (the detection's
---id), number, pose, position, velocity, size, color, confidence, since, seen, age (s since its pose was
---renewed), oriented, frozen, stale}.
---@param name string
---@return brio.Object? # object or nil
function scene:object(name) end

---Its state as three values, without a table: for calls in every tick.
---@param name string
---@return any # origin, frozen, stale; or nil
function scene:state(name) end

---All chosen objects, or those of one kind, in the order in which they were set up.
---@param kind? string
---@return table # list of objects
function scene:chosen(kind) end

---Sets an object up from a confirmed detection, by its number: it follows that from now on, and is not
---frozen. `orientation` is used if its detections have none.
---@param name string
---@param number number
---@param orientation? any
---@param who? any
---@return brio.Object?? # object, or nil, sentence, code
---@return string? sentence
---@return string? code
function scene:adopt(name, number, orientation, who) end

---Puts an object without a detection: `origin` "placed" (the default), "derived" or "nominal"; `change`
---is the reported change, "placed" (the default), "nudged" or "set_up".
---@param fields table
---@return brio.Object?? # object, or nil, sentence, code
---@return string? sentence
---@return string? code
function scene:put(fields) end

---Freezes a chosen object at its pose, until it is set up again.
---@param name string
---@param who? any
---@return boolean?? # true, or nil, sentence
---@return string? sentence
---@return string? code
function scene:freeze(name, who) end

---Removes a chosen object.
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

---Removes all chosen objects; returns how many there were.
---@param who? any
---@return number # count
function scene:clear(who) end

---Moves a derived object that is not frozen; `stale`: the objects that it is derived from are lost.
---@param name string
---@param pose table
---@param stale? any
function scene:move(name, pose, stale) end

---The changes of chosen objects since the last call, in order: "set_up", "frozen", "deleted", "placed",
---"nudged", "stale" or "seen" (again).
---@return table # list of {change =, time =, who =, object = object}
function scene:changes() end

---Sets how things of a kind (nil: of every kind without settings of its own) are tracked if they are seen for
---the first time from now on; missing fields do not change. alpha: the share of a new detection in the pose
---(smoothing, a time constant in seconds, in place of it); acceptance: the mean confidence for confirmation;
---begins_at: the confidence that begins a track; stability: the rate of detections of a stable one, Hz;
---history: its length in seconds, also the largest delay of a detection; radius: meters around the expected
---position; speed: growth of the radius while the motion is unknown, m/s; moves: false for static things;
---lost_after: seconds; appear_after: detections; confusion: classes that a detector confuses it with: a thing
---reported as cup and bowl in turn stays one.
---@param kind string
---@param fields table
---@return boolean # true
function scene:configure(kind, fields) end

---The settings of a kind.
---@param kind? string
---@return table # {alpha, smoothing, acceptance, begins_at, stability, history, radius, speed, moves, lost_after, appear_after}
function scene:settings(kind) end

---All tracks, also unconfirmed ones. Each has the fields of an object, and track, its number from the first
---detection on; history, the number of detections in it (64 at most); frequency, their rate, Hz;
---mean_confidence; stable, whether rate and confidence exceed its settings. An unconfirmed one has number
---0.
---@param kind? string
---@return table # list of persistent detections
function scene:tracks(kind) end

---The number of rejected detections so far, by reason: invalid numbers; too old; in the future; too many at
---once; no room. clamped counts those from less than 0.5 s in the future, which are used as of now. last is
---the newest rejection in words, if there was one.
---@return table # {bad, late, future, flood, room, clamped, last}
function scene:refusals() end

return scene
