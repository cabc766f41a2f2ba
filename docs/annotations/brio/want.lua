---@meta
-- luacheck: ignore 212 241 631
--- Made from the solver's tables by scripts/docs_objectives.lua.

---@class brio.Property
---@class brio.Group

---@class brio.want
local want = {}

---A group of properties that share one rank, at a priority.
---@param priority "low"|"standard"|"high"|"critical"
---@return fun(list: brio.Property[]): brio.Group
function want.group(priority) end

---@class brio.want.position_match
---@field link string The link it is about.
---@field goal number[]|fun(self: brio.Self): number[]? A point: metres along x, y and z of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings the origin of a link to a point of the world.
---@param fields brio.want.position_match
---@return brio.Property
function want.position_match(fields) end

---@class brio.want.orientation_match
---@field link string The link it is about.
---@field goal number[]|fun(self: brio.Self): number[]? A rotation as a quaternion x, y, z, w.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Turns a link as a quaternion in the world says.
---@param fields brio.want.orientation_match
---@return brio.Property
function want.orientation_match(fields) end

---@class brio.want.joint_match
---@field joint string The joint it is about.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings a joint to a value.
---@param fields brio.want.joint_match
---@return brio.Property
function want.joint_match(fields) end

---@class brio.want.joint_limits
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps every joint away from the ends of its range.
---@param fields brio.want.joint_limits
---@return brio.Property
function want.joint_limits(fields) end

---@class brio.want.position_bounding
---@field link string The link it is about.
---@field goal { orientation: number[], position: number[], size: number[] }|fun(self: brio.Self): { orientation: number[], position: number[], size: number[] }? An ellipsoid: its middle, how it is turned, and its half lengths in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the origin of a link within an ellipsoid of the world.
---@param fields brio.want.position_bounding
---@return brio.Property
function want.position_bounding(fields) end

---@class brio.want.joint_velocity_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Slows every joint down: goals are approached without haste.
---@param fields brio.want.joint_velocity_minimization
---@return brio.Property
function want.joint_velocity_minimization(fields) end

---@class brio.want.joint_acceleration_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets every joint change its speed gently.
---@param fields brio.want.joint_acceleration_minimization
---@return brio.Property
function want.joint_acceleration_minimization(fields) end

---@class brio.want.joint_jerk_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets every joint change its acceleration gently.
---@param fields brio.want.joint_jerk_minimization
---@return brio.Property
function want.joint_jerk_minimization(fields) end

---@class brio.want.position_liveliness
---@field link string The link it is about.
---@field frequency? number How fast it wanders; the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field goal number[]|fun(self: brio.Self): number[]? How much along each of three axes: metres, or radians about them.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the origin of a link wander softly about where it is held, up to so many metres on each axis.
---@param fields brio.want.position_liveliness
---@return brio.Property
function want.position_liveliness(fields) end

---@class brio.want.orientation_liveliness
---@field link string The link it is about.
---@field frequency? number How fast it wanders; the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field goal number[]|fun(self: brio.Self): number[]? How much along each of three axes: metres, or radians about them.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a link turn softly about how it is held, up to so many radians about each of its axes.
---@param fields brio.want.orientation_liveliness
---@return brio.Property
function want.orientation_liveliness(fields) end

---@class brio.want.joint_liveliness
---@field joint string The joint it is about.
---@field frequency? number How fast it wanders; the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a joint wander softly about where it is held, up to so many radians or metres.
---@param fields brio.want.joint_liveliness
---@return brio.Property
function want.joint_liveliness(fields) end

---@class brio.want.collision_avoidance
---@field margin? number Nearer than this costs something. (m, 0.001 to 0.3; 0.05 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the robot from touching itself and the shapes in its way.
---@param fields brio.want.collision_avoidance
---@return brio.Property
function want.collision_avoidance(fields) end

return want
