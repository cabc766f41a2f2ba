--- The host of a driver written in Lua, in the Lua state of its device: the environment of the driver's file,
--- the check of its description, and its functions as engine/runtime/script/driver_script.c calls them.
local random = require "brio.random"
local sandbox = require "brio.behavior.sandbox.sandbox"
local schema = require "brio.lib.schema"

local host = {}

--- Modules that a driver may require other than files beside its own, and the parts of `brio` that it gets.
local modules = {
  ["brio.serial"] = require "brio.serial", ["brio.wire"] = require "brio.wire",
    ["brio.clock"] = require "brio.clock",
}

--- Maximum time of waiting for bytes, s: a device's thread must end with its run.
local longest_wait = 0.5

--- Ports with limited waiting times.
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

-- Description of a driver -------------------------------------------------------------------------

--- The fields of an item of `settings`.
host.setting_fields = {
  name = { "string", needed = true, doc = "letters, digits and _", fault = function(value)
    local good = type(value) == "string" and value:match "^[%a_][%w_]*$"
    return not good and "must be a name of letters, digits and _" or nil
  end },
  doc = { "string", needed = true, doc = "a sentence" },
  default = { "number or string", needed = true, doc = "the value unless it is set; a text makes it a text" },
  unit = { "string", doc = "of a number" },
  lower = { "number", doc = "the least that a number may be" },
  upper = { "number", doc = "the most that a number may be" },
}

--- The fields of a driver.
host.fields = {
  name = { "string", needed = true, doc = "of the driver" },
  doc = { "string", needed = true, doc = "a sentence" },
  when_silent = { "string", doc = "a sentence: what the device does without messages" },
  simulated = { "boolean", value = false, doc = "true: no hardware moves" },
  watchdog = { "boolean", value = false, doc = "true: configure arms a watchdog in the device" },
  open_loop = { "boolean", value = false, doc = "true: it reports its commands" },
  settings = { "list", of = { "record", fields = host.setting_fields }, doc = "what can be set" },
  open = { "function", needed = true, doc = "opens the device: (axes, settings, seed)" },
  configure = { "function", doc = "sets it up: (device, config)" },
  write = { "function", needed = true, doc = "hands targets over: (device, targets, speeds)" },
  write_impedances = { "function",
    doc = "the same for axes whose motors control their torque: (device, commands)" },
  read = { "function", needed = true, doc = "reports each axis: (device)" },
  power = { "function", doc = "lets motors hold or go limp: (device, on)" },
  step = { "function", doc = "lets dt seconds pass, of a simulated one: (device, dt)" },
  sense = { "function", doc = "reports inputs by name: (device)" },
  describe = { "function", doc = "what is there, in words: (device)" },
  close = { "function", doc = "releases everything: (device)" },
}

local most_texts, most_settings = 8, 64

--- The error in a setting beyond its schema: a sentence, or nil.
local function fault_of_row(place, row, seen)
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

--- The error in the value that a driver's file returned: a sentence, or nil.
function host.fault(driver)
  if type(driver) ~= "table" then
    return "a driver's file must return a table: { name = ..., open = ..., ... }"
  end
  return schema.fault(driver, host.fields, "a driver") or fault_of_settings(driver.settings or {})
end

--- The fields of the record.
local function description_of(driver)
  local has, settings = {}, {}
  for key in next, host.fields do has[key] = driver[key] ~= nil end
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
  for name, field in next, host.fields do
    -- `open` makes the device that the others get.
    if field[1] == "function" and name ~= "open" and driver[name] then
      local does = driver[name]
      made[name] = function(...) return does(device, ...) end
    end
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
