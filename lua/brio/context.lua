--- What the functions of a behavior get as `self`.
---
---   self.now, self.dt      time of the run and since the last tick, s
---   self.memory            what the behavior remembers: its own table, kept by name
---   self.tune              the values of its tunable parameters
---   self.scene             what is around: see brio.scene
---   self.robot             the model: see brio.robot; self.roles, self.poses from its robot file
---   self.actuator          targets of what is outside the kinematic tree, and measured states
---   self.state             path of the state whose function runs
local context = {}
local Self = {}

local function region_error(what)
  error(what .. " may only be used inside a state's run function", 3)
end

--- Wait for `seconds`.  Only in `run`.
function Self:wait(seconds)
  if type(seconds) ~= "number" or not (seconds >= 0) then error("self:wait expects seconds, at least 0", 2) end
  if not coroutine.isyieldable() then region_error("self:wait") end
  return coroutine.yield { kind = "wait", till = self.now + seconds }
end

--- Wait for an event; return its data (or true), or nil, "timeout" after `timeout` seconds.  Only in `run`.
function Self:await(event, timeout)
  if type(event) ~= "string" then error("self:await expects an event's name", 2) end
  if not coroutine.isyieldable() then region_error("self:await") end
  return coroutine.yield { kind = "event", event = event, seen = #self._host.events, till = timeout and self.now + timeout }
end

--- Wait until condition(self) is true; return its value, or nil, "timeout".  Only in `run`.
function Self:await_until(condition, timeout)
  if type(condition) ~= "function" then error("self:await_until expects a function", 2) end
  if not coroutine.isyieldable() then region_error("self:await_until") end
  return coroutine.yield { kind = "condition", condition = condition, till = timeout and self.now + timeout }
end

--- Tell the machine (and the store) that something happened.
function Self:emit(event, data)
  if type(event) ~= "string" then error("self:emit expects an event's name", 2) end
  self._host:emit(event, data, "behavior")
end

--- True once every `seconds` of the state, the first time after that long.
function Self:every(seconds)
  if type(seconds) ~= "number" or not (seconds > 0) then error("self:every expects seconds above 0", 2) end
  local active = self._active
  local next_time = active.every[seconds] or active.entered + seconds
  local due = self.now >= next_time - 1e-9
  if due then next_time = next_time + seconds * math.max(1, math.ceil((self.now - next_time) / seconds + 1e-9)) end
  active.every[seconds] = next_time
  return due
end

--- Seconds since the state was entered.
function Self:elapsed() return self.now - self._active.entered end

--- A random number from `lower` (0) to `upper` (1) of this behavior's own seeded stream.
function Self:random(lower, upper) return self._host.stream:uniform(lower or 0, upper or 1) end

--- One of a list's items, each as likely.
function Self:choose(list)
  if type(list) ~= "table" or #list == 0 then error("self:choose expects a list with items", 2) end
  return list[self._host.stream:whole(#list)]
end

--- Write a sentence to the log and the store.
function Self:log(...) self._host.say("info", string.format(...)) end

--- The pose of a link (or role), a believed object or person, by name; nil when there is none.
function Self:where(name)
  return self._host.scene:frame(self.roles[name] or name)
end

--- Whether the robot has a DOF of that name, in the kinematic tree or outside it.
function Self:has(dof)
  for _, known in ipairs(self._host.description.dofs) do
    if known.name == dof then return true end
  end
  return false
end

--- The orientation that turns the x axis of a link from where it is towards `point`, level.
function Self:towards(link, point)
  local from = self:where(link)
  if not from then error("self:towards: there is no link '" .. tostring(link) .. "'", 2) end
  return self._host.geometry.towards(from.position, point)
end

--- Make the context of one behavior.
function context.new(host, fields)
  for key, value in next, fields do
    if Self[key] then error("a behavior's field '" .. key .. "' hides self:" .. key) end
  end
  local self = setmetatable(fields, { __index = Self })
  rawset(self, "_host", host)
  return self
end

return context
