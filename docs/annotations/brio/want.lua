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
---@field link string The link.
---@field goal number[]|fun(self: brio.Self): number[]? A point: meters along x, y and z of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings the origin of a link to a point of the world.
---@param fields brio.want.position_match
---@return brio.Property
function want.position_match(fields) end

---@class brio.want.orientation_match
---@field link string The link.
---@field goal number[]|fun(self: brio.Self): number[]? A rotation as a quaternion x, y, z, w.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Turns a link to an orientation in the world, a quaternion.
---@param fields brio.want.orientation_match
---@return brio.Property
function want.orientation_match(fields) end

---@class brio.want.pose_match
---@field link string The link.
--- Permitted error along each axis of the goal. (m, 0 to 1000; {0, 0, 0} unless said)
---@field position_tolerance? number[]
--- Permitted rotation about each axis of the goal. (rad, 0 to 3.15; {0, 0, 0} unless said)
---@field rotation_tolerance? number[]
--- Meters of error that cost as much as one radian of error. (m/rad, 0.01 to 10; 0.5 unless said)
---@field lever? number
--- A pose: a point in meters, and an orientation (default: that of the world).
---@field goal { orientation: number[], position: number[] }|fun(self: brio.Self): { orientation: number[], position: number[] }?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings a link to a pose, with a tolerance along and about each axis of the goal.
---@param fields brio.want.pose_match
---@return brio.Property
function want.pose_match(fields) end

---@class brio.want.joint_match
---@field joint string The joint.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in meters.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings a joint to a value.
---@param fields brio.want.joint_match
---@return brio.Property
function want.joint_match(fields) end

---@class brio.want.joint_follow
---@field joint string The joint.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in meters.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Moves a joint along a goal that changes in each tick, without lag: for tracks of motion.
---@param fields brio.want.joint_follow
---@return brio.Property
function want.joint_follow(fields) end

---@class brio.want.distance_match
---@field link1 string The first link.
---@field link2 string The second link.
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in meters.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings the origins of two links to a distance from each other.
---@param fields brio.want.distance_match
---@return brio.Property
function want.distance_match(fields) end

---@class brio.want.look_at
---@field link string The link.
---@field target? string A link to look at: the goal is then a point in its frame.
--- Which axis of the link looks, in the link's frame. (1, -1e+06 to 1e+06; {1, 0, 0} unless said)
---@field axis? number[]
--- Which direction of the link should stay up as far as it can. (1, -1e+06 to 1e+06; {0, 0, 1} unless said)
---@field up? number[]
--- The point of the link, in the link's frame. (m, -1000 to 1000; {0, 0, 0} unless said)
---@field point? number[]
---@field roll? number Weight of a level view relative to the aim; 0: none. (1, 0 to 10; 0.2 unless said)
---@field goal number[]|fun(self: brio.Self): number[]? A point: meters along x, y and z of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Aims an axis of a link at a point of the world, or at a point of another link, level if it can.
---@param fields brio.want.look_at
---@return brio.Property
function want.look_at(fields) end

---@class brio.want.keep_upright
---@field link string The link.
--- Which axis of the link is to point up, in the link's frame. (1, -1e+06 to 1e+06; {0, 0, 1} unless said)
---@field axis? number[]
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps an axis of a link pointing up, whichever way the link faces.
---@param fields brio.want.keep_upright
---@return brio.Property
function want.keep_upright(fields) end

---@class brio.want.link_line
---@field link string The link.
--- The point of the link, in the link's frame. (m, -1000 to 1000; {0, 0, 0} unless said)
---@field point? number[]
--- A line: a point on it, in meters, and its direction, of any length.
---@field goal { direction: number[], position: number[] }|fun(self: brio.Self): { direction: number[], position: number[] }?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a point of a link on a line of the world; along it the link may move.
---@param fields brio.want.link_line
---@return brio.Property
function want.link_line(fields) end

---@class brio.want.links_in_line
---@field link string The link.
---@field link1 string The first link of the line.
---@field link2 string The second link of the line.
--- The point of the link, in the link's frame. (m, -1000 to 1000; {0, 0, 0} unless said)
---@field point? number[]
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
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in meters.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a weighted sum of joints at a value.
---@param fields brio.want.joint_coupling
---@return brio.Property
function want.joint_coupling(fields) end

---@class brio.want.position_mirroring
---@field link1 string The first link.
---@field link2 string The second link.
---@field goal number[]|fun(self: brio.Self): number[]? A point: meters along x, y and z of the world.
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
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in meters.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the second joint at the value of the first plus an offset.
---@param fields brio.want.joint_mirroring
---@return brio.Property
function want.joint_mirroring(fields) end

---@class brio.want.position_bounding
---@field link string The link.
--- An ellipsoid: its center, its orientation, and its half lengths in meters.
---@field goal { orientation: number[], position: number[], size: number[] }|fun(self: brio.Self): { orientation: number[], position: number[], size: number[] }?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the origin of a link within an ellipsoid of the world.
---@param fields brio.want.position_bounding
---@return brio.Property
function want.position_bounding(fields) end

---@class brio.want.orientation_bounding
---@field link string The link.
--- A rotation, and the permitted angle from it in radians.
---@field goal { delta: number, orientation: number[] }|fun(self: brio.Self): { delta: number, orientation: number[] }?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a link turned within a cone of rotations.
---@param fields brio.want.orientation_bounding
---@return brio.Property
function want.orientation_bounding(fields) end

---@class brio.want.joint_bounding
---@field joint string The joint.
--- A number, and the permitted deviation from it.
---@field goal { delta: number, value: number }|fun(self: brio.Self): { delta: number, value: number }?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a joint within a range about a value.
---@param fields brio.want.joint_bounding
---@return brio.Property
function want.joint_bounding(fields) end

---@class brio.want.joint_limits
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps every joint away from the ends of its range, except those that shut a hand.
---@param fields brio.want.joint_limits
---@return brio.Property
function want.joint_limits(fields) end

---@class brio.want.joint_velocity_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the velocities of all joints small, so goals are approached slowly.
---@param fields brio.want.joint_velocity_minimization
---@return brio.Property
function want.joint_velocity_minimization(fields) end

---@class brio.want.joint_acceleration_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the accelerations of all joints small.
---@param fields brio.want.joint_acceleration_minimization
---@return brio.Property
function want.joint_acceleration_minimization(fields) end

---@class brio.want.joint_jerk_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the jerks of all joints small.
---@param fields brio.want.joint_jerk_minimization
---@return brio.Property
function want.joint_jerk_minimization(fields) end

---@class brio.want.origin_velocity_minimization
--- Meters of the base's motion that count as much as one radian of its rotation. (m/rad, 0 to 100; 0.5 unless
--- said)
---@field lever? number
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the linear and angular velocity of the base small.
---@param fields brio.want.origin_velocity_minimization
---@return brio.Property
function want.origin_velocity_minimization(fields) end

---@class brio.want.origin_acceleration_minimization
--- Meters of the base's motion that count as much as one radian of its rotation. (m/rad, 0 to 100; 0.5 unless
--- said)
---@field lever? number
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the linear and angular acceleration of the base small.
---@param fields brio.want.origin_acceleration_minimization
---@return brio.Property
function want.origin_acceleration_minimization(fields) end

---@class brio.want.origin_jerk_minimization
--- Meters of the base's motion that count as much as one radian of its rotation. (m/rad, 0 to 100; 0.5 unless
--- said)
---@field lever? number
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the jerk of the base small.
---@param fields brio.want.origin_jerk_minimization
---@return brio.Property
function want.origin_jerk_minimization(fields) end

---@class brio.want.link_velocity_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the velocities of all links small, those of distant links most.
---@param fields brio.want.link_velocity_minimization
---@return brio.Property
function want.link_velocity_minimization(fields) end

---@class brio.want.link_acceleration_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the accelerations of all links small.
---@param fields brio.want.link_acceleration_minimization
---@return brio.Property
function want.link_acceleration_minimization(fields) end

---@class brio.want.link_jerk_minimization
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the jerks of all links small.
---@param fields brio.want.link_jerk_minimization
---@return brio.Property
function want.link_jerk_minimization(fields) end

---@class brio.want.smoothness_macro
---@field joints? boolean Whether joints are to move smoothly.
---@field origin? boolean Whether the base moves smoothly; without effect if it is fixed.
---@field links? boolean Whether links are.
--- Meters of the base's motion that count as much as one radian of its rotation. (m/rad, 0 to 100; 0.5 unless
--- said)
---@field lever? number
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Makes all motion smooth: joints, links, and optionally the base.
---@param fields brio.want.smoothness_macro
---@return brio.Property
function want.smoothness_macro(fields) end

---@class brio.want.collision_avoidance
---@field margin? number Distance below which a pair costs something. (m, 0.001 to 0.3; 0.02 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the robot clear of itself and of shapes.
---@param fields brio.want.collision_avoidance
---@return brio.Property
function want.collision_avoidance(fields) end

---@class brio.want.nominal_posture
---@field here? boolean Whether the reference is the posture at the time when it was first wanted.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the whole posture near the neutral one, or near that of the start, where other goals leave it open.
---@param fields brio.want.nominal_posture
---@return brio.Property
function want.nominal_posture(fields) end

---@class brio.want.manipulability
---@field link string The link.
---@field turns? boolean Whether rotations count as well as translations.
--- A direction with less motion than this per radian of the joints counts as poor. (m/rad, 0.001 to 10; 0.05
--- unless said)
---@field softness? number
--- Meters of translation that count as much as one radian of rotation. (m/rad, 0.01 to 10; 0.2 unless said)
---@field lever? number
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps a link where it can move and turn in every direction, away from singular poses.
---@param fields brio.want.manipulability
---@return brio.Property
function want.manipulability(fields) end

---@class brio.want.position_liveliness
---@field link string The link.
--- Frequency of the noise (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001
--- to 20; 0.25 unless said)
---@field frequency? number
--- Number of octaves, each with twice the frequency of the one before. (1, 1 to 8; 1 unless said)
---@field octaves? number
--- With several octaves: exponent of the power spectrum, 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field beta? number
--- A size along each of three axes in meters, or about them in radians.
---@field goal number[]|fun(self: brio.Self): number[]?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the origin of a link move softly about the position where other objectives hold it, by up to this many
---meters on each axis.
---@param fields brio.want.position_liveliness
---@return brio.Property
function want.position_liveliness(fields) end

---@class brio.want.orientation_liveliness
---@field link string The link.
--- Frequency of the noise (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001
--- to 20; 0.25 unless said)
---@field frequency? number
--- Number of octaves, each with twice the frequency of the one before. (1, 1 to 8; 1 unless said)
---@field octaves? number
--- With several octaves: exponent of the power spectrum, 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field beta? number
--- A size along each of three axes in meters, or about them in radians.
---@field goal number[]|fun(self: brio.Self): number[]?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a link turn softly about the orientation in which other objectives hold it, by up to this many radians
---about each of its axes.
---@param fields brio.want.orientation_liveliness
---@return brio.Property
function want.orientation_liveliness(fields) end

---@class brio.want.joint_liveliness
---@field joint string The joint.
--- Frequency of the noise (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001
--- to 20; 0.25 unless said)
---@field frequency? number
--- Number of octaves, each with twice the frequency of the one before. (1, 1 to 8; 1 unless said)
---@field octaves? number
--- With several octaves: exponent of the power spectrum, 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field beta? number
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in meters.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a joint move softly about the position where other objectives hold it, by up to this many radians or
---meters.
---@param fields brio.want.joint_liveliness
---@return brio.Property
function want.joint_liveliness(fields) end

---@class brio.want.relative_motion_liveliness
---@field link1 string The first link.
---@field link2 string The second link.
--- Frequency of the noise (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001
--- to 20; 0.25 unless said)
---@field frequency? number
--- Number of octaves, each with twice the frequency of the one before. (1, 1 to 8; 1 unless said)
---@field octaves? number
--- With several octaves: exponent of the power spectrum, 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field beta? number
---@field goal number|fun(self: brio.Self): number? One number: an angle in radians, or a length in meters.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets the distance of two links change softly, by up to this many meters.
---@param fields brio.want.relative_motion_liveliness
---@return brio.Property
function want.relative_motion_liveliness(fields) end

---@class brio.want.perspective_noise
---@field link string The link.
--- Which axis of the link looks, in the link's frame. (1, -1e+06 to 1e+06; {1, 0, 0} unless said)
---@field axis? number[]
--- Frequency of the noise (of several octaves, the slowest); the amplitude does not depend on it. (Hz, 0.001
--- to 20; 0.25 unless said)
---@field frequency? number
--- Number of octaves, each with twice the frequency of the one before. (1, 1 to 8; 1 unless said)
---@field octaves? number
--- With several octaves: exponent of the power spectrum, 1 / f^beta. (1, 0 to 3; 1.5 unless said)
---@field beta? number
--- How far away the focus is, in meters, how much the view may turn about it, in radians about each axis of
--- the link, and how much the focus itself may shift, in meters along each axis of the world.
---@field goal { focus: number, shift: number[], turn: number[] }|fun(self: brio.Self): { focus: number, shift: number[], turn: number[] }?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Lets a link look at its focus from changing sides: it moves softly about a point ahead of it.
---@param fields brio.want.perspective_noise
---@return brio.Property
function want.perspective_noise(fields) end

---@class brio.want.gravity
---@field link string The link.
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
---@field horizontal? boolean Whether the height is ignored.
---@field goal number[]|fun(self: brio.Self): number[]? A point: meters along x, y and z of the world.
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Brings the center of mass of the robot to a point of the world, or above it.
---@param fields brio.want.center_of_mass_match
---@return brio.Property
function want.center_of_mass_match(fields) end

---@class brio.want.center_of_mass_support
---@field margin? number Minimum distance from the edge of the area. (m, 0 to 10; 0.02 unless said)
--- A list of 1 to 64 points in meters; their number can change from goal to goal.
---@field goal number[]|fun(self: brio.Self): number[]?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the center of mass above the hull of points on the ground, by a margin inside it.
---@param fields brio.want.center_of_mass_support
---@return brio.Property
function want.center_of_mass_support(fields) end

---@class brio.want.zero_moment_point_support
---@field margin? number Minimum distance from the edge of the area. (m, 0 to 10; 0.02 unless said)
--- A list of 1 to 64 points in meters; their number can change from goal to goal.
---@field goal number[]|fun(self: brio.Self): number[]?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the zero moment point (on level ground the center of pressure) inside the hull of points on the
---ground, by a margin, so that no motion is hasty enough to tip the robot; beside `capture_point_support`,
---which keeps it slow enough to brake.
---@param fields brio.want.zero_moment_point_support
---@return brio.Property
function want.zero_moment_point_support(fields) end

---@class brio.want.torque_limits
---@field share? number Share of each joint's effort that may be used. (1, 0.01 to 10; 0.9 unless said)
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the torque of every joint, against gravity and for accelerations, within a share of what the joint
---can give.
---@param fields brio.want.torque_limits
---@return brio.Property
function want.torque_limits(fields) end

---@class brio.want.capture_point_support
---@field margin? number Minimum distance from the edge of the area. (m, 0 to 10; 0.02 unless said)
--- A list of 1 to 64 points in meters; their number can change from goal to goal.
---@field goal number[]|fun(self: brio.Self): number[]?
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the capture point inside the hull of points on the ground, by a margin, so that the robot is never
---faster than it can stop without a step.
---@param fields brio.want.capture_point_support
---@return brio.Property
function want.capture_point_support(fields) end

---@class brio.want.momentum_minimization
---@field linear? number Share of the linear momentum. (1, 0 to 1; 0 unless said)
---@field angular? number Share of the angular momentum about the center of mass. (1, 0 to 1; 1 unless said)
--- Distance from the center of mass at which the robot's mass, turning, counts as much as moving. (m, 0.01 to
--- 100; 0.3 unless said)
---@field lever? number
---@field weight? number instead of the weight from its rank
---@field name? string keeps it apart from one of the same kind and arguments

---Keeps the momentum of the whole robot about its center of mass small, and with `linear` that of its center
---of mass.
---@param fields brio.want.momentum_minimization
---@return brio.Property
function want.momentum_minimization(fields) end

return want
