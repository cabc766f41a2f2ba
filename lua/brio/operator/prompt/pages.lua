--- The words of pages and other viewers: `layers`, what a view draws beside the robot, and `pad`, the gamepad
--- of a page.  Executed when a viewer asks, so that a run without one does nothing for it.
local lazy = require "brio.lib.lazy"
local cloud = lazy "brio.cloud"
local kinds = lazy "brio.solver"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local pages = {}

--- Limits of an answer: frames, goals, pairs, steps, points of a cloud, and points of the way of a limb.
pages.most = { frames = 200, goals = 100, pairs = 40, steps = 60, points = 3000, way = 24 }

-- Layers ------------------------------------------------------------------------------------------

local layers = {}

--- Frames of the scene that are no links of the robot, such as "walking" and those of objects.
function layers.frames(run)
  local list, links = {}, {}
  for _, name in ipairs(run.description.robot:links()) do links[name] = true end
  for _, name in ipairs(run.scene:frame_names()) do
    local pose = not links[name] and name ~= "world" and #list < pages.most.frames and run.scene:frame(name)
    if pose then list[#list + 1] = { name = name, p = pose.position, q = pose.orientation } end
  end
  return list
end

--- The newest cloud of each source, decimated, with the pose of its frame when it was measured.
function layers.clouds(run)
  local list = {}
  for _, source in ipairs(run.clouds and run.clouds.list or {}) do
    local newest = run.clouds.newest[source.name]
    if newest then
      local frame, time = newest:source()
      local pose = frame ~= "" and frame ~= "world"
        and (run.scene:frame(frame, time) or run.scene:frame(frame))
      local text, count, step = cloud.sketch(newest, pages.most.points)
      list[#list + 1] = { name = source.name, t = time, points = text, count = count, of = #newest,
        step = step,
        p = pose and pose.position, q = pose and pose.orientation }
    end
  end
  return list
end

--- From where to where the robot looks; nothing: it has no gaze, or it rests.
function layers.gaze(run)
  local gaze = run.host.gaze
  local fix = gaze and gaze.fix
  if not (fix and gaze.view) then return {} end
  return { { from = { table.unpack(gaze.view, 1, 3) }, to = { fix.x, fix.y, fix.z }, name = fix.name,
    kind = fix.kind, away = gaze.averted or nil } }
end

--- The kind of goal of each kind of objective that has a place or a direction in the world.
local goal_forms = { translation = true, rotation = true, pose = true, line = true, ellipse = true,
  points = true }
local form_of

--- The objectives with a weight whose goals can be drawn: {key, form, goal, link, weight, whose}.
function layers.goals(run)
  if not form_of then
    form_of = {}
    for _, kind in ipairs(kinds.kinds()) do
      form_of[kind.name] = goal_forms[kind.goal] and kind.goal or nil
    end
  end
  local list = {}
  for _, objective in ipairs(run.solver:objectives()) do
    local form, about = form_of[objective.kind], run.steering.about[objective.handle]
    if form and objective.weight > 0 and objective.goal ~= nil and #list < pages.most.goals then
      local args = about and about.args or {}
      list[#list + 1] = { key = objective.key, kind = objective.kind, form = form, goal = objective.goal,
        link = args.link or args.link1, weight = objective.weight,
        whose = about and (about.faculty or about.owner) or "operator" }
    end
  end
  return list
end

local function nearer(a, b) return a.distance < b.distance end

--- Pairs of bodies within the range at which avoidance begins, the nearest first.
function layers.near(run)
  local list = {}
  for _, pair in ipairs(run.solver:proximity()) do
    if pair.point_a then
      list[#list + 1] = { a = pair.a, b = pair.b, distance = pair.distance, from = pair.point_a,
        to = pair.point_b }
    end
  end
  table.sort(list, nearer)
  return { table.unpack(list, 1, pages.most.pairs) }
end

--- Where the feet stand, and the steps that wait: {side, p, q, state ("stands", "swings", "waits")}.
function layers.steps(run)
  local stance, list = run.host.stance, {}
  local gait = stance and stance.gait
  if not gait then return list end
  local function add(side, pose, state)
    list[#list + 1] = { side = side, p = pose.position, q = pose.orientation, state = state }
  end
  for _, side in ipairs { "left", "right" } do add(side, gait.feet[side], "stands") end
  if gait.step then add(gait.step.side, gait.step.pose, "swings") end
  for _, step in ipairs(gait.queue) do
    if #list < pages.most.steps then add(step.side, step.pose, "waits") end
  end
  return list
end

--- The rest of the ways of limbs that leaves move: {name = of the leaf, link = the end, points}, in the
--- world.
function layers.ways(run)
  local motions, list = run.host.motions, {}
  for _, moving in ipairs(motions and motions.list or {}) do
    local link, points = moving.link, {}
    if link and moving.moves and not moving:over() then
      local joints, left = motions:told(), moving.way.seconds - moving.time
      for k = 1, pages.most.way do
        local time = moving.time + left * (k - 1) / (pages.most.way - 1)
        for d, name in ipairs(moving.dofs) do joints[name] = moving.way:value(d, time) end
        points[k] = run.description.robot:forward(motions:configuration(joints)).links[link].position
      end
      list[#list + 1] = { name = moving.name, link = link, points = points }
    end
  end
  return list
end

--- The centre of mass; of a robot that forces hold on its feet, its contacts in their links, the centre of
--- pressure that is wanted and the point where it would have to step: {com, press, capture, contacts}.
function layers.balance(run)
  local report = run.stance and run.stance.report
  local made = { com = report and report.com or run.solver:center_of_mass(), press = report and report.press,
    capture = report and report.capture }
  local said = run.description.stance
  if not said then return made end
  local contacts = {}
  for _, link in ipairs(suggest.keys(said.contacts)) do
    for _, point in ipairs(said.contacts[link]) do contacts[#contacts + 1] = { link = link, p = point } end
  end
  made.contacts = store.array(contacts)
  return made
end

--- The forces with which physics has bodies touch now: {link, other, p, force}, m and N in the world; a force
--- that acts on a link of the robot, or on the other of two bodies of which none is one.
function layers.contacts(run)
  local list, links = {}, {}
  for _, name in ipairs(run.description.robot:links()) do links[name] = true end
  for _, one in ipairs(run.physics and run.physics:contacts() or {}) do
    local f, on, by = one.force, one.other, one.body
    if links[by] and not links[on] then f, on, by = { -f[1], -f[2], -f[3] }, by, on end
    list[#list + 1] = { link = on, other = by, p = one.position, force = f }
  end
  return list
end

--- Emotion and attention: {emotion = {valence, arousal, mood, name, intensity}, targets}.
function layers.mind(run)
  local emotion, gaze = run.host.emotion, run.host.gaze
  local made = {}
  if emotion and emotion.valence then
    local mood = emotion.state.mood
    made.emotion = { valence = emotion.valence, arousal = emotion.arousal, name = emotion.name,
      intensity = emotion.intensity, mood = { mood[1], mood[2] } }
  end
  if gaze then
    local targets = gaze.attention:targets(run.host.now)
    made.targets = store.array { table.unpack(targets, 1, 12) }
    made.looks = gaze.fix and gaze.fix.name or nil
  end
  return made
end

--- layers NAME ...
local function show(prompt, rest)
  local made, run = { t = prompt.run.host.now }, prompt.run
  for name in rest:gmatch "%S+" do
    if not layers[name] then
      return nil, ("there is no layer '%s'%s: there are %s"):format(name,
        suggest.hint(name, suggest.keys(layers)), table.concat(suggest.keys(layers), ", "))
    end
    local value = layers[name](run)
    made[name] = (value[1] ~= nil or next(value) == nil) and store.array(value) or value
  end
  return store.json(made)
end

-- The gamepad of a page -----------------------------------------------------------------------------

--- The greatest number of inputs in a line.
local most_inputs = 40

--- What a page has to know of the run's mapping.
local function about(pad)
  local mapping = pad.mapping
  return store.json { title = mapping.title, panic = store.array(mapping.panic or {}) }
end

--- pad [NAME=VALUE ...|off]
local function hold(prompt, rest)
  local run = prompt.run
  local pad = run.gamepad
  if not pad then return nil, "this run has no mapping of a gamepad: start it with --gamepad standard" end
  if rest == "" then return about(pad) end
  if rest == "off" then
    pad:forget(run)
    return ""
  end
  local list = {}
  for name, text in rest:gmatch "([%w_]+)=(%S+)" do
    local value = tonumber(text)
    if not value or not (value >= -1 and value <= 1) or #list >= most_inputs then
      return nil, ("%s=%s is no value from -1 to 1"):format(name, text)
    end
    if not pad.knows(name) then
      return nil, ("there is no button or axis '%s'"):format(name)
    end
    list[#list + 1] = { name, value }
  end
  if #list == 0 then return nil, "say names with values, as in pad ABS_X=0.5 BTN_SOUTH=1" end
  for _, one in ipairs(list) do pad:hear(run, one[1], one[2]) end
  return ""
end

--- The rows of words.lua.
function pages.words()
  return {
    { name = "layers", usage = "layers NAME ...",
      summary = "for programs: what a view draws beside the robot, as JSON: frames, clouds, gaze, goals, \z
        near, ways, steps, balance, contacts, mind",
      example = "layers gaze goals", run = show },
    { name = "pad", usage = "pad [NAME=VALUE ...|off]",
      summary = "for programs: inputs of a gamepad, by the kernel's names, -1 to 1; they are released half \z
        a second after the last line",
      example = "pad ABS_X=0.5", run = hold, role = function() return "wizard" end,
      changes = function() return false end },
  }
end

return pages
