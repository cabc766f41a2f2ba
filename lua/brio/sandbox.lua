--- What a behavior's file may see: an allow-list, so that a run repeats bit for bit.
---
--- No clock, file, process, native module, bytecode or random source but the engine's; `pairs`
--- and `next` go in a defined order (numbers, then texts, then booleans, each sorted; other keys
--- last, in no defined order); `tostring` shows no addresses; an unknown name raises.
local script = require "brio.script"
local suggest = require "brio.suggest"

local sandbox = {}

local type_rank = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
  local ta, tb = type_rank[type(a)] or 4, type_rank[type(b)] or 4
  if ta ~= tb then return ta < tb end
  if ta <= 2 then return a < b end
  return ta == 3 and b and not a
end

local function sorted_keys(t)
  local keys, other = {}, {}
  for key in next, t do
    local list = type_rank[type(key)] and keys or other
    list[#list + 1] = key
  end
  table.sort(keys, before)
  table.move(other, 1, #other, #keys + 1, keys)
  return keys
end

local function ordered_pairs(t)
  local meta = getmetatable(t)
  if type(meta) == "table" and meta.__pairs then return meta.__pairs(t) end
  if type(t) ~= "table" then error("pairs expects a table, not " .. type(t), 2) end
  local keys, index = sorted_keys(t), 0
  return function()
    local value
    repeat
      index = index + 1
      value = t[keys[index]]
    until value ~= nil or keys[index] == nil
    return keys[index], value
  end, t, nil
end

local function ordered_next(t, key)
  local keys = sorted_keys(t)
  if key == nil then return keys[1], t[keys[1]] end
  for index, k in ipairs(keys) do
    if k == key and keys[index + 1] ~= nil then return keys[index + 1], t[keys[index + 1]] end
  end
  return nil
end

local function plain_tostring(value)
  local kind = type(value)
  if kind == "table" or kind == "userdata" then
    local meta = getmetatable(value)
    if type(meta) == "table" and meta.__tostring then return meta.__tostring(value) end
    return type(meta) == "table" and type(meta.__name) == "string" and meta.__name or kind
  end
  return (kind == "function" or kind == "thread") and kind or tostring(value)
end

local raw_format = string.format

local function plain_format(format, ...)
  if type(format) == "string" and format:gsub("%%%%", ""):find("%%[%-+ #0-9.]*p") then
    error("%p would show an address, which differs from run to run", 2)
  end
  local args = table.pack(...)
  for i = 1, args.n do
    if type(args[i]) ~= "number" and type(args[i]) ~= "string" then args[i] = plain_tostring(args[i]) end
  end
  return raw_format(format, table.unpack(args, 1, args.n))
end

local function copy(from, names)
  local to = {}
  for name in names:gmatch("%S+") do to[name] = from[name] end
  return to
end

--- coroutine.wrap under the watch of the script budget.
local function watched_wrap(fn)
  local thread = coroutine.create(fn)
  return function(...)
    local result = table.pack(script.resume(thread, ...))
    if not result[1] then error(result[2], 0) end
    return table.unpack(result, 2, result.n)
  end
end

local function library(say, stream)
  local lib = {
    assert = assert, error = error, getmetatable = getmetatable, ipairs = ipairs, next = ordered_next,
    pairs = ordered_pairs, pcall = pcall, rawequal = rawequal, rawget = rawget, rawlen = rawlen, rawset = rawset,
    select = select, tonumber = tonumber, tostring = plain_tostring, type = type, xpcall = xpcall, _VERSION = _VERSION,
    string = copy(string, "byte char find gmatch gsub len lower match pack packsize rep reverse sub unpack upper"),
    table = copy(table, "concat insert move pack remove sort unpack"),
    utf8 = copy(utf8, "char charpattern codepoint codes len offset"),
    math = copy(math, "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad sin sqrt tan tointeger type ult"),
    coroutine = copy(coroutine, "close create isyieldable running status yield"),
  }
  lib.coroutine.resume = script.resume
  lib.coroutine.wrap = watched_wrap
  lib.string.format = plain_format
  function lib.setmetatable(t, meta)
    if type(meta) == "table" and rawget(meta, "__gc") ~= nil then error("a behavior's table may have no __gc", 2) end
    return setmetatable(t, meta)
  end
  function lib.print(...)
    local args = table.pack(...)
    for i = 1, args.n do args[i] = plain_tostring(args[i]) end
    say(table.concat(args, "\t"))
  end
  function lib.math.random(lower, upper)
    if not lower then return stream:uniform() end
    if not upper then lower, upper = 1, lower end
    return lower - 1 + stream:whole(upper - lower + 1)
  end
  return lib
end

--- Modules that a behavior may require, besides files beside its own.  Robot, devices and store
--- are not among them: a behavior is handed its own, as self.robot, self.actuator, self.scene.
sandbox.public = {
  ["brio.want"] = true, ["brio.geometry"] = true, ["brio.weights"] = true, ["brio.perception"] = true,
  ["brio.solver"] = true, ["brio.scene"] = true,
}

--- What `require "brio"` is to a behavior.
local function public_brio()
  local brio, public = require "brio", {}
  for _, name in ipairs { "version", "behavior", "want", "param" } do public[name] = brio[name] end
  for name in next, sandbox.public do public[name:match("[^.]+$")] = require(name) end
  return public
end

local function read(file)
  local handle, why = io.open(file, "r")
  if not handle then return nil, "cannot open " .. why end
  local source, fault = handle:read("a")
  handle:close()
  if not source then return nil, ("cannot read %s: %s"):format(file, fault) end
  return source
end

sandbox.read = read

--- An environment for the file of a behavior: `folder` is where its own modules are; `say` takes
--- what it prints; `stream` gives its random numbers.  `sources` collects {file = text} of all
--- that it loads.
function sandbox.environment(folder, say, stream, sources)
  local env, loaded = library(say, stream), {}
  env._G = env
  function env.require(name)
    if type(name) ~= "string" then error("require expects a module's name", 2) end
    if name == "brio" then return public_brio() end
    if sandbox.public[name] then return require(name) end
    if loaded[name] ~= nil then return loaded[name] end
    local file = folder .. "/" .. name:gsub("%.", "/") .. ".lua"
    if name:find("%.%.") or not name:match("^[%w_%.%-]+$") then error("require: '" .. name .. "' is no module's name", 2) end
    local chunk, why = sandbox.load(file, env, sources)
    if not chunk then error("require '" .. name .. "': " .. why, 2) end
    loaded[name] = true
    local value = chunk()
    if value ~= nil then loaded[name] = value end
    return loaded[name]
  end
  setmetatable(env, {
    __index = function(_, name)
      error(("unknown name '%s'%s"):format(plain_tostring(name), suggest.hint(plain_tostring(name), suggest.keys(env))), 2)
    end,
    __newindex = function(_, name)
      error(("'%s' would be a global: write `local %s`, or keep it in self.memory"):format(plain_tostring(name), plain_tostring(name)), 2)
    end,
  })
  return env
end

--- Read and compile a file for an environment.  Return its chunk, or nil and a sentence.
function sandbox.load(file, env, sources)
  local source, why = read(file)
  if not source then return nil, why end
  if sources then sources[file] = source end
  return load(source, "@" .. file, "t", env)
end

return sandbox
