-- The parts of an emotion, each alone: names and angles, dynamics, needs, curves around the circle, tables of
-- expressions with all their faults, drawings of faces.
local affect = require "brio.character.emotion.affect"
local character = require "brio.character.character"
local curves = require "brio.character.emotion.curves"
local expressions = require "brio.character.emotion.expressions"
local faces = require "brio.draw.face"
local graph = require "brio.character.emotion.graph"
local names = require "brio.character.emotion.names"
local needs = require "brio.character.emotion.needs"
local random = require "brio.random"
local robots = require "brio.robots"
local settings = require "brio.character.emotion.settings"

local known = names.with()

test("names lie where Russell and OPSORO have them, and a vector is called by the nearest", function(t)
  local angles = { happy = 18, surprised = 90, afraid = 126, angry = 144, disgusted = 180, sad = 198,
    tired = 270, pleased = 0, excited = 45, distressed = 135, depressed = 225, relaxed = 315 }
  for name, angle in next, angles do
    local v = names.vector(known, name, 0.7)
    t:near(names.angle(v[1], v[2]), angle, 1e-9, name)
    t:near(v[1] ^ 2 + v[2] ^ 2, 0.49, 1e-12, name)
  end
  t:equal(names.of(known, 0.5, 0.17), "happy")
  t:equal(names.of(known, 0.05, 0.05), "neutral")
  t:equal(names.of(known, 0, 0.15, "surprised"), "surprised", "faint, but it was so before")
  t:equal(names.of(known, 0, 0.15, "neutral"), "neutral")
  -- from happy at 18 to excited at 45: nearer to the latter by less than the hysteresis
  local between = math.rad(36.5)
  t:equal(names.of(known, math.cos(between) * 0.5, math.sin(between) * 0.5, "excited"), "excited")
  local more = names.with { proud = { angle = 30, intensity = 0.5 } }
  t:near(names.vector(more, "proud"), { 0.5 * math.cos(math.rad(30)), 0.25 }, 1e-12)
  local none, why = names.vector(known, "hapy")
  t:ok(none == nil)
  t:match(why, "no emotion 'hapy' %(did you mean 'happy'%?%)")
end)

local calm = { tau = 4, mood_tau = 120, rise = 0.4, temperament = { 0, 0 } }

--- Simulate an emotion in steps of `dt`; return the feeling and the mood at the end.
local function story(dt, needy)
  local list = needs.new(needy and { affection = { level = -0.8 } } or {})
  local state = affect.new { tau = 4, mood_tau = 30, rise = 0.4, temperament = { -0.2, 0.1 } }
  local happens = { [1] = function() state:feel({ 0.3, 0.6 }, 1.537) end,
    [4] = function() state:act("pet", { 0.6, 0.1 }, 3.21) end,
    [6] = function() state:push { -0.4, 0.2 } end,
      [8] = function() state:pulse({ 0.2, 0.3 }, { { 0, 0 }, { 1, 1 }, { 5, 0 } }) end }
  local steps = math.floor(12 / dt + 0.5)
  for step = 0, steps - 1 do
    local second = step * dt
    local whole = math.floor(second + 0.5)
    if math.abs(second - whole) < 1e-9 and happens[whole] then happens[whole]() end
    state:step(dt, needy and function(h)
      return needs.step(list, h, state:acts "pet" and { affection = { { 0.2, 1 } } } or {})
    end)
  end
  local x, y = state:total()
  return { x, y, state.mood[1], state.mood[2], list[1] and list[1].level }
end

test("what is felt does not depend on the tick", function(t)
  local reference = story(0.001)
  for _, dt in ipairs { 0.0025, 0.005, 0.02, 0.1, 0.5 } do
    t:near(story(dt), reference, 1e-9, ("%g s"):format(dt))
  end
  reference = story(0.001, true)
  for _, dt in ipairs { 0.005, 0.02, 0.1 } do
    t:near(story(dt, true), reference, 2e-5, ("with needs, %g s"):format(dt))
  end
end)

test("emotion and mood are the solution of their equations", function(t)
  for _, row in ipairs { { 4, 120 }, { 4, 4 }, { 2, 0.5 }, { 30, 3 } } do
    local tau, mood_tau = row[1], row[2]
    local state = affect.new { tau = tau, mood_tau = mood_tau, rise = 1, temperament = { 0, 0 } }
    state.mood, state.emotion = { 0.5, 0 }, { -0.3, 0 }
    state:act("a", { 0.2, 0 }, 100)
    local mood, e, h = 0.5, -0.3, 1e-4 -- the same by small steps of Heun's method, with the goal -0.4
    for _ = 1, 30000 do
      local m1, e1 = (-0.4 - mood) / mood_tau, (mood + 0.2 - e) / tau
      local mood2, e2 = mood + h * m1, e + h * e1
      mood = mood + h / 2 * (m1 + (-0.4 - mood2) / mood_tau)
      e = e + h / 2 * (e1 + (mood2 + 0.2 - e2) / tau)
    end
    state:step(3, function() return { -0.4, 0 } end)
    t:near(state.mood[1], mood, 1e-7, "mood")
    t:near(state.emotion[1], e, 1e-7, ("emotion, tau %g and %g"):format(tau, mood_tau))
  end
end)

test("what is felt stays within 1, whatever comes", function(t)
  local stream = random.stream(11, "emotion")
  local state = affect.new(calm)
  for _ = 1, 4000 do
    local vector = { stream:uniform(-2, 2), stream:uniform(-2, 2) }
    local what = stream:whole(6)
    if what == 1 then state:push(vector) elseif what == 2 then state:feel(vector, stream:uniform(0, 2))
    elseif what == 3 then state:act("a" .. stream:whole(5), vector, stream:uniform(0, 3))
    elseif what == 4 then state:pulse(vector, { { 0, 1 }, { stream:uniform(0.1, 4), 0 } }) end
    state:step(stream:uniform(0, 0.3), function() return vector end)
    local x, y = state:total()
    if not (x * x + y * y <= 1 + 1e-9 and state.mood[1] ^ 2 + state.mood[2] ^ 2 <= 1 + 1e-9) then
      return t:fail("%g, %g", x, y)
    end
  end
  t:ok(#state.pulses <= 32)
end)

test("needs drift, are satisfied and overdone, and feed without a jump", function(t)
  local list = needs.new { affection = true }
  local need, told = list[1], {}
  local function pass(seconds, actions)
    for _ = 1, seconds * 20 do
      needs.step(list, 0.05, { affection = actions })
      needs.notice(list, function(_, from, to) told[#told + 1] = from .. ">" .. to end)
    end
  end
  pass(60)
  t:near(need.level, -0.2, 1e-9, "a fifth of 300 s")
  pass(60)
  t:equal(told, { "satisfied>under" })
  local x = needs.feeds(need)
  t:ok(x < 0.1)
  pass(60, { { 0.2, 1 } })
  t:ok(need.level > 0.25 and need.level <= 0.3, "petting satisfies and no more: %g", need.level)
  pass(20, { { 0.2, 2 } })
  t:ok(need.level > 0.9, "twice as strong overwhelms: %g", need.level)
  pass(5, { { 0.2, 1 } })
  t:ok(need.level > 0.9, "gentleness does not take away")
  pass(2000)
  t:equal(need.level, -1, "it ends at -1")
  t:equal(told[#told], "satisfied>under")
  t:equal({ needs.feeds(need) }, { -0.35, -0.25 })
  local before
  for level = -1, 1, 0.001 do
    need.level = level
    local valence, arousal = needs.feeds(need)
    if before then
      t:ok(math.abs(valence - before[1]) < 2e-3 and math.abs(arousal - before[2]) < 2e-3, "a jump at %g",
        level)
    end
    before = { valence, arousal }
  end
end)

test("curves pass their knots, close, and are as smooth as they say", function(t)
  local stream, h = random.stream(3, "curves"), 1e-5
  for _ = 1, 60 do
    local angles, values, angle = {}, {}, stream:uniform(0, 40)
    while angle < 360 do
      angles[#angles + 1], values[#values + 1] = angle, stream:uniform(-1, 1)
      angle = angle + stream:uniform(4, 90)
    end
    local least, most = math.min(table.unpack(values)), math.max(table.unpack(values))
    for _, kind in ipairs(curves.kinds) do
      local curve = curves.new(kind, angles, values)
      for index, knot in ipairs(angles) do
        t:near(curve(knot), values[index], 1e-9, kind)
        local before, after = (curve(knot) - curve(knot - h)) / h, (curve(knot + h) - curve(knot)) / h
        if kind ~= "linear" then t:near(before, after, 1e-3, kind .. ": slope at a knot") end
      end
      t:near(curve(0), curve(360), 1e-12, kind)
      t:near(curve(-1e-7), curve(1e-7), 1e-6, kind .. ": no seam")
      for at = 0, 360, 2.7 do
        if kind ~= "catmull_rom" then
          t:ok(curve(at) >= least - 1e-12 and curve(at) <= most + 1e-12, "%s goes beyond its knots at %g",
            kind, at)
        end
      end
    end
  end
  local line = curves.new("linear", { 90, 270 }, { 1, -1 })
  t:near({ line(0), line(180), line(45), line(315) }, { 0, 0, 0.5, -0.5 }, 1e-12)
  t:equal(curves.new("monotone", { 10 }, { 0.3 })(200), 0.3, "one knot is a circle of one value")
end)

local function probo() return assert(robots.find "probo") end

test("every robot's expressions fit it, and its face, if it has one", function(t)
  local count = 0
  for _, name in ipairs(robots.list()) do
    local description = assert(robots.find(name))
    local made, why = settings.expressions({}, description, known)
    t:ok(made and #made.rows >= 5, "%s: %s", name, why)
    for _, row in ipairs(made and made.rows or {}) do
      t:equal(row.over, not row.outside, row.name)
      for angle = 0, 359, 3 do
        local half, whole = expressions.value(row, angle, 0.5), expressions.value(row, angle, 1)
        t:near(half, row.neutral + 0.5 * (row.at(angle) - row.neutral), 1e-12, "half of it")
        t:ok(whole >= row.lower and whole <= row.upper, "%s at %d", row.name, angle)
      end
      t:equal(expressions.value(row, 123, 0), row.neutral)
    end
    local face = robots.data(description, "face")
    if face then
      count = count + 1
      t:ok(faces.compile(face, description))
    end
  end
  t:ok(count >= 1)
end)

--- Each row: a table of expressions of Probo, and the message.
local wrong = {
  { { dofs = { EarLef = { 0, 1 } }, angles = { 0, 90 } }, "robot 'probo' has none of their DOFs, EarLef" },
  { { dofs = { EarLeft = { 0, 1 }, EarRigt = { 0, 1 } }, angles = { 0, 90 } },
    "no DOF 'EarRigt' %(did you mean 'EarRight'%?%)" },
  { { robot = "pepper", dofs = { LHand = { 0, 1 }, RHand = { 0, 1 } }, angles = { 0, 90 } },
    "'probo' has none of their DOFs, LHand and 1 more %(they are of pepper%)" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = { 90, 0 } },
    "angles%[2%]: angles must rise around the circle: 0 does not follow 90" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = { 0, 0 } }, "must rise" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = { 0, 360 } }, "degrees from 0 to below 360, not 360" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = { 0, 0 / 0 } }, "degrees from 0 to below 360" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = { "happy", "sadd" } },
    "no emotion 'sadd' %(did you mean 'sad'%?%)" },
  { { dofs = { EarLeft = { 0, 1, 2 } }, angles = { 0, 90 } }, "dofs.EarLeft has 3 values for 2 angles" },
  { { dofs = { EarLeft = { 0, 0 / 0 } }, angles = { 0, 90 } }, "dofs.EarLeft%[2%] must be a finite number" },
  { { dofs = { EarLeft = { 0, 1 / 0 } }, angles = { 0, 90 } }, "must be a finite number" },
  { { dofs = { EarLeft = { 0, "1" } }, angles = { 0, 90 } }, "must be a finite number" },
  { { dofs = { EarLeft = { 0, 1.2 } }, angles = { 0, 90 } },
    "%[2%]: 1.2 is out of range: EarLeft goes from %-1 to 1$" },
  { { dofs = { NeckTilt = { 0, 9 } }, angles = { 0, 90 } }, "out of range.+as an offset" },
  { { dofs = { EarLeft = { 0, 1 } } }, "the table has no angles" },
  { { dofs = { EarLeft = { { 0, 1 }, 3 } } }, "%[2%] must be { angle, value }" },
  { { dofs = { EarLeft = { 0, 1, ovre = true } }, angles = { 0, 90 } },
    "no field 'ovre' %(did you mean 'over'%?%)" },
  { { dofs = { EarLeft = { 0, 1, curve = "wavy" } }, angles = { 0, 90 } },
    "curve must be one of catmull_rom, linear, monotone" },
  { { dofs = { EarLeft = 3 }, angles = { 0, 90 } }, "EarLeft must be a list of values" },
  { { dofs = { EarLeft = { 0, 1, neutral = 4 } }, angles = { 0, 90 } }, "neutral must be from %-1 to 1" },
  { { dofs = {} }, "names no DOF" },
  { {}, "dofs must be a table" },
  { { dfos = {} }, "no field 'dfos' %(did you mean 'dofs'%?%)" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = {} }, "angles must be a list" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = { 0, 90 }, follow = -1 }, "follow must be a weight" },
  { { dofs = { EarLeft = { 0, 1 } }, angles = { 0, 90 }, unit = "grad" }, "unit must be one of" },
}

test("what is wrong with a table of expressions is said in words", function(t)
  local description = probo()
  for _, row in ipairs(wrong) do
    local made, why = expressions.compile(row[1], description, known)
    t:ok(made == nil, "taken: %s", row[2])
    t:match(why, row[2])
  end
  local many = {}
  for index = 1, 91 do many[index] = index end
  t:match(select(2, expressions.compile({ angles = many, dofs = { EarLeft = many } }, description, known)),
    "up to 90")
end)

test("a table may say its knots in several ways, and another robot's DOFs in theirs", function(t)
  local pepper = assert(robots.find "pepper")
  local made = assert(expressions.compile(
    { unit = "deg", dofs = { HeadPitch = { { "happy", -10 }, { 198, 20 } },
    LHand = { { 0, 0.1 }, { 180, -0.1 } }, EyeLedBrightness = { { 270, 0 }, neutral = 0.4, curve = "linear" },
    HeadYaw = { { 0, 0.5 }, { 180, -0.5 }, unit = "normalized" }, HipRoll = { { 10, 5 }, over = false } } },
      pepper, known))
  local by = {}
  for _, row in ipairs(made.rows) do by[row.name] = row end
  t:near(expressions.value(by.HeadPitch, 18, 1), math.rad(-10), 1e-12)
  t:near(expressions.value(by.HeadPitch, 198, 0.5), math.rad(10), 1e-12)
  t:near(expressions.value(by.EyeLedBrightness, 77, 0.5), 0.2, 1e-12)
  t:near(expressions.value(by.HeadYaw, 0, 1), 0.5 * 2.0857, 1e-3)
  t:equal({ by.HipRoll.over, by.LHand.over, by.EyeLedBrightness.over }, { false, true, false })
end)

--- Each row: a behavior's `emotion`, and the message.
local bad = {
  { { tau = 0 }, "tau must be from 0.05 to 3600 s, not 0" },
    { { mood_tau = 0 / 0 }, "mood_tau must be a number, not" },
  { { temperament = { 2, 0 } }, "temperament must be { valence, arousal }" },
  { { emotions = { proud = {} } }, "emotion 'proud' must be { angle = degrees }" },
  { { emotions = { neutral = { angle = 1 } } }, "where there is none" },
  { { emotions = { proud = { angle = 1, intensity = 2 } } }, "intensity must be above 0" },
  { { events = { x = { emotion = "hapy" } } },
    "event 'x': there is no emotion 'hapy' %(did you mean 'happy'%?%)" },
  { { events = { x = {} } }, "must have emotion and intensity, or valence and arousal" },
  { { events = { x = { emotion = "sad", decay = { { 0, 1 } } } } }, "decay must be a list of at least two" },
  { { events = { x = { emotion = "sad", decay = { { 1, 1 }, { 0, 0 } } } } }, "seconds must rise" },
  { { events = { x = { emotion = "sad", intensty = 1 } } },
    "no field 'intensty' %(did you mean 'intensity'%?%)" },
  { { actions = { rub = { emotion = "happy", needs = { afection = 1 } } } },
    "no need 'afection' %(did you mean 'affection'%?%)" },
  { { actions = { rub = { emotion = "happy", input = "touch_hed" } } }, "no input 'touch_hed'" },
  { { needs = { rest = { level = 3 } } }, "level must be from %-1 to 1" },
  { { needs = { rest = { lower = 0.5 } } }, "lower, 0.5, must be below upper, 0.3" },
  { { needs = { rest = { lowre = 0.5 } } }, "no field 'lowre' %(did you mean 'lower'%?%)" },
  { { modulation = { sped = {} } }, "no field 'sped' %(did you mean 'speed'%?%)" },
  { { modulation = { speed = { arousal = 9 } } }, "speed%.arousal must be from %-4 to 4, not 9" },
  { { modulation = 3 }, "modulation must be false, or a table" },
  { { repetition = { { 0, 2 }, { 1, 0 } } }, "a value must be from 0 to 1, not 2" },
  { { expressions = { dofs = { LHand = { 0 } }, angles = { 0 } } }, "has none of their DOFs" },
  { { expressions = "face.lua" }, "expressions must be a table, or false" },
}

test("what is wrong with a behavior's emotion is said before it runs", function(t)
  local description = probo()
  for _, row in ipairs(bad) do
    local why = character.faults({ emotion = row[1] }, description)[1]
    t:ok(why and why:match "^character.emotion: ", "taken: %s", row[2])
    t:match(why or "", row[2])
  end
  for _, good in ipairs { {}, { expressions = false }, { curve = "linear" }, { modulation = false },
      { needs = {} },
    { events = { praise = false } }, { actions = { pet = false } },
      { actions = { rub = { valence = 0.3, arousal = 0 } } } } do
    t:equal(character.faults({ emotion = good }, description), {})
  end
end)

test("graphs are straight between their points and level beyond", function(t)
  local points = { { 0, 0 }, { 2, 1 }, { 6, 0.5 } }
  t:near({ graph.at(points, -1), graph.at(points, 1), graph.at(points, 4), graph.at(points, 9) },
    { 0, 0.5, 0.75, 0.5 }, 1e-12)
end)

--- Each row: a fault in Probo's face file, and the message.
local spoiled = {
  { function(f) f.parts[1].shape = "blop" end,
    "shape must be one of .+not 'blop' %(did you mean 'blob'%?%)" },
  { function(f) f.parts[1].moves = { EarLft = {} } end, "no DOF 'EarLft' %(did you mean 'EarLeft'%?%)" },
  { function(f) f.parts[1].fill = "blue" end, "there is no color 'blue'" },
  { function(f) f.parts[1].points = { { 0, 0 } } end, "points must be 2 to 200" },
  { function(f) f.parts[1].points[2] = { 0 / 0, 1 } end, "points%[2%] must be" },
  { function(f) f.parts = {} end, "1 to 500 parts" },
  { function(f) f.colors.skin = { 2, 0, 0 } end, "colors.skin must be" },
  { function(f) f.mirror.EarLeft = "Nose" end, "mirror: the robot has no DOF 'Nose'" },
  { function(f) f.parts[1].moves.EarLeft = { turn = 3 } end, "turn needs about" },
  { function(f) f.parts[1].moves.EarLeft = { points = { [99] = { 1, 1 } } } end, "of a point that there is" },
  { function(f) f.prats = {} end, "no field 'prats' %(did you mean 'parts'%?%)" },
}

local function copy(value)
  if type(value) ~= "table" then return value end
  local made = {}
  for key, item in next, value do made[key] = copy(item) end
  return made
end

test("what is wrong with a face is said in words", function(t)
  local description = probo()
  for _, row in ipairs(spoiled) do
    local face = copy(robots.data(description, "face"))
    row[1](face)
    local made, why = faces.compile(face, description)
    t:ok(made == nil, "taken: %s", row[2])
    t:match(why, row[2])
  end
end)
