--- A child and the robot take turns.

--- A child with its face in a direction: 0 is away from the robot, pi is towards it.
local function child(way, during)
  return { kind = "person", id = "tim",
    path = { { 0, 0.9, 0.1, 0.7, way }, { during or 1e6, 0.9, 0.1, 0.7, way } } }
end

local function press(run, name)
  run:input(name, true)
  run:advance(0.1)
  run:input(name, false)
end

local buttons = { child_nod = { kind = "button" }, child_shake = { kind = "button" },
  child_wave = { kind = "button" },
  other_button = { kind = "button" } }

local function start(t, options)
  options = options or {}
  options.recorded, options.rate, options.world_data = true, 25, { inputs = buttons }
  return t:run("visitor.lua", options)
end

local function events(run, name)
  return run:sql("SELECT t, data FROM events WHERE name = ? ORDER BY t", name)
end

test("it waits for eye contact, and calls a little more each time", function(t)
  local run = start(t)
  run:advance(0.5)
  run:see(child(1.2))
  run:advance(8)
  t:equal(run.state, "together.contact")
  run:advance(16)
  t:equal(run.state, "together.contact")
  run:finish()
  local calls = events(run, "helped")
  t:ok(#calls >= 3, "it calls %d times", #calls)
  for index = 2, #calls - 1 do
    t:ok(calls[index + 1].t - calls[index].t > calls[index].t - calls[index - 1].t,
      "it waits longer each time")
  end
  t:equal(#events(run, "shown"), 0)
end)

test("eye contact leads to its turn; who imitates it is praised, and the next move is the \z
  child's", function(t)
  local run = start(t)
  run:advance(0.5)
  run:see(child(math.pi))
  run:advance(3)
  t:equal(run.state, "together.mine")
  local shown = run.memory.shown
  press(run, "other_button")
  t:equal(run.state, "together.mine")
  local before = run.run.host.emotion.valence
  press(run, "child_" .. shown)
  t:equal(run.state, "together.yours")
  t:equal(run.memory.scores.imitated, 1)
  run:advance(2)
  t:ok(run.run.host.emotion.valence > before, "it is glad")
end)

test("what the child begins by itself is imitated within two ticks, and counted", function(t)
  local run = start(t)
  run:advance(0.5)
  run:see(child(math.pi))
  run:advance(3)
  press(run, "child_" .. run.memory.shown)
  run:advance(1)
  run:input("child_nod", true)
  run:advance(0.08)
  t:equal(run.state, "together.imitating")
  run:input("child_nod", false)
  run:advance(1)
  t:equal(run.memory.scores.initiated, 1)
  run:advance(3)
  t:equal(run.state, "together.yours")
  run:finish()
  local played = run:sql [[SELECT count(*) AS n FROM sources s JOIN events e ON e.name = 'initiated'
    AND abs(s.started - e.t) < 0.1
    WHERE s.name = 'nod']]
  t:equal(played[1].n, 1)
end)

test("a child who shows something else leads", function(t)
  local run = start(t)
  run:advance(0.5)
  run:see(child(math.pi))
  run:advance(3)
  local other = run.memory.shown == "nod" and "child_shake" or "child_nod"
  press(run, other)
  t:equal(run.state, "together.imitating")
  run:advance(1)
  run:finish()
  t:equal(#run:sql "SELECT * FROM events WHERE name = 'answered' AND json_extract(data, '$.same') = 0", 1)
end)

test("a child who does nothing is helped three times, then left in peace, and asked anew", function(t)
  local run = start(t)
  run:advance(0.5)
  run:see(child(math.pi))
  run:advance(3)
  t:equal(run.state, "together.mine")
  run:advance(29)
  t:equal(run.state, "together.rest")
  run:advance(5)
  t:equal(run.state, "together.mine")
  run:finish()
  t:equal(#events(run, "helped"), 3)
  local shown = events(run, "shown")
  t:equal(#shown, 4, "shown once, twice again as a help, then another")
  t:ok(shown[4].data ~= shown[1].data, "not the same move again")
end)

test("its minute of the world, on the head and on a humanoid", function(t)
  -- make soak has it on an arm too
  for _, robot in ipairs(t:long() and { "probo", "pepper", "ur3e" } or { "probo", "pepper" }) do
    local run = t:run("visitor.lua", { robot = robot, with_world = true, rate = 25, recorded = true })
    run:advance(72)
    t:equal(run.state, "alone")
    run:finish()
    t:ok(#events(run, "contact") >= 2 and #events(run, "initiated") >= 2,
      "%s: contact, and a child who begins", robot)
    t:equal(#run:sql "SELECT * FROM faults", 0)
    local first = run:sql "SELECT json_extract(data, '$.seconds') AS s FROM events WHERE name = \z
      'contact' ORDER BY t LIMIT 1"
    t:ok(first[1].s > 5, "%s: the child looked elsewhere for %.1f s", robot, first[1].s)
  end
end)
