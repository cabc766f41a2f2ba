--- Reads a robot.lua: plain data, loaded with nothing to call, checked field by field.
--- One table per kind of record says what each field must be; docs/robots.md says what it means.
local suggest = require "brio.suggest"

local file = {}

-- A check returns nothing when the value passes, else where in it (may be "") and what was expected.

local function text(value)
  if type(value) ~= "string" or value == "" then return "", "a text" end
end

local function flag(value)
  if type(value) ~= "boolean" then return "", "true or false" end
end

local function number(value)
  if type(value) ~= "number" or value ~= value or value == math.huge or value == -math.huge then
    return "", "a finite number"
  end
end

local function positive(value)
  if number(value) or value <= 0 then return "", "a number greater than 0" end
end

local function not_negative(value)
  if number(value) or value < 0 then return "", "a number of at least 0" end
end

local function setting(value)
  if type(value) ~= "string" and number(value) then return "", "a number or a text" end
end

local function one_of(...)
  local words = { ... }
  return function(value)
    for _, word in ipairs(words) do
      if value == word then return end
    end
    return "", 'one of "' .. table.concat(words, '", "') .. '"'
  end
end

local function list_of(check, what, count)
  return function(value)
    if type(value) ~= "table" or (count and #value ~= count) then return "", what end
    for key in next, value do
      if math.type(key) ~= "integer" or key < 1 or key > #value then return "", what end
    end
    for index, item in ipairs(value) do
      local where, expected = check(item)
      if where then return ("[%d]%s"):format(index, where), expected end
    end
  end
end

local function map_of(check, what)
  return function(value)
    if type(value) ~= "table" then return "", what end
    for _, key in ipairs(suggest.keys(value)) do
      local where, expected = check(value[key])
      if where then return "." .. key .. where, expected end
    end
    for key in next, value do
      if type(key) ~= "string" then return "[" .. tostring(key) .. "]", "a name = value, no list" end
    end
  end
end

--- A record: `fields` maps a name to its check; those in `required` must be there.
local function record(fields, required)
  local names = suggest.keys(fields)
  return function(value)
    if type(value) ~= "table" then return "", "a table with the fields " .. table.concat(names, ", ") end
    for _, key in ipairs(suggest.keys(value)) do
      if not fields[key] then
        return "." .. key, "one of " .. table.concat(names, ", ") .. suggest.hint(key, names)
      end
    end
    if #value > 0 then return "[1]", "a name = value, no list" end
    for _, key in ipairs(names) do
      if value[key] ~= nil then
        local where, expected = fields[key](value[key])
        if where then return "." .. key .. where, expected end
      end
    end
    for _, key in ipairs(required) do
      if value[key] == nil then return "." .. key, "given" end
    end
  end
end

local dof = record({
  name = text, label = text, group = text, outside = flag, unit = one_of("rad", "m", "1"),
  lower = number, upper = number, rest = number, velocity = positive, acceleration = positive,
}, { "name" })

local gains = record({
  p = not_negative, i = not_negative, d = not_negative, velocity = not_negative, acceleration = not_negative,
}, {})

local motor = record({
  map = one_of("linear", "asymmetric", "table"), scale = positive, offset = number, polarity = one_of(1, -1), below = positive,
  above = positive, lower = number, upper = number,
  points = list_of(list_of(number, "two numbers", 2), "a list of {position, motor}"), gains = gains,
}, {})

local function watchdog(value)
  if value ~= false and positive(value) then return "", "seconds, greater than 0, or false" end
end

local device = record({
  driver = text, dofs = list_of(text, "a list of DOFs or groups"), settings = map_of(setting, "a table of name = number or text"),
  watchdog = watchdog, limits = flag,
}, { "driver", "dofs" })

local coupling = record({
  dofs = list_of(text, "a list of DOFs"), matrix = list_of(list_of(number, "a list of numbers"), "a list of rows"),
}, { "dofs", "matrix" })

local interlock = record({
  kind = one_of("prevent", "timing", "load"), watched = text, limited = text, below = number, above = number, lower = number,
  upper = number, load = not_negative, rest = number, after = not_negative, ramp = not_negative, keep = not_negative,
  release = not_negative,
}, { "kind", "watched", "limited" })

local watched = record({ limit = number, after = not_negative, reaction = one_of("report", "hold", "relax", "panic") }, {})

local filter = record({ stages = one_of(0, 1, 2, 3, 4), tau = not_negative }, { "tau" })

local pose = record({ label = text, joints = map_of(number, "a table of joint = number") }, { "joints" })

local eyelid = record({ lid = text, eye = text, closed = number, open = number, gain = number }, { "lid", "eye" })

local other_side = record({ with = text, sign = one_of(1, -1) }, {})

local check = record({
  name = text, title = text, model = text, home = text, calibration = text,
  source = list_of(text, "a list of texts"),
  base = one_of("fixed", "bounded", "free"),
  base_range = list_of(not_negative, "six numbers: +- x, y, z in m, then +- rotation in rad", 6),
  default_acceleration = positive,
  acceleration = map_of(positive, "a table of joint = rad/s^2 or m/s^2"),
  velocity = map_of(positive, "a table of joint = rad/s or m/s"),
  dofs = list_of(dof, "a list of DOFs"),
  inputs = map_of(function(value) if type(value) ~= "table" then return "", "a table: { kind = ... }" end end,
    "a table of name = { kind = ... }"),
  groups = list_of(text, "a list of texts"),
  parts = map_of(list_of(text, "a list of DOFs or groups"), "a table of part = { DOFs or groups }"),
  poses = map_of(pose, "a table of name = { joints = { ... } }"),
  roles = map_of(text, "a table of role = link"),
  motors = map_of(motor, "a table of DOF = { ... }"),
  devices = map_of(device, "a table of name = { driver = ..., dofs = ... }"),
  couplings = list_of(coupling, "a list of couplings"),
  interlocks = list_of(interlock, "a list of interlocks"),
  watch = map_of(watched, "a table of condition = { limit = ..., after = ..., reaction = ... }"),
  filters = map_of(filter, "a table of DOF or group = { stages = ..., tau = ... }"),
  on_loss = one_of("stop", "go_on"),
  shutdown = text,
  eyelids = list_of(eyelid, "a list of eyelids"),
  mirror = map_of(other_side, "a table of DOF = { with = DOF, sign = 1 or -1 }"),
}, { "name", "model" })

--- What is at the end of a path like ".dofs[3].lower", to show in a message.
local function at(data, where)
  for step in where:gmatch("[^.%[%]]+") do
    if type(data) ~= "table" then return nil end
    data = data[math.tointeger(tonumber(step)) or step]
  end
  return data
end

local function shown(value)
  if type(value) == "string" then return ("'%s'"):format(#value > 40 and value:sub(1, 40) .. "..." or value) end
  if type(value) == "number" then return ("%.14g"):format(value) end
  return type(value) == "table" and "a table" or tostring(value)
end

--- A robot.lua describes: what computes or never ends does not belong there.
local function computes(source)
  local bare = source:gsub("%[%[.-%]%]", ""):gsub("\\.", ""):gsub("%-%-[^\n]*", "")
  bare = bare:gsub('"[^"\n]*"', '""'):gsub("'[^'\n]*'", "''")
  for word in bare:gmatch("%f[%w_](%l+)%f[^%w_]") do
    if word == "while" or word == "for" or word == "repeat" or word == "goto" or word == "function" then return word end
  end
end

local function read_all(path)
  local handle, why = io.open(path, "r")
  if not handle then return nil, path .. ": cannot read: " .. why:gsub("^[^:]*: ", ""), "no_file" end
  local source = handle:read(1 << 20)
  handle:close()
  if not source then return nil, path .. ": is empty or no file: a table was expected", "format" end
  return source
end

--- What a calibration says of motors: the fields that a person measures.
local check_calibration = record({
  motors = map_of(record({ scale = positive, offset = number, polarity = one_of(1, -1) }, {}), "a table of DOF = { ... }"),
  robot = text, made = text,
}, { "motors" })

--- Read a file of plain data and check it by `check`.
local function read(path, checked)
  local source, why, code = read_all(path)
  if not source then return nil, why, code end
  local word = computes(source)
  if word then return nil, ("%s: is plain data: '%s' does not belong in it"):format(path, word), "format" end
  local chunk, wrong = load(source, "@" .. path, "t", {})
  if not chunk then return nil, wrong, "format" end
  local fine, data = pcall(chunk)
  if not fine then return nil, tostring(data) .. " (a robot.lua is plain data: there is nothing to call)", "format" end
  if type(data) ~= "table" then return nil, path .. ": must return a table, not " .. shown(data), "format" end
  local where, expected = checked(data)
  if not where then return data end
  local field, value = where:gsub("^%.", ""), at(data, where)
  local sentence = value == nil and ("%s: %s must be %s"):format(path, field, expected)
    or ("%s: %s must be %s, not %s"):format(path, field, expected, shown(value))
  if expected:match("^one of [%a_]+, ") then
    sentence = ("%s: there is no field %s: it must be %s"):format(path, field, expected)
  end
  return nil, sentence, "format"
end

--- Read and check the robot.lua at `path`.
---@param path string
---@return table? data as written in the file, every field of the right type
---@return string? sentence what was wrong, with file and field
---@return string? code no_file or format
function file.read(path) return read(path, check) end

--- Read and check what `brio calibrate` wrote: { motors = { DOF = { polarity, offset, scale } } }.
function file.read_calibration(path) return read(path, check_calibration) end

--- Read a file of plain data; what must be in it is not checked.
function file.read_plain(path) return read(path, function() end) end

return file
