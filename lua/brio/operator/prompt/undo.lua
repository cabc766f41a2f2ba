--- Undo at the prompt: the inverse of each word.
---
--- `undo.of(prompt, word, rest, request)` is called before the word is executed, and returns a function to
--- call afterwards: it returns the line that undoes the word (or a function that does it, and its name), or
--- nil and why that is impossible.
local pretty = require "brio.lib.pretty"
local lazy = require "brio.lib.lazy"
local levels = require "brio.character.control.levels"
local obstacles = lazy "brio.operator.prompt.obstacles"
local reach = lazy "brio.operator.prompt.reach"

local undo = {}

local function always(line) return function() return line end end
local function never(why) return function() return nil, why end end

--- A number as typed at the prompt.
local function number(value) return ("%.6g"):format(value) end

local words = {}

-- The body --------------------------------------------------------------------------------------------------

--- This person's shares of a part: the lines that restore them.
local function shares(control, name, who)
  for _, taking in ipairs(control.takings) do
    if (taking.name == name or name == levels.all) and taking.who == who then
      return taking.share < 1 and ("share %s %s"):format(taking.name, number(taking.share))
        or "take " .. taking.name
    end
  end
end

local function parts_of(rest)
  local list = {}
  for name in rest:gmatch "%S+" do
    if not tonumber(name) then list[#list + 1] = name end
  end
  return list
end

function words.take(prompt, rest, request)
  local parts, had, new = parts_of(rest), nil, {}
  if rest == "" then return nil end
  for _, part in ipairs(parts) do
    local line = shares(prompt.run.host.control, part, request.who)
    if line then had = had or line else new[#new + 1] = part end
  end
  return always(#new > 0 and "give " .. table.concat(new, " ") or had)
end

words.share = words.take

function words.give(prompt, rest, request)
  local line = shares(prompt.run.host.control, parts_of(rest)[1] or "", request.who)
  return line and always(line) or never "what was given back was not yours"
end

function words.joint(prompt, rest, request)
  local host, name = prompt.run.host, rest:match "^(%S+)"
  local index = name and host.tracks.numbers[name]
  local taking = index and host.control.of[name]
  if not index then return nil end
  if not (taking and taking.who == request.who) then return always("give " .. name) end
  return always(("joint %s %s"):format(name, number(host.actuator:target(name))))
end

function words.level(prompt, rest)
  local control, list = prompt.run.host.control, {}
  for word in rest:gmatch "%S+" do list[#list + 1] = word end
  if rest == "" then return nil end
  local name = tonumber(list[1]) and levels.all or list[1]
  return always(("level %s %s"):format(name, number(control.levels:target(name))))
end

function words.feel(prompt, rest)
  local faculty = prompt.run.host.emotion
  if rest == "" or not faculty then return nil end
  local had = faculty:taken() and faculty.operator
  return always(had and ("feel %s %s"):format(number(had[1]), number(had[2])) or "feel free")
end

function words.idle(prompt, rest)
  local idle = prompt.run.host.idle
  local word, name = rest:match "^(%S+)%s*(%S*)$"
  if not idle or not word then return nil end
  if tonumber(word) then return always("idle " .. number(idle.aim)) end
  if word == "do" then return never "a gesture of idle life ends by itself" end
  return always(("idle %s %s"):format(word == "off" and "on" or "off", name))
end

-- Goals, weights and inputs ---------------------------------------------------------------------------------

local function steered(what, table_name)
  return function(prompt, rest)
    local steering, best, slot = prompt.run.steering, nil, nil
    for _, objective in ipairs(prompt.run.solver:objectives()) do
      local key, piece = objective.key, rest:match "^%S+" or ""
      local fits = rest:sub(1, #key) == key or key:find(piece, 1, true)
      if fits and (not best or rest:sub(1, #key) == key) then
        best, slot = key, steering.handles[key] or objective.handle
      end
    end
    if not best then return nil end
    local value = steering[table_name][slot]
    return always(("%s %s %s"):format(what, best, value == nil and "off" or pretty.line(value)))
  end
end

words.goal, words.weight = steered("goal", "set_goals"), steered("weight", "set_weights")

function words.tune(prompt, rest)
  local name = rest:match "^(%S+)%s+%S"
  local value = name and prompt.run.host.self.tune[name]
  return value and always(("tune %s %s"):format(name, number(value))) or nil
end

function words.input(prompt, rest)
  local name = rest:match "^(%S+)%s+%S"
  local item = name and prompt.run.inputs.by_name[name]
  if not item then return nil end
  return always(("input %s %s"):format(name, item.pinned and pretty.line(item.value) or "off"))
end

-- Playback, speech and gaze ---------------------------------------------------------------------------------

function words.play(prompt, rest)
  if rest == "" then return nil end
  local tracks, before = prompt.run.host.tracks, {}
  for source in next, tracks.playing do before[source] = true end
  return function()
    for _, playing in ipairs(tracks:list()) do
      if not before[playing.source] then
        return function()
          if tracks.playing[playing.source] ~= playing then
            return nil, ("%s is over"):format(playing.name)
          end
          tracks:stop_source(playing, 0.3, "undone")
          return ("stops %s"):format(playing.name)
        end, "stop " .. playing.name
      end
    end
    return nil, "it does not play any more"
  end
end

function words.say(prompt)
  local speech = prompt.run.host.speech
  return function()
    local item = speech.queue[#speech.queue] or speech.current
    return function()
      if not item or item.over then return nil, "it has been said already" end
      local begun = item.began
      speech:drop(item, "undone")
      return begun and "the rest is not said" or "it is not said"
    end, "the rest is not said"
  end
end

words["look"] = function(prompt, rest)
  local gaze = prompt.run.host.gaze
  if not gaze or rest == "" then return nil end
  local order
  for _, one in ipairs(gaze.orders) do
    if one.by == "operator" then order = one end
  end
  return function()
    return function()
      gaze:free "operator"
      if order and not (order.till and prompt.run.host.now >= order.till) then gaze:order(order) end
      return order and ("looks at %s again"):format(order.name or "that place") or "looks at what draws it"
    end, "look as before"
  end
end

local opposite = { mute = "unmute", unmute = "mute", solo = "unsolo", unsolo = "solo", mask = "unmask",
  unmask = "mask" }

function words.tempo(prompt, rest)
  if rest == "" then return nil end
  return always("tempo " .. number(prompt.run.host.tempo.person))
end

function words.mix(prompt, rest)
  local first, word, value = rest:match "^(%S+)%s+(%S+)%s*(.-)$"
  if not first then return nil end
  if opposite[word] then return always(("mix %s %s %s"):format(first, opposite[word], value)) end
  if first == "slide" then return always(("mix slide %s off"):format(word)) end
  if word ~= "gain" then return never "say mix to see how it is" end
  local player = prompt.run.host.tracks.player
  local gain = first == "combination" and player:mixer().gain
  for _, source in ipairs(player:sources()) do
    if source.name == first then gain = source.gain end
  end
  return gain and always(("mix %s gain %s"):format(first, number(gain))) or nil
end

-- The scene -------------------------------------------------------------------------------------------------

local function placed(prompt, rest)
  local scene, name = prompt.run.scene, rest:match "^(.-)%s+[%-%+]?%.?%d"
  if not name then return nil end
  local object = scene:object(name)
  if not object then return always(("object %s delete"):format(name)) end
  local p = object.position
  return always(("place %s %s %s %s"):format(name, number(p[1]), number(p[2]), number(p[3])))
end

words.place, words.nudge = placed, placed

function words.obstacle(prompt, rest) return obstacles.undo(prompt, rest) end

-- States ----------------------------------------------------------------------------------------------------

--- The arm goes back, around what is in its way.
function words.reach(prompt, rest, request) return reach.undo(prompt, rest, request) end

function words.hold() return always "go on" end

function words.go(prompt, rest)
  if rest == "on" then return always "hold" end
  local stance = rest:match "^to%s" and prompt.run.host.stance
  if stance and stance.body then
    local pose = stance:walking()
    local p, q = pose.position, pose.orientation
    return always(("go to %s %s %s"):format(number(p[1]), number(p[2]), number(2 * math.atan(q[3], q[4]))))
  end
  local state = prompt.run.host:state()
  return never(state and ("the actions of the state stay; `go %s` returns to the last state"):format(state)
    or "the actions of the state stay")
end

local reasons = {
  emit = "the event has been handled", lua = "brio does not know what a line of Lua did", stop = "the run \z
    ends",
  panic = "`release` lets the motors continue", release = "`panic` stops the motors",
    relax = "`release` ends it",
  arm = "`disarm` is the way back", disarm = "`arm` is the way back", act = "the emotion has been felt",
  hush = "the queued texts are dropped: say them again", key = "`stop NAME` ends it if it still plays",
  reload = "`rollback` returns to the previous version", rollback = "`reload` loads the file again",
  fetch = "`reach off` releases the arm; its hand keeps what it has",
  object = "`object NAME` shows its state", tree = "`tree undo` undoes an edit of the tree",
  capture = "`tree undo` undoes an edit of the tree", correct = "the message has been sent",
  perform = "control ends by itself", pad = "inputs are released by themselves",
  preview = "a ghost moved, not the robot", joystick = "`joystick off` ends it",
  ask = "the other person has been asked",
}

--- The inverse of a word: a function to call after its execution, or nil if there is nothing to undo.
function undo.of(prompt, word, rest, request)
  local find = words[word]
  if find then
    local good, made = pcall(find, prompt, rest, request)
    return good and made or nil
  end
  return reasons[word] and never(reasons[word]) or nil
end

--- Whether there is an inverse of a word, or the reason why there is none.
function undo.knows(word) return words[word] ~= nil or reasons[word] ~= nil end

--- The words that can be undone.
function undo.words()
  local list = {}
  for name in next, words do list[#list + 1] = name end
  table.sort(list)
  return list
end

return undo
