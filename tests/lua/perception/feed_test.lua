--- Feeds and their groups: which engine hears a feed, and what is left of one that was closed.
local actuator = require "brio.actuator"
local engine = require "brio.engine"
local feed = require "brio.feed"
local robot = require "brio.robot"
local scene = require "brio.scene"
local solver = require "brio.solver"

--- An engine of a simulated arm that takes detections from `group` into a scene, which is returned, too.
local function listening(group)
  local arm = assert(robot.load "drivers/robots/ur3e/model.urdf")
  local axes, seen = {}, scene.new()
  for _, v in ipairs(arm:variables()) do
    axes[#axes + 1] = { name = v.name, lower = v.lower, upper = v.upper, velocity = v.velocity,
      acceleration = 10, start = 0 }
  end
  return engine.new {
    solver = solver.new(arm), scene = seen, actuator = assert(actuator.open { driver = "sim", axes = axes }),
    feeds = group, rate = 200, work = function(time) return time < 0.5 end,
  }, seen
end

local function opened(t)
  local path = t:temporary ".jsonl"
  local handle = assert(io.open(path, "w"))
  for k = 1, 20 do
    handle:write(('{"t": %.2f, "detections": [{"class": "person", "id": "p", "pose": [1, 0, 1.6]}]}\n')
      :format(k * 0.02))
  end
  handle:close()
  return assert(feed.open { where = "file:" .. path, lockstep = true })
end

test("a feed is heard by the group that it joined last", function(t)
  local one = opened(t)
  local before, after = feed.group { { feed = one } }, feed.group { { feed = one } }
  local deaf, nothing = listening(before)
  t:ok(deaf:run(0, true))
  deaf:close()
  t:equal(#nothing:objects(), 0)
  local hearing, something = listening(after)
  t:ok(hearing:run(0, true))
  hearing:close()
  t:equal(#something:objects(), 1)
  one:close()
end)

test("a group goes on without a feed that was closed, whichever groups it was in", function(t)
  local one = opened(t)
  local before, after = feed.group { { feed = one } }, feed.group { { feed = one } }
  one:close()
  for _, group in ipairs { before, after } do
    local deaf, nothing = listening(group)
    t:ok(deaf:run(0, true))
    deaf:close()
    t:equal(#nothing:objects(), 0)
  end
end)
