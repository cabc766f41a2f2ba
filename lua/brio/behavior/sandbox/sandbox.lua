--- The sandbox of a behavior's file: an allow-list, so that a run repeats bit for bit.
---
--- There is no clock, file, process, native module, bytecode or random source but the engine's.  `pairs`
--- and `next` iterate in a defined order (numbers, then texts, then booleans, each sorted; then tables by
--- their contents and functions by the place of their definition; two equal ones raise). `tostring` shows
--- no addresses.  An unknown name raises.
local bounded = require "brio.behavior.sandbox.bounded"
local file = require "brio.io.files"
local pattern = require "brio.pattern"
local script = require "brio.script"
local suggest = require "brio.lib.suggest"
require "brio.public"

local sandbox = {}

local type_rank = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
  local ta, tb = type_rank[type(a)] or 4, type_rank[type(b)] or 4
  if ta ~= tb then return ta < tb end
  if ta <= 2 then return a < b end
  return ta == 3 and b and not a
end

--- The sort key of a table or function: a table's contents, a function's place of definition.
local function look_of(key, depth)
  local kind = type(key)
  if kind == "function" then
    local info = debug.getinfo(key, "S")
    return ("function %s:%d"):format(info.short_src, info.linedefined)
  elseif kind ~= "table" then
    return type_rank[kind] and kind .. " " .. tostring(key) or kind
  elseif depth == 0 then
    return "table"
  end
  local parts = {}
  for inner, value in next, key do
    parts[#parts + 1] = look_of(inner, depth - 1) .. "=" .. look_of(value, depth - 1)
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

--- Sort keys that have no order of their own; raise if two look the same, as their order would not repeat.
local function sort_by_look(keys)
  local looks = {}
  for _, key in ipairs(keys) do
    local look = look_of(key, 4)
    if looks[look] then
      error(("two keys of type %s look the same: their order would differ from run to run (use a list, or \z
        keys with names)")
        :format(type(key)), 4)
    end
    looks[look] = key
  end
  for index, look in ipairs(suggest.keys(looks)) do keys[index] = looks[look] end
end

local function sorted_keys(t)
  local keys, other = {}, {}
  for key in next, t do
    local list = type_rank[type(key)] and keys or other
    list[#list + 1] = key
  end
  table.sort(keys, before)
  if #other > 1 then sort_by_look(other) end
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
      value = rawget(t, keys[index])
    until value ~= nil or keys[index] == nil
    return keys[index], value
  end, t, nil
end

--- `next` in the order of pairs.  The list of keys is kept for the next call, so that iterating over a
--- table costs one sort.
local function new_next()
  local walk = setmetatable({}, { __mode = "v" }) -- does not keep the table alive
  local keys, at
  local function find(key)
    for index, k in ipairs(keys) do
      if k == key then return index end
    end
    error("next: the key is not in the table", 3)
  end
  return function(t, key)
    if type(t) ~= "table" then error("next expects a table, not " .. type(t), 2) end
    if key == nil then
      keys, at = sorted_keys(t), 0
    elseif walk.table ~= t or keys[at] ~= key then
      keys = sorted_keys(t)
      at = find(key)
    end
    walk.table = t
    local value
    repeat
      at = at + 1
      value = rawget(t, keys[at])
    until value ~= nil or keys[at] == nil
    return keys[at], value
  end
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

--- Return what pcall returned, or raise its error at the caller's caller.
local function or_raise(good, ...)
  if good then return ... end
  error((...), 3)
end

--- The functions of patterns that the script budget can stop.
local pattern_names = { "find", "match", "gmatch", "gsub" }

local function with_patterns(texts)
  for _, name in ipairs(pattern_names) do texts[name] = pattern[name] end
  return texts
end

--- Restrict the methods of strings, as in ("%d"):format(3), once a behavior was loaded: strings have one
--- metatable in the whole Lua state, so methods that behaviors may not use are removed for everybody.
local function guard_texts()
  local meta = getmetatable("")
  if meta.__index ~= string then return end
  local methods = {}
  for name, method in next, string do methods[name] = method end
  methods.format, methods.rep, methods.dump = pattern.format, bounded.rep, nil
  meta.__index = with_patterns(methods)
end

local function copy(from, names)
  local to = {}
  for name in names:gmatch("%S+") do to[name] = from[name] end
  return to
end

--- Forbidden fields of metatables, and why.
local forbidden_fields = {
  __gc = "when it would be called depends on when memory is collected",
  __mode = "the content of the table would depend on the garbage collector",
}

local function plain_setmetatable(t, meta)
  if type(t) ~= "table" then error("setmetatable expects a table, not " .. type(t), 2) end
  if type(meta) == "table" then
    for field, why in next, forbidden_fields do
      if rawget(meta, field) ~= nil then
        error(("a behavior's table may have no %s: %s"):format(field, why), 2)
      end
    end
  end
  return or_raise(pcall(setmetatable, t, meta))
end

--- math.random of the behavior's own stream.
local function random_of(stream)
  return function(lower, upper)
    if lower == nil then return stream:uniform() end
    if upper == nil then lower, upper = 1, lower end
    local from, to = math.tointeger(lower), math.tointeger(upper)
    if not (from and to) then error("math.random expects whole numbers", 2) end
    if from > to or to - from + 1 < 1 then error("math.random: the interval is empty or too wide", 2) end
    return from - 1 + stream:whole(to - from + 1)
  end
end

local function library(say, stream)
  local lib = {
    assert = assert, error = error, ipairs = ipairs, next = new_next(), setmetatable = plain_setmetatable,
    pairs = ordered_pairs, pcall = pcall, rawequal = rawequal, rawget = rawget, rawlen = rawlen,
      rawset = rawset,
    select = select, tonumber = tonumber, tostring = plain_tostring, type = type, xpcall = bounded.xpcall,
    _VERSION = _VERSION,
    string = with_patterns(copy(string, "byte char len lower pack packsize reverse sub unpack upper")),
    table = copy(bounded.table, "concat insert move pack remove sort unpack"),
    utf8 = copy(utf8, "char charpattern codepoint codes len offset"),
    math = copy(math, "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min \z
      mininteger modf pi"
      .. " rad sin sqrt tan tointeger type ult"),
    coroutine = copy(coroutine, "create isyieldable running status yield"),
  }
  lib.coroutine.resume = script.resume
  lib.coroutine.wrap, lib.coroutine.close = bounded.wrap, script.close
  lib.string.rep = bounded.rep
  lib.string.format = pattern.format
  lib.math.random = random_of(stream)
  function lib.getmetatable(value)
    if type(value) == "table" then return getmetatable(value) end
    return nil -- those of texts and of brio's own objects are not for behaviors
  end
  function lib.print(...)
    local args = table.pack(...)
    for i = 1, args.n do args[i] = plain_tostring(args[i]) end
    say(table.concat(args, "\t"))
  end
  return lib
end

--- Modules that a behavior may require, other than files beside its own.  Robot, devices and store are not
--- among them: a behavior gets its own, as self.robot, self.actuator, self.scene.
sandbox.public = {
  ["brio.want"] = true, ["brio.geometry"] = true, ["brio.noise"] = true, ["brio.weights"] = true,
    ["brio.perception"] = true,
  ["brio.solver"] = true, ["brio.ik"] = true, ["brio.scene"] = true, ["brio.articulated"] = true,
  ["brio.automaton"] = "required", -- few behaviors do: it is no field of brio, which would load it for all
}

--- A read-only view of a module, as all behaviors share it.
local function read_only(name, module)
  return setmetatable({}, {
    __index = module, __metatable = false,
    __pairs = function() return ordered_pairs(module) end,
    __newindex = function(_, field)
      error(("%s.%s cannot be set: the module is everybody's"):format(name, plain_tostring(field)), 2)
    end,
  })
end

--- The values of `require` for public names, in a behavior.
local public = setmetatable({}, { __index = function(known, name)
  local module = read_only(name, require(name))
  rawset(known, name, module)
  return module
end })

--- The value of `require "brio"` in a behavior.
local function public_brio()
  local brio, own = require "brio", {}
  for _, name in ipairs { "version", "behavior", "param", "objective", "goal_kind", "feature", "scene_object",
      "session" } do
    own[name] = brio[name]
  end
  for name, how in next, sandbox.public do
    if how == true then own[name:match("[^.]+$")] = public[name] end
  end
  return own
end

--- Maximum size of a file of a behavior or world, bytes.
sandbox.longest_file = 16 * 2 ^ 20

--- The text of a file, or nil and a sentence.
function sandbox.read(path)
  local source, why, code = file.read(path, sandbox.longest_file)
  if code ~= "limit" then return source, why end
  return nil, ("%s: the file is longer than %d MB: is it Lua?"):format(path, sandbox.longest_file // 2 ^ 20)
end

--- An environment for the file of a behavior.  `folder`: of its own modules; `say(text)`: called for what
--- it prints; `stream`: its random numbers; `sources`: filled with {file = text} of all files that it
--- loads; `files`: replaces files on disk, see sandbox.load.
function sandbox.environment(folder, say, stream, sources, files)
  guard_texts()
  local env, loaded, loading = library(say, stream), {}, {}
  env._G = env
  function env.require(name)
    if type(name) ~= "string" then error("require expects a module's name", 2) end
    if name == "brio" then return public_brio() end
    if sandbox.public[name] then return public[name] end
    if loaded[name] ~= nil then return loaded[name] end
    if loading[name] then error("require '" .. name .. "': files require each other in a circle", 2) end
    local path = folder .. "/" .. name:gsub("%.", "/") .. ".lua"
    if name:find("%.%.") or not name:match("^[%w_%.%-]+$") then
      error("require: '" .. name .. "' is no module's name", 2)
    end
    local chunk, why = sandbox.load(path, env, sources, files)
    if not chunk then error("require '" .. name .. "': " .. why, 2) end
    loading[name] = true
    -- also if it raises
    local _ <close> = setmetatable({}, { __close = function() loading[name] = nil end })
    local value = chunk()
    if value == nil then value = true end
    loaded[name] = value
    return value
  end
  setmetatable(env, {
    __metatable = false,
    __index = function(_, name)
      error(("unknown name '%s'%s"):format(plain_tostring(name),
        suggest.hint(plain_tostring(name), suggest.keys(env))), 2)
    end,
    __newindex = function(_, name)
      local word = plain_tostring(name)
      error(("'%s' would be a global: write `local %s`, or keep it in self.memory"):format(word, word), 2)
    end,
  })
  return env
end

--- The text of a file and, if it was compiled before, its bytecode.
local function find(path, files)
  local given = files and files.given and files.given[path]
  if given then return given.source, given.code end
  if files and files.only then return nil, "cannot open " .. path .. ": it is not among what was checked" end
  local source, why = sandbox.read(path)
  if not source and files and files.absent then files.absent[path] = true end
  return source, why
end

--- Texts, {file = text}, in the form of `files` of sandbox.load, to replace files on disk.
function sandbox.given(texts)
  local given = {}
  for name, source in next, texts do given[name] = { source = source } end
  return { given = given }
end

--- A file's text as Lua: without a byte order mark at its beginning, and with an empty line in place of a
--- first line for the shell.
local function lua_of(source) return (source:gsub("^\xEF\xBB\xBF", ""):gsub("^#[^\n]*", "")) end

--- The text of a behavior's data file, or nil and a sentence; arguments as for sandbox.load.
function sandbox.text(path, sources, files)
  local source, why = find(path, files)
  if source and sources then sources[path] = source end
  return source, not source and why or nil
end

--- Read and compile a file for an environment.  Return its chunk, or nil and a sentence.  `files` may
--- contain `given`, {file = {source =, code =}}, which replaces files on disk: `code` is bytecode that brio
--- itself made; `only`: no other file is read; `absent`: filled with files that do not exist; `chunks`:
--- filled with compiled files.
function sandbox.load(path, env, sources, files)
  local source, code = find(path, files)
  if not source then return nil, code end
  if sources then sources[path] = source end
  local chunk, why = load(code or lua_of(source), "@" .. path, code and "b" or "t", env)
  if chunk and files and files.chunks then files.chunks[path] = chunk end
  return chunk, why
end

return sandbox
