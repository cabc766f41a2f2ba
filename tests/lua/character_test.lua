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
