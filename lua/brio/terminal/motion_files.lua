--- Motion files for commands: sequences, and formats of brio.import, fitted to a robot.
local cli = require "brio.terminal.cli"
local paths = require "brio.lib.paths"
local runs = require "brio.runs.names"

local motions = {}

local shared = {
  { "robot", "ROBOT", "its robot: a name, a folder or a .urdf" },
  { "clip", "NAME", "select one of several motions in the file, by name or number" },
  { "format", "NAME", "the file's format, if it is ambiguous" },
  { "map", "FILE", "a mapping from the file's parts or tracks to the robot (docs/animation/importing.md)" },
  { "fps", "N", "frames per second, instead of the file's" },
  { "unit", "UNIT", "unit of values in tracks without one: rad (the DOF's unit) or deg; default: rad" },
  { "tolerance", "X", "permitted error when samples are reduced to keys; default: 0.002 (rad or m)" },
  { "lead", "S", "seconds to lead in and out; 0: none; default: 0.6" },
  { "follow", "WEIGHT", "weight with which the robot follows (docs/animation/sequences.md)" },
  { "skeleton", "FILE", "the .asf of an .amc" },
}

--- Options that cut out a part of a motion, or fit it.
motions.part = {
  { "from", "T", "from this second of the motion on" },
  { "to", "T", "until this second" },
  { "dof", "NAME", "this DOF, or the DOFs of this group, only; may be said again", many = true },
  { "fit", nil, "slow down for the robot's limits of speed and acceleration, and stay within its ranges" },
}

--- A command's options, with the common ones before them.
function motions.with_options(own)
  local all = table.move(shared, 1, #shared, 1, {})
  return table.move(own, 1, #own, #all + 1, all)
end

--- The checked options of a command, or nil (printed).
function motions.options(args)
  local options = { clip = args.clip, format = args.format, map = args.map, unit = args.unit,
    skeleton = args.skeleton }
  if args.unit and args.unit ~= "rad" and args.unit ~= "deg" then
    return cli.error("--unit must be rad or deg, not '%s'", args.unit)
  end
  for name, range in next, { fps = { 0.1, 10000 }, tolerance = { 1e-6, 1 }, lead = { 0, 60 },
      follow = { 0.001, 100000 } } do
    local value = cli.number(args, name, range[1], range[2], false)
    if value == nil then return nil end
    options[name] = value or nil
  end
  return options
end

--- The checked options of a command with those of `motions.part`, or nil (printed).
function motions.part_options(args)
  local options = motions.options(args)
  if not (options and cli.read_span(args, options)) then return nil end
  options.dofs, options.fit = args.dof, args.fit
  return options
end

--- Whether the options cut out a part of a motion, or fit it.
local function takes_part(options) return options.from or options.to or options.dofs or options.fit end

--- Maximum size of a file, bytes.
local most_bytes = 1 << 28

local function slurp(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, fault = file:read(most_bytes + 1)
  file:close()
  if not text and fault then return nil, path .. ": " .. fault end
  text = text or ""
  if #text > most_bytes then
    return nil, ("%s: has over %d bytes, which is too much"):format(path, most_bytes)
  end
  return text
end

local function names_in(folder)
  local names, uv = {}, require "luv"
  local scan = uv.fs_scandir(folder)
  local name = scan and uv.fs_scandir_next(scan)
  while name do
    names[#names + 1] = name
    name = uv.fs_scandir_next(scan)
  end
  table.sort(names)
  return names
end

--- The file beside `path` with that extension whose name has the longest common beginning.
local function companion(path, extension)
  local folder, base, best, most = paths.folder(path), path:match "([^/]*)$", nil, 0
  for _, name in ipairs(names_in(folder)) do
    if name:lower():match "%.(%w+)$" == extension then
      local same = 0
      while same < #name and name:byte(same + 1) == base:byte(same + 1) do same = same + 1 end
      if same > most then best, most = name, same end
    end
  end
  return best and folder .. "/" .. best
end

local function import_options(path, options)
  local complete = { file = path }
  for key, value in next, options do complete[key] = value end
  complete.beside = function(name)
    if name:match "^/" or name:match "%.%." then return nil, name .. " is not beside the file" end
    return slurp(paths.folder(path) .. "/" .. name)
  end
  complete.companion = function(extension)
    local found = options.skeleton or companion(path, extension)
    if not found then return nil, path end
    local text, why = slurp(found)
    return text, text and found or why
  end
  return complete
end

--- The clip in a file, or in a recorded run (FILE#RUN, as in docs/analysis/runs.md). Return it, or nil and a
--- sentence.
function motions.read(path, options)
  local file, run, fault = runs.split(path)
  if fault then return nil, fault end
  if file and run and options.clip then
    return nil, ("%s names a run already: leave --clip out"):format(path)
  end
  local text, why = slurp(file or path)
  if not text then return nil, why end
  local complete = import_options(file or path, options)
  complete.clip = file and run or complete.clip
  return require("brio.formats.motion.readers").read(text, complete)
end

--- A mapping's table from its file: only pi is in its environment.
local function read_map(path)
  local text, why = slurp(path)
  if not text then return nil, why end
  local chunk, fault = load(text, "@" .. path, "t", { pi = math.pi })
  if not chunk then return nil, fault end
  local good, map = pcall(chunk)
  if not good then return nil, tostring(map) end
  local wrong = require("brio.motion.retarget.map").fault(map)
  if wrong then return nil, path .. ": " .. wrong end
  map.file = path
  return map
end

--- The mapping that was named, else the robot's own, else an empty one.
function motions.map_for(description, options)
  if options.map then return read_map(options.map) end
  local own = paths.folder(description.file or "") .. "/retarget.lua"
  if description.file and paths.exists(own) then return read_map(own) end
  return {}
end

local function append(list, more) return table.move(more, 1, #more, #list + 1, list) end

--- A sentence about a clip or its mapping, with the name of the file in question.
local function named(clip, map, sentence)
  for _, file in ipairs { map.file or "", clip.file or "" } do
    if file ~= "" and sentence:sub(1, #file + 1) == file .. ":" then return sentence end
  end
  return clip.file and clip.file .. ": " .. sentence or sentence
end

--- The sequence of a clip for a robot by name, and its notes; or nil and a sentence.
function motions.fit(clip, robot_name, options)
  local description, why = require("brio.robots.catalog").find(robot_name)
  if not description then return nil, why end
  local map, fault = motions.map_for(description, options)
  if not map then return nil, fault end
  local joints = clip
  if options.arm and clip.kind ~= "skeleton" then
    return nil, named(clip, map, "it has joints, and --arm is for the motion of a person")
  end
  if clip.kind == "skeleton" then
    clip, why = require("brio.formats.clip").try(require("brio.motion.fit.part").skeleton, clip, options)
    if not clip then return nil, named(joints, map, why) end
    -- that part is already cut out
    local fitted = options.fit or options.arm
    options = setmetatable({ from = false, to = false, fit = fitted }, { __index = options })
    local how = options.arm and require("brio.motion.arm") or require("brio.motion.retarget")
    joints, why = how.clip(clip, description, map)
    if not joints then return nil, named(clip, map, why) end
  end
  local made, notes = require("brio.motion.fit").sequence(joints, description, map, options)
  if not made then return nil, named(clip, map, notes) end
  return made, append(append({}, joints.notes), notes), description
end

--- The sequence in a file of any format, for a robot (nil: the one that the sequence names), its notes and
--- the robot's description; or nil and a sentence.
function motions.sequence(path, robot_name, options)
  if not path:match "%.lua$" then
    if not robot_name then return nil, "a motion of another program needs a robot: --robot" end
    local clip, why = motions.read(path, options)
    if not clip then return nil, why end
    return motions.fit(clip, robot_name, options)
  end
  if takes_part(options) then
    return nil, path .. " is a sequence: --from, --to, --dof and --fit are for motions of other programs"
  end
  local made, why = require("brio.motion.sequence").read(path)
  if not made then return nil, why end
  local name = robot_name or made.robot
  if not name then return nil, path .. " names no robot: say --robot" end
  local description, fault = require("brio.robots.catalog").find(name)
  if not description then return nil, fault end
  return made, {}, description
end

--- Whether a person's word is a file, not a run (see runs/names.lua). A run store counts as a file of motions
--- only if `args` select a motion or a robot.
function motions.is_file(word, args)
  if not word or runs.is_run(word) then return false end
  if runs.is_store(word) then return args.clip ~= nil or args.robot ~= nil end
  return word:find "[/.]" ~= nil
end

--- A sequence for a robot (as of motions.sequence or motions.fit), sampled `rate` times a second; or nil and
--- a sentence about the file at `path`.
function motions.film(made, description, path, rate)
  local film = require("brio.formats.motion.writers").film(made, description, rate)
  if #film.dofs == 0 then return nil, path .. " moves no DOF of " .. description.name end
  return film
end

--- The series of the DOFs of a motion in a file, `rate` samples a second, its name and its length; or nil and
--- a sentence.
function motions.series(path, robot_name, options, rate)
  local made, notes, description = motions.sequence(path, robot_name, options)
  if not made then return nil, notes end
  local film, why = motions.film(made, description, path, rate)
  if not film then return nil, why end
  local title = ("%s on %s"):format(made.name or path, description.name)
  return require("brio.record.series").of_film(film), title, film.times[#film.times]
end

return motions
