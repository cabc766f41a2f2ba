--- The word `help`: topics, their words, and each word with examples that fit this run and can be executed by
--- number.
local environment = require "brio.operator.prompt.environment"
local roles = require "brio.operator.operators.roles"
local suggest = require "brio.lib.suggest"

local help = {}

--- The topics, and the words of each.
help.topics = {
  { "see", "what is going on", "state states status wants why motors axes sees layers detectors \z
    who sql" },
  { "steer", "control the behavior", "go emit goal weight tune tempo input hold key tree correct" },
  { "show", "motion, speech, gaze, feelings", "play stop say hush look feel act idle mix perform" },
  { "body", "take parts of the body, give them back, send them somewhere", "reach fetch take share give \z
    ask joint joystick pad tracker level" },
  { "later", "delayed lines, notes, undo", "in every after queue unqueue undo note mark-wrong" },
  { "script", "the session script and its checklists", "session step answer fill press check preflight" },
  { "scene", "objects of the scene, and obstacles", "object place nudge obstacle" },
  { "safety", "the motor side", "panic release relax arm disarm" },
  { "edit", "change the behavior during the run", "reload versions rollback preview capture" },
  { "prompt", "the prompt itself", "help panel desk subscribe quit" },
}

--- Examples of words: {line, description} each; {sequence} and the like stand for a name of the run.
help.examples = {
  say = { { "say hello there", "says it" },
    { 'say "hello {wave} there"', "an event `wave` at that word" },
    { "say what a *lovely* day", "with stress" } },
  look = { { "look", "its target and its salient things" },
    { "look at { 1, 0.3, 1.2 } 3", "at a point, m, for 3 s" },
    { "look away 2", "away for 2 s" }, { "look free", "as it likes" } },
  play = { { "play", "the sequences, and those that play" },
    { "play {sequence}", "plays it over the goals of the states" },
    { "play {sequence} { speed = 0.5, mirror = true }", "slowly, mirrored" } },
  go = { { "states", "lists them" }, { "go {state}", "goes there without a transition" },
    { "go {walk} 1.5 0", "walks to a point of the world, m" } },
  reach = { { "reach", "what is under way" }, { "reach {arm} home", "to a pose of the robot's file" },
    { "reach {arm} 0.4 0.1 0.3", "the hand to a point of the world, m" },
    { "reach {arm} 0.4 0.1 0.3 { speed = 0.2 }", "slowly" },
    { "reach off", "its arms are the behavior's again" } },
  obstacle = { { "obstacle", "what is in the way" },
    { "obstacle crate 0.5 0 0.3 0.1 0.1 0.6", "a box of 10 by 10 by 60 cm" },
    { "obstacle crate off", "it is gone" } },
  fetch = { { "fetch {object}", "grasps it and brings it to where the hand was" } },
  feel = { { "feel", "its emotion" }, { "feel happy 0.8", "sets it" },
    { "feel free", "its own emotion returns" } },
  take = { { "take", "what is taken" }, { "take {part}", "yours; it keeps its pose" },
    { "give {part} 1", "back, within 1 s" } },
  give = { { "give {part} 1", "back, within 1 s" }, { "give all", "everything" } },
  tune = { { "tune", "all numbers, with units and ranges" }, { "tune {tune}", "one of them" } },
  tempo = { { "tempo", "the tempo, and who set it" }, { "tempo 0.5", "half as fast" },
    { "tempo 1", "as it was made" } },
  emit = { { "emit {event}", "as if it had happened" },
    { 'emit {event} { id = "ann" }', "with data, in Lua" } },
  ["in"] = { { "in 3 say hello", "3 s from now" }, { "queue", "what waits" },
    { "unqueue all", "clears the queue" } },
  every = { { "every 20 say still here until 60", "for a minute" }, { "unqueue all", "no more" } },
  after = { { "after speech note it was said", "when it is silent" },
    { "after state {state} say hello", "when it gets there" } },
  queue = { { "queue say one", "when it is silent" }, { "queue say two", "then" },
    { "queue", "what waits" } },
  note = { { "note the child laughed", "an annotation with the time" } },
  ["mark-wrong"] = { { "mark-wrong", "the actions, by number" },
    { "mark-wrong slip", "the last action was a slip" } },
  undo = { { "undo list", "what you did, and what leads back" }, { "undo", "undoes the last action" } },
  step = { { "step", "the current step" }, { "step next", "goes on" },
    { "step back", "where it was before" } },
  why = { { "why {dof}", "the contribution of each source" } },
  level = { { "level", "all levels" }, { "level 0.3 5", "low autonomy, within 5 s" },
    { "level 1 5", "full autonomy" } },
}

--- An example with names of this run in place of {state}, {dof} and so on; and the placeholder without a
--- name.
local function filled(prompt, line)
  local missing
  local text = line:gsub("{(%l+)}", function(kind)
    if kind == "wave" then return nil end
    local name = prompt:names_of(kind)[1]
    if not name then missing = missing or kind end
    return name
  end)
  return text, missing
end

local function examples_of(word)
  return help.examples[word.name] or { { word.example, "" } }
end

--- The topic that a word belongs to.
local function topic_of(name)
  for _, topic in ipairs(help.topics) do
    for one in topic[3]:gmatch "%S+" do
      if one == name then return topic end
    end
  end
end

local function row(word) return ("  %-24s %s"):format(word.usage, word.summary) end

local function overview(words)
  local lines = { "Type a word, or Lua. Tab completes; undo reverts; help WORD tells more, help all lists \z
    all." }
  for _, topic in ipairs(help.topics) do lines[#lines + 1] = ("  %-8s %s"):format(topic[1], topic[3]) end
  lines[#lines + 1] = ("help TOPIC lists a topic's words: %d words in all."):format(#words.list)
  return table.concat(lines, "\n")
end

local function all_words(words)
  local lines = {}
  for _, word in ipairs(words.list) do lines[#lines + 1] = row(word) end
  lines[#lines + 1] = "Anything else is Lua: the value of an expression is shown, a statement is \z
    executed. Names:"
  for _, thing in ipairs(environment.things) do
    lines[#lines + 1] = ("  %-24s %s"):format(thing[1], thing[2])
  end
  return table.concat(lines, "\n")
end

local function about_topic(words, topic)
  local lines = { ("%s: %s"):format(topic[1], topic[2]) }
  for name in topic[3]:gmatch "%S+" do lines[#lines + 1] = row(words.by_name[name]) end
  return table.concat(lines, "\n")
end

local function about_word(prompt, word)
  local lines = { ("%s: %s"):format(word.usage, word.summary), "for example: " .. word.example }
  for index, example in ipairs(examples_of(word)) do
    local line, missing = filled(prompt, example[1])
    lines[#lines + 1] = ("  %d  %-40s %s"):format(index, line,
      missing and "(this run has no " .. missing .. ")" or example[2])
  end
  lines[#lines + 1] = ("`help %s 1` does the first"):format(word.name)
  if word.changes and word.role ~= "observer" and type(word.role) ~= "function" then
    lines[#lines + 1] = ("to change something: %ss"):format(word.role or roles.usual)
  end
  local topic = topic_of(word.name)
  if topic then lines[#lines + 1] = ("see also: %s (help %s)"):format(topic[3], topic[1]) end
  return table.concat(lines, "\n")
end

--- Execute an example.
local function try(prompt, word, number, request)
  local example = examples_of(word)[number]
  if not example then return nil, ("%s has %d examples"):format(word.name, #examples_of(word)) end
  local line, missing = filled(prompt, example[1])
  if missing then return nil, ("this run has no %s: %s"):format(missing, example[1]) end
  if word.by == "client" or line == "stop" then return nil, "type it yourself: " .. line end
  local fields = prompt:perform { kind = "say", text = line, who = request.who, role = request.role,
    device = request.device,
    received = request.received, input = request.input, input_error = request.input_error,
      client = request.client }
  if fields.error then return nil, ("%s: %s"):format(line, fields.error) end
  return ("%s\n%s"):format(line, fields.text or "")
end

--- help [WORD [NUMBER]|TOPIC|all|topics]
function help.say(words, prompt, rest, request)
  if rest == "" or rest == "topics" then return overview(words) end
  if rest == "all" then return all_words(words) end
  local name, number = rest:match "^(%S+)%s+(%d+)$"
  local word = words.by_name[name or rest]
  if word and name then return try(prompt, word, math.tointeger(tonumber(number)), request) end
  if word then return about_word(prompt, word) end
  local known = suggest.keys(words.by_name)
  for _, topic in ipairs(help.topics) do
    if topic[1] == rest then return about_topic(words, topic) end
    known[#known + 1] = topic[1]
  end
  return nil, ("there is no word '%s'%s"):format(rest, suggest.hint(rest, known))
end

return help
