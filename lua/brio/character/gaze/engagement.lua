--- Engagement: people within a distance, up to a maximum number, until they are a little farther away.
---
--- They enter at 1.0 m, leave 0.5 m beyond, and are at most two, as Furhat's users.
local engagement = {}
local Zones = {}
Zones.__index = Zones

--- Make them: `tell(event, data)` reports who comes and goes.
function engagement.new(settings, tell)
  return setmetatable({ settings = settings, tell = tell, users = {} }, Zones)
end

local function leave(self, index, why)
  local user = table.remove(self.users, index)
  user.user = nil
  self.tell("disengaged", { target = user.name, why = why, users = #self.users }, user.name)
end

--- Horizontal distance of a target, m.
local function away(target, x, y)
  local dx, dy = target.x - x, target.y - y
  return math.sqrt(dx * dx + dy * dy)
end

--- The nearest person in the zone who is not a user yet.
local function next_user(list, x, y, within)
  local best, least = nil, within
  for _, target in ipairs(list) do
    if target.here and target.kind == "person" and not target.user then
      local distance = away(target, x, y)
      if distance <= least then best, least = target, distance end
    end
  end
  return best, least
end

--- Update the users from people's present positions; x and y: of the robot.
function Zones:work(list, x, y)
  local settings, users = self.settings, self.users
  for index = #users, 1, -1 do
    local user = users[index]
    if not user.here then leave(self, index, "lost")
    elseif away(user, x, y) > settings.zone + settings.leave then leave(self, index, "left") end
  end
  while #users < settings.users do
    local target, distance = next_user(list, x, y, settings.zone)
    if not target then break end
    target.user = true
    users[#users + 1] = target
    self.tell("engaged", { target = target.name, distance = math.floor(distance * 1000 + 0.5) / 1000,
      users = #users }, target.name)
  end
end

--- Remove all users.
function Zones:clear(why)
  for index = #self.users, 1, -1 do leave(self, index, why) end
end

--- Their names, in the order of their arrival.
function Zones:names()
  local names = {}
  for index, user in ipairs(self.users) do names[index] = user.name end
  return names
end

return engagement
