--- The tempo of a run: a factor of the speed of all motion, adjustable while it runs.
---
---     local slow = brio.behavior "slow" { robot = "pepper", start = "idle", tempo = 0.7 }
---     slow.idle = { wants = wants, tempo = 0.5 }
---
--- The innermost active state that sets a tempo counts, else the behavior; a person's setting at the prompt
--- is a factor of that. Limits of speed are scaled by it but never increased; sequences, gaze, idle motion,
--- walking and leaves of trees take 1 / tempo as long.  Waits of states, and speech with its mouth, do not
--- change.
local tempo = {}
local Tempo = {}
Tempo.__index = Tempo

--- The limits of the resulting tempo, as in the solver.
tempo.least, tempo.most = 0.05, 2

--- The error in a tempo, a sentence; nil: valid.
function tempo.fault(value)
  if type(value) == "number" and value >= tempo.least and value <= tempo.most then return nil end
  return ("a tempo is a number from %g to %g, 1 being the robot's own, not %s"):format(tempo.least,
    tempo.most, tostring(value))
end

--- The tempo of a host: `now` is in force, `person` is the person's factor.
function tempo.new(host) return setmetatable({ host = host, now = 1, person = 1 }, Tempo) end

--- The active states have changed: use the innermost settings, the slowest of parallel ones.
function Tempo:look()
  local least
  self.host.top:each_outer_first(function(active)
    local said, inner = active.state.tempo, not (active.regions and active.regions[1])
    if said and inner and (not least or said < least) then least = said end
  end)
  self.of_states = least
end

--- The tempo of the behavior and its states.
local function said_of(self) return self.of_states or self.host.definition.fields.tempo or 1 end

--- The tempo in force: within the solver's limits.
function Tempo:wanted() return math.max(tempo.least, math.min(tempo.most, said_of(self) * self.person)) end

--- Apply the tempo if it has changed: once a tick, after the behavior's states.
function Tempo:work()
  local said, person = said_of(self), self.person
  if said == self.said and person == self.said_person then return end
  self.said, self.said_person = said, person
  local wanted = self:wanted()
  if wanted == self.now then return end
  local host = self.host
  self.now = wanted
  host.solver:tempo(wanted)
  host.tracks.tempo = wanted
  host.tracks:modulate()
  host:emit("tempo", { tempo = wanted, person = self.person }, "machine", ("%g"):format(wanted))
end

--- Set the person's factor.
function Tempo:say(value) self.person = value end

--- tempo [NUMBER]
local function say(prompt, rest)
  local own = prompt.run.host.tempo
  if rest == "" then
    return ("tempo %g: %g by a person, %g by the behavior and its state"):format(own.now, own.person,
      said_of(own))
  end
  local value = tonumber(rest)
  local fault = tempo.fault(value or rest)
  if fault then return nil, fault end
  own:say(value)
  return ("tempo %g from now on"):format(own:wanted())
end

--- The prompt's words.
tempo.words = {
  { name = "tempo", usage = "tempo [NUMBER]",
    summary = "how fast all goes that moves, 1 as it was made: 0.5 takes twice as long; "
      .. "limits are never passed",
    example = "tempo 0.5", changes = function(rest) return rest ~= "" end, run = say },
}

return tempo
