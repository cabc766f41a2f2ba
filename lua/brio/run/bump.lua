--- Collisions of the simulated robot while it walks, in a simulation without physics: nothing holds the body
--- back there.  The event `bumped` reports the collision, and the robot stops walking; a step in progress is
--- completed.
local bump = {}

--- Penetration depth of the robot's body in an object of the simulated world that counts as a collision, m.
local deep = 0.02

--- Once a tick: detect whether the robot of the run `self` collides. A collision is reported once, until the
--- robot touches nothing or another object.
function bump.feel(self)
  local id, depth = self.world:bumped()
  if not id or depth < deep then
    self.bumped = id and self.bumped or nil
  elseif self.bumped ~= id then
    self.bumped = id
    local host, what = self.host, ("the robot's body is in '%s', %.2f m deep: it walks no further"):format(id,
      depth)
    self.recorder:fault(host.tick, host.now, "warning", "world", what, nil, host.version)
    host:emit("bumped", { depth = depth }, "world", id)
    if host.stance then host.stance:drop(nil, ("the robot walked into '%s'"):format(id)) end
  end
end

return bump
