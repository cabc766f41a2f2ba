--- The search compared with the true plan of the house.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 50 end

--- Walls and other obstacles, {x0, y0, x1, y1}.
local solids = {
  { 3, -2, 3, -0.5 }, { 3, 0.5, 3, 5.5 }, { -1.5, 2, -0.2, 2 }, { 0.8, 2, 3, 2 }, { 1.2, -1.6, 2, -0.8 },
  { -1.25, 3.4, -0.75, 4.6 }, { 5.2, 0.8, 6, 1.6 },
}

local function from_solids(p)
  local least = math.huge
  for _, s in ipairs(solids) do
    local x, y = math.max(s[1] - p[1], 0, p[1] - s[3]), math.max(s[2] - p[2], 0, p[2] - s[4])
    least = math.min(least, math.sqrt(x * x + y * y))
  end
  return least
end

local function searched(run, seconds)
  local least, rooms = math.huge, {}
  for _ = 1, seconds * 5 do
    run:advance(0.2)
    least = math.min(least, from_solids(run.run.host.stance:walking().position))
    local room = run.run.host.map.face:room_of()
    if room then rooms[room] = true end
    if run.state == "found" or run.state == "given_up" then break end
  end
  return least, rooms
end

test("it looks in the hall and the office, opens the kitchen's door and finds the mug there", function(t)
  local run = t:run("search_rooms.lua", { rate = rate_of(t), with_world = true, recorded = true })
  local least, rooms = searched(run, 100)
  t:equal({ run.state, run.failed }, { "found" })
  t:equal({ rooms.hall, rooms.kitchen, rooms.office }, { true, true, true })
  t:ok(least > 0.2, "its middle came as near to a solid as %.2f m", least)
  t:ok(run.world:state("kitchen door").angle > 1, "the door is open")
  local map = run.run.host.map.face
  local mug, here = map:where "mug", run.run.host.stance:walking().position
  t:near(mug.position, { 5.6, 1.2, 0.85 }, 0.1)
  t:equal({ mug.room, #map:doors "kitchen", map:way("office", "kitchen") == nil }, { "kitchen", 1, true })
  t:near(math.sqrt((here[1] - 5.6) ^ 2 + (here[2] - 1.2) ^ 2), 0.9, 0.1)
  run:finish()
  local seen = run:sql("SELECT data FROM events WHERE name = 'map_seen' AND data LIKE '%mug%'")
  t:equal(#seen, 1)
  t:match(seen[1].data, "kitchen")
end)

test("where there is no mug it has looked everywhere, and where the door is locked it says so", function(t)
  if not t:long() then t:skip "takes minutes of robot time: make soak runs it" end
  local run = t:run("search_rooms.lua", { rate = rate_of(t), world_data = t:world "search_rooms_world.lua" })
  run.world:happen { at = 0, what = "blind", kind = "mug", seconds = 1000 }
  local least = searched(run, 180)
  t:equal(run.state, "given_up")
  t:match(run.memory.why, "no mug was seen at 1 of 1 places %(kitchen%)")
  t:ok(least > 0.2, "its middle came as near to a solid as %.2f m", least)
  local data = t:world "search_rooms_world.lua"
  data.doors[1].locked = true
  run = t:run("search_rooms.lua", { rate = rate_of(t), world_data = data })
  searched(run, 180)
  t:equal(run.state, "given_up")
  t:match(run.memory.why, "it opens within four tries")
end)
