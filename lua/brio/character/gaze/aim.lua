--- A head, a torso, or the tool of an arm as part of a gaze: slower than eyes, and only as far as it is
--- needed.
---
--- A target that is nearer to the head's aim than its threshold is left to the eyes.  Beyond it, the head
--- goes so far that the eyes are left with a share of the threshold, and comes to face what is looked at for
--- long (head contribution beyond about 15 to 20 deg: Freedman and Sparks, J. Neurophysiology 77, 1997; "eyes
--- first, the neck takes the rest with a slower filter": Probo).  The aim goes at a limited speed through two
--- low-passes; the objective look_at makes it a pose, with limits and collisions.
local foresight = require "brio.character.gaze.foresight"
local vector = require "brio.character.gaze.vector"

local between, turn, back = vector.between, vector.turn, vector.back

local aim = {}
local Aim = {}
Aim.__index = Aim

--- The aim is a point so far away, m: where the link itself moves meanwhile counts little then.
local far = 10

--- Nearer than this a target is in no direction, m.
local inside = 0.05

--- Largest error of the head's aim at a long-lasting target, rad.
local facing = 0.05

--- A torso that is to go so far, rad, has its whole weight.
local whole_help = 0.1

local level = { 0, 0, 0, 1 }

--- Make one: `said` is a part of body.lua, `base` the link in whose frame aims stay as they are (nil: the
--- world), `add(name, kind, arguments)` adds an objective.
function aim.new(host, said, base, add)
  local self = setmetatable({ host = host, said = said, base = base, goal = { 0, 0, 0 },
    helps = said.share and 0 or 1 }, Aim)
  self.axis = said.axis or { 1, 0, 0 }
  self.slot = add(said.link, "look_at",
    { link = said.link, target = said.carrier, axis = said.axis, up = said.up,
    point = said.point, roll = said.roll })
  self.carrier = said.carrier and foresight.new(host, said.carrier)
  self.kept = {}
  for index, row in ipairs(said.keep and said.dofs or {}) do
    local slot = add("keep " .. row, "joint_match", { joint = row })
    host.solver:goal(slot, said.home[row])
    self.kept[index] = slot
  end
  return self
end

--- Set the share of all its objectives in the solver.
local function weigh(self, weight, tau)
  local solver, said = self.host.solver, self.said
  solver:weight(self.slot, weight * said.weight, tau)
  for _, slot in ipairs(self.kept) do solver:weight(slot, weight * said.keep, tau) end
end

--- The viewpoint, in the world, and the rotation of its base.
local function place(self)
  local pose = self.host.scene:frame(self.said.link)
  local frame = self.base and self.host.scene:frame(self.base)
  local p, at, q = pose.position, self.said.point, pose.orientation
  local x, y, z = p[1], p[2], p[3]
  if at then
    local ox, oy, oz = turn(q, at[1], at[2], at[3])
    x, y, z = x + ox, y + oy, z + oz
  end
  return x, y, z, frame and frame.orientation or level, q
end

--- The aim is where the link looks now: nothing jumps when it takes over.
local function begin(self, base, q)
  local a = self.axis
  local x, y, z = back(base, turn(q, a[1], a[2], a[3]))
  self.gx, self.gy, self.gz = x, y, z
  self.rx, self.ry, self.rz = x, y, z
  self.ax, self.ay, self.az = x, y, z
  self.bx, self.by, self.bz = x, y, z
end

--- Rotation of a torso aside, or up, for a target at that angle: a share of the part beyond `beyond`.
local function part(said, angle, on)
  local over = math.abs(angle) - said.beyond
  return on and over > 0 and (angle > 0 and over or -over) * said.share or 0
end

--- Where a torso is to help: not at all while nothing is beyond and it is back, so that it is free for what
--- else wants it.
local function help(self, _, x, y, z)
  local said, yaw, pitch = self.said, vector.bearing(x, y, z)
  yaw, pitch = part(said, yaw, said.yaw), part(said, pitch, said.pitch)
  self.gx, self.gy, self.gz = vector.direction(yaw, pitch)
  local still = vector.angle(self.bx, self.by, self.bz, 1, 0, 0)
  local helps = math.min(1, math.max(math.abs(yaw) + math.abs(pitch),
    self.helps > 0 and still or 0) / whole_help)
  self.helps = helps > 0.02 and helps or 0
end

--- The part left to the eyes, with a threshold.
local function choose(self, dt, x, y, z)
  local said = self.said
  local off = vector.angle(self.gx, self.gy, self.gz, x, y, z)
  if off > said.threshold then
    local rest = math.min(off, said.threshold * (1 - said.align))
    if off > 1e-9 then self.gx, self.gy, self.gz = between(x, y, z, self.gx, self.gy, self.gz, rest / off) end
  elseif off > facing then
    local share = 1 - math.exp(-dt / said.settle)
    self.gx, self.gy, self.gz = between(self.gx, self.gy, self.gz, x, y, z, share)
  end
end

local function low_pass(share, x, y, z, tx, ty, tz)
  local ux, uy, uz = vector.unit(x + share * (tx - x), y + share * (ty - y), z + share * (tz - z))
  if ux then return ux, uy, uz end
  return between(x, y, z, tx, ty, tz, share)
end

--- The aim goes on: limited in speed, then through two low-passes.
local function go(self, dt)
  local share = 1 - math.exp(-dt / self.said.tau)
  self.rx, self.ry, self.rz = vector.towards(self.rx, self.ry, self.rz, self.gx, self.gy, self.gz,
    self.said.speed * dt)
  self.ax, self.ay, self.az = low_pass(share, self.ax, self.ay, self.az, self.rx, self.ry, self.rz)
  self.bx, self.by, self.bz = low_pass(share, self.bx, self.by, self.bz, self.ax, self.ay, self.az)
end

--- A tick: look at the point x, y, z of the world (nil: as before) with this share of its weight.
function Aim:work(dt, x, y, z, weight)
  local said = self.said
  local ox, oy, oz, base, q = place(self)
  if not self.gx then begin(self, base, q) end
  if x then
    local ux, uy, uz, distance = vector.unit(x - ox, y - oy, z - oz)
    if ux and distance > inside then (said.share and help or choose)(self, dt, back(base, ux, uy, uz)) end
  end
  if self.helps == 0 then return self:rest() end
  go(self, dt)
  local dx, dy, dz = turn(base, self.bx, self.by, self.bz)
  local goal = self.goal
  goal[1], goal[2], goal[3] = ox + far * dx, oy + far * dy, oz + far * dz
  local carrier = self.carrier
  if carrier then
    carrier:look()
    local p = carrier.p
    goal[1], goal[2], goal[3] = back(carrier.q, goal[1] - p[1], goal[2] - p[2], goal[3] - p[3])
  end
  self.host.solver:goal(self.slot, goal)
  weigh(self, weight * self.helps, said.share and said.tau or 0.05)
end

--- Another owner has it: no objective; it begins again from its position then.
function Aim:rest()
  weigh(self, 0, 0.1)
  self.gx = nil
  if self.carrier then self.carrier:forget() end
end

return aim
