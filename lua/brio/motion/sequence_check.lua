--- Checks a sequence on a robot: tracks without a DOF, values beyond limits, tracks that jump at their
--- beginning or end, speeds that the robot cannot follow.
local suggest = require "brio.lib.suggest"
local tracks = require "brio.motion.tracks"

local lint = {}

--- Whether a key is relative to the value below.
local function is_transparent(key)
  return key.kind == "input" or key.kind == "superposition" and key[2] == 0
end

--- Number of points at which each interval of a track is checked, and their maximum in total.
local looks, most_looks = 16, 200000

local function note(list, track, key, ...)
  list[#list + 1] = { track = track, key = key,
    message = ("track '%s'%s: "):format(track, key and (", key %d"):format(key) or "")
    .. string.format(...) }
end

--- Warn of values beyond the DOF's range.
local function look_at_values(warnings, name, track, made, dof)
  for index, key in ipairs(track) do
    if key.kind ~= "input" and key.kind ~= "superposition" then
      local value = key[2]
      for _, number in ipairs(type(value) == "table" and value or { value }) do
        local a = made(number)
        if a < dof.lower - 1e-6 or a > dof.upper + 1e-6 then
          note(warnings, name, index, "%.4g is beyond the DOF's range, %.4g to %.4g %s: it will be cut", a,
            dof.lower, dof.upper, dof.unit)
          return
        end
      end
    end
  end
end

--- Warn if a track exceeds the speed or acceleration of its DOF. `home`: the value below the track, used at
--- its lead-in and lead-out.
local function look_at_speed(warnings, name, track, compiled, dof, home)
  local fastest, at, hardest, when, last, last_time = 0, nil, 0, nil, nil, nil
  local step = math.max(1, math.ceil((#track - 1) * looks / most_looks))
  for index = 1, #track - 1 do
    local from, to = track[index][1], track[index + 1][1]
    for place = 0, looks - 1, step do
      local time = from + (to - from) * place / looks
      local _, _, va, vb = compiled:sample(1, time)
      va = va + vb * home
      if math.abs(va) > fastest then fastest, at = math.abs(va), time end
      if last and time > last_time then
        local pull = math.abs(va - last) / (time - last_time)
        if pull > hardest then hardest, when = pull, time end
      end
      last, last_time = va, time
    end
  end
  if fastest > dof.velocity * (1 + 1e-6) then
    note(warnings, name, nil, "is as fast as %.3g %s/s at %.2f s, the DOF up to %.3g: it will be late",
      fastest, dof.unit, at, dof.velocity)
  elseif hardest > dof.acceleration * 1.05 then
    note(warnings, name, nil, "speeds up by %.3g %s/s^2 at %.2f s, the DOF by up to %.3g: corners will be \z
      rounded", hardest, dof.unit, when, dof.acceleration)
  end
end

local function look_at_ends(warnings, name, track)
  if not is_transparent(track[1]) then
    note(warnings, name, 1,
      "does not begin with input or a superposition of 0: it begins at a jump, which a fade bridges")
  end
  if #track > 1 and not is_transparent(track[#track]) then
    note(warnings, name, #track,
      "does not end with input or a superposition of 0: it goes back at a jump, which a fade bridges")
  end
end

--- Check a sequence's description on a robot, over its home pose: {faults, warnings}, each a list of
--- {track, key, message}.
function lint.sequence(description, robot)
  local faults, warnings, dofs, names = {}, {}, {}, {}
  local home = robot.poses[robot.home]
  for _, dof in ipairs(robot.dofs) do dofs[dof.name], names[#names + 1] = dof, dof.name end
  for _, name in ipairs(suggest.keys(description.tracks)) do
    local track, dof = description.tracks[name], dofs[name]
    if not dof then
      note(faults, name, nil, "robot '%s' has no such DOF%s", robot.name, suggest.hint(name, names))
    elseif track.active ~= false then
      local one = tracks.compile({ tracks = { [name] = track }, unit = description.unit,
        curve = description.curve }, { [name] = 1 }, { dof })
      local to = tracks.converter(track.unit or description.unit, dof)
      look_at_ends(warnings, name, track)
      look_at_values(warnings, name, track, type(to) == "number" and function(value) return value * to end
        or to, dof)
      look_at_speed(warnings, name, track, one.motion, dof, home.joints[name] or 0)
    end
  end
  return { faults = faults, warnings = warnings }
end

--- The line of the track, and its key, in a sequence's text, if it can be found; else 0.
function lint.line(text, where)
  local name = where.track:gsub("%p", "%%%0")
  local at = text:find("%f[%w_]" .. name .. "%f[^%w_]%s*=%s*{")
    or text:find("%[%s*[\"']" .. name .. "[\"']%s*%]%s*=%s*{")
  if not at then return 0 end
  local place = text:find("{", at, true)
  for index = 1, where.key or 0 do
    local from, to = text:find("%b{}", place + 1)
    if not from then break end
    place = index == where.key and from or to
  end
  return select(2, text:sub(1, place):gsub("\n", "")) + 1
end

return lint
