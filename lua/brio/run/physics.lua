--- Physics of a run: the simulation of masses, motors and contact that moves the simulated robot's joints,
--- things, doors and a free base; what its sensors measure, and what happens when the robot falls, when the
--- world's file changes, and when the simulation stops.
local door = require "brio.io.input_gate"
local lazy = require "brio.lib.lazy"
local library = require "brio.physics"
local standing = lazy "brio.run.standing"
local suggest = require "brio.lib.suggest"

local physics = {}

--- Mass of links that move and have none in the robot's model, kg.
physics.massless = 0.05

--- Tell what was made up for the model: all, or what contains `about`.
local function say_notes(run, about)
  for _, sentence in ipairs(run.physics:notes()) do
    if sentence:find(about or "", 1, true) then run.say("info", sentence) end
  end
end

--- Tilt (rad) beyond which a robot has fallen, and the share of its first height below which it has; and
--- those at which it stands again.
physics.fallen = { tilt = 1, height = 0.5 }
physics.upright = { tilt = 0.5, height = 0.7 }

--- The inputs of a robot that links feel: the name of the IMU and its link, and lists of the names of others
--- and of their links.
local function feelers(description)
  local imu, link, names, links = nil, nil, {}, {}
  for _, name in ipairs(suggest.keys(description.inputs or {})) do
    local row = description.inputs[name]
    if row.link and row.kind == "imu" and not imu then imu, link = name, row.link
    elseif row.link and (row.kind == "touch" or row.kind == "number") then
      names[#names + 1], links[#links + 1] = name, row.link
    end
  end
  if not imu and description.floats then imu, link = "imu", description.robot:links()[1] end
  return imu, link, names, links
end

--- The transmissions of a robot's joints by name: a DOF's own row, or its group's; nil: there are none.
--- Raise a sentence on a DOF outside the tree.
local function transmissions_of(description)
  local rows, made = description.transmissions, {}
  for _, dof in ipairs(rows and description.dofs or {}) do
    local own = rows[dof.name]
    if own and dof.outside then
      error(("transmissions: '%s' is outside the kinematic tree, and has no mass"):format(dof.name), 0)
    end
    if not dof.outside then made[dof.name] = own or rows[dof.group or false] end
  end
  return next(made) and made or nil
end

--- Rows of inputs that physics adds to those of the robot of `run`: an IMU of a base that is free.
function physics.inputs(run)
  local name, given = run.senses_imu, run.description.inputs or {}
  return name and not given[name] and { [name] = { kind = "imu" } } or {}
end

--- Open the physics of `run`, before its devices: the options name a library, or are nil.  Return whether
--- that succeeded, or nil and a sentence.
function physics.open(run, options)
  if not options.physics or options.physics == "none" then return true end
  local imu, link, names, links = feelers(run.description)
  local fine, transmissions = pcall(transmissions_of, run.description)
  if not fine then return nil, transmissions end
  local good, made, why = pcall(library.new, {
    transmissions = transmissions,
    library = options.physics, robot = run.description.robot, world = run.world, massless = physics.massless,
    floats = run.description.floats, base = options.base, imu = link, touches = links,
  })
  if not good then return nil, (tostring(made):gsub("^.-%.lua:%d+: ", "")) end
  if not made then return nil, why end
  run.physics, run.senses_imu, run.senses_touches = made, imu, names
  say_notes(run)
  if run.description.floats and run.description.collisions then
    run.say("warning", "nothing watches for collisions: the robot's base moves (collisions)")
  end
  if run.description.floats and run.description.stance then return standing.begin(run) end
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

--- Plan a push that a fault's sentence describes: "push FORCE of LINK [at SECONDS] [for SECONDS]", a force
--- along the world's x in N, or "x,y,z".  Return true, or nil and a sentence.
function physics.plan_push(run, sentence)
  local function wrong(...) return nil, ("the fault '%s': %s"):format(sentence, string.format(...)) end
  if not run.physics then return wrong "a push needs --physics mujoco" end
  local said, link, rest = sentence:match "^%s*push%s+([^%s]+)%s+of%s+([^%s]+)(.*)$"
  if not said then return wrong "expected push FORCE of LINK [at SECONDS] [for SECONDS]" end
  local force = {}
  for part in (said .. ","):gmatch "([^,]*)," do force[#force + 1] = tonumber(part) or 0 / 0 end
  local push = { sentence = sentence, link = link, at = 0, seconds = 1e9,
    force = { force[1], force[2] or 0, force[3] or 0 } }
  for _, row in ipairs { { "at", "at" }, { "for", "seconds" } } do
    local number, n
    rest, n = rest:gsub("%s+" .. row[1] .. "%s+(%S+)", function(text) number = tonumber(text) return "" end)
    if n > 0 and not number then return wrong("'%s' needs a number of seconds", row[1]) end
    push[row[2]] = number or push[row[2]]
  end
  if rest:match "%S" then return wrong("'%s' is not understood", rest:match "%S.*") end
  for _, value in ipairs(push.force) do
    if value ~= value or math.abs(value) > 1e6 then
      return wrong("a force must be a number, or three with commas, in N")
    end
  end
  if not (push.seconds > 0 and push.at >= 0) then return wrong "its times must be at least 0 s" end
  local known = {}
  for _, name in ipairs(run.description.robot:links()) do known[name] = true end
  if not known[link] then
    return wrong("the robot has no link '%s'%s", link, suggest.hint(link, run.description.robot:links()))
  end
  run.pushes = run.pushes or {}
  table.insert(run.pushes, push)
  return true
end

--- Begin the pushes whose time has come.
local function push_links(run)
  for index = #run.pushes, 1, -1 do
    local push = run.pushes[index]
    if push.at <= run.host.now + 1e-9 then
      table.remove(run.pushes, index)
      local good, why = run.physics:push(push.link, push.seconds, push.force)
      run:tell(good and "info" or "warning", good and "physics: " .. push.sentence or why, "physics")
    end
  end
end

--- The angle between the up of a base now and at first, rad: of orientations x, y, z, w.
local function tilt_of(now, first)
  local function up(q) -- the world's up in the base
    local x, y, z, w = table.unpack(q)
    return 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
  end
  local a, b, c = up(now)
  local d, e, f = up(first)
  return math.acos(math.max(-1, math.min(1, a * d + b * e + c * f)))
end

--- Tell once that the robot has fallen: the log, the store and the behavior; and the behavior, that it is
--- upright again.
local function watch_fall(run)
  local base = run.physics:base()
  if not base then return end
  run.base_stood = run.base_stood or base
  local stood, host = run.base_stood, run.host
  local tilt, height = tilt_of(base.orientation, stood.orientation), base.position[3]
  local function beyond(limit) return tilt > limit.tilt or height < limit.height * stood.position[3] end
  if run.base_fell then
    run.base_fell = beyond(physics.upright)
    if not run.base_fell then host:emit("upright", { tilt = tilt, height = height }, "physics") end
    return
  end
  if not beyond(physics.fallen) then return end
  run.base_fell = true
  local what = ("the robot has fallen: its base leans by %.2f rad, %.2f m above the floor"):format(tilt,
    height)
  run.recorder:fault(host.tick, host.now, "warning", "physics", what, "fell", host.version)
  run:tell("warning", what, "physics")
  host:emit("fell", { tilt = tilt, height = height }, "physics")
end

--- Set the inputs that links feel.
local function sense(run)
  local imu, touches = run.physics:sensed()
  if imu then run.inputs:set(run.senses_imu, imu, "device") end
  for index, force in next, touches do
    local name = run.senses_touches[index]
    local item = run.inputs:find(name)
    run.inputs:set(name, item.kind.name == "touch" and force > 0 or item.kind.name == "number" and force,
      "device")
  end
end

--- Once a tick: when the simulation has stopped, hold the robot, and end the run.
function physics.watch(run)
  if run.physics_change then watch_change(run) end
  if run.physics_ended then return end
  if run.pushes then push_links(run) end
  sense(run)
  if run.description.floats then watch_fall(run) end
  if run.stance then standing.work(run) end
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
