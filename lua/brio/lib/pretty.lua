--- Formats a value for people: tables sorted and abbreviated, numbers with few digits.
local suggest = require "brio.lib.suggest"

local pretty = {}

-- A table's metatable may have __shown(value), which returns the table to show in its place.

pretty.width = 96   -- characters of a line that a table may fill
pretty.deepest = 4  -- tables inside tables
pretty.most = 40    -- fields of a table that are shown
pretty.longest = 400 -- bytes of a text inside a table

local function number(value)
  if math.type(value) == "integer" then return ("%d"):format(value) end
  if value ~= value then return "nan" end
  if value == math.huge then return "inf" elseif value == -math.huge then return "-inf" end
  if math.abs(value) < 1e-12 then return "0.0" end
  local text = ("%.6g"):format(value)
  return text:find("[.e]") and text or text .. ".0"
end

local function quoted(text)
  if #text > pretty.longest then text = text:sub(1, pretty.longest) .. "..." end
  return '"' .. text:gsub('[%c"\\\127]', function(c)
    return ({ ["\n"] = "\\n", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" })[c]
      or ("\\%d"):format(c:byte())
  end) .. '"'
end

local function by_number(byte) return ("\\%d"):format(byte:byte()) end
local function by_code(character) return ("\\u{%02x}"):format(utf8.codepoint(character)) end

--- A text with all bytes that are not UTF-8 escaped.
local function only_utf8(text)
  local parts, at = {}, 1
  while at <= #text do
    local _, wrong = utf8.len(text, at)
    parts[#parts + 1] = text:sub(at, (wrong or #text + 1) - 1)
    if wrong then parts[#parts + 1] = by_number(text:sub(wrong, wrong)) end
    at = (wrong or #text) + 1
  end
  return table.concat(parts)
end

--- A text that is safe on a terminal: control characters (except tab and line feed), bytes that are not
--- UTF-8, and characters that change the direction of writing are escaped.
function pretty.visible(text)
  if not text:find "[%z\1-\8\11-\31\127-\255]" then return text end
  text = text:gsub("[%z\1-\8\11-\31\127]", by_number)
  if not text:find "[\128-\255]" then return text end
  if not utf8.len(text) then text = only_utf8(text) end
  return (text:gsub("\xC2[\x80-\x9F]", by_code):gsub("\xE2\x80[\xAA-\xAE]", by_code)
    :gsub("\xE2\x81[\xA6-\xA9]", by_code))
end

--- The name of an object that is not a plain table; never an address.
local function name_of(value)
  local kind, meta = type(value), debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  if kind == "function" then
    local info = debug.getinfo(value, "S")
    return info.what == "C" and "function" or ("function at %s:%d"):format(info.short_src, info.linedefined)
  end
  return "<" .. (type(name) == "string" and name or kind) .. ">"
end

local shown

--- The fields of a table as texts: list items first, then named ones; hidden ones omitted.
local function fields_of(value, depth, seen)
  local list, count, skipped = {}, 0, 0
  local function add(text)
    count = count + 1
    if count > pretty.most then skipped = skipped + 1 else list[#list + 1] = text() end
  end
  local length = rawlen(value)
  for index = 1, length do add(function() return shown(rawget(value, index), depth + 1, seen) end) end
  for _, key in ipairs(suggest.keys(value)) do
    if key:sub(1, 1) ~= "_" then
      local label = key:match("^[%a_][%w_]*$") and key or "[" .. quoted(key) .. "]"
      add(function() return label .. " = " .. shown(rawget(value, key), depth + 1, seen) end)
    end
  end
  local others = {}
  for key in next, value do
    if type(key) ~= "string" and not (math.type(key) == "integer" and key >= 1 and key <= length) then
      others[#others + 1] = { shown(key, pretty.deepest, seen), key }
    end
  end
  table.sort(others, function(a, b) return a[1] < b[1] end)
  for _, item in ipairs(others) do
    add(function() return "[" .. item[1] .. "] = " .. shown(rawget(value, item[2]), depth + 1, seen) end)
  end
  if skipped > 0 then list[#list + 1] = ("... and %d more"):format(skipped) end
  return list
end

local function table_text(value, depth, seen)
  local meta = debug.getmetatable(value)
  if meta and rawget(meta, "__shown") then value = meta.__shown(value) end
  if seen[value] then return "<the table around it>" end
  if depth >= pretty.deepest then return next(value) == nil and "{}" or "{...}" end
  seen[value] = true
  local list = fields_of(value, depth, seen)
  seen[value] = nil
  if #list == 0 then return "{}" end
  local line = "{ " .. table.concat(list, ", ") .. " }"
  local room = pretty.width - 2 * depth
  if #line <= room and not line:find("\n", 1, true) then return line end
  local indent = ("  "):rep(depth + 1)
  return "{\n" .. indent .. table.concat(list, ",\n" .. indent) .. "\n" .. ("  "):rep(depth) .. "}"
end

function shown(value, depth, seen)
  local kind = type(value)
  if kind == "number" then return number(value) end
  if kind == "string" then return quoted(value) end
  if kind == "table" then return table_text(value, depth, seen) end
  if kind == "nil" or kind == "boolean" then return tostring(value) end
  return name_of(value)
end

--- A value as text, over several lines if one is too short.
function pretty.text(value) return shown(value, 0, {}) end

--- A value on one line of any length.
function pretty.line(value) return (shown(value, 0, {}):gsub("\n%s*", " ")) end

return pretty
