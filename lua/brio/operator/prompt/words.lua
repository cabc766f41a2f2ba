--- The words of the prompt, in the order that `help` shows them: one row each.
---
---   name, usage, summary, example    for people: `help` and docs/operators/prompt.md are made of them
---   run(prompt, rest, request)       executes it; `rest` is the text after the word.  Returns the answer, or
---                                    the reply's fields, or nil and the error
---   changes                          it is recorded, with the person and time
---   role                             the role that is needed for changes:
---                                    see operator/operators/roles.lua
---   takes                            the kind of its first argument, for completion
---   complete(run, rest)              the same for all arguments: candidates, and the number of bytes that
---                                    they replace
---   apart                            it is about the desk, not the robot: session scripts do not expect it,
---                                    and it has no undo
---   aside(prompt, rest)              whether it is executed and answered in the slack (prompt/aside.lua)
---   line                             its arguments end with a line to execute later, after this number of
---                                    words
---   by                               "client" or "front": executes it instead of the script thread
local axes = require "brio.operator.axes"
local behavior = require "brio.behavior.define"
local character = require "brio.character.character"
local columns = require "brio.lib.columns"
local desk_words = require "brio.operator.desk.words"
local environment = require "brio.operator.prompt.environment"
local lazy = require "brio.lib.lazy"
local motion = require "brio.operator.prompt.motion"
local objects = require "brio.operator.prompt.objects"
local obstacles = lazy "brio.operator.prompt.obstacles"
local pages = require "brio.operator.prompt.pages"
local operators = require "brio.operator.operators.words"
local preview = require "brio.operator.prompt.preview"
local pretty = require "brio.lib.pretty"
local reach = lazy "brio.operator.prompt.reach"
local sensors = require "brio.operator.prompt.sensors"
local session_words = require "brio.operator.session.words"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"
local taped = require "brio.io.run_tape"
local tempo = require "brio.behavior.tempo"
local trees = require "brio.operator.prompt.trees"

local words = {}

-- Helpers ---------------------------------------------------------------------------------------------

--- All states of the behavior by path, in order.
local function states_of(prompt)
  local list, by_path = {}, {}
  behavior.each_state(prompt.run.host.machine, function(state)
    list[#list + 1] = state
    by_path[state.path] = state
  end)
  return list, by_path
end

--- The state that a person means: by its path, or by its own name if that is unique.
local function find_state(prompt, name)
  local list, by_path = states_of(prompt)
  if by_path[name] then return by_path[name] end
  local found, paths = {}, {}
  for _, state in ipairs(list) do
    paths[#paths + 1] = state.path
    if state.name == name then found[#found + 1] = state end
  end
  if #found == 1 then return found[1] end
  if #found > 1 then
    return nil, ("there are %d states named '%s': say %s or %s"):format(#found, name, found[1].path,
      found[2].path)
  end
  return nil, ("there is no state '%s'%s"):format(name, suggest.hint(name, paths))
end

--- The key of an objective at the beginning of `rest`, whole or as a unique part; and the rest.
local function find_objective(prompt, rest)
  local keys, best = {}, nil
  for _, objective in ipairs(prompt.run.solver:objectives()) do
    local key = objective.key
    keys[#keys + 1] = key
    local ends = #rest == #key or rest:sub(#key + 1, #key + 1):match "%s"
    if rest:sub(1, #key) == key and ends and #key > #(best or "") then best = key end
  end
  if best then return best, rest:sub(#best + 1):match "^%s*(.-)$" end
  local piece, value = rest:match "^(%S+)%s*(.-)$"
  local found = {}
  for _, key in ipairs(keys) do
    if piece and key:find(piece, 1, true) then found[#found + 1] = key end
  end
  if #found == 1 then return found[1], value end
  if not piece then return nil, "say which: `wants` lists them" end
  if #found > 1 then
    return nil, ("'%s' fits %d objectives: %s"):format(piece, #found, table.concat(found, "  "))
  end
  return nil, ("there is no objective '%s'%s"):format(piece, suggest.hint(piece, keys))
end

--- The objective's handle, by its key.
local function slot_of(prompt, key)
  for _, objective in ipairs(prompt.run.solver:objectives()) do
    if objective.key == key then return objective.handle end
  end
end

--- Parse "KEY VALUE" or "KEY off".  Return the slot, the value (nil: off) and the key, or nil and the reason.
local function read_steering(prompt, rest)
  local key, text = find_objective(prompt, rest)
  if not key then return nil, text end
  local slot = slot_of(prompt, key)
  if text == "off" then return slot, nil, key end
  if text == "" then return nil, "say a value, or off" end
  local good, value = prompt:value(text)
  if not good then return nil, value end
  if value == nil then return nil, "the value is nil: say off to release it" end
  return slot, value, key
end

local function steer(method, shows)
  return function(prompt, rest)
    local slot, value, key = read_steering(prompt, rest)
    if not slot then return nil, value end
    local wrong = shows == "weight" and value ~= nil
      and (type(value) ~= "number" or not (value >= 0 and value < math.huge))
    if wrong then return nil, "a weight is a number of at least 0" end
    local run = prompt.run
    local good, why = pcall(run.steering[method], run.steering, slot, value)
    if not good then return nil, (tostring(why):gsub("^.-%.lua:%d+: ", "")) end
    if value == nil then return ("%s: its %s is the behavior's again"):format(key, shows) end
    return ("%s: %s %s, until `%s %s off`"):format(key, shows, pretty.line(value), shows, key)
  end
end

local function active_states(prompt)
  local list, top = {}, prompt.run.host.top
  if top then top:each_outer_first(function(active) list[#list + 1] = active end) end
  return list
end

local function transition_text(transition)
  local what = transition.event or transition.after and ("%g s"):format(transition.after) or transition.label
    or "condition"
  return ("%s -> %s"):format(what, type(transition.to) == "string" and transition.to or "?")
end

-- The words -------------------------------------------------------------------------------------------

--- The words for help are looked up on each call: their table is defined below.
local function help(prompt, rest, request)
  return require("brio.operator.prompt.help").say(words, prompt, rest, request)
end

local function state(prompt)
  local host, lines = prompt.run.host, {}
  for _, active in ipairs(active_states(prompt)) do
    lines[#lines + 1] = ("%s, for %.1f s"):format(active.state.path, host.now - active.entered)
  end
  if host.held_since then
    lines[#lines + 1] = ("on hold for %.1f s: `go on` lets it go on"):format(host.now - host.held_since)
  end
  if host.halted then
    lines[#lines + 1] = "none: the behavior failed and the pose is held: " .. tostring(host.failed)
  end
  if host.power_off then lines[#lines + 1] = "the run is ending" end
  if prompt.run.disarmed then
    lines[#lines + 1] = "the motors are disarmed, so nothing moves: `arm` arms them"
  end
  if #lines == 0 then return "none yet: the run is about to begin" end
  return table.concat(lines, "\n")
end

local function states_text(prompt)
  local active, lines = {}, {}
  for _, item in ipairs(active_states(prompt)) do active[item.state] = true end
  for _, item in ipairs((states_of(prompt))) do
    local leads = {}
    for _, transition in ipairs(item.transitions) do leads[#leads + 1] = transition_text(transition) end
    lines[#lines + 1] = ("%s %-22s %s"):format(active[item] and "*" or " ", item.path,
      table.concat(leads, ", ")):gsub("%s+$", "")
  end
  return table.concat(lines, "\n")
end

--- All states for programs: name, whether it is active and for how long, and its transitions.
local function states_json(prompt)
  local active, rows, now = {}, {}, prompt.run.host.now
  for _, item in ipairs(active_states(prompt)) do active[item.state] = now - item.entered end
  for index, item in ipairs((states_of(prompt))) do
    local leads = {}
    for place, transition in ipairs(item.transitions) do
      leads[place] = { to = type(transition.to) == "string" and transition.to or nil,
        event = transition.event,
        after = transition.after, label = transition.label }
    end
    rows[index] = { name = item.path, active = active[item], leads = store.array(leads),
      tree = item.tree ~= nil }
  end
  return store.json(store.array(rows))
end

local function states(prompt, rest)
  return rest == "json" and states_json(prompt) or states_text(prompt)
end

local function go(prompt, rest, request)
  local host = prompt.run.host
  if rest == "" then return nil, "say to which state; `states` lists them" end
  if rest == "on" and host.held_since then
    local held = host:go_on()
    return ("goes on, after %.1f s"):format(held)
  end
  local walk = rest:match "^to%s+(.+)$"
  if walk then return reach.go_to(prompt, walk, request) end
  local found, why = find_state(prompt, rest)
  if not found then return nil, rest == "on" and "the robot is not on hold" or why end
  if host.power_off then return nil, "the run is ending" end
  if host.held_since then return nil, "the robot is on hold: say `go on` first" end
  host:force(found, request.who)
  return "goes to " .. found.path
end

local function emit(prompt, rest, request)
  local name, text = rest:match "^([%a_][%w_%-]*)%s*(.-)$"
  if not name then return nil, "name an event, as in emit person_appeared" end
  local good, data = true, nil
  if text ~= "" then good, data = prompt:value(text) end
  if not good then return nil, data end
  local host = prompt.run.host
  host:emit(name, data, "operator", request.who)
  if host.held_since then return "sent, but the robot is on hold: the behavior does not see it" end
  return "sent: " .. name
end

--- How much an objective yields to the person who has taken its parts.
local function yields_text(about)
  local yield = about and about.yield or 0
  return yield > 0 and ("yields %g"):format(yield) or ""
end

--- The objectives with a weight: rows with numbers as they are.
local function wanted(prompt)
  local run, rows = prompt.run, {}
  for _, objective in ipairs(run.solver:objectives()) do
    local goal, weight = run.steering:steered(objective.handle)
    local about = run.steering.about[objective.handle]
    if objective.weight > 0 or objective.target > 0 or goal or weight then
      rows[#rows + 1] = { key = objective.key, weight = objective.weight, target = objective.target,
        cost = objective.cost or 0, goal = objective.goal ~= nil and pretty.line(objective.goal) or "",
        operator = (goal and "goal " or "") .. (weight and "weight " or "") .. yields_text(about),
        whose = about and (about.faculty or about.owner) or "operator" }
    end
  end
  return rows
end

local function wants(prompt, rest)
  local rows = wanted(prompt)
  if rest == "json" then return store.json(store.array(rows)) end
  if #rows == 0 then return "nothing: the pose is held" end
  for _, row in ipairs(rows) do
    for _, name in ipairs { "weight", "target", "cost" } do row[name] = ("%.3g"):format(row[name]) end
  end
  return columns.text({ "key", "whose", "weight", "target", "cost", "goal", "operator" }, rows)
end

local function tune_line(host, name)
  local param = host.definition.fields.tune[name]
  return ("%-16s %g %s  (%g to %g)"):format(name, host.self.tune[name], param.unit, param.lower, param.upper)
end

local function tune(prompt, rest)
  local host, lines = prompt.run.host, {}
  if rest == "" then
    for _, name in ipairs(suggest.keys(host.definition.fields.tune or {})) do
      lines[#lines + 1] = tune_line(host, name)
    end
    return #lines > 0 and table.concat(lines, "\n") or "this behavior has nothing to tune"
  end
  local name, text = rest:match "^(%S+)%s*(.-)$"
  if text ~= "" then
    local good, value = prompt:value(text)
    if not good then return nil, value end
    local set, why = environment.set_tune(host, name, value)
    if not set then return nil, why end
  elseif not (host.definition.fields.tune or {})[name] then
    return nil, select(2, environment.set_tune(host, name))
  end
  return tune_line(host, name)
end

local function input_line(item)
  return ("%-16s %s %s  (%s%s, from %s)"):format(item.name, pretty.line(item.value), item.kind.unit,
    item.kind.name, item.pinned and ", until `input " .. item.name .. " off`" or "", item.source)
end

--- Show inputs, or set one until it is released.
local function input(prompt, rest, request)
  local inputs, lines = prompt.run.inputs, {}
  if rest == "" then
    for _, name in ipairs(inputs.names) do lines[#lines + 1] = input_line(inputs.by_name[name]) end
    return #lines > 0 and table.concat(lines, "\n") or "this run has no inputs"
  end
  local name, text = rest:match "^(%S+)%s*(.-)$"
  local item, why = inputs:find(name)
  if not item then return nil, why end
  if text == "" then return input_line(item) end
  if text == "off" then
    inputs:free(name)
    return name .. " is the world's again"
  end
  local good, value = prompt:value(text)
  if not good then return nil, value end
  good, why = inputs:set(name, value, "operator", true, request.who)
  if not good then return nil, why end
  return ("%s: %s, until `input %s off`"):format(name, pretty.line(value), name)
end

local function hold(prompt)
  local host = prompt.run.host
  if host.power_off then return nil, "the run is ending" end
  if host.held_since then return "the robot is on hold already" end
  host:hold()
  return "holds its pose; `go on` lets it go on"
end

--- Send a request to the reloader, which works in another thread, if there is one.
local function ask_reloader(prompt, request, hash)
  local reloader = prompt.run.reloader
  if not reloader.loader then return nil, "this run takes over no files: it was started without reload" end
  local good, why = reloader[request](reloader, hash)
  if not good then return nil, why end
  return "requested; the result will be in the log"
end

local function reload_now(prompt) return ask_reloader(prompt, "now") end

local function rollback(prompt, rest)
  local answer, why = ask_reloader(prompt, "rollback", rest ~= "" and rest or nil)
  return answer and answer .. ". The file stays as it is (`brio rollback FILE` writes it back)", why
end

local function versions(prompt)
  local rows = {}
  for _, version in ipairs(prompt.run.reloader:versions()) do
    local files = {}
    for _, file in ipairs(version.changed) do
      files[#files + 1] = ("%s %s"):format(file.name, file.hash:sub(1, 8))
    end
    rows[#rows + 1] = {
      version = version.hash:sub(1, 12), since = ("%.2f s"):format(version.since),
        changed = table.concat(files, ", "),
      state = version.runs and "runs now" or version.failed and "failed" or "",
    }
  end
  return columns.text({ "version", "since", "state", "changed" }, rows)
end

--- The person's own prompt reads the store: the answer has its path.
local function sql(prompt, rest)
  if rest == "" then return nil, "say what to ask, as in sql SELECT name, t FROM events" end
  if not prompt.run.store_file then return nil, "this run is not recorded" end
  return { sql = rest, store = prompt.run.store_file }
end

--- The answer of a word that the front has already executed, or that the client executes.
local function order(word, answer)
  return function(prompt)
    prompt.run.engine:order(word)
    return answer
  end
end

local function release(prompt, _, request)
  prompt.run.engine:order "release"
  prompt.desk.stop:released(request.who)
  return "the motors continue from where they are"
end

--- Collisions so far, and the one that acts now.
local function collisions_of(report)
  local now = report.collision
  return ("%d collisions%s"):format(report.collisions,
    now and (", now %.3g N m from outside at %s, more than %g"):format(now.torque, now.axis, now.threshold)
      or "")
end

local function motors(prompt)
  local report, lines = taped.motors(prompt.run), {}
  lines[1] = ("%s, %s%s"):format(report.armed and "armed" or "disarmed",
    report.rests and "at rest" or "moving on",
    #report.held_by > 0 and ", held by " .. table.concat(report.held_by, ", ") or "")
  local by = prompt.desk.stop:by()
  if by then lines[1] = ("%s; panic stop %s"):format(lines[1], by) end
  lines[2] = ("%d periods, %d lost; poses: %d taken, %d refused, %d beyond limits"):format(report.periods,
    report.lost, report.taken, report.refused, report.clamped)
  if report.threaded then
    lines[3] = ("late p50 %.0f us, p99 %.0f us, most %.0f us%s"):format(report.late_p50_us,
      report.late_p99_us, report.late_max_us, report.realtime and "" or "; without real-time scheduling")
  end
  if report.collisions then lines[#lines + 1] = collisions_of(report) end
  for _, device in ipairs(report.devices) do
    lines[#lines + 1] = ("%s (%s): %s, %.0f Hz%s, %d failures%s%s"):format(device.name, device.driver,
      device.lost and "lost" or "well", device.rate,
      device.typical_ms and (", %.1f ms each, %.1f at most"):format(device.typical_ms, device.slowest_ms)
        or "", device.failures,
      device.retries and (", asked again %d times"):format(device.retries) or "",
      device.error and ", last: " .. device.error or "")
  end
  return table.concat(lines, "\n")
end

--- Every axis; `axes json` is for programs such as `brio monitor`.
local function all_axes(prompt, rest)
  local snapshot = axes.snapshot(prompt.run)
  if rest == "" then return axes.text(snapshot) end
  if rest ~= "json" then return nil, "say axes, or axes json" end
  return store.json(snapshot)
end

--- A person reports that a language model's choice is wrong: send it the correction, and ask again.
local function correct(prompt, rest, request)
  local model = prompt.run.host.model
  local good, why = model:on()
  if good then good, why = model:correct(rest, request.who) end
  if not good then return nil, why end
  return "sent; it is asked again when it chooses"
end

--- Completion of `reach`: the last word.
local function reach_names(run, rest)
  return reach.names(run), #(rest or ""):match "%S*$"
end

local function elsewhere() return "" end

words.list = {
  { name = "help", usage = "help [WORD [NUMBER]|TOPIC|all]", example = "help look", takes = "word",
    run = help,
    summary = "list topics; explain a word with examples (NUMBER runs one), or a topic; all: every word" },
  { name = "state", usage = "state", summary = "the active states", example = "state",
    run = state },
  { name = "states", usage = "states [json]",
    summary = "all states with their transitions; json: for programs",
    example = "states", run = states },
  { name = "wants", usage = "wants [json]", summary = "the objectives of the pose: weight and its target, \z
    cost, goal; json: for programs", example = "wants", run = wants },
  { name = "go", usage = "go STATE|to PLACE|to X Y [YAW]",
    summary = "go to a state, without its transition; to: walk to a place, a thing or a point",
    example = "go idle", takes = "state", changes = true, run = go },
  { name = "reach", usage = "reach [[left|right] X Y Z [in FRAME]|NAME|POSE|off [{FIELDS}]]",
    summary = "bring a hand to a point, a thing or a pose, around what is in the way; off: release it; \z
      alone: what is under way",
    example = "reach 0.4 0.1 0.3", complete = reach_names, changes = function(rest) return rest ~= "" end,
    run = function(...) return reach.run(...) end },
  { name = "fetch", usage = "fetch [left|right] NAME [to X Y Z [in FRAME]]",
    summary = "grasp a thing and bring it to a point, or to where the hand was",
    example = "fetch cup to 0.4 -0.2 0.3", takes = "object", changes = true,
    run = function(...) return reach.fetch(...) end },
  { name = "emit", usage = "emit EVENT [DATA]",
    summary = "send an event to the behavior, with data in Lua",
    example = 'emit person_appeared { id = "ann" }', takes = "event", changes = true, run = emit },
  { name = "goal", usage = "goal KEY VALUE|off",
    summary = "set the goal of an objective, or release it",
    example = "goal joint_match(joint=HeadYaw) 0.4", takes = "objective", changes = true,
      run = steer("steer_goal", "goal") },
  { name = "weight", usage = "weight KEY NUMBER|off",
    summary = "set the weight of an objective, or release it",
    example = "weight collision_avoidance 30", takes = "objective", changes = true,
      run = steer("steer_weight", "weight") },
  { name = "tune", usage = "tune [NAME [VALUE]]",
    summary = "the behavior's tunable numbers, with unit and range",
    example = "tune near 1.5", takes = "tune", run = tune,
    changes = function(rest) return rest:match "^%S+%s+%S" ~= nil end },
  { name = "input", usage = "input [NAME [VALUE|off]]",
    summary = "sensor values except joints and people; set one, or release it",
    example = "input touch_head true", takes = "input", run = input,
    changes = function(rest) return rest:match "^%S+%s+%S" ~= nil end },
  { name = "play", usage = "play [NAME [{HOW}]]",
    summary = "play a sequence, over the goals of the states; alone: list the sequences, and those that play",
    example = "play nod { amplitude = 0.5, mirror = true }", takes = "sequence", run = motion.play,
    changes = function(rest) return rest ~= "" end },
  { name = "why", usage = "why DOF", summary = "explain the value of a DOF: the contribution of each source",
    example = "why HeadPitch", takes = "dof", run = motion.why },
  { name = "mix", usage = "mix [CHANNEL WORD [VALUE]]",
    summary = "the mixer: channels with gain, mute, unmute, solo, unsolo, mask, unmask; mode; slide DOF \z
      VALUE|off",
    example = "mix nod gain 0.5", takes = "channel", run = motion.mix,
      changes = function(rest) return rest ~= "" end },
  { name = "perform", usage = "perform NAME DOF=VALUE ...|end",
    summary = "one frame of live control of DOFs; control ends half a second after the last frame (see \z
      `brio perform`)",
    -- for each frame
    example = "perform ann HeadYaw=0.2", run = motion.perform, role = function() return "wizard" end,
    changes = function(rest) return rest:match "%send$" ~= nil end },
  { name = "key", usage = "key NAME [up]",
    summary = "press a key that the behavior has bound to a sequence; up: release it",
    example = "key n", takes = "key", changes = function(rest) return rest ~= "" end, run = motion.key },
  { name = "correct", usage = "correct WORDS",
    summary = "tell the language model, in plain words, what it should have chosen",
    example = "correct the red box, not the blue one", changes = true, run = correct },
  { name = "tree", usage = "tree [WORD ...]",
    summary = "the running behavior tree: print it, step, pause, edit; `tree help` lists the words",
    example = "tree next turn", complete = trees.complete, changes = trees.changes, role = trees.role,
    aside = trees.aside, run = trees.run },
  { name = "object", usage = "object [NAME [freeze|delete|from ID]]",
    summary = "show an object of the scene; freeze or delete it, or take it from a detection's id; alone: \z
      list all",
    example = "object ball freeze", takes = "object", run = objects.object,
    changes = function(rest) return rest:match "%s" ~= nil end },
  { name = "place", usage = "place NAME X Y Z [YAW] [in FRAME]",
    summary = "set the pose of a scene object, in m and rad, in the world or a frame, until it is set up \z
      again",
    example = "place ball 0.6 0.1 0.8 in torso", takes = "object", changes = true, run = objects.place },
  { name = "nudge", usage = "nudge NAME DX DY DZ [YAW] [in FRAME]",
    summary = "move a scene object by an offset, and turn it",
    example = "nudge ball 0.02 0 0", takes = "object", changes = true, run = objects.nudge },
  { name = "obstacle", usage = "obstacle [NAME [X Y Z EDGE EDGE EDGE [YAW] [in FRAME]|off]]",
    summary = "put a box into the robot's way: its middle and edges, m; off: take it away; alone: list all",
    example = "obstacle crate 0.5 0 0.3 0.1 0.1 0.6", takes = "obstacle",
    changes = function(rest) return rest:match "%s" ~= nil end,
    run = function(...) return obstacles.run(...) end },
  { name = "preview", usage = "preview [STATE|NODE]",
    summary = "run a tree, or a node of it, on a ghost that starts at the robot's pose; the result is in \z
      the log",
    example = "preview turn the knob", changes = true, run = preview.run },
  { name = "capture", usage = "capture NODE [from FRAME]",
    summary = "copy the robot's current pose (arm, hand, foot, ...), or that of a frame, into a node of \z
      its tree",
    example = "capture reach", complete = trees.complete_node, changes = true, role = "author",
      run = trees.capture },
  { name = "hold", usage = "hold", summary = "hold the pose: the behavior pauses until `go on`",
    example = "hold", changes = true, run = hold },
  { name = "reload", usage = "reload",
    summary = "check the behavior's files again, also a version that was refused",
    example = "reload", changes = true, role = "author", run = reload_now },
  { name = "versions", usage = "versions", summary = "the versions of the behavior that ran, with their \z
    times",
    example = "versions", run = versions },
  { name = "rollback", usage = "rollback [HASH]",
    summary = "go back to the previous version, or to the one with a file whose hash starts with HASH",
    example = "rollback", takes = "version", changes = true, role = "author", run = rollback },
  { name = "detectors", usage = "detectors [NAME]",
    summary = "detectors and cloud sources: who sends, what was refused and why",
    example = "detectors", run = sensors.detectors },
  { name = "motors", usage = "motors",
    summary = "the motor side: armed or not, what holds it, devices, rates",
    example = "motors", run = motors },
  { name = "sees", usage = "sees [json]", summary = "people and things that the robot sees; json: for \z
    programs", example = "sees", run = objects.seen },
  { name = "axes", usage = "axes [json]",
    summary = "every axis: position and target, load and temperature; `brio monitor` shows it live",
    example = "axes", run = all_axes },
  { name = "panic", usage = "panic", summary = "stop every motor at once, and hold; works while a script \z
    loops",
    example = "panic", changes = true, role = "observer", by = "front", run = elsewhere },
  { name = "release", usage = "release", summary = "let the motors continue after panic, a fault, or relax",
    example = "release", changes = true, run = release },
  { name = "relax", usage = "relax", summary = "stop, then let the motors go limp, if they can; `release` \z
    ends it",
    example = "relax", changes = true, run = order("relax", "the motors stop, then go limp") },
  { name = "arm", usage = "arm", summary = "allow commands to the motors", example = "arm",
    changes = true, run = order("arm", "armed") },
  { name = "disarm", usage = "disarm", summary = "brake, then send no more commands to the motors",
    example = "disarm", changes = true, run = order("disarm", "disarmed as soon as all motors are at rest") },
  { name = "stop", usage = "stop [NAME [SECONDS]]",
    summary = "stop playback by name; alone: end the run with power-off, twice: at once; works while a \z
      script loops",
    example = "stop", takes = "playing", changes = true, role = "observer", by = "front", run = motion.stop },
  { name = "sql", usage = "sql SELECT ...",
    summary = "query this run's store; your prompt reads the file, so the engine does not wait",
    example = "sql SELECT t, name FROM events ORDER BY t DESC LIMIT 5", by = "client", run = sql },
  { name = "quit", usage = "quit", summary = "leave the prompt; the run continues", example = "quit",
    by = "client", run = elsewhere },
}

for _, rows in ipairs { character.words(), desk_words, session_words, operators, tempo.words,
  pages.words() } do
  for _, word in ipairs(rows) do table.insert(words.list, #words.list, word) end
end

words.by_name = {}
for _, word in ipairs(words.list) do words.by_name[word.name] = word end

--- Split a line into its word and the rest; nil if the line is Lua.
function words.find(line)
  -- with a hyphen, such as mark-wrong
  local name, space, rest = line:match "^%s*([%a_][%w_]*%-[%a][%w%-]*)(%s*)(.*)$"
  if not words.by_name[name or ""] then name, space, rest = line:match "^%s*([%a_][%w_]*)(%s*)(.*)$" end
  local word = name and words.by_name[name]
  if not word then return nil end
  rest = rest:match "^.*%S" or ""
  if rest == "" then return word, rest end
  if space == "" or rest:match "^=" or rest:match "^[%.:]%s*[%a_]" then return nil end
  return word, rest
end

return words
