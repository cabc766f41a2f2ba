--- A motion of a standing robot in physics: tracked 2,000 times a second by springs in the joints and the
--- torques of brio.dynamics' stance, which lead centre of mass and base along the motion. Says whether it
--- falls.
---
---     torque = stiffness (q_r - q) + damping (u_r - u) + stance
---
--- The stance holds still what it leads. It is given a goal ahead of the motion, by (damping x velocity +
--- acceleration) / stiffness: then the wrench that it wants is that of the motion, with its errors led back.
--- Legs are softer than arms and trunk, so that the stance can decide what the feet do.
local actuator = require "brio.actuator"
local dynamics = require "brio.dynamics"
local geometry = require "brio.lib.geometry"
local physics = require "brio.physics"
local reference = require "brio.motion.rig.reference"
local world = require "brio.world"

local replay = {}

--- Steps of control a second.
replay.rate = 2000

--- Tilt (rad, of the base from the motion's) beyond which it has fallen, the share of its height below which
--- it has, and how long it is watched after the motion (s).
local most_tilt, least_height, after = 1, 0.5, 1

--- Stiffness by a joint's greatest torque (1/rad) of legs and of the rest, damping by stiffness (s); of
--- joints without a known torque, N m/rad.
local soft, stiff, slow, unknown = 1, 2, 0.05, 20

--- How the stance leads the centre of mass and the rotation of the base: 1/s^2, 1/s.
local stiffness, damping, turn_stiffness, turn_damping = 40, 10, 60, 12

--- What a link that moves and has no mass has, kg; samples a second of what is kept.
local massless, kept_rate = 0.05, 50

--- The variables between the pelvis and the feet.
local function leg_variables(rig, robot)
  local found, joints = {}, {}
  for _, name in ipairs(robot:joints()) do
    local joint = robot:joint(name)
    joints[joint.child] = joint
  end
  for _, point in ipairs(rig.points) do
    local link = point.link
    while link and link ~= rig.pelvis.link and joints[link] do
      for _, name in ipairs(joints[link].variables) do found[name] = true end
      link = joints[link].parent
    end
  end
  return found
end

--- Springs of the joints, {variable = {stiffness, damping}}.
local function springs_of(rig, made_of)
  local legs, made = leg_variables(rig, made_of.robot), {}
  for _, variable in ipairs(made_of.variables) do
    local most = variable.effort < math.huge and variable.effort or unknown
    local spring = (legs[variable.name] and soft or stiff) * most
    made[variable.name] = { stiffness = spring, damping = slow * spring, limit = most }
  end
  return made
end

--- A device whose joints the physics moves; targets take effect at once.
local function open_device(made_of, first, springs, room)
  local axes = {}
  for index, variable in ipairs(made_of.variables) do
    -- a target carries a torque, too, so it may lie far beyond the joint's range
    axes[index] = { name = variable.name, lower = -1e4, upper = 1e4, velocity = 1e7, acceleration = 1e11,
      start = first.joints[variable.name] }
  end
  return actuator.open { driver = "sim", axes = axes, impedances = springs, world = room, seed = 0 }
end

--- Configuration and velocity of the robot as simulated.
local function measured(made_of, device, base)
  local states = device:states()
  local q = { joints = {}, base = { position = base.position, orientation = base.orientation } }
  local u = { joints = {}, linear = base.velocity, angular = base.turn }
  for _, variable in ipairs(made_of.variables) do
    local state = states[variable.name]
    q.joints[variable.name], u.joints[variable.name] = state.position, state.velocity
  end
  return q, u
end

--- Whether the base has left the motion's: a sentence.
local function fall_of(q, wanted)
  local tilt = geometry.angle(q.base.orientation, wanted.orientation)
  if tilt > most_tilt then
    return ("its base leans by %.0f degrees from the motion's"):format(math.deg(tilt))
  end
  local height = q.base.position[3] / wanted.position[3]
  if height < least_height then return ("its base is at %.0f %% of its height"):format(100 * height) end
end

--- A vector turns as a rotation, x y z w.
local function rotation_by(v)
  local angle = math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2)
  if angle < 1e-9 then return { 0, 0, 0, 1 } end
  local share = math.sin(angle / 2) / angle
  return { share * v[1], share * v[2], share * v[3], math.cos(angle / 2) }
end

--- The goal of the stance for what the motion asks.
local function goal_of(wanted)
  local com, ahead = {}, {}
  for axis = 1, 3 do
    com[axis] = wanted.com[axis]
      + (damping * wanted.com_velocity[axis] + wanted.com_acceleration[axis]) / stiffness
    ahead[axis] = (turn_damping * wanted.turn_rate[axis] + wanted.turn_acceleration[axis]) / turn_stiffness
  end
  return { com = com, orientation = geometry.times(rotation_by(ahead), wanted.orientation) }
end

--- One step of the controller: targets that carry the torques.
local function control(self, time)
  self.physics:look()
  local base = self.physics:base()
  local q, u = measured(self.made_of, self.device, base)
  local wanted = self.reference:at(time)
  local torques, targets = self.stance:torques(q, u, goal_of(wanted)), {}
  for name, spring in next, self.springs do
    targets[name] = wanted.joints[name]
      + ((torques[name] or 0) + spring.damping * wanted.speeds[name]) / spring.stiffness
  end
  self.device:targets(targets)
  return q, wanted
end

--- The parts of a replay; or nil and a sentence.
local function open(rig, motion)
  local first = motion[1].configuration
  local made_of, reason = rig:open_model()
  if not made_of then return nil, reason end
  local room = world.new {}
  local simulated, why = physics.new { library = "mujoco", robot = made_of.fixed, world = room,
    massless = massless,
    floats = true, base = first.base, down = true, bare = (rig.data.replay or {}).bare or false }
  if not simulated then return nil, why end
  local springs = springs_of(rig, made_of)
  local device, fault = open_device(made_of, first, springs, room)
  if not device then return nil, fault end
  device:power()
  device:step(1 / replay.rate)
  simulated:look()
  -- shapes may reach below the points that stand, as the round foot of Cassie does
  local lift = simulated:base().position[3] - first.base.position[3]
  local contacts = {}
  for index, point in ipairs(rig.points) do contacts[index] = { link = point.link, point = point.point } end
  return { rig = rig, made_of = made_of, physics = simulated, device = device, springs = springs, room = room,
    last = motion[#motion].time,
    reference = reference.new(motion, made_of.robot, made_of.variables, lift),
    stance = dynamics.new(made_of.robot):stance { contacts = contacts, stiffness = stiffness,
      damping = damping, turn_stiffness = turn_stiffness, turn_damping = turn_damping } }
end

--- Steps until it falls, stops or ends.
local function go(self, report)
  local result = { times = {}, configurations = {}, off = 0 }
  local last = self.last
  local every = replay.rate // kept_rate
  for step = 0, math.floor((last + after) * replay.rate) do
    local time = step / replay.rate
    local q, wanted = control(self, time)
    if step % every == 0 then
      local n = #result.times + 1
      result.times[n], result.configurations[n] = time, q
      result.off = math.max(result.off, geometry.distance(q.base.position, wanted.position))
      if report and report(time, last + after) == false then return nil, "cancelled" end
    end
    result.fell, result.stopped = fall_of(q, wanted), self.physics:fault()
    if result.fell or result.stopped then
      result.at = time
      return result
    end
    local good, why = self.device:step(1 / replay.rate)
    if not good then return nil, why end
  end
  return result
end

--- Whether motions can be replayed here: true, or nil and a sentence.
function replay.possible(rig)
  local library, why = physics.find "mujoco"
  if not library then return nil, why end
  local made_of, reason = rig:open_model()
  return made_of and true, reason
end

--- Play a motion in physics.
---@param rig table of brio.motion.rig
---@param motion table nodes { configuration, time (s) }
---@param report? function gets (time, end), false cancels
---@return table? { times, configurations, fell, stopped = sentences or nil, at = s, off = greatest distance
---  of the base
---  from the motion's (m) }
---@return string? why
function replay.play(rig, motion, report)
  local good, why = replay.possible(rig)
  if not good then return nil, why end
  local self, fault = open(rig, motion)
  if not self then return nil, fault end
  local result, wrong = go(self, report)
  self.device:close()
  return result, wrong
end

return replay
