--- `brio attach`: a prompt at a run.  At a terminal lines are edited, completed and remembered; from
--- a pipe they are said one after the other, as in `echo state | brio attach`.
local cli = require "brio.cli"
local clients = require "brio.client"
local columns = require "brio.columns"
local line = require "brio.line"
local store = require "brio.store"
local uv = require "luv"

local attach = {
  name = "attach",
  summary = "a prompt at a running behavior: look, steer, ask, stop",
  usage = "brio attach [SOCKET] [options]",
  options = {
    { "as", "NAME", "who you are, for the record; default: your user's name" },
    { "token", "TEXT", "what a prompt shared by a group asks for; default: read beside the socket" },
    { "list", nil, "only list the runs that can be attached to" },
  },
}

--- How long an answer is waited for before the next line may be typed, ms.
local patience = 500

--- The lines of the history that are kept in ~/.brio_history.
local remembered = 1000

--- Rows of an answer of SQL that are shown.
local most_rows = 200

-- Which run ------------------------------------------------------------------------------------------

local function ignore() end

local function print_runs(list)
  print(columns.text({ "run", "behavior", "robot" }, list))
end

--- The socket to attach to; nil when that is not clear (and said), with an exit code.
local function choose()
  local list = clients.runs()
  if #list == 1 then return list[1].run end
  if #list == 0 then
    cli.error("no run can be attached to: start one with `brio run FILE.lua`, or name its socket")
    return nil, 1
  end
  cli.error("%d runs can be attached to: say which, as in brio attach %s", #list, list[1].run)
  print_runs(list)
  return nil, 2
end

-- Answers --------------------------------------------------------------------------------------------

--- Ask the run's own store: the engine has nothing to do with it.
local function ask_store(reply)
  local db, why = store.open(reply.store)
  if not db then return nil, why end
  local next_row, names = db:rows(reply.sql)
  if not next_row then
    db:close()
    return nil, names
  end
  local rows = {}
  local good, fault = pcall(function()
    for row in next_row do
      if #rows == most_rows then break end
      rows[#rows + 1] = row
    end
  end)
  db:close()
  if not good then return nil, (tostring(fault):gsub("^[^:]*%.lua:%d+: ", "")) end
  return columns.text(names, rows) .. (#rows == most_rows and ("\n(the first %d rows)"):format(most_rows) or "")
end

--- What a reply says: its text, or nil and what was wrong.
local function text_of(reply)
  if reply.sql then return ask_store(reply) end
  if reply.error then return nil, reply.error end
  return reply.text or ""
end

local function leaves(text) return text:match "^%s*quit%s*$" or text:match "^%s*exit%s*$" end

-- From a pipe ----------------------------------------------------------------------------------------

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

--- Say the lines of standard input one after the other.  Return the exit code.
local function say_all(client)
  local lines, at, begun, busy, over, code = {}, 1, nil, false, false, 0
  local function failed(why)
    cli.error("%s", why)
    code = 3
  end
  local say_next
  local function answered(reply)
    busy = false
    if reply.more then return say_next() end
    begun = nil
    local text, why = text_of(reply)
    if not text then failed(why) elseif text ~= "" then print(text) end
    io.stdout:flush()
    say_next()
  end
  function say_next()
    if busy or not client.open then return end
    local text = lines[at]
    if not text or leaves(text) then
      if over or text then
        if begun then failed("the input ends in the middle of: " .. begun) end
        client:close()
      end
      return
    end
    at, busy = at + 1, true
    begun = begun and begun .. "\n" .. text or text
    client:ask({ line = begun }, answered)
  end
  read_lines(function(text)
    lines[#lines + 1] = text
    say_next()
  end, function()
    over = true
    say_next()
  end)
  while client.open do uv.run "once" end
  return code, busy or lines[at] ~= nil and not leaves(lines[at])
end

-- At a terminal --------------------------------------------------------------------------------------

--- The history: what was typed before, and a file that is added to line by line.
local function open_history(editor)
  local home = os.getenv "HOME"
  if not home then return ignore end
  local path, lines = home .. "/.brio_history", {}
  local file = io.open(path)
  for text in file and file:lines() or ignore do lines[#lines + 1] = text end
  if file then file:close() end
  for index = math.max(1, #lines - remembered + 1), #lines do editor:remember(lines[index]) end
  local fd = uv.fs_open(path, #lines > 4 * remembered and "w" or "a", tonumber("600", 8))
  if fd and #lines > 4 * remembered then
    uv.fs_write(fd, table.concat(lines, "\n", #lines - remembered + 1) .. "\n", -1)
  end
  local last
  return function(text)
    if text == last or text:match "^%s*$" then return end
    last = text
    editor:remember(text)
    if fd then uv.fs_write(fd, text .. "\n", -1) end
  end
end

--- What all candidates begin with.
local function common_beginning(list)
  local first, length = list[1], #list[1]
  for _, name in ipairs(list) do
    while name:sub(1, length) ~= first:sub(1, length) do length = length - 1 end
  end
  return first:sub(1, length)
end

--- Names side by side, as many as fit.
local function side_by_side(list)
  local width = 0
  for _, name in ipairs(list) do width = math.max(width, #name + 2) end
  local across, lines = math.max(1, 96 // width), {}
  for index, name in ipairs(list) do
    local row = (index - 1) // across + 1
    lines[row] = (lines[row] or "") .. name .. (" "):rep(width - #name)
  end
  return (table.concat(lines, "\n"):gsub(" +\n", "\n"):gsub(" +$", ""))
end

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
  local text, why = text_of(reply)
  if not text then text = "error: " .. why end
  if text ~= "" then self.editor:print(text) end
end

function Session:line(text)
  self.remember(text)
  if not self.begun and leaves(text) then return self:leave() end
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
    local more = #list > 0 and common_beginning(list):sub(math.tointeger(reply.length) + 1) or ""
    if more ~= "" then self.editor:insert(more) elseif #list > 1 then self.editor:print(side_by_side(list)) end
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

--- Edit lines at the terminal until the person leaves or the run ends.
local function converse(client, editor, on)
  local self = setmetatable({ client = client, editor = editor, handles = {} }, Session)
  self.remember = open_history(editor)
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

-- The command ----------------------------------------------------------------------------------------

--- Say who we are and hear what runs there.  Return {behavior, robot}, or nil when we are refused.
local function introduce(client, path, args)
  local reply = client:introduce(path, args)
  if reply and not reply.error then return type(reply.about) == "table" and reply.about or {} end
  cli.error("%s: %s", path, reply and reply.error or client.refusal or "the run has ended")
end

local function run(args)
  if args.list then
    print_runs(clients.runs())
    return 0
  end
  local path, code = args[1], nil
  if not path then path, code = choose() end
  if not path then return code end
  local on = { log = ignore, ended = ignore }
  local client, why = clients.connect(path, on)
  if not client then
    cli.error("cannot attach to %s: %s", path, why)
    return 1
  end
  local about = introduce(client, path, args)
  if not about then return 1 end
  function on.log(text, level) io.stderr:write("brio: ", level == "info" and "" or tostring(level) .. ": ", text, "\n") end
  local editor = line.open()
  if editor then
    local what, robot = about.behavior or "a run", about.robot or "a robot"
    editor:print(("%s on %s: help lists the words, Ctrl-D leaves the prompt"):format(what, robot))
    code = converse(client, editor, on)
    client:close()
    return code
  end
  local unsaid
  code, unsaid = say_all(client)
  if unsaid and code == 0 then
    cli.error("the run ended before everything was said")
    return 1
  end
  return code
end

function attach.run(args)
  if #args > 1 then
    cli.error("attach expects one socket at most: %s", attach.usage)
    return 2
  end
  local code = run(args)
  cli.close_handles()
  return code
end

return attach
