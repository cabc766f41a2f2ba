--- How far a `brio feasible` got: the windows that are solved, in a file, so that a stopped one goes on.
local cli = require "brio.terminal.cli"
local parcel = require "brio.lib.serialize"

local checkpoint = {}

--- The first line of such a file.
local magic = "brio feasible 1"

--- Plain data as a text: a value a line, floats exactly as they are.
local function text_of(value)
  local list = {}
  parcel.put(list, value)
  for index, one in ipairs(list) do list[index] = one:gsub("\\", "\\\\"):gsub("\n", "\\n") end
  return table.concat(list, "\n")
end

local function value_of(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do
    list[#list + 1] = line:gsub("\\(.)", function(letter) return letter == "n" and "\n" or letter end)
  end
  return (parcel.take(list, 1))
end

--- What a result depends on, as a text: equal tasks, equal texts.
function checkpoint.task(rig, animation, options)
  return text_of { robot = rig.robot:hash(), rate = animation.rate, frames = animation.frames,
    keys = animation.keys or {}, rig = rig.data, options = options }
end

--- Write what is solved. Return true, or nil and a sentence.
function checkpoint.write(path, task, result)
  local good, why = cli.write(path .. ".new", table.concat({ magic, #task, task, text_of(result) },
    "\n") .. "\n")
  if not good then return nil, why end
  return os.rename(path .. ".new", path)
end

--- The result so far of the same task; nil: there is none, and, if there is a file, a sentence why not.
function checkpoint.read(path, task)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read "a"
  file:close()
  local size, at = text:match("^" .. magic .. "\n(%d+)\n()")
  size = math.tointeger(tonumber(size or ""))
  if not size then return nil, path .. ": is no file of brio feasible" end
  if text:sub(at, at + size - 1) ~= task then
    return nil, path .. ": is of another motion, robot or options: it starts from the first window"
  end
  local good, result = pcall(value_of, text:sub(at + size + 1))
  if not good or type(result) ~= "table" or type(result.windows) ~= "table" then
    return nil, path .. ": is cut off: it starts from the first window"
  end
  return result
end

return checkpoint
