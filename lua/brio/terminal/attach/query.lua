--- An SQL query of the prompt.  A process of its own (`brio sql`, over ssh if the run is on another machine)
--- reads the store, so the prompt still reacts to keys.  The query can be cancelled, and has a time limit.
local remote = require "brio.runs.remote"
local uv = require "luv"

local query = {}
local Query = {}
Query.__index = Query

--- Maximum number of rows, and of bytes of the answer, that are shown; default time limit of a query, s, and
--- additional time for its process to end by itself before it is killed, s.
query.most_rows, query.most_bytes, query.limit, query.grace = 200, 1 << 20, 60, 2

--- Report the result, once.
local function finish(self, text, why)
  local done = self.done
  self.done = nil
  self.timer:close()
  for _, pipe in ipairs(self.pipes) do pipe:close() end
  done(text, why)
end

--- Report the result when the process has ended and all of its output was read.
local function ended(self)
  if not self.code or self.open > 0 or not self.done then return end
  local text, errors = table.concat(self.out), table.concat(self.errors)
  if self.code == 0 and not self.why then return finish(self, (text:gsub("\n$", ""))) end
  errors = errors:gsub("^brio: ", ""):gsub("%s+$", "")
  finish(self, nil, self.why or errors ~= "" and errors or ("the query ended with code %d"):format(self.code))
end

--- Collect the output of a pipe, up to a limit.
local function keep(self, pipe, list)
  local size = 0
  pipe:read_start(function(fault, bytes)
    if not bytes or fault then
      pipe:read_stop()
      self.open = self.open - 1
      return ended(self)
    end
    if size < query.most_bytes then list[#list + 1] = bytes:sub(1, query.most_bytes - size) end
    size = size + #bytes
  end)
end

--- Kill the process; done(nil, why) is called when it has ended.
function Query:cancel(why)
  if not self.done then return end
  self.why = self.why or why or "cancelled"
  uv.kill(self.pid, "sigkill")
end

--- Query a run's store.  `place`: where the run is, as of brio.runs.remote; `reply`: {sql, store = path};
--- `seconds`: the time limit (nil: query.limit).  Calls done(text), or done(nil, why) if the query failed,
--- took too long or was cancelled.  Return the query, or nil if done was already called.
function query.start(place, reply, seconds, done)
  seconds = seconds or query.limit
  local self = setmetatable({ done = done, out = {}, errors = {}, open = 2, timer = uv.new_timer(),
    pipes = { uv.new_pipe(false), uv.new_pipe(false) } }, Query)
  local words = { "sql", "--store", reply.store, "--rows", tostring(query.most_rows),
    "--timeout", ("%g"):format(seconds), "--", reply.sql }
  local program, arguments = remote.command(place, words)
  local handle, pid
  handle, pid = uv.spawn(program, { args = arguments, stdio = { nil, self.pipes[1], self.pipes[2] } },
    function(code, signal)
      self.code = signal ~= 0 and 128 + signal or code
      handle:close()
      ended(self)
    end)
  if not handle then
    finish(self, nil, ("%s cannot be started: %s"):format(program, pid))
    return nil
  end
  self.pid = pid
  keep(self, self.pipes[1], self.out)
  keep(self, self.pipes[2], self.errors)
  self.timer:start(math.ceil((seconds + query.grace) * 1000), 0, function()
    self:cancel(("the query took longer than %g s and was stopped"):format(seconds))
  end)
  return self
end

return query
