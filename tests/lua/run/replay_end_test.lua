--- The end of a replay, after a run's last tick: the way to the rest pose, and the braking of moving joints.
require "brio"
local replay = require "brio.replay"
local runner = require "brio.runner"
local store = require "brio.store"

--- Run a behavior's text for this long; return the run's store.
local function ran(t, text, robot, clock, seconds)
  local file, path = t:temporary "_b.lua", t:temporary ".db"
  assert(io.open(file, "w")):write(text):close()
  local run = assert(runner.new { file = file, robot = robot, clock = clock, store = path,
    say = function() end })
  assert(run:go(seconds))
  run:close()
  return path
end

--- Replay the run of a store into another; its path.
local function again(t, path, clock)
  local kept = t:temporary ".db"
  local made = assert(replay.open { store = path, say = function() end, record = kept })
  local report = made:go()
  made:close()
  t:ok(report.equal, "%s: %s", clock, (report.difference or {}).sentence or "")
  return kept
end

local function rows_of(path, sql)
  local db = assert(store.open(path))
  local rows = assert(db:query(sql))
  db:close()
  return rows
end

local function count(path, sql) return select(2, next(rows_of(path, sql)[1])) end

test("the way to rest, after the last tick, is done again on either clock", function(t)
  local folder = t:temporary "_robot"
  os.execute(("mkdir %s && cp drivers/robots/ur3e/model.urdf %s"):format(folder, folder))
  local file = assert(io.open(folder .. "/robot.lua", "w"))
  file:write 'return { name = "x", model = "model.urdf", home = "up", shutdown = "bed", poses = { up = { \z
    joints = {} }, bed = { joints = { elbow_joint = 0.1 } } } }'
  file:close()
  local text = 'local made = require("brio").behavior "made" { robot = "ur3e", start = "a" } made.a = {} \z
    return made'
  for _, clock in ipairs { "fast", "real" } do
    local path = ran(t, text, folder, clock, 0.2)
    local kept = again(t, path, clock)
    local way = "SELECT count(*) || ' ' || round(sum(goal), 6) FROM samples, runs WHERE name = 'elbow_joint'"
      .. " AND tick BETWEEN ticks AND ticks + 14"
    t:near(count(path, "SELECT max(goal) FROM samples WHERE name = 'elbow_joint'"), 0.1, 1e-3,
      "it went to rest")
    t:match(count(path, way), "^15 ")
    if clock == "fast" then t:equal(count(kept, way), count(path, way), "and does so again") end
  end
  os.execute("rm -r " .. folder)
end)

test("how what still moves brakes after the last tick is done again to the bit, on either clock", function(t)
  local text = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "a" }
made.a = { wants = { brio.want.joint_match { joint = "elbow_joint", goal = 0, weight = 20 } } }
return made]]
  local commands = "SELECT name, group_concat(format('%.17g', command), ' ') AS list, count(*) AS count \z
    FROM samples, runs"
    .. " WHERE tick >= ticks GROUP BY name ORDER BY name"
  for _, clock in ipairs { "fast", "real" } do
    local path = ran(t, text, "ur3e", clock, 0.3)
    local was, is = rows_of(path, commands), rows_of(again(t, path, clock), commands)
    t:ok(was[1] and was[1].count > 5, "%s clock: it brakes for some ticks", clock)
    t:equal(is, was, clock)
  end
end)
