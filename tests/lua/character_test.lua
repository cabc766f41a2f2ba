--- What a behavior says of its character, and how its faculties are kept through a run.
local character = require "brio.character"
local robots = require "brio.robots"

test("what a behavior says of its character is judged", function(t)
  local description = assert(robots.find "probo")
  t:equal(#character.faults(nil, description), 0)
  t:equal(#character.faults({}, description), 0)
  t:ok(character.faults("brave", description)[1]:find("must be a table", 1, true))
  t:ok(character.faults({ emotoin = true }, description)[1]:find("has no 'emotoin'", 1, true))
end)

test("what stands beside a robot's file is read once, and only plain data", function(t)
  local description = assert(robots.find "probo")
  local data = robots.data(description, "retarget")
  t:ok(type(data) == "table", "retarget.lua is read")
  t:ok(rawequal(robots.data(description, "retarget"), data), "once")
  local none, why = robots.data(description, "no_such_thing")
  t:ok(none == nil and why == nil, "what is not there is nil, and no fault")
  local bare = assert(robots.find "drivers/robots/probo/model.urdf")
  t:equal(robots.data(bare, "retarget"), nil, "what stands beside a bare model is of another robot")
end)

test("what a character does is told in a run's story in words; idle life is left out", function(t)
  local run = t:run("b", { recorded = true, source = [[local brio = require "brio"
local b = brio.behavior "b" { robot = "probo", start = "one", character = { emotion = true, gaze = true, speech = true, idle = true } }
b.one = { run = function(self)
  self.emotion:feel("happy", 0.5)
  self.speech:say "Hello there"
  self:wait(60)
end }
return b]] })
  run:see { kind = "person", id = "ann", at = { 1.5, 0.5, 1 } }
  run:advance(15)
  t:equal(run:close(), "stopped")
  local told = {}
  for _, row in ipairs(run:sql "SELECT sentence FROM story ORDER BY place") do told[#told + 1] = row.sentence end
  told = table.concat(told, "\n")
  for _, sentence in ipairs { "feels happy (valence 0.48, arousal 0.15)", "is happy, was neutral", 'says "Hello there"', "looks at ann: is new" } do
    t:ok(told:find(sentence, 1, true), "the story tells: %s\n%s", sentence, told)
  end
  t:ok(run:sql("SELECT count(*) AS n FROM events WHERE name = 'sequence_ended'")[1].n > 2, "blinks ended")
  t:ok(not told:find("sequence_ended", 1, true), "and are not told of")
end)
