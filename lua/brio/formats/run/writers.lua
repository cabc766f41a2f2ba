--- Recorded runs for other programs.
---
--- Adding a format is one file lua/brio/formats/run/writers/<name>.lua and its name in `run_export.formats`:
--- a record of name, extensions, doc, takes (the options that it knows besides --from and --to), many
--- (whether it makes several files), and write(run, sink, options): run is a brio.record.reader, and
--- sink:write(bytes) adds to the file; sink:file(name) begins one of several; sink:spool() is a place to put
--- bytes aside, with write(bytes) and pieces(), an iterator over what was written. What write raises is told
--- to the person. It may return nil and a sentence.
local recorded = require "brio.record.reader"
local suggest = require "brio.lib.suggest"

local run_export = {}

run_export.formats = { "csv", "mcap", "elan", "lsl", "glb", "html" }

--- Every format: its record.
function run_export.list()
  local out = {}
  for index, name in ipairs(run_export.formats) do
    out[index] = require("brio.formats.run.writers." .. name)
  end
  return out
end

--- The format of that name, or the one that a file's name means; nil and what there is.
---@param name string?
---@param path string?
function run_export.format(name, path)
  local extension = path and (path:match "%.(%w+)$" or ""):lower()
  for _, format in ipairs(run_export.list()) do
    if format.name == name then return format end
    for _, one in ipairs(not name and format.extensions or {}) do
      if one == extension then return format end
    end
  end
  local known = table.concat(run_export.formats, ", ")
  if name then return nil, ("there is no format '%s'%s: there are %s"):format(name,
      suggest.hint(name, run_export.formats),
    known) end
  return nil, ("--as says what a run becomes: %s"):format(known)
end

--- A sentence without the place in a file that Lua puts before it.
local function sentence_of(fault) return (tostring(fault):gsub("^[^\n]-%.lua:%d+: ", "")) end

--- Write a run. `options`: from, to, dofs, and what the format takes; note(sentence) is told what could not
--- be done as asked. Return true, or nil and a sentence.
---@param db userdata
---@param number integer
---@param format table
---@param sink table
---@param options table
function run_export.write(db, number, format, sink, options)
  local run, why = recorded.open(db, number, options)
  if not run then return nil, why end
  local good, done, fault = pcall(format.write, run, sink, options)
  if not good then return nil, sentence_of(done) end
  if not done then return nil, fault end
  return true
end

return run_export
