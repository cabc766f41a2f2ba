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

---@class brio.want.pose_match
---@field link string The link it is about.
---@field position_tolerance? number[] How far off along each axis of the goal is as good. (m, 0 to 1000; {0, 0, 0} unless said)
---@field rotation_tolerance? number[] How far turned about each axis of the goal is as good. (rad, 0 to 3.15; {0, 0, 0} unless said)
---@field lever? number How many meters off are as bad as one radian off. (m/rad, 0.01 to 10; 0.5 unless said)
---@field goal { orientation: number[], position: number[] }|fun(self: brio.Self): { orientation: number[], position: number[] }? A pose: a point in meters, and how it is turned (left out: not at all).
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings a link to a pose, with so much play along and about each axis of the goal.
---@param fields brio.want.pose_match
---@return brio.Property
function want.pose_match(fields) end

---@class brio.want.joint_match
---@field joint string The joint it is about.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings a joint to a value.
---@param fields brio.want.joint_match
---@return brio.Property
function want.joint_match(fields) end

---@class brio.want.joint_follow
---@field joint string The joint it is about.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Takes a joint along a goal that changes from tick to tick, without lag: for tracks of motion.
---@param fields brio.want.joint_follow
---@return brio.Property
function want.joint_follow(fields) end

---@class brio.want.distance_match
---@field link1 string The first link.
---@field link2 string The second link.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings the origins of two links to a distance from each other.
---@param fields brio.want.distance_match
---@return brio.Property
function want.distance_match(fields) end

---@class brio.want.look_at
---@field link string The link it is about.
---@field target? string A link to look at: the goal is then a point in its frame.
---@field axis? number[] Which axis of the link looks, in the link's frame. (1, -1e+06 to 1e+06; {1, 0, 0} unless said)
---@field up? number[] Which direction of the link should stay up as far as it can. (1, -1e+06 to 1e+06; {0, 0, 1} unless said)
---@field point? number[] Which point of the link it is about, in the link's frame. (m, -1000 to 1000; {0, 0, 0} unless said)
---@field roll? number How much a level view counts beside the aim; 0: not at all. (1, 0 to 10; 0.2 unless said)
---@field goal number[]|fun(self: brio.Self): number[]? A point: metres along x, y and z of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Aims an axis of a link at a point of the world, or at a point of another link, level if it can.
---@param fields brio.want.look_at
---@return brio.Property
function want.look_at(fields) end

---@class brio.want.keep_upright
---@field link string The link it is about.
---@field axis? number[] Which axis of the link is to point up, in the link's frame. (1, -1e+06 to 1e+06; {0, 0, 1} unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps an axis of a link pointing up, whichever way the link faces.
---@param fields brio.want.keep_upright
---@return brio.Property
function want.keep_upright(fields) end

---@class brio.want.link_line
---@field link string The link it is about.
---@field point? number[] Which point of the link it is about, in the link's frame. (m, -1000 to 1000; {0, 0, 0} unless said)
---@field goal { direction: number[], position: number[] }|fun(self: brio.Self): { direction: number[], position: number[] }? A line: a point that it goes through, in meters, and its direction, of any length.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a point of a link on a line of the world; along it the link may move.
---@param fields brio.want.link_line
---@return brio.Property
function want.link_line(fields) end

---@class brio.want.links_in_line
---@field link string The link it is about.
---@field link1 string The first link of the line.
---@field link2 string The second link of the line.
---@field point? number[] Which point of the link it is about, in the link's frame. (m, -1000 to 1000; {0, 0, 0} unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a point of a link on the line through the origins of two other links.
---@param fields brio.want.links_in_line
---@return brio.Property
function want.links_in_line(fields) end

---@class brio.want.joint_coupling
---@field joint1 string The first joint.
---@field factor1? number What the first joint's value is multiplied with. (1, -1000 to 1000; 1 unless said)
---@field joint2? string The second joint.
---@field factor2? number What the second joint's value is multiplied with. (1, -1000 to 1000; 1 unless said)
---@field joint3? string The third joint.
---@field factor3? number What the third joint's value is multiplied with. (1, -1000 to 1000; 1 unless said)
---@field joint4? string The fourth joint.
---@field factor4? number What the fourth joint's value is multiplied with. (1, -1000 to 1000; 1 unless said)
---@field joint5? string The fifth joint.
---@field factor5? number What the fifth joint's value is multiplied with. (1, -1000 to 1000; 1 unless said)
---@field joint6? string The sixth joint.
---@field factor6? number What the sixth joint's value is multiplied with. (1, -1000 to 1000; 1 unless said)
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a sum of joints, each times a factor, at a value.
---@param fields brio.want.joint_coupling
---@return brio.Property
function want.joint_coupling(fields) end

---@class brio.want.position_mirroring
---@field link1 string The first link.
---@field link2 string The second link.
---@field goal number[]|fun(self: brio.Self): number[]? A point: metres along x, y and z of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the origin of the first link at an offset, along the axes of the world, from the second.
---@param fields brio.want.position_mirroring
---@return brio.Property
function want.position_mirroring(fields) end

---@class brio.want.orientation_mirroring
---@field link1 string The first link.
---@field link2 string The second link.
---@field goal number[]|fun(self: brio.Self): number[]? A rotation as a quaternion x, y, z, w.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the second link turned by a rotation, in the world, from the first.
---@param fields brio.want.orientation_mirroring
---@return brio.Property
function want.orientation_mirroring(fields) end

---@class brio.want.joint_mirroring
---@field joint1 string The first joint.
---@field joint2 string The second joint.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the second joint at the value of the first, and so much more.
---@param fields brio.want.joint_mirroring
---@return brio.Property
function want.joint_mirroring(fields) end

---@class brio.want.position_bounding
---@field link string The link it is about.
---@field goal { orientation: number[], position: number[], size: number[] }|fun(self: brio.Self): { orientation: number[], position: number[], size: number[] }? An ellipsoid: its middle, how it is turned, and its half lengths in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the origin of a link within an ellipsoid of the world.
---@param fields brio.want.position_bounding
---@return brio.Property
function want.position_bounding(fields) end

---@class brio.want.orientation_bounding
---@field link string The link it is about.
---@field goal { delta: number, orientation: number[] }|fun(self: brio.Self): { delta: number, orientation: number[] }? A rotation and the angle in radians away from it that is still good.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a link turned within a cone of rotations.
---@param fields brio.want.orientation_bounding
---@return brio.Property
function want.orientation_bounding(fields) end

---@class brio.want.joint_bounding
---@field joint string The joint it is about.
---@field goal { delta: number, value: number }|fun(self: brio.Self): { delta: number, value: number }? A number and how far from it is still good.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a joint within a range about a value.
---@param fields brio.want.joint_bounding
---@return brio.Property
function want.joint_bounding(fields) end

---@class brio.want.joint_limits
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps every joint away from the ends of its range.
---@param fields brio.want.joint_limits
---@return brio.Property
function want.joint_limits(fields) end

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

---@class brio.want.origin_velocity_minimization
---@field lever? number How many meters of the base's way count as much as one radian of its turn. (m/rad, 0 to 100; 0.5 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the base move and turn without haste.
---@param fields brio.want.origin_velocity_minimization
---@return brio.Property
function want.origin_velocity_minimization(fields) end

---@class brio.want.origin_acceleration_minimization
---@field lever? number How many meters of the base's way count as much as one radian of its turn. (m/rad, 0 to 100; 0.5 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the base change its speed, and that of its turning, gently.
---@param fields brio.want.origin_acceleration_minimization
---@return brio.Property
function want.origin_acceleration_minimization(fields) end

---@class brio.want.origin_jerk_minimization
---@field lever? number How many meters of the base's way count as much as one radian of its turn. (m/rad, 0 to 100; 0.5 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the base change its acceleration gently.
---@param fields brio.want.origin_jerk_minimization
---@return brio.Property
function want.origin_jerk_minimization(fields) end

---@class brio.want.link_velocity_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the links of the robot go without haste, the farther they reach the more so.
---@param fields brio.want.link_velocity_minimization
---@return brio.Property
function want.link_velocity_minimization(fields) end

---@class brio.want.link_acceleration_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the links of the robot change their speed gently.
---@param fields brio.want.link_acceleration_minimization
---@return brio.Property
function want.link_acceleration_minimization(fields) end

---@class brio.want.link_jerk_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the links of the robot change their acceleration gently.
---@param fields brio.want.link_jerk_minimization
---@return brio.Property
function want.link_jerk_minimization(fields) end

---@class brio.want.smoothness_macro
---@field joints? boolean Whether joints are to move smoothly.
---@field origin? boolean Whether the base is; it counts nothing where it is fixed.
---@field links? boolean Whether links are.
---@field lever? number How many meters of the base's way count as much as one radian of its turn. (m/rad, 0 to 100; 0.5 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets everything move smoothly: joints, links, and if asked the base.
---@param fields brio.want.smoothness_macro
---@return brio.Property
function want.smoothness_macro(fields) end

---@class brio.want.collision_avoidance
---@field margin? number Nearer than this costs something. (m, 0.001 to 0.3; 0.02 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the robot from touching itself and the shapes in its way.
---@param fields brio.want.collision_avoidance
---@return brio.Property
function want.collision_avoidance(fields) end

---@class brio.want.nominal_posture
---@field here? boolean Whether to stay near the posture of the moment it was first wanted.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the whole posture near the neutral one, or near that of the beginning, where other goals leave it open.
---@param fields brio.want.nominal_posture
---@return brio.Property
function want.nominal_posture(fields) end

---@class brio.want.manipulability
---@field link string The link it is about.
---@field turns? boolean Whether it should be easy to turn as well as to move.
---@field softness? number A way that moves less than this for each radian of the joints is hard. (m/rad, 0.001 to 10; 0.05 unless said)
---@field lever? number How many meters moved are as good as one radian turned. (m/rad, 0.01 to 10; 0.2 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a link where it can be moved and turned every way, away from singular poses.
---@param fields brio.want.manipulability
---@return brio.Property
function want.manipulability(fields) end

---@class brio.want.position_liveliness
---@field link string The link it is about.
---@field frequency? number How fast it wanders (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field octaves? number How many noises are summed, each twice as fast as the one before. (1, 1 to 8; 1 unless said)
---@field beta? number With several octaves: how their power falls with frequency, as 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field goal number[]|fun(self: brio.Self): number[]? How much along each of three axes: metres, or radians about them.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the origin of a link wander softly about where it is held, up to so many meters on each axis.
---@param fields brio.want.position_liveliness
---@return brio.Property
function want.position_liveliness(fields) end

---@class brio.want.orientation_liveliness
---@field link string The link it is about.
---@field frequency? number How fast it wanders (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field octaves? number How many noises are summed, each twice as fast as the one before. (1, 1 to 8; 1 unless said)
---@field beta? number With several octaves: how their power falls with frequency, as 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field goal number[]|fun(self: brio.Self): number[]? How much along each of three axes: metres, or radians about them.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a link turn softly about how it is held, up to so many radians about each of its axes.
---@param fields brio.want.orientation_liveliness
---@return brio.Property
function want.orientation_liveliness(fields) end

---@class brio.want.joint_liveliness
---@field joint string The joint it is about.
---@field frequency? number How fast it wanders (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field octaves? number How many noises are summed, each twice as fast as the one before. (1, 1 to 8; 1 unless said)
---@field beta? number With several octaves: how their power falls with frequency, as 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a joint wander softly about where it is held, up to so many radians or meters.
---@param fields brio.want.joint_liveliness
---@return brio.Property
function want.joint_liveliness(fields) end

---@class brio.want.relative_motion_liveliness
---@field link1 string The first link.
---@field link2 string The second link.
---@field frequency? number How fast it wanders (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field octaves? number How many noises are summed, each twice as fast as the one before. (1, 1 to 8; 1 unless said)
---@field beta? number With several octaves: how their power falls with frequency, as 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in metres.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets two links come softly nearer and go apart again, up to so many meters.
---@param fields brio.want.relative_motion_liveliness
---@return brio.Property
function want.relative_motion_liveliness(fields) end

---@class brio.want.perspective_noise
---@field link string The link it is about.
---@field axis? number[] Which axis of the link looks, in the link's frame. (1, -1e+06 to 1e+06; {1, 0, 0} unless said)
---@field frequency? number How fast it wanders (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001 to 20; 0.25 unless said)
---@field octaves? number How many noises are summed, each twice as fast as the one before. (1, 1 to 8; 1 unless said)
---@field beta? number With several octaves: how their power falls with frequency, as 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field goal { focus: number, shift: number[], turn: number[] }|fun(self: brio.Self): { focus: number, shift: number[], turn: number[] }? How far away the focus is, in meters, how much the view may turn about it, in radians about each axis of the link, and how much the focus itself may shift, in meters along each axis of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a link look at what it is held on from ever new sides: it moves softly about a focus ahead of it.
---@param fields brio.want.perspective_noise
---@return brio.Property
function want.perspective_noise(fields) end

---@class brio.want.gravity
---@field link string The link it is about.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Pulls the origin of a link down, weakly and steadily.
---@param fields brio.want.gravity
---@return brio.Property
function want.gravity(fields) end

---@class brio.want.gravity_effort
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Prefers poses that are light to hold: joint torques against gravity, as shares of what the joints can give.
---@param fields brio.want.gravity_effort
---@return brio.Property
function want.gravity_effort(fields) end

---@class brio.want.center_of_mass_match
---@field horizontal? boolean Whether its height does not matter.
---@field goal number[]|fun(self: brio.Self): number[]? A point: metres along x, y and z of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings the center of mass of the robot to a point of the world, or above it.
---@param fields brio.want.center_of_mass_match
---@return brio.Property
function want.center_of_mass_match(fields) end

---@class brio.want.center_of_mass_support
---@field margin? number How far inside of the area it should at least be. (m, 0 to 10; 0.02 unless said)
---@field goal number[]|fun(self: brio.Self): number[]? A list of 1 to 64 points in metres; how many may change from goal to goal.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the center of mass above the area that points on the ground span, a margin inside of it.
---@param fields brio.want.center_of_mass_support
---@return brio.Property
function want.center_of_mass_support(fields) end

return want
