--- The words `reach`, `fetch` and `go to` of the prompt: a person lets the robot reach for something, bring
--- it, or walk somewhere.  Each is a task (run/tasks.lua): the arm plans its way around what the robot knows
--- and sees, and the log has the result, or the reason why there is no way.
local grasp = require "brio.operator.prompt.grasp"
local limbs = require "brio.robots.limbs"
local suggest = require "brio.lib.suggest"

local reach = {}

--- Why nothing may move now: the panic stop; nil: it may.  In a test there may be no desk.
local function refusal(prompt) return prompt.desk and prompt.desk.stop:refusal() end

-- Reading a line --------------------------------------------------------------------------------------------

local sides = { left = true, right = true }

--- What a node has that is no field of a leaf.
local not_fields = { 1, "kind", "children", "from", "id", "after" }

--- Split off a side at the beginning, and a table of fields at the end.  Return the side or nil, what is
--- between, and the fields; nil, nil and a sentence.
local function split(prompt, rest)
  local before, text = rest:match "^(.-)%s*(%b{})$"
  local fields = {}
  if text then
    local good, value = prompt:value(text)
    if not good then return nil, nil, value end
    for _, key in ipairs(not_fields) do
      if value[key] ~= nil then
        return nil, nil, ("say fields of the leaf arm by name, not %s"):format(key)
      end
    end
    fields = value
  end
  before = before or rest
  local first, last = before:match "^(%S+)%s*(.-)$"
  if first and sides[first] then return first, last, fields end
  return nil, before, fields
end

--- Three numbers and a frame's name after `in`: {x, y, z} and the frame.  Nil: it begins with no number;
--- false and a sentence: it has an error.
local function place_of(text)
  local said, frame = text:match "^(.-)%s+in%s+(%S.-)$"
  local numbers = {}
  for word in (said or text):gmatch "%S+" do
    local number = tonumber(word)
    if not number and #numbers == 0 then return nil end
    if not number or number - number ~= 0 then return false, ("'%s' is no finite number"):format(word) end
    numbers[#numbers + 1] = number
  end
  if #numbers ~= 3 then return false, ("a place has three numbers, x y z in m, not %d"):format(#numbers) end
  return numbers, frame
end

--- The names of everything that has a frame now: objects of the scene, detections, roles and links.
local function frames_of(run)
  local names = {}
  for _, one in ipairs(run.scene:chosen()) do names[#names + 1] = one.name end
  for _, one in ipairs(run.scene:objects()) do
    names[#names + 1], names[#names + 2] = one.id, one.kind
  end
  for _, role in ipairs(suggest.keys(run.description.roles)) do names[#names + 1] = role end
  return table.move(run.description.robot:links(), 1, #run.description.robot:links(), #names + 1, names)
end

--- The name of the frame that a person means: an object, a detection, a role, a link, or the nearest thing of
--- a kind that is seen; nil: there is none.
local function frame_named(run, name)
  if run.scene:frame(run.description.roles[name] or name) then return name end
  local nearest = run.scene:nearest(name)
  return nearest and nearest.id
end

--- The fields of the leaf `arm` for a target, and the target in words; nil and a sentence.
local function target_of(prompt, text)
  local run = prompt.run
  local numbers, frame = place_of(text)
  if numbers == false then return nil, frame end
  if numbers then
    return { pose = { position = numbers }, frame = frame or "world" },
      ("%g %g %g%s"):format(numbers[1], numbers[2], numbers[3], frame and " in " .. frame or "")
  end
  local poses = run.description.poses
  if poses[text] or text == "home" then return { preset = text }, "the pose " .. text end
  frame = frame_named(run, text)
  if frame then return { pose = { position = { 0, 0, 0 } }, frame = frame }, text end
  local names = table.move(suggest.keys(poses), 1, #suggest.keys(poses), 1, frames_of(run))
  return nil, ("'%s' is no place, no pose of the robot and nothing that it sees%s"):format(text,
    suggest.hint(text, names))
end

-- Beginning -------------------------------------------------------------------------------------------------

--- Why a limb cannot move for a person now: another one has taken a joint of it, or so has this one.
local function taken(run, limb, who)
  local control = run.host.control
  for _, name in ipairs(control and limb.dofs or {}) do
    local taking = control.of[name]
    if taking and taking.who ~= who then
      return ("%s has %s: `ask %s` asks for it"):format(taking.who or "somebody", taking.name, taking.name)
    elseif taking then
      return ("you have taken %s: `give %s` first, then the robot can move it"):format(taking.name,
        taking.name)
    end
  end
end

--- Start a task for a person; `make`: a function that makes a large form.  Return the answer, or nil and a
--- sentence.
local function start(prompt, form, name, who, make)
  local task, why = prompt.run.host:task { form = form, name = name, who = who or "a person", make = make,
    checked = make ~= nil }
  if not task then return nil, (why:gsub("^'[^']*' %(%l+%): ", "")) end
  return ("%s: begun; the result will be in the log"):format(name)
end

--- The arm of a side; nil and a sentence.
local function arm_of(run, side, fields)
  local form = { side = side, part = fields.part, link = fields.link }
  return limbs.find(run.description, "arm", form)
end

local function listed(prompt)
  local lines = {}
  local tasks = prompt.run.host.tasks
  for task in tasks and tasks:running() or function() end do
    lines[#lines + 1] = ("%s: %s"):format(task.name, task:text())
  end
  return #lines > 0 and table.concat(lines, "\n") or "nothing is under way: say what to reach for"
end

--- Stop what people have begun, and release their arms; with a side only that arm.
local function off(prompt, side)
  local run, limb = prompt.run, nil
  if side then
    local found, why = arm_of(run, side, {})
    if not found then return nil, why end
    limb = found
  end
  local function moves_it(task)
    local own = not limb
    for _, name in ipairs(limb and limb.dofs or {}) do own = own or task.dofs[name] end
    return task.who ~= nil and own
  end
  local count = run.host.tasks and run.host.tasks:stop_all("stopped by a person", moves_it) or 0
  local names, held = {}, 0
  for _, moving in ipairs(run.host.motions and run.host.motions.list or {}) do
    local own = moving.state == "prompt" and not moving.released
    for _, name in ipairs(own and moving.dofs or {}) do
      if not limb or suggest.contains(limb.dofs, name) then names[#names + 1] = name end
    end
  end
  if #names > 0 then held = run.host.motions:release(names) end
  if count + held == 0 then return "nothing to stop: no arm was sent anywhere by `reach` or `fetch`" end
  return "stopped; its joints return to what the behavior wants"
end

local function merged(form, fields)
  for key, value in next, fields do
    if type(key) == "string" then form[key] = value end
  end
  return form
end

--- reach [[left|right] X Y Z [in FRAME] | NAME | POSE | off [{ FIELDS }]]
function reach.run(prompt, rest, request)
  if rest == "" then return listed(prompt) end
  local side, text, fields = split(prompt, rest)
  if not text then return nil, fields end
  if text == "off" then return off(prompt, side) end
  local stopped = refusal(prompt)
  if stopped then return nil, stopped end
  if text == "" then return nil, "say where to, as in reach 0.4 0.1 0.3, or reach ball" end
  local form, called = target_of(prompt, text)
  if not form then return nil, called end
  local limb, why = arm_of(prompt.run, side, fields)
  if not limb then return nil, why end
  why = taken(prompt.run, limb, request.who)
  if why then return nil, why end
  local name = ("reach%s %s"):format(side and " " .. side or "", text)
  return start(prompt, merged(merged({ "arm", side = side, plan = "seen", hold = "always",
    orientation_tolerance = form.pose and math.pi or nil }, form), fields), name, request.who)
end

--- fetch [left|right] NAME [to X Y Z [in FRAME]]
function reach.fetch(prompt, rest, request)
  local stopped = refusal(prompt)
  if stopped then return nil, stopped end
  local run, side, text, fields = prompt.run, split(prompt, rest)
  if not text then return nil, fields end
  local name, to = text:match "^(.-)%s+to%s+(.+)$"
  name = name or text
  if name == "" then return nil, "say what to fetch, as in fetch ball" end
  local object = frame_named(run, name)
  if not object then
    return nil, ("the robot does not see '%s'%s"):format(name, suggest.hint(name, frames_of(run)))
  end
  local place
  if to then
    local numbers, frame = place_of(to)
    if not numbers then return nil, frame or ("'%s' is no place: say x y z in m"):format(to) end
    place = { position = numbers, frame = frame }
  end
  local limb, why = arm_of(run, side, {})
  if not limb then return nil, why end
  why = taken(run, limb, request.who)
  if why then return nil, why end
  local hand
  hand, why = grasp.hand(run.description, limb)
  if not hand then return nil, why end
  return start(prompt, nil, "fetch " .. text, request.who, function()
    return grasp.tree { run = run, limb = limb, hand = hand, object = object, place = place, fields = fields }
  end)
end

--- go to PLACE|X Y [YAW]: called by the word `go`.
function reach.go_to(prompt, text, request)
  local stopped = refusal(prompt)
  if stopped then return nil, stopped end
  local stance, numbers = prompt.run.host.stance, {}
  if not (stance and stance.body) then
    return nil, ("the robot %s cannot walk%s"):format(prompt.run.description.name,
      stance and stance.why and ": " .. stance.why or "")
  end
  local form = { "go_to", name = "go to " .. text, place = text }
  if tonumber(text:match "^%S+") then
    for word in text:gmatch "%S+" do
      local number = tonumber(word)
      if not number or number - number ~= 0 then return nil, ("'%s' is no finite number"):format(word) end
      numbers[#numbers + 1] = number
    end
    if #numbers < 2 or #numbers > 3 then return nil, "say x y in m, perhaps a yaw in rad" end
    form.place, form.at, form.yaw = nil, { numbers[1], numbers[2] }, numbers[3]
  end
  return start(prompt, form, "go to " .. text, request.who)
end

--- Names for completion: poses of the robot and everything that has a frame.
function reach.names(run)
  local names = suggest.keys(run.description.poses)
  return table.move(frames_of(run), 1, #frames_of(run), #names + 1, names)
end

-- Undo ------------------------------------------------------------------------------------------------------

--- The way back: the arm goes to where it was, and is released there unless a person had sent it there.
function reach.undo(prompt, rest, request)
  local run, side, text, fields = prompt.run, split(prompt, rest)
  if not text or text == "" or text == "off" then return nil end
  local limb = arm_of(run, side, fields or {})
  if not limb then return nil end
  local joints = {}
  local moving = run.host.motions and run.host.motions.of_dof[limb.dofs[1]]
  local held = moving ~= nil and moving.state == "prompt"
  for _, name in ipairs(limb.dofs) do joints[name] = run.host.actuator:target(name) end
  return function()
    return function()
      return start(prompt, { "arm", name = "back", side = side, joints = joints, part = fields.part,
        plan = "seen", hold = held and "always" or false }, "back from " .. text, request.who)
    end, ("the arm goes back to where it was before reach %s"):format(text)
  end
end

return reach
