--- The edge of a table in a simulated depth cloud, compared with its true pose.
local function yaw_of(q) return 2 * math.atan(q[3], q[4]) end

test("it stands square before an edge that no detector told of, within 3 cm and 2 degrees", function(t)
  local data = t:world "table_by_cloud_world.lua"
  local places = { { 1.7, 0.1, 0.2 }, { 1.5, -0.3, -0.3 }, { 2.0, 0.4, 0.1 }, { 1.4, 0, 0 } }
  for number, place in ipairs(places) do
    if number > 1 and not t:long() then break end
    local row = data.furniture[1]
    row.at, row.yaw, data.things = { place[1], place[2] }, place[3], nil
    local run = t:run("table_by_cloud.lua", { world_data = data })
    for _ = 1, 80 do
      run:advance(0.5)
      if run.state ~= "approaching" then break end
    end
    t:equal(run.state, "there")
    local p = run.scene:frame "walking"
    local x, y = p.position[1] - row.at[1], p.position[2] - row.at[2]
    t:near(-(x * math.cos(row.yaw) + y * math.sin(row.yaw)) - row.size[1] / 2, 0.20, 0.03, "from the edge")
    t:near(yaw_of(p.orientation), row.yaw, 0.035, "square to it")
    run:close()
  end
end)

test("without a table it says what it has not seen", function(t)
  local data = t:world "table_by_cloud_world.lua"
  data.furniture, data.things = nil, nil
  local run = t:run("table_by_cloud.lua", { world_data = data })
  for _ = 1, 40 do
    run:advance(0.5)
    if run.state ~= "approaching" then break end
  end
  t:equal(run.state, "lost")
end)
