--- A prompt at a terminal: lines are edited, completed and remembered, and what the run says appears above
--- the line that is typed.
local answers = require "brio.attach.answers"
local candidates = require "brio.attach.candidates"
local line = require "brio.line"
local remembered = require "brio.attach.remembered"
local uv = require "luv"

local terminal = {}

--- How long an answer is waited for before the next line may be typed, ms.
local patience = 500

local Session = {}
Session.__index = Session

--- Take the keys that wait.  While an answer is awaited they are left where they are.
function Session:take_keys()
  for what, text in self.editor.read, self.editor do
    self[what](self, text)
    if self.left or self.asked or self.completing then return end
  end
end

--- Leave the keys where they are until an answer has come.
function Session:pause(milliseconds, too_late)
  self.keys:stop()
  self.timer:start(milliseconds, 0, too_late)
end

--- Take them again.
function Session:resume()
  self.timer:stop()
  self.asked, self.completing = nil, nil
  self.keys:start("r", function() self:take_keys() end)
end

--- The line that is typed may begin, or go on.
function Session:ready()
  self.editor:prompt(self.begun and "  ... " or "brio> ")
  self:resume()
end

function Session:show(reply)
  if reply.more then return end
  self.begun = nil
  local text, why = answers.text(reply)
  if not text then text = "error: " .. why end
  if text ~= "" then self.editor:print(text) end
end

function Session:line(text)
  self.remember(text)
  if not self.begun and answers.leaves(text) then return self:leave() end
  if not self.begun and text:match "^%s*$" then return self:ready() end
  self.begun = self.begun and self.begun .. "\n" .. text or text
  local asked = {}
  self.asked = asked
  self.client:ask({ line = self.begun }, function(reply)
    if self.asked == asked then
      self:show(reply)
      self:ready()
    else
      local begun = self.begun -- another line is being typed
      self:show(reply)
      self.begun = begun
    end
  end)
  self:pause(patience, function()
    self.editor:print "(no answer yet: a script may be busy; stop ends the run)"
    self.begun = nil
    self:ready()
  end)
end

Session["end"] = function(self) self:leave() end

function Session:cancel()
  self.begun = nil
  self:ready()
end

function Session:complete(text)
  local completing = {}
  self.completing = completing
  self:pause(patience, function() self:resume() end)
  self.client:ask({ complete = text }, function(reply)
    if self.completing ~= completing then return end -- too late
    local list = reply.candidates or {}
    local more = #list > 0 and candidates.common_beginning(list):sub(math.tointeger(reply.length) + 1) or ""
    if more ~= "" then self.editor:insert(more) elseif #list > 1 then self.editor:print(candidates.side_by_side(list)) end
    self:resume()
  end)
end

function Session:leave()
  self.left = true
  self.editor:prompt ""
end

--- Call `act` when the signal comes, until the session ends.
function Session:on_signal(name, act)
  local signal = uv.new_signal()
  signal:start(name, act)
  self.handles[#self.handles + 1] = signal
end

function Session:close()
  for _, handle in ipairs(self.handles) do handle:close() end
  self.editor:close()
  self.editor = nil
end

--- Begin to edit at this terminal; nil where standard input or output is none.
function terminal.open() return line.open() end

--- Edit lines at the terminal until the person leaves or the run ends.  `on`: the client's (see brio.client); `about`: what
--- runs there, {behavior, robot}.  Return the exit code.
function terminal.converse(client, editor, on, about)
  local what, robot = about.behavior or "a run", about.robot or "a robot"
  editor:print(("%s on %s: help lists the words, Ctrl-D leaves the prompt"):format(what, robot))
  local self = setmetatable({ client = client, editor = editor, handles = {} }, Session)
  self.remember = remembered.open(editor)
  self.timer, self.keys = uv.new_timer(), uv.new_poll(0)
  self.handles = { self.timer, self.keys }
  function on.log(text, level) editor:print((level == "info" and "" or tostring(level) .. ": ") .. text) end
  function on.ended()
    editor:prompt ""
    editor:print "the run has ended"
    self.left = true
  end
  self:on_signal("sigwinch", function() editor:resize() end)
  self:on_signal("sigint", function() self:cancel() end)
  for _, name in ipairs { "sigterm", "sighup" } do self:on_signal(name, function() self:leave() end) end
  self:ready()
  while not self.left do uv.run "once" end
  self:close()
  return 0
end

return terminal
