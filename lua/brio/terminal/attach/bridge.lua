--- The remote side of `brio attach HOST`: connects standard input and output to a run's socket. The first and
--- the last line are the bridge's own: {"bridge":{...}}.
local link = require "brio.io.stream"
local store = require "brio.store"
local uv = require "luv"

local bridge = {}

--- Standard input or output as a stream.
local function stream(fd)
  local kind = uv.guess_handle(fd)
  if kind == "tty" then return uv.new_tty(fd, fd == 0) end
  if kind ~= "pipe" then return nil end
  local pipe = uv.new_pipe(false)
  pipe:open(fd)
  return pipe
end

--- Maximum number of bytes that may wait for either side: beyond it, reading pauses.
local most = 1 << 20

--- Copy one stream to another; over() at its end.
local function lead(from, to, over)
  from:read_start(function(fault, bytes)
    if fault or not bytes then return over() end
    to:write(bytes)
    if to:get_write_queue_size() <= most then return end
    from:read_stop()
    local timer = uv.new_timer()
    timer:start(20, 20, function()
      if from:is_closing() then return timer:close() end
      if to:get_write_queue_size() > most then return end
      timer:close()
      lead(from, to, over)
    end)
  end)
end

--- Send a message of the bridge itself.
local function say(output, fields, done) output:write(store.json { bridge = fields } .. "\n", done) end

--- Connect a run's socket to standard input and output. Return the exit code.
function bridge.run(path)
  local input, output, socket = stream(0), stream(1), uv.new_pipe(false)
  if not input or not output then
    return nil, "--bridge is for `brio attach HOST`, which speaks with it through pipes"
  end
  local over, code = false, 0
  socket:connect(path, function(fault)
    if fault then
      code = 1
      return say(output, { error = ("cannot attach to %s: %s"):format(path, link.meaning(fault)) },
        function() over = true end)
    end
    local file = io.open(path .. ".token")
    say(output, { socket = path, token = file and file:read "l" or nil })
    if file then file:close() end
    lead(input, socket, function() over = true end)
    lead(socket, output, function()
      if not over then say(output, { ended = uv.fs_stat(path) == nil }, function() over = true end) end
    end)
  end)
  while not over do uv.run "once" end
  return code
end

return bridge
