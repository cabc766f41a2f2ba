---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/cloud/lua_cloud.c by scripts/docs.lua.

---@class brio.cloud
local cloud = {}

---Frees the cloud's memory at once; it cannot be used afterwards. Otherwise the garbage collector does so, or
---a variable declared `<close>`.
function cloud:close() end

---Reads a cloud from a file: PCD (ascii, binary, compressed), PLY (ascii, binary) or a raw frame, recognized
---by its first bytes. `axes`: directions of its x, y and z, three of forward, back, left, right, up, down, as
---"right down forward", or one of robot, optical, opengl, unity (default: robot, which is forward left up);
---`unit`: m per unit of the file (1); `limit`: most points (16 million). Codes: no_file, io, format, limit,
---no_memory.
---@param path string
---@param fields? table
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud.read(path, fields) end

---The same from the bytes of such a file or of a raw frame. Codes: format, limit, no_memory.
---@param bytes any
---@param fields? table
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud.parse(bytes, fields) end

---Makes a cloud of points in m; a number that is not finite (0/0) marks a place without a point. `colors`:
---for each {red, green, blue} from 0 to 1; `labels`: for each a whole number; `width`: columns of an
---organized cloud, row by row; `time`: s; `frame`: name of the frame it is seen from; `viewpoint`: the
---sensor's pose in it.
---@param fields table
---@return brio.cloud # cloud
function cloud.new(fields) end

---Serializes a cloud without its time, bit for bit, for this machine type.
---@param cloud any
---@return string # text
function cloud.pack(cloud) end

---The cloud of a text from cloud.pack, seen at `time` (s; nil: unknown). With `into` that cloud is
---overwritten. Codes: format, limit, no_memory.
---@param text string
---@param time? number
---@param into? any
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud.unpack(text, time, into) end

---Its properties: count (places, with and without a point; also #cloud), missing (places without one), far
---(of those: points beyond 100 km, removed), unread (bytes of a file after the points), width, height,
---organized, colors and labels (whether it has any), frame, viewpoint, time (s; nil: unknown), and the
---corners of the box around all points, lower and upper ({x, y, z}; nil: there are no points).
---@return any # table
function cloud:facts() end

---The name of the frame it is seen from ("": unknown) and the time, s (nil: unknown).
---@return any # frame, time
function cloud:source() end

---The content of a place, counted from 1: its point, {red, green, blue} from 0 to 1 and its label, each nil
---if absent.
---@param place any
---@return number[] # {x, y, z}, color, label | nil
function cloud:point(place) end

---How many points have each label; empty without labels.
---@return table # {[label] = count}
function cloud:labels() end

---The cloud as a raw frame, as senders put it on a socket (docs/perception/clouds.md); `number` is the
---frame's (0).
---@param number? number
---@return any # bytes
function cloud:frame(number) end

---Thins it: one point for each nonempty cube of that side (m) in a grid, the mean of positions and colors and
---the label of the majority. Codes: no_memory.
---@param size number
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:voxels(size) end

---The same points in another frame, named `frame`: `pose` is the pose of this cloud's frame in it. Codes:
---no_memory.
---@param pose table
---@param frame? any
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:transform(pose, frame) end

---The points with that label. Codes: no_memory.
---@param label any
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:labelled(label) end

---The planes in it, by number of points, descending: {normal (towards the sensor), offset (normal . p), pose
---(middle of the least rectangle around it, z the normal, x along its longer side), size ({x, y}), area
---(of the hull), error (root mean square of its points), noise (of the cloud there), points, hull
---(corners in order)}; m. The tolerance of a point is measured in the cloud, or given as `tolerance`.
---Parts within `gap` (0.25 m) are one plane. `least` points (one in 200), `most` planes (128). With `tilt`
---(rad) only planes whose normal is within it of `up` ({0, 0, 1}), with `lean` (rad) only those whose normal
---is within it of level. With `labels = true` the second result is the cloud with each point's plane as its
---label, 0 for none. Codes: unreachable (no points), limit, no_memory.
---@param how? any
---@return table? # list [, cloud] | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:planes(how) end

---The straight edges of its planes of at least `length` (0.15 m): {from, to, plane, other (numbers in the
---second result, which is cloud:planes'), kind, error, share (of its length that follows the line), open,
---hidden, unseen (shares of the sensor's rays beyond the edge)}. Kinds: rim (the surface ends), crease
---(another plane continues), hidden (an object in front of it), unseen (perhaps only the edge of the view).
---Codes: as cloud:planes.
---@param how? any
---@return table? # list, planes | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:edges(how) end

---Clusters: connected points, by number of points, descending: {pose (middle of the least upright box
---around it, x along its longer side), size ({x, y, z}), center (mean of the points), color (mean, nil
---without colors), points}; m. Points within `distance` (0.02, or 2.5 times the distance between points)
---belong to one cluster. Only clusters of `least` (100, or one in 2000 of the points, but 10) to `most`
---points. With `above`, a plane of cloud:planes, only points over its hull, from `low` (4 times the noise,
---but 0.01) to `high` (0.6) m over it. Boxes are aligned with `up` (the plane's normal, or {0, 0, 1}). With
---`labels = true` the second result is the cloud with each point's cluster as its label, 0 for none. Codes:
---unreachable (no points), limit, no_memory.
---@param how? any
---@return table? # list [, cloud] | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:clusters(how) end

---Surface normals: a cloud of as many places whose "points" are unit normals towards the sensor, none where a
---point has too few neighbors. `radius` (m): of the neighborhood; default: 7 by 7 pixels of an organized
---cloud, about 8 points of another. Codes: unreachable (no points), limit, no_memory.
---@param radius? any
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:normals(radius) end

---The edge of the table in front of the robot at the pose `from` (on the ground, x forward, z up;
---the cloud's own frame): {pose (on the ground below the middle of the edge, x into the table at right
---angles to it, z up), left, right (its ends), normal (of the top), height, length, error, share, points,
---swept = {left =, right =} (m forward, nil: never), swept_points = {left =, right =}, open, hidden,
---unseen (shares of the sensor's rays in front of the edge)}. Two upright capsules of `radius` (0.05) from
---`low` (0.5) to `high` (1.1) over the ground and `side` (0.3) to the left and right are swept from
---`start` (0.05) by `step` (0.01) to `far` (3) until `least` points are in them (300, or one in 1000).
---The edge is that of the level plane (within `tilt`, 0.2 rad) that begins nearest, followed to `reach`
---(0.7) on either side. Codes: unreachable (the sentence names what is missing), limit, no_memory.
---@param how? any
---@return any? # table | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:table_edge(how) end

---The panel of a door: {pose (z up, x level along it: towards the hinge if that is known, else to the
---right as seen from the sensor; its origin is the handle's foot, or the middle), normal (level, towards
---the sensor), left, right (middles of its upright edges), width, height (nil: the plane continues, a wall
---in line with it), error, points, score, hinge ("left", "right" or nil), told_by (handle, ajar, knob,
---unknown)}. With `near`, the detected position of its handle, the panel there, whose middle is within
---`within` (2 m); else all upright planes that may be doors, likeliest first, in the second result.
---`width` ({0.55, 1.4}) and `height` ({1.3, 2.7}) are the ranges for doors, `lean` (0.15 rad) is the
---largest angle to `up`. Codes: unreachable (the sentence names what is missing), limit, no_memory.
---@param how? any
---@return any? # door, list | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:door_panel(how) end

---The posts of the frame that a panel of `width` hangs in: {hinge, latch (poses of their middles, x from
---hinge to latch, z up), angle (how far the panel is open about z, 0: shut), points (in the latch's
---capsule), counts (in each capsule of the fan)}. `panel` is the pose of its latch edge or handle, x
---level to the hinge, z up. The hinge's post is `post` (0.04 m) beyond the panel; the latch's is where,
---`span` (width + 2 post) from it, a fan of upright capsules of `radius` (0.07), `widest` (pi/2) to
---either side in steps of pi/36, from `low` (-0.7) to `high` (0.7), has the most points that are not the
---panel's, and at least `least` (1000, or one in 300). Codes: unreachable (the sentence has their number),
---no_memory.
---@param how any
---@return any? # frame | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:door_frame(how) end

---Calls a method in a thread, because it takes longer than a tick allows, on a copy of the cloud: method
---is "table_edge", "door_panel", "door_frame", "planes", "edges" or "clusters", options are that method's.
---job:done() returns whether it is done, job:result([wait]) its results, or nothing while it is not done
---(with `wait` it blocks until then). Codes: limit, no_memory.
---@param method any
---@param options? table
---@return any? # job | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:later(method, options) end

---A picture of clouds as width x height times red, green and blue, for canvas:image. Points are squares of
---`size` pixels (1), the nearest on top, each layer in its `color` or its points' own; without any, or with
---`heights`, colored by height from blue (low) to red (high). `view`: three rows of four numbers; the point
---{x, y, z, 1} times these gives the column and the row in pixels and the distance; with `perspective` the
---first two are divided by the third. `color`: of the background (black). `shade`: points beside nearer ones
---are darker, so that shapes are visible without colors. Codes: no_memory.
---@param fields table
---@return any? # bytes | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud.paint(fields) end

---A sample of at most `most` (20000) points for viewers, spread over the places of the cloud: base64 of
---x, y, z of each as 16-bit whole numbers, little-endian, in steps of `step` m (0.001, or 0.01 where a
---coordinate of the sample exceeds 32 m; farther ones are left out). O(most).
---@param cloud any
---@param most any
---@return string # text, count, step
function cloud.sketch(cloud, most) end

---Builds the index now rather than at the first query. Codes: no_memory.
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:index() end

---The number of points in a solid {kind =, size =, pose =}, or in a union {kind = "union", shapes = {...}},
---that stands at `pose` in the cloud's frame, and their mean color from 0 to 1 (nil: no points or no colors).
---Kinds: sphere, box, capsule, cylinder, half_space. The surface belongs to the solid. Codes: no_memory.
---@param solid any
---@param pose? table
---@return number? # count, {red, green, blue} | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:count(solid, pose) end

---The places of the points in the solid, counted from 1, ascending. Codes: no_memory.
---@param solid any
---@param pose? table
---@return table? # list of places | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:list(solid, pose) end

---A new cloud of the points in the solid or union. Codes: no_memory.
---@param solid any
---@param pose? table
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:crop(solid, pose) end

---A new cloud of all points but those. Codes: no_memory.
---@param solid any
---@param pose? table
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:without(solid, pose) end

return cloud
