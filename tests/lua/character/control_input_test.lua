--- Shared control from gamepads and trackers: sticks, effects of a joystick, and poses that are tracked live.
local robots = require "brio.robots"

local alive = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "%s", start = "calm", %s }
made.calm = { wants = { %s want.collision_avoidance {}, want.joint_limits {} } }
return made
]]

--- Objectives for both arms, the head and the torso.
local busy = [[want.look_at { link = "gaze", goal = { 2, 0.8, 1.2 } }, want.joint_match { joint = "HipPitch", goal = -0.1 },
  want.joint_match { joint = "LShoulderPitch", goal = 1.1 }, want.orientation_match { link = "torso", goal = { 0, 0, 0, 1 } },
  want.joint_match { joint = "RElbowRoll", goal = 0.9 }, want.joint_liveliness { joint = "LElbowYaw", goal = 0.1 },]]

--- Sample a DOF's command over time: each change from tick to tick, and the change of that.
local function watch(run, dof, seconds)
  local most, bend, before, step = 0, 0, run:command(dof), nil
  for _ = 1, math.floor(seconds * 200 + 0.5) do
    run:advance(0.005)
    local now = run:command(dof)
    local moved = now - before
    if step then bend = math.max(bend, math.abs(moved - step)) end
    most, before, step = math.max(most, math.abs(moved)), now, moved
  end
  return most * 200, bend * 200 * 200
end

local function commands_of(run)
  local row = {}
  for _, dof in ipairs(run.description.dofs) do row[dof.name] = run:command(dof.name) end
  return row
end

-- A joystick ------------------------------------------------------------------------------------------------

test("a stick has a round dead zone, rescaled, and finds its center by itself", function(t)
  local stick = require "brio.devices.stick"
  local one = stick.new(0.24)
  for angle = 0, 359, 15 do
    local x, y = math.cos(math.rad(angle)), math.sin(math.rad(angle))
    for _, far in ipairs { 0.1, 0.239, 0.25, 0.6, 1 } do
      one:put("x", far * x, angle)
      one:put("y", far * y, angle)
      local gx, gy = one:read(angle)
      local expected = far <= 0.24 and 0 or (far - 0.24) / 0.76
      t:near({ gx, gy }, { expected * x, expected * y }, 1e-12, ("%g at %d deg"):format(far, angle))
    end
  end
  t:near({ stick.left * 32767, stick.right * 32767 }, { 7849, 8689 }, 1e-9)
  local worn = stick.new(0.1)
  worn:put("x", 0.08, 0)
  for tick = 0, 300 do worn:read(tick * 0.005) end
  worn:put("x", 0.17, 2)
  t:equal((worn:read(2)), 0, "0.09 from where it rests")
  worn:put("x", 1, 2)
  t:near(worn:read(2), 1, 1e-12, "its end is still its end")
  worn:put("x", -1, 2)
  t:near(worn:read(2), -1, 1e-12)
  worn:let_go()
  t:equal({ worn:read(3) }, { 0, 0 })
end)

--- A run with a gamepad's inputs, and a hand on it.
local function with_pad(t, robot, options)
  local gamepad = require "brio.devices.gamepad"
  options = options or {}
  options.inputs = gamepad.rows(assert(gamepad.read "standard"))
  options.source = ([[
    local brio = require "brio"
    local made = brio.behavior "made" { robot = "%s", start = "calm", character = { emotion = true, control = { joystick = %s } } }
    made.calm = { wants = { brio.want.joint_limits {} } }
    return made]]):format(robot, options.rows or "true")
  options.rows = nil
  local run = t:run("none", options)
  run:advance(0.5)
  return run, function(name, value) assert(run.run.inputs:set(name, value, "gamepad")) end
end

test("the joystick of the paper: emotion, trunk, head, and what buttons play", function(t)
  local run, hand = with_pad(t, "probo", { recorded = true })
  local host = run.run.host
  hand("stick_left_x", 0.8)
  hand("stick_left_y", 0.5)
  run:advance(1.5)
  t:near({ host.emotion.valence, host.emotion.arousal }, { 0.8, 0.5 }, 0.02, "the emotion is the stick's")
  hand("stick_left_x", 0)
  hand("stick_left_y", 0)
  run:advance(0.1)
  t:equal(host.emotion:taken(), false)
  run:advance(4)
  hand("stick_right_y", 0.5)
  local before = run:command "TrunkTilt"
  run:advance(0.01)
  t:ok(run:command "TrunkTilt" > before, "the trunk moves within two ticks")
  run:advance(1)
  t:near(run:command "TrunkTilt", 0.5, 1e-3, "the trunk is where the stick is")
  t:equal({ host.control:taken "TrunkTilt", host.control:taken "head" }, { 1, false })
  hand("stick_right_y", 0)
  run:advance(0.5)
  t:equal(host.control:taken "trunk", false, "let go of, it is given back")
  hand("shoulder_left", true)
  hand("stick_right_x", -0.5)
  run:advance(0.5)
  hand("stick_right_x", 0)
  run:advance(0.5)
  local pan = run:command "NeckPan"
  t:ok(pan > 0.2 and pan < 0.5, "half a second at half speed to the left: %g rad", pan)
  t:near(run:command "TrunkPan", 0, 0.2, "the trunk is not meant")
  run:advance(1)
  t:near(run:command "NeckPan", pan, 2e-3, "it stays where it is left")
  run:advance(3)
  t:equal(host.control:taken "head", false)
  hand("shoulder_left", false)
  local played = {}
  for name, sequence in pairs { trigger_left = "wink", pad_south = "nod", pad_east = "shake",
      pad_north = "pathetic", pad_west = "fall_asleep" } do
    hand(name, name:find "trigger" and 0.9 or true)
    run:advance(0.005)
    for _, playing in ipairs(host.tracks:list()) do
      if playing.name == sequence then played[#played + 1] = name .. " " .. playing.owner end
    end
    hand(name, name:find "trigger" and 0 or false)
    run:advance(0.2)
    host.tracks:stop(sequence, 0.1)
    run:advance(0.2)
  end
  table.sort(played)
  t:equal(played, { "pad_east operator", "pad_north operator", "pad_south operator", "pad_west operator",
    "trigger_left operator" })
  hand("cross_y", -1)
  run:advance(2)
  t:near(host.control:level(), 0.75, 1e-9, "the cross turns autonomy down")
  run:close()
  local rows = run:sql "SELECT who, command FROM operator WHERE command = 'play'"
  t:equal({ #rows, rows[1].who }, { 5, "gamepad" })
end)

test("a stick moves what a person has taken, and does not give that back; on hold it moves nothing",
  function(t)
  local run, hand = with_pad(t, "pepper")
  local control = run.run.host.control
  assert(control:take("head", { who = "ann" }))
  hand("stick_right_x", 1)
  run:advance(0.5)
  hand("stick_right_x", 0)
  run:advance(4)
  t:ok(run:command "HeadYaw" < -0.3, "%g", run:command "HeadYaw")
  t:equal(control:taken "head", 1)
  run.run.host:hold()
  run:advance(0.5)
  local yaw = run:command "HeadYaw"
  hand("stick_right_x", -1)
  hand("pad_south", true)
  run:advance(0.5)
  t:near(run:command "HeadYaw", yaw, 1e-9, "on hold")
  hand("stick_right_x", 0)
  run.run.host:go_on()
  run:advance(0.5)
  t:near(run:command "HeadYaw", yaw, 1e-3)
end)

test("each robot's joystick fits it; rows that are wrong are refused in words", function(t)
  local joystick = require "brio.character.control.joystick"
  for _, name in ipairs(robots.list()) do
    local description = assert(robots.find(name))
    t:equal(joystick.fault(assert(robots.data(description, "joystick")), description), nil, name)
  end
  local probo = assert(robots.find "probo")
  local function refused(rows, pattern) t:match(joystick.fault({ rows = rows }, probo), pattern) end
  refused({ { does = "emotoin" } }, "rows%[1%]%.does must be one of .-did you mean 'emotion'")
  refused({ { does = "emotion" } }, "joystick%.rows%[1%] %(emotion%) needs 'stick'")
  refused({ { does = "turn", stick = "s", x = { NekPan = 1 } } }, "no DOF 'NekPan' %(did you mean 'NeckPan'")
  refused({ { does = "turn", stick = "s", x = { NeckPan = 0 / 0 } } }, "x%.NeckPan must be a number, not")
  refused({ { does = "play", button = "b", paly = "nod" } }, "no field 'paly' %(did you mean 'play'")
  t:match(joystick.fault({ rows = {}, rset = 1 }, probo), "no field 'rset'")
  t:match(joystick.fault(1, probo), "must be a table")
  t:raises(function() with_pad(t, "probo", { rows = "{ rows = { { does = 'nod' } } }" }) end,
    "character%.control: joystick%.rows%[1%]")
end)

-- Streams of poses ------------------------------------------------------------------------------------------

local json = require("brio.store").json

--- A run that tracks a pose, and a sender of datagrams at 50 Hz.
local function with_tracker(t, robot, wants)
  local run = t:run("none", { source = alive:format(robot, "", wants or "") })
  run:advance(1)
  local control, seq = run.run.host.control, 0
  local function say(fields)
    seq = seq + 1
    fields.seq = fields.seq or seq
    return control.tracker:take(json(fields), run.now)
  end
  local function where(link) return run.scene:frame(run.description.roles[link] or link) end
  return run, say, where, control
end

test("a tracker leads a hand through the solver: where it says, from the next tick, and nothing else moves",
  function(t)
  local run, say, where, control = with_tracker(t, "pepper", busy)
  local from, before = where("left_hand").position, commands_of(run)
  local to = { from[1] + 0.05, from[2] + 0.05, from[3] + 0.1 }
  assert(say { link = "left_hand", position = to, who = "ann" })
  run:advance(0.01)
  local now, moved = commands_of(run), 0
  for dof in next, now do
    if dof:find "^L[SEW]" and math.abs(now[dof] - before[dof]) > 1e-7 then moved = moved + 1 end
  end
  t:ok(moved > 0, "an arm's joint is told to move within two ticks")
  for _ = 1, 100 do
    assert(say { link = "left_hand", position = to })
    run:advance(0.02)
  end
  t:near(where("left_hand").position, to, 5e-3)
  t:equal({ control:taken "left_arm", control:taken "LShoulderPitch", control:taken "LHand",
    control:taken "right_arm", control:taken "head" },
    { 1, 1, false, false, false })
  t:equal(control.of.LShoulderPitch.who, "ann")
  t:match(table.concat(control.tracker:lines(), "\n"), "left_hand: position of left_arm, followed.-taken 101")
  -- out of reach: as near as possible
  for _ = 1, 100 do
    assert(say { link = "left_hand", position = { 3, 0, 1 } })
    run:advance(0.02)
  end
  t:ok(run:command "LElbowRoll" > -0.15 and where("left_hand").position[1] > to[1] + 0.05,
    "the arm is stretched")
end)

test("a clutch moves a hand from where it is, scaled, in a frame; heads turn as they are told", function(t)
  local run, say, where = with_tracker(t, "panda")
  local from = where("tool")
  local q = { 0, 0, math.sin(0.3), math.cos(0.3) }
  assert(say { link = "tool", clutch = true, position = { 5, 5, 5 }, orientation = q, scale = 2 })
  for step = 1, 100 do
    local way = math.min(1, step / 50)
    assert(say { link = "tool", clutch = true, position = { 5, 5 + 0.05 * way, 5 - 0.03 * way },
      orientation = q, scale = 2 })
    run:advance(0.02)
  end
  t:near(where("tool").position, { from.position[1], from.position[2] + 0.1, from.position[3] - 0.06 }, 3e-3)
  local geometry = require "brio.geometry"
  t:near(geometry.angle(where("tool").orientation, from.orientation), 0, 0.01, "it is turned as it was")
  assert(say { link = "tool", clutch = false, position = { 9, 9, 9 } })
  run:advance(0.1)
  assert(say { link = "tool", clutch = true, position = { 9, 9, 9 }, orientation = q })
  run:advance(0.1)
  t:near(where("tool").position, { from.position[1], from.position[2] + 0.1, from.position[3] - 0.06 }, 5e-3,
    "the tracker was put elsewhere")
  for robot, what in pairs { pepper = "direction", probo = "orientation" } do
    local head, tell, place, control = with_tracker(t, robot)
    local turned = geometry.from_rpy(0, 0.15, 0.4)
    for _ = 1, 75 do
      assert(tell { link = "head", orientation = turned })
      head:advance(0.02)
    end
    t:equal(control.tracker.streams.head.stream.what, what)
    t:near(geometry.turn(place("head").orientation, { 1, 0, 0 }), geometry.turn(turned, { 1, 0, 0 }), 0.02,
      robot)
  end
end)

test("who falls silent is waited for, then given back; who takes the arm over has it", function(t)
  local run, say, _, control = with_tracker(t, "pepper", busy)
  local shoulder = run:command "LShoulderPitch"
  for _ = 1, 50 do
    assert(say { link = "left_hand", position = { 0.3, 0.3, 0.9 } })
    run:advance(0.02)
  end
  local there = run:command "LShoulderPitch"
  t:ok(math.abs(there - shoulder) > 0.1, "it moved")
  run:advance(1)
  t:near(run:command "LShoulderPitch", there, 0.02, "held")
  t:equal(control:taken "left_arm", 1)
  local speed, bend = watch(run, "LShoulderPitch", 3)
  t:equal(control:taken "left_arm", false)
  t:near(run:command "LShoulderPitch", shoulder, 0.02, "given back")
  t:ok(speed < 3 and bend < 13, "softly: %g rad/s, %g rad/s^2", speed, bend)
  assert(say { link = "left_hand", position = { 0.3, 0.3, 0.9 } })
  run:advance(0.02)
  assert(control:take("left_arm", { who = "bob" }))
  run:advance(0.02)
  local good, why = say { link = "left_hand", position = { 0.3, 0.3, 0.9 } }
  t:ok(good == nil)
  t:match(why, "somebody else has left_arm")
  t:equal(control.of.LElbowRoll.who, "bob")
end)

test("datagrams that are cut, wrong, not finite, late or out of order are refused in words, and counted",
  function(t)
  local run, say, _, control = with_tracker(t, "pepper")
  local tracker = control.tracker
  local function refused(text, reason, pattern)
    local count = tracker.counts[reason] or 0
    local good, why = tracker:take(text, run.now)
    t:ok(good == nil and tracker.counts[reason] == count + 1, "%s: %s", reason, text)
    t:match(why, pattern)
  end
  refused('{"link":"left_hand","position":[0.3,0', "cut", "no whole JSON")
  refused("", "cut", "no whole JSON")
  refused(("["):rep(1000), "cut", "no whole JSON")
  refused('{"link":"left_hand","position":[0.3,NaN,1]}', "cut", "no whole JSON")
  refused('{"link":"left_hand","position":[0.3,1e999,1]}', "wrong", "position%[2%] must be a number, not inf")
  refused('{"link":"left_hand","position":[0.3,null,1]}', "wrong", "position%[2%] must be a number")
  refused('{"link":"left_hand","position":[0.3,1]}', "wrong", "position must be a list of 3 numbers")
  refused('{"link":"left_hand","orientation":[0,0,0,"1"]}', "wrong",
    "orientation%[4%] must be a number, not a string")
  refused('{"link":"left_hand"}', "wrong", "neither position nor orientation")
  refused('{"position":[0,0,1]}', "wrong", "needs 'link'")
  refused('[1,2]', "wrong", "no JSON object")
  refused('7', "wrong", "no JSON object")
  refused('{"link":"left_hand","position":[0,0,1],"scal":2}', "wrong",
    "no field 'scal' %(did you mean 'scale'")
  refused('{"link":"left_hand","position":[0,0,1],"scale":-2}', "wrong", "scale must be")
  refused('{"link":"left_hnad","position":[0,0,1]}', "unknown",
    "no link or role 'left_hnad' %(did you mean 'left_hand'")
  refused('{"link":"base_footprint","position":[0,0,1]}', "unknown", "nothing moves")
  refused('{"link":"left_hand","position":[0,0,1],"frame":"nose"}', "unknown", "no link 'nose'")
  assert(say { link = "left_hand", position = { 0.3, 0.3, 0.9 }, seq = 10, time = 100 })
  refused('{"link":"left_hand","position":[0.3,0.3,0.9],"seq":10,"time":100.1}', "out of order",
    "newer data already")
  refused('{"link":"left_hand","position":[0.3,0.3,0.9],"seq":9,"time":100.1}', "out of order",
    "newer data already")
  refused('{"link":"left_hand","position":[0.3,0.3,0.9],"seq":11,"time":99.9}', "out of order",
    "newer data already")
  run:advance(0.5)
  refused('{"link":"left_hand","position":[0.3,0.3,0.9],"seq":12,"time":100.1}', "late", "behind")
  assert(say { link = "left_hand", position = { 0.3, 0.3, 0.9 }, seq = 13, time = 100.5 })
  run:advance(2)
  assert(say { link = "left_hand", position = { 0.3, 0.3, 0.9 }, seq = 1, time = 3 }) -- the sender restarted
  run:advance(2)
  local bare = '{"link":"left_hand","position":[0.3,0.3,0.9],"time":%g}'
  assert(tracker:take(bare:format(50), run.now))
  run:advance(2)
  assert(tracker:take(bare:format(1), run.now), "one that counts nothing")
  local said = 0
  for _, line in ipairs(t.said) do said = said + (line:find "datagram is refused" and 1 or 0) end
  t:equal(said, 5, "each reason is said once")
  local random = require("brio.random").stream(1, "rubbish")
  for _ = 1, 2000 do
    local bytes = {}
    for index = 1, random:whole(40) do bytes[index] = string.char(random:whole(256) - 1) end
    tracker:take(table.concat(bytes), run.now)
  end
  run:advance(0.1)
  t:equal(run.failed, nil)
end)

test("a gamepad leads a hand by its velocity, and gives it back", function(t)
  local run, hand = with_pad(t, "panda")
  local function tool() return run.scene:frame("panda_hand_tcp").position end
  local from = tool()
  hand("shoulder_right", true)
  hand("stick_right_y", 1)
  run:advance(1)
  hand("stick_right_y", 0)
  run:advance(0.5)
  local to = tool()
  t:near({ to[1] - from[1], to[2] - from[2], to[3] - from[3] }, { 0.15, 0, 0 }, 5e-3, "a second at 0.15 m/s")
  hand("stick_left_y", 1)
  run:advance(0.01)
  t:ok(tool()[3] >= to[3], "up")
  run:advance(0.99)
  hand("stick_left_y", 0)
  run:advance(1)
  t:near(tool()[3] - from[3], 0.15, 0.01)
  t:equal(run.run.host.control:taken "arm", 1)
  run:advance(2)
  t:equal(run.run.host.control:taken "arm", false)
end)

-- All of it at once -----------------------------------------------------------------------------------------

--- Random actions of people, drawn from a stream.
local function hands(run, stream)
  local control, host, dofs = run.run.host.control, run.run.host, run.description.dofs
  local parts, faculties, sequence, lead = control:index().names, control:faculties(), 0, nil
  local axes = { "stick_left_x", "stick_left_y", "stick_right_x", "stick_right_y", "trigger_left",
    "trigger_right", "cross_y" }
  local buttons = { "pad_south", "pad_east", "pad_north", "pad_west", "shoulder_left", "shoulder_right",
    "pad_select" }
  local function pick(list) return list[stream:whole(#list)] end
  local function move()
    local dof = pick(dofs)
    control:move(dof.name, stream:uniform(dof.lower, dof.upper))
  end
  local acts = {
    function() control:take(pick(parts), { who = "ann" }) end,
      function() control:share(pick(parts), stream:uniform(0, 1)) end,
    function() control:give(pick(parts), stream:uniform(0, 2)) end,
      function() control:give("all", stream:uniform(0, 2)) end,
    move, move, function() control:set_level(pick(faculties), stream:uniform(0, 1), stream:uniform(0, 2)) end,
    function() control:set_level(pick(parts), stream:uniform(0, 1), stream:uniform(0, 2)) end,
    function() run.run.inputs:set(pick(axes), stream:uniform(-1, 1) * (stream:whole(2) - 1), "gamepad") end,
    function() run.run.inputs:set(pick(buttons), stream:whole(2) == 1, "gamepad") end,
    function() if host.held_since then host:go_on() elseif stream:whole(8) == 1 then host:hold() end end,
    function() run.run.engine:order(stream:whole(5) == 1 and "panic" or "release") end,
  }
  return function()
    if stream:uniform() < 0.05 then pick(acts)() end
    if stream:uniform() < 0.01 then
      lead = stream:whole(2) == 1 and pick { "head", "tool", "left_hand", "right_hand" } or nil
    end
    sequence = sequence + 1
    if not lead or sequence % 4 > 0 then return end
    control.tracker:take(json { link = lead,
      position = { stream:uniform(-1, 1), stream:uniform(-1, 1), stream:uniform(0, 1.5) },
      orientation = { 0, 0, 0, 1 }, clutch = sequence % 800 < 400 or nil }, run.now)
  end
end

test("whatever people do in whatever order, commands keep to each DOF's speed and acceleration", function(t)
  local scale = tonumber(os.getenv "BRIO_TEST_SCALE" or "1")
  for seed, robot in ipairs { "probo", "pepper", "panda" } do
    local run = with_pad(t, robot)
    local act = hands(run, require("brio.random").stream(seed, "hands"))
    local last, speed, fastest, hardest = {}, {}, 0, 0
    for _ = 1, 1000 * scale do
      act()
      run:advance(0.005)
      for _, dof in ipairs(run.description.dofs) do
        local name = dof.name
        local at = run.actuator:state(name).command
        local now = last[name] and (at - last[name]) * 200 or 0
        fastest = math.max(fastest, math.abs(now) / dof.velocity)
        hardest = math.max(hardest, speed[name] and math.abs(now - speed[name]) * 200 / dof.acceleration or 0)
        last[name], speed[name] = at, now
      end
    end
    t:equal(run.failed, nil)
    t:ok(fastest < 1 + 1e-6 and hardest < 1 + 1e-3, "%s: %g of its speed, %g of its acceleration", robot,
      fastest, hardest)
    for _, line in ipairs(t.said) do t:ok(not line:find "shared control failed", "%s", line) end
  end
end)
