--- Exports sequences for other programs: sampled over a robot's home pose, and written in a known format.
---
--- To add a format, add a file lua/brio/formats/motion/writers/<name>.lua and its name in `export.formats`: a
--- record of name, extensions, doc, and write(film, description), which returns the file's bytes. A film is {
--- name, rate, dofs, times, values }: DOFs by name in order, times in s, and for each time the list of their
--- values in the DOFs' units.
local suggest = require "brio.lib.suggest"
local tracks = require "brio.motion.tracks"

local export = {}

export.formats = { "csv", "glb", "gltf" }

--- Every format: its record.
function export.list()
  local out = {}
  for index, name in ipairs(export.formats) do
    out[index] = require("brio.formats.motion.writers." .. name)
  end
  return out
end

--- The format for a file's name, or nil and the available ones.
function export.format(path)
  local extension = (path:match "%.(%w+)$" or ""):lower()
  for _, format in ipairs(export.list()) do
    for _, one in ipairs(format.extensions) do
      if one == extension then return format end
    end
  end
  return nil, ("%s: its name ends with none of .lua, .%s"):format(path, table.concat(export.formats, ", ."))
end

--- The DOFs of a film: those with a track, in the robot's order.
local function filmed(made, description)
  local list = {}
  for index, dof in ipairs(description.dofs) do
    local track = made.tracks[dof.name]
    if track and track.active ~= false then
      list[#list + 1] = { index = index, name = dof.name, dof = dof }
    end
  end
  return list
end

--- A sequence as a film at a rate, over the home pose of a robot. Loops are played once.
function export.film(made, description, rate)
  local numbers, home = tracks.numbers(description), description.poses[description.home].joints
  local compiled, places = tracks.compile(made, numbers, description.dofs), {}
  local place = 0
  for _, name in ipairs(suggest.keys(made.tracks)) do
    if numbers[name] and made.tracks[name].active ~= false then
      place = place + 1
      places[name] = place
    end
  end
  local film = { name = made.name or "motion", rate = rate, dofs = filmed(made, description), times = {},
    values = {} }
  local length = compiled.motion:length()
  for frame = 0, math.ceil(length * rate - 1e-9) do
    local t, row = math.min(frame / rate, length), {}
    for index, one in ipairs(film.dofs) do
      local below = home[one.name] or one.dof.rest or 0
      local a, b = compiled.motion:sample(places[one.name], t)
      row[index] = a and a + b * below or below
    end
    film.times[frame + 1], film.values[frame + 1] = t, row
  end
  return film
end

return export
