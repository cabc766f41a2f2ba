--- Lines to the run: each is sent when the one before has its answer, so that a block of lines keeps its
--- order, while keys are processed all the time.  A panic stop is sent at once.
local answers = require "brio.terminal.attach.answers"

local lines = {}
local Lines = {}
Lines.__index = Lines

--- Time without an answer after which this is reported, ms.
lines.patience = 500

--- `desk`, the prompt at a terminal: client, timer, limit (s of a query); ask(fields, answered), echo(text,
--- begun), show(text, why), own(text) (executes a line of the desk itself; whether it was one), now() (s),
--- print(text), changed(), leave(), watch_panic() (reports a missing answer; returns a function that stops
--- this).
function lines.new(desk) return setmetatable({ desk = desk, list = {}, queries = {} }, Lines) end

--- Active queries beside the input line, as a sentence; nil: none.
function Lines:status()
  local count = #self.list
  if count > 0 then
    return ("%d lines wait for the answer to the one before; Ctrl-C drops them"):format(count)
  end
  if #self.queries > 0 then return "a query goes on; Ctrl-C cancels it" end
end

--- Start the next query, if none is active.
local function ask_next(self)
  local first = self.queries[1]
  if not first or first.begun then return end
  first.begun = true
  first.going = answers.resolve(self.desk.client, first.reply, self.desk.limit, function(text, why)
    if self.queries[1] == first then table.remove(self.queries, 1) end
    first.done(text, why)
    self.desk.changed()
    ask_next(self)
  end)
end

--- Deliver a reply to done(text, why).  Queries run beside the prompt, one after the other, without blocking
--- it.
function Lines:resolve(reply, done)
  if not reply.sql then return answers.resolve(self.desk.client, reply, self.desk.limit, done) end
  self.queries[#self.queries + 1] = { reply = reply, done = done }
  ask_next(self)
end

--- The answer has come, or is no longer awaited.
local function free(self)
  self.asked = nil
  self.desk.timer:stop()
  self:go_on()
end

--- Send a line, and wait for its answer before the next.
local function send(self, line)
  local desk, asked = self.desk, {}
  local text = self.begun and self.begun .. "\n" .. line.text or line.text
  self.begun, self.asked = nil, asked
  desk.ask({ line = text, t = line.t }, function(reply)
    local waited_for = self.asked == asked
    if waited_for and reply.more then
      self.begun = text
    elseif not waited_for and reply.sql then
      desk.show(nil, "cancelled")
    elseif not reply.more then
      self:resolve(reply, desk.show)
    end
    if waited_for then free(self) end
  end)
  if self.asked ~= asked then return end -- answered at once
  local panic = answers.is_panic(line.text)
  desk.timer:start(lines.patience, 0, function()
    if panic then return desk.show(nil, answers.unconfirmed) end
    desk.print "(no answer yet: a script may be busy; Ctrl-C waits no longer, stop ends the run)"
  end)
end

--- Send the next lines, until one has to wait for its answer.
function Lines:go_on()
  local desk = self.desk
  while not self.asked and #self.list > 0 do
    local line = table.remove(self.list, 1)
    desk.echo(line.text, self.begun)
    if not self.begun and answers.leaves(line.text) then return desk.leave() end
    if self.begun or not (line.text:match "^%s*$" or desk.own(line.text)) then send(self, line) end
  end
  desk.changed()
end

--- Send a line at once, before waiting ones.
local function send_now(self, line)
  local desk = self.desk
  desk.echo(line.text, self.begun)
  local stop = answers.is_panic(line.text) and desk.watch_panic() or function() end
  desk.ask({ line = line.text, t = line.t }, function(reply)
    stop()
    self:resolve(reply, desk.show)
  end)
end

--- A person typed a line.
function Lines:add(text)
  if answers.is_panic(text) then text = "panic" end
  local line = { text = text, t = self.desk.now() }
  local waits = self.asked ~= nil or self.begun ~= nil
  local urgent = answers.is_panic(text) and waits or answers.is_urgent(text) and self.asked
  if urgent then return send_now(self, line) end
  self.list[#self.list + 1] = line
  self:go_on()
end

--- Drop waiting lines, await no answer, and cancel queries.
function Lines:cancel()
  local count, queries = #self.list, self.queries
  self.list, self.begun, self.queries = {}, nil, {}
  if count > 0 then self.desk.print(("(%d lines that waited are left out)"):format(count)) end
  for _, one in ipairs(queries) do
    if one.going then one.going:cancel() else one.done(nil, "cancelled") end
  end
  if self.asked then free(self) end
end

return lines
