--- Replacements for functions of Lua's library that could run without end inside one C call, where no
--- budget stops them, or outside the budget's hook.  A behavior's sandbox provides these; except for the
--- limits they do what the Lua 5.4 manual says.
local script = require "brio.script"

local bounded = {}

--- No script's memory has room for more elements than this.
local MOST = 2 ^ 24
--- A sort of more elements with the default order uses a Lua comparison, which can be interrupted.
local LONG_SORT = 10000

local function too_many(name, count)
  error(("%s: %.0f elements are more than a script may hold (%.0f)"):format(name, count, MOST), 3)
end

--- Limit the length of a list with a metatable, which may claim any length.
local function check_length(name, list)
  if type(list) == "table" and getmetatable(list) and type(#list) == "number" and #list > MOST then
    too_many(name, #list)
  end
end

local raw = { concat = table.concat, insert = table.insert, move = table.move, remove = table.remove,
  sort = table.sort,
              rep = string.rep }

bounded.table = { pack = table.pack, unpack = table.unpack }

function bounded.table.insert(list, ...)
  check_length("table.insert", list)
  return raw.insert(list, ...)
end

function bounded.table.remove(list, ...)
  check_length("table.remove", list)
  return raw.remove(list, ...)
end

function bounded.table.concat(list, separator, first, last)
  local count = (tonumber(last) or 0) - (tonumber(first) or 1)
  if count > MOST then too_many("table.concat", count + 1) end
  check_length("table.concat", list)
  return raw.concat(list, separator, first, last)
end

function bounded.table.move(from, first, last, at, to)
  local count = (tonumber(last) or 0) - (tonumber(first) or 0)
  if count > MOST then too_many("table.move", count + 1) end
  if to == nil then return raw.move(from, first, last, at) end
  return raw.move(from, first, last, at, to)
end

local function less(a, b) return a < b end

function bounded.table.sort(list, before)
  check_length("table.sort", list)
  if before == nil and type(list) == "table" and #list > LONG_SORT then before = less end
  return raw.sort(list, before)
end

--- string.rep: repetitions of the empty string are empty, whatever the count.
function bounded.rep(text, count, separator)
  local nothing = text == "" and (separator == nil or separator == "")
  if nothing and (tonumber(count) or 0) > 1 then count = 1 end
  return raw.rep(text, count, separator)
end

--- xpcall whose handler runs after the error has left the function, under the budget: inside Lua's own
--- xpcall no budget can stop the handler.
function bounded.xpcall(fn, handler, ...)
  local results = table.pack(pcall(fn, ...))
  if results[1] then return table.unpack(results, 1, results.n) end
  return false, select(2, pcall(handler, results[2]))
end

--- coroutine.wrap under the budget.
function bounded.wrap(fn)
  if type(fn) ~= "function" then error("coroutine.wrap expects a function, not " .. type(fn), 2) end
  local thread = coroutine.create(fn)
  return function(...)
    local result = table.pack(script.resume(thread, ...))
    if not result[1] then error(result[2], 0) end
    return table.unpack(result, 2, result.n)
  end
end

return bounded
