--- What a view draws beside the robot at a moment of a recorded run, in the form of the live layers
--- (operator/prompt/pages.lua): what the record has (people, things, goals, emotion), and what follows from
--- the recorded pose and the robot's model (near pairs of its own bodies, center of mass).
local kinds = require "brio.solver"
local message = require "brio.studio.message"

local layers = {}

--- Limits: things, goals and pairs of an answer; s that a detection lasts without another one.
layers.most, layers.lasts = 200, 1

-- People and things --------------------------------------------------------------------------------

--- Queries about what was seen at ?2 s of run ?1, each newest first for one thing; a store of an older brio
--- may lack a table.
local sights = {
  "SELECT class AS kind, name, x, y, z FROM sightings WHERE run = ?1 AND started <= ?2 \z
    AND (ended IS NULL OR ended >= ?2) ORDER BY id DESC",
  "SELECT class AS kind, name, x, y, z, qx, qy, qz, qw, size_x, size_y, size_z, red, green, blue FROM \z
    detections WHERE run = ?1 AND t <= ?2 AND t > ?2 - ?3 ORDER BY t DESC, id DESC",
  "SELECT kind, name, x, y, z, qx, qy, qz, qw FROM scene_objects o WHERE run = ?1 AND x IS NOT NULL \z
    AND id = (SELECT max(id) FROM scene_objects y WHERE y.run = ?1 AND y.name = o.name AND y.t <= ?2) \z
    AND change <> 'deleted'",
}

--- Three or four fields of a row as a list; nil: the first is unknown.
local function list_of(row, ...)
  local list = {}
  for index, name in ipairs { ... } do list[index] = row[name] end
  return list[1] and list
end

--- A row of a query as the word `sees` reports things.
local function thing_of(row)
  return { id = row.name or row.kind, kind = row.kind, name = row.name,
    pose = { position = list_of(row, "x", "y", "z"), orientation = list_of(row, "qx", "qy", "qz", "qw") },
    size = list_of(row, "size_x", "size_y", "size_z"), color = list_of(row, "red", "green", "blue") }
end

--- What the robot saw: the newest row of each thing that has a name, and every row of those that have none.
function layers.scene(at)
  local list, known = {}, {}
  for index, sql in ipairs(sights) do
    local rows = at.db:query(sql .. " LIMIT " .. layers.most, at.run, at.t,
      index == 2 and layers.lasts or nil)
    for _, row in ipairs(rows or {}) do
      local thing = thing_of(row)
      if not row.name then thing.id = ("%s %d"):format(row.kind, #list + 1) end
      if not known[thing.id] and #list < layers.most then
        known[thing.id] = true
        list[#list + 1] = thing
      end
    end
  end
  return message.list(list)
end

-- Goals ----------------------------------------------------------------------------------------------

--- The numbers of a goal from `first` on.
local function numbers(goal, first, last) return { table.unpack(goal, first, last) } end

--- For each kind of goal with a place or a direction in the world: its recorded numbers as a goal.
local goal_forms = {
  translation = function(goal) return numbers(goal, 1, 3) end,
  rotation = function(goal) return numbers(goal, 1, 4) end,
  pose = function(goal) return { position = numbers(goal, 1, 3), orientation = numbers(goal, 4, 7) } end,
  line = function(goal) return { position = numbers(goal, 1, 3), direction = numbers(goal, 4, 6) } end,
  ellipse = function(goal)
    return { position = numbers(goal, 1, 3), orientation = numbers(goal, 4, 7), size = numbers(goal, 8, 10) }
  end,
  points = function(goal)
    local points = {}
    for first = 1, #goal, 3 do points[#points + 1] = numbers(goal, first, first + 2) end
    return points
  end,
}

--- The form of the goals of each kind of objective; made once.
local form_of

local function read_forms()
  form_of = {}
  for _, kind in ipairs(kinds.kinds()) do form_of[kind.name] = goal_forms[kind.goal] and kind.goal or nil end
end

local goals_sql = "SELECT o.key, o.kind, v.weight, v.goal FROM objectives o JOIN objective_values v \z
  ON v.run = o.run AND v.objective = o.id AND v.t = (SELECT max(y.t) FROM objective_values y \z
  WHERE y.run = o.run AND y.objective = o.id AND y.t <= ?2) \z
  WHERE o.run = ?1 AND v.weight > 0 AND v.goal IS NOT NULL ORDER BY o.id"

--- The goals that counted; the link is the one in the objective's key.
function layers.goals(at)
  if not form_of then read_forms() end
  local list = {}
  for _, row in ipairs(at.db:query(goals_sql, at.run, at.t) or {}) do
    local form, goal = form_of[row.kind], message.read(row.goal)
    if form and type(goal) == "table" and #list < layers.most then
      list[#list + 1] = { key = row.key, kind = row.kind, form = form, goal = goal_forms[form](goal),
        link = row.key:match "[(,]link1?=([^,)]+)", weight = row.weight }
    end
  end
  return message.list(list)
end

-- From the pose ----------------------------------------------------------------------------------------

--- Pairs of the robot's own bodies within the range at which avoidance begins, the nearest first.
function layers.near(at)
  local list = {}
  local posed = at.posed()
  for _, pair in ipairs(posed and posed:proximity() or {}) do
    if pair.point_a then
      list[#list + 1] = { a = pair.a, b = pair.b, distance = pair.distance, from = pair.point_a,
        to = pair.point_b }
    end
  end
  table.sort(list, function(a, b) return a.distance < b.distance end)
  return message.list { table.unpack(list, 1, 40) }
end

--- The center of mass.
function layers.balance(at)
  local posed = at.posed()
  return posed and { com = posed:center_of_mass() } or {}
end

-- Emotion ----------------------------------------------------------------------------------------------

--- The newest emotion, as the live layer has it.
function layers.mind(at)
  local rows = at.db:query("SELECT name, valence, arousal, intensity, mood_valence, mood_arousal FROM \z
    emotions WHERE run = ?1 AND t <= ?2 ORDER BY t DESC LIMIT 1", at.run, at.t)
  local row = rows and rows[1]
  if not row then return {} end
  return { emotion = { valence = row.valence, arousal = row.arousal, name = row.name,
    intensity = row.intensity,
    mood = { row.mood_valence, row.mood_arousal } } }
end

-- A moment -----------------------------------------------------------------------------------------

--- The layers of a recorded run that exist.
layers.names = { "scene", "goals", "near", "balance", "mind" }

--- The layers named in `wanted` at a moment: {t, [name] = data, faults = {[name] = sentence}}; nil, sentence.
--- A layer that fails, as of a damaged store, is left out with its fault; the others are whole.
---@param at { db: table, run: integer, t: number, posed: fun(): table? } posed(): a solver at the pose
---@param wanted string names, separated by commas
function layers.of(at, wanted)
  local made, offered = { t = at.t }, {}
  for _, name in ipairs(layers.names) do offered[name] = true end
  for name in wanted:gmatch "[^,]+" do
    if not offered[name] then
      return nil, ("a recorded run has no layer '%s'; it has %s")
        :format(name, table.concat(layers.names, ", "))
    end
    local good, data = pcall(layers[name], at)
    if good then
      made[name] = data
    else
      made.faults = made.faults or {}
      made.faults[name] = tostring(data)
    end
  end
  return made
end

return layers
