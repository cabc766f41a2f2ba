--- Plain data as a list of texts and back, for transport between threads.
local suggest = require "brio.lib.suggest"

local parcel = {}

local put

local putters = {}

function putters.string(list, value) list[#list + 1] = "s" .. value end

function putters.number(list, value) list[#list + 1] = "n" .. ("%q"):format(value) end

function putters.boolean(list, value) list[#list + 1] = value and "true" or "false" end

function putters.table(list, value)
  list[#list + 1] = "{"
  for index = 1, #value do
    put(list, index)
    put(list, value[index])
  end
  for _, key in ipairs(suggest.keys(value)) do
    put(list, key)
    put(list, value[key])
  end
  list[#list + 1] = "}"
end

function put(list, value) putters[type(value)](list, value) end

--- Append a value to a list of texts: a text, number, boolean, or a table of such values (a list, or by
--- names).
function parcel.put(list, value) put(list, value) end

local function take(list, at)
  local text = list[at]
  local kind = text:sub(1, 1)
  if kind == "s" then return text:sub(2), at + 1 end
  if kind == "n" then return tonumber(text:sub(2)), at + 1 end
  if kind ~= "{" then return text == "true", at + 1 end
  local made = {}
  at = at + 1
  while list[at] ~= "}" do
    local key, after = take(list, at)
    made[key], at = take(list, after)
  end
  return made, at + 1
end

--- The value that begins at `at` of a list, and the position of the next one.
function parcel.take(list, at) return take(list, at) end

return parcel
