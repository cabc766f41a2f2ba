--- The prompt's word of the gaze.
local face = require "brio.character.gaze.interface"
local vector = require "brio.character.gaze.vector"

local words = {}

--- An operator's order has priority over a behavior's.
local priority = 100

local function show(gaze)
  local at, lines = gaze.face:at(), {}
  lines[1] = at and ("looks at %s (%s): %s"):format(at.target or "a place", at.kind, at.why)
    or "looks at nothing in particular"
  local users = gaze.face:engaged()
  if #users > 0 then lines[2] = "engaged with " .. table.concat(users, ", ") end
  for _, row in ipairs(gaze.face:targets()) do
    local p = row.position
    lines[#lines + 1] = ("  %-16s %-8s salience %.2f  at %.2f %.2f %.2f"):format(row.target, row.kind,
      row.salience, p[1], p[2], p[3])
  end
  return table.concat(lines, "\n")
end

--- Parse a target: a name, or a position in Lua; with optional seconds after it.
local function read_target(prompt, text)
  local what, seconds = text:match "^(%S+)%s+([%d.]+)$"
  if text:match "^{" then
    what, seconds = text:match "^(%b{})%s*([%d.]*)$"
    if not what then return nil, "say a place as in look at { 1, 0.2, 1 }" end
    local good, value = prompt:value(what)
    if not good then return nil, value end
    return value, tonumber(seconds)
  end
  return what or text, tonumber(seconds)
end

local function at(prompt, gaze, rest, who)
  if rest == "" then return nil, "say what to look at: a name, or a place as in look at { 1, 0.2, 1 }" end
  local target, seconds = read_target(prompt, rest)
  if target == nil then return nil, seconds end
  local place, name, kind, moved = face.target(gaze, target)
  if not place then return nil, name end
  gaze:free("operator")
  gaze:order { place = place, name = name, kind = kind, moved = moved,
    why = "told by " .. (who or "a person"), priority = priority,
    till = seconds and gaze.host.now + seconds, by = "operator" }
  return ("looks at %s%s"):format(name or "that place", seconds and (" for %g s"):format(seconds)
    or ", until `look free`")
end

local function away(_, gaze, rest)
  local seconds = tonumber(rest == "" and 3 or rest)
  if not (seconds and vector.finite(seconds, 0, 0) and seconds > 0) then
    return nil, "say for how many seconds, as in look away 2"
  end
  gaze:avert(seconds)
  return ("looks away for %g s"):format(seconds)
end

local function free(_, gaze)
  gaze:free()
  return "looks at what draws it"
end

local kinds = { at = at, away = away, free = free }

words[1] = {
  name = "look", usage = "look [at X [SECONDS]|away|free]",
  summary = "look at a person, object, link or point, or away; free: by itself; alone: its target and its \z
    salient things",
  example = "look at ann", changes = function(rest) return rest ~= "" end,
  run = function(prompt, rest, request)
    local gaze = prompt.run.host.gaze
    if not gaze then return nil, "this behavior has no gaze: add character = { gaze = true } to it" end
    if rest == "" then return show(gaze) end
    local kind, more = rest:match "^(%S+)%s*(.-)%s*$"
    if not kinds[kind] then return nil, "say look at X, look away or look free" end
    return kinds[kind](prompt, gaze, more, request.who)
  end,
}

return words
