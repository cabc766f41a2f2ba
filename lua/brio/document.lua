--- Documents of other programs: JSON whose fields are asked for with the sentence that a person needs when one is
--- missing. Failures are those of brio.clip.
local cjson = require "cjson"
local clip = require "brio.clip"

local document = {}

local decoder = cjson.new()
decoder.decode_invalid_numbers(false)
decoder.decode_max_depth(100)

--- What JSON's null is.
document.null = cjson.null

--- The value of a JSON text.
function document.json(text, where)
  local good, value = pcall(decoder.decode, text)
  if not good then clip.fail(where, "no JSON: %s", tostring(value):gsub("^.-:%d+: ", "")) end
  return value
end

--- Whether a value is a JSON object or list.
function document.is_table(value) return type(value) == "table" end

local function field(object, key, where)
  if type(object) ~= "table" then clip.fail(where, "is no object, expected one with '%s'", key) end
  return object[key]
end

--- A value as it is shown: whole numbers without a point.
function document.shown(value) return tostring(math.type(value) == "float" and math.tointeger(value) or value) end

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

--- A finite number in a field, and whether it was written as a text; `fallback` when it is absent.
function document.number(object, key, where, fallback)
  local value = field(object, key, where)
  if value == nil and fallback then return fallback, false end
  local number = type(value) == "number" and value or type(value) == "string" and clip.number(value)
  if not number or number ~= number or math.abs(number) == math.huge then
    clip.fail(where, "'%s' is %s, expected a number", key, value == nil and "missing" or document.shown(value))
  end
  return number, type(value) == "string"
end

--- A whole number of at least `least` in a field; `fallback` when it is absent.
function document.whole(object, key, where, least, fallback)
  local number = document.number(object, key, where, fallback)
  local whole = math.tointeger(number)
  if not whole or whole < least then
    clip.fail(where, "'%s' is %s, expected a whole number of at least %d", key, document.shown(number), least)
  end
  return whole
end

return document
