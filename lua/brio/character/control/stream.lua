--- Live poses of a link: a hand led by a tracker or a gamepad, a head that follows a headset.
---
--- The stream takes the joints of the part that carries the link, and no others. In each tick, inverse
--- kinematics starts at their targets and computes new targets; the joints move there within their limits,
--- and the result is a source of the mixer, subject to the solver with its collision avoidance. An
--- unreachable pose is approached as far as possible.
local chain = require "brio.robots.chain"
local ik = require "brio.ik"
local rotation = require "brio.lib.rotation"
local missing_role = require("brio.robots.roles").missing
local suggest = require "brio.lib.suggest"

local stream = {}
local Stream = {}
Stream.__index = Stream

--- Maximum number of iterations of inverse kinematics in a tick: about 50 us.
stream.iterations = 40

--- The components of a pose that a stream may use.  The default depends on the number of joints: a head with
--- two joints looks in a direction, a hand with five goes to a position; a head uses orientation, other links
--- position.
stream.meanings = { pose = true, position = true, orientation = true, direction = true }

local function meaning_of(count, is_head)
  if is_head then return count >= 3 and "orientation" or "direction" end
  return count >= 6 and "pose" or "position"
end

--- The part that carries a link: among the parts of the robot's file with the joint next to the link, the one
--- with most of the joints above it, and the fewest others.
local function part_of(description, above)
  local best, most, fewest
  for name, dofs in next, description.parts or {} do
    local has, count = {}, 0
    for _, dof in ipairs(dofs) do has[dof] = true end
    for _, dof in ipairs(above) do count = count + (has[dof] and 1 or 0) end
    local better = not best or count > most
      or count == most and (#dofs < fewest or #dofs == fewest and name < best)
    if has[above[1]] and better then best, most, fewest = name, count, #dofs end
  end
  return best
end

--- The joints that a stream of a link moves, and their part: the joints above the link in the given or
--- default part. Nil and a sentence if there are none.
local function joints_of(control, link, part)
  local description = control.host.description
  local above = chain.variables(description.robot, link)
  part = part or above[1] and (part_of(description, above) or above[1])
  if not part then return nil, ("nothing moves the link '%s'"):format(link) end
  local dofs, why = control:find(part)
  if not dofs then return nil, why end
  local has, list, names = {}, {}, {}
  for _, dof in ipairs(dofs) do has[dof] = true end
  for _, dof in ipairs(description.dofs) do
    if dof.grip then has[dof.name] = nil end -- fingers do not move the link
  end
  for _, dof in ipairs(above) do
    if has[dof] then list[#list + 1], names[dof] = dof, true end
  end
  if #list == 0 then return nil, ("no joint of %s moves the link '%s'"):format(part, link) end
  local held = {}
  for _, dof in ipairs(description.dofs) do
    if not dof.outside and not names[dof.name] then held[#held + 1] = dof.name end
  end
  return { part = part, dofs = list, held = held }
end

--- Refuse a frame that the stream's own joints move: the target would move with it without end.
local function fault_of_frame(robot, joints, frame)
  if not frame then return nil end
  if not suggest.contains(robot:links(), frame) then
    return ("the robot has no link '%s'%s"):format(frame, suggest.hint(frame, robot:links()))
  end
  local moves = chain.common(chain.variables(robot, frame), joints.dofs)
  return moves and ("'%s' moves the frame '%s': a frame below it must be named"):format(moves, frame) or nil
end

--- Make the stream of a link (or role). how: part, what (a meaning), who, frame (a link; nil: the world),
--- scale. Return it, or nil and the reason.
function stream.new(control, name, how)
  local host = control.host
  local link = host.description.roles[name] or name
  if not control:index().links[link] then
    local names = suggest.keys(host.description.roles)
    table.move(host.description.robot:links(), 1, #host.description.robot:links(), #names + 1, names)
    local known = suggest.contains(names, link)
    return nil, known and ("nothing moves the link '%s'"):format(link)
      or ("the robot has no link or role '%s'%s%s"):format(name, suggest.hint(name, names),
        missing_role(host.description, name))
  end
  local joints, why = joints_of(control, link, how.part)
  why = joints and fault_of_frame(host.description.robot, joints, how.frame) or why
  if why then return nil, why end
  local self = setmetatable({ control = control, host = host, name = name, link = link, joints = joints,
    who = how.who,
    what = how.what or meaning_of(#joints.dofs, joints.part == "head"), frame = how.frame }, Stream)
  local fault
  self.ik, fault = ik.new(host.description.robot, { links = { link }, held = joints.held, seed = 1 })
  if not self.ik then return nil, fault end
  return self
end

--- Take the joints, unless another person has them. Return true, or nil and the reason.
function Stream:begin()
  if self.taking and self.control:goes_on(self.taking) then return true end
  local taking, why = self.control:take(self.name .. " pose",
    { dofs = self.joints.dofs, who = self.who, fade = 0.15 })
  if not taking then return nil, why end
  self.taking, self.off = taking, nil
  return true
end

--- Whether it still has the joints; another person may have taken them.
function Stream:has() return self.taking ~= nil and self.control:goes_on(self.taking) end

--- The pose of the link now, in the frame: x, y, z and a rotation.
function Stream:place()
  local pose = self.host.scene:frame(self.link)
  return self:into_frame(pose.position, pose.orientation)
end

--- The frame's pose in the world; nil: it is the world.
local function frame_of(self)
  if not self.frame then return nil end
  local pose = self.host.scene:frame(self.frame)
  return pose.position, pose.orientation
end

function Stream:into_frame(p, q)
  local at, turned = frame_of(self)
  if not at then return p[1], p[2], p[3], q[1], q[2], q[3], q[4] end
  local x, y, z, w = turned[1], turned[2], turned[3], turned[4]
  local px, py, pz = rotation.turn(-x, -y, -z, w, p[1] - at[1], p[2] - at[2], p[3] - at[3])
  return px, py, pz, rotation.times(-x, -y, -z, w, q[1], q[2], q[3], q[4])
end

--- The target pose, in its frame: until the next call.
function Stream:want(px, py, pz, qx, qy, qz, qw)
  local goal = self.goal or {}
  self.goal = goal
  goal[1], goal[2], goal[3], goal[4], goal[5], goal[6], goal[7] = px, py, pz, qx, qy, qz, qw
end

--- The goal in the world for inverse kinematics.
local function request_of(self)
  local g = self.goal
  local px, py, pz, qx, qy, qz, qw = g[1], g[2], g[3], g[4], g[5], g[6], g[7]
  local at, turned = frame_of(self)
  if at then
    local x, y, z, w = turned[1], turned[2], turned[3], turned[4]
    px, py, pz = rotation.turn(x, y, z, w, px, py, pz)
    px, py, pz = px + at[1], py + at[2], pz + at[3]
    qx, qy, qz, qw = rotation.times(x, y, z, w, qx, qy, qz, qw)
  end
  local what = self.what
  if what == "direction" then return { axis = "x", along = { rotation.turn(qx, qy, qz, qw, 1, 0, 0) } } end
  return { position = what ~= "orientation" and { px, py, pz } or nil,
    orientation = what ~= "position" and { qx, qy, qz, qw } or nil }
end

--- The positions of all joints: those of the stream at their targets.
local function seed_of(self)
  local joints, aims = {}, self.control.aims.rows
  for _, dof in ipairs(self.host.description.dofs) do
    if not dof.outside then joints[dof.name] = self.host.actuator:target(dof.name) end
  end
  for _, dof in ipairs(self.joints.dofs) do
    if aims[dof] then joints[dof] = aims[dof].aim end
  end
  return joints
end

--- Work of a tick: the joints' targets. Return whether the pose is reached, or being approached.
function Stream:work()
  if not self.goal or not self:has() then return false end
  local found, _, code, near = self.ik:solve { goal = request_of(self), seed = { joints = seed_of(self) },
    max_starts = 1, max_iterations = stream.iterations }
  found = found or code == "unreachable" and near or nil
  self.off = found and { position = found.position, orientation = found.orientation } or self.off
  for _, dof in ipairs(found and found.joints and self.joints.dofs or {}) do
    if self.control.of[dof] == self.taking then self.control.aims:go(dof, found.joints[dof]) end
  end
  return true
end

--- Release the joints.
function Stream:finish()
  if self:has() then self.control:end_taking(self.taking) end
  self.taking, self.goal = nil, nil
end

return stream
