--- The word `detectors` of the prompt: the status of detectors, and the sources of point clouds.
local detectors = require "brio.perception.detectors"
local suggest = require "brio.lib.suggest"

local sensors = {}

--- All of a run: those of detections, then those of clouds.
local function states_of(run)
  local list, names = {}, {}
  for _, detector in ipairs(run.detectors.list) do
    local state = detector:state()
    state.what, state.unit = "detections", "detections"
    list[#list + 1] = state
  end
  for _, state in ipairs(run.clouds:states()) do
    state.what, state.unit = "clouds", "points"
    list[#list + 1] = state
  end
  for _, state in ipairs(list) do names[#names + 1] = state.name end
  return list, names
end

local function refused_of(state)
  local sum = 0
  for reason, count in next, state.refused do sum = sum + (reason == "off" and 0 or count) end
  return sum
end

--- The status of its newest request, in words; nil: no request.
local function asked_of(state)
  if (state.asked or 0) == 0 then return nil end
  return state.answer and "refuses the request: " .. state.answer or state.acknowledged
    and "has acknowledged the request"
    or "has not acknowledged the request"
end

local function line_of(state)
  local who = state.sender ~= nil and state.sender ~= "" and " from " .. state.sender or ""
  local here = state.over and "is over" or state.here and "is heard" .. who or "is not heard"
  local frames = ("%d frames, %d %s"):format(state.frames or 0, state.detections or 0, state.unit)
  local refused, asked = refused_of(state), asked_of(state)
  return ("%s (%s at %s) %s: %s%s%s"):format(state.name, state.what, state.from, here, frames,
    refused > 0 and (", %d refused"):format(refused) or "", asked and ", " .. asked or "")
end

--- detectors [NAME]: a line for each, or everything about one
function sensors.detectors(prompt, rest)
  local list, names = states_of(prompt.run)
  if #list == 0 then return "there are none: see docs/perception/detectors.md" end
  local lines = {}
  for _, state in ipairs(list) do
    if rest == "" or rest == state.name then lines[#lines + 1] = line_of(state) end
    if rest == state.name then
      for _, reason in ipairs(suggest.keys(state.refused)) do
        lines[#lines + 1] = ("  %-10s %8d  %s"):format(reason, state.refused[reason],
          detectors.reasons[reason])
      end
    end
  end
  if #lines == 0 then return nil, ("there is no detector '%s'%s"):format(rest, suggest.hint(rest, names)) end
  return table.concat(lines, "\n")
end

return sensors
