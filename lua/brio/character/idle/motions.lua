--- Permanent idle motion: breathing and drifting, added to the values below.
---
--- A wave is a breath: its depth and pace vary, so that no two are alike. Noise is a sum of octaves, each
--- with twice the frequency of the one before, whose power falls as 1/f^beta; motion seems alive with a beta
--- between 1 and 2 (Voss and Clarke, Nature 258, 1975, for music; Gilden, Psychological Review 108, 2001, for
--- people). One live source for each row sets all values, so that `why` and the store name it.
local noise = require "brio.noise"
local random = require "brio.random"
local suggest = require "brio.lib.suggest"

local motions = {}
local Motion = {}
Motion.__index = Motion

--- Default number of octaves, and the exponent of their power.
motions.octaves, motions.beta = 8, 1.2

--- Variation of a breath's depth and pace, as shares of it, and its rate relative to the pace.
motions.wander = { depth = 0.25, pace = 0.15, rate = 0.4 }

--- Functions of a row's phase (cycles), with values almost always in [-1, 1].
local kinds = {}

--- In, then out more slowly: a skewed sine.
function kinds.wave(self, phase)
  local wander = motions.wander
  local depth = 1 + wander.depth * noise.value(self.seed, phase * wander.rate)
  local turn = 2 * math.pi * phase
  return depth * math.sin(turn + 0.2 * math.sin(turn))
end

function kinds.noise(self, phase, place)
  return noise.octaves(self.seed + place, phase, self.octaves, 2, self.gain)
end

--- Current speed of a phase, relative to its pace: breaths have different lengths.
local function pace_of(self)
  if self.kind == "noise" then return 1 end
  local wander = motions.wander
  return 1 + wander.pace * noise.value(self.seed + 1, self.phase * wander.rate)
end

--- A row's motion on a host. Nothing moves yet.
function motions.new(host, name, row)
  local self = setmetatable({ host = host, name = name, phase = 0 }, Motion)
  self.seed = random.stream(host.seed or 0, "idle motion " .. name):whole(1 << 40)
  self:use(row)
  return self
end

--- The row has changed: continue at the present phase.
function Motion:use(row)
  if self.row == row then return end
  if self.playing and row.follow ~= self.row.follow then self:stop() end
  self.row, self.kind, self.hertz = row, row.wave and "wave" or "noise", row.wave or row.noise
  self.octaves, self.gain = row.octaves or motions.octaves, 2 ^ (-((row.beta or motions.beta) - 1) / 2)
  local before = self.dofs or {}
  self.dofs = {}
  for place, dof in ipairs(suggest.keys(row.dofs)) do
    local said = row.dofs[dof]
    local pair = type(said) == "table" and said or { said, 0 }
    self.dofs[place] = { name = dof, number = self.host.tracks:number(dof), amplitude = pair[1],
      late = pair[2] * self.hertz }
  end
  for _, dof in ipairs(before) do
    if self.playing and row.dofs[dof.name] == nil then
      self.host.tracks:say_value(self.playing, dof.name, nil)
    end
  end
end

--- Work of a tick: `level` of this row from 0 to 1, `speed` of its time, `gate(number)`: share of a DOF for
--- idle life.
function Motion:work(dt, level, speed, gate)
  local tracks = self.host.tracks
  if level <= 0 then
    if self.playing then self:stop() end
    return
  end
  if not self.playing or tracks.playing[self.playing.source] ~= self.playing then
    self.playing = tracks:live("idle_" .. self.name,
      { stage = "merge", priority = 100, fade = 0.5, follow = self.row.follow,
      by = "idle" })
    if not self.playing then return end -- too many sources are playing: try again later
  end
  self.phase = self.phase + dt * self.hertz * speed * pace_of(self)
  local value, player, source = kinds[self.kind], tracks.player, self.playing.source
  for place, dof in ipairs(self.dofs) do
    local share = level * gate(dof.number) * dof.amplitude
    player:say(source, dof.number, share ~= 0 and share * value(self, self.phase - dof.late, place) or 0,
      true)
  end
end

--- Release, smoothly.
function Motion:stop()
  if self.playing then self.host.tracks:stop_source(self.playing, 0.5) end
  self.playing = nil
end

return motions
