--- Walking: the stepper, the leaf `walk`, and a robot with legs.
local geometry = require "brio.geometry"
local gait = require "brio.character.stance.gait"

--- A behavior whose state has a tree; `tree`: its text.
local walker = [[
local brio = require "brio"
local walker = brio.behavior "walker" { robot = "biped", start = "going", memory = { log = {} } %s }
walker.going = { tree = %s, on = { tree_done = "there", tree_failed = "lost" } }
walker.there = {}
walker.lost = { enter = function(self, failed) self.memory.why = failed.why end }
return walker
]]

local function started(t, tree, more)
  local run = t:run("walker", { source = walker:format(more or "", tree), robot = "biped" })
  run:advance(0.005)
  return run, function() return run.run.host.stance end
end

--- Measures of a walk, tick by tick: slips, limits and speeds.
local function watched(run, stance, seconds, till)
  local seen = { slip = 0, tilt = 0, over = 0, time = 0, ticks = 0, lifts = {}, highest = 0, low = math.huge }
  local limits = {}
  for _, dof in ipairs(run.description.dofs) do limits[dof.name] = dof end
  local lifted
  while seen.time < seconds and not till() do
    run:advance(0.005)
    seen.time = seen.time + 0.005
    local s = stance()
    for _, side in ipairs { "left", "right" } do
      local sole, stands = s:sole(side), s.gait.feet[side]
      if s.lifted == side then
        seen.highest = math.max(seen.highest, sole.position[3])
      else
        seen.slip = math.max(seen.slip, geometry.distance(sole.position, stands.position))
        seen.tilt = math.max(seen.tilt, geometry.angle(sole.orientation, stands.orientation))
      end
      seen.low = math.min(seen.low, sole.position[3])
    end
    if s.lifted and s.lifted ~= lifted then seen.lifts[#seen.lifts + 1] = s.lifted end
    lifted = s.lifted
    seen.ticks = seen.ticks + 1
    for name, dof in next, seen.ticks % 10 == 0 and limits or {} do
      local value = run:command(name)
      seen.over = math.max(seen.over, dof.lower - value, value - dof.upper)
    end
  end
  return seen
end

local function ends(run, name) return function() return run.state == name end end

test("it walks to a stance point and faces the focal point; feet that stand do not slip; limits hold",
  function(t)
  local run, stance = started(t, [[{ "walk", stance = { 1.0, 0.2, 0 }, focal = { 1.5, 0.7, 0 } }]])
  local seen = watched(run, stance, 20, ends(run, "there"))
  t:equal(run.state, "there")
  t:ok(seen.slip < 1e-3, "slipped by %.2f mm", 1e3 * seen.slip)
  t:ok(seen.tilt < 5e-3, "tilted by %.4f rad", seen.tilt)
  t:ok(seen.over <= 1e-9, "%g beyond a limit", seen.over)
  t:ok(seen.highest > 0.05 and seen.low > -1e-3, "lifted %.3f m", seen.highest)
  local walking = stance():walking()
  t:near({ walking.position[1], walking.position[2], gait.yaw(walking) }, { 1, 0.2, math.pi / 4 }, 5e-3)
  for index = 2, #seen.lifts - 1 do t:ok(seen.lifts[index] ~= seen.lifts[index - 1], "step %d", index) end
  t:near(run.scene:frame("walking").position, walking.position, 1e-6)
end)

test("at half the tempo a walk takes twice as long, and its feet slip no more", function(t)
  local took = {}
  for index, tempo in ipairs { 1, 0.5 } do
    local run, stance = started(t, [[{ "walk", stance = { 0.4, 0, 0 } }]], (", tempo = %g"):format(tempo))
    local seen = watched(run, stance, 30, ends(run, "there"))
    t:equal(run.state, "there")
    t:ok(seen.slip < 1e-3, "slipped by %.2f mm at %g", 1e3 * seen.slip, tempo)
    took[index] = seen.time
  end
  t:near(took[2], 2 * took[1], 0.15 * took[1])
end)

test("a walk takes the sum of its swings and transfers: 7.58 s for the thesis' example", function(t)
  local run, stance = started(t,
    [[{ "sequence", { "walk", name = "go", stance = { 1.285, -0.013, 0 }, focal = { 2.2675, -0.002, 0 },
    left = { y = 0.11 }, right = { y = -0.11 }, settings = { step_length = 0.33 } } }]])
  run:advance(0.02)
  local active = run.run.host.top.current.tree
  local leaf = require "brio.tree.leaves.walk"
  local memory
  for _, one in next, active.memory do memory = one.walk and one or memory end
  t:near(memory.seconds, 7.58, 0.02)
  local sum = gait.rest
  for _, step in ipairs(memory.planned) do sum = sum + step.swing + step.transfer end
  t:near(memory.seconds, sum, 1e-9)
  local shown = leaf.progress(active.site, active.compiled.list[2].values or active.compiled.list[2].form,
    memory)
  t:match(shown.text, "step 1 of 5")
  t:near(shown.nominal, sum, 1e-9)
  local seen = watched(run, stance, 10, ends(run, "there"))
  t:equal(run.state, "there")
  t:near(seen.time + 0.02, sum, 0.1)
end)

test("a hand that is brought somewhere before the chest is judged there, though the robot walks on meanwhile",
  function(t)
  local run, stance = started(t, [[{ "parallel", { "walk", stance = { 0.8, 0, 0 }, focal = { 3, 0, 0 } },
    { "arm", side = "right", frame = "chest", pose = { position = { 0.28, -0.22, 0.1 } }, seconds = 1.2 } }]])
  watched(run, stance, 9, ends(run, "there"))
  t:equal({ run.state, run.memory.why }, { "there", nil })
  t:near(geometry.within(geometry.inverse(run.scene:frame "torso"), run.scene:frame "right_palm").position,
    { 0.28, -0.22, 0.1 }, 0.02)
end)

test("its own steps are walked in its frame, with their own times", function(t)
  local run, stance = started(t, [[{ "walk", frame = "world", transfer = 0.3, steps = {
    { side = "left", x = 0.2, y = 0.12, swing = 0.5 }, { side = "right", x = 0.2, y = -0.15, yaw = -0.2 } } }]])
  local seen = watched(run, stance, 5, ends(run, "there"))
  t:equal({ run.state, table.concat(seen.lifts, " ") }, { "there", "left right" })
  local feet = stance():feet()
  t:near(feet.left.position, { 0.2, 0.12, 0 }, 1e-9)
  t:near(stance():sole("right").position, { 0.2, -0.15, 0 }, 2e-3)
  t:near(seen.time, 0.3 + 0.5 + 0.3 + 0.8 + 0.01, 0.08)
end)

test("queued steps follow those that wait; override lets the swing come to its end and forgets the rest",
  function(t)
  local two =
    [[{ "sequence", { "walk", name = "first", stance = { 1.5, 0, 0 }, focal = { 3, 0, 0 }, owns = {} },
    { "sequence", after = "beginning", { "wait", seconds = 1.0 },
      { "walk", frame = "world", mode = "%s", stance = { 0.4, 0, 0 }, focal = { 3, 0, 0 }, owns = {} } } }]]
  local run, stance = started(t, two:format "override")
  watched(run, stance, 12, function() return run.state ~= "going" end)
  t:equal(run.state, "lost", "the first walk was ended")
  local run2, stance2 = started(t, two:format "queue")
  watched(run2, stance2, 30, function() return run2.state ~= "going" end)
  t:equal(run2.state, "there")
  t:near(stance2():walking().position, { 0.4, 0, 0 }, 5e-3)
end)

test("it searches over a step, climbs it, and stands on it", function(t)
  local run, stance = started(t,
    [[{ "walk", planner = "a_star", stance = { 1.0, 0, 0 }, focal = { 2, 0, 0 }, ground = { regions = {
    { { -1, -1, 0 }, { 0.5, -1, 0 }, { 0.5, 1, 0 }, { -1, 1, 0 } },
    { { 0.5, -1, 0.12 }, { 2, -1, 0.12 }, { 2, 1, 0.12 }, { 0.5, 1, 0.12 } } } } }]])
  local seen = watched(run, stance, 25, function() return run.state ~= "going" end)
  t:equal(run.state, "there")
  t:ok(seen.slip < 2e-3, "slipped by %.2f mm", 1e3 * seen.slip)
  for _, side in ipairs { "left", "right" } do t:near(stance():sole(side).position[3], 0.12, 2e-3) end
  t:near(run.scene:frame("pelvis").position[3], 0.12 + 0.905, 0.03)
end)

test("it walks around what is in the way", function(t)
  local run, stance = started(t, [[{ "sequence", { "action", enter = function(self)
      self:shape("pillar", { kind = "cylinder", size = { 0.2, 0, 1.6 }, pose = { position = { 1.2, 0, 0.8 } } })
    end }, { "walk", stance = { 2.4, 0, 0 }, focal = { 4, 0, 0 }, around = true } }]])
  local nearest = math.huge
  watched(run, stance, 60, function()
    local at = stance():walking()
    if at then
      nearest = math.min(nearest, math.sqrt((at.position[1] - 1.2) ^ 2 + at.position[2] ^ 2) - 0.2)
    end
    return run.state ~= "going"
  end)
  t:equal(run.state, "there")
  -- 0.5 m, minus the sway of the body and the cut of corners
  t:ok(nearest > 0.35, "the body was %.2f m from the pillar", nearest)
end)

test("what cannot be walked is said in words", function(t)
  local function fails(tree, pattern)
    local run = started(t, tree)
    run:advance(0.1)
    t:equal(run.state, "lost")
    t:match(run.memory.why or "", pattern)
  end
  fails([[{ "walk", stance = { 100, 0, 0 } }]], "more than 100 steps")
  fails([[{ "walk", frame = "moon", stance = { 1, 0, 0 } }]], "there is no frame 'moon'")
  fails([[{ "walk", planner = "a_star", stance = { 1, 0, 0 }, ground = { regions = { { { -1, -1, 0 }, { 0.5, -1, 0 }, { 0.5, 1, 0 },
    { -1, 1, 0 } } } } }]], "the left foot cannot stand at the goal, .-there is no ground")
  fails([[{ "walk", stance = { 2, 0, 0 }, timeout = 0.05 }]], "longer than its timeout")
end)

test("a walk that is stopped lets its foot come down; a held one stays where it is", function(t)
  local run, stance = started(t, [[{ "timeout", seconds = 1.0, { "walk", stance = { 2, 0, 0 } } }]])
  watched(run, stance, 4, function() return run.state == "lost" and not stance():feet() end)
  t:equal(run.state, "lost")
  t:equal(stance().gait:walks(), false)
  local x = run.scene:frame("pelvis").position[1]
  run:advance(0.5)
  t:near(run.scene:frame("pelvis").position[1], x, 1e-3)
  local held, its = started(t, [[{ "walk", stance = { 1, 0, 0 } }]])
  held:advance(0.8)
  its():hold(true)
  held:advance(0.5)
  local foot = its():sole(its().lifted).position
  held:advance(1)
  t:near(its():sole(its().lifted).position, foot, 1e-3)
  its():hold(false)
  watched(held, its, 15, ends(held, "there"))
  t:equal(held.state, "there")
end)

test("while it walks its arms do as they are told: the walk takes 7.6 s with both in it, not 11.7 s",
  function(t)
  local arms = [[{ "arm", name = "right", side = "right", preset = "ready", seconds = 2.06, after = "%s" },
    { "arm", name = "left", side = "left", preset = "ready", seconds = 2.06, after = "%s" }]]
  local walk = [[
{ "walk", name = "go", stance = { 1.285, -0.013, 0 }, focal = { 2.2675, -0.002, 0 }, left = { y = 0.11 },
    right = { y = -0.11 }, settings = { step_length = 0.33 } }]]
  local function seconds(tree)
    local run, stance = started(t, tree)
    local seen = watched(run, stance, 20, function() return run.state ~= "going" end)
    t:equal(run.state, "there")
    t:ok(seen.slip < 1e-3, "slipped by %.2f mm", 1e3 * seen.slip)
    return seen.time
  end
  local one_by_one = seconds("{ 'sequence', " .. walk .. ", " .. arms:format("previous", "previous") .. " }")
  local layered = seconds("{ 'sequence', name = 'all', " .. walk
    .. [[, { "wait", name = "one", seconds = 1, after = "beginning" },
    { "wait", name = "two", seconds = 2.5, after = "beginning" }, ]] .. arms:format("one", "two") .. " }")
  t:near({ one_by_one, layered }, { 11.7, 7.6 }, 0.15)
end)

test("where it stands is captured; its plan becomes steps of its own, which lead to the same place",
  function(t)
  local run, stance = started(t, [[{ "wait", seconds = 100 }]])
  run:advance(0.1)
  local leaf = require "brio.tree.leaves.walk"
  local site = { description = run.description, host = run.run.host }
  local form = require("brio.lib.fields").filled(
    { kind = "walk", stance = { 0.6, 0.1, 0 }, focal = { 2, 0.1, 0 } }, leaf.fields)
  local changes, gone = leaf.convert(form, site)
  t:ok(#changes.steps >= 4 and #gone == 5, "%d steps", #changes.steps)
  local last = {}
  for _, step in ipairs(changes.steps) do last[step.side] = step end
  t:near({ last.left.x, last.left.y, last.right.x, last.right.y }, { 0.6, 0.218, 0.6, -0.018 }, 2e-3)
  t:equal(require("brio.tree.execution.walks").fault({ steps = changes.steps, planner = "quick" }), nil)
  local captured = leaf.capture(require("brio.lib.fields").filled({ frame = "world" }, leaf.fields), site)
  t:near(captured.stance, { 0, 0, 0 }, 1e-3)
  t:near(captured.focal, { 1, 0, 0 }, 1e-3)
  t:near(leaf.seconds(form, site), leaf.seconds(form, { description = run.description }), 0.05)
  t:ok(stance())
end)

test("what is wrong with a walk is said before it runs", function(t)
  local leaf, fields = require "brio.tree.leaves.walk", require "brio.lib.fields"
  local robots = require "brio.robots"
  local biped, arm = { description = assert(robots.find "biped") },
    { description = assert(robots.find "ur3e") }
  local function why(form, site) return leaf.fault(fields.filled(form, leaf.fields), site or biped) end
  t:equal(why { stance = { 1, 0, 0 } }, nil)
  t:match(why({ stance = { 1, 0, 0 } }, arm), "the robot ur3e does not walk")
  t:match(why {}, "it has no goal")
  t:match(why { steps = {} }, "there is none")
  t:match(why { steps = { { sied = "left" } } }, "no field 'sied' %(did you mean 'side'")
  t:match(why { steps = { { side = "middle" } } }, "side must be left or right")
  t:match(why { steps = { { side = "left", swing = 0 } } }, "swing must be seconds")
  t:match(why { steps = { { side = "left", pose = { position = { 1, 2 } } } } },
    "its pose position must be a list of 3 numbers")
  t:match(why { steps = { { side = "left", pose = { position = { 0 / 0, 0, 0 } } } } }, "must be a number")
  t:match(why { waypoints = { { position = { "x", 0, 0 } } } },
    "waypoints%[1%]: its pose position must be a number")
  t:match(why { steps = { { side = "left" } }, stance = { 1, 0, 0 } }, "both steps and stance")
  t:match(why { stance = { 1, 0, 0 }, settings = { step_lenght = 1 } }, "did you mean 'step_length'")
  t:match(why { stance = { 1, 0, 0 }, settings = { step_length = 9 } }, "from 0.02 to 1 m, not 9")
  t:match(why { stance = { 1, 0, 0 }, around = true, planner = "a_star" }, "around is the quick planner's")
  t:match(why { stance = { 1, 0, 0 }, ground = { regions = { { { 0, 0, 0 } } } } },
    "ground: .-3 to 200 corners")
  t:match(why { stance = { 1, 0, 0 }, left = { x = 0, z = 1 } }, "left has no field 'z'")
end)

test("what stands still stays: a robot without steps stands, whatever its hands want", function(t)
  local run = t:run("reacher", { source = [[
local brio = require "brio"
local want = brio.want
local reacher = brio.behavior "reacher" { robot = "biped", start = "reaching" }
reacher.reaching = { wants = { want.position_match { link = "right_hand", goal = { 0.9, -0.3, 1.1 } } } }
return reacher
]], robot = "biped" })
  run:advance(2)
  local stance = run.run.host.stance
  for _, side in ipairs { "left", "right" } do
    t:ok(geometry.distance(stance:sole(side).position, stance.gait.feet[side].position) < 1e-3, side)
  end
  t:ok(run.scene:frame("right_palm").position[1] > 0.5)
end)

test("legs and the pelvis are moved by leaves of their own, and the other foot stands", function(t)
  local run, stance = started(t, [[{ "sequence", { "pelvis", height = 0.82, frame = "walking", seconds = 1 },
    { "leg", side = "left", frame = "walking", pose = { position = { 0.2, 0.15, 0.1 } }, seconds = 1.5 } }]])
  local slip, low = 0, 1
  while run.state == "going" and run.now < 5 do
    run:advance(0.005)
    low = math.min(low, run.scene:frame("pelvis").position[3])
    slip = math.max(slip, geometry.distance(stance():sole("right").position,
      stance().gait.feet.right.position))
  end
  t:equal(run.state, "there")
  t:ok(slip < 1e-3, "slipped by %.2f mm", 1e3 * slip)
  t:near(low, 0.82, 5e-3)
  t:near(stance():sole("left").position[3], 0.1, 5e-3)
end)

test("the same walk is the same to the last bit", function(t)
  local function places()
    local run, stance = started(t, [[{ "walk", stance = { 0.8, 0.1, 0 }, around = true }]])
    local seen = {}
    for _ = 1, 100 do
      run:advance(0.02)
      for _, value in ipairs(run.scene:frame("head").position) do seen[#seen + 1] = ("%a"):format(value) end
    end
    t:ok(stance().gait:walks())
    return table.concat(seen, " ")
  end
  t:ok(places() == places())
end)

test("what a walk captures of a robot that stands elsewhere are more steps of its own", function(t)
  local run = started(t, [[{ "sequence", { "walk", stance = { 0.3, 0, 0 } }, { "wait", seconds = 100 } }]])
  run:advance(6)
  local leaf = require "brio.tree.leaves.walk"
  local site = { description = run.description, host = run.run.host }
  local form = require("brio.lib.fields").filled(
    { frame = "world", steps = { { side = "left", x = 0.3, y = 0.11837 } } }, leaf.fields)
  local steps = leaf.capture(form, site).steps
  t:equal({ #steps, steps[2].side }, { 2, "right" })
  t:near({ steps[2].x, steps[2].y, steps[2].yaw }, { 0.3, -0.1184, 0 }, 1e-3)
end)

test("at the prompt a plan becomes a node's own steps, which are walked and can be taken back", function(t)
  local run, stance = started(t,
    [[{ "sequence", { "wait", name = "first", seconds = 0.5 }, { "walk", name = "there", frame = "world",
    stance = { 0.4, 0, 0 } } }]])
  local prompt = require "brio.operator.prompt.trees"
  local function say(line) return prompt.run({ run = run.run }, line, { who = "ann", client = 1 }) end
  run:advance(0.1)
  t:equal(say "convert there", "the plan of there is its own")
  local list = run.run.host.top.current.tree.compiled.list
  t:ok(#list[3].values.steps >= 2 and list[3].values.stance == nil, "%d steps", #list[3].values.steps)
  t:ok(say "undo")
  t:near(run.run.host.top.current.tree.compiled.list[3].values.stance, { 0.4, 0, 0 }, 0)
  t:ok(say "redo")
  t:match(select(2, say "convert first"), "wait has no plan")
  watched(run, stance, 10, ends(run, "there"))
  t:near(stance():walking().position, { 0.4, 0, 0 }, 5e-3)
end)

test("a ghost walks from where the robot has walked to", function(t)
  local run = started(t,
    [[{ "sequence", { "walk", name = "a", stance = { 0.5, 0, 0 } }, { "walk", name = "b", frame = "world",
    stance = { 0.8, 0, 0 } }, { "wait", seconds = 100 } }]])
  run:advance(4)
  local situation, preview = require "brio.operator.prompt.situation", require "brio.trials.preview"
  local request = assert(situation.of(run.run, "b"))
  t:near(request.base.position, run.scene:frame("pelvis").position, 1e-3)
  local result = assert(preview.run(preview.options(request, { seconds = 20 })))
  t:equal({ result.outcome, result.why }, { "success", nil })
  t:ok(result.seconds < 5, "%.1f s for 0.3 m", result.seconds)
end)

test("the page about walking names each field of the leaf, and its behavior walks", function(t)
  local file = assert(io.open "docs/behaviors/walking.md")
  local text = file:read "a"
  file:close()
  for field in next, require("brio.tree.leaves.walk").fields do
    if field ~= "owns" then
      t:ok(text:find("`" .. field .. "`", 1, true) or text:find("**" .. field .. "**", 1, true), field)
    end
  end
  local run = t:run("walker", { source = text:match "```lua\n(.-)\n```", robot = "biped" })
  run:advance(12)
  t:equal(run.state, "there")
  t:near(run.scene:frame("walking").position, { 1.2, 0.3, 0 }, 0.01)
end)

test("a behavior of the IHMC system is walked and done on the biped, leaf by leaf", function(t)
  local from = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/ihmc_behaviors/Shakeout.json"
  local file = io.open(from)
  if not file then return t:skip "no shared data" end
  local text = file:read "a":gsub('"executeAfterAction"%s*:%s*"[^"]*"', '"executeAfterAction": "Previous"')
  file:close()
  local path = t:temporary ".json"
  local out = assert(io.open(path, "w"))
  out:write(text)
  out:close()
  local run, stance = started(t, ("%q"):format(path:match "[^/]*$"))
  local seen = watched(run, stance, 40, function() return run.state ~= "going" end)
  t:equal({ run.state, run.memory.why }, { "there", nil })
  t:ok(seen.slip < 5e-3, "slipped by %.2f mm", 1e3 * seen.slip)
end)
