--- Trees of other programs: reads a file's text into tables as brio.tree takes them, and into a document that
--- can be written back without loss.
---
--- To add a format, add a file lua/brio/formats/tree/readers/<name>.lua and its name in
--- `tree_import.formats`. A format is a record:
---   name, doc
---   sniff(text)          whether a text looks like it
---   parse(text, file)    the document, in the order of the file
---   trees(document, options)  its trees: a list of {name =, form =}; options: file; read(path): text of a
---                             file, or nil; beside(name): text and path of a file in the same folder, or
---                             nil; lines: a table to be filled, {node = its line in the file}
---   write(document)      its text
--- Errors are raised by fail() of brio.formats.clip. An unknown node becomes a `foreign` step, which fails
--- with its name.
local clip = require "brio.formats.clip"

local tree_import = {}

tree_import.formats = { "ihmc", "btcpp" }

--- The record of a text's format, or nil.
function tree_import.find(text)
  for _, name in ipairs(tree_import.formats) do
    local format = require("brio.formats.tree.readers." .. name)
    if format.sniff(text) then return format end
  end
end

--- Read trees. Return {format =, document =, trees = { {name =, form =}, ... }}, or nil and a sentence.
--- `read(path)` returns the text of a file that this one names, or nil.
function tree_import.load(text, file, read)
  local format = tree_import.find(text)
  if not format then
    return nil, file .. ": no tree that is known here (IHMC's JSON, BehaviorTree.CPP's XML)"
  end
  local folder = file:match "^(.*/)" or ""
  local function beside(name)
    if name:find "\0" then return nil end
    local path = name:sub(1, 1) == "/" and name or folder .. name
    return read(path), path
  end
  local good, loaded = pcall(function()
    local document, lines = format.parse(text, file), {}
    return { format = format, document = document, lines = lines,
      trees = format.trees(document, { file = file, read = read, beside = beside, lines = lines }) }
  end)
  if good then return loaded end
  return nil, clip.failure(loaded) or error(loaded, 0)
end

--- The text of a loaded document.
function tree_import.write(loaded) return loaded.format.write(loaded.document) end

return tree_import
