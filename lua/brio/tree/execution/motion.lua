--- The motions of leaves: joints that move along a path, and then hold.
---
--- A run has one of these (`motion.of(host)`).  Each motion is a live source of its own (host.tracks), so
--- limits, clearances, filters and higher sources apply, and `why` names the leaf.  A new motion takes its
--- joints from their previous one, at their present value and speed.  At its end joints hold their position
--- until another leaf takes them or the state of the tree is left; then they return smoothly to what the
--- state wants.
local limbs = require "brio.robots.limbs"
local suggest = require "brio.lib.suggest"

local motion = {}
local Motions = {}
Motions.__index = Motions
local Motion = {}
Motion.__index = Motion

--- How fast the pace of a motion that is held or stopped falls from 1 to 0, unless the limits of its joints
--- require less, 1/s.
local brake = 4

--- If the value of a joint's motion is farther than this from its command, a new motion starts at the
--- command: rad, m.
local astray = 0.02

--- Minimum time for the return of released joints, s.
local fade = 0.4

--- Time in which a leaf of the next state may take joints before they are released, s.
local handover = 0.05

--- Time constant with which objectives fade, and the time after which they are removed, s.
local tau, gone = 0.1, 0.6

--- The motions of a run, created on first use.
function motion.of(host)
  if not host.motions then
    local by_name = {}
    for index, dof in ipairs(host.description.dofs) do by_name[dof.name] = { dof = dof, number = index } end
    host.motions = setmetatable({ host = host, list = {}, of_dof = {}, dofs = by_name, leaving = {},
      planning = {}, workspaces = {} }, Motions)
  end
  return host.motions
end

-- Positions of joints ---------------------------------------------------------------------------------------

--- Current commands of all joints that the solver moves: {name = value}.
function Motions:told()
  local joints = {}
  for _, dof in ipairs(self.host.description.dofs) do
    if not dof.outside then joints[dof.name] = self.host.actuator:target(dof.name) end
  end
  return joints
end

--- Measured positions of the joints, or their commands if unknown.
function Motions:measured()
  local joints = {}
  for name, state in next, self.host.actuator:states() do
    local known = self.dofs[name]
    if known and not known.dof.outside then joints[name] = state.valid and state.position or state.command end
  end
  return joints
end

--- The configuration with these joint values, with the base at its present pose.
function Motions:configuration(joints)
  local description = self.host.description
  if description.base == "fixed" then return { joints = joints } end
  return { joints = joints, base = self.host.solver:frames()[limbs.root(description.robot)] }
end

--- Positions of the joints at the end of all current motions.
function Motions:expected()
  local joints = self:told()
  for _, moving in ipairs(self.list) do
    for d, name in ipairs(moving.dofs) do
      if self.of_dof[name] == moving and moving.moves and not moving:over() then
        joints[name] = moving.way:last(d)
      end
    end
  end
  return joints
end

--- Command and speed of a joint: from its motion, or from the commands of this tick and the one before.
function Motions:at(name, before)
  local told, moving = self.host.actuator:target(name), self.of_dof[name]
  if moving and moving.moves then
    local value = moving.said[name]
    if math.abs(value - told) < astray then return value, moving:speed_of(name) end
  end
  local dt = self.host.dt
  local speed = before and dt > 0 and (told - before) / dt or 0
  return told, math.abs(speed) > 1e-3 and speed or 0
end

--- Keep the joints that carry a limb, such as a trunk, where the states want them; otherwise contacts of the
--- limb would move them. A source below all others adds 0 to what the states want.
function Motions:carry(joints)
  if not next(joints) then return end
  local tracks = self.host.tracks
  if not self.stance or tracks.playing[self.stance.source] ~= self.stance then
    self.stance, self.carried = tracks:live("stance",
      { stage = "merge", priority = -1000, fade = { 0, fade } }), {}
  end
  for _, name in ipairs(self.stance and suggest.keys(joints) or {}) do
    if not self.carried[name] then tracks:say_value(self.stance, name, 0, true) end
    self.carried[name] = true
  end
end

--- No motion is left: release the joints that carry limbs.
local function put_down(self)
  if self.stance then self.host.tracks:stop_source(self.stance) end
  self.stance = nil
end

-- Moving ----------------------------------------------------------------------------------------------------

--- Begin a motion: {name, dofs = names, way (see way.lua), state = path of its state, hold = "state" (at the
--- end of the motion joints hold until that state is left; the default), "always" or false, [carriers = set
--- of the joints that carry the moving ones, priority, follow, alive, lead (see lead.lua), stays = whether
--- the motion continues after its end, goals = list of {slot, at = function(share) -> goal}, base = whether
--- the joints are those of the base, link = the end that moves]}.  Return it, or nil and the reason.
function Motions:begin(parts)
  local moving = setmetatable({ name = parts.name, dofs = parts.dofs, way = parts.way, state = parts.state,
    motions = self, link = parts.link,
    hold = parts.hold == nil and "state" or parts.hold, goals = parts.goals or {}, lead = parts.lead,
      stays = parts.stays,
    time = 0, pace = 1, wanted = 1, said = {}, speeds = {}, moves = true }, Motion)
  local why
  moving.playing, why = self.host.tracks:live(parts.name,
    { stage = "merge", priority = parts.priority, follow = parts.follow,
    alive = parts.alive, fade = { 0.25, fade } })
  if not moving.playing then return nil, why end
  self:carry(parts.carriers or {})
  if parts.base then
    if self.base then self.base:release() end
    self.base = moving
  end
  for d, name in ipairs(parts.dofs) do
    local before = self.of_dof[name]
    if before then before:lose(name, parts.name) end
    self.of_dof[name] = moving
    moving:say(d, name, 0)
    moving.speeds[name] = moving.way:speed(d, 0)
  end
  self.list[#self.list + 1] = moving
  return moving
end

--- Set the command of joint `name`, the d-th of the motion, to its value on the path; `dt`: s since the last
--- one.
function Motion:say(d, name, dt)
  local value = self.way:value(d, self.time)
  if self.lead then
    local dof = self.way.dofs[d]
    value = math.max(dof.lower, math.min(dof.upper, value + self.lead.offset[name]))
  end
  if dt > 0 then self.speeds[name] = (value - self.said[name]) / dt end
  self.said[name] = value
  self.motions.host.tracks:say_value(self.playing, name, value)
end

--- Whether its source is still playing.
function Motion:on()
  if self.released then return false end
  return self.motions.host.tracks.playing[self.playing.source] == self.playing
end

--- Speed of a joint, rad/s or m/s.
function Motion:speed_of(name) return self.moves and self.pace > 0 and self.speeds[name] or 0 end

--- Share of the motion's time that has passed, 0 to 1.
function Motion:share() return math.min(1, self.time / self.way.seconds) end

--- Whether the nominal time has passed.
function Motion:over() return self.time >= self.way.seconds - 1e-9 end

--- Another motion, `to`, takes a joint.
function Motion:lose(name, to)
  self.lost = self.lost or { joint = name, to = to }
  if self:on() then self.motions.host.tracks:say_value(self.playing, name, nil) end
  for _, own in ipairs(self.dofs) do
    if own ~= name and self.motions.of_dof[own] == self then return end
  end
  self:release(0)
end

--- Set how fast the pace may change so that no joint exceeds its maximum acceleration, 1/s.
local function set_slope(self)
  self.slope = brake
  for _, name in ipairs(self.dofs) do
    local speed = math.abs(self:speed_of(name))
    if speed > 1e-6 then
      self.slope = math.min(self.slope, 0.7 * self.motions.dofs[name].dof.acceleration / speed)
    end
  end
end

--- Slow down to rest on the path, as fast as the joints' accelerations permit; with false, continue.
function Motion:rest(on)
  self.wanted = on and 0 or 1
  set_slope(self)
end

--- Rest on the path, or continue, because its leaf checks whether the rest of the path is clear. Independent
--- of `rest`: the motion continues only if neither holds it.
function Motion:wait(on)
  if self.waits == on then return end
  self.waits = on
  set_slope(self)
end

--- Whether it has come to rest on the path, or is at its end.
function Motion:rests() return self.pace == 0 or self:over() or not self.moves end

--- Continue from rest along another path of the same joints, which begins at their commands.
function Motion:take(path)
  self.way, self.time, self.pace, self.waits, self.moves = path, 0, 1, false, true
end

--- Stop it from outside: slow down to rest, then hold or release the joints, as `hold` says.
function Motion:stop()
  self.stopped = true
  self:rest(true)
end

--- Stop at the current commands, because the target cannot be reached.
function Motion:stay()
  if not self:on() then return end
  for _, name in ipairs(self.dofs) do
    if self.motions.of_dof[name] == self then
      local value = self.motions.host.actuator:target(name)
      self.said[name] = value
      self.motions.host.tracks:say_value(self.playing, name, value)
    end
  end
  self.moves = false
end

--- Let the objectives of a motion fade; they are removed later.
function Motions:fade_goals(moving)
  local solver, now = self.host.solver, self.host.now
  for _, goal in ipairs(moving.goals) do
    solver:weight(goal.slot, 0, tau)
    table.insert(self.leaving, { slot = goal.slot, at = now + gone })
  end
  moving.goals = {}
end

--- Release the joints: within some seconds (nil: the source's own fade) they return to the value of the
--- sources below.
function Motion:release(within)
  if self.released then return end
  local motions = self.motions
  if self:on() then motions.host.tracks:stop_source(self.playing, within) end
  self.released, self.moves = true, false
  motions:fade_goals(self)
  if motions.base == self then motions.base = nil end
  for _, name in ipairs(self.dofs) do
    if motions.of_dof[name] == self then motions.of_dof[name] = nil end
  end
end

--- The leaf's motion has ended: hold the joints, or release them.
function Motion:settle()
  if self.hold == false then self:release() end
end

-- A tick ----------------------------------------------------------------------------------------------------

local function advance(moving, dt, held)
  local wanted = (held or moving.waits) and 0 or moving.wanted
  if moving.pace ~= wanted then
    local step = (moving.slope or brake) * dt
    moving.pace = moving.pace + math.max(-step, math.min(step, wanted - moving.pace))
  end
  if moving.pace == 0 then
    if moving.stopped then
      moving.moves = false
      moving:settle()
    end
    return
  end
  moving.time = math.min(moving.way.seconds, moving.time + dt * moving.pace)
  if moving.lead then moving.lead:work(moving, dt) end
  for d, name in ipairs(moving.dofs) do
    if moving.motions.of_dof[name] == moving then moving:say(d, name, dt) end
  end
  for _, goal in ipairs(moving.goals) do
    moving.motions.host.solver:goal(goal.slot, goal.at(moving:share()))
  end
  if moving:over() and not moving.stays then moving.moves = false end
end

--- Remove objectives that have faded.
local function sweep(self)
  local now = self.host.now
  while self.leaving[1] and now >= self.leaving[1].at do
    self.host.solver:remove(table.remove(self.leaving, 1).slot)
  end
end

--- Advance the motions by dt, s; `held`: the robot is on hold, so they slow down to rest.
function Motions:work(dt, held)
  local kept = {}
  for _, moving in ipairs(self.list) do
    if not moving.released and not moving:on() then moving:release() end -- its source was stopped
    local rests = not moving.moves or moving:over()
    if moving.loose and rests and self.host.now >= moving.loose then moving:release() end
    if not moving.released then
      if moving.moves then advance(moving, dt, held) end
      kept[#kept + 1] = moving
    end
  end
  self.list = kept
  if #kept == 0 then put_down(self) end
  sweep(self)
end

--- A state is left: joints that it holds are released, unless another leaf takes them at once.
function Motions:left(state)
  for _, moving in ipairs(self.list) do
    if moving.state == state and moving.hold ~= "always" then moving.loose = self.host.now + handover end
  end
end

--- Whether another leaf is about to move one of these joints, with a plan that is not ready yet.
function Motions:awaits(joints, own)
  for memory in next, self.planning do
    for _, name in ipairs(memory ~= own and memory.limb.dofs or {}) do
      if joints[name] then return true end
    end
  end
  return false
end

--- Release joints smoothly (nil: all).  Return the number of motions.
function Motions:release(names)
  local count = 0
  if not names then self.planning = {} end
  for _, moving in ipairs(self.list) do
    local wanted = not names
    for _, name in ipairs(names or {}) do wanted = wanted or self.of_dof[name] == moving end
    if wanted and not moving.released then
      moving:release()
      count = count + 1
    end
  end
  return count
end

return motion
