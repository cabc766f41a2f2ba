--- Imports motions of other programs: reads a file's text of any known format into a clip (brio.clip).
---
--- To add a format, add a file lua/brio/formats/motion/readers/<name>.lua and its name in `import.formats`. A
--- format is a record:
---   name, extensions, doc, text (it is UTF-8, which is checked before it is read)
---   sniff(text)          whether a text looks like it; called first for formats with the file's extension
---   read(text, options)  the clip; failures by clip.fail
--- Options: file (its name in sentences), clip (which of several motions), fps (frames a second, overrides
--- the file's), companion(extension) and beside(name): the text of a file that belongs to it and its name, or
--- nil.
local clip = require "brio.formats.clip"

local import = {}

import.formats = { "qianim", "xar", "bvh", "amc", "gltf", "cozmo", "blossom", "deepmimic", "op3", "run",
  "csv" }

--- Known formats that brio does not read: how to recognize them, and what to do.
local refused = {
  { "^Kaydara FBX Binary", "this is FBX, which is not read; export it as glTF 2.0 (.glb) or BVH, as Blender \z
    can" },
  { "^; FBX %d", "this is FBX, which is not read; export it as glTF 2.0 (.glb) or BVH, as Blender can" },
  { "^PK\3\4", "this is a zip archive; unpack it and give the file inside" },
  { "^:?#?%s*[^\n]*\n?.-:bonedata", "this is the skeleton of a motion capture; give the .amc, which \z
    finds it" },
}
local refused_yaml = {
  { "\n?%s*collision_objects:", "this is a planning scene: it has objects and no motion" },
  { "\n?%s*goal_constraints:", "this is a planning request: it has a start and a goal and no motion" },
}

local function format_at(name) return require("brio.formats.motion.readers." .. name) end

--- Every format: its record.
function import.list()
  local out = {}
  for index, name in ipairs(import.formats) do out[index] = format_at(name) end
  return out
end

local function has_extension(format, extension)
  for _, one in ipairs(format.extensions) do
    if one == extension then return true end
  end
  return false
end

--- The format of a text, or nil and why none matches.
function import.detect(text, file)
  for _, refusal in ipairs(refused) do
    if text:sub(1, 4096):match(refusal[1]) then return nil, refusal[2] end
  end
  local extension = (file:match "%.(%w+)$" or ""):lower()
  for _, refusal in ipairs((extension == "yaml" or extension == "yml") and refused_yaml or {}) do
    if text:match(refusal[1]) then return nil, refusal[2] end
  end
  local all = import.list()
  for _, format in ipairs(all) do
    if has_extension(format, extension) and format.sniff(text) then return format end
  end
  for _, format in ipairs(all) do
    if format.name ~= "csv" and format.sniff(text) then return format end
  end
  for _, format in ipairs(all) do
    if has_extension(format, extension) and #format.extensions > 0 and extension ~= "json"
        and extension ~= "bin" then
      return format -- its reader reports the error
    end
  end
  return nil, ("no motion that brio reads; it reads %s"):format(table.concat(import.formats, ", "))
end

local function chosen(text, options, file)
  if not options.format then return import.detect(text, file) end
  for _, name in ipairs(import.formats) do
    if name == options.format then return format_at(name) end
  end
  return nil, ("there is no format '%s', expected one of %s"):format(options.format,
    table.concat(import.formats, ", "))
end

--- The sentence of a failed import: with the file's name, unless it begins with the name of one of the files.
local function sentence_of(files, sentence)
  for _, file in ipairs(files) do
    if sentence:sub(1, #file) == file and sentence:match("^[: ]", #file + 1) then return sentence end
  end
  return files[1] .. ": " .. sentence
end

--- A function that returns files which belong to the text, and adds their names to `files`.
local function noting(give, files)
  return function(what)
    local text, name = give(what)
    if text then files[#files + 1] = name or what end
    return text, name
  end
end

--- Read a motion. Returns the clip, or nil, sentence, code (format, limit).
function import.read(text, options)
  local file = options.file or "the text"
  local complete, files = setmetatable({ file = file }, { __index = options }), { file }
  complete.companion = noting(options.companion or function() return nil, "no file" end, files)
  complete.beside = options.beside or function(name) return nil, name .. " is not at hand" end
  if #text == 0 then return nil, file .. " is empty", "format" end
  local format, why = chosen(text, options, file)
  if not format then return nil, sentence_of(files, why), "format" end
  local whole, at = utf8.len(format.text and text or "")
  if not whole then
    return nil, ("%s: byte %d is no UTF-8, which a %s file is; save it as UTF-8"):format(file, at - 1,
      format.name), "format"
  end
  local good, result = pcall(format.read, text, complete)
  if not good then
    local sentence = clip.failure(result)
    if not sentence then error(result, 0) end
    return nil, sentence_of(files, sentence), "format"
  end
  result.format, result.file = format.name, file
  result.name = result.name or file:match "([^/]*)$":gsub("%.%w+$", "")
  return result
end

return import
