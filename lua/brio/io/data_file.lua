--- Files of plain data, such as robots and questionnaires: executed without any functions in reach, and
--- checked field by field.
local door = require "brio.io.input_gate"
local schema = require "brio.lib.schema"

local plain = {}

--- The words that compute.
local computing = { ["while"] = true, ["for"] = true, ["repeat"] = true, ["goto"] = true,
  ["function"] = true }

--- Whether a text has the letters of one of them anywhere: much faster to find than whole words.
local function may_compute(text)
  for word in next, computing do
    if text:find(word, 1, true) then return true end
  end
end

--- Whether a source computes: a file of plain data must have neither calls nor loops.
local function computes(source)
  local bare = source:gsub("%[%[.-%]%]", ""):gsub("\\\\", ""):gsub("\\z%s*",
    "") -- the text of a string may continue in the next line
  bare = bare:gsub("\\.", ""):gsub("%-%-[^\n]*", "")
  bare = bare:gsub('"[^"\n]*"', '""'):gsub("'[^'\n]*'", "''")
  if not may_compute(bare) then return nil end
  for word in bare:gmatch("%f[%w_](%l+)%f[^%w_]") do
    if computing[word] then return word end
  end
end

local function read_all(path)
  local handle, why = io.open(path, "r")
  if not handle then return nil, path .. ": cannot read: " .. why:gsub("^[^:]*: ", ""), "no_file" end
  local source = handle:read(1 << 20)
  handle:close()
  if not source then return nil, path .. ": is empty or no file: a table was expected", "format" end
  return source
end

--- Parse a text of plain data and check it by a record (lib/schema.lua; nil: unchecked); `known` holds the
--- names that the text may use. Return the data, or nil, a sentence and a code (format).
function plain.parse(source, path, record, known)
  local word = computes(source)
  if word then return nil, ("%s: is plain data: '%s' does not belong in it"):format(path, word), "format" end
  local chunk, wrong = load(source, "@" .. path, "t", known or {})
  if not chunk then return nil, wrong, "format" end
  local fine, data = pcall(chunk)
  if not fine then
    return nil, tostring(data) .. " (this is plain data, without functions)", "format"
  end
  if type(data) ~= "table" then
    return nil, ("%s: must return a table, not a %s"):format(path, type(data)), "format"
  end
  local fault = record and schema.fault(data, record, path)
  if fault then return nil, fault, "format" end
  return data
end

--- Read a file of plain data and check it, as plain.parse does; `text` replaces the file's content.  Return
--- the data, nil and the text of the file, or nil, a sentence and a code (no_file, format).
function plain.read(path, record, known, text)
  local source, why, code = text, nil, nil
  if not source then source, why, code = door.read(path, read_all, path) end
  if not source then return nil, why, code end
  local data, wrong, kind = plain.parse(source, path, record, known)
  if not data then return nil, wrong, kind end
  return data, nil, source
end

return plain
