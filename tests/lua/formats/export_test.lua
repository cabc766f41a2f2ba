--- Sequences for other programs: a written file reads back as the same motion.
local export = require "brio.export"
local import = require "brio.import"
local robots = require "brio.robots"
local rotation = require "brio.lib.rotation"
local sequence = require "brio.sequence"
local skeleton = require "brio.motion.skeleton"

local function film_of(name, rate)
  local pepper = assert(robots.find "pepper")
  local made = assert(sequence.read("drivers/robots/pepper/sequences/" .. name .. ".lua"))
  return export.film(made, pepper, rate), pepper
end

test("a film is the sequence over the home pose, sampled to its end", function(t)
  local film, pepper = film_of("wave", 50)
  t:equal({ #film.dofs, film.times[1], film.times[#film.times] }, { 5, 0.0, 4.0 })
  local home = pepper.poses[pepper.home].joints
  for index, one in ipairs(film.dofs) do
    t:near(film.values[1][index], home[one.name], 1e-9)
    t:near(film.values[#film.values][index], home[one.name], 1e-9)
  end
  t:near(film.values[61][1], -0.2, 1e-9) -- RShoulderPitch at 1.2 s
end)

test("CSV reads back as the same values", function(t)
  local film = film_of("wave", 50)
  local clip = assert(import.read(require("brio.formats.motion.writers.csv").write(film), { file = "a.csv" }))
  t:equal(#clip.tracks, #film.dofs)
  for index, track in ipairs(clip.tracks) do
    t:equal(track.name, film.dofs[index].name)
    for frame, key in ipairs(track.keys) do
      t:near({ key[1], key[2] }, { film.times[frame], film.values[frame][index] }, 1e-6)
    end
  end
end)

test("glTF has every link where the robot has it, as one file and as text, in each frame", function(t)
  for _, format in ipairs { "glb", "gltf" } do
    local film, pepper = film_of("wave", 20)
    local clip = assert(import.read(require("brio.formats.motion.writers." .. format).write(film, pepper),
      { file = "a." .. format }))
    local parts = {}
    for _, name in ipairs { "RElbow", "r_wrist", "Head", "l_wrist" } do parts[name] = name end
    local poser = skeleton.poser(clip, parts)
    t:equal({ poser.up, poser.scale, #clip.times }, { "y", 1, #film.times })
    -- the file is y up, and the poser turns it so that looking along z becomes looking along x: here a
    -- quarter turn about z
    local home = pepper.poses[pepper.home].joints
    for frame = 1, #film.times, 7 do
      local joints = {}
      for _, variable in ipairs(pepper.robot:variables()) do joints[variable.name] = home[variable.name] end
      for index, one in ipairs(film.dofs) do joints[one.name] = film.values[frame][index] end
      local links = pepper.robot:forward({ joints = joints }).links
      local at = poser:at(frame)
      for name in pairs(parts) do
        local p = links[name].position
        local x, y, z = p[1], p[2], p[3]
        local q = { rotation.about("z", math.pi / 2) }
        x, y, z = rotation.turn(q[1], q[2], q[3], q[4], x, y, z)
        t:near({ at[name][1], at[name][2], at[name][3] }, { x, y, z }, 2e-6)
      end
    end
  end
end)

test("a name that ends otherwise is refused with what there is", function(t)
  local none, why = export.format "x.fbx"
  t:ok(none == nil and why:find(".csv, .glb, .gltf", 1, true), why)
  t:equal(export.format("x.GLB").name, "glb")
end)
