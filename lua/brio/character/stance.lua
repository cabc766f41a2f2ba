--- Standing and walking: a robot with a free base stands on its feet. Standing soles are fixed with the
--- highest weight; steps are walked one after the other; the pelvis follows.
---
--- The pose of the base in the world is not measured: it follows from the standing soles, which the solver
--- keeps in place, from step to step. So the poses of links, and the frame "walking" (on the ground below the
--- pelvis, with its yaw), are results of the steps. Slipping of a real robot is not detected.
---
--- A robot can walk if its base is "free" and its roles name left_foot, right_foot (its soles: x to the toes,
--- z up) and pelvis. A robot with these roles whose base is fixed, or left to physics, has the frame
--- "walking" alone. On other robots the faculty does nothing.
---
---     host.stance:walk(steps, { override = true })   a walk: {steps, done = number of steps done, over =
---                                                    true at the end, lost = why}
---     host.stance:feet(), :walking()                 poses of the soles; the frame "walking"
local lazy = require "brio.lib.lazy"
local gait = lazy "brio.motion.gait"
local geometry = lazy "brio.lib.geometry"
local limbs = lazy "brio.robots.limbs"
local missing_role = require("brio.robots.roles").missing
local plan = lazy "brio.plan"
local schema = require "brio.lib.schema"

local Stance = {}
Stance.__index = Stance

local sides = { "left", "right" }
local feet_roles = { left = "left_foot", right = "right_foot" }

--- Weights of the solver: standing soles outweigh everything, including a swinging sole that cannot follow;
--- the pelvis yields to other objectives while the robot stands, and less while it walks.
local weights = { sole = 1e5, swings = 1e3, stands = 2, walks = 50, tau = 0.02 }

--- Height of a lifted foot over the ground, m; margin of a leg's length to a straight leg, m.
local lift, bent = 0.08, 0.025

--- Time for coming to rest on hold, s.
local halt = 0.3

--- The fields of a behavior's settings.
local fields = {
  lift = { "number", unit = "m", lower = 0, upper = 0.5, value = lift,
    doc = "how high a foot is lifted over the ground" },
}

--- The fields of a step of a behavior.
local step_fields = {
  side = { "choice", of = sides, needed = true, doc = "the foot" },
  ahead = { "number", unit = "m", lower = -2, upper = 2, doc = "ahead of the other foot" },
  aside = { "number", unit = "m", lower = -1, upper = 1,
    doc = "to the left of its place beside the other foot" },
  turn = { "number", unit = "rad", lower = -1.6, upper = 1.6, doc = "to the left" },
  swing = { "number", unit = "s", lower = 0.05, upper = 60, value = 0.8, doc = "in the air" },
  transfer = { "number", unit = "s", lower = 0, upper = 60, value = 0.5, doc = "before it" },
}

-- The robot's body ------------------------------------------------------------------------------------------

--- The role of a body that stands which a robot does not have; nil: it has them all.
local function lacking(description)
  for _, role in ipairs { "left_foot", "right_foot", "pelvis" } do
    if not description.roles[role] then return role end
  end
end

--- Why a robot cannot walk; nil: it can.
local function why_not(description)
  if description.base ~= "free" then return "its base does not move freely" end
  local role = lacking(description)
  return role and ("it has no role '%s'%s"):format(role, missing_role(description, role)) or nil
end

--- The poses of links in a configuration of the robot with a level pelvis.
local function frames_at(description, joints)
  local tree = {}
  for _, variable in ipairs(description.robot:variables()) do
    tree[variable.name] = joints[variable.name] or 0
  end
  return description.robot:forward({ joints = tree }).links
end

--- The dimensions of a body, from its home pose and from one with straight legs.
local function measure(description, legs)
  local roles = description.roles
  local home, straight = frames_at(description, description.poses[description.home].joints),
    frames_at(description, {})
  local left, right = home[roles.left_foot].position, home[roles.right_foot].position
  local body = { height = home[roles.pelvis].position[3] - (left[3] + right[3]) / 2,
    hip = math.abs(left[2] - right[2]) / 2, hips = {}, leg = math.huge }
  for _, side in ipairs(sides) do
    local first = description.robot:joint(legs[side][1]).child
    local hip, sole = straight[first].position, straight[roles[feet_roles[side]]].position
    local pelvis = straight[roles.pelvis].position
    body.hips[side] = { hip[1] - pelvis[1], hip[2] - pelvis[2], hip[3] - pelvis[3] }
    body.leg = math.min(body.leg, geometry.distance(hip, sole) - bent)
  end
  return body
end

--- The DOFs of each leg: those between the pelvis and its sole.
local function legs_of(description)
  local legs, robot = {}, description.robot
  for _, side in ipairs(sides) do
    local names, carried = {}, {}
    for _, name in ipairs(limbs.chain(robot, description.roles[feet_roles[side]])) do
      names[#names + 1] = name
    end
    for _, name in ipairs(limbs.chain(robot, description.roles.pelvis)) do carried[name] = true end
    legs[side] = {}
    for _, name in ipairs(names) do
      if not carried[name] then table.insert(legs[side], name) end
    end
  end
  return legs
end

-- Walks -----------------------------------------------------------------------------------------------------

--- Walk these steps, each {side, pose, transfer, swing}. how: override: drop the steps that have not begun;
--- otherwise they come first. Return the walk, or nil and the reason.
function Stance:walk(steps, how)
  if not self.body then return nil, "this robot does not walk: " .. self.why end
  if not self.gait then return nil, "the robot does not stand yet" end
  if how and how.override then self:drop() end
  local walk = { steps = #steps, done = 0, over = #steps == 0 }
  local own = {}
  for index, step in ipairs(steps) do
    own[index] = { side = step.side, pose = step.pose, transfer = step.transfer, swing = step.swing,
      walk = walk }
  end
  self.walks[#self.walks + 1] = walk
  self.gait:add(own)
  return walk
end

--- Drop the steps that have not begun: those of one walk, or all. `why`: in words, for those who wait for
--- them.
function Stance:drop(walk, why)
  if not self.gait then return end
  self.gait:drop(walk and function(step) return step.walk == walk end)
  for _, one in ipairs(self.walks) do
    if not one.over and (not walk or one == walk) then
      one.over, one.lost = true, why or "its steps were dropped"
    end
  end
end

--- Drop a walk's steps that have not begun, except the first `keep`.
function Stance:shorten(walk, keep)
  if not self.gait or walk.over then return end
  local kept, before = 0, 0
  for _, step in ipairs(self.gait.queue) do before = before + (step.walk == walk and 1 or 0) end
  if before <= keep then return end
  self.gait:drop_waiting(function(step)
    if step.walk ~= walk then return false end
    kept = kept + 1
    return kept > keep
  end)
  walk.steps = walk.steps - (before - keep)
  if walk.done == walk.steps then walk.over = true end
end

--- Poses of the soles now, or with `after` at the end of all steps: {left = pose, right = pose}.
function Stance:feet(after)
  if not self.gait then return nil end
  if after then return self.gait:ends() end
  return { left = self.gait.feet.left, right = self.gait.feet.right }
end

--- Current pose of a sole, from the solver.
function Stance:sole(side) return self.host.scene:frame(self.host.description.roles[feet_roles[side]]) end

--- The frame on the ground below the pelvis with its yaw, at the height of the lower sole.
function Stance:walking()
  local pelvis = self.frame and self.host.scene:frame(self.host.description.roles.pelvis)
  if not pelvis then return nil end
  local level = math.min(self:sole("left").position[3], self:sole("right").position[3])
  return { position = { pelvis.position[1], pelvis.position[2], level },
    orientation = geometry.from_rpy(0, 0, gait.yaw(pelvis)) }
end

--- Set the ground: a table for plan.ground, or its result; nil: level, at the height of the feet.
function Stance:set_ground(ground) self.ground = type(ground) == "table" and plan.ground(ground) or ground end

-- A tick ----------------------------------------------------------------------------------------------------

--- Add its objectives; levels of autonomy do not apply to them, as the robot would fall.
local function add_objectives(self)
  local solver, roles = self.host.solver, self.host.description.roles
  local actor = solver.actor
  local owner, faculty = actor.owner, actor.faculty
  actor.owner, actor.faculty = "script", false
  self.slots = {}
  for _, side in ipairs(sides) do
    self.slots[side] = assert(solver:add("stance " .. side, "pose_match", { link = roles[feet_roles[side]] }))
  end
  self.slots.pelvis = assert(solver:add("stance pelvis", "pose_match", { link = roles.pelvis }))
  actor.owner, actor.faculty = owner, faculty
end

--- A sole's pose on its ground: level, except for the ground's slope.
local function planted(self, side, level)
  local sole = self:sole(side)
  local x, y = sole.position[1], sole.position[2]
  return { position = { x, y, level }, orientation = geometry.from_rpy(0, 0, gait.yaw(sole)) }
end

--- Stand in the present pose: the lower sole is on the ground, which is level here, or where a person has
--- placed the robot.
local function stand(self)
  local level = 0
  if self.host.description.placed then
    level = math.min(self:sole("left").position[3], self:sole("right").position[3])
  end
  self.gait = gait.new({ left = planted(self, "left", level), right = planted(self, "right", level) },
    self.body)
  self.held = {}
end

--- Begin to stand as soon as the poses of links are known. Return whether it stands.
local function begin(self)
  if self.gait then return true end
  if not self:sole "left" then return false end
  if not self.slots then add_objectives(self) end
  stand(self)
  self.host.scene:set_frame(self.frame, self:walking())
  return true
end

--- Which soles are fixed: not that of a leg that a leaf moves by its joints, unless both are.
local function is_held(self)
  local motions = self.host.motions
  local taken = {}
  for _, side in ipairs(sides) do
    for _, name in ipairs(self.legs[side]) do
      if motions and motions.of_dof[name] then taken[side] = true end
    end
  end
  if taken.left and taken.right then taken = {} end
  return { left = not taken.left, right = not taken.right }
end

local function weigh(self, key, weight)
  if self.held[key] == weight then return end
  self.host.solver:weight(self.slots[key], weight, self.held[key] and weights.tau or 0)
  self.held[key] = weight
end

--- Update a walk after a step was completed.
local function note(self, step)
  local walk = step.walk
  walk.done = walk.done + 1
  if walk.done == walk.steps then walk.over = true end
  local kept = {}
  for _, one in ipairs(self.walks) do
    if not one.over then kept[#kept + 1] = one end
  end
  self.walks = kept
end

--- Pace of the gait: 1, or decreasing while it is held.
local function pace_of(self, dt)
  local wanted = self.waits and 0 or 1
  self.pace = self.pace + math.max(-dt / halt, math.min(dt / halt, wanted - self.pace))
  return self.pace
end

function Stance:work(_, dt)
  if not self.body then -- it stands by other means
    local frame = self.frame and self:walking()
    return frame and self.host.scene:set_frame(self.frame, frame) or nil
  end
  if self.paused then return end
  if not begin(self) then return end
  local feet, pelvis, lifted = self.gait:advance(dt * math.min(1, self.host.tempo.now) * pace_of(self, dt))
  if self.gait.done and self.gait.done.walk then note(self, self.gait.done) end
  self.lifted = lifted
  local held, solver = is_held(self), self.host.solver
  for _, side in ipairs(sides) do
    solver:goal(self.slots[side], feet[side])
    weigh(self, side, not held[side] and 0 or side == lifted and weights.swings or weights.sole)
  end
  solver:goal(self.slots.pelvis, pelvis)
  weigh(self, "pelvis", self.gait:walks() and weights.walks or weights.stands)
  self.host.scene:set_frame(self.frame, self:walking())
end

function Stance:pause(on) self.paused = on end

--- The solver has lost all weights: set them again.
function Stance:forget_weights() self.held = {} end

--- Come to rest on the way, with lifted feet in the air; or continue.
function Stance:hold(on) self.waits = on end

function Stance:use(spec) self.lift = spec.lift end

--- The behavior failed, or ends: drop the steps that have not begun; standing soles stay fixed.
function Stance:stop()
  self:drop()
  self.walks = {}
end

-- For behaviors ---------------------------------------------------------------------------------------------

local Face = { __name = "self.stance" }
Face.__index = Face

--- Whether the robot can walk, and why not.
function Face:can_walk() return self._stance.body ~= nil, self._stance.why end

--- Whether steps are being walked.
function Face:walks() return self._stance.gait ~= nil and self._stance.gait:walks() end

--- Poses of the soles: {left = pose, right = pose}; nil on a robot that cannot walk.
function Face:feet() return self._stance:feet() end

--- The frame on the ground below the pelvis with its yaw; also the frame "walking".
function Face:walking() return self._stance:walking() end

--- Set the ground: { regions = ..., heights = ... } as for brio.plan's ground; nil: a level floor.
function Face:ground(ground) self._stance:set_ground(ground) end

--- The foot that is in the air, "left" or "right"; nil: none.
function Face:lifted() return self._stance.lifted end

--- The number of steps that are walked or wait.
function Face:steps()
  local walked = self._stance.gait
  return walked and #walked.queue + (walked.step and 1 or 0) or 0
end

--- Append a step: {side = "left" or "right", ahead (m), aside (m, to the left), turn (rad, to the left),
--- swing (s), transfer (s)}, of the foot from its place beside the other one.  Return true, or nil and a
--- sentence.
function Face:step(said)
  local stance = self._stance
  local why = schema.fault(said, step_fields, "a step")
  if why then error(why, 2) end
  if not stance.gait then return stance:walk({}) end
  local feet, hip = stance.gait:ends(), stance.body.hip
  local beside = feet[said.side == "left" and "right" or "left"]
  local turned = said.turn or 0
  local aside = (said.side == "left" and 2 or -2) * hip + (said.aside or 0)
  local off = { position = { said.ahead or 0, aside, 0 },
    orientation = geometry.from_rpy(0, 0, turned) }
  local level = { position = beside.position, orientation = geometry.from_rpy(0, 0, gait.yaw(beside)) }
  local walk, lost = stance:walk { { side = said.side, pose = geometry.within(level, off),
    swing = said.swing or step_fields.swing.value, transfer = said.transfer or step_fields.transfer.value } }
  if not walk then return nil, lost end
  return true
end

--- How far the pelvis is lower than upright, m; with a value, sets it, at once.  Return it.
function Face:lower(sink)
  local walked = self._stance.gait
  if sink ~= nil then
    if type(sink) ~= "number" or not (sink >= 0 and sink <= 1) then
      error("stance:lower expects m, 0 to 1", 2)
    end
    if walked then walked:lower(sink) end
  end
  return walked and walked.sink or 0
end

local function new(host, spec)
  local self = setmetatable({ host = host, walks = {}, pace = 1, held = {},
    why = why_not(host.description) }, Stance)
  self.face = setmetatable({ _stance = self }, Face)
  self:use(spec)
  if not lacking(host.description) then self.frame = assert(host.scene:declare_frame "walking") end
  if self.why then return self end
  self.legs = legs_of(host.description)
  self.body = measure(host.description, self.legs)
  self.body.lift = self.lift or lift
  begin(self)
  return self
end

local function fault(spec, description)
  local why = next(spec) and why_not(description)
  return why and "character.stance: this robot does not walk: " .. why or nil
end

return {
  name = "stance", always = true,
  about = "standing and walking, for robots with legs",
  fields = fields, fault = fault, new = new,
}
