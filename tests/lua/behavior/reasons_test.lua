-- Why a joint moved, from the store and during the run: the states' objectives with their weights and goals,
-- and what else people query later: nearby bodies, detections, effective parameters, nested states.
local moment = require "brio.analysis.moment"
local moment_words = require "brio.analysis.moment_text"
local history = require "brio.history"
local store = require "brio.store"

local source = [[
local brio = require "brio"
local want = brio.want
local function pitch(self) return self.now < 3 and -0.6 or nil end
local b = brio.behavior "b" { robot = "pepper", start = "awake", tune = { pace = brio.param(2, "s", 1, 9) } }
b.awake = { start = "rests", states = {
  rests = { wants = { want.joint_match { joint = "HeadYaw", goal = 0, weight = 3 } }, after = { 1, "looks" } },
  looks = { wants = { want.joint_match { joint = "HeadPitch", goal = pitch, weight = 5 },
    want.joint_match { joint = "HeadYaw", goal = 0.5, weight = 8 }, want.nominal_posture { weight = 2 } } },
} }
return b]]

--- The only row of a query.
local function one(run, sql) return run:sql(sql)[1] or {} end

local function ran(t, seconds, options)
  local run = t:run("b", { source = source, recorded = true, world_data = options and options.world_data })
  if options and options.before then options.before(run) end
  run:advance(seconds)
  run:close()
  return run
end

test("the record names the objective that moves a joint, with weight and goal, and from when to when",
  function(t)
  local run = ran(t, 4)
  local mover = one(run, "SELECT * FROM movers WHERE dof = 'HeadPitch' AND started < 2 ORDER BY seconds DESC")
  t:equal({ mover.mover, mover.what, mover.whose }, { "joint_match(joint=HeadPitch)", "objective", "script" })
  t:ok(mover.share > 0.5 and mover.started >= 1 and mover.started <= 1.2, "from when the state began")
  local row = one(run, "SELECT * FROM objective_shares WHERE dof = 'HeadPitch' AND share > 0.5 ORDER BY \z
    started")
  t:equal({ row.weight, row.goal, row.kind }, { 5, "[-0.6]", "joint_match" })
  t:equal(one(run, "SELECT count(*) AS n FROM movers WHERE dof = 'EarLedBrightness'").n, 0,
    "what nobody moves has no mover")
  local values = run:sql
    [[SELECT o.key, v.weight FROM objective_values v JOIN objectives o ON o.run = v.run AND o.id = v.objective
    WHERE o.kind = 'joint_match' ORDER BY o.key, v.t]]
  local told = {}
  for _, value in ipairs(values) do told[#told + 1] = value.key:match "Head%a+" .. " " .. value.weight end
  t:equal(told, { "HeadPitch 5.0", "HeadPitch 0.0", "HeadYaw 3.0", "HeadYaw 8.0" },
    "what was asked for, on change")
  t:equal(run:sql "PRAGMA foreign_key_check", {})
end)

test("shares are of all that pulls, and what holds against the motion is below 0", function(t)
  local run = ran(t, 3)
  local rows = run:sql [[SELECT p.t, sum(abs(j.value)) AS all_of_it FROM pulls p JOIN json_each(p.shares) j
    WHERE p.moves = 1 GROUP BY p.dof, p.t]]
  t:ok(#rows > 1)
  for _, row in ipairs(rows) do
    t:ok(row.all_of_it > 0.7 and row.all_of_it < 1.02, "%g at %g s", row.all_of_it, row.t)
  end
  t:ok(#run:sql "SELECT 1 FROM pulls WHERE moves = 0 AND shares = '{}'" > 0,
    "what came to rest is told to stand")
  local held = one(run, "SELECT min(share) AS least FROM objective_shares WHERE dof = 'HeadYaw' AND \z
    objective = 'nominal_posture()'")
  t:ok(held.least and held.least < -0.05, "what it was at draws back: %s", held.least)
end)

test("why and brio at say it in words", function(t)
  local run = t:run("b", { source = source, recorded = true })
  run:advance(1.2)
  local why = run.run.host.self:why "HeadPitch"
  t:equal(why.pulls[1].objective, "joint_match(joint=HeadPitch)")
  t:match(tostring(why), "of what pulls at it:\n +%d+%%  joint_match%(joint=HeadPitch%), weight %d")
  t:equal(run.run.host.self:why("EyeLedBrightness").pulls, {}, "a DOF that is not solved for")
  run:close()
  local db = assert(store.open(run.store))
  local found = assert(moment.of(db, assert(history.run(db, 1)), 1.15))
  t:equal(next(found.failed), nil)
  t:equal(found.parameters[1], { name = "pace", value = 2, unit = "s", since = 0 })
  local text = table.concat(moment_words.lines(found), "\n")
  t:match(text, "HeadPitch%s+rad%s[^\n]* joint_match%(joint=HeadPitch%) %d+ %%")
  t:match(text, "tuned +pace = 2 s, since 0.00 s")
  db:close()
end)

test("what plays over the states is a mover beside them", function(t)
  local run = ran(t, 2.5, { before = function(run)
    run:advance(1.2)
    assert(run.run.host.self:play { curve = "minimum_jerk",
      tracks = { LElbowRoll = { { 0, kind = "input" }, { 1, -1 } } } })
  end })
  local mover = one(run, "SELECT started, ended FROM movers WHERE dof = 'LElbowRoll' AND what = 'source'")
  t:near(mover.started or 0, 1.2, 0.02)
  t:equal(one(run, "SELECT count(*) AS n FROM movers WHERE mover LIKE 'track(%'").n, 0,
    "tracks are told as their sources")
end)

test("numbers that are tuned, and states inside states, are told as they were", function(t)
  local run = ran(t, 2, { before = function(run)
    run:advance(0.5)
    run.run.host.self.tune.pace = 3
  end })
  t:equal(run:sql "SELECT name, value, unit, t > 0.4 AS later FROM parameters ORDER BY t",
    { { name = "pace", value = 2, unit = "s", later = 0 },
      { name = "pace", value = 3, unit = "s", later = 1 } })
  t:equal(run:sql "SELECT state, depth, leaf FROM states_timeline ORDER BY id", {
    { state = "awake", depth = 1, leaf = 0 }, { state = "awake.rests", depth = 2, leaf = 1 },
    { state = "awake.looks", depth = 2, leaf = 1 } })
end)

test("what the simulated world let be seen is told in stretches", function(t)
  local run = ran(t, 6, { before = function(run)
    run:see { kind = "cup", id = "mug", at = { 1.2, 0.1, 1 } }
    run:see { kind = "person", id = "ann",
      path = { { 0, 1.5, 0, 1.6 }, { 2, 1.5, 0.4, 1.6 }, { 2.1, -9, 0, 1.6 } } }
  end })
  local mug = run:sql "SELECT class, x, ended FROM sightings WHERE name = 'mug'"
  t:equal(#mug, 1, "what stands has one row")
  t:equal({ mug[1].class, mug[1].ended }, { "cup" })
  t:near(mug[1].x, 1.2, 0.1)
  local ann = run:sql "SELECT started, ended, y FROM sightings WHERE name = 'ann' ORDER BY id"
  t:ok(#ann >= 4 and #ann <= 10, "%d rows of who walks", #ann)
  t:ok(ann[#ann].ended and ann[#ann].ended < 2.3, "seen no more")
end)

test("bodies that came near each other are told, how near, and for how long", function(t)
  local run = t:run("b", { recorded = true, source = [[
    local brio = require "brio"
    local want = brio.want
    local b = brio.behavior "b" { robot = "pepper", start = "folds" }
    b.folds = { wants = { want.collision_avoidance { margin = 0.02, weight = 5 },
      want.joint_match { joint = "RShoulderRoll", goal = -0.01, weight = 20 }, want.joint_match { joint = "RElbowRoll", goal = 1.5, weight = 20 },
      want.joint_match { joint = "RShoulderPitch", goal = 1.2, weight = 20 } }, after = { 3, "opens" } }
    b.opens = { wants = { want.collision_avoidance { margin = 0.02, weight = 5 },
      want.joint_match { joint = "RShoulderRoll", goal = -1, weight = 20 }, want.joint_match { joint = "RElbowRoll", goal = 0.1, weight = 20 } } }
    return b]] })
  run:advance(7)
  run:close()
  local near = run:sql "SELECT * FROM near_pairs ORDER BY distance"
  t:ok(#near > 0, "nothing came near")
  t:ok(near[1].a ~= near[1].b and near[1].ended > near[1].started and near[1].ended < 7, "it parts again")
  local least = one(run, "SELECT min(distance) AS d, t FROM solves")
  t:near(near[1].distance, least.d, 1e-6, "the least distance of all ticks")
  t:near(near[1].t, least.t, 1e-6)
end)
