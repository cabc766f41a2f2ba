--- Schemas of tables that people write: each field with its type, unit, range, default and meaning (see
--- lib/fields.lua).
---
---     local blink = { every = { "number", unit = "s", lower = 0.1, upper = 60, value = 4, doc = "mean" },
---       name = { "string", needed = true, doc = "of its sequence" } }
---     schema.fault({ name = "blink", evry = 3 }, blink, "blink")
---       --> "blink has no field 'evry' (did you mean 'every'?)"
---
--- The checks, the JSON of `brio schema`, docs/reference/tables.md and the annotations for editors are
--- generated from the schema.
local fields = require "brio.lib.fields"
local suggest = require "brio.lib.suggest"

local schema = {}
local types = fields.types

--- Cache: the names of the required fields by record, sorted. A behavior with a thousand states is checked
--- against the same record a thousand times.
local needed_of = setmetatable({}, { __mode = "k" })

--- The names of the required fields, sorted. Call this after a record is complete.
local function needed(record)
  local names = needed_of[record]
  if names then return names end
  names = {}
  for key, field in next, record do
    if type(key) == "string" and type(field) == "table" and field.needed then names[#names + 1] = key end
  end
  if names[2] then table.sort(names) end
  needed_of[record] = names
  return names
end

--- Cache: by record, the fields that are valid whenever their value has the right Lua type, with that type:
--- functions, tables, strings, booleans.
local plain_of = setmetatable({}, { __mode = "k" })

--- Find these fields of a record. Call this after the record is complete.
local function plain_fields(record)
  local plain = {}
  for key, field in next, record do
    local kind = type(field) == "table" and field[1]
    if kind and not (types[kind] or field.fault) then plain[key] = kind end
  end
  plain_of[record] = plain
  return plain
end

--- Call found(nil, why, where) for each fault of the items without names. A record may describe the first
--- ones, as `record[1]`, `record[2]`, ...
local function each_item(value, record, found)
  for index, field in ipairs(record) do
    local why, where
    if value[index] ~= nil then why, where = fields.fault(value[index], field) end
    if why then found(nil, why, ("[%d]%s"):format(index, where or "")) end
    if value[index] == nil and field.needed then found(nil, ("needs %s first"):format(field.doc), "") end
  end
  for key in next, value do
    if type(key) ~= "string" and not (math.type(key) == "integer" and record[key]) then
      return found(nil, "has an item without a name", "")
    end
  end
end

--- Whether a table is valid. Its fields are checked unsorted, because most tables are valid and need no
--- sorted list of faults. Allocates nothing except at the first call for a record.
---@param value table
---@param record table fields by name
---@return boolean
function schema.is_sound(value, record)
  local plain = plain_of[record] or plain_fields(record)
  for key, one in next, value do
    if type(one) ~= plain[key] then
      local field = record[key]
      if not field or fields.fault(one, field) then return false end
    end
  end
  local names = needed(record)
  for index = 1, #names do
    if value[names[index]] == nil then return false end
  end
  for index = 1, #record do
    if record[index].needed and value[index] == nil then return false end
  end
  return true
end

--- Call found(key, why, where) for each fault of a table, in the order of the names. `where`: the field, as
--- ".eyes.yaw", or "" for the table itself; `word`: what the sentences call a field.
local function each_fault(value, record, word, found)
  if schema.is_sound(value, record) then return end
  for _, key in ipairs(suggest.keys(value)) do
    local field = record[key]
    if field then
      local why, where = fields.fault(value[key], field)
      if why then found(key, why, "." .. key .. (where or "")) end
    else
      found(key, ("has no %s '%s'%s"):format(word, key, suggest.hint(key, suggest.keys(record))), "")
    end
  end
  each_item(value, record, found)
  for _, key in ipairs(needed(record)) do
    if value[key] == nil then found(key, ("needs '%s'"):format(key), "") end
  end
end

--- A table inside a table: its first fault.
function fields.types.record(value, field)
  if type(value) ~= "table" then return "must be a table, not a " .. type(value) end
  local why, where
  each_fault(value, field.fields, "field", function(_, sentence, place)
    if not why then why, where = sentence, place end
  end)
  return why, where
end

--- All faults of a table: a list of { key =, message =, where = } (the position in the table, as in
--- "steps[2].go"), in the order of the names. A fault without a key is about the whole.
---@param value table
---@param record table fields by name
---@param what string what the sentences begin with
---@param word? string what a field is called; "field"
---@return table faults
function schema.faults(value, record, what, word)
  local list = {}
  each_fault(value, record, word or "field", function(key, why, where)
    local gap = why:sub(1, 1) == ":" and "" or " "
    local place = where == "" and what or ("%s: %s"):format(what, (where:gsub("^%.", "")))
    local unknown = why:match "^has no %a+ '([%w_]+)'"
    local at = (where .. (unknown and "." .. unknown or "")):gsub("^%.", "")
    list[#list + 1] = { key = key, message = place .. gap .. why, where = at }
  end)
  return list
end

--- The first fault of a value that must be a table with such fields: a sentence; nil: valid.
---@param value any
---@param record table fields by name
---@param what string what the sentence begins with
---@return string? sentence
function schema.fault(value, record, what)
  if type(value) ~= "table" then return ("%s must be a table, not a %s"):format(what, type(value)) end
  local first = schema.faults(value, record, what)[1]
  return first and first.message
end

--- The same for a table inside another one: the sentence begins with the field's whole name.
---@param value any
---@param record table
---@param place string such as "inputs.stop"
---@return string? sentence
function schema.fault_at(value, record, place)
  local why, where = fields.types.record(value, { fields = record })
  return why and place .. (where or "") .. (why:sub(1, 1) == ":" and "" or " ") .. why or nil
end

--- The defaults of a record, by name.
---@param record table
---@return table
function schema.defaults(record)
  local made = {}
  for name, field in next, record do
    if type(field) == "table" then made[name] = field.value end
  end
  return made
end

--- Raise the first fault of a table as an error at the call of the caller.
---@param value any
---@param record table
---@param what string what the sentence begins with
---@param level? integer 1: raise in the function that calls this; 2, unless said, in its caller
---@param word? string what a field is called; "field"
function schema.check(value, record, what, level, word)
  if type(value) ~= "table" then
    error(("%s expects a table of %ss, not a %s"):format(what, word or "field", type(value)),
      (level or 2) + 1)
  end
  local first = schema.faults(value, record, what, word)[1]
  if first then error(first.message, (level or 2) + 1) end
end

--- The same for the options of a call, which are optional.
---@param options any nil: none are given
---@param record table
---@param what string the call, as in "runner.new"
---@param level? integer
function schema.check_options(options, record, what, level)
  if options ~= nil then schema.check(options, record, what, (level or 2) + 1, "option") end
end

-- As data -----------------------------------------------------------------------------------------

--- A field as plain data: { type, unit, lower, upper, above, default, needed, of, fields, size, doc, example,
--- lua }.
local function described(field)
  if type(field) == "string" then return { type = field } end
  local of = field.of
  if field[1] ~= "choice" and of ~= nil then of = described(of) end
  return { type = field[1], unit = field.unit, lower = field.lower, upper = field.upper, above = field.above,
    default = field.value,
    needed = field.needed, of = of, fields = field.fields and schema.describe(field.fields),
      size = field.size,
    doc = field.doc, example = field.example, lua = field.lua }
end

--- A record as plain data: a list of { name =, type =, ... } in the order of the names, for JSON.
---@param record table
---@return table list
function schema.describe(record)
  local list = {}
  for index, field in ipairs(record) do
    list[index] = described(field)
    list[index].name = ("[%d]"):format(index)
  end
  for _, name in ipairs(suggest.keys(record)) do
    local row = described(record[name])
    row.name = name
    list[#list + 1] = row
  end
  return list
end

return schema
