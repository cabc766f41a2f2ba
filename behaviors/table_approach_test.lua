--- Walking up to a table in various poses, compared with its true pose.

local function yaw_of(q) return 2 * math.atan(q[3], q[4]) end

--- Distance of the robot from the goal in front of the nearest edge: m across, m along the edge, rad.
local function off(run, table_row)
  local at, yaw = table_row.at, table_row.yaw
  local p = run.scene:frame "walking"
  local best
  for side = 0, 3 do
    local turned = yaw + side * math.pi / 2
    local half = (side % 2 == 0 and table_row.size[1] or table_row.size[2]) / 2
    local x, y = p.position[1] - at[1] + half * math.cos(turned),
      p.position[2] - at[2] + half * math.sin(turned)
    local across, along = -(x * math.cos(turned) + y * math.sin(turned)),
      -x * math.sin(turned) + y * math.cos(turned)
    local angle = (yaw_of(p.orientation) - turned + math.pi) % (2 * math.pi) - math.pi
    if not best or across > best[1] then best = { across, along, angle } end
  end
  return best[1] - 0.20, best[2], best[3]
end

test("it stands before the middle of the nearest edge, within 3 cm and 3 degrees", function(t)
  local places = { { 1.9, 0.5, 0.35 } }
  if t:long() then
    for k = 1, 12 do places[#places + 1] = { 1.4 + 0.1 * (k % 5), -0.8 + 0.13 * k, 0.5 * k } end
  end
  for _, place in ipairs(places) do
    local data = t:world "table_approach_world.lua"
    data.furniture[1].at, data.furniture[1].yaw = { place[1], place[2] }, place[3]
    local run = t:run("table_approach.lua", { world_data = data })
    for _ = 1, 150 do
      run:advance(0.5)
      if run.state ~= "approaching" then break end
    end
    t:equal(run.state, "there")
    local across, along, angle = off(run, data.furniture[1])
    t:near({ across, along }, { 0, 0 }, 0.03)
    t:near(angle, 0, 0.05)
    run:close()
  end
end)

test("a table that is not there is looked for all around, and then missed, in words", function(t)
  local run = t:run("table_approach.lua", { world_data = { sensor = { link = "camera", view = 2.2 } },
    leaves = { turn = { seconds = 0.1 } } })
  for _ = 1, 240 do
    run:advance(0.5)
    if run.state ~= "approaching" then break end
  end
  t:equal(run.state, "lost")
  t:match(table.concat(t.said, "\n"), "it did not get there")
end)
