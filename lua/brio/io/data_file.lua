--- Files of plain data, such as robots and questionnaires: loaded with nothing to call, checked field by
--- field.
local door = require "brio.io.input_gate"
local suggest = require "brio.lib.suggest"

local plain = {}

-- A check returns nothing when the value passes, else where in it (may be "") and what was expected.

function plain.text(value)
  if type(value) ~= "string" or value == "" then return "", "a text" end
end

function plain.flag(value)
  if type(value) ~= "boolean" then return "", "true or false" end
end

function plain.number(value)
  if type(value) ~= "number" or value ~= value or value == math.huge or value == -math.huge then
    return "", "a finite number"
  end
end

function plain.positive(value)
  if plain.number(value) or value <= 0 then return "", "a number greater than 0" end
end

function plain.not_negative(value)
  if plain.number(value) or value < 0 then return "", "a number of at least 0" end
end

function plain.setting(value)
  if type(value) ~= "string" and plain.number(value) then return "", "a number or a text" end
end

function plain.one_of(...)
  local words = { ... }
  return function(value)
    for _, word in ipairs(words) do
      if value == word then return end
    end
    return "", 'one of "' .. table.concat(words, '", "') .. '"'
  end
end

function plain.list_of(check, what, count)
  return function(value)
    if type(value) ~= "table" or (count and #value ~= count) then return "", what end
    for key in next, value do
      if math.type(key) ~= "integer" or key < 1 or key > #value then return "", what end
    end
    for index, item in ipairs(value) do
      local where, expected = check(item)
      if where then return ("[%d]%s"):format(index, where), expected end
    end
  end
end

function plain.map_of(check, what)
  return function(value)
    if type(value) ~= "table" then return "", what end
    for _, key in ipairs(suggest.keys(value)) do
      local where, expected = check(value[key])
      if where then return "." .. key .. where, expected end
    end
    for key in next, value do
      if type(key) ~= "string" then return "[" .. tostring(key) .. "]", "a name = value, no list" end
    end
  end
end

--- A record: `fields` maps a name to its check; those in `required` must be there.
function plain.record(fields, required)
  local names = suggest.keys(fields)
  return function(value)
    if type(value) ~= "table" then return "", "a table with the fields " .. table.concat(names, ", ") end
    for _, key in ipairs(suggest.keys(value)) do
      if not fields[key] then
        return "." .. key, "one of " .. table.concat(names, ", ") .. suggest.hint(key, names)
      end
    end
    if #value > 0 then return "[1]", "a name = value, no list" end
    for _, key in ipairs(names) do
      if value[key] ~= nil then
        local where, expected = fields[key](value[key])
        if where then return "." .. key .. where, expected end
      end
    end
    for _, key in ipairs(required) do
      if value[key] == nil then return "." .. key, "given" end
    end
  end
end

--- The field at the end of a path like ".dofs[3].lower", for a message.
local function at(data, where)
  for step in where:gmatch("[^.%[%]]+") do
    if type(data) ~= "table" then return nil end
    data = data[math.tointeger(tonumber(step)) or step]
  end
  return data
end

local function shown(value)
  if type(value) == "string" then
    return ("'%s'"):format(#value > 40 and value:sub(1, 40) .. "..." or value)
  end
  if type(value) == "number" then return ("%.14g"):format(value) end
  return type(value) == "table" and "a table" or tostring(value)
end

--- A file of plain data describes: what computes or never ends does not belong there.
local function computes(source)
  local bare = source:gsub("%[%[.-%]%]", ""):gsub("\\\\", ""):gsub("\\z%s*",
    "") -- a text may go on in the next line
  bare = bare:gsub("\\.", ""):gsub("%-%-[^\n]*", "")
  bare = bare:gsub('"[^"\n]*"', '""'):gsub("'[^'\n]*'", "''")
  for word in bare:gmatch("%f[%w_](%l+)%f[^%w_]") do
    if word == "while" or word == "for" or word == "repeat" or word == "goto" or word == "function" then
      return word
    end
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

--- The data of a text of plain data, checked: `checked(data)` is a check as above; `known` holds what the
--- text may name. Return the data, or nil, a sentence and a code (format).
function plain.parse(source, path, checked, known)
  local word = computes(source)
  if word then return nil, ("%s: is plain data: '%s' does not belong in it"):format(path, word), "format" end
  local chunk, wrong = load(source, "@" .. path, "t", known or {})
  if not chunk then return nil, wrong, "format" end
  local fine, data = pcall(chunk)
  if not fine then
    return nil, tostring(data) .. " (this is plain data: there is nothing to call)", "format"
  end
  if type(data) ~= "table" then return nil, path .. ": must return a table, not " .. shown(data), "format" end
  local where, expected = checked(data)
  if not where then return data end
  local field, value = where:gsub("^%.", ""), at(data, where)
  local sentence = value == nil and ("%s: %s must be %s"):format(path, field, expected)
    or ("%s: %s must be %s, not %s"):format(path, field, expected, shown(value))
  if expected:match("^one of [%a_]+, ") then
    sentence = ("%s: there is no field %s: it must be %s"):format(path, field, expected)
  end
  return nil, sentence, "format"
end

--- Read a file of plain data and check it, as plain.parse does; `text` replaces the file's content.  Return
--- the data, nil and the text of the file, or nil, a sentence and a code (no_file, format).
function plain.read(path, checked, known, text)
  local source, why, code = text, nil, nil
  if not source then source, why, code = door.read(path, read_all, path) end
  if not source then return nil, why, code end
  local data, wrong, kind = plain.parse(source, path, checked, known)
  if not data then return nil, wrong, kind end
  return data, nil, source
end

return plain
