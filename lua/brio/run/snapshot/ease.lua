--- A robot that goes on after a crash is eased in: for some seconds its joints go no faster than a share of
--- their speed, as nobody knows where it was left and who stands near it now.
local ease = {}

--- Of the speed, and for so long, s: ours.
ease.share, ease.seconds = 0.25, 3

local function finite(limit) return math.abs(limit) < math.huge and limit or nil end

--- Let the joints go at a share of their speeds, 1: as fast as they may.
function ease.set(run, share)
  for _, dof in ipairs(run.description.dofs) do
    if not dof.outside then
      run.solver:set_limits(dof.name, { lower = finite(dof.lower), upper = finite(dof.upper),
        acceleration = finite(dof.acceleration), velocity = finite(dof.velocity) and dof.velocity * share })
    end
  end
end

return ease
