--- Part of a snapshot: the robot's memory of where things are; in the resumed run it counts as known from
--- the run before.
local part = { name = "map" }

local facts = { "places", "rooms", "doors", "things" }

function part.save(host)
  local memory = host.map and host.map.memory
  if not memory then return nil end
  local told = { run = memory.run }
  for _, name in ipairs(facts) do told[name] = memory[name] end
  return told
end

function part.restore(host, told)
  local memory = host.map and host.map.memory
  if not memory then return end
  for _, name in ipairs(facts) do memory[name] = told[name] or memory[name] end
  memory.run = math.max(memory.run, (told.run or 0) + 1)
end

return part
