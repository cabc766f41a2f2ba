--- Sets of motions: folders and files that are measured together.
---
--- A set is written [ROBOT=]PATH[,PATH...]: folders (with all motion files below them) and files. With a
--- robot, its motions are fitted to that robot, and those of persons are retargeted.
local path = require "brio.motion.measures.path"
local points = require "brio.terminal.motion_points"
local measures = require "brio.motion.measures.sets"
local uv = require "luv"

local sets = {}

--- Deepest folder, from that of the set, and most files.
local deepest, most_files = 8, 100000

--- The extensions of motion files: {extension = true}.
local function extensions()
  local known = { lua = true }
  for _, format in ipairs(require("brio.formats.motion.readers").list()) do
    for _, extension in ipairs(format.extensions) do known[extension] = true end
  end
  return known
end

local function kind_of(name) return (uv.fs_stat(name) or {}).type end

--- Add the motion files below a folder, sorted by name.
local function add_folder(list, folder, known, depth)
  local names, scan = {}, uv.fs_scandir(folder)
  local name = scan and uv.fs_scandir_next(scan)
  while name do
    names[#names + 1] = name
    name = uv.fs_scandir_next(scan)
  end
  table.sort(names)
  for _, one in ipairs(names) do
    local whole = folder .. "/" .. one
    local kind = kind_of(whole)
    if kind == "directory" and depth < deepest then add_folder(list, whole, known, depth + 1) end
    if kind == "file" and known[(one:match "%.(%w+)$" or ""):lower()] and #list < most_files then
      list[#list + 1] = { file = whole, found = true }
    end
  end
end

--- The words of a set: its robot (nil: none) and its paths.
local function split(word)
  if kind_of(word) then return nil, { word } end
  local on, rest = word:match "^([^=,]+)=(.+)$"
  rest = rest or word
  if kind_of(rest) then return on, { rest } end
  local list = {}
  for part in rest:gmatch "[^,]+" do list[#list + 1] = part end
  return on, list
end

--- The files of a set: { file, name, found }; or nil and a sentence. `found`: in a folder, so one without a
--- motion is left out.
local function files_of(word, paths)
  if #paths == 0 then return nil, ("a set is [ROBOT=]PATH[,PATH...], not '%s'"):format(word) end
  local list, known = {}, extensions()
  for _, one in ipairs(paths) do
    local root, first = one:gsub("(.)/+$", "%1"), #list + 1
    local kind = kind_of(root)
    if kind == "directory" then
      add_folder(list, root, known, 0)
      if not list[first] then return nil, ("the set %s: no motion file is below %s"):format(word, root) end
    elseif kind or root:find "#" then
      list[first] = { file = root }
    else
      return nil, ("the set %s: there is no file or folder %s"):format(word, root)
    end
    for index = first, #list do
      local file = list[index].file
      local name = kind == "directory" and file:sub(#root + 2) or file:match "[^/]*$"
      list[index].name = name:gsub("%.%w+$", "")
    end
  end
  return list
end

--- The motion files below a folder, as { file, name }, sorted; or nil and a sentence.
function sets.files(folder)
  local list, why = files_of(folder, { folder })
  if not list then return nil, (why:gsub("^the set ", "the folder ", 1)) end
  return list
end

--- Root mean square of the distance from the mean position to which paths are scaled by `by_size`, m: about
--- that of a dancing wrist.
sets.size = 0.25

--- The part of a path from options.from to options.to, s; nil: nothing is in it.
local function cut(one, options)
  if not (options.from or options.to) then return one end
  local first = math.ceil((options.from or 0) * one.rate - 1e-6) + 1
  local last = math.min(path.count(one), math.floor((options.to or 1e9) * one.rate + 1e-6) + 1)
  return last > first and path.part(one, first, last) or nil
end

--- Add the motions of a file; return whether it has one, or nil and a sentence.
local function add_motions(set, file, options)
  local one, why = points.read(file.file, options)
  if not one then return nil, why end
  one = cut(one, options)
  if not one then return nil, ("%s: nothing is from %g s on"):format(file.file, options.from or 0) end
  local list, added, reason = options.cut and measures.pieces(one, options.cut) or { one }, false, nil
  if #list == 0 then
    return nil, ("%s: lasts %.2f s, expected at least one piece of %g s"):format(file.file,
      path.seconds(one), options.cut)
  end
  for index, piece in ipairs(list) do
    local name = file.name .. (options.cut and ("#%d"):format(index) or "")
    local motion, fault = measures.motion(name, piece, options.by_size and sets.size)
    if motion then
      motion.file, motion.source, added = file.file, file, true
      set.motions[#set.motions + 1] = motion
    else
      reason = reason or ("%s: its %s %s"):format(file.file, why, fault)
    end
  end
  return added or nil, reason
end

--- Read a set: { word, on, motions, left_out }, or nil and a sentence. `options`: as of motion_points, and
--- cut (s), from, to, by_size. Files of folders without a motion are left out: `left_out` has their
--- sentences.
function sets.read(word, options)
  local on, paths = split(word)
  local list, why = files_of(word, paths)
  if not list then return nil, why end
  local own = setmetatable({ on = on }, { __index = options })
  local set = { word = word, on = on, motions = {}, left_out = {} }
  for _, file in ipairs(list) do
    local good, fault = add_motions(set, file, own)
    if not good and not file.found then return nil, fault end
    if not good then set.left_out[#set.left_out + 1] = fault end
  end
  if #set.motions > 0 then return set end
  return nil, ("the set %s has no motion: %s"):format(word, set.left_out[1])
end

return sets
