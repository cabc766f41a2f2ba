--- The demonstrations of doors, balls, tables and the chute, each in the kinematic world and in physics:
--- how many of some seeds succeed, after how long, and why the others do not.
---
---     build/brio lua scripts/bench/standing/demonstrations.lua [SEEDS [PART [WORLD]]]
---
--- SEEDS is their number (1), PART a part of the names of behaviors, WORLD `none` or `mujoco` (both).  Run it
--- in the project's folder; it takes three minutes a seed.  Behaviors at a bench, which need no walking, have
--- the bolted biped (bolted.lua) in physics.
package.path = "scripts/bench/standing/?.lua;" .. package.path
require "brio"
local bolted = require "bolted"
local runner = require "brio.runner"

local seeds, part, world = tonumber(arg[1]) or 1, arg[2] or "", arg[3]

--- Ticks a second, and how long a behavior may take, s.
local rate, longest = 100, 200

local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))
local bench = bolted.write(folder)

--- Each behavior, with the state in which it has succeeded, and the robot in physics, if it is another one.
local behaviors = {
  { "door", "through" },
  { "push_door", "through" },
  { "pull_door", "through" },
  { "repeat_door", function(run) -- to and fro
    local memory = run.host.self.memory
    return memory.opened >= 2 and memory.failed == 0
  end },
  { "three_doors", "outside" },
  { "table_approach", "there" },
  { "table_by_cloud", "there" },
  { "chute", function(run) -- it works for ever: three balls in their bins
    local memory = run.host.self.memory
    return memory.red + memory.green + memory.blue >= 3
  end },
  { "two_stations", "sorted" },
  { "deliver", "delivered" },
  { "search_rooms", "found" },
  { "sort_balls", "sorted", bench },
  { "reachable_balls", "collected", bench },
  { "pick_and_place", "placed", bench },
  { "check_in_hand", "checked", bench },
}

--- States in which a behavior has given up.
local given_up = { stuck = true, not_all = true, given_up = true, lost = true, failed = true }

--- Whether the run has come to an end: true, false with a reason, or nil.
local function ended(run, success)
  local state = run.host:state()
  if type(success) == "function" and success(run) or state == success then return true end
  if run.base_fell then return false, "the robot has fallen" end
  if run.physics_ended then return false, tostring(run.physics:fault()) end
  if given_up[state] then return false, ("it ends in '%s'"):format(state) end
end

--- Run one: success, the time (s) or nil, and a reason.
local function try(name, success, physics, seed, robot)
  local run, why = runner.new { clock = "fast", seed = seed, rate = rate, physics = physics, robot = robot,
    file = ("behaviors/%s.lua"):format(name), say = function() end }
  if not run then return false, nil, "refused: " .. tostring(why):gsub("^.-: ", "", 1):gsub("\n.*", "") end
  local good, reason
  while run.host.now < longest and good == nil do
    if not run.engine:tick() then good, reason = false, "the run has ended" end
    if good == nil then good, reason = ended(run, success) end
  end
  local time = run.host.now
  run:close()
  if good == nil then good, reason = false, ("not within %g s"):format(longest) end
  return good, time, reason
end

--- Successes, the mean time of these, and the first reason, as a text.
local function row(name, success, physics, robot)
  local count, sum, reason = 0, 0, nil
  for seed = 1, seeds do
    local good, time, why = try(name, success, physics, seed, robot)
    if good then count, sum = count + 1, sum + time
    else reason = reason or time and ("%s, after %.1f s"):format(why, time) or why end
  end
  return count, ("%d/%d%s%s"):format(count, seeds, count > 0 and (", %.1f s"):format(sum / count) or "",
    reason and " (" .. reason .. ")" or "")
end

local totals, tried = { 0, 0 }, 0
for _, one in ipairs(behaviors) do
  if one[1]:find(part, 1, true) then
    local kinematic, first, physics, second = 0, "-", 0, "-"
    if world ~= "mujoco" then kinematic, first = row(one[1], one[2], "none") end
    if world ~= "none" then physics, second = row(one[1], one[2], "mujoco", one[3]) end
    print(("%-16s  kinematic %-16s  physics %s"):format(one[1], first, second))
    totals[1], totals[2], tried = totals[1] + kinematic, totals[2] + physics, tried + seeds
  end
end
os.execute("rm -r " .. folder)
print(("of %d: kinematic %d, physics %d"):format(tried, totals[1], totals[2]))
