---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/lua_cloud.c by scripts/docs.lua.

---@class brio.cloud
local cloud = {}

---Gives the cloud's memory back at once; it cannot be used any more. The collector does it otherwise, and a
---variable declared `<close>`.
function cloud:close() end

---A cloud from a file: PCD (ascii, binary, compressed), PLY (ascii, binary) or a raw frame, told by how it begins.
---`axes`: where its x, y and z point, three of forward, back, left, right, up, down, as "right down forward", or one
---of robot, optical, opengl, unity (default: robot, which is forward left up); `unit`: m that its 1 stands for (1);
---`limit`: most points (16 million). Codes: no_file, io, format, limit, no_memory.
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

---A cloud of points in m; where a number is not finite (0/0) there is no point. `colors`: for each {red, green, blue}
---from 0 to 1; `labels`: for each a whole number; `width`: columns of an organized cloud, row by row; `time`: s;
---`frame`: what it is seen from, by name; `viewpoint`: the sensor's pose in it.
---@param fields table
---@return brio.cloud # cloud
function cloud.new(fields) end

---What it is: count (places, with and without a point; also #cloud), missing (places without one), far (of those:
---points beyond 100 km, taken out), unread (bytes of a file behind the points), width, height, organized, colors
---and labels (whether it has any), frame, viewpoint, time (s; nil: not known), and the corners of the box around all
---points, lower and upper ({x, y, z}; nil: there are no points).
---@return any # table
function cloud:facts() end

---What stands at a place, counted from 1: its point, {red, green, blue} from 0 to 1 and its label, each nil where
---there is none.
---@param place any
---@return number[] # {x, y, z}, color, label | nil
function cloud:point(place) end

---How many points have each label; empty without labels.
---@return table # {[label] = count}
function cloud:labels() end

---The cloud as a raw frame, as senders put it on a socket (docs/clouds.md); `number` is the frame's (0).
---@param number? number
---@return any # bytes
function cloud:frame(number) end

---Thins it: one point for each cube of that side (m) in a grid that holds any, the mean of their places and colors
---and the label that most have. Codes: no_memory.
---@param size number
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:voxels(size) end

---The same points seen from another frame, whose name `frame` is: `pose` is where this cloud's frame stands in it.
---Codes: no_memory.
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

---Builds what counting needs, now rather than at the first count. Codes: no_memory.
---@return brio.cloud? # cloud | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:index() end

---How many points are in a solid {kind =, size =, pose =}, or in a union {kind = "union", shapes = {...}}, that
---stands at `pose` in the cloud's frame, and their mean color from 0 to 1 (nil: there are no points or no colors).
---Kinds: sphere, box, capsule, cylinder, half_space. The surface belongs to the solid. Codes: no_memory.
---@param solid any
---@param pose? table
---@return number? # count, {red, green, blue} | nil, sentence, code
---@return string? sentence
---@return string? code
function cloud:count(solid, pose) end

---Which points these are: their places, counted from 1, in rising order. Codes: no_memory.
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
