--- The simulated robot walks into something.  Nothing holds it back there, as it is where its kinematics has
--- it: so it is told, by the event `bumped`, and walks no further; a swing that is under way comes to its
--- end.
local bump = {}

--- m that the robot's body may be in what stands in the simulated world before it counts as walked into.
local deep = 0.02

--- Look, once a tick, whether the robot of a run walks into something; `self` is the run.
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
