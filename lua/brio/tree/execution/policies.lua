--- Controllers outside of brio that a tree enters and leaves: programs that exchange JSON objects, one a
--- line, over a stream (brio.io.stream), and send targets of DOFs. A policy is left when it reports its
--- end, fails, becomes silent, dies, or is no longer wanted.
---
---     to it:   {"enter": "walk", "dofs": [{"name": "LHipPitch", "lower": -1, "upper": 1, "velocity": 4,
---              "unit": "rad"}],
---               "rate": 50, "parameters": {"speed": 0.3}}
---              {"t": 0.02, "positions": {"LHipPitch": 0.1}, "velocities": {...}, "commands": {...}}
---                rate times a second
---              {"exit": "done"}
---                last
---     from it: {"targets": {"LHipPitch": 0.12}}      {"done": true}      {"failed": "I fell"}
local clock = require "brio.clock"
local document = require "brio.formats.json"
local door = require "brio.io.input_gate"
local link = require "brio.io.stream"
local process = require "brio.io.process"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local policies = {}
local Policies = {}
Policies.__index = Policies
local Policy = {}
Policy.__index = Policy

--- Maximum length of a policy's line, bytes; interval between attempts to connect, s.
policies.longest, policies.again = 65536, 0.1

--- The policies of a run, created on first use.
function policies.of(host)
  host.policies = host.policies or setmetatable({ host = host, list = {} }, Policies)
  return host.policies
end

--- The behavior has failed: leave all policies.
function Policies:leave_all(why)
  for _, policy in ipairs(table.move(self.list, 1, #self.list, 1, {})) do policy:leave(why) end
  link.work()
end

--- End of the run: end their programs too.
function Policies:close()
  self:leave_all "the run ends"
  process.close()
end

-- Messages of a policy -----------------------------------------------------------------------------

local function fail(self, ...)
  self.failed = self.failed or string.format(...)
end

--- Process received targets.
local function take_targets(self, said)
  if type(said) ~= "table" then return fail(self, "sends targets that are not an object") end
  for _, name in ipairs(suggest.keys(said)) do
    local value = said[name]
    if not self.numbers[name] then
      return fail(self, "wants to move '%s', which it may not%s", tostring(name):sub(1, 60),
        suggest.hint(tostring(name), suggest.keys(self.numbers)))
    end
    if type(value) ~= "number" or value - value ~= 0 then return fail(self, "sends no number for %s",
      name) end
    self.targets[name] = value
  end
  self.heard, self.fresh, self.begun = self.host.now, true, true
end

local function take_line(self, line)
  local good, said = pcall(document.json, line, "a line")
  if not good or type(said) ~= "table" then
    return fail(self, "sends invalid JSON: '%s'", line:sub(1, 60):gsub("[^\32-\126]", "."))
  end
  local failed, asked = said.failed, said.targets -- null is what is not said
  if failed ~= nil and failed ~= document.null then
    return fail(self, "has failed: %s", tostring(failed):sub(1, 200):gsub("%c", " "))
  end
  if asked ~= nil and asked ~= document.null then take_targets(self, asked) end
  if said.done == true then self.done = true end
end

local function take(self, bytes)
  self.buffer = self.buffer .. bytes
  local from = 1
  while not self.failed do
    local ends = self.buffer:find("\n", from, true)
    if not ends then break end
    if ends > from then take_line(self, self.buffer:sub(from, ends - 1)) end
    from = ends + 1
  end
  self.buffer = self.buffer:sub(from)
  if #self.buffer > policies.longest then
    fail(self, "sends a line of more than %d bytes", policies.longest)
  end
end

-- Entering -----------------------------------------------------------------------------------------

--- The machine's time, s, recorded on the tape.
local function now() return door.must("clock", clock.monotonic) end

local function hello(self)
  local rows = {}
  for index, dof in ipairs(self.dofs) do
    local function finite(value) return math.abs(value) < math.huge and value or nil end
    rows[index] = { name = dof.name, lower = finite(dof.lower), upper = finite(dof.upper),
      velocity = finite(dof.velocity), unit = dof.unit }
  end
  return store.json { enter = self.name, dofs = store.array(rows), rate = self.rate,
    parameters = self.parameters } .. "\n"
end

local function connect(self)
  self.wire, self.tried = nil, self.host.now
  local wire
  wire = link.open(self.address, { timeout = 2 }, function(what, data)
    if self.wire ~= wire or self.left then return end
    if what == "open" then
      self.open = wire:send(hello(self))
      self.heard = self.host.now
    elseif what == "bytes" then
      take(self, data)
    elseif self.open then
      fail(self, "is gone%s", data and ": " .. data or "")
    else
      self.refused, self.wire = data, nil
    end
  end)
  self.wire = wire
end

--- Enter a policy: {name, address, command (words of a program that is started first, or nil), dofs = rows,
--- rate (Hz), parameters, patience (s until its first targets), silence (s)}. Return it, or nil and a
--- sentence.
function Policies:enter(parts)
  local self_ = setmetatable(parts, Policy)
  self_.host, self_.owner, self_.buffer, self_.targets, self_.numbers = self.host, self, "", {}, {}
  self_.since, self_.tried, self_.sent = self.host.now, -math.huge, -math.huge
  for index, dof in ipairs(parts.dofs) do self_.numbers[dof.name] = index end
  if parts.command then
    local why
    self_.job, why = process.start(parts.command, { timeout = 24 * 3600 }, function(result)
      self_.ended = result.error or "its program has ended"
    end)
    if not self_.job then return nil, why end
  end
  self.list[#self.list + 1] = self_
  return self_
end

--- Try to connect, until the timeout. On the fast clock the run waits here.
local function begin(self)
  local host = self.host
  local function arrived() return self.open or self.failed or self.wire == nil end
  if host.sound.fast then
    local till = now() + self.patience
    repeat
      if not self.wire then connect(self) end
      link.wait(math.max(0.001, till - now()), arrived)
      if self.open or self.failed or self.ended then return end
      link.wait(policies.again, function() return false end)
    until now() >= till
    return fail(self, "cannot be reached: %s", self.refused or "it does not answer")
  end
  if not self.wire and host.now - self.tried >= policies.again then connect(self) end
  link.work()
  process.work()
  if not self.open and host.now - self.since > self.patience then
    fail(self, "cannot be reached: %s", self.refused or "it does not answer")
  end
end

-- Running ------------------------------------------------------------------------------------------

--- Send it the robot's state, when that is due.
local function tell(self)
  local host = self.host
  if host.now - self.sent < 1 / self.rate - 1e-9 then return false end
  local positions, velocities, commands = {}, {}, {}
  for _, dof in ipairs(self.dofs) do
    local state = host.actuator:state(dof.name)
    positions[dof.name], velocities[dof.name], commands[dof.name] = state.position, state.velocity,
      state.command
  end
  self.sent, self.fresh = host.now, false
  local line = store.json { t = host.now - self.since, positions = positions, velocities = velocities,
    commands = commands }
  if not self.wire:send(line .. "\n") then fail(self, "does not read its input") end
  return true
end

--- Once a tick. Return nil: it continues; true: it has finished; false and the reason of a failure.
--- `targets` has its last targets.
--- last targets.
function Policy:work()
  if not self.open and not self.failed then begin(self) end
  if self.open and not self.failed and not self.done then
    local told = tell(self)
    if told and self.host.sound.fast then
      link.wait(self.begun and self.silence or self.patience,
        function() return self.fresh or self.failed or self.done end)
    else
      link.work()
    end
    local quiet = self.host.now - self.heard
    if self.host.sound.fast and told and not self.fresh then quiet = math.huge end
    if quiet > (self.begun and self.silence or self.patience) and not (self.failed or self.done) then
      fail(self, "sends nothing for %g s", self.begun and self.silence or self.patience)
    end
  end
  if self.ended and not self.done then fail(self, "is gone: %s", self.ended) end
  if self.failed then return false, ("the policy '%s' %s"):format(self.name, self.failed) end
  return self.done
end

--- Disconnect: the policy is notified, and its program ends.
function Policy:leave(why)
  if self.left then return end
  self.left = true
  if self.wire then
    if self.open then self.wire:send(store.json { exit = why } .. "\n") end
    self.wire:close()
  end
  if self.job then self.job:kill() end
  for place, policy in ipairs(self.owner.list) do
    if policy == self then table.remove(self.owner.list, place) break end
  end
  link.work()
end

return policies
