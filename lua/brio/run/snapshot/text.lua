--- Serializes plain data as a Lua text that reads back to the same data: integers, floats to the last bit,
--- tables that refer to each other, keys of any type. What cannot be serialized (functions, userdata,
--- threads) is omitted and named.
local dispatch = require "brio.io.dispatch"

local text = {}

--- Maximum number of values; and the depth below which a table gets a statement of its own.
local most, deepest = 50000, 60

local plain = { number = true, string = true, boolean = true }

--- A float, in the shortest form that reads back to the same bits.
local function float(value)
  if value ~= value then return "0/0" end
  if value == math.huge or value == -math.huge then return value > 0 and "1e999" or "-1e999" end
  local short = ("%.15g"):format(value)
  if tonumber(short) ~= value then short = ("%.17g"):format(value) end
  return short:find "[.e]" and short or short .. ".0"
end

local function scalar(value)
  if math.type(value) == "float" then return float(value) end
  if type(value) == "string" then return (("%q"):format(value):gsub("\\\n", "\\n")) end
  return math.type(value) and ("%q"):format(value) or tostring(value)
end

--- The keys of a table in an order that is the same on every machine: numbers, strings, false and true;
--- then tables in the order of `next`.
local function keys_of(value)
  local list, tables, rank = {}, {}, { number = 1, string = 2, boolean = 3 }
  for key in next, value do
    local into = rank[type(key)] and list or tables
    into[#into + 1] = key
  end
  table.sort(list, function(a, b)
    local x, y = rank[type(a)], rank[type(b)]
    if x ~= y then return x < y end
    if x == 3 then return not a and b end
    return a < b
  end)
  return table.move(tables, 1, #tables, #list + 1, list)
end

--- Number the tables that occur more than once, or too deep.
local function survey(self, value, depth)
  if type(value) ~= "table" then return end
  local before = self.seen[value]
  self.seen[value] = true
  if before or depth >= deepest then
    if not self.numbers[value] then
      self.shared[#self.shared + 1] = value
      self.numbers[value] = #self.shared
    end
    depth = 0
  end
  if before then return end
  for _, key in ipairs(keys_of(value)) do
    self.left = self.left - 1
    if self.left < 0 then error(text, 0) end
    survey(self, key, depth + 1)
    survey(self, value[key], depth + 1)
  end
end

local write

--- The expression for a value inside another one; nil: it cannot be serialized.
local function reference(self, value, place)
  if plain[type(value)] then return scalar(value) end
  if type(value) ~= "table" then
    self.dropped[#self.dropped + 1] = ("%s (a %s)"):format(place, type(value))
    return nil
  end
  return self.numbers[value] and ("t[%d]"):format(self.numbers[value]) or write(self, value, place)
end

function write(self, value, place)
  local parts, index = {}, 1
  for _, key in ipairs(keys_of(value)) do
    local shown = type(key) == "string" and place .. "." .. key
      or ("%s[%s]"):format(place, tostring(plain[type(key)] and key or type(key)))
    local name, item = reference(self, key, shown), reference(self, value[key], shown)
    if name and item and key == index then
      parts[#parts + 1], index = item, index + 1
    elseif name and item then
      parts[#parts + 1] = type(key) == "string" and key:match "^[%a_][%w_]*$" and not self.words[key]
        and key .. "=" .. item
        or ("[%s]=%s"):format(name, item)
    end
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

--- The fields of a shared table, one statement each.
local function write_shared(self, out, number)
  local value = self.shared[number]
  for _, key in ipairs(keys_of(value)) do
    local name, item = reference(self, key, "?"), reference(self, value[key], ("t%d"):format(number))
    if name and item then out[#out + 1] = ("t[%d][%s]=%s"):format(number, name, item) end
  end
end

local reserved = {}
for word in (
  [[and break do else elseif end false for function goto if in local nil not or repeat return then true until
  while]]):gmatch "%l+" do reserved[word] = true end

--- The text of a value, and a list of what was omitted; nil and a sentence: it is too large. `name`: the
--- name of the value in sentences.
function text.of(value, name)
  local self = { seen = {}, numbers = {}, shared = {}, dropped = {}, words = reserved, left = most }
  local good, why = pcall(survey, self, value, 0)
  if not good and why == text then return nil, ("%s holds more than %d values"):format(name, most) end
  if not good then error(why, 0) end
  local out = {}
  if #self.shared > 0 then out[1] = ("local t={} for i=1,%d do t[i]={} end"):format(#self.shared) end
  for number = 1, #self.shared do write_shared(self, out, number) end
  out[#out + 1] = "return " .. (reference(self, value, name) or "nil")
  return table.concat(out, "\n"), self.dropped
end

--- The value of a text; nil and a sentence if it is invalid.
function text.read(source)
  local chunk, why = load(source, "=snapshot", "t", {})
  if not chunk then return nil, why end
  local good, value = dispatch.call(nil, dispatch.load, chunk)
  if not good then return nil, (tostring(value):match "^[^\n]*") end
  return value
end

return text
