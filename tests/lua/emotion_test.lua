-- What a robot feels, from outside: how it comes and goes, what that does to its DOFs, who may say so, and what is refused.

--- A behavior with an emotion; `said`: what stands in `character.emotion`, as text.
local function behavior(robot, said, more)
  return ([[local brio = require "brio"
local b = brio.behavior "b" { robot = "%s", start = "idle", character = { emotion = %s }, %s }
b.idle = { wants = { brio.want.joint_limits {} } }
return b]]):format(robot, said or "true", more or "")
end

local function host(run) return run.run.host end
local function emotion(run) return host(run).self.emotion end

test("petting raises valence, the face turns toward happy, and both decay with their time constant", function(t)
  local run = t:run("b", { source = behavior "probo" })
  run:advance(0.1)
  local e, before, corner = emotion(run), -1, -1
  for _ = 1, 50 do
    e:act "pet"
    run:advance(0.1)
    t:ok(e.valence > before and run:command "MouthCornerLeft" > corner, "valence and the mouth rise at %.1f s", run.now)
    before, corner = e.valence, run:command "MouthCornerLeft"
  end
  t:equal(e.name, "happy")
  t:near(e.angle, 18, 1)
  run:advance(1.5) -- the last stroke is over, and the face has come after
  local first, lips = e.valence, run:command "MouthCornerLeft"
  run:advance(4)
  local rest = e.mood.valence
  t:near(4 / math.log((first - rest) / (e.valence - rest)), 4, 0.2, "time constant of valence, s")
  t:near(4 / math.log((lips - rest) / (run:command "MouthCornerLeft" - rest)), 4, 0.2, "of the mouth's corner, s")
end)
