--- The proof that a way of joints touches nothing, from a time on, in slices.
---
--- Its positions at equal steps of time are joined by straight motions, and brio.joints proves each of them
--- for its whole length.  Between two positions dt apart a joint of acceleration a is at most a dt^2 / 8 off
--- that line: 1.6e-4 rad for 12.5 rad/s^2 and 10 ms.  A step takes about 10 us for an arm.
local proof = {}
local Proof = {}
Proof.__index = Proof

--- Steps of a way at most, and their least duration, s.
local most_steps, least_step = 150, 0.01

--- Begin: `solids` (see solids.lua), a way (see way.lua), the time from which on it counts, s, and the
--- clearance, m.
function proof.begin(solids, way, from, clearance)
  local left = math.max(0, way.seconds - from)
  local count = math.max(1, math.min(most_steps, math.ceil(left / least_step - 1e-9)))
  solids.space:set_clearance(clearance)
  return setmetatable({ space = solids.space, way = way, from = from, step = left / count, count = count,
    index = 0 }, Proof)
end

local function values_at(self, index)
  local values = {}
  for d in ipairs(self.way.dofs) do values[d] = self.way:value(d, self.from + index * self.step) end
  return values
end

--- Prove `steps` further steps.  Return true when all are proven; false: one is not, and `values` are its
--- joints; nil: not at the end.
function Proof:work(steps)
  self.values = self.values or values_at(self, 0)
  for _ = 1, steps do
    local next_values = values_at(self, self.index + 1)
    if not self.space:motion(self.values, next_values) then
      self.values = self.space:clear(self.values) and next_values or self.values
      return false
    end
    self.values, self.index = next_values, self.index + 1
    if self.index >= self.count then return true end
  end
  return nil
end

return proof
