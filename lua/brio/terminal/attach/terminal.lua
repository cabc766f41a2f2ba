--- A prompt at a terminal: an input line with completion and history, keys bound by a session script, a
--- palette of possible actions, a panel with the robot's status, and the run's output above the input line.
local answers = require "brio.terminal.attach.answers"
local binding = require "brio.terminal.attach.binding"
local candidates = require "brio.terminal.attach.candidates"
local clients = require "brio.runs.client"
local device = require "brio.terminal.attach.device"
local edit = require "brio.terminal.attach.edit"
local footer = require "brio.terminal.attach.footer"
local json = require "cjson"
local keymode = require "brio.terminal.attach.keymode"
local keys = require "brio.terminal.attach.keys"
local log_line = require "brio.terminal.attach.log_line"
local sending = require "brio.terminal.attach.lines"
local palette = require "brio.terminal.attach.palette"
local panel = require "brio.terminal.attach.panel"
local remembered = require "brio.terminal.attach.remembered"
local uv = require "luv"

local terminal = {}

--- Interval of updates of the panel's clocks, ms.
local beat = 500

--- Heights of the window below which the panel has one line, or is hidden.
local low, lowest = 16, 8

local Session = {}
Session.__index = Session


-- Display -------------------------------------------------------------------------------------------------

local prompts = { type = "brio> ", keys = "keys> ", find = "find> ", word = "word> " }

--- Maximum number of lines of the panel.
local function panel_height(self, height)
  if self.panel_off or self.device.dumb or height < lowest then return 0 end
  if height < low or self.small then return 1 end
  return math.min(9, height // 2 - 2)
end

--- The rows above the input line: the panel, and the palette's results.
local function upper_rows(self, width, height)
  local lines, count = {}, panel_height(self, height)
  local finds = self.mode == "find"
  if self.view and count > 0 then
    lines = panel.lines(self.view, { width = width, height = finds and 1 or count, glyphs = self.glyphs,
      passed = self.device:seconds() - self.viewed, latency = self.latency })
  end
  if finds then
    for _, line in ipairs(self.palette:lines(math.max(2, math.min(8, height // 2 - 2)))) do
      lines[#lines + 1] = line
    end
  end
  local status = self.lines:status()
  if status then lines[#lines + 1] = { { status, "warn" } } end
  local rows = {}
  for index, line in ipairs(lines) do rows[index] = panel.text(line, width, self.styles) end
  return rows
end

--- Text before the cursor.
local function prompt_of(self)
  if self.mode == "ask" then return keymode.prompt(self) end
  return self.mode == "type" and self.lines.begun and "  ... " or prompts[self.mode]
end

--- Draw the rows at the bottom.
function Session:draw()
  if self.left then return end
  local width, height = self.device:size()
  if width ~= self.footer.width then self.footer:resize(width) end
  local dumb = self.device.dumb
  local rows = dumb and {} or upper_rows(self, width - 1, height)
  local before, shown = #rows, self.edit
  if self.mode == "find" then
    shown = self.query
    shown.text, shown.cursor = self.palette.query, #self.palette.query
  end
  if self.mode == "ask" then
    shown = self.query
    shown.text, shown.cursor = "", 0
  end
  local lines, row, column = shown:layout(prompt_of(self), dumb and math.huge or width - 1)
  local room = math.max(1, height - before - 1)
  -- of a long line, the part around the cursor
  local first = math.max(0, math.min(row - room // 2 - 1, #lines - room))
  if dumb then first, room = 0, #lines end
  for index = first + 1, math.min(#lines, first + room) do rows[#rows + 1] = lines[index] end
  self.footer:draw(rows, before + row - first, column)
end

local levels = { warning = "warn", error = "bad" }

--- Print lines above; `style` is a name of the panel's.
function Session:print(text, style)
  local sign = style and self.device.colored and self.styles[style]
  text = footer.harmless(text)
  local width = self.device:size()
  -- the signal of a new size may come after the output
  if width ~= self.footer.width then self.footer:resize(width) end
  if sign then
    text = text:gsub("[^\n]+", function(line) return ("\27[%sm%s\27[0m"):format(sign, line) end)
  end
  self.footer:print(text)
end

function Session:bell() if not self.device.dumb then self.device:write "\7" end end

-- Lines ---------------------------------------------------------------------------------------------------

--- Send a request, and measure the time to its answer.
function Session:ask(fields, answered)
  local began = self.device:seconds()
  self.client:ask(fields, function(reply)
    self.latency = self.device:seconds() - began
    answered(reply)
  end)
end

--- Print the result of a line.
function Session:show(text, why)
  if not text then return self:print("error: " .. why, "bad") end
  if text ~= "" then self:print(text) end
end

--- Print a line above, as it was typed.
function Session:echo(text, begun)
  self.footer:print(footer.harmless((begun and "  ... " or prompts.type) .. text))
end

--- Execute a line of the desk itself, which is about this terminal.  Return whether it was one.
local function own_line(self, text)
  local word = text:match "^%s*panel%s*(%a*)%s*$"
  if not word then return false end
  if word ~= "" and word ~= "on" and word ~= "off" and word ~= "small" then
    self:print("error: say panel, panel small or panel off", "bad")
    return true
  end
  self.panel_off, self.small = word == "off", word == "small"
  return true
end

--- Report if a panic stop has no answer for a while; return a function that stops this.
local function watch_panic(self)
  return answers.watch_panic(function()
    if self.left then return end
    self:print(answers.unconfirmed, "bad")
    self:bell()
  end)
end

--- Functions of this prompt for active lines (see lines.lua).
local function parts_of(self)
  return {
    client = self.client, timer = self.timer, limit = self.limit,
    ask = function(fields, answered) self:ask(fields, answered) end,
    echo = function(text, begun) self:echo(text, begun) end,
    show = function(text, why) self:show(text, why) end,
    own = function(text) return own_line(self, text) end,
    now = function() return self.device:seconds() end,
    print = function(text) self:print(text) end,
    changed = function() self:draw() end,
    leave = function() self:leave() end,
    watch_panic = function() return watch_panic(self) end,
  }
end

--- Execute a line of a key or the palette, without waiting for its answer.
function Session:act(line, key)
  self:ask({ line = line }, function(reply)
    self.lines:resolve(reply, function(text, why)
      local before = key and key .. "  " or ""
      self:print(("%s%s: %s"):format(before, line, text or "error: " .. why), not text and "bad" or nil)
    end)
  end)
end

--- Send the panic stop, before all waiting lines.
function Session:panic(key)
  local stop = watch_panic(self)
  self:ask({ panic = true }, function(reply)
    stop()
    self:print(key .. "  panic: " .. (reply.text or reply.error), "bad")
  end)
end

-- Waiting keys --------------------------------------------------------------------------------------------

--- Keys wait for an answer on which they depend: the completions of Tab, the rows of the palette.
local function hold(self, waited_for)
  self.waits, self.held = waited_for, {}
  self.slow:start(sending.patience, 0, function()
    self:print "(no answer yet: keys wait for it; Ctrl-C waits no longer)"
  end)
end

--- Process them, in their order.
local function go_on(self)
  local held = self.held or {}
  self.waits, self.held = nil, nil
  self.slow:stop()
  self:draw()
  for _, key in ipairs(held) do self.take(key[1], key[2]) end
end

--- Store a waiting key; the word `panic`, and the panic stop's key in key mode, do not wait.
local function keep(self, name, text)
  if self.mode == "keys" and name == "P" then return self:panic "P" end
  local word, first = "", #self.held + 1
  if name == "enter" then
    while first > 1 and self.held[first - 1][2] ~= "" and self.held[first - 1][1] ~= "paste" do
      first = first - 1
      word = self.held[first][2] .. word
    end
  end
  if not answers.is_panic(word) then
    self.held[#self.held + 1] = { name, text }
    return
  end
  for place = #self.held, first, -1 do self.held[place] = nil end
  self:panic "Enter"
end

-- Typing --------------------------------------------------------------------------------------------------

local typing = {}

function typing.line(self, said)
  local text = said or self.edit:take()
  self.remember(text)
  self.lines:add(text)
end

typing["end"] = function(self)
  if not self.lines.asked or self.leaves then return self:leave() end
  self.leaves = true -- lines before it are answered first
  self:print "(leaves when what was said is answered; Ctrl-D once more leaves now)"
  self.lines:add "quit"
end

function typing.cancel(self)
  self:echo(self.edit:take() .. "^C", self.lines.begun)
  self.lines:cancel()
  self:draw()
end

function typing.clear(self)
  self.footer:clear()
  self:draw()
end

function typing.bell(self)
  self:bell()
  self:draw()
end

function typing.complete(self)
  local text, completing = self.edit.text:sub(1, self.edit.cursor), {}
  hold(self, completing)
  self.client:ask({ complete = text }, function(reply)
    if self.waits ~= completing then return end -- the wait has ended
    local list = reply.candidates or {}
    local more = #list > 0 and candidates.common_beginning(list):sub(math.tointeger(reply.length) + 1) or ""
    if more ~= "" then
      self.edit:insert(more)
    elseif #list > 1 then
      self:print(candidates.side_by_side(list, (self.device:size())))
    else
      self:bell()
    end
    go_on(self)
  end)
end

local modes = {}

function modes.type(self, name, text)
  local empty = self.edit.text == "" and not self.lines.begun and not self.edit.search
  if name == "escape" and empty and not self.device.dumb then
    return keymode.begin(self)
  elseif (name == "ctrl-o" or name == "alt-x") and not self.lines.begun and not self.device.dumb then
    return self:open_palette()
  elseif name:match "^f%d+$" then
    local bound = empty and binding.find(self.view, name)
    if bound then self:act(bound[2], name) else self:bell() end
    return
  end
  if name == "enter" and answers.is_panic(self.edit:query()) then
    self.edit:take() -- in a search, the word `panic` counts, not the line that was found
    return typing.line(self, "panic")
  end
  local what = self.edit:key(name, text)
  if what then return typing[what](self) end
  self:draw()
end

modes.keys, modes.word, modes.ask = keymode.keys, keymode.word, keymode.ask

-- The palette ---------------------------------------------------------------------------------------------

--- Request the possible actions, and open the palette.
function Session:open_palette()
  local came_from, opening = self.mode, {}
  hold(self, opening)
  self:ask({ line = "desk find" }, function(reply)
    if self.waits ~= opening then return end -- the wait has ended
    local good, rows = pcall(json.decode, reply.text or "")
    if good and type(rows) == "table" then
      self.palette, self.mode, self.came_from = palette.new(rows), "find", came_from
    else
      self:print("error: " .. (reply.error or "no palette"), "bad")
    end
    go_on(self)
  end)
end

local chosen = {}

function chosen.act(self, row)
  self:act(row[2])
end

function chosen.insert(self, row)
  self.mode, self.came_from = "type", "type"
  self.edit:set(row[2] .. (row[4] and " " or ""))
end

function chosen.close() end

function modes.find(self, name, text)
  if name == "enter" and self.palette.chosen == 1 and answers.is_panic(self.palette.query) then
    self.mode = self.came_from
    return self:panic "Enter"
  end
  local what, row = self.palette:key(name, text)
  if what then
    self.mode = self.came_from
    chosen[what](self, row)
  end
  self:draw()
end

-- The session ---------------------------------------------------------------------------------------------

--- Process keys that came in one block.
local function take_all(self, batch)
  local text = #batch > 1 and not self.waits and keymode.pasted(self, batch)
  if text then return keymode.take_paste(self, text) end
  local letters = 0
  for _, key in ipairs(batch) do letters = letters + (key[2] ~= "" and key[1] ~= "paste" and 1 or 0) end
  self.together = letters > 1
  for _, key in ipairs(batch) do self.take(key[1], key[2]) end
  self.together = nil
end

--- A panic stop in a paste without markers, or without its end, is sent at once.
function Session:hear_panic(text)
  for line in text:gmatch "([^\r\n]*)[\r\n]" do
    if answers.is_panic(line) then self:panic "Enter" end
  end
end

--- Bytes came from the terminal.
function Session:feed(bytes)
  local batch = {}
  local waits = self.keys:feed(bytes, function(name, text) batch[#batch + 1] = { name, text } end)
  self.escape:stop()
  take_all(self, batch)
  if not waits or self.left then return end
  local patience = self.keys:pasting() and keys.paste_patience or keys.patience
  self.escape:start(patience, 0, function() self:late() end)
end

--- Timeout without bytes: waiting bytes are keys as they are.
function Session:late()
  self.escape:stop()
  self:hear_panic(self.keys:pasting() or "")
  self.keys:late(self.take)
  keymode.let_go(self)
end

--- The function that processes keys in the present mode.
local function taker(self)
  return function(name, text)
    if self.left then return end
    if self.waits and name ~= "ctrl-c" then return keep(self, name, text) end
    if self.waits then
      self.held = {}
      go_on(self)
    end
    if name ~= "paste" and name ~= "rest" then return modes[self.mode](self, name, text) end
    if self.mode == "type" then return keymode.paste(self, text) end
    local goes_on = name == "rest" and self.mode == "ask" and self.question.raw
    if goes_on then keymode.take_paste(self, text) else self:bell() end
  end
end

function Session:leave()
  self.left = true
  self.lines:cancel()
  self.footer:leave()
end

--- Call `act` when the signal comes, until the session ends.
local function on_signal(self, name, act)
  local signal = uv.new_signal()
  signal:start(name, act)
  self.handles[#self.handles + 1] = signal
end

--- Open the terminal for editing; nil if standard input or output is not a terminal.
function terminal.open() return device.open() end

local function new(client, opened, limit)
  local self = setmetatable({ client = client, device = opened, limit = limit, mode = "type",
    edit = edit.new(), query = edit.new(),
    keys = keys.new(), glyphs = panel.glyphs[opened.ascii and "ascii" or "utf8"],
    styles = opened.colored and panel.styles or opened.dumb and {} or panel.plain_styles }, Session)
  local function write(bytes) opened:write(bytes) end
  self.footer = opened.dumb and footer.dumb(write) or footer.new(write, (opened:size()))
  self.remember = opened.forgets and function() end or remembered.open(self.edit)
  self.take = taker(self)
  self.handles = {}
  for _, name in ipairs { "timer", "escape", "beat", "slow", "spelling" } do
    self[name] = uv.new_timer()
    self.handles[#self.handles + 1] = self[name]
  end
  self.lines = sending.new(parts_of(self))
  return self
end

--- Handlers of the run's messages.
local function listen(self, on)
  function on.log(text, level, t)
    self:print(log_line.text(level, text, t), levels[level])
  end
  function on.desk(view)
    self.view, self.viewed = view, self.device:seconds()
    self:draw()
  end
  function on.lost(text) self:print(text, "bad") end
  function on.back(text)
    self:print(text, "good")
    if not self.device.dumb then self.client:ask({ line = "desk on" }, function() end) end
  end
  function on.ended(how)
    self.footer:leave()
    self:print(clients.ends[how], how ~= "ended" and "bad" or nil)
    self.footer:leave()
    self.left = true
  end
  if self.device.dumb then return end
  self.client:ask({ line = "desk on" }, function() end)
  self.beat:start(beat, beat, function() if self.view and not self.panel_off then self:draw() end end)
end

--- Begin a prompt at a terminal (see device.lua), which is fed with bytes: session:feed(bytes).  `on`: the
--- client's handlers (see brio.client); `about`: the run, {behavior, robot}, and limit, the time limit of a
--- query, s (nil: default).
function terminal.begin(client, opened, on, about)
  local self = new(client, opened, about.limit)
  local what, robot = about.behavior or "a run", about.robot or "a robot"
  self:print(("%s on %s: help lists the words, Ctrl-D leaves the prompt%s"):format(what, robot,
    opened.dumb and "" or "\nEsc goes to keys, Ctrl-O opens the palette"))
  listen(self, on)
  self:draw()
  return self
end

--- Edit lines at the terminal until the person leaves or the run ends.  Return the exit code.
function terminal.converse(client, opened, on, about)
  local self
  opened:start(function(bytes) -- before any output: until then Ctrl-C is a signal, also to the run
    if bytes then self:feed(bytes) elseif not self.left then self:leave() end
  end)
  self = terminal.begin(client, opened, on, about)
  on_signal(self, "sigwinch", function() self:draw() end)
  on_signal(self, "sigint", function() self:feed "\3" end)
  for _, name in ipairs { "sigterm", "sighup" } do on_signal(self, name, function() self:leave() end) end
  while not self.left do uv.run "once" end
  self.lines:cancel()
  for _, handle in ipairs(self.handles) do handle:close() end
  opened:close()
  return (client.how or "ended") == "ended" and 0 or 1
end

return terminal
