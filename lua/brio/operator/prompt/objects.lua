--- The words `object`, `place` and `nudge` of the prompt: the objects of the scene, and their correction by a
--- person if perception fails.
local columns = require "brio.lib.columns"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local objects = {}

--- The state of an object, in a word or two.
local function state_of(object)
  local words = {}
  if object.frozen then words[1] = "frozen" end
  if object.stale then words[#words + 1] = ("not seen for %.1f s"):format(object.age) end
  return table.concat(words, ", ")
end

local function row_of(object)
  local p = object.position
  return { name = columns.cell(object.name), kind = columns.cell(object.kind),
    from = object.source and columns.cell(object.source) or object.origin,
    position = ("%.3f %.3f %.3f"):format(p[1], p[2], p[3]), state = state_of(object) }
end

local fields = { "name", "kind", "from", "position", "state" }

local function names_of(scene)
  local names = {}
  for index, object in ipairs(scene:chosen()) do names[index] = object.name end
  return names
end

--- The object whose name is at the beginning of `rest` (the longest match), and the text after it.
local function find(scene, rest)
  local best
  for _, name in ipairs(names_of(scene)) do
    local after = rest:sub(#name + 1, #name + 1)
    if rest:sub(1, #name) == name and (after == "" or after:match "%s") and #name > #(best or "") then
      best = name
    end
  end
  if best then return scene:object(best), rest:sub(#best + 1):match "^%s*(.-)%s*$" end
  local first = rest:match "^%S+"
  return nil, ("the scene has no object '%s'%s"):format(first, suggest.hint(first, names_of(scene)))
end

local acts = {
  freeze = function(scene, name, who) return scene:freeze(name, who) end,
  delete = function(scene, name, who) return scene:delete(name, who) end,
}

--- Set an object up from a detection that a person names.
local function from(scene, name, id, who)
  local seen = scene:find(id)
  if not seen then
    local ids = {}
    for index, one in ipairs(scene:objects()) do ids[index] = one.id end
    return nil, ("nothing is seen with the id '%s'%s"):format(id, suggest.hint(id, ids))
  end
  return scene:adopt(name, seen.number, nil, who)
end

--- object [NAME [freeze|delete|from ID]]
function objects.object(prompt, rest, request)
  local scene = prompt.run.scene
  if rest == "" then
    local rows = {}
    for index, object in ipairs(scene:chosen()) do rows[index] = row_of(object) end
    return #rows > 0 and columns.text(fields, rows) or "none: no object has been set up or placed"
  end
  local name, id = rest:match "^(.-)%s+from%s+(%S+)$"
  if name then
    local made, why = from(scene, name, id, request.who)
    return made and ("'%s' is set up from '%s'"):format(name, id), why
  end
  local object, what = find(scene, rest)
  if not object then return nil, what end
  if what == "" then return columns.text(fields, { row_of(object) }) end
  if not acts[what] then
    return nil, ("say object %s freeze, delete or from ID, not '%s'"):format(object.name, what)
  end
  local good, why = acts[what](scene, object.name, request.who)
  if not good then return nil, why end
  prompt.run.host.objects:work()
  return ("'%s' is %s"):format(object.name, what == "freeze" and "frozen" or "deleted")
end

--- Parse three or four numbers, and a frame's name after `in`: {x, y, z}, yaw and the frame; nil and the
--- reason.
local function numbers_of(text)
  local said, frame = text, nil
  local before, name = text:match "^(.-)%s+in%s+(%S.-)$"
  if before then said, frame = before, name end
  local numbers = {}
  for word in said:gmatch "%S+" do
    local number = tonumber(word)
    if not number or number ~= number or math.abs(number) == math.huge then
      return nil, ("'%s' is no number"):format(word)
    end
    numbers[#numbers + 1] = number
  end
  if #numbers < 3 or #numbers > 4 then
    return nil, "say x y z in m, perhaps a yaw in rad, perhaps `in FRAME`"
  end
  return { numbers[1], numbers[2], numbers[3] }, numbers[4], frame
end

--- The name before the numbers.
local function split(rest) return rest:match "^(.-)%s+([%-%+]?%.?%d.*)$" end

local function answer(object)
  local p = object.position
  return ("'%s' is at %.3f %.3f %.3f, until it is set up again"):format(object.name, p[1], p[2], p[3])
end

--- place NAME X Y Z [YAW] [in FRAME]
function objects.place(prompt, rest, request)
  local name, text = split(rest)
  if not name then return nil, "say what and where, as in place ball 1.2 0.1 0.8 in torso" end
  local position, yaw, frame = numbers_of(text)
  if not position then return nil, yaw end
  local object, why = prompt.run.host.objects:place { name = name, position = position, yaw = yaw,
    frame = frame, who = request.who }
  if not object then return nil, why end
  return answer(object)
end

--- nudge NAME DX DY DZ [YAW] [in FRAME]
function objects.nudge(prompt, rest, request)
  local name, text = split(rest)
  if not name then return nil, "say what and by how much, as in nudge ball 0.02 0 0 in torso" end
  local by, yaw, frame = numbers_of(text)
  if not by then return nil, yaw end
  local object, why = prompt.run.host.objects:nudge(name, by, frame, yaw, request.who)
  if not object then return nil, why end
  return answer(object)
end

--- The names of objects and detections, for completion.
function objects.names(run)
  local names = names_of(run.scene)
  for _, one in ipairs(run.scene:objects()) do names[#names + 1] = one.id end
  return names
end

--- People and things that the robot sees: a table for people, or JSON.
function objects.seen(prompt, rest)
  if rest ~= "" and rest ~= "json" then return nil, "say sees, or sees json" end
  local rows, now = {}, prompt.run.host.now
  for index, one in ipairs(prompt.run.scene:objects()) do
    rows[index] = { id = one.id, kind = one.kind, pose = one.pose, size = one.size, color = one.color,
      confidence = one.confidence, age = now - one.last_seen }
  end
  if rest == "json" then return store.json(store.array(rows)) end
  if #rows == 0 then return "the robot sees nobody and nothing" end
  for _, row in ipairs(rows) do
    local at = row.pose.position
    row.x, row.y, row.z = ("%.2f"):format(at[1]), ("%.2f"):format(at[2]), ("%.2f"):format(at[3])
    row.seen = ("%.1f s ago"):format(row.age)
  end
  return columns.text({ "id", "kind", "x", "y", "z", "seen" }, rows)
end

return objects
