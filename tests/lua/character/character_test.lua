--- A behavior's `character`, and the state of its faculties through a run.
local character = require "brio.character.character"
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
  for _, row in ipairs(run:sql "SELECT sentence FROM story ORDER BY place") do
    told[#told + 1] = row.sentence
  end
  told = table.concat(told, "\n")
  for _, sentence in ipairs { "feels happy (valence 0.48, arousal 0.15)", "is happy, was neutral",
      'says "Hello there"', "looks at ann: is new" } do
    t:ok(told:find(sentence, 1, true), "the story tells: %s\n%s", sentence, told)
  end
  t:ok(run:sql("SELECT count(*) AS n FROM events WHERE name = 'sequence_ended'")[1].n > 2, "blinks ended")
  t:ok(not told:find("sequence_ended", 1, true), "and are not told of")
end)

test("docs/animation/character.md: its behaviors are good, its queries run on the store of probo.lua",
  function(t)
  local file = assert(io.open "docs/animation/character.md")
  local page = file:read "a"
  file:close()
  local behaviors, queries = 0, 0
  for block in page:gmatch "```lua\n(.-)```" do
    if block:match "\nreturn [%w_]+\n$" then
      local run = t:run("shown.lua", { source = block, rate = 50 })
      run:advance(1)
      t:equal(run.failed, nil)
      behaviors = behaviors + 1
    end
  end
  local run = t:run("behaviors/probo.lua", { recorded = true, with_world = true, rate = 25 })
  run:advance(15)
  run:finish()
  for block in page:gmatch "```sql\n(.-)```" do
    for query in block:gmatch "[^;]+;" do
      t:ok(#run:sql(query) > 0, "nothing comes of %s", query)
      queries = queries + 1
    end
  end
  t:ok(behaviors == 2 and queries == 6, "%d behaviors, %d queries", behaviors, queries)
end)
