--- Motions fitted to robots: speeds, accelerations and ranges hold everywhere, on the same path; parts.
local fit = require "brio.fit"
local motions = require "brio.terminal.motion_files"
local random = require "brio.random"
local robots = require "brio.robots"
local sequence = require "brio.sequence"
local sequence_check = require "brio.motion.sequence_check"
local timing = require "brio.timing"
local tracks = require "brio.tracks"

--- A path of sines through `reach` of a DOF's range, `pace` times as fast as about half its limits: value(t).
local function way_of(draw, dof, reach, pace)
  local middle, half = (dof.upper + dof.lower) / 2, reach * (dof.upper - dof.lower) / 2
  local rate = pace * math.min(0.5 * dof.velocity / half, math.sqrt(0.5 * dof.acceleration / half))
  local a, b = draw:uniform(0, 6.28), draw:uniform(0, 6.28)
  return function(t)
    return middle + half * (0.7 * math.sin(rate * t + a) + 0.3 * math.sin(1.9 * rate * t + b))
  end
end

--- A clip of some joints of a robot, as from a camera: 30 frames a second, with noise of `noise`.
local function clip_of(draw, description, count, options)
  local list = {}
  for _, dof in ipairs(description.dofs) do
    if #list < count and not dof.outside and dof.velocity and dof.acceleration then
      local way, keys = way_of(draw, dof, options.reach, options.pace), {}
      for frame = 0, math.floor(options.seconds * 30) do
        local t, calm = frame / 30, options.calm_until or 0
        local shake = (options.noise or 0) * draw:uniform(-1, 1)
        keys[frame + 1] = { t, way((t < calm and 0.1 or 1) * (t - calm)) + shake }
      end
      list[#list + 1] = { name = dof.name, keys = keys }
    end
  end
  return { kind = "joints", name = "c", tracks = list, events = options.events or {}, notes = {} }
end

--- The maxima of a sequence for a DOF over the robot's home pose: shares of its speed and of its
--- acceleration, and the excess beyond its range.
local function asked(made, description)
  local numbers, home = tracks.numbers(description), description.poses[description.home].joints
  local compiled, place = tracks.compile(made, numbers, description.dofs), 0
  local most = { speed = 0, push = 0, beyond = 0 }
  local step, names = 1 / 500, {}
  for name in pairs(made.tracks) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    place = place + 1
    local dof, before = description.dofs[numbers[name]], 0
    for index = 0, math.ceil(compiled.motion:length() / step) do
      local a, b, va, vb = compiled.motion:sample(place, index * step)
      local value = a and a + b * home[name] or home[name]
      local rate = a and va + vb * home[name] or 0
      most.speed = math.max(most.speed, math.abs(rate) / dof.velocity)
      most.push = math.max(most.push, math.abs(rate - before) / step / dof.acceleration)
      most.beyond = math.max(most.beyond, value - dof.upper, dof.lower - value)
      before = rate
    end
  end
  return most
end

local function holds(t, most, what)
  t:ok(most.speed <= 1 and most.push <= 1.001 and most.beyond <= 0,
    "%s: %.3f of the speed, %.3f of the acceleration, %.4f beyond an end", what, most.speed, most.push,
    most.beyond)
end

test("what is fitted to a robot keeps its speeds, accelerations and ends everywhere, leads too", function(t)
  local draw = random.stream(4, "fit")
  for _, name in ipairs { "panda", "pepper", "ur3e", "probo" } do
    local description = assert(robots.find(name))
    for _, options in ipairs {
      { reach = 0.4, pace = 3, seconds = 4 }, { reach = 1.3, pace = 1.5, seconds = 4 },
      { reach = 0.3, pace = 2, seconds = 4, noise = 0.004 } } do
      local clip = clip_of(draw, description, 5, options)
      local made, notes = assert(fit.sequence(clip, description, {}, { fit = true }))
      t:equal(sequence.fault(made), nil)
      local most = asked(made, description)
      holds(t, most, name)
      t:equal(sequence_check.sequence(made, description), { faults = {}, warnings = {} })
      t:ok(table.concat(notes, " "):find("it takes %d+%.%d+ s instead of 4.00 s"), table.concat(notes, " "))
      local plain = asked(assert(fit.sequence(clip, description, {}, {})), description)
      t:ok(plain.push > 1, "%s: it was too quick before", name)
    end
  end
end)

--- The greatest distance of a sequence's path from samples: to each sample's nearest point, in order.
local function off_path(made, description, clip)
  local numbers, places, place = tracks.numbers(description), {}, 0
  local names = {}
  for name in pairs(made.tracks) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do place, places[name] = place + 1, place + 1 end
  local compiled, at, worst = tracks.compile(made, numbers, description.dofs), 0, 0
  local function off(frame, t)
    local most = 0
    for _, track in ipairs(clip.tracks) do
      local a = compiled.motion:sample(places[track.name], t)
      most = math.max(most, a and math.abs(a - track.keys[frame][2]) or math.huge)
    end
    return most
  end
  for frame = 1, #clip.tracks[1].keys do
    local least, from = math.huge, at
    for index = 0, 400 do
      local now = off(frame, from + index / 1000)
      if now < least then least, at = now, from + index / 1000 end
      if now > least + 0.05 and least < 0.01 then break end
    end
    worst = math.max(worst, least)
  end
  return worst
end

test("a fitted motion goes the same way, slower only where it must, and its events come with it", function(t)
  local panda = assert(robots.find "panda")
  local events = { { 1.5, "label", "calm" }, { 3.5, "label", "wild" } }
  local clip = clip_of(random.stream(2, "way"), panda, 3,
    { reach = 0.4, pace = 3, seconds = 4, calm_until = 2, events = events })
  local made = assert(fit.sequence(clip, panda, {}, { fit = true, lead = 0 }))
  local off = off_path(made, panda, clip)
  t:ok(off < 0.002 + 0.004, "the way is off by %.4f rad", off) -- and what a step of a millisecond leaves
  local calm, wild = made.events[1][1], made.events[2][1]
  t:near(calm, 1.5, 0.2) -- from rest to its speed
  t:ok(wild > 3.5 + 0.3, "the wild part is not slower: %.2f s", wild)
  t:ok(sequence.length(made) > 4.5 and sequence.length(made) < 12, "it takes %.2f s", sequence.length(made))
end)

--- The least duration of a clip's path from rest to rest, at its own pace at most, by the timing in C.
local function least_duration(clip, dofs)
  local own = { points = {}, at = {}, names = {}, velocity = {}, acceleration = {}, rows = 1,
    constraints = function() return { { 0, 1, 1 } } end }
  for index, track in ipairs(clip.tracks) do
    own.names[index] = track.name
    own.velocity[index], own.acceleration[index] = dofs[track.name].velocity, dofs[track.name].acceleration
    for frame, key in ipairs(track.keys) do
      own.at[frame], own.points[frame] = key[1], own.points[frame] or {}
      own.points[frame][index] = key[2]
    end
  end
  own.intervals = 2 * #own.points
  return assert(timing.path(own)):duration()
end

test("a fitted motion is hardly slower than the limits make it", function(t)
  local draw, panda, dofs = random.stream(6, "least"), assert(robots.find "panda"), {}
  for _, dof in ipairs(panda.dofs) do dofs[dof.name] = dof end
  for _, pace in ipairs { 2, 4 } do
    local clip = clip_of(draw, panda, 5, { reach = 0.4, pace = pace, seconds = 4 })
    local made = assert(fit.sequence(clip, panda, {}, { fit = true, lead = 0 }))
    local least, lasts = least_duration(clip, dofs), sequence.length(made)
    t:ok(least > 4.5, "the limits matter: %.2f s", least)
    t:ok(lasts >= 0.98 * least and lasts <= 1.1 * least, "%.2f s, and it must take %.2f s", lasts, least)
  end
end)

test("a motion that the robot can follow stays as it is", function(t)
  local panda = assert(robots.find "panda")
  local clip = clip_of(random.stream(3, "calm"), panda, 4, { reach = 0.2, pace = 0.4, seconds = 5 })
  local made, notes = assert(fit.sequence(clip, panda, {}, { fit = true, lead = 0 }))
  t:match(notes[1], "^panda can follow it everywhere")
  t:ok(sequence.length(made) < 5.5, "it takes %.2f s", sequence.length(made))
end)

test("a part of a motion: from a time to another, some DOFs, with its events", function(t)
  local panda = assert(robots.find "panda")
  local clip = clip_of(random.stream(7, "part"), panda, 4, { reach = 0.3, pace = 0.5, seconds = 4,
    events = { { 0.5, "label", "before" }, { 2, "label", "in" }, { 3.9, "label", "after" } } })
  local function made_of(options) return fit.sequence(clip, panda, {}, options) end
  local made = assert(made_of { from = 1.01, to = 3, lead = 0 })
  t:near(sequence.length(made), 1.99, 1e-6)
  t:equal(#made.events, 1)
  t:near(made.events[1][1], 0.99, 1e-6)
  for _, track in ipairs(clip.tracks) do
    local keys = made.tracks[track.name]
    t:near(keys[1][2], track.keys[31][2] + 0.3 * (track.keys[32][2] - track.keys[31][2]), 1e-6)
    t:near(keys[#keys][2], track.keys[91][2], 1e-6)
  end
  made = assert(made_of { dofs = { "panda_joint2" } })
  t:equal({ (next(made.tracks)), (next(made.tracks, "panda_joint2")) }, { "panda_joint2" })
  local group = panda.dofs[1].group
  local count = 0
  for name in pairs(assert(made_of { dofs = { group } }).tracks) do
    count = count + 1
    t:ok(name:find "joint")
  end
  t:ok(count > 1)
  t:match(select(2, made_of { dofs = { "panda_joint9" } }), "no DOF or group 'panda_joint9' %(did you mean")
  t:match(select(2, made_of { dofs = { "panda_joint7" } }), "it does not move panda_joint7: it moves")
  t:match(select(2, made_of { from = 9 }), "it lasts 4.00 s: nothing is in it from 9 s on")
end)

test("curves that an author made are cut and fitted as they run", function(t)
  local pepper = assert(robots.find "pepper")
  local authored = { { 0, "input", "linear" }, { 0.1, 1, "hold" }, { 1, 1, "linear" },
    { 2, -1, "bezier", { -0.3, 0 }, { 0.3, 0 } }, { 3, 0.5, "monotone", { -0.3, 0 } }, { 4, 0 } }
  local clip = { kind = "joints", name = "c", events = {}, notes = {},
    tracks = { { name = "HeadYaw", unit = "rad", keys = authored } } }
  local cut = assert(fit.sequence(clip, pepper, {}, { from = 1.5, to = 1.75, lead = 0 }))
  local keys = cut.tracks.HeadYaw
  t:near({ keys[1][2], keys[#keys][2], keys[#keys][1] }, { 0, -0.5, 0.25 }, 1e-3)
  holds(t, asked(assert(fit.sequence(clip, pepper, {}, { fit = true })), pepper), "an author's curves")
end)

test("real films fitted to robots keep what the robots can", function(t)
  local shared = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/"
  for _, case in ipairs { { "mocap/cmu_bvh/salsa_pair01_A_30fps.bvh", "panda" },
    { "mocap/cmu_bvh/salsa_pair01_A_30fps.bvh", "pepper" }, { "animation/RobotExpressive.glb", "panda" },
    { "robot_motion/pepper_qianim/Hello_02.qianim", "pepper" } } do
    local clip = motions.read(shared .. case[1], {})
    if not clip then return t:skip("no shared data") end
    local made, _, description = motions.fit(clip, case[2], { fit = true, from = 0.5, to = 3 })
    holds(t, asked(made, description), case[1] .. " on " .. case[2])
  end
end)
