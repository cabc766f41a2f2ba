--- Runs a program and measures from outside: its duration, and its maximum memory.
local uv = require "luv"

local process = {}

--- The maximum memory (MB) of process `id` so far, or nil if it has ended.
local function most_memory(id)
  local file <close> = io.open(("/proc/%d/status"):format(id))
  local kb = file and file:read("a"):match "VmHWM:%s+(%d+)"
  return kb and tonumber(kb) / 1024
end

--- Run `words` in `folder`.  Return {began (s of the monotonic clock), wall_s, memory_mb, code, output,
--- errors}.
function process.run(words, folder)
  local result = { memory_mb = 0, output = "", errors = "" }
  local out, err, watch = uv.new_pipe(), uv.new_pipe(), uv.new_timer()
  result.began = uv.hrtime() * 1e-9
  local handle, id
  handle, id = uv.spawn(words[1], { args = { table.unpack(words, 2) }, cwd = folder,
    stdio = { nil, out, err } }, function(code)
    result.wall_s, result.code = uv.hrtime() * 1e-9 - result.began, code
    watch:close()
    handle:close()
  end)
  if not handle then error(words[1] .. ": " .. tostring(id), 0) end
  watch:start(0, 10, function() result.memory_mb = most_memory(id) or result.memory_mb end)
  for field, pipe in pairs { output = out, errors = err } do
    pipe:read_start(function(_, bytes)
      if bytes then result[field] = result[field] .. bytes else pipe:close() end
    end)
  end
  uv.run()
  return result
end

return process
