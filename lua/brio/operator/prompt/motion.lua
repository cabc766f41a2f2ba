--- The prompt's words for playback: play, stop NAME, why, mix, key.
local columns = require "brio.lib.columns"
local mask = require "brio.motion.tracks.mask"
local reasons = require "brio.behavior.wants.why"
local suggest = require "brio.lib.suggest"

local motion = {}

--- A message of the library without the position in brio's own file.
local function plain(message) return (tostring(message):gsub("^.-%.lua:%d+: ", "")) end

--- The words of a list that apply, joined.
local function said_of(words, count)
  local list = {}
  for index = 1, count do list[#list + 1] = words[index] or nil end
  return table.concat(list, " ")
end

--- Sources that play now, as a table for people.
local function playing_table(tracks)
  local rows = {}
  for _, source in ipairs(tracks.player:sources()) do
    local playing = tracks.playing[source.source]
    rows[#rows + 1] = {
      name = source.name, stage = source.stage, priority = ("%g"):format(source.priority),
      time = source.live and "live" or ("%.2f s"):format(source.time), by = playing and playing.by or "",
      whose = playing and playing.owner or "",
      speed = ("%g"):format(source.speed), amplitude = ("%g"):format(source.amplitude),
      said = said_of({ source.looping and "loops", source.holds and "holds", source.mirror and "mirrored" },
        3),
    }
  end
  return columns.text({ "name", "stage", "priority", "time", "speed", "amplitude", "whose", "by", "said" },
    rows)
end

--- Why nothing may play now: the panic stop; nil: it may.  In a test there may be no desk.
local function refusal(prompt) return prompt.desk and prompt.desk.stop:refusal() end

--- play [NAME [{ how }]]
function motion.play(prompt, rest, request)
  local tracks = prompt.run.host.tracks
  if rest == "" then
    local names = tracks:names()
    local lines = { #names > 0 and "can be played: " .. table.concat(names, ", ")
      or "this behavior has no sequences, and neither has the robot" }
    if next(tracks.playing) then
      lines[2] = refusal(prompt)
      lines[#lines + 1] = playing_table(tracks)
    end
    return table.concat(lines, "\n")
  end
  local host = prompt.run.host
  local stopped = refusal(prompt) or host.halted and "the behavior failed and the pose is held"
  if stopped then return nil, stopped end
  local name, text = rest:match "^(%S+)%s*(.-)$"
  name = name:match "^[\"'](.*)[\"']$" or name
  local good, how = true, nil
  if text ~= "" then good, how = prompt:value(text) end
  if not good then return nil, how end
  local done, playing, why = pcall(tracks.play, tracks, name, how, request.who)
  if not done then return nil, plain(playing) end
  if not playing then return nil, why end
  return ("plays %s"):format(playing.name)
end

--- stop NAME [SECONDS]: stops what plays under a name; `stop` alone is handled by the front.
function motion.stop(prompt, rest)
  if rest == "" then return "" end
  local name, fade = rest:match "^(%S+)%s*(%S*)$"
  local tracks, seconds = prompt.run.host.tracks, tonumber(fade or "")
  if not name or fade ~= "" and not (seconds and seconds >= 0 and seconds <= 60) then
    return nil, "say stop NAME, or stop NAME SECONDS, up to 60"
  end
  local count = tracks:stop(name, seconds)
  if count > 0 then return ("stops %s"):format(name) end
  local names = {}
  for _, playing in ipairs(tracks:list()) do names[#names + 1] = playing.name end
  return nil, #names == 0 and "nothing plays (stop alone ends the run)"
    or ("nothing plays under '%s'%s: there are %s"):format(name, suggest.hint(name, names),
      table.concat(names, ", "))
end

--- why DOF
function motion.why(prompt, rest)
  local name = rest:match '^%(?%s*["\']?([^"\'()]-)["\']?%s*%)?$'
  if not name or name == "" then return nil, "say of which DOF, as in why HeadPitch" end
  local good, story = pcall(reasons.of, prompt.run.host, name)
  if not good then return nil, plain(story) end
  return tostring(story)
end

--- Maximum number of values in a frame.
local most_values = 256

--- perform NAME DOF=VALUE ... | end
function motion.perform(prompt, rest, request)
  local name, said = rest:match "^([%w_%-%.]+)%s+(.-)$"
  if not name or said == "" then
    return nil, "say who, and DOFs with values, as in perform ann HeadYaw=0.2 HeadPitch=-0.1"
  end
  local tracks, values, count = prompt.run.host.tracks, {}, 0
  if said == "end" then
    return tracks:perform_end(name) and name .. " is let go" or nil, ("nobody performs as '%s'"):format(name)
  end
  for dof, number in said:gmatch "([^%s=]+)=(%S+)" do
    values[dof], count = tonumber(number), count + 1
    if not values[dof] or count > most_values then return nil, ("%s=%s is no value"):format(dof, number) end
  end
  if count == 0 then return nil, "no DOF with a value is in it, as in perform ann HeadYaw=0.2" end
  local good, fresh, why = pcall(tracks.perform, tracks, name, values, request.who)
  if not good then return nil, plain(fresh) end
  if fresh == nil then return nil, why end
  return fresh and name .. " performs" or ""
end

--- key NAME [up]
function motion.key(prompt, rest, request)
  local name, up = rest:match "^(%S+)%s*(%S*)$"
  local life = prompt.run.host.life
  if not name then
    local names = suggest.keys(life.bound or {})
    return #names > 0 and "keys: " .. table.concat(names, ", ") or "this behavior has bound no keys"
  end
  if up == "up" then
    life:let_go(name)
    return "let go of " .. name
  end
  local stopped = refusal(prompt)
  if stopped then return nil, stopped end
  local said, why = life:press(name, request.who)
  if said or why then return said, why end
  return nil, ("no key '%s' is bound%s"):format(name, suggest.hint(name, suggest.keys(life.bound or {})))
end

-- The mixer -----------------------------------------------------------------------------------------------

local function meter(level) return ("%-10s"):format(("#"):rep(math.floor(math.min(level, 1) * 10 + 0.5))) end

local function mixer_table(tracks)
  local mixer, rows = tracks.player:mixer(), {}
  local function said(row) return row.mute and "mute" or row.solo and "solo" or "" end
  rows[1] = { channel = "combination", stage = "", whose = "", gain = ("%g"):format(mixer.gain), level = "",
    said = said(mixer) }
  for _, source in ipairs(tracks.player:sources()) do
    local playing = tracks.playing[source.source]
    rows[#rows + 1] = { channel = source.name, stage = source.stage, whose = playing and playing.owner or "",
      gain = ("%g"):format(source.gain),
      level = meter(source.level),
      said = said(source) }
  end
  return ("mode: %s\n"):format(mixer.literal and "literal mean" or "normalized mean")
    .. columns.text({ "channel", "stage", "whose", "gain", "level", "said" }, rows)
end

local channel_words = {}

function channel_words.gain(_, set, value)
  local gain = tonumber(value)
  if not (gain and gain >= 0 and gain <= 4) then return nil, "a gain is a number from 0 to 4" end
  set("gain", gain)
  return true
end

local settings = { mute = { "mute", true }, unmute = { "mute", false }, solo = { "solo", true },
  unsolo = { "solo", false } }
for word, setting in pairs(settings) do
  channel_words[word] = function(_, set)
    set(setting[1], setting[2])
    return true
  end
end

local function masking(off)
  return function(prompt, _, value, sources)
    local list, why = mask.dofs(prompt.run.description, value)
    if not list then return nil, why end
    for _, source in ipairs(sources) do
      for _, dof in ipairs(list) do prompt.run.host.tracks.player:mask(source, dof, off) end
    end
    return #sources > 0 or nil, "the combination's channel has no mask: mask its sources"
  end
end

channel_words.mask, channel_words.unmask = masking(true), masking(false)

--- The sources of a channel's name, and the function that sets their fields.
local function channel_of(tracks, name)
  local player, sources = tracks.player, {}
  if name == "combination" then
    return sources, function(field, value) player:mixer { [field] = value } end
  end
  for _, source in ipairs(player:sources()) do
    if source.name == name then sources[#sources + 1] = source.source end
  end
  if #sources == 0 then return nil end
  return sources, function(field, value)
    for _, source in ipairs(sources) do player:set(source, field, value) end
  end
end

--- slide DOF VALUE|off: a slider for the DOF, directly in the mixer
local function slide(prompt, rest)
  local dof, text = rest:match "^(%S+)%s+(%S+)$"
  if not dof then return nil, "say mix slide DOF VALUE, or mix slide DOF off" end
  local tracks, value = prompt.run.host.tracks, tonumber(text)
  if not tracks.numbers[dof] then
    return nil, ("there is no DOF '%s'%s"):format(dof, suggest.hint(dof, suggest.keys(tracks.numbers)))
  end
  if text ~= "off" and not value then return nil, "a slider's value is a number, or off" end
  local name = "slider " .. dof
  local known = tracks.sliders and tracks.sliders[dof]
  if known and tracks.playing[known.source] ~= known then known = nil end
  if not value then
    if known then tracks:stop_source(known) end
    return ("%s: its slider is gone"):format(dof)
  end
  if not known then
    local why
    known, why = tracks:live(name, { stage = "mixer", tau = 0.05, owner = "operator" })
    if not known then return nil, why end
    tracks.sliders = tracks.sliders or {}
    tracks.sliders[dof] = known
  end
  tracks:say_value(known, dof, value)
  return ("%s: slider at %g"):format(dof, value)
end

--- mix [CHANNEL WORD [VALUE]]
function motion.mix(prompt, rest)
  local tracks = prompt.run.host.tracks
  if rest == "" then return mixer_table(tracks) end
  local first, more = rest:match "^(%S+)%s*(.-)$"
  if first == "slide" then return slide(prompt, more) end
  if first == "mode" then
    if more ~= "literal" and more ~= "normalized" then
      return nil, "say mix mode literal, or mix mode normalized"
    end
    tracks.player:mixer { literal = more == "literal" }
    return "the mean is " .. more
  end
  local word, value = more:match "^(%S+)%s*(.-)$"
  local longer, word_after, value_after = rest:match "^(%S+%s%S+)%s+(%S+)%s*(.-)$"
  if longer and not channel_words[word] and channel_words[word_after] then -- as "slider HeadYaw"
    first, word, value = longer, word_after, value_after
  end
  if not channel_words[word or ""] then
    return nil, ("say mix CHANNEL gain NUMBER, mute, unmute, solo, unsolo, mask GROUP or unmask \z
      GROUP%s"):format(
      suggest.hint(word or "", suggest.keys(channel_words)))
  end
  local sources, set = channel_of(tracks, first)
  if not sources then return nil, ("there is no channel '%s': `mix` lists them"):format(first) end
  local good, why = channel_words[word](prompt, set, value, sources)
  if not good then return nil, why end
  return ("%s: %s"):format(first, value == "" and word or word .. " " .. value)
end

return motion
