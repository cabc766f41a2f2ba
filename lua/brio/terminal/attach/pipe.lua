--- A prompt with lines from a pipe, sent one after the other, as in `echo state | brio attach`.
local answers = require "brio.terminal.attach.answers"
local cli = require "brio.terminal.cli"
local clients = require "brio.runs.client"
local uv = require "luv"

local pipe = {}

--- Call take(line) for every line of standard input, then finished().
local function read_lines(take, finished)
  local kind, part = uv.guess_handle(0), ""
  local function feed(bytes)
    part = clients.each_line(part .. bytes, function(text) take((text:gsub("\r$", ""))) end)
  end
  local function ended()
    if part ~= "" then take(part) end
    finished()
  end
  local input = kind == "pipe" and uv.new_pipe(false) or kind == "tty" and uv.new_tty(0, true)
  if not input then
    feed(io.read "a")
    return ended()
  end
  if kind == "pipe" then input:open(0) end
  input:read_start(function(fault, bytes)
    if bytes and not fault then return feed(bytes) end
    input:close()
    ended()
  end)
end

local Talk = {}
Talk.__index = Talk

function Talk:failed(why)
  cli.error("%s", why)
  self.code = 3
end

--- A line was answered: an SQL query runs on the store before the next line.
function Talk:answered(reply)
  self.heard()
  if reply.more then
    self.busy = false
    return self:say_next()
  end
  self.begun = nil
  answers.resolve(self.client, reply, self.limit, function(text, why)
    self.busy = false
    if not text then self:failed(why) elseif text ~= "" then print(text) end
    io.stdout:flush()
    self:say_next()
  end)
end

--- Send the next line when the one before was answered; leave after the last.
function Talk:say_next()
  if self.busy or not self.client.open then return end
  local text = self.lines[self.at]
  if not text or answers.leaves(text) then
    if (self.over or text) and self.urgent == 0 then
      if self.begun then self:failed("the input ends in the middle of: " .. self.begun) end
      self.client:close()
    end
    return
  end
  self.at, self.busy = self.at + 1, true
  self.begun = self.begun and self.begun .. "\n" .. text or text
  self.heard = self.client:watch_silence()
  self.client:ask({ line = self.begun }, function(reply) self:answered(reply) end)
end

--- A line was read.  A panic stop is sent at once, before waiting lines.
function Talk:take(text)
  if not answers.is_panic(text) or not self.client.open then
    self.lines[#self.lines + 1] = text
    return self:say_next()
  end
  self.urgent = self.urgent + 1
  self.client:ask({ panic = true }, function(reply)
    self.urgent = self.urgent - 1
    if reply.error then self:failed(reply.error) else print(reply.text) end
    io.stdout:flush()
    self:say_next()
  end)
end

--- Send the lines of standard input one after the other.  `limit`: timeout of a query, s; nil: the default.
--- Return the exit code, and whether some lines were not sent.
function pipe.say_all(client, limit)
  local self = setmetatable({ client = client, limit = limit, lines = {}, at = 1, busy = false, over = false,
    code = 0, urgent = 0 }, Talk)
  read_lines(function(text) self:take(text) end, function()
    self.over = true
    self:say_next()
  end)
  while client.open do uv.run "once" end
  return self.code, self.busy or self.lines[self.at] ~= nil and not answers.leaves(self.lines[self.at])
end

return pipe
