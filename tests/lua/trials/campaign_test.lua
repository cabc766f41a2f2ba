--- Random disturbances in the demonstrations: each run is one of them, in a world of its own, with a
--- disturbance that it does not know of. It must come to its end, or to a stated, safe failure; none may
--- hang. Seeds are fixed: a run is a number.
---
--- `make soak` runs 200 and prints a table for each demonstration; `make test` runs the first few, with fewer
--- ticks a second. To run one alone:
---     BRIO_CAMPAIGN=17 build/brio test tests/lua/trials/campaign_test.lua
local gait = require "brio.character.stance.gait"
local random = require "brio.random"
local runner = require "brio.runner"

local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1
local count = tonumber(os.getenv "BRIO_CAMPAIGN_RUNS") or soak and 200 or 4
local first, only = tonumber(os.getenv "BRIO_CAMPAIGN_FIRST") or 1, tonumber(os.getenv "BRIO_CAMPAIGN")
local rate = (soak or only) and 200 or 40 -- ticks a second: make soak, and one alone, do the usual 200

--- The disturbances: name = event(stream, about) -> a list of events of the world, and words. `about`: a row
--- of the list below.
local kinds = {}

local function when(stream, about) return stream:uniform(0.5, about.seconds) end

function kinds.blind(stream, about)
  local at, seconds = when(stream, about), stream:uniform(0.3, 2.5)
  return { { at = at, what = "blind", seconds = seconds } },
    ("sees nothing for %.1f s from %.1f s on"):format(seconds, at)
end

--- A joint of an arm is pushed aside and released.
function kinds.push(stream, about)
  local joints = { "shoulder_pitch", "shoulder_roll", "elbow", "wrist_yaw" }
  local side = stream:whole(2) == 1 and "left_" or "right_"
  local joint, by = side .. joints[stream:whole(#joints)], stream:uniform(-0.4, 0.4)
  local at, seconds = when(stream, about), stream:uniform(0.2, 0.8)
  return { { at = at, what = "push", id = joint, by = by, seconds = seconds } },
    ("%s pushed by %.2f rad for %.1f s at %.1f s"):format(joint, by, seconds, at)
end

function kinds.hold_shut(stream, about)
  local id, at, seconds = about.doors[stream:whole(#about.doors)], stream:uniform(0, about.seconds),
    stream:uniform(1, 8)
  return { { at = at, what = "hold_shut", id = id, seconds = seconds } },
    ("%s held shut for %.1f s from %.1f s on"):format(id, seconds, at)
end

--- A person moves an object to another place on the same table.
function kinds.put(stream, about)
  local id, at = about.things[stream:whole(#about.things)], when(stream, about)
  local x, y = stream:uniform(about.table[1], about.table[3]), stream:uniform(about.table[2], about.table[4])
  return { { at = at, what = "put", id = id, to = { x, y } } },
    ("%s put to (%.2f, %.2f) at %.1f s"):format(id, x, y, at)
end

--- A person removes an object.
function kinds.take(stream, about)
  local id, at = about.things[stream:whole(#about.things)], when(stream, about)
  return { { at = at, what = "take", id = id } }, ("%s taken away at %.1f s"):format(id, at)
end

--- A person stands in a doorway or another narrow place.
function kinds.stand(stream, about)
  local spot, at, seconds = about.narrow[stream:whole(#about.narrow)], when(stream, about),
    stream:uniform(4, 14)
  return { { at = at, what = "stand", id = "passer", to = spot, seconds = seconds } },
    ("somebody stands at (%.1f, %.1f) for %.1f s from %.1f s on"):format(spot[1], spot[2], seconds, at)
end

-- What is true in the end -----------------------------------------------------------------------------------

local function walked_to(x) return function(run) return run.scene:frame("walking").position[1] > x end end

local function near_to(id, far)
  return function(run)
    local pose, here = run.run.world:pose(id), run.run.host.stance:walking().position
    return pose ~= nil and math.sqrt((pose.position[1] - here[1]) ^ 2 + (pose.position[2] - here[2]) ^ 2) <
      far
  end
end

--- A condition: all balls that are still there lie in a bin, of their color where bins have colors.
local function in_bins(colored, ids)
  return function(run, data)
    for _, ball in ipairs(data.things) do
      local there = run.run.world:pose(ball.id) and (not ids or ids[ball.id])
      local color = ball.color[1] > ball.color[3] and "red" or "blue"
      if there and not run.run.world:state(ball.id).on:find(colored and color .. " bin" or "bin", 1,
          true) then
        return false
      end
    end
    return true
  end
end

local balls = { "ball 1", "ball 2", "ball 3", "ball 4" }
local on_bench = { 0.30, -0.3, 0.42, 0.3 }

--- The demonstrations: their good ends, the conditions that must hold then, and their stated failures; the
--- typical duration; the time limit; the possible disturbances. `passer`: a person may get into the way, and
--- steps aside after a while.
local rows = {
  { name = "push_door", well = { "through" }, truth = walked_to(2.3), stated = { "stuck" }, seconds = 10,
    limit = 60, doors = { "office" }, kinds = { "blind", "push", "hold_shut" } },
  { name = "pull_door", well = { "through" }, truth = walked_to(2.3), stated = { "stuck" }, seconds = 14,
    limit = 90, doors = { "office" }, kinds = { "blind", "push", "hold_shut" } },
  { name = "table_approach", well = { "there" }, truth = near_to("table", 0.8), stated = { "lost" },
    seconds = 11, limit = 150, kinds = { "blind", "push" } },
  { name = "pick_and_place", well = { "placed" },
    truth = function(run) return run.run.world:state("can").on == "tray" end,
    stated = { "given_up" }, seconds = 6, limit = 90, things = { "can" }, table = { 0.34, -0.2, 0.42, 0.05 },
    kinds = { "blind", "push", "put" } },
  { name = "check_in_hand", well = { "checked" }, truth = in_bins(true), stated = { "not_all" }, seconds = 22,
    limit = 180, things = balls, kinds = { "blind", "push", "take" } },
  { name = "reachable_balls", well = { "collected" }, stated = { "stuck" }, seconds = 9, limit = 180,
    things = { "ball 1", "ball 2" },
    truth = in_bins(false, { ["ball 1"] = true, ["ball 2"] = true, ["ball 4"] = true, ["ball 5"] = true }),
    kinds = { "blind", "push", "take" } },
  { name = "sort_balls", well = { "sorted" }, truth = in_bins(true), stated = { "not_all" }, seconds = 12,
    limit = 180, things = balls, table = on_bench, kinds = { "blind", "push", "put", "take" } },
  { name = "follow_person", well = { "done" }, truth = near_to("ann", 2.2), stated = { "alone" },
    seconds = 35, limit = 80,
    walker = "ann", passer = { 2, 1.5 }, narrow = { { 4, 0 }, { 2.5, 0.2 }, { 3.4, 0 } },
      kinds = { "blind", "push", "stand" } },
  { name = "search_rooms", well = { "found" }, truth = near_to("mug", 1.1), stated = { "given_up" },
    seconds = 50, limit = 250,
    walker = "ann", passer = { 2.4, 1.5 }, narrow = { { 0.3, 2 }, { 1.2, 0.4 }, { 0.5, 1.2 } },
      doors = { "kitchen door" },
    kinds = { "blind", "push", "stand", "hold_shut" } },
  { name = "two_stations", well = { "sorted" }, truth = in_bins(true), stated = { "not_all" }, seconds = 75,
    limit = 300, kinds = { "blind", "push" } },
  { name = "three_doors", well = { "outside" }, truth = walked_to(8.5), stated = { "stuck" }, seconds = 30,
    limit = 150, doors = { "office", "store", "yard" }, kinds = { "blind", "push", "hold_shut" } },
  { name = "repeat_door", endless = 70, stated = { "stuck" }, seconds = 60, limit = 71, doors = { "office" },
    truth = function(run) return run.memory.opened >= 2 end, kinds = { "blind", "push", "hold_shut" } },
  { name = "chute", endless = 60, stated = {}, seconds = 40, limit = 61, kinds = { "blind", "push" },
    truth = function(run) return run.memory.red + run.memory.green + run.memory.blue >= 2 end },
}

--- The demonstrations that are present here.
local function demonstrations()
  local list = {}
  for _, row in ipairs(rows) do
    local world = runner.read_world("behaviors/" .. row.name .. "_world.lua")
    if world then
      row.world = world
      list[#list + 1] = row
    end
  end
  return list
end

local function contains(list, item)
  for _, one in ipairs(list) do
    if one == item then return true end
  end
  return false
end

--- The distance between the robot's middle and the nearest person, m, and that person.
local function nearest_person(run, row)
  local here, least, who = run.run.host.stance:walking(), math.huge, nil
  for _, id in ipairs { row.walker or "nobody", "passer" } do
    local pose = here and run.run.world:pose(id)
    local far = pose and math.sqrt((pose.position[1] - here.position[1]) ^ 2 +
      (pose.position[2] - here.position[2]) ^ 2) or math.huge
    if far < least then least, who = far, id end
  end
  return least, who
end

--- What is unsafe now, in words; nil: nothing.
local function danger(run, row)
  if run.failed then return "the behavior failed: " .. run.failed:sub(1, 120) end
  local what, depth = run.run.world:bumped()
  if what and depth > 0.05 then return ("the body is %.2f m in %s"):format(depth, what) end
  local here = run.run.host.stance:walking()
  if here and not (math.abs(here.position[1]) < 50 and math.abs(gait.yaw(here)) < 7) then
    return "it is nowhere"
  end
  local near, who = nearest_person(run, row)
  if near < 0.3 then return ("%.2f m from %s"):format(near, who) end
end

--- The reason that the behavior gives for its failure.
local function words_of(run, t)
  local why = type(run.memory.why) == "string" and run.memory.why or nil
  if why and why ~= "" then return why end
  for index = #t.said, 1, -1 do
    local said = t.said[index]:match "^info: (.*)"
    if said then return said end
  end
end

--- Run one to its end. Return the result: "well", "stated", "wrong" (it ends well, but a condition does not
--- hold), "unsafe" or "hangs"; its time, and words.
local function play(t, row, number, events)
  local data = {}
  for key, value in next, row.world do data[key] = value end
  data.events, data.seed = table.move(events, 1, #events, #(data.events or {}) + 1,
    table.move(data.events or {}, 1, #(data.events or {}), 1, {})), number
  if row.passer then
    local passer = { id = "passer", path = { row.passer }, speed = 1, patience = 6, aside = row.passer }
    data.walkers = table.move(row.world.walkers or {}, 1, #(row.world.walkers or {}), 2, { passer })
  end
  local run = t:run("behaviors/" .. row.name .. ".lua", { rate = rate, world_data = data, seed = number })
  t.runs[#t.runs] = nil
  local unsafe
  local function goes_on()
    if row.endless then return run.now < row.endless and not contains(row.stated, run.state) end
    return run.now < row.limit and not contains(row.well, run.state) and not contains(row.stated, run.state)
  end
  while goes_on() and not unsafe do
    if run:advance(0.05) == false then break end
    unsafe = danger(run, row)
  end
  local outcome, words, time = "hangs", "still in " .. tostring(run.state), run.now
  if unsafe then
    outcome, words = "unsafe", unsafe
  elseif row.endless and not contains(row.stated, run.state)
      or row.well and contains(row.well, run.state) then
    local true_too = row.truth(run, data)
    outcome, words = true_too and "well" or "wrong", not true_too and "it is not as it should be" or nil
  elseif contains(row.stated, run.state) then
    outcome, words = "stated", words_of(run, t)
    run:advance(3)
    unsafe = danger(run, row) or run.run.host.stance.gait:walks() and "it walks on"
      or not words and "it does not say why"
    if unsafe then outcome, words = "unsafe", unsafe end
  end
  run:close()
  return outcome, time, words
end

--- The disturbances in the run of a number.
local function disturbance(row, number)
  local stream = random.stream(number, "campaign")
  local kind = row.kinds[stream:whole(#row.kinds)]
  local events, words = kinds[kind](stream, row)
  return kind, events, words
end

local function print_line(number, row, words, outcome, time, why)
  print(("# %3d %-15s %-58s %-7s %6.1f s  %s"):format(number, row.name, words, outcome, time, why or ""))
  io.stdout:flush()
end

local function print_sums(list, sums)
  print "#     demonstration    runs  well  stated  wrong  unsafe  hangs   mean time"
  for _, row in ipairs(list) do
    local sum = sums[row.name]
    if sum then
      print(("#     %-15s %5d %5d %7d %6d %7d %6d %9.1f s"):format(row.name, sum.runs, sum.well, sum.stated,
        sum.wrong, sum.unsafe, sum.hangs, sum.time / sum.runs))
    end
  end
end

test("whatever happens, the demonstrations come to their end, or say why not and stand safely", function(t)
  local list, sums, all = demonstrations(), {},
    { well = 0, stated = 0, wrong = 0, unsafe = 0, hangs = 0, runs = 0 }
  if #list == 0 then t:skip "there are no demonstrations here" end
  for number = only or first, only or count do
    local row = list[(number - 1) % #list + 1]
    local sum = sums[row.name] or { runs = 0, well = 0, stated = 0, wrong = 0, unsafe = 0, hangs = 0,
      time = 0 }
    sums[row.name], t.said = sum, {}
    local _, events, words = disturbance(row, number)
    local outcome, time, why = play(t, row, number, events)
    if soak or only or outcome ~= "well" then print_line(number, row, words, outcome, time, why) end
    sum.runs, sum.time, sum[outcome] = sum.runs + 1, sum.time + time, sum[outcome] + 1
    all.runs, all[outcome] = all.runs + 1, all[outcome] + 1
  end
  if soak then print_sums(list, sums) end
  t:equal({ all.wrong, all.unsafe, all.hangs }, { 0, 0, 0 }, "wrong, unsafe, hanging")
  t:ok(all.well >= 0.9 * all.runs - (soak and 0 or 1), "%d of %d ended well", all.well, all.runs)
end)
