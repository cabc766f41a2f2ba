--- Watching a run from another terminal: finding the run, repeated requests, and a screen with keys. Shared
--- by `brio monitor` and `brio tree --live`.
local answers = require "brio.terminal.attach.answers"
local cli = require "brio.terminal.cli"
local clients = require "brio.runs.client"
local live = require "brio.runs.live"
local log_line = require "brio.terminal.attach.log_line"
local output = require "brio.terminal.output"
local pieces = require "brio.terminal.styled"
local uv = require "luv"

local watch = {}

--- Time after which a missing answer is reported, s; number of log lines that are kept; time for which an
--- answer stays the newest line, s.
local patience, kept, answer_stays = 1, 8, 3

--- Seconds on a clock of this machine.
function watch.now() return uv.hrtime() * 1e-9 end

-- Watching ------------------------------------------------------------------------------------------

local Watch = {}
Watch.__index = Watch

--- Watch the run that `name` means (nil: the only one).  `args`: as, token; `command`: the person's words,
--- for sentences. `view`, `status` ({text, style}) and `log` (a list of {text, level}) are displayed.
function watch.new(name, args, command)
  return setmetatable({ name = name, args = args, command = command, log = {} }, Watch)
end

--- Add a line to the display.  `is_answer`: it is the result of an action of this person; log lines are
--- inserted before it for a while, so that it stays visible where there is room for one line.
function Watch:show(text, level, is_answer)
  local at, now = #self.log + 1, watch.now()
  while not is_answer and at > 1 and (self.log[at - 1].stays or 0) > now do at = at - 1 end
  table.insert(self.log, at, { text = text, level = level, stays = is_answer and now + answer_stays or nil })
  if #self.log > kept then table.remove(self.log, 1) end
end

--- Attach to the run, if there is one.  Return whether it succeeded, or else why not.
function Watch:attach()
  local path, why, several = live.find(self.name, self.command)
  local unclear = several and #several > 0
  local on = {}
  function on.log(text, level, t)
    self:show(log_line.text(nil, tostring(text), t), level)
  end
  function on.ended(how) self:lost(how) end
  local client
  if path then client, why = clients.connect(path, on) end
  local reply = client and client:introduce(path, self.args)
  if reply and not reply.error then
    self.client, self.asked, self.status = client, nil, nil
    return true
  end
  if client then
    why = reply and reply.error or client.refusal or "the run has ended"
    client:close()
  end
  self.status = self.view and self.over or { style = "warn",
    text = self.view and "ended; waiting for the next run" or why .. (unclear and "" or "; waiting for one") }
  return false, why
end

--- The run has ended; `how`: see client.ends.
function Watch:lost(how)
  self.client, self.asked = nil, nil
  self.status = how == "ended" and { text = "ended; waiting for the next run", style = "warn" }
    or { text = clients.ends[how] .. "; waiting for the next run", style = "bad" }
  self.over = self.status
end

--- Send a line, unless an answer is awaited: take(reply) is called with the answer; a refusal becomes the
--- status.
function Watch:look(line, take)
  if not self.client then return end
  if self.asked then
    if watch.now() - self.asked > patience then
      self.status = { text = ("no answer for %.0f s: a script may be busy"):format(watch.now() - self.asked),
        style = "bad" }
    end
    return
  end
  self.asked = watch.now()
  self.client:ask({ line = line }, function(reply)
    self.asked = nil
    if reply.error then self.status = { text = tostring(reply.error), style = "bad" } end
    take(reply)
  end)
end

--- Stop every motor.  The answer is displayed, or that there is none.
function Watch:panic()
  local function unconfirmed() self:show(answers.unconfirmed, "error", true) end
  if not self.client then return unconfirmed() end
  local stop = answers.watch_panic(unconfirmed)
  self.client:ask({ panic = true }, function(reply)
    stop()
    self:show("P  panic: " .. (reply.text or tostring(reply.error)), "warning", true)
  end)
end

function Watch:close()
  if self.client then self.client:close() end
  cli.close_handles()
end

-- At a terminal -------------------------------------------------------------------------------------

local Screen = {}
Screen.__index = Screen

function Screen:draw()
  local width, height = self.out:get_winsize()
  if not width or width < 1 then width, height = 80, 24 end
  local parts = {}
  for index, line in ipairs(self.lines(width, height)) do
    local text = pieces.text(line, self.colored)
    if self.shown[index] ~= text or self.width ~= width or self.height ~= height then
      parts[#parts + 1] = ("\27[%d;1H\27[K%s"):format(index, text)
      self.shown[index] = text
    end
  end
  self.width, self.height = width, height
  output.draw(table.concat(parts))
  io.stdout:flush()
end

--- Split the bytes of a terminal into keys: a control sequence, or a character.
function Screen:type(bytes)
  while bytes ~= "" and not self.left do
    local key = bytes:match "^\27[%[O][%d;]*[%a~]" or bytes:match "^[\194-\244][\128-\191]+"
      or bytes:sub(1, 1)
    if self.key(key) == false then self.left = true end
    bytes = bytes:sub(#key + 1)
  end
  if not self.left then self:draw() end
end

--- Watch at the terminal until the person leaves: key(key) returns false for that.  `options`: colored, rate,
--- look() requests the status, lines(width, height) draws, key(key).  Return the exit code.
function watch.show(self, options)
  local screen = setmetatable({ lines = options.lines, key = options.key, colored = options.colored,
    shown = {}, out = uv.new_tty(1, false) }, Screen)
  local input, timer, search = uv.new_tty(0, true), uv.new_timer(), uv.new_timer()
  screen.out:set_blocking(true) -- in libuv's mode, output to a slow terminal is lost
  input:set_mode(1)
  output.draw("\27[?1049h\27[?25l\27[?7l\27[2J")
  local good, why = xpcall(function()
    input:read_start(function(fault, bytes)
      if fault or not bytes then screen.left = true else screen:type(bytes) end
    end)
    for _, name in ipairs { "sigterm", "sighup", "sigint" } do
      uv.new_signal():start(name, function() screen.left = true end)
    end
    uv.new_signal():start("sigwinch", function() screen:draw() end)
    timer:start(0, math.floor(1000 / options.rate), function()
      options.look()
      screen:draw()
    end)
    search:start(500, 500, function() if not self.client then screen.due = true end end)
    while not screen.left do
      uv.run "once"
      if screen.due then -- not inside a callback: attaching waits for an answer
        screen.due = nil
        self:attach()
      end
    end
  end, debug.traceback)
  output.draw("\27[?7h\27[?25h\27[?1049l")
  io.stdout:flush()
  uv.tty_reset_mode()
  if good then return 0 end
  cli.error("%s", why)
  return 1
end

--- Wait until there is a view, or an error.  Return the view, or nil and the reason.
function watch.once(self, look)
  local began = watch.now()
  local timer = uv.new_timer()
  timer:start(100, 100, function() end)
  look()
  while self.client and not self.view and not self.status and watch.now() - began < 5 do uv.run "once" end
  if self.view then return self.view end
  return nil, self.status and self.status.text or "no answer for 5 s: a script may be busy"
end

-- Options of the terminal ---------------------------------------------------------------------------

local colorings = {
  always = function() return true end,
  never = function() return false end,
  auto = function(terminal) return terminal and (os.getenv "NO_COLOR" or "") == ""
    and os.getenv "TERM" ~= "dumb" end,
}

--- The options --color, --ascii and --once: {terminal, colored, ascii}; nil on errors, which were printed.
function watch.terminal(args)
  local coloring = colorings[args.color or "auto"]
  if not coloring then
    cli.error("--color must be auto, always or never, not '%s'", args.color)
    return nil
  end
  local terminal = uv.guess_handle(0) == "tty" and uv.guess_handle(1) == "tty" and not args.once
  return { terminal = terminal, colored = coloring(terminal), ascii = args.ascii or not cli.shows_utf8() }
end

return watch
