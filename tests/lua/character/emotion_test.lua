-- The emotion of a robot, from outside: its onset and decay, its effect on the DOFs, who may set it, and what
-- is refused.

--- A behavior with an emotion; `said`: the text of `character.emotion`.
local function behavior(robot, said, more)
  return ([[local brio = require "brio"
local b = brio.behavior "b" { robot = "%s", start = "idle", character = { emotion = %s }, %s }
b.idle = { wants = { brio.want.joint_limits {} } }
return b]]):format(robot, said or "true", more or "")
end

local function host(run) return run.run.host end
local function emotion(run) return host(run).self.emotion end

test("petting raises valence, the face turns toward happy, and both decay with their time constant",
  function(t)
  local run = t:run("b", { source = behavior "probo" })
  run:advance(0.1)
  local e, before, corner = emotion(run), -1, -1
  for _ = 1, 50 do
    e:act "pet"
    run:advance(0.1)
    t:ok(e.valence > before and run:command "MouthCornerLeft" > corner,
      "valence and the mouth rise at %.1f s", run.now)
    before, corner = e.valence, run:command "MouthCornerLeft"
  end
  t:equal(e.name, "happy")
  t:near(e.angle, 18, 1)
  run:advance(1.5) -- the last stroke has ended, and the face has followed
  local first, lips = e.valence, run:command "MouthCornerLeft"
  run:advance(4)
  local rest = e.mood.valence
  t:near(4 / math.log((first - rest) / (e.valence - rest)), 4, 0.2, "time constant of valence, s")
  t:near(4 / math.log((lips - rest) / (run:command "MouthCornerLeft" - rest)), 4, 0.2,
    "of the mouth's corner, s")
end)

local robots_known = require("brio.character.emotion.names").with()

--- Send a line to the prompt.
local function say(run, text)
  local word, rest = require("brio.prompt.words").find(text)
  return word.run({ run = run.run }, rest, { who = "ann" })
end

test("every robot goes where its expressions say, within its limits", function(t)
  for _, robot in ipairs { "probo", "pepper", "panda", "ur3e", "mycobot280" } do
    local run = t:run("b", { source = behavior(robot) })
    run:advance(1)
    local faculty, home = host(run).emotion, {}
    local expressions = require "brio.character.emotion.expressions"
    for _, row in ipairs(faculty.set.expressions.rows) do home[row.name] = run:command(row.name) end
    for _, name in ipairs { "happy", "angry", "tired" } do
      local angle = robots_known.by[name].angle
      faculty:override(math.cos(math.rad(angle)), math.sin(math.rad(angle)), "ann")
      run:advance(1.5)
      for _, row in ipairs(faculty.set.expressions.rows) do
        local asked = expressions.value(row, angle, 1) + (row.over and home[row.name] or 0)
        t:near(run:command(row.name), asked, 0.022, robot .. ", " .. name .. ": " .. row.name)
      end
    end
  end
end)

test("expressions give way to what a state wants of a link", function(t)
  local run = t:run("b", { source = [[local brio = require "brio"
local want = brio.want
local b = brio.behavior "b" { robot = "panda", start = "idle", character = { emotion = true } }
b.idle = { wants = { want.position_match { link = "panda_hand_tcp", goal = { 0.45, 0.1, 0.4 } },
  want.collision_avoidance {}, want.joint_limits {} } }
return b]] })
  run:advance(3)
  local model, worst = run.description.robot, 0
  local function tool()
    local joints = {}
    for _, dof in ipairs(run.description.dofs) do joints[dof.name] = run:command(dof.name) end
    return model:forward({ joints = joints }).links.panda_hand_tcp.position, joints
  end
  local at, before = tool()
  host(run).emotion:override(-0.3, -0.9, "ann")
  for _ = 1, 40 do
    run:advance(0.1)
    local now = tool()
    for axis = 1, 3 do worst = math.max(worst, math.abs(now[axis] - at[axis])) end
  end
  local moved = 0
  for name, value in next, select(2, tool()) do moved = math.max(moved, math.abs(value - before[name])) end
  t:ok(worst < 0.005, "the tool is off by %.3f m", worst)
  t:ok(moved > 0.05, "and yet the arm droops: %.3f rad", moved)
  print(("# the tool gives way by %.1f mm, the arm droops by %.2f rad"):format(1000 * worst, moved))
end)

test("an operator's emotion shows within two ticks, and blends back without a jump", function(t)
  local run = t:run("b", { source = behavior("probo", "{ release = 1 }"), recorded = true })
  run:advance(1)
  local before = run:command "MouthCornerLeft"
  t:match(say(run, "feel happy 0.8"), "valence %+0.76, arousal %+0.25 until feel free")
  run:advance(0.01)
  t:ok(math.abs(run:command "MouthCornerLeft" - before) > 1e-6, "the first change comes in %g",
    run:command "MouthCornerLeft")
  run:advance(2)
  t:near(emotion(run).intensity, 0.8, 1e-6)
  t:ok(emotion(run).taken)
  t:near(run:command "MouthCornerLeft", 0.95 * 0.8, 0.01)
  t:match(say(run, "feel"), "happy, 0.80: valence %+0.76.+%(100 %% ann%)")
  t:equal(host(run).self:why("EyelidLeft").owner, "emotion")
  t:match(say(run, "feel free"), "its own again")
  local last, fastest = run:command "MouthCornerLeft", 0
  for _ = 1, 400 do
    run:advance(0.005)
    local now = run:command "MouthCornerLeft"
    fastest, last = math.max(fastest, math.abs(now - last) / 0.005), now
  end
  t:ok(fastest < 1.6, "it goes back at %.2f/s at the most, over a second", fastest)
  t:ok(math.abs(last) < 0.02 and not emotion(run).taken, "and is its own: %g", last)
  t:match(say(run, "feel free"), "was its own")
  run:finish()
  local row = run:sql("SELECT max(operator) AS most, max(intensity) AS far FROM emotions")[1]
  t:near(row.most, 1, 1e-9)
  t:near(row.far, 0.8, 1e-3)
  t:equal(#run:sql "SELECT 1 FROM events WHERE name IN ('emotion_taken', 'emotion_released')", 2)
  t:ok(#run:sql "SELECT 1 FROM sources WHERE name = 'emotion' AND who = 'ann'" == 1, "the source was ann's")
end)

test("what is said wrongly at the prompt is answered in words", function(t)
  local run = t:run("b", { source = behavior "probo" })
  run:advance(0.1)
  for text, answer in next, { ["feel hapy"] = "did you mean 'happy'", ["feel 2 0"] = "from %-1 to 1",
      ["feel 0.3"] = "say feel NAME",
    ["feel happy 3"] = "from 0 to 1", ["feel a b c"] = "say feel", ["act pett"] = "did you mean 'pet'",
      ["act pet x"] = "say act",
    ["act pet 7"] = "from 0 to 2", ["feel nan nan"] = "say feel", ["feel nan"] = "no emotion 'nan'" } do
    local good, why = say(run, text)
    t:ok(good == nil, "%s: %s", text, good)
    t:match(why or "", answer)
  end
  t:match(say(run, "act"), "actions: hit, pet, tickle\nevents: annoy, ")
  t:match(say(run, "act praise"), "praise: feels")
  local bare = t:run("b", { source = [[local brio = require "brio"
local b = brio.behavior "b" { robot = "probo", start = "idle" }
b.idle = {}
return b]] })
  bare:advance(0.1)
  t:match(select(2, say(bare, "feel happy")), "no emotion: add character")
end)

test("events push, less when they come again; those of the run do where a behavior says so", function(t)
  local run = t:run("b", { source = behavior("probo",
    "{ events = { hello = { emotion = 'happy', intensity = 0.4, on = 'button_pressed' }, "
    .. "sting = { emotion = 'afraid', intensity = 0.8, decay = { { 0, 0 }, { 0.5, 1 }, { 2, 0 } } } } }"),
    recorded = true, rate = 50 })
  run:advance(0.1)
  local e = emotion(run)
  t:equal(e:event "praise", 1)
  run:advance(0.02)
  local first = e.valence
  t:near(e:event "praise", 0.3, 1e-3, "at once again: three tenths")
  run:advance(20)
  t:near(e:event "praise", 1, 1e-3, "twenty seconds later: all of it")
  run:advance(30)
  local rest = e.valence
  run:emit "button_pressed"
  run:advance(0.02)
  t:near(e.valence - rest, 0.4 * math.cos(math.rad(18)), 0.01)
  t:ok(first > 0.5)
  run:advance(20)
  e:event "sting"
  local most, at = 0, run.now
  local when
  for _ = 1, 125 do
    run:advance(0.02)
    if e.arousal > most then most, when = e.arousal, run.now - at end
  end
  t:near(when, 0.5, 0.02, "its graph says when it is most")
  t:near(most, 0.8 * math.sin(math.rad(126)), 0.01)
  t:near(e.arousal, 0, 0.01, "and when it is over")
  run:finish()
  local changes = run:sql "SELECT json_extract(data, '$.to') AS name FROM events WHERE name = \z
    'emotion_changed' ORDER BY id"
  t:equal({ changes[1].name, changes[2].name }, { "happy", "neutral" })
end)

test("a table of needs and actions drives the mood; a touched hand may be a caress", function(t)
  local run = t:run("b", { source = behavior("pepper",
    "{ actions = { caress = { emotion = 'happy', intensity = 0.8, input = 'touch_left_hand', needs = { \z
      affection = 0.2 } } }, "
    .. "needs = { affection = { level = -0.9, drift = 100 } }, mood_tau = 5 }"), recorded = true, rate = 50 })
  run:advance(10)
  local e = emotion(run)
  t:equal(e.needs.affection.where, "under")
  t:ok(e.mood.valence < -0.2 and e.valence < -0.2, "nobody cares: %g", e.mood.valence)
  run:input("touch_left_hand", true)
  run:advance(12)
  t:equal(e.needs.affection.where, "satisfied")
  t:ok(e.valence > 0.6, "petted: %g", e.valence)
  run:input("touch_left_hand", false)
  run:advance(20)
  t:ok(e.mood.valence > 0.05 and math.abs(e.valence - e.mood.valence) < 0.02, "content, and calm: %g",
    e.valence)
  run:finish()
  t:equal(run:sql("SELECT count(*) AS n FROM events WHERE name = 'emotion_action'")[1].n, 1)
  t:ok(run:sql("SELECT max(json_extract(needs, '$.affection')) AS n FROM emotions")[1].n > 0.1)
end)

local wave = [[{ tracks = { %s = { { 0, kind = "input" }, { 1, 0.3 }, { 2, kind = "input" } } }, %s }]]

test("what plays is faster and larger where it is aroused, slower and smaller where it is tired, on an arm \z
  too", function(t)
  for robot, dof in next, { pepper = "HeadYaw", panda = "panda_joint1" } do
    local lasts, reach = {}, {}
    for _, feeling in ipairs { "excited", "neutral", "tired" } do
      local run = t:run("b", { source = behavior(robot, "{ expressions = false }", "sequences = { wave = "
        .. wave:format(dof, "") .. " }") })
      run:advance(0.1)
      emotion(run):feel(feeling, 1, 100)
      run:advance(3)
      host(run).self:play "wave"
      local home, began, most = run:command(dof), run.now, 0
      while host(run).self:plays "wave" and run.now < began + 10 do
        run:advance(0.02)
        most = math.max(most, math.abs(run:command(dof) - home))
      end
      lasts[feeling], reach[feeling] = run.now - began, most
    end
    t:near(lasts.neutral, 2, 0.05, robot)
    t:ok(lasts.excited < 1.6 and lasts.tired > 2.6, "%s: %g and %g s", robot, lasts.excited, lasts.tired)
    t:ok(reach.excited > 1.25 * reach.neutral and reach.tired < 0.9 * reach.neutral, "%s: %g, %g, %g", robot,
      reach.excited, reach.neutral, reach.tired)
  end
end)

test("a sequence that says so keeps its speed and size, as a blink must close", function(t)
  local run = t:run("b", { source = behavior "probo" })
  run:advance(0.1)
  emotion(run):feel("tired", 0.6, 100)
  run:advance(3)
  host(run).self:play "blink"
  local least = 1
  for _ = 1, 80 do
    run:advance(0.005)
    least = math.min(least, run:command "EyelidLeft")
  end
  t:near(least, -1, 1e-6)
  local waving = host(run).self:play({
    tracks = { TrunkPan = { { 0, kind = "input" }, { 1, 0.5 }, { 9, kind = "input" } } } }, {})
  waving:set("speed", 2)
  run:advance(0.01)
  for _, source in ipairs(host(run).tracks.player:sources()) do
    if source.name == "a sequence" then
      t:near(source.speed, 2 * emotion(run).speed, 1e-3, "what is said counts, and the emotion")
    end
  end
end)

test("what is felt stays over a reload, another table is taken over without a jump", function(t)
  local run = t:run("b", { source = behavior("probo",
    "{ tau = 60, expressions = { angles = { 0, 180 }, dofs = { EarLeft = { 1, -1 } } } }") })
  run:advance(0.1)
  emotion(run):feel({ 0.8, 0 }, 1, 1)
  run:advance(3)
  local valence, ear = emotion(run).valence, run:command "EarLeft"
  t:ok(valence > 0.7 and ear > 0.7)
  t:ok(run:reload(function(text) return (text:gsub("{ 1, %-1 }", "{ 0.5, -1 }")) end))
  local last, fastest = ear, 0
  for _ = 1, 300 do
    run:advance(0.005)
    fastest, last = math.max(fastest, math.abs(run:command "EarLeft" - last)), run:command "EarLeft"
  end
  t:near(emotion(run).valence, valence, 0.05)
  t:near(last, 0.5 * emotion(run).intensity, 0.01)
  t:ok(fastest < 0.03, "%g in a tick", fastest)
  local good, why = run:reload(function(text) return (text:gsub("EarLeft", "EarLft")) end)
  t:ok(good == nil)
  t:match(tostring(why), "has none of their DOFs, EarLft")
  run:advance(0.1)
  t:near(run:command "EarLeft", 0.5 * emotion(run).intensity, 0.01, "the old one goes on")
end)

test("levels of autonomy turn it down, and leave what an operator says", function(t)
  local run = t:run("b", { source = behavior "probo" })
  run:advance(0.1)
  emotion(run):feel("happy", 1, 100)
  run:advance(2)
  local whole = run:command "MouthCornerLeft"
  host(run).control:set_level("emotion", 0, 0.5, "ann")
  run:advance(2)
  t:near(run:command "MouthCornerLeft", 0, 1e-3)
  t:near(emotion(run).speed, 1, 1e-6)
  t:ok(emotion(run).valence > 0.9, "it is felt still")
  local angle = math.rad(198)
  host(run).emotion:override(math.cos(angle), math.sin(angle), "ann")
  run:advance(2)
  t:near(run:command "MouthCornerLeft", -0.9, 0.01, "the operator's is shown")
  host(run).emotion:release(1)
  run:advance(3)
  t:near(run:command "MouthCornerLeft", 0, 0.01)
  host(run).control:set_level("emotion", 1, 0.5, "ann")
  run:advance(3)
  t:near(run:command "MouthCornerLeft", whole, 0.02)
end)

test("whatever is said to it, DOFs keep their limits and runs repeat bit for bit", function(t)
  local hashes = {}
  for round = 1, 2 do
    local run = t:run("b", { source = behavior("pepper", "{ smooth = 0 }"), recorded = true })
    local stream = require("brio.random").stream(5, "any")
    run:advance(0.1)
    local faculty, dofs = host(run).emotion, run.description.dofs
    local known = { "happy", "angry", "sad", "surprised", "tired", "disgusted" }
    local last = {}
    for _ = 1, 160 do
      local what = stream:whole(8)
      if what == 1 then faculty:feel(known[stream:whole(6)], stream:uniform(0, 1), stream:uniform(0, 1))
      elseif what == 2 then faculty:override(stream:uniform(-1, 1), stream:uniform(-1, 1), "eve")
      elseif what == 3 then faculty:release(stream:uniform(0, 1))
      elseif what == 4 then faculty:event "scare"
      elseif what == 5 then faculty:act("hit", stream:uniform(0, 2), stream:uniform(0, 1)) end
      run:advance(0.02)
      for _, dof in ipairs(dofs) do
        local now = run.actuator:state(dof.name).command
        local most = dof.velocity * 0.02 * (1 + 1e-6) + 1e-9
        local kept = now >= dof.lower - 1e-9 and now <= dof.upper + 1e-9
          and (dof.outside or math.abs(now - (last[dof.name] or now)) <= most)
        if not kept then return t:fail("%s at %g", dof.name, now) end
        last[dof.name] = now
      end
    end
    run:finish()
    hashes[round] = run:sql("SELECT commands_hash AS h FROM runs")[1].h
  end
  t:equal(hashes[1], hashes[2])
end)

test("a behavior that says it wrongly hears where", function(t)
  local run = t:run("b", { source = behavior "probo" })
  run:advance(0.1)
  local e = emotion(run)
  t:raises(function() e:feel "hapy" end,
    "self.emotion:feel: there is no emotion 'hapy' %(did you mean 'happy'%?%)")
  t:raises(function() e:feel("happy", 2) end, "an intensity must be from 0 to 1, not 2")
  t:raises(function() e:feel { 0 / 0, 1 } end,
    "an emotion is a name, or { valence, arousal }, not { %-?nan, 1 }")
  t:raises(function() e:feel("happy", 1, -1) end, "seconds must be at least 0")
  t:raises(function() e:event "prise" end, "no event 'prise' %(did you mean 'praise'%?%)")
  t:raises(function() e:act("pet", 3) end, "a strength must be from 0 to 2")
  t:raises(function() e:override(0 / 0, 1) end, "finite numbers")
  t:raises(function() e.valence = 1 end, "cannot be set: use self.emotion:feel")
  t:raises(function() e.feel("happy") end, "called with a colon")
  t:ok(e.joy == nil)
end)

test("a robot that brings expressions of its own shows those; wrong ones are refused with their file",
  function(t)
  local folder = t:temporary()
  os.execute("mkdir " .. folder .. " && cp -r " .. require("brio.lib.paths").robots() .. "/pepper/. "
    .. folder)
  local function put(text)
    local handle = assert(io.open(folder .. "/expressions.lua", "w"))
    handle:write(text)
    handle:close()
  end
  put "return { angles = { 0, 120, 240 }, dofs = { LHand = { 0.3, 0.1, -0.4 }, EyeLedBrightness = { 1, 0.5, \z
    0.1 } } }"
  local run = t:run("b", { source = behavior "pepper", robot = folder })
  run:advance(0.2)
  local hand = run:command "LHand"
  host(run).emotion:override(math.cos(math.rad(240)), math.sin(math.rad(240)), "ann")
  run:advance(2)
  t:near(run:command "LHand", hand - 0.4, 0.022)
  t:near(run:command "EyeLedBrightness", 0.1, 0.001)
  t:equal(#host(run).emotion.set.expressions.rows, 2)
  put "return { angles = { 0, 120, 110 }, dofs = { LHand = { 0.3, 0.1, -0.4 } } }"
  t:raises(function() t:run("b", { source = behavior "pepper", robot = folder }) end,
    "/expressions%.lua: expressions: angles%[3%]: .*110 does not follow 120")
  os.execute("rm -r " .. folder)
end)

test("a hand on the head is petting where a robot feels it; what feels no touch has no need of it",
  function(t)
  local run = t:run("b", { source = behavior "probo" })
  run:advance(0.1)
  t:equal(emotion(run).needs.affection.where, "satisfied")
  run:input("touch_head", true)
  run:advance(3)
  t:equal(emotion(run).name, "happy")
  local arm = t:run("b", { source = behavior "panda" })
  arm:advance(0.1)
  t:ok(next(emotion(arm).needs) == nil)
  emotion(arm):act("pet", 1, 2)
  arm:advance(2)
  t:equal(emotion(arm).name, "happy", "and yet it may be petted")
  local other = t:run("b", { source = behavior("probo", "{ actions = { pet = false } }") })
  other:advance(0.1)
  other:input("touch_head", true)
  other:advance(2)
  t:ok(emotion(other).intensity < 0.01)
end)
