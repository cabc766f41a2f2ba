-- The automaton of motions without a robot: routes, what they wait for, durations, requests, and values
-- within limits whatever is asked of it when.
local automaton = require "brio.automaton"
local random = require "brio.random"

local function limit(lower, upper, velocity, acceleration)
  return { lower = lower, upper = upper, velocity = velocity, acceleration = acceleration }
end

local limits = automaton.limits({
  { name = "neck", lower = -1, upper = 1, velocity = 2, acceleration = 14 },
  { name = "elbow", lower = -2.5, upper = 0, velocity = 4, acceleration = 30 },
  { name = "lift", lower = 0, upper = 0.2, velocity = 0.1, acceleration = 0.5 },
}, { vx = limit(-0.3, 0.5, 0.6, 2), height = limit(-0.2, 0, 0.2, 1) })

local motions = {
  bow = { mode = "standing", emotion = "happy", tracks = {
    neck = { { 0, 0 }, { 1, 0.6 }, { 2, 0 } }, height = { { 0, 0 }, { 1, -0.1 }, { 2, 0 } } },
    curve = "minimum_jerk" },
  look = { mode = "standing", emotion = "sad",
    tracks = { neck = { { 0, -0.9 }, { 0.5, -0.4 }, { 1, -0.9 } } },
    curve = "linear" },
  stroll = { mode = "walking", emotion = "happy", tracks = {
    vx = { { 0, 0.1 }, { 1, 0.4 }, { 3, 0 } }, height = { { 0, -0.05 }, { 3, -0.15 } },
    elbow = { { 0, -0.2 }, { 0.8, -1.6 }, { 1.6, -0.2 }, { 3, -1 } } }, curve = "cubic" },
}

local function fresh()
  local library = automaton.repertoire(motions, limits)
  local composer = automaton.composer(limits, library)
  return composer, composer:start { neck = 0, elbow = -0.4, lift = 0.1, vx = 0, height = 0 }, library
end

test("sixteen routes: elemental transitions, who commands before how it moves", function(t)
  local names = { "standing/animation", "standing/radio", "walking/animation", "walking/radio" }
  local expected = {
    { "", "animation_to_radio", "stand_to_walk", "animation_to_radio stand_to_walk" },
    { "radio_to_animation", "", "radio_to_animation stand_to_walk", "stand_to_walk" },
    { "walk_to_stand", "animation_to_radio walk_to_stand", "", "animation_to_radio" },
    { "radio_to_animation walk_to_stand", "walk_to_stand", "radio_to_animation", "" },
  }
  for i, from in ipairs(names) do
    for j, to in ipairs(names) do
      t:equal(table.concat(automaton.route(from, to), " "), expected[i][j], from .. " > " .. to)
    end
  end
  t:equal(automaton.route("standing/animation", "standing/animation", true), { "animation_to_animation" })
  t:equal(automaton.route("standing/animation", "walking/animation", true),
    { "animation_to_animation", "stand_to_walk" })
  t:raises(function() automaton.route("standing", "walking/radio") end, "there is no mode 'standing'")
end)

test("it says what a transition waits for", function(t)
  local function with(change)
    local feedback = { can_walk = true, arrived = true, steps = 0 }
    for key, value in next, change do feedback[key] = value end
    return feedback
  end
  local function begins(from, to, change, other)
    local name, sentence = automaton.next(from, to, other, with(change))
    return name or sentence
  end
  local stand, walk = "standing/radio", "walking/radio"
  t:equal(begins(stand, walk, {}), "stand_to_walk")
  t:equal(begins(stand, walk, { can_walk = false, why = "it has wheels" }),
    "this robot does not walk: it has wheels")
  t:equal(begins(stand, walk, { fallen = true }), "the robot has fallen")
  t:equal(begins(walk, stand, { pace = 0.2, lifted = "left" }), "walk_to_stand") -- it begins to slow down
  t:equal(begins(walk, "walking/animation", { fallen = true }, true), "the robot has fallen")
  t:equal(begins("walking/animation", stand, { fallen = true }), "animation_to_radio") -- the operator, always
  t:equal(begins(walk, walk, {}), nil)
  local function done(name, change)
    local good, sentence = automaton.transitions[name].done(with(change))
    return good or sentence
  end
  t:equal(done("stand_to_walk", {}), true)
  t:equal(done("stand_to_walk", { lifted = "left" }), "the left foot is in the air")
  t:equal(done("stand_to_walk", { arrived = false }), "it comes to the height of the walk")
  t:equal(done("stand_to_walk", { speed = 0.5, fastest = "left_knee" }),
    "left_knee moves at 50 % of its speed")
  t:equal(done("walk_to_stand", {}), true)
  t:equal(done("walk_to_stand", { pace = 0.2 }), "it walks at 0.20 m/s")
  t:equal(done("walk_to_stand", { steps = 2 }), "2 steps are left")
  t:equal(done("walk_to_stand", { lifted = "right" }), "the right foot is in the air")
  t:equal(done("animation_to_animation", { arrived = false }), "it comes to the first frame")
end)

test("durations: the slowest channel, and a least one", function(t)
  local to = { neck = 0.8, elbow = -0.4, lift = 0.1, vx = 0, height = 0 }
  local from = { neck = 0, elbow = -0.4, lift = 0.1, vx = 0, height = 0 }
  local seconds, slowest = automaton.seconds(limits, from, to)
  t:near(seconds, 0.8 / 2 * 1.875, 1e-12)
  t:equal(slowest, "neck")
  t:equal({ automaton.seconds(limits, from, { neck = 0.01 }) }, { 0.3 })
  t:near(automaton.seconds(limits, from, { lift = 0.2 }), 0.1 / 0.1 * 1.875, 1e-12)
  -- the acceleration counts where it takes longer: 10 / sqrt(3) is the greatest of minimum jerk for its mean
  local slow = { a = limit(0, 1, 100, 1) }
  t:near(automaton.seconds(slow, { a = 0 }, { a = 1 }), math.sqrt(10 / math.sqrt(3)), 1e-12)
end)

test("a transition is a minimum-jerk curve or a line, and then the motion, exactly", function(t)
  for _, curve in ipairs { "minimum_jerk", "linear" } do
    local composer, state = fresh()
    local seconds, dt = composer:approach(state, "look", { curve = curve, least = 1 }), 0.005
    t:near(seconds, 1, 1e-12)
    for step = 1, 200 do
      composer:step(state, dt)
      local u = step * dt
      local share = curve == "linear" and u or u ^ 3 * (10 - 15 * u + 6 * u * u)
      -- a line begins and ends with a jump of its velocity, which takes its time
      t:near(state.q.neck, -0.9 * share, curve == "linear" and 0.04 or 1e-9, curve)
      t:near(state.q.elbow, -0.4, 1e-12, "which has no track")
    end
    for _ = 1, 40 do
      if composer:arrived(state) then break end
      composer:step(state, dt)
    end
    t:equal(composer:arrived(state), true)
  end
  local composer, state = fresh()
  composer:play(state, "bow")
  for step = 1, 400 do
    composer:step(state, 0.005)
    local u = step * 0.005
    u = u <= 1 and u or 2 - u
    t:near(state.q.neck, 0.6 * u ^ 3 * (10 - 15 * u + 6 * u * u), 1e-9)
  end
  t:equal(composer:over(state), true)
end)

test("requests: a queue, one on demand, and the operator before both", function(t)
  local _, _, library = fresh()
  local asked = { queue = {} }
  t:equal({ automaton.wanted(asked, library) }, { "standing/radio" })
  automaton.append(asked, library, { "bow", "stroll" })
  t:equal({ automaton.wanted(asked, library) }, { "standing/animation", "bow" })
  automaton.begun(asked, "bow")
  t:equal({ automaton.wanted(asked, library, "bow") }, { "standing/animation", "bow" }) -- it plays to its end
  automaton.demand(asked, library, "look")
  t:equal({ automaton.wanted(asked, library, "bow") }, { "standing/animation", "look" })
  automaton.begun(asked, "look")
  t:equal(asked, { queue = { "stroll" } })
  automaton.radio(asked, "walking")
  t:equal({ automaton.wanted(asked, library, "look") }, { "walking/radio" })
  automaton.radio(asked, nil)
  t:equal({ automaton.wanted(asked, library) }, { "walking/animation", "stroll" })
  t:raises(function() automaton.demand(asked, library, "strol") end,
    "no motion 'strol' %(did you mean 'stroll'%?%)")
  t:raises(function() automaton.append(asked, library, { "bow", 3 }) end, "no motion '3'")
  t:equal(asked.queue, { "stroll" }) -- nothing of a wrong list is in the queue
  t:raises(function() automaton.radio(asked, "flying") end, "'standing' or 'walking', not flying")
  t:equal(library:ids "happy", { "bow", "stroll" })
end)

test("a library refuses what the robot cannot do, with the place", function(t)
  local function why(motion, expected)
    t:raises(function() automaton.repertoire({ x = motion }, limits) end, expected)
  end
  why({ tracks = {} }, "motion 'x' needs 'mode'")
  why({ mode = "flying", tracks = {} }, "motion 'x': mode")
  why({ mode = "standing" }, "needs 'tracks'")
  why({ mode = "standing", tracks = { vx = { { 0, 0.1 } } } }, "it stands, but has a track of vx")
  why({ mode = "standing", tracks = { neck = { { 0, 1.5 } } } }, "neck is 1.5 at 0.00 s, beyond its limits")
  why({ mode = "standing", tracks = { neck = { { 0, 0 }, { 0.1, 1 } } } }, "neck has a speed of 10 at 0.02 s")
  why({ mode = "standing", tracks = { neck = { { 0, 0.1, kind = "superposition" } } } }, "'superposition'")
  why({ mode = "standing", trakcs = {} }, "did you mean 'tracks'")
  why({ mode = "walking", tracks = { turn = { { 0, 0 } } } }, "there are no limits of turn")
  local one = automaton.repertoire({ x = { mode = "standing", unit = "deg",
    tracks = { neck = { { 0, 30 } }, tail = { { 0, 1 } } } } }, limits)
  t:near(one:at("x", 0).neck, math.pi / 6, 1e-12)
  t:equal(one:find("x").missing, { "tail" }) -- of another robot, as with sequences
end)

test("commands beyond the range are brought into it, and said", function(t)
  local made, why = automaton.within(limits, { vx = 2, height = -0.1 })
  t:equal(made, { vx = 0.5, height = -0.1 })
  t:equal(why, "vx of 2 is beyond -0.3 to 0.5: it is 0.5")
  made, why = automaton.within(limits, { vxx = 1, height = 0 / 0 })
  t:equal(made, {})
  t:match(why, "height must be a number")
  local bad = { { name = "a", lower = 0, upper = 1, velocity = 0, acceleration = 1 } }
  t:raises(function() automaton.limits(bad) end, "limits of a: velocity and acceleration must be above 0")
end)

--- One random schedule of `steps` steps: what is asked changes at random times, in the midst of
--- transitions, too.
local function schedule(composer, state, stream, steps, dt, watch)
  local ids = composer.repertoire:ids()
  local jobs = {
    function() composer:approach(state, ids[stream:whole(#ids)], { curve = "minimum_jerk" }) end,
    function() composer:approach(state, ids[stream:whole(#ids)], { curve = "linear" }) end,
    function() composer:play(state, ids[stream:whole(#ids)]) end, -- without a transition before it: a jump
    function()
      local target = {}
      for name in next, state.q do target[name] = stream:uniform(-3, 3) end
      composer:follow(state, target)
    end,
    function() composer:hold(state) end,
  }
  for _ = 1, steps do
    if stream:uniform() < 0.02 then jobs[stream:whole(#jobs)]() end
    composer:step(state, dt)
    watch(state)
  end
end

test("whatever is asked when: position, velocity and acceleration stay within limits", function(t)
  -- 40 schedules of 3 s; make soak: 2,000
  local count = 40 * (t:long() and 50 or 1)
  local worst = { speed = 0, acceleration = 0, out = -math.huge }
  local most = 0
  for number = 1, count do
    local stream = random.stream(number, "automaton")
    local dt = stream:uniform() < 0.5 and 0.005 or 0.02
    local composer, state = fresh()
    local past, speed = {}, {}
    for name, q in next, state.q do past[name], speed[name] = q, 0 end
    schedule(composer, state, stream, math.floor(3 / dt), dt, function()
      for name, q in next, state.q do
        local one = limits[name]
        local v = (q - past[name]) / dt
        worst.speed = math.max(worst.speed, math.abs(v) / one.velocity)
        worst.acceleration = math.max(worst.acceleration, math.abs(v - speed[name]) / dt / one.acceleration)
        worst.out = math.max(worst.out, one.lower - q, q - one.upper)
        most = math.max(most, math.abs(q - state.r[name]))
        past[name], speed[name] = q, v
      end
    end)
  end
  t:ok(worst.out <= 0, "%.3g out of the range", worst.out)
  t:ok(worst.speed <= 1 + 1e-9, "%.9f of the greatest speed", worst.speed)
  t:ok(worst.acceleration <= 1 + 1e-6, "%.9f of the greatest acceleration", worst.acceleration)
  t:ok(most > 0.1, "the schedules ask for nothing that takes time: %.3g", most)
end)

test("from anywhere it arrives, and stays", function(t)
  local count = 30 * (t:long() and 50 or 1) -- make soak: 1,500
  for number = 1, count do
    local stream = random.stream(number, "arrive")
    local composer, state = fresh()
    schedule(composer, state, stream, 200, 0.005, function() end)
    local seconds = composer:approach(state, "stroll")
    local steps = 0
    while not composer:arrived(state) and steps < 2000 do
      composer:step(state, 0.005)
      steps = steps + 1
    end
    t:ok(steps * 0.005 <= seconds + 1.5, "%d: %.2f s instead of %.2f s", number, steps * 0.005, seconds)
    composer:hold(state)
    for _ = 1, 100 do composer:step(state, 0.005) end
    t:near(state.q.vx, 0.1, 1e-9)
    t:near(state.q.elbow, -0.2, 1e-9)
    t:near(state.v.elbow, 0, 1e-9)
  end
end)
