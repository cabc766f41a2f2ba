--- Eases in a robot that resumes after a crash: for some seconds its joints are limited to a share of their
--- speed, as it is unknown where the robot was left and who is near it now.
local ease = {}

--- The share of the speed, and the duration, s; both are our choice.
ease.share, ease.seconds = 0.25, 3

local function finite(limit) return math.abs(limit) < math.huge and limit or nil end

--- Limit the joints to a share of their speeds; 1: their full speed.
function ease.set(run, share)
  for _, dof in ipairs(run.description.dofs) do
    if not dof.outside then
      run.solver:set_limits(dof.name, { lower = finite(dof.lower), upper = finite(dof.upper),
        acceleration = finite(dof.acceleration), velocity = finite(dof.velocity) and dof.velocity * share })
    end
  end
end

return ease
