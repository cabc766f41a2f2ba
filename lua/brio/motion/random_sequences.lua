--- Random life and keys: sequences that play at random intervals (blinks, ear flaps, glances, shifts of
--- posture) on unused DOFs; and sequences that play when a key or a button is pressed.
---     life = { blink = { play = "blink", every = "blink" },
---              flap = { play = { "flap_left", "flap_right" }, every = { mean = 12 }, amplitude = { 0.7, 1 }
---                } },
---     keys = { n = { play = "nod", mode = "one_shot" }, pad_south = { play = "wave", mode = "hold" } },
local fields = require "brio.lib.fields"
local random = require "brio.random"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local life = {}
local Life = {}
Life.__index = Life

--- Intervals from the end of one sequence to the beginning of the next, s: log-normal with this mean and
--- deviation of the logarithm, limited to `least` and `most`.
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

local function at_least(least, unit, doc) return { "number", lower = least, unit = unit, doc = doc } end

--- An interval as a table: a truncated log-normal distribution.
life.interval_fields = {
  mean = { "number", unit = "s", lower = 0.05, needed = true, doc = "mean interval" },
  sigma = at_least(0, "", "deviation of its logarithm; default 0.5"),
  least = at_least(0, "s", "the shortest"), most = at_least(0, "s", "the longest"),
    source = "string or table",
}

local function fault_of_interval(value)
  if type(value) ~= "string" then
    if type(value) ~= "table" then return "must be an interval's name or { mean = seconds }" end
    return fields.fault(value, { "record", fields = life.interval_fields })
  end
  if life.intervals[value] then return nil end
  local names = suggest.keys(life.intervals)
  return (": there is no interval '%s'%s: there are %s"):format(value, suggest.hint(value, names),
    table.concat(names, ", "))
end

--- Whether a value is a duration or a strength: a finite number, 0 at least.
local function is_amount(value) return fields.is_number(value) and value >= 0 end

local function fault_of_draw(value)
  local pair = type(value) == "table" and is_amount(value[1]) and is_amount(value[2]) and value[1] <= value[2]
  return not (pair or is_amount(value)) and "must be a number, or {least, most}" or nil
end

--- A field for an interval, by name or as a table; and one for a number, or {minimum, maximum} of a uniform
--- distribution.
---@param doc string
---@param needed? boolean
function life.interval(doc, needed)
  return { "table or string", fault = fault_of_interval, doc = doc, needed = needed }
end

--- A field for a number, or {minimum, maximum} of a uniform distribution.
function life.drawn(doc) return { "number or table", lower = 0, fault = fault_of_draw, doc = doc } end

--- The playback options of both kinds of rows, and of gestures of idle life.
life.how_fields = {
  amplitude = life.drawn "how far it goes: a number, or {least, most} to draw from",
  speed = life.drawn "how fast it plays: a number, or {least, most} to draw from",
  mirror = { "boolean or string", doc = "exchanges left and right: true, or \"random\"" },
  fade = { "number or table", unit = "s", doc = "transition at its start and end, or {in, out}" },
}

local function with_how(record)
  for name, field in next, life.how_fields do record[name] = field end
  return record
end

local play_field = { "string or table", doc = "the name of a sequence, or a list of such" }
--- The fields of rows of `life`, and of `keys`.
life.row_fields = with_how {
  play = play_field, every = life.interval("from start to start", true),
  priority = { "number", doc = "the higher is on top; of equals, the later" },
}
life.key_fields = with_how {
  play = play_field, mode = { "choice", of = { "one_shot", "hold", "toggle" }, value = "one_shot",
    doc = "what a press and a release do" },
}

-- Checking ----------------------------------------------------------------------------------------------

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
  return schema.fault(row, known, what) or fault_of_play(row.play, what, knows)
end

--- The error in the `life`, `keys` and `stages` of a loaded behavior on a robot: a list of faults.
function life.faults(loaded, description)
  local said, list, knows = loaded.definition.fields, {}, {}
  for name in next, loaded.sequences do knows[name] = true end
  for name in next, description.sequences or {} do knows[name] = true end
  local function add(message)
    if message then list[#list + 1] = { file = loaded.file, line = 0, message = message } end
  end
  for _, name in ipairs(suggest.keys(said.life or {})) do
    add(fault_of_row(said.life[name], ("life '%s'"):format(name), life.row_fields, knows))
  end
  for _, name in ipairs(suggest.keys(said.keys or {})) do
    add(fault_of_row(said.keys[name], ("key '%s'"):format(name), life.key_fields, knows))
  end
  for index, stage in ipairs(said.stages or {}) do
    local good = type(stage) == "table" and type(stage.name) == "string" and type(stage.work) == "function"
    add(not good and ("stages[%d] must be { name = ..., after = ..., work = function(self, \z
      tracks) end }"):format(index) or nil)
  end
  return list
end

-- Random life -------------------------------------------------------------------------------------------

--- The random life of a run.
function life.new(host)
  return setmetatable({ host = host, rows = {}, keys = {}, drawn = {},
    stream = random.stream(host.seed or 0, "life") }, Life)
end

--- Draw an interval, by its name or as a table, from a stream.
function life.draw_interval(stream, every)
  every = life.intervals[every] or every
  local sigma = every.sigma or 0.5
  local value = every.mean * math.exp(sigma * stream:normal() - sigma * sigma / 2)
  return math.max(every.least or 0, math.min(every.most or math.huge, value))
end

--- Draw from the range of a pair; other values are returned.
function life.draw(stream, value)
  if type(value) == "table" then return stream:uniform(value[1], value[2]) end
  return value
end

--- One of the row's sequences, different from the last one if there is another.
local function choose(stream, row)
  local names = type(row.said.play) == "table" and row.said.play or { row.said.play }
  local index = #names == 1 and 1 or stream:whole(row.last and #names - 1 or #names)
  if row.last and #names > 1 and index >= row.last then index = index + 1 end
  row.last = index
  return names[index]
end

--- Set the rows; rows of the same name keep their times.
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

--- Play one of a row's sequences, { said, last }, with what its settings draw: what is playing and its name;
--- nil and a sentence.
local function play(self, row, how, by)
  local said, stream = row.said, self.stream
  how.mirror = said.mirror == "random" and stream:whole(2) == 1 or said.mirror == true
  local name = choose(stream, row)
  how.amplitude, how.speed = life.draw(stream, said.amplitude), life.draw(stream, said.speed)
  how.fade = said.fade
  local playing, why = self.host.tracks:play(name, how, by)
  return playing, playing and name or why
end

--- Play the sequences that are due.
function Life:work(now)
  for _, name in ipairs(self.order or {}) do
    local row = self.rows[name]
    if now >= row.next then
      local said = row.said
      local playing = play(self, row, { stage = "random", name = name, priority = said.priority }, "life")
      local described = playing and playing.entry.description
      local length = described and require("brio.motion.sequence").length(described) or 0
      row.next = now + length + life.draw_interval(self.stream, said.every)
    end
  end
end

-- Keys ----------------------------------------------------------------------------------------------------

local keyboard = { "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm" }

--- The leftmost key has the highest priority; names that are not on the keyboard follow, by name.
local function priority_of(name)
  for _, line in ipairs(keyboard) do
    local column = #name == 1 and line:find(name, 1, true)
    if column then return 100 - column end
  end
  return 0
end

--- A key or button was pressed.  Return a sentence; nil if it has no function; nil and a sentence if its
--- sequence cannot play.
function Life:press(name, who)
  local row = (self.bound or {})[name]
  if not row then return nil end
  local tracks, playing = self.host.tracks, self.keys[name]
  if playing and tracks.playing[playing.source] ~= playing then playing = nil end
  if playing and row.mode == "toggle" then
    tracks:stop(playing.source)
    self.keys[name] = nil
    return ("stops %s"):format(playing.name)
  end
  if playing and row.mode == "hold" then return ("plays %s already"):format(playing.name) end
  local chosen = { said = row, last = self.drawn[name] }
  local made, what = play(self, chosen, { stage = "keys", priority = priority_of(name),
    hold = row.mode == "hold" or nil, owner = who and "operator" or "script" }, who or "key " .. name)
  self.keys[name], self.drawn[name] = made, chosen.last
  if not made then return nil, what end
  return ("plays %s"):format(what)
end

--- A key or button was released.
function Life:let_go(name)
  local row, playing = (self.bound or {})[name], self.keys[name]
  if not (row and playing and row.mode == "hold") then return end
  self.host.tracks:stop(playing.source)
  self.keys[name] = nil
end

return life
