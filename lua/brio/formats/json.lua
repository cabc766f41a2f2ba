--- JSON documents of other programs: access to fields with a sentence for people if one is missing. Failures
--- are those of brio.clip.
local cjson = require "cjson"
local clip = require "brio.formats.clip"

local document = {}

local decoder = cjson.new()
decoder.decode_invalid_numbers(false)
decoder.decode_max_depth(100)

--- JSON's null.
document.null = cjson.null

--- Names of the parts of JSON in the decoder's errors.
local parts = {
  T_OBJ_BEGIN = "'{'", T_OBJ_END = "'}'", T_ARR_BEGIN = "'['", T_ARR_END = "']'", T_STRING = "a string",
  T_NUMBER = "a number", T_BOOLEAN = "true or false", T_NULL = "null", T_COLON = "':'", T_COMMA = "','",
  T_END = "the end", ["unexpected end of string"] = "the end",
}
local expected = {
  value = "a value", colon = "':'", ["comma or array end"] = "',' or ']'",
  ["comma or object end"] = "',' or '}'", ["object key string"] = "a field's name in double quotes",
  ["the end"] = "the end",
}

--- Line and column, from 1, of a byte of a text.
local function line_and_column(text, at)
  local _, breaks = text:sub(1, at - 1):gsub("\n", "")
  local before = text:sub(1, at - 1):match "[^\n]*$"
  return breaks + 1, #before + 1
end

--- The error in a text that the decoder refused with `why`: line and column, and a sentence.
function document.json_fault(text, why)
  local wanted, found, at = why:match "Expected (.+) but found (.+) at character (%d+)"
  if not wanted then return "no JSON: " .. why:gsub("^.-:%d+: ", "") end
  local line, column = line_and_column(text, tonumber(at))
  return ("line %d, column %d: no JSON: %s, expected %s%s"):format(line, column, parts[found] or found,
    expected[wanted] or wanted, parts[found] == "the end" and "; the file is cut off" or "")
end

--- The value of a JSON text.
function document.json(text, where)
  local good, value = pcall(decoder.decode, text)
  if not good then clip.fail(where, "%s", document.json_fault(text, tostring(value))) end
  return value
end

--- Whether a value is a JSON object or list.
function document.is_table(value) return type(value) == "table" end

local function field(object, key, where)
  if type(object) ~= "table" then clip.fail(where, "is no object, expected one with '%s'", key) end
  return object[key]
end

--- A value as text: integers without a point.
function document.shown(value)
  return tostring(math.type(value) == "float" and math.tointeger(value) or value)
end

--- A list in a field.
function document.list(object, key, where)
  local value = field(object, key, where)
  if type(value) ~= "table" then clip.fail(where, "no list '%s'", key) end
  return value
end

--- A text in a field.
function document.text(object, key, where)
  local value = field(object, key, where)
  if type(value) ~= "string" then clip.fail(where, "no text '%s'", key) end
  return value
end

--- A finite number in a field, and whether it was written as a text; `fallback` if it is absent.
function document.number(object, key, where, fallback)
  local value = field(object, key, where)
  if value == nil and fallback then return fallback, false end
  local number = type(value) == "number" and value or type(value) == "string" and clip.number(value)
  if not number or number ~= number or math.abs(number) == math.huge then
    clip.fail(where, "'%s' is %s, expected a number", key,
      value == nil and "missing" or document.shown(value))
  end
  return number, type(value) == "string"
end

--- A whole number of at least `least` in a field; `fallback` if it is absent.
function document.whole(object, key, where, least, fallback)
  local number = document.number(object, key, where, fallback)
  local whole = math.tointeger(number)
  if not whole or whole < least then
    clip.fail(where, "'%s' is %s, expected a whole number of at least %d", key, document.shown(number), least)
  end
  return whole
end

return document
