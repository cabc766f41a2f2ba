--- The end of a behavior in a run: its state `power_off`, if it has one.
local behavior = require "brio.behavior.define"
local dispatch = require "brio.io.dispatch"

--- Add the functions to the class Host of run/host.lua.  revive(self, state, cause, detail) enters a state of
--- a behavior that had failed.
return function(Host, revive)
  --- Go to the power-off state, if there is one, even if leaving the other states fails or the behavior had
  --- failed before.
  function Host:start_power_off(why)
    if self.held_since then self:go_on() end
    self.power_off = { since = self.now }
    if self.control then self.control:stop() end
    if self.tasks then self.tasks:stop_all "the run ends" end
    local state = self.machine.states.power_off
    if not state then return end
    local good, message = true, nil
    if self.top then
      good, message = dispatch.call(self, dispatch.tick, self.top.leave, self.top)
      if not good then self:fail(message) end
    end
    if self.top then
      good, message = dispatch.call(self, dispatch.tick, self.top.enter, self.top, state, "stop", why)
    elseif self.failed then
      good, message = revive(self, state, "stop", why)
    end
    if not good then self:fail(message) end
  end

  --- Whether power-off is complete.
  function Host:powered_off()
    local active = self.top and self.top.current
    if self.halted or not active or active.state.path ~= "power_off" then return true end
    local lasted = self.now - self.power_off.since
    if lasted >= behavior.longest_power_off then return true end
    if active.state.lasts then return lasted >= active.state.lasts - 1e-9 end
    return not active.thread
  end
end
