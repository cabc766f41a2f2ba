-- Sequences over the states' objectives, in whole runs: accuracy, layering, no jumps, and explanations for
-- people.
local random = require "brio.random"
local sequence = require "brio.sequence"

local head = [[
local brio = require "brio"
local want = brio.want
]]

--- A behavior whose only state wants little, with these fields in addition.
local function behavior(robot, fields, wants)
  return ([[%slocal b = brio.behavior "b" { robot = "%s", start = "idle", %s }
b.idle = { wants = { %s } }
return b]]):format(head, robot, fields or "", wants or "")
end

local function host(run) return run.run.host end

--- Play in a run as a behavior would.
local function play(run, ...) return host(run).self:play(...) end

--- The motor side's command of a DOF outside the tree.
local function told(run, name) return run.actuator:state(name).command end

--- A sequence of minimum-jerk moves on joints of the robot, within `share` of their speeds and accelerations.
local function feasible(description, stream, share)
  local tracks = {}
  local home = description.poses[description.home].joints
  for _, dof in ipairs(description.dofs) do
    if not dof.outside then
      local keys, at, from = { { 0, kind = "input" } }, 0, home[dof.name]
      for _ = 1, 4 do
        local to = from + stream:uniform(-0.3, 0.3)
        to = math.max(dof.lower + 0.02, math.min(dof.upper - 0.02, to))
        local way = math.abs(to - from)
        at = at + math.max(0.4, 1.875 * way / (share * dof.velocity),
          math.sqrt(5.774 * way / (share * dof.acceleration)))
        keys[#keys + 1], from = { at, to }, to
      end
      keys[#keys + 1] = { at + 1.5, kind = "input" }
      tracks[dof.name] = keys
    end
  end
  return sequence.describe { curve = "minimum_jerk", tracks = tracks }
end

test("a mask names the DOFs and groups that a play may move: the others stay as they are without it",
  function(t)
  local run = t:run("b", { source = behavior("pepper") })
  local groups = {}
  for _, dof in ipairs(run.description.dofs) do groups[dof.name] = dof.group end
  local made = feasible(run.description, random.stream(6, "mask"), 0.9)
  local function moved(mask)
    run:advance(0.1)
    local playing, out = play(run, made, mask and { mask = mask }), {}
    t:ok(playing)
    local before = {}
    for name in pairs(made.tracks) do before[name] = run:command(name) end
    for _ = 1, 300 do
      run:advance(0.005)
      for name in pairs(made.tracks) do
        out[name] = out[name] or math.abs(run:command(name) - before[name]) > 0.01 or nil
      end
    end
    playing:stop(0.1)
    run:advance(3)
    return out
  end
  local all, head_alone, some = moved(nil), moved "head", moved { "head", "LElbowRoll" }
  for name in pairs(made.tracks) do
    t:equal({ name, head_alone[name] }, { name, groups[name] == "head" and all[name] or nil })
    local named = groups[name] == "head" or name == "LElbowRoll"
    t:equal({ name, some[name] }, { name, named and all[name] or nil })
  end
  t:ok(head_alone.HeadYaw and some.LElbowRoll and not head_alone.LElbowRoll)
  t:match(select(2, pcall(play, run, made, { mask = "heat" })),
    "no DOF or group 'heat' %(did you mean 'head'")
  t:match(select(2, pcall(play, run, made, { mask = {} })), "a mask names at least one DOF")
  t:match(select(2, pcall(play, run, made, { mask = { 3 } })), "item 1 is a number")
  t:match(select(2, pcall(play, run, made, { mask = 3 })), "mask must be a string or table, not number")
  t:match(select(2, pcall(play, run, made, { mark = "head" })), "did you mean 'mask'")
end)

for _, robot in ipairs { "pepper", "panda" } do
  test("a feasible sequence that plays alone comes out within half a degree and a tick on " .. robot,
    function(t)
    local run, stream = t:run("b", { source = behavior(robot) }), random.stream(5, robot)
    local made = feasible(run.description, stream, 0.9)
    run:advance(0.1)
    t:ok(play(run, made))
    local tracks, worst, where = host(run).tracks, 0, ""
    local length = sequence.length(made)
    for _ = 1, math.floor(length * 200) do
      run:advance(0.005)
      for index, dof in ipairs(run.description.dofs) do
        if not dof.outside then
          local asked = tracks.player:why(index).value
          local off = math.abs(run:command(dof.name) - asked)
          if off > worst then worst, where = off, dof.name end
        end
      end
    end
    t:ok(worst < math.rad(0.5), "%s is off by %.4f rad", where, worst)
    print(("# %s: %.2g rad at the most"):format(robot, worst))
    run:advance(0.2)
    t:equal(#tracks.player:sources(), 0)
  end)
end

--- Pepper with filters on joints, in a folder of its own.
local function filtered(t, filters)
  local folder = t:temporary()
  os.execute("mkdir " .. folder .. " && cp -r " .. require("brio.lib.paths").robots() .. "/pepper/. "
    .. folder)
  local handle = io.open(folder .. "/robot.lua")
  local text = handle:read "a"
  handle:close()
  handle = io.open(folder .. "/robot.lua", "w")
  handle:write((text:gsub("\n  model =",
    function(model) return "\n  filters = " .. filters .. "," .. model end, 1)))
  handle:close()
  return folder, function() os.execute("rm -r " .. folder) end
end

test("a robot's file filters tracks of joints: they lag by stages times tau, others do not", function(t)
  local folder, remove = filtered(t, "{ HeadYaw = { stages = 2, tau = 0.08 }, left_arm = { tau = 0.05 }, \z
    HipRoll = { tau = 0 } }")
  local run = t:run("b", { source = behavior("pepper"), robot = folder })
  local home, tracks, speed = {}, {}, 0.15
  -- the lag of each
  local joints = { HeadYaw = 0.16, LElbowYaw = 0.1, LShoulderRoll = 0.1, HeadPitch = 0, RElbowYaw = 0,
    HipRoll = 0 }
  run:advance(0.1)
  for name in next, joints do
    home[name] = run:command(name)
    tracks[name] = { { 0, kind = "input" }, { 0.5, home[name] }, { 2.5, home[name] + 2 * speed },
      { 3.5, home[name] + 2 * speed, curve = "minimum_jerk" }, { 4.5, kind = "input" } }
  end
  t:ok(play(run, { curve = "linear", tracks = tracks }))
  run:advance(2)
  for name, lag in next, joints do
    local asked = host(run).self:why(name).mixed
    local behind = (asked - run:command(name)) / speed
    t:ok(math.abs(behind - lag) <= 0.005 + 0.02 * lag, "%s is %.4f s behind, not %.4f", name, behind, lag)
  end
  t:match(tostring(host(run).self:why "HeadYaw"), "\n +[%d.-]+  filtered: %-0%.0%d+\n")
  t:ok(not tostring(host(run).self:why "HeadPitch"):find "filtered",
    "no word of a filter where there is none")
  run:advance(1.4)
  t:near(run:command "HeadYaw", home.HeadYaw + 2 * speed, 1e-3, "its value, once it stands")
  run:advance(3.5)
  for name in next, joints do t:near(run:command(name), home[name], 1e-3, name) end
  t:equal(host(run).self:why("HeadYaw").follow, 0)
  remove()
end)

test("what is filtered stands still on hold and goes on from there, within limits", function(t)
  local folder, remove = filtered(t, "{ head = { stages = 3, tau = 0.1 } }")
  local run = t:run("b", { source = behavior("pepper"), robot = folder })
  run:advance(0.1)
  local keys = { { 0, kind = "input" }, { 1, 0.6 }, { 1.5, -0.4 }, { 3, kind = "input" } }
  play(run, { curve = "minimum_jerk", tracks = { HeadYaw = keys } })
  local before, pace, hardest = run:command "HeadYaw", 0, 0
  local function go(seconds)
    for _ = 1, math.floor(seconds * 200 + 0.5) do
      run:advance(0.005)
      local now = run:command "HeadYaw"
      hardest = math.max(hardest, math.abs((now - before) / 0.005 - pace) / 0.005)
      before, pace = now, (now - before) / 0.005
    end
  end
  go(1)
  host(run):hold()
  go(1)
  local stood = before
  go(1)
  t:near(before, stood, 1e-9, "it holds")
  host(run):go_on()
  go(0.005)
  t:near(before, stood, 1e-3, "and goes on from there")
  go(5)
  t:near(before, 0, 1e-3, "home")
  t:ok(hardest <= 14 * (1 + 1e-4), "%.3f rad/s^2 of 14", hardest)
  remove()
end)

local gaze = [[want.collision_avoidance {}, want.joint_match { joint = "HeadPitch", goal = function(self) return 0.15 * math.sin(self.now) end },
  want.joint_match { joint = "HeadYaw", goal = 0.3 }, want.group "low" { want.joint_velocity_minimization {} }, want.joint_limits {}]]

test("a nod is laid over a gaze that goes on, and leaves no trace", function(t)
  local source = behavior("pepper", "", gaze)
  local one, other = t:run("b", { source = source }), t:run("b", { source = source })
  one:advance(1)
  other:advance(1)
  local playing = play(other, "nod")
  local largest = 0
  for tick = 1, 500 do
    one:advance(0.005)
    other:advance(0.005)
    local why = host(other).self:why "HeadPitch"
    if why.follow > 0 then
      t:near(why.below, one:command "HeadPitch", 2e-5, "the gaze below at tick " .. tick)
    end
    largest = math.max(largest, other:command "HeadPitch" - one:command "HeadPitch")
  end
  t:near(largest, 0.2, 0.005, "the nod")
  t:equal(playing:on(), false)
  t:near(other:command "HeadPitch", one:command "HeadPitch", 1e-3, "afterwards")
  t:near(other:command "HeadYaw", one:command "HeadYaw", 1e-3, "another joint")
end)

test("a mirrored wave is the other arm's", function(t)
  local right, left = t:run("b", { source = behavior("pepper") }), t:run("b", { source = behavior("pepper") })
  play(right, "wave")
  play(left, "wave", { mirror = true })
  right:advance(2)
  left:advance(2)
  for _, name in ipairs { "ShoulderPitch", "ShoulderRoll", "ElbowYaw", "ElbowRoll", "Hand" } do
    local sign = (name == "ShoulderPitch" or name == "Hand") and 1 or -1
    t:near(left:command("L" .. name), sign * right:command("R" .. name), 2e-3, name)
  end
  t:near(right:command "RShoulderPitch", -0.2, 0.01)
end)

test("whatever starts, stops and changes when, commands keep to their limits", function(t)
  for seed = 1, 3 do
    local run, stream = t:run("b", { source = behavior("pepper", "", gaze) }), random.stream(seed, "schedule")
    local made, before, pace = {}, {}, {}
    for index = 1, 3 do made[index] = feasible(run.description, stream, 0.5) end
    local fastest, hardest = 0, 0
    for tick = 1, 800 do
      if stream:whole(12) == 1 then
        local list = host(run).tracks:list()
        local act = stream:whole(4)
        if act <= 2 or #list == 0 then
          play(run, act == 1 and made[stream:whole(3)] or ({ "nod", "shake", "wave" })[stream:whole(3)],
            { priority = stream:whole(3), amplitude = stream:uniform(0.3, 1),
              speed = stream:uniform(0.5, 1.5),
              fade = stream:uniform(0, 0.4), mirror = stream:whole(2) == 1, hold = stream:whole(3) == 1 })
        elseif act == 3 then
          host(run).tracks:stop_source(list[stream:whole(#list)], stream:uniform(0, 0.4))
        else
          host(run).tracks.player:set(list[stream:whole(#list)].source, "gain", stream:uniform(0, 1))
        end
      end
      run:advance(0.005)
      for _, dof in ipairs(run.description.dofs) do
        if not dof.outside then
          local now = run:command(dof.name)
          local v = before[dof.name] and (now - before[dof.name]) / 0.005 or 0
          if tick > 2 then
            fastest = math.max(fastest, math.abs(v) / dof.velocity)
            hardest = math.max(hardest, math.abs(v - (pace[dof.name] or 0)) / 0.005 / dof.acceleration)
          end
          before[dof.name], pace[dof.name] = now, v
        end
      end
    end
    t:ok(fastest <= 1 + 1e-6 and hardest <= 1 + 1e-4, "seed %d: %.4f of the speed, %.4f of the acceleration",
      seed, fastest, hardest)
  end
end)

test("a sequence's file is exchanged while it plays, and goes on at its time", function(t)
  local folder = t:temporary ""
  os.execute("mkdir -p " .. folder)
  t.remove[#t.remove + 1] = folder .. "/hum.lua"
  t.remove[#t.remove + 1] = folder .. "/b.lua"
  local function put(name, text)
    local handle = assert(io.open(folder .. "/" .. name, "w"))
    handle:write(text)
    handle:close()
  end
  local hum = "return { loop = { 0, 100 }, tracks = { HeadYaw = { { 0, 0.2 }, { 100, 0.2 } } }, events = { \z
    { 3, 'late' } } }"
  put("hum.lua", hum)
  put("b.lua", behavior("pepper", "sequences = { hum = \"hum.lua\" }"))
  local run = t:run(folder .. "/b.lua", { recorded = true })
  run:advance(0.1)
  local playing = play(run, "hum")
  run:advance(2)
  t:near(run:command "HeadYaw", 0.2, 1e-3)
  t:equal(run:reload(function(text) return (text:gsub("0%.2", "0.4")) end, folder .. "/hum.lua"), true)
  local last, steepest = run:command "HeadYaw", 0
  for _ = 1, 200 do
    run:advance(0.005)
    steepest, last = math.max(steepest, math.abs(run:command "HeadYaw" - last) / 0.005), run:command "HeadYaw"
  end
  t:near(last, 0.4, 1e-3)
  t:ok(steepest < 2.5, "%.3f rad/s", steepest)
  t:equal(playing:on(), true)
  local source = host(run).tracks.player:sources()[1]
  t:near(source.time, 3, 0.02, "its own time went on")
  local good, why = run:reload(function() return "return { tracks = { HeadYaw = { { 0, 1 }, { 0, 2 \z
    } } } }" end, folder .. "/hum.lua")
  t:equal(good, nil)
  t:match(why, "hum.lua: tracks.HeadYaw%[2%] is at 0 s")
  t:equal(playing:on(), true)
  run:advance(0.2)
  run:finish()
  t:equal(#run:sql "SELECT 1 FROM events WHERE name = 'late'", 1)
end)

test("who owned what when is told now and later", function(t)
  local run = t:run("b", { source = behavior("pepper", "", gaze), recorded = true })
  run:advance(0.5)
  play(run, "nod")
  run:advance(0.5)
  play(run, { tracks = { HeadPitch = { { 0, 0.1 }, { 0.3, 0.1 } } } }, { name = "stare", priority = 3 })
  run:advance(0.2)
  local why = host(run).self:why "HeadPitch"
  t:equal(why.owner, "stare")
  t:equal(#why.from, 2)
  t:equal(why.from[1].name, "nod")
  t:near(why.from[1].before, why.below, 1e-12)
  t:near(why.from[2].after, 0.1, 1e-12)
  t:match(tostring(why), "stare owns it %(script%)\n.-below.-\n.-nod, in sequences: adds.-\n.-stare, in \z
    sequences: 0.1000\n")
  t:raises(function() host(run).self:why "HeadPich" end, "did you mean 'HeadPitch'")
  run:advance(2)
  run:finish()
  local rows = run:sql "SELECT owner, round(started, 3) AS began, round(ended, 3) AS ended FROM ownership \z
    WHERE dof = 'HeadPitch' ORDER BY started"
  local names = {}
  for index, row in ipairs(rows) do names[index] = row.owner end
  t:equal(names, { "nod", "stare", "nod" })
  for index = 2, #rows do t:equal(rows[index].began, rows[index - 1].ended) end
  t:equal(run:sql("SELECT count(*) AS n FROM sources WHERE reason = 'over'")[1].n, 2)
end)

test("a key plays one of its sequences, as far and as fast as is drawn", function(t)
  local run = t:run("b", { source = behavior("probo", [[keys = {
      c = { play = { "blink", "ear_flap" }, amplitude = { 0.5, 0.6 }, speed = { 2, 3 }, mirror = "random" },
      g = { play = { "blink", "ear_flap" }, mode = "toggle" } },]]), recorded = true, seed = 3 })
  run:advance(0.1)
  local life, played = host(run).life, {}
  for index = 1, 6 do
    played[index] = life:press "c":match "^plays (%S+)$"
    if index > 1 then t:ok(played[index] ~= played[index - 1], "not the same one again") end
    for _, playing in ipairs(host(run).tracks:list()) do
      t:ok(playing.said.amplitude >= 0.5 and playing.said.amplitude <= 0.6 and playing.said.speed >= 2,
        "%g of it, %g times as fast", playing.said.amplitude, playing.said.speed)
    end
    run:advance(2)
  end
  local first = life:press "g":match "^plays (%S+)$"
  t:equal(life:press "g", "stops " .. first)
  t:equal({ life:press "x" }, {})
  host(run).tracks.play = function() return nil, "too much plays" end
  t:equal({ life:press "g" }, { nil, "too much plays" })
  run:finish()
end)

test("performers who fall silent together are let go in the same tick", function(t)
  local run = t:run("b", { source = behavior "pepper", recorded = true })
  run:advance(0.1)
  for _, name in ipairs { "zoe", "ann", "max", "eve" } do
    t:ok(host(run).tracks:perform(name, { HeadYaw = 0.1 }))
  end
  run:advance(2)
  run:finish()
  local rows = run:sql "SELECT name, ended FROM sources WHERE reason = 'silent' ORDER BY name"
  t:equal(#rows, 4)
  for index = 2, 4 do t:equal(rows[index].ended, rows[1].ended) end
end)

test("random life keeps its distribution and its distance, keys play, stages of one's own are heard",
  function(t)
  local fields = [[life = { blink = { play = "blink", every = "blink" },
      flap = { play = { "ear_flap", "blink" }, every = { mean = 1, sigma = 0.3 }, mirror = "random" } },
    keys = { n = { play = "stare", mode = "hold" } },
    sequences = { stare = { tracks = { EyelidLeft = { { 0, 0.8 }, { 1, 0.8 } } } } },
    stages = { { name = "sway", after = "merge", work = function(self, tracks) tracks.TrunkPan = 0.5 * tracks.EarLeft + 0.25 end } } ]]
  local run = t:run("b", { source = behavior("probo", fields), recorded = true, seed = 3, rate = 50 })
  run:advance(60)
  t:near(told(run, "TrunkPan"), 0.25 + 0.5 * host(run).self:why("EarLeft").below, 0.02)
  t:match(host(run).life:press "n", "plays stare")
  local lowest = 1
  run:advance(0.6)
  t:near(run:command "EyelidLeft", 0.8, 1e-9, "what a test sees of it")
  for _ = 1, 1000 do
    run:advance(0.02)
    lowest = math.min(lowest, told(run, "EyelidLeft"))
  end
  t:ok(lowest > 0.75, "the lid went to %.3f while a key holds it", lowest)
  host(run).life:let_go "n"
  run:advance(20)
  run:finish()
  local blinks = run:sql "SELECT started, ended FROM sources WHERE name = 'blink' ORDER BY started"
  t:ok(#blinks > 15 and #blinks < 50, "%d blinks in 100 s", #blinks)
  for index = 2, #blinks do
    t:ok(blinks[index].started - blinks[index - 1].ended > 0.45, "two blinks at once")
  end
end)

test("what is wrong is said in words", function(t)
  local run = t:run("b", { source = behavior "pepper" })
  run:advance(0.1)
  t:raises(function() play(run, "nodd") end, "there is no sequence 'nodd' %(did you mean 'nod'%?%)")
  t:raises(function() play(run, "nod", { amplitud = 1 }) end, "no 'amplitud' %(did you mean 'amplitude'%?%)")
  t:raises(function() play(run, "nod", { speed = "quick" }) end, "speed must be a number")
  t:raises(function() play(run, "nod", { speed = -1 }) end, "speed must be")
  t:raises(function() play(run, { tracks = { HeadYaw = {} } }) end, "has no keys")
  local playing = play(run, "nod")
  t:raises(function() playing:set("color", 1) end, "color")
  t:equal(host(run).self:stop "wave", false)
  t:equal(host(run).self:stop "nod", true)
  t:raises(function() t:run("c", { source = behavior("pepper",
    "sequences = { x = { tracks = { HeadYav = { { 0, 1 } } } } }") }) end,
    "track 'HeadYav': robot 'pepper' has no such DOF %(did you mean 'HeadYaw'%?%)")
  t:raises(function() t:run("c", { source = behavior("pepper",
    "life = { x = { play = 'nod', every = 'blinc' } }") }) end, "did you mean 'blink'")
  t:raises(function() t:run("c", { source = behavior("pepper", "keys = { x = { play = 'nodd' } }") }) end,
    "no sequence 'nodd'")
end)

test("equal runs move alike with all that plays at random", function(t)
  local hashes = {}
  for index = 1, 2 do
    local run = t:run("b", { source = behavior("probo",
      [[life = { flap = { play = "ear_flap", every = { mean = 1 }, mirror = "random" } }]]),
      recorded = true, seed = 9 })
    run:advance(10)
    run:finish()
    hashes[index] = run:sql("SELECT commands_hash FROM runs")[1].commands_hash
  end
  t:equal(hashes[1], hashes[2])
end)

test("eyelids go with the eyes though nothing plays", function(t)
  local run = t:run("b", { source = behavior("probo", "memory = { tilt = 0 }",
    'want.joint_match { joint = "EyesTilt", goal = function(self) return self.memory.tilt end }') })
  run:advance(0.5)
  t:near(told(run, "EyelidLeft"), 0, 1e-6)
  host(run).self.memory.tilt = 0.3
  run:advance(2)
  local down = told(run, "EyelidLeft")
  t:ok(down < -0.1 and down > -0.6, "the lid is at %.3f", down)
  t:near(told(run, "EyelidRight"), down, 1e-9)
end)
