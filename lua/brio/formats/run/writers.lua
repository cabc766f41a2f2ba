--- Exports recorded runs for other programs.
---
--- To add a format, add a file lua/brio/formats/run/writers/<name>.lua and its name in `run_export.formats`:
--- a record of name, extensions, doc, takes (its options other than --from and --to), many (whether it makes
--- several files), and write(run, sink, options): run is a brio.record.reader, and sink:write(bytes) appends
--- to the file; sink:file(name) begins one of several files; sink:spool() is temporary storage with
--- write(bytes) and pieces(), an iterator over its contents. Errors raised by write are reported to the
--- person. It may return nil and a sentence.
local recorded = require "brio.record.reader"
local suggest = require "brio.lib.suggest"

local run_export = {}

run_export.formats = { "csv", "mcap", "elan", "lsl", "glb", "html", "page" }

--- Every format: its record.
function run_export.list()
  local out = {}
  for index, name in ipairs(run_export.formats) do
    out[index] = require("brio.formats.run.writers." .. name)
  end
  return out
end

--- The format of that name, or the one for a file's name; nil and the available ones.
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
  return nil, ("--as selects the format: %s"):format(known)
end

--- A message without the position that Lua puts before it.
local function sentence_of(fault) return (tostring(fault):gsub("^[^\n]-%.lua:%d+: ", "")) end

--- Write a run. `options`: from, to, dofs, and those of the format; note(sentence) is called for requests
--- that could not be fulfilled. Return true, or nil and a sentence.
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
