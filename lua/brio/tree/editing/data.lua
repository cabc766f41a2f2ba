--- Plain data of trees: copied, compared, and written as Lua or JSON for people.
---
--- Values that are not plain data (a function of a behavior's file) are stored in a separate list of
--- things; in the data they are { ["$thing"] = index, text = "function at door.lua:12" }, which can be
--- shown, sent and restored.
local ordered = require "brio.formats.ordered"
local suggest = require "brio.lib.suggest"

local data = {}

--- Maximum depth of nested tables.
data.deepest = 60

--- Width of written lines, characters.
data.width = 110

local mark = "$thing"

-- Copies ----------------------------------------------------------------------------------------------------

--- The description of a thing, in words.
local function words_for(value)
  if type(value) ~= "function" then return "a " .. type(value) end
  local info = debug.getinfo(value, "S")
  return ("function at %s:%d"):format(info.short_src, info.linedefined)
end

local function thing(value, things)
  if not things then return nil, ("is a %s, not plain data"):format(type(value)) end
  local number = things.numbers[value]
  if not number then
    number = #things.list + 1
    things.list[number], things.numbers[value] = value, number
  end
  return { [mark] = number, text = words_for(value) }
end

--- An empty list of things.
function data.things() return { list = {}, numbers = {} } end

--- A copy of plain data, which shares nothing with it.  Other values are added to `things`; without
--- `things` they are refused.  Return the copy, or nil and the error, as the text after the value's name in
--- a sentence.
function data.copy(value, things, depth)
  local kind = type(value)
  if kind == "string" or kind == "number" or kind == "boolean" then return value end
  if kind ~= "table" or getmetatable(value) then return thing(value, things) end
  depth = depth or 1
  if depth > data.deepest then
    return nil, "holds tables that stand inside each other too deep: does it hold itself?"
  end
  local made = {}
  for key, item in next, value do
    if type(key) ~= "string" and math.type(key) ~= "integer" then
      return nil, ("has a key that is a %s"):format(type(key))
    end
    local copy, why = data.copy(item, things, depth + 1)
    if copy == nil then return nil, why end
    made[key] = copy
  end
  return made
end

--- Whether two pieces of plain data are equal.  An integer and a float are not.
function data.equal(a, b)
  if a == b then return math.type(a) == math.type(b) end
  if a ~= a and b ~= b then return true end
  if type(a) ~= "table" or type(b) ~= "table" then return false end
  for key, value in next, a do
    if not data.equal(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

--- Whether a value contains anything that is not plain data.
function data.has_thing(value)
  if type(value) ~= "table" then return false end
  if value[mark] then return true end
  for _, item in next, value do
    if type(item) == "table" and data.has_thing(item) then return true end
  end
  return false
end

--- The value with its things restored; the value itself if there are none.
function data.restored(value, things)
  if not data.has_thing(value) then return value end
  if value[mark] then return things and things.list[value[mark]] or value end
  local made = {}
  for key, item in next, value do made[key] = data.restored(item, things) end
  return made
end

-- As Lua ----------------------------------------------------------------------------------------------------

--- A number as Lua and JSON read it back, exact to the last bit.
function data.number(value)
  if math.type(value) == "integer" then
    return value == math.mininteger and "0x8000000000000000" or ("%d"):format(value)
  end
  if value ~= value then return "(0/0)" end
  if value == math.huge then return "1e999" elseif value == -math.huge then return "-1e999" end
  for digits = 15, 17 do
    local text = ("%." .. digits .. "g"):format(value)
    if tonumber(text) == value then return text:find "[.e]" and text or text .. ".0" end
  end
end

local escapes = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r", ['"'] = '\\"', ["\\"] = "\\\\" }

local function lua_quoted(text)
  return '"' .. text:gsub('[%c"\\\127]', function(c) return escapes[c] or ("\\x%02x"):format(c:byte()) end)
    .. '"'
end

local reserved = {}
for word in (
  [[and break do else elseif end false for function goto if in local nil not or repeat return then true until
  while]]):gmatch "%a+" do reserved[word] = true end

--- A table's key as text before the `=`.
function data.lua_key(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" and not reserved[key] then return key end
  return "[" .. (type(key) == "string" and lua_quoted(key) or tostring(key)) .. "]"
end

--- The keys of a table other than its list items, numbers first.
local function other_keys(value)
  local numbers, length = {}, #value
  for key in next, value do
    if type(key) == "number" and not (key >= 1 and key <= length) then numbers[#numbers + 1] = key end
  end
  table.sort(numbers)
  table.move(suggest.keys(value), 1, #suggest.keys(value), #numbers + 1, numbers)
  return numbers
end

--- Items between brackets: on one line if they fit into `width`, else wrapped.
function data.block(items, open, close, indent, width)
  if #items == 0 then return open .. close end
  local gap = open == "{" and " " or ""
  local line = open .. gap .. table.concat(items, ", ") .. gap .. close
  if #line + #indent <= (width or data.width) and not line:find("\n", 1, true) then return line end
  local lines, inner = {}, indent .. "  "
  for _, item in ipairs(items) do
    local last = lines[#lines]
    if last and not last:find("\n", 1, true) and #last + #item + #inner + 3 <= data.width then
      lines[#lines] = last .. ", " .. item
    else
      lines[#lines + 1] = item
    end
  end
  return open .. "\n" .. inner .. table.concat(lines, ",\n" .. inner) .. "\n" .. indent .. close
end

--- Plain data as Lua.
function data.lua(value, indent)
  indent = indent or ""
  if type(value) == "string" then return lua_quoted(value) end
  if type(value) == "number" then return data.number(value) end
  if type(value) ~= "table" then return tostring(value) end
  local items = {}
  for index = 1, #value do items[index] = data.lua(value[index], indent .. "  ") end
  for _, key in ipairs(other_keys(value)) do
    items[#items + 1] = data.lua_key(key) .. " = " .. data.lua(value[key], indent .. "  ")
  end
  return data.block(items, "{", "}", indent)
end

-- As JSON ---------------------------------------------------------------------------------------------------

--- A text in JSON's quotes.
function data.json_quoted(text)
  return '"' .. text:gsub('[%c"\\\127]', function(c)
    return c ~= "\127" and escapes[c] or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

--- Plain data as JSON, in lines of some width (math.huge: all on one).  Return nil and the error if it
--- cannot be represented in JSON.
function data.json(value, indent, width)
  indent = indent or ""
  if type(value) == "string" then
    if not utf8.len(value) then return nil, "is no text in UTF-8, which JSON needs" end
    return data.json_quoted(value)
  end
  if type(value) == "number" then
    if value ~= value or math.abs(value) == math.huge then
      return nil, "is no finite number, which JSON needs"
    end
    return math.type(value) == "integer" and ("%d"):format(value) or data.number(value)
  end
  if type(value) ~= "table" then return tostring(value) end
  local others, items, is_list = other_keys(value), {}, #value > 0 or next(value) == nil
  if is_list and others[1] then return nil, "is a list and has names, too: JSON knows one or the other" end
  for index, key in ipairs(is_list and value or others) do
    if is_list then key = index end
    if not is_list and type(key) ~= "string" then
      return nil, "has keys that are numbers, which JSON does not know"
    end
    local text, why = data.json(value[key], indent .. "  ", width)
    if not text then return nil, why end
    items[index] = is_list and text or data.json_quoted(key) .. ": " .. text
  end
  return data.block(items, is_list and "[" or "{", is_list and "]" or "}", indent, width)
end

--- The plain value of a result of ordered.json; nil for null.
function data.of_item(item)
  if item.kind ~= "list" and item.kind ~= "object" then return item.value end
  local made = {}
  for key, inner in next, item.kind == "object" and item.of or {} do made[key] = data.of_item(inner) end
  for index, inner in ipairs(item.kind == "list" and item or {}) do made[index] = data.of_item(inner) end
  return made
end

--- The plain value of a JSON text, with integers as integers.  Raises a failure of brio.clip.
function data.read_json(text, file) return data.of_item(ordered.json(text, file or "JSON")) end

return data
