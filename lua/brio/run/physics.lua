--- Physics of a run: the simulation of masses, motors and contact that moves the simulated robot's joints,
--- things and doors; what happens when the world's file changes, and when the simulation stops.
local door = require "brio.io.input_gate"
local library = require "brio.physics"

local physics = {}

--- Mass of links that move and have none in the robot's model, kg.
physics.massless = 0.05

--- Tell what was made up for the model: all, or what contains `about`.
local function say_notes(run, about)
  for _, sentence in ipairs(run.physics:notes()) do
    if sentence:find(about or "", 1, true) then run.say("info", sentence) end
  end
end

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
  say_notes(run)
  return true
end

--- Check that the devices are simulated.  Return whether they are, or nil and a sentence.
function physics.check(run)
  if not run.physics or run.actuator:simulated() then return true end
  return nil, "physics needs the simulator: with devices the robot itself has mass"
end

--- Hand the compiled model over, and let the contents change.
local function finish(run, asked, wrong)
  if not wrong then
    local good, why = run.physics:change(asked.change)
    wrong = not good and why or nil
  end
  local answer = asked.take(wrong)
  if not wrong then say_notes(run, "things") end -- the robot is the same
  return answer
end

--- Change the contents of the world of `run` to those of `made`: a model of them is compiled, on the real
--- clock in a thread of its own, and `take(wrong)` exchanges the contents once it is there, or gets the
--- sentence why there is none.  A change during another one waits; of several the newest counts.
function physics.change(run, made, take)
  if run.physics_change then
    run.physics_change.next = { made = made, take = take }
    return true
  end
  local change, why = run.physics:prepare(made)
  if not change then return take(why) end
  local asked = { change = change, take = take }
  if run.fast then
    change:compile()
    local _, wrong = change:result(true)
    return finish(run, asked, wrong)
  end
  if not door.replays() then change:compile() end -- a replay has the bodies on its tape
  run.physics_change = asked
  return true
end

--- Whether a model is compiled: true, or false and a sentence; nil: not yet.
local function compiled(change) return change:result() end

--- Once a tick: when a model is compiled, it is used.
local function watch_change(run)
  local asked = run.physics_change
  local good, wrong = door.ask("job", compiled, asked.change)
  if good == nil then return end
  run.physics_change = nil
  finish(run, asked, not good and wrong or nil)
  if asked.next then physics.change(run, asked.next.made, asked.next.take) end
end

--- Once a tick: when the simulation has stopped, hold the robot, and end the run.
function physics.watch(run)
  if run.physics_change then watch_change(run) end
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
