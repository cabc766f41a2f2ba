--- The search as somebody with a plan of the house sees it.
--- Walls and what else stands there, {x0, y0, x1, y1}.
local solids = {
  { 3, -2, 3, -0.5 }, { 3, 0.5, 3, 3 }, { 3, 4, 3, 5.5 }, { -1.5, 2, -0.2, 2 }, { 0.8, 2, 3, 2 }, { 1.2, -1.3, 2, -0.5 },
  { -1.25, 3.4, -0.75, 4.6 },
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
    if run.state ~= "searching" then break end
  end
  return least, rooms
end

test("it finds the mug in the office, past a table and through two doorways, and remembers where it is", function(t)
  local run = t:run("search_rooms.lua", { with_world = true, recorded = true })
  local least, rooms = searched(run, 90)
  t:equal({ run.state, run.failed }, { "found" })
  t:equal({ rooms.hall, rooms.kitchen, rooms.office, rooms.store or false }, { true, true, true, false })
  t:ok(least > 0.25, "its middle came as near to a solid as %.2f m", least)
  local mug = run.run.host.map.face:where "mug"
  t:near(mug.position, { 2.2, 5, 1 }, 0.1)
  t:equal(mug.room, "office")
  local here = run.run.host.stance:walking().position
  t:near(math.sqrt((here[1] - 2.2) ^ 2 + (here[2] - 5) ^ 2), 0.7, 0.1)
  run:finish()
  local seen = run:sql("SELECT data FROM events WHERE name = 'map_seen' AND source = 'map'")
  t:equal(#seen, 1)
  t:match(seen[1].data, "office")
end)

test("where there is no mug, it has looked in all three rooms and says so", function(t)
  if not t:long() then t:skip "takes three minutes of robot time: make soak runs it" end
  local run = t:run("search_rooms.lua", { world_data = t:world "search_rooms_world.lua" })
  run.run.world:happen { at = 0, what = "blind", kind = "mug", seconds = 1000 }
  local least = searched(run, 180)
  t:equal(run.state, "given_up")
  t:match(table.concat(t.said, "\n"), "no mug was seen at 3 of 3 places %(kitchen, office, store%)")
  t:ok(least > 0.25, "its middle came as near to a solid as %.2f m", least)
end)
