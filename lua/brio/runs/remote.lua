--- A run on another machine: `ssh HOST brio attach --bridge` forwards its socket, and the clocks of both
--- machines are compared.
---
--- The offset is measured as in NTP (RFC 5905, section 8): a request at local time t0 is answered at remote
--- time t1, and the answer arrives at local time t3.  The remote clock is ahead by t1 - (t0 + t3) / 2, with
--- an error of at most half of the round trip. The fastest of several requests counts.
local shell = require "brio.lib.shell"
local uv = require "luv"

local remote = {}

--- Number of initial comparisons of the clocks.
local questions = 8

--- Timeout for an answer of a run on another machine, s; and the time in which ssh must reach the machine,
--- s.
remote.wait, remote.reach = 60, 15

--- Check a host for ssh: a name or an address, with an optional user before it. It must not begin with a
--- character that makes it an option of ssh.
function remote.host_fault(host)
  if #host > 255 then return "a host's name has 255 bytes at most" end
  if host:find "^%d+$" or host:find "@%d+$" then return "a number is no host's name" end
  if not host:match "^[%w_][%w_.%-@]*$" or host:find "@.*@" or host:match "@$" or host:find "@%-" then
    return "a host's name is made of letters, digits, '.', '-' and '_', with USER@ before it where that is \z
      another one"
  end
end

--- Parse an argument of `brio attach`: {host, run} of HOST[:RUN]; nil if it is not a host, and the reason
--- if it could be one.
function remote.place(text)
  local host, run = text:match "^([^:/]*):(.*)$"
  host = host or text
  local why = remote.host_fault(host)
  if why then return nil, why end
  if run and (run:find "%c" or #run > 512) then
    return nil, "a run's name has no control characters, and 512 bytes at most"
  end
  return { host = host, run = run ~= "" and run or nil }
end

-- A pipe pair that looks like a socket.
local Far = {}
Far.__index = Far

function Far:read_start(take) self.output:read_start(take) end
function Far:write(bytes, done) self.input:write(bytes, done) end
function Far:is_closing() return self.closing == true end

function Far:close()
  if self.closing then return end
  self.closing = true
  if not self.input:is_closing() then self.input:close() end
  if not self.output:is_closing() then self.output:close() end
end

--- Give up after a timeout: end the program of the connection.
function Far:abandon()
  self:close()
  if self.process and not self.process:is_closing() then self.process:kill "sigterm" end
end

--- The command that runs brio with some arguments on the run's machine: a program and its arguments.
--- `place`: a local socket's path, or {host, program}.
function remote.command(place, words)
  if type(place) ~= "table" then return uv.exepath(), words end
  local command = { shell.quote(place.program or "brio") }
  for _, word in ipairs(words) do command[#command + 1] = shell.quote(word) end
  return "ssh", { "-T", "-o", "ConnectTimeout=" .. remote.reach,
    "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", "--", place.host,
    table.concat(command, " ") }
end

--- Start ssh; done(pipe) with an object that reads and writes as a socket does, or done(nil, why).
function remote.dial(place, done)
  local input, output = uv.new_pipe(false), uv.new_pipe(false)
  local self = setmetatable({ input = input, output = output }, Far)
  local program, arguments = remote.command(place, { "attach", "--bridge", place.run })
  local handle, why = uv.spawn(program, { stdio = { input, output, 2 }, args = arguments },
    function() if self.process then self.process:close() end end)
  if not handle then
    self:close()
    return done(nil, ("ssh cannot be started: %s"):format(why))
  end
  self.process = handle
  done(self)
end

--- The sentence that ssh failed.
function remote.why(place)
  return ("ssh %s: no run answered there (brio has to be installed at that machine)"):format(place.host)
end

--- The sentence for a timeout.
function remote.late(place)
  return ("ssh %s: no run answered within %g s (`brio attach --wait SECONDS` waits longer)"):format(
    place.host, place.wait or remote.wait)
end

--- Compare the clocks: {offset, error} (s): the offset to add to a local time, and its maximum error; nil
--- if the run does not answer.
function remote.measure(client, token)
  local best
  for _ = 1, questions do
    local before = uv.hrtime()
    local reply = client:answer { ping = true, token = token }
    local after = uv.hrtime()
    if not reply or not reply.now then break end
    local error = (after - before) / 2e9
    if not best or error < best.error then
      best = { offset = reply.now - (before + after) / 2e9, error = error }
    end
  end
  return best
end

--- Set the time of a typed line, by the clock of the run's machine: of the local time `fields.t`, or of
--- now.
function remote.stamp(clock, fields)
  fields.t = (fields.t or uv.hrtime() / 1e9) + (clock and clock.offset or 0)
  fields.t_error = clock and clock.error or nil
end

return remote
