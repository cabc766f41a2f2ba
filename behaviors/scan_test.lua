--- Tests of scan.lua, judged by the robot's motion and by the store.
local geometry = require "brio.geometry"

local items = {
  { kind = "item", id = "bolt", at = { 0.30, -0.20, 0.02 } },
  { kind = "item", id = "nut", at = { 0.36, 0.02, 0.02 } },
  { kind = "item", id = "washer", at = { 0.27, 0.20, 0.02 } },
}
local behind = { kind = "item", id = "screw", at = { -0.35, 0, 0.02 } } -- where the camera never looks

local function start(t, things, options)
  local run = t:run("scan.lua", options)
  for _, thing in ipairs(things) do run:see(thing) end
  run:advance(4)
  t:equal(run.state, "waiting")
  return run
end

local function tool(run) return run.solver:frames().tool0 end

local function liveliness(run)
  for _, objective in ipairs(run.solver:objectives()) do
    if objective.kind == "position_liveliness" then return objective.weight end
  end
end

--- Advance tick by tick until the behavior is in `state`, for at most `seconds`.  each() is called after
--- every tick.  Return true, or nil if the time is over.
local function advance_to(run, state, seconds, each)
  for _ = 1, seconds * 200 do
    run:advance(1 / 200)
    if each then each() end
    if run.state == state then return true end
  end
end

test("a button, the views, the items one by one until none remain, and neutral again", function(t)
  local run = start(t, { items[1], items[2], items[3], behind }, { recorded = true })
  run:emit "button"
  run:advance(0.01)
  t:equal(run.state, "scanning")
  t:ok(advance_to(run, "waiting", 40), "it is still %s after 40 s", run.state)
  run:finish()
  local states, gripped, placed = {}, {}, {}
  for _, row in ipairs(run:sql "select state from states order by id") do states[#states + 1] = row.state end
  t:equal(states, { "power_on", "waiting", "scanning", "choosing", "fetching", "placing", "choosing",
    "fetching", "placing",
    "choosing", "fetching", "placing", "choosing", "waiting", "power_off" })
  for _, row in ipairs(run:sql "select name, data from events where name in ('gripped', 'placed') order by \z
    id") do
    table.insert(row.name == "gripped" and gripped or placed, row.data:match '"id":"(%a+)"')
  end
  table.sort(gripped)
  table.sort(placed)
  t:equal(gripped, { "bolt", "nut", "washer" }, "gripped, and not what the camera cannot see")
  t:equal(placed, gripped, "placed")
  t:equal(#run:sql "select 1 from events where name = 'pictured'", 3, "pictures")
end)

test("while it takes a picture, it is perfectly calm, where the view is", function(t)
  local run = start(t, items)
  local views = { { 0.28, -0.16, 0.36 }, { 0.34, 0.00, 0.40 }, { 0.28, 0.16, 0.36 } }
  local seen, past, fastest, weight = 0, {}, {}, {}
  run:emit "button"
  run:advance(0.01)
  -- the state in the tenth of a second before each picture; in the tick of the picture the next view is
  -- already requested
  t:ok(advance_to(run, "choosing", 20, function()
    local joints, most = {}, 0
    for _, v in ipairs(run.description.robot:variables()) do
      joints[v.name] = run:command(v.name)
      most = math.max(most, math.abs(joints[v.name] - (past[v.name] or joints[v.name])) * 200)
    end
    past = joints
    table.insert(fastest, most)
    table.insert(weight, liveliness(run))
    local pictured = run.memory.found and #run.memory.found or 0
    if pictured > seen then
      seen = pictured
      t:near(tool(run).position, views[seen], 0.004, "the camera at view " .. seen)
      t:ok(geometry.angle(tool(run).orientation, { 1, 0, 0, 0 }) < 0.03, "it does not look straight down")
      for i = #fastest - 20, #fastest - 1 do
        t:ok(fastest[i] < 0.01, "a joint moves at %.3f rad/s before picture %d", fastest[i], seen)
        t:equal(weight[i], 0.0, "weight of the liveliness before picture " .. seen)
      end
    end
  end), "it does not come to choosing")
  t:equal(seen, 3, "pictures that found something")
end)

test("at work it has no life of its own, at ease it has", function(t)
  local run = start(t, items)
  t:ok(liveliness(run) > 0, "no liveliness while it waits")
  local least, most = math.huge, -math.huge
  for _ = 1, 50 do
    run:advance(0.1)
    local y = run.solver:frames().forearm_link.position[2]
    least, most = math.min(least, y), math.max(most, y)
  end
  t:ok(most - least > 0.005, "the forearm moves over %.4f m only while it waits", most - least)
  run:emit "button"
  run:advance(0.6) -- five time constants
  t:ok(advance_to(run, "waiting", 40, function()
    if run.state ~= "waiting" then t:equal(liveliness(run), 0.0, "weight while " .. run.state) end
  end), "it does not come to an end")
  run:advance(4)
  t:ok(liveliness(run) > 0, "no liveliness after it")
  t:near(tool(run).position, { 0.20, 0.13, 0.36 }, 0.06, "near its neutral pose")
end)

test("each thing is gripped where it lies, and left over the box", function(t)
  local run = start(t, items, { recorded = true })
  local at = {}
  run:emit "button"
  run:advance(0.01)
  t:ok(advance_to(run, "waiting", 40, function()
    local now = run.memory.item
    if now then
      local key = run.state .. now.id
      at[key] = at[key] or { math.huge }
      if tool(run).position[3] < at[key][1] then at[key] = { tool(run).position[3], tool(run).position } end
    end
  end), "it does not come to an end")
  for _, thing in ipairs(items) do
    local low = at["fetching" .. thing.id]
    t:near(low[2], { thing.at[1], thing.at[2], thing.at[3] + 0.14 }, 0.006, "the tool at the " .. thing.id)
    t:near(at["placing" .. thing.id][2], { 0.05, 0.33, 0.22 }, 0.006, "the tool at the box with the "
      .. thing.id)
  end
end)

test("what was put away is not looked for again, and an empty table ends at once", function(t)
  local run = start(t, { items[2] })
  run:emit "button"
  run:advance(0.01)
  t:ok(advance_to(run, "waiting", 30), "it does not come to an end")
  t:equal(run.memory.placed, { nut = true })
  run:advance(1)
  run:emit "button"
  local fetched = false
  run:advance(0.01)
  t:equal(run.state, "scanning")
  t:ok(advance_to(run, "waiting", 30, function() fetched = fetched or run.state == "fetching" end),
    "it does not come to an end")
  t:ok(not fetched, "it fetched a thing again")
end)

test("a simulated button starts it too, and what cannot be reached is left", function(t)
  local run = t:run("scan.lua", { recorded = true })
  run:see { kind = "button", id = "start", path = { { 2, 0.2, -0.4, 0 }, { 2.5, 0.2, -0.4, 0 } } }
  run:see { kind = "item", id = "far", at = { 0.53, 0.0, 0.02 } }
  run:advance(3)
  t:equal(run.state, "scanning")
  t:ok(advance_to(run, "waiting", 40), "it is still %s", run.state)
  t:equal(run.memory.placed, {})
  run:finish()
  t:equal(#run:sql "select 1 from events where name = 'gripped'", 0, "things gripped")
end)

test("limits hold in every command, and neither arm nor camera touches anything", function(t)
  local run = start(t, items)
  run:emit "button"
  run:advance(0.01)
  local variables, past, nearest = run.description.robot:variables(), {}, math.huge
  local speed, acceleration, tick = 0, 0, 0
  advance_to(run, "waiting", 40, function()
    tick = tick + 1
    for _, v in ipairs(variables) do
      local now, one, two = run:command(v.name), table.unpack(past[v.name] or {})
      if two then
        speed = math.max(speed, math.abs(now - one) * 200 / v.velocity)
        acceleration = math.max(acceleration, math.abs(now - 2 * one + two) * 200 * 200 / v.acceleration)
      end
      t:ok(now >= v.lower and now <= v.upper, "%s is at %g", v.name, now)
      past[v.name] = { now, one }
    end
    if tick % 10 == 0 then
      for _, pair in ipairs(run.solver:proximity()) do nearest = math.min(nearest, pair.distance) end
    end
  end)
  t:ok(speed <= 1 + 1e-6, "%.3f of the greatest speed", speed)
  t:ok(acceleration <= 1 + 1e-6, "%.3f of the greatest acceleration", acceleration)
  t:ok(nearest > 0, "the nearest two were %.4f m apart", nearest)
  local watched = {}
  for _, pair in ipairs(run.solver:proximity()) do watched[pair.a], watched[pair.b] = true, true end
  t:ok(watched.camera and watched.table, "camera and table are watched")
end)

test("a version with a view out of reach is refused in words, and the old one goes on", function(t)
  local run = start(t, items)
  local good, why = run:reload(function(text) return (text:gsub("0%.34, 0%.00, 0%.40",
    "0.34, 0.00, 1.40")) end)
  t:equal(good, nil)
  t:match(why, "view 2: no configuration of robot 'ur3e'")
  run:emit "button"
  run:advance(0.01)
  t:equal(run.state, "scanning")
  t:equal(run:reload(function(text) return (text:gsub("0%.34, 0%.00, 0%.40", "0.33, 0.01, 0.41")) end), true)
end)
