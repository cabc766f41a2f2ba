--- The house of a driver written in Lua, in the state that a device has for itself: what the driver's file
--- may see, what it must say of itself, and its functions as engine/runtime/script/driver_script.c calls
--- them.
local random = require "brio.random"
local sandbox = require "brio.behavior.loading.sandbox"
local suggest = require "brio.lib.suggest"

local host = {}

--- Modules that a driver may require besides files beside its own, and the parts of `brio` that it gets.
local modules = {
  ["brio.serial"] = require "brio.serial", ["brio.wire"] = require "brio.wire",
    ["brio.clock"] = require "brio.clock",
}

--- No wait for bytes is longer, s: a device's thread must end when its run does.
local longest_wait = 0.5

--- Ports whose waiting has an end.
local function bound_waits()
  local meta = debug.getregistry()["brio.serial"]
  local read = meta.__index.read
  meta.__index.read = function(port, most, timeout)
    return read(port, most, timeout and math.min(timeout, longest_wait))
  end
end

--- The environment of a driver's file.
local function environment(path, seed)
  local folder = path:match "^(.*)/[^/]*$" or "."
  local env = sandbox.environment(folder, function() end, random.stream(seed, "driver"))
  local require_file = env.require
  function env.require(name)
    if name == "brio" then
      return { serial = modules["brio.serial"], wire = modules["brio.wire"], clock = modules["brio.clock"] }
    end
    return modules[name] or require_file(name)
  end
  return env
end

-- What a driver says of itself --------------------------------------------------------------------

local function is_text(value) return type(value) == "string" and value ~= "" end
local function is_flag(value) return type(value) == "boolean" end
local function is_function(value) return type(value) == "function" end
local function is_number(value) return type(value) == "number" and value == value end

--- The fields of a driver: which values are good, what was expected, and whether it must be there.
local fields = {
  name = { is_text, "a text", true }, doc = { is_text, "a sentence", true },
    when_silent = { is_text, "a sentence" },
  simulated = { is_flag, "true or false" }, watchdog = { is_flag, "true or false" },
  open_loop = { is_flag, "true or false" },
  settings = { function(value) return type(value) == "table" end, "a list of settings" },
  open = { is_function, "a function", true }, configure = { is_function, "a function" },
  write = { is_function, "a function", true }, read = { is_function, "a function", true },
  power = { is_function, "a function" }, step = { is_function, "a function" },
  sense = { is_function, "a function" }, describe = { is_function, "a function" },
    close = { is_function, "a function" },
}

local row_fields = {
  name = function(value) return is_text(value) and value:match "^[%a_][%w_]*$" end, doc = is_text,
    unit = is_text,
  default = function(value) return is_number(value) or type(value) == "string" end, lower = is_number,
    upper = is_number,
}

local most_texts, most_settings = 8, 64

local function fault_of_row(place, row, seen)
  if type(row) ~= "table" then
    return place .. " must be a table: { name = ..., doc = ..., default = ... }"
  end
  for _, key in ipairs(suggest.keys(row)) do
    if not row_fields[key] then
      return ("%s: there is no field %s%s"):format(place, tostring(key),
        suggest.hint(tostring(key), suggest.keys(row_fields)))
    end
    if not row_fields[key](row[key]) then return ("%s.%s is wrong"):format(place, key) end
  end
  for _, key in ipairs { "name", "doc", "default" } do
    if row[key] == nil then return ("%s.%s must be given"):format(place, key) end
  end
  if seen[row.name] then return ("%s: there is a setting '%s' already"):format(place, row.name) end
  seen[row.name] = true
  if type(row.default) == "number" and ((row.lower or row.default) > row.default
      or (row.upper or row.default) < row.default) then
    return place .. ".default must be from lower to upper"
  end
end

local function fault_of_settings(settings)
  local seen, texts = {}, 0
  if #settings > most_settings then return ("settings: at most %d"):format(most_settings) end
  for index, row in ipairs(settings) do
    local fault = fault_of_row(("settings[%d]"):format(index), row, seen)
    if fault then return fault end
    if type(row.default) == "string" then texts = texts + 1 end
  end
  if texts > most_texts then return ("settings: at most %d may be texts"):format(most_texts) end
end

--- The error in what a driver's file returned: a sentence, or nil.
function host.fault(driver)
  if type(driver) ~= "table" then
    return "a driver's file must return a table: { name = ..., open = ..., ... }"
  end
  for _, key in ipairs(suggest.keys(driver)) do
    local known = fields[key]
    if not known then
      return ("there is no field %s%s"):format(tostring(key),
        suggest.hint(tostring(key), suggest.keys(fields)))
    end
    if not known[1](driver[key]) then return ("%s must be %s"):format(key, known[2]) end
  end
  for _, key in ipairs(suggest.keys(fields)) do
    if fields[key][3] and driver[key] == nil then
      return ("%s must be given: %s"):format(key, fields[key][2])
    end
  end
  return fault_of_settings(driver.settings or {})
end

--- The fields of the record.
local function description_of(driver)
  local has, settings = {}, {}
  for key in next, fields do has[key] = driver[key] ~= nil end
  for index, row in ipairs(driver.settings or {}) do settings[index] = row end
  return {
    name = driver.name, doc = driver.doc, when_silent = driver.when_silent, simulated = driver.simulated,
    watchdog = driver.watchdog, open_loop = driver.open_loop, settings = settings, has = has,
  }
end

-- Its functions -----------------------------------------------------------------------------------

--- Load a driver's file.  Return its functions: { description, start, configure, write, ... }; nil, a
--- sentence and a code on errors.
function host.open(path, seed)
  bound_waits()
  local env = environment(path, seed)
  local source = {}
  local chunk, why = sandbox.load(path, env, source)
  if not chunk then return nil, why, source[path] and "format" or "no_file" end
  local driver = chunk()
  local fault = host.fault(driver)
  if fault then return nil, path .. ": " .. fault, "format" end
  local made, device = { description = description_of(driver) }, nil
  for _, name in ipairs { "configure", "write", "read", "power", "step", "sense", "describe", "close" } do
    local does = driver[name]
    if does then made[name] = function(...) return does(device, ...) end end
  end
  function made.start(axes, settings, own_seed)
    local sentence, code
    device, sentence, code = driver.open(axes, settings, own_seed)
    if device then return true end
    return nil, sentence or driver.name .. ": open returned no device", code
  end
  return made
end

return host
