--- A head, a torso, or the tool of an arm as a part of a gaze: slower than eyes, and moved only as far as
--- needed.
---
--- A target nearer to the head's aim than a threshold is left to the eyes.  Beyond it, the head moves until
--- the eyes are left with a share of the threshold, and turns fully towards a target that lasts (head
--- contribution beyond about 15 to 20 deg: Freedman and Sparks, J. Neurophysiology 77, 1997; "eyes first, the
--- neck takes the rest with a slower filter": Probo).  The aim moves with a speed limit through two low-pass
--- filters; the objective look_at converts it into a pose, with limits and collisions.
local foresight = require "brio.character.gaze.foresight"
local vector = require "brio.character.gaze.vector"

local between, turn, back = vector.between, vector.turn, vector.back

local aim = {}
local Aim = {}
Aim.__index = Aim

--- Distance of the aimed point, m: at this distance, translation of the link hardly changes the direction.
local far = 10

--- A target nearer than this has no direction, m.
local inside = 0.05

--- Largest error of the head's aim at a long-lasting target, rad.
local facing = 0.05

--- Angle of a torso at which its objective has its full weight, rad.
local whole_help = 0.1

local level = { 0, 0, 0, 1 }

--- Make one: `said` is a part of `body`, a result of body.of, whose base is the link in whose frame aims are
--- fixed (nil: the world); `add(name, kind, arguments)` adds an objective.
function aim.new(host, said, body, add)
  local self = setmetatable({ host = host, said = said, base = body.base, goal = { 0, 0, 0 },
    level = body.level, leveled = {},
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

--- Set the weight of all its objectives in the solver.
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
  return x, y, z, frame and vector.leveled(frame.orientation, self.level, self.leveled) or level, q
end

--- Start the aim at the link's present direction, so that there is no jump.
local function begin(self, base, q)
  local a = self.axis
  local x, y, z = back(base, turn(q, a[1], a[2], a[3]))
  self.gx, self.gy, self.gz = x, y, z
  self.rx, self.ry, self.rz = x, y, z
  self.ax, self.ay, self.az = x, y, z
  self.bx, self.by, self.bz = x, y, z
end

--- The angle of a torso sideways, or up, for a target at that angle: a share of the part beyond `beyond`.
local function part(said, angle, on)
  local over = math.abs(angle) - said.beyond
  return on and over > 0 and (angle > 0 and over or -over) * said.share or 0
end

--- Compute the torso's help: none while no target is beyond the threshold and the torso is back, so that
--- other objectives can use it.
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

--- Advance the aim: with a speed limit, then through two low-pass filters.
local function go(self, dt)
  local share = 1 - math.exp(-dt / self.said.tau)
  self.rx, self.ry, self.rz = vector.towards(self.rx, self.ry, self.rz, self.gx, self.gy, self.gz,
    self.said.speed * dt)
  self.ax, self.ay, self.az = low_pass(share, self.ax, self.ay, self.az, self.rx, self.ry, self.rz)
  self.bx, self.by, self.bz = low_pass(share, self.bx, self.by, self.bz, self.ax, self.ay, self.az)
end

--- Work of a tick: look at the point x, y, z of the world (nil: as before) with this share of its weight.
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

--- Another owner has the part: remove the weight; afterwards start again from its position.
function Aim:rest()
  weigh(self, 0, 0.1)
  self.gx = nil
  if self.carrier then self.carrier:forget() end
end

return aim
