--- Idle life: ten minutes without a repetition, and without getting in anybody's way.
local character = require "brio.character.character"
local life = require "brio.motion.random_sequences"
local quality = require "brio.quality"
local robots = require "brio.robots"

local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1

--- A behavior with idle life alone, its settings as Lua text, and the objectives of its state.
local function behavior(idle, wants)
  return ([[
    local brio = require "brio"
    local want = brio.want
    local b = brio.behavior "b" { robot = "probo", start = "s", character = { idle = %s } }
    b.s = { wants = { %s want.collision_avoidance {}, want.joint_limits {} },
            on = { say_level = function(self, level) self.idle:level(level) end,
                   say_off = function(self, name) self.idle:off(name) end,
                   say_on = function(self, name) self.idle:on(name) end,
                   ask = function(self, name) self.idle:gesture(name) end,
                   surprise = function(self) self:play "surprise" end } }
    return b
  ]]):format(idle or "true", wants or "")
end

--- The distance between a list of intervals and their expected distribution: the Kolmogorov-Smirnov
--- statistic.
local function kolmogorov_smirnov(values, distribution)
  table.sort(values)
  local worst, count = 0, #values
  for index, value in ipairs(values) do
    local p = distribution(value)
    worst = math.max(worst, math.abs(index / count - p), math.abs((index - 1) / count - p))
  end
  return worst
end

--- The distribution function of the normal distribution, after Abramowitz and Stegun 26.2.17: within 1e-7.
local function normal_below(x)
  local t = 1 / (1 + 0.2316419 * math.abs(x))
  local tail = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return x > 0 and 1 - tail or tail
end

--- The distribution function of intervals between blinks: log-normal, truncated to the possible range.
local function blink_below(x)
  local every = life.intervals.blink
  if x < every.least then return 0 elseif x >= every.most then return 1 end
  local center = math.log(every.mean) - every.sigma ^ 2 / 2
  return normal_below((math.log(x) - center) / every.sigma)
end

--- The sequences that play by themselves from now on, in order of their start: a list that grows.
local function gestures_of(run)
  local tracks, list = run.run.host.tracks, {}
  local play = tracks.play
  function tracks.play(self, name, how, by)
    if by == "idle" then list[#list + 1] = { name = name, started = run.now } end
    return play(self, name, how, by)
  end
  return list
end

--- The DOFs that idle motion moves on a robot.
local function moved_on(robot)
  local names = {}
  for _, row in pairs(robots.data(assert(robots.find(robot)), "idle").motions) do
    for name in pairs(row.dofs) do names[name] = true end
  end
  return require("brio.lib.suggest").keys(names)
end

--- Run an idle robot; check that no DOF leaves its limits and that no two bodies touch.  Return the gestures
--- that played, and the commands of `watched` DOFs in each tick.
local function be_idle(t, robot, seconds, rate, watched)
  local run = t:run("idle.lua", { source = behavior "{ level = 0.5 }", robot = robot, rate = rate })
  local dofs, samples, played = run.description.dofs, {}, gestures_of(run)
  for _, name in ipairs(watched) do samples[name] = {} end
  local out, nearest = "", math.huge
  for tick = 1, seconds * rate do
    run:advance(1 / rate)
    for name, list in next, samples do list[tick] = run:command(name) end
    if tick % 10 == 0 then
      for _, dof in ipairs(dofs) do
        local value = run:command(dof.name)
        if value < dof.lower - 1e-9 or value > dof.upper + 1e-9 then out = dof.name end
      end
    end
    if tick % rate == 0 then
      for _, pair in ipairs(run.solver:proximity()) do nearest = math.min(nearest, pair.distance) end
    end
  end
  run:finish()
  t:equal(out, "", robot .. ": a DOF beyond its limits")
  t:ok(nearest > 0.001, "%s came within %g m of itself", robot, nearest)
  t:equal(t.said, {}, robot .. ": what was said")
  return played, samples
end

local function check_gestures(t, list, robot)
  local starts, before = {}, nil
  for _, row in ipairs(list) do
    t:ok(row.name ~= before, "%s: %s came twice in a row, at %.2f s", robot, row.name, row.started)
    before = row.name
    if row.name:match "^blink" then starts[#starts + 1] = row.started end
  end
  return #list, starts
end

local function check_slopes(t, samples, rate, robot)
  for name, values in next, samples do
    local densities, step = quality.spectrum(values, rate, 1024)
    local slope = quality.slope(densities, step, 0.2, 5)
    t:ok(slope > 1 and slope < 2, "%s: the spectrum of %s falls by %.2f", robot, name, slope)
  end
end

test("ten minutes idle: no gesture twice in a row, a spectrum as of life, blinks as people's, nothing \z
  beyond limits", function(t)
  local watched = soak and moved_on "probo" or { "NeckTilt", "NeckSwing", "EarLeft", "TrunkTilt" }
  local seconds = soak and 600 or 160 -- make test takes a sample of the ten minutes
  local played, samples = be_idle(t, "probo", seconds, 20, watched)
  local count, starts = check_gestures(t, played, "probo")
  t:ok(count > seconds / 3, "%d gestures", count)
  if soak then print(("# %d gestures, %d blinks"):format(count, #starts)) end
  check_slopes(t, samples, 20, "probo")
  local intervals, sum = {}, 0
  for index = 2, #starts do
    intervals[#intervals + 1] = starts[index] - starts[index - 1]
    sum = sum + intervals[#intervals]
  end
  t:near(sum / #intervals, life.intervals.blink.mean, 0.35, "mean interval between blinks")
  -- 1.36 / sqrt(n): one sample of this distribution in twenty exceeds it
  local distance, most = kolmogorov_smirnov(intervals, blink_below), 1.36 / math.sqrt(#intervals)
  t:ok(distance < most, "%d intervals between blinks are %.3f from their distribution, at most %.3f",
    #intervals, distance, most)
end)

for robot, watched in pairs {
  pepper = { "HeadYaw", "HipRoll", "LShoulderPitch", "RHand" },
    ur3e = { "wrist_1_joint", "shoulder_pan_joint" },
  panda = { "panda_joint3", "panda_joint6" }, mycobot280 = { "joint6_to_joint5", "LightBrightness" },
} do
  test(robot .. " is idle without a touch, never the same twice in a row", function(t)
    local played, samples = be_idle(t, robot, soak and 600 or 20, 25, soak and moved_on(robot) or watched)
    check_gestures(t, played, robot)
    if soak then check_slopes(t, samples, 25, robot) end
  end)
end

test("a blink due during a surprise is kept off the lids, and runs on the ears", function(t)
  local function lids_and_ears(asked)
    local run = t:run("idle.lua", { source = behavior "{ level = 0.5, motions = { face = false } }",
      rate = 50 })
    run:advance(0.5)
    run:emit "surprise"
    run:advance(1.2)
    if asked then run:emit("ask", "blink") end
    local lids, ears = {}, {}
    for index = 1, 40 do
      run:advance(0.02)
      lids[index], ears[index] = run:command "EyelidLeft", run:command "EarLeft"
    end
    return lids, ears
  end
  local lids, ears = lids_and_ears(true)
  local lids_without, ears_without = lids_and_ears(false)
  t:near(lids, lids_without, 1e-12, "lids")
  t:ok(lids[1] > 0.9, "the eyes are wide open")
  local most = 0
  for index, value in ipairs(ears) do most = math.max(most, math.abs(value - ears_without[index])) end
  t:ok(most > 0.03, "the ears give by %.3f", most)
end)

test("without a surprise the same blink closes the lids, within two ticks of being asked for", function(t)
  local run = t:run("idle.lua", { source = behavior() })
  run:advance(0.5)
  run:emit "blink"
  run:advance(0.01)
  t:ok(run:command "EyelidLeft" < 0, "it begins")
  local least = 1
  for _ = 1, 60 do
    run:advance(0.005)
    least = math.min(least, run:command "EyelidLeft")
  end
  t:ok(least < -0.7, "the lids come to %.2f", least)
end)

test("at level 0 nothing moves, and a level that is set live is come to softly", function(t)
  local run = t:run("idle.lua", { source = behavior "{ level = 0 }", rate = 50, recorded = true })
  local function most_moved(seconds)
    local before, most = {}, 0
    for _ = 1, seconds * 50 do
      run:advance(0.02)
      for _, dof in ipairs(run.description.dofs) do
        local value = run:command(dof.name)
        most = math.max(most, math.abs(value - (before[dof.name] or value)))
        before[dof.name] = value
      end
    end
    return most
  end
  t:near(most_moved(20), 0, 1e-9)
  run:emit("say_level", 1)
  t:ok(most_moved(20) > 0.01, "it is alive")
  run:emit("say_level", 0)
  run:advance(10)
  t:near(most_moved(5), 0, 1e-9)
  run:finish()
  t:equal(#run:sql "SELECT * FROM events WHERE name = 'idle_level'", 2)
end)

test("a group or a row is switched off and on again", function(t)
  local run = t:run("idle.lua", { source = behavior "{ level = 1 }", rate = 50 })
  local function span(dof, seconds)
    local least, most = math.huge, -math.huge
    for _ = 1, seconds * 50 do
      run:advance(0.02)
      least, most = math.min(least, run:command(dof)), math.max(most, run:command(dof))
    end
    return most - least
  end
  run:emit("say_off", "ears")
  run:emit("say_off", "trunk")
  run:advance(4)
  t:near(span("EarLeft", 20), 0, 1e-9)
  run:emit("say_on", "ears")
  t:ok(span("EarLeft", 20) > 0.05, "the ears move again")
  run:emit("say_off", "eers")
  run:advance(0.1)
  t:match(run.failed, "no DOF or group, 'eers' %(did you mean 'ears'%?%)")
end)

test("what plays has its joint to itself, and goes on as if nobody lived below", function(t)
  local function head(idle)
    local run = t:run("idle.lua", { source = behavior(idle), rate = 50 })
    run.run.host.tracks:play({ tracks = { NeckPan = { { 0, kind = "input" }, { 1, 0.4 }, { 9, 0.4 } } },
      length = 9, curve = "minimum_jerk" })
    run:advance(2)
    local values = {}
    for index = 1, 300 do
      run:advance(0.02)
      values[index] = run:command "NeckPan"
    end
    return values
  end
  for _, value in ipairs(head "{ level = 1 }") do t:near(value, 0.4, 1e-6) end
end)

test("an arm that is to hold its tool somewhere holds it there, alive or not", function(t)
  local wants = [[want.position_match { link = "tool0", goal = { 0.25, 0.15, 0.35 }, weight = 50 },
    want.orientation_match { link = "tool0", goal = { 0, 1, 0, 0 }, weight = 50 },]]
  local function worst(idle)
    local run = t:run("idle.lua", { source = behavior(idle, wants), robot = "ur3e", rate = 50 })
    run:advance(8)
    local most = 0
    for _ = 1, 15 * 50 do
      run:advance(0.02)
      local at = run.solver:frames().tool0.position
      most = math.max(most, math.sqrt((at[1] - 0.25) ^ 2 + (at[2] - 0.15) ^ 2 + (at[3] - 0.35) ^ 2))
    end
    return most
  end
  local still, alive = worst "{ level = 0 }", worst "{ level = 1 }"
  t:ok(alive < still + 0.001, "the tool is %.4f m off its place, %.4f m without a life", alive, still)
end)

test("the same seed lives the same life, another one another", function(t)
  local function lived(seed)
    local run = t:run("idle.lua", { source = behavior "{ level = 1 }", rate = 25, seed = seed })
    run:advance(20)
    return run:command "NeckPan", run:command "EarLeft"
  end
  local a, b = lived(3)
  local c, d = lived(3)
  t:ok(a == c and b == d, "the same")
  t:ok(lived(4) ~= a, "another")
end)

test("every robot that ships is alive when a behavior says no more than that", function(t)
  for _, name in ipairs(robots.list()) do
    t:equal(character.faults({ idle = true, gaze = true }, assert(robots.find(name))), {}, name)
  end
end)

test("what is wrong with idle life is said before it runs", function(t)
  local probo, ur3e = assert(robots.find "probo"), assert(robots.find "ur3e")
  local function fault(idle, robot) return character.faults({ idle = idle }, robot or probo)[1] end
  t:equal(fault(true), nil)
  t:equal(fault(true, ur3e), nil)
  t:match(fault { level = 2 }, "level must be from 0 to 1")
  t:match(fault { levle = 1 }, "did you mean 'level'")
  t:match(fault { motions = { x = { wave = 0.1, noise = 0.1, dofs = { NeckPan = 1 } } } },
    "either wave or noise")
  t:match(fault { motions = { x = { wave = 0.1, dofs = { NekPan = 1 } } } },
    "no DOF 'NekPan' %(did you mean 'NeckPan'%?%)")
  t:match(fault { motions = { x = { wave = 0 / 0, dofs = { NeckPan = 1 } } } },
    "wave must be a number, not")
  t:match(fault { motions = { x = { wave = 3, dofs = { NeckPan = 1 } } } },
    "wave must be from 0.01 to 2 Hz, not 3")
  t:match(fault { gestures = { x = { play = { "blink", "wink" } } } }, "idle gesture 'x' needs 'every'")
  t:match(fault { gestures = { x = { play = { "blink", "wink" }, every = { men = 2 } } } },
    "every has no field 'men' %(did you mean 'mean'%?%)")
  t:match(fault { gestures = { x = { play = { "blink" }, every = "blink" } } }, "at least two sequences")
  t:match(fault { gestures = { x = { play = { "blink", "blink" }, every = "blink" } } },
    "'blink' is there twice")
  t:match(fault { gestures = { x = { play = { "blink", "blnk" }, every = "blink" } } }, "no sequence 'blnk'")
  t:match(fault { gestures = { x = { play = { "blink", "wink" }, every = "blinc" } } }, "no interval 'blinc'")
  t:match(fault { gestures = { x = { play = { "blink", "wink" }, every = "blink", on = { blink = 2 } } } },
    "how likely")
  t:match(fault { gestures = { x = { play = { "blink", "wink" }, every = "blink",
    unless = { { emotion = "sad", dofs = { "tail" } } } } } }, "no DOF 'tail'")
  local rows = require "brio.character.idle.rows"
  t:match(rows.fault_of_file({ motion = {} }, probo, {}), "no field 'motion' %(did you mean 'motions'%?%)")
  t:match(rows.fault_of_file({ gestures = 3 }, probo, {}), "gestures must be a table, not a number")
end)

test("the prompt's word says and changes it", function(t)
  local run = t:run("idle.lua", { source = behavior() })
  run:advance(0.1)
  local word
  for _, one in ipairs(character.words()) do word = one.name == "idle" and one or word end
  local function say(line) return word.run({ run = run.run }, line, { who = "ann" }) end
  t:match(say "", "blink +gesture +0.50")
  t:match(say "0.8", "goes to level 0.8")
  t:match(say "off ears", "is off")
  t:match(say "do blink", "does a blink")
  t:match(select(2, say "do blnk"), "did you mean 'blink'")
  t:match(select(2, say "3"), "from 0")
  t:match(select(2, say "of ears"), "say idle LEVEL")
end)

test("a reload changes rows and level while it lives on; what is gone ends softly", function(t)
  local run = t:run("idle.lua", { source = behavior "{ level = 0.5, motions = { drift = false } }",
    rate = 50 })
  run:advance(3)
  local before, most = run:command "EarLeft", 0
  t:ok(run:reload(function(text) return (
    text:gsub("level = 0%.5, motions = { drift = false }", "level = 1, motions = { face = false }")) end))
  for _ = 1, 100 do
    run:advance(0.02)
    local value = run:command "EarLeft"
    before, most = value, math.max(most, math.abs(value - before))
  end
  t:ok(most < 0.06, "an ear leaps by %.3f", most)
  t:equal(run.run.host.idle.aim, 1)
  t:equal(run.run.host.idle.motions.face, nil)
  t:ok(run.run.host.idle.motions.drift, "the head drifts")
  local good, why = run:reload(function(text) return (text:gsub("level = 1", "level = 7")) end)
  t:equal(good, nil)
  t:match(why, "level must be from 0 to 1")
end)

test("on hold nothing moves and nothing is due; it goes on where it was", function(t)
  local run = t:run("idle.lua", { source = behavior "{ level = 1 }", rate = 50, recorded = true })
  run:advance(5)
  run.run.host:hold()
  run:advance(0.5)
  local values = {}
  for _, dof in ipairs(run.description.dofs) do values[dof.name] = run:command(dof.name) end
  run:advance(30)
  for _, dof in ipairs(run.description.dofs) do
    t:near(run:command(dof.name), values[dof.name], 2e-3, dof.name)
  end
  run.run.host:go_on()
  run:advance(5)
  run:finish()
  t:equal(#run:sql "SELECT * FROM sources WHERE who = 'idle' AND started BETWEEN 5.1 AND 35.4", 0)
  t:ok(run:sql("SELECT count(*) AS n FROM sources WHERE who = 'idle' AND started > 35.4")[1].n < 6,
    "what was due does not come at once")
end)

test("when the behavior fails its idle life lets go, and holds nothing", function(t)
  local run = t:run("idle.lua", { source = behavior("{ level = 1 }"):gsub("return b",
    "b.s.on.fail = function() error 'oh' end return b"), rate = 50 })
  run:advance(3)
  run:emit "fail"
  run:advance(2)
  t:ok(run.failed, "it has failed")
  t:equal(#run.run.host.tracks:list(), 0)
end)
