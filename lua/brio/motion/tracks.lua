--- The tracks of a run: sequences that are played by name, live sources, the combination and the mixer, for
--- behaviors and for people at the prompt.  It uses brio.player, which the engine's tick drives.
local lazy = require "brio.lib.lazy"
local mask = lazy "brio.motion.tracks.mask"
local mirror = require "brio.motion.mirror"
local motion = require "brio.motion"
local paths = require "brio.lib.paths"
local player = require "brio.player"
local sequence = lazy "brio.motion.sequence"
local suggest = require "brio.lib.suggest"

local tracks = {}
local Tracks = {}
Tracks.__index = Tracks

--- Maximum number of sources at once.
tracks.most_sources = 128

-- For a robot ---------------------------------------------------------------------------------------

--- The factor, or the function, that converts values of a unit to the DOF's own.
function tracks.converter(unit, dof)
  if unit == "deg" and dof.unit == "rad" then return math.pi / 180 end
  if unit ~= "normalized" then return 1 end
  local up, down = dof.upper - dof.rest, dof.rest - dof.lower
  return function(value, offset)
    local way = value >= 0 and value * up or value * down
    return offset and way or dof.rest + way
  end
end

--- A key with its values in the DOF's own unit.
local function converted_key(key, to)
  local made, offset = { key[1], kind = key.kind, curve = key.curve }, key.kind == "superposition"
  if type(key[2]) == "table" then made[2] = { to(key[2][1]), to(key[2][2]) }
  elseif key[2] then made[2] = to(key[2], offset) end
  local steep = key[2] and type(key[2]) == "number" and to
  for _, side in ipairs { "out", "into" } do
    local handle = key[side]
    if handle then -- a handle is a way from the key's value
      local way = steep and to(key[2] + handle[2], offset) - to(key[2], offset) or to(handle[2], true)
      made[side] = { handle[1], way }
    end
  end
  return made
end

--- The options of a track for motion.sequence.
local function track_for(track, description, index, dof)
  local to, keys, scale = tracks.converter(track.unit or description.unit, dof), track, 1
  if type(to) == "number" then
    scale = to
  else
    keys = {}
    for place, key in ipairs(track) do keys[place] = converted_key(key, to) end
  end
  return { dof = index, keys = keys, scale = scale, curve = track.curve or description.curve,
    follow = track.follow or description.follow, alive = track.alive or description.alive }
end

--- Compile a sequence's description for a robot: {motion =, cues =, length =}.  `numbers`: of its DOFs by
--- name, `dofs`: the list.  Tracks of DOFs that it does not have are omitted, and named in `missing`.
function tracks.compile(description, numbers, dofs)
  local list, cues, missing = {}, {}, {}
  for _, name in ipairs(suggest.keys(description.tracks)) do
    local index, track = numbers[name], description.tracks[name]
    if not index then missing[#missing + 1] = name
    elseif track.active ~= false then list[#list + 1] = track_for(track, description, index, dofs[index]) end
  end
  for _, what in ipairs { "events", "audio" } do
    for _, cue in ipairs(description[what] or {}) do
      cues[#cues + 1] = { time = cue[1], what = what, cue = cue, place = #cues }
    end
  end
  table.sort(cues, function(a, b) return a.time < b.time or a.time == b.time and a.place < b.place end)
  local times = {}
  for index, cue in ipairs(cues) do times[index] = cue.time end
  local loop = description.loop
  local made = motion.sequence { dofs = #dofs, tracks = list, cues = times, length = description.length or 0,
    loop = loop and { loop[1], loop[2] }, times = loop and loop.times or 0 }
  return { motion = made, cues = cues, description = description, missing = missing }
end

--- The DOFs of a robot in the player's form.
local function player_dofs(description, numbers)
  local made, mirrored = {}, mirror.of(description)
  for index, dof in ipairs(description.dofs) do
    local other = mirrored[dof.name]
    made[index] = { lower = dof.lower, upper = dof.upper, rest = dof.rest, velocity = dof.velocity,
      acceleration = dof.acceleration, mirror = numbers[other.other], sign = other.sign }
    for key, value in next, made[index] do
      if type(value) == "number" and math.abs(value) == math.huge then made[index][key] = nil end
    end
  end
  return made
end

--- A DOF's filter in a robot's file, {stages =, tau =}, by its name or its group's; or nil.
function tracks.filter_of(description, dof)
  local filters = description.filters or {}
  return filters[dof.name] or filters[dof.group or false]
end

--- The filters of joints in the player's form; those of DOFs outside the tree are on the motor side.
local function player_filters(description)
  local made = {}
  for index, dof in ipairs(description.dofs) do
    local said = not dof.outside and tracks.filter_of(description, dof)
    if said and said.tau > 0 then made[#made + 1] = { dof = index, stages = said.stages, tau = said.tau } end
  end
  return made
end

--- Numbers of a description's DOFs by name, and the number of joints.
function tracks.numbers(description)
  local numbers, tree = {}, 0
  for index, dof in ipairs(description.dofs) do
    numbers[dof.name] = index
    if not dof.outside then tree = tree + 1 end
  end
  return numbers, tree
end

--- Make the tracks of a run: {description, seed, recorder, emit(name, data, about), now(), say, actor}.
--- actor: {owner, faculty} of the sources that are started now.
function tracks.new(parts)
  local self = setmetatable(parts, Tracks)
  self.actor = self.actor or {}
  local tree
  self.numbers, tree = tracks.numbers(parts.description)
  self.player = player.new { dofs = player_dofs(parts.description, self.numbers), tree = tree,
    seed = parts.seed, sources = tracks.most_sources, filters = player_filters(parts.description) }
  local lids = {}
  for _, row in ipairs(parts.description.eyelids or {}) do
    lids[#lids + 1] = { lid = self.numbers[row.lid], eye = self.numbers[row.eye], closed = row.closed,
      open = row.open, gain = row.gain }
  end
  self.player:eyelids(lids)
  self.lids = {}
  for _, row in ipairs(parts.description.eyelids or {}) do self.lids[row.lid] = true end
  self.sequences, self.playing, self.stages, self.made, self.on = {}, {}, {},
    setmetatable({}, { __mode = "k" }), {}
  self.performers = {}
  self.tempo = 1
  self.robots = {} -- the robot's own sequences: their texts, and what was parsed of them
  for _, name in ipairs(suggest.keys(parts.description.sequences or {})) do
    local path = parts.description.sequences[name]
    local text, why = sequence.source(path)
    if text then self.robots[name] = { file = path, source = text } else self.say("warning", why) end
  end
  return self
end

-- Sequences by name -----------------------------------------------------------------------------------

--- A sequence compiled for this robot, once.
function Tracks:compiled(entry)
  local made = self.made[entry.description]
  if not made then
    made = tracks.compile(entry.description, self.numbers, self.description.dofs)
    self.made[entry.description] = made
  end
  return made
end

--- The names that can be played, sorted.
function Tracks:names()
  local all = {}
  for name in next, self.robots do all[name] = true end
  for name in next, self.sequences do all[name] = true end
  return suggest.keys(all)
end

--- A sequence of the robot, parsed when it is first used: few of them are, in a run.
local function of_robot(self, name)
  local entry = self.robots[name]
  if not entry or entry.description then return entry end
  local read, why = sequence.parse(entry.source, entry.file)
  if not read then
    self.robots[name] = nil
    self.say("warning", why)
    return nil
  end
  entry.description, entry.source = read, nil
  return entry
end

function Tracks:find(name)
  local entry = self.sequences[name] or of_robot(self, name)
  if entry then return entry end
  local names = self:names()
  return nil, #names == 0 and ("there is no sequence '%s': this behavior has none, and neither has \z
    the robot"):format(name)
    or ("there is no sequence '%s'%s: there are %s"):format(name, suggest.hint(name, names),
      table.concat(names, ", "))
end

--- Set the behavior's sequences, {name = {description, text}}: playing ones continue with their new version
--- at the same time; removed ones end.
function Tracks:use(sequences)
  self.sequences = sequences or {}
  for _, playing in ipairs(self:list()) do
    local entry = playing.name and (self.sequences[playing.sequence] or of_robot(self, playing.sequence))
    if playing.sequence and not entry then
      self:stop_source(playing, nil, "gone")
    elseif entry and entry.description ~= playing.entry.description and entry.text ~= playing.entry.text then
      playing.entry, playing.cues = entry, self:compiled(entry).cues
      self.player:exchange(playing.source, self:compiled(entry).motion)
    end
  end
end

-- Playing -----------------------------------------------------------------------------------------------

local how_fields = { stage = "string", priority = "number", speed = "number", amplitude = "number",
  gain = "number",
  emotion = "number", mirror = "boolean", hold = "boolean", start = "number", alive = "number",
    name = "string",
  owner = "string", fade = "number or table", mask = "string or table" }

--- Owners of sources.
tracks.owners = { autonomy = "what the robot does of itself", script = "its behavior", operator = "a person" }

--- The owner of a new source: the given one, else the current actor; raises if that is not allowed.
local function owner_of(self, said)
  local owner = said or self.actor.owner or "script"
  if tracks.owners[owner] then return owner end
  error(("there is no owner '%s'%s: there are %s"):format(owner,
    suggest.hint(owner, suggest.keys(tracks.owners)),
    table.concat(suggest.keys(tracks.owners), ", ")), 0)
end

--- Check a person's playback options: raises.
local function checked_how(how, what)
  if how == nil then return {} end
  if type(how) ~= "table" then error(what .. " expects a table of how to play it", 0) end
  for _, key in ipairs(suggest.keys(how)) do
    local expected = how_fields[key]
    if not expected then
      error(("%s has no '%s'%s"):format(what, key, suggest.hint(key, suggest.keys(how_fields))), 0)
    elseif not expected:find(type(how[key]), 1, true) then
      error(("%s: %s must be a %s, not %s"):format(what, key, expected, type(how[key])), 0)
    end
  end
  return how
end

--- Play a sequence, by name or as a table.  Return what is playing, or nil and the reason.  Raises on invalid
--- arguments.
function Tracks:play(name, how, by)
  how = checked_how(how, "play")
  local entry, why
  if type(name) == "table" then
    entry = self.made[name] and { description = name } or { description = sequence.describe(name) }
  else
    entry, why = self:find(tostring(name))
  end
  if not entry then return nil, why end
  local made, said, owner = self:compiled(entry), entry.description, owner_of(self, how.owner)
  local masked = how.mask and mask.others(self.description, how.mask) or {}
  local share = how.emotion or said.emotion or 1
  local speed, amplitude = self:modulated(share, how.speed or 1, how.amplitude or 1)
  local label = how.name or type(name) == "string" and name or said.name or "a sequence"
  local source, sentence = self.player:play(made.motion, {
    name = label, stage = how.stage or "sequences", priority = how.priority or said.priority or 0,
      speed = speed,
    amplitude = amplitude, gain = how.gain, alive = how.alive, mirror = how.mirror, hold = how.hold,
      start = how.start,
    fade = how.fade or said.fade,
  })
  if not source then return nil, sentence end
  for _, number in ipairs(masked) do self.player:mask(source, number, true) end
  return self:note { source = source, name = label, sequence = type(name) == "string" and name or nil,
    entry = entry, cues = made.cues, owner = owner, faculty = how.faculty,
    said = { speed = how.speed or 1, amplitude = how.amplitude or 1 }, share = share,
    made = { speed = speed, amplitude = amplitude },
    began = self.now(), by = by, stage = how.stage or "sequences", priority = how.priority or said.priority
      or 0 }
end

--- Start a live source: how as for play, and tau (s), follow, the weight of joints (500), and faculty, of the
--- character, whose level applies.
function Tracks:live(name, how)
  if type(name) ~= "string" then error("a source must have a name", 2) end
  how = how or {}
  local owner = owner_of(self, how.owner)
  local source, sentence = self.player:live { name = name, stage = how.stage or "merge",
    priority = how.priority, gain = how.gain,
    fade = how.fade, tau = how.tau, follow = how.follow, alive = how.alive }
  if not source then return nil, sentence end
  return self:note { source = source, name = name, live = true, began = self.now(), by = how.by,
    stage = how.stage or "merge", priority = how.priority or 0, owner = owner, faculty = how.faculty }
end

-- Modulation ------------------------------------------------------------------------------------------------

--- Maximum speed and amplitude of a source.
local most = { speed = 100, amplitude = 10 }

--- A speed and an amplitude scaled by the emotion: `mood` has factors of both, and `share` is how much of
--- that applies here; the run's tempo scales every speed.
function Tracks:modulated(share, speed, amplitude)
  local mood = self.mood
  speed = speed * self.tempo
  if not mood or share == 0 then return math.min(most.speed, speed), amplitude end
  return math.min(most.speed, speed * mood.speed ^ share),
    math.min(most.amplitude, amplitude * mood.amplitude ^ share)
end

--- Set a field of a playing sequence: "speed" and "amplitude" before scaling by the emotion and the tempo.
function Tracks:set(playing, field, value)
  local said = playing.said
  if said and said[field] and type(value) == "number" then
    said[field] = value
    local speed, amplitude = self:modulated(playing.share, said.speed, said.amplitude)
    value = field == "speed" and speed or amplitude
    playing.made[field] = value
  end
  return self.player:set(playing.source, field, value)
end

--- Scale playing sources by the robot's emotion: only for changes above 5 %, since each change causes a
--- transition.
function Tracks:modulate()
  for source, playing in next, self.playing do
    if playing.said then
      local said, made = playing.said, playing.made
      local speed, amplitude = self:modulated(playing.share, said.speed, said.amplitude)
      if math.abs(speed - made.speed) > 0.05 * made.speed then
        made.speed = speed
        self.player:set(source, "speed", speed)
      end
      if math.abs(amplitude - made.amplitude) > 0.05 * made.amplitude then
        made.amplitude = amplitude
        self.player:set(source, "amplitude", amplitude)
      end
    end
  end
end

--- Register a playing sequence or source, and record it.
function Tracks:note(playing)
  self.playing[playing.source] = playing
  self.newest = playing
  local own = playing.owner == "autonomy"
  if own then playing.faculty = playing.faculty or self.actor.faculty or playing.name end
  if self.on_source then self.on_source(playing) end
  playing.id = self.recorder:source {
    name = playing.name, owner = playing.owner, kind = playing.live and "live" or "sequence",
    stage = playing.stage, priority = playing.priority,
    place = self:place(playing.stage),
    who = playing.by, started = playing.began, sequence = playing.entry and playing.entry.hash,
  }
  return playing
end

--- The command of a DOF: outside the tree, a playing source overrides the scripts' target, and a lid follows
--- its eye.
function Tracks:told(name, target)
  local number = self.numbers[name]
  if not number or not self.description.dofs[number].outside then return target end
  local story = self.player:why(number)
  return (story.follow > 0 or self.lids[name] and self.now() > 0) and story.value or target
end

--- The position of a stage in the order of the combination.
function Tracks:place(name)
  for place, stage in ipairs(self.player:stages()) do
    if stage.name == name then return place end
  end
end

--- The number of a DOF; raises with the nearest name if it is unknown.
function Tracks:number(dof)
  local number = self.numbers[dof]
  if number then return number end
  error(("the robot has no DOF '%s'%s"):format(tostring(dof),
    suggest.hint(tostring(dof), suggest.keys(self.numbers))), 0)
end

--- Set a live source's value; nil: release the DOF.  With `over`, it is added to the value below.
function Tracks:say_value(playing, dof, value, over)
  self.player:say(playing.source, self:number(dof), value, over)
end

--- Silence after which a performer has left, s: the robot returns to the values below.
tracks.silence = 0.5

--- Process a performer's frame: values of DOFs by name, which override the values below as long as frames
--- arrive. Raises, and applies nothing, if a DOF does not exist. Return whether the performer is new, or nil
--- and a sentence.
function Tracks:perform(name, values, who)
  for dof, value in next, values do
    self:number(dof)
    if not (type(value) == "number" and value - value == 0) then
      error(("%s must be a finite number"):format(dof), 0)
    end
  end
  local playing, fresh = self.performers[name], false
  if not playing then
    local why
    playing, why = self:live(name, { tau = 0.02, fade = tracks.silence, by = who, owner = "operator" })
    if not playing then return nil, why end
    self.performers[name], fresh = playing, true
  end
  playing.heard = self.now()
  for dof, value in next, values do self.player:say(playing.source, self:number(dof), value) end
  self.recorder:input(nil, playing.heard,
    { name = "perform " .. name, value = values, source = who or "performer" })
  return fresh
end

--- A performer's end: its DOFs are released. Return whether there was one.
function Tracks:perform_end(name, why)
  local playing = self.performers[name]
  self.performers[name] = nil
  return playing ~= nil and self:stop_source(playing, tracks.silence, why or "over")
end

--- Remove performers that have become silent, in the order of their names, so that the record repeats.
local function leave_silent(self)
  if not next(self.performers) then return end
  for _, name in ipairs(suggest.keys(self.performers)) do
    if self.now() - self.performers[name].heard > tracks.silence then self:perform_end(name, "silent") end
  end
end

--- Everything that plays, in the order of its beginning.
function Tracks:list()
  local list = {}
  for _, playing in next, self.playing do list[#list + 1] = playing end
  table.sort(list, function(a, b) return a.id < b.id end)
  return list
end

--- Stop one source, with a transition of `fade` s; without `fade` a loop or hold plays to its
--- end.  Return whether it was playing.
function Tracks:stop_source(playing, fade, why)
  if not self.playing[playing.source] then return false end
  playing.why = playing.why or why or "stopped"
  return self.player:stop(playing.source, fade)
end

--- Stop the playing source of a name: loops and holds play to their end, unless a fade is given.  Return the
--- number.
function Tracks:stop(name, fade, why)
  local count = 0
  for _, playing in ipairs(self:list()) do
    if playing.name == name or playing.source == name then
      local loops = not fade and playing.entry and playing.entry.description.loop
      if not (loops and not playing.released) then self:stop_source(playing, fade,
        why) else self.player:release(playing.source) end
      playing.released, playing.why = true, playing.why or why or "stopped"
      count = count + 1
    end
  end
  return count
end

--- Stop everything.
function Tracks:stop_all(fade, why)
  for _, playing in ipairs(self:list()) do self:stop_source(playing, fade, why) end
end

-- What happens ------------------------------------------------------------------------------------------

local news = {}

--- The full path of a file that a sequence names, relative to the sequence's own.
local function path_of(entry, name)
  return entry.file and paths.beside(entry.file, name) or name
end

function news.cue(self, playing, index)
  local cue = playing.cues and playing.cues[index]
  if not cue then return end
  if cue.what == "events" then
    self.emit(cue.cue[2], cue.cue.data, playing.name)
  else
    self.emit("audio", { file = cue.cue[2], path = path_of(playing.entry, cue.cue[2]),
      gain = cue.cue.gain or 1, sequence = playing.name }, playing.name)
  end
end

function news.looped() end

function news.ended(self, playing)
  self.playing[playing.source] = nil
  self.recorder:source_end(playing.id, self.now(), playing.why or "over")
  self.emit("sequence_ended", { name = playing.name, why = playing.why or "over", owner = playing.owner },
    playing.name)
end

function news.on(self, playing, dof)
  local name = self.description.dofs[dof].name
  local id = self.recorder:contribution { source = playing.id, dof = name, started = self.now() }
  playing.moved = playing.moved or {} -- the DOFs that it has moved
  table.insert(playing.moved, name)
  self.on[playing.source * 4096 + dof] = id
end

function news.off(self, playing, dof)
  local key = playing.source * 4096 + dof
  if self.on[key] then self.recorder:contribution_end(self.on[key], self.now()) end
  self.on[key] = nil
end

--- The run has ended: end everything that plays.
function Tracks:close(now)
  for _, id in next, self.on do self.recorder:contribution_end(id, now) end
  for _, playing in ipairs(self:list()) do
    self.recorder:source_end(playing.id, now, playing.why or "the run's end")
  end
  self.on, self.playing = {}, {}
end

--- Interval between records of each source's motion of DOFs, s; minimum motion that is recorded, in a DOF's
--- unit.
tracks.every, tracks.least = 0.1, 1e-5

--- Record by how much each source moves DOFs, as in `why`.
local function note_moves(self)
  if not next(self.playing) or self.now() < (self.noted or 0) then return end
  self.noted = self.now() + tracks.every - 1e-9
  local moved = {}
  for index, dof in ipairs(self.description.dofs) do
    local _, sources = self.player:why(index)
    for _, one in ipairs(sources) do
      local playing, amount = self.playing[one.source], one.after - one.before
      if playing and math.abs(amount) > tracks.least then
        moved[playing.id] = moved[playing.id] or {}
        moved[playing.id][dof.name] = math.floor(amount * 1e6 + 0.5) / 1e6
      end
    end
  end
  for _, playing in ipairs(self:list()) do
    if moved[playing.id] then self.recorder:moves(playing.id, self.now(), moved[playing.id]) end
  end
end

--- Report and record the events of the last tick.
function Tracks:work()
  leave_silent(self)
  note_moves(self)
  local what, source, index = self.player:poll()
  while what do
    local playing = self.playing[source]
    if playing then news[what](self, playing, index) end
    what, source, index = self.player:poll()
  end
end

-- Stages of one's own --------------------------------------------------------------------------------------

--- The tracks for a stage written in Lua: DOFs' values are read and set by name.
local function face_of(self, source)
  return setmetatable({}, {
    __index = function(_, dof) return self.player:value(self:number(dof)) end,
    __newindex = function(_, dof, value) self.player:say(source, self:number(dof), value) end,
    __name = "tracks", __metatable = false,
  })
end

--- Set the behavior's stages: a list of {name =, after =, work = function(self, tracks)}.
function Tracks:use_stages(list)
  local wanted = {}
  for _, stage in ipairs(list or {}) do wanted[stage.name] = stage end
  for _, name in ipairs(suggest.keys(self.stages)) do
    if not wanted[name] then
      self.player:remove_stage(name)
      self.stages[name] = nil
    end
  end
  for _, stage in ipairs(list or {}) do
    local known = self.stages[stage.name]
    if known then
      known.work = stage.work
    else
      local number = self.player:add_stage(stage.name, stage.after or "merge")
      local playing = assert(self:live(stage.name,
        { stage = stage.name, fade = stage.fade, owner = "script" }))
      self.stages[stage.name] = { number = number, work = stage.work, face = face_of(self, playing.source),
        name = stage.name }
    end
  end
end

--- Run the stage with this number.
function Tracks:stage(number)
  for _, stage in next, self.stages do
    if stage.number == number then return stage end
  end
end

return tracks
