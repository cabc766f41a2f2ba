--- Physics of a run: the simulation of masses, motors and contact that moves the simulated robot's joints,
--- and what happens when it stops.
local library = require "brio.physics"

local physics = {}

--- Mass of links that move and have none in the robot's model, kg.
physics.massless = 0.05

--- Open the physics of `run`, before its devices: the options name a library, or are nil.  Return whether
--- that succeeded, or nil and a sentence.
function physics.open(run, options)
  if not options.physics or options.physics == "none" then return true end
  local good, made, why = pcall(library.new, {
    library = options.physics, robot = run.description.robot, world = run.world, massless = physics.massless,
  })
  if not good then return nil, (tostring(made):gsub("^.-%.lua:%d+: ", "")) end
  if not made then return nil, why end
  run.physics = made
  for _, sentence in ipairs(made:notes()) do run.say("info", sentence) end
  return true
end

--- Check that the devices are simulated.  Return whether they are, or nil and a sentence.
function physics.check(run)
  if not run.physics or run.actuator:simulated() then return true end
  return nil, "physics needs the simulator: with devices the robot itself has mass"
end

--- Once a tick: when the simulation has stopped, hold the robot, and end the run.
function physics.watch(run)
  if not run.physics or run.physics_ended then return end
  local why = run.physics:fault()
  if not why then return end
  local host = run.host
  run.physics_ended = why
  run.recorder:fault(host.tick, host.now, "error", "physics", why, "physics_ended", host.version)
  run:tell("error", "physics: " .. why, "physics")
  run.engine:order "hold"
  run.engine:stop "physics"
end

return physics
