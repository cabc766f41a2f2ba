--- The door as somebody beside it sees it.
local geometry = require "brio.geometry"

local knob = { 0.55, -0.10, 0.45 }

--- The hand, once the leaf of that name has ended.
local function hand_after(run, name, seconds)
  for _ = 1, seconds * 20 do
    run:advance(0.05)
    local tree = run.run.host.top.current.tree
    for number, record in ipairs(tree and tree.compiled.list or {}) do
      if record.name == name and tree.nodes:status(number) == "success" then return run.solver:frames().panda_hand_tcp end
    end
  end
end

test("it sees the knob, grasps it, and opens at the fourth try", function(t)
  local run = t:run("door.lua", { with_world = true, recorded = true })
  t:near(hand_after(run, "grasp", 6).position, knob, 0.02)
  local before = run.solver:frames().panda_hand_tcp
  local pulled = hand_after(run, "pull", 20)
  t:near(pulled.position, { 0.55 - 0.4 * math.sin(0.4), 0.3 - 0.4 * math.cos(0.4), 0.45 }, 0.03, "along its circle")
  local turned = math.acos(math.cos(0.2) * math.cos(0.35)) * 2
  t:near(geometry.angle(before.orientation, pulled.orientation), turned, 0.1, "turned with the knob and with the door")
  run:advance(6)
  t:equal(run.state, "through")
  run:finish()
  local function times(name) return run:sql(("SELECT count(*) AS n FROM tree_nodes WHERE name = '%s'"):format(name))[1].n end
  t:equal({ times "turn", times "turn back", times "pull" }, { 4, 3, 1 })
end)

test("the hand is shaped while the arm reaches", function(t)
  local run = t:run("door.lua", { with_world = true, recorded = true })
  run:advance(5)
  run:finish()
  local function span(name)
    local row = run:sql(("SELECT started, ended FROM tree_nodes WHERE name = '%s'"):format(name))[1]
    return row.started, row.ended
  end
  local hand, arm = { span "shape the hand" }, { span "reach" }
  t:near(hand[1], arm[1], 0.011)
  t:ok((span "approach") >= math.max(hand[2], arm[2]) - 1e-9, "the approach waits for both")
end)

test("a latch that never comes free is given up after five tries, and nothing was pulled", function(t)
  local run = t:run("door.lua", { recorded = true, world_data = {
    sensor = { pose = { position = { 0, 0, 1 } }, range = 3, view = 6.28, rate = 20 },
    objects = { { kind = "knob", id = "knob", path = { { 0, table.unpack(knob) }, { 600, table.unpack(knob) } } } },
    inputs = { latch_free = { kind = "button", path = { { 300, true } } } } } })
  run:advance(22)
  t:equal(run.state, "stuck")
  run:finish()
  t:equal(run:sql "SELECT count(*) AS n FROM tree_nodes WHERE name = 'turn'", { { n = 5 } })
  t:equal(run:sql "SELECT count(*) AS n FROM tree_nodes WHERE name = 'pull'", { { n = 0 } })
end)

test("without a knob it is stuck, and says why", function(t)
  local run = t:run("door.lua", { recorded = true })
  run:advance(6)
  t:equal(run.state, "stuck")
  run:finish()
  t:match(run:sql "SELECT why FROM tree_nodes WHERE name = 'see the knob'"[1].why, "no frame 'knob'")
end)

test("limits hold in every command", function(t)
  local run = t:run("door.lua", { with_world = true })
  local variables, past, speed = run.description.robot:variables(), {}, 0
  for _ = 1, 16 * 200 do
    run:advance(1 / 200)
    for _, v in ipairs(variables) do
      local now = run:command(v.name)
      if past[v.name] then speed = math.max(speed, math.abs(now - past[v.name]) * 200 / v.velocity) end
      t:ok(now >= v.lower and now <= v.upper, "%s is at %g", v.name, now)
      past[v.name] = now
    end
  end
  t:ok(speed <= 1 + 1e-6, "%.3f of the greatest speed", speed)
end)
