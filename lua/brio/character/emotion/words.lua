--- The prompt's words for emotion: feel, act.
local suggest = require "brio.lib.suggest"

local function number(value) return ("%+.2f"):format(value) end

--- The emotion of the robot, for people.
local function said_of(faculty)
  local mood, lines = faculty.state.mood, {}
  lines[1] = ("%s, %.2f: valence %s, arousal %s%s"):format(faculty.name, faculty.intensity,
    number(faculty.valence),
    number(faculty.arousal), faculty.override_share > 0
      and (" (%.0f %% %s)"):format(100 * faculty.override_share,
      faculty.operator and faculty.operator.who or "an operator's") or "")
  lines[2] = ("mood: valence %s, arousal %s"):format(number(mood[1]), number(mood[2]))
  for _, need in ipairs(faculty.needs) do
    lines[#lines + 1] = ("%s: %s, %s"):format(need.name, number(need.level), need.where)
  end
  lines[#lines + 1] = ("moves at speed %.2f, amplitude %.2f, liveliness %.2f"):format(faculty.speed,
    faculty.amplitude, faculty.liveliness)
  return table.concat(lines, "\n")
end

local function faculty_of(prompt)
  local faculty = prompt.run.host.emotion
  if faculty then return faculty end
  return nil, "this behavior has no emotion: add character = { emotion = true } to it"
end

local how = "say feel NAME [INTENSITY], feel VALENCE AROUSAL, or feel free [SECONDS]"

--- feel [NAME [INTENSITY] | VALENCE AROUSAL | free [SECONDS]]
local function feel(prompt, rest, request)
  local faculty, why = faculty_of(prompt)
  if not faculty then return nil, why end
  if rest == "" then return said_of(faculty) end
  local first, second, more = rest:match "^(%S+)%s*(%S*)%s*(.-)$"
  first = first:match "^[\"'](.*)[\"']$" or first
  if more ~= "" or second ~= "" and not tonumber(second) then return nil, how end
  if first == "free" then
    local done
    done, why = faculty:release(tonumber(second))
    if done == nil then return nil, why end
    return done and "its emotion is its own again" or "its emotion was its own"
  end
  local vector
  if tonumber(first) then
    if second == "" then return nil, how end
    vector = { tonumber(first), tonumber(second) }
    if not (math.abs(vector[1]) <= 1 and math.abs(vector[2]) <= 1) then
      return nil, "valence and arousal go from -1 to 1"
    end
  else
    vector, why = faculty:vector(first, tonumber(second))
    if not vector then return nil, why end
  end
  local done
  done, why = faculty:override(vector[1], vector[2], request.who)
  if not done then return nil, why end
  return ("feels valence %s, arousal %s until feel free"):format(number(vector[1]), number(vector[2]))
end

--- act [NAME [STRENGTH]]
local function act(prompt, rest)
  local faculty, why = faculty_of(prompt)
  if not faculty then return nil, why end
  if rest == "" then
    return ("actions: %s\nevents: %s"):format(table.concat(suggest.keys(faculty.set.actions), ", "),
      table.concat(suggest.keys(faculty.set.events), ", "))
  end
  local name, strength = rest:match "^(%S+)%s*(%S*)$"
  if not name or strength ~= "" and not tonumber(strength) then
    return nil, "say act NAME [STRENGTH], as in act pet 1"
  end
  local done
  if faculty.set.events[name] then done, why = faculty:event(name, tonumber(strength))
  else done, why = faculty:act(name, tonumber(strength)) end
  if not done then return nil, why end
  return ("%s: feels %s"):format(name, faculty.name)
end

return {
  { name = "feel", usage = "feel [NAME [INTENSITY] | VALENCE AROUSAL | free [SECONDS]]",
    summary = "the robot's emotion; set it; free: its own emotion returns",
    example = "feel happy 0.8", changes = function(rest) return rest ~= "" end, run = feel },
  { name = "act", usage = "act [NAME [STRENGTH]]",
    summary = "an act towards the robot, for a second: pet, hit, praise, scare",
    example = "act pet", changes = function(rest) return rest ~= "" end, run = act },
}
