--- Random life and keys: sequences that play by themselves at random intervals (blinks, ear flaps, glances,
--- shifts of posture), on what nothing else has; and sequences that play when a key or a button is pressed.
---
---     life = { blink = { play = "blink", every = "blink" },
---              flap = { play = { "flap_left", "flap_right" }, every = { mean = 12 }, amplitude = { 0.7, 1 }
---                } },
---     keys = { n = { play = "nod", mode = "one_shot" }, pad_south = { play = "wave", mode = "hold" } },
local random = require "brio.random"
local suggest = require "brio.lib.suggest"

local life = {}
local Life = {}
Life.__index = Life

--- Intervals, s: from the end of one to the beginning of the next they are log-normal with this mean and
--- deviation of the logarithm, none shorter than `least` or longer than `most`.
life.intervals = {
  blink = { mean = 3.5, sigma = 0.5, least = 0.5, most = 12,
    source = "17 blinks a minute at rest, log-normal: Bentivoglio et al., Movement Disorders 12(6), 1997" },
  blink_talking = { mean = 2.3, sigma = 0.5, least = 0.4, most = 8,
    source = "26 a minute in conversation: the same" },
  blink_reading = { mean = 13.3, sigma = 0.5, least = 2, most = 40,
    source = "4.5 a minute while reading: the same" },
  glance = { mean = 3.5, sigma = 0.35, least = 1, most = 10,
    source = "another target every 2 to 5 s: chosen by us after social robots' practice" },
  ear_flap = { mean = 12, sigma = 0.5, least = 3, most = 40, source = "chosen by us" },
  posture_shift = { mean = 25, sigma = 0.5, least = 6, most = 90, source = "chosen by us" },
}

local life_fields = { play = true, every = true, amplitude = true, speed = true, mirror = true,
  priority = true, fade = true }
local key_fields = { play = true, mode = true, amplitude = true, speed = true, mirror = true, fade = true }
local interval_fields = { mean = true, sigma = true, least = true, most = true, source = true }
local modes = { one_shot = true, hold = true, toggle = true }

-- Checking ----------------------------------------------------------------------------------------------

local function is_number(value, least)
  return type(value) == "number" and value - value == 0 and value >= least
end

local function unknown(fields, known, what)
  for _, key in ipairs(suggest.keys(fields)) do
    if not known[key] then
      return ("%s has no field '%s'%s"):format(what, key, suggest.hint(key, suggest.keys(known)))
    end
  end
end

--- The error in an interval, by name or as a table; nil: nothing.
function life.fault_of_interval(every, what)
  if type(every) == "string" then
    if life.intervals[every] then return nil end
    local names = suggest.keys(life.intervals)
    return ("%s: there is no interval '%s'%s: there are %s"):format(what, every, suggest.hint(every, names),
      table.concat(names, ", "))
  end
  if type(every) ~= "table" then return what .. ": every must be an interval's name or { mean = seconds }" end
  if not is_number(every.mean, 0.05) then return what .. ": every.mean must be seconds, at least 0.05" end
  for _, key in ipairs { "sigma", "least", "most" } do
    if every[key] ~= nil and not is_number(every[key], 0) then
      return ("%s: every.%s must be a number of at least 0"):format(what, key)
    end
  end
  return unknown(every, interval_fields, what .. ": every")
end

--- The error in a number, or with {least, most} to draw from.
function life.fault_of_draw(value, what)
  if value == nil or is_number(value, 0) then return nil end
  local pair = type(value) == "table" and is_number(value[1], 0) and is_number(value[2], 0)
    and value[1] <= value[2]
  return not pair and what .. " must be a number, or {least, most}" or nil
end

local function fault_of_play(play, what, knows)
  for _, name in ipairs(type(play) == "table" and play or { play }) do
    if type(name) ~= "string" then return what .. ": play must be a sequence's name, or a list of such" end
    if not knows[name] then
      return ("%s: there is no sequence '%s'%s"):format(what, name, suggest.hint(name, suggest.keys(knows)))
    end
  end
  if play == nil or type(play) == "table" and #play == 0 then return what .. ": play must name a sequence" end
end

local function fault_of_row(row, what, known, knows)
  if type(row) ~= "table" then return what .. " must be a table" end
  return unknown(row, known, what) or fault_of_play(row.play, what, knows)
    or life.fault_of_draw(row.amplitude, what .. ": amplitude")
      or life.fault_of_draw(row.speed, what .. ": speed")
end

--- The error in the `life`, `keys` and `stages` of a loaded behavior on a robot: a list of faults.
function life.faults(loaded, description)
  local fields, list, knows = loaded.definition.fields, {}, {}
  for name in next, loaded.sequences do knows[name] = true end
  for name in next, description.sequences or {} do knows[name] = true end
  local function add(message)
    if message then list[#list + 1] = { file = loaded.file, line = 0, message = message } end
  end
  for _, name in ipairs(suggest.keys(fields.life or {})) do
    local row, what = fields.life[name], ("life '%s'"):format(name)
    add(fault_of_row(row, what, life_fields, knows) or life.fault_of_interval(row.every, what))
  end
  for _, name in ipairs(suggest.keys(fields.keys or {})) do
    local row, what = fields.keys[name], ("key '%s'"):format(name)
    local fault = fault_of_row(row, what, key_fields, knows)
    if not fault and not modes[row.mode or "one_shot"] then
      fault = what .. ": mode must be one_shot, hold or toggle"
    end
    add(fault)
  end
  for index, stage in ipairs(fields.stages or {}) do
    local good = type(stage) == "table" and type(stage.name) == "string" and type(stage.work) == "function"
    add(not good and ("stages[%d] must be { name = ..., after = ..., work = function(self, \z
      tracks) end }"):format(index) or nil)
  end
  return list
end

-- Random life -------------------------------------------------------------------------------------------

--- Make what lives at random in a run.
function life.new(host)
  return setmetatable({ host = host, rows = {}, keys = {}, stream = random.stream(host.seed or 0, "life") },
    Life)
end

--- Draw an interval, by its name or as a table, from a stream.
function life.draw_interval(stream, every)
  every = life.intervals[every] or every
  local sigma = every.sigma or 0.5
  local value = every.mean * math.exp(sigma * stream:normal() - sigma * sigma / 2)
  return math.max(every.least or 0, math.min(every.most or math.huge, value))
end

--- Draw between the two of a pair; other values stay.
function life.draw(stream, value)
  if type(value) == "table" then return stream:uniform(value[1], value[2]) end
  return value
end

--- One of the row's sequences, another than the last time where there is another.
local function choose(stream, row)
  local names = type(row.said.play) == "table" and row.said.play or { row.said.play }
  local index = #names == 1 and 1 or stream:whole(row.last and #names - 1 or #names)
  if row.last and #names > 1 and index >= row.last then index = index + 1 end
  row.last = index
  return names[index]
end

--- The rows are these from now on; what goes on under the same name keeps its time.
function Life:use(rows, keys)
  local made = {}
  for _, name in ipairs(suggest.keys(rows or {})) do
    local said, before = rows[name], self.rows[name]
    made[name] = { name = name, said = said,
      next = before and before.next or self.host.now + life.draw_interval(self.stream, said.every),
      last = before and before.last }
  end
  self.rows, self.order, self.bound = made, suggest.keys(made), keys or {}
end

--- Play the sequences that are due.
function Life:work(now)
  for _, name in ipairs(self.order or {}) do
    local row = self.rows[name]
    if now >= row.next then
      local said, tracks = row.said, self.host.tracks
      local mirror = said.mirror == "random" and self.stream:whole(2) == 1 or said.mirror == true
      local playing = tracks:play(choose(self.stream, row),
        { stage = "random", name = name, priority = said.priority,
        amplitude = life.draw(self.stream, said.amplitude), speed = life.draw(self.stream, said.speed),
          mirror = mirror,
        fade = said.fade }, "life")
      local described = playing and playing.entry.description
      local length = described and require("brio.motion.sequence").length(described) or 0
      row.next = now + length + life.draw_interval(self.stream, said.every)
    end
  end
end

-- Keys ----------------------------------------------------------------------------------------------------

local keyboard = { "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm" }

--- The leftmost key is on top; keys that are on no keyboard come below, by name.
local function priority_of(name)
  for _, line in ipairs(keyboard) do
    local column = #name == 1 and line:find(name, 1, true)
    if column then return 100 - column end
  end
  return 0
end

--- A key, or a button of that name, is pressed.  Return a sentence, or nil where it means nothing.
function Life:press(name, who)
  local row = (self.bound or {})[name]
  if not row then return nil end
  local tracks, playing = self.host.tracks, self.keys[name]
  if playing and tracks.playing[playing.source] ~= playing then playing = nil end
  if playing and row.mode == "toggle" then
    tracks:stop(playing.source)
    self.keys[name] = nil
    return ("stops %s"):format(row.play)
  end
  if playing and row.mode == "hold" then return ("plays %s already"):format(row.play) end
  self.keys[name] = tracks:play(row.play,
    { stage = "keys", priority = priority_of(name), amplitude = row.amplitude,
    speed = row.speed,
    mirror = row.mirror, fade = row.fade, hold = row.mode == "hold" or nil,
      owner = who and "operator" or "script" },
    who or "key " .. name)
  return ("plays %s"):format(row.play)
end

--- It is let go of.
function Life:let_go(name)
  local row, playing = (self.bound or {})[name], self.keys[name]
  if not (row and playing and row.mode == "hold") then return end
  self.host.tracks:stop(playing.source)
  self.keys[name] = nil
end

return life
