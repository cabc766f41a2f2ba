-- Gaze: in whole runs on robots with eyes, a head, or an arm's tool, compared with geometry and human data.
local eyes = require "brio.character.gaze.eyes"
local vector = require "brio.character.gaze.vector"
local words = require "brio.character.gaze.words"

local function behavior(robot, gaze, wants)
  return ([[local brio = require "brio"
local want = brio.want
local b = brio.behavior "b" { robot = "%s", start = "idle", character = { gaze = %s } }
b.idle = { wants = { %s } }
return b]]):format(robot, gaze or "true", wants or "want.collision_avoidance {}, want.joint_limits {}")
end

local still = "{ scan = false, avert = false, explore = false, blink = false }"

local function start(t, robot, gaze, options)
  options = options or {}
  options.source = behavior(robot, gaze, options.wants)
  options.wants = nil
  return t:run("b", options)
end

local function gaze_of(run) return run.run.host.gaze end

--- The angle between a link's axis and the direction to a place, rad, in the newest pose.
local function off(run, link, place, axis)
  axis = axis or { 1, 0, 0 }
  local pose = run.solver:frames()[link]
  local p = pose.position
  local ux, uy, uz = vector.unit(place[1] - p[1], place[2] - p[2], place[3] - p[3])
  local x, y, z = vector.turn(pose.orientation, axis[1], axis[2], axis[3])
  return vector.angle(x, y, z, ux, uy, uz)
end

--- The left eye's direction, yaw in the world.
local function sight(run)
  return (vector.bearing(vector.turn(run.solver:frames().eye_left.orientation, 1, 0, 0)))
end

local function eyes_off(run, place)
  return math.max(off(run, "eye_left", place), off(run, "eye_right", place))
end

-- On robots ------------------------------------------------------------------------------------------

local faces = { probo = { 1.2, 0.7, 0.9 }, pepper = { 1.2, 0.9, 1.0 }, panda = { 1.3, 0.8, 0.9 },
  ur3e = { 1.1, -0.7, 0.8 },
  mycobot280 = { 0.9, 0.6, 0.4 } }

for _, robot in ipairs { "probo", "pepper", "panda", "ur3e", "mycobot280" } do
  test("it looks at who comes, within 0.2 s, and holds on to them: " .. robot, function(t)
    local run = start(t, robot, still, { recorded = true })
    run:advance(0.3)
    run:see { kind = "person", id = "ann", at = faces[robot] }
    run:advance(robot == "probo" and 3 or 4)
    t:equal(gaze_of(run).face:at().target, "ann")
    local said = gaze_of(run).body
    if said.eyes then t:ok(eyes_off(run, faces[robot]) < 2e-3, "eyes are off by %.4f",
      eyes_off(run, faces[robot])) end
    local head = off(run, said.head.link, faces[robot], said.head.axis)
    t:ok(head < (said.eyes and 0.08 or 2e-3), "the head is off by %.4f", head)
    t:equal(run:close(), "stopped")
    local came = run:sql("SELECT t FROM events WHERE name = 'person_appeared'")[1].t
    local first = run:sql(
      [[SELECT min(t) AS t FROM (SELECT s.t, abs(s.command - (SELECT b.command FROM samples b
      WHERE b.run = 1 AND b.name = s.name AND b.tick = CAST(? * 200 AS INTEGER))) AS way FROM samples s WHERE s.run = 1 AND s.t > ?)
      WHERE way > 1e-3]], came, came)[1].t
    t:ok(first and first - came <= 0.2, "it begins to move after %s s", first and first - came)
    local row = run:sql("SELECT target, kind, why, started FROM gaze WHERE target = 'ann'")[1]
    t:equal({ row.kind, row.why }, { "person", "is new" })
    t:ok(row.started - came <= 0.1, "the store says so, too")
  end)
end

-- Eyes -----------------------------------------------------------------------------------------------

test("eyes stay on a place while the head is moved: the reflex, to 0.1 deg at up to 140 deg/s", function(t)
  local run, place = start(t, "probo", still), { 1.5, 0.3, 0.8 }
  run:advance(0.1)
  gaze_of(run).face:look_at(place)
  run:advance(1.5)
  local pan, tilt = { { 0, kind = "input" } }, { { 0, kind = "input" } }
  for beat = 1, 5 do
    local side = beat % 2 == 0 and -1 or 1
    pan[#pan + 1] = { 0.4 * beat, 0.25 * side, kind = "superposition" }
    tilt[#tilt + 1] = { 0.4 * beat + 0.1, 0.15 * side, kind = "superposition" }
  end
  pan[#pan + 1], tilt[#tilt + 1] = { 2.6, kind = "input" }, { 2.6, kind = "input" }
  run.run.host.self:play { curve = "minimum_jerk", tracks = { NeckPan = pan, NeckTilt = tilt } }
  local worst, fastest, last = 0, 0, run:command "NeckPan"
  for _ = 1, 560 do
    run:advance(0.005)
    worst = math.max(worst, eyes_off(run, place))
    fastest, last = math.max(fastest, 200 * math.abs(run:command "NeckPan" - last)), run:command "NeckPan"
  end
  t:ok(fastest > 2, "the head turns at up to %.2f rad/s", fastest)
  t:ok(worst < math.rad(0.1), "the eyes are off by up to %.4f deg", math.deg(worst))
  print(("# off by up to %.3f deg, the head at up to %.0f deg/s"):format(math.deg(worst), math.deg(fastest)))
end)

test("eyes converge by the distance of what they look at", function(t)
  local run = start(t, "probo", still)
  run:advance(0.1)
  for _, distance in ipairs { 4, 1, 0.4, 0.25 } do
    local place = { 0.125 + distance, 0.02, 0.7 }
    gaze_of(run).face:look_at(place)
    run:advance(1)
    local between = run.solver:frames()
    local l, r = between.eye_left.position, between.eye_right.position
    local ax, ay, az = vector.unit(place[1] - l[1], place[2] - l[2], place[3] - l[3])
    local bx, by, bz = vector.unit(place[1] - r[1], place[2] - r[2], place[3] - r[3])
    local expected = vector.angle(ax, ay, az, bx, by, bz)
    t:near(run:command "EyeRightPan" - run:command "EyeLeftPan", expected, 0.02 * expected + 5e-4,
      distance .. " m")
  end
end)

test("saccades keep the main sequence as far as the eyes can", function(t)
  t:near(eyes.duration(math.rad(10), 1e3, 1e6), 0.043, 1e-6, "10 deg, as people")
  t:near(eyes.duration(math.rad(20), 1e3, 1e6), 0.065, 1e-6, "20 deg")
  local run = start(t, "probo", still)
  run:advance(0.1)
  local lasted, peaks = {}, {}
  for index, way in ipairs { 0.03, 0.08, 0.2, 0.4 } do
    gaze_of(run).face:look_at { 4, 0, 0.7 }
    run:advance(1.2)
    gaze_of(run).face:look_at { 0.125 + 3.9 * math.cos(way), 3.9 * math.sin(way), 0.7 }
    local last, first, ended, peak = sight(run), nil, nil, 0
    for tick = 1, 50 do
      run:advance(0.005)
      local now = sight(run)
      local speed = 200 * math.abs(now - last)
      last, peak = now, math.max(peak, speed)
      if speed > 0.02 * way / 0.05 + 0.15 then first, ended = first or tick, tick end
    end
    t:ok(first and first <= 3, "%.2f rad: it begins in tick %s", way, first)
    lasted[index], peaks[index] = (ended - first + 1) * 0.005, peak
    local said = gaze_of(run).body.eyes
    local plan = eyes.duration(way, 0.9 * said.speed, 0.9 * said.acceleration)
    t:ok(math.abs(lasted[index] - plan) < 0.025, "%.2f rad lasts %.3f s, not %.3f", way, lasted[index], plan)
    t:ok(plan >= 0.021 + 2.2e-3 * math.deg(way) - 1e-9, "never quicker than people's")
  end
  for index = 2, #lasted do
    t:ok(lasted[index] > lasted[index - 1] and peaks[index] > peaks[index - 1],
      "larger ones last longer and are faster")
  end
  t:ok(peaks[#peaks] <= 8.001, "within the joint's limit")
end)

test("what moves is pursued smoothly, and caught up with by saccades where it is too fast", function(t)
  local function follow(speed)
    local run, x = start(t, "probo", still), 0
    run:advance(0.1)
    gaze_of(run):order { place = function() return 2, x, 0.8 end, name = "fly", kind = "point", why = "",
                         priority = 0 }
    run:advance(0.7)
    local before, worst = gaze_of(run).eyes.saccades, 0
    for tick = 1, 160 do
      x = speed * math.sin(tick * 0.005 * 4) / 2
      run:advance(0.005)
      worst = math.max(worst, eyes_off(run, { 2, x, 0.8 }))
    end
    return gaze_of(run).eyes.saccades - before, worst
  end
  local saccades, worst = follow(0.8)
  t:equal(saccades, 0, "saccades after something slow")
  t:ok(worst < 0.01, "slow: off by up to %.4f rad", worst)
  saccades = follow(5)
  t:ok(saccades > 2, "fast: %d saccades", saccades)
end)

test("what is beyond the eyes' range is theirs as far as they reach, then the head's", function(t)
  local run = start(t, "probo", still)
  run:advance(0.1)
  local place = { 0.9, 1.6, 0.9 }
  gaze_of(run).face:look_at(place)
  run:advance(0.15)
  local early, head = run:command "EyeLeftPan", run:command "NeckPan"
  t:ok(early > 0.4 and head < 0.25, "the eyes go first: %.2f, the head %.2f", early, head)
  run:advance(3.5)
  t:ok(run:command "NeckPan" > 0.8 and math.abs(run:command "EyeLeftPan") < early, "the head has taken over")
  t:ok(eyes_off(run, place) < 2e-3)
  local small = { 1.5, 0.25, 0.75 } -- within the threshold of the current direction
  gaze_of(run).face:look_at { 1.5, 0, 0.75 }
  run:advance(3)
  head = run:command "NeckPan"
  gaze_of(run).face:look_at(small)
  run:advance(0.3)
  t:ok(math.abs(run:command "NeckPan" - head) < 0.03,
    "what is near is the eyes' business: the head goes %.3f", run:command "NeckPan" - head)
end)

test("eyes outside the kinematic tree are said by a live source, against the head's motion as \z
  well", function(t)
  local run = start(t, "probo", [[{ scan = false, avert = false, explore = false, body = { base = "body",
    eyes = { carrier = "head", pan = { { dof = "TrunkPan", at = { 0.125, 0, 0.15 } } }, tilt = { { dof = "TrunkTilt" } } } } }]])
  run:advance(0.1)
  local place = { 2, 0.5, 0.9 }
  gaze_of(run).face:look_at(place)
  run:advance(1.5)
  local function expected()
    local head = run.solver:frames().head
    local q, p = head.orientation, head.position
    local mx, my, mz = vector.turn(q, 0.125, 0, 0.15)
    return vector.bearing(vector.back(q, place[1] - p[1] - mx, place[2] - p[2] - my, place[3] - p[3] - mz))
  end
  local yaw, pitch = expected()
  t:near({ run:command "TrunkPan", run:command "TrunkTilt" }, { yaw, pitch }, 2e-3)
  run.run.host.self:play { curve = "minimum_jerk",
    tracks = { NeckPan = { { 0, kind = "input" }, { 0.6, 0.3 }, { 5, 0.3 } } } }
  run:advance(1)
  t:near(run:command "TrunkPan", (expected()), 2e-3, "with the head turned")
  t:equal(run.run.host.tracks.playing[gaze_of(run).eyes.playing.source].name, "gaze")
end)

-- The story -----------------------------------------------------------------------------------------

--- The gaze targets of a run: its rows.  `taken`: meanwhile a person has the head, and moves it.
local function story(t, seed, taken)
  local run = start(t, "probo", "{ dwell = { 0.5, 1 } }", { recorded = true, seed = seed })
  run:advance(0.1)
  if taken then
    assert(run.run.host.control:move("NeckPan", 0.4, "eve"))
    assert(run.run.host.control:move("NeckTilt", 0.2, "eve"))
  end
  run:see { kind = "person", id = "ann", at = { 0.9, 0.3, 0.9 } }
  run:see { kind = "person", id = "bob", at = { 1.2, -0.5, 1.0 } }
  run:advance(6)
  t:equal(gaze_of(run).face:engaged(), { "ann" })
  run:close()
  return run:sql "SELECT started, target, why FROM gaze ORDER BY started",
    run:sql("SELECT commands_hash AS h FROM runs")[1].h
end

test("the same seed looks at the same things at the same times, another one elsewhere", function(t)
  local first, hash = story(t, 5)
  local second, same = story(t, 5)
  t:ok(#first > 6, "%d rows", #first)
  t:equal(second, first)
  t:equal(same, hash, "every command, bit for bit")
  local under = story(t, 5, true)
  t:equal(#under, #first, "somebody has the head")
  for index, row in ipairs(under) do
    t:equal(row.target, first[index].target)
    t:equal(row.started, first[index].started, "nobody's turning of the head changes what it looks at")
  end
  local _, other = story(t, 6)
  t:ok(other ~= hash, "another seed")
end)

-- Orders ---------------------------------------------------------------------------------------------

test("a word at the prompt moves the eyes within two ticks, counts over behaviors, and can be taken \z
  back", function(t)
  local run = start(t, "probo", still)
  run:see { kind = "person", id = "ann", at = { 1, 0.4, 0.9 } }
  run:advance(1)
  local prompt = { run = run.run,
    value = function(_, text) return true, assert(load("return " .. text))() end }
  local function say(text) return words[1].run(prompt, text, { who = "eve" }) end
  local before = run:command "EyeLeftPan"
  t:match(say "at { 1.5, -0.6, 0.8 } 1", "looks at that place for 1 s")
  run:advance(0.01)
  t:ok(math.abs(run:command "EyeLeftPan" - before) > 1e-5, "it moves by %g within two ticks",
    run:command "EyeLeftPan" - before)
  gaze_of(run).face:look_at("trunk", { priority = 5 })
  run:advance(0.5)
  t:equal(gaze_of(run).face:at().why, "told by eve")
  run:advance(0.6)
  t:equal(gaze_of(run).face:at().target, "trunk", "the second is over")
  t:match(say "free", "what draws it")
  run:advance(0.3)
  t:equal(gaze_of(run).face:at().target, "ann")
  t:match(say "", "looks at ann %(person%).*\n.*ann +person +salience")
  t:match(say "away 2", "looks away for 2 s")
  run:advance(0.3)
  t:ok(gaze_of(run).face:at().away and eyes_off(run, { 1, 0.4, 0.9 }) > 0.05)
  run:advance(2.2)
  t:ok(not gaze_of(run).face:at().away and eyes_off(run, { 1, 0.4, 0.9 }) < 0.01)
  for _, wrong in ipairs { "at", "at nobody", "at { 1, 2", "away soon", "up" } do
    local answer, why = say(wrong)
    t:ok(answer == nil and type(why) == "string", "look %s", wrong)
  end
end)

test("behaviors look at what they name, and are told what is wrong with it", function(t)
  local run = start(t, "probo", "{ points = { door = { 2, 1, 1 } }, attend = { ball = 0.5 }, scan = false }")
  run:see { kind = "ball", id = "red", at = { 1, 0.2, 0.4 } }
  run:advance(0.5)
  local face = gaze_of(run).face
  t:equal(#face:targets(), 2)
  for target, kind in pairs { red = "ball", ball = "ball", door = "point", trunk = "link", tool = "link" } do
    t:ok(face:look_at(target, { seconds = 0.1, why = "test" }))
    run:advance(0.05)
    t:equal(face:at().kind, kind, target)
  end
  local done, why = face:look_at "dor"
  t:ok(done == nil)
  t:match(why, "nothing 'dor' to look at %(did you mean 'door'")
  t:raises(function() face:look_at { 1, 0 / 0, 1 } end, "three finite numbers")
  t:raises(function() face:look_at("door", { second = 1 }) end, "did you mean 'seconds'")
  t:raises(function() face:look_at(7) end, "a name or a place")
  t:raises(function() face:attend("cup", -1) end, "at least 0")
  t:raises(function() face.at = 1 end, "cannot be written")
  face:attend("ball", 0)
  face:point("window", { 1, -1, 1 })
  run:advance(0.2)
  local names = {}
  for _, row in ipairs(face:targets()) do names[#names + 1] = row.target end
  table.sort(names)
  t:equal(names, { "door", "window" })
end)

test("a sound draws the gaze within 0.2 s, and only for a while", function(t)
  local run = start(t, "probo", still)
  run:see { kind = "person", id = "ann", at = { 1.5, 0, 0.9 } }
  run:advance(3)
  local before = run:command "EyeLeftPan"
  run:emit("sound", { yaw = 0.6 })
  local moved
  for tick = 1, 40 do
    run:advance(0.005)
    moved = moved or run:command "EyeLeftPan" - before > 1e-3 and tick * 0.005
  end
  t:ok(moved and moved <= 0.2, "it moves after %s s", moved)
  t:equal(gaze_of(run).face:at().kind, "sound")
  run:advance(4)
  t:equal(gaze_of(run).face:at().target, "ann")
  for _, wrong in ipairs { { yaw = 0 / 0 }, { direction = { 0, 0, 0 } }, { direction = { 1 } },
    { position = "there" }, 3 } do
    run:emit("sound", wrong)
  end
  run:advance(0.2)
  t:equal(gaze_of(run).face:at().target, "ann", "what says no place is none")
end)

test("a microphone's sound draws the gaze where an input says its direction", function(t)
  local run = start(t, "probo", still, { world_data = { inputs = {
    ear = { kind = "microphone", loud = -30 }, ear_direction = { kind = "number" },
    deaf = { kind = "microphone", loud = -30 },
  } } })
  run:advance(0.2)
  run:input("deaf", -10)
  run:advance(0.2)
  t:equal(gaze_of(run).face:at(), nil)
  run:input("ear_direction", -0.5)
  run:input("ear", -10)
  run:advance(0.6)
  t:equal(gaze_of(run).face:at().kind, "sound")
  t:near(sight(run), -0.5, 0.05)
end)

test("while the robot talks it stays longer with one", function(t)
  local function changes(talks)
    local run = start(t, "probo", "{ scan = false, avert = false, blink = false, inhibited = 0, \z
      dwell = { 0.5, 0.8 } }", { recorded = true })
    run:see { kind = "person", id = "ann", at = { 1, 0.5, 0.9 } }
    run:see { kind = "person", id = "bob", at = { 1, -0.5, 0.9 } }
    run:advance(0.1)
    if talks then run.run.host:emit("speaking", { text = "hello" }, "speech") end
    run:advance(5)
    if talks then run.run.host:emit("said", {}, "speech") end
    run:close()
    return #run:sql "SELECT 1 FROM gaze"
  end
  local quiet, talking = changes(false), changes(true)
  t:ok(quiet > 6 and talking < 6, "%d and %d", quiet, talking)
end)

-- With others ----------------------------------------------------------------------------------------

test("while a person has the head, the gaze uses the eyes alone, and goes on from where the head is \z
  given back", function(t)
  local run, place = start(t, "probo", still), { 1.2, 0.9, 0.8 }
  run:advance(0.2)
  gaze_of(run).face:look_at(place)
  run:advance(2)
  local host = run.run.host
  assert(host.control:take("neck", { who = "eve" }))
  run:advance(1)
  local slot
  for _, row in ipairs(run.solver:objectives()) do
    if row.key == "gaze(gaze_frame)" then slot = row end
  end
  t:ok(slot.weight < 1e-3, "its objective of the head weighs %g", slot.weight)
  local before = run:command "NeckPan"
  run:advance(1)
  t:near(run:command "NeckPan", before, 1e-6, "it stands until the person moves it")
  assert(host.control:move("NeckPan", 0.3, "eve"))
  local worst = 0
  for _ = 1, 200 do
    run:advance(0.005)
    worst = math.max(worst, eyes_off(run, place))
  end
  t:near(run:command "NeckPan", 0.3, 1e-3, "the head is theirs")
  t:ok(worst < math.rad(0.2), "the eyes look on, off by up to %.4f rad", worst)
  assert(host.control:give "neck")
  run:advance(5)
  t:ok(off(run, "gaze_frame", place) < 0.1, "and the head comes back to it")
end)

test("a large turn takes a blink along, but not on lids that something else moves", function(t)
  local function lids(surprised, feels)
    local run = start(t, "probo", "{ scan = false, avert = false, explore = false }, emotion = true")
    run:advance(0.1)
    if feels then run.run.host.self.emotion:feel(feels, 1) end
    if surprised then
      run.run.host.self:play {
        tracks = { EyelidLeft = { { 0, 1 }, { 9, 1 } }, EyelidRight = { { 0, 1 }, { 9, 1 } } } }
    end
    gaze_of(run).face:look_at { 1, 1.2, 0.8 }
    run:advance(1)
    gaze_of(run).face:look_at { 1, -1.4, 0.8 }
    local least = 1
    for _ = 1, 60 do
      run:advance(0.005)
      least = math.min(least, run:command "EyelidLeft")
    end
    return least
  end
  t:ok(lids(false) < -0.9, "they close")
  t:ok(lids(true) > 0.9, "they stay wide open")
  t:ok(lids(false, "surprised") > 0, "wide with surprise they do not close: %.2f", lids(false, "surprised"))
end)

-- What should not matter -------------------------------------------------------------------------------

test("with nothing to look at an arm stands as without a gaze, and eyes wander within their \z
  range", function(t)
  local run = start(t, "panda", "true")
  local before = run:command "panda_joint1"
  run:advance(2)
  t:near(run:command "panda_joint1", before, 1e-9)
  t:equal(gaze_of(run).face:at(), nil)
  run = start(t, "probo", "true")
  local widest, hops = 0, 0
  for _ = 1, 100 do
    run:advance(0.05)
    widest = math.max(widest, math.abs(run:command "EyeLeftPan"))
    hops = gaze_of(run).eyes.saccades or 0
  end
  t:ok(widest > 0.02 and widest < 0.7 and hops > 1, "%.2f rad, %d saccades", widest, hops)
end)

test("a target in the head, behind it, or that is nowhere, breaks nothing", function(t)
  local run = start(t, "probo", still)
  run:advance(0.1)
  local head = run.solver:frames().head.position
  for _, place in ipairs { { head[1] + 0.125, head[2], head[3] + 0.15 }, head, { -2, 0, 0.7 }, { 0, 0, 5 },
    { 0.125, 0, -3 }, { 1e5, 1e5, 0 } } do
    gaze_of(run).face:look_at(place)
    run:advance(0.4)
    for _, dof in ipairs(run.description.dofs) do
      local value = run:command(dof.name)
      t:ok(value >= dof.lower - 1e-6 and value <= dof.upper + 1e-6, "%s at %s", dof.name, value)
    end
  end
  gaze_of(run).face:free()
  gaze_of(run):order { place = function() return 0 / 0, 1, 1 end, name = "nowhere", kind = "point",
    why = "", priority = 0 }
  run:advance(0.3)
  gaze_of(run):order { place = function() end, name = "gone", kind = "point", why = "", priority = 0 }
  run:advance(0.3)
  t:equal(run.failed, nil)
end)

test("a hundred people are no trouble, nor are some who go", function(t)
  local run = start(t, "probo")
  for index = 1, 100 do
    local angle = index * 2.4
    run:see { kind = "person", id = "p" .. index,
      at = { 1.5 + 0.01 * index * math.cos(angle), 0.012 * index * math.sin(angle), 1 },
      during = index % 2 == 0 and 0.5 or 1e3 }
  end
  run:advance(2.5)
  t:equal(run.failed, nil)
  t:equal(#gaze_of(run).face:targets(), 50)
  t:ok(gaze_of(run).face:at())
end)

test("settings that are saved anew count, what it looks at stays; taken away, it lets go", function(t)
  local run = start(t, "probo", "{ zone = 0.5, scan = false }")
  run:see { kind = "person", id = "ann", at = { 0.9, 0, 0.8 } }
  run:advance(0.5)
  t:equal(gaze_of(run).face:engaged(), {})
  assert(run:reload(function(text) return (text:gsub("zone = 0.5", "zone = 1.2")) end))
  run:advance(0.2)
  t:equal(gaze_of(run).face:engaged(), { "ann" })
  t:equal(gaze_of(run).face:at().target, "ann")
  assert(run:reload(function(text) -- a body of the behavior's own: the head looks along another axis
    return (text:gsub("scan = false",
      'scan = false, body = { head = { link = "gaze_frame", axis = { 0, 1, 0 }, up = { 0, 0, 1 } } }'))
  end))
  run:advance(2.5)
  t:ok(off(run, "gaze_frame", { 0.9, 0, 0.8 }, { 0, 1, 0 }) < 0.9, "the left side of the head turns there")
  assert(run:reload(function(text) return (text:gsub("character = %b{}", "")) end))
  run:advance(1)
  t:equal(gaze_of(run), nil)
  for _, row in ipairs(run.solver:objectives()) do
    t:ok(not row.key:match "^gaze" or row.weight < 1e-6, "%s weighs %g", row.key, row.weight)
  end
  assert(run:reload(function(text)
    return (text:gsub('start = "idle",', 'start = "idle", character = { gaze = true },'))
  end))
  run:advance(0.5)
  t:equal(gaze_of(run).face:at().target, "ann")
end)

test("a torso helps where one has to look far down, and is free else", function(t)
  local run = start(t, "pepper", still, { wants = "want.collision_avoidance {}" })
  run:advance(0.2)
  local function torso()
    for _, row in ipairs(run.solver:objectives()) do
      if row.key == "gaze(torso)" then return row.weight end
    end
  end
  gaze_of(run).face:look_at { 1.5, 0.2, 1.2 }
  run:advance(2)
  t:ok(torso() < 1e-3, "nothing is asked of the hip: %g", torso())
  for _, joint in ipairs { "HipRoll", "HipPitch", "KneePitch", "LShoulderPitch" } do
    t:near(run:command(joint), run.description.poses.stand.joints[joint], 1e-9,
      joint .. " stands: only the joints that look do")
  end
  local _, level = vector.bearing(vector.turn(run.solver:frames().torso.orientation, 1, 0, 0))
  gaze_of(run).face:look_at { 0.7, 0.1, 0.1 }
  run:advance(4)
  t:ok(torso() > 1, "the torso is asked: %g", torso())
  local _, bent = vector.bearing(vector.turn(run.solver:frames().torso.orientation, 1, 0, 0))
  t:ok(level - bent > 0.05 and level - bent < 0.7, "it bends by %.3f", level - bent)
  t:ok(off(run, "CameraTop_frame", { 0.7, 0.1, 0.1 }) < 0.08,
    "and the head looks there as far as it can: off by %.3f",
    off(run, "CameraTop_frame", { 0.7, 0.1, 0.1 }))
end)

test("an order with a time has it still after a hold; at level 0 it looks at nothing", function(t)
  local run = start(t, "probo", still)
  run:see { kind = "person", id = "ann", at = { 1, 0.3, 0.9 } }
  run:advance(0.5)
  gaze_of(run).face:look_at("trunk", { seconds = 1 })
  run:advance(0.5)
  run.run.host:hold()
  run:advance(2)
  run.run.host:go_on()
  run:advance(0.3)
  t:equal(gaze_of(run).face:at().target, "trunk")
  run:advance(0.5)
  t:equal(gaze_of(run).face:at().target, "ann")
  assert(run.run.host.control:set_level("gaze", 0, 0.1))
  run:advance(0.5)
  t:equal(gaze_of(run).face:at(), nil)
  assert(run.run.host.control:set_level("gaze", 1, 0.1))
  run:advance(0.5)
  t:equal(gaze_of(run).face:at().target, "ann")
end)
